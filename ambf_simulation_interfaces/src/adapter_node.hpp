#pragma once

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

#include "entities.hpp"
#include "task.hpp"
#include "world_client.hpp"

namespace ambf_simulation_interfaces
{

/// The standard simulation_interfaces on top of one world. It is a client of the world's own services
/// and holds no state but what the standard adds: tags, and whether the simulation was stopped.
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
  template<typename Service, typename Answer>
  void serve(const std::string & name, Answer answer);
  template<typename Service, typename Answer>
  static Job run(
    std::weak_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
    typename Service::Request::SharedPtr request, Answer answer);

  void add_simulation_services();
  void add_entity_services();
  void add_world_services();

  /// Entities with the state of one moment that fits the manifest; null: the world is not there.
  struct Scene
  {
    std::vector<Entity> entities;
    WorldNow::SharedPtr now;
  };
  Task<Scene> look(bool bounds);
  /// The entity of this name, or null with the reason in `out`.
  const Entity * pick(const Scene & scene, const std::string & name, Result & out) const;
  std::vector<Entity> choose(
    const Scene & scene, const simulation_interfaces::msg::EntityFilters & filters, Result & out) const;
  Task<simulation_interfaces::msg::SpawnResult> spawn(simulation_interfaces::msg::SpawnEntity request);
  /// SimulationState as the standard counts: lockstep is paused.
  Task<std::uint8_t> simulation_state();
  Task<Result> set_simulation_state(std::uint8_t wanted);
  Task<Result> reset(std::uint8_t scope);
  /// Ok where the standard allows steps: the simulation is paused, and no action runs.
  Task<Result> start_stepping();
  Task<Result> ready_to_step();
  /// Exactly so many steps.
  Task<Result> take_steps(std::uint64_t steps);
  Task<Result> set_mode(std::uint8_t mode);
  Job simulate(std::shared_ptr<Goal> goal);

  static Result under_way();
  Result missing() const;
  Result unknown(const std::string & entity) const;
  static Result result(std::uint8_t code, const std::string & message = {});

  rclcpp::CallbackGroup::SharedPtr group_;
  std::unique_ptr<WorldClient> world_;
  InfoByName infos_;            ///< by set_entity_info
  bool stopped_ = false;        ///< since then nobody has played, paused or stepped
  bool unloaded_ = false;
  bool simulating_ = false;     ///< the action runs
  std::uint8_t playing_ = 0;    ///< mode of the world when it last ran
  std::vector<std::string> spawnable_sources_;
  std::vector<std::string> world_sources_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp_action::Server<SimulateSteps>::SharedPtr action_;
};

template<typename Service, typename Answer>
Job AdapterNode::run(
  std::weak_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
  typename Service::Request::SharedPtr request, Answer answer)
{
  auto response = co_await answer(request);
  if (const auto held = service.lock()) {held->send_response(*id, response);}
}

template<typename Service, typename Answer>
void AdapterNode::serve(const std::string & name, Answer answer)
{
  auto slot = std::make_shared<std::weak_ptr<rclcpp::Service<Service>>>();
  auto service = create_service<Service>(
    name, [slot, answer](
      const std::shared_ptr<rmw_request_id_t> id, const typename Service::Request::SharedPtr request) {
      run<Service>(*slot, id, request, answer);
    }, rclcpp::ServicesQoS(), group_);
  *slot = service;
  services_.push_back(service);
}

}  // namespace ambf_simulation_interfaces
