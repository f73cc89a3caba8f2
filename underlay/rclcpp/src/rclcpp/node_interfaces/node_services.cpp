#include "rclcpp/node_interfaces/node_services.hpp"

#include <string>

#include "rclcpp/exceptions.hpp"

namespace rclcpp
{
namespace node_interfaces
{

NodeServices::NodeServices(NodeBaseInterface * node_base)
: node_base_(node_base)
{}

NodeServices::~NodeServices() = default;

void NodeServices::add_client(
  rclcpp::ClientBase::SharedPtr client_base_ptr, rclcpp::CallbackGroup::SharedPtr group)
{
  if (!group) {
    group = node_base_->get_default_callback_group();
  } else if (!node_base_->callback_group_in_node(group)) {
    throw exceptions::MissingGroupNodeException("client");
  }
  group->add_client(client_base_ptr);
  node_base_->trigger_notify_guard_condition();
  group->trigger_notify_guard_condition();
}

void NodeServices::add_service(
  rclcpp::ServiceBase::SharedPtr service_base_ptr, rclcpp::CallbackGroup::SharedPtr group)
{
  if (!group) {
    group = node_base_->get_default_callback_group();
  } else if (!node_base_->callback_group_in_node(group)) {
    throw exceptions::MissingGroupNodeException("service");
  }
  group->add_service(service_base_ptr);
  node_base_->trigger_notify_guard_condition();
  group->trigger_notify_guard_condition();
}

std::string NodeServices::resolve_service_name(const std::string & name, bool only_expand) const
{
  return node_base_->resolve_topic_or_service_name(name, true, only_expand);
}

}  // namespace node_interfaces
}  // namespace rclcpp
