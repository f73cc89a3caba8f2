// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "test_msgs/srv/basic_types.hpp"
#include "test_msgs/srv/empty.hpp"

using namespace std::chrono_literals;
using Service = test_msgs::srv::BasicTypes;

namespace {

class Services : public ::testing::Test {
protected:
  void SetUp() override {
    rclcpp::init(0, nullptr);
    node = std::make_shared<rclcpp::Node>("services", "/ns");
    executor.emplace();
    executor->add_node(node);
  }

  void TearDown() override {
    executor.reset();
    node.reset();
    rclcpp::shutdown();
  }

  /// Call with the given number and return what came back.
  int32_t call(rclcpp::Client<Service> & client, int32_t number) {
    EXPECT_TRUE(client.wait_for_service(60s));
    auto future = client.async_send_request(request(number));
    EXPECT_EQ(executor->spin_until_future_complete(future, 60s), rclcpp::FutureReturnCode::SUCCESS);
    return future.get()->int32_value;
  }

  static Service::Request::SharedPtr request(int32_t number) {
    auto result = std::make_shared<Service::Request>();
    result->int32_value = number;
    return result;
  }

  std::shared_ptr<rclcpp::Node> node;
  std::optional<rclcpp::executors::SingleThreadedExecutor> executor;
};

void add_one(const std::shared_ptr<Service::Request> request, std::shared_ptr<Service::Response> response) {
  response->int32_value = request->int32_value + 1;
}

struct Adder {
  void add(const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<Service::Request> request,
    std::shared_ptr<Service::Response> response) {
    response->int32_value = request->int32_value + amount;
  }
  int32_t amount = 10;
};

}  // namespace

TEST_F(Services, AnswerThroughEveryCallbackSignature) {
  auto client = node->create_client<Service>("add");
  EXPECT_STREQ(client->get_service_name(), "/ns/add");
  {
    auto service = node->create_service<Service>("add", &add_one);
    EXPECT_STREQ(service->get_service_name(), "/ns/add");
    EXPECT_EQ(call(*client, 1), 2);
  }
  {
    Adder adder;
    auto service = node->create_service<Service>(
      "add", std::bind(&Adder::add, &adder, std::placeholders::_1, std::placeholders::_2, std::placeholders::_3));
    EXPECT_EQ(call(*client, 1), 11);
  }
  {
    rclcpp::Service<Service>::SharedPtr service;
    service = node->create_service<Service>("add",
      [&service](const std::shared_ptr<rmw_request_id_t> header, const std::shared_ptr<Service::Request> request) {
        Service::Response response;
        response.int32_value = request->int32_value + 100;
        service->send_response(*header, response);
      });
    EXPECT_EQ(call(*client, 1), 101);
  }
  {
    auto service = node->create_service<Service>(
      "add", [](std::shared_ptr<rclcpp::Service<Service>> service, const std::shared_ptr<rmw_request_id_t> header,
               const std::shared_ptr<Service::Request> request) {
        Service::Response response;
        response.int32_value = request->int32_value + 1000;
        service->send_response(*header, response);
      });
    EXPECT_EQ(call(*client, 1), 1001);
  }
}

