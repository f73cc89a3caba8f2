// SPDX-License-Identifier: BSD-3-Clause
// Hands in a simulation, without ROS: binding by file and by settings, cameras, grippers, saving.
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hand_script.hpp"

namespace ambf_simulation_test
{
namespace
{

using ambf_proxies::HandState;
using ambf_simulation::DeviceSettings;

constexpr std::int64_t ms = 1'000'000;

std::string trouble(const ScriptedWorld & world, const std::string & device)
{
  return world.simulation->hands().proxies().trouble(world.device(device));
}

/// A launch file with these input devices, beside a gripper; removed at the end.
class DeviceFile
{
public:
  explicit DeviceFile(const std::string & devices)
  {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("ambf_hands_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(folder_);
    write("devices.yaml", devices);
    write("broken.yaml", "bodies: [BODY nothing]\n");
    write(
      "launch.yaml", "world config: " + world_folder("gamepad") +
                       "/world.yaml\n"
                       "input devices config: ./devices.yaml\nmultibody configs: [" +
                       gripper() + "]\n");
  }
  ~DeviceFile() { std::filesystem::remove_all(folder_); }

  static std::string gripper()
  {
    return ament_index_cpp::get_package_share_directory("ambf_description") + "/adf/gripper.yaml";
  }
  std::string launch() const { return (folder_ / "launch.yaml").string(); }

private:
  void write(const std::string & name, const std::string & text)
  {
    std::ofstream(folder_ / name) << text;
  }

  std::filesystem::path folder_;
};

TEST(Hands, ABlockOrAFileWithErrorsLeavesOnlyItsDeviceUnbound)
{
  const DeviceFile file(R"(
input devices: [bad_value, bad_file, good]
bad_value: {hardware name: a, workspace scaling: [2], root link: palm}
bad_file: {hardware name: b, simulated multibody: ./broken.yaml}
good: {hardware name: c, root link: palm}
)");
  ScriptedWorld world(file.launch());
  EXPECT_NE(trouble(world, "bad_value").find("workspace scaling"), std::string::npos)
    << trouble(world, "bad_value");
  EXPECT_NE(trouble(world, "bad_file").find("broken.yaml"), std::string::npos)
    << trouble(world, "bad_file");
  EXPECT_EQ(trouble(world, "good"), "");
  for (std::size_t i = 0; i < 3; ++i) { world.hand(i, 0.0); }
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_EQ(world.reading(world.device("bad_value")).state, HandState::Unbound);
  EXPECT_EQ(world.reading(world.device("bad_file")).state, HandState::Unbound);
  EXPECT_EQ(world.reading(world.device("good")).state, HandState::Live);
  // Another root link stands in for the file, but not for a value that means nothing.
  std::vector<DeviceSettings> settings(2);
  settings[0].device = "bad_file";
  settings[1].device = "bad_value";
  settings[0].root_link = settings[1].root_link = "palm";
  ScriptedWorld again(file.launch(), settings);
  const auto & hands = again.simulation->hands().proxies();
  EXPECT_NE(hands.body(again.device("bad_file")), ambf_dynamics::no_index)
    << trouble(again, "bad_file");
  EXPECT_EQ(hands.body(again.device("bad_value")), ambf_dynamics::no_index);
}

TEST(Hands, AnOrientationOffsetTurnsTheProxyThatTheDeviceBringsAlong)
{
  const DeviceFile file(
    "input devices: [turned]\nturned:\n  hardware name: a\n  simulated multibody: " +
    DeviceFile::gripper() + R"(
  location: {position: {x: 0.1, y: 0, z: 0.5}, orientation: {r: 0, p: 0, y: 0.3}}
  orientation offset: {r: 1.0, p: 0.0, y: 0.5}
)");
  ScriptedWorld world(file.launch());
  EXPECT_EQ(trouble(world, "turned"), "");
  const auto & bodies = world.simulation->world().bodies();
  const auto start = world.pose(bodies[world.simulation->hands().proxies().body(0)].qualified);
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  const Eigen::Matrix3d expected = Eigen::Quaterniond(
                                     Eigen::AngleAxisd(0.3, z) * Eigen::AngleAxisd(0.5, z) *
                                     Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitX()))
                                     .toRotationMatrix();
  EXPECT_TRUE(start.linear().isApprox(expected, 1e-9)) << start.linear();
  EXPECT_NEAR(start.translation().z(), 0.5, 1e-12);
  world.hand(0, 0.0);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_TRUE(world.reading(0).proxy.T_world_reference.orientation.toRotationMatrix().isApprox(
    expected, 1e-9));
}

TEST(Hands, KeysWithoutEffectAreSaidOnce)
{
  const DeviceFile file(R"(
input devices: [one, two]
one:
  hardware name: a
  root link: palm
  location: {position: {x: 0.7, y: 0, z: 2}, orientation: {r: 0, p: 0, y: 0}}
  orientation offset: {r: 1.0, p: 0.0, y: 0.5}
  max jerk: 0.2
  button mapping: {a1: 0, next mode: 2, prev mode: 3}
two: {hardware name: b, root link: palm, button mapping: {a1: 0, next mode: 2}}
)");
  const auto count = [](const ScriptedWorld & world, const std::string & words) {
    int hits = 0;
    for (const auto & warning : world.simulation->content().warnings()) {
      hits += ambf_adf::to_string(warning).find(words) != std::string::npos ? 1 : 0;
    }
    return hits;
  };
  ScriptedWorld world(file.launch());
  for (const char * key : {"one/location", "device.one.orientation:=absolute", "one/max jerk"}) {
    EXPECT_EQ(count(world, key), 1) << key << "\n"
                                    << ambf_adf::to_string(world.simulation->content().warnings());
  }
  DeviceSettings absolute;
  absolute.device = "one";
  absolute.orientation = ambf_teleop::OrientationMapping::Absolute;
  EXPECT_EQ(count(ScriptedWorld(file.launch(), {absolute}), "orientation offset"), 0);
}

TEST(Hands, AStiffnessAloneLeavesTheRestOfTheHold)
{
  DeviceSettings teacher;
  teacher.device = "teacher";
  teacher.linear_stiffness = Eigen::Vector3d::Constant(500.0);
  ScriptedWorld world("shared_proxy", {teacher});
  ambf_devices::DriverState state;
  for (int i = 0; i < 2000; ++i) {
    if (i == 10) {
      state.T_base_tip.position.y() = 0.02;
      state.T_base_tip.orientation = Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitX());
    }
    world.hand(0, state);
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  const auto proxy = world.reading(0).proxy;
  EXPECT_LT((proxy.T_world_reference.position - proxy.T_world_proxy.position).norm(), 1e-3)
    << "it does not swing";
  EXPECT_LT(
    proxy.T_world_reference.orientation.angularDistance(proxy.T_world_proxy.orientation), 1e-2);
  EXPECT_NEAR(world.reading(0).twist.linear.norm(), 0.0, 1e-3);
}

TEST(Hands, BringTheirMultiBodiesAlong)
{
  const ScriptedWorld world("two_user_puzzle");
  const auto & hands = world.simulation->hands().proxies();
  ASSERT_EQ(hands.size(), 4u);
  for (std::size_t i = 0; i < hands.size(); ++i) {
    EXPECT_EQ(hands.trouble(i), "");
    ASSERT_NE(hands.body(i), ambf_dynamics::no_index);
    EXPECT_EQ(
      world.simulation->world().bodies()[hands.body(i)].qualified,
      "/ambf/env/" + hands.name(i) + "/BODY palm");
  }
}

TEST(Hands, ShareAProxyAndMoveItTogether)
{
  ScriptedWorld world("shared_proxy");
  const auto teacher = world.device("teacher");
  const auto pupil = world.device("pupil");
  const auto & hands = world.simulation->hands().proxies();
  ASSERT_EQ(hands.body(teacher), hands.body(pupil));
  const Eigen::Vector3d start = world.pose("/ambf/env/shared_gripper/BODY palm").translation();
  for (int i = 0; i < 1500; ++i) {
    world.hand(teacher, 0.0, i < 10 ? 0.0 : 0.02);  // to the right of the main camera: world x
    world.hand(pupil, 0.0);
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  const Eigen::Vector3d moved =
    world.pose("/ambf/env/shared_gripper/BODY palm").translation() - start;
  EXPECT_NEAR(moved.x(), 0.01, 1e-4) << "half-way: both hold with the same gains";
  EXPECT_NEAR(world.reading(pupil).proxy.T_world_reference.position.x(), start.x(), 1e-9);
}

TEST(Hands, SettingsBindWithoutAFileAndChangeWhatTheFileSays)
{
  DeviceSettings pupil;
  pupil.device = "pupil";
  pupil.linear_stiffness = Eigen::Vector3d::Zero();
  pupil.linear_damping = Eigen::Vector3d::Zero();
  pupil.angular_stiffness = pupil.angular_damping = Eigen::Vector3d::Constant(0.01);
  DeviceSettings third;
  third.device = "third";
  third.root_link = "round piece";
  ScriptedWorld world("shared_proxy", {pupil, third});
  EXPECT_EQ(trouble(world, "third"), "");
  const Eigen::Vector3d start = world.pose("/ambf/env/shared_gripper/BODY palm").translation();
  const Eigen::Vector3d piece = world.pose("/ambf/env/puzzle/BODY round piece").translation();
  for (int i = 0; i < 1500; ++i) {
    world.hand(0, 0.0, i < 10 ? 0.0 : 0.02);
    world.hand(1, 0.0);
    // Up in the picture of the main camera.
    world.hand(world.device("third"), 0.0, 0.0, std::min(0.05, 0.0001 * i));
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  EXPECT_NEAR(
    world.pose("/ambf/env/shared_gripper/BODY palm").translation().x() - start.x(), 0.02, 1e-4)
    << "the pupil feels and does not hold";
  EXPECT_GT(world.pose("/ambf/env/puzzle/BODY round piece").translation().z(), piece.z() + 0.02);
}

TEST(Hands, FindTheirRootLinkByPlaceAndNameAsPythonDoes)
{
  const std::vector<std::string> names = {
    "puzzle/round piece", "puzzle/roundpiece", "env/puzzle/roundpiece",
    "/ambf/env/puzzle/roundpiece"};
  std::vector<DeviceSettings> settings;
  for (const auto & name : names) {
    DeviceSettings & one = settings.emplace_back();
    one.device = "hand" + std::to_string(settings.size());
    one.root_link = name;
  }
  const ScriptedWorld world("shared_proxy", settings);
  const auto & hands = world.simulation->hands().proxies();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto body = hands.body(world.device(settings[i].device));
    ASSERT_NE(body, ambf_dynamics::no_index)
      << names[i] << ": " << trouble(world, settings[i].device);
    EXPECT_EQ(
      world.simulation->world().bodies()[body].qualified, "/ambf/env/puzzle/BODY round piece")
      << names[i];
  }
}

TEST(Hands, ABodyThatIsNotThereIsToldWithItsNearestName)
{
  DeviceSettings blind;
  blind.device = "blind";
  blind.root_link = "/ambf/env/shared_griper/BODY palm";
  ScriptedWorld world("shared_proxy", {blind});
  EXPECT_NE(
    trouble(world, "blind").find("nearest: '/ambf/env/shared_gripper/BODY palm'"),
    std::string::npos)
    << trouble(world, "blind");
  world.hand(world.device("blind"), 0.0);
  world.hand(world.device("teacher"), 0.0);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_EQ(world.reading(world.device("blind")).state, HandState::Unbound);
  EXPECT_EQ(world.reading(world.device("teacher")).state, HandState::Live);
}

TEST(Hands, AProxyThatIsRemovedWhileHeldLeavesTheOthersAndMayComeBack)
{
  ScriptedWorld world("two_user_puzzle");
  const auto hold = [&] {
    for (std::size_t i = 0; i < 4; ++i) { world.hand(i, 0.0); }
    world.step();
  };
  hold();
  ASSERT_TRUE(world.simulation->remove("/ambf/env/mtm_left/BODY palm"));
  hold();
  EXPECT_EQ(world.reading(world.device("mtm_left")).state, HandState::Unbound);
  EXPECT_EQ(world.simulation->hands().proxies().live(), 3u);
  ASSERT_TRUE(world.simulation->remove("mtm_left"));
  ambf_simulation::LoadRequest again;
  again.file = world_folder("two_user_puzzle") + "/mtm_left.yaml";
  auto palm = world.simulation->read(again);
  ASSERT_TRUE(palm);
  ASSERT_TRUE(world.simulation->load(again, std::move(*palm)));
  hold();
  EXPECT_EQ(world.simulation->hands().proxies().live(), 4u);
}

TEST(Hands, TheCameraClutchMovesTheViewAndOneHandOwnsIt)
{
  DeviceSettings pupil;
  pupil.device = "pupil";
  pupil.cameras = {"main camera"};
  ScriptedWorld world("shared_proxy", {pupil});
  const auto camera = [&] { return world.simulation->cameras()[0].t_parent_view; };
  const Eigen::Isometry3d start = camera();
  ambf_devices::DriverState free, pressed, moved;
  pressed.camera_clutch = moved.camera_clutch = true;
  moved.T_base_tip.position.x() = 0.05;
  world.hand(0, free);
  world.hand(1, free);
  ASSERT_NO_FATAL_FAILURE(world.step());
  world.hand(0, pressed);
  ASSERT_NO_FATAL_FAILURE(world.step());
  world.hand(1, pressed);
  ASSERT_NO_FATAL_FAILURE(world.step());
  world.hand(1, moved);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_TRUE(camera().isApprox(start, 1e-9)) << "the second does not move it";
  EXPECT_EQ(world.reading(1).camera_held_by, 0u);
  for (int i = 0; i < 5; ++i) {
    world.hand(0, moved);
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  const Eigen::Vector3d shift = camera().translation() - start.translation();
  EXPECT_LT((shift - start.linear() * Eigen::Vector3d(0.05, 0, 0)).norm(), 1e-9);
  EXPECT_EQ(world.simulation->commands().objects.cameras.commander(0).source, 1u)
    << "the teacher's number";
}

TEST(Hands, CommandsToACameraThatAHandHoldsHaveNoEffectAndAreCounted)
{
  ScriptedWorld world("shared_proxy");
  auto & commands = world.simulation->commands().objects;
  const auto command = [&](double x) {
    auto & box = *commands.cameras.box(0);
    auto & order = box.back();
    order.revision = world.simulation->world().revision();
    order.source = 99;
    order.command = Eigen::Isometry3d::Identity();
    order.command.translation().x() = x;
    box.publish();
    commands.pending.store(1);
  };
  const auto x = [&] { return world.simulation->cameras()[0].t_parent_view.translation().x(); };
  const auto overridden = [&] { return world.simulation->hands().overridden(); };
  ambf_devices::DriverState free, pressed;
  pressed.camera_clutch = true;
  world.hand(0, free);
  command(1.0);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_EQ(x(), 1.0);
  world.hand(0, pressed);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_EQ(overridden().count, 0u) << "that was before";
  command(2.0);
  world.hand(0, pressed);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_NEAR(x(), 1.0, 1e-12);
  EXPECT_EQ(overridden().count, 1u);
  EXPECT_EQ(overridden().source, 99u);
  EXPECT_EQ(overridden().device, 0u);
  for (int i = 0; i < 3; ++i) {
    world.hand(0, pressed);
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  EXPECT_EQ(overridden().count, 1u) << "one command";
}

TEST(Hands, TheGripperIsACommandOfTheDevice)
{
  ScriptedWorld world("shared_proxy");
  ambf_devices::DriverState open;
  open.gripper = 1.0;
  for (int i = 0; i < 1500; ++i) {
    world.hand(0, open);
    ASSERT_NO_FATAL_FAILURE(world.step());
  }
  const auto body = world.simulation->hands().proxies().body(0);
  EXPECT_TRUE(world.simulation->commands().bodies.commander(body).live);
  EXPECT_EQ(world.simulation->commands().bodies.commander(body).source, 1u);
  for (const auto joint : world.simulation->world().client_joints(body)) {
    EXPECT_NEAR(
      world.simulation->world().state().joints[joint * ambf_dynamics::joint_stride], 0.035, 1e-3);
  }
}

TEST(Hands, ALostHandHoldsOrReleasesAndResumesWithoutAJump)
{
  for (const auto on_loss : {ambf_proxies::OnLoss::Hold, ambf_proxies::OnLoss::Release}) {
    DeviceSettings teacher;
    teacher.device = "teacher";
    teacher.on_loss = on_loss;
    ScriptedWorld world("shared_proxy", {teacher});
    for (int i = 0; i < 50; ++i) {
      world.hand(0, 0.0);
      ASSERT_NO_FATAL_FAILURE(world.step(true));
    }
    const auto body = world.simulation->hands().proxies().body(0);
    for (int i = 0; i < 200; ++i) { ASSERT_NO_FATAL_FAILURE(world.step(true)); }
    EXPECT_EQ(world.reading(0).state, HandState::Lost);
    const bool held = on_loss == ambf_proxies::OnLoss::Hold;
    EXPECT_EQ(world.simulation->commands().bodies.commander(body).live, held)
      << "released joints have no commander";
    const Eigen::Vector3d before = world.pose("/ambf/env/shared_gripper/BODY palm").translation();
    for (int i = 0; i < 300; ++i) {
      world.hand(0, 0.7, 0.7, 0.7);
      ASSERT_NO_FATAL_FAILURE(world.step(true));
    }
    EXPECT_EQ(world.reading(0).state, HandState::Live);
    EXPECT_LT(
      (world.pose("/ambf/env/shared_gripper/BODY palm").translation() - before).norm(), 1e-3);
  }
}

TEST(Hands, ASampleThatComesDuringACallOfTheWorldClockWaitsForTheNext)
{
  ScriptedWorld world("shared_proxy");
  world.hand(0, 0.0);
  world.step();
  const auto saved = world.simulation->save();
  for (int i = 0; i < 10; ++i) { ASSERT_NO_FATAL_FAILURE(world.step_of_a_call()); }
  const auto undisturbed = world.hash();
  ASSERT_TRUE(world.simulation->restore(saved, world.now, 9));
  world.hand(0, 0.01);
  for (int i = 0; i < 10; ++i) { ASSERT_NO_FATAL_FAILURE(world.step_of_a_call()); }
  EXPECT_EQ(world.hash(), undisturbed);
  ASSERT_NO_FATAL_FAILURE(world.step());
  EXPECT_EQ(world.reading(0).samples, 2u);
}

TEST(Hands, ASavedRunContinuesBitForBitWithCamerasAndHands)
{
  ScriptedWorld world("shared_proxy");
  const auto play = [&](int from, int steps) {
    for (int i = from; i < from + steps; ++i) {
      ambf_devices::DriverState state;
      state.T_base_tip.position = {0.01 * std::sin(0.01 * i), 0.01 * std::sin(0.013 * i), 0.0};
      state.gripper = 0.5 + 0.5 * std::sin(0.005 * i);
      state.position_clutch = i % 70 < 20;
      state.camera_clutch = i % 90 < 15;
      if (i % 3 == 0) { world.hand(0, state); }
      state.T_base_tip.position.y() *= -1.0;
      world.hand(1, state);
      world.step();
    }
    return world.hash();
  };
  play(0, 200);
  const auto saved = world.simulation->save();
  const auto sequence = world.sequence;
  const auto first = play(200, 300);
  ASSERT_TRUE(world.simulation->restore(saved, world.now, 9));
  world.sequence = sequence;
  EXPECT_EQ(play(200, 300), first);
  ScriptedWorld other("gamepad");
  EXPECT_FALSE(other.simulation->restore(saved, 0, 9)) << "another world";
}

TEST(Hands, AfterAResetTheSameHandsGiveTheSameRun)
{
  ScriptedWorld world("shared_proxy");
  const auto play = [&] {
    world.sequence = 0;
    for (int i = 0; i < 300; ++i) {
      world.hand(0, 0.0, 0.0001 * i);
      world.hand(1, 0.0001 * i);
      world.step();
    }
    return world.hash();
  };
  const auto first = play();
  world.hand(0, 0.5);  // still in its box when the world is reset
  world.simulation->reset(true, true, false);
  EXPECT_EQ(play(), first);
}

}  // namespace
}  // namespace ambf_simulation_test
