// SPDX-License-Identifier: BSD-3-Clause
#include "console.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <std_msgs/msg/empty.hpp>
#include <std_msgs/msg/float64_multi_array.hpp>

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "crtk_qos.hpp"

namespace ambf_arm_nodes
{

using ambf_teleop::ConsoleEvent;
using ambf_teleop::ConsolePair;
using ambf_teleop::Pedal;
using ambf_teleop::Press;
using std_msgs::msg::Bool;
using std_msgs::msg::Empty;
using std_msgs::msg::Float64;

namespace
{

constexpr float caption_time = 6.0F;  // [s]

}  // namespace

Console::Console(const rclcpp::NodeOptions & options)
: rclcpp::Node("console", options), state_(make_state())
{
  ambf_node_support::Declared declare(*this);
  const std::string topic = below_ + "/" + declare.word("name", "console", "of its topics");
  const std::string world = declare.word(
    "world_namespace", "/ambf/env",
    "namespace of the topics of the world where captions are published, below the node's "
    "namespace");
  captions_ = std::make_unique<Captions>(*this, below_ + world, topic);
  offer_console(topic);
  offer_system(below_ + "/system");
  const bool enabled = declare.flag("enabled", true, "teleoperation is on from the start");
  const bool present = declare.flag(
    "operator_present", true, "somebody is there from the start: for hands without a head sensor");
  for (const ConsolePair & pair : state_.pairs()) { connect_pair(pair.name); }
  state_.tell_all();
  if (present) { state_.press(Pedal::OperatorPresent, Press::Pressed); }
  if (enabled) { state_.enable(true); }
  publish_events();
}

ambf_teleop::ConsoleState Console::make_state()
{
  const std::string ns = get_namespace();
  below_ = ns == "/" ? "" : ns;
  ambf_node_support::Declared declare(*this);
  std::vector<ConsolePair> pairs;
  const auto read = [&](const char * parameter, bool endoscope, const char * meaning) {
    for (const std::string & name : declare.words(parameter, {}, meaning)) {
      const auto pair = ambf_teleop::pair_of(name, endoscope);
      if (!pair) {
        throw std::invalid_argument(
          std::string("parameter '") + parameter + "': found '" + name +
          "', expected names of a hand and an arm with _ between them, such as MTMR_PSM1");
      }
      pairs.push_back(*pair);
    }
  };
  read("pairs", false, "hands on arms, such as MTMR_PSM1");
  read("endoscopes", true, "hands on endoscopes, such as MTML_MTMR_ECM");
  return ambf_teleop::ConsoleState(
    std::move(pairs), declare.real("scale", 0.2, 1e-6, 1e6, "of all pairs, once it is set"));
}

template <class Message, class Use>
void Console::listen(const std::string & topic, Use use)
{
  subscriptions_.push_back(create_subscription<Message>(
    topic, qos::orders(), [this, use](typename Message::ConstSharedPtr message) {
      use(*message);
      publish_events();
    }));
}

void Console::offer_console(const std::string & topic)
{
  const rclcpp::PublisherOptions kept = qos::to_late_joiners();
  // One topic tells of several pairs: all of them are kept.
  const auto text = [&](const std::string & name) {
    return create_publisher<String>(topic + name, qos::events(), kept);
  };
  enabled_ = create_publisher<Bool>(topic + "/teleop/enabled", qos::value(), kept);
  scale_ = create_publisher<Float64>(topic + "/teleop/scale", qos::value(), kept);
  selected_ = text("/teleop/selected");
  unselected_ = text("/teleop/unselected");
  status_ = text("/status");
  warning_ = text("/warning");
  listen<Bool>(topic + "/teleop/enable", [this](const Bool & on) { state_.enable(on.data); });
  listen<String>(topic + "/teleop/select", [this](const String & s) { state_.select(s.data); });
  listen<String>(topic + "/teleop/unselect", [this](const String & s) { state_.unselect(s.data); });
  listen<Float64>(topic + "/teleop/set_scale", [this](const Float64 & scale) {
    state_.set_scale(scale.data);
    // Each pair has its own until one is set for all; what is refused here, they refuse, too.
    for (const auto & [name, to] : scales_) { to->publish(scale); }
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(Pedal::count); ++i) {
    const auto pedal = static_cast<Pedal>(i);
    const std::string name = ambf_teleop::to_string(pedal);
    pedals_.push_back(
      create_publisher<sensor_msgs::msg::Joy>(topic + "/" + name, qos::value(), kept));
    listen<sensor_msgs::msg::Joy>(
      topic + "/emulate_" + name, [this, pedal, name](const sensor_msgs::msg::Joy & joy) {
        if (joy.buttons.empty() || joy.buttons[0] < 0 || joy.buttons[0] > 2) {
          RCLCPP_WARN(
            get_logger(), "emulate_%s: expected one button: 0 released, 1 pressed, 2 quick tap",
            name.c_str());
          return;
        }
        state_.press(pedal, static_cast<Press>(joy.buttons[0]));
      });
  }
}

void Console::offer_system(const std::string & topic)
{
  volume_ = create_publisher<Float64>(topic + "/volume", qos::value(), qos::to_late_joiners());
  listen<Empty>(topic + "/power_on", [this](const Empty &) { tell_arms({"enable"}); });
  listen<Empty>(topic + "/power_off", [this](const Empty &) { tell_arms({"disable"}); });
  listen<Empty>(topic + "/home", [this](const Empty &) { tell_arms({"enable", "home"}); });
  listen<Float64>(topic + "/set_volume", [this](const Float64 & volume) {
    Float64 set;
    set.data = std::clamp(volume.data, 0.0, 1.0);
    volume_->publish(set);
  });
  // There is no loudspeaker: what is spoken can be read, and a beep is silent.
  listen<std_msgs::msg::Float64MultiArray>(
    topic + "/beep", [](const std_msgs::msg::Float64MultiArray &) {});
  listen<String>(topic + "/string_to_speech", [this](const String & text) {
    ConsoleEvent event;
    event.text = text.data;
    publish(event);
  });
  std::vector<std::string> arms =
    ambf_node_support::Declared(*this).words("arms", {}, "for system/power_on, home, power_off");
  for (const std::string & arm : arms) {
    if (arm.empty()) { continue; }
    arms_[arm] =
      create_publisher<StringStamped>(below_ + "/" + arm + "/state_command", qos::orders());
  }
}

void Console::connect_pair(const std::string & name)
{
  rclcpp::PublisherOptions watched;
  watched.event_callbacks.matched_callback = [this, name](rclcpp::MatchedInfo & info) {
    if (info.current_count_change <= 0) { return; }
    state_.pair_came(name);
    publish_events();
  };
  const std::string topic = below_ + "/" + name;
  scales_[name] = create_publisher<Float64>(topic + "/set_scale", qos::orders());
  commands_[name] =
    create_publisher<StringStamped>(topic + "/state_command", qos::orders(), watched);
}

void Console::tell_arms(const std::vector<const char *> & commands)
{
  for (const char * command : commands) {
    for (const auto & [name, to] : arms_) {
      StringStamped message;
      message.header.stamp = wall_.now();
      message.string = command;
      to->publish(message);
    }
  }
}

void Console::publish_events()
{
  state_.take_events([this](const ConsoleEvent & event) { publish(event); });
}

void Console::publish(const ConsoleEvent & event)
{
  using Kind = ConsoleEvent::Kind;
  const auto say = [](const rclcpp::Publisher<String>::SharedPtr & to, const std::string & text) {
    String message;
    message.data = text;
    to->publish(message);
  };
  switch (event.kind) {
    case Kind::Enabled: {
      Bool message;
      message.data = event.flag;
      return enabled_->publish(message);
    }
    case Kind::Selected:
      return say(selected_, event.name);
    case Kind::Unselected:
      return say(unselected_, event.name);
    case Kind::Scale: {
      Float64 message;
      message.data = event.value;
      return scale_->publish(message);
    }
    case Kind::Pedal: {
      sensor_msgs::msg::Joy message;
      message.header.stamp = wall_.now();
      message.buttons.push_back(static_cast<int>(event.press));
      return pedals_[static_cast<std::size_t>(event.pedal)]->publish(message);
    }
    case Kind::Command: {
      StringStamped message;
      message.header.stamp = wall_.now();
      message.string = event.text;
      return commands_.at(event.name)->publish(message);
    }
    case Kind::Status:
      RCLCPP_INFO(get_logger(), "%s", event.text.c_str());
      captions_->say(ambf_msgs::msg::Caption::INFO, event.text, caption_time);
      return say(status_, event.text);
    case Kind::Warning:
      RCLCPP_WARN(get_logger(), "%s", event.text.c_str());
      captions_->say(ambf_msgs::msg::Caption::WARNING, event.text, caption_time);
      return say(warning_, event.text);
  }
}

}  // namespace ambf_arm_nodes

AMBF_NODE_COMPONENT(ambf_arm_nodes, Console)
