#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <ratio>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rclcpp/clock.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/node_interfaces/get_node_base_interface.hpp"
#include "rclcpp/node_interfaces/get_node_clock_interface.hpp"
#include "rclcpp/node_interfaces/get_node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {
namespace detail {

/// \throws std::invalid_argument for a negative period or one beyond int64 nanoseconds
template <typename DurationRepT, typename DurationT>
std::chrono::nanoseconds safe_cast_to_period_in_ns(std::chrono::duration<DurationRepT, DurationT> period) {
  if (period < std::chrono::duration<DurationRepT, DurationT>::zero()) {
    throw std::invalid_argument{"timer period cannot be negative"};
  }
  // Compared in long double, where seconds::max() does not overflow.
  using NanosecondsAsReal = std::chrono::duration<long double, std::nano>;
  const auto real = std::chrono::duration_cast<NanosecondsAsReal>(period);
  if (!(real < NanosecondsAsReal(std::chrono::nanoseconds::max()))) {
    throw std::invalid_argument{"timer period must be less than std::chrono::nanoseconds::max()"};
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period);
}

}  // namespace detail

/// Create a timer on any clock and add it to a node.
/** \throws std::invalid_argument for a null clock, node or node timers, or a bad period */
template <typename DurationRepT, typename DurationT, typename CallbackT>
typename rclcpp::GenericTimer<CallbackT>::SharedPtr create_timer(rclcpp::Clock::SharedPtr clock,
  std::chrono::duration<DurationRepT, DurationT> period, CallbackT callback, rclcpp::CallbackGroup::SharedPtr group,
  node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeTimersInterface * node_timers,
  bool autostart = true) {
  if (clock == nullptr) { throw std::invalid_argument{"clock cannot be null"}; }
  if (node_base == nullptr) { throw std::invalid_argument{"input node_base cannot be null"}; }
  if (node_timers == nullptr) { throw std::invalid_argument{"input node_timers cannot be null"}; }
  const auto period_ns = detail::safe_cast_to_period_in_ns(period);
  auto timer = rclcpp::GenericTimer<CallbackT>::make_shared(
    std::move(clock), period_ns, std::move(callback), node_base->get_context(), autostart);
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

template <typename CallbackT>
typename rclcpp::TimerBase::SharedPtr create_timer(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
  std::shared_ptr<node_interfaces::NodeTimersInterface> node_timers, rclcpp::Clock::SharedPtr clock,
  rclcpp::Duration period, CallbackT && callback, rclcpp::CallbackGroup::SharedPtr group = nullptr,
  bool autostart = true) {
  return create_timer(clock, period.to_chrono<std::chrono::nanoseconds>(), std::forward<CallbackT>(callback), group,
    node_base.get(), node_timers.get(), autostart);
}

template <typename NodeT, typename CallbackT>
typename rclcpp::TimerBase::SharedPtr create_timer(NodeT node, rclcpp::Clock::SharedPtr clock, rclcpp::Duration period,
  CallbackT && callback, rclcpp::CallbackGroup::SharedPtr group = nullptr, bool autostart = true) {
  return create_timer(clock, period.to_chrono<std::chrono::nanoseconds>(), std::forward<CallbackT>(callback), group,
    rclcpp::node_interfaces::get_node_base_interface(node).get(),
    rclcpp::node_interfaces::get_node_timers_interface(node).get(), autostart);
}

/// Create a timer on the steady clock and add it to a node.
/** \throws std::invalid_argument for a null node or node timers, or a bad period */
template <typename DurationRepT, typename DurationT, typename CallbackT>
typename rclcpp::WallTimer<CallbackT>::SharedPtr create_wall_timer(
  std::chrono::duration<DurationRepT, DurationT> period, CallbackT callback, rclcpp::CallbackGroup::SharedPtr group,
  node_interfaces::NodeBaseInterface * node_base, node_interfaces::NodeTimersInterface * node_timers,
  bool autostart = true) {
  if (node_base == nullptr) { throw std::invalid_argument{"input node_base cannot be null"}; }
  if (node_timers == nullptr) { throw std::invalid_argument{"input node_timers cannot be null"}; }
  const auto period_ns = detail::safe_cast_to_period_in_ns(period);
  auto timer =
    rclcpp::WallTimer<CallbackT>::make_shared(period_ns, std::move(callback), node_base->get_context(), autostart);
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

}  // namespace rclcpp
