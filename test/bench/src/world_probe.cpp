// SPDX-License-Identifier: BSD-3-Clause
// A client of the world in a process of its own, on rclcpp: what it gets, and how long it waits.
//
//   world_probe watch SECONDS TOPIC...       rates and gaps of RigidBodyState topics
//   world_probe snapshot SECONDS             rate and gaps of World/Snapshot
//   world_probe call SERVICE COUNT [JOINTS]  round trips of StepWorld with one step that tell of so many joints (1)
//   world_probe costs SERVICE COUNT NAME     the same in turn with nothing, NAME in the barrier, wait_for_acked
//   world_probe serve SERVICE                a StepWorld service that does nothing
//   world_probe sleep SECONDS                lateness of a bare clock_nanosleep loop at 1 kHz
//   world_probe stream SECONDS TOPIC...      commands at 1 kHz on every topic, and the rate that was kept
#include <ambf_msgs/msg/rigid_body_cmd.hpp>
#include <ambf_msgs/msg/rigid_body_state.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "probe.hpp"

using ambf_msgs::msg::RigidBodyCmd;
using ambf_msgs::msg::RigidBodyState;
using ambf_msgs::msg::WorldSnapshot;
using ambf_msgs::srv::StepWorld;

namespace
{

struct Arrivals
{
  std::uint64_t count = 0, fresh = 0, last_step = 0;
  double last_us = 0.0, largest_gap_us = 0.0;

  void arrived(std::uint64_t step)
  {
    const double now = probe::now_us();
    if (count > 0) { largest_gap_us = std::max(largest_gap_us, now - last_us); }
    if (step != last_step) { ++fresh; }
    last_step = step;
    last_us = now;
    ++count;
  }
};

/// Spins until everything has been heard once and the graph has been still for a second since: by then the two
/// processes know all of each other. A world of hundreds of bodies is told for longer than until its first messages.
void settle(
  const rclcpp::Node::SharedPtr & node, rclcpp::Executor & executor,
  const std::vector<Arrivals> & arrivals)
{
  const auto graph = node->get_graph_event();
  const auto heard = [](const Arrivals & a) { return a.count > 0; };
  const double start = probe::now_us();
  double still_since = start;
  for (double now = start; rclcpp::ok() && now < start + 30e6 && now < still_since + 1e6;
       now = probe::now_us()) {
    executor.spin_once(std::chrono::milliseconds(10));
    if (graph->check_and_clear() || !std::all_of(arrivals.begin(), arrivals.end(), heard)) {
      still_since = probe::now_us();
    }
  }
  probe::report_value("settle_s", (still_since - start) * 1e-6);
}

/// Spins for so long, and reports the slowest and the sum.
void report(const rclcpp::Node::SharedPtr & node, std::vector<Arrivals> & arrivals, double seconds)
{
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(node);
  settle(node, executor, arrivals);
  for (auto & a : arrivals) { a = {}; }
  const double start = probe::now_us();
  while (rclcpp::ok() && probe::now_us() < start + 1e6 * seconds) {
    executor.spin_once(std::chrono::milliseconds(10));
  }
  const double taken = (probe::now_us() - start) * 1e-6;
  std::vector<double> rates;
  double gap = 0.0, total = 0.0, fresh = 0.0;
  for (const auto & a : arrivals) {
    rates.push_back(static_cast<double>(a.count) / taken);
    total += rates.back();
    fresh += static_cast<double>(a.fresh) / taken;
    gap = std::max(gap, a.largest_gap_us);
  }
  std::sort(rates.begin(), rates.end());
  probe::report_value("slowest_hz", rates.front());
  probe::report_value("median_hz", rates[rates.size() / 2]);
  probe::report_value("total_hz", total);
  probe::report_value("fresh_hz", fresh / static_cast<double>(rates.size()));
  probe::report_value("largest_gap_ms", gap * 1e-3);
  probe::report_value(
    "cpu_percent", 100.0 * probe::cpu_s() / (probe::now_us() * 1e-6 - start * 1e-6));
}

void watch(
  const rclcpp::Node::SharedPtr & node, double seconds, const std::vector<std::string> & topics)
{
  std::vector<Arrivals> arrivals(topics.size());
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    subscriptions.push_back(node->create_subscription<RigidBodyState>(
      topics[i], rclcpp::QoS(1).best_effort(),
      [&a = arrivals[i]](const RigidBodyState & state) { a.arrived(state.sim_step); }));
  }
  report(node, arrivals, seconds);
}

void snapshot(const rclcpp::Node::SharedPtr & node, double seconds)
{
  std::vector<Arrivals> arrivals(1);
  std::size_t size = 0;
  const auto subscription = node->create_subscription<WorldSnapshot>(
    "/ambf/env/World/Snapshot", rclcpp::QoS(1).best_effort(), [&](const WorldSnapshot & message) {
      arrivals[0].arrived(message.step);
      size = message.bodies.size();
    });
  report(node, arrivals, seconds);
  probe::report_value("bodies", static_cast<double>(size / 13));
}

/// Calls of one step, made and waited for in this thread.
class Caller
{
public:
  Caller(const rclcpp::Node::SharedPtr & node, const std::string & service)
  : client_(node->create_client<StepWorld>(service))
  {
    if (!client_->wait_for_service(std::chrono::seconds(30))) {
      std::fprintf(stderr, "%s is not there\n", service.c_str());
      std::exit(1);
    }
    executor_.add_node(node);
  }

  static StepWorld::Request::SharedPtr request()
  {
    const auto made = std::make_shared<StepWorld::Request>();
    made->agent = "probe";
    made->steps = 1;
    made->observe_joints = {0};
    made->barrier_timeout = 10.0;
    return made;
  }

