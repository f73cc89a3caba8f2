// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp_components/component_manager.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ament_index_cpp/get_resource.hpp"
#include "rcl_interfaces/msg/integer_range.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp_components/detail/component_registry.hpp"
#include "rcpputils/split.hpp"

namespace rclcpp_components {

namespace {

bool boolean_argument(const rclcpp::Parameter & argument) {
  if (argument.get_type() != rclcpp::ParameterType::PARAMETER_BOOL) {
    throw ComponentManagerException("Extra component argument '" + argument.get_name() + "' must be a boolean");
  }
  return argument.get_value<bool>();
}

// A callback of a removed node may still run in another thread of the executor: take the groups as
// an executor would, so that none runs and none begins. Reentrant groups cannot be taken. A callback that unloads
// its own component, or never ends, is not waited for without limit.
void wait_for_callbacks(rclcpp::node_interfaces::NodeBaseInterface & node) {
  std::vector<rclcpp::CallbackGroup::SharedPtr> groups;
  node.for_each_callback_group([&groups](const auto & group) { groups.push_back(group); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (const auto & group : groups) {
    while (group->type() == rclcpp::CallbackGroupType::MutuallyExclusive &&
           !group->can_be_taken_from().exchange(false) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

NodeInstanceWrapper construct(NodeFactory & factory, const rclcpp::NodeOptions & options) {
  try {
    return factory.create_node_instance(options);
  } catch (const std::exception & ex) {
    throw ComponentManagerException(std::string("Component constructor threw an exception: ") + ex.what());
  } catch (...) { throw ComponentManagerException("Component constructor threw an exception"); }
}

}  // namespace

ComponentManager::ComponentManager(
  std::weak_ptr<rclcpp::Executor> executor, std::string node_name, const rclcpp::NodeOptions & node_options)
: Node(std::move(node_name), node_options), executor_(std::move(executor)) {
  const auto bind = [this](auto method) {
    return std::bind(method, this, std::placeholders::_1, std::placeholders::_2, std::placeholders::_3);
  };
  loadNode_srv_ = create_service<LoadNode>("~/_container/load_node", bind(&ComponentManager::on_load_node));
  unloadNode_srv_ = create_service<UnloadNode>("~/_container/unload_node", bind(&ComponentManager::on_unload_node));
  listNodes_srv_ = create_service<ListNodes>("~/_container/list_nodes", bind(&ComponentManager::on_list_nodes));

  // Read by component_container_mt, whose executor it sizes.
  const auto processors = std::max<int64_t>(1, std::thread::hardware_concurrency());
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = "Number of thread";
  descriptor.read_only = true;
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = 1;
  descriptor.integer_range[0].to_value = processors;
  declare_parameter("thread_num", processors, descriptor);
}

// Executors hold nodes weakly: the components just go.
ComponentManager::~ComponentManager() = default;

std::vector<ComponentManager::ComponentResource> ComponentManager::get_component_resources(
  const std::string & package_name, const std::string & resource_index) const {
  std::string content;
  std::string base_path;
  if (package_name.empty() || !ament_index_cpp::get_resource(resource_index, package_name, content, &base_path)) {
    throw ComponentManagerException("Could not find requested resource in ament index");
  }
  std::vector<ComponentResource> resources;
  for (const std::string & line : rcpputils::split(content, '\n', true)) {
    const std::vector<std::string> parts = rcpputils::split(line, ';');
    if (parts.size() != 2) { throw ComponentManagerException("Invalid resource entry"); }
    const bool absolute = !parts[1].empty() && parts[1].front() == '/';
    resources.emplace_back(parts[0], absolute ? parts[1] : base_path + "/" + parts[1]);
  }
  return resources;
}

std::shared_ptr<NodeFactory> ComponentManager::create_component_factory(const ComponentResource & resource) {
  const auto & [class_name, library_path] = resource;
  RCLCPP_INFO(get_logger(), "Load Library: %s", library_path.c_str());
  std::shared_ptr<NodeFactory> factory;
  try {
    factory = detail::load_factory(library_path, class_name);
  } catch (const std::exception & ex) {
    throw ComponentManagerException(std::string("Failed to load library: ") + ex.what());
  }
  if (factory) {
    const std::string factory_class = "rclcpp_components::NodeFactoryTemplate<" + class_name + ">";
    RCLCPP_INFO(get_logger(), "Found class: %s", factory_class.c_str());
    RCLCPP_INFO(get_logger(), "Instantiate class: %s", factory_class.c_str());
  }
  return factory;
}

void ComponentManager::set_executor(const std::weak_ptr<rclcpp::Executor> executor) { executor_ = executor; }

rclcpp::NodeOptions ComponentManager::create_node_options(const std::shared_ptr<LoadNode::Request> request) {
  std::vector<rclcpp::Parameter> parameters;
  for (const auto & parameter : request->parameters) {
    parameters.push_back(rclcpp::Parameter::from_parameter_msg(parameter));
  }

  std::vector<std::string> rules(request->remap_rules.begin(), request->remap_rules.end());
  if (!request->node_name.empty()) { rules.push_back("__node:=" + request->node_name); }
  if (!request->node_namespace.empty()) { rules.push_back("__ns:=" + request->node_namespace); }
  std::vector<std::string> arguments;
  for (const std::string & rule : rules) { arguments.insert(arguments.end(), {"-r", rule}); }
  if (!arguments.empty()) { arguments.insert(arguments.begin(), "--ros-args"); }

  // The arguments of the process are the container's.
  auto options = rclcpp::NodeOptions().use_global_arguments(false).parameter_overrides(parameters).arguments(arguments);

  for (const auto & message : request->extra_arguments) {
    const auto argument = rclcpp::Parameter::from_parameter_msg(message);
    if (argument.get_name() == "use_intra_process_comms") {
      options.use_intra_process_comms(boolean_argument(argument));
    } else if (argument.get_name() == "forward_global_arguments") {
      options.use_global_arguments(boolean_argument(argument));
      if (options.use_global_arguments()) {
        RCLCPP_WARN(get_logger(),
          "forward_global_arguments: the arguments of the container act on node '%s' "
          "as well, not only those meant for it.",
          request->node_name.c_str());
      }
    }
  }
  return options;
}

void ComponentManager::add_node_to_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    executor->add_node(node_wrappers_.at(node_id).get_node_base_interface(), true);
  }
}

void ComponentManager::remove_node_from_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    executor->remove_node(node_wrappers_.at(node_id).get_node_base_interface());
  }
}

void ComponentManager::on_load_node(const std::shared_ptr<rmw_request_id_t>,
  const std::shared_ptr<LoadNode::Request> request, std::shared_ptr<LoadNode::Response> response) {
  response->success = false;
  try {
    for (const ComponentResource & resource : get_component_resources(request->package_name)) {
      if (resource.first != request->plugin_name) { continue; }
      const auto factory = create_component_factory(resource);
      if (!factory) { continue; }
      const rclcpp::NodeOptions options = create_node_options(request);
      const uint64_t node_id = unique_id_++;
      auto wrapper = construct(*factory, options);
      const auto node = wrapper.get_node_base_interface();
      node_wrappers_.emplace(node_id, std::move(wrapper));
      add_node_to_executor(node_id);
      response->full_node_name = node->get_fully_qualified_name();
      response->unique_id = node_id;
      response->success = true;
      return;
    }
    RCLCPP_ERROR(get_logger(), "Failed to find class with the requested plugin name '%s' in package '%s'",
      request->plugin_name.c_str(), request->package_name.c_str());
    response->error_message = "Failed to find class with the requested plugin name.";
  } catch (const std::exception & ex) {
    RCLCPP_ERROR(get_logger(), "%s", ex.what());
    response->error_message = ex.what();
  }
}

void ComponentManager::on_unload_node(const std::shared_ptr<rmw_request_id_t>,
  const std::shared_ptr<UnloadNode::Request> request, std::shared_ptr<UnloadNode::Response> response) {
  const auto found = node_wrappers_.find(request->unique_id);
  response->success = found != node_wrappers_.end();
  if (!response->success) {
    response->error_message = "No node found with unique_id: " + std::to_string(request->unique_id);
    RCLCPP_WARN(get_logger(), "%s", response->error_message.c_str());
    return;
  }
  remove_node_from_executor(request->unique_id);
  wait_for_callbacks(*found->second.get_node_base_interface());
  node_wrappers_.erase(found);
}

void ComponentManager::on_list_nodes(const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<ListNodes::Request>,
  std::shared_ptr<ListNodes::Response> response) {
  for (auto & [node_id, wrapper] : node_wrappers_) {
    response->unique_ids.push_back(node_id);
    response->full_node_names.push_back(wrapper.get_node_base_interface()->get_fully_qualified_name());
  }
}

}  // namespace rclcpp_components