TEST_F(Services, DeferredResponsesMayComeLaterAndOutOfOrder) {
  std::vector<std::pair<std::shared_ptr<rmw_request_id_t>, int32_t>> waiting;
  auto service = node->create_service<Service>(
    "add", [&](const std::shared_ptr<rmw_request_id_t> header, const std::shared_ptr<Service::Request> request) {
      waiting.emplace_back(header, request->int32_value);
    });
  auto client = node->create_client<Service>("add");
  ASSERT_TRUE(client->wait_for_service(60s));
  auto first = client->async_send_request(request(1));
  auto second = client->async_send_request(request(2));
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (waiting.size() < 2 && std::chrono::steady_clock::now() < end) { executor->spin_once(10ms); }
  ASSERT_EQ(waiting.size(), 2u);
  for (auto it = waiting.rbegin(); it != waiting.rend(); ++it) {
    Service::Response response;
    response.int32_value = -it->second;
    service->send_response(*it->first, response);
  }
  EXPECT_EQ(executor->spin_until_future_complete(first, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(executor->spin_until_future_complete(second, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(first.get()->int32_value, -1);
  EXPECT_EQ(second.get()->int32_value, -2);
}

TEST_F(Services, ClientCallbacksGetTheSharedFutureOrTheRequestToo) {
  auto service = node->create_service<Service>("add", &add_one);
  auto client = node->create_client<Service>("add");
  ASSERT_TRUE(client->wait_for_service(60s));
  int32_t with_future = 0, asked = 0, with_request = 0;
  auto a = client->async_send_request(
    request(4), [&](rclcpp::Client<Service>::SharedFuture future) { with_future = future.get()->int32_value; });
  auto b = client->async_send_request(request(7), [&](rclcpp::Client<Service>::SharedFutureWithRequest future) {
    asked = future.get().first->int32_value;
    with_request = future.get().second->int32_value;
  });
  EXPECT_NE(a.request_id, b.request_id);
  EXPECT_EQ(executor->spin_until_future_complete(a, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(executor->spin_until_future_complete(b, 60s), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_EQ(with_future, 5);
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(with_request, 8);
}

TEST_F(Services, RemovingAPendingRequestBreaksItsFuture) {
  auto client = node->create_client<Service>("nobody");
  EXPECT_FALSE(client->service_is_ready());
  EXPECT_FALSE(client->wait_for_service(5ms));
  auto future = client->async_send_request(request(1));
  EXPECT_TRUE(client->remove_pending_request(future));
  EXPECT_FALSE(client->remove_pending_request(future.request_id));
  EXPECT_THROW(future.get(), std::future_error);

  auto shared = client->async_send_request(request(1), [](rclcpp::Client<Service>::SharedFuture) { FAIL(); });
  EXPECT_EQ(client->prune_pending_requests(), 1u);
  EXPECT_THROW(shared.get(), std::future_error);

  auto old = client->async_send_request(request(1));
  const auto between = std::chrono::system_clock::now() + 1ms;
  std::this_thread::sleep_for(2ms);
  auto young = client->async_send_request(request(2));
  std::vector<int64_t> pruned;
  EXPECT_EQ(client->prune_requests_older_than(between, &pruned), 1u);
  ASSERT_EQ(pruned.size(), 1u);
  EXPECT_EQ(pruned[0], old.request_id);
  EXPECT_TRUE(client->remove_pending_request(young));
}

TEST_F(Services, LateAnswerToAPrunedRequestIsDropped) {
  int served = 0;
  auto service = node->create_service<Service>(
    "add", [&](const std::shared_ptr<Service::Request> request, std::shared_ptr<Service::Response> response) {
      ++served;
      response->int32_value = request->int32_value;
    });
  auto client = node->create_client<Service>("add");
  ASSERT_TRUE(client->wait_for_service(60s));
  auto forgotten = client->async_send_request(request(1));
  client->prune_pending_requests();
  EXPECT_EQ(call(*client, 2), 2);
  EXPECT_EQ(served, 2);
}

TEST_F(Services, WaitForServiceWakesWhenTheServiceAppears) {
  auto client = node->create_client<Service>("late");
  rclcpp::Service<Service>::SharedPtr service;
  std::thread maker([&]() {
    std::this_thread::sleep_for(20ms);
    service = node->create_service<Service>("late", &add_one);
  });
  EXPECT_TRUE(client->wait_for_service(60s));
  maker.join();
  EXPECT_TRUE(client->service_is_ready());
}

TEST_F(Services, WaitForServiceEndsWithTheContext) {
  auto client = node->create_client<Service>("never");
  std::thread stopper([]() {
    std::this_thread::sleep_for(20ms);
    rclcpp::shutdown();
  });
  EXPECT_FALSE(client->wait_for_service());
  stopper.join();
}

TEST_F(Services, NoServiceAppearsAfterTheEndOfTheContext) {
  auto client = node->create_client<Service>("never");
  rclcpp::shutdown();
  EXPECT_FALSE(client->wait_for_service());
}

TEST_F(Services, InvalidNamesSayWhere) {
  EXPECT_THROW(node->create_client<Service>("bad?name"), rclcpp::exceptions::InvalidServiceNameError);
  EXPECT_THROW(node->create_service<Service>("bad?name", &add_one), rclcpp::exceptions::InvalidServiceNameError);
}

TEST_F(Services, ExceptionOfACallbackLeavesSpinAndTheServiceWorksOn) {
  bool fail = true;
  auto service = node->create_service<Service>(
    "add", [&](const std::shared_ptr<Service::Request> request, std::shared_ptr<Service::Response> response) {
      if (fail) { throw std::logic_error("refused"); }
      add_one(request, response);
    });
  auto client = node->create_client<Service>("add");
  ASSERT_TRUE(client->wait_for_service(60s));
  auto future = client->async_send_request(request(1));
  EXPECT_THROW(executor->spin_until_future_complete(future, 60s), std::logic_error);
  EXPECT_FALSE(executor->is_spinning());
  fail = false;
  EXPECT_EQ(call(*client, 1), 2);
}

TEST_F(Services, OnNewCallbacksCountRequestsAndResponses) {
  auto service = node->create_service<Service>("add", &add_one);
  auto client = node->create_client<Service>("add");
  ASSERT_TRUE(client->wait_for_service(60s));
  std::atomic<size_t> requests{0}, responses{0};
  EXPECT_THROW(service->set_on_new_request_callback(nullptr), std::invalid_argument);
  service->set_on_new_request_callback([&](size_t count) { requests += count; });
  client->set_on_new_response_callback([&](size_t count) { responses += count; });
  auto future = client->async_send_request(request(1));
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (requests == 0 && std::chrono::steady_clock::now() < end) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(requests, 1u);
  Service::Request taken;
  rmw_request_id_t header;
  ASSERT_TRUE(service->take_request(taken, header));
  EXPECT_FALSE(service->take_request(taken, header));
  Service::Response response;
  service->send_response(header, response);
  while (responses == 0 && std::chrono::steady_clock::now() < end) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(responses, 1u);
  service->clear_on_new_request_callback();
  client->clear_on_new_response_callback();
}

TEST_F(Services, ReportTheirActualQos) {
  auto service = node->create_service<Service>("add", &add_one, rclcpp::QoS(7));
  auto client = node->create_client<Service>("add", rclcpp::QoS(7));
  EXPECT_EQ(service->get_request_subscription_actual_qos().reliability(), rclcpp::ReliabilityPolicy::Reliable);
  EXPECT_EQ(client->get_response_subscription_actual_qos().depth(), 7u);
}

TEST_F(Services, IntrospectionPublishesServiceEvents) {
  auto service = node->create_service<test_msgs::srv::BasicTypes>("add", &add_one);
  service->configure_introspection(node->get_clock(), rclcpp::SystemDefaultsQoS(), RCL_SERVICE_INTROSPECTION_METADATA);
  EXPECT_EQ(node->count_publishers("/ns/add/_service_event"), 1u);
}
