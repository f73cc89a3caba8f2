#pragma once

#include <cassert>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rcl/wait.h"
#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/wait_result_kind.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

/// The result of waiting on a wait set. A Ready result blocks the wait set while it lives.
template <class WaitSetT> class WaitResult final {
public:
  static WaitResult from_ready_wait_result_kind(WaitSetT & wait_set) {
    return WaitResult(WaitResultKind::Ready, wait_set);
  }

  static WaitResult from_timeout_wait_result_kind() { return WaitResult(WaitResultKind::Timeout); }

  static WaitResult from_empty_wait_result_kind() { return WaitResult(WaitResultKind::Empty); }

  WaitResultKind kind() const { return wait_result_kind_; }

  /// \throws std::runtime_error unless the result is Ready
  const WaitSetT & get_wait_set() const {
    require_ready();
    return *wait_set_pointer_;
  }

  WaitSetT & get_wait_set() {
    require_ready();
    return *wait_set_pointer_;
  }

  WaitResult(WaitResult && other) noexcept
  : wait_result_kind_(other.wait_result_kind_), wait_set_pointer_(std::exchange(other.wait_set_pointer_, nullptr)) {}

  ~WaitResult() {
    if (wait_set_pointer_) { wait_set_pointer_->wait_result_release(); }
  }

  /// The first ready timer from the index on, with its index; null if there is none.
  std::pair<std::shared_ptr<rclcpp::TimerBase>, size_t> peek_next_ready_timer(size_t start_index = 0) {
    if (kind() != WaitResultKind::Ready) { return {nullptr, start_index}; }
    const auto & rcl_wait_set = get_wait_set().get_rcl_wait_set();
    size_t index = start_index;
    for (; index < get_wait_set().size_of_timers(); ++index) {
      if (rcl_wait_set.timers[index]) { return {get_wait_set().timers(index), index}; }
    }
    return {nullptr, index};
  }

  /// Do not report this timer again.
  void clear_timer_with_index(size_t index) { get_wait_set().clear_ready_timer(index); }

  /// The following each report every ready entity once, then null.
  std::shared_ptr<rclcpp::SubscriptionBase> next_ready_subscription() {
    return next_ready([](auto & wait_set) { return wait_set.next_ready_subscription(); });
  }

  std::shared_ptr<rclcpp::ServiceBase> next_ready_service() {
    return next_ready([](auto & wait_set) { return wait_set.next_ready_service(); });
  }

  std::shared_ptr<rclcpp::ClientBase> next_ready_client() {
    return next_ready([](auto & wait_set) { return wait_set.next_ready_client(); });
  }

  std::shared_ptr<rclcpp::Waitable> next_ready_waitable() {
    return next_ready([](auto & wait_set) { return wait_set.next_ready_waitable(); });
  }

private:
  RCLCPP_DISABLE_COPY(WaitResult)

  explicit WaitResult(WaitResultKind wait_result_kind) : wait_result_kind_(wait_result_kind) {}

  WaitResult(WaitResultKind wait_result_kind, WaitSetT & wait_set)
  : wait_result_kind_(wait_result_kind), wait_set_pointer_(&wait_set) {
    wait_set_pointer_->wait_result_acquire();
  }

  void require_ready() const {
    if (kind() != WaitResultKind::Ready) {
      throw std::runtime_error("cannot access wait set when the result was not ready");
    }
    assert(wait_set_pointer_);
  }

  template <typename FunctionT>
  auto next_ready(FunctionT && function) -> decltype(function(std::declval<WaitSetT &>())) {
    return kind() == WaitResultKind::Ready ? function(get_wait_set()) : nullptr;
  }

  const WaitResultKind wait_result_kind_;
  WaitSetT * wait_set_pointer_ = nullptr;
};

}  // namespace rclcpp
