// SPDX-License-Identifier: BSD-3-Clause
#include "physics_node.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <rclcpp_components/register_node_macro.hpp>

#include "convert.hpp"
#include "left_segments.hpp"
#include "ambf_simulation/told_warnings.hpp"
#include "device_parameters.hpp"
#include "ambf_physics_node/topic_plugin.hpp"

namespace ambf_physics
{

namespace
{

ambf_dynamics::Parameters world_parameters(const Parameters & parameters)
{
  ambf_dynamics::Parameters result;
  result.step_size = parameters.step_size;
  result.solver = parameters.solver == "direct_joints" ? ambf_dynamics::SolverKind::DirectJoints
                  : parameters.solver == "dantzig"     ? ambf_dynamics::SolverKind::Dantzig
                                                   : ambf_dynamics::SolverKind::SequentialImpulse;
  result.solver_iterations = parameters.solver_iterations;
  result.sub_steps = parameters.sub_steps;
  result.report_contacts = parameters.report_contacts;
  result.report_wrenches = parameters.report_wrenches;
  return result;
}

RunnerSettings runner_settings(const Parameters & parameters)
{
  RunnerSettings settings;
  settings.pace.step_size = parameters.step_size;
  settings.pace.factor = parameters.real_time_factor;
  settings.watchdog_timeout = static_cast<std::int64_t>(parameters.watchdog_timeout * 1e9);
  settings.watchdog_action = parameters.watchdog_action;
  settings.spin = static_cast<std::int64_t>(parameters.spin_us * 1e3);
  settings.realtime_priority = parameters.realtime_priority;
  settings.lock_memory = parameters.lock_memory;
  settings.core = parameters.physics_core;
  return settings;
}

/// What the parameter says, else what the world file says, else what suits most.
std::uint32_t max_steps_per_cycle(const Parameters & parameters, const ambf_adf::World & world)
{
  const int of_file =
    world.max_steps_per_cycle.value_or(static_cast<int>(Pacer::Settings{}.max_steps_per_cycle));
  return static_cast<std::uint32_t>(
    parameters.max_steps_per_cycle > 0 ? parameters.max_steps_per_cycle : of_file);
}

/// Who chose nothing learns what was taken, and how to choose.
void tell_choice(
  const rclcpp::Logger & logger, const ambf_adf::LoadedWorld & loaded,
  const ambf_adf::Choice & asked)
{
  using Rule = ambf_adf::Choice::Rule;
  const auto & launch = loaded.launch;
  const bool by_default =
    asked.rule == Rule::Default && launch.default_models.rule == Rule::Default;
  if (!by_default || launch.multibodies.size() < 2) { return; }
  if (loaded.chosen.empty()) {
    RCLCPP_INFO(
      logger,
      "none of the %zu 'multibody configs' is loaded beside 'models'; choose with "
      "model_indices:=\"0,2\", or all",
      launch.multibodies.size());
    return;
  }
  RCLCPP_INFO(
    logger,
    "of %zu 'multibody configs' entry 1 is loaded as in AMBF: %s; choose with "
    "model_indices:=\"0,2\", or all",
    launch.multibodies.size(), launch.multibodies[1].c_str());
}

/// The end of the start. Whoever made the node says why: its program, or the container.
[[noreturn]] void fail(const std::string & what, ambf_adf::Errors errors)
{
  std::erase_if(errors, [](const auto & one) { return one.severity != ambf_adf::Severity::Error; });
  std::string words = ambf_adf::to_string(errors);
  while (words.ends_with('\n')) { words.pop_back(); }
  throw std::runtime_error(what + (errors.size() == 1 ? ": " : ":\n") + words);
}

/// The libraries of the parameter; whoever starts a world with them does not want it without.
std::vector<std::string> plugin_files(const Parameters & parameters)
{
  std::vector<std::string> files;
  for (const auto & uri : parameters.plugins) {
    if (uri.empty()) { continue; }  // launch files cannot pass an empty list
    const auto maker = resolve_uri(uri).and_then([&](const std::string & file) {
      files.push_back(file);
      return open_plugin(file);
    });
    if (!maker) { throw std::runtime_error("parameter 'plugins': " + maker.error()); }
  }
  return files;
}

/// `name` below the node's namespace.
std::string below(const std::string & ns, const std::string & name)
{
  return (ns == "/" ? "" : ns) + (name.starts_with('/') ? "" : "/") + name;
}

}  // namespace

PhysicsNode::PhysicsNode(const rclcpp::NodeOptions & options)
: rclcpp::Node("physics", options), parameters_(ambf_physics::declare_parameters(*this))
{
  world_namespace_ = below(get_namespace(), parameters_.world_namespace);
  root_frame_ = std::string(get_namespace()) == "/"
                  ? "world"
                  : std::string(get_namespace()).substr(1) + "/world";

  auto world = ambf_dynamics::make_world(world_parameters(parameters_));
  if (!world) { fail("the world's parameters do not fit", world.error()); }
  SimulationOptions simulation;
  simulation.moved_topics = {below(get_namespace(), "/ambf/env"), world_namespace_};
  simulation.device_source = [this](const std::string & device) { return sources_.number(device); };
  simulation.plugins = plugin_files(parameters_);
  simulation_ = std::make_unique<Simulation>(std::move(*world), std::move(simulation));
  simulation_->set_devices(declare_device_parameters(*this));
  load_world();
  try {
    start();
  } catch (const std::exception &) {
    // Ctrl-C while thousands of topics are being made: an ordinary end, and spin() returns at once.
    if (get_node_base_interface()->get_context()->is_valid()) { throw; }
  }
}

void PhysicsNode::start()
{
  command_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  service_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  clock_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);

