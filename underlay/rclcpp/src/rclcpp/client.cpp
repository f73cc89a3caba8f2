// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/client.hpp"

#include "actual_qos.hpp"
#include "new_event_callback.hpp"
#include "rcl/graph.h"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "service_handle.hpp"

namespace rclcpp {

using std::chrono::nanoseconds;

ClientBase::ClientBase(node_interfaces::NodeBaseInterface * node_base,
  node_interfaces::NodeGraphInterface::SharedPtr node_graph, const rosidl_service_type_support_t * type_support,
  const std::string & service_name, const rcl_client_options_t & options)
: node_graph_(node_graph),
  node_handle_(node_base->get_shared_rcl_node_handle()),
  context_(node_base->get_context()),
  node_logger_(get_node_logger(node_handle_.get())),
  srv_type_support_handle_(type_support),
  client_handle_(detail::make_service_handle(rcl_get_zero_initialized_client(), rcl_client_init, rcl_client_fini,
    node_handle_, type_support, service_name, options, "client")) {}

bool ClientBase::take_type_erased_response(void * response_out, rmw_request_id_t & request_header_out) {
  const rcl_ret_t ret = rcl_take_response(client_handle_.get(), &request_header_out, response_out);
  return detail::was_taken(ret, RCL_RET_CLIENT_TAKE_FAILED);
}

bool ClientBase::service_is_ready() const {
  bool is_ready = false;
  const rcl_ret_t ret = rcl_service_server_is_available(node_handle_.get(), client_handle_.get(), &is_ready);
  if (ret == RCL_RET_NODE_INVALID && !rcl_context_is_valid(node_handle_->context)) {
    // Shut down: no service, but no error either.
    rcl_reset_error();
    return false;
  }
  detail::check(ret, "rcl_service_server_is_available failed");
  return is_ready;
}

bool ClientBase::wait_for_service_nanoseconds(nanoseconds timeout) {
  const auto start = std::chrono::steady_clock::now();
  auto node_graph = node_graph_.lock();
  if (!node_graph) { throw exceptions::InvalidNodeError(); }
  // Asked for first, so that no change is missed between the check and the wait.
  auto event = node_graph->get_graph_event();
  if (service_is_ready()) { return true; }
  // Longest single wait: a change that the middleware reports before the service is really usable
  // would otherwise be the last that we hear of it.
  constexpr nanoseconds longest_wait = std::chrono::milliseconds(100);
  const bool forever = timeout < nanoseconds(0);
  for (auto left = timeout; ok(context_) && (forever || left > nanoseconds(0));
       left = timeout - (std::chrono::steady_clock::now() - start)) {
    node_graph->wait_for_graph_change(event, forever ? longest_wait : std::min(left, longest_wait));
    event->check_and_clear();
    if (service_is_ready()) { return true; }
  }
  return false;
}

QoS ClientBase::get_request_publisher_actual_qos() const {
  return detail::actual_qos(
    rcl_client_request_publisher_get_actual_qos(client_handle_.get()), "client's request publisher");
}

QoS ClientBase::get_response_subscription_actual_qos() const {
  return detail::actual_qos(
    rcl_client_response_subscription_get_actual_qos(client_handle_.get()), "client's response subscription");
}

void ClientBase::set_on_new_response_callback(std::function<void(size_t)> callback) {
  detail::replace_new_event_callback(callback_mutex_, on_new_response_callback_,
    detail::without_exceptions("set_on_new_response_callback", callback), rcl_client_set_on_new_response_callback,
    client_handle_.get(), "failed to set the on new response callback for client");
}

void ClientBase::clear_on_new_response_callback() {
  detail::replace_new_event_callback(callback_mutex_, on_new_response_callback_, nullptr,
    rcl_client_set_on_new_response_callback, client_handle_.get(),
    "failed to set the on new response callback for client");
}

void ClientBase::configure_introspection(
  Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state) {
  detail::check(
    rcl_client_configure_service_introspection(client_handle_.get(), node_handle_.get(), clock->get_clock_handle(),
      srv_type_support_handle_, detail::introspection_options(qos_service_event_pub), introspection_state),
    "failed to configure client introspection");
}

}  // namespace rclcpp
