// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp::detail {

template <typename OptionsT>
bool resolve_use_intra_process(const OptionsT & options, const node_interfaces::NodeBaseInterface & node_base) {
  return options.use_intra_process_comm == IntraProcessSetting::NodeDefault
           ? node_base.get_use_intra_process_default()
           : options.use_intra_process_comm == IntraProcessSetting::Enable;
}

/// Intra-process communication keeps a fixed number of messages.
inline void check_intra_process_qos(const QoS & qos, const std::string & topic_name) {
  if (qos.history() != HistoryPolicy::KeepLast) {
    throw std::invalid_argument(
      "intraprocess communication on topic '" + topic_name + "' allowed only with keep last history qos policy");
  }
}

}  // namespace rclcpp::detail
