// SPDX-License-Identifier: BSD-3-Clause
#include "adapter_node.hpp"

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"

namespace ambf_simulation_interfaces
{

AdapterNode::AdapterNode(const rclcpp::NodeOptions & options)
: rclcpp::Node("simulation_interfaces", options)
{
  ambf_node_support::Declared declared(*this);
  std::string where = declared.word(
    "world_namespace", "/ambf/env", "namespace of the world, below the node's namespace");
  spawnable_sources_ = declared.words(
    "spawnable_sources", {"package://ambf_description/adf"},
    "folders or files that get_spawnables looks at: paths, file:// or package:// addresses");
  world_sources_ = declared.words(
    "world_sources", {"package://ambf_description/worlds"},
    "folders or files that get_available_worlds looks at");
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

Task<AdapterNode::Contents> AdapterNode::look(bool bounds)
{
  auto request = std::make_shared<ambf_msgs::srv::ReadWorld::Request>();
  request->bounds = bounds;
  Contents contents;
  // A model may come or go between the reading and its manifest: then look again.
  for (int attempt = 0; attempt < 3; ++attempt) {
    contents.now = co_await world_->ask(world_->read, request);
    if (!contents.now) { co_return contents; }
    co_await world_->manifest_at(contents.now->manifest_revision);
    if (world_->manifest().revision == contents.now->manifest_revision) { break; }
  }
  if (world_->manifest().revision != contents.now->manifest_revision) { contents.now.reset(); }
  contents.entities = entities_of(world_->manifest(), infos_);
  co_return contents;
}

}  // namespace ambf_simulation_interfaces

AMBF_NODE_COMPONENT(ambf_simulation_interfaces, AdapterNode)
