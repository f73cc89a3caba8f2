// SPDX-License-Identifier: BSD-3-Clause
// The C++ side of test_rclpy_interop.py: echoes, adds, counts, and tells what it sees.

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_srvs/srv/set_bool.hpp"
#include "test_msgs/action/fibonacci.hpp"

using Fibonacci = test_msgs::action::Fibonacci;
using GoalHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;
using std_msgs::msg::String;
using std_srvs::srv::SetBool;

class Peer : public rclcpp::Node {
public:
  Peer() : Node("cpp_peer", "/interop") {
    declare_parameter("gain", 1.5);
    seen_ = create_publisher<String>("seen", rclcpp::QoS(50).reliable());
    echo_ = create_subscription<String>("to_cpp", 10, [this](const String & message) { tell("echo " + message.data); });
    service_ = create_service<SetBool>(
      "flip", [](const SetBool::Request::SharedPtr request, SetBool::Response::SharedPtr response) {
        response->success = !request->data;
        response->message = "from C++";
      });

    rclcpp::PublisherOptions offered;
    offered.event_callbacks.incompatible_qos_callback = [this](rclcpp::QOSOfferedIncompatibleQoSInfo & info) {
      tell("incompatible reader " + std::to_string(info.last_policy_kind));
    };
    picky_ = create_publisher<String>("best_effort_only", rclcpp::QoS(1).best_effort(), offered);
    rclcpp::SubscriptionOptions wanted;
    wanted.event_callbacks.deadline_callback = [this](rclcpp::QOSDeadlineRequestedInfo &) { tell("deadline missed"); };
    wanted.event_callbacks.liveliness_callback = [this](rclcpp::QOSLivelinessChangedInfo & info) {
      tell("alive " + std::to_string(info.alive_count));
    };
    // Fast DDS tells of liveliness only where there is a lease.
    const auto watched_qos = rclcpp::QoS(1)
                               .deadline(std::chrono::milliseconds(100))
                               .liveliness(rclcpp::LivelinessPolicy::Automatic)
                               .liveliness_lease_duration(std::chrono::seconds(2));
    watched_ = create_subscription<String>("watched", watched_qos, [](const String &) {}, wanted);

    server_ = rclcpp_action::create_server<Fibonacci>(
      this, "cpp_fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        return goal->order > 40 ? rclcpp_action::GoalResponse::REJECT : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<GoalHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [](std::shared_ptr<GoalHandle> goal) { std::thread(execute, goal).detach(); });

    // What the C++ side asks of the Python side, when told to.
    client_ = create_client<SetBool>("py_flip");
    action_client_ = rclcpp_action::create_client<Fibonacci>(this, "py_fibonacci");
    remote_ = std::make_shared<rclcpp::AsyncParametersClient>(this, "/interop/py_peer");
    command_ = create_subscription<String>("command", 10, [this](const String & message) { run(message.data); });
  }

private:
  static void execute(std::shared_ptr<GoalHandle> goal) {
    auto feedback = std::make_shared<Fibonacci::Feedback>();
    auto result = std::make_shared<Fibonacci::Result>();
    feedback->sequence = {0, 1};
    // An order of 0 runs until it is canceled.
    for (int32_t i = 1; goal->get_goal()->order == 0 || i < goal->get_goal()->order; ++i) {
      if (goal->is_canceling()) {
        result->sequence = {-1};
        goal->canceled(result);
        return;
      }
      if (feedback->sequence.size() < 40) {
        const size_t n = feedback->sequence.size();
        feedback->sequence.push_back(feedback->sequence[n - 1] + feedback->sequence[n - 2]);
      }
      goal->publish_feedback(feedback);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    result->sequence = feedback->sequence;
    goal->succeed(result);
  }

  /// The Python side may see this one before it is seen by it.
  static constexpr std::chrono::seconds patience{5};

  void run(const std::string & command) {
    if (command == "service") {
      auto request = std::make_shared<SetBool::Request>();
      request->data = true;
      client_->wait_for_service(patience);
      client_->async_send_request(
        request, [this](rclcpp::Client<SetBool>::SharedFuture future) { tell("service " + future.get()->message); });
    } else if (command == "action") {
      rclcpp_action::Client<Fibonacci>::SendGoalOptions options;
      options.result_callback = [this](const auto & wrapped) {
        tell("action " + std::to_string(wrapped.result->sequence.back()));
      };
      Fibonacci::Goal goal;
      goal.order = 5;
      action_client_->wait_for_action_server(patience);
      action_client_->async_send_goal(goal, options);
    } else if (command == "parameter") {
      remote_->wait_for_service(patience);
      remote_->set_parameters({rclcpp::Parameter("depth", 7)},
        [this](auto future) { tell(std::string("parameter ") + (future.get().at(0).successful ? "set" : "refused")); });
    } else if (command == "graph") {
      for (const auto & name : get_node_names()) { tell("node " + name); }
    }
  }

  void tell(const std::string & what) {
    String message;
    message.data = what;
    seen_->publish(message);
  }

  rclcpp::Publisher<String>::SharedPtr seen_;
  rclcpp::Subscription<String>::SharedPtr echo_;
  rclcpp::Service<SetBool>::SharedPtr service_;
  rclcpp::Publisher<String>::SharedPtr picky_;
  rclcpp::Subscription<String>::SharedPtr watched_;
  rclcpp_action::Server<Fibonacci>::SharedPtr server_;
  rclcpp::Client<SetBool>::SharedPtr client_;
  rclcpp_action::Client<Fibonacci>::SharedPtr action_client_;
  rclcpp::AsyncParametersClient::SharedPtr remote_;
  rclcpp::Subscription<String>::SharedPtr command_;
};

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Peer>());
  rclcpp::shutdown();
  return 0;
}
