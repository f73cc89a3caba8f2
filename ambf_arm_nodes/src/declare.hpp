// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <rclcpp/node.hpp>

namespace ambf_arm_nodes
{

/// Parameters that are set once, at the start, with a meaning and a range.
class Declare
{
public:
  explicit Declare(rclcpp::Node & node) : node_(node) {}

  std::string word(const std::string & name, const std::string & otherwise, const char * meaning)
  {
    return node_.declare_parameter<std::string>(name, otherwise, described(meaning));
  }
  std::vector<std::string> words(const std::string & name, const char * meaning)
  {
    return node_.declare_parameter<std::vector<std::string>>(
      name, std::vector<std::string>{}, described(meaning));
  }
  std::vector<double> numbers(
    const std::string & name, const std::vector<double> & otherwise, const char * meaning)
  {
    return node_.declare_parameter<std::vector<double>>(name, otherwise, described(meaning));
  }
  bool flag(const std::string & name, bool otherwise, const char * meaning)
  {
    return node_.declare_parameter<bool>(name, otherwise, described(meaning));
  }
  double real(
    const std::string & name, double otherwise, double low, double high, const char * meaning)
  {
    auto descriptor = described(meaning);
    descriptor.floating_point_range.resize(1);
    descriptor.floating_point_range[0].from_value = low;
    descriptor.floating_point_range[0].to_value = high;
    return node_.declare_parameter<double>(name, otherwise, descriptor);
  }

private:
  static rcl_interfaces::msg::ParameterDescriptor described(const char * meaning)
  {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = meaning;
    descriptor.read_only = true;
    return descriptor;
  }

  rclcpp::Node & node_;
};

}  // namespace ambf_arm_nodes
