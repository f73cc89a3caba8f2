#include "core/simulation.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/parse.hpp"

namespace ambf_physics
{

using ambf_adf::Errors;
using ambf_adf::expected;

namespace
{

/// The world file's cameras and lights in the form that names and parents are resolved in.
ambf_adf::Model views_of(const ambf_adf::World & world)
{
  ambf_adf::Model model;
  model.name = "World";
  model.ns = world.ns;
  model.cameras = world.cameras;
  model.lights = world.lights;
  return model;
}

template<typename Object>
View make_view(const Object & object, const std::string & model, const Eigen::Isometry3d & pose)
{
  View view;
  view.header = object.header;
  view.model = model;
  view.parent = object.parent;
  view.described = view.t_parent_view = pose;
  return view;
}

ambf_adf::Problem problem(
  ambf_adf::ProblemKind kind, const ambf_adf::Model & model, std::string key, std::string found, std::string wanted)
{
  ambf_adf::Problem result;
  result.kind = kind;
  result.file = model.source_file;
  result.key = std::move(key);
  result.found = std::move(found);
  result.expected = std::move(wanted);
  return result;
}

/// Where the description places the first body that is no joint's child, or the first of all. References
/// are resolved as `scene` will.
Eigen::Isometry3d base_pose(ambf_adf::Scene scene, const ambf_adf::Model & described)
{
  const auto model = scene.add(described);
  if (!model || model->bodies.empty()) {return Eigen::Isometry3d::Identity();}
  const auto is_base = [&](const ambf_adf::RigidBody & body) {
      return std::none_of(model->joints.begin(), model->joints.end(), [&](const ambf_adf::Joint & joint) {
                 return joint.child == body.header.qualified;
               });
    };
  const auto base = std::find_if(model->bodies.begin(), model->bodies.end(), is_base);
  return (base != model->bodies.end() ? base : model->bodies.begin())->location.isometry();
}

/// Everything that has topics.
template<typename Model, typename Visit>
void for_each_header(Model & model, const Visit & visit)
{
  const auto all = [&](auto & objects) {
      for (auto & object : objects) {visit(object.header);}
    };
  all(model.bodies);
  all(model.soft_bodies);
  all(model.ghost_objects);
  all(model.sensors);
  all(model.actuators);
  all(model.cameras);
  all(model.lights);
}

void move_topics(ambf_adf::Model & model, const std::pair<std::string, std::string> & moved)
{
  const auto & [from, to] = moved;
  if (from == to) {return;}
  for_each_header(model, [&](ambf_adf::ObjectHeader & header) {
      if (header.topic.starts_with(from + "/")) {header.topic = to + header.topic.substr(from.size());}
    });
}

/// DDS has room for 247 characters in a topic's name; topics of objects and models end on a few of their own.
Errors too_long_names(const ambf_adf::Model & model)
{
  constexpr std::size_t longest = 220;
  Errors errors;
  const auto check = [&](const std::string & key, const std::string & topic) {
      if (topic.size() <= longest) {return;}
      errors.push_back(problem(
          ambf_adf::ProblemKind::BadValue, model, key.substr(0, 60),
          "a name of " + std::to_string(topic.size()) + " characters with its namespace",
          "at most " + std::to_string(longest)));
    };
  check("model " + model.name, model.ns + model.name);
  for_each_header(model, [&](const ambf_adf::ObjectHeader & header) {check(header.identifier, header.topic);});
  return errors;
}

}  // namespace

Errors raised(const ambf_adf::Problems & warnings, const std::vector<ambf_adf::ProblemKind> & kinds)
{
  Errors errors;
  for (auto warning : warnings) {
    if (std::find(kinds.begin(), kinds.end(), warning.kind) == kinds.end()) {continue;}
    warning.severity = ambf_adf::Severity::Error;
    errors.push_back(std::move(warning));
  }
  return errors;
}

Simulation::Simulation(std::unique_ptr<ambf_dynamics::World> world)
: world_(std::move(world)), contacts_asked_for_(world_->parameters().report_contacts)
{
  refit();
}

expected<std::string, Errors> Simulation::add(ambf_adf::Model model, bool spawned)
{
  move_topics(model, moved_topics);
  if (auto errors = too_long_names(model); !errors.empty()) {
    scene_.remove_model(model.name);
    return tl::unexpected(std::move(errors));
  }
  auto added = world_->add_model(model);
  if (!added) {
    scene_.remove_model(model.name);
    return tl::unexpected(added.error());
  }
  model.warnings.insert(model.warnings.end(), added->warnings.begin(), added->warnings.end());
  std::string name = model.name;
  // Names without one letter of ASCII all come to the same.
  const std::string base = ambf_adf::topic_token(name);
  std::string token = base;
  const auto taken = [&](const LoadedModel & one) {return one.topic_token == token;};
  for (int i = 1; std::any_of(models_.begin(), models_.end(), taken); ++i) {
    token = base + (base.ends_with('_') ? "" : "_") + std::to_string(i);
  }
  models_.push_back({std::move(model), added->handle, added->closure, std::move(token), spawned});
  refit();
  return name;
}

void Simulation::refit()
{
  auto world_views = views_of(world_file_);
  link_parents(scene_, world_views);
  world_file_.cameras = std::move(world_views.cameras);
  world_file_.lights = std::move(world_views.lights);
  for (auto & loaded : models_) {link_parents(scene_, loaded.model);}
  rebuild_views();
  commands_.rebuild(*world_);
  object_commands_.rebuild(*world_, cameras_, lights_);
  rebuild_hands();
  share_state();
}

void Simulation::rebuild_views()
{
  std::map<std::string, Eigen::Isometry3d> moved;
  for (const auto & view : cameras_) {moved["c" + view.header.qualified] = view.t_parent_view;}
  for (const auto & view : lights_) {moved["l" + view.header.qualified] = view.t_parent_view;}
  cameras_.clear();
  lights_.clear();
  const auto add_views = [&](const auto & from, const std::string & model) {
      for (const auto & camera : from.cameras) {cameras_.push_back(make_view(camera, model, camera_pose(camera)));}
      for (const auto & light : from.lights) {lights_.push_back(make_view(light, model, light_pose(light)));}
    };
  add_views(world_file_, "");
  for (const auto & loaded : models_) {add_views(loaded.model, loaded.model.name);}
  const auto fit = [&](std::vector<View> & views, const char * kind) {
      for (auto & view : views) {
        if (const auto it = moved.find(kind + view.header.qualified); it != moved.end()) {
          view.t_parent_view = it->second;
        }
        if (view.parent.empty()) {continue;}
        if (const auto body = world_->find_body(view.parent)) {
          view.body = *body;
          continue;
        }
        for (std::size_t i = 0; i < cameras_.size(); ++i) {
          if (cameras_[i].header.qualified == view.parent && &cameras_[i] != &view) {
            view.camera = static_cast<std::uint32_t>(i);
          }
        }
      }
    };
  fit(cameras_, "c");
  fit(lights_, "l");
}

expected<ambf_adf::Model, Errors> Simulation::read(const LoadRequest & request)
{
  const ambf_adf::ParseOptions parse;
  auto model = request.file.empty() ?
    ambf_adf::parse_text(
    request.text, request.name.empty() ? "model" : request.name, request.resource_base, parse) :
    ambf_adf::parse_file(request.file, parse);
  if (!model) {return tl::unexpected(model.error());}
  if (!request.name.empty()) {model->name = request.name;}
  if (request.refuse_missing_files) {
    auto missing = raised(model->warnings, {ambf_adf::ProblemKind::MissingFile});
    if (!missing.empty()) {return tl::unexpected(std::move(missing));}
  }
  world_->read_meshes(*model);
  return std::move(*model);
}

expected<std::string, Errors> Simulation::load(const LoadRequest & request, ambf_adf::Model model)
{
  if (request.keep_name && std::any_of(models_.begin(), models_.end(), [&](const LoadedModel & one) {
      return one.model.name == model.name;
    }))
  {
    return tl::unexpected(Errors{problem(
          ambf_adf::ProblemKind::DuplicateName, model, "name", "'" + model.name + "', which is taken", "another name")});
  }
  ambf_adf::AddOptions options;
  options.namespace_prefix = request.namespace_prefix;
  options.allow_rename = request.allow_rename;
  const Eigen::Isometry3d t_world_model =
    request.place_base ? request.t_world_model * base_pose(scene_, model).inverse() : request.t_world_model;
  if (!t_world_model.isApprox(Eigen::Isometry3d::Identity(), 0.0)) {
    options.pose = ambf_adf::Pose::from(t_world_model);
  }
  auto named = scene_.add(std::move(model), options);
  if (!named) {return tl::unexpected(named.error());}
  return add(std::move(*named), request.spawned);
}

expected<LaunchContent, Errors> Simulation::read_launch(
  const std::filesystem::path & file, const ambf_adf::LoadOptions & options)
{
  auto loaded = ambf_adf::load_launch(file, options);
  if (!loaded) {return tl::unexpected(loaded.error());}
  LaunchContent content;
  content.file = std::filesystem::absolute(file).lexically_normal().string();
  content.warnings = std::move(loaded->warnings);
  if (device_rules_.use_file) {
    content.devices = read_device_models(loaded->devices, options.parse);
    const auto more = keys_without_effect(loaded->devices, device_rules_);
    content.warnings.insert(content.warnings.end(), more.begin(), more.end());
  }
  if (loaded->environment) {world_->read_meshes(*loaded->environment);}
  for (const auto & model : loaded->models) {world_->read_meshes(model);}
  content.loaded = std::move(*loaded);
  return content;
}

expected<void, Errors> Simulation::load_launch(LaunchContent content)
{
  ambf_adf::LoadedWorld * loaded = &content.loaded;
  auto parameters = world_->parameters();
  parameters.gravity = loaded->world.gravity;
  if (loaded->world.solver_iterations) {parameters.solver_iterations = *loaded->world.solver_iterations;}
  // What the file asks for is known to be well-formed now: the old world makes place for it.
  unload();
  if (auto set = world_->set_parameters(parameters); !set) {return set;}
  warnings_ = std::move(content.warnings);
  launch_file_ = std::move(content.file);
  world_file_ = std::move(loaded->world);
  std::vector<ambf_adf::Model> models;
  if (loaded->environment) {models.push_back(std::move(*loaded->environment));}
  std::move(loaded->models.begin(), loaded->models.end(), std::back_inserter(models));
  // Names are unique within the launch file already; the scene learns them for what comes later.
  if (auto views = scene_.add(views_of(world_file_)); views) {
    move_topics(*views, moved_topics);
    world_file_.cameras = std::move(views->cameras);
    world_file_.lights = std::move(views->lights);
  }
  for (auto & model : models) {
    auto named = scene_.add(std::move(model));
    if (!named) {return tl::unexpected(named.error());}
    auto added = add(std::move(*named), false);
    if (!added) {return tl::unexpected(added.error());}
  }
  add_devices(std::move(content.devices));
  return {};
}

void Simulation::unload()
{
  for (const auto & loaded : models_) {world_->remove_model(loaded.handle);}
  models_.clear();
  scene_ = {};
  saved.clear();
  launch_file_.clear();
  warnings_.clear();
  world_file_ = {};
  file_bindings_.clear();
  bind_devices();
  world_->reset(true);
  commands_.clear();
  object_commands_.clear();
  refit();
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
        std::erase_if(m.model.ghost_objects, [&](const auto & g) {return g.header.qualified == qualified;});
      }
    }
  }
  if (removed) {refit();}
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
    object_commands_.clear();
    hands_.proxies().forget();
    for (auto & view : cameras_) {view.t_parent_view = view.described;}
    for (auto & view : lights_) {view.t_parent_view = view.described;}
  } else if (time) {
    world_->reset_time();
  }
  share_state();
}

