// SPDX-License-Identifier: BSD-3-Clause
// The arm server as a client of the world.

#include <algorithm>
#include <chrono>
#include <utility>

#include "arm_server.hpp"
#include "crtk_convert.hpp"

namespace ambf_arm_nodes
{

using namespace std::chrono_literals;
using ambf_arms::ArmControl;
using Kind = ambf_arms::ControlEvent::Kind;

namespace
{

/// World/State comes fifty times a second: a world that is silent for so long is not there [s].
constexpr double world_patience = 2.0;
/// After waiting for a world for so long, the log says so [s].
constexpr double words_after = 5.0;
/// What a tick of the timer counts at most [s]: after a stop of this process the world's messages wait behind the timer.
constexpr double longest_tick = 0.05;

/// What each joint of the arm, and its jaw, moves in the world.
JointGains::Joints joints_in_world(
  const ArmPlace & place, const ambf_arms::Arm & arm,
  const ambf_msgs::msg::WorldManifest & manifest)
{
  JointGains::Joints out;
  const auto put = [&](const std::string & name, const PlacedJoint & joint) {
    for (const auto index : joint.indices) {
      out[name].push_back(manifest.joints[index].identifier);
    }
  };
  for (std::size_t i = 0; i < place.joints.size(); ++i) {
    put(arm.joint_names()[i], place.joints[i]);
  }
  if (place.drives_jaw) { put("jaw", place.jaw); }
  return out;
}

}  // namespace

void ArmServer::connect_world()
{
  const std::string world = parameters_.world + "/World";
  manifest_ = create_subscription<WorldManifest>(
    world + "/Manifest", rclcpp::QoS(1).reliable().transient_local(),
    [this](WorldManifest::ConstSharedPtr manifest) { on_manifest(std::move(manifest)); });
  // A snapshot that is lost between two hosts would hold up the barrier.
  snapshots_ = create_subscription<WorldSnapshot>(
    world + "/Snapshot", rclcpp::QoS(1).reliable(),
    [this](WorldSnapshot::ConstSharedPtr snapshot) { on_snapshot(std::move(snapshot)); });
  state_ = create_subscription<WorldState>(
    world + "/State", rclcpp::QoS(1).reliable(),
    [this](WorldState::ConstSharedPtr state) { on_state(*state); });
  if (!parameters_.barrier) { return; }
  // As the simulator wants its members: reliable, and alive while this publisher is.
  hello_ = create_publisher<ambf_msgs::msg::BarrierMember>(
    world + "/Barrier", rclcpp::QoS(10)
                          .reliable()
                          .liveliness(rclcpp::LivelinessPolicy::Automatic)
                          .liveliness_lease_duration(rclcpp::Duration(2s)));
  done_ =
    create_publisher<ambf_msgs::msg::StepDone>(world + "/StepDone", rclcpp::QoS(100).reliable());
  hello_timer_ = create_wall_timer(500ms, [this] {
    ambf_msgs::msg::BarrierMember member;
    member.name = get_name();
    member.process = get_fully_qualified_name();
    member.manifest_revision = revision_;
    hello_->publish(member);
  });
}

void ArmServer::on_manifest(WorldManifest::ConstSharedPtr manifest)
{
  manifest_message_ = std::move(manifest);
  revision_ = manifest_message_->revision;
  manifest_heard_ = true;
  tool_given_up_ = false;
  if (exchange_) { exchange_->heard_of(revision_); }
  look_for_arm();
  // A snapshot of this manifest may have come before it. One of a world that is gone may have the same number.
  if (snapshot_ && !snapshot_old_ && snapshot_->manifest_revision == revision_) {
    on_snapshot(snapshot_);
  }
}

void ArmServer::look_for_arm()
{
  if (!manifest_message_) { return; }
  const WorldManifest & manifest = *manifest_message_;
  // Once it was found, a tool that is gone does not make it another arm.
  const bool same_model =
    place_ && std::any_of(manifest.models.begin(), manifest.models.end(), [&](const auto & model) {
      return model.name == place_->model;
    });
  const std::string model =
    parameters_.model.empty() && same_model ? place_->model : parameters_.model;
  looked_for_ = control_ ? control_->wanted_tool() : "";
  auto found = find_arm(
    manifest, {description_, model, parameters_.world, rack_, looked_for_,
               control_ ? control_->arm().tool() : ""});
  if (!found) {
    lose_bodies(found.error());
    return;
  }
  take_over(found->tool);
  if (control_ && looked_for_ != control_->wanted_tool()) {
    look_for_arm();
    return;
  }
  try {
    use(std::move(*found));
  } catch (const rclcpp::exceptions::RCLErrorBase &) {
    // Ctrl-C since the message came: there is no world to command any more.
    if (get_node_base_interface()->get_context()->is_valid()) { throw; }
    return;
  }
}

void ArmServer::lose_bodies(const std::string & why)
{
  const bool had = place_.has_value();
  place_.reset();
  tool_.reset();
  gains_->arm_known({});
  commanding_ = false;
  if (control_) {
    // Without bodies a tool is a matter of numbers.
    control_->exchange_tools(false);
    if (control_->tool_pending()) { control_->tool_engaged(); }
  }
  const std::string text = description_.name + " is not in the world: " + why;
  if (control_ && had) {
    control_->fail("its bodies are gone: " + why);
    control_->machine_lost();
    publish_events();
  } else if (text != told_ && control_) {
    control_->tell(Kind::Warning, text);
    publish_events();
  } else if (text != told_) {
    RCLCPP_WARN(get_logger(), "%s", text.c_str());
  }
  told_ = text;
}

void ArmServer::use(FoundArm found)
{
  const bool another = !place_ || place_->adf != found.place.adf ||
                       place_->model != found.place.model || found.arm.tool() != used_tool_;
  if (control_ && place_ && place_->model != found.place.model) { control_->machine_lost(); }
  used_tool_ = found.arm.tool();
  if (another && !(control_ && control_->replace_arm(found.arm))) {
    if (control_) {
      control_->machine_lost();
      publish_events();
    }
    control_ = std::make_unique<ArmControl>(
      std::move(found.arm),
      ambf_arms::ControlOptions{
        .tracking_fault = parameters_.tracking_fault, .force_timeout = parameters_.force_timeout});
    events_->publish(control_->state_event());
  }
  if (follow_) { follow_->arm_known(*control_); }
  if (!command_topic_ || !place_ || place_->command_topic != found.place.command_topic) {
    command_topic_ =
      create_publisher<RigidBodyCmd>(found.place.command_topic, rclcpp::QoS(1).reliable());
  }
  const bool elsewhere = !place_ || place_->model != found.place.model;
  tool_is_new_ |= another;
  place_ = std::move(found.place);
  tool_ = std::move(found.tool);
  gains_->arm_known(joints_in_world(*place_, control_->arm(), *manifest_message_));
  if (!std::exchange(told_, "").empty() || elsewhere) {
    control_->tell(
      Kind::Status, description_.name + ": is model '" + place_->model + "' of the world");
    publish_events();
  }
}

void ArmServer::heard_of_world()
{
  heard_at_ = ambf_node_support::steady_seconds();
  silence_ = 0.0;
  if (std::exchange(world_there_, true) || !control_) { return; }
  control_->tell(Kind::Status, description_.name + ": the world is there");
}

void ArmServer::watch_world()
{
  const double now = ambf_node_support::steady_seconds();
  silence_ += std::min(now - std::exchange(watched_at_, now), longest_tick);
  if (!manifest_heard_ && told_.empty() && silence_ > words_after) {
    told_ = "waits for a world: nobody publishes " + parameters_.world + "/World/Manifest";
    RCLCPP_WARN(get_logger(), "%s %s", description_.name.c_str(), told_.c_str());
  }
  if (!world_there_ || silence_ < world_patience) { return; }
  world_there_ = false;
  snapshot_old_ = true;
  answered_.reset();
  if (!control_) { return; }
  control_->machine_lost();
  control_->tell(
    Kind::Warning,
    description_.name + ": the world does not answer; the arm goes on when it is back");
}

void ArmServer::on_state(const WorldState & state)
{
  heard_of_world();
  const bool lockstep = state.mode == WorldState::MODE_LOCKSTEP;
  const bool entered = lockstep && !lockstep_;
  // Another clock.
  if (lockstep != lockstep_) { force_gone_since_ = jaw_gone_since_ = -1.0; }
  lockstep_ = lockstep;
  if (!snapshot_) { return; }
  const bool same = state.sim_step == snapshot_->step && state.state_hash == snapshot_->state_hash;
  // After a silence in which the world stood still: what was known of it holds.
  const bool silent_before = control_ && place_ && !control_->measured_now() && same;
  // Somebody may wait for the step whose snapshot came before the mode was known.
  if (silent_before || (entered && answered_ != snapshot_->step)) { on_snapshot(snapshot_); }
}

bool ArmServer::measure_newest()
{
  ambf_arms::MeasuredArm now = measured_;
  if (!measure(*place_, *snapshot_, *control_, now)) { return false; }
  compare_without_tool(now);
  const double time = seconds(snapshot_->header.stamp);
  const double dt = time - time_;
  const bool known = control_->measured_now();
  const bool back = snapshot_->step < step_ || dt < 0.0;
  const bool jumped =
    known && (back || was_put_elsewhere(control_->arm(), control_->drives(), measured_, now, dt));
  if (back) { gains_->read_again(); }
  since_tick_ = !known || back ? 0.0 : since_tick_ + dt;
  time_ = time;
  step_ = snapshot_->step;
  measured_ = now;
  if (!control_->measure(now)) { return false; }
  if (jumped) {
    control_->jumped();
    control_->tell(Kind::Status, description_.name + ": was put elsewhere, and stays there");
  }
  const Eigen::Isometry3d T_world_body = body_in_world(place_->base, *snapshot_);
  const auto & weightless = snapshot_->weightless;
  const bool balanced =
    place_->model_index < weightless.size() && weightless[place_->model_index] != 0;
  control_->set_gravity(
    balanced ? Eigen::Vector3d(Eigen::Vector3d::Zero())
             : Eigen::Vector3d(T_world_body.linear().transpose() * place_->gravity));
  T_world_base_ = T_world_body * description_.base_offset.inverse();
  data_->set_base_in_world(T_world_base_);
  return true;
}

void ArmServer::on_snapshot(WorldSnapshot::ConstSharedPtr snapshot)
{
  snapshot_ = std::move(snapshot);
  snapshot_old_ = false;
  heard_of_world();
  if (!manifest_heard_ || snapshot_->manifest_revision != revision_) { return; }
  if (!place_ || !control_ || !measure_newest()) {
    step_done(false);
    return;
  }
  told_in_step_ = false;
  if (lockstep_ || since_tick_ >= 1.0 / parameters_.rate - 1e-9) {
    advance();
  } else if (unsent_) {
    send_command();
  }
}

void ArmServer::advance()
{
  control_->set_now(ambf_node_support::steady_seconds());
  if (follow_) { follow_->serve(*control_); }
  control_->tick(std::exchange(since_tick_, 0.0));
  if (follow_) { follow_->tell_progress(*control_, snapshot_->header.stamp); }
  if (!lockstep_) {
    send_command();
    publish_events();
    return;
  }
  publish_data();
  publish_events();
  step_done(make_command());
}

void ArmServer::step_done(bool commands)
{
  if (!lockstep_ || !done_) { return; }
  ambf_msgs::msg::StepDone done;
  done.member = get_name();
  done.step = snapshot_->step;
  done.ok = true;
  if (commands) { done.commands.push_back(command_); }
  answered_ = snapshot_->step;
  done_->publish(done);
}

}  // namespace ambf_arm_nodes
