#pragma once

#include "rclcpp/utilities.hpp"

namespace rclcpp
{
namespace detail
{

bool install_signal_handlers(SignalHandlerOptions options);
bool uninstall_signal_handlers();
bool signal_handlers_installed();
SignalHandlerOptions current_signal_handler_options();

}  // namespace detail
}  // namespace rclcpp
