// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <rclcpp/node.hpp>

#include "ambf_teleop/frames.hpp"

namespace ambf_device_nodes
{

/// Declares read-only parameters with description and range, and gives their values. A value that
/// does not fit is std::invalid_argument with the parameter's name, what was expected, and what it is for.
class Declared
{
public:
  explicit Declared(rclcpp::Node & node) : node_(node) {}

  double real(
    const std::string & name, double fallback, double low, double high, const std::string & text);
  int whole(const std::string & name, int fallback, int low, int high, const std::string & text);
  bool flag(const std::string & name, bool fallback, const std::string & text);
  std::string word(
    const std::string & name, const std::string & fallback, const std::string & text);
  /// A name that `full`, made of it, is a topic of; empty is left to the caller.
  std::string topic(
    const std::string & name, const std::string & fallback, const std::string & text,
    const std::function<std::string(const std::string &)> & full = {});
  /// Empty entries are left out: launch files cannot pass an empty list.
  std::vector<std::string> words(
    const std::string & name, const std::vector<std::string> & fallback, const std::string & text);
  std::vector<std::string> topics(
    const std::string & name, const std::vector<std::string> & fallback, const std::string & text);
  std::vector<int> numbers(
    const std::string & name, const std::vector<std::int64_t> & fallback, int low, int high,
    const std::string & text);
  std::vector<double> reals(
    const std::string & name, const std::vector<double> & fallback, double low, double high,
    const std::string & text);
  /// One value for all axes, or x y z.
  Eigen::Vector3d axes(
    const std::string & name, const Eigen::Vector3d & fallback, double low, double high,
    const std::string & text);
  /// x y z [m], roll pitch yaw [rad].
  ambf_teleop::Pose pose(const std::string & name, const std::string & text);

private:
  void check_topic(
    const std::string & name, const std::string & value, const std::string & topic,
    const std::string & text);
  rclcpp::Node & node_;
};

}  // namespace ambf_device_nodes
