#include "core/simulation.hpp"

#include <algorithm>
#include <utility>

#include "ambf_adf/parse.hpp"

namespace ambf_physics
{

using ambf_adf::Errors;
using ambf_adf::expected;

Simulation::Simulation(std::unique_ptr<ambf_dynamics::World> world)
: world_(std::move(world))
{
  commands_.rebuild(*world_);
  share_state();
}

expected<std::string, Errors> Simulation::add(
  ambf_adf::Model model, const Eigen::Isometry3d & t_world_model, bool spawned)
{
  auto added = world_->add_model(model, t_world_model);
  if (!added) {
    scene_.remove_model(model.name);
    return tl::unexpected(added.error());
  }
  model.warnings.insert(model.warnings.end(), added->warnings.begin(), added->warnings.end());
  std::string name = model.name;
  models_.push_back({std::move(model), added->handle, added->closure, spawned});
  commands_.rebuild(*world_);
  share_state();
  return name;
}

expected<std::string, Errors> Simulation::load(const LoadRequest & request)
{
  ambf_adf::ParseOptions parse;
  auto model = request.file.empty() ?
    ambf_adf::parse_text(request.text, request.name, request.resource_base, parse) :
    ambf_adf::parse_file(request.file, parse);
  if (!model) {return tl::unexpected(model.error());}
  ambf_adf::AddOptions options;
  options.namespace_prefix = request.namespace_prefix;
  options.allow_rename = request.allow_rename;
  auto named = scene_.add(std::move(*model), options);
  if (!named) {return tl::unexpected(named.error());}
  return add(std::move(*named), request.t_world_model, request.spawned);
}

expected<void, Errors> Simulation::load_launch(
  const std::filesystem::path & file, const ambf_adf::LoadOptions & options)
{
  auto loaded = ambf_adf::load_launch(file, options);
  if (!loaded) {return tl::unexpected(loaded.error());}
  auto parameters = world_->parameters();
  parameters.gravity = loaded->world.gravity;
  if (loaded->world.solver_iterations) {parameters.solver_iterations = *loaded->world.solver_iterations;}
  if (auto set = world_->set_parameters(parameters); !set) {return set;}
  world_file_ = std::move(loaded->world);
  devices_ = std::move(loaded->devices);
  std::vector<ambf_adf::Model> models;
  if (loaded->environment) {models.push_back(std::move(*loaded->environment));}
  std::move(loaded->models.begin(), loaded->models.end(), std::back_inserter(models));
  for (auto & model : models) {
    // Names are unique within the launch file already; the scene learns them here for what comes later.
    ambf_adf::AddOptions as_is;
    auto named = scene_.add(std::move(model), as_is);
    if (!named) {return tl::unexpected(named.error());}
    auto added = add(std::move(*named), Eigen::Isometry3d::Identity(), false);
    if (!added) {return tl::unexpected(added.error());}
  }
  return {};
}

std::string Simulation::find_object(const std::string & name) const
{
  std::string found;
  int hits = 0;
  const auto look = [&](const auto & objects) {
      for (const auto & object : objects) {
        const auto & header = object.header;
        if (header.qualified == name || header.topic == name || header.name == name ||
          header.identifier == name)
        {
          found = header.qualified;
          ++hits;
        }
      }
    };
  for (const auto & loaded : models_) {
    look(loaded.model.bodies);
    look(loaded.model.soft_bodies);
    look(loaded.model.joints);
    look(loaded.model.sensors);
    look(loaded.model.actuators);
    look(loaded.model.ghost_objects);
  }
  return hits == 1 ? found : std::string{};
}

bool Simulation::remove(const std::string & name)
{
  const auto model = std::find_if(
    models_.begin(), models_.end(), [&](const LoadedModel & m) {return m.model.name == name;});
  bool removed = false;
  if (model != models_.end()) {
    removed = world_->remove_model(model->handle);
    scene_.remove_model(name);
    models_.erase(model);
  } else {
    const std::string qualified = find_object(name);
    removed = !qualified.empty() && world_->remove_object(qualified);
    if (removed) {
      scene_.remove_object(qualified);
      for (auto & m : models_) {
        std::erase_if(m.model.bodies, [&](const auto & b) {return b.header.qualified == qualified;});
        std::erase_if(
          m.model.joints, [&](const auto & j) {
            return j.header.qualified == qualified || j.parent == qualified || j.child == qualified;
          });
        std::erase_if(m.model.soft_bodies, [&](const auto & b) {return b.header.qualified == qualified;});
        std::erase_if(m.model.sensors, [&](const auto & s) {return s.header.qualified == qualified;});
        std::erase_if(m.model.actuators, [&](const auto & a) {return a.header.qualified == qualified;});
      }
    }
  }
  if (removed) {
    commands_.rebuild(*world_);
    share_state();
  }
  return removed;
}

void Simulation::reset(bool time, bool state, bool spawned)
{
  if (spawned) {
    std::vector<std::string> gone;
    for (const auto & model : models_) {
      if (model.spawned) {gone.push_back(model.model.name);}
    }
    for (const auto & name : gone) {remove(name);}
  }
  if (state) {
    world_->reset(time);
    commands_.clear();
  }
  share_state();
}

ambf_dynamics::StepStatus Simulation::step(
  std::int64_t now, std::int64_t timeout, WatchdogAction action)
{
  commands_.apply_posted(*world_, now);
  commands_.supervise(*world_, now, timeout, action);
  return world_->step();
}

void Simulation::share_if_wanted()
{
  if (state_wanted.load(std::memory_order_relaxed)) {share_state();}
}

void Simulation::share_state()
{
  SharedState & slot = shared_.back();
  world_->read_state(slot.state);
  if (slot.commanders_version != commands_.version()) {
    slot.commanders.resize(commands_.size());
    for (std::size_t i = 0; i < slot.commanders.size(); ++i) {
      const auto & commander = commands_.commander(static_cast<ambf_dynamics::BodyIndex>(i));
      slot.commanders[i] = {commander.source, commander.applied_step, commander.live};
    }
    slot.commanders_version = commands_.version();
  }
  slot.counters = commands_.counters();
  slot.conflict = commands_.last_conflict();
  shared_.publish();
}

}  // namespace ambf_physics
