// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "temporary_folder.hpp"

namespace
{

struct Result
{
  int code = -1;
  std::string output;
};

Result run(const std::string & arguments)
{
  Result result;
  FILE * pipe = popen(("'" ADF_CONVERT "' " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    result.output += buffer.data();
  }
  result.code = pipe != nullptr ? pclose(pipe) / 256 : -1;
  return result;
}

std::string text_of(const std::filesystem::path & file)
{
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class Tool : public ::testing::Test
{
protected:
  Tool() : folder("tool")
  {
    folder.write(
      "good.urdf",
      "<robot name='r'><link name='a'/><transmission name='t'/>"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
    folder.write("bad.urdf", "<robot name='r'><link/></robot>");
    folder.write(
      "loop.yaml",
      "bodies: [A, B]\njoints: [J, K]\nA: {name: a, mass: 0}\n"
      "B: {name: b, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}}\n"
      "J: &j {name: j, type: revolute, parent: A, child: B, parent pivot: {x: 0, y: 0, z: 0}, "
      "child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 0, y: 0, z: 1}, child axis: {x: 0, y: 0, "
      "z: 1}}\n"
      "K: {<<: *j, name: k}\n");
  }
  std::string path(const std::string & name) const { return "'" + (folder / name).string() + "'"; }
  std::size_t files() const
  {
    return static_cast<std::size_t>(std::distance(
      std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
  }

  test::TemporaryFolder folder;
};

}  // namespace

TEST_F(Tool, ConvertsAndReports)
{
  const Result result = run("--report " + path("good.urdf") + " " + path("out.yaml"));
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_NE(result.output.find("robot 'r'/transmission 't'"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("1 losses"), std::string::npos) << result.output;
  EXPECT_NE(text_of(folder / "out.yaml").find("BODY b"), std::string::npos);
}

TEST_F(Tool, BadInputLeavesWhatWasThere)
{
  folder.write("out.yaml", "precious");
  const std::size_t before = files();
  const Result result = run(path("bad.urdf") + " " + path("out.yaml"));
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("bad.urdf:1:"), std::string::npos) << result.output;
  EXPECT_EQ(text_of(folder / "out.yaml"), "precious");
  EXPECT_EQ(files(), before);
}

TEST_F(Tool, NothingHalfWritten)
{
  const std::size_t before = files();
  EXPECT_EQ(run(path("good.urdf") + " " + path("no/such/out.yaml")).code, 1);
  std::filesystem::create_directory(folder / "out.urdf");
  // The side file would be written before the file itself.
  EXPECT_EQ(run(path("loop.yaml") + " " + path("out.urdf")).code, 1);
  EXPECT_EQ(files(), before + 1);
}

TEST_F(Tool, LoopsGoToTheSideFileAndComeBack)
{
  EXPECT_EQ(run(path("loop.yaml") + " " + path("out.urdf")).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "out.beside.yaml"));
  EXPECT_EQ(run(path("out.urdf") + " " + path("again.yaml")).code, 0);
  const std::string again = text_of(folder / "again.yaml");
  EXPECT_NE(again.find("JOINT j"), std::string::npos) << again;
  EXPECT_NE(again.find("JOINT k"), std::string::npos) << again;
  std::filesystem::remove(folder / "out.beside.yaml");
  const Result without = run(path("out.urdf") + " " + path("again.yaml"));
  EXPECT_EQ(without.code, 1);
  EXPECT_NE(without.output.find("out.beside.yaml"), std::string::npos) << without.output;
}

TEST_F(Tool, WrongUseIsTold)
{
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run(path("good.urdf")).code, 2);
  EXPECT_EQ(run("--to nonsense " + path("good.urdf") + " x").code, 2);
  EXPECT_EQ(run(path("good.urdf") + " " + path("x.txt")).code, 2);
  EXPECT_EQ(run(path("good.urdf") + " " + path("good.urdf")).code, 2);
  EXPECT_EQ(run("--help").code, 0);
}