void Simulation::apply_posted(std::int64_t now)
{
  commands_.apply_posted(*world_, now);
  object_commands_.apply_posted(*world_, cameras_, lights_, now, commands_.counters());
  hands_.take_samples(*world_, now);
}

ambf_dynamics::StepStatus Simulation::step(
  std::int64_t now, std::int64_t timeout, WatchdogAction action, bool supervised)
{
  if (supervised) {apply_posted(now);}
  commands_.supervise(*world_, now, timeout, action);
  object_commands_.supervise(*world_, now, timeout, action, commands_.counters());
  hands_.before_step(*world_, cameras_, commands_, object_commands_, now, supervised);
  return world_->step();
}

void Simulation::restart_clock(std::int64_t now)
{
  commands_.restart_watchdogs(now);
  object_commands_.restart_watchdogs(now);
  hands_.restart_clock(now);
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
      slot.commanders[i] = commands_.commander(static_cast<ambf_dynamics::BodyIndex>(i));
    }
    slot.commanders_version = commands_.version();
  }
  const auto copy = [](const auto & table, std::vector<Commander> & to) {
      to.resize(table.size());
      for (std::size_t i = 0; i < to.size(); ++i) {to[i] = table.commander(i);}
    };
  copy(object_commands_.actuators, slot.actuator_commanders);
  copy(object_commands_.soft_bodies, slot.soft_body_commanders);
  copy(object_commands_.cameras, slot.camera_commanders);
  copy(object_commands_.lights, slot.light_commanders);
  world_poses(cameras_, cameras_, slot.state.bodies, slot.cameras);
  world_poses(lights_, cameras_, slot.state.bodies, slot.lights);
  parent_poses(cameras_, slot.camera_offsets);
  parent_poses(lights_, slot.light_offsets);
  if (readings_wanted.load(std::memory_order_relaxed)) {slot.readings.read_objects(*world_);}
  if (wrenches_wanted.load(std::memory_order_relaxed)) {slot.readings.read_wrenches(*world_);}
  if (!hands_.empty()) {
    hands_.read(*world_, slot.cameras, slot.hands);
  } else {
    slot.hands.clear();
  }
  slot.overridden = hands_.overridden();
  slot.counters = commands_.counters();
  slot.conflict = commands_.last_conflict();
  shared_.publish();
}

}  // namespace ambf_physics
