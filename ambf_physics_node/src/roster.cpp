// SPDX-License-Identifier: BSD-3-Clause
#include "roster.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "ambf_adf/names.hpp"
#include "ambf_adf/write.hpp"
#include "parameters.hpp"

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
    case JointType::Revolute:
      return "revolute";
    case JointType::Continuous:
      return "continuous";
    case JointType::Prismatic:
      return "prismatic";
    case JointType::Fixed:
      return "fixed";
    case JointType::LinearSpring:
      return "linear spring";
    case JointType::TorsionSpring:
      return "torsion spring";
    case JointType::PointToPoint:
      return "p2p";
    case JointType::ConeTwist:
      return "cone twist";
    case JointType::SixDof:
      return "six dof";
    case JointType::SixDofSpring:
      return "six dof spring";
  }
  return "unknown";
}

bool has_one_axis(ambf_adf::JointType type)
{
  using ambf_adf::JointType;
  return type == JointType::Revolute || type == JointType::Continuous ||
         type == JointType::Prismatic || type == JointType::LinearSpring ||
         type == JointType::TorsionSpring;
}

/// Adds a short name unless two objects have it.
template <typename Index>
void add_alias(
  std::map<std::string, Index> & names, std::map<std::string, int> & uses, const std::string & name,
  Index index)
{
  const auto it = names.find(name);
  if (it != names.end() && it->second == index) { return; }
  if (++uses[name] > 1 || it != names.end()) {
    names.erase(name);
  } else {
    names.emplace(name, index);
  }
}

ambf_msgs::msg::ObjectInfo object_info(
  const Roster::Object & object, const std::string & model, const std::string & parent,
  const Parameters & parameters)
{
  ambf_msgs::msg::ObjectInfo info;
  info.identifier = object.names.qualified;
  info.name = object.names.name;
  info.topic = object.names.topic;
  info.without_topics = !has_topics(parameters, object.names);
  info.kind = object.kind;
  info.model = model;
  info.parent = parent;
  info.mass = object.mass;
  return info;
}

const char * sensor_kind(ambf_adf::SensorType type)
{
  switch (type) {
    case ambf_adf::SensorType::Proximity:
      return "PROXIMITY";
    case ambf_adf::SensorType::Resistance:
      return "RESISTANCE";
    case ambf_adf::SensorType::Contact:
      return "CONTACT";
  }
  return "UNKNOWN";
}

std::string uri_of(const std::string & path)
{
  return path.empty() ? std::string{} : "file://" + std::filesystem::absolute(path).string();
}

void add_bodies(
  Roster & roster, const Simulation & simulation, const std::string & world_namespace,
  const Parameters & parameters)
{
  const auto & world = simulation.world();
  std::map<std::string, const ambf_adf::RigidBody *> described;
  std::map<std::uint32_t, std::string> model_names;
  for (const auto & loaded : simulation.content().models()) {
    model_names[loaded.handle.id] = loaded.model.name;
    for (const auto & body : loaded.model.bodies) { described[body.header.qualified] = &body; }
  }
  std::map<std::string, int> uses;
  for (const auto & info : world.bodies()) {
    const auto index = static_cast<BodyIndex>(roster.bodies.size());
    Roster::Body body;
    body.info = info;
    body.frame = frame_of(info.topic);
    const auto it = described.find(info.qualified);
    if (it != described.end()) { body.rate = it->second->header.publish_frequency; }
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
    object.without_topics = !has_topics(parameters, info);
    object.kind = "RIGID_BODY";
    object.model = model_names[info.model.id];
    if (info.parent != no_index) { object.parent = world.bodies()[info.parent].qualified; }
    object.mass = info.mass;
    object.client_joints.assign(body.client_joints.begin(), body.client_joints.end());
    roster.manifest.bodies.push_back(std::move(object));
    roster.body_by_name.emplace(info.qualified, index);
    roster.body_by_name.emplace(info.topic, index);
    add_alias(roster.body_by_name, uses, info.identifier, index);
    add_alias(roster.body_by_name, uses, info.name, index);
    roster.bodies.push_back(std::move(body));
  }
  // A whole name below the world's goes before the end of a longer one.
  for (std::size_t i = 0; i < roster.bodies.size(); ++i) {
    const std::string & topic = roster.bodies[i].info.topic;
    if (topic.starts_with(world_namespace + "/")) {
      roster.body_by_name.insert_or_assign(
        topic.substr(world_namespace.size() + 1), static_cast<BodyIndex>(i));
    }
  }
}

