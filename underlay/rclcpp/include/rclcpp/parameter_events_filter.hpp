#pragma once

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

/// Picks from a parameter event the changes of given names and kinds.
class ParameterEventsFilter {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventsFilter)

  enum class EventType { NEW, DELETED, CHANGED };
  using EventPair = std::pair<EventType, const rcl_interfaces::msg::Parameter *>;

  /// The pairs point into the event, which the filter keeps alive.
  ParameterEventsFilter(std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event,
    const std::vector<std::string> & names, const std::vector<EventType> & types);

  const std::vector<EventPair> & get_events() const { return result_; }

private:
  std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event_;
  std::vector<EventPair> result_;
};

}  // namespace rclcpp
