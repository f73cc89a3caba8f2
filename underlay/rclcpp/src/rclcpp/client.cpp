#include "rclcpp/client.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "./actual_qos.hpp"
#include "rcl/graph.h"
#include "rclcpp/detail/cpp_callback_trampoline.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp {

ClientBase::ClientBase(
  node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeGraphInterface::SharedPtr node_graph)
: node_graph_(node_graph),
  node_handle_(node_base->get_shared_rcl_node_handle()),
  context_(node_base->get_context()),
  node_logger_(rclcpp::get_node_logger(node_handle_.get())) {}

bool ClientBase::take_type_erased_response(void * response_out, rmw_request_id_t & request_header_out) {
  const rcl_ret_t ret = rcl_take_response(client_handle_.get(), &request_header_out, response_out);
  if (ret == RCL_RET_CLIENT_TAKE_FAILED) {
    rcl_reset_error();
    return false;
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret); }
  return true;
}

const char * ClientBase::get_service_name() const { return rcl_client_get_service_name(client_handle_.get()); }

std::shared_ptr<rcl_client_t> ClientBase::get_client_handle() { return client_handle_; }

std::shared_ptr<const rcl_client_t> ClientBase::get_client_handle() const { return client_handle_; }

bool ClientBase::service_is_ready() const {
  bool is_ready = false;
  const rcl_ret_t ret = rcl_service_server_is_available(node_handle_.get(), client_handle_.get(), &is_ready);
  if (ret == RCL_RET_NODE_INVALID && !rcl_context_is_valid(node_handle_->context)) {
    // Shut down: no service, but no error either.
    rcl_reset_error();
    return false;
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "rcl_service_server_is_available failed"); }
  return is_ready;
}

bool ClientBase::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  using std::chrono::nanoseconds;
  const auto start = std::chrono::steady_clock::now();
  auto node_graph = node_graph_.lock();
  if (!node_graph) { throw exceptions::InvalidNodeError(); }
  // Asked for first, so that no change is missed between the check and the wait.
  auto event = node_graph->get_graph_event();
  if (service_is_ready()) { return true; }
  if (timeout == nanoseconds(0)) { return false; }
  // Longest single wait: a change that the middleware reports before the service is really usable
  // would otherwise be the last that we hear of it.
  constexpr nanoseconds longest_wait = std::chrono::milliseconds(100);
  const bool forever = timeout < nanoseconds(0);
  auto left = timeout;
  while (rclcpp::ok(context_)) {
    node_graph->wait_for_graph_change(event, forever ? longest_wait : std::min(left, longest_wait));
    event->check_and_clear();
    if (service_is_ready()) { return true; }
    if (!forever) {
      left = timeout - (std::chrono::steady_clock::now() - start);
      if (left <= nanoseconds(0)) { return false; }
    }
  }
  return false;
}

bool ClientBase::exchange_in_use_by_wait_set_state(bool in_use_state) {
  return in_use_by_wait_set_.exchange(in_use_state);
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
  if (!callback) {
    throw std::invalid_argument("The callback passed to set_on_new_response_callback is not callable.");
  }
  std::function<void(size_t)> guarded = [callback, this](size_t number_of_responses) {
    try {
      callback(number_of_responses);
    } catch (const std::exception & exception) {
      RCLCPP_ERROR_STREAM(node_logger_, "rclcpp::ClientBase@" << this
                                                              << " caught exception in user-provided "
                                                                 "callback for the 'on new response' callback: "
                                                              << exception.what());
    } catch (...) {
      RCLCPP_ERROR_STREAM(node_logger_, "rclcpp::ClientBase@"
                                          << this
                                          << " caught unhandled exception in "
                                             "user-provided callback for the 'on new response' callback");
    }
  };

  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // The middleware must never see a function that is being replaced: register the local one first.
  constexpr auto trampoline = detail::cpp_callback_trampoline<std::function<void(size_t)>>;
  set_on_new_response_callback(trampoline, static_cast<const void *>(&guarded));
  on_new_response_callback_ = guarded;
  set_on_new_response_callback(trampoline, static_cast<const void *>(&on_new_response_callback_));
}

void ClientBase::clear_on_new_response_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_new_response_callback_) {
    set_on_new_response_callback(nullptr, nullptr);
    on_new_response_callback_ = nullptr;
  }
}

void ClientBase::set_on_new_response_callback(rcl_event_callback_t callback, const void * user_data) {
  const rcl_ret_t ret = rcl_client_set_on_new_response_callback(client_handle_.get(), callback, user_data);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to set the on new response callback for client");
  }
}

rcl_node_t * ClientBase::get_rcl_node_handle() { return node_handle_.get(); }

const rcl_node_t * ClientBase::get_rcl_node_handle() const { return node_handle_.get(); }

std::shared_ptr<rcl_client_t> detail::make_rcl_client(std::shared_ptr<rcl_node_t> node_handle,
  const rosidl_service_type_support_t * type_support, const std::string & service_name,
  const rcl_client_options_t & options) {
  auto client = std::make_unique<rcl_client_t>(rcl_get_zero_initialized_client());
  const rcl_ret_t ret = rcl_client_init(client.get(), node_handle.get(), type_support, service_name.c_str(), &options);
  if (ret == RCL_RET_SERVICE_NAME_INVALID) {
    // Throws with the place of the mistake in the name.
    rcl_reset_error();
    expand_topic_or_service_name(
      service_name, rcl_node_get_name(node_handle.get()), rcl_node_get_namespace(node_handle.get()), true);
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "could not create client"); }
  return std::shared_ptr<rcl_client_t>(
    client.release(), [node_handle, logger = rclcpp::get_node_logger(node_handle.get())](rcl_client_t * client) {
      if (rcl_client_fini(client, node_handle.get()) != RCL_RET_OK) {
        RCLCPP_ERROR(logger, "Error in destruction of rcl client handle: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete client;
    });
}

void detail::configure_rcl_client_introspection(rcl_client_t * client, rcl_node_t * node, Clock & clock,
  const rosidl_service_type_support_t * type_support, const QoS & qos, rcl_service_introspection_state_t state) {
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos.get_rmw_qos_profile();
  const rcl_ret_t ret =
    rcl_client_configure_service_introspection(client, node, clock.get_clock_handle(), type_support, options, state);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to configure client introspection"); }
}

void detail::log_unknown_response(const Logger & logger, int64_t sequence_number) {
  RCLCPP_DEBUG(logger, "Received invalid sequence number %lld: removed or pruned. Ignoring...",
    static_cast<long long>(sequence_number));
}

}  // namespace rclcpp
