#include "rclcpp/utilities.hpp"

#include <string>
#include <vector>

#include "rcl/arguments.h"
#include "rclcpp/exceptions.hpp"
#include "rcpputils/scope_exit.hpp"
#include "signal_handler.hpp"

namespace rclcpp
{

namespace detail
{

std::vector<std::string> get_unparsed_ros_arguments(
  int argc, char const * const * argv, rcl_arguments_t * arguments, rcl_allocator_t allocator)
{
  (void)argc;
  const int count = rcl_arguments_get_count_unparsed_ros(arguments);
  if (count <= 0) {
    return {};
  }
  int * indices = nullptr;
  const rcl_ret_t ret = rcl_arguments_get_unparsed_ros(arguments, allocator, &indices);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to get unparsed ROS arguments");
  }
  RCPPUTILS_SCOPE_EXIT({allocator.deallocate(indices, allocator.state);});
  std::vector<std::string> unparsed;
  for (int i = 0; i < count; ++i) {
    unparsed.push_back(argv[indices[i]]);
  }
  return unparsed;
}

}  // namespace detail

namespace
{

Context::SharedPtr or_default(Context::SharedPtr context)
{
  return context ? context : contexts::get_global_default_context();
}

}  // namespace

void init(
  int argc, char const * const * argv, const InitOptions & init_options,
  SignalHandlerOptions signal_handler_options)
{
  contexts::get_global_default_context()->init(argc, argv, init_options);
  install_signal_handlers(signal_handler_options);
}

bool install_signal_handlers(SignalHandlerOptions signal_handler_options)
{
  return detail::install_signal_handlers(signal_handler_options);
}

bool signal_handlers_installed()
{
  return detail::signal_handlers_installed();
}

SignalHandlerOptions get_current_signal_handler_options()
{
  return detail::current_signal_handler_options();
}

bool uninstall_signal_handlers()
{
  return detail::uninstall_signal_handlers();
}

std::vector<std::string> init_and_remove_ros_arguments(
  int argc, char const * const * argv, const InitOptions & init_options)
{
  init(argc, argv, init_options);
  return remove_ros_arguments(argc, argv);
}

std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_arguments_t parsed = rcl_get_zero_initialized_arguments();
  rcl_ret_t ret = rcl_parse_arguments(argc, argv, allocator, &parsed);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to parse arguments");
  }
  RCPPUTILS_SCOPE_EXIT(
  {
    if (rcl_arguments_fini(&parsed) != RCL_RET_OK) {
      rcl_reset_error();
    }
  });
  int count = 0;
  const char ** left = nullptr;
  ret = rcl_remove_ros_arguments(argv, &parsed, allocator, &count, &left);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to remove ROS arguments");
  }
  std::vector<std::string> arguments(left, left + count);
  if (left) {
    allocator.deallocate(left, allocator.state);
  }
  return arguments;
}

bool ok(Context::SharedPtr context)
{
  return or_default(context)->is_valid();
}

bool shutdown(Context::SharedPtr context, const std::string & reason)
{
  const auto default_context = contexts::get_global_default_context();
  if (!context) {
    context = default_context;
  }
  const bool result = context->shutdown(reason);
  if (context == default_context) {
    uninstall_signal_handlers();
  }
  return result;
}

void on_shutdown(std::function<void()> callback, Context::SharedPtr context)
{
  or_default(context)->on_shutdown(callback);
}

bool sleep_for(const std::chrono::nanoseconds & nanoseconds, Context::SharedPtr context)
{
  return or_default(context)->sleep_for(nanoseconds);
}

const char * get_c_string(const char * string_in)
{
  return string_in;
}

const char * get_c_string(const std::string & string_in)
{
  return string_in.c_str();
}

std::vector<const char *> get_c_vector_string(const std::vector<std::string> & strings)
{
  std::vector<const char *> result;
  for (const auto & string : strings) {
    result.push_back(string.c_str());
  }
  return result;
}

}  // namespace rclcpp
