// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <simulation_interfaces/action/simulate_steps.hpp>
#include <simulation_interfaces/msg/result.hpp>
#include <simulation_interfaces/msg/simulator_features.hpp>
#include <simulation_interfaces/msg/spawn_entity.hpp>
#include <simulation_interfaces/msg/spawn_result.hpp>
#include <simulation_interfaces/srv/set_entity_state.hpp>

#include "entities.hpp"
#include "task.hpp"
#include "world_client.hpp"

namespace ambf_simulation_interfaces
{

/// The standard simulation_interfaces on top of one world. It is a client of the world's own services
/// and holds no state but what the standard adds: tags, and whether the world was unloaded.
/// No callback waits: every service is a coroutine that sends its response when it is done, so the
/// adapter works in any container, also in a single-threaded one beside the world.
class AdapterNode : public rclcpp::Node
{
public:
  explicit AdapterNode(const rclcpp::NodeOptions & options);
  ~AdapterNode() override;

private:
  using Result = simulation_interfaces::msg::Result;
  using SimulateSteps = simulation_interfaces::action::SimulateSteps;
  using Goal = rclcpp_action::ServerGoalHandle<SimulateSteps>;

  /// Declares one service; `answer` is a coroutine that fills the response.
  template <typename Service, typename Answer>
  void serve(const std::string & name, Answer answer);
  template <typename Service, typename Answer>
  static Job run(
    std::weak_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
    typename Service::Request::SharedPtr request, Answer answer);

  void add_simulation_services();
  void add_entity_services();
  void add_world_services();

  /// Entities with the state of one moment that fits the manifest; null: the world is not there.
  struct Contents
  {
    std::vector<Entity> entities;
    WorldNow::SharedPtr now;
  };
  Task<Contents> look(bool bounds);
  /// The entity of this name, or null with the reason in `out`; `placed`: it must have a pose.
  const Entity * pick(
    const Contents & contents, const std::string & name, Result & out, bool placed = true) const;
  std::vector<Entity> choose(
    const Contents & contents, const simulation_interfaces::msg::EntityFilters & filters,
    Result & out) const;
  Task<simulation_interfaces::msg::SpawnResult> spawn(
    simulation_interfaces::msg::SpawnEntity request);
  Task<Result> set_entity_state(
    simulation_interfaces::srv::SetEntityState::Request::SharedPtr request);
  /// SimulationState as the standard counts; 255: the world is not there. Lockstep is paused, and the world's
  /// own pause at step 0, in which nobody can step it, is stopped.
  Task<std::uint8_t> simulation_state();
  Task<Result> set_simulation_state(std::uint8_t wanted);
  Task<Result> reset(std::uint8_t scope);
  Task<Result> set_mode(std::uint8_t mode);
  /// Exactly so many steps, `portion` in one call to the world; after each, `go_on` may end it. One at a time.
  Task<Result> take_steps(
    std::uint64_t steps, std::uint64_t portion,
    std::function<bool(std::uint64_t taken)> go_on = {});
  Job simulate(std::shared_ptr<Goal> goal);
  /// Ok where neither steps nor the load of a world are under way.
  Task<Result> at_rest();
  /// Loads a launch file, or nothing, in place of what there is and leaves the simulation stopped. If that
  /// fails everything is as before, unless the result says that the world is empty now.
  Task<Result> replace_world(ambf_msgs::srv::LoadWorld::Request::SharedPtr load);
  bool empty() const
  {
    return world_->manifest().world.empty() && world_->manifest().models.empty();
  }

  Result missing() const;
  static Result unknown(const std::string & entity);
  static Result result(std::uint8_t code, const std::string & message = {});

  rclcpp::CallbackGroup::SharedPtr group_;
  std::unique_ptr<WorldClient> world_;
  InfoByName infos_;       ///< by set_entity_info
  bool unloaded_ = false;  ///< and nothing has come since
  bool loading_ = false;   ///< a world
  bool stepping_ = false;
  std::uint8_t mode_ = 0;     ///< of the world when it was last asked
  std::uint8_t playing_ = 0;  ///< mode of the world when it last ran
  std::vector<std::string> spawnable_sources_;
  std::vector<std::string> world_sources_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp_action::Server<SimulateSteps>::SharedPtr action_;
};

template <typename Service, typename Answer>
Job AdapterNode::run(
  std::weak_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
  typename Service::Request::SharedPtr request, Answer answer)
{
  auto response = co_await answer(request);
  if (const auto held = service.lock()) { held->send_response(*id, response); }
}

template <typename Service, typename Answer>
void AdapterNode::serve(const std::string & name, Answer answer)
{
  auto slot = std::make_shared<std::weak_ptr<rclcpp::Service<Service>>>();
  auto service = create_service<Service>(
    name,
    [slot, answer](
      const std::shared_ptr<rmw_request_id_t> id,
      const typename Service::Request::SharedPtr request) {
      run<Service>(*slot, id, request, answer);
    },
    rclcpp::ServicesQoS(), group_);
  *slot = service;
  services_.push_back(service);
}

}  // namespace ambf_simulation_interfaces
