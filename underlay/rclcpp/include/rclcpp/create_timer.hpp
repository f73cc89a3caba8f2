// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "rclcpp/node_interfaces/get_node_base_interface.hpp"
#include "rclcpp/node_interfaces/get_node_clock_interface.hpp"
#include "rclcpp/node_interfaces/get_node_timers_interface.hpp"

namespace rclcpp {
namespace detail {

/// \throws std::invalid_argument for a negative period or one beyond int64 nanoseconds
template <typename DurationRepT, typename DurationT>
std::chrono::nanoseconds safe_cast_to_period_in_ns(std::chrono::duration<DurationRepT, DurationT> period) {
  if (period < period.zero()) { throw std::invalid_argument{"timer period cannot be negative"}; }
  // Compared in long double, where seconds::max() does not overflow.
  using NanosecondsAsReal = std::chrono::duration<long double, std::nano>;
  if (!(NanosecondsAsReal(period) < NanosecondsAsReal(std::chrono::nanoseconds::max()))) {
    throw std::invalid_argument{"timer period must be less than std::chrono::nanoseconds::max()"};
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period);
}

/// Make a timer of this type and add it to a node; the context is that of the node.
template <typename TimerT, typename... ArgsT> typename TimerT::SharedPtr add_new_timer(CallbackGroup::SharedPtr group,
  node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeTimersInterface * node_timers, bool autostart,
  ArgsT &&... args) {
  if (node_base == nullptr) { throw std::invalid_argument{"input node_base cannot be null"}; }
  if (node_timers == nullptr) { throw std::invalid_argument{"input node_timers cannot be null"}; }
  auto timer = TimerT::make_shared(std::forward<ArgsT>(args)..., node_base->get_context(), autostart);
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

}  // namespace detail

/// Create a timer on any clock and add it to a node.
/** \throws std::invalid_argument for a null clock, node or node timers, or a bad period */
template <typename DurationRepT, typename DurationT, typename CallbackT>
typename GenericTimer<CallbackT>::SharedPtr create_timer(Clock::SharedPtr clock,
  std::chrono::duration<DurationRepT, DurationT> period, CallbackT callback, CallbackGroup::SharedPtr group,
  node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeTimersInterface * node_timers,
  bool autostart = true) {
  if (clock == nullptr) { throw std::invalid_argument{"clock cannot be null"}; }
  return detail::add_new_timer<GenericTimer<CallbackT>>(std::move(group), node_base, node_timers, autostart,
    std::move(clock), detail::safe_cast_to_period_in_ns(period), std::move(callback));
}

template <typename CallbackT>
typename TimerBase::SharedPtr create_timer(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeTimersInterface> node_timers, Clock::SharedPtr clock, Duration period,
  CallbackT && callback, CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
  return create_timer(clock, period.to_chrono<std::chrono::nanoseconds>(), std::forward<CallbackT>(callback), group,
    node_base.get(), node_timers.get(), autostart);
}

template <typename NodeT, typename CallbackT> typename TimerBase::SharedPtr create_timer(NodeT node,
  Clock::SharedPtr clock, Duration period, CallbackT && callback, CallbackGroup::SharedPtr group = nullptr,
  bool autostart = true) {
  return create_timer(node_interfaces::get_node_base_interface(node), node_interfaces::get_node_timers_interface(node),
    clock, period, std::forward<CallbackT>(callback), group, autostart);
}

/// Create a timer on the steady clock and add it to a node.
/** \throws std::invalid_argument for a null node or node timers, or a bad period */
template <typename DurationRepT, typename DurationT, typename CallbackT>
typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
  CallbackT callback, CallbackGroup::SharedPtr group, node_interfaces::NodeBaseInterface * node_base,
  node_interfaces::NodeTimersInterface * node_timers, bool autostart = true) {
  return detail::add_new_timer<WallTimer<CallbackT>>(std::move(group), node_base, node_timers, autostart,
    detail::safe_cast_to_period_in_ns(period), std::move(callback));
}

}  // namespace rclcpp