  StepWorld::Response::SharedPtr ask(const StepWorld::Request::SharedPtr & question)
  {
    auto future = client_->async_send_request(question);
    executor_.spin_until_future_complete(future);
    return future.get();
  }

  /// [us]
  double round_trip(const StepWorld::Request::SharedPtr & question)
  {
    const double start = probe::now_us();
    const auto response = ask(question);
    const double taken = probe::now_us() - start;
    if (!response->ok) {
      std::fprintf(stderr, "refused: %s\n", response->message.c_str());
      std::exit(1);
    }
    return taken;
  }

private:
  rclcpp::Client<StepWorld>::SharedPtr client_;
  rclcpp::executors::SingleThreadedExecutor executor_;
};

void call(
  const rclcpp::Node::SharedPtr & node, const std::string & service, std::size_t count,
  std::size_t joints)
{
  Caller caller(node, service);
  const auto request = Caller::request();
  request->observe_joints.resize(joints);
  std::iota(request->observe_joints.begin(), request->observe_joints.end(), 0u);
  std::vector<double> times;
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    const double taken = caller.round_trip(request);
    if (i >= probe::kWarmUp) { times.push_back(taken); }
  }
  probe::report("call", times);
}

void costs(
  const rclcpp::Node::SharedPtr & node, const std::string & service, std::size_t count,
  const std::string & member)
{
  Caller caller(node, service);
  const auto plain = Caller::request(), barrier = Caller::request(), acked = Caller::request();
  barrier->barrier = {member};
  acked->wait_for_acked = true;
  // Until the member has announced itself.
  for (const double give_up = probe::now_us() + 30e6;
       !caller.ask(barrier)->ok && probe::now_us() < give_up;) {
    rclcpp::sleep_for(std::chrono::milliseconds(50));
  }
  std::vector<double> without, with_barrier, with_acked;
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    const double a = caller.round_trip(plain), b = caller.round_trip(barrier),
                 c = caller.round_trip(acked);
    if (i < probe::kWarmUp) { continue; }
    without.push_back(a);
    with_barrier.push_back(b);
    with_acked.push_back(c);
  }
  probe::report("plain", without);
  probe::report("barrier", with_barrier);
  probe::report("acked", with_acked);
}

void serve(const rclcpp::Node::SharedPtr & node, const std::string & service)
{
  const auto server = node->create_service<StepWorld>(
    service,
    [](const StepWorld::Request::SharedPtr request, StepWorld::Response::SharedPtr response) {
      response->ok = true;
      response->joints.resize(3 * request->observe_joints.size());
    });
  // As the node's own executable.
  rclcpp::experimental::executors::EventsExecutor executor;
  executor.add_node(node);
  executor.spin();
}

void sleep_until_us(double due)
{
  const auto ns = static_cast<std::int64_t>(due * 1e3);
  const timespec t{ns / 1'000'000'000, ns % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
}

void sleep(double seconds)
{
  double worst = 0.0;
  const double start = probe::now_us();
  for (double due = start; due - start < 1e6 * seconds; due += 1000.0) {
    sleep_until_us(due);
    worst = std::max(worst, probe::now_us() - due);
  }
  probe::report_value("worst_ms", worst * 1e-3);
}

void stream(
  const rclcpp::Node::SharedPtr & node, double seconds, const std::vector<std::string> & topics)
{
  std::vector<rclcpp::Publisher<RigidBodyCmd>::SharedPtr> publishers;
  for (const auto & topic : topics) {
    publishers.push_back(node->create_publisher<RigidBodyCmd>(topic, rclcpp::QoS(1)));
  }
  for (const auto & publisher : publishers) {
    while (publisher->get_subscription_count() == 0) {
      rclcpp::sleep_for(std::chrono::milliseconds(5));
    }
  }
  RigidBodyCmd command;
  command.cartesian_cmd_type = RigidBodyCmd::TYPE_FORCE;
  std::vector<double> lateness;
  const double start = probe::now_us();
  std::uint64_t sent = 0;
  for (double due = start; due - start < 1e6 * seconds; due += 1000.0) {
    sleep_until_us(due);
    for (const auto & publisher : publishers) { publisher->publish(command); }
    lateness.push_back(probe::now_us() - due);
    ++sent;
  }
  probe::report_value("stream_hz", static_cast<double>(sent) / (probe::now_us() - start) * 1e6);
  probe::report_value("sent", static_cast<double>(sent));
  probe::report("lateness", lateness);
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  const auto node =
    std::make_shared<rclcpp::Node>("probe_" + what + "_" + std::to_string(getpid()));
  const std::vector<std::string> rest(argv + std::min(argc, 3), argv + argc);
  if (what == "watch" && argc > 3) {
    watch(node, std::atof(argv[2]), rest);
  } else if (what == "snapshot" && argc == 3) {
    snapshot(node, std::atof(argv[2]));
  } else if (what == "call" && (argc == 4 || argc == 5)) {
    const int joints = argc == 5 ? std::atoi(argv[4]) : 1;
    call(
      node, argv[2], static_cast<std::size_t>(std::atoi(argv[3])),
      static_cast<std::size_t>(joints));
  } else if (what == "costs" && argc == 5) {
    costs(node, argv[2], static_cast<std::size_t>(std::atoi(argv[3])), argv[4]);
  } else if (what == "serve" && argc == 3) {
    serve(node, argv[2]);
  } else if (what == "sleep" && argc == 3) {
    sleep(std::atof(argv[2]));
  } else if (what == "stream" && argc > 3) {
    stream(node, std::atof(argv[2]), rest);
  } else {
    std::fprintf(stderr, "see the head of world_probe.cpp\n");
    return 2;
  }
  rclcpp::shutdown();
  return 0;
}
