// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The platforms of the underlay have one kind of visibility; users may compile with hidden symbols.
#define RCLCPP_COMPONENTS_EXPORT __attribute__((visibility("default")))
#define RCLCPP_COMPONENTS_IMPORT
#define RCLCPP_COMPONENTS_PUBLIC RCLCPP_COMPONENTS_EXPORT
#define RCLCPP_COMPONENTS_LOCAL __attribute__((visibility("hidden")))
#define RCLCPP_COMPONENTS_PUBLIC_TYPE
