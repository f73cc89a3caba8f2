// SPDX-License-Identifier: BSD-3-Clause
#include "adapter_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>

namespace ambf_simulation_interfaces
{

AdapterNode::AdapterNode(const rclcpp::NodeOptions & options)
: rclcpp::Node("simulation_interfaces", options)
{
  const auto described = [](const char * text) {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = text;
    descriptor.read_only = true;
    return descriptor;
  };
  using Strings = std::vector<std::string>;
  std::string where = declare_parameter<std::string>(
    "world_namespace", "/ambf/env",
    described("namespace of the world, below the node's namespace"));
  spawnable_sources_ = declare_parameter<Strings>(
    "spawnable_sources", Strings{"package://ambf_description/adf"},
    described(
      "folders or files that get_spawnables looks at: paths, file:// or package:// addresses"));
  world_sources_ = declare_parameter<Strings>(
    "world_sources", Strings{"package://ambf_description/worlds"},
    described("folders or files that get_available_worlds looks at"));
  const std::string ns = get_namespace();
  if (ns != "/") { where = ns + where; }
  group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  world_ = std::make_unique<WorldClient>(*this, where, group_);
  // What is said about an entity goes with it, also when somebody else takes it away.
  world_->manifest_changed = [this](bool another_world) {
    const auto entities = entities_of(world_->manifest());
    std::erase_if(infos_, [&](const auto & info) {
      return another_world || find(entities, info.first) == nullptr;
    });
    unloaded_ = unloaded_ && !another_world && empty();
  };
  add_simulation_services();
  add_entity_services();
  add_world_services();
}

AdapterNode::~AdapterNode()
{
  // What still waits ends while the services can answer.
  world_->close();
}

simulation_interfaces::msg::Result AdapterNode::result(
  std::uint8_t code, const std::string & message)
{
  Result result;
  result.result = code;
  result.error_message = message;
  return result;
}

simulation_interfaces::msg::Result AdapterNode::missing() const
{
  return result(
    Result::RESULT_OPERATION_FAILED,
    "no world answers at " + world_->where() + "; is the physics node running?");
}

Task<AdapterNode::Scene> AdapterNode::look(bool bounds)
{
  auto request = std::make_shared<ambf_msgs::srv::ReadWorld::Request>();
  request->bounds = bounds;
  Scene scene;
  // A model may come or go between the reading and its manifest: then look again.
  for (int attempt = 0; attempt < 3; ++attempt) {
    scene.now = co_await world_->ask(world_->read, request);
    if (!scene.now) { co_return scene; }
    co_await world_->manifest_at(scene.now->manifest_revision);
    if (world_->manifest().revision == scene.now->manifest_revision) { break; }
  }
  if (world_->manifest().revision != scene.now->manifest_revision) { scene.now.reset(); }
  scene.entities = entities_of(world_->manifest(), infos_);
  co_return scene;
}

}  // namespace ambf_simulation_interfaces

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_simulation_interfaces::AdapterNode)
