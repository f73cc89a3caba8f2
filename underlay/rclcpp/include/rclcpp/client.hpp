#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "rcl/client.h"
#include "rcl/error_handling.h"
#include "rcl/event_callback.h"
#include "rcl/service_introspection.h"
#include "rcl/wait.h"
#include "rclcpp/clock.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/type_support_decl.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/error_handling.h"
#include "rmw/impl/cpp/demangle.hpp"
#include "rmw/rmw.h"

namespace rclcpp {

namespace node_interfaces {
class NodeBaseInterface;
}  // namespace node_interfaces

namespace detail {

/// A future together with the number under which its request can be removed.
template <typename FutureT> struct FutureAndRequestId {
  FutureT future;
  int64_t request_id;

  FutureAndRequestId(FutureT impl, int64_t req_id) : future(std::move(impl)), request_id(req_id) {}

  operator FutureT &() { return this->future; }

  auto get() { return this->future.get(); }
  bool valid() const noexcept { return this->future.valid(); }
  void wait() const { this->future.wait(); }

  template <class Rep, class Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period> & timeout_duration) const {
    return this->future.wait_for(timeout_duration);
  }

  template <class Clock, class Duration>
  std::future_status wait_until(const std::chrono::time_point<Clock, Duration> & timeout_time) const {
    return this->future.wait_until(timeout_time);
  }

  FutureAndRequestId(FutureAndRequestId && other) noexcept = default;
  FutureAndRequestId(const FutureAndRequestId & other) = delete;
  FutureAndRequestId & operator=(FutureAndRequestId && other) noexcept = default;
  FutureAndRequestId & operator=(const FutureAndRequestId & other) = delete;
  ~FutureAndRequestId() = default;
};

/// Remove the requests sent before `time_point` from a map of (time, ...) pairs.
template <typename PendingRequestsT, typename AllocatorT = std::allocator<int64_t>>
size_t prune_requests_older_than_impl(PendingRequestsT & pending_requests, std::mutex & pending_requests_mutex,
  std::chrono::time_point<std::chrono::system_clock> time_point,
  std::vector<int64_t, AllocatorT> * pruned_requests = nullptr) {
  // Broken promises may run code of the user, hence outside the lock.
  std::vector<typename PendingRequestsT::mapped_type> removed;
  {
    std::lock_guard<std::mutex> lock(pending_requests_mutex);
    for (auto it = pending_requests.begin(); it != pending_requests.end();) {
      if (it->second.first < time_point) {
        if (pruned_requests) { pruned_requests->push_back(it->first); }
        removed.push_back(std::move(it->second));
        it = pending_requests.erase(it);
      } else {
        ++it;
      }
    }
  }
  return removed.size();
}

}  // namespace detail

class ClientBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ClientBase)

  RCLCPP_PUBLIC ClientBase(rclcpp::node_interfaces::NodeBaseInterface * node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph);

  RCLCPP_PUBLIC virtual ~ClientBase() = default;

  /// False if there was nothing to take.
  RCLCPP_PUBLIC bool take_type_erased_response(void * response_out, rmw_request_id_t & request_header_out);

  /// The name after expansion and remapping.
  RCLCPP_PUBLIC const char * get_service_name() const;

  RCLCPP_PUBLIC std::shared_ptr<rcl_client_t> get_client_handle();

  RCLCPP_PUBLIC std::shared_ptr<const rcl_client_t> get_client_handle() const;

  RCLCPP_PUBLIC bool service_is_ready() const;

  /// Wait on graph changes until the service is there; a negative timeout waits forever.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  virtual std::shared_ptr<void> create_response() = 0;
  virtual std::shared_ptr<rmw_request_id_t> create_request_header() = 0;
  virtual void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) = 0;

  RCLCPP_PUBLIC bool exchange_in_use_by_wait_set_state(bool in_use_state);

  RCLCPP_PUBLIC rclcpp::QoS get_request_publisher_actual_qos() const;

  RCLCPP_PUBLIC rclcpp::QoS get_response_subscription_actual_qos() const;

  /// The callback runs in a middleware thread, with the number of responses since the last call.
  /** \throws std::invalid_argument if the callback is not callable */
  RCLCPP_PUBLIC void set_on_new_response_callback(std::function<void(size_t)> callback);

  RCLCPP_PUBLIC void clear_on_new_response_callback();

protected:
  RCLCPP_DISABLE_COPY(ClientBase)

  RCLCPP_PUBLIC bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

  RCLCPP_PUBLIC rcl_node_t * get_rcl_node_handle();

  RCLCPP_PUBLIC const rcl_node_t * get_rcl_node_handle() const;

  RCLCPP_PUBLIC void set_on_new_response_callback(rcl_event_callback_t callback, const void * user_data);

  rclcpp::node_interfaces::NodeGraphInterface::WeakPtr node_graph_;
  std::shared_ptr<rcl_node_t> node_handle_;
  std::shared_ptr<rclcpp::Context> context_;
  rclcpp::Logger node_logger_;

  std::recursive_mutex callback_mutex_;
  // Before client_handle_, so that it outlives the rcl client that calls it.
  std::function<void(size_t)> on_new_response_callback_{nullptr};

  std::shared_ptr<rcl_client_t> client_handle_;

  std::atomic<bool> in_use_by_wait_set_{false};
};

