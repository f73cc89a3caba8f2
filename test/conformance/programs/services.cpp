// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Services and clients: callback signatures, futures and callbacks, deferred answers, removing and
// pruning of pending requests, and what happens when the other side is not there.

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_srvs/srv/set_bool.hpp"
#include "std_srvs/srv/trigger.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_srvs::srv::SetBool;

namespace
{

SetBool::Request::SharedPtr request(bool data)
{
  auto r = std::make_shared<SetBool::Request>();
  r->data = data;
  return r;
}

const char * code(rclcpp::FutureReturnCode c)
{
  switch (c) {
    case rclcpp::FutureReturnCode::SUCCESS:
      return "SUCCESS";
    case rclcpp::FutureReturnCode::TIMEOUT:
      return "TIMEOUT";
    case rclcpp::FutureReturnCode::INTERRUPTED:
      return "INTERRUPTED";
  }
  return "?";
}

struct Bench
{
  rclcpp::Node::SharedPtr node = std::make_shared<rclcpp::Node>("services");
  rclcpp::executors::SingleThreadedExecutor executor;
  Bench() { executor.add_node(node); }
};

void signatures()
{
  observe::area("service callback signatures");
  Bench bench;
  auto & node = bench.node;
  const auto ask = [&](const std::string & name) {
    auto client = node->create_client<SetBool>(name);
    client->wait_for_service(observe::patience);
    auto future = client->async_send_request(request(true));
    const auto result = bench.executor.spin_until_future_complete(future, observe::patience);
    Say{
      name, code(result),
      result == rclcpp::FutureReturnCode::SUCCESS ? future.get()->message : "(none)"};
  };
  auto plain = node->create_service<SetBool>(
    "request_response", [](const SetBool::Request::SharedPtr q, SetBool::Response::SharedPtr a) {
      a->message = q->data ? "yes" : "no";
    });
  ask("request_response");
  auto headed = node->create_service<SetBool>(
    "header_request_response",
    [](
      const std::shared_ptr<rmw_request_id_t> id, const SetBool::Request::SharedPtr,
      SetBool::Response::SharedPtr a) {
      a->message = "sequence " + std::to_string(id->sequence_number);
    });
  ask("header_request_response");
  std::vector<std::pair<std::shared_ptr<rmw_request_id_t>, SetBool::Request::SharedPtr>> waiting;
  auto deferred = node->create_service<SetBool>(
    "deferred", [&](
                  std::shared_ptr<rclcpp::Service<SetBool>> service,
                  std::shared_ptr<rmw_request_id_t> id, SetBool::Request::SharedPtr) {
      SetBool::Response answer;
      answer.message = "answered by the service object";
      service->send_response(*id, answer);
    });
  ask("deferred");
  auto later = node->create_service<SetBool>(
    "later", [&](std::shared_ptr<rmw_request_id_t> id, SetBool::Request::SharedPtr q) {
      waiting.emplace_back(id, q);
    });
  auto timer = node->create_wall_timer(10ms, [&] {
    for (auto & [id, q] : waiting) {
      SetBool::Response answer;
      answer.message = "answered later";
      later->send_response(*id, answer);
    }
    waiting.clear();
  });
  ask("later");
  Say{"names", plain->get_service_name(), node->create_client<SetBool>("~/x")->get_service_name()};
}

void client_forms()
{
  observe::area("client forms");
  Bench bench;
  auto & node = bench.node;
  int served = 0;
  auto service = node->create_service<SetBool>(
    "forms", [&](const SetBool::Request::SharedPtr q, SetBool::Response::SharedPtr a) {
      ++served;
      a->success = q->data;
      a->message = std::to_string(served);
    });
  auto client = node->create_client<SetBool>("forms");
  Say{"wait for service", client->wait_for_service(observe::patience), client->service_is_ready()};

  auto future = client->async_send_request(request(true));
  Say{"first id", future.request_id};
  Say{
    "future", code(bench.executor.spin_until_future_complete(future, observe::patience)),
    future.get()->success};

  std::string by_callback = "(none)";
  auto shared = client->async_send_request(
    request(false),
    [&](rclcpp::Client<SetBool>::SharedFuture f) { by_callback = f.get()->message; });
  Say{"second id", shared.request_id};
  bench.executor.spin_until_future_complete(shared, observe::patience);
  Say{"callback", by_callback, "future of it", shared.get()->message};

  std::string by_pair = "(none)";
  auto with_request = client->async_send_request(
    request(true), [&](rclcpp::Client<SetBool>::SharedFutureWithRequest f) {
      by_pair = std::string(f.get().first->data ? "true" : "false") + " " + f.get().second->message;
    });
  bench.executor.spin_until_future_complete(with_request, observe::patience);
  Say{"callback with request", by_pair};
  std::promise<int> never;
  Say{
    "free function", code(rclcpp::spin_until_future_complete(
                       std::make_shared<rclcpp::Node>("other"), never.get_future().share(), 1ms))};
  std::shared_future<int> ready = [] {
    std::promise<int> promise;
    promise.set_value(1);
    return promise.get_future().share();
  }();
  Say{"spin on a ready future", code(bench.executor.spin_until_future_complete(ready))};
  std::promise<int> still_never;
  Say{
    "spin on one that never comes",
    code(bench.executor.spin_until_future_complete(still_never.get_future(), 20ms))};

  std::vector<std::string> order;
  std::vector<rclcpp::Client<SetBool>::SharedFutureAndRequestId> pending;
  for (int i = 0; i < 4; ++i) {
    pending.push_back(client->async_send_request(
      request(true),
      [&](rclcpp::Client<SetBool>::SharedFuture f) { order.push_back(f.get()->message); }));
  }
  observe::spin_until(bench.executor, [&] { return order.size() == 4; });
  Say{"answers in order", observe::join(order)};
}

void pending_requests()
{
  observe::area("pending requests");
  Bench bench;
  auto & node = bench.node;
  std::vector<std::shared_ptr<rmw_request_id_t>> ids;
  auto service = node->create_service<SetBool>(
    "silent",
    [&](std::shared_ptr<rmw_request_id_t> id, SetBool::Request::SharedPtr) { ids.push_back(id); });
  auto client = node->create_client<SetBool>("silent");
  client->wait_for_service(observe::patience);

  auto first = client->async_send_request(request(true));
  auto second = client->async_send_request(request(true));
  auto third = client->async_send_request(request(true));
  observe::spin_until(bench.executor, [&] { return ids.size() == 3; });
  Say{
    "remove first", client->remove_pending_request(first), "again",
    client->remove_pending_request(first.request_id)};
  Say{"its future", outcome([&] { first.get(); })};
  std::vector<int64_t> pruned;
  Say{
    "prune older than an hour ago",
    client->prune_requests_older_than(std::chrono::system_clock::now() - 1h, &pruned),
    pruned.size()};
  Say{
    "prune older than now",
    client->prune_requests_older_than(std::chrono::system_clock::now() + 1s, &pruned),
    observe::join(pruned)};
  Say{"futures", observe::outcome_type([&] { second.get(); }), observe::outcome_type([&] {
        third.get();
      })};
  auto fourth = client->async_send_request(request(true));
  auto fifth = client->async_send_request(request(true));
  Say{"prune all", client->prune_pending_requests(), "again", client->prune_pending_requests()};
  observe::spin_until(bench.executor, [&] { return ids.size() == 5; });
  for (const auto & id : ids) {
    SetBool::Response answer;
    service->send_response(*id, answer);
  }
  observe::spin_for(bench.executor, 50ms);
  auto sixth = client->async_send_request(request(true));
  observe::spin_until(bench.executor, [&] { return ids.size() == 6; });
  SetBool::Response answer;
  answer.message = "still works";
  service->send_response(*ids.back(), answer);
  bench.executor.spin_until_future_complete(sixth, observe::patience);
  Say{"after late answers", sixth.get()->message, "id", sixth.request_id};
  Say{"answer twice", outcome([&] { service->send_response(*ids.back(), answer); })};
}

void absent_and_wrong()
{
  observe::area("absent and wrong");
  Bench bench;
  auto & node = bench.node;
  auto lonely = node->create_client<SetBool>("nobody");
  Say{"ready", lonely->service_is_ready(),  "waited", lonely->wait_for_service(20ms),
      "zero",  lonely->wait_for_service(0s)};
  auto future = lonely->async_send_request(request(true));
  Say{"request to nobody", code(bench.executor.spin_until_future_complete(future, 30ms))};
  Say{"bad service name", outcome([&] {
        node->create_service<SetBool>(
          "bad name", [](const SetBool::Request::SharedPtr, SetBool::Response::SharedPtr) {});
      })};
  Say{"bad client name", outcome([&] { node->create_client<SetBool>("bad name"); })};
  auto throwing = node->create_service<SetBool>(
    "throwing", [](const SetBool::Request::SharedPtr, SetBool::Response::SharedPtr) {
      throw std::runtime_error("refused by the service");
    });
  auto client = node->create_client<SetBool>("throwing");
  client->wait_for_service(observe::patience);
  auto unanswered = client->async_send_request(request(true));
  Say{"a callback that throws", outcome([&] {
        bench.executor.spin_until_future_complete(unanswered, 2s);
      })};
  Say{"spinning on", outcome([&] { bench.executor.spin_some(); })};
  throwing.reset();
  Say{"service gone", observe::eventually([&] { return !client->service_is_ready(); })};
  Say{"wait after it is gone", client->wait_for_service(10ms)};
  auto typed = node->create_service<SetBool>(
    "typed", [](const SetBool::Request::SharedPtr, SetBool::Response::SharedPtr) {});
  auto wrong = std::make_shared<rclcpp::Client<std_srvs::srv::Trigger>::SharedPtr>();
  Say{"client of another type", observe::outcome_type([&] {
        *wrong = node->create_client<std_srvs::srv::Trigger>("typed");
      })};
  rclcpp::Client<SetBool>::SharedPtr orphan;
  {
    auto owner = std::make_shared<rclcpp::Node>("owner");
    orphan = owner->create_client<SetBool>("typed");
  }
  Say{"waiting without a node", outcome([&] { orphan->wait_for_service(10ms); })};
}

void shared_types()
{
  observe::area("qos of services");
  Bench bench;
  auto service = bench.node->create_service<SetBool>(
    "quality", [](const SetBool::Request::SharedPtr, SetBool::Response::SharedPtr) {},
    rclcpp::QoS(7));
  auto client = bench.node->create_client<SetBool>("quality", rclcpp::QoS(5));
  Say{
    "service depths", service->get_request_subscription_actual_qos().depth(),
    service->get_response_publisher_actual_qos().depth()};
  Say{
    "client depths", client->get_request_publisher_actual_qos().depth(),
    client->get_response_subscription_actual_qos().depth()};
  auto plain = bench.node->create_client<SetBool>("quality2");
  const auto qos = plain->get_request_publisher_actual_qos();
  Say{
    "default", qos.depth(), qos.reliability() == rclcpp::ReliabilityPolicy::Reliable,
    qos.durability() == rclcpp::DurabilityPolicy::Volatile};
  const rclcpp::Service<SetBool>::SharedPtr same = service;
  Say{"handle", same->get_service_handle() != nullptr, client->get_client_handle() != nullptr};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  signatures();
  client_forms();
  pending_requests();
  absent_and_wrong();
  shared_types();
  rclcpp::shutdown();
  return 0;
}
