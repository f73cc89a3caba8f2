#include "rclcpp/service.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "./actual_qos.hpp"
#include "rclcpp/detail/cpp_callback_trampoline.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

ServiceBase::ServiceBase(std::shared_ptr<rcl_node_t> node_handle)
: node_handle_(std::move(node_handle)), node_logger_(rclcpp::get_node_logger(node_handle_.get())) {}

const char * ServiceBase::get_service_name() { return rcl_service_get_service_name(get_service_handle().get()); }

std::shared_ptr<rcl_service_t> ServiceBase::get_service_handle() { return service_handle_; }

std::shared_ptr<const rcl_service_t> ServiceBase::get_service_handle() const { return service_handle_; }

bool ServiceBase::take_type_erased_request(void * request_out, rmw_request_id_t & request_id_out) {
  const rcl_ret_t ret = rcl_take_request(service_handle_.get(), &request_id_out, request_out);
  if (ret == RCL_RET_SERVICE_TAKE_FAILED) {
    rcl_reset_error();
    return false;
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret); }
  return true;
}

bool ServiceBase::exchange_in_use_by_wait_set_state(bool in_use_state) {
  return in_use_by_wait_set_.exchange(in_use_state);
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
  if (!callback) { throw std::invalid_argument("The callback passed to set_on_new_request_callback is not callable."); }
  std::function<void(size_t)> guarded = [callback, this](size_t number_of_requests) {
    try {
      callback(number_of_requests);
    } catch (const std::exception & exception) {
      RCLCPP_ERROR_STREAM(node_logger_, "rclcpp::ServiceBase@" << this
                                                               << " caught exception in user-provided "
                                                                  "callback for the 'on new request' callback: "
                                                               << exception.what());
    } catch (...) {
      RCLCPP_ERROR_STREAM(node_logger_, "rclcpp::ServiceBase@"
                                          << this
                                          << " caught unhandled exception in "
                                             "user-provided callback for the 'on new request' callback");
    }
  };

  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // The middleware must never see a function that is being replaced: register the local one first.
  constexpr auto trampoline = detail::cpp_callback_trampoline<std::function<void(size_t)>>;
  set_on_new_request_callback(trampoline, static_cast<const void *>(&guarded));
  on_new_request_callback_ = guarded;
  set_on_new_request_callback(trampoline, static_cast<const void *>(&on_new_request_callback_));
}

void ServiceBase::clear_on_new_request_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  if (on_new_request_callback_) {
    set_on_new_request_callback(nullptr, nullptr);
    on_new_request_callback_ = nullptr;
  }
}

void ServiceBase::set_on_new_request_callback(rcl_event_callback_t callback, const void * user_data) {
  const rcl_ret_t ret = rcl_service_set_on_new_request_callback(service_handle_.get(), callback, user_data);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to set the on new request callback for service");
  }
}

rcl_node_t * ServiceBase::get_rcl_node_handle() { return node_handle_.get(); }

const rcl_node_t * ServiceBase::get_rcl_node_handle() const { return node_handle_.get(); }

std::shared_ptr<rcl_service_t> detail::make_rcl_service(std::shared_ptr<rcl_node_t> node_handle,
  const rosidl_service_type_support_t * type_support, const std::string & service_name,
  const rcl_service_options_t & options) {
  auto service = std::make_unique<rcl_service_t>(rcl_get_zero_initialized_service());
  const rcl_ret_t ret =
    rcl_service_init(service.get(), node_handle.get(), type_support, service_name.c_str(), &options);
  if (ret == RCL_RET_SERVICE_NAME_INVALID) {
    // Throws with the place of the mistake in the name.
    rcl_reset_error();
    expand_topic_or_service_name(
      service_name, rcl_node_get_name(node_handle.get()), rcl_node_get_namespace(node_handle.get()), true);
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "could not create service"); }
  return std::shared_ptr<rcl_service_t>(
    service.release(), [node_handle, logger = rclcpp::get_node_logger(node_handle.get())](rcl_service_t * service) {
      if (rcl_service_fini(service, node_handle.get()) != RCL_RET_OK) {
        RCLCPP_ERROR(logger, "Error in destruction of rcl service handle: %s", rcl_get_error_string().str);
        rcl_reset_error();
      }
      delete service;
    });
}

void detail::send_rcl_response(
  rcl_service_t * service, rmw_request_id_t & request_id, void * response, const Logger & logger) {
  const rcl_ret_t ret = rcl_send_response(service, &request_id, response);
  if (ret == RCL_RET_TIMEOUT) {
    // The client has gone; the service is not to fall with it.
    RCLCPP_WARN(logger, "failed to send response to %s (timeout): %s", rcl_service_get_service_name(service),
      rcl_get_error_string().str);
    rcl_reset_error();
    return;
  }
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to send response"); }
}

void detail::configure_rcl_service_introspection(rcl_service_t * service, rcl_node_t * node, Clock & clock,
  const rosidl_service_type_support_t * type_support, const QoS & qos, rcl_service_introspection_state_t state) {
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos.get_rmw_qos_profile();
  const rcl_ret_t ret =
    rcl_service_configure_service_introspection(service, node, clock.get_clock_handle(), type_support, options, state);
  if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to configure service introspection"); }
}

}  // namespace rclcpp
