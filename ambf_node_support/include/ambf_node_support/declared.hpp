// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <rclcpp/node.hpp>

namespace ambf_node_support
{

/// Declares parameters with description and range, and gives their values. A value that does not
/// fit is std::invalid_argument with the parameter's name, what was expected, and what it is for.
class Declared
{
public:
  /// `read_only`: they cannot be changed while the node runs.
  explicit Declared(rclcpp::Node & node, bool read_only = true) : node_(node), read_only_(read_only)
  {
  }

  double real(
    const std::string & name, double fallback, double low, double high, const std::string & text);
  int whole(const std::string & name, int fallback, int low, int high, const std::string & text);
  bool flag(const std::string & name, bool fallback, const std::string & text);
  std::string word(
    const std::string & name, const std::string & fallback, const std::string & text);
  /// Part of a topic's name: at most 64 letters, digits and underscores, no digit first; `optional`:
  /// or empty.
  std::string token(const std::string & name, const std::string & text, bool optional = false);
  /// The same for a value that is there already.
  static void check_token(
    const std::string & name, const std::string & value, bool optional = false);
  /// What one of a few words stands for; the description ends with the list of them.
  template <class Value>
  Value choice(
    const std::string & name, const std::string & fallback,
    const std::map<std::string, Value> & choices, const std::string & text)
  {
    std::string list;
    for (const auto & [key, value] : choices) { list += (list.empty() ? "" : ", ") + key; }
    const auto given = word(name, fallback, text + ": " + list);
    const auto found = choices.find(given);
    if (found == choices.end()) { refuse_choice(name, given, list); }
    return found->second;
  }
  /// The same where the word itself is the value.
  std::string one_of(
    const std::string & name, const std::string & fallback, const std::vector<std::string> & words,
    const std::string & text);
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
  std::pair<Eigen::Vector3d, Eigen::Quaterniond> pose(
    const std::string & name, const std::string & text);

private:
  [[noreturn]] static void refuse_choice(
    const std::string & name, const std::string & found, const std::string & list);
  rcl_interfaces::msg::ParameterDescriptor described(const std::string & text) const;
  void check_topic(
    const std::string & name, const std::string & value, const std::string & topic,
    const std::string & text);
  rclcpp::Node & node_;
  bool read_only_;
};

}  // namespace ambf_node_support
