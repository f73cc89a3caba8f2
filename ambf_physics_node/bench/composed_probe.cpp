// SPDX-License-Identifier: BSD-3-Clause
// What needs the node in the same process as its client.
//
//   composed_probe call MODEL COUNT [TOPIC...]  round trips in one process: the world, and an empty service; it begins
//                                               when somebody reads the topics
//   composed_probe costs MODEL COUNT            the world in turn with nothing, with a barrier, with wait_for_acked
//   composed_probe member NAME                  a barrier member in a process of its own
//   composed_probe snapshot MODEL SECONDS       intra-process snapshot: address and latency
//   composed_probe endpoints MODEL PUBLISH      time and memory of the node with its topics (all) or without (none)
//   composed_probe library MODEL STEPS          seconds of processor time per step of the library alone
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <thread>

#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/srv/step_world.hpp>

#include "../test/barrier_member.hpp"
#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "allocations.hpp"
#include "physics_node.hpp"

using ambf_msgs::msg::WorldSnapshot;
using ambf_msgs::srv::StepWorld;

namespace
{

double now_us() { return static_cast<double>(ambf_physics::steady_now()) * 1e-3; }

double thread_cpu_s()
{
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double resident_mb()
{
  std::ifstream in("/proc/self/statm");
  double size = 0.0, resident = 0.0;
  in >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6;
}

void report_value(const char * what, double value)
{
  std::printf("RESULT %s value=%.6f\n", what, value);
}

void report(const char * what, std::vector<double> samples)
{
  if (samples.empty()) {
    std::fprintf(stderr, "%s: nothing was measured\n", what);
    std::exit(1);
  }
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  const double mean =
    std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  std::printf(
    "RESULT %s n=%zu mean=%.3f p25=%.3f p50=%.3f p75=%.3f p99=%.3f max=%.3f\n", what,
    samples.size(), mean, at(0.25), at(0.5), at(0.75), at(0.99), samples.back());
}

std::shared_ptr<ambf_physics::PhysicsNode> make_node(
  const std::string & model, const std::string & mode, std::vector<rclcpp::Parameter> more = {})
{
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(true);
  more.emplace_back("models", std::vector<std::string>{model});
  more.emplace_back("mode", mode);
  options.parameter_overrides(more);
  return std::make_shared<ambf_physics::PhysicsNode>(options);
}

/// Nodes that one thread serves, among them one that calls StepWorld services.
class OneThread
{
public:
  using Client = rclcpp::Client<StepWorld>;

  explicit OneThread(std::vector<rclcpp::Node::SharedPtr> nodes) : nodes_(std::move(nodes))
  {
    nodes_.push_back(caller_);
    for (const auto & node : nodes_) { executor_.add_node(node); }
  }
  ~OneThread()
  {
    for (const auto & node : nodes_) { executor_.remove_node(node); }
  }
  OneThread(const OneThread &) = delete;
  OneThread & operator=(const OneThread &) = delete;

  Client::SharedPtr client(const std::string & service)
  {
    auto made = caller_->create_client<StepWorld>(service);
    made->wait_for_service(std::chrono::seconds(20));
    return made;
  }

  static StepWorld::Request::SharedPtr request()
  {
    const auto made = std::make_shared<StepWorld::Request>();
    made->agent = "caller";
    made->steps = 1;
    made->observe_joints = {0};
    made->barrier_timeout = 10.0;
    return made;
  }

  /// Until somebody reads the topics, and a little longer, so that they know each other.
  void wait_for_readers(const std::vector<std::string> & topics)
  {
    const auto unread = [this](const std::string & topic) {
      return caller_->count_subscribers(topic) == 0;
    };
    const double give_up = now_us() + 30e6;
    while (std::any_of(topics.begin(), topics.end(), unread)) {
      spin(0.05);
      if (now_us() > give_up) {
        std::fprintf(stderr, "nobody reads the topics\n");
        std::exit(1);
      }
    }
    if (!topics.empty()) { spin(2.0); }
  }

  void spin(double seconds)
  {
    for (const double end = now_us() + 1e6 * seconds; now_us() < end;) {
      executor_.spin_once(std::chrono::milliseconds(10));
    }
  }

  StepWorld::Response::SharedPtr ask(
    Client & service, const StepWorld::Request::SharedPtr & question)
  {
    auto future = service.async_send_request(question);
    executor_.spin_until_future_complete(future);
    return future.get();
  }

  /// [us]
  double round_trip(Client & service, const StepWorld::Request::SharedPtr & question)
  {
    const double start = now_us();
    const auto response = ask(service, question);
    const double taken = now_us() - start;
    if (!response->ok) {
      std::fprintf(stderr, "refused: %s\n", response->message.c_str());
      std::exit(1);
    }
    return taken;
  }

private:
  rclcpp::Node::SharedPtr caller_ = std::make_shared<rclcpp::Node>("caller");
  std::vector<rclcpp::Node::SharedPtr> nodes_;
  rclcpp::executors::SingleThreadedExecutor executor_;
};

std::unique_ptr<ambf_dynamics::World> library_world(const std::string & file)
{
  ambf_dynamics::Parameters parameters;
  parameters.report_contacts = false;
  parameters.report_wrenches = true;
  auto world = ambf_dynamics::make_world(parameters);
  ambf_adf::Scene scene;
  auto model = scene.add(*ambf_adf::parse_file(file));
  if (!(*world)->add_model(*model)) { std::exit(1); }
  (*world)->step(300);
  return std::move(*world);
}

double library_step_s(const std::string & file, int steps)
{
  const auto world = library_world(file);
  const double start = thread_cpu_s();
  world->step(static_cast<std::uint32_t>(steps));
  return (thread_cpu_s() - start) / steps;
}

constexpr int kWarmUp = 300;

/// One thread serves the world, an empty service and the caller of both. A call of the world, an empty call and a
/// step of the library alone take turns, so that all three meet the same machine.
void call(const std::string & model, int count, const std::vector<std::string> & topics)
{
  const auto server = std::make_shared<rclcpp::Node>("empty");
  const auto service = server->create_service<StepWorld>(
    "empty",
    [](const StepWorld::Request::SharedPtr request, StepWorld::Response::SharedPtr response) {
      response->ok = true;
      response->joints.resize(3 * request->observe_joints.size());
    });
  OneThread thread({make_node(model, "lockstep"), server});
  const auto world = thread.client("/ambf/env/World/step"), empty = thread.client("/empty");
  thread.wait_for_readers(topics);
  const auto library = library_world(model);
  const auto request = OneThread::request();
  std::vector<double> calls, empties, steps;
  for (int i = 0; i < count + kWarmUp; ++i) {
    const double called = thread.round_trip(*world, request);
    const double nothing = thread.round_trip(*empty, request);
    const double start = now_us();
    library->step();
    const double step = now_us() - start;
    if (i < kWarmUp) { continue; }
    calls.push_back(called);
    empties.push_back(nothing);
    steps.push_back(step);
  }
  report("call", calls);
  report("empty", empties);
  report("step_us", steps);
}

/// The member reads the snapshot in every call; only some of them wait for it.
void costs(const std::string & model, int count)
{
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(true);
  OneThread thread(
    {make_node(model, "lockstep"), std::make_shared<ambf_physics_test::Member>("member", options)});
  const auto world = thread.client("/ambf/env/World/step");
  const auto plain = OneThread::request(), barrier = OneThread::request(),
             acked = OneThread::request();
  barrier->barrier = {"member"};
  acked->wait_for_acked = true;
  const double give_up = now_us() + 30e6;
  while (!thread.ask(*world, barrier)->ok && now_us() < give_up) { thread.spin(0.05); }
  std::vector<double> without, with_barrier, with_acked;
  for (int i = 0; i < count + kWarmUp; ++i) {
    const double a = thread.round_trip(*world, plain);
    const double b = thread.round_trip(*world, barrier);
    const double c = thread.round_trip(*world, acked);
    if (i < kWarmUp) { continue; }
    without.push_back(a);
    with_barrier.push_back(b);
    with_acked.push_back(c);
  }
  report("plain", without);
  report("barrier", with_barrier);
  report("acked", with_acked);
}

void snapshot(const std::string & model, double seconds)
{
  const auto physics = make_node(model, "realtime", {rclcpp::Parameter("snapshot_rate", 1000.0)});
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(true);
  const auto reader = std::make_shared<rclcpp::Node>("reader", options);
  std::vector<double> latency;
  std::atomic<bool> record{false};
  std::size_t bodies = 0;
  std::size_t same = 0;
  const auto subscription = reader->create_subscription<WorldSnapshot>(
    "/ambf/env/World/Snapshot", rclcpp::QoS(1), [&](WorldSnapshot::ConstSharedPtr message) {
      timespec t{};
      clock_gettime(CLOCK_REALTIME, &t);
      bodies = message->bodies.size() / 13;
      allocations::watch(message->bodies.size() * sizeof(double));
      if (!record) { return; }
      const void * data = message->bodies.data();
      same += allocations::given_out_lately(data) ? 1u : 0u;
      latency.push_back(
        (static_cast<double>(t.tv_sec - message->wall_time.sec) +
         1e-9 *
           (static_cast<double>(t.tv_nsec) - static_cast<double>(message->wall_time.nanosec))) *
        1e6);
    });
  rclcpp::executors::MultiThreadedExecutor node_executor(rclcpp::ExecutorOptions(), 2);
  node_executor.add_node(physics);
  std::thread node_thread([&] { node_executor.spin(); });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(reader);
  const auto spin = [&](double time) {
    for (const double end = now_us() + 1e6 * time; now_us() < end;) {
      executor.spin_once(std::chrono::milliseconds(10));
    }
  };
  spin(1.0);
  record = true;
  const std::size_t allocated = allocations::count();
  const double start = now_us();
  spin(seconds);
  const double taken = (now_us() - start) * 1e-6;
  node_executor.cancel();
  node_thread.join();
  report("latency", latency);
  report_value("rate_hz", static_cast<double>(latency.size()) / taken);
  const auto received = static_cast<double>(std::max<std::size_t>(latency.size(), 1));
  report_value("same_address_share", static_cast<double>(same) / received);
  report_value(
    "allocations_per_message", static_cast<double>(allocations::count() - allocated) / received);
  report_value("bodies", static_cast<double>(bodies));
}

/// Once in a process: the first node pays for what is loaded then, and memory that was freed is used again.
void endpoints(const std::string & model, const std::string & publish)
{
  const double start = now_us(), before = resident_mb();
  const auto node = make_node(model, "lockstep", {rclcpp::Parameter("publish", publish)});
  report_value("creation_s", (now_us() - start) * 1e-6);
  report_value("resident_mb", resident_mb() - before);
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "call" && argc > 3) {
    call(argv[2], std::atoi(argv[3]), std::vector<std::string>(argv + 4, argv + argc));
  } else if (what == "costs" && argc > 3) {
    costs(argv[2], std::atoi(argv[3]));
  } else if (what == "member") {
    rclcpp::spin(std::make_shared<ambf_physics_test::Member>(argv[2]));
  } else if (what == "snapshot" && argc > 3) {
    snapshot(argv[2], std::atof(argv[3]));
  } else if (what == "endpoints" && argc > 3) {
    endpoints(argv[2], argv[3]);
  } else if (what == "library" && argc > 3) {
    report_value("step_s", library_step_s(argv[2], std::atoi(argv[3])));
  } else {
    std::fprintf(stderr, "see the head of composed_probe.cpp\n");
    return 2;
  }
  rclcpp::shutdown();
  return 0;
}
