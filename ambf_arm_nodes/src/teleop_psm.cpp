// SPDX-License-Identifier: BSD-3-Clause
#include "teleop_psm.hpp"

#include <chrono>
#include <utility>

#include "ambf_node_support/component.hpp"
#include "ambf_teleop/force_limits.hpp"
#include "ambf_teleop/rotation.hpp"
#include "crtk_qos.hpp"
#include "teleop_two_hands.hpp"

namespace ambf_arm_nodes
{
namespace
{

/// A hand or arm that is missing is reported after this time, and again after each such time [s].
constexpr double missing_patience = 5.0;
/// A goal that the arm is so far from, for so long, is one that it does not reach; a fast hand is
/// ahead for a moment only.
constexpr double beyond_distance = 0.005, beyond_angle = 0.2;  // [m, rad]
constexpr double beyond_patience = 0.5;                        // [s]
/// One that it is so near to is reached again.
constexpr double reached_distance = 0.001, reached_angle = 0.05;  // [m, rad]

}  // namespace

TeleopPsm::TeleopPsm(const rclcpp::NodeOptions & options)
: rclcpp::Node("teleop_psm", options),
  parameters_(declare_teleop_parameters(*this)),
  teleop_(parameters_.name, parameters_.teleop),
  ticked_at_(steady_seconds())
{
  const std::string name = parameters_.below + "/" + parameters_.name;
  topics_ = std::make_unique<TeleopTopics>(*this, name, teleop_, [this] { tick(false); });
  captions_ = std::make_unique<TeleopCaptions>(
    *this, parameters_.world, name, parameters_.hand + " leads " + parameters_.arm);
  offset_ = create_publisher<geometry_msgs::msg::QuaternionStamped>(
    name + "/alignment_offset", qos::periodic());
  const auto error = [this](const std::string & text) {
    teleop_.arm_error(text);
    tick(false);
  };
  follower_ = std::make_unique<TeleopFollower>(
    *this, parameters_.below + "/" + parameters_.arm, parameters_.arm_timeout,
    parameters_.force == ForceKind::Contact, error);
  const auto moved = [this] { tick(true); };
  hand_ = parameters_.second_hand.empty() ? make_hand(*this, parameters_, moved, error)
                                          : make_two_hands(*this, parameters_, moved, error);
  view_ = std::make_unique<TeleopView>(*this, parameters_, hand_->R_view_hand());
  if (!parameters_.clutch_topic.empty()) {
    clutch_ = create_subscription<sensor_msgs::msg::Joy>(
      parameters_.below + parameters_.clutch_topic, qos::value(),
      [this](sensor_msgs::msg::Joy::ConstSharedPtr pedal) {
        // 2 is a quick tap, which is the console's.
        if (pedal->buttons.empty() || pedal->buttons[0] > 1) { return; }
        pedal_ = pedal->buttons[0] == 1;
        tick(false);
      });
  }
  teleop_.tell_all();
  if (parameters_.enable) { teleop_.state_command("enable"); }
  publish_events();
  timer_ = create_wall_timer(
    std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1.0 / parameters_.rate)),
    [this] { tick(false); });
}

void TeleopPsm::tick(bool moved)
{
  const double now = steady_seconds();
  input_.dt = now - std::exchange(ticked_at_, now);
  input_.hand = hand_->read(moved);
  input_.follower = follower_->read();
  input_.clutch = pedal_;
  const auto R_base_hand = view_->R_base_hand(input_.follower.T_reference_base);
  if (R_base_hand) {
    input_.R_base_view = R_base_hand->normalized();
  } else {
    input_.follower.valid = false;
  }
  teleop_.tick(input_, out_);
  send(input_, out_);
  publish_events();
  tell_what_is_missing(R_base_hand.has_value());
  tell_what_is_beyond_reach();
}

