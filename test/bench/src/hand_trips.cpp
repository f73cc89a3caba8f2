// SPDX-License-Identifier: BSD-3-Clause
#include "hand_trips.hpp"

#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include <rclcpp_components/register_node_macro.hpp>

#include "probe.hpp"

namespace ambf_bench
{
namespace
{

using namespace std::chrono_literals;

constexpr double side = 1e-4;  // m

// As devices, teleoperations and arms have their streams.
rclcpp::QoS samples() { return rclcpp::QoS(1).best_effort(); }
rclcpp::QoS commands() { return rclcpp::QoS(1).reliable(); }
rclcpp::QoS data() { return rclcpp::QoS(10).reliable(); }

}  // namespace

SampleEcho::SampleEcho(const rclcpp::NodeOptions & options) : rclcpp::Node("sample_echo", options)
{
  out_ = create_publisher<PoseStamped>(
    declare_parameter<std::string>("out", "/echo/servo_cp"), commands());
  in_ = create_subscription<DeviceSample>(
    declare_parameter<std::string>("in", "/ambf/env/echo/Sample"), samples(),
    [this](DeviceSample::ConstSharedPtr sample) {
      PoseStamped pose;
      pose.header = sample->header;
      pose.pose = sample->pose;
      out_->publish(pose);
    });
}

HandTrips::HandTrips(const rclcpp::NodeOptions & options)
: rclcpp::Node("hand_trips", options),
  count_(static_cast<std::size_t>(declare_parameter<std::int64_t>("count", 1000)))
{
  sample_.pose.orientation.w = 1.0;
  sample_.gripper = 0.5;
  out_ = create_publisher<DeviceSample>(
    "/ambf/env/" + declare_parameter<std::string>("hand", "echo") + "/Sample", samples());
  in_ = create_subscription<PoseStamped>(
    "/" + declare_parameter<std::string>("arm", "echo") + "/setpoint_cp", data(),
    [this](PoseStamped::ConstSharedPtr message) { hear(*message); });
  run_ = create_service<Trigger>(
    "~/run",
    [this](
      std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<Trigger::Request> /*request*/) {
      asked_ = header;
      times_.clear();
      side_ = side_ > 0.0 ? -side : side;
      send();
    });
  timer_ = create_wall_timer(10ms, [this] {
    if (!asked_) { send(); }
  });
}

void HandTrips::hear(const PoseStamped & message)
{
  const double x = message.pose.position.x;
  if (!asked_) {
    from_ = x;
    return;
  }
  // An arm tells where it is in between, too. The hand began in its middle.
  if (std::abs(x - from_) < 0.5 * side) { return; }
  times_.push_back(probe::now_us() - start_);
  from_ = x;
  if (times_.size() < probe::kWarmUp + count_) {
    side_ = -side_;
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

void HandTrips::send()
{
  sample_.pose.position.x = side_;
  sample_.wall_time = get_clock()->now();
  ++sample_.sequence;
  start_ = probe::now_us();
  out_->publish(sample_);
}

}  // namespace ambf_bench

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_bench::SampleEcho)
RCLCPP_COMPONENTS_REGISTER_NODE(ambf_bench::HandTrips)
