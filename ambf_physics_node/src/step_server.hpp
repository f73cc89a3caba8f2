// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_cmd.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/rclcpp.hpp>

#include "agents.hpp"
#include "callers.hpp"
#include "ambf_simulation/sole_stepper.hpp"
#include "ambf_simulation/toggle_clock.hpp"
#include "ambf_simulation/world_runner.hpp"
#include "members.hpp"
#include "publishing.hpp"
#include "step_request.hpp"
#include "short_names.hpp"

namespace ambf_physics
{

/// The world clock as others see it: the service step, AMBF's toggle clock and the barrier. Replies are
/// sent when everybody has granted, the steps are taken, everything is published and the barrier's
/// members are done; no executor thread waits meanwhile.
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
  std::unique_lock<std::recursive_mutex> hold()
  {
    return std::unique_lock<std::recursive_mutex>(mutex_);
  }

  /// Ends everything that waits, with `code` and `message`; a running long step stops.
  void abandon(std::uint8_t code, const std::string & message);
  /// The same when the world leaves lockstep: nobody steps it any more.
  void leave_lockstep(const std::string & why);
  /// The step call that is under way, and what ends it, in words; empty: there is none. With the clock held.
  std::string under_way();
  /// The mode was chosen by a service: the end of throttling will not bring back an older one.
  void mode_chosen() { mode_before_throttling_.reset(); }

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
    std::string caller;  ///< its name, and without one its client
    StepOrders orders;
    StepWorld::Response response;
  };

  /// Steps that are taken at once. Without calls: a grant of the toggle clock.
  struct Round
  {
    std::vector<Call> calls;
    std::map<std::string, StepOrders> members;  ///< what came with StepDone, by the member's name
    std::uint64_t steps = 0;
    std::uint64_t taken = 0;
    bool stale = false;      ///< the world changed after the orders were checked: nothing was done
    bool edited = false;     ///< the world changed while the steps were taken
    std::string divergence;  ///< empty: none
  };

  /// Of a round that is under way on the physics thread.
  struct Running
  {
    std::uint64_t steps = 0;
    std::vector<std::string> callers;
    std::set<std::string> agents;  ///< of them those that have joined and are still there
  };

  /// The round of which the steps are taken and the members are not all done.
  struct Barrier
  {
    std::uint64_t number = 0;
    std::vector<Call> calls;
    std::uint64_t step = 0;
    std::set<std::string> waiting;
    bool acknowledgements = false;    ///< of all readers are waited for, too
    std::vector<std::string> failed;  ///< "name: message" of members that said not ok, or are gone

    bool complete() const { return waiting.empty() && !acknowledgements; }
    std::int64_t deadline = 0;
    double timeout = 0.0;
  };

  void on_step(std::shared_ptr<rmw_request_id_t> id, StepWorld::Request::SharedPtr request);
  /// Whether this caller may step. Otherwise the call is refused.
  bool may_step(Call & call, std::int64_t now);
  void reject(Call & call, std::uint8_t code, const std::string & message);
  /// Indices of calls that waited may belong to an older world. False: some were refused, the rest waits.
  bool check_again(std::vector<Call> & calls);
  void start_granted();
  void start_round(Round round);
  void take_steps(Round & round);
  /// With the ownership, before and after the steps.
  void prepare(Round & round);
  void read_results(Round & round);
  void judge(Round & round);
  void finish_steps(Round & round);
  /// Waits on the physics thread, which has nothing to do in lockstep, and a little at a time.
  void wait_for_acknowledgements(std::uint64_t barrier);
  void end_barrier();
  void next_round();
  /// Ends the round that is under way on the physics thread, for a reason that is no call of a service.
  void cancel_running(const std::string & why);
  void refuse(Call & call, std::uint8_t code, const std::string & message);
  void reply(Call & call);

  void on_world_cmd(const ambf_msgs::msg::WorldCmd & command, const rclcpp::MessageInfo & info);
  void on_step_done(const ambf_msgs::msg::StepDone & done);
  /// Keeps what a member commands for the next round; the newest of each counts.
  void keep_commands(const ambf_msgs::msg::StepDone & done);
  void on_gone(const std::vector<std::string> & names, const std::string & why);
  void housekeeping();

  rclcpp::Node & node_;
  Simulation & simulation_;
  WorldRunner & runner_;
  Publishing & publishing_;
  const Parameters & parameters_;
  SourceNames & sources_;
  std::atomic<std::uint64_t> & rejected_;
  std::int64_t lease_;  ///< [ns]

  mutable std::recursive_mutex mutex_;
  Agents agents_;
  Members members_;
  ToggleClock toggle_;
  std::optional<Mode> mode_before_throttling_;       ///< while World/Command throttles
  std::map<std::string, StepOrders> member_orders_;  ///< of StepDone, for the next round
  std::vector<Call> granted_;
  std::vector<Call> queued_;          ///< calls that came while a round was under way
  std::uint64_t toggled_ = 0;         ///< steps that the toggle clock granted meanwhile
  bool stepping_ = false;             ///< a round is under way on the physics thread
  Running running_;                   ///< that round
  Callers callers_;                   ///< of that round
  std::int64_t callers_checked_ = 0;  ///< [ns] on the steady clock
  std::unique_ptr<Barrier> barrier_;
  std::uint64_t barriers_ = 0;
  SoleStepper sole_;  ///< who steps without having joined
  std::atomic<bool> cancel_{false};
  std::string cancel_reason_;
  std::uint8_t cancel_code_ = StepWorld::Response::CODE_CANCELED;

  Service::SharedPtr step_;
  rclcpp::Subscription<ambf_msgs::msg::WorldCmd>::SharedPtr command_;
  rclcpp::Subscription<ambf_msgs::msg::StepDone>::SharedPtr step_done_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace ambf_physics
