// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_topics.hpp"

#include "rclcpp/node_interfaces/node_services.hpp"
#include "rclcpp/node_interfaces/node_waitables.hpp"

// How the parts of a node put what they make into callback groups.
namespace rclcpp::node_interfaces {

/// Put something into the given group, which must be of the node, or the node's default group.
template <typename AddT>
static void add_to_group(NodeBaseInterface & node_base, CallbackGroup::SharedPtr group, const char * what, AddT add) {
  if (group && !node_base.callback_group_in_node(group)) { throw exceptions::MissingGroupNodeException(what); }
  if (!group) { group = node_base.get_default_callback_group(); }
  add(*group);
  node_base.trigger_notify_guard_condition();
  group->trigger_notify_guard_condition();
}

void NodeTopics::add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr group) {
  add_to_group(*node_base_, group, "publisher", [&](CallbackGroup & to) {
    for (const auto & [event_type, handler] : publisher->get_event_handlers()) { to.add_waitable(handler); }
  });
}

void NodeTopics::add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr group) {
  add_to_group(*node_base_, group, "subscription", [&](CallbackGroup & to) {
    to.add_subscription(subscription);
    for (const auto & [event_type, handler] : subscription->get_event_handlers()) { to.add_waitable(handler); }
    if (auto intra_process_waitable = subscription->get_intra_process_waitable()) {
      to.add_waitable(intra_process_waitable);
    }
  });
}

void NodeServices::add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group) {
  add_to_group(*node_base_, group, "client", [&](CallbackGroup & to) { to.add_client(client); });
}

void NodeServices::add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group) {
  add_to_group(*node_base_, group, "service", [&](CallbackGroup & to) { to.add_service(service); });
}

void NodeWaitables::add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) {
  add_to_group(*node_base_, group, "waitable", [&](CallbackGroup & to) { to.add_waitable(waitable); });
}

void NodeWaitables::remove_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) noexcept {
  if (!group || node_base_->callback_group_in_node(group)) {
    (group ? group : node_base_->get_default_callback_group())->remove_waitable(waitable);
  }
}

}  // namespace rclcpp::node_interfaces
