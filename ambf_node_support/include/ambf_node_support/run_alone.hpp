// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include <rclcpp/node.hpp>

namespace ambf_node_support
{

using NodeMaker = std::function<rclcpp::Node::SharedPtr(const rclcpp::NodeOptions &)>;

/// Exit codes. A node that was refused would be refused again: launch files do not start it anew.
constexpr int refused =
  1;  ///< the node cannot be made with what it was given, a parameter for instance
constexpr int failed = 2;  ///< it ran, and something went wrong

/// How the node's callbacks are called. With many topics a wait set costs every message; events do not.
enum class Callbacks
{
  OnWaitSet,
  OnEvents
};

/// A node alone in its process, until it is interrupted: the exit code. A refusal or a failure is
/// one line on stderr that begins with the program's name; nothing ends in a crash.
int run_alone(
  int argc, char ** argv, const NodeMaker & make_node, Callbacks callbacks = Callbacks::OnWaitSet);

}  // namespace ambf_node_support
