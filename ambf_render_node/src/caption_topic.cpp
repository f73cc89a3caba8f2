// SPDX-License-Identifier: BSD-3-Clause
#include "caption_topic.hpp"

#include <utility>

namespace ambf_render
{

namespace
{

/// A level that we do not know is none to be overlooked.
ambf_rendering::Caption::Level level_of(std::uint8_t number)
{
  using Message = ambf_msgs::msg::Caption;
  if (number == Message::INFO) { return ambf_rendering::Caption::Level::Info; }
  return number == Message::WARNING ? ambf_rendering::Caption::Level::Warning
                                    : ambf_rendering::Caption::Level::Error;
}

}  // namespace

CaptionTopic::CaptionTopic(
  rclcpp::Node & node, const std::string & topic, rclcpp::CallbackGroup::SharedPtr group)
{
  rclcpp::SubscriptionOptions options;
  options.callback_group = std::move(group);
  topic_ = node.create_subscription<ambf_msgs::msg::Caption>(
    topic, rclcpp::QoS(20).reliable(),
    [this](ambf_msgs::msg::Caption::ConstSharedPtr message) { take(*message); }, options);
}

void CaptionTopic::take(const ambf_msgs::msg::Caption & message)
{
  std::lock_guard<std::mutex> lock(mutex_);
  board_.put(
    message.source, {message.text, level_of(message.level)}, static_cast<double>(message.duration),
    ambf_rendering::CaptionBoard::Clock::now());
}

std::vector<ambf_rendering::Caption> CaptionTopic::lines() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return board_.lines(ambf_rendering::CaptionBoard::Clock::now());
}

}  // namespace ambf_render
