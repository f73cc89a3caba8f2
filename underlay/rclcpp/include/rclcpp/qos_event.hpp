// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/event_handler.hpp"
