// SPDX-License-Identifier: BSD-3-Clause
#include "corpus.hpp"

#include <map>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/mesh.hpp"
#include "ambf_adf/placement.hpp"
#include "ambf_adf/scene.hpp"

using namespace ambf_adf;

namespace
{

struct Counts
{
  std::size_t bodies;
  std::size_t joints;
  std::size_t loops;
  friend bool operator==(const Counts &, const Counts &) = default;
};

const std::string models = "descriptions/multi-bodies/";

// Counted by hand and by spec appendix B.
const std::map<std::string, Counts> & expected_counts()
{
  static const std::map<std::string, Counts> counts{
    {models + "environments/KnotEnv/env.yaml", {71, 72, 2}},
    {models + "environments/ScrewDriverEnv/env.yaml", {12, 10, 0}},
    {models + "grippers/multi joint1.yaml", {3, 2, 0}},
    {models + "grippers/multi joint2.yaml", {5, 4, 0}},
    {models + "grippers/pr2 gripper resistive.yaml", {1, 4, 0}},
    {models + "grippers/pr2 gripper small.yaml", {5, 4, 0}},
    {models + "grippers/pr2 gripper.yaml", {5, 4, 0}},
    {models + "grippers/resistive/gripper1/gripperA.yaml", {5, 4, 0}},
    {models + "grippers/resistive/gripper2/gripper.yaml", {3, 2, 0}},
    {models + "grippers/resistive/gripper3/gripper.yaml", {5, 5, 1}},
    {models + "grippers/resistive/sensorized_box/gripper.yaml", {1, 0, 0}},
    {models + "grippers/single joint1.yaml", {2, 1, 0}},
    {models + "grippers/single joint2.yaml", {2, 1, 0}},
    {models + "puzzles/parallel_structure.yaml", {5, 5, 1}},
    {models + "puzzles/peg_and_base.yaml", {2, 0, 0}},
    {models + "puzzles/puzzle1.yaml", {10, 2, 0}},
    {models + "puzzles/puzzle2.yaml", {19, 9, 0}},
    {models + "puzzles/puzzle6.yaml", {50, 42, 0}},
    {models + "robots/blender-ecm.yaml", {11, 11, 3}},
    {models + "robots/blender-kuka.yaml", {8, 7, 0}},
    {models + "robots/blender-mtm.yaml", {12, 10, 1}},
    {models + "robots/blender-psm.yaml", {14, 14, 3}},
    {models + "robots/blender-toy-car.yaml", {5, 4, 0}},
    {models + "robots/resistive_sensor/resistive_sensor1.yaml", {3, 1, 0}},
    {models + "robots/resistive_sensor/test1.yaml", {5, 1, 0}},
    {models + "robots/sophie.yaml", {17, 20, 4}},
    {models + "robots/urdf-ecm.yaml", {12, 8, 0}},
    {models + "robots/urdf-psm.yaml", {15, 13, 0}},
    {models + "sb/cloth.yaml", {0, 0, 0}},
    {models + "tools/bar.yaml", {1, 0, 0}},
    {models + "tools/cylinder.yaml", {1, 0, 0}},
    {models + "tools/hook1.yaml", {1, 0, 0}},
    {models + "tools/hook2.yaml", {1, 0, 0}},
    {models + "tools/hook3.yaml", {1, 0, 0}},
    {"descriptions/world/checkered_floor.yaml", {1, 0, 0}},
  };
  return counts;
}

Model parse(const std::string & file)
{
  auto model = parse_file(test::corpus() / file);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error()));
  return model ? std::move(*model) : Model{};
}

std::size_t warnings_of(const Model & model, ProblemKind kind)
{
  return static_cast<std::size_t>(std::count_if(
    model.warnings.begin(), model.warnings.end(),
    [&](const Problem & p) { return p.kind == kind; }));
}

std::vector<std::string> client_joint_names(const Model & model, const std::string & root)
{
  const Lineage lineage = make_lineage(model);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].header.name == root) {
      for (const auto joint : lineage.client_joints(i)) {
        names.push_back(model.joints[joint].header.name);
      }
    }
  }
  return names;
}

}  // namespace

TEST(Corpus, EveryModelHasItsCountsOfBodiesJointsAndLoops)
{
  SKIP_WITHOUT_CORPUS();
  for (const auto & [file, counts] : expected_counts()) {
    const Model model = parse(file);
    const Counts found{
      model.bodies.size(), model.joints.size(), make_lineage(model).loop_joints().size()};
    EXPECT_EQ(found, counts) << file << ": " << found.bodies << " " << found.joints << " "
                             << found.loops;
  }
}

