// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/contexts/default_context.hpp"

namespace rclcpp {

/// Which signals shut the contexts down.
enum class SignalHandlerOptions { All, SigInt, SigTerm, None };

/// Initialise the default context and install the signal handlers.
void init(int argc, char const * const * argv, const InitOptions & init_options = InitOptions(),
  SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);

/// Returns false when handlers are installed already ("None" counts as an installation).
bool install_signal_handlers(SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);
bool signal_handlers_installed();
SignalHandlerOptions get_current_signal_handler_options();
bool uninstall_signal_handlers();

/// init(), and return the arguments that are not of ROS.
std::vector<std::string> init_and_remove_ros_arguments(
  int argc, char const * const * argv, const InitOptions & init_options = InitOptions());
std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv);

/// True between init() and shutdown() of the context (nullptr: the default one).
bool ok(Context::SharedPtr context = nullptr);
bool shutdown(Context::SharedPtr context = nullptr, const std::string & reason = "user called rclcpp::shutdown()");
void on_shutdown(std::function<void()> callback, Context::SharedPtr context = nullptr);
bool sleep_for(const std::chrono::nanoseconds & nanoseconds, Context::SharedPtr context = nullptr);

}  // namespace rclcpp
