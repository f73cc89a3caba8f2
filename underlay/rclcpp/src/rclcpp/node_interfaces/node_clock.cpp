#include "rclcpp/node_interfaces/node_clock.hpp"

#include <memory>
#include <utility>

namespace rclcpp {
namespace node_interfaces {

NodeClock::NodeClock(NodeBaseInterface::SharedPtr node_base, NodeTopicsInterface::SharedPtr node_topics,
  NodeGraphInterface::SharedPtr node_graph, NodeServicesInterface::SharedPtr node_services,
  NodeLoggingInterface::SharedPtr node_logging, rcl_clock_type_t clock_type)
: node_base_(std::move(node_base)),
  node_topics_(std::move(node_topics)),
  node_graph_(std::move(node_graph)),
  node_services_(std::move(node_services)),
  node_logging_(std::move(node_logging)),
  clock_(std::make_shared<Clock>(clock_type)) {}

NodeClock::~NodeClock() = default;

Clock::SharedPtr NodeClock::get_clock() { return clock_; }

Clock::ConstSharedPtr NodeClock::get_clock() const { return clock_; }

}  // namespace node_interfaces
}  // namespace rclcpp
