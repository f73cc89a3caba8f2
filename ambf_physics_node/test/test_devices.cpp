// SPDX-License-Identifier: BSD-3-Clause
// Hands over topics: samples in, proxy states out, in a world that is stepped by a call.
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <ambf_msgs/msg/rigid_body_state.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_state.hpp>
#include <ambf_msgs/srv/set_world_mode.hpp>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>

#include "composed_world.hpp"

using namespace ambf_physics_test;  // NOLINT
using ambf_msgs::msg::DeviceSample;
using ambf_msgs::msg::ProxyState;

namespace
{

/// The newest message of a topic.
template <typename Message>
class Newest
{
public:
  Newest(rclcpp::Node & node, const std::string & topic, const rclcpp::QoS & qos)
  {
    // The executor may be in the callback when the test has ended: what it writes to is its own, too.
    subscription_ =
      node.create_subscription<Message>(topic, qos, [heard = heard_](const Message & message) {
        std::lock_guard<std::mutex> lock(heard->mutex);
        heard->message = message;
        ++heard->count;
      });
  }
  Message get() const
  {
    std::lock_guard<std::mutex> lock(heard_->mutex);
    return heard_->message;
  }
  std::uint64_t count() const
  {
    std::lock_guard<std::mutex> lock(heard_->mutex);
    return heard_->count;
  }

private:
  struct Heard
  {
    std::mutex mutex;
    Message message;
    std::uint64_t count = 0;
  };
  std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
  typename rclcpp::Subscription<Message>::SharedPtr subscription_;
};

const auto kNewest = rclcpp::QoS(1).best_effort();

DeviceSample sample_at(double x, double y = 0.0, double z = 0.0)
{
  DeviceSample sample;
  sample.pose.position.x = x;
  sample.pose.position.y = y;
  sample.pose.position.z = z;
  sample.pose.orientation.w = 1.0;
  sample.gripper = 0.5;
  return sample;
}

/// A gripper that floats, in the hand of the device `hand`; and an agent that sends and steps.
class World
{
public:
  explicit World(std::vector<rclcpp::Parameter> more = {}, bool intra_process = false)
  : composed({"adf/gripper.yaml"}, intra_process, with_hand(std::move(more))),
    proxies(*composed.client_node, "/ambf/env/hand/Proxy", kNewest),
    samples(composed.client_node->create_publisher<DeviceSample>("/ambf/env/hand/Sample", kNewest))
  {
  }

  static std::vector<rclcpp::Parameter> with_hand(std::vector<rclcpp::Parameter> more)
  {
    more.emplace_back("devices", std::vector<std::string>{"hand"});
    more.emplace_back("device.hand.root_link", "palm");
    return more;
  }

  StepWorld::Response steps(std::uint32_t count)
  {
    StepWorld::Request request;
    request.steps = count;
    request.observe_all = true;
    const auto reply = composed.step(request);
    EXPECT_TRUE(reply && reply->ok) << (reply ? reply->message : "no reply");
    return reply ? *reply : StepWorld::Response{};
  }

  /// Sends until the world says that it has it: best effort may lose one. A call of 0 steps brings the
  /// number of the newest sample that the next step will use.
  bool send(DeviceSample sample)
  {
    sample.sequence = ++sequence;
    return eventually([&] {
      samples->publish(sample);
      steps(0);
      return eventually([&] { return proxies.get().sequence == sequence; }, 50ms);
    });
  }

  ComposedWorld composed;
  Newest<ProxyState> proxies;
  rclcpp::Publisher<DeviceSample>::SharedPtr samples;
  std::uint64_t sequence = 0;
};

/// Values of one status of /diagnostics.
class Diagnosis
{
public:
  Diagnosis(rclcpp::Node & node, std::string hand)
  : newest_(node, "/diagnostics", rclcpp::QoS(10)), hand_(std::move(hand))
  {
  }

  std::string message() const
  {
    for (const auto & status : newest_.get().status) {
      if (status.hardware_id == hand_) { return status.message; }
    }
    return "";
  }
  std::string value(const std::string & key) const
  {
    for (const auto & status : newest_.get().status) {
      if (status.hardware_id != hand_) { continue; }
      for (const auto & pair : status.values) {
        if (pair.key == key) { return pair.value; }
      }
    }
    return "";
  }
  std::uint64_t number(const std::string & key) const
  {
    const std::string text = value(key);
    return text.empty() ? 0 : std::stoull(text);
  }

private:
  Newest<diagnostic_msgs::msg::DiagnosticArray> newest_;
  std::string hand_;
};

}  // namespace

