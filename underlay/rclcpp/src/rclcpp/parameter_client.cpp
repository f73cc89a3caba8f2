// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/parameter_client.hpp"

namespace rclcpp {

namespace srv = rcl_interfaces::srv;

// Sends a request; the future and the callback get what `convert` makes of the response.
template <typename ServiceT, typename ResultT, typename ConvertT> static std::shared_future<ResultT> call(
  const std::shared_ptr<Client<ServiceT>> & client, const typename ServiceT::Request & request, ConvertT convert,
  const std::function<void(std::shared_future<ResultT>)> & callback) {
  auto promise = std::make_shared<std::promise<ResultT>>();
  auto future = promise->get_future().share();
  client->async_send_request(std::make_shared<typename ServiceT::Request>(request),
    [promise, future, convert, callback](typename Client<ServiceT>::SharedFuture response) {
      promise->set_value(std::invoke(convert, *response.get()));
      if (callback) { callback(future); }
    });
  return future;
}

// A request with one of its fields set.
template <typename RequestT, typename FieldT> static RequestT with(FieldT RequestT::*field, FieldT value) {
  RequestT request;
  request.*field = std::move(value);
  return request;
}

static std::vector<rcl_interfaces::msg::Parameter> to_messages(const std::vector<Parameter> & parameters) {
  std::vector<rcl_interfaces::msg::Parameter> messages;
  for (const Parameter & parameter : parameters) { messages.push_back(parameter.to_parameter_msg()); }
  return messages;
}

AsyncParametersClient::AsyncParametersClient(const node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
  const node_interfaces::NodeTopicsInterface::SharedPtr node_topics_interface,
  const node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
  const node_interfaces::NodeServicesInterface::SharedPtr node_services_interface, const std::string & remote_node_name,
  const QoS & qos_profile, CallbackGroup::SharedPtr group)
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
  make(get_parameters_client_, "get_parameters");
  make(get_parameter_types_client_, "get_parameter_types");
  make(set_parameters_client_, "set_parameters");
  make(set_parameters_atomically_client_, "set_parameters_atomically");
  make(list_parameters_client_, "list_parameters");
  make(describe_parameters_client_, "describe_parameters");
}

std::shared_future<std::vector<Parameter>> AsyncParametersClient::get_parameters(
  const Names & names, Callback<Parameters> callback) {
  const auto to_parameters = [names](const srv::GetParameters::Response & response) {
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < std::min(names.size(), response.values.size()); ++i) {
      parameters.emplace_back(names[i], ParameterValue(response.values[i]));
    }
    return parameters;
  };
  return call(get_parameters_client_, with(&srv::GetParameters::Request::names, names), to_parameters, callback);
}

std::shared_future<AsyncParametersClient::Descriptors> AsyncParametersClient::describe_parameters(
  const Names & names, Callback<Descriptors> callback) {
  return call(describe_parameters_client_, with(&srv::DescribeParameters::Request::names, names),
    &srv::DescribeParameters::Response::descriptors, callback);
}

std::shared_future<std::vector<ParameterType>> AsyncParametersClient::get_parameter_types(
  const Names & names, Callback<std::vector<ParameterType>> callback) {
  const auto to_types = [](const srv::GetParameterTypes::Response & response) {
    std::vector<ParameterType> types;
    for (const uint8_t type : response.types) { types.push_back(static_cast<ParameterType>(type)); }
    return types;
  };
  return call(get_parameter_types_client_, with(&srv::GetParameterTypes::Request::names, names), to_types, callback);
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::set_parameters(
  const Parameters & parameters, Callback<std::vector<SetResult>> callback) {
  return call(set_parameters_client_, with(&srv::SetParameters::Request::parameters, to_messages(parameters)),
    &srv::SetParameters::Response::results, callback);
}

std::shared_future<AsyncParametersClient::SetResult> AsyncParametersClient::set_parameters_atomically(
  const Parameters & parameters, Callback<SetResult> callback) {
  return call(set_parameters_atomically_client_,
    with(&srv::SetParametersAtomically::Request::parameters, to_messages(parameters)),
    &srv::SetParametersAtomically::Response::result, callback);
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::load_parameters(
  const ParameterMap & parameter_map) {
  const Parameters parameters = parameters_from_map(parameter_map, remote_node_name_.c_str());
  if (parameters.empty()) { throw exceptions::InvalidParametersException("No valid parameter"); }
  return set_parameters(parameters);
}

std::shared_future<AsyncParametersClient::ListResult> AsyncParametersClient::list_parameters(
  const Names & prefixes, uint64_t depth, Callback<ListResult> callback) {
  auto request = with(&srv::ListParameters::Request::prefixes, prefixes);
  request.depth = depth;
  return call(list_parameters_client_, request, &srv::ListParameters::Response::result, callback);
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

}  // namespace rclcpp
