// SPDX-License-Identifier: BSD-3-Clause
// A component that reads the world: World/Snapshot in, World/Lowest out, the height
// of the lowest body's origin [m].

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <ambf_msgs/msg/world_snapshot.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/float64.hpp>

#include "ambf_node_support/component.hpp"
#include "ambf_node_support/declared.hpp"

namespace my_nodes
{

using ambf_msgs::msg::WorldSnapshot;
using std_msgs::msg::Float64;

class LowestBody : public rclcpp::Node
{
public:
  explicit LowestBody(const rclcpp::NodeOptions & options) : rclcpp::Node("lowest_body", options)
  {
    ambf_node_support::Declared declared(*this);
    const std::string world =
      declared.word("world_namespace", "/ambf/env", "namespace of the world's topics") + "/World";
    floor_ = declared.real("floor", -10.0, -1e3, 1e3, "bodies below this do not count [m]");
    lowest_ = create_publisher<Float64>(world + "/Lowest", rclcpp::QoS(1));
    // Best effort: the newest snapshot is all that counts. In the simulator's container it is not copied.
    snapshots_ = create_subscription<WorldSnapshot>(
      world + "/Snapshot", rclcpp::QoS(1).best_effort(),
      [this](WorldSnapshot::ConstSharedPtr snapshot) { take(*snapshot); });
  }

private:
  void take(const WorldSnapshot & snapshot)
  {
    // 13 numbers a body: position, quaternion, velocities; their order is that of the manifest.
    auto message = std::make_unique<Float64>();
    message->data = 1e3;
    for (std::size_t i = 0; i + 13 <= snapshot.bodies.size(); i += 13) {
      const double z = snapshot.bodies[i + 2];
      if (z >= floor_) { message->data = std::min(message->data, z); }
    }
    lowest_->publish(std::move(message));
  }

  double floor_;
  rclcpp::Publisher<Float64>::SharedPtr lowest_;
  rclcpp::Subscription<WorldSnapshot>::SharedPtr snapshots_;
};

}  // namespace my_nodes

AMBF_NODE_COMPONENT(my_nodes, LowestBody)
