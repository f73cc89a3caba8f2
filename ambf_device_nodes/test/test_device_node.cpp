// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <rcl_interfaces/msg/log.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_devices/mock_driver.hpp"
#include "convert.hpp"

namespace ambf_device_nodes
{
namespace
{

using namespace std::chrono_literals;
using ambf_devices::FaultEntry;
using ambf_devices::MockFault;

class TestDevice : public DeviceNode
{
public:
  TestDevice(
    const rclcpp::NodeOptions & options, const std::string & name,
    const ambf_devices::MockParameters & mock = {})
  : DeviceNode(name + "_node", options, {.device = name, .rate = 500.0, .actions = 2})
  {
    auto driver = std::make_unique<ambf_devices::MockDriver>(mock);
    driver_ = driver.get();
    start(std::move(driver));
  }

  double largest_force() const { return driver_->largest_force(); }
  double last_force() const { return driver_->last_force(); }

private:
  ambf_devices::MockDriver * driver_;
};

rclcpp::NodeOptions with(std::vector<rclcpp::Parameter> parameters)
{
  return rclcpp::NodeOptions().parameter_overrides(std::move(parameters));
}

rclcpp::NodeOptions stiff()
{
  return with({{"linear_stiffness", std::vector<double>{100.0}}, {"max_force", 3.0}});
}

ambf_devices::MockParameters faulty(MockFault fault, double from = 0.5, double until = 6.0)
{
  ambf_devices::MockParameters mock;
  mock.faults = {FaultEntry{from, until, fault}};
  return mock;
}

/// Answers the samples of devices with a proxy that lies beside the reference, and keeps what it saw.
class World : public rclcpp::Node
{
public:
  World(const std::string & device, double offset) : rclcpp::Node("world_of_" + device)
  {
    const std::string topic = "/ambf/env/" + device;
    proxies_ = create_publisher<ambf_msgs::msg::ProxyState>(topic + "/Proxy", newest_value());
    samples_ = create_subscription<ambf_msgs::msg::DeviceSample>(
      topic + "/Sample", newest_value(),
      [this, offset](ambf_msgs::msg::DeviceSample::ConstSharedPtr sample) {
        ambf_msgs::msg::ProxyState state;
        state.header.stamp.sec = 7;  // simulation time: far from the wall's
        state.pose = state.reference_pose = sample->pose;
        state.pose.position.x += offset;
        state.sequence = sample->sequence;
        if (answering) { proxies_->publish(state); }
        const std::lock_guard lock(mutex_);
        const double moved = std::abs(sample->pose.position.x - last_.pose.position.x);
        if (moved > 0.5 && sample->sequence == last_.sequence + 1 && !sample->relocated) {
          ++unannounced;
        }
        last_ = *sample;
        ++count;
      });
    diagnostics_ = create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      "/diagnostics", 10,
      [this, device](diagnostic_msgs::msg::DiagnosticArray::ConstSharedPtr array) {
        for (const auto & status : array->status) {
          if (status.hardware_id != device) { continue; }
          const std::lock_guard lock(mutex_);
          told_ += status.message + "; ";
          reported_at_ = array->header.stamp;
          reports += 1;
        }
      });
    log_ = create_subscription<rcl_interfaces::msg::Log>(
      "/rosout", rclcpp::RosoutQoS(), [this, device](rcl_interfaces::msg::Log::ConstSharedPtr log) {
        if (log->msg.find("'" + device + "'") == std::string::npos) { return; }
        const std::lock_guard lock(mutex_);
        told_ += log->msg + "; ";
      });
  }

  ambf_msgs::msg::DeviceSample last()
  {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  /// The stamp of the newest diagnostics.
  rclcpp::Time reported_at()
  {
    const std::lock_guard lock(mutex_);
    return rclcpp::Time(reported_at_, RCL_SYSTEM_TIME);
  }
  std::string told()
  {
    const std::lock_guard lock(mutex_);
    return told_;
  }

  std::atomic<bool> answering{true};
  std::atomic<int> count{0}, reports{0};
  std::atomic<int> unannounced{0};  ///< jumps that no sample called a new place

private:
  std::mutex mutex_;
  ambf_msgs::msg::DeviceSample last_;
  builtin_interfaces::msg::Time reported_at_;
  std::string told_;
  rclcpp::Publisher<ambf_msgs::msg::ProxyState>::SharedPtr proxies_;
  rclcpp::Subscription<ambf_msgs::msg::DeviceSample>::SharedPtr samples_;
  rclcpp::Subscription<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
  rclcpp::Subscription<rcl_interfaces::msg::Log>::SharedPtr log_;
};

class DeviceNodes : public ::testing::Test
{
protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void run(const std::vector<rclcpp::Node::SharedPtr> & nodes)
  {
    nodes_ = nodes;  // until the executor has ended: a callback must not outlive its node
    for (const auto & node : nodes) { executor_.add_node(node); }
    thread_ = std::thread([this] { executor_.spin(); });
    // An executor that is canceled before it spins spins for ever.
    while (!executor_.is_spinning()) { std::this_thread::sleep_for(1ms); }
  }

