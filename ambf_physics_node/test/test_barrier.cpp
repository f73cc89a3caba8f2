// SPDX-License-Identifier: BSD-3-Clause
// The barrier, for members in the node's own process and in another one.
#include <mutex>

#include "barrier_member.hpp"
#include "composed_world.hpp"

using namespace ambf_physics_test;  // NOLINT

namespace
{

StepWorld::Request with_barrier(std::vector<std::string> members, double timeout = 0.0)
{
  StepWorld::Request request;
  request.steps = 1;
  request.barrier = std::move(members);
  request.barrier_timeout = timeout;
  return request;
}

/// For members that answer: a busy machine may keep them for longer than the node's default of a second.
constexpr double kPatient = 60.0;

class Barrier : public ::testing::Test
{
protected:
  Barrier() : world({"adf/pendulum.yaml"}), other({MEMBER_PROGRAM, "remote"})
  {
    rclcpp::NodeOptions options;
    options.use_intra_process_comms(true);
    member = std::make_shared<Member>("composed", options);
    world.add(member);
    const auto listen = [this](const std::string & name, std::vector<std::uint64_t> & steps) {
      return world.client_node->create_subscription<std_msgs::msg::UInt64>(
        "/" + name + "/result", rclcpp::QoS(1000).reliable(),
        [this, &steps](const std_msgs::msg::UInt64 & result) {
          std::lock_guard<std::mutex> lock(mutex);
          steps.push_back(result.data);
        });
    };
    subscriptions = {listen("composed", composed_steps), listen("remote", remote_steps)};
    ready = eventually(
      [this] {
        const auto reply = world.step(with_barrier({"composed", "remote"}, 0.2));
        std::lock_guard<std::mutex> lock(mutex);
        return reply && reply->ok && !remote_steps.empty() && !composed_steps.empty();
      },
      60s);
  }
  ~Barrier() override { world.stop(); }

  std::uint64_t last(const std::vector<std::uint64_t> & steps)
  {
    std::lock_guard<std::mutex> lock(mutex);
    return steps.back();
  }

  ComposedWorld world;
  Process other;
  std::shared_ptr<Member> member;
  std::mutex mutex;
  std::vector<std::uint64_t> composed_steps, remote_steps;
  std::vector<rclcpp::Subscription<std_msgs::msg::UInt64>::SharedPtr> subscriptions;
  bool ready = false;
};

}  // namespace

TEST_F(Barrier, EveryMemberHasHandledExactlyTheStepOfTheReply)
{
  ASSERT_TRUE(ready);
  const auto start = world.step(with_barrier({"composed", "remote"}, kPatient), 90s);
  ASSERT_TRUE(start && start->ok);
  ASSERT_TRUE(eventually(
    [&] { return last(remote_steps) == start->step && last(composed_steps) == start->step; }));
  {
    std::lock_guard<std::mutex> lock(mutex);
    composed_steps.clear();
    remote_steps.clear();
  }
  const std::uint64_t calls = long_tier() ? 10000 : 200;
  for (std::uint64_t i = 1; i <= calls; ++i) {
    const auto reply = world.step(with_barrier({"composed", "remote"}, kPatient), 90s);
    ASSERT_TRUE(reply && reply->ok) << (reply ? reply->message : "no reply");
    ASSERT_EQ(reply->step, start->step + i);
    ASSERT_EQ(member->handled.load(), reply->step)
      << "the reply came before the composed member was done";
  }
  // What the members published on the way: each step once, in order, none missing.
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 1; i <= calls; ++i) { expected.push_back(start->step + i); }
  ASSERT_TRUE(eventually([&] {
    std::lock_guard<std::mutex> lock(mutex);
    return remote_steps.size() >= calls && composed_steps.size() >= calls;
  }));
  EXPECT_EQ(composed_steps, expected);
  EXPECT_EQ(remote_steps, expected);
}

