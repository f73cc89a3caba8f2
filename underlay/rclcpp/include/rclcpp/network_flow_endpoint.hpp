#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "rcl/network_flow_endpoints.h"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{

/// Transport address through which an endpoint sends or receives.
class NetworkFlowEndpoint
{
public:
  RCLCPP_PUBLIC
  explicit NetworkFlowEndpoint(const rcl_network_flow_endpoint_t & network_flow_endpoint);

  RCLCPP_PUBLIC
  const std::string & transport_protocol() const;
  RCLCPP_PUBLIC
  const std::string & internet_protocol() const;
  RCLCPP_PUBLIC
  uint16_t transport_port() const;
  RCLCPP_PUBLIC
  uint32_t flow_label() const;
  RCLCPP_PUBLIC
  uint8_t dscp() const;
  RCLCPP_PUBLIC
  const std::string & internet_address() const;

  friend bool operator==(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right);
  friend bool operator!=(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right);
  friend std::ostream & operator<<(
    std::ostream & os, const NetworkFlowEndpoint & network_flow_endpoint);

private:
  std::string transport_protocol_;
  std::string internet_protocol_;
  uint16_t transport_port_;
  uint32_t flow_label_;
  uint8_t dscp_;
  std::string internet_address_;
};

RCLCPP_PUBLIC
bool operator==(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right);
RCLCPP_PUBLIC
bool operator!=(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right);
RCLCPP_PUBLIC
std::ostream & operator<<(std::ostream & os, const NetworkFlowEndpoint & network_flow_endpoint);

}  // namespace rclcpp
