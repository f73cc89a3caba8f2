#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <ambf_msgs/msg/agent_hello.hpp>
#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_cmd.hpp>
#include <ambf_msgs/srv/join_world.hpp>
#include <ambf_msgs/srv/leave_world.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/rclcpp.hpp>

#include "agent_presence.hpp"
#include "core/driver.hpp"
#include "publishing.hpp"
#include "step_request.hpp"

namespace ambf_physics
{

/// The world clock as others see it: the services step, join and leave, AMBF's toggle clock, the
/// agents' leases and the barrier. Replies are sent when everybody has granted, the steps are taken,
/// everything is published and the barrier's members are done; no executor thread waits meanwhile.
class StepServer
{
public:
  using StepWorld = ambf_msgs::srv::StepWorld;

  StepServer(
    rclcpp::Node & node, Simulation & simulation, Driver & driver, Publishing & publishing,
    const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
    const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group);
  ~StepServer();

  /// Ends everything that waits, with `code` and `message`; a running long step stops.
  void abandon(std::uint8_t code, const std::string & message);

  /// Who has joined, and who was dropped since the start. Any thread, whatever it holds.
  std::vector<std::string> agents() const;
  std::vector<std::string> dropped_agents() const;

private:
  using Service = rclcpp::Service<StepWorld>;

  /// A call that has not been answered.
  struct Call
  {
    std::shared_ptr<rmw_request_id_t> id;
    StepWorld::Request::SharedPtr request;
    StepOrders orders;
    StepWorld::Response response;
  };

  /// The round of which the steps are taken and the members are not all done.
  struct Barrier
  {
    std::vector<Call> calls;
    std::uint64_t step = 0;
    std::set<std::string> waiting;
    std::vector<std::string> failed;  ///< "name: message" of members that said not ok, or are gone
    std::int64_t deadline = 0;
    double timeout = 0.0;
  };

  void on_step(std::shared_ptr<rmw_request_id_t> id, StepWorld::Request::SharedPtr request);
  void start_round(std::vector<Call> calls);
  void take_steps(std::vector<Call> calls);
  void finish_steps(std::vector<Call> calls, ambf_dynamics::StepStatus status, std::uint64_t wanted);
  void end_barrier();
  void next_round();
  void refuse(Call & call, std::uint8_t code, const std::string & message);
  void reply(Call & call);

  void on_world_cmd(const ambf_msgs::msg::WorldCmd & command);
  void on_hello(const ambf_msgs::msg::AgentHello & hello, const rclcpp::MessageInfo & info);
  /// Agents of which the process or the publisher has vanished.
  void on_step_done(const ambf_msgs::msg::StepDone & done);
  void housekeeping();
  void remember_names();

  rclcpp::Node & node_;
  Simulation & simulation_;
  Driver & driver_;
  Publishing & publishing_;
  const Parameters & parameters_;
  SourceNames & sources_;
  std::atomic<std::uint64_t> & rejected_;

  mutable std::recursive_mutex mutex_;
  AgentRoster agents_;
  /// How an agent can be recognised: what its hello said and who sent it.
  AgentPresence presence_;
  bool publisher_lost_ = false;  ///< of the agents' topic, since the last look
  std::map<std::string, std::int64_t> members_;  ///< barrier members with the time of their hello
  ToggleClock toggle_;
  Mode mode_before_throttling_ = Mode::Realtime;
  std::vector<Call> granted_;
  std::vector<Call> queued_;   ///< calls that came while a round was under way
  bool stepping_ = false;      ///< a round is under way on the physics thread
  std::unique_ptr<Barrier> barrier_;
  std::string sole_agent_;     ///< who steps without having joined
  std::int64_t sole_agent_seen_ = 0;
  std::atomic<bool> cancel_{false};

  /// Names for those who hold locks of their own; a leaf in the order of locks.
  mutable std::mutex names_mutex_;
  std::vector<std::string> names_;
  std::vector<std::string> dropped_;

  Service::SharedPtr step_;
  rclcpp::Service<ambf_msgs::srv::JoinWorld>::SharedPtr join_;
  rclcpp::Service<ambf_msgs::srv::LeaveWorld>::SharedPtr leave_;
  rclcpp::Subscription<ambf_msgs::msg::WorldCmd>::SharedPtr command_;
  rclcpp::Subscription<ambf_msgs::msg::AgentHello>::SharedPtr hello_;
  rclcpp::Subscription<ambf_msgs::msg::BarrierMember>::SharedPtr member_;
  rclcpp::Subscription<ambf_msgs::msg::StepDone>::SharedPtr step_done_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_physics
