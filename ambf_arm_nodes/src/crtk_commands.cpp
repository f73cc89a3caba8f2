// SPDX-License-Identifier: BSD-3-Clause
#include "crtk_commands.hpp"

#include <utility>

#include <crtk_msgs/msg/cartesian_impedance.hpp>
#include <crtk_msgs/msg/cartesian_state.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/empty.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>

#include "crtk_convert.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{

using ambf_arms::ArmControl;
using ambf_arms::ArmKind;
using geometry_msgs::msg::PoseStamped;
using geometry_msgs::msg::WrenchStamped;
using sensor_msgs::msg::JointState;
using std_msgs::msg::Bool;
using std_msgs::msg::Empty;
using std_msgs::msg::Float64;

namespace
{

using ambf_arms::ArmOrder;

/// Hands on one value per joint; a message with others is refused by how many it has.
template <class Use>
void with_joints(ArmControl & arm, ArmOrder order, const std::vector<double> & values, Use use)
{
  if (values.size() <= static_cast<std::size_t>(ambf_arms::max_joints)) {
    use(to_joints(values));
  } else {
    arm.refuse_size(order, values.size(), static_cast<std::size_t>(arm.arm().joints()));
  }
}

/// The same for the jaw's one value.
template <class Use>
void with_jaw(ArmControl & arm, ArmOrder order, const std::vector<double> & values, Use use)
{
  if (values.size() == 1) {
    use(values[0]);
  } else {
    arm.refuse_size(order, values.size(), 1);
  }
}

}  // namespace

bool StateCommandFilter::take(
  const crtk_msgs::msg::StringStamped & command, std::int64_t sent, bool kept, std::int64_t now)
{
  constexpr std::int64_t too_old = 5'000'000'000;
  const std::int64_t given = rclcpp::Time(command.header.stamp).nanoseconds();
  const std::int64_t stamp = given != 0 ? given : sent;
  if (stamp == 0) { return !kept; }
  if (kept && now - stamp > too_old) { return false; }
  for (const Heard & heard : heard_) {
    if (heard.stamp == stamp && heard.text == command.string) { return false; }
  }
  heard_[next_] = {stamp, command.string};
  next_ = (next_ + 1) % heard_.size();
  return true;
}

CommandTopics::CommandTopics(
  rclcpp::Node & node, const std::string & arm, ArmKind kind, bool has_jaw, CommandSink sink)
: node_(node), arm_(arm), sink_(std::move(sink))
{
  state_commands();
  motion();
  forces();
  settings();
  if (has_jaw && kind != ArmKind::Mtm) { jaw(); }
  tools(kind);
}

template <class Message, class Use>
rclcpp::SubscriptionBase::SharedPtr CommandTopics::listen(
  const std::string & topic, const rclcpp::QoS & qos, Use use)
{
  auto subscription = node_.create_subscription<Message>(
    arm_ + "/" + topic, qos, [this, use](typename Message::ConstSharedPtr message) {
      ArmControl * const arm = sink_.arm();
      if (arm == nullptr) { return; }
      use(*arm, *message);
      sink_.commanded();
    });
  subscriptions_.push_back(subscription);
  return subscription;
}

template <class Message, class Use>
void CommandTopics::listen_to_force(const std::string & topic, Use use)
{
  const std::size_t index = subscriptions_.size();
  listen<Message>(topic, qos::stream(), [this, index, use](ArmControl & arm, const Message & m) {
    // Who is refused commands no force, and is not waited for.
    if (use(arm, m)) { force_ = subscriptions_[index]; }
  });
}

void CommandTopics::state_commands()
{
  using crtk_msgs::msg::StringStamped;
  for (const bool kept : {false, true}) {
    rclcpp::SubscriptionOptions options;
    if (kept) {
      // Most publishers keep nothing and cannot be heard here: that is as it should be.
      options.event_callbacks.incompatible_qos_callback =
        [](rclcpp::QOSRequestedIncompatibleQoSInfo &) {};
    }
    subscriptions_.push_back(node_.create_subscription<StringStamped>(
      arm_ + "/state_command", kept ? qos::earlier_orders() : qos::orders(),
      [this, kept](StringStamped::ConstSharedPtr command, const rclcpp::MessageInfo & info) {
        ArmControl * const arm = sink_.arm();
        const std::int64_t sent = info.get_rmw_message_info().source_timestamp;
        if (arm == nullptr || !filter_.take(*command, sent, kept, wall_.now().nanoseconds())) {
          return;
        }
        arm->state_command(command->string);
        sink_.commanded();
      },
      options));
  }
}

void CommandTopics::motion()
{
  listen<JointState>("servo_jp", qos::stream(), [](ArmControl & arm, const JointState & m) {
    with_joints(arm, ArmOrder::ServoJp, m.position, [&](const auto & q) {
      with_joints(arm, ArmOrder::ServoJp, m.velocity, [&](const auto & v) { arm.servo_jp(q, v); });
    });
  });
  listen<JointState>("servo_jr", qos::orders(), [](ArmControl & arm, const JointState & m) {
    with_joints(arm, ArmOrder::ServoJr, m.position, [&](const auto & q) { arm.servo_jr(q); });
  });
  listen<PoseStamped>("servo_cp", qos::stream(), [](ArmControl & arm, const PoseStamped & m) {
    arm.servo_cp(to_pose(m.pose));
  });
  using crtk_msgs::msg::CartesianState;
  listen_to_force<CartesianState>("servo_cs", [](ArmControl & arm, const CartesianState & m) {
    // A pose where there is one, else a force, as the tip can follow one of them.
    if (m.pose_is_valid.data) {
      arm.servo_cp(to_pose(m.pose));
      return false;
    }
    return m.wrench_is_valid.data && arm.body_servo_cf(to_wrench(m.wrench));
  });
  listen<JointState>("move_jp", qos::orders(), [](ArmControl & arm, const JointState & m) {
    with_joints(arm, ArmOrder::MoveJp, m.position, [&](const auto & q) { arm.move_jp(q); });
  });
  listen<JointState>("move_jr", qos::orders(), [](ArmControl & arm, const JointState & m) {
    with_joints(arm, ArmOrder::MoveJr, m.position, [&](const auto & q) { arm.move_jr(q); });
  });
  listen<PoseStamped>("move_cp", qos::orders(), [](ArmControl & arm, const PoseStamped & m) {
    arm.move_cp(to_pose(m.pose));
  });
  listen<Empty>("hold", qos::orders(), [](ArmControl & arm, const Empty &) { arm.hold(); });
  listen<Empty>("free", qos::orders(), [](ArmControl & arm, const Empty &) { arm.free(); });
}

