// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rcl/service.h"
#include "rclcpp/any_service_callback.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/type_support_decl.hpp"

namespace rclcpp {

namespace detail {
struct QuietService;
}

class ServiceBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ServiceBase)

  ServiceBase(std::shared_ptr<rcl_node_t> node_handle, const rosidl_service_type_support_t * type_support,
    std::shared_ptr<rcl_service_t> service_handle);
  virtual ~ServiceBase() = default;

  /// The name after expansion and remapping.
  const char * get_service_name() { return rcl_service_get_service_name(service_handle_.get()); }
  std::shared_ptr<rcl_service_t> get_service_handle() { return service_handle_; }
  std::shared_ptr<const rcl_service_t> get_service_handle() const { return service_handle_; }
  /// False if there was nothing to take.
  bool take_type_erased_request(void * request_out, rmw_request_id_t & request_id_out);

  virtual std::shared_ptr<void> create_request() = 0;
  virtual std::shared_ptr<rmw_request_id_t> create_request_header() = 0;
  virtual void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) = 0;

  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }
  QoS get_response_publisher_actual_qos() const;
  QoS get_request_subscription_actual_qos() const;

  /// The callback runs in a middleware thread, with the number of requests since the last call.
  /** \throws std::invalid_argument if the callback is not callable */
  void set_on_new_request_callback(std::function<void(size_t)> callback);
  void clear_on_new_request_callback();

protected:
  /// Publish requests and responses on a hidden topic; see rcl_service_introspection_state_t.
  void configure_introspection(
    Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state);
  rcl_node_t * get_rcl_node_handle() { return node_handle_.get(); }
  static std::shared_ptr<rcl_service_t> make_rcl_service(const std::shared_ptr<rcl_node_t> & node_handle,
    const rosidl_service_type_support_t * type_support, const std::string & service_name,
    const rcl_service_options_t & options);
  void send_type_erased_response(rmw_request_id_t & request_id, void * response);

  std::shared_ptr<rcl_node_t> node_handle_;
  Logger node_logger_;
  const rosidl_service_type_support_t * srv_type_support_handle_;

  std::recursive_mutex callback_mutex_;
  // Before service_handle_, so that it outlives the rcl service that calls it.
  std::function<void(size_t)> on_new_request_callback_{nullptr};
  std::shared_ptr<rcl_service_t> service_handle_;
  std::atomic<bool> in_use_by_wait_set_{false};

private:
  friend struct detail::QuietService;
  std::atomic<bool> quiet_{false};
  std::atomic<size_t> asked_{0};
};

template <typename ServiceT> class Service : public ServiceBase,
                                             public std::enable_shared_from_this<Service<ServiceT>> {
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;

public:
  using CallbackType = std::function<void(const std::shared_ptr<Request>, std::shared_ptr<Response>)>;
  using CallbackWithHeaderType = std::function<void(
    const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<Request>, std::shared_ptr<Response>)>;

  RCLCPP_SMART_PTR_DEFINITIONS(Service)

  using ServiceBase::configure_introspection;

  /// Use rclcpp::create_service() or Node::create_service() instead.
  Service(std::shared_ptr<rcl_node_t> node_handle, const std::string & service_name,
    AnyServiceCallback<ServiceT> any_callback, rcl_service_options_t & service_options)
  : Service(node_handle, make_rcl_service(node_handle, type_support(), service_name, service_options), any_callback) {}

  /// \throws std::runtime_error if the rcl service is not initialised
  Service(std::shared_ptr<rcl_node_t> node_handle, std::shared_ptr<rcl_service_t> service_handle,
    AnyServiceCallback<ServiceT> any_callback)
  : ServiceBase(node_handle, type_support(), service_handle), any_callback_(any_callback) {}

  bool take_request(Request & request_out, rmw_request_id_t & request_id_out) {
    return take_type_erased_request(&request_out, request_id_out);
  }

  std::shared_ptr<void> create_request() override { return std::make_shared<Request>(); }
  std::shared_ptr<rmw_request_id_t> create_request_header() override { return std::make_shared<rmw_request_id_t>(); }

  void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override {
    auto response = any_callback_.dispatch(
      this->shared_from_this(), request_header, std::static_pointer_cast<Request>(std::move(request)));
    if (response) { send_response(*request_header, *response); }
  }

  void send_response(rmw_request_id_t & req_id, Response & response) { send_type_erased_response(req_id, &response); }

private:
  static const rosidl_service_type_support_t * type_support() {
    return rosidl_typesupport_cpp::get_service_type_support_handle<ServiceT>();
  }

  AnyServiceCallback<ServiceT> any_callback_;
};

}  // namespace rclcpp
