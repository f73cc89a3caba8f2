// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <vector>

#include "rcl/error_handling.h"
#include "rcl/types.h"
#include "rcpputils/join.hpp"

namespace rclcpp::exceptions {

struct InvalidNodeError : public std::runtime_error {
  InvalidNodeError() : std::runtime_error("node is invalid") {}
};

/// A name (of a node, a namespace, a topic, a service) does not follow the rules.
struct NameValidationError : public std::invalid_argument {
  NameValidationError(const char * name_type_, const char * name_, const char * error_msg_, size_t invalid_index_)
  : std::invalid_argument(format_error(name_type_, name_, error_msg_, invalid_index_)),
    name_type(name_type_),
    name(name_),
    error_msg(error_msg_),
    invalid_index(invalid_index_) {}

  static std::string format_error(
    const char * name_type, const char * name, const char * error_msg, size_t invalid_index);

  const std::string name_type;
  const std::string name;
  const std::string error_msg;
  const size_t invalid_index;
};

struct InvalidNodeNameError : public NameValidationError {
  InvalidNodeNameError(const char * node_name, const char * error_msg_, size_t invalid_index_)
  : NameValidationError("node name", node_name, error_msg_, invalid_index_) {}
};

struct InvalidNamespaceError : public NameValidationError {
  InvalidNamespaceError(const char * namespace_, const char * error_msg_, size_t invalid_index_)
  : NameValidationError("namespace", namespace_, error_msg_, invalid_index_) {}
};

struct InvalidTopicNameError : public NameValidationError {
  InvalidTopicNameError(const char * topic_name, const char * error_msg_, size_t invalid_index_)
  : NameValidationError("topic name", topic_name, error_msg_, invalid_index_) {}
};

struct InvalidServiceNameError : public NameValidationError {
  InvalidServiceNameError(const char * name, const char * error_msg_, size_t invalid_index_)
  : NameValidationError("service name", name, error_msg_, invalid_index_) {}
};

struct UnimplementedError : public std::runtime_error {
  UnimplementedError() : std::runtime_error("This code is unimplemented.") {}
  explicit UnimplementedError(const std::string & msg) : std::runtime_error(msg) {}
};

/// What an rcl function reported: return code, message and the place in rcl.
class RCLErrorBase {
public:
  RCLErrorBase(rcl_ret_t ret, const rcl_error_state_t * error_state);
  virtual ~RCLErrorBase() {}

  rcl_ret_t ret;
  std::string message;
  std::string file;
  size_t line;
  std::string formatted_message;
};

namespace detail {
/// An rcl error that is a standard exception, too.
template <typename StandardT> class RCLErrorAs : public RCLErrorBase, public StandardT {
public:
  RCLErrorAs(rcl_ret_t ret, const rcl_error_state_t * error_state, const std::string & prefix)
  : RCLErrorAs(RCLErrorBase(ret, error_state), prefix) {}
  RCLErrorAs(const RCLErrorBase & base, const std::string & prefix)
  : RCLErrorBase(base), StandardT(prefix + base.formatted_message) {}
};
}  // namespace detail

class RCLError : public detail::RCLErrorAs<std::runtime_error> {
  using RCLErrorAs::RCLErrorAs;
};

class RCLInvalidArgument : public detail::RCLErrorAs<std::invalid_argument> {
  using RCLErrorAs::RCLErrorAs;
};

class RCLInvalidROSArgsError : public detail::RCLErrorAs<std::runtime_error> {
  using RCLErrorAs::RCLErrorAs;
};

struct RCLBadAlloc : public RCLErrorBase, public std::bad_alloc {
  RCLBadAlloc(rcl_ret_t ret, const rcl_error_state_t * error_state) : RCLErrorBase(ret, error_state) {}
  explicit RCLBadAlloc(const RCLErrorBase & base) : RCLErrorBase(base) {}
};

/// Arguments between --ros-args and -- that rcl does not know.
struct UnknownROSArgsError : public std::runtime_error {
  explicit UnknownROSArgsError(std::vector<std::string> && unknown)
  : std::runtime_error("found unknown ROS arguments: '" + rcpputils::join(unknown, "', '") + "'"),
    unknown_ros_args(unknown) {}

  const std::vector<std::string> unknown_ros_args;
};

struct InvalidEventError : public std::runtime_error {
  InvalidEventError() : std::runtime_error("event is invalid") {}
};

struct EventNotRegisteredError : public std::runtime_error {
  EventNotRegisteredError() : std::runtime_error("event already registered") {}
};

struct UnknownTypeError : public std::runtime_error {
  explicit UnknownTypeError(const std::string & type) : std::runtime_error("Unknown type: " + type) {}
};

class InvalidParametersException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class InvalidParameterValueException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct InvalidParameterTypeException : public std::runtime_error {
  InvalidParameterTypeException(const std::string & name, const std::string & message)
  : std::runtime_error("parameter '" + name + "' has invalid type: " + message) {}

protected:
  explicit InvalidParameterTypeException(const std::string & text) : std::runtime_error(text) {}
};

struct UninitializedStaticallyTypedParameterException : public InvalidParameterTypeException {
  explicit UninitializedStaticallyTypedParameterException(const std::string & name)
  : InvalidParameterTypeException("Statically typed parameter '" + name + "' must be initialized.") {}
};

class ParameterAlreadyDeclaredException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ParameterNotDeclaredException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ParameterImmutableException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ParameterModifiedInCallbackException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ParameterUninitializedException : public std::runtime_error {
  explicit ParameterUninitializedException(const std::string & name)
  : std::runtime_error("parameter '" + name + "' is not initialized") {}
};

/// The rmw could not tell whether two QoS profiles fit.
class QoSCheckCompatibleException : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A callback group is not one of the node's.
struct MissingGroupNodeException : public std::runtime_error {
  explicit MissingGroupNodeException(const std::string & obj_type)
  : std::runtime_error("cannot create: " + obj_type + " , callback group not in node") {}
};

using reset_error_function_t = void (*)();

/// Throw the exception that belongs to an rcl return code, with the message that rcl left.
[[noreturn]] void throw_from_rcl_error(rcl_ret_t ret, const std::string & prefix = "",
  const rcl_error_state_t * error_state = nullptr, reset_error_function_t reset_error = rcl_reset_error);

}  // namespace rclcpp::exceptions
