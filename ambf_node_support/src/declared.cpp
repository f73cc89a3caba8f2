// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_node_support/declared.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <rclcpp/expand_topic_or_service_name.hpp>

namespace ambf_node_support
{
namespace
{

using rcl_interfaces::msg::ParameterDescriptor;

std::string short_number(double value)
{
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%g", value);
  return buffer.data();
}

std::string between(double low, double high)
{
  return short_number(low) + " to " + short_number(high);
}

[[noreturn]] void refuse(
  const std::string & name, const std::string & expected, const std::string & text)
{
  throw std::invalid_argument("parameter '" + name + "': expected " + expected + " (" + text + ")");
}

/// The value; what the node says against it, in our words.
template <typename T>
T declare(
  rclcpp::Node & node, const std::string & name, const T & fallback,
  const ParameterDescriptor & descriptor, const std::string & expected)
{
  try {
    return node.declare_parameter<T>(name, fallback, descriptor);
  } catch (const rclcpp::exceptions::InvalidParameterValueException &) {
    refuse(name, expected, descriptor.description);
  } catch (const rclcpp::exceptions::InvalidParameterTypeException &) {
    refuse(name, expected, descriptor.description);
  }
}

}  // namespace

ParameterDescriptor Declared::described(const std::string & text) const
{
  ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only_;
  return descriptor;
}

void Declared::refuse_choice(
  const std::string & name, const std::string & found, const std::string & list)
{
  throw std::invalid_argument(
    "parameter '" + name + "': found '" + found + "', expected one of " + list);
}

std::string Declared::token(const std::string & name, const std::string & text, bool optional)
{
  const std::string value = word(name, "", text);
  check_token(name, value, optional);
  return value;
}

void Declared::check_token(const std::string & name, const std::string & value, bool optional)
{
  constexpr std::size_t longest = 64;
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const bool letters = std::all_of(value.begin(), value.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
  const bool fits =
    value.empty() ? optional : value.size() <= longest && letters && !is_digit(value[0]);
  if (!fits) {
    throw std::invalid_argument(
      "parameter '" + name + "': found '" + value.substr(0, longest) +
      "', expected at most 64 letters, digits and underscores, not starting with a digit");
  }
}

std::string Declared::one_of(
  const std::string & name, const std::string & fallback, const std::vector<std::string> & words,
  const std::string & text)
{
  std::map<std::string, std::string> choices;
  for (const auto & each : words) { choices.emplace(each, each); }
  return choice(name, fallback, choices, text);
}

double Declared::real(
  const std::string & name, double fallback, double low, double high, const std::string & text)
{
  auto descriptor = described(text);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = low;
  descriptor.floating_point_range[0].to_value = high;
  const std::string expected = "a number with a point, " + between(low, high);
  const double value = declare<double>(node_, name, fallback, descriptor, expected);
  if (!std::isfinite(value)) { refuse(name, expected, text); }
  return value;
}

int Declared::whole(
  const std::string & name, int fallback, int low, int high, const std::string & text)
{
  auto descriptor = described(text);
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = low;
  descriptor.integer_range[0].to_value = high;
  return static_cast<int>(declare<std::int64_t>(
    node_, name, fallback, descriptor, "a whole number, " + between(low, high)));
}

bool Declared::flag(const std::string & name, bool fallback, const std::string & text)
{
  return declare<bool>(node_, name, fallback, described(text), "true or false");
}

std::string Declared::word(
  const std::string & name, const std::string & fallback, const std::string & text)
{
  return declare<std::string>(node_, name, fallback, described(text), "a text");
}

void Declared::check_topic(
  const std::string & name, const std::string & value, const std::string & topic,
  const std::string & text)
{
  constexpr std::size_t longest = 150;  // names made of it must fit into 250
  bool fits = topic.size() <= longest;
  try {
    rclcpp::expand_topic_or_service_name(topic, node_.get_name(), node_.get_namespace());
  } catch (const std::exception &) {
    fits = false;
  }
  if (!fits) {
    refuse(
      name,
      "at most 150 letters, digits and underscores between single slashes, like /arm/pedal, found "
      "'" +
        value.substr(0, longest) + "'",
      text);
  }
}

std::string Declared::topic(
  const std::string & name, const std::string & fallback, const std::string & text,
  const std::function<std::string(const std::string &)> & full)
{
  const std::string value = word(name, fallback, text);
  if (!value.empty()) { check_topic(name, value, full ? full(value) : value, text); }
  return value;
}

std::vector<std::string> Declared::topics(
  const std::string & name, const std::vector<std::string> & fallback, const std::string & text)
{
  const auto values = words(name, fallback, text);
  for (const std::string & value : values) { check_topic(name, value, value, text); }
  return values;
}

std::vector<std::string> Declared::words(
  const std::string & name, const std::vector<std::string> & fallback, const std::string & text)
{
  auto values =
    declare<std::vector<std::string>>(node_, name, fallback, described(text), "a list of texts");
  std::erase(values, std::string{});
  return values;
}

std::vector<int> Declared::numbers(
  const std::string & name, const std::vector<std::int64_t> & fallback, int low, int high,
  const std::string & text)
{
  const std::string expected = "a list of whole numbers, " + between(low, high);
  const auto values =
    declare<std::vector<std::int64_t>>(node_, name, fallback, described(text), expected);
  std::vector<int> result;
  for (const std::int64_t value : values) {
    if (value < low || value > high) { refuse(name, expected, text); }
    result.push_back(static_cast<int>(value));
  }
  return result;
}

std::vector<double> Declared::reals(
  const std::string & name, const std::vector<double> & fallback, double low, double high,
  const std::string & text)
{
  const std::string expected = "numbers with a point, each " + between(low, high);
  const auto values =
    declare<std::vector<double>>(node_, name, fallback, described(text), expected);
  const bool fits = std::all_of(
    values.begin(), values.end(), [&](double value) { return value >= low && value <= high; });
  if (!fits) { refuse(name, expected, text); }
  return values;
}

Eigen::Vector3d Declared::axes(
  const std::string & name, const Eigen::Vector3d & fallback, double low, double high,
  const std::string & text)
{
  const auto values = reals(name, {fallback.x(), fallback.y(), fallback.z()}, low, high, text);
  if (values.size() == 1) { return Eigen::Vector3d::Constant(values[0]); }
  if (values.size() != 3) { refuse(name, "one number for all axes, or three: [x, y, z]", text); }
  return {values[0], values[1], values[2]};
}

std::pair<Eigen::Vector3d, Eigen::Quaterniond> Declared::pose(
  const std::string & name, const std::string & text)
{
  const auto values = reals(name, std::vector<double>(6, 0.0), -1e3, 1e3, text);
  if (values.size() != 6) { refuse(name, "six numbers: [x, y, z, roll, pitch, yaw]", text); }
  const Eigen::Quaterniond orientation = Eigen::AngleAxisd(values[5], Eigen::Vector3d::UnitZ()) *
                                         Eigen::AngleAxisd(values[4], Eigen::Vector3d::UnitY()) *
                                         Eigen::AngleAxisd(values[3], Eigen::Vector3d::UnitX());
  return {Eigen::Vector3d(values[0], values[1], values[2]), orientation};
}

}  // namespace ambf_node_support
