#include "rclcpp/node_interfaces/node_parameters.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/exceptions.hpp"

#include "./parameter_overrides.hpp"
#include "./parameter_range.hpp"

namespace rclcpp {
namespace node_interfaces {

using rcl_interfaces::msg::ListParametersResult;
using rcl_interfaces::msg::ParameterDescriptor;
using rcl_interfaces::msg::ParameterEvent;
using rcl_interfaces::msg::SetParametersResult;

namespace {

SetParametersResult success() {
  SetParametersResult result;
  result.successful = true;
  return result;
}

SetParametersResult failure(const std::string & reason) {
  SetParametersResult result;
  result.successful = false;
  result.reason = reason;
  return result;
}

// Forbids changes of parameters and callbacks from within a callback.
class MutationGuard {
public:
  explicit MutationGuard(bool & enabled) : enabled_(enabled) {
    if (!enabled_) {
      throw exceptions::ParameterModifiedInCallbackException(
        "cannot set or declare a parameter, or change the callback from within set callback");
    }
    enabled_ = false;
  }

  ~MutationGuard() { enabled_ = true; }

private:
  bool & enabled_;
};

constexpr const char * wrong_type = "Wrong parameter type";

SetParametersResult check(const Parameter & parameter, const ParameterDescriptor & descriptor) {
  if (!descriptor.dynamic_typing && descriptor.type != parameter.get_type()) {
    return failure(std::string(wrong_type) + ", parameter {" + parameter.get_name() + "} is of type {" +
                   to_string(static_cast<ParameterType>(descriptor.type)) + "}, setting it to {" +
                   to_string(parameter.get_type()) + "} is not allowed.");
  }
  const std::string reason =
    rclcpp::detail::out_of_range_reason(parameter.get_name(), parameter.get_parameter_value(), descriptor);
  return reason.empty() ? success() : failure(reason);
}

// Calls each living callback, dropping the dead; stops when `visit` answers false.
template <typename HandleT, typename VisitT>
void for_each_handle(std::list<std::weak_ptr<HandleT>> & handles, VisitT visit) {
  for (auto it = handles.begin(); it != handles.end();) {
    if (const auto handle = it->lock()) {
      if (!visit(*handle)) { return; }
      ++it;
    } else {
      it = handles.erase(it);
    }
  }
}

template <typename HandleT>
void erase_handle(std::list<std::weak_ptr<HandleT>> & handles, const HandleT * handle, const char * kind) {
  const auto found =
    std::find_if(handles.begin(), handles.end(), [handle](const auto & weak) { return weak.lock().get() == handle; });
  if (found == handles.end()) { throw std::runtime_error(std::string(kind) + " set parameter callback doesn't exist"); }
  handles.erase(found);
}

template <typename HandleT, typename CallbackT>
std::shared_ptr<HandleT> add_handle(std::list<std::weak_ptr<HandleT>> & handles, CallbackT && callback) {
  auto handle = std::make_shared<HandleT>();
  handle->callback = std::forward<CallbackT>(callback);
  // The callback registered last is called first.
  handles.emplace_front(handle);
  return handle;
}

}  // namespace

NodeParameters::NodeParameters(const NodeBaseInterface::SharedPtr node_base,
  const NodeLoggingInterface::SharedPtr node_logging, const NodeTopicsInterface::SharedPtr node_topics,
  const NodeServicesInterface::SharedPtr node_services, const NodeClockInterface::SharedPtr node_clock,
  const std::vector<Parameter> & parameter_overrides, bool start_parameter_services,
  bool start_parameter_event_publisher, const rclcpp::QoS & parameter_event_qos,
  const rclcpp::PublisherOptionsBase & parameter_event_publisher_options, bool allow_undeclared_parameters,
  bool automatically_declare_parameters_from_overrides)
: allow_undeclared_(allow_undeclared_parameters),
  combined_name_(node_base->get_fully_qualified_name()),
  node_logging_(node_logging),
  node_clock_(node_clock) {
  if (start_parameter_services) {
    parameter_service_ = std::make_shared<ParameterService>(node_base, node_services, this);
  }
  if (start_parameter_event_publisher) {
    using Allocator = std::allocator<void>;
    rclcpp::PublisherOptionsWithAllocator<Allocator> options(parameter_event_publisher_options);
    // The QoS of this topic cannot depend on parameters: they are declared only later.
    options.qos_overriding_options = rclcpp::QosOverridingOptions();
    events_publisher_ = rclcpp::create_publisher<ParameterEvent, Allocator, rclcpp::Publisher<ParameterEvent>>(
      NodeParametersInterface::SharedPtr(), node_topics, "/parameter_events", parameter_event_qos, options);
  }
  parameter_overrides_ = rclcpp::detail::resolve_parameter_overrides(*node_base, parameter_overrides);
  if (automatically_declare_parameters_from_overrides) { perform_automatically_declare_parameters_from_overrides(); }
}

NodeParameters::~NodeParameters() = default;

void NodeParameters::perform_automatically_declare_parameters_from_overrides() {
  ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  for (const auto & [name, value] : parameter_overrides_) {
    if (!has_parameter(name)) { declare_parameter(name, value, descriptor, true); }
  }
}

const ParameterValue & NodeParameters::declare_parameter(const std::string & name, const ParameterValue & default_value,
  const ParameterDescriptor & parameter_descriptor, bool ignore_override) {
  return declare(name, PARAMETER_NOT_SET, default_value, parameter_descriptor, ignore_override);
}

const ParameterValue & NodeParameters::declare_parameter(const std::string & name, ParameterType type,
  const ParameterDescriptor & parameter_descriptor, bool ignore_override) {
  if (type == PARAMETER_NOT_SET) {
    throw std::invalid_argument("declare_parameter(): the provided parameter type cannot be rclcpp::PARAMETER_NOT_SET");
  }
  if (parameter_descriptor.dynamic_typing) {
    throw std::invalid_argument(
      "declare_parameter(): cannot declare parameter of specific type and pass descriptor "
      "with `dynamic_typing=true`");
  }
  return declare(name, type, ParameterValue(), parameter_descriptor, ignore_override);
}

const ParameterValue & NodeParameters::declare(const std::string & name, ParameterType type,
  const ParameterValue & default_value, ParameterDescriptor descriptor, bool ignore_override) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);

