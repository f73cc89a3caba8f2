// SPDX-License-Identifier: BSD-3-Clause
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
    const std::vector<std::string> & names, const std::vector<EventType> & types)
  : event_(std::move(event)) {
    const auto pick = [&](EventType type, const auto & parameters) {
      const auto in = [](const auto & list, const auto & value) { return std::count(list.begin(), list.end(), value); };
      for (const auto & parameter : parameters) {
        if (in(types, type) && in(names, parameter.name)) { result_.emplace_back(type, &parameter); }
      }
    };
    pick(EventType::NEW, event_->new_parameters);
    pick(EventType::CHANGED, event_->changed_parameters);
    pick(EventType::DELETED, event_->deleted_parameters);
  }

  const std::vector<EventPair> & get_events() const { return result_; }

private:
  std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event_;
  std::vector<EventPair> result_;
};

}  // namespace rclcpp
