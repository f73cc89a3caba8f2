// SPDX-License-Identifier: BSD-3-Clause
#include "scene_linker.hpp"

#include <algorithm>

#include "ambf_adf/names.hpp"
#include "topics.hpp"

namespace ambf_adf
{
namespace
{

/// AMBF tries 100 numbers; a scene of many equal models needs more.
constexpr int largest_number = 100000;

std::string joined(const std::vector<std::string> & names)
{
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) {
    text += (i ? ", '" : "'") + names[i] + "'";
  }
  return names.size() > 5 ? text + " ..." : text;
}

}  // namespace

Errors ModelLinker::link()
{
  collect();
  if (options_.place_by_name && options_.allow_rename) {
    name_model();  // a second "left" is "left1" as a whole
  }
  prefix_namespaces();
  if (options_.pose) { apply_pose(); }
  Errors errors = make_names_unique();
  if (!errors.empty()) { return errors; }
  name_model();
  // What a file alone cannot know: from here on there is a warning for what is truly missing.
  std::erase_if(model_.warnings, [](const Problem & problem) {
    return problem.kind == ProblemKind::UnresolvedReference;
  });
  resolve_references();
  remember();
  return {};
}

void ModelLinker::collect()
{
  const auto add = [this](auto & objects, ObjectKind kind) {
    for (auto & object : objects) {
      ObjectHeader & header = object.header;
      objects_.push_back({kind, &header, header.identifier, header.qualified, header.name, false});
    }
  };
  add(model_.bodies, ObjectKind::Body);
  add(model_.soft_bodies, ObjectKind::SoftBody);
  add(model_.ghost_objects, ObjectKind::GhostObject);
  add(model_.joints, ObjectKind::Joint);
  add(model_.sensors, ObjectKind::Sensor);
  add(model_.actuators, ObjectKind::Actuator);
  add(model_.vehicles, ObjectKind::Vehicle);
  add(model_.volumes, ObjectKind::Volume);
  add(model_.cameras, ObjectKind::Camera);
  add(model_.lights, ObjectKind::Light);
}

void ModelLinker::prefix_namespaces()
{
  if (options_.namespace_prefix.empty() && options_.below.empty() && !options_.place_by_name) {
    return;
  }
  const std::string own = join_namespace("", model_.ns);
  const auto prefixed = [&](const std::string & ns) {
    return join_namespace(options_.namespace_prefix, relocated(ns, own).substr(1));
  };
  model_.ns = prefixed(model_.ns);
  for (auto & object : objects_) {
    ObjectHeader & header = *object.header;
    header.ns = prefixed(header.ns);
    header.qualified = header.ns + header.identifier;
  }
  assign_topics(model_);
}

std::string ModelLinker::relocated(const std::string & ns, const std::string & own) const
{
  const std::string from = join_namespace("", ns);
  if (options_.below.empty() && !options_.place_by_name) { return from; }
  const auto cut = [](std::string_view path, std::string_view start) {
    return path.starts_with(start) ? path.substr(start.size()) : path.substr(1);
  };
  const std::string below = join_namespace("", options_.below);
  std::string place = options_.place_by_name ? model_.name : "";
  if (options_.below.empty() && published_name(place) == reserved_topic_name) {
    place += "_";  // the world's own topics are there
  }
  const std::string to = join_namespace(
    join_namespace(default_namespace, cut(below, default_namespace)),
    place.substr(std::min(place.find_first_not_of('/'), place.size())));
  const bool takes_place = !place.empty() && from.starts_with(own);
  return join_namespace(to, cut(from, takes_place ? std::string_view(own) : default_namespace));
}

void ModelLinker::apply_pose()
{
  const Eigen::Isometry3d t_wm = options_.pose->isometry();
  const auto move = [&](Pose & pose) { pose = Pose::from(t_wm * pose.isometry()); };
  const auto move_free = [&](auto & objects) {
    for (auto & object : objects) {
      if (object.parent.empty()) { move(object.location); }
    }
  };
  for (auto & body : model_.bodies) { move(body.location); }
  for (auto & body : model_.soft_bodies) { move(body.location); }
  move_free(model_.ghost_objects);
  move_free(model_.volumes);
  for (auto & camera : model_.cameras) {
    if (camera.parent.empty()) {
      camera.location = t_wm * camera.location;
      camera.look_at = t_wm * camera.look_at;
      camera.up = t_wm.linear() * camera.up;
    }
  }
  for (auto & light : model_.lights) {
    if (light.parent.empty()) {
      light.location = t_wm * light.location;
      light.direction = t_wm.linear() * light.direction;
    }
  }
}

