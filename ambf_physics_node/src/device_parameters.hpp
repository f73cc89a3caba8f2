// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rclcpp/node.hpp>

#include "ambf_simulation/device_settings.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// Declares `device_indices`, `n_devices`, `proxy_on_loss`, `proxy_loss_timeout`, `devices`, and for each name in that
/// `device.<name>.<key>`; throws std::invalid_argument with the reason for a value that means nothing.
DeviceRules declare_device_parameters(rclcpp::Node & node);

}  // namespace ambf_physics
