// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <gtest/gtest.h>

#include "ambf_adf/parse.hpp"

using namespace ambf_adf;

namespace
{

Problems problems(const std::string & text)
{
  const auto model = parse_text(text, "file.yaml");
  return model ? model->warnings : model.error();
}

const Problem * find(const Problems & list, ProblemKind kind, Severity severity)
{
  const auto found = std::find_if(list.begin(), list.end(), [&](const Problem & p) {
    return p.kind == kind && p.severity == severity;
  });
  return found == list.end() ? nullptr : &*found;
}

/// Text, the problem it must give, its severity, its key and its line.
struct Case
{
  const char * what;
  std::string text;
  ProblemKind kind;
  Severity severity;
  std::string key;
  int line;
};

const std::string two_bodies =
  "bodies: [P, C]\nP: {mass: 1}\nC: {mass: 1}\njoints: [J]\n";  // 4 lines
const std::string frame =
  "parent: P, child: C, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, child "
  "axis: {x: 0, y: 0, z: 1}";
const std::string axis = ", parent axis: {x: 0, y: 0, z: 1}";
const std::string one_body = "bodies: [B]\nB:\n  mass: 1\n";  // 3 lines
const std::string one_sensor = "bodies: [B]\nB: {mass: 1}\nsensors: [S]\nS:\n  parent: B\n";

std::vector<Case> cases()
{
  using K = ProblemKind;
  using enum Severity;
  return {
    {"empty file", "", K::Syntax, Error, "", 1},
    {"scalar file", "hello", K::WrongType, Error, "", 1},
    {"list file", "[1, 2]", K::WrongType, Error, "", 1},
    {"open brace", "a: {b: 1\nc: 2", K::Syntax, Error, "", 2},
    {"alias without anchor", "a: *nothing", K::Syntax, Error, "", 1},
    {"alias in its own anchor", "a: &x [1, *x]", K::Syntax, Error, "", 1},
    {"second document", "bodies: []\n---\nbodies: []", K::Syntax, Warning, "", 3},
    {"version 2.0", "adf version: 2.0\nbodies: []", K::Version, Error, "adf version", 1},
    {"no lists", "namespace: /a", K::MissingKey, Warning, "", 1},
    {"listed body without block", "bodies: [A]", K::MissingBlock, Error, "bodies", 1},
    {"listed block is a number", "bodies: [A]\nA: 5", K::WrongType, Error, "A", 2},
    {"bodies is a map", "bodies: {a: 1}", K::WrongType, Error, "bodies", 1},
    {"bad number", one_body + "  collision margin: abc\n", K::WrongType, Error,
     "B/collision margin", 4},
    {"number with comma", one_body + "  collision margin: '0,5'\n", K::WrongType, Error,
     "B/collision margin", 4},
    {"not a number", one_body + "  collision margin: .nan\n", K::BadValue, Warning,
     "B/collision margin", 4},
    {"infinite number", one_body + "  collision margin: .inf\n", K::BadValue, Warning,
     "B/collision margin", 4},
    {"negative mass", "bodies: [B]\nB:\n  mass: -1\n", K::BadValue, Warning, "B/mass", 3},
    {"negative inertia", one_body + "  inertia: {ix: 1, iy: -1, iz: 1}\n", K::BadValue, Warning,
     "B/inertia", 4},
    {"zero inertia", one_body + "  inertia: {ix: 1, iy: 0, iz: 1}\n", K::BadValue, Warning,
     "B/inertia", 4},
    {"zero scale", one_body + "  scale: 0\n", K::BadValue, Warning, "B/scale", 4},
    {"missing z", one_body + "  location: {position: {x: 1, y: 2}}\n", K::MissingKey, Error,
     "B/location/position/z", 4},
    {"bad boolean", one_body + "  passive: maybe\n", K::WrongType, Error, "B/passive", 4},
    {"missing mass", "bodies: [B]\nB:\n  name: b\n", K::MissingKey, Warning, "B/mass", 3},
    {"shape without sizes", one_body + "  collision shape: BOX\n", K::MissingKey, Error,
     "B/collision geometry", 3},
    {"negative radius",
     one_body + "  collision shape: SPHERE\n  collision geometry: {radius: -1}\n", K::BadValue,
     Warning, "B/collision geometry/radius", 5},
    {"unknown shape", one_body + "  collision shape: BIX\n", K::UnknownEnum, Warning,
     "B/collision shape", 4},
    {"unknown mesh type", one_body + "  collision mesh type: HULLY\n", K::UnknownEnum, Warning,
     "B/collision mesh type", 4},
    {"short capsule",
     one_body + "  collision shape: CAPSULE\n  collision geometry: {radius: 1, height: 1}\n",
     K::BadValue, Warning, "B/collision geometry/height", 5},
    {"zero plane normal",
     one_body + "  collision shape: PLANE\n  collision geometry: {normal: {x: 0, y: 0, z: 0}}\n",
     K::BadValue, Warning, "B/collision geometry/normal", 5},
    {"collision group 1000", one_body + "  collision groups: [1000]\n", K::BadValue, Warning,
     "B/collision groups", 4},
    {"missing mesh", one_body + "  mesh: nowhere.stl\n", K::MissingFile, Warning, "B/mesh", 4},
    {"typing error in a key", one_body + "  resitution: 1\n", K::UnknownKey, Warning,
     "B/resitution", 4},
    {"typing error in a list's name", "bodys: []\njoints: []\n", K::UnknownKey, Warning, "bodys",
     1},
    {"duplicate key", one_body + "  scale: 1\n  scale: 2\n", K::DuplicateKey, Warning, "B/scale",
     5},
    {"key of AMBF 0.x", one_body + "  resistive surface: {}\n", K::IneffectiveKey, Warning,
     "B/resistive surface", 4},
    {"two objects with one name", "bodies: [A, B]\nA: {mass: 1, name: n}\nB: {mass: 1, name: n}\n",
     K::DuplicateName, Warning, "B", 3},
    {"unknown joint type", two_bodies + "J: {type: revolut, " + frame + axis + "}\n",
     K::UnknownEnum, Warning, "J/type", 5},
    {"no joint type", two_bodies + "J: {" + frame + axis + "}\n", K::MissingKey, Error, "J/type",
     5},
    {"zero axis",
     two_bodies + "J: {type: revolute, " + frame + ", parent axis: {x: 0, y: 0, z: 0}}\n",
     K::BadValue, Warning, "J/parent axis", 5},
    {"no axis", two_bodies + "J: {type: revolute, " + frame + "}\n", K::MissingKey, Error,
     "J/parent axis", 5},
    {"reversed limits",
     two_bodies + "J: {type: revolute, " + frame + axis + ", joint limits: {low: 1, high: -1}}\n",
     K::BadValue, Warning, "J/joint limits/low", 5},
    {"one limit",
     two_bodies + "J: {type: revolute, " + frame + axis + ", joint limits: {low: 1}}\n",
     K::MissingKey, Warning, "J/joint limits/high", 5},
    {"negative gain",
     two_bodies + "J: {type: revolute, " + frame + axis + ", controller: {P: -1, D: 1}}\n",
     K::BadValue, Warning, "J/controller/P", 5},
    {"child in no file",
     two_bodies +
       "J: {type: fixed, parent: P, child: X, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: "
       "0, y: 0, z: 0}, child axis: {x: 0, y: 0, z: 1}" +
       axis + "}\n",
     K::UnresolvedReference, Warning, "J/child", 5},
    {"child not listed",
     "X: {mass: 1}\n" + two_bodies +
       "J: {type: fixed, parent: P, child: X, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: "
       "0, y: 0, z: 0}, child axis: {x: 0, y: 0, z: 1}" +
       axis + "}\n",
     K::UnlistedBlock, Warning, "J/child", 6},
    {"joint of a body to itself",
     two_bodies +
       "J: {type: fixed, parent: P, child: P, parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: "
       "0, y: 0, z: 0}, child axis: {x: 0, y: 0, z: 1}" +
       axis + "}\n",
     K::BadValue, Warning, "J/child", 5},
    {"unknown sensor type", one_sensor + "  type: Proximty\n", K::UnknownEnum, Error, "S/type", 6},
    {"negative range", one_sensor + "  type: Proximity\n  range: -1\n  array: []\n", K::BadValue,
     Warning, "S/range", 7},
    {"sensor without rays", one_sensor + "  type: Proximity\n", K::MissingKey, Warning, "S/array",
     5},
    {"unknown actuator type",
     "bodies: [B]\nB: {mass: 1}\nactuators: [A]\nA:\n  parent: B\n  type: Glue\n", K::UnknownEnum,
     Error, "A/type", 6},
    {"soft body without mesh", "soft bodies: [S]\nS: {mass: 1}\n", K::MissingKey, Error, "S/mesh",
     2},
    {"clusters below 0", "soft bodies: [S]\nS: {mesh: m.stl, config: {clusters: -5}}\n",
     K::BadValue, Warning, "S/config/clusters", 2},
    {"time that stands still", "soft bodies: [S]\nS: {mesh: m.stl, config: {timescale: 0}}\n",
     K::BadValue, Warning, "S/config/timescale", 2},
    {"camera looks along up",
     "cameras: [C]\nC:\n  location: {x: 0, y: 0, z: 1}\n  look at: {x: 0, y: 0, z: 0}\n",
     K::BadValue, Warning, "C/look at", 4},
  };
}

}  // namespace

