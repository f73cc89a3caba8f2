// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "corpus.hpp"

namespace
{

namespace fs = std::filesystem;

struct Result
{
  int code = -1;
  std::string output;
};

Result run(const std::string & arguments)
{
  Result result;
  FILE * pipe = popen(("'" AMBF_ADF_TOOL "' " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    result.output += buffer.data();
  }
  result.code = pipe != nullptr ? pclose(pipe) / 256 : -1;
  return result;
}

class Tool : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder = fs::temp_directory_path() / ("ambf_adf_tool_" + std::to_string(::getpid()));
    fs::create_directories(folder / "sub");
    std::ofstream(folder / "good.yaml")
      << "bodies: [A, B]\nA: {mass: 2}\nB: {mass: 3}\njoints: [J, K]\n"
      << "J: &j {type: fixed, parent: A, child: B, parent pivot: {x: 0, y: 0, z: 0}, child pivot: "
         "{x: 0, y: 0, z: 0},"
      << " parent axis: {x: 0, y: 0, z: 1}, child axis: {x: 0, y: 0, z: 1}}\nK: *j\n";
    std::ofstream(folder / "sub" / "bad.yaml") << "bodies: [A]\nA: {mass: heavy}\n";
    std::ofstream(folder / "odd.yaml") << "bodies: [A]\nA: {mass: 2, collour: 3}\n";
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path(const char * name) const { return "'" + (folder / name).string() + "'"; }

  fs::path folder;
};

}  // namespace

TEST_F(Tool, CheckPrintsATableAndReturnsZeroForGoodFiles)
{
  const Result result = run("check " + path("good.yaml"));
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_NE(result.output.find("2 fixed"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("1 files: 1 valid, 0 with errors"), std::string::npos)
    << result.output;
}

TEST_F(Tool, CheckSearchesFoldersAndReturnsOneForErrors)
{
  const Result result = run("check '" + folder.string() + "'");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("bad.yaml:2:5: error: wrong type: 'A/mass'"), std::string::npos)
    << result.output;
  EXPECT_NE(result.output.find("3 files: 2 valid, 1 with errors"), std::string::npos)
    << result.output;
}

TEST_F(Tool, WhatIsCalledLikeADescriptionAndIsNoneIsNamed)
{
  // A link to itself, a dangling one, a pipe, a folder called like a file, a link back up.
  fs::create_symlink("loop.yaml", folder / "sub" / "loop.yaml");
  fs::create_symlink("nowhere", folder / "sub" / "dangling.yaml");
  fs::create_directory(folder / "sub" / "folder.yaml");
  fs::create_directory_symlink("..", folder / "sub" / "up");
  ASSERT_EQ(::mkfifo((folder / "sub" / "pipe.yaml").c_str(), 0600), 0);
  const Result result = run("check '" + folder.string() + "'");
  EXPECT_EQ(result.code, 1);
  for (const char * name : {"loop.yaml: error", "dangling.yaml: error", "pipe.yaml: error"}) {
    EXPECT_NE(result.output.find(name), std::string::npos) << name << "\n" << result.output;
  }
  EXPECT_NE(result.output.find("6 files: 2 valid, 4 with errors"), std::string::npos)
    << result.output;
}

TEST_F(Tool, WarningsFailOnlyWhenStrict)
{
  EXPECT_EQ(run("check " + path("odd.yaml")).code, 0);
  EXPECT_EQ(run("check --strict " + path("odd.yaml")).code, 1);
}

