// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/scene.hpp"

#include <array>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/names.hpp"

using namespace ambf_adf;

namespace
{

const std::string arm =
  "namespace: /ambf/env/arm/\nbodies: [BODY base, BODY tip]\nBODY base: {name: base, mass: "
  "0}\nBODY tip: {name: tip, mass: 1}\n"
  "joints: [JOINT j]\nJOINT j: {name: j, type: revolute, parent: BODY base, child: BODY tip, "
  "parent pivot: {x: 0, y: 0, z: 0},\n"
  "  child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 0, y: 0, z: 1}, child axis: {x: 0, y: 0, z: "
  "1}}\n"
  "sensors: [S]\nS: {name: s, type: Proximity, parent: /ambf/env/arm/BODY tip, array: [{offset: "
  "{x: 0, y: 0, z: 0}, direction: {x: 1, y: 0, z: 0}}]}\n"
  "cameras: [C]\nC: {name: cam, parent: BODY tip, location: {x: 1, y: 0, z: 0}}\n";

std::string joint_between(const std::string & parent, const std::string & child)
{
  return "joints: [J]\nJ: {name: glue, type: fixed, parent: " + parent + ", child: " + child +
         ", parent pivot: {x: 0, y: 0, z: 0}, child pivot: {x: 0, y: 0, z: 0}, parent axis: {x: 0, "
         "y: 0, z: 1}, child axis: {x: 0, y: 0, z: 1}}\n";
}

Model parse(const std::string & text, const std::string & name = "m")
{
  auto model = parse_text(text, name);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? std::move(*model) : Model{};
}

Model add(Scene & scene, const std::string & text, const AddOptions & options = {})
{
  auto model = scene.add(parse(text), options);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? std::move(*model) : Model{};
}

}  // namespace

TEST(Scene, ReferencesBecomeQualifiedIdentifiers)
{
  Scene scene;
  const Model model = add(scene, arm);
  EXPECT_EQ(model.joints.at(0).parent, "/ambf/env/arm/BODY base");
  EXPECT_EQ(model.sensors.at(0).parent, "/ambf/env/arm/BODY tip");
  EXPECT_EQ(model.cameras.at(0).parent, "/ambf/env/arm/BODY tip");
  EXPECT_TRUE(model.warnings.empty()) << to_string(model.warnings);
}

TEST(Scene, TheSameFileLoadsManyTimesWithOneNumberPerCopy)
{
  Scene scene;
  std::set<std::string> names, topics;
  for (int copy = 0; copy < 20; ++copy) {
    const Model model = add(scene, arm);
    const std::string suffix = copy == 0 ? "" : std::to_string(copy);
    EXPECT_EQ(model.name, "m" + suffix);
    EXPECT_EQ(model.bodies[1].header.identifier, "BODY tip" + suffix);
    EXPECT_EQ(model.bodies[1].header.name, "tip" + suffix);
    EXPECT_EQ(model.joints[0].child, "/ambf/env/arm/BODY tip" + suffix)
      << "each copy's joints hold its own bodies";
    EXPECT_EQ(model.sensors[0].parent, "/ambf/env/arm/BODY tip" + suffix);
    EXPECT_EQ(make_lineage(model).tree_joints().size(), 1u);
    for (const auto & body : model.bodies) {
      EXPECT_TRUE(names.insert(body.header.qualified).second);
      EXPECT_TRUE(topics.insert(body.header.topic).second);
      EXPECT_TRUE(is_legal_topic_name(body.header.topic));
    }
  }
}

TEST(Scene, RenamingCanBeForbidden)
{
  Scene scene;
  add(scene, arm);
  const std::size_t before = scene.size();
  AddOptions options;
  options.allow_rename = false;
  const auto again = scene.add(parse(arm), options);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().front().kind, ProblemKind::DuplicateName);
  EXPECT_EQ(scene.size(), before) << "nothing half-loaded";
}

