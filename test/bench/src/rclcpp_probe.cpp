// SPDX-License-Identifier: BSD-3-Clause
// The measurements of rcl_probe, written as a user of rclcpp would write them.
#include <cstdlib>
#include <memory>
#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/u_int8_multi_array.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <string>
#include <thread>

#include "probe.hpp"

using rclcpp::experimental::executors::EventsExecutor;
using std_msgs::msg::UInt8MultiArray;
using std_srvs::srv::Trigger;

namespace
{

std::unique_ptr<rclcpp::Executor> make_executor(const std::string & kind)
{
  if (kind == "events") { return std::make_unique<EventsExecutor>(); }
  return std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
}

void echo(const std::string & kind)
{
  auto node = std::make_shared<rclcpp::Node>("rclcpp_echo");
  auto out = node->create_publisher<UInt8MultiArray>("pong", 10);
  auto in = node->create_subscription<UInt8MultiArray>(
    "ping", 10, [&](const UInt8MultiArray & message) { out->publish(message); });
  auto executor = make_executor(kind);
  executor->add_node(node);
  executor->spin();
}

void ping(std::size_t count, const std::string & kind)
{
  auto node = std::make_shared<rclcpp::Node>("rclcpp_ping");
  auto out = node->create_publisher<UInt8MultiArray>("ping", 10);
  auto executor = make_executor(kind);
  UInt8MultiArray message;
  message.data.resize(64);
  std::vector<double> times;
  double start = 0;
  std::size_t round = 0;
  auto in = node->create_subscription<UInt8MultiArray>("pong", 10, [&](const UInt8MultiArray &) {
    if (round++ >= probe::kWarmUp) { times.push_back(probe::now_us() - start); }
    if (times.size() == count) {
      executor->cancel();
      return;
    }
    start = probe::now_us();
    out->publish(message);
  });
  while (out->get_subscription_count() == 0 || in->get_publisher_count() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  executor->add_node(node);
  start = probe::now_us();
  out->publish(message);
  executor->spin();
  probe::report("pingpong", times);
}

void serve(const std::string & kind)
{
  auto node = std::make_shared<rclcpp::Node>("rclcpp_server");
  auto service = node->create_service<Trigger>(
    "trigger", [](Trigger::Request::SharedPtr, Trigger::Response::SharedPtr response) {
      response->success = true;
    });
  auto executor = make_executor(kind);
  executor->add_node(node);
  executor->spin();
}

void call(std::size_t count, const std::string & kind)
{
  auto node = std::make_shared<rclcpp::Node>("rclcpp_client");
  auto client = node->create_client<Trigger>("trigger");
  client->wait_for_service();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto executor = make_executor(kind);
  std::vector<double> times;
  double start = 0;
  std::size_t round = 0;
  std::function<void()> send = [&] {
    start = probe::now_us();
    client->async_send_request(
      std::make_shared<Trigger::Request>(), [&](rclcpp::Client<Trigger>::SharedFuture) {
        if (round++ >= probe::kWarmUp) { times.push_back(probe::now_us() - start); }
        if (times.size() == count) {
          executor->cancel();
        } else {
          send();
        }
      });
  };
  executor->add_node(node);
  send();
  executor->spin();
  probe::report("service", times);
}

void endpoints(std::size_t count, const std::string & kind)
{
  rclcpp::NodeOptions options;
  options.start_parameter_services(false).start_parameter_event_publisher(false).enable_rosout(
    false);
  auto node = std::make_shared<rclcpp::Node>("rclcpp_endpoints", options);
  std::vector<rclcpp::Publisher<UInt8MultiArray>::SharedPtr> publishers;
  std::vector<rclcpp::Subscription<UInt8MultiArray>::SharedPtr> subscriptions;
  const double start = probe::now_us();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string topic = "topic_" + std::to_string(i);
    publishers.push_back(node->create_publisher<UInt8MultiArray>(topic, 10));
    subscriptions.push_back(
      node->create_subscription<UInt8MultiArray>(topic, 10, [](const UInt8MultiArray &) {}));
  }
  probe::report_value("creation_s", (probe::now_us() - start) * 1e-6);
  auto executor = make_executor(kind);
  executor->add_node(node);
  std::thread spinner([&] { executor->spin(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const double cpu = probe::cpu_s(), wall = probe::now_us();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  probe::report_value(
    "idle_percent", 100.0 * (probe::cpu_s() - cpu) / ((probe::now_us() - wall) * 1e-6));
  executor->cancel();
  spinner.join();
}

// There and back between two executors in two threads; reports half the round trip, and whether the
// payload kept its address.
void handover(std::size_t count, std::size_t size, const std::string & kind, bool intra_process)
{
  const auto options = rclcpp::NodeOptions().use_intra_process_comms(intra_process);
  auto near = std::make_shared<rclcpp::Node>("near", options);
  auto far = std::make_shared<rclcpp::Node>("far", options);
  auto near_executor = make_executor(kind), far_executor = make_executor(kind);
  auto there = near->create_publisher<UInt8MultiArray>("there", 1);
  auto back = far->create_publisher<UInt8MultiArray>("back", 1);
  const std::uint8_t * sent = nullptr;
  std::size_t same_address = 0, round = 0;
  std::vector<double> times;
  double start = 0;
  auto at_far =
    far->create_subscription<UInt8MultiArray>("there", 1, [&](UInt8MultiArray::UniquePtr message) {
      same_address += message->data.data() == sent;
      back->publish(std::move(message));
    });
  auto send = [&](UInt8MultiArray::UniquePtr message) {
    sent = message->data.data();
    start = probe::now_us();
    there->publish(std::move(message));
  };
  auto at_near =
    near->create_subscription<UInt8MultiArray>("back", 1, [&](UInt8MultiArray::UniquePtr message) {
      if (round++ >= probe::kWarmUp) { times.push_back((probe::now_us() - start) / 2); }
      if (times.size() == count) {
        far_executor->cancel();
        near_executor->cancel();
        return;
      }
      send(std::move(message));
    });
  near_executor->add_node(near);
  far_executor->add_node(far);
  std::thread other([&] { far_executor->spin(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  auto message = std::make_unique<UInt8MultiArray>();
  message->data.resize(size);
  send(std::move(message));
  near_executor->spin();
  other.join();
  probe::report("handover", times);
  probe::report_value(
    "same_address_share", static_cast<double>(same_address) / static_cast<double>(round));
}

void timer(std::size_t count, const std::string & kind)
{
  auto node = std::make_shared<rclcpp::Node>("rclcpp_timer");
  auto executor = make_executor(kind);
  std::vector<double> errors;
  double last = 0;
  std::size_t round = 0;
  auto tick = node->create_wall_timer(std::chrono::milliseconds(1), [&] {
    const double now = probe::now_us();
    if (round++ > probe::kWarmUp) { errors.push_back(std::abs(now - last - 1000.0)); }
    last = now;
    if (errors.size() == count) { executor->cancel(); }
  });
  executor->add_node(node);
  executor->spin();
  probe::report("timer", errors);
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000;
  const std::string kind = argc > 3 ? argv[3] : "single";
  const std::size_t size = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 64;
  const bool intra_process = argc <= 5 || std::string(argv[5]) != "off";
  if (what == "echo") {
    echo(kind);
  } else if (what == "ping") {
    ping(count, kind);
  } else if (what == "serve") {
    serve(kind);
  } else if (what == "call") {
    call(count, kind);
  } else if (what == "endpoints") {
    endpoints(count, kind);
  } else if (what == "handover") {
    handover(count, size, kind, intra_process);
  } else if (what == "timer") {
    timer(count, kind);
  } else {
    std::fprintf(
      stderr,
      "usage: rclcpp_probe echo|ping|serve|call|endpoints|handover|timer [COUNT [single|events "
      "[SIZE [off]]]]\n");
    return 2;
  }
  rclcpp::shutdown();
  return 0;
}
