// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <future>
#include <optional>
#include <variant>

#include "rcl/client.h"
#include "rclcpp/clock.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"
#include "rclcpp/function_traits.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/type_support_decl.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

namespace node_interfaces {
class NodeBaseInterface;
}

namespace detail {

/// A future together with the number under which its request can be removed.
template <typename FutureT> struct FutureAndRequestId {
  FutureT future;
  int64_t request_id;

  FutureAndRequestId(FutureT impl, int64_t req_id) : future(std::move(impl)), request_id(req_id) {}
  FutureAndRequestId(FutureAndRequestId && other) noexcept = default;
  FutureAndRequestId & operator=(FutureAndRequestId && other) noexcept = default;

  operator FutureT &() { return future; }
  auto get() { return future.get(); }
  bool valid() const noexcept { return future.valid(); }
  void wait() const { future.wait(); }
  template <class DurationT> std::future_status wait_for(const DurationT & timeout) const {
    return future.wait_for(timeout);
  }
  template <class TimePointT> std::future_status wait_until(const TimePointT & timeout) const {
    return future.wait_until(timeout);
  }
};

}  // namespace detail

class ClientBase {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(ClientBase)

  ClientBase(node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeGraphInterface::SharedPtr node_graph,
    const rosidl_service_type_support_t * type_support, const std::string & service_name,
    const rcl_client_options_t & options);
  virtual ~ClientBase() = default;

  /// False if there was nothing to take.
  bool take_type_erased_response(void * response_out, rmw_request_id_t & request_header_out);
  /// The name after expansion and remapping.
  const char * get_service_name() const { return rcl_client_get_service_name(client_handle_.get()); }
  std::shared_ptr<rcl_client_t> get_client_handle() { return client_handle_; }
  std::shared_ptr<const rcl_client_t> get_client_handle() const { return client_handle_; }
  bool service_is_ready() const;

  /// Wait on graph changes until the service is there; a negative timeout waits forever.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  virtual std::shared_ptr<void> create_response() = 0;
  virtual std::shared_ptr<rmw_request_id_t> create_request_header() = 0;
  virtual void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) = 0;

  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }
  QoS get_request_publisher_actual_qos() const;
  QoS get_response_subscription_actual_qos() const;

  /// The callback runs in a middleware thread, with the number of responses since the last call.
  /** \throws std::invalid_argument if the callback is not callable */
  void set_on_new_response_callback(std::function<void(size_t)> callback);
  void clear_on_new_response_callback();

protected:
  /// Publish requests and responses on a hidden topic; see rcl_service_introspection_state_t.
  void configure_introspection(
    Clock::SharedPtr clock, const QoS & qos_service_event_pub, rcl_service_introspection_state_t introspection_state);
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

  node_interfaces::NodeGraphInterface::WeakPtr node_graph_;
  std::shared_ptr<rcl_node_t> node_handle_;
  std::shared_ptr<Context> context_;
  Logger node_logger_;
  const rosidl_service_type_support_t * srv_type_support_handle_;

  std::recursive_mutex callback_mutex_;
  // Before client_handle_, so that it outlives the rcl client that calls it.
  std::function<void(size_t)> on_new_response_callback_{nullptr};
  std::shared_ptr<rcl_client_t> client_handle_;
  std::atomic<bool> in_use_by_wait_set_{false};
};