TEST(Corpus, EveryFileIsValidButTheOneWithInvalidYaml)
{
  SKIP_WITHOUT_CORPUS();
  const auto files = test::corpus_files();
  EXPECT_EQ(
    files.size(), expected_counts().size() + 5);  // launch, world, devices, colours, invalid
  for (const auto & file : files) {
    const auto kind = file_kind(test::corpus() / file);
    if (file == models + "puzzles/compound_example.yaml") {
      ASSERT_FALSE(kind);
      EXPECT_EQ(kind.error().front().kind, ProblemKind::Syntax);
      EXPECT_EQ(kind.error().front().where.line, 84);
      EXPECT_EQ(kind.error().front().where.column, 68);
      continue;
    }
    ASSERT_TRUE(kind) << file;
    EXPECT_EQ(*kind == FileKind::Model, expected_counts().contains(file)) << file;
  }
}

TEST(Corpus, WorldLaunchDevicesAndColoursAreRead)
{
  SKIP_WITHOUT_CORPUS();
  const auto world = parse_world_file(test::corpus() / "descriptions/world/world.yaml");
  ASSERT_TRUE(world) << to_string(world.error());
  EXPECT_EQ(world->gravity, Eigen::Vector3d(0, 0, -9.81));
  EXPECT_EQ(world->max_steps_per_cycle, 50);
  EXPECT_EQ(world->lights.size(), 2u);
  ASSERT_EQ(world->cameras.size(), 1u);
  EXPECT_EQ(world->cameras[0].header.name, "default_camera");
  EXPECT_EQ(world->cameras[0].header.topic, "/ambf/env/cameras/default_camera");
  EXPECT_TRUE(world->warnings.empty()) << to_string(world->warnings);

  const auto launch = parse_launch_file(test::corpus() / "descriptions/launch.yaml");
  ASSERT_TRUE(launch) << to_string(launch.error());
  EXPECT_EQ(launch->multibodies.size(), 23u);

  const auto devices =
    parse_input_devices_file(test::corpus() / "descriptions/input_devices/input_devices.yaml");
  ASSERT_TRUE(devices) << to_string(devices.error());
  ASSERT_EQ(devices->devices.size(), 7u);
  EXPECT_EQ(devices->devices[0].hardware_name, "MTMR");
  EXPECT_EQ(devices->devices[0].buttons.a2, 2);

  const auto colors = parse_colors_file(test::corpus() / "descriptions/color/colors.yaml");
  ASSERT_TRUE(colors) << to_string(colors.error());
  EXPECT_EQ(colors->size(), 143u);
  EXPECT_NEAR(colors->at("red_indian").x(), 0xcd / 255.0, 1e-15);
}

TEST(Corpus, KnownDefectsAreReportedAsWarnings)
{
  SKIP_WITHOUT_CORPUS();
  const Model cloth = parse(models + "sb/cloth.yaml");
  EXPECT_EQ(warnings_of(cloth, ProblemKind::DuplicateKey), 2u);
  ASSERT_EQ(cloth.soft_bodies.size(), 1u);
  EXPECT_EQ(cloth.soft_bodies[0].collision_margin, 0.001) << "the first of two values counts";
  EXPECT_EQ(
    warnings_of(parse(models + "grippers/pr2 gripper resistive.yaml"), ProblemKind::UnlistedBlock),
    6u);
  EXPECT_EQ(warnings_of(parse(models + "robots/sophie.yaml"), ProblemKind::MissingFile), 18u);
  EXPECT_EQ(warnings_of(parse(models + "grippers/multi joint1.yaml"), ProblemKind::BadValue), 1u);
}

TEST(Corpus, BooleanOneForEnableMotorIsUnderstood)
{
  SKIP_WITHOUT_CORPUS();
  for (const auto & joint : parse(models + "robots/urdf-psm.yaml").joints) {
    EXPECT_TRUE(joint.enable_motor) << joint.header.identifier;
  }
}

TEST(Corpus, ClientJointOrderIsThatOfAmbf)
{
  SKIP_WITHOUT_CORPUS();
  using Names = std::vector<std::string>;
  EXPECT_EQ(
    client_joint_names(parse(models + "robots/blender-psm.yaml"), "baselink"),
    (Names{
      "baselink-yawlink", "maininsertionlink-toolrolllink", "pitchendlink-maininsertionlink",
      "toolpitchlink-toolgripper1link", "toolpitchlink-toolgripper2link",
      "toolrolllink-toolpitchlink", "yawlink-pitchbacklink"}));
  EXPECT_EQ(
    client_joint_names(parse(models + "robots/blender-ecm.yaml"), "baselink"),
    (Names{
      "baselink-yawlink", "maininsertionlink-toollink", "pitchendlink-maininsertionlink",
      "yawlink-pitchbacklink"}));
  EXPECT_EQ(
    client_joint_names(parse(models + "robots/blender-mtm.yaml"), "TopPanel"),
    (Names{
      "ArmParallel-BottomArm", "BottomArm-WristPlatform", "OutPitchShoulder-ArmParallel",
      "TopPanel-OutPitchShoulder", "WristPitch-WristYaw", "WristPlatform-WristPitch",
      "WristYaw-WristRoll"}));
  EXPECT_EQ(
    client_joint_names(parse(models + "puzzles/parallel_structure.yaml"), "world"),
    (Names{"world-l1", "l1-l2", "l2-l3", "l3-l4"}));
}

