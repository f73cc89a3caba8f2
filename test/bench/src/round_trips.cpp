// SPDX-License-Identifier: BSD-3-Clause
#include "round_trips.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include <rclcpp_components/register_node_macro.hpp>

#include "probe.hpp"

namespace ambf_bench
{
namespace
{

constexpr double side = 1e-4;  // m

// As ArmServer has its streams in, and its data out.
rclcpp::QoS commands() { return rclcpp::QoS(1).reliable(); }
rclcpp::QoS data() { return rclcpp::QoS(10).reliable(); }

}  // namespace

PoseEcho::PoseEcho(const rclcpp::NodeOptions & options) : rclcpp::Node("pose_echo", options)
{
  out_ = create_publisher<PoseStamped>(
    declare_parameter<std::string>("out", "/echo/setpoint_cp"), data());
  in_ = create_subscription<PoseStamped>(
    declare_parameter<std::string>("in", "/echo/servo_cp"), commands(),
    [this](PoseStamped::ConstSharedPtr message) { out_->publish(*message); });
}

RoundTrips::RoundTrips(const rclcpp::NodeOptions & options)
: rclcpp::Node("round_trips", options),
  count_(static_cast<std::size_t>(declare_parameter<std::int64_t>("count", 1000)))
{
  const auto arm = declare_parameter<std::string>("arm", "/echo");
  pose_.pose.orientation.w = 1.0;
  out_ = create_publisher<PoseStamped>(arm + "/servo_cp", commands());
  in_ = create_subscription<PoseStamped>(
    arm + "/setpoint_cp", data(), [this](PoseStamped::ConstSharedPtr message) { hear(*message); });
  run_ = create_service<Trigger>(
    "~/run",
    [this](
      std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<Trigger::Request> /*request*/) {
      asked_ = header;
      times_.clear();
      send();
    });
}

void RoundTrips::hear(const PoseStamped & message)
{
  if (!asked_) {
    pose_ = message;
    centre_ = message.pose.position.x;
    return;
  }
  // An arm tells where it is in between, too.
  if (std::abs(message.pose.position.x - pose_.pose.position.x) > 0.1 * side) { return; }
  times_.push_back(probe::now_us() - start_);
  if (times_.size() < probe::kWarmUp + count_) {
    send();
    return;
  }
  times_.erase(times_.begin(), times_.begin() + probe::kWarmUp);
  std::ostringstream text;
  for (const double time : times_) { text << time << ' '; }
  Trigger::Response response;
  response.success = true;
  response.message = text.str();
  run_->send_response(*std::exchange(asked_, nullptr), response);
}

void RoundTrips::send()
{
  pose_.pose.position.x = centre_ + (pose_.pose.position.x > centre_ ? -side : side);
  start_ = probe::now_us();
  out_->publish(pose_);
}

}  // namespace ambf_bench

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_bench::PoseEcho)
RCLCPP_COMPONENTS_REGISTER_NODE(ambf_bench::RoundTrips)
