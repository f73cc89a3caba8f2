// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_graph.hpp"

#include "../rcl_check.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/graph_listener.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp::node_interfaces {

using rclcpp::detail::check;
using rclcpp::detail::log_failure;

namespace {

/// Call a function of rcl that fills names and types, and convert what it gives.
template <typename QueryT, typename... ArgsT> NodeGraphInterface::NamesAndTypes names_and_types(
  const std::string & kind, QueryT query, NodeBaseInterface * node_base, ArgsT... args) {
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_names_and_types_t found = rcl_get_zero_initialized_names_and_types();
  RCPPUTILS_SCOPE_EXIT({ log_failure(rcl_names_and_types_fini(&found), "names"); });
  if (query(node_base->get_rcl_node_handle(), &allocator, args..., &found) != RCL_RET_OK) {
    const std::string reason = rcl_get_error_string().str;
    rcl_reset_error();
    throw std::runtime_error("failed to get " + kind + ": " + reason);
  }
  NodeGraphInterface::NamesAndTypes result;
  for (size_t i = 0; i < found.names.size; ++i) {
    result[found.names.data[i]].assign(found.types[i].data, found.types[i].data + found.types[i].size);
  }
  return result;
}

using EndpointQuery = rcl_ret_t (*)(
  const rcl_node_t *, rcutils_allocator_t *, const char *, bool, rcl_topic_endpoint_info_array_t *);

std::vector<TopicEndpointInfo> endpoint_infos(
  NodeBaseInterface * node_base, const std::string & topic_name, bool no_mangle, EndpointQuery query) {
  if (!no_mangle) { expand_topic_or_service_name(topic_name, node_base->get_name(), node_base->get_namespace()); }
  const std::string full_name = no_mangle ? topic_name : node_base->resolve_topic_or_service_name(topic_name, false);
  rcutils_allocator_t allocator = rcutils_get_default_allocator();
  rcl_topic_endpoint_info_array_t found = rcl_get_zero_initialized_topic_endpoint_info_array();
  RCPPUTILS_SCOPE_EXIT({ log_failure(rcl_topic_endpoint_info_array_fini(&found, &allocator), "infos"); });
  check(query(node_base->get_rcl_node_handle(), &allocator, full_name.c_str(), no_mangle, &found),
    "failed to get information of endpoints");
  return {found.info_array, found.info_array + found.size};
}

size_t count(NodeBaseInterface & node_base, const std::string & name, bool is_service,
  rcl_ret_t (*query)(const rcl_node_t *, const char *, size_t *)) {
  size_t number = 0;
  // Says what is wrong with a name that cannot be resolved.
  expand_topic_or_service_name(name, node_base.get_name(), node_base.get_namespace(), is_service);
  const std::string full_name = node_base.resolve_topic_or_service_name(name, is_service);
  check(query(node_base.get_rcl_node_handle(), full_name.c_str(), &number), "could not count endpoints");
  return number;
}

}  // namespace

NodeGraph::NodeGraph(NodeBaseInterface * node_base)
: node_base_(node_base),
  graph_listener_(node_base->get_context()->get_sub_context<graph_listener::GraphListener>(node_base->get_context())) {}

NodeGraph::~NodeGraph() {
  if (listening_) { graph_listener_->remove_node(this); }
}

NodeGraph::NamesAndTypes NodeGraph::get_topic_names_and_types(bool no_demangle) const {
  return names_and_types("topic names and types", rcl_get_topic_names_and_types, node_base_, no_demangle);
}

NodeGraph::NamesAndTypes NodeGraph::get_service_names_and_types() const {
  return names_and_types("service names and types", rcl_get_service_names_and_types, node_base_);
}

NodeGraph::NamesAndTypes NodeGraph::get_service_names_and_types_by_node(
  const std::string & name, const std::string & namespace_) const {
  return names_and_types("service names and types by node", rcl_get_service_names_and_types_by_node, node_base_,
    name.c_str(), namespace_.c_str());
}

NodeGraph::NamesAndTypes NodeGraph::get_client_names_and_types_by_node(
  const std::string & name, const std::string & namespace_) const {
  return names_and_types("client names and types by node", rcl_get_client_names_and_types_by_node, node_base_,
    name.c_str(), namespace_.c_str());
}

NodeGraph::NamesAndTypes NodeGraph::get_publisher_names_and_types_by_node(
  const std::string & name, const std::string & namespace_, bool no_demangle) const {
  return names_and_types("publisher names and types by node", rcl_get_publisher_names_and_types_by_node, node_base_,
    no_demangle, name.c_str(), namespace_.c_str());
}

NodeGraph::NamesAndTypes NodeGraph::get_subscriber_names_and_types_by_node(
  const std::string & name, const std::string & namespace_, bool no_demangle) const {
  return names_and_types("subscriber names and types by node", rcl_get_subscriber_names_and_types_by_node, node_base_,
    no_demangle, name.c_str(), namespace_.c_str());
}

std::vector<std::string> NodeGraph::get_node_names() const {
  std::vector<std::string> names;
  for (const auto & [name, namespace_] : get_node_names_and_namespaces()) {
    names.push_back(namespace_.back() == '/' ? namespace_ + name : namespace_ + "/" + name);
  }
  return names;
}