TEST(Problems, EachMistakeIsReportedWithItsKindKeyAndLine)
{
  for (const auto & c : cases()) {
    const Problems list = problems(c.text);
    const Problem * problem = find(list, c.kind, c.severity);
    ASSERT_NE(problem, nullptr) << c.what << "\n" << to_string(list);
    EXPECT_EQ(problem->key, c.key) << c.what << "\n" << to_string(list);
    EXPECT_EQ(problem->where.line, c.line) << c.what << "\n" << to_string(list);
    EXPECT_GT(problem->where.column, 0) << c.what;
    EXPECT_EQ(problem->file, "file.yaml") << c.what;
    EXPECT_FALSE(problem->found.empty()) << c.what;
    EXPECT_FALSE(problem->expected.empty() && problem->hint.empty()) << c.what;
    EXPECT_EQ(has_errors(list), c.severity == Severity::Error) << c.what << "\n" << to_string(list);
  }
}

TEST(Problems, AllErrorsOfAFileAreListedAtOnce)
{
  const auto model = parse_text(
    "bodies: [A, B, missing]\nA: {mass: -1, scale: x}\nB: {mass: 1, passive: maybe}\njoints: "
    "[J]\nJ: {type: wrong}\n",
    "f");
  ASSERT_FALSE(model);
  const auto errors = std::count_if(
    model.error().begin(), model.error().end(),
    [](const Problem & p) { return p.severity == Severity::Error; });
  // missing, scale, passive; of J: two pivots, two axes.
  EXPECT_EQ(errors, 7) << to_string(model.error());
  EXPECT_EQ(std::ssize(model.error()) - errors, 2) << "mass, type\n" << to_string(model.error());
}

