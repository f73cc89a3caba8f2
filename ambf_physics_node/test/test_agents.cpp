// SPDX-License-Identifier: BSD-3-Clause
// Agents in the node's own process: liveliness tells of one that was unloaded, though its process lives.
#include <ambf_msgs/msg/agent_hello.hpp>
#include <ambf_msgs/srv/join_world.hpp>

#include "composed_world.hpp"
#include "qos.hpp"

using namespace ambf_physics_test;  // NOLINT

namespace
{

using ambf_msgs::msg::AgentHello;
using ambf_msgs::srv::JoinWorld;

/// A component that takes part in the clock.
class Agent : public rclcpp::Node
{
public:
  Agent(const std::string & name, const rclcpp::NodeOptions & options)
  : rclcpp::Node(name, options),
    hello_(create_publisher<AgentHello>("/ambf/env/World/Agents", ambf_physics::qos::lease(2s))),
    join_(create_client<JoinWorld>("/ambf/env/World/join"))
  {
  }

  /// To be called while somebody spins this node.
  bool join()
  {
    if (!join_->wait_for_service(20s)) { return false; }
    if (!eventually([this] { return hello_->get_subscription_count() > 0; })) { return false; }
    auto request = std::make_shared<JoinWorld::Request>();
    request->name = get_name();
    auto future = join_->async_send_request(request);
    if (future.wait_for(20s) != std::future_status::ready || !future.get()->ok) { return false; }
    // Again and again: a first one can be lost. The executor may be within the callback when the agent goes.
    timer_ = create_wall_timer(100ms, [publisher = hello_, name = std::string(get_name())] {
      AgentHello hello;
      hello.name = name;
      publisher->publish(hello);
    });
    return true;
  }

private:
  rclcpp::Publisher<AgentHello>::SharedPtr hello_;
  rclcpp::Client<JoinWorld>::SharedPtr join_;
  rclcpp::TimerBase::SharedPtr timer_;
};

class ComposedAgents : public ::testing::TestWithParam<bool>
{
};

}  // namespace

TEST_P(ComposedAgents, OneThatIsUnloadedIsDroppedAndTheOthersGoOn)
{
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(GetParam());
  ComposedWorld world({"adf/pendulum.yaml"}, GetParam());
  auto staying = std::make_shared<Agent>("staying", options);
  auto leaving = std::make_shared<Agent>("leaving", options);
  world.add(staying);
  world.add(leaving);
  ASSERT_TRUE(staying->join());
  ASSERT_TRUE(leaving->join());
  StepWorld::Request grant;
  grant.agent = "staying";
  grant.steps = 1;
  // The world waits for the other one, who lives: longer than the lease.
  EXPECT_EQ(world.step(grant, 3s), nullptr);
  world.remove(leaving);
  leaving.reset();
  EXPECT_TRUE(eventually(
    [&] {
      const auto reply = world.step(grant, 1s);
      return reply && reply->ok;
    },
    60s));
}

INSTANTIATE_TEST_SUITE_P(IntraProcess, ComposedAgents, testing::Bool(), [](const auto & on) {
  return on.param ? "on" : "off";
});

int main(int argc, char ** argv)
{
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Ros);
  return RUN_ALL_TESTS();
}
