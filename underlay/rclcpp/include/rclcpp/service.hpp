#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "rcl/error_handling.h"
#include "rcl/event_callback.h"
#include "rcl/service.h"
#include "rcl/service_introspection.h"
#include "rclcpp/any_service_callback.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/type_support_decl.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/error_handling.h"
#include "rmw/rmw.h"

namespace rclcpp {

class ServiceBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ServiceBase)

  RCLCPP_PUBLIC explicit ServiceBase(std::shared_ptr<rcl_node_t> node_handle);

  RCLCPP_PUBLIC virtual ~ServiceBase() = default;

  /// The name after expansion and remapping.
  RCLCPP_PUBLIC const char * get_service_name();

  RCLCPP_PUBLIC std::shared_ptr<rcl_service_t> get_service_handle();

  RCLCPP_PUBLIC std::shared_ptr<const rcl_service_t> get_service_handle() const;

  /// False if there was nothing to take.
  RCLCPP_PUBLIC bool take_type_erased_request(void * request_out, rmw_request_id_t & request_id_out);

  virtual std::shared_ptr<void> create_request() = 0;

  virtual std::shared_ptr<rmw_request_id_t> create_request_header() = 0;

  virtual void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) = 0;

  RCLCPP_PUBLIC bool exchange_in_use_by_wait_set_state(bool in_use_state);

  RCLCPP_PUBLIC rclcpp::QoS get_response_publisher_actual_qos() const;

  RCLCPP_PUBLIC rclcpp::QoS get_request_subscription_actual_qos() const;

  /// The callback runs in a middleware thread, with the number of requests since the last call.
  /** \throws std::invalid_argument if the callback is not callable */
  RCLCPP_PUBLIC void set_on_new_request_callback(std::function<void(size_t)> callback);

  RCLCPP_PUBLIC void clear_on_new_request_callback();

protected:
  RCLCPP_DISABLE_COPY(ServiceBase)

  RCLCPP_PUBLIC void set_on_new_request_callback(rcl_event_callback_t callback, const void * user_data);

  RCLCPP_PUBLIC rcl_node_t * get_rcl_node_handle();

  RCLCPP_PUBLIC const rcl_node_t * get_rcl_node_handle() const;

  std::shared_ptr<rcl_node_t> node_handle_;

  std::recursive_mutex callback_mutex_;
  // Before service_handle_, so that it outlives the rcl service that calls it.
  std::function<void(size_t)> on_new_request_callback_{nullptr};

  std::shared_ptr<rcl_service_t> service_handle_;
  bool owns_rcl_handle_ = true;

  rclcpp::Logger node_logger_;

  std::atomic<bool> in_use_by_wait_set_{false};
};

namespace detail {

/// Make the rcl service; throws with the service's name in the message where the name is invalid.
RCLCPP_PUBLIC std::shared_ptr<rcl_service_t> make_rcl_service(std::shared_ptr<rcl_node_t> node_handle,
  const rosidl_service_type_support_t * type_support, const std::string & service_name,
  const rcl_service_options_t & options);

RCLCPP_PUBLIC void send_rcl_response(
  rcl_service_t * service, rmw_request_id_t & request_id, void * response, const rclcpp::Logger & logger);

RCLCPP_PUBLIC void configure_rcl_service_introspection(rcl_service_t * service, rcl_node_t * node,
  rclcpp::Clock & clock, const rosidl_service_type_support_t * type_support, const rclcpp::QoS & qos,
  rcl_service_introspection_state_t state);

}  // namespace detail

template <typename ServiceT>
class Service : public ServiceBase, public std::enable_shared_from_this<Service<ServiceT>> {
public:
  using CallbackType = std::function<void(
    const std::shared_ptr<typename ServiceT::Request>, std::shared_ptr<typename ServiceT::Response>)>;

  using CallbackWithHeaderType = std::function<void(const std::shared_ptr<rmw_request_id_t>,
    const std::shared_ptr<typename ServiceT::Request>, std::shared_ptr<typename ServiceT::Response>)>;

  RCLCPP_SMART_PTR_DEFINITIONS(Service)

  /// Use rclcpp::create_service() or Node::create_service() instead.
  Service(std::shared_ptr<rcl_node_t> node_handle, const std::string & service_name,
    AnyServiceCallback<ServiceT> any_callback, rcl_service_options_t & service_options)
  : ServiceBase(node_handle), any_callback_(any_callback), srv_type_support_handle_(type_support()) {
    service_handle_ = detail::make_rcl_service(node_handle_, srv_type_support_handle_, service_name, service_options);
  }

  Service(std::shared_ptr<rcl_node_t> node_handle, std::shared_ptr<rcl_service_t> service_handle,
    AnyServiceCallback<ServiceT> any_callback)
  : ServiceBase(node_handle), any_callback_(any_callback), srv_type_support_handle_(type_support()) {
    if (!rcl_service_is_valid(service_handle.get())) {
      rcl_reset_error();
      throw std::runtime_error("rcl_service_t in constructor argument must be initialized.");
    }
    service_handle_ = service_handle;
  }

  Service(
    std::shared_ptr<rcl_node_t> node_handle, rcl_service_t * service_handle, AnyServiceCallback<ServiceT> any_callback)
  : Service(
      // An aliasing pointer without an owner: the caller keeps the rcl service.
      node_handle, std::shared_ptr<rcl_service_t>(std::shared_ptr<void>{}, service_handle), any_callback) {
    owns_rcl_handle_ = false;
  }

  Service() = delete;

  virtual ~Service() = default;

  bool take_request(typename ServiceT::Request & request_out, rmw_request_id_t & request_id_out) {
    return this->take_type_erased_request(&request_out, request_id_out);
  }

  std::shared_ptr<void> create_request() override { return std::make_shared<typename ServiceT::Request>(); }

  std::shared_ptr<rmw_request_id_t> create_request_header() override { return std::make_shared<rmw_request_id_t>(); }

  void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override {
    auto response = any_callback_.dispatch(this->shared_from_this(), request_header,
      std::static_pointer_cast<typename ServiceT::Request>(std::move(request)));
    if (response) { send_response(*request_header, *response); }
  }

  void send_response(rmw_request_id_t & req_id, typename ServiceT::Response & response) {
    detail::send_rcl_response(service_handle_.get(), req_id, &response, node_logger_);
  }

  /// Publish requests and responses on a hidden topic; see rcl_service_introspection_state_t.
  void configure_introspection(
    Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state) {
    detail::configure_rcl_service_introspection(service_handle_.get(), node_handle_.get(), *clock,
      srv_type_support_handle_, qos_service_event_pub, introspection_state);
  }

private:
  RCLCPP_DISABLE_COPY(Service)

  static const rosidl_service_type_support_t * type_support() {
    return rosidl_typesupport_cpp::get_service_type_support_handle<ServiceT>();
  }

  AnyServiceCallback<ServiceT> any_callback_;
  const rosidl_service_type_support_t * srv_type_support_handle_;
};

}  // namespace rclcpp
