// SPDX-License-Identifier: BSD-3-Clause
#include "arm_server.hpp"

#include <chrono>
#include <utility>

#include "ambf_node_support/component.hpp"
#include "crtk_convert.hpp"

namespace ambf_arm_nodes
{

using namespace std::chrono_literals;
using ambf_arms::ArmControl;
using Kind = ambf_arms::ControlEvent::Kind;

namespace
{

/// A standing command is repeated so often that the world's watchdog does not take it for forgotten.
constexpr double repeat_after = 0.1;  // s of wall time

bool same(const ambf_msgs::msg::RigidBodyCmd & a, const ambf_msgs::msg::RigidBodyCmd & b)
{
  return a.joint_cmds == b.joint_cmds && a.joint_modes == b.joint_modes;
}

}  // namespace

ArmServer::ArmServer(const rclcpp::NodeOptions & options)
: rclcpp::Node("arm_server", options),
  parameters_(ambf_arm_nodes::declare_parameters(*this)),
  description_(choose_arm(parameters_))
{
  if (auto arm = arm_without_world(description_)) {
    control_ = std::make_unique<ArmControl>(
      std::move(*arm),
      ambf_arms::ControlOptions{
        .tracking_fault = parameters_.tracking_fault, .force_timeout = parameters_.force_timeout});
  }
  read_rack();
  offer_topics();
  connect_world();
  timer_ = create_wall_timer(
    std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1.0 / parameters_.rate)),
    [this] { on_timer(); });
}

void ArmServer::offer_topics()
{
  const std::string arm =
    topic_of(parameters_, description_.topic.empty() ? description_.name : description_.topic);
  // A PSM with a hook may get a tool with fingers.
  const bool has_jaw =
    description_.kind == ambf_arms::ArmKind::Psm ||
    (control_ ? control_->arm().jaw().has_value() : description_.jaw.has_value());
  events_ = std::make_unique<EventTopics>(*this, arm, description_.kind, [this] {
    if (control_) { events_->publish(control_->state_event()); }
  });
  data_ = std::make_unique<PeriodicTopics>(
    *this, arm, description_.name, description_.kind, has_jaw, [this] { publish_data(); });
  commands_ = std::make_unique<CommandTopics>(
    *this, arm, description_.kind, has_jaw,
    CommandSink{[this] { return commanded_arm(); }, [this] { after_command(); }});
  services_ = std::make_unique<ArmServices>(
    *this, arm, [this]() -> const ArmControl * { return control_.get(); },
    [this] {
      return events_->operating_state(
        control_ ? control_->state_event() : ambf_arms::ControlEvent{});
    });
  follow_ = make_follow_action(
    *this, arm,
    FollowSink{
      CommandSink{[this] { return commanded_arm(); }, [this] { after_command(); }},
      [this] { publish_events(); }, [this] { return time_ - since_tick_; }});
  ambf_arms::ControlEvent ratio;
  ratio.kind = Kind::Ratio;
  events_->publish(ratio);
  gains_.emplace(*this, parameters_.world);
  frames_.emplace(*this, parameters_, description_);
  if (!description_.carries.empty()) { setup_.emplace(*this, parameters_, description_); }
  if (!control_) { return; }
  if (follow_) { follow_->arm_known(*control_); }
  events_->publish(control_->state_event());
  control_->tell(Kind::DesiredState, control_->state().desired());
  control_->tell(Kind::Tool, std::string(control_->tool()));
  publish_events();
}

void ArmServer::on_timer()
{
  const double now = ambf_node_support::steady_seconds();
  watch_world();
  if (!control_) { return; }
  control_->set_now(now);
  if (follow_) { follow_->serve(*control_); }
  // Moves that need no time end also while the world stands.
  if (!lockstep_ || now - heard_at_ > repeat_after) { control_->tick(0.0); }
  watch_force_clients();
  gains_->serve(now);
  go_on_with_tool();
  if (setup_) { setup_->update(*control_, now); }
  if (!lockstep_ && (unsent_ || now - sent_at_ > repeat_after)) { send_command(); }
  publish_data();
  if (snapshot_) { frames_->update(*control_, T_world_base_, snapshot_->header.stamp, now); }
  publish_events();
  if (parameters_.heartbeat > 0.0 && now >= next_heartbeat_) {
    next_heartbeat_ = now + 1.0 / parameters_.heartbeat;
    events_->publish(control_->state_event());
  }
}