  runner_ = std::make_unique<WorldRunner>(*simulation_, runner_settings(parameters_));
  runner_->on_divergence = [this](const ambf_dynamics::Divergence & divergence) {
    RCLCPP_ERROR(
      get_logger(), "the world diverged at step %lu and is paused: %s",
      static_cast<unsigned long>(divergence.step), divergence.reason.c_str());
  };
  publishing_ = std::make_unique<Publishing>(
    TopicWiring{*this, *simulation_, parameters_, sources_, command_group_, rejected_}, *runner_,
    world_namespace_);
  step_server_ = std::make_unique<StepServer>(
    *this, *simulation_, *runner_, *publishing_, parameters_, sources_, rejected_, world_namespace_,
    clock_group_);
  publishing_->complete_world_state = [this](ambf_msgs::msg::WorldState & state) {
    state.agents = step_server_->agents();
    state.rejected_commands = rejected_.load();
  };
  edit_services_ = std::make_unique<EditServices>(
    *this, *simulation_, *runner_, *publishing_, *step_server_, sources_, world_namespace_,
    service_group_);
  edit_services_->world_changed = [this] { world_changed(); };
  {
    const Ownership::Token token(simulation_->ownership());
    world_changed();
  }
  diagnostics_ =
    create_publisher<diagnostic_msgs::msg::DiagnosticArray>("/diagnostics", rclcpp::QoS(10));
  diagnostics_timer_ =
    create_wall_timer(std::chrono::seconds(1), [this] { report_diagnostics(); }, service_group_);
  // The programs that come and go here would fill the memory by and by.
  tidying_timer_ =
    create_wall_timer(std::chrono::seconds(10), [] { remove_left_segments(); }, service_group_);
  publishing_->start();
  runner_->start(parameters_.mode);
  service_thread_ = std::make_unique<ServiceThread>(*this, service_group_);
}

PhysicsNode::~PhysicsNode()
{
  service_thread_.reset();
  if (runner_) { runner_->stop(); }
  if (publishing_) { publishing_->stop(); }
  step_server_.reset();
}

void PhysicsNode::load_world()
{
  const Ownership::Token token(simulation_->ownership());
  const std::string ns = get_namespace();
  const std::string prefix = ns == "/" ? "" : ns;
  if (!parameters_.world.empty()) {
    const auto path = resolve_uri(parameters_.world);
    if (!path) { throw std::runtime_error("parameter 'world': " + path.error()); }
    ambf_adf::LoadOptions options;
    options.parse.namespace_prefix = prefix;
    options.models = parameters_.model_indices;
    options.models_beside =
      std::ranges::any_of(parameters_.models, [](const auto & m) { return !m.empty(); });
    const auto loaded =
      simulation_->read_launch(*path, options).and_then([&](LaunchContent && content) {
        tell_choice(get_logger(), content.loaded, options.models);
        return simulation_->load_launch(std::move(content));
      });
    if (!loaded) { fail("the world was not loaded", loaded.error()); }
  }
  for (const auto & model : parameters_.models) {
    if (model.empty()) { continue; }  // launch files cannot pass an empty list
    const auto path = resolve_uri(model);
    if (!path) { throw std::runtime_error("parameter 'models': " + path.error()); }
    LoadRequest request;
    request.file = *path;
    request.namespace_prefix = prefix;
    request.spawned = false;
    const auto loaded = simulation_->read(request).and_then(
      [&](ambf_adf::Model && read) { return simulation_->load(request, std::move(read)); });
    if (!loaded) { fail("model '" + model + "' was not loaded", loaded.error()); }
  }
  for (const auto & line : told_warnings(*simulation_)) {
    RCLCPP_WARN(get_logger(), "%s", line.c_str());
  }
  const auto bodies = simulation_->world().bodies();
  const auto silent = static_cast<std::size_t>(std::ranges::count_if(
    bodies, [&](const auto & body) { return !has_topics(parameters_, body); }));
  const std::string without =
    silent == 0 ? ""
                : " (" + std::to_string(silent) +
                    " without topics: passive in their description, or left out by 'publish')";
  RCLCPP_INFO(
    get_logger(), "world with %zu models, %zu bodies%s, %zu joints under %s",
    simulation_->content().models().size(), bodies.size(), without.c_str(),
    simulation_->world().joints().size(), world_namespace_.c_str());
}

