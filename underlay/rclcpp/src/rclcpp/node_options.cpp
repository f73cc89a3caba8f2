#include "rclcpp/node_options.hpp"

#include "rcl_check.hpp"
#include "ros_arguments.hpp"

namespace rclcpp {

const rcl_node_options_t * NodeOptions::get_rcl_node_options() const {
  if (!node_options_) {
    std::shared_ptr<rcl_node_options_t> options(
      new rcl_node_options_t(rcl_node_get_default_options()), [](rcl_node_options_t * old) {
        detail::log_failure(rcl_node_options_fini(old), "failed to finalize rcl node options");
        delete old;
      });
    options->allocator = allocator_;
    options->use_global_arguments = use_global_arguments_;
    options->enable_rosout = enable_rosout_;
    options->rosout_qos = rosout_qos_.get_rmw_qos_profile();

    std::vector<const char *> arguments;
    for (const auto & argument : arguments_) { arguments.push_back(argument.c_str()); }
    detail::check(rcl_parse_arguments(static_cast<int>(arguments.size()),
                    arguments.empty() ? nullptr : arguments.data(), allocator_, &options->arguments),
      "failed to parse arguments");
    detail::refuse_unknown_ros_arguments(arguments.data(), options->arguments);
    node_options_ = options;
  }
  return node_options_.get();
}

}  // namespace rclcpp
