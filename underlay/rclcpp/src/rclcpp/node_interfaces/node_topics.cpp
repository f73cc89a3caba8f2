#include "rclcpp/node_interfaces/node_topics.hpp"

#include <string>

#include "rclcpp/exceptions.hpp"

namespace rclcpp
{
namespace node_interfaces
{

NodeTopics::NodeTopics(NodeBaseInterface * node_base, NodeTimersInterface * node_timers)
: node_base_(node_base), node_timers_(node_timers)
{}

NodeTopics::~NodeTopics() = default;

rclcpp::PublisherBase::SharedPtr NodeTopics::create_publisher(
  const std::string & topic_name, const rclcpp::PublisherFactory & publisher_factory,
  const rclcpp::QoS & qos)
{
  return publisher_factory.create_typed_publisher(node_base_, topic_name, qos);
}

void NodeTopics::add_publisher(
  rclcpp::PublisherBase::SharedPtr publisher, rclcpp::CallbackGroup::SharedPtr callback_group)
{
  if (callback_group) {
    if (!node_base_->callback_group_in_node(callback_group)) {
      throw exceptions::MissingGroupNodeException("publisher");
    }
  } else {
    callback_group = node_base_->get_default_callback_group();
  }
  for (const auto & [event_type, handler] : publisher->get_event_handlers()) {
    callback_group->add_waitable(handler);
  }
  node_base_->trigger_notify_guard_condition();
  callback_group->trigger_notify_guard_condition();
}

rclcpp::SubscriptionBase::SharedPtr NodeTopics::create_subscription(
  const std::string & topic_name, const rclcpp::SubscriptionFactory & subscription_factory,
  const rclcpp::QoS & qos)
{
  return subscription_factory.create_typed_subscription(node_base_, topic_name, qos);
}

void NodeTopics::add_subscription(
  rclcpp::SubscriptionBase::SharedPtr subscription,
  rclcpp::CallbackGroup::SharedPtr callback_group)
{
  if (callback_group) {
    if (!node_base_->callback_group_in_node(callback_group)) {
      throw exceptions::MissingGroupNodeException("subscription");
    }
  } else {
    callback_group = node_base_->get_default_callback_group();
  }
  callback_group->add_subscription(subscription);
  for (const auto & [event_type, handler] : subscription->get_event_handlers()) {
    callback_group->add_waitable(handler);
  }
  if (auto intra_process_waitable = subscription->get_intra_process_waitable()) {
    callback_group->add_waitable(intra_process_waitable);
  }
  node_base_->trigger_notify_guard_condition();
  callback_group->trigger_notify_guard_condition();
}

NodeBaseInterface * NodeTopics::get_node_base_interface() const
{
  return node_base_;
}

NodeTimersInterface * NodeTopics::get_node_timers_interface() const
{
  return node_timers_;
}

std::string NodeTopics::resolve_topic_name(const std::string & name, bool only_expand) const
{
  return node_base_->resolve_topic_or_service_name(name, false, only_expand);
}

}  // namespace node_interfaces
}  // namespace rclcpp
