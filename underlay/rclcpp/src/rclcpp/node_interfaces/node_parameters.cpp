// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/node_interfaces/node_parameters.hpp"

#include <cmath>

#include "../rcl_check.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_yaml_param_parser/parser.h"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp::node_interfaces {

using rcl_interfaces::msg::ListParametersResult;
using rcl_interfaces::msg::ParameterDescriptor;
using rcl_interfaces::msg::ParameterEvent;
using rcl_interfaces::msg::SetParametersResult;

namespace {

// What a node's parameters start with: the process's arguments, then those of the node, then the
// overrides of its options; the later ones win.
std::map<std::string, ParameterValue> resolve_parameter_overrides(
  NodeBaseInterface & node_base, const std::vector<Parameter> & parameter_overrides) {
  const rcl_node_options_t * options = rcl_node_get_options(node_base.get_rcl_node_handle());
  if (options == nullptr) { throw std::runtime_error("Need valid node options in NodeParameters"); }
  std::vector<const rcl_arguments_t *> sources;
  if (options->use_global_arguments) {
    sources.push_back(&node_base.get_context()->get_rcl_context()->global_arguments);
  }
  sources.push_back(&options->arguments);

  const char * node_name = node_base.get_fully_qualified_name();
  std::map<std::string, ParameterValue> overrides;
  const auto add = [&overrides](const std::vector<Parameter> & parameters) {
    for (const Parameter & parameter : parameters) {
      overrides[parameter.get_name()] = parameter.get_parameter_value();
    }
  };
  for (const rcl_arguments_t * source : sources) {
    rcl_params_t * found = nullptr;
    rclcpp::detail::check(rcl_arguments_get_param_overrides(source, &found), "");
    if (found == nullptr) { continue; }
    const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> owner(found, rcl_yaml_node_struct_fini);
    add(parameters_from_map(parameter_map_from(found, node_name), node_name));
  }
  add(parameter_overrides);
  return overrides;
}

// Ranges are given in decimal, so a step such as 0.1 is hit only up to rounding: 100 ulp.
bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= std::numeric_limits<double>::epsilon() * std::abs(a + b) * 100;
}

// Both bounds are allowed, also where the upper one is not a whole number of steps away.
bool in_range(double value, const rcl_interfaces::msg::FloatingPointRange & range) {
  if (nearly_equal(value, range.from_value) || nearly_equal(value, range.to_value)) { return true; }
  // Written so that NaN is outside of every range.
  if (!(value > range.from_value && value < range.to_value)) { return false; }
  if (range.step == 0.0) { return true; }
  const double steps = std::round((value - range.from_value) / range.step);
  return nearly_equal(value, range.from_value + steps * range.step);
}

bool in_range(int64_t value, const rcl_interfaces::msg::IntegerRange & range) {
  if (value == range.from_value || value == range.to_value) { return true; }
  if (value < range.from_value || value > range.to_value) { return false; }
  // Unsigned, since the distance may not fit a signed number.
  return range.step == 0 || (static_cast<uint64_t>(value) - static_cast<uint64_t>(range.from_value)) % range.step == 0;
}

// Empty if the value fits the descriptor.
std::string out_of_range_reason(
  const std::string & name, const ParameterValue & value, const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  const char * kind = nullptr;
  if (value.get_type() == PARAMETER_INTEGER && !descriptor.integer_range.empty()) {
    if (!in_range(value.get<PARAMETER_INTEGER>(), descriptor.integer_range.front())) { kind = "integer"; }
  } else if (value.get_type() == PARAMETER_DOUBLE && !descriptor.floating_point_range.empty()) {
    if (!in_range(value.get<PARAMETER_DOUBLE>(), descriptor.floating_point_range.front())) { kind = "floating point"; }
  }
  return kind == nullptr ? "" : "Parameter {" + name + "} doesn't comply with " + kind + " range.";
}

// No reason: success.
SetParametersResult make_result(const std::string & reason) {
  SetParametersResult result;
  result.successful = reason.empty();
  result.reason = reason;
  return result;
}

constexpr const char * wrong_type = "Wrong parameter type";

SetParametersResult check(const Parameter & parameter, const ParameterDescriptor & descriptor) {
  if (!descriptor.dynamic_typing && descriptor.type != parameter.get_type()) {
    return make_result(std::string(wrong_type) + ", parameter {" + parameter.get_name() + "} is of type {" +
                       to_string(static_cast<ParameterType>(descriptor.type)) + "}, setting it to {" +
                       to_string(parameter.get_type()) + "} is not allowed.");
  }
  return make_result(out_of_range_reason(parameter.get_name(), parameter.get_parameter_value(), descriptor));
}

// Visits each living callback, dropping the dead.
template <typename HandleT, typename VisitT>
void for_each_callback(std::list<std::weak_ptr<HandleT>> & handles, VisitT visit) {
  handles.remove_if([](const auto & weak) { return weak.expired(); });
  for (const auto & weak : handles) {
    if (const auto handle = weak.lock()) { visit(handle->callback); }
  }
}

}  // namespace

NodeParameters::Mutation::Mutation(NodeParameters & node) : lock_(node.mutex_), enabled_(node.modification_enabled_) {
  if (!enabled_) {
    throw exceptions::ParameterModifiedInCallbackException(
      "cannot set or declare a parameter, or change the callback from within set callback");
  }
  enabled_ = false;
}

