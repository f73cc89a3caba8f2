#pragma once

#if defined(__GNUC__)
#define RCLCPP_ACTION_EXPORT __attribute__((visibility("default")))
#define RCLCPP_ACTION_IMPORT
#define RCLCPP_ACTION_PUBLIC __attribute__((visibility("default")))
#define RCLCPP_ACTION_LOCAL __attribute__((visibility("hidden")))
#else
#define RCLCPP_ACTION_EXPORT
#define RCLCPP_ACTION_IMPORT
#define RCLCPP_ACTION_PUBLIC
#define RCLCPP_ACTION_LOCAL
#endif
#define RCLCPP_ACTION_PUBLIC_TYPE