bool ModelLinker::exists(const Named & object, const std::string & qualified) const
{
  const auto [first, last] = scene_.objects_.equal_range(qualified);
  return std::any_of(
    first, last, [&](const auto & entry) { return entry.second.kind == object.kind; });
}

bool ModelLinker::in_conflict(const Named & object) const
{
  const ObjectHeader & header = *object.header;
  return exists(object, header.qualified) ||
         (!header.topic.empty() && scene_.topics_.contains(header.topic));
}

void ModelLinker::give_number(int number)
{
  const std::string suffix = std::to_string(number);
  for (Named & object : objects_) {
    if (object.renamed) {
      ObjectHeader & header = *object.header;
      header.identifier = object.old_identifier + suffix;
      header.name = object.old_name + suffix;
      header.qualified = header.ns + header.identifier;
    }
  }
  assign_topics(model_);
}

bool ModelLinker::all_unique() const
{
  std::set<std::pair<ObjectKind, std::string>> own;
  return std::all_of(objects_.begin(), objects_.end(), [&](const Named & o) {
    return !in_conflict(o) && own.emplace(o.kind, o.header->qualified).second;
  });
}

bool ModelLinker::mark_conflicts()
{
  bool more = false;
  for (auto & object : objects_) {
    if (!object.renamed && in_conflict(object)) {
      object.renamed = true;
      more = true;
    }
  }
  return more;
}

Errors ModelLinker::make_names_unique()
{
  if (!mark_conflicts()) { return {}; }
  if (options_.allow_rename) {
    for (int number = 1; number < largest_number; ++number) {
      const auto taken = [&](const Named & o) {
        return o.renamed && exists(o, o.header->ns + o.old_identifier + std::to_string(number));
      };
      if (std::any_of(objects_.begin(), objects_.end(), taken)) { continue; }
      give_number(number);
      // New names may move the topics of objects that were free before.
      while (mark_conflicts()) { give_number(number); }
      if (all_unique()) { return {}; }
    }
  }
  Errors errors;
  for (const Named & object : objects_) {
    if (object.renamed) {
      errors.push_back(
        {Severity::Error, ProblemKind::DuplicateName, model_.source_file, object.header->where,
         object.old_identifier, "'" + object.old_qualified + "', which exists already",
         "a new name", "load the model into another namespace or allow renaming"});
    }
  }
  return errors;
}

void ModelLinker::name_model()
{
  const std::string base = model_.name;
  for (int i = 1; scene_.models_.contains(model_.name); ++i) {
    model_.name = base + std::to_string(i);
  }
}

std::string ModelLinker::resolve(
  const std::string & reference, ObjectKind kind, Problem & reason) const
{
  const auto unique_local = [&](auto matches) -> const Named * {
    const Named * found = nullptr;
    for (const auto & object : objects_) {
      if (object.kind == kind && matches(object)) {
        if (found != nullptr) { return nullptr; }
        found = &object;
      }
    }
    return found;
  };
  // The model's own objects under the names of its file, whatever they are called now.
  if (const Named * own = unique_local([&](const Named & o) {
        return o.old_identifier == reference || o.old_qualified == reference ||
               o.header->qualified == reference;
      })) {
    return own->header->qualified;
  }
  // What is at the model's own place goes before the same name elsewhere: a tool finds the arm at whose
  // place it is loaded.
  const std::string beside = model_.ns + reference;
  const auto [first, last] = scene_.objects_.equal_range(beside);
  if (std::any_of(first, last, [&](const auto & entry) { return entry.second.kind == kind; })) {
    return beside;
  }
  const std::vector<std::string> known = scene_.find(reference, kind);
  const bool exact =
    known.size() == 1 && (known.front() == reference || known.front().ends_with("/" + reference));
  if (exact) { return known.front(); }
  if (const Named * own = unique_local([&](const Named & o) {
        return o.old_qualified.find(reference) != std::string::npos;
      })) {
    return own->header->qualified;
  }
  if (known.size() == 1) { return known.front(); }
  if (known.size() > 1) {
    reason.kind = ProblemKind::AmbiguousReference;
    reason.found = "'" + reference + "', which may be any of " + joined(known);
    reason.expected = "a full name";
  } else {
    reason.kind = ProblemKind::UnresolvedReference;
    reason.found = "'" + reference + "', which is neither in this model nor loaded";
    reason.expected = "the name of a body";
  }
  return {};
}

bool ModelLinker::link_body(std::string & reference, const ObjectHeader & header, const char * key)
{
  Problem reason;
  reason.severity = Severity::Warning;
  std::string target = resolve(reference, ObjectKind::Body, reason);
  if (target.empty()) {
    reason.file = model_.source_file;
    reason.where = header.where;
    reason.key = header.identifier + "/" + key;
    reason.hint =
      "'" + header.identifier + "' is left out; load the body first or correct the name";
    model_.warnings.push_back(std::move(reason));
    return false;
  }
  reference = std::move(target);
  return true;
}