TEST(Problems, TypingErrorsNameTheNearestKnownKey)
{
  EXPECT_EQ(
    find(problems(one_body + "  resitution: 1\n"), ProblemKind::UnknownKey, Severity::Warning)
      ->hint,
    "did you mean 'restitution'?");
  EXPECT_EQ(
    find(problems("bodys: [B]\nB: {mass: 1}"), ProblemKind::UnknownKey, Severity::Warning)->hint,
    "did you mean 'bodies'?");
  EXPECT_EQ(
    find(
      problems("bodies: [BODY base lnk]\nBODY base link: {mass: 1}\n"), ProblemKind::MissingBlock,
      Severity::Error)
      ->hint,
    "did you mean 'BODY base link'?");
  EXPECT_EQ(
    find(
      problems(two_bodies + "J: {type: revolut, " + frame + axis + "}\n"), ProblemKind::UnknownEnum,
      Severity::Warning)
      ->hint,
    "'J' is left out, as in AMBF; did you mean 'revolute'?");
}

TEST(Problems, AMissingBlockIsNotTakenForAListOrAnotherSingleLetter)
{
  for (const char * text :
       {"sensors: [SENSOR x]\n", "cameras: ['CAMERA ']\n", "lights: [light]\n",
        "lights: [B]\nA: {}\n"}) {
    const Problems list = problems(text);
    const Problem * missing = find(list, ProblemKind::MissingBlock, Severity::Warning);
    ASSERT_NE(missing, nullptr) << text << to_string(list);
    EXPECT_EQ(missing->hint, "it is left out; add the block or take the name out of the list");
  }
}

TEST(Problems, MessagesReadAsCompilersWriteThem)
{
  const Problems list = problems("bodies: [B]\nB:\n  mass: -1\n");
  EXPECT_EQ(
    to_string(list.front()),
    "file.yaml:3:3: warning: bad value: 'B/mass': found '-1', expected a number, 0 or more "
    "(1 is taken)");
}