TEST_F(Barrier, NamesALateAndAKilledMemberWithinTheTimeout)
{
  ASSERT_TRUE(ready);
  // Long enough for the member that does answer on a busy machine; the other one holds the reply for all of it.
  const double timeout = 3.0;
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    const auto reply = world.step(with_barrier({"composed", "remote"}, timeout), 90s);
    EXPECT_TRUE(reply);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_GE(taken.count(), timeout - 0.01);
    return reply ? *reply : StepWorld::Response();
  };
  member->mute = true;
  const auto late = timed();
  EXPECT_EQ(late.code, StepWorld::Response::CODE_BARRIER_TIMEOUT);
  EXPECT_NE(late.message.find("composed"), std::string::npos) << late.message;
  EXPECT_EQ(late.message.find("remote"), std::string::npos) << late.message;
  member->mute = false;
  other.signal(SIGKILL);
  const auto killed = timed();
  EXPECT_EQ(killed.code, StepWorld::Response::CODE_BARRIER_TIMEOUT);
  EXPECT_NE(killed.message.find("remote"), std::string::npos) << killed.message;
  EXPECT_EQ(killed.message.find("composed"), std::string::npos) << killed.message;
  const auto after = world.step(with_barrier({"composed"}, kPatient), 90s);
  EXPECT_TRUE(after && after->ok) << "the world goes on without it";
}

TEST_F(Barrier, WaitForAckedKnowsAReaderThatDoesNotTake)
{
  ASSERT_TRUE(ready);
  StepWorld::Request request;
  request.steps = 1;
  request.wait_for_acked = true;
  request.barrier_timeout = kPatient;
  const auto fine = world.step(request, 90s);
  ASSERT_TRUE(fine);
  EXPECT_TRUE(fine->ok) << fine->message;
  other.signal(SIGSTOP);
  request.barrier_timeout = 0.3;
  const auto stuck = world.step(request);
  ASSERT_TRUE(stuck);
  EXPECT_EQ(stuck->code, StepWorld::Response::CODE_BARRIER_TIMEOUT);
  EXPECT_NE(stuck->message.find("acknowledgement"), std::string::npos) << stuck->message;
  other.signal(SIGCONT);
}

TEST_F(Barrier, WhatAMemberCommandsActsFromTheNextCallOn)
{
  ASSERT_TRUE(ready);
  StepWorld::Request request = with_barrier({"composed"}, kPatient);
  request.observe_all = true;
  const auto effort_of = [&] {
    const auto reply = world.step(request, 90s);
    EXPECT_TRUE(reply && reply->ok) << (reply ? reply->message : "no reply");
    return reply && reply->joints.size() >= 3 ? reply->joints[2] : 0.0;
  };
  ambf_msgs::msg::RigidBodyCmd command;
  command.name = "BODY support";
  command.cartesian_cmd_type = ambf_msgs::msg::RigidBodyCmd::TYPE_NONE;
  command.joint_modes = {1};
  command.joint_cmds = {0.25};
  const double before = effort_of();
  member->command({command});
  EXPECT_DOUBLE_EQ(effort_of(), before) << "said after the steps of this call";
  EXPECT_DOUBLE_EQ(effort_of(), 0.25) << "applied before the steps of the next";
  // What cannot be done is refused whole, and the rest of the answer counts.
  command.joint_cmds = {0.5, 0.5, 0.5, 0.5, 0.5};
  command.joint_modes = {1, 1, 1, 1, 1};
  member->command({command});
  effort_of();
  EXPECT_DOUBLE_EQ(effort_of(), 0.25) << "the last good command holds";
  // A caller's own command goes before that of a member.
  command.joint_cmds = {0.5};
  command.joint_modes = {1};
  member->command({command});
  effort_of();
  request.joints = {0};
  request.joint_modes = {1};
  request.joint_values = {-0.1};
  EXPECT_DOUBLE_EQ(effort_of(), -0.1);
}

int main(int argc, char ** argv)
{
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::AddGlobalTestEnvironment(new Ros);
  return RUN_ALL_TESTS();
}