std::vector<std::pair<std::string, std::string>> NodeGraph::get_node_names_and_namespaces() const {
  rcutils_string_array_t names = rcutils_get_zero_initialized_string_array();
  rcutils_string_array_t namespaces = rcutils_get_zero_initialized_string_array();
  RCPPUTILS_SCOPE_EXIT({
    log_failure(rcutils_string_array_fini(&names), "names");
    log_failure(rcutils_string_array_fini(&namespaces), "namespaces");
  });
  check(rcl_get_node_names(node_base_->get_rcl_node_handle(), rcl_get_default_allocator(), &names, &namespaces),
    "failed to get node names");
  std::vector<std::pair<std::string, std::string>> result;
  for (size_t i = 0; i < names.size; ++i) {
    if (names.data[i] && namespaces.data[i]) { result.emplace_back(names.data[i], namespaces.data[i]); }
  }
  return result;
}

size_t NodeGraph::count_publishers(const std::string & topic_name) const {
  return count(*node_base_, topic_name, false, rcl_count_publishers);
}

size_t NodeGraph::count_subscribers(const std::string & topic_name) const {
  return count(*node_base_, topic_name, false, rcl_count_subscribers);
}

size_t NodeGraph::count_clients(const std::string & service_name) const {
  return count(*node_base_, service_name, true, rcl_count_clients);
}

size_t NodeGraph::count_services(const std::string & service_name) const {
  return count(*node_base_, service_name, true, rcl_count_services);
}

const rcl_guard_condition_t * NodeGraph::get_graph_guard_condition() const {
  return rcl_node_get_graph_guard_condition(node_base_->get_rcl_node_handle());
}

void NodeGraph::notify_graph_change() {
  {
    std::lock_guard<std::mutex> lock(graph_mutex_);
    const auto gone = [](const Event::WeakPtr & weak) {
      auto event = weak.lock();
      if (event) { event->set(); }
      return !event;
    };
    graph_events_.erase(std::remove_if(graph_events_.begin(), graph_events_.end(), gone), graph_events_.end());
  }
  graph_cv_.notify_all();
  // An executor may be waiting for the service that has just appeared.
  if (auto notify = node_base_->get_shared_notify_guard_condition()) { notify->trigger(); }
}

void NodeGraph::notify_shutdown() {
  // The lock, so that nobody is between its check of the context and its wait.
  std::lock_guard<std::mutex> lock(graph_mutex_);
  graph_cv_.notify_all();
}

Event::SharedPtr NodeGraph::get_graph_event() {
  auto event = Event::make_shared();
  std::unique_lock<std::mutex> lock(graph_mutex_);
  graph_events_.push_back(event);
  const bool start = !std::exchange(listening_, true);
  lock.unlock();
  if (start) {
    graph_listener_->add_node(this);
    graph_listener_->start_if_not_started();
  }
  return event;
}

void NodeGraph::wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
  if (!event) { throw exceptions::InvalidEventError(); }
  std::unique_lock<std::mutex> lock(graph_mutex_);
  const auto is_event = [&event](const Event::WeakPtr & weak) { return weak.lock() == event; };
  if (std::none_of(graph_events_.begin(), graph_events_.end(), is_event)) {
    throw exceptions::EventNotRegisteredError();
  }
  const auto context = node_base_->get_context();
  const auto done = [&]() { return event->check() || !context->is_valid(); };
  if (timeout < timeout.zero()) { return graph_cv_.wait(lock, done); }
  // A far deadline would overflow the clock's representation.
  graph_cv_.wait_for(lock, std::min<std::chrono::nanoseconds>(timeout, std::chrono::hours(24 * 365)), done);
}

size_t NodeGraph::count_graph_users() const {
  std::lock_guard<std::mutex> lock(graph_mutex_);
  return static_cast<size_t>(std::count_if(
    graph_events_.begin(), graph_events_.end(), [](const Event::WeakPtr & weak) { return !weak.expired(); }));
}

std::vector<TopicEndpointInfo> NodeGraph::get_publishers_info_by_topic(
  const std::string & topic_name, bool no_mangle) const {
  return endpoint_infos(node_base_, topic_name, no_mangle, rcl_get_publishers_info_by_topic);
}

std::vector<TopicEndpointInfo> NodeGraph::get_subscriptions_info_by_topic(
  const std::string & topic_name, bool no_mangle) const {
  return endpoint_infos(node_base_, topic_name, no_mangle, rcl_get_subscriptions_info_by_topic);
}

}  // namespace rclcpp::node_interfaces

rclcpp::TopicEndpointInfo::TopicEndpointInfo(const rcl_topic_endpoint_info_t & info)
: node_name_(info.node_name),
  node_namespace_(info.node_namespace),
  topic_type_(info.topic_type),
  endpoint_type_(static_cast<rclcpp::EndpointType>(info.endpoint_type)),
  qos_profile_({info.qos_profile.history, info.qos_profile.depth, false}, info.qos_profile),
  topic_type_hash_(info.topic_type_hash) {
  std::copy(info.endpoint_gid, info.endpoint_gid + RMW_GID_STORAGE_SIZE, endpoint_gid_.begin());
}