template <typename ServiceT> class Client : public ClientBase {
public:
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;
  using SharedRequest = typename Request::SharedPtr;
  using SharedResponse = typename Response::SharedPtr;
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

  using ClientBase::configure_introspection;

  struct FutureAndRequestId : detail::FutureAndRequestId<Future> {
    using detail::FutureAndRequestId<Future>::FutureAndRequestId;

    [[deprecated("FutureAndRequestId: use .future instead of an implicit conversion")]] operator SharedFuture() {
      return share();
    }
    SharedFuture share() noexcept { return this->future.share(); }
  };
  using SharedFutureAndRequestId = detail::FutureAndRequestId<SharedFuture>;
  using SharedFutureWithRequestAndRequestId = detail::FutureAndRequestId<SharedFutureWithRequest>;

  /// Use rclcpp::create_client() or Node::create_client() instead.
  Client(node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeGraphInterface::SharedPtr node_graph,
    const std::string & service_name, rcl_client_options_t & client_options)
  : ClientBase(node_base, node_graph, rosidl_typesupport_cpp::get_service_type_support_handle<ServiceT>(), service_name,
      client_options) {}

  bool take_response(Response & response_out, rmw_request_id_t & request_header_out) {
    return take_type_erased_response(&response_out, request_header_out);
  }

  std::shared_ptr<void> create_response() override { return std::make_shared<Response>(); }
  std::shared_ptr<rmw_request_id_t> create_request_header() override { return std::make_shared<rmw_request_id_t>(); }

  void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) override {
    auto pending = take_pending(request_header->sequence_number);
    if (!pending) {
      RCLCPP_DEBUG(node_logger_, "Received invalid sequence number %lld: removed or pruned. Ignoring...",
        static_cast<long long>(request_header->sequence_number));
      return;
    }
    auto typed_response = std::static_pointer_cast<Response>(response);
    if (auto * promise = std::get_if<Promise>(&*pending)) {
      promise->set_value(std::move(typed_response));
    } else if (auto * with_callback = std::get_if<Pending<SharedResponse>>(&*pending)) {
      with_callback->fulfil(std::move(typed_response));
    } else {
      auto & with_request = std::get<Pending<std::pair<SharedRequest, SharedResponse>>>(*pending);
      with_request.fulfil({std::move(with_request.request), std::move(typed_response)});
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
    std::enable_if_t<function_traits::same_arguments<CallbackT, CallbackType>::value> * = nullptr>
  SharedFutureAndRequestId async_send_request(SharedRequest request, CallbackT && cb) {
    return send_with_callback<SharedResponse>(request, std::forward<CallbackT>(cb));
  }

  template <typename CallbackT,
    std::enable_if_t<function_traits::same_arguments<CallbackT, CallbackWithRequestType>::value> * = nullptr>
  SharedFutureWithRequestAndRequestId async_send_request(SharedRequest request, CallbackT && cb) {
    return send_with_callback<std::pair<SharedRequest, SharedResponse>>(request, std::forward<CallbackT>(cb));
  }

  /// Forget a request: its future breaks, a late answer is dropped. True if it was pending.
  bool remove_pending_request(int64_t request_id) { return take_pending(request_id).has_value(); }

  template <typename FutureT> bool remove_pending_request(const detail::FutureAndRequestId<FutureT> & future) {
    return remove_pending_request(future.request_id);
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
    // Broken promises may run code of the user, hence outside the lock.
    std::vector<PendingRequest> removed;
    std::lock_guard<std::mutex> lock(pending_requests_mutex_);
    for (auto it = pending_requests_.begin(); it != pending_requests_.end();) {
      if (it->second.first < time_point) {
        if (pruned_requests) { pruned_requests->push_back(it->first); }
        removed.push_back(std::move(it->second.second));
        it = pending_requests_.erase(it);
      } else {
        ++it;
      }
    }
    return removed.size();
  }

private:
  template <typename ValueT> struct Pending {
    std::function<void(std::shared_future<ValueT>)> callback;
    SharedRequest request;
    std::promise<ValueT> promise{};
    std::shared_future<ValueT> future = promise.get_future().share();

    void fulfil(ValueT value) {
      promise.set_value(std::move(value));
      callback(std::move(future));
    }
  };

  using PendingRequest =
    std::variant<Promise, Pending<SharedResponse>, Pending<std::pair<SharedRequest, SharedResponse>>>;

  template <typename ValueT, typename CallbackT>
  detail::FutureAndRequestId<std::shared_future<ValueT>> send_with_callback(SharedRequest request, CallbackT && cb) {
    Pending<ValueT> pending{std::forward<CallbackT>(cb), request};
    auto future = pending.future;
    const auto id = send(*request, std::move(pending));
    return {std::move(future), id};
  }

  // The lock spans send and insert, so that an answer cannot overtake its entry.
  int64_t send(const Request & request, PendingRequest && pending) {
    int64_t sequence_number;
    std::lock_guard<std::mutex> lock(pending_requests_mutex_);
    const rcl_ret_t ret = rcl_send_request(client_handle_.get(), &request, &sequence_number);
    if (ret != RCL_RET_OK) { exceptions::throw_from_rcl_error(ret, "failed to send request"); }
    pending_requests_.try_emplace(sequence_number, std::chrono::system_clock::now(), std::move(pending));
    return sequence_number;
  }

  std::optional<PendingRequest> take_pending(int64_t sequence_number) {
    std::lock_guard<std::mutex> lock(pending_requests_mutex_);
    auto node = pending_requests_.extract(sequence_number);
    if (node.empty()) { return std::nullopt; }
    return std::move(node.mapped().second);
  }

  std::unordered_map<int64_t, std::pair<std::chrono::time_point<std::chrono::system_clock>, PendingRequest>>
    pending_requests_;
  std::mutex pending_requests_mutex_;
};

}  // namespace rclcpp