namespace detail {

RCLCPP_PUBLIC std::shared_ptr<rcl_client_t> make_rcl_client(std::shared_ptr<rcl_node_t> node_handle,
  const rosidl_service_type_support_t * type_support, const std::string & service_name,
  const rcl_client_options_t & options);

RCLCPP_PUBLIC void configure_rcl_client_introspection(rcl_client_t * client, rcl_node_t * node, rclcpp::Clock & clock,
  const rosidl_service_type_support_t * type_support, const rclcpp::QoS & qos, rcl_service_introspection_state_t state);

RCLCPP_PUBLIC void log_unknown_response(const rclcpp::Logger & logger, int64_t sequence_number);

}  // namespace detail

template <typename ServiceT> class Client : public ClientBase {
public:
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;

  using SharedRequest = typename ServiceT::Request::SharedPtr;
  using SharedResponse = typename ServiceT::Response::SharedPtr;

  using Promise = std::promise<SharedResponse>;
  using PromiseWithRequest = std::promise<std::pair<SharedRequest, SharedResponse>>;

  using SharedPromise = std::shared_ptr<Promise>;
  using SharedPromiseWithRequest = std::shared_ptr<PromiseWithRequest>;

  using Future = std::future<SharedResponse>;
  using SharedFuture = std::shared_future<SharedResponse>;
  using SharedFutureWithRequest = std::shared_future<std::pair<SharedRequest, SharedResponse>>;

  using CallbackType = std::function<void(SharedFuture)>;
  using CallbackWithRequestType = std::function<void(SharedFutureWithRequest)>;

  RCLCPP_SMART_PTR_DEFINITIONS(Client)

  struct FutureAndRequestId : detail::FutureAndRequestId<std::future<SharedResponse>> {
    using detail::FutureAndRequestId<std::future<SharedResponse>>::FutureAndRequestId;

    [[deprecated("FutureAndRequestId: use .future instead of an implicit conversion")]] operator SharedFuture() {
      return this->future.share();
    }

    SharedFuture share() noexcept { return this->future.share(); }
  };

  struct SharedFutureAndRequestId : detail::FutureAndRequestId<std::shared_future<SharedResponse>> {
    using detail::FutureAndRequestId<std::shared_future<SharedResponse>>::FutureAndRequestId;
  };

  struct SharedFutureWithRequestAndRequestId
  : detail::FutureAndRequestId<std::shared_future<std::pair<SharedRequest, SharedResponse>>> {
    using detail::FutureAndRequestId<std::shared_future<std::pair<SharedRequest, SharedResponse>>>::FutureAndRequestId;
  };

  /// Use rclcpp::create_client() or Node::create_client() instead.
  Client(rclcpp::node_interfaces::NodeBaseInterface * node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph, const std::string & service_name,
    rcl_client_options_t & client_options)
  : ClientBase(node_base, node_graph),
    srv_type_support_handle_(rosidl_typesupport_cpp::get_service_type_support_handle<ServiceT>()) {
    client_handle_ = detail::make_rcl_client(node_handle_, srv_type_support_handle_, service_name, client_options);
  }

  virtual ~Client() = default;

  bool take_response(typename ServiceT::Response & response_out, rmw_request_id_t & request_header_out) {
    return this->take_type_erased_response(&response_out, request_header_out);
  }

  std::shared_ptr<void> create_response() override { return std::make_shared<typename ServiceT::Response>(); }

  std::shared_ptr<rmw_request_id_t> create_request_header() override { return std::make_shared<rmw_request_id_t>(); }

  void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) override {
    auto pending = take_pending(request_header->sequence_number);
    if (!pending) { return; }
    auto typed_response = std::static_pointer_cast<typename ServiceT::Response>(response);
    if (auto * promise = std::get_if<Promise>(&*pending)) {
      promise->set_value(std::move(typed_response));
    } else if (auto * waiting = std::get_if<PendingCallback>(&*pending)) {
      waiting->promise.set_value(std::move(typed_response));
      waiting->callback(std::move(waiting->future));
    } else {
      auto & with_request = std::get<PendingCallbackWithRequest>(*pending);
      with_request.promise.set_value(std::make_pair(std::move(with_request.request), std::move(typed_response)));
      with_request.callback(std::move(with_request.future));
    }
  }

  /// Send a request; the executor that spins this client's node fulfils the future.
  /**
   * A request that is never answered stays pending until it is removed or pruned.
   */
  FutureAndRequestId async_send_request(SharedRequest request) {
    Promise promise;
    auto future = promise.get_future();
    const auto id = send(*request, std::move(promise));
    return FutureAndRequestId(std::move(future), id);
  }

  template <typename CallbackT,
    typename std::enable_if<rclcpp::function_traits::same_arguments<CallbackT, CallbackType>::value>::type * = nullptr>
  SharedFutureAndRequestId async_send_request(SharedRequest request, CallbackT && cb) {
    PendingCallback pending{CallbackType(std::forward<CallbackT>(cb)), {}, {}};
    pending.future = pending.promise.get_future().share();
    auto future = pending.future;
    const auto id = send(*request, std::move(pending));
    return SharedFutureAndRequestId{std::move(future), id};
  }

  template <typename CallbackT, typename std::enable_if<rclcpp::function_traits::same_arguments<CallbackT,
                                  CallbackWithRequestType>::value>::type * = nullptr>
  SharedFutureWithRequestAndRequestId async_send_request(SharedRequest request, CallbackT && cb) {
    PendingCallbackWithRequest pending{CallbackWithRequestType(std::forward<CallbackT>(cb)), request, {}, {}};
    pending.future = pending.promise.get_future().share();
    auto future = pending.future;
    const auto id = send(*request, std::move(pending));
    return SharedFutureWithRequestAndRequestId{std::move(future), id};
  }

  /// Forget a request: its future breaks, a late answer is dropped. True if it was pending.
  bool remove_pending_request(int64_t request_id) {
    std::optional<PendingRequest> removed;
    std::lock_guard<std::mutex> guard(pending_requests_mutex_);
    auto it = pending_requests_.find(request_id);
    if (it == pending_requests_.end()) { return false; }
    removed = std::move(it->second.second);
    pending_requests_.erase(it);
    return true;
  }

  bool remove_pending_request(const FutureAndRequestId & future) {
    return this->remove_pending_request(future.request_id);
  }

  bool remove_pending_request(const SharedFutureAndRequestId & future) {
    return this->remove_pending_request(future.request_id);
  }

  bool remove_pending_request(const SharedFutureWithRequestAndRequestId & future) {
    return this->remove_pending_request(future.request_id);
  }

  size_t prune_pending_requests() {
    decltype(pending_requests_) removed;
    std::lock_guard<std::mutex> guard(pending_requests_mutex_);
    removed.swap(pending_requests_);
    return removed.size();
  }

  template <typename AllocatorT = std::allocator<int64_t>>
  size_t prune_requests_older_than(std::chrono::time_point<std::chrono::system_clock> time_point,
    std::vector<int64_t, AllocatorT> * pruned_requests = nullptr) {
    return detail::prune_requests_older_than_impl(
      pending_requests_, pending_requests_mutex_, time_point, pruned_requests);
  }

  /// Publish requests and responses on a hidden topic; see rcl_service_introspection_state_t.
  void configure_introspection(
    Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state) {
    detail::configure_rcl_client_introspection(client_handle_.get(), node_handle_.get(), *clock,
      srv_type_support_handle_, qos_service_event_pub, introspection_state);
  }

