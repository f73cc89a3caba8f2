// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/parameter_event_handler.hpp"

namespace rclcpp {

namespace {

template <typename HandleT> bool erase_handle(std::list<std::weak_ptr<HandleT>> & handles, const HandleT * handle) {
  const auto found =
    std::find_if(handles.begin(), handles.end(), [handle](const auto & weak) { return weak.lock().get() == handle; });
  return found != handles.end() && (handles.erase(found), true);
}

// The handles that still live, taken out so that a callback may add and remove handles.
template <typename HandleT>
std::vector<std::shared_ptr<HandleT>> lock_handles(std::list<std::weak_ptr<HandleT>> & handles) {
  std::vector<std::shared_ptr<HandleT>> alive;
  handles.remove_if([&alive](const std::weak_ptr<HandleT> & weak) {
    if (auto handle = weak.lock()) { alive.push_back(std::move(handle)); }
    return weak.expired();
  });
  return alive;
}

const rcl_interfaces::msg::Parameter * find_parameter(
  const rcl_interfaces::msg::ParameterEvent & event, const std::string & name) {
  for (const auto * parameters : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto & parameter : *parameters) {
      if (parameter.name == name) { return &parameter; }
    }
  }
  return nullptr;
}

}  // namespace

ParameterEventCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_event_callback(
  ParameterEventCallbackType callback) {
  auto handle = std::make_shared<ParameterEventCallbackHandle>(ParameterEventCallbackHandle{std::move(callback)});
  std::lock_guard lock(callbacks_->mutex_);
  callbacks_->event_callbacks_.emplace_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr callback_handle) {
  std::lock_guard lock(callbacks_->mutex_);
  if (!erase_handle(callbacks_->event_callbacks_, callback_handle.get())) {
    throw std::runtime_error("Callback doesn't exist");
  }
}

ParameterCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_callback(
  const std::string & parameter_name, ParameterCallbackType callback, const std::string & node_name) {
  auto handle = std::make_shared<ParameterCallbackHandle>(
    ParameterCallbackHandle{parameter_name, resolve_path(node_name), std::move(callback)});
  std::lock_guard lock(callbacks_->mutex_);
  callbacks_->parameter_callbacks_[{parameter_name, handle->node_name}].emplace_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_callback(ParameterCallbackHandle::SharedPtr callback_handle) {
  std::lock_guard lock(callbacks_->mutex_);
  const auto found =
    callbacks_->parameter_callbacks_.find({callback_handle->parameter_name, callback_handle->node_name});
  if (found == callbacks_->parameter_callbacks_.end() || !erase_handle(found->second, callback_handle.get())) {
    throw std::runtime_error("Callback doesn't exist");
  }
  if (found->second.empty()) { callbacks_->parameter_callbacks_.erase(found); }
}

bool ParameterEventHandler::get_parameter_from_event(const rcl_interfaces::msg::ParameterEvent & event,
  Parameter & parameter, const std::string & parameter_name, const std::string & node_name) {
  if (event.node != node_name) { return false; }
  const auto * found = find_parameter(event, parameter_name);
  if (found == nullptr) { return false; }
  parameter = Parameter::from_parameter_msg(*found);
  return true;
}

Parameter ParameterEventHandler::get_parameter_from_event(const rcl_interfaces::msg::ParameterEvent & event,
  const std::string & parameter_name, const std::string & node_name) {
  if (event.node != node_name) {
    throw std::runtime_error("The node name '" + node_name + "' of parameter '" + parameter_name +
                             "' doesn't match the node name '" + event.node + "' in parameter event");
  }
  Parameter parameter(parameter_name);
  get_parameter_from_event(event, parameter, parameter_name, node_name);
  return parameter;
}

std::vector<Parameter> ParameterEventHandler::get_parameters_from_event(
  const rcl_interfaces::msg::ParameterEvent & event) {
  std::vector<Parameter> parameters;
  for (const auto * list : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto & parameter : *list) { parameters.push_back(Parameter::from_parameter_msg(parameter)); }
  }
  return parameters;
}

void ParameterEventHandler::Callbacks::event_callback(const rcl_interfaces::msg::ParameterEvent & event) {
  std::lock_guard lock(mutex_);
  std::vector<ParameterCallbackHandle::SharedPtr> concerned;
  for (auto it = parameter_callbacks_.begin(); it != parameter_callbacks_.end();) {
    const auto & [parameter_name, node_name] = it->first;
    if (node_name == event.node && find_parameter(event, parameter_name) != nullptr) {
      for (auto & handle : lock_handles(it->second)) { concerned.push_back(std::move(handle)); }
    }
    it = it->second.empty() ? parameter_callbacks_.erase(it) : std::next(it);
  }
  for (const auto & handle : concerned) {
    handle->callback(Parameter::from_parameter_msg(*find_parameter(event, handle->parameter_name)));
  }
  for (const auto & handle : lock_handles(event_callbacks_)) { handle->callback(event); }
}

std::string ParameterEventHandler::resolve_path(const std::string & path) {
  if (path.empty()) { return node_base_->get_fully_qualified_name(); }
  if (path.front() == '/') { return path; }
  const std::string node_namespace = node_base_->get_namespace();
  return node_namespace == "/" ? "/" + path : node_namespace + "/" + path;
}

}  // namespace rclcpp
