// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <sensor_msgs/msg/joy.hpp>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_device_nodes/stick_parameters.hpp"
#include "ambf_teleop/mailbox.hpp"
#include "ambf_devices/stick_driver.hpp"
#include "ambf_node_support/component.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_devices::DriverStatus;
using ambf_devices::StickInput;

/// Axes that the message does not have are untouched.
StickInput from_joy(const sensor_msgs::msg::Joy & joy, const StickInput & untouched)
{
  StickInput input = untouched;
  const std::size_t axes = std::min(joy.axes.size(), input.axes.size());
  std::copy_n(joy.axes.begin(), axes, input.axes.begin());
  for (std::size_t i = 0; i < std::min<std::size_t>(joy.buttons.size(), 32); ++i) {
    input.buttons |= joy.buttons[i] != 0 ? 1u << i : 0u;
  }
  return input;
}

/// A stick that somebody publishes. Silence is no motion: a stick whose publisher died with it pushed
/// must not go on.
class JoyDriver : public ambf_devices::StickDriver
{
public:
  JoyDriver(
    rclcpp::Node & node, const std::string & topic, double silence,
    ambf_devices::RateHandParameters hand, double rate)
  : StickDriver(std::move(hand), rate), node_(node), topic_(topic), silence_(silence)
  {
    subscription_ = node.create_subscription<sensor_msgs::msg::Joy>(
      topic, rclcpp::QoS(1).best_effort(),
      [inputs = inputs_, untouched = this->hand().untouched()](
        sensor_msgs::msg::Joy::ConstSharedPtr joy) { inputs->post(from_joy(*joy, untouched)); });
  }

  bool open(double time, std::string & why) override
  {
    if (publishers() == 0) {
      why = "nobody publishes " + topic_ + "; start a joy_node, or set the parameter 'topic'";
      return false;
    }
    release(time);
    heard_ = time;
    return true;
  }

  void close() noexcept override {}

  std::string model() const override { return "Joy on " + topic_; }

  DriverStatus poll(double time, StickInput & input) noexcept override
  {
    if (inputs_->take(input)) {
      heard_ = time;
      return DriverStatus::Ok;
    }
    if (time - heard_ > silence_) {
      if (publishers() == 0) { return DriverStatus::Lost; }
      hand().let_go(input);  // the gripper stays closed in a hand that rests
      heard_ = time;         // and asked again only after as much silence
    }
    return DriverStatus::NothingNew;
  }

private:
  std::size_t publishers() const noexcept
  {
    try {
      return node_.count_publishers(topic_);
    } catch (const std::exception &) {
      return 0;  // the middleware is being shut down
    }
  }

  rclcpp::Node & node_;
  std::string topic_;
  double silence_;
  double heard_ = 0.0;
  /// A callback may still run when the driver is gone.
  std::shared_ptr<ambf_teleop::Mailbox<StickInput>> inputs_ =
    std::make_shared<ambf_teleop::Mailbox<StickInput>>();
  rclcpp::Subscription<sensor_msgs::msg::Joy>::SharedPtr subscription_;
};

}  // namespace

/// sensor_msgs/Joy: any stick that has a publisher, here or on another machine.
class JoyDevice : public DeviceNode
{
public:
  explicit JoyDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("joy_device", options, {.device = "joy", .rate = 100.0})
  {
    Declared declared(*this);
    const auto topic = declared.topic("topic", "/joy", "of the stick");
    if (topic.empty()) { throw std::invalid_argument("parameter 'topic' must not be empty"); }
    const double silence =
      declared.real("silence", 0.5, 0.02, 60.0, "after it the stick counts as let go [s]");
    // An Xbox pad as joy_node shows it: left and up are positive, triggers go from 1 to -1.
    ambf_devices::RateHandParameters hand;
    hand.buttons.position_clutch = 0;
    hand.buttons.camera_clutch = 1;
    hand.buttons.home = 6;
    hand.buttons.next_mode = 7;
    hand.buttons.actions = {2, 3, 4, 5};
    hand.gripper_axis = 5;
    hand.trigger_rest = 1.0;
    hand.trigger_pulled = -1.0;
    hand =
      declare_stick_parameters(*this, hand, {"x=-1 y=-0 z=+4 rz=+3", "rx=+0 ry=-1 z=+4 rz=+3"});
    start(std::make_unique<JoyDriver>(*this, topic, silence, hand, parameters().loop.rate));
  }
};

}  // namespace ambf_device_nodes

AMBF_NODE_COMPONENT(ambf_device_nodes, JoyDevice)