void TeleopPsm::send(const ambf_teleop::TeleopInput & input, const ambf_teleop::TeleopOutput & out)
{
  follower_->obey(out);
  hand_->obey(out);
  if (!out.servo) { return; }
  feel(input);
  if (offset_->get_subscription_count() == 0) { return; }
  const Eigen::Quaterniond offset =
    (input.R_base_view * input.hand.T_user_handle.orientation).conjugate() *
    teleop_.T_base_goal().orientation;
  geometry_msgs::msg::QuaternionStamped message;
  message.header.stamp = rclcpp::Clock(RCL_SYSTEM_TIME).now();
  message.quaternion.x = offset.x();
  message.quaternion.y = offset.y();
  message.quaternion.z = offset.z();
  message.quaternion.w = offset.w();
  offset_->publish(message);
}

void TeleopPsm::feel(const ambf_teleop::TeleopInput & input)
{
  if (parameters_.force == ForceKind::None) { return; }
  FeltArm felt;
  felt.reference = input.follower.T_reference_base * teleop_.T_base_goal();
  felt.proxy = follower_->T_reference_setpoint();
  felt.R_view = (input.follower.T_reference_base.orientation * input.R_base_view).normalized();
  if (parameters_.force == ForceKind::Contact) {
    // What the tip exerts comes back to the hand.
    felt.force = -ambf_teleop::dead_band(follower_->force_at_tip(), parameters_.contact_dead_band);
    felt.proxy.position += parameters_.contact_compliance * felt.force;
  }
  hand_->feel(felt);
}

void TeleopPsm::publish_events()
{
  told_.clear();
  teleop_.take_events([this](const ambf_teleop::TeleopEvent & event) {
    topics_->publish(event);
    told_.push_back(event);
  });
  if (!told_.empty()) { captions_->tell(told_); }
}

void TeleopPsm::warn(const std::string & text)
{
  ambf_teleop::TeleopEvent event;
  event.kind = ambf_teleop::TeleopEvent::Kind::Warning;
  event.text = parameters_.name + ": " + text;
  topics_->publish(event);
  captions_->tell({event});
}

void TeleopPsm::tell_what_is_missing(bool view)
{
  const bool arms = input_.follower.arm.there && input_.hand.arm.there;
  const bool waiting = teleop_.desired() != ambf_teleop::TeleopState::Disabled;
  if (!waiting || (arms && view)) {
    missing_since_ = -1.0;
    return;
  }
  const double now = steady_seconds();
  if (missing_since_ < 0.0) { missing_since_ = now; }
  if (now - missing_since_ < missing_patience) { return; }
  missing_since_ = now;
  const std::string what = !input_.follower.arm.there ? "the arm /" + parameters_.arm
                           : !input_.hand.arm.there   ? "the hand /" + parameters_.hand
                                                      : view_->missing();
  warn("waits for " + what);
}

void TeleopPsm::tell_what_is_beyond_reach()
{
  if (!teleop_.following()) {
    beyond_since_ = -1.0;
    beyond_told_ = false;
    return;
  }
  const ambf_teleop::Pose & goal = teleop_.T_base_goal();
  const ambf_teleop::Pose & setpoint = input_.follower.T_base_setpoint;
  const double distance = (goal.position - setpoint.position).norm();
  // An endoscope has no wrist: it is never turned as the hand is.
  const double angle =
    parameters_.camera ? 0.0 : ambf_teleop::angle_between(goal.orientation, setpoint.orientation);
  if (distance < reached_distance && angle < reached_angle) { beyond_told_ = false; }
  if (distance < beyond_distance && angle < beyond_angle) {
    beyond_since_ = -1.0;
    return;
  }
  if (beyond_told_) { return; }
  if (beyond_since_ < 0.0) { beyond_since_ = ticked_at_; }
  if (ticked_at_ - beyond_since_ < beyond_patience) { return; }
  beyond_told_ = true;
  warn("the hand asks for more than " + parameters_.arm + " reaches; it goes as far as it can");
}

}  // namespace ambf_arm_nodes

AMBF_NODE_COMPONENT(ambf_arm_nodes, TeleopPsm)
