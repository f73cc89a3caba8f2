// SPDX-License-Identifier: BSD-3-Clause
#include "query.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include "ambf_adf/names.hpp"
#include "convert.hpp"

namespace ambf_physics
{

using ambf_msgs::msg::ObjectInfo;
using ambf_msgs::srv::QueryObject;

namespace
{

/// Something that has a name, and how to find its numbers; the caller of `state` owns the world.
struct Known
{
  ObjectInfo info;
  std::string identifier;  ///< as the description has it, without namespace
  std::string full;        ///< its topic, or what would be a joint's
  std::vector<std::uint32_t> joints;
  std::function<std::vector<double>(Simulation &)> state;
};

std::vector<double> part(const std::vector<double> & all, std::size_t index, std::size_t stride)
{
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(index * stride);
  return {first, first + static_cast<std::ptrdiff_t>(stride)};
}

std::vector<double> pose_of_view(
  const std::vector<View> & views, const Simulation & simulation, std::size_t i)
{
  std::vector<double> poses;
  world_poses(views, simulation.content().cameras(), simulation.world().state().bodies, poses);
  return part(poses, i, 7);
}

std::vector<double> pose_of_ghost(const ambf_dynamics::World & world, std::size_t i)
{
  const auto & ghost = world.ghosts()[i];
  Eigen::Isometry3d t = ghost.location;
  if (ghost.parent != ambf_dynamics::no_index) {
    t = body_pose(&world.state().bodies[ghost.parent * ambf_dynamics::body_stride]) * t;
  }
  const Eigen::Quaterniond q(t.rotation());
  const auto & p = t.translation();
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
}

std::vector<double> nodes_of(const ambf_dynamics::State & state, std::size_t i)
{
  const auto at = [&](std::size_t k) {
    return state.soft_nodes.begin() + 3 * static_cast<std::ptrdiff_t>(state.soft_offsets[k]);
  };
  return {at(i), at(i + 1)};
}

std::vector<Known> everything(const Roster & roster)
{
  std::vector<Known> all;
  const auto & manifest = roster.manifest;
  for (std::size_t i = 0; i < roster.bodies.size(); ++i) {
    all.push_back(
      {manifest.bodies[i], roster.bodies[i].info.identifier, manifest.bodies[i].topic,
       manifest.bodies[i].client_joints, [i](Simulation & s) {
         return part(s.world().state().bodies, i, ambf_dynamics::body_stride);
       }});
  }
  const auto add = [&](
                     const auto & infos, const std::vector<Roster::Object> & objects, auto state) {
    for (std::size_t i = 0; i < infos.size(); ++i) {
      all.push_back(
        {infos[i],
         objects[i].names.identifier,
         infos[i].topic,
         {},
         [i, state](Simulation & s) -> std::vector<double> { return state(s, i); }});
    }
  };
  add(manifest.soft_bodies, roster.soft_bodies, [](Simulation & s, std::size_t i) {
    return nodes_of(s.world().state(), i);
  });
  add(manifest.ghost_objects, roster.ghosts, [](Simulation & s, std::size_t i) {
    return pose_of_ghost(s.world(), i);
  });
  add(manifest.sensors, roster.sensors, [](Simulation & s, std::size_t i) {
    const auto reading =
      s.world().sensor_reading(static_cast<ambf_dynamics::SensorIndex>(i)).measurement;
    return std::vector<double>(reading.begin(), reading.end());
  });
  add(manifest.actuators, roster.actuators, [](Simulation & s, std::size_t i) {
    const auto actuator = s.world().actuator_state(static_cast<ambf_dynamics::ActuatorIndex>(i));
    return std::vector<double>{actuator.actuated ? 1.0 : 0.0};
  });
  add(manifest.cameras, roster.cameras, [](Simulation & s, std::size_t i) {
    return pose_of_view(s.content().cameras(), s, i);
  });
  add(manifest.lights, roster.lights, [](Simulation & s, std::size_t i) {
    return pose_of_view(s.content().lights(), s, i);
  });
  for (std::size_t i = 0; i < roster.joints.size(); ++i) {
    const auto & joint = manifest.joints[i];
    Known known;
    known.info.identifier = joint.identifier;
    known.info.name = joint.name;
    known.info.kind = "JOINT";
    known.info.model = joint.model;
    known.info.parent = joint.parent;
    known.identifier = roster.joints[i].identifier;
    known.full = roster.joint_places[i] + joint.name;
    known.joints = {static_cast<std::uint32_t>(i)};
    known.state = [i](Simulation & s) {
      return part(s.world().state().joints, i, ambf_dynamics::joint_stride);
    };
    all.push_back(std::move(known));
  }
  for (const auto & model : manifest.models) {
    Known known;
    known.info.identifier = known.info.name = known.info.model = known.identifier = model.name;
    known.info.topic = model.topic;
    known.info.kind = "MODEL";
    for (std::uint32_t i = 0; i < manifest.joints.size(); ++i) {
      if (manifest.joints[i].model == model.name) { known.joints.push_back(i); }
    }
    all.push_back(std::move(known));
  }
  return all;
}

/// The best matches: by full name, by short name, a model (often named like its only body), by the end of the
/// full name, by a part of it.
std::vector<const Known *> matches(const std::vector<Known> & all, const std::string & name)
{
  const std::string below_world = std::string(ambf_adf::default_namespace) + name;
  std::vector<const Known *> full, brief, models, ends, partial;
  for (const auto & one : all) {
    if (name.empty()) { continue; }
    if (one.info.kind == "MODEL") {
      if (one.info.name == name || one.info.topic == name) { models.push_back(&one); }
    } else if (
      one.info.identifier == name || one.info.topic == name || one.full.ends_with(below_world)) {
      full.push_back(&one);
    } else if (one.info.name == name || one.identifier == name) {
      brief.push_back(&one);
    } else if (
      ambf_adf::is_name_of(name, one.full) || ambf_adf::is_name_of(name, one.info.identifier) ||
      ambf_adf::is_name_of(name, one.info.model + "/" + one.info.name)) {
      ends.push_back(&one);
    } else if (one.info.identifier.find(name) != std::string::npos) {
      partial.push_back(&one);
    }
  }
  return !full.empty()     ? full
         : !brief.empty()  ? brief
         : !models.empty() ? models
         : !ends.empty()   ? ends
                           : partial;
}

/// Of nodes, three numbers each.
std::vector<double> centre_of(const std::vector<double> & nodes)
{
  std::vector<double> sum(3, 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    sum[i % 3] += 3.0 * nodes[i] / static_cast<double>(nodes.size());
  }
  return sum;
}

/// "rigid body 'link' of model 'psm': 0.5 kg, carried by psm/base, 3 joints below it, no topics (...)"
std::string in_words(const Known & known, const Roster & roster)
{
  const auto & info = known.info;
  std::string kind = info.kind;
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) {
    return c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  });
  std::vector<std::string> parts;
  const auto count_joints = [&](std::size_t n, const std::string & what) {
    parts.push_back(std::to_string(n) + (n == 1 ? " joint" : " joints") + what);
  };
  if (info.kind == "RIGID_BODY" || info.kind == "SOFT_BODY") {
    std::ostringstream mass;
    mass << info.mass << " kg";
    parts.push_back(info.mass > 0.0 ? mass.str() : "stands still or goes where it is put (mass 0)");
  }
  if (!info.parent.empty()) { parts.push_back("parent " + info.parent); }
  if (info.kind == "RIGID_BODY") { count_joints(known.joints.size(), " below it"); }
  if (info.kind == "MODEL") {
    const auto is_its = [&](const auto & object) { return object.model == info.name; };
    const auto & bodies = roster.manifest.bodies;
    parts.push_back(
      std::to_string(std::count_if(bodies.begin(), bodies.end(), is_its)) + " bodies");
    count_joints(known.joints.size(), "");
  }
  if (info.kind != "JOINT" && info.kind != "MODEL") {
    parts.push_back(
      info.without_topics
        ? "no topics: it is passive in its description, or the parameter 'publish' leaves it out"
        : "State on " + info.topic + "/State");
  }
  std::string text = kind + " '" + info.name + "'";
  if (!info.model.empty() && info.kind != "MODEL") { text += " of model '" + info.model + "'"; }
  for (std::size_t i = 0; i < parts.size(); ++i) { text += (i == 0 ? ": " : ", ") + parts[i]; }
  return text;
}

}  // namespace

