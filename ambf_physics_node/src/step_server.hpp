// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_cmd.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/rclcpp.hpp>

#include "agents.hpp"
#include "ambf_simulation/step_rounds.hpp"
#include "ambf_simulation/world_runner.hpp"
#include "callers.hpp"
#include "members.hpp"
#include "publishing.hpp"
#include "short_names.hpp"
#include "step_request.hpp"

namespace ambf_physics
{

/// The world clock as others see it: the service step, AMBF's toggle clock and the barrier. StepRounds decides; here
/// it hears of calls and messages, and what it wants done is done. No executor thread waits for a reply.
class StepServer
{
public:
  using StepWorld = ambf_msgs::srv::StepWorld;

  StepServer(
    rclcpp::Node & node, Simulation & simulation, WorldRunner & runner, Publishing & publishing,
    const Parameters & parameters, SourceNames & sources, std::atomic<std::uint64_t> & rejected,
    const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group);
  ~StepServer();

  /// Nobody begins or ends a step call while this is held. To be taken before the ownership.
  std::unique_lock<std::mutex> hold() { return std::unique_lock<std::mutex>(mutex_); }

  // The clock is held for these.
  /// Ends everything that waits; a running long step stops.
  void abandon(const std::string & why) { do_all(rounds_.abandon(StepCode::Canceled, why, now())); }
  /// The same when the world leaves lockstep: nobody steps it any more.
  void leave_lockstep(const std::string & why) { do_all(rounds_.leave_lockstep(why, now())); }
  /// The step call that is under way, and what ends it, in words; empty: there is none.
  std::string under_way() const { return rounds_.under_way(); }
  /// The mode was chosen by a service: the end of throttling will not bring back an older one.
  void mode_chosen() { rounds_.mode_chosen(); }

  /// Who has joined, and who was dropped since the start. Any thread, whatever it holds.
  std::vector<std::string> agents() const { return agents_.names(); }
  std::vector<std::string> dropped_agents() const { return agents_.dropped(); }

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

  using Calls = std::map<std::uint64_t, Call>;  ///< by the number that the rounds know

  /// A round whose steps are taken. Its calls are with it meanwhile: the thread that steps holds no lock.
  struct Round
  {
    std::vector<Calls::node_type> calls;        ///< in the order in which they are applied
    std::map<std::string, StepOrders> members;  ///< what came with StepDone, by the member's name
    std::uint64_t steps = 0;
    StepsTaken taken;
  };

  StepMoment now() const;
  /// Does what the rounds want, and tells them what comes of it.
  void do_all(StepActions actions);
  StepActions carry_out(const step_action::Check & action);
  StepActions carry_out(const step_action::Answer & action);
  StepActions carry_out(const step_action::Start & action);
  StepActions carry_out(const step_action::Stop & action);
  StepActions carry_out(const step_action::Publish & action);
  StepActions carry_out(const step_action::AwaitReaders & action);
  StepActions carry_out(const step_action::ComeAgain & action);
  StepActions carry_out(const step_action::Abandoned & action);
  StepActions carry_out(const step_action::SetMode & action);
  StepActions carry_out(const step_action::Warn & action);

  /// Tells the rounds of a call, with what is wrong with it.
  StepActions tell_call(std::uint64_t number);
  void take_steps(Round & round);
  StepActions tell_stepped(Round & round);
  /// With the ownership, before and after the steps.
  void prepare(Round & round);
  void read_results(Round & round);
  /// On the physics thread, which has nothing to do in lockstep, and a little at a time.
  void wait_for_readers(std::uint64_t barrier);

  void on_step(std::shared_ptr<rmw_request_id_t> id, StepWorld::Request::SharedPtr request);
  void on_world_cmd(const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info);
  void on_step_done(const ambf_msgs::msg::StepDone & done);
  /// Keeps what a member commands for the next round; the newest of each counts.
  void keep_commands(const ambf_msgs::msg::StepDone & done);
  void housekeeping();

  rclcpp::Node & node_;
  Simulation & simulation_;
  WorldRunner & runner_;
  Publishing & publishing_;
  SourceNames & sources_;
  std::atomic<std::uint64_t> & rejected_;

  std::mutex mutex_;
  StepRounds rounds_;
  Agents agents_;
  Members members_;
  Calls calls_;
  std::uint64_t numbers_ = 0;
  std::map<std::string, StepOrders> member_orders_;  ///< of StepDone, for the next round
  Callers callers_;                                  ///< of the round on the physics thread
  std::int64_t callers_checked_ = 0;                 ///< [ns] on the steady clock
  std::atomic<bool> cancel_{false};                  ///< the round that runs is to stop

  Service::SharedPtr step_;
  rclcpp::Subscription<ambf_msgs::msg::WorldCmd>::SharedPtr command_;
  rclcpp::Subscription<ambf_msgs::msg::StepDone>::SharedPtr step_done_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_physics
