#include "rclcpp/parameter_client.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/create_client.hpp"
#include "rclcpp/exceptions.hpp"

#include "./parameter_service_names.hpp"

namespace rclcpp {

namespace {

namespace msg = rcl_interfaces::msg;
namespace srv = rcl_interfaces::srv;
namespace names = parameter_service_names;

// Sends a request; the future and the callback get what `convert` makes of the response.
template <typename ServiceT, typename ResultT, typename ConvertT>
std::shared_future<ResultT> call(const std::shared_ptr<Client<ServiceT>> & client,
  std::shared_ptr<typename ServiceT::Request> request, ConvertT convert,
  std::function<void(std::shared_future<ResultT>)> callback) {
  auto promise = std::make_shared<std::promise<ResultT>>();
  auto future = promise->get_future().share();
  client->async_send_request(
    std::move(request), [promise, future, convert = std::move(convert), callback = std::move(callback)](
                          typename Client<ServiceT>::SharedFuture response) {
      promise->set_value(convert(*response.get()));
      if (callback) { callback(future); }
    });
  return future;
}

std::vector<msg::Parameter> to_messages(const std::vector<Parameter> & parameters) {
  std::vector<msg::Parameter> messages;
  messages.reserve(parameters.size());
  for (const Parameter & parameter : parameters) { messages.push_back(parameter.to_parameter_msg()); }
  return messages;
}

}  // namespace

AsyncParametersClient::AsyncParametersClient(const node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
  const node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
  const node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
  const node_interfaces::NodeServicesInterface::SharedPtr node_services_interface, const std::string & remote_node_name,
  const rclcpp::QoS & qos_profile, rclcpp::CallbackGroup::SharedPtr group)
: node_topics_interface_(node_topics_interface),
  remote_node_name_(remote_node_name.empty() ? node_base_interface->get_name() : remote_node_name) {
  const auto make = [&](auto & client, const char * name) {
    using ServiceT = typename std::decay_t<decltype(client)>::element_type;
    rcl_client_options_t options = rcl_client_get_default_options();
    options.qos = qos_profile.get_rmw_qos_profile();
    client = std::make_shared<ServiceT>(
      node_base_interface.get(), node_graph_interface, remote_node_name_ + "/" + name, options);
    node_services_interface->add_client(client, group);
  };
  make(get_parameters_client_, names::get_parameters);
  make(get_parameter_types_client_, names::get_parameter_types);
  make(set_parameters_client_, names::set_parameters);
  make(set_parameters_atomically_client_, names::set_parameters_atomically);
  make(list_parameters_client_, names::list_parameters);
  make(describe_parameters_client_, names::describe_parameters);
}

std::shared_future<std::vector<Parameter>> AsyncParametersClient::get_parameters(
  const std::vector<std::string> & names, std::function<void(std::shared_future<std::vector<Parameter>>)> callback) {
  auto request = std::make_shared<srv::GetParameters::Request>();
  request->names = names;
  return call(
    get_parameters_client_, std::move(request),
    [names](const srv::GetParameters::Response & response) {
      std::vector<Parameter> parameters;
      for (size_t i = 0; i < std::min(names.size(), response.values.size()); ++i) {
        parameters.emplace_back(names[i], ParameterValue(response.values[i]));
      }
      return parameters;
    },
    std::move(callback));
}

std::shared_future<std::vector<msg::ParameterDescriptor>> AsyncParametersClient::describe_parameters(
  const std::vector<std::string> & names,
  std::function<void(std::shared_future<std::vector<msg::ParameterDescriptor>>)> callback) {
  auto request = std::make_shared<srv::DescribeParameters::Request>();
  request->names = names;
  return call(
    describe_parameters_client_, std::move(request),
    [](const srv::DescribeParameters::Response & response) { return response.descriptors; }, std::move(callback));
}

std::shared_future<std::vector<ParameterType>> AsyncParametersClient::get_parameter_types(
  const std::vector<std::string> & names,
  std::function<void(std::shared_future<std::vector<ParameterType>>)> callback) {
  auto request = std::make_shared<srv::GetParameterTypes::Request>();
  request->names = names;
  return call(
    get_parameter_types_client_, std::move(request),
    [](const srv::GetParameterTypes::Response & response) {
      std::vector<ParameterType> types;
      for (const uint8_t type : response.types) { types.push_back(static_cast<ParameterType>(type)); }
      return types;
    },
    std::move(callback));
}

std::shared_future<std::vector<msg::SetParametersResult>> AsyncParametersClient::set_parameters(
  const std::vector<Parameter> & parameters,
  std::function<void(std::shared_future<std::vector<msg::SetParametersResult>>)> callback) {
  auto request = std::make_shared<srv::SetParameters::Request>();
  request->parameters = to_messages(parameters);
  return call(
    set_parameters_client_, std::move(request),
    [](const srv::SetParameters::Response & response) { return response.results; }, std::move(callback));
}

std::shared_future<msg::SetParametersResult> AsyncParametersClient::set_parameters_atomically(
  const std::vector<Parameter> & parameters,
  std::function<void(std::shared_future<msg::SetParametersResult>)> callback) {
  auto request = std::make_shared<srv::SetParametersAtomically::Request>();
  request->parameters = to_messages(parameters);
  return call(
    set_parameters_atomically_client_, std::move(request),
    [](const srv::SetParametersAtomically::Response & response) { return response.result; }, std::move(callback));
}

std::shared_future<std::vector<msg::SetParametersResult>> AsyncParametersClient::delete_parameters(
  const std::vector<std::string> & parameters_names) {
  std::vector<Parameter> parameters;
  for (const std::string & name : parameters_names) { parameters.emplace_back(name); }
  return set_parameters(parameters);
}

std::shared_future<std::vector<msg::SetParametersResult>> AsyncParametersClient::load_parameters(
  const std::string & yaml_filename) {
  return load_parameters(parameter_map_from_yaml_file(yaml_filename, remote_node_name_.c_str()));
}

std::shared_future<std::vector<msg::SetParametersResult>> AsyncParametersClient::load_parameters(
  const ParameterMap & parameter_map) {
  const std::vector<Parameter> parameters = parameters_from_map(parameter_map, remote_node_name_.c_str());
  if (parameters.empty()) { throw exceptions::InvalidParametersException("No valid parameter"); }
  return set_parameters(parameters);
}

std::shared_future<msg::ListParametersResult> AsyncParametersClient::list_parameters(
  const std::vector<std::string> & prefixes, uint64_t depth,
  std::function<void(std::shared_future<msg::ListParametersResult>)> callback) {
  auto request = std::make_shared<srv::ListParameters::Request>();
  request->prefixes = prefixes;
  request->depth = depth;
  return call(
    list_parameters_client_, std::move(request),
    [](const srv::ListParameters::Response & response) { return response.result; }, std::move(callback));
}

std::vector<ClientBase::SharedPtr> AsyncParametersClient::clients() const {
  return {get_parameters_client_, get_parameter_types_client_, set_parameters_client_,
    set_parameters_atomically_client_, list_parameters_client_, describe_parameters_client_};
}

bool AsyncParametersClient::service_is_ready() const {
  const auto all = clients();
  return std::all_of(all.begin(), all.end(), [](const auto & client) { return client->service_is_ready(); });
}

bool AsyncParametersClient::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  for (const auto & client : clients()) {
    // A negative timeout waits without end; zero only looks.
    const auto left = timeout < timeout.zero() ? timeout : std::max(timeout.zero(), timeout - (clock::now() - start));
    if (!client->wait_for_service(left)) { return false; }
  }
  return true;
}

bool SyncParametersClient::has_parameter(const std::string & parameter_name) {
  const std::vector<std::string> names = list_parameters({parameter_name}, 1).names;
  return std::find(names.begin(), names.end(), parameter_name) != names.end();
}

bool SyncParametersClient::service_is_ready() const { return async_parameters_client_->service_is_ready(); }

}  // namespace rclcpp