TEST(Devices, ASampleMovesTheBodyAndTheProxyStateOfTheStepIsOut)
{
  World world;
  ASSERT_TRUE(world.send(sample_at(0.3)));
  const auto start = world.steps(1);
  ASSERT_TRUE(world.send(sample_at(0.32)));
  const auto end = world.steps(1000);
  ASSERT_TRUE(eventually([&] { return world.proxies.get().step == end.step; }));
  const auto state = world.proxies.get();
  EXPECT_EQ(state.sequence, world.sequence);
  EXPECT_NEAR(state.reference_pose.position.x - start.bodies[0], 0.02, 1e-6);
  EXPECT_NEAR(state.pose.position.x, state.reference_pose.position.x, 1e-4);
  EXPECT_EQ(state.pose.position.x, end.bodies[0]) << "of the same step";
  // A clutch that is held holds the reference, too.
  auto clutched = sample_at(0.35);
  clutched.position_clutch = true;
  ASSERT_TRUE(world.send(clutched));
  const auto held = world.steps(100);
  ASSERT_TRUE(eventually([&] { return world.proxies.get().step == held.step; }));
  EXPECT_NEAR(
    world.proxies.get().reference_pose.position.x, state.reference_pose.position.x, 1e-12);
}

TEST(Devices, TheGripperMovesTheJointsAndIsNamedAsTheCommander)
{
  World world;
  Newest<ambf_msgs::msg::RigidBodyState> palm(
    *world.composed.client_node, "/ambf/env/gripper/palm/State", rclcpp::QoS(1));
  auto open = sample_at(0.0);
  open.gripper = 1.0;
  ASSERT_TRUE(world.send(open));
  ASSERT_TRUE(eventually([&] {
    world.steps(100);
    return palm.get().commanded_by == "hand";
  }));
  const auto end = world.steps(1000);
  ASSERT_EQ(end.joints.size(), 6u);
  EXPECT_NEAR(end.joints[0], 0.035, 1e-3);
  EXPECT_NEAR(end.joints[3], 0.035, 1e-3);
}

TEST(Devices, TheManifestAndTheWorldStateKnowTheHands)
{
  World world;
  Newest<ambf_msgs::msg::WorldManifest> manifest(
    *world.composed.client_node, "/ambf/env/World/Manifest", rclcpp::QoS(1).transient_local());
  Newest<ambf_msgs::msg::WorldState> state(
    *world.composed.client_node, "/ambf/env/World/State", rclcpp::QoS(1));
  ASSERT_TRUE(eventually([&] { return manifest.count() > 0; }));
  const auto devices = manifest.get().devices;
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].kind, "INPUT_DEVICE");
  EXPECT_EQ(devices[0].name, "hand");
  EXPECT_EQ(devices[0].topic, "/ambf/env/hand");
  EXPECT_EQ(devices[0].parent, "/ambf/env/gripper/BODY palm");
  ASSERT_TRUE(world.send(sample_at(0.0)));
  EXPECT_TRUE(eventually([&] {
    world.steps(1);
    return state.get().n_devices == 1;
  }));
}

TEST(Devices, SamplesThatMeanNothingAreRejectedAndCounted)
{
  World world;
  Diagnosis diagnosis(*world.composed.client_node, "hand");
  ASSERT_TRUE(world.send(sample_at(0.0)));
  const auto before = world.steps(10);
  auto not_finite = sample_at(std::numeric_limits<double>::quiet_NaN());
  auto long_quaternion = sample_at(0.05);
  long_quaternion.pose.orientation.w = 1.2;
  auto spinning = sample_at(0.05);
  spinning.twist.angular.z = std::numeric_limits<double>::infinity();
  for (auto * bad : {&not_finite, &long_quaternion, &spinning}) {
    const auto refused = diagnosis.number("samples refused");
    ASSERT_TRUE(eventually([&] {
      bad->sequence = world.sequence + 1;
      world.samples->publish(*bad);
      std::this_thread::sleep_for(20ms);
      return diagnosis.number("samples refused") > refused;
    }));
  }
  EXPECT_NEAR(world.steps(200).bodies[0], before.bodies[0], 1e-6) << "nothing of them was taken";
  EXPECT_EQ(world.proxies.get().sequence, world.sequence);
}

