// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "rclcpp/function_traits.hpp"
#include "rmw/types.h"

namespace rclcpp {

namespace detail {

template <typename T, typename = void> struct can_be_nullptr : std::false_type {};

// Not std::is_convertible: a lambda converts to a function pointer, but is never null itself.
template <typename T>
struct can_be_nullptr<T, std::void_t<decltype(std::declval<T>() == nullptr), decltype(std::declval<T &>() = nullptr)>>
: std::true_type {};

/// The first of the signatures that has exactly the callback's arguments, or void.
template <typename CallbackT, typename... FunctionsT> struct first_with_same_arguments {
  using type = void;
};
template <typename CallbackT, typename FirstT, typename... RestT>
struct first_with_same_arguments<CallbackT, FirstT, RestT...>
: std::conditional_t<function_traits::same_arguments<CallbackT, FirstT>::value, std::common_type<FirstT>,
    first_with_same_arguments<CallbackT, RestT...>> {};

}  // namespace detail

template <typename ServiceT> class Service;

/// Holds a service callback of any of the four signatures.
template <typename ServiceT> class AnyServiceCallback {
  using RequestPtr = std::shared_ptr<typename ServiceT::Request>;
  using ResponsePtr = std::shared_ptr<typename ServiceT::Response>;
  using HeaderPtr = std::shared_ptr<rmw_request_id_t>;
  using ServicePtr = std::shared_ptr<Service<ServiceT>>;
  using Plain = std::function<void(RequestPtr, ResponsePtr)>;
  using WithHeader = std::function<void(HeaderPtr, RequestPtr, ResponsePtr)>;
  using Deferred = std::function<void(HeaderPtr, RequestPtr)>;
  using DeferredWithService = std::function<void(ServicePtr, HeaderPtr, RequestPtr)>;

public:
  // The declared arguments decide, because a bind expression takes any number of them; what has no
  // exact match (references, generic lambdas) goes to the signature that it can be called with.
  template <typename CallbackT> void set(CallbackT && callback) {
    if constexpr (detail::can_be_nullptr<CallbackT>::value) {
      if (!callback) { throw std::invalid_argument("AnyServiceCallback::set(): callback cannot be nullptr"); }
    }
    using Exact =
      typename detail::first_with_same_arguments<CallbackT, Plain, WithHeader, Deferred, DeferredWithService>::type;
    if constexpr (std::is_void_v<Exact>) {
      callback_ = std::forward<CallbackT>(callback);
    } else {
      callback_.template emplace<Exact>(std::forward<CallbackT>(callback));
    }
  }

  /// Run the callback; null if it deferred its response.
  ResponsePtr dispatch(const ServicePtr & service_handle, const HeaderPtr & request_header, RequestPtr request) {
    if (std::holds_alternative<std::monostate>(callback_)) {
      throw std::runtime_error{"unexpected request without any callback set"};
    }
    if (auto * deferred = std::get_if<Deferred>(&callback_)) {
      (*deferred)(request_header, std::move(request));
      return nullptr;
    }
    if (auto * deferred = std::get_if<DeferredWithService>(&callback_)) {
      (*deferred)(service_handle, request_header, std::move(request));
      return nullptr;
    }
    auto response = std::make_shared<typename ServiceT::Response>();
    if (auto * plain = std::get_if<Plain>(&callback_)) {
      (*plain)(std::move(request), response);
    } else {
      std::get<WithHeader>(callback_)(request_header, std::move(request), response);
    }
    return response;
  }

  void register_callback_for_tracing() {}

private:
  std::variant<std::monostate, Plain, WithHeader, Deferred, DeferredWithService> callback_;
};

}  // namespace rclcpp
