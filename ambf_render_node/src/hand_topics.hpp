// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <ambf_msgs/msg/device_sample.hpp>
#include <ambf_msgs/msg/proxy_state.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <rclcpp/rclcpp.hpp>

#include "ambf_rendering/overlays.hpp"

namespace ambf_render
{

/// Listens to the devices of a manifest: where their proxies are and what their users do.
class HandTopics
{
public:
  HandTopics(rclcpp::Node & node, rclcpp::CallbackGroup::SharedPtr group);

  /// Subscribes to new devices and forgets those that are gone.
  void follow(const ambf_msgs::msg::WorldManifest & manifest);
  /// Of every device whose proxy was heard of. Safe from any thread.
  std::vector<ambf_rendering::HandMark> marks() const;

private:
  struct Hand
  {
    std::string name;
    ambf_msgs::msg::ProxyState::ConstSharedPtr proxy;
    ambf_msgs::msg::DeviceSample::ConstSharedPtr sample;
    rclcpp::Subscription<ambf_msgs::msg::ProxyState>::SharedPtr proxy_topic;
    rclcpp::Subscription<ambf_msgs::msg::DeviceSample>::SharedPtr sample_topic;
  };

  rclcpp::Node & node_;
  rclcpp::CallbackGroup::SharedPtr group_;
  mutable std::mutex mutex_;
  std::map<std::string, Hand> hands_;  ///< by topic
};

}  // namespace ambf_render