private:
  RCLCPP_DISABLE_COPY(Client)

  struct PendingCallback {
    CallbackType callback;
    SharedFuture future;
    Promise promise;
  };

  struct PendingCallbackWithRequest {
    CallbackWithRequestType callback;
    SharedRequest request;
    SharedFutureWithRequest future;
    PromiseWithRequest promise;
  };

  using PendingRequest = std::variant<Promise, PendingCallback, PendingCallbackWithRequest>;

  // The lock spans send and insert, so that an answer cannot overtake its entry.
  int64_t send(const Request & request, PendingRequest && pending) {
    int64_t sequence_number;
    std::lock_guard<std::mutex> lock(pending_requests_mutex_);
    const rcl_ret_t ret = rcl_send_request(client_handle_.get(), &request, &sequence_number);
    if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, "failed to send request"); }
    pending_requests_.try_emplace(sequence_number, std::chrono::system_clock::now(), std::move(pending));
    return sequence_number;
  }

  std::optional<PendingRequest> take_pending(int64_t sequence_number) {
    std::lock_guard<std::mutex> lock(pending_requests_mutex_);
    auto it = pending_requests_.find(sequence_number);
    if (it == pending_requests_.end()) {
      detail::log_unknown_response(node_logger_, sequence_number);
      return std::nullopt;
    }
    std::optional<PendingRequest> pending{std::move(it->second.second)};
    pending_requests_.erase(it);
    return pending;
  }

  std::unordered_map<int64_t, std::pair<std::chrono::time_point<std::chrono::system_clock>, PendingRequest>>
    pending_requests_;
  std::mutex pending_requests_mutex_;
  const rosidl_service_type_support_t * srv_type_support_handle_;
};

}  // namespace rclcpp