  if (name.empty()) { throw exceptions::InvalidParametersException("parameter name must not be empty"); }
  if (has_parameter(name)) {
    throw exceptions::ParameterAlreadyDeclaredException("parameter '" + name + "' has already been declared");
  }
  if (!descriptor.dynamic_typing) {
    if (type == PARAMETER_NOT_SET) { type = default_value.get_type(); }
    if (type == PARAMETER_NOT_SET) {
      throw exceptions::InvalidParameterTypeException(
        name, "cannot declare a statically typed parameter with an uninitialized value");
    }
    descriptor.type = type;
  }
  descriptor.name = name;

  const auto override_value = parameter_overrides_.find(name);
  const ParameterValue & initial_value =
    !ignore_override && override_value != parameter_overrides_.end() ? override_value->second : default_value;

  std::map<std::string, ParameterInfo> declared;
  declared[name].descriptor = std::move(descriptor);
  ParameterEvent event;
  if (initial_value.get_type() == PARAMETER_NOT_SET) {
    parameters_.merge(declared);
  } else {
    const Parameter parameter(name, initial_value);
    const SetParametersResult result = check_and_store({parameter}, declared);
    if (!result.successful) {
      if (result.reason.rfind(wrong_type, 0) == 0) {
        throw exceptions::InvalidParameterTypeException(name, result.reason);
      }
      throw exceptions::InvalidParameterValueException("parameter '" + name + "' could not be set: " + result.reason);
    }
    event.new_parameters.push_back(parameter.to_parameter_msg());
  }
  publish_event(event);
  return parameters_.at(name).value;
}

// `declared` holds those of the parameters that are not in parameters_ yet; on success they are.
SetParametersResult NodeParameters::check_and_store(
  const std::vector<Parameter> & parameters, std::map<std::string, ParameterInfo> & declared) {
  for (const Parameter & parameter : parameters) {
    const auto known = parameters_.find(parameter.get_name());
    const ParameterInfo & info = known != parameters_.end() ? known->second : declared.at(parameter.get_name());
    SetParametersResult result = check(parameter, info.descriptor);
    if (!result.successful) { return result; }
  }

  SetParametersResult result = success();
  for_each_handle(on_set_callbacks_, [&](const OnSetParametersCallbackHandle & handle) {
    result = handle.callback(parameters);
    return static_cast<bool>(result.successful);
  });
  if (!result.successful) { return result; }

  parameters_.merge(declared);
  for (const Parameter & parameter : parameters) {
    ParameterInfo & info = parameters_.at(parameter.get_name());
    info.descriptor.type = parameter.get_type();
    info.value = parameter.get_parameter_value();
  }
  for_each_handle(post_set_callbacks_, [&](const PostSetParametersCallbackHandle & handle) {
    handle.callback(parameters);
    return true;
  });
  return result;
}

