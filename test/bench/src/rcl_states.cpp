// SPDX-License-Identifier: BSD-3-Clause
// Bare rcl publishers of RigidBodyState on /bare/t0 .. /bare/tN-1: the baseline for the node's topics.
//
//   rcl_states TOPICS RATE SECONDS
#include <rcl/error_handling.h>
#include <rcl/rcl.h>

#include <cstdlib>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <string>
#include <vector>

#include <ambf_msgs/msg/rigid_body_state.hpp>

#include "probe.hpp"

#define CHECK(call)                                                               \
  do {                                                                            \
    if ((call) != RCL_RET_OK) {                                                   \
      std::fprintf(stderr, "%s failed: %s\n", #call, rcl_get_error_string().str); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

int main(int argc, char ** argv)
{
  if (argc != 4) {
    std::fprintf(stderr, "usage: rcl_states TOPICS RATE SECONDS\n");
    return 2;
  }
  const auto topics = static_cast<std::size_t>(std::atoi(argv[1]));
  const double period_us = 1e6 / std::atof(argv[2]),
               end_us = probe::now_us() + 1e6 * std::atof(argv[3]);
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_context_t context = rcl_get_zero_initialized_context();
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  CHECK(rcl_init_options_init(&options, allocator));
  CHECK(rcl_init(0, nullptr, &options, &context));
  rcl_node_t node = rcl_get_zero_initialized_node();
  const rcl_node_options_t node_options = rcl_node_get_default_options();
  CHECK(rcl_node_init(&node, "bare", "", &context, &node_options));
  std::vector<rcl_publisher_t> publishers;
  for (std::size_t i = 0; i < topics; ++i) {
    publishers.push_back(rcl_get_zero_initialized_publisher());
    rcl_publisher_options_t publisher = rcl_publisher_get_default_options();
    publisher.qos.depth = 1;
    CHECK(rcl_publisher_init(
      &publishers.back(), &node,
      rosidl_typesupport_cpp::get_message_type_support_handle<ambf_msgs::msg::RigidBodyState>(),
      ("/bare/t" + std::to_string(i)).c_str(), &publisher));
  }
  ambf_msgs::msg::RigidBodyState message;
  // As long as those of the node.
  message.name = "box 0000";
  message.identifier = "/ambf/env/BODY box 0000";
  std::uint64_t sent = 0;
  for (double due = probe::now_us(); due < end_us; due += period_us) {
    const double wait = due - probe::now_us();
    if (wait > 0.0) {
      const auto ns = static_cast<std::int64_t>(due * 1e3);
      const timespec t{ns / 1'000'000'000, ns % 1'000'000'000};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
    } else if (wait < -period_us) {
      due = probe::now_us();
    }
    ++message.sim_step;
    for (auto & publisher : publishers) { CHECK(rcl_publish(&publisher, &message, nullptr)); }
    ++sent;
  }
  probe::report_value("sent_each", static_cast<double>(sent));
  return 0;
}
