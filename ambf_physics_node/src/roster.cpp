#include "roster.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/write.hpp"

namespace ambf_physics
{

using ambf_dynamics::BodyIndex;
using ambf_dynamics::JointIndex;
using ambf_dynamics::no_index;

namespace
{

const char * type_name(ambf_adf::JointType type)
{
  using ambf_adf::JointType;
  switch (type) {
    case JointType::Revolute: return "revolute";
    case JointType::Continuous: return "continuous";
    case JointType::Prismatic: return "prismatic";
    case JointType::Fixed: return "fixed";
    case JointType::LinearSpring: return "linear spring";
    case JointType::TorsionSpring: return "torsion spring";
    case JointType::PointToPoint: return "p2p";
    case JointType::ConeTwist: return "cone twist";
    case JointType::SixDof: return "six dof";
    case JointType::SixDofSpring: return "six dof spring";
  }
  return "unknown";
}

bool has_one_axis(ambf_adf::JointType type)
{
  using ambf_adf::JointType;
  return type == JointType::Revolute || type == JointType::Continuous || type == JointType::Prismatic ||
         type == JointType::LinearSpring || type == JointType::TorsionSpring;
}

/// Adds a short name unless two objects have it.
template<typename Index>
void add_alias(
  std::map<std::string, Index> & names, std::map<std::string, int> & uses, const std::string & name,
  Index index)
{
  const auto it = names.find(name);
  if (it != names.end() && it->second == index) {return;}
  if (++uses[name] > 1 || it != names.end()) {
    names.erase(name);
  } else {
    names.emplace(name, index);
  }
}

ambf_msgs::msg::ObjectInfo object_info(
  const ambf_adf::ObjectHeader & header, const char * kind, const std::string & model,
  const std::string & parent, double mass = 0.0)
{
  ambf_msgs::msg::ObjectInfo info;
  info.identifier = header.qualified;
  info.name = header.name;
  info.topic = header.topic;
  info.kind = kind;
  info.model = model;
  info.parent = parent;
  info.mass = mass;
  return info;
}

const char * sensor_kind(ambf_adf::SensorType type)
{
  switch (type) {
    case ambf_adf::SensorType::Proximity: return "PROXIMITY";
    case ambf_adf::SensorType::Resistance: return "RESISTANCE";
    case ambf_adf::SensorType::Contact: return "CONTACT";
  }
  return "UNKNOWN";
}

std::string uri_of(const std::string & folder)
{
  return folder.empty() ? std::string{} : "file://" + std::filesystem::absolute(folder).string();
}

void add_bodies(Roster & roster, const Simulation & simulation)
{
  const auto & world = simulation.world();
  std::map<std::string, const ambf_adf::RigidBody *> described;
  std::map<std::uint32_t, std::string> model_names;
  for (const auto & loaded : simulation.models()) {
    model_names[loaded.handle.id] = loaded.model.name;
    for (const auto & body : loaded.model.bodies) {described[body.header.qualified] = &body;}
  }
  std::map<std::string, int> uses;
  for (const auto & info : world.bodies()) {
    const auto index = static_cast<BodyIndex>(roster.bodies.size());
    Roster::Body body;
    body.info = info;
    body.frame = frame_of(info.topic);
    const auto it = described.find(info.qualified);
    if (it != described.end()) {body.rate = it->second->header.publish_frequency;}
    for (const auto joint : world.client_joints(index)) {
      const auto & joint_info = world.joints()[joint];
      body.client_joints.push_back(joint);
      body.joint_names.push_back(joint_info.name);
      body.client_commandable.push_back(joint_info.commandable);
      if (joint_info.child != no_index) {
        body.children_names.push_back(world.bodies()[joint_info.child].name);
      }
    }
    ambf_msgs::msg::ObjectInfo object;
    object.identifier = info.qualified;
    object.name = info.name;
    object.topic = info.topic;
    object.kind = "RIGID_BODY";
    object.model = model_names[info.model.id];
    if (info.parent != no_index) {object.parent = world.bodies()[info.parent].qualified;}
    object.mass = info.mass;
    object.client_joints.assign(body.client_joints.begin(), body.client_joints.end());
    roster.manifest.bodies.push_back(std::move(object));
    roster.body_by_name.emplace(info.qualified, index);
    roster.body_by_name.emplace(info.topic, index);
    add_alias(roster.body_by_name, uses, info.identifier, index);
    add_alias(roster.body_by_name, uses, info.name, index);
    roster.bodies.push_back(std::move(body));
  }
}

void add_joints(Roster & roster, const Simulation & simulation)
{
  const auto & world = simulation.world();
  std::map<std::uint32_t, std::string> model_names;
  for (const auto & loaded : simulation.models()) {model_names[loaded.handle.id] = loaded.model.name;}
  std::map<std::string, int> uses;
  for (const auto & info : world.joints()) {
    const auto index = static_cast<JointIndex>(roster.joints.size());
    ambf_msgs::msg::JointInfo joint;
    joint.identifier = info.qualified;
    joint.name = info.name;
    joint.model = model_names[info.model.id];
    if (info.parent != no_index) {joint.parent = world.bodies()[info.parent].qualified;}
    if (info.child != no_index) {joint.child = world.bodies()[info.child].qualified;}
    joint.type = type_name(info.type);
    joint.closes_loop = info.closes_loop;
    joint.passive = info.passive;
    joint.lower = info.limits ? info.limits->low : 1.0;
    joint.upper = info.limits ? info.limits->high : -1.0;
    joint.effort_limit = info.effort_limit.value_or(0.0);
    roster.manifest.joints.push_back(std::move(joint));
    roster.joint_by_name.emplace(info.qualified, index);
    add_alias(roster.joint_by_name, uses, info.identifier, index);
    add_alias(roster.joint_by_name, uses, info.name, index);
    roster.joints.push_back(info);
  }
}

void add_scene_objects(Roster & roster, const Simulation & simulation)
{
  auto & manifest = roster.manifest;
  const auto add_views = [&](const auto & cameras, const auto & lights, const std::string & model) {
      for (const auto & camera : cameras) {
        manifest.cameras.push_back(object_info(camera.header, "CAMERA", model, camera.parent));
      }
      for (const auto & light : lights) {
        manifest.lights.push_back(object_info(light.header, "LIGHT", model, light.parent));
      }
    };
  add_views(simulation.world_file().cameras, simulation.world_file().lights, "");
  for (const auto & loaded : simulation.models()) {
    const auto & model = loaded.model;
    add_views(model.cameras, model.lights, model.name);
    for (const auto & body : model.soft_bodies) {
      manifest.soft_bodies.push_back(object_info(body.header, "SOFT_BODY", model.name, ""));
    }
    for (const auto & ghost : model.ghost_objects) {
      manifest.ghost_objects.push_back(object_info(ghost.header, "GHOST", model.name, ghost.parent));
    }
    for (const auto & sensor : model.sensors) {
      manifest.sensors.push_back(
        object_info(sensor.header, sensor_kind(sensor.type), model.name, sensor.parent));
    }
    for (const auto & actuator : model.actuators) {
      manifest.actuators.push_back(
        object_info(actuator.header, "CONSTRAINT", model.name, actuator.parent));
    }
    ambf_msgs::msg::ModelInfo info;
    info.name = model.name;
    info.ns = model.ns;
    info.adf = ambf_adf::write(model);
    info.resource_base = uri_of(model.resource_base);
    manifest.models.push_back(std::move(info));
  }
}

}  // namespace

std::shared_ptr<const Roster> make_roster(
  const Simulation & simulation, const std::string & root_frame)
{
  auto roster = std::make_shared<Roster>();
  roster->revision = simulation.world().revision();
  roster->step_size = simulation.world().parameters().step_size;
  add_bodies(*roster, simulation);
  add_joints(*roster, simulation);
  add_scene_objects(*roster, simulation);
  for (const auto & loaded : simulation.models()) {
    Roster::Model view;
    view.name = loaded.model.name;
    view.urdf = to_urdf(loaded.model, root_frame);
    for (std::size_t i = 0; i < roster->joints.size(); ++i) {
      if (roster->joints[i].model == loaded.handle && has_one_axis(roster->joints[i].type)) {
        view.joints.push_back(static_cast<JointIndex>(i));
      }
    }
    roster->models.push_back(std::move(view));
  }
  roster->manifest.revision = roster->revision;
  roster->manifest.root_frame = root_frame;
  roster->manifest.step_size = roster->step_size;
  return roster;
}

std::string nearest_names(const std::string & name, const std::vector<std::string> & known)
{
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto & candidate : known) {
    const bool part = !name.empty() && candidate.find(name) != std::string::npos;
    ranked.emplace_back(part ? 0 : 1 + ambf_adf::edit_distance(name, candidate), candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, ranked.size()); ++i) {
    text += (i == 0 ? "" : ", ") + ranked[i].second;
  }
  return text.empty() ? "(there are none)" : text;
}

std::vector<std::string> body_names(const Roster & roster)
{
  std::vector<std::string> names;
  for (const auto & body : roster.bodies) {names.push_back(body.info.name);}
  return names;
}

std::vector<std::string> joint_names(const Roster & roster)
{
  std::vector<std::string> names;
  for (const auto & joint : roster.joints) {names.push_back(joint.name);}
  return names;
}

}  // namespace ambf_physics