void NodeParameters::publish_event(ParameterEvent & event) {
  if (events_publisher_) {
    event.node = combined_name_;
    event.stamp = node_clock_->get_clock()->now();
    events_publisher_->publish(event);
  }
}

void NodeParameters::undeclare_parameter(const std::string & name) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);

  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    throw exceptions::ParameterNotDeclaredException(
      "cannot undeclare parameter '" + name + "' which has not yet been declared");
  }
  if (found->second.descriptor.read_only) {
    throw exceptions::ParameterImmutableException("cannot undeclare parameter '" + name + "' because it is read-only");
  }
  if (!found->second.descriptor.dynamic_typing) {
    throw exceptions::InvalidParameterTypeException(name, "cannot undeclare a statically typed parameter");
  }
  parameters_.erase(found);
}

bool NodeParameters::has_parameter(const std::string & name) const {
  std::lock_guard lock(mutex_);
  return parameters_.count(name) != 0;
}

std::vector<SetParametersResult> NodeParameters::set_parameters(const std::vector<Parameter> & parameters) {
  std::vector<SetParametersResult> results;
  results.reserve(parameters.size());
  for (const Parameter & parameter : parameters) { results.push_back(set_parameters_atomically({parameter})); }
  return results;
}

SetParametersResult NodeParameters::set_parameters_atomically(const std::vector<Parameter> & requested) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);

  std::vector<Parameter> parameters(requested);
  for_each_handle(pre_set_callbacks_, [&](const PreSetParametersCallbackHandle & handle) {
    handle.callback(parameters);
    return true;
  });
  if (parameters.empty()) {
    return failure(
      "parameter list cannot be empty, this might be due to pre_set_parameters_callback "
      "modifying the original parameters list.");
  }

  std::map<std::string, ParameterInfo> declared;
  std::set<std::string> new_names;
  std::set<std::string> deleted_names;
  for (const Parameter & parameter : parameters) {
    const std::string & name = parameter.get_name();
    if (name.empty()) { throw exceptions::InvalidParametersException("parameter name must not be empty"); }
    const auto known = parameters_.find(name);
    if (known == parameters_.end()) {
      if (!allow_undeclared_) {
        throw exceptions::ParameterNotDeclaredException(
          "parameter '" + name + "' cannot be set because it was not declared");
      }
      ParameterInfo & info = declared[name];
      info.descriptor.name = name;
      info.descriptor.dynamic_typing = true;
      new_names.insert(name);
      continue;
    }
    const ParameterInfo & info = known->second;
    if (info.descriptor.read_only) { return failure("parameter '" + name + "' cannot be set because it is read-only"); }
    if (parameter.get_type() == PARAMETER_NOT_SET && info.value.get_type() != PARAMETER_NOT_SET) {
      if (!info.descriptor.dynamic_typing) { return failure("cannot undeclare a statically typed parameter"); }
      deleted_names.insert(name);
    }
  }

  const SetParametersResult result = check_and_store(parameters, declared);
  if (!result.successful) { return result; }
  ParameterEvent event;
  for (const Parameter & parameter : parameters) {
    const std::string & name = parameter.get_name();
    if (deleted_names.count(name) != 0) {
      parameters_.erase(name);
      event.deleted_parameters.push_back(parameter.to_parameter_msg());
    } else if (new_names.count(name) != 0) {
      event.new_parameters.push_back(parameter.to_parameter_msg());
    } else {
      event.changed_parameters.push_back(parameter.to_parameter_msg());
    }
  }
  publish_event(event);
  return result;
}

std::vector<Parameter> NodeParameters::get_parameters(const std::vector<std::string> & names) const {
  std::lock_guard lock(mutex_);
  std::vector<Parameter> parameters;
  parameters.reserve(names.size());
  for (const std::string & name : names) { parameters.push_back(get_parameter(name)); }
  return parameters;
}

Parameter NodeParameters::get_parameter(const std::string & name) const {
  std::lock_guard lock(mutex_);
  const ParameterInfo info = find_or_unset(name);
  if (info.value.get_type() == PARAMETER_NOT_SET && !info.descriptor.dynamic_typing) {
    throw exceptions::ParameterUninitializedException(name);
  }
  return Parameter(name, info.value);
}

