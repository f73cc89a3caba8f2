// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/utilities.hpp"

#include "rcl_check.hpp"
#include "rcpputils/scope_exit.hpp"
#include "ros_arguments.hpp"

namespace rclcpp {

void detail::refuse_unknown_ros_arguments(char const * const * argv, const rcl_arguments_t & arguments) {
  const int count = rcl_arguments_get_count_unparsed_ros(&arguments);
  if (count <= 0) { return; }
  rcl_allocator_t allocator = rcl_get_default_allocator();
  int * indices = nullptr;
  check(rcl_arguments_get_unparsed_ros(&arguments, allocator, &indices), "failed to get unparsed ROS arguments");
  RCPPUTILS_SCOPE_EXIT({ allocator.deallocate(indices, allocator.state); });
  std::vector<std::string> unknown;
  for (int i = 0; i < count; ++i) { unknown.push_back(argv[indices[i]]); }
  throw exceptions::UnknownROSArgsError(std::move(unknown));
}

namespace {

Context::SharedPtr or_default(Context::SharedPtr context) {
  return context ? context : contexts::get_global_default_context();
}

}  // namespace

void init(
  int argc, char const * const * argv, const InitOptions & init_options, SignalHandlerOptions signal_handler_options) {
  contexts::get_global_default_context()->init(argc, argv, init_options);
  install_signal_handlers(signal_handler_options);
}

std::vector<std::string> init_and_remove_ros_arguments(
  int argc, char const * const * argv, const InitOptions & init_options) {
  init(argc, argv, init_options);
  return remove_ros_arguments(argc, argv);
}

std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv) {
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_arguments_t parsed = rcl_get_zero_initialized_arguments();
  detail::check(rcl_parse_arguments(argc, argv, allocator, &parsed), "failed to parse arguments");
  RCPPUTILS_SCOPE_EXIT({ detail::log_failure(rcl_arguments_fini(&parsed), "arguments"); });
  int count = 0;
  const char ** left = nullptr;
  detail::check(rcl_remove_ros_arguments(argv, &parsed, allocator, &count, &left), "failed to remove ROS arguments");
  std::vector<std::string> arguments(left, left + count);
  if (left) { allocator.deallocate(left, allocator.state); }
  return arguments;
}

bool ok(Context::SharedPtr context) { return or_default(context)->is_valid(); }

bool shutdown(Context::SharedPtr context, const std::string & reason) {
  const bool result = or_default(context)->shutdown(reason);
  if (or_default(context) == contexts::get_global_default_context()) { uninstall_signal_handlers(); }
  return result;
}

void on_shutdown(std::function<void()> callback, Context::SharedPtr context) {
  or_default(context)->on_shutdown(callback);
}

bool sleep_for(const std::chrono::nanoseconds & nanoseconds, Context::SharedPtr context) {
  return or_default(context)->sleep_for(nanoseconds);
}

}  // namespace rclcpp
