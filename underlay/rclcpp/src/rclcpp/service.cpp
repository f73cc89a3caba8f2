// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/service.hpp"

#include "actual_qos.hpp"
#include "new_event_callback.hpp"
#include "service_handle.hpp"

namespace rclcpp {

ServiceBase::ServiceBase(std::shared_ptr<rcl_node_t> node_handle, const rosidl_service_type_support_t * type_support,
  std::shared_ptr<rcl_service_t> service_handle)
: node_handle_(node_handle),
  node_logger_(get_node_logger(node_handle.get())),
  srv_type_support_handle_(type_support),
  service_handle_(service_handle) {
  if (!rcl_service_is_valid(service_handle_.get())) {
    rcl_reset_error();
    throw std::runtime_error("rcl_service_t in constructor argument must be initialized.");
  }
}

std::shared_ptr<rcl_service_t> ServiceBase::make_rcl_service(const std::shared_ptr<rcl_node_t> & node_handle,
  const rosidl_service_type_support_t * type_support, const std::string & service_name,
  const rcl_service_options_t & options) {
  return detail::make_service_handle(rcl_get_zero_initialized_service(), rcl_service_init, rcl_service_fini,
    node_handle, type_support, service_name, options, "service");
}

bool ServiceBase::take_type_erased_request(void * request_out, rmw_request_id_t & request_id_out) {
  const rcl_ret_t ret = rcl_take_request(service_handle_.get(), &request_id_out, request_out);
  return detail::was_taken(ret, RCL_RET_SERVICE_TAKE_FAILED);
}

void ServiceBase::send_type_erased_response(rmw_request_id_t & request_id, void * response) {
  const rcl_ret_t ret = rcl_send_response(service_handle_.get(), &request_id, response);
  if (ret == RCL_RET_TIMEOUT) {
    // The client has gone; the service is not to fall with it.
    RCLCPP_WARN(
      node_logger_, "failed to send response to %s (timeout): %s", get_service_name(), rcl_get_error_string().str);
    rcl_reset_error();
    return;
  }
  detail::check(ret, "failed to send response");
}

QoS ServiceBase::get_response_publisher_actual_qos() const {
  return detail::actual_qos(
    rcl_service_response_publisher_get_actual_qos(service_handle_.get()), "service's response publisher");
}

QoS ServiceBase::get_request_subscription_actual_qos() const {
  return detail::actual_qos(
    rcl_service_request_subscription_get_actual_qos(service_handle_.get()), "service's request subscription");
}

void ServiceBase::set_on_new_request_callback(std::function<void(size_t)> callback) {
  detail::replace_new_event_callback(callback_mutex_, on_new_request_callback_,
    detail::without_exceptions("set_on_new_request_callback", callback), rcl_service_set_on_new_request_callback,
    service_handle_.get(), "failed to set the on new request callback for service");
}

void ServiceBase::clear_on_new_request_callback() {
  detail::replace_new_event_callback(callback_mutex_, on_new_request_callback_, nullptr,
    rcl_service_set_on_new_request_callback, service_handle_.get(),
    "failed to set the on new request callback for service");
}

void ServiceBase::configure_introspection(
  Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state) {
  detail::check(
    rcl_service_configure_service_introspection(service_handle_.get(), node_handle_.get(), clock->get_clock_handle(),
      srv_type_support_handle_, detail::introspection_options(qos_service_event_pub), introspection_state),
    "failed to configure service introspection");
}

}  // namespace rclcpp
