// SPDX-License-Identifier: BSD-3-Clause
// The baseline: what the measurements of rclcpp_probe cost when written straight on rcl, and what a
// hand-over between two threads costs with nothing but a mutex and a condition variable.
#include <rcl/error_handling.h>
#include <rcl/graph.h>
#include <rcl/rcl.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <rosidl_typesupport_cpp/service_type_support.hpp>
#include <std_msgs/msg/u_int8_multi_array.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <thread>

#include "probe.hpp"

using std_msgs::msg::UInt8MultiArray;
using std_srvs::srv::Trigger;

#define CHECK(call)                                                               \
  do {                                                                            \
    if ((call) != RCL_RET_OK) {                                                   \
      std::fprintf(stderr, "%s failed: %s\n", #call, rcl_get_error_string().str); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

namespace
{

struct Session
{
  rcl_context_t context = rcl_get_zero_initialized_context();
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_allocator_t allocator = rcl_get_default_allocator();

  explicit Session(const char * name)
  {
    rcl_init_options_t options = rcl_get_zero_initialized_init_options();
    CHECK(rcl_init_options_init(&options, allocator));
    CHECK(rcl_init(0, nullptr, &options, &context));
    rcl_node_options_t node_options = rcl_node_get_default_options();
    CHECK(rcl_node_init(&node, name, "", &context, &node_options));
  }
};

const rosidl_message_type_support_t * bytes_type()
{
  return rosidl_typesupport_cpp::get_message_type_support_handle<UInt8MultiArray>();
}

rcl_publisher_t make_publisher(Session & s, const char * topic)
{
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  CHECK(rcl_publisher_init(&publisher, &s.node, bytes_type(), topic, &options));
  return publisher;
}

rcl_subscription_t make_subscription(Session & s, const char * topic)
{
  rcl_subscription_t subscription = rcl_get_zero_initialized_subscription();
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  CHECK(rcl_subscription_init(&subscription, &s.node, bytes_type(), topic, &options));
  return subscription;
}

void wait_for(rcl_wait_set_t & set, const rcl_subscription_t & subscription)
{
  CHECK(rcl_wait_set_clear(&set));
  CHECK(rcl_wait_set_add_subscription(&set, &subscription, nullptr));
  CHECK(rcl_wait(&set, -1));
}

void echo()
{
  Session s("rcl_echo");
  auto out = make_publisher(s, "pong");
  auto in = make_subscription(s, "ping");
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  CHECK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &s.context, s.allocator));
  while (true) {
    wait_for(set, in);
    UInt8MultiArray message;
    if (rcl_take(&in, &message, nullptr, nullptr) == RCL_RET_OK) {
      CHECK(rcl_publish(&out, &message, nullptr));
    }
  }
}

void ping(std::size_t count)
{
  Session s("rcl_ping");
  auto out = make_publisher(s, "ping");
  auto in = make_subscription(s, "pong");
  std::size_t matched_out = 0, matched_in = 0;
  while (matched_out == 0 || matched_in == 0) {
    CHECK(rcl_publisher_get_subscription_count(&out, &matched_out));
    CHECK(rcl_subscription_get_publisher_count(&in, &matched_in));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  CHECK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &s.context, s.allocator));
  UInt8MultiArray message;
  message.data.resize(64);
  std::vector<double> times;
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    const double start = probe::now_us();
    CHECK(rcl_publish(&out, &message, nullptr));
    UInt8MultiArray reply;
    do {
      wait_for(set, in);
    } while (rcl_take(&in, &reply, nullptr, nullptr) != RCL_RET_OK);
    if (i >= probe::kWarmUp) { times.push_back(probe::now_us() - start); }
  }
  probe::report("pingpong", times);
}

const rosidl_service_type_support_t * trigger_type()
{
  return rosidl_typesupport_cpp::get_service_type_support_handle<Trigger>();
}

void serve()
{
  Session s("rcl_server");
  rcl_service_t service = rcl_get_zero_initialized_service();
  rcl_service_options_t options = rcl_service_get_default_options();
  CHECK(rcl_service_init(&service, &s.node, trigger_type(), "trigger", &options));
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  CHECK(rcl_wait_set_init(&set, 0, 0, 0, 0, 1, 0, &s.context, s.allocator));
  while (true) {
    CHECK(rcl_wait_set_clear(&set));
    CHECK(rcl_wait_set_add_service(&set, &service, nullptr));
    CHECK(rcl_wait(&set, -1));
    rmw_request_id_t id{};
    Trigger::Request request;
    if (rcl_take_request(&service, &id, &request) == RCL_RET_OK) {
      Trigger::Response response;
      response.success = true;
      CHECK(rcl_send_response(&service, &id, &response));
    }
  }
}

