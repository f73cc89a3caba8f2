#include "rclcpp/node_interfaces/node_topics.hpp"

#include "rclcpp/node_interfaces/node_services.hpp"
#include "rclcpp/node_interfaces/node_waitables.hpp"

// How the parts of a node put what they make into callback groups.
namespace rclcpp::node_interfaces {

namespace {

/// The given group, which must be of the node, or the node's default group.
CallbackGroup::SharedPtr group_of(
  NodeBaseInterface & node_base, const CallbackGroup::SharedPtr & group, const char * what) {
  if (group && !node_base.callback_group_in_node(group)) { throw exceptions::MissingGroupNodeException(what); }
  return group ? group : node_base.get_default_callback_group();
}

void notify(NodeBaseInterface & node_base, CallbackGroup & group) {
  node_base.trigger_notify_guard_condition();
  group.trigger_notify_guard_condition();
}

}  // namespace

void NodeTopics::add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr group) {
  group = group_of(*node_base_, group, "publisher");
  for (const auto & [event_type, handler] : publisher->get_event_handlers()) { group->add_waitable(handler); }
  notify(*node_base_, *group);
}

void NodeTopics::add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr group) {
  group = group_of(*node_base_, group, "subscription");
  group->add_subscription(subscription);
  for (const auto & [event_type, handler] : subscription->get_event_handlers()) { group->add_waitable(handler); }
  if (auto intra_process_waitable = subscription->get_intra_process_waitable()) {
    group->add_waitable(intra_process_waitable);
  }
  notify(*node_base_, *group);
}

void NodeServices::add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group) {
  group = group_of(*node_base_, group, "client");
  group->add_client(client);
  notify(*node_base_, *group);
}

void NodeServices::add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group) {
  group = group_of(*node_base_, group, "service");
  group->add_service(service);
  notify(*node_base_, *group);
}

void NodeWaitables::add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) {
  group = group_of(*node_base_, group, "waitable");
  group->add_waitable(waitable);
  notify(*node_base_, *group);
}

void NodeWaitables::remove_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) noexcept {
  if (!group || node_base_->callback_group_in_node(group)) {
    (group ? group : node_base_->get_default_callback_group())->remove_waitable(waitable);
  }
}

}  // namespace rclcpp::node_interfaces
