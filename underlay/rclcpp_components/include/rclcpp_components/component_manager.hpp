// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "composition_interfaces/srv/list_nodes.hpp"
#include "composition_interfaces/srv/load_node.hpp"
#include "composition_interfaces/srv/unload_node.hpp"
#include "rclcpp/executor.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp_components/node_factory.hpp"
#include "rclcpp_components/node_instance_wrapper.hpp"
#include "rclcpp_components/visibility_control.hpp"

namespace rclcpp_components {

/// A component could not be loaded; the text goes to who asked for it.
class ComponentManagerException : public std::runtime_error {
public:
  explicit ComponentManagerException(const std::string & error_desc) : std::runtime_error(error_desc) {}
};

/// A node that loads, unloads and lists components by its services.
class ComponentManager : public rclcpp::Node {
public:
  using LoadNode = composition_interfaces::srv::LoadNode;
  using UnloadNode = composition_interfaces::srv::UnloadNode;
  using ListNodes = composition_interfaces::srv::ListNodes;

  /// The name of a class and the path of its library.
  using ComponentResource = std::pair<std::string, std::string>;

  /// \param executor runs the components.
  ComponentManager(std::weak_ptr<rclcpp::Executor> executor = std::weak_ptr<rclcpp::executors::MultiThreadedExecutor>(),
    std::string node_name = "ComponentManager",
    const rclcpp::NodeOptions & node_options =
      rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(false));

  virtual ~ComponentManager();

  /// What a package registered in the ament index.
  /** \throws ComponentManagerException if there is no such package or its entry is malformed. */
  virtual std::vector<ComponentResource> get_component_resources(
    const std::string & package_name, const std::string & resource_index = "rclcpp_components") const;

  /// \return nullptr if the library has no such class.
  /** \throws ComponentManagerException if the library cannot be loaded. */
  virtual std::shared_ptr<rclcpp_components::NodeFactory> create_component_factory(const ComponentResource & resource);

  virtual void set_executor(const std::weak_ptr<rclcpp::Executor> executor);

protected:
  /// \throws ComponentManagerException if an extra argument is of the wrong type.
  virtual rclcpp::NodeOptions create_node_options(const std::shared_ptr<LoadNode::Request> request);

  virtual void add_node_to_executor(uint64_t node_id);

  virtual void remove_node_from_executor(uint64_t node_id);

  virtual void on_load_node(const std::shared_ptr<rmw_request_id_t> request_header,
    const std::shared_ptr<LoadNode::Request> request, std::shared_ptr<LoadNode::Response> response);

  virtual void on_unload_node(const std::shared_ptr<rmw_request_id_t> request_header,
    const std::shared_ptr<UnloadNode::Request> request, std::shared_ptr<UnloadNode::Response> response);

  virtual void on_list_nodes(const std::shared_ptr<rmw_request_id_t> request_header,
    const std::shared_ptr<ListNodes::Request> request, std::shared_ptr<ListNodes::Response> response);

  std::weak_ptr<rclcpp::Executor> executor_;

  uint64_t unique_id_{1};
  std::map<uint64_t, rclcpp_components::NodeInstanceWrapper> node_wrappers_;

  rclcpp::Service<LoadNode>::SharedPtr loadNode_srv_;
  rclcpp::Service<UnloadNode>::SharedPtr unloadNode_srv_;
  rclcpp::Service<ListNodes>::SharedPtr listNodes_srv_;
};

}  // namespace rclcpp_components