void add_joints(Roster & roster, const Simulation & simulation)
{
  const auto & world = simulation.world();
  std::map<std::uint32_t, std::string> model_names;
  for (const auto & loaded : simulation.content().models()) {
    model_names[loaded.handle.id] = loaded.model.name;
  }
  std::map<std::string, int> uses;
  for (const auto & info : world.joints()) {
    const auto index = static_cast<JointIndex>(roster.joints.size());
    ambf_msgs::msg::JointInfo joint;
    joint.identifier = info.qualified;
    joint.name = info.name;
    joint.model = model_names[info.model.id];
    if (info.parent != no_index) { joint.parent = world.bodies()[info.parent].qualified; }
    if (info.child != no_index) { joint.child = world.bodies()[info.child].qualified; }
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
    roster.joint_places.push_back(info.qualified.substr(
      0, info.qualified.size() - std::min(info.qualified.size(), info.identifier.size())));
    roster.joints.push_back(info);
  }
  for (std::size_t i = 0; i < roster.joints.size(); ++i) {
    const std::string full = roster.joint_places[i] + roster.joints[i].name;
    const auto world_ends = full.find(ambf_adf::default_namespace);
    if (world_ends != std::string::npos) {
      roster.joint_by_name.insert_or_assign(
        full.substr(world_ends + ambf_adf::default_namespace.size()), static_cast<JointIndex>(i));
    }
  }
}

/// The one of `count` that `fits`; no_index: none, or several.
template <typename Fits>
std::uint32_t only_one(std::size_t count, const Fits & fits)
{
  std::uint32_t found = no_index;
  for (std::size_t i = 0; i < count; ++i) {
    if (!fits(i)) { continue; }
    if (found != no_index) { return no_index; }
    found = static_cast<std::uint32_t>(i);
  }
  return found;
}

/// Does a name mean an object: the end of its full name or identifier, or the model's name and its own?
bool means(
  const std::string & wanted, const std::string & topic, const std::string & qualified,
  const std::string & model, const std::string & name)
{
  using ambf_adf::is_name_of;
  return is_name_of(wanted, topic) || is_name_of(wanted, qualified) ||
         is_name_of(wanted, model + "/" + name);
}

/// What the descriptions say about publishing, by qualified identifier.
template <typename Member>
std::map<std::string, ambf_adf::PublishFrequency> rates_of(
  const Simulation & simulation, Member member)
{
  std::map<std::string, ambf_adf::PublishFrequency> rates;
  for (const auto & loaded : simulation.content().models()) {
    for (const auto & object : loaded.model.*member) {
      rates[object.header.qualified] = object.header.publish_frequency;
    }
  }
  return rates;
}

std::string model_of(const Simulation & simulation, ambf_dynamics::ModelHandle handle)
{
  for (const auto & loaded : simulation.content().models()) {
    if (loaded.handle == handle) { return loaded.model.name; }
  }
  return {};
}

/// Objects of the dynamics: `fill` adds what is special to their kind.
template <typename Infos, typename Fill>
void add_objects(
  const Roster & roster, const Simulation & simulation, const Parameters & parameters,
  const Infos & infos, const std::map<std::string, ambf_adf::PublishFrequency> & rates,
  std::vector<Roster::Object> & out, std::vector<ambf_msgs::msg::ObjectInfo> & manifest, Fill fill)
{
  for (const auto & info : infos) {
    Roster::Object object;
    object.names = info;
    if (const auto it = rates.find(info.qualified); it != rates.end()) { object.rate = it->second; }
    fill(object, info);
    std::string parent;
    if constexpr (requires { info.parent; }) {
      object.location = info.location;
      object.parent_frame = roster.manifest.root_frame;
      if (info.parent != no_index) {
        const auto & body = roster.bodies[info.parent];
        parent = body.info.qualified;
        object.parent_name = body.info.name;
        object.parent_frame = body.frame;
      }
    }
    manifest.push_back(object_info(object, model_of(simulation, info.model), parent, parameters));
    out.push_back(std::move(object));
  }
}

