// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The platforms of the underlay have one kind of visibility; users may compile with hidden symbols.
#define RCLCPP_ACTION_EXPORT __attribute__((visibility("default")))
#define RCLCPP_ACTION_IMPORT
#define RCLCPP_ACTION_PUBLIC RCLCPP_ACTION_EXPORT
#define RCLCPP_ACTION_LOCAL __attribute__((visibility("hidden")))
#define RCLCPP_ACTION_PUBLIC_TYPE