TEST_F(Tool, WrongUsageReturnsTwoAndPointsToHelp)
{
  for (const char * arguments :
       {"", "check", "graph", "nonsense", "check --nonsense x", "graph a b"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("check /nonexistent.yaml").code, 1);
}

TEST_F(Tool, GraphMarksJointsThatCloseLoops)
{
  const Result result = run("graph " + path("good.yaml"));
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find("1 loops"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("color=red"), std::string::npos) << result.output;
  EXPECT_EQ(run("graph " + path("sub/bad.yaml")).code, 1);
}

TEST_F(Tool, GraphShowsABodyOfAnotherFileOnce)
{
  std::ofstream(folder / "part.yaml")
    << "bodies: [A, B]\nA: {mass: 2}\nB: {mass: 3}\njoints: [J, K]\n"
    << "J: &j {type: p2p, parent: BODY elsewhere, child: A, parent pivot: &o {x: 0, y: 0, z: 0}, "
       "child pivot: *o}\nK:\n  <<: *j\n  child: B\n";
  const Result result = run("graph " + path("part.yaml"));
  EXPECT_EQ(result.code, 0);
  const auto stranger = result.output.find("label=\"BODY elsewhere\"");
  ASSERT_NE(stranger, std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("label=\"BODY elsewhere\"", stranger + 1), std::string::npos)
    << result.output;
  EXPECT_NE(result.output.find("x2 -> b0"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("x2 -> b1"), std::string::npos) << result.output;
}

TEST_F(Tool, GraphOfAFileWithoutBodiesSaysSo)
{
  std::ofstream(folder / "launch.yaml") << "world config: w.yaml\nmultibody configs: [good.yaml]\n";
  const Result result = run("graph " + path("launch.yaml"));
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("no model file"), std::string::npos) << result.output;
  EXPECT_EQ(run("graph " + path("nothing.yaml")).code, 1);
  EXPECT_EQ(run("graph '" AMBF_ADF_TOOL "'").code, 1);  // a binary file
}

TEST_F(Tool, GraphWritesSvgWhereGraphvizIsThere)
{
  if (std::system("dot -V >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "the program 'dot' is not installed";
  }
  const Result result = run("graph " + path("good.yaml") + " -o " + path("g.svg"));
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_GT(fs::file_size(folder / "g.svg"), 500u);
}

TEST_F(Tool, CheckOfTheCorpusFailsForTheInvalidFileOnly)
{
  SKIP_WITHOUT_CORPUS();
  const Result result = run("check --quiet '" + test::corpus().string() + "'");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  EXPECT_NE(result.output.find("compound_example.yaml:84:68: error"), std::string::npos)
    << result.output;
}

TEST_F(Tool, CheckRefusesAFileThatNamesAnotherWhichIsNotThere)
{
  std::ofstream(folder / "world.yaml") << "max iterations: 10\nenvironment: no/floor.yaml\n";
  const Result world = run("check " + path("world.yaml"));
  EXPECT_EQ(world.code, 1) << world.output;
  EXPECT_NE(
    world.output.find("world.yaml:2:1: error: missing file: 'environment'"), std::string::npos)
    << world.output;
  EXPECT_NE(world.output.find("no/floor.yaml'"), std::string::npos) << world.output;
  std::ofstream(folder / "launch.yaml")
    << "world config: w.yaml\nmultibody configs: [good.yaml, gone.yaml]\n"
    << "input devices config: d.yaml\n";
  const Result launch = run("check " + path("launch.yaml"));
  EXPECT_EQ(launch.code, 1) << launch.output;
  for (const char * part :
       {"launch.yaml:1:1: error: missing file: 'world config'", "w.yaml'",
        ": warning: missing file: 'multibody configs[1]'", "gone.yaml'",
        "launch.yaml:3:1: warning: missing file: 'input devices config'",
        "0 valid, 1 with errors"}) {
    EXPECT_NE(launch.output.find(part), std::string::npos) << part << "\n" << launch.output;
  }
  // A mesh that is not there leaves a body that can be loaded.
  std::ofstream(folder / "mesh.yaml") << "bodies: [A]\nA: {mass: 2, mesh: gone.stl}\n";
  EXPECT_EQ(run("check " + path("mesh.yaml")).code, 0);
}

TEST_F(Tool, AddressesOfPackagesLeadToTheirFiles)
{
  const fs::path prefix = folder / "prefix";
  fs::create_directories(prefix / "share/ament_index/resource_index/packages");
  std::ofstream(prefix / "share/ament_index/resource_index/packages/things") << "";
  fs::create_directories(prefix / "share/things/meshes");
  std::ofstream(prefix / "share/things/meshes/a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(prefix / "share/things/floor.yaml") << "bodies: [A]\nA: {mass: 0}\n";
  ::setenv("AMENT_PREFIX_PATH", ("/nowhere:" + prefix.string()).c_str(), 1);
  std::ofstream(folder / "model.yaml")
    << "high resolution path: package://things/meshes\nlow resolution path: "
       "package://things/meshes\n"
    << "bodies: [A, B, C]\n"
    << "A: {mass: 2, mesh: a.obj}\nB: {mass: 2, mesh: 'package://things/meshes/a.obj'}\n"
    << "C: {mass: 2, mesh: 'package://strangers/a.obj'}\n";
  const Result model = run("check " + path("model.yaml"));
  EXPECT_EQ(model.code, 0) << model.output;
  EXPECT_NE(
    model.output.find("'package://strangers/a.obj', which is not there, expected a mesh file (the "
                      "package 'strangers' is not installed"),
    std::string::npos)
    << model.output;
  EXPECT_EQ(model.output.find("missing file: 'A/mesh'"), std::string::npos) << model.output;
  EXPECT_EQ(model.output.find("missing file: 'B/mesh'"), std::string::npos) << model.output;
  std::ofstream(folder / "world.yaml")
    << "max iterations: 10\nenvironment: package://things/floor.yaml\n";
  EXPECT_EQ(run("check " + path("world.yaml")).code, 0)
    << run("check " + path("world.yaml")).output;
  std::ofstream(folder / "launch.yaml")
    << "world config: world.yaml\nmultibody configs: ['package://things/floor.yaml', "
    << "'package://strangers/x.yaml']\n";
  const Result launch = run("check " + path("launch.yaml"));
  EXPECT_EQ(launch.code, 0) << launch.output;  // the other entries of the menu can be used
  EXPECT_NE(
    launch.output.find(
      "launch.yaml:2:52: warning: missing file: 'multibody configs[1]': found "
      "'package://strangers/x.yaml', which is not there, expected an ADF file (the "
      "package 'strangers' is not installed"),
    std::string::npos)
    << launch.output;
  EXPECT_EQ(launch.output.find("multibody configs[0]"), std::string::npos) << launch.output;
}
