// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ambf_convert/convert.hpp"
#include "temporary_folder.hpp"

namespace
{

using ambf_adf::ProblemKind;
using ambf_adf::Severity;
using ambf_convert::Format;

struct Case
{
  const char * name;
  const char * file;  ///< its ending says the format
  std::string text;
  ProblemKind kind;
  Severity severity;
  int line;           ///< 0: not from a line of the file
  const char * says;  ///< part of the message
};

std::string robot(const std::string & inside)
{
  return "<robot name='r'>\n" + inside + "\n</robot>\n";
}

std::string sdf(const std::string & inside)
{
  return "<sdf version='1.9'>\n<model name='m'>\n" + inside + "\n</model>\n</sdf>\n";
}

std::string mjcf(const std::string & inside)
{
  return "<mujoco>\n<worldbody>\n" + inside + "\n</worldbody>\n</mujoco>\n";
}

std::string inertial(const std::string & mass, const std::string & moments)
{
  return robot(
    "<link name='a'>\n<inertial>\n<mass value='" + mass + "'/>\n<inertia " + moments +
    "/>\n</inertial></link>");
}

const std::string two_links = "<link name='a'/>\n<link name='b'/>\n";

std::string joint(const std::string & type, const std::string & rest)
{
  return "<joint name='j' type='" + type + "'>\n<parent link='a'/>\n<child link='b'/>\n" + rest +
         "</joint>";
}

std::string bomb()
{
  std::string text = "<?xml version='1.0'?>\n<!DOCTYPE bomb [\n<!ENTITY a 'aaaaaaaaaa'>\n";
  std::string last = "a";
  for (const char * name : {"b", "c", "d", "e", "f", "g", "h"}) {
    text += std::string("<!ENTITY ") + name + " '";
    for (int i = 0; i < 10; ++i) { text += "&" + last + ";"; }
    text += "'>\n";
    last = name;
  }
  return text + "]>\n" + robot("<link name='&h;'/>");
}

std::vector<Case> cases()
{
  const auto error = Severity::Error, warning = Severity::Warning;
  return {
    {"a tag that is not closed", "x.urdf", "<robot name='r'>\n<link name='a'>\n</robot>",
     ProblemKind::Syntax, error, 2, "XML"},
    {"no XML", "x.urdf", "hello", ProblemKind::Syntax, error, 0, "XML"},
    {"an empty file", "x.urdf", "", ProblemKind::Syntax, error, 0, "XML"},
    {"an entity-expansion bomb", "x.urdf", bomb(), ProblemKind::TooComplex, error, 2,
     "not expanded"},
    {"a bomb in SDF", "x.sdf", bomb(), ProblemKind::TooComplex, error, 2, "not expanded"},
    {"a bomb in MJCF", "x.mjcf", bomb(), ProblemKind::TooComplex, error, 2, "not expanded"},
    {"another format", "x.urdf", "<sdf version='1.9'/>", ProblemKind::WrongKind, error, 0, "sdf"},
    {"no links", "x.urdf", robot(""), ProblemKind::MissingKey, error, 1, "no link"},
    {"two links of one name", "x.urdf", robot("<link name='a'/>\n<link name='a'/>"),
     ProblemKind::DuplicateName, error, 3, "second link"},
    {"two joints of one name", "x.urdf",
     robot(two_links + joint("fixed", "") + "\n" + joint("fixed", "")), ProblemKind::DuplicateName,
     error, 8, "second joint"},
    {"two parents", "x.urdf",
     robot(
       two_links + "<link name='c'/>\n" + joint("fixed", "") +
       "\n<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>"),
     ProblemKind::BadValue, error, 9, "one parent"},
    {"a circle", "x.urdf",
     robot(
       two_links + joint("fixed", "") +
       "\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
     ProblemKind::BadValue, error, 1, "circle"},
    {"an unknown link", "x.urdf",
     robot("<link name='arm'/>\n<joint name='j' type='fixed'><parent link='arm'/>\n"
           "<child link='amr'/></joint>"),
     ProblemKind::UnresolvedReference, error, 4, "did you mean 'arm'"},
    {"an unknown type", "x.urdf", robot(two_links + joint("screw", "")), ProblemKind::UnknownEnum,
     error, 4, "screw"},
    {"a zero axis", "x.urdf", robot(two_links + joint("continuous", "<axis xyz='0 0 0'/>\n")),
     ProblemKind::BadValue, error, 7, "length 0"},
    {"no limit", "x.urdf", robot(two_links + joint("revolute", "")), ProblemKind::MissingKey, error,
     4, "no limit"},
    {"reversed limits", "x.urdf",
     robot(
       two_links + joint("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>\n")),
     ProblemKind::BadValue, warning, 7, "lower above upper"},
    {"a word for a number", "x.urdf", inertial("heavy", "ixx='1' iyy='1' izz='1'"),
     ProblemKind::WrongType, error, 4, "'heavy'"},
    {"nan", "x.urdf", inertial("nan", "ixx='1' iyy='1' izz='1'"), ProblemKind::WrongType, error, 4,
     "nan"},
    {"a mass below 0", "x.urdf", inertial("-1", "ixx='1' iyy='1' izz='1'"), ProblemKind::BadValue,
     error, 3, "mass below 0"},
    {"a negative moment", "x.urdf", inertial("1", "ixx='1' iyy='-1' izz='1'"),
     ProblemKind::BadValue, error, 3, "negative principal moment"},
    {"products that are too large", "x.urdf", inertial("1", "ixx='1' iyy='1' izz='1' ixy='2'"),
     ProblemKind::BadValue, error, 3, "negative principal moment"},
    {"the triangle inequality", "x.urdf", inertial("1", "ixx='1' iyy='1' izz='3'"),
     ProblemKind::BadValue, warning, 3, "sum of the other two"},
    {"a mass without inertia", "x.urdf", inertial("1", "ixx='0' iyy='0' izz='0'"),
     ProblemKind::BadValue, warning, 3, "without inertia"},
    {"an unknown tag", "x.urdf", robot("<link name='a'>\n<visualz/></link>"),
     ProblemKind::UnknownKey, warning, 3, "did you mean 'visual'"},
    {"a missing mesh", "x.urdf",
     robot(
       "<link name='a'>\n<visual><geometry><mesh filename='no.stl'/></geometry></visual></link>"),
     ProblemKind::MissingFile, warning, 2, "no.stl"},
    {"a package that is not there", "x.urdf",
     robot("<link name='a'><collision><geometry>\n<mesh filename='package://no_such/a.stl'/>"
           "</geometry></collision></link>"),
     ProblemKind::MissingFile, warning, 2, "no_such"},
    {"a negative size", "x.urdf",
     robot("<link name='a'><visual><geometry>\n<sphere radius='-1'/></geometry></visual></link>"),
     ProblemKind::BadValue, error, 3, "above 0"},
    {"millimetres", "x.urdf", robot(two_links + joint("fixed", "<origin xyz='0 0 350'/>\n")),
     ProblemKind::BadValue, warning, 1, "millimetres"},
    {"no body", "x.mjcf", "<mujoco/>", ProblemKind::MissingKey, error, 1, "no body"},
    {"an unknown tag of MJCF", "x.mjcf", mjcf("<bdy/>\n<body/>"), ProblemKind::UnknownKey, warning,
     3, "did you mean 'body'"},
    {"two bodies of one name", "x.mjcf", mjcf("<body name='a'/>\n<body name='a'/>"),
     ProblemKind::DuplicateName, error, 4, "second body"},
    {"a zero axis of MJCF", "x.mjcf", mjcf("<body>\n<joint axis='0 0 0'/></body>"),
     ProblemKind::BadValue, error, 4, "length 0"},
    {"impossible inertia of MJCF", "x.mjcf",
     mjcf("<body>\n<inertial pos='0 0 0' mass='1' diaginertia='1 1 -1'/></body>"),
     ProblemKind::BadValue, error, 4, "negative principal moment"},
    {"an unknown mesh of MJCF", "x.mjcf", mjcf("<body>\n<geom type='mesh' mesh='no'/></body>"),
     ProblemKind::UnresolvedReference, error, 4, "'no'"},
    {"an unknown body of an equality", "x.mjcf",
     "<mujoco><worldbody><body name='a'/></worldbody><equality>\n<weld body1='a' body2='b'/>\n"
     "</equality></mujoco>",
     ProblemKind::UnresolvedReference, error, 2, "'b'"},
    {"a file that includes itself", "x.mjcf", "<mujoco>\n<include file='x.mjcf'/>\n</mujoco>",
     ProblemKind::BadValue, error, 0, "second time"},
  };
}

std::vector<Case> sdf_cases()
{
  const auto error = Severity::Error, warning = Severity::Warning;
  return {
    {"two links of one name in SDF", "x.sdf", sdf("<link name='a'/><link name='a'/>"),
     ProblemKind::BadValue, error, 0, "a"},
    {"an unknown link in SDF", "x.sdf",
     sdf(
       "<link name='a'/>\n<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"),
     ProblemKind::BadValue, error, 0, "b"},
    {"an unknown tag in SDF", "x.sdf", sdf("<link name='a'>\n<visualz/></link>"),
     ProblemKind::UnknownKey, warning, 4, "visualz"},
    {"impossible inertia in SDF", "x.sdf",
     sdf("<link name='a'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>-3</izz>"
         "</inertia></inertial></link>"),
     ProblemKind::BadValue, error, 0, "inertia"},
    {"a missing mesh in SDF", "x.sdf",
     sdf("<link name='a'>\n<visual name='v'><geometry><mesh><uri>model://no/a.stl</uri></mesh>"
         "</geometry></visual></link>"),
     ProblemKind::MissingFile, warning, 3, "model://no/a.stl"},
  };
}

void expect_told(const Case & bad)
{
  const test::TemporaryFolder folder("bad");
  const auto file = folder.write(bad.file, bad.text);
  const auto model = ambf_convert::read_file(file);
  const auto & problems = model ? model->warnings : model.error();
  EXPECT_EQ(static_cast<bool>(model), bad.severity == Severity::Warning) << bad.name << "\n"
                                                                         << to_string(problems);
  for (const auto & problem : problems) {
    const bool line = bad.line == 0 || problem.where.line == bad.line;
    if (
      problem.kind == bad.kind && problem.severity == bad.severity && line &&
      to_string(problem).find(bad.says) != std::string::npos) {
      return;
    }
  }
  ADD_FAILURE() << bad.name << ", expected line " << bad.line << " and '" << bad.says << "'\n"
                << to_string(problems) << bad.text;
}

}  // namespace

TEST(BadInput, IsToldWithItsPlace)
{
  for (const Case & bad : cases()) { expect_told(bad); }
}

TEST(BadInput, OfSdfIsToldWithItsPlace)
{
  if (!AMBF_SDF_IS_READ) { GTEST_SKIP() << "built without libsdformat"; }
  for (const Case & bad : sdf_cases()) { expect_told(bad); }
}

TEST(BadInput, MissingFilesAndFoldersAreErrors)
{
  const test::TemporaryFolder folder("none");
  EXPECT_FALSE(ambf_convert::read_file(folder / "none.urdf"));
  std::filesystem::create_directory(folder / "folder.urdf");
  EXPECT_FALSE(ambf_convert::read_file(folder / "folder.urdf"));
  EXPECT_FALSE(ambf_convert::read_file(folder / "what.txt"));
}

TEST(BadInput, DeepNestingIsAnError)
{
  std::string text;
  for (int i = 0; i < 100000; ++i) { text += "<a>"; }
  const test::TemporaryFolder folder("deep");
  EXPECT_FALSE(ambf_convert::read_file(folder.write("deep.urdf", text)));
}

TEST(BadInput, AnyCutOfAFileIsAValueAndNoCrash)
{
  const std::string whole = robot(
    two_links + joint("revolute", "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1'/>") +
    "<link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
    "izz='1'/></inertial></link>");
  const test::TemporaryFolder folder("cut");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto model = ambf_convert::read_file(folder.write("cut.urdf", whole.substr(0, i)));
    EXPECT_FALSE(model && i < whole.size() - 2) << i;
  }
}