void add_views(
  const Roster & roster, const Simulation & simulation, const Parameters & parameters,
  const std::vector<View> & views, const char * kind, std::vector<Roster::Object> & out,
  std::vector<ambf_msgs::msg::ObjectInfo> & manifest)
{
  for (const auto & view : views) {
    Roster::Object object;
    object.names.identifier = view.header.identifier;
    object.names.name = view.header.name;
    object.names.qualified = view.header.qualified;
    object.names.topic = view.header.topic;
    object.names.passive = view.header.passive;
    object.rate = view.header.publish_frequency;
    object.kind = kind;
    object.location = view.t_parent_view;
    object.parent_frame = roster.manifest.root_frame;
    if (view.body != no_index) {
      object.parent_name = roster.bodies[view.body].info.name;
      object.parent_frame = roster.bodies[view.body].frame;
    } else if (view.camera < simulation.content().cameras().size()) {
      object.parent_name = simulation.content().cameras()[view.camera].header.name;
      object.parent_frame = frame_of(simulation.content().cameras()[view.camera].header.topic);
    }
    manifest.push_back(object_info(object, view.model, view.parent, parameters));
    out.push_back(std::move(object));
  }
}

void add_other_objects(
  Roster & roster, const Simulation & simulation, const Parameters & parameters)
{
  auto & manifest = roster.manifest;
  const auto & world = simulation.world();
  using ambf_adf::Model;
  add_objects(
    roster, simulation, parameters, world.soft_bodies(), rates_of(simulation, &Model::soft_bodies),
    roster.soft_bodies, manifest.soft_bodies, [](Roster::Object & object, const auto & info) {
      object.kind = "SOFT_BODY";
      object.mass = info.mass;
      object.node_count = info.node_count;
    });
  add_objects(
    roster, simulation, parameters, world.ghosts(), rates_of(simulation, &Model::ghost_objects),
    roster.ghosts, manifest.ghost_objects,
    [](Roster::Object & object, const auto &) { object.kind = "GHOST"; });
  add_objects(
    roster, simulation, parameters, world.sensors(), rates_of(simulation, &Model::sensors),
    roster.sensors, manifest.sensors,
    [](Roster::Object & object, const auto & info) { object.kind = sensor_kind(info.type); });
  add_objects(
    roster, simulation, parameters, world.actuators(), rates_of(simulation, &Model::actuators),
    roster.actuators, manifest.actuators,
    [](Roster::Object & object, const auto &) { object.kind = "CONSTRAINT"; });
  add_views(
    roster, simulation, parameters, simulation.content().cameras(), "CAMERA", roster.cameras,
    manifest.cameras);
  add_views(
    roster, simulation, parameters, simulation.content().lights(), "LIGHT", roster.lights,
    manifest.lights);
}

void add_devices(
  Roster & roster, const Simulation & simulation, const std::string & world_namespace)
{
  const auto & hands = simulation.hands().proxies();
  for (std::size_t i = 0; i < hands.size(); ++i) {
    Roster::Device device;
    device.name = hands.name(i);
    device.topic = world_namespace + "/" + ambf_adf::topic_token(device.name);
    device.trouble = hands.trouble(i);
    device.body = hands.body(i);
    device.loss_timeout = hands.binding(i).loss_timeout;
    device.box = hands.box(i);
    ambf_msgs::msg::ObjectInfo info;
    info.identifier = info.name = device.name;
    info.topic = device.topic;
    info.kind = "INPUT_DEVICE";
    if (device.body != no_index) {
      const auto & body = roster.manifest.bodies[device.body];
      info.model = body.model;
      info.parent = body.identifier;
    }
    roster.manifest.devices.push_back(std::move(info));
    roster.devices.push_back(std::move(device));
  }
}

