// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <list>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/node_interfaces/get_node_base_interface.hpp"

namespace rclcpp {

/// Keeps a callback registered for one parameter of one node.
struct ParameterCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterCallbackHandle)

  using ParameterCallbackType = std::function<void(const Parameter &)>;

  std::string parameter_name;
  std::string node_name;
  ParameterCallbackType callback;
};

/// Keeps a callback registered for all parameter events.
struct ParameterEventCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventCallbackHandle)

  using ParameterEventCallbackType = std::function<void(const rcl_interfaces::msg::ParameterEvent &)>;

  ParameterEventCallbackType callback;
};

/// Calls back when parameters of this or other nodes change.
/**
 * A callback stays registered as long as its handle lives; the one added last is called first.
 */
class ParameterEventHandler {
public:
  using ParameterCallbackType = ParameterCallbackHandle::ParameterCallbackType;
  using ParameterEventCallbackType = ParameterEventCallbackHandle::ParameterEventCallbackType;

  /// \param node anything that offers the base, parameters and topics interfaces of a node.
  template <typename NodeT> explicit ParameterEventHandler(
    NodeT node, const QoS & qos = QoS(QoSInitialization::from_rmw(rmw_qos_profile_parameter_events)))
  : node_base_(node_interfaces::get_node_base_interface(node)), callbacks_(std::make_shared<Callbacks>()) {
    event_subscription_ = create_subscription<rcl_interfaces::msg::ParameterEvent>(
      node, "/parameter_events", qos, [callbacks = callbacks_](const rcl_interfaces::msg::ParameterEvent & event) {
        callbacks->event_callback(event);
      });
  }

  ParameterEventCallbackHandle::SharedPtr add_parameter_event_callback(ParameterEventCallbackType callback);

  /// \throws std::runtime_error if the handle is not registered.
  void remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr callback_handle);

  /// \param node_name relative names are resolved in the namespace of this node; empty is this node.
  ParameterCallbackHandle::SharedPtr add_parameter_callback(
    const std::string & parameter_name, ParameterCallbackType callback, const std::string & node_name = "");

  /// \throws std::runtime_error if the handle is not registered.
  void remove_parameter_callback(ParameterCallbackHandle::SharedPtr callback_handle);

  /// \return whether the event sets that parameter of that node; if so, parameter is filled.
  static bool get_parameter_from_event(const rcl_interfaces::msg::ParameterEvent & event, Parameter & parameter,
    const std::string & parameter_name, const std::string & node_name = "");

  /// The parameter, or an empty one if the event does not set that parameter of that node.
  static Parameter get_parameter_from_event(const rcl_interfaces::msg::ParameterEvent & event,
    const std::string & parameter_name, const std::string & node_name = "");

  /// All parameters that the event sets, new ones first.
  static std::vector<Parameter> get_parameters_from_event(const rcl_interfaces::msg::ParameterEvent & event);

  using CallbacksContainerType = std::list<ParameterCallbackHandle::WeakPtr>;

protected:
  // Shared with the subscription, whose callback may outlive the handler.
  struct Callbacks {
    std::recursive_mutex mutex_;
    // Keyed by parameter name and fully qualified node name.
    std::map<std::pair<std::string, std::string>, CallbacksContainerType> parameter_callbacks_;
    std::list<ParameterEventCallbackHandle::WeakPtr> event_callbacks_;

    void event_callback(const rcl_interfaces::msg::ParameterEvent & event);
  };

  std::string resolve_path(const std::string & path);

  node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  std::shared_ptr<Callbacks> callbacks_;
  Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr event_subscription_;
};

}  // namespace rclcpp