void call(std::size_t count)
{
  Session s("rcl_client");
  rcl_client_t client = rcl_get_zero_initialized_client();
  rcl_client_options_t options = rcl_client_get_default_options();
  CHECK(rcl_client_init(&client, &s.node, trigger_type(), "trigger", &options));
  bool ready = false;
  while (!ready) {
    CHECK(rcl_service_server_is_available(&s.node, &client, &ready));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  CHECK(rcl_wait_set_init(&set, 0, 0, 0, 1, 0, 0, &s.context, s.allocator));
  std::vector<double> times;
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    const double start = probe::now_us();
    Trigger::Request request;
    int64_t sequence = 0;
    CHECK(rcl_send_request(&client, &request, &sequence));
    rmw_request_id_t id{};
    Trigger::Response response;
    do {
      CHECK(rcl_wait_set_clear(&set));
      CHECK(rcl_wait_set_add_client(&set, &client, nullptr));
      CHECK(rcl_wait(&set, -1));
    } while (rcl_take_response(&client, &id, &response) != RCL_RET_OK);
    if (i >= probe::kWarmUp) { times.push_back(probe::now_us() - start); }
  }
  probe::report("service", times);
}

// Endpoints: creation time of `count` publishers and subscriptions, then processor use while idle.
void endpoints(std::size_t count)
{
  Session s("rcl_endpoints");
  std::vector<rcl_publisher_t> publishers;
  std::vector<rcl_subscription_t> subscriptions;
  const double start = probe::now_us();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string topic = "topic_" + std::to_string(i);
    publishers.push_back(make_publisher(s, topic.c_str()));
    subscriptions.push_back(make_subscription(s, topic.c_str()));
  }
  probe::report_value("creation_s", (probe::now_us() - start) * 1e-6);
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  CHECK(rcl_wait_set_init(&set, count, 0, 0, 0, 0, 0, &s.context, s.allocator));
  const auto idle = [&](double seconds) {
    const double until = probe::now_us() + seconds * 1e6;
    while (probe::now_us() < until) {
      CHECK(rcl_wait_set_clear(&set));
      for (auto & subscription : subscriptions) {
        CHECK(rcl_wait_set_add_subscription(&set, &subscription, nullptr));
      }
      const auto left = static_cast<int64_t>((until - probe::now_us()) * 1e3);
      if (rcl_wait(&set, std::max<int64_t>(left, 0)) == RCL_RET_TIMEOUT) { break; }
    }
  };
  idle(1.5);
  const double cpu = probe::cpu_s(), wall = probe::now_us();
  idle(3.0);
  probe::report_value(
    "idle_percent", 100.0 * (probe::cpu_s() - cpu) / ((probe::now_us() - wall) * 1e-6));
}

// A hand-over of an owned message between two threads, there and back, by mutex and condition.
class Slot
{
public:
  void put(std::unique_ptr<UInt8MultiArray> message)
  {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      message_ = std::move(message);
    }
    filled_.notify_one();
  }

  std::unique_ptr<UInt8MultiArray> take()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return message_ != nullptr; });
    return std::move(message_);
  }

private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::unique_ptr<UInt8MultiArray> message_;
};

void handover(std::size_t count, std::size_t size)
{
  Slot there, back;
  std::thread other([&] {
    for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) { back.put(there.take()); }
  });
  auto message = std::make_unique<UInt8MultiArray>();
  message->data.resize(size);
  std::vector<double> times;
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    const double start = probe::now_us();
    there.put(std::move(message));
    message = back.take();
    if (i >= probe::kWarmUp) { times.push_back((probe::now_us() - start) / 2); }
  }
  other.join();
  probe::report("handover", times);
}

void timer(std::size_t count)
{
  timespec next{};
  clock_gettime(CLOCK_MONOTONIC, &next);
  std::vector<double> errors;
  double last = probe::now_us();
  for (std::size_t i = 0; i < count + probe::kWarmUp; ++i) {
    next.tv_nsec += 1'000'000;
    if (next.tv_nsec >= 1'000'000'000) {
      next.tv_nsec -= 1'000'000'000;
      ++next.tv_sec;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
    const double now = probe::now_us();
    if (i >= probe::kWarmUp) { errors.push_back(std::abs(now - last - 1000.0)); }
    last = now;
  }
  probe::report("timer", errors);
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string what = argc > 1 ? argv[1] : "";
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000;
  const std::size_t size = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 64;
  if (what == "echo") {
    echo();
  } else if (what == "ping") {
    ping(count);
  } else if (what == "serve") {
    serve();
  } else if (what == "call") {
    call(count);
  } else if (what == "endpoints") {
    endpoints(count);
  } else if (what == "handover") {
    handover(count, size);
  } else if (what == "timer") {
    timer(count);
  } else {
    std::fprintf(
      stderr, "usage: rcl_probe echo|ping|serve|call|endpoints|handover|timer [COUNT [SIZE]]\n");
    return 2;
  }
  return 0;
}
