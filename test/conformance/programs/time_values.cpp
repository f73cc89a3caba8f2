// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Arithmetic and conversion of Time and Duration, at the borders of their ranges too.

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "ambf_conformance/observe.hpp"
#include "builtin_interfaces/msg/duration.hpp"
#include "builtin_interfaces/msg/time.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp/time.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using rclcpp::Duration;
using rclcpp::Time;

namespace
{

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

std::string shown(const builtin_interfaces::msg::Time & t)
{
  return std::to_string(t.sec) + "s+" + std::to_string(t.nanosec) + "ns";
}

std::string shown(const builtin_interfaces::msg::Duration & d)
{
  return std::to_string(d.sec) + "s+" + std::to_string(d.nanosec) + "ns";
}

std::string shown(const rmw_time_t & t)
{
  return std::to_string(t.sec) + "s+" + std::to_string(t.nsec) + "ns";
}

void times()
{
  observe::area("time");
  Say{"default", Time().nanoseconds(), static_cast<int>(Time().get_clock_type())};
  Say{"seconds and nanoseconds", Time(1, 5).nanoseconds(), Time(1, 1'500'000'000u).nanoseconds()};
  Say{"negative seconds", outcome([] { Time(-1, 0); })};
  Say{"negative nanoseconds", Time(-7).nanoseconds()};
  builtin_interfaces::msg::Time message;
  message.sec = 3;
  message.nanosec = 4;
  Say{
    "of a message", Time(message).nanoseconds(), static_cast<int>(Time(message).get_clock_type())};
  message.sec = -3;
  Say{"of a negative message", outcome([&] { Time t(message); })};
  const Time t(12, 345);
  Say{"to a message", shown(static_cast<builtin_interfaces::msg::Time>(t))};
  Say{"negative to a message", outcome([] {
        Say{"is", shown(static_cast<builtin_interfaces::msg::Time>(Time(-1'500'000'000)))};
      })};
  Say{"seconds", Time(1'250'000'000).seconds()};
  Say{
    "max", Time::max().nanoseconds(), static_cast<int>(Time::max().get_clock_type()),
    static_cast<int>(Time::max(RCL_ROS_TIME).get_clock_type())};

  Say{"plus", (t + Duration(1s)).nanoseconds(), "minus", (t - Duration(1s)).nanoseconds()};
  Say{"difference", (Time(5, 0) - Time(2, 1)).nanoseconds()};
  Say{"duration plus time", (Duration(1s) + t).nanoseconds()};
  Time changing(10, 0);
  changing += Duration(500ms);
  changing -= Duration(1ns);
  Say{"in place", changing.nanoseconds()};
  Say{"overflow", outcome([] { (void)(Time(largest) + Duration(1ns)); })};
  Say{"underflow", outcome([] { (void)(Time(smallest) - Duration(1ns)); })};
  Say{"difference overflow", outcome([] { (void)(Time(largest) - Time(smallest)); })};
  Say{"difference underflow", outcome([] { (void)(Time(smallest) - Time(largest)); })};
  Say{"max plus a second", outcome([] { (void)(Time::max() + Duration(1s)); })};
  Say{"in place overflow", outcome([] {
        Time u(largest);
        u += Duration(1ns);
      })};
  Say{"below zero", (Time(1, 0) - Duration(2s)).nanoseconds()};

  const Time ros(1, 0, RCL_ROS_TIME);
  const Time system(1, 0, RCL_SYSTEM_TIME);
  Say{"== across clocks", outcome([&] { (void)(ros == system); })};
  Say{"!= across clocks", outcome([&] { (void)(ros != system); })};
  Say{"< across clocks", outcome([&] { (void)(ros < system); })};
  Say{"- across clocks", outcome([&] { (void)(ros - system); })};
  Say{"comparisons",      Time(1) < Time(2),  Time(2) <= Time(2), Time(1) > Time(2),
      Time(1) >= Time(2), Time(1) == Time(1), Time(1) != Time(1)};
  Time assigned;
  Say{"assigned from a negative message", outcome([&] { assigned = message; })};
  Say{"assigned from a message", outcome([&] {
        message.sec = 8;
        assigned = message;
        Say{"is", assigned.nanoseconds(), static_cast<int>(assigned.get_clock_type())};
      })};
}

void durations()
{
  observe::area("duration");
  Say{"of chrono", Duration(1500ms).nanoseconds(), Duration(-1ns).nanoseconds()};
  Say{
    "of seconds", Duration::from_seconds(1.5).nanoseconds(),
    Duration::from_seconds(-0.25).nanoseconds()};
  Say{"of nanoseconds", Duration::from_nanoseconds(42).nanoseconds()};
  Say{"of parts", Duration(1, 5).nanoseconds(), Duration(-1, 5).nanoseconds()};
  builtin_interfaces::msg::Duration message;
  message.sec = -1;
  message.nanosec = 500'000'000;
  Say{"of a message", Duration(message).nanoseconds()};
  const auto back = [](std::int64_t ns) {
    return shown(static_cast<builtin_interfaces::msg::Duration>(Duration::from_nanoseconds(ns)));
  };
  Say{"to a message", back(1'500'000'000), back(-1), back(-1'500'000'000), back(-2'000'000'000)};
  Say{"to a message, too large", back(largest), back(smallest)};
  Say{"to rmw", shown(Duration(1500ms).to_rmw_time())};
  Say{"negative to rmw", outcome([] { (void)Duration(-1ns).to_rmw_time(); })};
  Say{"of rmw", Duration::from_rmw_time({2, 7}).nanoseconds()};
  Say{"of rmw, infinite", Duration::from_rmw_time(RMW_DURATION_INFINITE).nanoseconds()};
  Say{"max", Duration::max().nanoseconds()};
  Say{
    "to chrono", Duration(2500us).to_chrono<std::chrono::microseconds>().count(),
    Duration(2500us).to_chrono<std::chrono::milliseconds>().count()};
  Say{"seconds", Duration(1250ms).seconds()};

  Say{
    "plus", (Duration(1s) + Duration(2s)).seconds(), "minus",
    (Duration(1s) - Duration(2s)).seconds()};
  Say{"times", (Duration(2s) * 1.5).seconds(), (Duration(2s) * -1.0).seconds()};
  Duration changing(1s);
  changing += Duration(1ms);
  changing -= Duration(1ns);
  changing *= 2.0;
  Say{"in place", changing.nanoseconds()};
  const auto top = Duration::from_nanoseconds(largest);
  const auto bottom = Duration::from_nanoseconds(smallest);
  Say{"overflow", outcome([&] { (void)(top + Duration(1ns)); })};
  Say{"underflow", outcome([&] { (void)(bottom - Duration(1ns)); })};
  Say{"plus underflow", outcome([&] { (void)(bottom + Duration(-1ns)); })};
  Say{"times overflow", outcome([&] { (void)(top * 2.0); })};
  Say{"times underflow", outcome([&] { (void)(bottom * 2.0); })};
  Say{"times infinity", outcome([&] {
        (void)(Duration(1s) * std::numeric_limits<double>::infinity());
      })};
  Say{
    "times nan", outcome([&] { (void)(Duration(1s) * std::numeric_limits<double>::quiet_NaN()); })};
  Say{"max plus a second", outcome([] { (void)(Duration::max() + Duration(1s)); })};
  Say{
    "comparisons",
    Duration(1s) < Duration(2s),
    Duration(2s) <= Duration(2s),
    Duration(1s) > Duration(2s),
    Duration(1s) >= Duration(2s),
    Duration(1s) == Duration(1000ms),
    Duration(1s) != Duration(1s)};
}

}  // namespace

int main()
{
  times();
  durations();
  return 0;
}
