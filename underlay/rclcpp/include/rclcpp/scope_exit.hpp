#pragma once

#include <functional>

#include "rclcpp/macros.hpp"
#include "rcpputils/scope_exit.hpp"

namespace rclcpp
{

template<typename Callable>
struct ScopeExit
{
  explicit ScopeExit(Callable callable)
  : callable_(callable) {}
  ~ScopeExit() {callable_();}

private:
  Callable callable_;
};

template<typename Callable>
ScopeExit<Callable> make_scope_exit(Callable callable)
{
  return ScopeExit<Callable>(callable);
}

}  // namespace rclcpp

#define RCLCPP_SCOPE_EXIT(code) \
  auto RCLCPP_STRING_JOIN(scope_exit_, __LINE__) = rclcpp::make_scope_exit([&]() {code;})