  void TearDown() override
  {
    executor_.cancel();
    if (thread_.joinable()) { thread_.join(); }
    nodes_.clear();
  }

  template <typename Condition>
  static bool within(std::chrono::milliseconds limit, Condition condition)
  {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) { return false; }
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }

  rclcpp::executors::SingleThreadedExecutor executor_;
  std::vector<rclcpp::Node::SharedPtr> nodes_;
  std::thread thread_;
};

void refused(std::vector<rclcpp::Parameter> parameters, const std::string & words)
{
  try {
    DeviceNode node("refused", with(std::move(parameters)), {.device = "d"});
    ADD_FAILURE() << "accepted; expected: " << words;
  } catch (const std::invalid_argument & error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST_F(DeviceNodes, RefuseParametersThatMeanNothingWithWords)
{
  using Reals = std::vector<double>;
  refused({{"rate", 0.0}}, "parameter 'rate': expected a number with a point, 1 to 4000");
  refused({{"rate", 1000}}, "a number with a point");
  refused({{"rate", std::nan("")}}, "parameter 'rate'");
  refused({{"device", "two words"}}, "parameter 'device'");
  refused({{"linear_stiffness", Reals{1.0, 2.0}}}, "one number for all axes, or three");
  refused({{"linear_stiffness", Reals{-1.0}}}, "parameter 'linear_stiffness'");
  refused({{"tip_offset", Reals{1.0}}}, "[x, y, z, roll, pitch, yaw]");
  refused({{"fade_from", 0.05}}, "must not exceed 'timeout'");
  refused({{"actions", 33}}, "a whole number, 0 to 32");
}

TEST_F(DeviceNodes, RefuseGainsThatTheRateCannotCarryUnlessTheyAreDamped)
{
  using Reals = std::vector<double>;
  // 2 b / T = 2 * 0.5 * 1000; with 5 N s/m of the controller 11 000.
  refused({{"linear_stiffness", Reals{1500.0}}, {"passivity", false}}, "= 1000 N/m");
  refused({{"linear_stiffness", Reals{12000.0}}}, "1.1e+04 N/m");
  EXPECT_NO_THROW(DeviceNode("n", with({{"linear_stiffness", Reals{1500.0}}}), {.device = "d"}));
}

TEST_F(DeviceNodes, SendTheHandAndFeelTheProxy)
{
  ambf_devices::MockParameters mock;
  mock.script = {{0.0, 0.25, false, false, 2}};
  const auto device = std::make_shared<TestDevice>(stiff(), "felt", mock);
  const auto world = std::make_shared<World>("felt", 0.02);
  run({device, world});
  // 100 N/m times 2 cm.
  ASSERT_TRUE(within(90s, [&] { return std::abs(device->last_force() - 2.0) < 0.1; }))
    << device->last_force();
  // The sample that was made after the first answer may still be on its way.
  EXPECT_TRUE(within(90s, [&] { return world->last().header.stamp.sec == 7; }))
    << "simulation time, as the world tells it";
  const auto sample = world->last();
  EXPECT_EQ(sample.header.frame_id, "felt_base");
  EXPECT_GT(sample.wall_time.sec, 0);
  EXPECT_EQ(sample.gripper, 0.25);
  ASSERT_EQ(sample.actions.size(), 2u);
  EXPECT_FALSE(sample.actions[0]);
  EXPECT_TRUE(sample.actions[1]);
  EXPECT_TRUE(within(90s, [&] { return world->reports > 0; }));

  world->answering = false;
  EXPECT_TRUE(within(90s, [&] { return device->last_force() == 0.0; }));
  world->answering = true;
  EXPECT_TRUE(within(90s, [&] { return device->last_force() > 1.0; })) << "resumes by itself";
}

TEST_F(DeviceNodes, StampDiagnosticsWithWallTimeAlsoWhereTheClockIsTheWorlds)
{
  // Nobody tells the world's time here: the node's own clock stands at 0.
  const auto device = std::make_shared<TestDevice>(with({{"use_sim_time", true}}), "timed");
  const auto world = std::make_shared<World>("timed", 0.02);
  const rclcpp::Time before = rclcpp::Clock(RCL_SYSTEM_TIME).now();
  run({device, world});
  ASSERT_TRUE(within(90s, [&] { return world->reports > 0; }));
  EXPECT_EQ(device->now().nanoseconds(), 0);
  EXPECT_GE(world->reported_at(), before);
  EXPECT_LE(world->reported_at(), rclcpp::Clock(RCL_SYSTEM_TIME).now());
}

struct Case
{
  MockFault fault;
  std::string words;
};

class BadDevice : public DeviceNodes, public ::testing::WithParamInterface<Case>
{
};

TEST_P(BadDevice, ForceStaysBoundedThePersonIsToldAndTheOtherGoesOn)
{
  const auto bad = std::make_shared<TestDevice>(stiff(), "bad", faulty(GetParam().fault));
  const auto worse =
    std::make_shared<TestDevice>(stiff(), "worse", faulty(GetParam().fault, 0.5, 1e6));
  const auto good = std::make_shared<TestDevice>(stiff(), "good");
  const auto worse_world = std::make_shared<World>("worse", 0.02);
  const auto bad_world = std::make_shared<World>("bad", 0.02);
  const auto good_world = std::make_shared<World>("good", 0.02);
  run({bad, worse, good, bad_world, worse_world, good_world});
  for (const auto & world : {bad_world, worse_world}) {
    EXPECT_TRUE(
      within(90s, [&] { return world->told().find(GetParam().words) != std::string::npos; }))
      << world->told();
  }
  const auto before = good_world->last().sequence;
  EXPECT_TRUE(within(90s, [&] { return good_world->last().sequence >= before + 100; }))
    << "while a neighbour is in trouble that does not end";
  EXPECT_TRUE(within(90s, [&] { return bad->last_force() > 1.0; })) << "comes back";
  EXPECT_LE(bad->largest_force(), 3.0 + 1e-9);  // scaling to the maximum rounds
  EXPECT_EQ(bad_world->unannounced, 0);
}

INSTANTIATE_TEST_SUITE_P(
  Faults, BadDevice,
  ::testing::Values(
    Case{MockFault::NotFinite, "NaN"}, Case{MockFault::NotUnit, "unit length"},
    Case{MockFault::Jump, "jumped"}, Case{MockFault::Lost, "gone"},
    Case{MockFault::Blocked, "slower than asked for"}));

TEST(CommandGate, TheFirstSenderLeadsUntilItIsSilent)
{
  using Verdict = CommandGate::Verdict;
  CommandGate gate;
  const CommandGate::Gid one{1}, two{2};
  EXPECT_EQ(gate.judge(one, 10.0, 0.03), Verdict::New);
  EXPECT_EQ(gate.judge(two, 10.001, 0.03), Verdict::Refused);
  EXPECT_EQ(gate.judge(one, 10.02, 0.03), Verdict::Admitted);
  EXPECT_EQ(gate.judge(two, 10.04, 0.03), Verdict::Refused);
  EXPECT_EQ(gate.judge(two, 10.051, 0.03), Verdict::New);
  EXPECT_EQ(gate.judge(one, 10.06, 0.03), Verdict::Refused);
  EXPECT_EQ(gate.judge(two, 11.0, 0.03), Verdict::Admitted) << "silent, and nobody else came";
}

TEST(EventLog, TellsEachKindOnceASecondWithItsNewestWords)
{
  using ambf_devices::LoopEvent;
  EventLog log;
  log.note(LoopEvent::Lost, "first");
  ASSERT_EQ(log.take(10.0).size(), 1u);
  log.note(LoopEvent::Lost, "second");
  log.note(LoopEvent::Lost, "third");
  log.note(LoopEvent::Opened, "other");
  const auto other = log.take(10.5);
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].event, LoopEvent::Opened);
  const auto lines = log.take(11.0);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].words, "third");
  EXPECT_EQ(lines[0].times, 2u);
  EXPECT_TRUE(log.take(20.0).empty());
  EXPECT_EQ(log.total(), 4u);
}

}  // namespace
}  // namespace ambf_device_nodes
