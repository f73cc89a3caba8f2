// SPDX-License-Identifier: BSD-3-Clause
// Moves hands in circles and looks how well the tips of their arms follow.
//
//   hand_leader RATE SECONDS RADIUS SPEED HAND:ARM...
//
// Each hand sends RATE samples a second and moves on a circle of RADIUS [m] with SPEED [m/s] in the plane x, y of the
// frame in which its arm is commanded (`view: none`, `scale: 1`), which begins and ends slowly. A hand goes on from
// where it is: whoever calls this makes sure that its teleoperation has engaged. Prints for each arm how many samples
// were sent, how many commands and data of the arm came, how far measured_cp was from where the hand was at the stamp
// of the data (rms and greatest, while the speed is full), and how late the hand's own ticks were.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <ambf_msgs/msg/device_sample.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

#include "probe.hpp"

namespace
{

using ambf_msgs::msg::DeviceSample;
using geometry_msgs::msg::PoseStamped;

constexpr double easing = 1.0;  // s, at both ends

struct Place
{
  double x = 0.0, y = 0.0;  // m
};

/// A circle through the origin.
struct Circle
{
  double seconds, radius, speed;

  bool full_speed(double time) const { return time > easing && time < seconds - easing; }

  /// Of the path, after a time: the speed grows and falls evenly at the ends.
  double length(double time) const
  {
    const double t = std::min(std::max(time, 0.0), seconds);
    const double begin = std::min(t, easing), end = std::max(0.0, t - (seconds - easing));
    return speed * (0.5 * begin * begin / easing + (t - begin) - 0.5 * end * end / easing);
  }

  Place at(double time) const
  {
    const double turn = length(time) / radius;
    return {radius * std::sin(turn), radius * (1.0 - std::cos(turn))};
  }
};

struct Led
{
  std::string hand, arm;
  DeviceSample sample;
  rclcpp::Publisher<DeviceSample>::SharedPtr out;
  rclcpp::Subscription<PoseStamped>::SharedPtr commands, data;
  std::optional<Place> origin;  ///< tip where the hand's circle begins [m]
  std::size_t sent = 0, commanded = 0, heard = 0, judged = 0;
  double squares = 0.0, greatest = 0.0;  ///< of the distance [m^2, m]
};

double wall(const builtin_interfaces::msg::Time & time) { return time.sec + 1e-9 * time.nanosec; }

Led read(const std::string & text)
{
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    std::fprintf(stderr, "hand_leader: found '%s', expected HAND:ARM\n", text.c_str());
    std::exit(2);
  }
  Led led;
  led.hand = text.substr(0, colon);
  led.arm = text.substr(colon + 1);
  led.sample.pose.orientation.w = 1.0;
  led.sample.gripper = 0.5;
  return led;
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc < 6) {
    std::fprintf(stderr, "usage: hand_leader RATE SECONDS RADIUS SPEED HAND:ARM...\n");
    return 2;
  }
  const double rate = std::atof(argv[1]);
  const Circle circle{std::atof(argv[2]), std::atof(argv[3]), std::atof(argv[4])};
  rclcpp::init(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("hand_leader");
  std::vector<std::unique_ptr<Led>> all;
  std::atomic<double> began = 0.0;  // wall time [s]; 0: not yet
  for (int i = 5; i < argc; ++i) {
    all.push_back(std::make_unique<Led>(read(argv[i])));
    Led * const led = all.back().get();
    led->out = node->create_publisher<DeviceSample>(
      "/ambf/env/" + led->hand + "/Sample", rclcpp::QoS(1).best_effort());
    led->commands = node->create_subscription<PoseStamped>(
      "/" + led->arm + "/servo_cp", rclcpp::QoS(10).reliable(), [&, led](const PoseStamped &) {
        if (began > 0.0) { ++led->commanded; }
      });
    led->data = node->create_subscription<PoseStamped>(
      "/" + led->arm + "/measured_cp", rclcpp::QoS(10).reliable(), [&, led](const PoseStamped & m) {
        const Place tip{m.pose.position.x, m.pose.position.y};
        const double start = began;
        if (start == 0.0) {
          led->origin = tip;
          return;
        }
        ++led->heard;
        const double time = wall(m.header.stamp) - start;
        if (!circle.full_speed(time)) { return; }
        const Place hand = circle.at(time);
        const double off =
          std::hypot(tip.x - led->origin->x - hand.x, tip.y - led->origin->y - hand.y);
        ++led->judged;
        led->squares += off * off;
        led->greatest = std::max(led->greatest, off);
      });
  }
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(node);
  std::size_t ticks = 0, late = 0;
  const double period = 1e6 / rate;
  const auto together = [&] {
    for (const auto & led : all) {
      if (led->out->get_subscription_count() == 0 || led->data->get_publisher_count() == 0) {
        return false;
      }
    }
    return true;
  };
  const auto send = [&](const Place & place) {
    for (const auto & led : all) {
      led->sample.pose.position.x = place.x;
      led->sample.pose.position.y = place.y;
      led->sample.wall_time = rclcpp::Clock(RCL_SYSTEM_TIME).now();
      ++led->sample.sequence;
      led->out->publish(led->sample);
      ++led->sent;
    }
  };
  // A thread of its own, on a grid: what is missed is sent late, not left out.
  std::thread leader([&] {
    while (!together()) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }
    // The arms come to rest below hands that are held still.
    double due = probe::now_us();
    const double still_until = due + 2e6;
    double start = 0.0;
    for (auto & led : all) { led->sent = 0; }
    while (start == 0.0 || due < start + 1e6 * circle.seconds) {
      const double now = probe::now_us();
      if (now < due) {
        std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(due - now));
      }
      if (start == 0.0 && due >= still_until) {
        start = due;
        for (auto & led : all) { led->sent = 0; }
        // Where the grid says that the circle begins, by the clock of the data's stamps.
        began = rclcpp::Clock(RCL_SYSTEM_TIME).now().seconds() - 1e-6 * (probe::now_us() - due);
      }
      if (start > 0.0) {
        late += probe::now_us() - due > period ? 1 : 0;
        ++ticks;
      }
      send(start > 0.0 ? circle.at(1e-6 * (due - start)) : Place{});
      due += period;
    }
    executor.cancel();
  });
  executor.spin();
  leader.join();
  probe::report_value("seconds", circle.seconds);
  probe::report_value("ticks", static_cast<double>(ticks));
  probe::report_value("late_ticks", static_cast<double>(late));
  probe::report_value("cpu_s", probe::cpu_s());
  for (const auto & led : all) {
    const auto number = static_cast<double>(std::max<std::size_t>(led->judged, 1));
    probe::report_value(led->arm + ".sent", static_cast<double>(led->sent));
    probe::report_value(led->arm + ".commanded", static_cast<double>(led->commanded));
    probe::report_value(led->arm + ".heard", static_cast<double>(led->heard));
    probe::report_value(led->arm + ".judged", static_cast<double>(led->judged));
    probe::report_value(led->arm + ".rms_mm", 1e3 * std::sqrt(led->squares / number));
    probe::report_value(led->arm + ".greatest_mm", 1e3 * led->greatest);
  }
  rclcpp::shutdown();
  return 0;
}