// Spec appendix C.1: a joint is consistent if some q brings the stored poses together within 1
// degree and 2 mm, which is what rounding to three decimals in the files allows.
TEST(Corpus, StoredPosesFitTheJointEquationsAsOftenAsMeasured)
{
  SKIP_WITHOUT_CORPUS();
  const std::map<std::string, std::size_t> consistent{
    {"robots/blender-psm.yaml", 14},
    {"robots/blender-ecm.yaml", 11},
    {"robots/blender-mtm.yaml", 10},
    {"robots/blender-kuka.yaml", 7},
    {"robots/blender-toy-car.yaml", 4},
    {"robots/sophie.yaml", 20},
    {"robots/urdf-ecm.yaml", 0},
    {"robots/urdf-psm.yaml", 2},
    {"puzzles/parallel_structure.yaml", 5},
    {"puzzles/puzzle2.yaml", 9},
    {"puzzles/puzzle6.yaml", 42},
    {"grippers/pr2 gripper.yaml", 4},
    {"grippers/pr2 gripper small.yaml", 0},
    {"grippers/multi joint2.yaml", 4},
    {"grippers/resistive/gripper1/gripperA.yaml", 4},
    {"grippers/resistive/gripper3/gripper.yaml", 5},
    {"environments/KnotEnv/env.yaml", 72},
    {"environments/ScrewDriverEnv/env.yaml", 10}};
  for (const auto & [file, count] : consistent) {
    const Model model = parse(models + file);
    const Lineage lineage = make_lineage(model);
    std::size_t found = 0;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      ASSERT_TRUE(lineage.has_joint(j)) << file;
      const RigidBody & parent = model.bodies[lineage.edge(j).parent];
      const RigidBody & child = model.bodies[lineage.edge(j).child];
      const JointFit fit = fit_joint(
        model.joints[j], parent.location.isometry(), child.location.isometry(), parent.scale,
        child.scale);
      found += fit.angle_error < 0.01745 && fit.position_error < 0.002 ? 1 : 0;
    }
    EXPECT_EQ(found, count) << file;
  }
}

TEST(Corpus, EveryMeshThatIsThereCanBeRead)
{
  SKIP_WITHOUT_CORPUS();
  MeshCache cache;
  std::size_t read = 0;
  for (const char * file :
       {"robots/blender-psm.yaml", "environments/ScrewDriverEnv/env.yaml", "sb/cloth.yaml"}) {
    const Model model = parse(models + file);
    const auto check = [&](const MeshFile & mesh) {
      const auto loaded = cache.get(mesh.path);
      ASSERT_TRUE(loaded) << loaded.error().file << ": " << loaded.error().reason;
      EXPECT_FALSE((*loaded)->unified_triangles.empty()) << mesh.path;
      ++read;
    };
    for (const auto & body : model.bodies) {
      if (const auto * visual = std::get_if<MeshFile>(&body.visual.geometry)) { check(*visual); }
    }
    for (const auto & body : model.soft_bodies) { check(body.collision_mesh); }
  }
  EXPECT_GE(read, 27u);
}

TEST(Corpus, ClothVerticesAreCountedAsStored)
{
  SKIP_WITHOUT_CORPUS();
  const Model model = parse(models + "sb/cloth.yaml");
  const auto mesh = load_mesh(model.soft_bodies.at(0).collision_mesh.path);
  ASSERT_TRUE(mesh) << mesh.error().reason;
  EXPECT_EQ(mesh->file_to_unified.size(), 486u);
  // Extents of the vertex list in the file, in its own axes: turned y-up they would be others.
  EXPECT_NEAR(mesh->bounds.sizes().x(), 2 * 0.389723, 1e-5);
  EXPECT_NEAR(mesh->bounds.sizes().y(), 2 * 0.677088, 1e-5);
  EXPECT_NEAR(mesh->bounds.sizes().z(), 0.034921, 1e-5);
}

TEST(Corpus, LaunchFileLoadsChosenModelsWithUniqueNames)
{
  SKIP_WITHOUT_CORPUS();
  LoadOptions options;
  options.models = {5, 6, 4, 5};  // PSM, ECM, MTM and the PSM again
  const auto loaded = load_launch(test::corpus() / "descriptions/launch.yaml", options);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  ASSERT_EQ(loaded->models.size(), 4u);
  EXPECT_TRUE(loaded->environment);
  EXPECT_EQ(loaded->models[3].name, "blender-psm1");
  EXPECT_EQ(
    loaded->models[3].bodies[0].header.identifier,
    loaded->models[0].bodies[0].header.identifier + "1");
  std::set<std::string> topics;
  for (const auto & model : loaded->models) {
    for (const auto & body : model.bodies) {
      EXPECT_TRUE(topics.insert(body.header.topic).second) << body.header.topic;
    }
  }
}
