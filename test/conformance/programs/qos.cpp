// Copyright 2026 AMBF for ROS 2 developers
// SPDX-License-Identifier: BSD-3-Clause
//
// Quality of service: profiles, comparison and compatibility, events, overriding by parameters,
// acknowledgement.

#include <algorithm>
#include <atomic>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "ambf_conformance/observe.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"

using namespace std::chrono_literals;
using observe::outcome;
using observe::Say;
using std_msgs::msg::String;

namespace
{

std::string shown(const rclcpp::QoS & q)
{
  std::ostringstream text;
  text << "history " << static_cast<int>(q.history()) << " depth " << q.depth() << " reliability "
       << static_cast<int>(q.reliability()) << " durability " << static_cast<int>(q.durability())
       << " liveliness " << static_cast<int>(q.liveliness()) << " deadline "
       << q.deadline().nanoseconds() << " lifespan " << q.lifespan().nanoseconds() << " lease "
       << q.liveliness_lease_duration().nanoseconds() << " conventions "
       << !q.avoid_ros_namespace_conventions();
  return text.str();
}

void profiles()
{
  observe::area("profiles");
  Say{"QoS(10)", shown(rclcpp::QoS(10))};
  Say{"KeepAll", shown(rclcpp::QoS(rclcpp::KeepAll()))};
  Say{"SensorDataQoS", shown(rclcpp::SensorDataQoS())};
  Say{"ServicesQoS", shown(rclcpp::ServicesQoS())};
  Say{"ParametersQoS", shown(rclcpp::ParametersQoS())};
  Say{"ParameterEventsQoS", shown(rclcpp::ParameterEventsQoS())};
  Say{"RosoutQoS", shown(rclcpp::RosoutQoS())};
  Say{"ClockQoS", shown(rclcpp::ClockQoS())};
  Say{"SystemDefaultsQoS", shown(rclcpp::SystemDefaultsQoS())};
  Say{"BestAvailableQoS", shown(rclcpp::BestAvailableQoS())};
  Say{
    "built up", shown(rclcpp::QoS(3)
                        .best_effort()
                        .transient_local()
                        .deadline(100ms)
                        .lifespan(rclcpp::Duration(1s))
                        .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
                        .liveliness_lease_duration(2s))};
  Say{
    "policies set", shown(rclcpp::QoS(1)
                            .reliability(rclcpp::ReliabilityPolicy::BestEffort)
                            .durability(rclcpp::DurabilityPolicy::TransientLocal)
                            .keep_last(4))};
  Say{
    "from rmw", shown(rclcpp::QoS(
                  rclcpp::QoSInitialization::from_rmw(rmw_qos_profile_sensor_data),
                  rmw_qos_profile_sensor_data))};
  Say{"keep_last(0)", outcome([] { rclcpp::QoS(1).keep_last(0); })};
  Say{
    "equal", rclcpp::QoS(10) == rclcpp::QoS(10), rclcpp::QoS(10) == rclcpp::QoS(11),
    rclcpp::QoS(10) != rclcpp::QoS(10).best_effort()};
  for (const auto kind :
       {rclcpp::QosPolicyKind::Deadline, rclcpp::QosPolicyKind::Depth,
        rclcpp::QosPolicyKind::Reliability, rclcpp::QosPolicyKind::AvoidRosNamespaceConventions,
        rclcpp::QosPolicyKind::LivelinessLeaseDuration}) {
    Say{"kind", rclcpp::qos_policy_kind_to_cstr(kind)};
  }
  Say{"policy name", rclcpp::qos_policy_name_from_kind(RMW_QOS_POLICY_RELIABILITY)};
}

void compatibility()
{
  observe::area("compatibility");
  const auto check = [](const std::string & what, const rclcpp::QoS & a, const rclcpp::QoS & b) {
    const auto r = rclcpp::qos_check_compatible(a, b);
    const char * names[] = {"ok", "warning", "error"};
    Say{what, names[static_cast<int>(r.compatibility)], r.reason};
  };
  check("plain", rclcpp::QoS(1), rclcpp::QoS(1));
  check("best effort to reliable", rclcpp::QoS(1).best_effort(), rclcpp::QoS(1));
  check("volatile to transient local", rclcpp::QoS(1), rclcpp::QoS(1).transient_local());
  check("deadline", rclcpp::QoS(1).deadline(2s), rclcpp::QoS(1).deadline(1s));
  check(
    "two automatic", rclcpp::QoS(1).liveliness(rclcpp::LivelinessPolicy::Automatic),
    rclcpp::QoS(1).liveliness(rclcpp::LivelinessPolicy::Automatic));
}

void events()
{
  observe::area("events");
  auto node = std::make_shared<rclcpp::Node>("events");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const auto ignore = [](const String &) {};

  std::vector<std::string> seen;
  rclcpp::PublisherOptions offering;
  offering.event_callbacks.incompatible_qos_callback =
    [&](rclcpp::QOSOfferedIncompatibleQoSInfo & e) {
      seen.push_back(
        "offered incompatible " + std::to_string(e.total_count) + " policy " +
        rclcpp::qos_policy_name_from_kind(e.last_policy_kind));
    };
  rclcpp::SubscriptionOptions asking;
  asking.event_callbacks.incompatible_qos_callback =
    [&](rclcpp::QOSRequestedIncompatibleQoSInfo & e) {
      seen.push_back(
        "requested incompatible " + std::to_string(e.total_count) + " policy " +
        rclcpp::qos_policy_name_from_kind(e.last_policy_kind));
    };
  auto weak = node->create_publisher<String>("quality", rclcpp::QoS(1).best_effort(), offering);
  auto strict = node->create_subscription<String>("quality", 1, ignore, asking);
  observe::spin_until(executor, [&] { return seen.size() == 2; });
  std::sort(seen.begin(), seen.end());
  Say{"incompatible", observe::join(seen, " | "), "matched", weak->get_subscription_count()};

  seen.clear();
  rclcpp::PublisherOptions matching;
  matching.event_callbacks.matched_callback = [&](rclcpp::MatchedInfo & e) {
    seen.push_back(
      "pub " + std::to_string(e.total_count) + "/" + std::to_string(e.current_count) + " " +
      std::to_string(e.current_count_change));
  };
  auto matched_pub = node->create_publisher<String>("matching", 1, matching);
  auto matched_sub = node->create_subscription<String>("matching", 1, ignore);
  observe::spin_until(executor, [&] { return seen.size() == 1; });
  matched_sub.reset();
  observe::spin_until(executor, [&] { return seen.size() == 2; });
  Say{"matched", observe::join(seen, " | ")};

  std::atomic<int> missed_out{0};
  std::atomic<int> missed_in{0};
  rclcpp::PublisherOptions slow;
  slow.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineOfferedInfo &) { ++missed_out; };
  rclcpp::SubscriptionOptions waiting;
  waiting.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo &) {
    ++missed_in;
  };
  auto late = node->create_publisher<String>("late", rclcpp::QoS(1).deadline(50ms), slow);
  auto expecting =
    node->create_subscription<String>("late", rclcpp::QoS(1).deadline(50ms), ignore, waiting);
  observe::spin_until(executor, [&] { return late->get_subscription_count() == 1; });
  late->publish(String());
  Say{"deadline missed on both sides", observe::spin_until(executor, [&] {
        return missed_out > 0 && missed_in > 0;
      })};
  late.reset();
  expecting.reset();

  std::atomic<int> lost{0};
  rclcpp::PublisherOptions dying;
  dying.event_callbacks.liveliness_callback = [&](rclcpp::QOSLivelinessLostInfo &) { ++lost; };
  auto manual = node->create_publisher<String>(
    "alive",
    rclcpp::QoS(1)
      .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
      .liveliness_lease_duration(60ms),
    dying);
  Say{"asserted", manual->assert_liveliness()};
  Say{"liveliness lost", observe::spin_until(executor, [&] { return lost > 0; })};
  Say{"publisher event handlers", manual->get_event_handlers().size()};
  Say{
    "default event handlers", node->create_publisher<String>("x", 1)->get_event_handlers().size(),
    node->create_subscription<String>("x", 1, ignore)->get_event_handlers().size()};
  rclcpp::PublisherOptions plain;
  plain.use_default_callbacks = false;
  Say{
    "without defaults", node->create_publisher<String>("y", 1, plain)->get_event_handlers().size()};
}

