#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/init_options.hpp"
#include "rclcpp/visibility_control.hpp"

#ifdef ANDROID
#include <sstream>
#endif

namespace rclcpp
{

/// Which signals shut the contexts down.
enum class SignalHandlerOptions
{
  All,
  SigInt,
  SigTerm,
  None,
};

/// Initialise the default context and install the signal handlers.
RCLCPP_PUBLIC
void init(
  int argc, char const * const * argv, const InitOptions & init_options = InitOptions(),
  SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);

/// Returns false when handlers are installed already ("None" counts as an installation).
RCLCPP_PUBLIC
bool install_signal_handlers(
  SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);
RCLCPP_PUBLIC
bool signal_handlers_installed();
RCLCPP_PUBLIC
SignalHandlerOptions get_current_signal_handler_options();
RCLCPP_PUBLIC
bool uninstall_signal_handlers();

/// init(), and return the arguments that are not of ROS.
RCLCPP_PUBLIC
std::vector<std::string> init_and_remove_ros_arguments(
  int argc, char const * const * argv, const InitOptions & init_options = InitOptions());

RCLCPP_PUBLIC
std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv);

/// True between init() and shutdown() of the context (nullptr: the default one).
RCLCPP_PUBLIC
bool ok(rclcpp::Context::SharedPtr context = nullptr);

RCLCPP_PUBLIC
bool shutdown(
  rclcpp::Context::SharedPtr context = nullptr,
  const std::string & reason = "user called rclcpp::shutdown()");

RCLCPP_PUBLIC
void on_shutdown(std::function<void()> callback, rclcpp::Context::SharedPtr context = nullptr);

RCLCPP_PUBLIC
bool sleep_for(
  const std::chrono::nanoseconds & nanoseconds, rclcpp::Context::SharedPtr context = nullptr);

template<typename T>
bool add_will_overflow(const T x, const T y)
{
  return (y > 0) && (x > (std::numeric_limits<T>::max() - y));
}

template<typename T>
bool add_will_underflow(const T x, const T y)
{
  return (y < 0) && (x < (std::numeric_limits<T>::min() - y));
}

template<typename T>
bool sub_will_overflow(const T x, const T y)
{
  return (y < 0) && (x > (std::numeric_limits<T>::max() + y));
}

template<typename T>
bool sub_will_underflow(const T x, const T y)
{
  return (y > 0) && (x < (std::numeric_limits<T>::min() + y));
}

RCLCPP_PUBLIC
const char * get_c_string(const char * string_in);
RCLCPP_PUBLIC
const char * get_c_string(const std::string & string_in);
RCLCPP_PUBLIC
std::vector<const char *> get_c_vector_string(const std::vector<std::string> & strings);

}  // namespace rclcpp
