#include "rclcpp/node_options.hpp"

#include <memory>
#include <string>
#include <vector>

#include "rcl/arguments.h"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp
{

namespace detail
{
std::vector<std::string> get_unparsed_ros_arguments(
  int argc, char const * const * argv, rcl_arguments_t * arguments, rcl_allocator_t allocator);
}  // namespace detail

void NodeOptions::RclNodeOptionsDeleter::operator()(rcl_node_options_t * options) const
{
  if (options && rcl_node_options_fini(options) != RCL_RET_OK) {
    RCLCPP_ERROR(
      rclcpp::get_logger("rclcpp"), "failed to finalize rcl node options: %s",
      rcl_get_error_string().str);
    rcl_reset_error();
  }
  delete options;
}

NodeOptions::NodeOptions(rcl_allocator_t allocator)
: allocator_(allocator) {}

NodeOptions::NodeOptions(const NodeOptions & other)
{
  *this = other;
}

NodeOptions & NodeOptions::operator=(const NodeOptions & other)
{
  if (this != &other) {
    node_options_.reset();
    context_ = other.context_;
    arguments_ = other.arguments_;
    parameter_overrides_ = other.parameter_overrides_;
    use_global_arguments_ = other.use_global_arguments_;
    enable_rosout_ = other.enable_rosout_;
    use_intra_process_comms_ = other.use_intra_process_comms_;
    enable_topic_statistics_ = other.enable_topic_statistics_;
    start_parameter_services_ = other.start_parameter_services_;
    enable_logger_service_ = other.enable_logger_service_;
    start_parameter_event_publisher_ = other.start_parameter_event_publisher_;
    clock_type_ = other.clock_type_;
    clock_qos_ = other.clock_qos_;
    use_clock_thread_ = other.use_clock_thread_;
    parameter_event_qos_ = other.parameter_event_qos_;
    rosout_qos_ = other.rosout_qos_;
    parameter_event_publisher_options_ = other.parameter_event_publisher_options_;
    allow_undeclared_parameters_ = other.allow_undeclared_parameters_;
    automatically_declare_parameters_from_overrides_ =
      other.automatically_declare_parameters_from_overrides_;
    allocator_ = other.allocator_;
  }
  return *this;
}

const rcl_node_options_t * NodeOptions::get_rcl_node_options() const
{
  if (node_options_) {
    return node_options_.get();
  }
  std::unique_ptr<rcl_node_options_t, RclNodeOptionsDeleter> options(
    new rcl_node_options_t(rcl_node_get_default_options()));
  options->allocator = allocator_;
  options->use_global_arguments = use_global_arguments_;
  options->enable_rosout = enable_rosout_;
  options->rosout_qos = rosout_qos_.get_rmw_qos_profile();

  const auto c_arguments = get_c_vector_string(arguments_);
  const int count = static_cast<int>(c_arguments.size());
  const rcl_ret_t ret = rcl_parse_arguments(
    count, c_arguments.empty() ? nullptr : c_arguments.data(), allocator_, &options->arguments);
  if (ret != RCL_RET_OK) {
    exceptions::throw_from_rcl_error(ret, "failed to parse arguments");
  }
  auto unparsed = detail::get_unparsed_ros_arguments(
    count, c_arguments.data(), &options->arguments, allocator_);
  if (!unparsed.empty()) {
    throw exceptions::UnknownROSArgsError(std::move(unparsed));
  }
  node_options_ = std::move(options);
  return node_options_.get();
}

rclcpp::Context::SharedPtr NodeOptions::context() const
{
  return context_;
}

NodeOptions & NodeOptions::context(rclcpp::Context::SharedPtr context)
{
  context_ = context;
  return *this;
}

const std::vector<std::string> & NodeOptions::arguments() const
{
  return arguments_;
}

NodeOptions & NodeOptions::arguments(const std::vector<std::string> & arguments)
{
  node_options_.reset();
  arguments_ = arguments;
  return *this;
}

std::vector<rclcpp::Parameter> & NodeOptions::parameter_overrides()
{
  return parameter_overrides_;
}

const std::vector<rclcpp::Parameter> & NodeOptions::parameter_overrides() const
{
  return parameter_overrides_;
}

NodeOptions & NodeOptions::parameter_overrides(
  const std::vector<rclcpp::Parameter> & parameter_overrides)
{
  parameter_overrides_ = parameter_overrides;
  return *this;
}

bool NodeOptions::use_global_arguments() const
{
  return use_global_arguments_;
}

NodeOptions & NodeOptions::use_global_arguments(bool use_global_arguments)
{
  node_options_.reset();
  use_global_arguments_ = use_global_arguments;
  return *this;
}

bool NodeOptions::enable_rosout() const
{
  return enable_rosout_;
}

NodeOptions & NodeOptions::enable_rosout(bool enable_rosout)
{
  node_options_.reset();
  enable_rosout_ = enable_rosout;
  return *this;
}

bool NodeOptions::use_intra_process_comms() const
{
  return use_intra_process_comms_;
}

NodeOptions & NodeOptions::use_intra_process_comms(bool use_intra_process_comms)
{
  use_intra_process_comms_ = use_intra_process_comms;
  return *this;
}

bool NodeOptions::enable_topic_statistics() const
{
  return enable_topic_statistics_;
}

NodeOptions & NodeOptions::enable_topic_statistics(bool enable_topic_statistics)
{
  enable_topic_statistics_ = enable_topic_statistics;
  return *this;
}

bool NodeOptions::start_parameter_services() const
{
  return start_parameter_services_;
}

NodeOptions & NodeOptions::start_parameter_services(bool start_parameter_services)
{
  start_parameter_services_ = start_parameter_services;
  return *this;
}

bool NodeOptions::enable_logger_service() const
{
  return enable_logger_service_;
}

NodeOptions & NodeOptions::enable_logger_service(bool enable_log_service)
{
  enable_logger_service_ = enable_log_service;
  return *this;
}

bool NodeOptions::start_parameter_event_publisher() const
{
  return start_parameter_event_publisher_;
}

NodeOptions & NodeOptions::start_parameter_event_publisher(bool start_parameter_event_publisher)
{
  start_parameter_event_publisher_ = start_parameter_event_publisher;
  return *this;
}

const rcl_clock_type_t & NodeOptions::clock_type() const
{
  return clock_type_;
}

NodeOptions & NodeOptions::clock_type(const rcl_clock_type_t & clock_type)
{
  clock_type_ = clock_type;
  return *this;
}

const rclcpp::QoS & NodeOptions::clock_qos() const
{
  return clock_qos_;
}

NodeOptions & NodeOptions::clock_qos(const rclcpp::QoS & clock_qos)
{
  clock_qos_ = clock_qos;
  return *this;
}

bool NodeOptions::use_clock_thread() const
{
  return use_clock_thread_;
}

NodeOptions & NodeOptions::use_clock_thread(bool use_clock_thread)
{
  use_clock_thread_ = use_clock_thread;
  return *this;
}

const rclcpp::QoS & NodeOptions::parameter_event_qos() const
{
  return parameter_event_qos_;
}

NodeOptions & NodeOptions::parameter_event_qos(const rclcpp::QoS & parameter_event_qos)
{
  parameter_event_qos_ = parameter_event_qos;
  return *this;
}

const rclcpp::QoS & NodeOptions::rosout_qos() const
{
  return rosout_qos_;
}

NodeOptions & NodeOptions::rosout_qos(const rclcpp::QoS & rosout_qos)
{
  node_options_.reset();
  rosout_qos_ = rosout_qos;
  return *this;
}

const rclcpp::PublisherOptionsBase & NodeOptions::parameter_event_publisher_options() const
{
  return parameter_event_publisher_options_;
}

NodeOptions & NodeOptions::parameter_event_publisher_options(
  const rclcpp::PublisherOptionsBase & parameter_event_publisher_options)
{
  parameter_event_publisher_options_ = parameter_event_publisher_options;
  return *this;
}

bool NodeOptions::allow_undeclared_parameters() const
{
  return allow_undeclared_parameters_;
}

NodeOptions & NodeOptions::allow_undeclared_parameters(bool allow_undeclared_parameters)
{
  allow_undeclared_parameters_ = allow_undeclared_parameters;
  return *this;
}

bool NodeOptions::automatically_declare_parameters_from_overrides() const
{
  return automatically_declare_parameters_from_overrides_;
}

NodeOptions & NodeOptions::automatically_declare_parameters_from_overrides(
  bool automatically_declare_parameters_from_overrides)
{
  automatically_declare_parameters_from_overrides_ =
    automatically_declare_parameters_from_overrides;
  return *this;
}

const rcl_allocator_t & NodeOptions::allocator() const
{
  return allocator_;
}

NodeOptions & NodeOptions::allocator(rcl_allocator_t allocator)
{
  node_options_.reset();
  allocator_ = allocator;
  return *this;
}

}  // namespace rclcpp
