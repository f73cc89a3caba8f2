// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/wait_result_kind.hpp"

namespace rclcpp {

/// The result of waiting on a wait set. A Ready result blocks the wait set while it lives.
template <class WaitSetT> class WaitResult final {
public:
  static WaitResult from_ready_wait_result_kind(WaitSetT & wait_set) {
    wait_set.wait_result_acquire();
    return WaitResult(WaitResultKind::Ready, &wait_set);
  }
  static WaitResult from_timeout_wait_result_kind() { return WaitResult(WaitResultKind::Timeout); }
  static WaitResult from_empty_wait_result_kind() { return WaitResult(WaitResultKind::Empty); }

  WaitResult(WaitResult && other) noexcept
  : wait_result_kind_(other.wait_result_kind_), wait_set_pointer_(std::exchange(other.wait_set_pointer_, nullptr)) {}
  ~WaitResult() {
    if (wait_set_pointer_) { wait_set_pointer_->wait_result_release(); }
  }

  WaitResultKind kind() const { return wait_result_kind_; }

  /// \throws std::runtime_error unless the result is Ready
  const WaitSetT & get_wait_set() const {
    if (kind() != WaitResultKind::Ready) {
      throw std::runtime_error("cannot access wait set when the result was not ready");
    }
    return *wait_set_pointer_;
  }
  WaitSetT & get_wait_set() { return const_cast<WaitSetT &>(std::as_const(*this).get_wait_set()); }

  /// The first ready timer from the index on, with its index; null if there is none.
  auto peek_next_ready_timer(size_t start_index = 0) {
    size_t index = start_index;
    auto timer = next_ready([&index](WaitSetT & set) { return set.timers_.next(set.rcl_wait_set_.timers, index); });
    return std::make_pair(timer, index);
  }
  /// Do not report this timer again.
  void clear_timer_with_index(size_t index) { get_wait_set().rcl_wait_set_.timers[index] = nullptr; }

  // The following each report every ready entity once, then null.
  auto next_ready_subscription() {
    return next_ready([](WaitSetT & set) { return set.subscriptions_.take_next(set.rcl_wait_set_.subscriptions); });
  }
  auto next_ready_service() {
    return next_ready([](WaitSetT & set) { return set.services_.take_next(set.rcl_wait_set_.services); });
  }
  auto next_ready_client() {
    return next_ready([](WaitSetT & set) { return set.clients_.take_next(set.rcl_wait_set_.clients); });
  }
  auto next_ready_waitable() {
    return next_ready([](WaitSetT & set) { return set.next_ready_waitable(); });
  }

private:
  explicit WaitResult(WaitResultKind wait_result_kind, WaitSetT * wait_set = nullptr)
  : wait_result_kind_(wait_result_kind), wait_set_pointer_(wait_set) {}

  template <typename FunctionT> auto next_ready(FunctionT && function) {
    return kind() == WaitResultKind::Ready ? function(get_wait_set()) : nullptr;
  }

  const WaitResultKind wait_result_kind_;
  WaitSetT * wait_set_pointer_;
};

}  // namespace rclcpp
