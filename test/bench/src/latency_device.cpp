// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <utility>

#include "ambf_device_nodes/device_node.hpp"
#include "ambf_devices/mock_driver.hpp"
#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"
#include "round_trip_times.hpp"

namespace ambf_bench
{

/// A mock device that measures the way of its samples: from the reading to the force that is written
/// because of the proxy state which was made of it. Prints quantiles [us].
class LatencyDevice : public ambf_device_nodes::DeviceNode
{
public:
  explicit LatencyDevice(const rclcpp::NodeOptions & options)
  : DeviceNode("latency_device", options, {.device = "mock", .linear_stiffness = 100.0})
  {
    const int count = ambf_node_support::Declared(*this).whole(
      "round_trips", 1000, 10, 1'000'000, "how many are measured");
    on_round_trip_ = [times = std::make_shared<RoundTripTimes>("device", count)](double seconds) {
      times->add(seconds);
    };
    ambf_devices::MockParameters mock;
    mock.trajectory.scale = 0.01;
    start(std::make_unique<ambf_devices::MockDriver>(std::move(mock)));
  }
};

}  // namespace ambf_bench

AMBF_NODE_COMPONENT(ambf_bench, LatencyDevice)