TEST(Devices, OfTwoSendersOneIsTakenUntilItFallsSilent)
{
  World world({{"device.hand.loss_timeout", 3.0}});
  Diagnosis diagnosis(*world.composed.client_node, "hand");
  const auto other_node = std::make_shared<rclcpp::Node>("intruder");
  const auto other = other_node->create_publisher<DeviceSample>("/ambf/env/hand/Sample", kNewest);
  ASSERT_TRUE(world.send(sample_at(0.0)));
  const double start = world.steps(1).bodies[0];
  auto wild = sample_at(0.09);
  wild.sequence = 1'000'000;
  // Both send, taking turns, until the second one has been noticed.
  ASSERT_TRUE(eventually(
    [&] {
      ++wild.sequence;
      other->publish(wild);
      std::this_thread::sleep_for(
        5ms);  // a reader keeps only the newest: not to be overtaken at once
      EXPECT_TRUE(world.send(sample_at(0.0)));
      world.steps(5);
      return diagnosis.number("samples of a second sender") > 5;
    },
    60s));
  EXPECT_NEAR(world.steps(1).bodies[0], start, 1e-6) << "the proxy stands still";
  EXPECT_LT(world.proxies.get().sequence, 1'000'000u);
  // The first one is silent: the second is taken as a new hand, without a jump.
  ASSERT_TRUE(eventually(
    [&] {
      ++wild.sequence;
      other->publish(wild);
      world.steps(1);
      return world.proxies.get().sequence > 1'000'000u;
    },
    60s));
  EXPECT_NEAR(world.steps(500).bodies[0], start, 0.1);
}

TEST(Devices, ABodyThatIsNotThereIsToldWithItsNearestName)
{
  std::vector<rclcpp::Parameter> parameters{
    {"devices", std::vector<std::string>{"lost"}},
    {"device.lost.root_link", "/ambf/env/gripper/BODY plam"}};
  ComposedWorld world({"adf/gripper.yaml"}, false, parameters);
  Diagnosis diagnosis(*world.client_node, "lost");
  EXPECT_TRUE(eventually([&] { return !diagnosis.message().empty(); }));
  EXPECT_NE(diagnosis.message().find("nearest: '/ambf/env/gripper/BODY palm'"), std::string::npos)
    << diagnosis.message();
}

TEST(Devices, ASilentHandIsLostAndComesBack)
{
  World world;
  Newest<ambf_msgs::msg::WorldState> state(
    *world.composed.client_node, "/ambf/env/World/State", rclcpp::QoS(1));
  const auto mode = world.composed.client_node->create_client<ambf_msgs::srv::SetWorldMode>(
    "/ambf/env/World/set_mode");
  ASSERT_TRUE(mode->wait_for_service(20s));
  const auto run = std::make_shared<ambf_msgs::srv::SetWorldMode::Request>();
  ASSERT_EQ(mode->async_send_request(run).future.wait_for(30s), std::future_status::ready);
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(eventually([&] {
      auto sample = sample_at(0.0);
      sample.sequence = ++world.sequence;
      world.samples->publish(sample);
      return state.get().n_devices == 1;
    }))
      << round;
    ASSERT_TRUE(eventually([&] { return state.get().n_devices == 0; })) << round;
  }
  EXPECT_GT(world.proxies.count(), 0u);
}

TEST(Devices, TheSameSamplesAtTheSameStepsGiveTheSameHashes)
{
  const auto run = [](bool intra_process) {
    std::vector<std::uint64_t> hashes;
    World world({}, intra_process);
    for (int i = 0; i < 60; ++i) {
      auto sample = sample_at(0.02 * std::sin(0.1 * i), 0.01 * std::sin(0.17 * i));
      sample.gripper = 0.5 + 0.5 * std::sin(0.3 * i);
      sample.position_clutch = i % 20 < 5;
      EXPECT_TRUE(world.send(sample));
      hashes.push_back(world.steps(1 + static_cast<std::uint32_t>(i % 4)).state_hash);
    }
    return hashes;
  };
  const auto first = run(false);
  EXPECT_EQ(run(true), first);
  EXPECT_NE(first.front(), first.back());
}

int main(int argc, char ** argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new Ros);
  return RUN_ALL_TESTS();
}