TEST(Scene, APrefixSeparatesCopiesWithoutRenaming)
{
  Scene scene;
  add(scene, arm);
  AddOptions options;
  options.namespace_prefix = "/left";
  const Model model = add(scene, arm, options);
  EXPECT_EQ(model.bodies[0].header.qualified, "/left/ambf/env/arm/BODY base");
  EXPECT_EQ(model.bodies[0].header.topic, "/left/ambf/env/arm/base");
  EXPECT_EQ(model.joints[0].parent, "/left/ambf/env/arm/BODY base");
  EXPECT_EQ(model.sensors[0].parent, "/left/ambf/env/arm/BODY tip")
    << "an absolute reference to the file's own body";
}

TEST(Scene, APlaceStandsForTheModelsOwnNamespace)
{
  Scene scene;
  add(scene, arm);
  const auto placed = [&](const std::string & name, const std::string & below) {
    auto model = parse(arm);
    model.name = name;
    AddOptions options;
    options.below = below;
    options.place_by_name = name != "arm";
    return scene.add(model, options).value();
  };
  for (const auto & [name, below, at] : std::vector<std::array<std::string, 3>>{
         {"left", "", "/ambf/env/left/"},
         {"left", "", "/ambf/env/left1/"},
         {"arm", "/ambf/env/third/", "/ambf/env/third/arm/"},
         {"arm", "fourth", "/ambf/env/fourth/arm/"},
         {"right", "arms/", "/ambf/env/arms/right/"}}) {
    const Model model = placed(name, below);
    EXPECT_EQ(model.ns, at);
    EXPECT_EQ(model.bodies[0].header.topic, at + "base");
    EXPECT_EQ(model.joints[0].parent, at + "BODY base");
    EXPECT_EQ(model.sensors[0].parent, at + "BODY tip")
      << "an absolute reference to the file's own body";
  }
}

TEST(Names, AreMeantByTheirEnds)
{
  const std::string full = "/ambf/env/psm/baselink";
  for (const char * name :
       {"/ambf/env/psm/baselink", "psm/baselink", "baselink", "base link", "psm/base link/"}) {
    EXPECT_TRUE(is_name_of(name, full)) << name;
  }
  for (const char * name : {"", "/", "link", "/baselink", "sm/baselink", "psm"}) {
    EXPECT_FALSE(is_name_of(name, full)) << name;
  }
}

TEST(Scene, ARobotMayBeSplitOverFiles)
{
  Scene scene;
  add(scene, arm);
  EXPECT_EQ(
    add(scene, joint_between("BODY base", "/ambf/env/arm/BODY tip")).joints.at(0).parent,
    "/ambf/env/arm/BODY base");
  EXPECT_EQ(
    add(scene, joint_between("base", "BODY tip")).joints.at(0).parent, "/ambf/env/arm/BODY base")
    << "a unique part of a name";
}

TEST(Scene, LocalBodiesComeBeforeGlobalOnes)
{
  Scene scene;
  add(scene, arm);
  const Model model = add(
    scene, "namespace: /other\nbodies: [BODY base]\nBODY base: {mass: 1}\n" +
             joint_between("BODY base", "BODY tip"));
  EXPECT_EQ(model.joints.at(0).parent, "/other/BODY base");
  EXPECT_EQ(model.joints.at(0).child, "/ambf/env/arm/BODY tip");
}

TEST(Scene, ANameIsLookedForAtTheModelsOwnPlaceFirst)
{
  Scene scene;
  AddOptions left, right;
  left.below = "left";
  right.below = "right";
  add(scene, arm, left);
  add(scene, arm, right);
  const std::string tool = "bodies: [BODY tool]\nBODY tool: {name: tool, mass: 1}\n" +
                           joint_between("BODY tip", "BODY tool");
  AddOptions at;
  at.below = "right/arm";
  const Model model = add(scene, tool, at);
  ASSERT_EQ(model.joints.size(), 1u) << to_string(model.warnings);
  EXPECT_EQ(model.joints[0].parent, "/ambf/env/right/arm/BODY tip");
  // Anywhere else the name may mean either.
  EXPECT_TRUE(add(scene, tool).joints.empty());
}

