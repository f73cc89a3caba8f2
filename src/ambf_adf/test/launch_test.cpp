// SPDX-License-Identifier: BSD-3-Clause
// A launch file is a menu: what is chosen is read, and nothing else.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ambf_adf/scene.hpp"

using namespace ambf_adf;
namespace fs = std::filesystem;

namespace
{

std::string body(const std::string & name)
{
  return "namespace: /ambf/env/" + name + "/\nbodies: [BODY " + name + "]\nBODY " + name +
         ": {name: " + name + ", mass: 1}\n";
}

class Menu : public ::testing::Test
{
protected:
  void SetUp() override
  {
    folder = fs::temp_directory_path() / ("ambf_adf_menu_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    for (const char * name : {"a", "b", "c"}) { write(std::string(name) + ".yaml", body(name)); }
    write("world.yaml", "max iterations: 10\nlights: []\ncameras: []\n");
    write("launch.yaml", menu);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string & name, const std::string & text) const
  {
    std::ofstream(folder / name) << text;
  }

  /// Names of the models, or the errors.
  std::string load(const LoadOptions & options = {}, const std::string & file = "launch.yaml") const
  {
    const auto loaded = load_launch(folder / file, options);
    if (!loaded) { return to_string(loaded.error()); }
    std::string names = to_string(loaded->warnings);
    for (const auto & model : loaded->models) { names += model.name; }
    return names;
  }

  static LoadOptions choosing(const std::string & text)
  {
    LoadOptions options;
    const auto choice = parse_choice(text);
    EXPECT_TRUE(choice) << (choice ? "" : choice.error());
    options.models = choice.value_or(Choice{});
    return options;
  }

  const std::string menu =
    "world config: world.yaml\nmultibody configs: [a.yaml, b.yaml, c.yaml, gone.yaml]\n";
  fs::path folder;
};

}  // namespace

TEST_F(Menu, TheChosenEntriesAreLoadedInTheirOrder)
{
  EXPECT_EQ(load(choosing("2,0")), "ca");
  EXPECT_EQ(load(choosing("0, 2")), "ac");
  EXPECT_EQ(load(choosing("none")), "");
}

TEST_F(Menu, WithoutAChoiceItIsEntry1AsInAmbf) { EXPECT_EQ(load(), "b"); }

TEST_F(Menu, AListOfOneHasOnlyOneDefault)
{
  write("launch.yaml", "world config: world.yaml\nmultibody configs: [a.yaml]\n");
  EXPECT_EQ(load(), "a");
}

TEST_F(Menu, WhatIsNotChosenMayBeMissing)
{
  EXPECT_EQ(load(choosing("1")), "b");
  EXPECT_NE(load(choosing("3")).find("gone.yaml"), std::string::npos);
  EXPECT_NE(load(choosing("all")).find("gone.yaml"), std::string::npos);
}

TEST_F(Menu, AnIndexThatIsNotThereIsAnErrorWithTheRange)
{
  const std::string words = load(choosing("4"));
  EXPECT_NE(words.find("the index 4"), std::string::npos) << words;
  EXPECT_NE(words.find("0 to 3"), std::string::npos) << words;
}

TEST_F(Menu, TheFileMaySayItsOwnDefault)
{
  write("launch.yaml", menu + "default multibodies: [0, 2]\n");
  EXPECT_EQ(load(), "ac");
  EXPECT_EQ(load(choosing("1")), "b");
  write(
    "few.yaml",
    "world config: world.yaml\nmultibody configs: [a.yaml, b.yaml]\n"
    "default multibodies: all\n");
  EXPECT_EQ(load({}, "few.yaml"), "ab");
  for (const char * wrong : {"many", "[x]", "[]", "{a: 1}"}) {
    write("wrong.yaml", menu + "default multibodies: " + wrong + "\n");
    EXPECT_NE(load({}, "wrong.yaml").find("default multibodies"), std::string::npos) << wrong;
  }
}

TEST_F(Menu, ArmsAreKeptForWhoeverServesThem)
{
  write("arm.yaml", "arm: {name: PSM1, kind: PSM}\n");
  write(
    "launch.yaml",
    menu + "arm configs: [arm.yaml, {config: arm.yaml, name: PSM2, model: b}, {name: x}, 7]\n");
  const auto launch = parse_launch_file(folder / "launch.yaml");
  ASSERT_TRUE(launch.has_value());
  ASSERT_EQ(launch->arms.size(), 3u) << "the one without a path is left out";
  EXPECT_EQ(launch->arms[0], (ArmConfig{(folder / "arm.yaml").string(), "", "", ""}));
  EXPECT_EQ(launch->arms[1], (ArmConfig{(folder / "arm.yaml").string(), "", "PSM2", "b"}));
  const std::string warnings = to_string(launch->warnings);
  EXPECT_NE(warnings.find("an entry without a path"), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("/7"), std::string::npos) << "a file that is not there: " << warnings;
  EXPECT_EQ(warnings.find("unknown key"), std::string::npos) << warnings;
  EXPECT_EQ(load().back(), 'b') << "the world is loaded all the same";
}

TEST_F(Menu, ModelsBesideItReplaceAmbfsDefaultButNotTheFiles)
{
  LoadOptions options;
  options.extra_models = {folder / "c.yaml"};
  EXPECT_EQ(load(options), "c");
  options.models = {0};
  EXPECT_EQ(load(options), "ca");
  LoadOptions beside;
  beside.models_beside = true;
  EXPECT_EQ(load(beside), "");
  write("launch.yaml", menu + "default multibodies: [0]\n");
  EXPECT_EQ(load(beside), "a");
}

TEST_F(Menu, DevicesAreReadOnlyIfAskedFor)
{
  write("launch.yaml", menu + "input devices config: devices.yaml\n");
  EXPECT_EQ(load(), "b");  // a file that is not there, and that nobody asked for
  LoadOptions options;
  options.devices = Choice::all();
  EXPECT_NE(load(options).find("devices.yaml"), std::string::npos);
  write(
    "devices.yaml",
    "input devices: [one, two, three]\none: {hardware name: a}\ntwo: {hardware "
    "name: b, no key: 1}\nthree: {hardware name: c}\n");
  const auto names = [&](const Choice & choice) {
    options.devices = choice;
    const auto loaded = load_launch(folder / "launch.yaml", options);
    std::string text = loaded ? to_string(loaded->warnings) : to_string(loaded.error());
    for (const auto & device : loaded ? loaded->devices.devices : std::vector<InputDevice>{}) {
      text += device.header.name + " ";
    }
    return text;
  };
  EXPECT_EQ(names({}), "");
  EXPECT_EQ(names(Choice::first(1)), "one ");
  EXPECT_EQ(names({2, 0}), "three one ");
  EXPECT_NE(names(Choice::all()).find("no key"), std::string::npos);
  EXPECT_NE(names({7}).find("the index 7"), std::string::npos);
  // Asking for more devices than there are is one error, not a warning for each.
  const std::string many = names(Choice::first(99));
  EXPECT_NE(many.find("the index 3"), std::string::npos) << many;
  EXPECT_EQ(many.find("the index 3"), many.rfind("the index")) << many;
  EXPECT_FALSE(load_launch(folder / "launch.yaml", options));
}

TEST_F(Menu, AShapeThatCollidesWithNothingIsTold)
{
  const std::string body =
    "bodies: [B]\nB: {name: b, mass: 1, inertia: {ix: 1, iy: 1, iz: 1}, "
    "shape: BOX, geometry: {x: 1, y: 1, z: 1}";
  const auto warnings = [](const std::string & text) {
    const auto model = parse_text(text, "m", "");
    return model ? to_string(model->warnings) : to_string(model.error());
  };
  EXPECT_NE(warnings(body + "}\n").find("collides with nothing"), std::string::npos);
  EXPECT_EQ(warnings(body + ", collision mesh: ''}\n"), "");
}

TEST_F(Menu, ReferencesToBodiesOfOtherModelsAreNoWarning)
{
  write(
    "parts.yaml",
    "namespace: /ambf/env/parts/\nghost objects: [G]\nG: {name: g, parent: a/BODY a, "
    "shape: BOX, geometry: {x: 1, y: 1, z: 1}, collision shape: BOX, collision "
    "geometry: {x: 1, y: 1, z: 1}}\nactuators: [A]\nA: {name: act, type: Constraint, "
    "parent: BODY a}\n");
  write("launch.yaml", "world config: world.yaml\nmultibody configs: [a.yaml, parts.yaml]\n");
  EXPECT_EQ(load(choosing("0,1")), "aparts");
  // A ghost finds a parent that comes later, and is put into the world after it; an actuator does
  // not.
  write(
    "ghosts.yaml",
    "namespace: /ambf/env/g/\nghost objects: [G]\nG: {name: g, parent: BODY a, "
    "shape: BOX, geometry: {x: 1, y: 1, z: 1}, collision shape: BOX, collision "
    "geometry: {x: 1, y: 1, z: 1}}\n");
  write(
    "turned.yaml",
    "world config: world.yaml\nmultibody configs: [ghosts.yaml, a.yaml]\n"
    "default multibodies: all\n");
  EXPECT_EQ(load({}, "turned.yaml"), "aghosts");
  const std::string alone = load(choosing("1"));
  EXPECT_NE(alone.find("'BODY a'"), std::string::npos) << alone;
  EXPECT_NE(alone.find("left out"), std::string::npos) << alone;
  EXPECT_NE(alone.find("'a/BODY a'"), std::string::npos) << alone;
}

TEST_F(Menu, AFileOfAnotherKindIsRecognised)
{
  const auto words = [&](const std::string & file) { return load({}, file); };
  EXPECT_NE(words("world.yaml").find("a world file"), std::string::npos) << words("world.yaml");
  EXPECT_NE(words("world.yaml").find("'world config: "), std::string::npos);
  EXPECT_NE(words("a.yaml").find("a model file"), std::string::npos) << words("a.yaml");
  EXPECT_NE(words("a.yaml").find("-a "), std::string::npos);
  const auto model = parse_file(folder / "launch.yaml");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().front().kind, ProblemKind::WrongKind);
  EXPECT_NE(to_string(model.error()).find("--launch_file"), std::string::npos);
  EXPECT_FALSE(parse_file(folder / "world.yaml"));
  EXPECT_FALSE(parse_world_file(folder / "launch.yaml"));
  EXPECT_FALSE(parse_world_file(folder / "a.yaml"));
  write("bare.yaml", "gravity: {x: 0, y: 0, z: -9.8}\ncameras: []\nlights: []\n");
  EXPECT_TRUE(parse_world_file(folder / "bare.yaml"));
}

TEST(Choices, AreReadAsAmbfReadsThem)
{
  const auto good = [](const std::string & text) {
    return parse_choice(text).value_or(Choice{99});
  };
  EXPECT_EQ(good(""), Choice{});
  EXPECT_EQ(good("all"), Choice::all());
  EXPECT_EQ(good("3"), (Choice{3}));
  EXPECT_EQ(good(" 0, 3 ,5"), (Choice{0, 3, 5}));
  EXPECT_EQ(good("none"), Choice::first(0));
  for (const char * wrong :
       {"a", "1,", ",1", "1,,2", "-1", "1.5", "1;2", "0-3", "99999999999999999999"}) {
    const auto choice = parse_choice(wrong);
    ASSERT_FALSE(choice) << wrong;
    EXPECT_NE(choice.error().find(wrong), std::string::npos);
  }
}
