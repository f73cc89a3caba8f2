// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp_action/create_client.hpp"
#include "rclcpp_action/create_server.hpp"