void query(
  const QueryObject::Request & request, const Roster & roster, Simulation & simulation,
  QueryObject::Response & response)
{
  const std::string & name = request.name;
  const auto all = everything(roster);
  const auto hits = matches(all, name);
  if (hits.size() != 1) {
    std::vector<std::string> names;
    for (const auto & one : all) { names.push_back(one.info.name); }
    response.message =
      hits.empty() ? "no object '" + name + "'; nearest: " + nearest_names(name, names)
                   : "'" + name + "' fits " + std::to_string(hits.size()) + " names, for example " +
                       hits[0]->info.kind + " " + hits[0]->info.identifier + " and " +
                       hits[1]->info.kind + " " + hits[1]->info.identifier;
    return;
  }
  const Known & known = *hits.front();
  response.ok = true;
  response.info = known.info;
  response.message = in_words(known, roster);
  if (request.details || known.info.kind == "JOINT") {
    for (const auto joint : known.joints) {
      response.joints.push_back(roster.manifest.joints[joint]);
    }
  }
  for (const auto & model : roster.manifest.models) {
    if (request.details && model.name == known.info.model) { response.adf = model.adf; }
  }
  const Ownership::Token token(simulation.ownership());
  if (!known.state || simulation.world().revision() != roster.revision) { return; }
  response.state = known.state(simulation);
  if (!request.details && known.info.kind == "SOFT_BODY") {
    response.state = centre_of(response.state);
  }
}

}  // namespace ambf_physics
