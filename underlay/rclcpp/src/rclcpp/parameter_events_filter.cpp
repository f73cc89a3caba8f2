#include "rclcpp/parameter_events_filter.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rclcpp {

ParameterEventsFilter::ParameterEventsFilter(std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event,
  const std::vector<std::string> & names, const std::vector<EventType> & types)
: event_(std::move(event)) {
  const auto pick = [&](EventType type, const auto & parameters) {
    if (std::find(types.begin(), types.end(), type) == types.end()) { return; }
    for (const auto & parameter : parameters) {
      if (std::find(names.begin(), names.end(), parameter.name) != names.end()) {
        result_.emplace_back(type, &parameter);
      }
    }
  };
  pick(EventType::NEW, event_->new_parameters);
  pick(EventType::CHANGED, event_->changed_parameters);
  pick(EventType::DELETED, event_->deleted_parameters);
}

const std::vector<ParameterEventsFilter::EventPair> & ParameterEventsFilter::get_events() const { return result_; }

}  // namespace rclcpp
