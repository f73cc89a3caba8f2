#include "rclcpp/parameter_events_filter.hpp"

namespace rclcpp {

ParameterEventsFilter::ParameterEventsFilter(std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event,
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

}  // namespace rclcpp
