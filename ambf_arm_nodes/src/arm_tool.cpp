// SPDX-License-Identifier: BSD-3-Clause
// The arm server and the bodies of its tool: what is wanted is brought about, whoever took it away.

#include <algorithm>
#include <utility>

#include "arm_server.hpp"

namespace ambf_arm_nodes
{

using ambf_arms::ArmKind;

void ArmServer::read_rack()
{
  const bool has_tools = description_.kind == ArmKind::Psm || description_.kind == ArmKind::Ecm;
  if (!has_tools || description_.base.empty() || parameters_.tools.empty()) { return; }
  rack_ = ambf_arms::read_tool_rack(to_path("tools", parameters_.tools));
  for (const std::string & warning : rack_.warnings) {
    RCLCPP_WARN(get_logger(), "%s", warning.c_str());
  }
  exchange_.emplace(
    *this, parameters_.world, [this](const std::string & why) { tool_refused(why); });
}

void ArmServer::take_over(const ToolSituation & tool)
{
  if (!control_) { return; }
  // Somebody has put another tool on before this node was there: it stays.
  const std::string there =
    tool.carried == nullptr ? "" : tool_name(*tool.carried, description_.kind);
  if (!place_ && !tool.settled && tool.beside && !there.empty()) {
    control_->exchange_tools(false);
    control_->set_tool(there);
    return;
  }
  control_->exchange_tools(tool.exchangeable);
  if (!tool.settled && tool.exchangeable) {
    if (!tool_given_up_) { control_->tool_missing(); }
  } else if (control_->tool_pending()) {
    const bool put_on = !control_->wanted_tool().empty();
    const std::string name(control_->wanted_tool());
    control_->tool_engaged();
    if (put_on && !tool.exchangeable) {
      control_->tell(
        ambf_arms::ControlEvent::Kind::Status,
        description_.name + ": " + name + " has no bodies in this world, those of the arm stay");
    } else if (put_on && !tool.wanted.note.empty()) {
      control_->tell(
        ambf_arms::ControlEvent::Kind::Status,
        description_.name + ": " + name + ": " + tool.wanted.note);
    }
  }
}

void ArmServer::go_on_with_tool()
{
  if (!exchange_ || !place_ || !tool_ || tool_->settled || !tool_->exchangeable) { return; }
  if (
    tool_given_up_ || !control_->tool_pending() ||
    !exchange_->free(ambf_node_support::steady_seconds())) {
    return;
  }
  if (!tool_->to_remove.empty()) {
    exchange_->remove(tool_->to_remove.front(), ambf_node_support::steady_seconds());
    return;
  }
  // It is put where the carriage is: an arm on its way home arrives first.
  const bool known = snapshot_ && snapshot_->manifest_revision == place_->revision;
  if (!known || !tool_->carriage || !control_->measured_now()) { return; }
  if (control_->mode() == ambf_arms::ControlMode::Move) { return; }
  exchange_->load(
    load_request(*tool_, description_, *control_, parameters_.tools, *snapshot_),
    ambf_node_support::steady_seconds());
}

void ArmServer::tool_refused(const std::string & why)
{
  if (!control_ || !control_->tool_pending()) { return; }
  const std::string before(control_->wanted_tool());
  control_->tool_refused(why);
  // What was there before cannot be had either: it stays as it is until something changes.
  tool_given_up_ = before == control_->wanted_tool();
  if (tool_given_up_) { control_->tool_engaged(); }
  look_for_arm();
  publish_events();
}

void ArmServer::compare_without_tool(const ambf_arms::MeasuredArm & now)
{
  // The others show whether the arm was put elsewhere.
  constexpr Eigen::Index before_carriage = 3;
  const bool is_new = std::exchange(tool_is_new_, false);
  const Eigen::Index n = std::min(now.position.size(), measured_.position.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool without_body = place_->joints[static_cast<std::size_t>(i)].indices.empty();
    if (!without_body && !(is_new && i >= before_carriage)) { continue; }
    measured_.position[i] = now.position[i];
    measured_.velocity[i] = now.velocity[i];
  }
}

}  // namespace ambf_arm_nodes
