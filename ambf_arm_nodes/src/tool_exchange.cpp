// SPDX-License-Identifier: BSD-3-Clause
#include "tool_exchange.hpp"

#include <algorithm>
#include <utility>

#include "ambf_adf/write.hpp"
#include "crtk_convert.hpp"

namespace ambf_arm_nodes
{
namespace
{

/// A request of which nothing is heard for so long was lost, e.g. before the two found each other [s].
constexpr double lost_after = 3.0;

}  // namespace

ToolExchange::ToolExchange(
  rclcpp::Node & node, const std::string & world, std::function<void(const std::string &)> refused)
: load_(node.create_client<LoadModel>(world + "/World/load_model")),
  remove_(node.create_client<RemoveObject>(world + "/World/remove")),
  refused_(std::move(refused))
{
}

bool ToolExchange::free(double now) const
{
  const bool waits = asked_ && asked_->revision == revision_ && now - asked_->at < lost_after;
  return !waits && load_->service_is_ready() && remove_->service_is_ready();
}

template <class Service>
void ToolExchange::ask(
  rclcpp::Client<Service> & client, typename Service::Request::SharedPtr request, double now)
{
  client.prune_pending_requests();
  asked_ = Asked{revision_, now, ++count_};
  client.async_send_request(
    std::move(request),
    [this, mine = *asked_](typename rclcpp::Client<Service>::SharedFuture done) {
      const auto response = done.get();
      const bool newest = asked_ && asked_->number == mine.number && revision_ == mine.revision;
      // What somebody did meanwhile shows in the manifest.
      if (response->ok || !newest || response->manifest_revision != mine.revision) { return; }
      asked_.reset();
      refused_(response->message);
    });
}

void ToolExchange::remove(const std::string & name, double now)
{
  auto request = std::make_shared<RemoveObject::Request>();
  request->name = name;
  ask<RemoveObject>(*remove_, std::move(request), now);
}

void ToolExchange::load(LoadModel::Request::SharedPtr request, double now)
{
  ask<LoadModel>(*load_, std::move(request), now);
}

ToolExchange::LoadModel::Request::SharedPtr load_request(
  const ToolSituation & tool, const ambf_arms::ArmDescription & description,
  const ambf_arms::ArmControl & control, const std::string & tools_address,
  const ambf_msgs::msg::WorldSnapshot & snapshot)
{
  const ambf_arms::ToolBodies & bodies = *tool.wanted.bodies;
  const auto moved = ambf_arms::moved_joints(bodies, description.tip);
  const auto n = static_cast<Eigen::Index>(moved.size());
  JointVector goal = control.setpoint();
  const JointVector behind = goal.tail(std::min(n, goal.size()));
  const double ratio = description.jaw ? description.jaw->ratio : 0.0;
  const auto model = ambf_arms::posed(
    bodies, moved, behind, description.jaw ? description.jaw->joints : std::vector<std::string>(),
    ratio * control.jaw_setpoint());
  auto request = std::make_shared<ToolExchange::LoadModel::Request>();
  request->text = ambf_adf::write(model);
  request->resource_base = tools_address + "/" + bodies.name + ".yaml";
  request->ns = tool.place;
  fill(request->pose, body_in_world(*tool.carriage, snapshot));
  return request;
}

std::string tool_name(const ambf_arms::ToolBodies & bodies, ambf_arms::ArmKind kind)
{
  const std::string last = bodies.name.substr(bodies.name.rfind('_') + 1);
  if (kind == ambf_arms::ArmKind::Psm) {
    const auto * tool = ambf_arms::find_tool(last, ambf_arms::Generation::Classic);
    return tool == nullptr ? "" : tool->full_name();
  }
  std::string view = last;
  std::transform(view.begin(), view.end(), view.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  const bool si = bodies.name.find("_si_") != std::string::npos;
  const std::string name = (si ? "Si_HD_" : "Classic_HD_") + view;
  return ambf_arms::find_endoscope(name) == nullptr ? "" : name;
}

}  // namespace ambf_arm_nodes
