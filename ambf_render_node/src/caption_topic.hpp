// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <ambf_msgs/msg/caption.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_rendering/captions.hpp"

namespace ambf_render
{

/// Listens to World/Caption: lines of text for the people at the world.
class CaptionTopic
{
public:
  CaptionTopic(
    rclcpp::Node & node, const std::string & topic, rclcpp::CallbackGroup::SharedPtr group);

  /// What is to be shown now. Safe from any thread.
  std::vector<ambf_rendering::Caption> lines() const;

private:
  void take(const ambf_msgs::msg::Caption & message);

  mutable std::mutex mutex_;
  ambf_rendering::CaptionBoard board_;
  rclcpp::Subscription<ambf_msgs::msg::Caption>::SharedPtr topic_;
};

}  // namespace ambf_render