// Commands of clients

ArmControl * ArmServer::commanded_arm()
{
  if (control_) { control_->set_now(ambf_node_support::steady_seconds()); }
  return control_.get();
}

void ArmServer::after_command()
{
  const bool looked_for = looked_for_ == control_->wanted_tool();
  if (control_->tool_pending() && (!looked_for || !tool_ || tool_->settled)) {
    tool_given_up_ = false;
    look_for_arm();
  }
  // The answer does not wait for a timer, nor for the world to be told. In lockstep the command waits: it goes with
  // the next StepDone.
  if (!lockstep_) { control_->tick(0.0); }
  data_->publish_setpoint(*control_, data_stamp());
  // The world looks once per step: of a faster stream it is told the newest with the next snapshot.
  unsent_ = !lockstep_;
  if (unsent_ && !told_in_step_) { send_command(); }
  publish_events();
}

void ArmServer::watch_force_clients()
{
  if (parameters_.force_watchdog <= 0.0) { return; }
  // A world that waits for its agents does not wait for a client that is gone.
  const double now = lockstep_ ? time_ : ambf_node_support::steady_seconds();
  const auto gone_long_enough = [&](bool gone, double & since) {
    if (!gone) {
      since = -1.0;
      return false;
    }
    if (since < 0.0) { since = now; }
    return now - since >= parameters_.force_watchdog;
  };
  using ambf_arms::ControlMode;
  const ControlMode mode = control_->mode();
  const bool force = mode == ControlMode::JointEffort || mode == ControlMode::BodyForce ||
                     mode == ControlMode::SpatialForce || mode == ControlMode::Impedance;
  if (gone_long_enough(force && commands_->force_client_gone(), force_gone_since_)) {
    control_->force_client_gone();
    force_gone_since_ = -1.0;
  }
  const bool jaw = control_->drives().jaw_mode == ambf_arms::Drive::Effort;
  if (gone_long_enough(jaw && commands_->jaw_force_client_gone(), jaw_gone_since_)) {
    control_->jaw_force_client_gone();
    jaw_gone_since_ = -1.0;
  }
}

// What the world is commanded

bool ArmServer::make_command()
{
  if (!place_ || !control_) { return false; }
  fill(command_, *place_, control_->drives());
  const bool drives = control_->mode() != ambf_arms::ControlMode::Off;
  // Who is disabled lets go once, and leaves the joints to others.
  const bool wanted = drives || commanding_;
  commanding_ = drives;
  return wanted;
}

void ArmServer::send_command()
{
  const double now = ambf_node_support::steady_seconds();
  unsent_ = false;
  if (!world_there_ || !make_command()) { return; }
  if (same(command_, sent_) && now - sent_at_ < repeat_after) { return; }
  if (command_topic_) { command_topic_->publish(command_); }
  told_in_step_ = true;
  sent_ = command_;
  sent_at_ = now;
}

// What clients are sent

builtin_interfaces::msg::Time ArmServer::data_stamp()
{
  return control_->valid() ? builtin_interfaces::msg::Time(wall_.now())
                           : builtin_interfaces::msg::Time();
}

void ArmServer::publish_data()
{
  if (!control_) { return; }
  data_->publish(
    *control_, data_stamp(), snapshot_ ? snapshot_->header.stamp : builtin_interfaces::msg::Time());
}

void ArmServer::publish_events()
{
  if (!control_ || !control_->has_events()) { return; }
  // Who hears that the arm is ready reads where it is, at once.
  publish_data();
  control_->take_events([this](const ambf_arms::ControlEvent & event) {
    events_->publish(event);
    if (follow_ && event.kind == Kind::FollowEnded) { follow_->ended(event); }
  });
}

}  // namespace ambf_arm_nodes

AMBF_NODE_COMPONENT(ambf_arm_nodes, ArmServer)
