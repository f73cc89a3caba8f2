// SPDX-License-Identifier: BSD-3-Clause
// The two ends around a recorder: a publisher of a given load, and a subscriber that only counts,
// which is what the middleware can do at best.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/u_int8_multi_array.hpp>
#include <string>
#include <thread>
#include <vector>

#include "probe.hpp"

using std_msgs::msg::UInt8MultiArray;

namespace
{

// As deep as the recorder's own subscriptions.
constexpr std::size_t kDepth = 1000;

std::string topic_name(std::size_t index) { return "/bench_bag/t" + std::to_string(index); }

void publish(std::size_t topics, std::size_t size, double rate, double seconds)
{
  auto node = std::make_shared<rclcpp::Node>("bag_publisher");
  std::vector<rclcpp::Publisher<UInt8MultiArray>::SharedPtr> publishers;
  for (std::size_t i = 0; i < topics; ++i) {
    // As the bring-up gives to publishers that are recorded.
    publishers.push_back(node->create_publisher<UInt8MultiArray>(topic_name(i), 100));
  }
  for (const auto & publisher : publishers) {
    while (publisher->get_subscription_count() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  UInt8MultiArray message;
  message.data.resize(size);
  const auto total = static_cast<std::size_t>(rate * seconds);
  const double start = probe::now_us(), cpu = probe::cpu_s();
  for (std::size_t sent = 0; sent < total;) {
    // A millisecond's worth at a time: a sleep for each message would be the limit itself.
    const auto due =
      std::min(total, static_cast<std::size_t>((probe::now_us() - start) * 1e-6 * rate) + 1);
    for (; sent < due; ++sent) { publishers[sent % topics]->publish(message); }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const double took = (probe::now_us() - start) * 1e-6;
  probe::report_value("rate", static_cast<double>(total) / took);
  probe::report_value("publisher_cpu_s", probe::cpu_s() - cpu);
  // A loss shows by the message behind it: some more, slowly.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  constexpr std::size_t kTail = 3;
  for (std::size_t round = 0; round < kTail; ++round) {
    for (const auto & publisher : publishers) {
      publisher->publish(message);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  probe::report_value("sent", static_cast<double>(total + kTail * topics));
}

void count(std::size_t topics)
{
  auto node = std::make_shared<rclcpp::Node>("bag_counter");
  struct Topic
  {
    std::uint64_t first = 0, last = 0, received = 0;
    rclcpp::GenericSubscription::SharedPtr subscription;
  };
  std::vector<Topic> counted(topics);
  for (std::size_t i = 0; i < topics; ++i) {
    Topic & topic = counted[i];
    topic.subscription = node->create_generic_subscription(
      topic_name(i), "std_msgs/msg/UInt8MultiArray", rclcpp::QoS(kDepth),
      [&topic](std::shared_ptr<const rclcpp::SerializedMessage>, const rclcpp::MessageInfo & info) {
        topic.last = info.get_rmw_message_info().publication_sequence_number;
        if (topic.received++ == 0) { topic.first = topic.last; }
      });
  }
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(node);
  executor.spin();
  std::uint64_t received = 0, lost = 0;
  for (const Topic & topic : counted) {
    received += topic.received;
    if (topic.received > 0) { lost += topic.last - topic.first + 1 - topic.received; }
  }
  probe::report_value("received", static_cast<double>(received));
  probe::report_value("lost", static_cast<double>(lost));
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::vector<std::string> args(argv + 1, argv + argc);
  rclcpp::init(0, nullptr);
  if (args.size() == 5 && args[0] == "publish") {
    publish(std::stoul(args[1]), std::stoul(args[2]), std::stod(args[3]), std::stod(args[4]));
  } else if (args.size() == 2 && args[0] == "count") {
    count(std::stoul(args[1]));
  } else {
    std::fprintf(stderr, "usage: bag_probe publish TOPICS SIZE RATE SECONDS | count TOPICS\n");
    return 2;
  }
  rclcpp::shutdown();
  return 0;
}