void ModelLinker::link_grasp(Actuator & actuator)
{
  if (!actuator.grasp) { return; }
  const auto link = [&](std::string & reference, ObjectKind kind, const char * key) {
    Problem reason;
    reason.severity = Severity::Warning;
    std::string target = resolve(reference, kind, reason);
    if (!target.empty()) {
      reference = std::move(target);
      return true;
    }
    reason.file = model_.source_file;
    reason.where = actuator.header.where;
    reason.key = actuator.header.identifier + "/grasp/" + key;
    if (reason.kind == ProblemKind::UnresolvedReference) {
      reason.expected = kind == ObjectKind::Sensor ? "the name of a sensor" : "the name of a joint";
    }
    reason.hint = "'grasp' is left out: the actuator takes what it is commanded to take";
    model_.warnings.push_back(std::move(reason));
    return false;
  };
  Grasp & grasp = *actuator.grasp;
  bool good = link(grasp.sensor, ObjectKind::Sensor, "sensor");
  for (std::string & joint : grasp.joints) {
    good = link(joint, ObjectKind::Joint, "joints") && good;
  }
  if (!good) { actuator.grasp.reset(); }
}

void ModelLinker::link_parent(std::string & reference)
{
  if (reference.empty()) { return; }
  Problem reason;
  for (const ObjectKind kind : {ObjectKind::Body, ObjectKind::Camera}) {
    std::string target = resolve(reference, kind, reason);
    if (!target.empty()) {
      reference = std::move(target);
      return;
    }
  }
}

void ModelLinker::resolve_references()
{
  for (auto & ghost : model_.ghost_objects) { link_parent(ghost.parent); }
  for (auto & volume : model_.volumes) { link_parent(volume.parent); }
  for (auto & camera : model_.cameras) { link_parent(camera.parent); }
  for (auto & light : model_.lights) { link_parent(light.parent); }
  for (auto & body : model_.soft_bodies) {
    std::erase_if(
      body.anchors, [&](SoftAnchor & a) { return !link_body(a.body, body.header, "anchors"); });
  }
  // First resolve all, then drop: dropping moves the objects that objects_ points to.
  std::set<std::string> left_out;
  const auto drop = [&](auto & objects, auto link) {
    std::vector<bool> keep(objects.size(), true);
    for (std::size_t i = 0; i < objects.size(); ++i) { keep[i] = link(objects[i]); }
    return keep;
  };
  const auto joints = drop(model_.joints, [&](Joint & j) {
    const bool parent = link_body(j.parent, j.header, "parent");
    const bool both = link_body(j.child, j.header, "child") && parent;
    if (both && j.parent == j.child) {
      model_.warnings.push_back(
        {Severity::Warning, ProblemKind::BadValue, model_.source_file, j.header.where,
         j.header.identifier + "/child", "'" + j.child + "', which is also the parent",
         "another body", "'" + j.header.identifier + "' is left out"});
    }
    return both && j.parent != j.child;
  });
  const auto sensors =
    drop(model_.sensors, [&](Sensor & s) { return link_body(s.parent, s.header, "parent"); });
  const auto actuators =
    drop(model_.actuators, [&](Actuator & a) { return link_body(a.parent, a.header, "parent"); });
  for (auto & actuator : model_.actuators) { link_grasp(actuator); }
  const auto vehicles = drop(model_.vehicles, [&](Vehicle & v) {
    bool good = link_body(v.chassis, v.header, "chassis");
    for (auto & wheel : v.wheels) {
      good = (wheel.body.empty() || link_body(wheel.body, v.header, "wheels")) && good;
    }
    return good;
  });
  objects_.clear();
  const auto erase = [](auto & objects, const std::vector<bool> & keep) {
    std::size_t i = 0;
    std::erase_if(objects, [&](const auto &) { return !keep[i++]; });
  };
  erase(model_.joints, joints);
  erase(model_.sensors, sensors);
  erase(model_.actuators, actuators);
  erase(model_.vehicles, vehicles);
}

void ModelLinker::remember()
{
  collect();
  scene_.models_.insert(model_.name);
  for (const auto & object : objects_) {
    const ObjectHeader & header = *object.header;
    scene_.objects_.emplace(
      header.qualified, Scene::Entry{object.kind, header.identifier, header.topic, model_.name});
    if (!header.topic.empty()) { scene_.topics_.insert(header.topic); }
  }
}

}  // namespace ambf_adf