void PhysicsNode::world_changed()
{
  runner_->set_max_steps_per_cycle(
    max_steps_per_cycle(parameters_, simulation_->content().world_file()));
  const auto before = publishing_->roster();
  publishing_->rebuild(
    make_roster(*simulation_, root_frame_, world_namespace_, parameters_, before.get()));
  for (Plugin * plugin : simulation_->plugins().take_new()) {
    auto * with_topics = dynamic_cast<TopicPlugin *>(plugin);
    if (with_topics != nullptr) { with_topics->start(*this, world_namespace_); }
  }
}

void PhysicsNode::report_diagnostics()
{
  if (diagnostics_->get_subscription_count() == 0) { return; }
  std::string divergence;
  std::vector<std::string> troubles;
  {
    // Nobody else may be listening, and then the world does not tell its state.
    const Ownership::Token token(simulation_->ownership());
    simulation_->share_state();
    divergence = simulation_->world().divergence().reason;
    troubles = simulation_->plugins().troubles();
  }
  const auto shared = publishing_->latest_shared();
  const auto figures = runner_->figures();
  diagnostic_msgs::msg::DiagnosticArray array;
  // Wall time, as everybody's: those who watch diagnostics judge by it what is stale.
  array.header.stamp = wall_stamp();
  diagnostic_msgs::msg::DiagnosticStatus status;
  status.name = std::string(get_fully_qualified_name()) + ": world";
  status.hardware_id = world_namespace_;
  const auto add = [&](const std::string & key, const std::string & value) {
    diagnostic_msgs::msg::KeyValue entry;
    entry.key = key;
    entry.value = value;
    status.values.push_back(std::move(entry));
  };
  add("mode", to_string(runner_->mode()));
  add("step", std::to_string(shared.state.step));
  add("steps per second", std::to_string(figures.steps_per_second));
  add("real time factor", std::to_string(figures.real_time_factor));
  add("overruns", std::to_string(figures.overruns));
  add("most steps per cycle", std::to_string(runner_->max_steps_per_cycle()));
  add("slip [s]", std::to_string(figures.slip));
  add("commands applied", std::to_string(shared.counters.applied));
  add("commands rejected", std::to_string(rejected_.load() + shared.counters.refused));
  add("watchdog trips", std::to_string(shared.counters.watchdog_trips));
  add("command conflicts", std::to_string(shared.counters.conflicts));
  add("late messages", std::to_string(publishing_->late()));
  for (const auto & name : step_server_->agents()) { add("agent", name); }
  for (const auto & name : step_server_->dropped_agents()) { add("agent dropped", name); }
  for (const auto & trouble : troubles) { add("plugin", trouble); }
  status.level = diagnostic_msgs::msg::DiagnosticStatus::OK;
  status.message = to_string(runner_->mode());
  if (figures.slip > std::exchange(slip_reported_, figures.slip)) {
    status.level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
    status.message = "too slow for real time: simulation time slips";
  }
  if (const auto missing = runner_->privileges(); !missing.empty()) {
    status.level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
    status.message = "not granted: " + missing;
  }
  // As long as they fight: one that has gone is no longer a reason to warn.
  if (std::exchange(conflicts_reported_, shared.counters.conflicts) != shared.counters.conflicts) {
    status.level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
    status.message = "two sources command one joint: " + sources_.name(shared.conflict.before) +
                     " and " + sources_.name(shared.conflict.after);
  }
  if (!troubles.empty()) {
    status.level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
    status.message = troubles.front();
  }
  if (!divergence.empty()) {
    status.level = diagnostic_msgs::msg::DiagnosticStatus::ERROR;
    status.message = "the world diverged and is paused: " + divergence;
  }
  array.status.push_back(std::move(status));
  publishing_->add_device_status(get_fully_qualified_name(), array);
  diagnostics_->publish(array);
}

}  // namespace ambf_physics

RCLCPP_COMPONENTS_REGISTER_NODE(ambf_physics::PhysicsNode)
