// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "ambf_devices/device_loop.hpp"
#include "ambf_node_support/declared.hpp"

namespace ambf_device_nodes
{

using ambf_node_support::Declared;

/// What differs between kinds of devices before anybody sets anything.
struct KindDefaults
{
  std::string device;           ///< name of the device and of its topics
  double rate = 1000.0;         ///< [Hz]
  int actions = 8;              ///< action buttons
  double linear_stiffness = 0;  ///< [N per proxy metre]
};

/// The parameters of every device node, read once at its start.
struct DeviceParameters
{
  std::string device;
  std::string world_namespace;
  std::string frame_id;
  int actions = 8;
  bool publish_force = true;
  ambf_devices::LoopParameters loop;
  std::string warning;  ///< about gains that need the passivity controller; empty: none
};

/// Throws std::invalid_argument with the reason for a value that means nothing or is not safe.
DeviceParameters declare_device_parameters(rclcpp::Node & node, const KindDefaults & defaults);

}  // namespace ambf_device_nodes
