// SPDX-License-Identifier: BSD-3-Clause
// Leads arms by sines through servo_jp and listens to them.
//
//   arm_leader RATE SECONDS NAME:MIDDLES:AMPLITUDES:FREQUENCY...   (lists with commas; NAME as on the graph)
//
// Joint i turns with FREQUENCY (1 + 0.13 i) [Hz]; amplitudes grow within the first two seconds. Prints for each arm how
// many commands were sent, how many measured_js came, and how many of these came more than two periods of the arm's
// data after the one before; and how many of its own ticks were late.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "probe.hpp"

namespace
{

using sensor_msgs::msg::JointState;

std::vector<std::string> split(const std::string & text, char at)
{
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) { out.push_back(part); }
  return out;
}

std::vector<double> numbers(const std::string & text)
{
  std::vector<double> out;
  for (const std::string & part : split(text, ',')) { out.push_back(std::atof(part.c_str())); }
  return out;
}

struct Led
{
  std::string name;
  std::vector<double> middle, amplitude;
  double frequency = 0.0;  ///< of the first joint [Hz]
  rclcpp::Publisher<JointState>::SharedPtr out;
  rclcpp::Subscription<JointState>::SharedPtr in;
  JointState command;
  std::size_t sent = 0, heard = 0, late = 0;
  double last = 0.0;  ///< stamp of the newest data [us]
};

Led read(const std::string & text)
{
  const auto parts = split(text, ':');
  Led arm;
  if (parts.size() == 4) {
    arm.name = parts[0];
    arm.middle = numbers(parts[1]);
    arm.amplitude = numbers(parts[2]);
    arm.frequency = std::atof(parts[3].c_str());
  }
  if (arm.middle.empty() || arm.middle.size() != arm.amplitude.size()) {
    std::fprintf(
      stderr, "arm_leader: found '%s', expected NAME:MIDDLES:AMPLITUDES:FREQUENCY\n", text.c_str());
    std::exit(2);
  }
  return arm;
}

void lead(Led & arm, double time, const builtin_interfaces::msg::Time & stamp)
{
  const double grown = std::min(1.0, 0.5 * time);
  for (std::size_t i = 0; i < arm.middle.size(); ++i) {
    const double turn =
      2.0 * std::numbers::pi * arm.frequency * (1.0 + 0.13 * static_cast<double>(i));
    arm.command.position[i] = arm.middle[i] + grown * arm.amplitude[i] * std::sin(turn * time);
  }
  arm.command.header.stamp = stamp;
  arm.out->publish(arm.command);
  ++arm.sent;
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc < 4) {
    std::fprintf(stderr, "usage: arm_leader RATE SECONDS NAME:MIDDLES:AMPLITUDES:FREQUENCY...\n");
    return 2;
  }
  const double rate = std::atof(argv[1]), seconds = std::atof(argv[2]);
  rclcpp::init(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("arm_leader");
  const double period_us = 1e6 / rate;
  std::vector<std::unique_ptr<Led>> arms;
  std::atomic<bool> counting = false;
  for (int i = 3; i < argc; ++i) {
    arms.push_back(std::make_unique<Led>(read(argv[i])));
    Led * const arm = arms.back().get();
    arm->command.position.resize(arm->middle.size());
    arm->out =
      node->create_publisher<JointState>("/" + arm->name + "/servo_jp", rclcpp::QoS(1).reliable());
    arm->in = node->create_subscription<JointState>(
      "/" + arm->name + "/measured_js", rclcpp::QoS(10).reliable(), [&, arm](const JointState & m) {
        const double at = 1e6 * m.header.stamp.sec + 1e-3 * m.header.stamp.nanosec;
        if (counting) {
          ++arm->heard;
          arm->late += at - arm->last > 2.0 * period_us ? 1 : 0;
        }
        arm->last = at;
      });
  }
  const auto apart = [&] {
    for (const auto & arm : arms) {
      if (arm->out->get_subscription_count() == 0 || arm->in->get_publisher_count() == 0) {
        return true;
      }
    }
    return false;
  };
  while (apart()) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(node);
  std::vector<double> errors;
  const double start = probe::now_us();
  double due = start;
  std::size_t ticks = 0, missed = 0;
  // A thread of its own, on a grid: what is missed is sent late, not left out.
  std::thread leader([&] {
    counting = true;
    while (due < start + 1e6 * seconds) {
      const double now = probe::now_us();
      if (now < due) {
        std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(due - now));
      }
      missed += probe::now_us() - due > period_us ? 1 : 0;
      ++ticks;
      const builtin_interfaces::msg::Time stamp = rclcpp::Clock(RCL_SYSTEM_TIME).now();
      for (const auto & arm : arms) { lead(*arm, 1e-6 * (due - start), stamp); }
      due += period_us;
    }
    counting = false;
    executor.cancel();
  });
  executor.spin();
  leader.join();
  const double taken = 1e-6 * (probe::now_us() - start);
  probe::report_value("seconds", taken);
  probe::report_value("ticks", static_cast<double>(ticks));
  probe::report_value("late_ticks", static_cast<double>(missed));
  probe::report_value("cpu_s", probe::cpu_s());
  for (const auto & arm : arms) {
    probe::report_value(arm->name + ".sent", static_cast<double>(arm->sent));
    probe::report_value(arm->name + ".heard", static_cast<double>(arm->heard));
    probe::report_value(arm->name + ".late", static_cast<double>(arm->late));
  }
  rclcpp::shutdown();
  return 0;
}