void add_models(
  Roster & roster, const Simulation & simulation, const std::string & root_frame,
  const std::string & world_namespace, const Roster * before)
{
  // Writing the descriptions anew takes longer than all the rest: each is written once.
  std::map<std::uint32_t, std::size_t> written;
  for (std::size_t i = 0; before != nullptr && i < before->models.size(); ++i) {
    written.emplace(before->models[i].handle.id, i);
  }
  std::map<std::uint32_t, std::vector<JointIndex>> joints;  // with one axis, by model
  for (std::size_t i = 0; i < roster.joints.size(); ++i) {
    const auto & joint = roster.joints[i];
    if (has_one_axis(joint.type)) { joints[joint.model.id].push_back(static_cast<JointIndex>(i)); }
  }
  for (const auto & loaded : simulation.content().models()) {
    const auto & model = loaded.model;
    const auto it = written.find(loaded.handle.id);
    const bool known = it != written.end() && before->models[it->second].version == loaded.version;
    ambf_msgs::msg::ModelInfo info;
    info.name = model.name;
    info.ns = model.ns;
    info.topic = world_namespace + "/" + loaded.topic_token;
    info.adf = known ? before->manifest.models[it->second].adf : ambf_adf::write(model);
    info.resource_base = uri_of(model.resource_base);
    roster.manifest.models.push_back(std::move(info));
    Roster::Model view;
    view.name = model.name;
    view.topic = world_namespace + "/" + loaded.topic_token;
    view.handle = loaded.handle;
    view.version = loaded.version;
    view.urdf = known ? before->models[it->second].urdf : to_urdf(model, root_frame);
    view.joints = std::move(joints[loaded.handle.id]);
    roster.models.push_back(std::move(view));
  }
}

}  // namespace

std::shared_ptr<const Roster> make_roster(
  const Simulation & simulation, const std::string & root_frame,
  const std::string & world_namespace, const Parameters & parameters, const Roster * before)
{
  auto roster = std::make_shared<Roster>();
  roster->manifest.root_frame = root_frame;
  roster->revision = simulation.world().revision();
  roster->step_size = simulation.world().parameters().step_size;
  add_bodies(*roster, simulation, world_namespace, parameters);
  add_joints(*roster, simulation);
  add_other_objects(*roster, simulation, parameters);
  add_devices(*roster, simulation, world_namespace);
  add_models(*roster, simulation, root_frame, world_namespace, before);
  roster->manifest.revision = roster->revision;
  roster->manifest.step_size = roster->step_size;
  roster->manifest.world = uri_of(simulation.content().launch_file());
  if (!simulation.content().launch_file().empty()) {
    roster->manifest.world_adf = ambf_adf::write(simulation.content().world_file());
  }
  return roster;
}

std::string nearest_names(const std::string & name, const std::vector<std::string> & known)
{
  std::string text;
  for (const auto & each : ambf_adf::nearest_names(name, known)) {
    text += (text.empty() ? "" : ", ") + each;
  }
  return text.empty() ? "(there are none)" : text;
}

std::vector<std::string> body_names(const Roster & roster)
{
  std::vector<std::string> names;
  for (const auto & body : roster.bodies) {
    // A name that several models have tells nothing.
    const bool alone = roster.body_by_name.contains(body.info.name);
    names.push_back(alone ? body.info.name : body.info.qualified);
  }
  return names;
}

std::vector<std::string> joint_names(const Roster & roster)
{
  std::vector<std::string> names;
  for (const auto & joint : roster.joints) { names.push_back(joint.name); }
  return names;
}

std::vector<std::string> object_names(const std::vector<Roster::Object> & objects)
{
  std::vector<std::string> names;
  for (const auto & object : objects) { names.push_back(object.names.name); }
  return names;
}

std::uint32_t find_body(const Roster & roster, const std::string & name)
{
  const auto it = roster.body_by_name.find(name);
  if (it != roster.body_by_name.end()) { return it->second; }
  return only_one(roster.bodies.size(), [&](std::size_t i) {
    const auto & info = roster.manifest.bodies[i];
    return means(name, info.topic, info.identifier, info.model, info.name);
  });
}

std::uint32_t find_joint(const Roster & roster, const std::string & name)
{
  const auto it = roster.joint_by_name.find(name);
  if (it != roster.joint_by_name.end()) { return it->second; }
  return only_one(roster.joints.size(), [&](std::size_t i) {
    const auto & info = roster.manifest.joints[i];
    return means(name, roster.joint_places[i] + info.name, info.identifier, info.model, info.name);
  });
}

std::uint32_t find_object(const std::vector<Roster::Object> & objects, const std::string & name)
{
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto & names = objects[i].names;
    if (names.qualified == name || names.topic == name) { return static_cast<std::uint32_t>(i); }
  }
  return only_one(objects.size(), [&](std::size_t i) {
    const auto & names = objects[i].names;
    return means(name, names.topic, names.qualified, "", names.name);
  });
}

}  // namespace ambf_physics