bool NodeParameters::get_parameter(const std::string & name, Parameter & parameter) const {
  std::lock_guard lock(mutex_);
  const auto found = parameters_.find(name);
  if (found == parameters_.end() || found->second.value.get_type() == PARAMETER_NOT_SET) { return false; }
  parameter = Parameter(name, found->second.value);
  return true;
}

bool NodeParameters::get_parameters_by_prefix(
  const std::string & prefix, std::map<std::string, Parameter> & parameters) const {
  std::lock_guard lock(mutex_);
  const std::string start = prefix.empty() ? prefix : prefix + ".";
  bool found = false;
  for (const auto & [name, info] : parameters_) {
    if (name.rfind(start, 0) == 0 && name.size() > start.size()) {
      parameters[name.substr(start.size())] = Parameter(name, info.value);
      found = true;
    }
  }
  return found;
}

std::vector<ParameterDescriptor> NodeParameters::describe_parameters(const std::vector<std::string> & names) const {
  std::lock_guard lock(mutex_);
  std::vector<ParameterDescriptor> descriptors;
  descriptors.reserve(names.size());
  for (const std::string & name : names) { descriptors.push_back(find_or_unset(name).descriptor); }
  return descriptors;
}

std::vector<uint8_t> NodeParameters::get_parameter_types(const std::vector<std::string> & names) const {
  std::lock_guard lock(mutex_);
  std::vector<uint8_t> types;
  types.reserve(names.size());
  for (const std::string & name : names) { types.push_back(find_or_unset(name).value.get_type()); }
  return types;
}

// Where undeclared parameters are allowed, an unknown one counts as not set.
ParameterInfo NodeParameters::find_or_unset(const std::string & name) const {
  const auto found = parameters_.find(name);
  if (found != parameters_.end()) { return found->second; }
  if (!allow_undeclared_) { throw exceptions::ParameterNotDeclaredException(name); }
  ParameterInfo unset;
  unset.descriptor.name = name;
  unset.descriptor.dynamic_typing = true;
  return unset;
}

ListParametersResult NodeParameters::list_parameters(const std::vector<std::string> & prefixes, uint64_t depth) const {
  const auto shallow_enough = [depth](const std::string & name) {
    return depth == rcl_interfaces::srv::ListParameters::Request::DEPTH_RECURSIVE ||
           static_cast<uint64_t>(std::count(name.begin(), name.end(), '.')) < depth;
  };
  const auto wanted = [&](const std::string & name) {
    if (prefixes.empty()) { return shallow_enough(name); }
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string & prefix) {
      return name == prefix || (name.rfind(prefix + ".", 0) == 0 && shallow_enough(name.substr(prefix.size() + 1)));
    });
  };

  std::lock_guard lock(mutex_);
  ListParametersResult result;
  for (const auto & entry : parameters_) {
    const std::string & name = entry.first;
    if (!wanted(name)) { continue; }
    result.names.push_back(name);
    const auto separator = name.rfind('.');
    if (separator != std::string::npos) {
      const std::string prefix = name.substr(0, separator);
      if (std::find(result.prefixes.begin(), result.prefixes.end(), prefix) == result.prefixes.end()) {
        result.prefixes.push_back(prefix);
      }
    }
  }
  return result;
}

PreSetParametersCallbackHandle::SharedPtr NodeParameters::add_pre_set_parameters_callback(
  PreSetParametersCallbackType callback) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  return add_handle(pre_set_callbacks_, std::move(callback));
}

OnSetParametersCallbackHandle::SharedPtr NodeParameters::add_on_set_parameters_callback(
  OnSetParametersCallbackType callback) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  return add_handle(on_set_callbacks_, std::move(callback));
}

PostSetParametersCallbackHandle::SharedPtr NodeParameters::add_post_set_parameters_callback(
  PostSetParametersCallbackType callback) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  return add_handle(post_set_callbacks_, std::move(callback));
}

void NodeParameters::remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * const handler) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  erase_handle(pre_set_callbacks_, handler, "Pre");
}

void NodeParameters::remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * const handler) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  erase_handle(on_set_callbacks_, handler, "On");
}

void NodeParameters::remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * const handler) {
  std::lock_guard lock(mutex_);
  MutationGuard guard(modification_enabled_);
  erase_handle(post_set_callbacks_, handler, "Post");
}

const std::map<std::string, ParameterValue> & NodeParameters::get_parameter_overrides() const {
  return parameter_overrides_;
}

}  // namespace node_interfaces
}  // namespace rclcpp