NodeParameters::NodeParameters(const NodeBaseInterface::SharedPtr node_base, const NodeLoggingInterface::SharedPtr,
  const NodeTopicsInterface::SharedPtr node_topics, const NodeServicesInterface::SharedPtr node_services,
  const NodeClockInterface::SharedPtr node_clock, const std::vector<Parameter> & parameter_overrides,
  bool start_parameter_services, bool start_parameter_event_publisher, const rclcpp::QoS & parameter_event_qos,
  const rclcpp::PublisherOptionsBase & parameter_event_publisher_options, bool allow_undeclared_parameters,
  bool automatically_declare_parameters_from_overrides)
: allow_undeclared_(allow_undeclared_parameters),
  parameter_overrides_(resolve_parameter_overrides(*node_base, parameter_overrides)),
  combined_name_(node_base->get_fully_qualified_name()),
  node_clock_(node_clock) {
  if (start_parameter_services) {
    parameter_service_ = std::make_shared<ParameterService>(node_base, node_services, this);
  }
  if (start_parameter_event_publisher) {
    PublisherOptions options(parameter_event_publisher_options);
    // The QoS of this topic cannot depend on parameters, which are declared only later, but on overrides.
    options.qos_overriding_options = QosOverridingOptions();
    const QoS qos = rclcpp::detail::parameter_events_qos(
      parameter_overrides_, node_topics->resolve_topic_name("/parameter_events"), parameter_event_qos);
    events_publisher_ = create_publisher<ParameterEvent>(
      NodeParametersInterface::SharedPtr(), node_topics, "/parameter_events", qos, options);
  }
  if (automatically_declare_parameters_from_overrides) { perform_automatically_declare_parameters_from_overrides(); }
}

void NodeParameters::perform_automatically_declare_parameters_from_overrides() {
  ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  for (const auto & [name, value] : parameter_overrides_) {
    if (!has_parameter(name)) { declare_parameter(name, value, descriptor, true); }
  }
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
  Mutation mutation(*this);

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

  SetParametersResult result = make_result("");
  for_each_callback(on_set_callbacks_, [&](const auto & callback) {
    if (result.successful) { result = callback(parameters); }
  });
  if (!result.successful) { return result; }

  parameters_.merge(declared);
  for (const Parameter & parameter : parameters) {
    ParameterInfo & info = parameters_.at(parameter.get_name());
    info.descriptor.type = parameter.get_type();
    info.value = parameter.get_parameter_value();
  }
  for_each_callback(post_set_callbacks_, [&](const auto & callback) { callback(parameters); });
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
  Mutation mutation(*this);

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
  for (const Parameter & parameter : parameters) { results.push_back(set_parameters_atomically({parameter})); }
  return results;
}

SetParametersResult NodeParameters::set_parameters_atomically(const std::vector<Parameter> & requested) {
  Mutation mutation(*this);

  std::vector<Parameter> parameters(requested);
  for_each_callback(pre_set_callbacks_, [&](const auto & callback) { callback(parameters); });
  if (parameters.empty()) {
    return make_result(
      "parameter list cannot be empty, this might be due to pre_set_parameters_callback "
      "modifying the original parameters list.");
  }

  std::map<std::string, ParameterInfo> declared;
  std::set<std::string> new_names, deleted_names;
  for (const Parameter & parameter : parameters) {
    const std::string & name = parameter.get_name();
    if (name.empty()) { throw exceptions::InvalidParametersException("parameter name must not be empty"); }
    const auto known = parameters_.find(name);
    if (known == parameters_.end()) {
      if (!allow_undeclared_) {
        throw exceptions::ParameterNotDeclaredException(
          "parameter '" + name + "' cannot be set because it was not declared");
      }
      declared[name] = find_or_unset(name);
      new_names.insert(name);
      continue;
    }
    const ParameterInfo & info = known->second;
    if (info.descriptor.read_only) {
      return make_result("parameter '" + name + "' cannot be set because it is read-only");
    }
    if (parameter.get_type() == PARAMETER_NOT_SET && info.value.get_type() != PARAMETER_NOT_SET) {
      if (!info.descriptor.dynamic_typing) { return make_result("cannot undeclare a statically typed parameter"); }
      deleted_names.insert(name);
    }
  }

  const SetParametersResult result = check_and_store(parameters, declared);
  if (!result.successful) { return result; }
  ParameterEvent event;
  for (const Parameter & parameter : parameters) {
    const std::string & name = parameter.get_name();
    const bool deleted = deleted_names.count(name) != 0;
    if (deleted) { parameters_.erase(name); }
    (deleted                       ? event.deleted_parameters
      : new_names.count(name) != 0 ? event.new_parameters
                                   : event.changed_parameters)
      .push_back(parameter.to_parameter_msg());
  }
  publish_event(event);
  return result;
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
  for (const auto & [name, info] : parameters_) {
    if (!wanted(name)) { continue; }
    result.names.push_back(name);
    const auto separator = name.rfind('.');
    const std::string prefix = name.substr(0, separator == std::string::npos ? 0 : separator);
    auto & prefixes_found = result.prefixes;
    if (!prefix.empty() && std::find(prefixes_found.begin(), prefixes_found.end(), prefix) == prefixes_found.end()) {
      prefixes_found.push_back(prefix);
    }
  }
  return result;
}

}  // namespace rclcpp::node_interfaces
