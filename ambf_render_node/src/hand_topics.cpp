// SPDX-License-Identifier: BSD-3-Clause
#include "hand_topics.hpp"

#include <algorithm>
#include <cmath>

#include "ambf_node_support/eigen.hpp"

namespace ambf_render
{

using ambf_msgs::msg::DeviceSample;
using ambf_msgs::msg::ProxyState;

namespace
{

Eigen::Isometry3d to_pose(const geometry_msgs::msg::Pose & pose)
{
  using ambf_node_support::to_eigen;
  Eigen::Isometry3d t(Eigen::Translation3d(to_eigen(pose.position)));
  const Eigen::Quaterniond turn = to_eigen(pose.orientation);
  if (turn.norm() > 1e-6) { t.linear() = turn.normalized().toRotationMatrix(); }
  return t;
}

std::string words(const std::string & name, const DeviceSample * sample)
{
  if (sample == nullptr) { return name; }
  std::string text = name + " grip " + std::to_string(std::lround(100.0 * sample->gripper)) + "%";
  if (sample->position_clutch) { text += " clutch"; }
  if (sample->camera_clutch) { text += " camera"; }
  return text;
}

}  // namespace

HandTopics::HandTopics(rclcpp::Node & node, rclcpp::CallbackGroup::SharedPtr group)
: node_(node), group_(std::move(group))
{
}

void HandTopics::follow(const ambf_msgs::msg::WorldManifest & manifest)
{
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  // Only the newest counts, and a device may publish either way.
  const auto newest = rclcpp::QoS(1).best_effort();
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(hands_, [&](const auto & entry) {
    return std::none_of(manifest.devices.begin(), manifest.devices.end(), [&](const auto & info) {
      return info.topic == entry.first;
    });
  });
  for (const auto & info : manifest.devices) {
    if (info.topic.empty()) { continue; }
    const auto [it, fresh] = hands_.try_emplace(info.topic);
    it->second.name = info.name;
    if (!fresh) { continue; }
    const std::string topic = info.topic;
    const auto keep = [this, topic](auto message, auto Hand::*where) {
      std::lock_guard<std::mutex> guard(mutex_);
      if (const auto hand = hands_.find(topic); hand != hands_.end()) {
        hand->second.*where = std::move(message);
      }
    };
    it->second.proxy_topic = node_.create_subscription<ProxyState>(
      topic + "/Proxy", newest,
      [keep](ProxyState::ConstSharedPtr message) { keep(std::move(message), &Hand::proxy); },
      options);
    it->second.sample_topic = node_.create_subscription<DeviceSample>(
      topic + "/Sample", newest,
      [keep](DeviceSample::ConstSharedPtr message) { keep(std::move(message), &Hand::sample); },
      options);
  }
}

std::vector<ambf_rendering::HandMark> HandTopics::marks() const
{
  std::vector<ambf_rendering::HandMark> result;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & [topic, hand] : hands_) {
    if (!hand.proxy) { continue; }
    result.push_back(
      {words(hand.name, hand.sample.get()), to_pose(hand.proxy->pose),
       to_pose(hand.proxy->reference_pose),
       ambf_node_support::to_eigen(hand.proxy->contact_wrench.force)});
  }
  return result;
}

}  // namespace ambf_render
