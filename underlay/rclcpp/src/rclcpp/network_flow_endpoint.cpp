#include "rclcpp/network_flow_endpoint.hpp"

#include <ostream>
#include <string>

namespace rclcpp
{

NetworkFlowEndpoint::NetworkFlowEndpoint(const rcl_network_flow_endpoint_t & endpoint)
: transport_protocol_(rcl_network_flow_endpoint_get_transport_protocol_string(
      endpoint.transport_protocol)),
  internet_protocol_(rcl_network_flow_endpoint_get_internet_protocol_string(
      endpoint.internet_protocol)),
  transport_port_(endpoint.transport_port),
  flow_label_(endpoint.flow_label),
  dscp_(endpoint.dscp),
  internet_address_(endpoint.internet_address)
{}

const std::string & NetworkFlowEndpoint::transport_protocol() const
{
  return transport_protocol_;
}

const std::string & NetworkFlowEndpoint::internet_protocol() const
{
  return internet_protocol_;
}

uint16_t NetworkFlowEndpoint::transport_port() const
{
  return transport_port_;
}

uint32_t NetworkFlowEndpoint::flow_label() const
{
  return flow_label_;
}

uint8_t NetworkFlowEndpoint::dscp() const
{
  return dscp_;
}

const std::string & NetworkFlowEndpoint::internet_address() const
{
  return internet_address_;
}

bool operator==(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right)
{
  return left.transport_protocol_ == right.transport_protocol_ &&
         left.internet_protocol_ == right.internet_protocol_ &&
         left.transport_port_ == right.transport_port_ &&
         left.flow_label_ == right.flow_label_ && left.dscp_ == right.dscp_ &&
         left.internet_address_ == right.internet_address_;
}

bool operator!=(const NetworkFlowEndpoint & left, const NetworkFlowEndpoint & right)
{
  return !(left == right);
}

std::ostream & operator<<(std::ostream & os, const NetworkFlowEndpoint & endpoint)
{
  return os << "{\"transportProtocol\": \"" << endpoint.transport_protocol_ <<
         "\", \"internetProtocol\": \"" << endpoint.internet_protocol_ <<
         "\", \"transportPort\": \"" << endpoint.transport_port_ <<
         "\", \"flowLabel\": \"" << endpoint.flow_label_ <<
         "\", \"dscp\": \"" << static_cast<int>(endpoint.dscp_) <<
         "\", \"internetAddress\": \"" << endpoint.internet_address_ << "\"}";
}

}  // namespace rclcpp
