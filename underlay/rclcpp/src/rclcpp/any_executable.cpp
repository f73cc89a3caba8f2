#include "rclcpp/any_executable.hpp"

namespace rclcpp {

AnyExecutable::AnyExecutable() = default;

AnyExecutable::~AnyExecutable() {
  if (callback_group) { callback_group->can_be_taken_from().store(true); }
}

}  // namespace rclcpp
