#pragma once

#include <stdexcept>
#include <string>

#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp::detail {

template <typename OptionsT>
bool resolve_use_intra_process(
  const OptionsT & options, const node_interfaces::NodeBaseInterface & node_base) {
  return options.use_intra_process_comm == IntraProcessSetting::NodeDefault
           ? node_base.get_use_intra_process_default()
           : options.use_intra_process_comm == IntraProcessSetting::Enable;
}

/// Intra-process communication keeps a fixed number of messages.
inline void check_intra_process_qos(const QoS & qos, const char * topic_name) {
  const std::string prefix =
    std::string("intraprocess communication on topic '") + topic_name + "' ";
  if (qos.history() != HistoryPolicy::KeepLast) {
    throw std::invalid_argument(prefix + "allowed only with keep last history qos policy");
  }
  if (qos.depth() == 0) {
    throw std::invalid_argument(prefix + "is not allowed with a zero qos history depth value");
  }
}

}  // namespace rclcpp::detail