TEST(Scene, UnknownAndAmbiguousBodiesDropTheJointWithAWarning)
{
  Scene scene;
  add(scene, arm);
  const Model unknown = add(scene, joint_between("BODY base", "BODY nothing"));
  EXPECT_TRUE(unknown.joints.empty());
  EXPECT_EQ(unknown.warnings.back().kind, ProblemKind::UnresolvedReference);
  const Model ambiguous = add(scene, joint_between("BODY", "BODY tip"));
  EXPECT_TRUE(ambiguous.joints.empty());
  EXPECT_EQ(ambiguous.warnings.back().kind, ProblemKind::AmbiguousReference);
}

TEST(Scene, AJointWhoseNamesMeanOneBodyIsLeftOut)
{
  Scene scene;
  add(scene, arm);
  const Model model = add(scene, joint_between("BODY tip", "/ambf/env/arm/BODY tip"));
  EXPECT_TRUE(model.joints.empty());
  EXPECT_EQ(model.warnings.back().kind, ProblemKind::BadValue);
}

TEST(Scene, RemovingAModelFreesItsNames)
{
  Scene scene;
  add(scene, arm);
  const Model second = add(scene, arm);
  EXPECT_TRUE(scene.remove_model(second.name));
  EXPECT_FALSE(scene.remove_model(second.name));
  EXPECT_EQ(add(scene, arm).bodies[0].header.identifier, "BODY base1");
  EXPECT_TRUE(scene.remove_object("/ambf/env/arm/BODY base"));
  EXPECT_FALSE(scene.remove_object("/ambf/env/arm/BODY base"));
}

TEST(Scene, APoseMovesWhatHasNoParent)
{
  Scene scene;
  AddOptions options;
  options.pose = Pose{{1, 2, 3}, {0, 0, 1.5707963267948966}};
  const Model model = add(
    scene, arm + "lights: [L]\nL: {location: {x: 1, y: 0, z: 0}, direction: {x: 1, y: 0, z: 0}}\n",
    options);
  EXPECT_LT((model.bodies[0].location.position - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_NEAR(model.bodies[0].location.rpy.z(), 1.5707963267948966, 1e-12);
  EXPECT_LT((model.lights[0].location - Eigen::Vector3d(1, 3, 3)).norm(), 1e-12);
  EXPECT_LT((model.lights[0].direction - Eigen::Vector3d(0, 1, 0)).norm(), 1e-12);
  EXPECT_EQ(model.cameras[0].location, Eigen::Vector3d(1, 0, 0)) << "it follows its parent";
}

TEST(Scene, CamerasFindParentsThatComeLater)
{
  Scene scene;
  Model early = add(scene, "cameras: [C]\nC: {parent: BODY tip, location: {x: 1, y: 0, z: 0}}\n");
  EXPECT_EQ(early.cameras.at(0).parent, "BODY tip");
  EXPECT_EQ(link_parents(scene, early), std::vector<std::string>{"BODY tip"});
  add(scene, arm);
  EXPECT_TRUE(link_parents(scene, early).empty());
  EXPECT_EQ(early.cameras.at(0).parent, "/ambf/env/arm/BODY tip");
}

TEST(LoadLaunch, ErrorsOfAllFilesAreListedAndNothingIsLoaded)
{
  namespace fs = std::filesystem;
  const fs::path folder =
    fs::temp_directory_path() / ("ambf_adf_launch_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "launch.yaml")
    << "world config: world.yaml\nmultibody configs: [a.yaml, b.yaml, good.yaml]\n";
  std::ofstream(folder / "world.yaml") << "max iterations: many\n";
  std::ofstream(folder / "a.yaml") << "bodies: [A]\n";
  std::ofstream(folder / "good.yaml") << arm;
  LoadOptions options;
  options.models = Choice::all();
  const auto loaded = load_launch(folder / "launch.yaml", options);
  ASSERT_FALSE(loaded);
  std::set<std::string> files;
  for (const auto & problem : loaded.error()) {
    if (problem.severity == Severity::Error) {
      files.insert(fs::path(problem.file).filename().string());
    }
  }
  EXPECT_EQ(files, (std::set<std::string>{"a.yaml", "b.yaml", "world.yaml"}));
  options.models = {7};
  EXPECT_FALSE(load_launch(folder / "launch.yaml", options));
  fs::remove_all(folder);
}