void CommandTopics::forces()
{
  listen_to_force<JointState>("servo_jf", [](ArmControl & arm, const JointState & m) {
    bool taken = false;
    with_joints(arm, ArmOrder::ServoJf, m.effort, [&](const auto & f) { taken = arm.servo_jf(f); });
    return taken;
  });
  listen_to_force<WrenchStamped>("body/servo_cf", [](ArmControl & arm, const WrenchStamped & m) {
    return arm.body_servo_cf(to_wrench(m.wrench));
  });
  listen_to_force<WrenchStamped>("spatial/servo_cf", [](ArmControl & arm, const WrenchStamped & m) {
    return arm.spatial_servo_cf(to_wrench(m.wrench));
  });
  using crtk_msgs::msg::CartesianImpedance;
  listen_to_force<CartesianImpedance>(
    "servo_ci",
    [](ArmControl & arm, const CartesianImpedance & m) { return arm.servo_ci(to_impedance(m)); });
  listen<Bool>(
    "body/set_cf_orientation_absolute", qos::orders(),
    [](ArmControl & arm, const Bool & m) { arm.set_force_absolute(m.data); });
  listen<Bool>("use_gravity_compensation", qos::orders(), [](ArmControl & arm, const Bool & m) {
    arm.use_gravity_compensation(m.data);
  });
}

void CommandTopics::settings()
{
  listen<Float64>("trajectory_j/set_ratio", qos::orders(), [](ArmControl & arm, const Float64 & m) {
    arm.set_ratio(m.data);
  });
  listen<Float64>(
    "trajectory_j/set_ratio_v", qos::orders(),
    [](ArmControl & arm, const Float64 & m) { arm.set_ratio_v(m.data); });
  listen<Float64>(
    "trajectory_j/set_ratio_a", qos::orders(),
    [](ArmControl & arm, const Float64 & m) { arm.set_ratio_a(m.data); });
  listen<PoseStamped>("set_base_frame", qos::orders(), [](ArmControl & arm, const PoseStamped & m) {
    arm.set_base_frame(to_pose(m.pose), m.header.frame_id);
  });
}

void CommandTopics::jaw()
{
  listen<JointState>("jaw/servo_jp", qos::stream(), [](ArmControl & arm, const JointState & m) {
    with_jaw(arm, ArmOrder::JawServoJp, m.position, [&](double q) { arm.jaw_servo_jp(q); });
  });
  listen<JointState>("jaw/move_jp", qos::orders(), [](ArmControl & arm, const JointState & m) {
    with_jaw(arm, ArmOrder::JawMoveJp, m.position, [&](double q) { arm.jaw_move_jp(q); });
  });
  jaw_force_ =
    listen<JointState>("jaw/servo_jf", qos::stream(), [](ArmControl & arm, const JointState & m) {
      with_jaw(arm, ArmOrder::JawServoJf, m.effort, [&](double f) { arm.jaw_servo_jf(f); });
    });
}

void CommandTopics::tools(ArmKind kind)
{
  using std_msgs::msg::String;
  if (kind == ArmKind::Psm) {
    listen<Bool>("emulate_tool_present", qos::orders(), [](ArmControl & arm, const Bool & m) {
      arm.emulate_tool_present(m.data);
    });
    // A simulated sterile adapter is always there.
    listen<Bool>("emulate_adapter_present", qos::orders(), [](ArmControl &, const Bool &) {});
    listen<String>("set_tool_type", qos::orders(), [](ArmControl & arm, const String & m) {
      arm.set_tool(m.data);
    });
    listen<Empty>("tool_type_request", qos::orders(), [](ArmControl & arm, const Empty &) {
      arm.tell(ambf_arms::ControlEvent::Kind::Tool, std::string(arm.tool()));
    });
  }
  if (kind == ArmKind::Ecm) {
    listen<String>("set_endoscope_type", qos::orders(), [](ArmControl & arm, const String & m) {
      arm.set_tool(m.data);
    });
  }
  if (kind == ArmKind::Mtm) {
    using geometry_msgs::msg::Quaternion;
    listen<Quaternion>(
      "lock_orientation", qos::orders(),
      [](ArmControl & arm, const Quaternion & m) { arm.lock_orientation(to_pose(m)); });
    listen<Empty>("unlock_orientation", qos::orders(), [](ArmControl & arm, const Empty &) {
      arm.unlock_orientation();
    });
  }
}

bool CommandTopics::force_client_gone() const
{
  return force_ && force_->get_publisher_count() == 0;
}

bool CommandTopics::jaw_force_client_gone() const
{
  return jaw_force_ && jaw_force_->get_publisher_count() == 0;
}

}  // namespace ambf_arm_nodes
