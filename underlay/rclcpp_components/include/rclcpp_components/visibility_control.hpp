#pragma once

#if defined(__GNUC__)
#define RCLCPP_COMPONENTS_EXPORT __attribute__((visibility("default")))
#define RCLCPP_COMPONENTS_IMPORT
#define RCLCPP_COMPONENTS_PUBLIC __attribute__((visibility("default")))
#define RCLCPP_COMPONENTS_LOCAL __attribute__((visibility("hidden")))
#else
#define RCLCPP_COMPONENTS_EXPORT
#define RCLCPP_COMPONENTS_IMPORT
#define RCLCPP_COMPONENTS_PUBLIC
#define RCLCPP_COMPONENTS_LOCAL
#endif
#define RCLCPP_COMPONENTS_PUBLIC_TYPE
