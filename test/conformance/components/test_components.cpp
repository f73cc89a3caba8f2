// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Components that only the conformance programs load.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_srvs/srv/set_bool.hpp"
#include "test_msgs/action/fibonacci.hpp"

namespace ambf_conformance
{

/// Refuses to be constructed: the container must say so and live on.
class Faulty : public rclcpp::Node
{
public:
  explicit Faulty(const rclcpp::NodeOptions & options) : Node("faulty", options)
  {
    throw std::runtime_error("this component never starts");
  }
};

/// The C++ side of the cross-language checks: answers on a topic, a service and an action.
class Peer : public rclcpp::Node
{
public:
  using Fibonacci = test_msgs::action::Fibonacci;
  using SetBool = std_srvs::srv::SetBool;
  using String = std_msgs::msg::String;
  using GoalHandle = rclcpp_action::ServerGoalHandle<Fibonacci>;

  explicit Peer(const rclcpp::NodeOptions & options) : Node("peer", options)
  {
    declare_parameter("prefix", "echo ");
    echo_ = create_publisher<String>("echo", 10);
    words_ = create_subscription<String>("words", 10, [this](const String & heard) {
      say(get_parameter("prefix").as_string() + heard.data);
    });
    negate_ = create_service<SetBool>(
      "negate", [](const SetBool::Request::SharedPtr q, SetBool::Response::SharedPtr a) {
        a->success = !q->data;
        a->message = "negated";
      });
    fibonacci_ = rclcpp_action::create_server<Fibonacci>(
      this, "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal> goal) {
        return goal->order > 40 ? rclcpp_action::GoalResponse::REJECT
                                : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](const std::shared_ptr<GoalHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [this](const std::shared_ptr<GoalHandle> goal) { begin(goal); });
    ask_python_on_demand();
    latched_ = create_publisher<String>("latched", rclcpp::QoS(1).transient_local());
    String kept;
    kept.data = "kept for late readers";
    latched_->publish(kept);
  }

private:
  /// On a word on `ask`: a request, a goal and a parameter of the node `python_peer`; what came
  /// back goes out on `echo`.
  void ask_python_on_demand()
  {
    client_ = create_client<SetBool>("python_negate");
    action_client_ = rclcpp_action::create_client<Fibonacci>(this, "python_fibonacci");
    parameters_ = std::make_shared<rclcpp::AsyncParametersClient>(this, "/python_peer");
    ask_ = create_subscription<String>("ask", 10, [this](const String & what) {
      if (what.data == "service") {
        auto request = std::make_shared<SetBool::Request>();
        request->data = true;
        client_->async_send_request(request, [this](rclcpp::Client<SetBool>::SharedFuture answer) {
          say("service " + answer.get()->message);
        });
      } else if (what.data == "action") {
        Fibonacci::Goal goal;
        goal.order = 4;
        rclcpp_action::Client<Fibonacci>::SendGoalOptions options;
        options.result_callback =
          [this](const rclcpp_action::ClientGoalHandle<Fibonacci>::WrappedResult & result) {
            say(
              "action " + std::to_string(static_cast<int>(result.code)) + " of " +
              std::to_string(result.result->sequence.size()));
          };
        action_client_->async_send_goal(goal, options);
      } else if (what.data == "parameter") {
        parameters_->get_parameters(
          {"colour"}, [this](std::shared_future<std::vector<rclcpp::Parameter>> answer) {
            say("parameter " + answer.get().at(0).as_string());
          });
      }
    });
  }

  void say(const std::string & text)
  {
    String message;
    message.data = text;
    echo_->publish(message);
  }

  /// One number every 10 ms, so that a goal can be cancelled on its way.
  void begin(const std::shared_ptr<GoalHandle> & goal)
  {
    auto feedback = std::make_shared<Fibonacci::Feedback>();
    feedback->sequence = {0, 1};
    timer_ = create_wall_timer(std::chrono::milliseconds(10), [this, goal, feedback] {
      auto & sequence = feedback->sequence;
      auto result = std::make_shared<Fibonacci::Result>();
      if (goal->is_canceling()) {
        result->sequence = sequence;
        timer_->cancel();
        goal->canceled(result);
      } else if (static_cast<int>(sequence.size()) > goal->get_goal()->order) {
        result->sequence = sequence;
        timer_->cancel();
        goal->succeed(result);
      } else {
        sequence.push_back(sequence[sequence.size() - 1] + sequence[sequence.size() - 2]);
        goal->publish_feedback(feedback);
      }
    });
  }

  rclcpp::Publisher<String>::SharedPtr echo_;
  rclcpp::Publisher<String>::SharedPtr latched_;
  rclcpp::Subscription<String>::SharedPtr ask_;
  rclcpp::Subscription<String>::SharedPtr words_;
  rclcpp::Client<SetBool>::SharedPtr client_;
  rclcpp_action::Client<Fibonacci>::SharedPtr action_client_;
  std::shared_ptr<rclcpp::AsyncParametersClient> parameters_;
  rclcpp::Service<SetBool>::SharedPtr negate_;
  rclcpp_action::Server<Fibonacci>::SharedPtr fibonacci_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_conformance

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_conformance::Faulty)
RCLCPP_COMPONENTS_REGISTER_NODE(ambf_conformance::Peer)