TEST(Problems, EveryMessageHasAPlaceWhateverStandsInAList)
{
  const Problems list = problems(
    one_sensor + "  type: Proximity\n  array: [5, null, {offset: 1}]\n" +
    "soft bodies: [F]\nF: {mesh: x.stl, anchors: [7, null, [1]], config: {fixed node positions: "
    "[1, null]}}\n" +
    "plugins: [null, 5, {}]\n");
  EXPECT_TRUE(has_errors(list));
  for (const Problem & problem : list) {
    EXPECT_GT(problem.where.line, 0) << to_string(problem);
    EXPECT_GT(problem.where.column, 0) << to_string(problem);
  }
  // What is no map lacks nothing else.
  const auto of_first = std::count_if(
    list.begin(), list.end(), [](const Problem & p) { return p.key.starts_with("S/array[0]"); });
  EXPECT_EQ(of_first, 1) << to_string(list);
}

TEST(Problems, TheHintNamesTabsAndEndlessNumbers)
{
  const Problems tabs = problems("bodies: [B]\nB:\n\tname: b\n\tmass: 1\n");
  ASSERT_TRUE(has_errors(tabs));
  EXPECT_NE(tabs.back().hint.find("tabs"), std::string::npos) << to_string(tabs);
  for (const char * number : {".inf", "-.INF", ".NaN"}) {
    const Problems list = problems(one_body + "  collision margin: " + number + "\n");
    ASSERT_FALSE(has_errors(list)) << number;
    EXPECT_EQ(list.front().hint, "it must be finite; 0.001 is taken") << number;
  }
  const Problems list = problems(one_body + "  collision margin: 1e400\n");
  ASSERT_TRUE(has_errors(list));
  EXPECT_EQ(list.front().hint, "it must be finite");
}

TEST(Problems, ALimitAtInfinityIsNone)
{
  for (const char * limits : {"{low: -.inf, high: .inf}", "{low: -.INF, high: +.Inf}"}) {
    const auto model = parse_text(
      two_bodies + "J: {type: revolute, " + frame + axis + ", joint limits: " + limits + "}\n",
      "f");
    ASSERT_TRUE(model) << to_string(model.error());
    EXPECT_FALSE(model->joints[0].limits);
    EXPECT_TRUE(model->warnings.empty()) << to_string(model->warnings);
  }
}

TEST(Problems, MessagesAreOneLineOfWholeCharacters)
{
  std::string umlauts;
  for (int i = 0; i < 60; ++i) { umlauts += "\xC3\xA4"; }
  const Problems list =
    problems(one_body + "  scale: \"a\\e[2J\\r\\nb\"\n  collision margin: x" + umlauts + "\n");
  ASSERT_EQ(list.size(), 2u) << to_string(list);
  EXPECT_NE(to_string(list[0]).find("'a\\x1B[2J\\x0D\\x0Ab'"), std::string::npos)
    << to_string(list);
  EXPECT_NE(list[1].found.find("\xC3\xA4...'"), std::string::npos) << list[1].found;
}

TEST(Problems, FilesThatAreNotThereOrNotReadableAreErrors)
{
  for (const char * file : {"/nonexistent/x.yaml", "/"}) {
    const auto model = parse_file(file);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().front().kind, ProblemKind::Io);
  }
}

TEST(Problems, BytesThatAreNoUtf8AreReplacedWithAWarning)
{
  const auto model = parse_text("# caf\xE9\nbodies: [B]\nB: {mass: 1, name: \x92x}\n", "file.yaml");
  ASSERT_TRUE(model) << to_string(model.error());
  ASSERT_EQ(model->warnings.size(), 1u) << to_string(model->warnings);
  EXPECT_EQ(model->warnings[0].where.line, 1);
  EXPECT_EQ(model->bodies[0].header.name, "\xEF\xBF\xBDx");
}

TEST(Problems, EndlessRepetitionInAListIsCutShort)
{
  std::string names;
  for (int i = 0; i < 5000; ++i) { names += "A, "; }
  const auto model = parse_text("bodies: [" + names + "A]\nA: {mass: 1}\n", "f");
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->bodies.size(), 101u);
  EXPECT_EQ(model->warnings.size(), 101u);
}

TEST(Problems, HostileAliasesAreRefusedQuickly)
{
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 30; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) { text += "*a" + std::to_string(i - 1) + (k < 9 ? ", " : "]\n"); }
  }
  EXPECT_NE(find(problems(text), ProblemKind::TooComplex, Severity::Error), nullptr);
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 5000; ++i) {
    chain +=
      "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_NE(find(problems(chain), ProblemKind::TooComplex, Severity::Error), nullptr);
  EXPECT_TRUE(has_errors(problems(std::string(100000, '['))));
  EXPECT_TRUE(has_errors(problems(std::string(100000, '{'))));
}