void overriding()
{
  observe::area("overriding");
  auto node = std::make_shared<rclcpp::Node>(
    "overriding", rclcpp::NodeOptions().parameter_overrides(
                    {{"qos_overrides./tuned.publisher.depth", 33},
                     {"qos_overrides./tuned.publisher.reliability", "best_effort"},
                     {"qos_overrides./tuned.subscription_named.history", "keep_all"},
                     {"qos_overrides./refused.publisher.depth", 5},
                     {"qos_overrides./wrong.publisher.reliability", "nonsense"}}));
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  auto tuned = node->create_publisher<String>("tuned", 10, options);
  Say{
    "tuned", tuned->get_actual_qos().depth(),
    tuned->get_actual_qos().reliability() == rclcpp::ReliabilityPolicy::BestEffort};
  rclcpp::SubscriptionOptions named;
  named.qos_overriding_options = rclcpp::QosOverridingOptions(
    {rclcpp::QosPolicyKind::History, rclcpp::QosPolicyKind::Deadline}, nullptr, "named");
  auto subscription = node->create_subscription<String>("tuned", 10, [](const String &) {}, named);
  Say{"named", subscription->get_actual_qos().history() == rclcpp::HistoryPolicy::KeepAll};
  std::vector<std::string> names;
  for (const auto & name : node->list_parameters({"qos_overrides"}, 0).names) {
    names.push_back(name + "=" + node->get_parameter(name).value_to_string());
  }
  Say{"declared", observe::join(names)};
  options.qos_overriding_options =
    rclcpp::QosOverridingOptions::with_default_policies([](const rclcpp::QoS &) {
      rclcpp::QosCallbackResult result;
      result.successful = false;
      result.reason = "too small";
      return result;
    });
  Say{"refused", outcome([&] { node->create_publisher<String>("refused", 10, options); })};
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  Say{"wrong value", outcome([&] { node->create_publisher<String>("wrong", 10, options); })};
  Say{"twice on a topic", outcome([&] { node->create_publisher<String>("tuned", 10, options); })};
  Say{
    "read only",
    node->set_parameter(rclcpp::Parameter("qos_overrides./tuned.publisher.depth", 1)).successful};
}

void acknowledged()
{
  observe::area("acknowledgement");
  auto node = std::make_shared<rclcpp::Node>("acks");
  auto publisher = node->create_publisher<String>("acked", 1);
  Say{"nobody listens", publisher->wait_for_all_acked(100ms)};
  auto subscription = node->create_subscription<String>("acked", 1, [](const String &) {});
  observe::eventually([&] { return publisher->get_subscription_count() == 1; });
  publisher->publish(String());
  Say{"one reliable reader", publisher->wait_for_all_acked(5s)};
  auto loose = node->create_publisher<String>("loose", rclcpp::QoS(1).best_effort());
  Say{"best effort", publisher->wait_for_all_acked(), loose->wait_for_all_acked(10ms)};
  Say{"actual QoS", shown(publisher->get_actual_qos())};
}

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  profiles();
  compatibility();
  events();
  overriding();
  acknowledged();
  rclcpp::shutdown();
  return 0;
}
