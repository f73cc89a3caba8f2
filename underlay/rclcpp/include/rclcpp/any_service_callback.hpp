#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "rclcpp/function_traits.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"

namespace rclcpp {

namespace detail {

template <typename T, typename = void> struct can_be_nullptr : std::false_type {};

// Not std::is_convertible: a lambda converts to a function pointer, but is never null itself.
template <typename T>
struct can_be_nullptr<T, std::void_t<decltype(std::declval<T>() == nullptr), decltype(std::declval<T &>() = nullptr)>>
: std::true_type {};

}  // namespace detail

template <typename ServiceT> class Service;

/// Holds a service callback of any of the four signatures.
template <typename ServiceT> class AnyServiceCallback {
public:
  AnyServiceCallback() = default;

  template <typename CallbackT, typename std::enable_if_t<!detail::can_be_nullptr<CallbackT>::value, int> = 0>
  void set(CallbackT && callback) {
    assign(std::forward<CallbackT>(callback));
  }

  template <typename CallbackT, typename std::enable_if_t<detail::can_be_nullptr<CallbackT>::value, int> = 0>
  void set(CallbackT && callback) {
    if (!callback) { throw std::invalid_argument("AnyServiceCallback::set(): callback cannot be nullptr"); }
    assign(std::forward<CallbackT>(callback));
  }

  /// Run the callback; null if it deferred its response.
  std::shared_ptr<typename ServiceT::Response> dispatch(
    const std::shared_ptr<rclcpp::Service<ServiceT>> & service_handle,
    const std::shared_ptr<rmw_request_id_t> & request_header, std::shared_ptr<typename ServiceT::Request> request) {
    if (std::holds_alternative<std::monostate>(callback_)) {
      throw std::runtime_error{"unexpected request without any callback set"};
    }
    if (auto * deferred = std::get_if<SharedPtrDeferResponseCallback>(&callback_)) {
      (*deferred)(request_header, std::move(request));
      return nullptr;
    }
    if (auto * deferred = std::get_if<SharedPtrDeferResponseCallbackWithServiceHandle>(&callback_)) {
      (*deferred)(service_handle, request_header, std::move(request));
      return nullptr;
    }
    auto response = std::make_shared<typename ServiceT::Response>();
    if (auto * plain = std::get_if<SharedPtrCallback>(&callback_)) {
      (*plain)(std::move(request), response);
    } else {
      std::get<SharedPtrWithRequestHeaderCallback>(callback_)(request_header, std::move(request), response);
    }
    return response;
  }

  void register_callback_for_tracing() {}

private:
  using RequestPtr = std::shared_ptr<typename ServiceT::Request>;
  using ResponsePtr = std::shared_ptr<typename ServiceT::Response>;
  using HeaderPtr = std::shared_ptr<rmw_request_id_t>;
  using ServicePtr = std::shared_ptr<rclcpp::Service<ServiceT>>;

  using SharedPtrCallback = std::function<void(RequestPtr, ResponsePtr)>;
  using SharedPtrWithRequestHeaderCallback = std::function<void(HeaderPtr, RequestPtr, ResponsePtr)>;
  using SharedPtrDeferResponseCallback = std::function<void(HeaderPtr, RequestPtr)>;
  using SharedPtrDeferResponseCallbackWithServiceHandle = std::function<void(ServicePtr, HeaderPtr, RequestPtr)>;

  // The declared arguments decide, because a bind expression takes any number of them; what has no
  // exact match (references, generic lambdas) goes to the signature that it can be called with.
  template <typename CallbackT> void assign(CallbackT && callback) {
    using rclcpp::function_traits::same_arguments;
    if constexpr (same_arguments<CallbackT, SharedPtrCallback>::value) {
      callback_.template emplace<SharedPtrCallback>(std::forward<CallbackT>(callback));
    } else if constexpr (same_arguments<CallbackT, SharedPtrWithRequestHeaderCallback>::value) {
      callback_.template emplace<SharedPtrWithRequestHeaderCallback>(std::forward<CallbackT>(callback));
    } else if constexpr (same_arguments<CallbackT, SharedPtrDeferResponseCallback>::value) {
      callback_.template emplace<SharedPtrDeferResponseCallback>(std::forward<CallbackT>(callback));
    } else if constexpr (same_arguments<CallbackT, SharedPtrDeferResponseCallbackWithServiceHandle>::value) {
      callback_.template emplace<SharedPtrDeferResponseCallbackWithServiceHandle>(std::forward<CallbackT>(callback));
    } else {
      callback_ = std::forward<CallbackT>(callback);
    }
  }

  std::variant<std::monostate, SharedPtrCallback, SharedPtrWithRequestHeaderCallback, SharedPtrDeferResponseCallback,
    SharedPtrDeferResponseCallbackWithServiceHandle>
    callback_;
};

}  // namespace rclcpp
