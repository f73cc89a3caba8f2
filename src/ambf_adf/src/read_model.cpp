// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "ambf_adf/names.hpp"
#include "read_files.hpp"
#include "read_objects.hpp"
#include "topics.hpp"

namespace ambf_adf
{
namespace
{

const char * const list_names[] = {"bodies",  "soft bodies", "ghost objects", "joints",
                                   "sensors", "actuators",   "vehicles",      "volumes",
                                   "cameras", "lights"};

template <class Object, class Read>
void read_list(
  std::vector<Object> & objects, MapReader & top, const YamlNode & root, const char * list,
  const FileContext & file, Read read)
{
  for (const Block & block : listed_blocks(top, root, list)) {
    if (std::optional<Object> object = read(block, file, top.sink())) {
      objects.push_back(std::move(*object));
    }
  }
}

/// A reference to a block that is there but switched off is the usual slip with header lists.
void check_reference(
  const std::string & reference, const ObjectHeader & header, const char * key, const char * list,
  const std::set<std::string> & listed, const YamlNode & root, ProblemSink & sink)
{
  if (reference.empty() || listed.contains(reference)) { return; }
  const YamlNode * block = nullptr;
  if (const YamlEntry * entry = root.find(header.identifier)) { block = entry->value.get(); }
  const YamlEntry * place = block ? block->find(key) : nullptr;
  const Mark where = place ? place->mark : header.where;
  const std::string path = header.identifier + "/" + key;
  if (root.find(reference) != nullptr) {
    sink.add(
      Severity::Warning, ProblemKind::UnlistedBlock, where, path,
      "'" + reference + "', whose block is not in the list '" + list + "'", "a listed body",
      "add it to the list; without it '" + header.identifier + "' is left out");
  } else if (key == std::string("child") || reference.find('/') == std::string::npos) {
    sink.add(
      Severity::Warning, ProblemKind::UnresolvedReference, where, path,
      "'" + reference + "', which is not in this file", "a body",
      "it must be loaded from another file before this one");
  }
}

void check_references(const Model & model, const YamlNode & root, ProblemSink & sink)
{
  std::set<std::string> bodies;
  for (const auto & body : model.bodies) {
    bodies.insert(body.header.identifier);
    bodies.insert(body.header.qualified);
  }
  for (const auto & joint : model.joints) {
    check_reference(joint.parent, joint.header, "parent", "bodies", bodies, root, sink);
    check_reference(joint.child, joint.header, "child", "bodies", bodies, root, sink);
  }
  for (const auto & sensor : model.sensors) {
    check_reference(sensor.parent, sensor.header, "parent", "bodies", bodies, root, sink);
  }
  for (const auto & actuator : model.actuators) {
    check_reference(actuator.parent, actuator.header, "parent", "bodies", bodies, root, sink);
  }
  for (const auto & vehicle : model.vehicles) {
    check_reference(vehicle.chassis, vehicle.header, "chassis", "bodies", bodies, root, sink);
  }
}

void spread_gravity(Model & model)
{
  for (auto & body : model.bodies) { body.gravity = body.gravity ? body.gravity : model.gravity; }
  for (auto & body : model.soft_bodies) {
    body.gravity = body.gravity ? body.gravity : model.gravity;
  }
}

}  // namespace

Model read_model(
  const YamlNode & root, const SourceText & source, const ParseOptions & options,
  ProblemSink & sink)
{
  MapReader top(&root, "", sink);
  check_version(top);
  refuse_other_kind(root, FileKind::Model, source.file, sink);
  Model model;
  model.name = source.name;
  model.source_file = source.file;
  model.resource_base = source.resource_base;
  const std::string ns = top.text("namespace", "");
  model.ns =
    join_namespace(options.namespace_prefix, ns.empty() ? "" : join_namespace("", ns).substr(1));
  if (ns.empty()) {
    model.ns = join_namespace(
      options.namespace_prefix, join_namespace("", options.default_namespace).substr(1));
  }
  model.high_resolution_path = top.text("high resolution path", "");
  model.low_resolution_path = top.text("low resolution path", "");
  model.ignore_inter_collision = top.boolean("ignore inter-collision", false);
  model.gravity = top.vector("gravity");
  const FileContext file{
    options, source.resource_base, model.ns, model.high_resolution_path, model.low_resolution_path};
  model.shaders = read_shaders(top, "shaders", file);
  model.plugins = read_plugins(top);
  top.ineffective("joint erp", "AMBF 2.0 reads it without effect; give it to the joints");
  top.ineffective("joint cfm", "AMBF 2.0 reads it without effect; give it to the joints");
  for (const char * list : list_names) { top.known(list); }

  read_list(model.bodies, top, root, "bodies", file, read_body);
  read_list(model.soft_bodies, top, root, "soft bodies", file, read_soft_body);
  read_list(model.ghost_objects, top, root, "ghost objects", file, read_ghost_object);
  read_list(model.sensors, top, root, "sensors", file, read_sensor);
  read_list(model.actuators, top, root, "actuators", file, read_actuator);
  read_list(model.joints, top, root, "joints", file, read_joint);
  read_list(model.vehicles, top, root, "vehicles", file, read_vehicle);
  read_list(model.cameras, top, root, "cameras", file, read_camera);
  read_list(model.lights, top, root, "lights", file, read_light);
  read_list(model.volumes, top, root, "volumes", file, read_volume);

  if (std::none_of(std::begin(list_names), std::end(list_names), [&](const char * l) {
        return root.find(l) != nullptr;
      })) {
    sink.add(
      Severity::Warning, ProblemKind::MissingKey, root.mark, "", "none of the lists of objects",
      "bodies, joints, sensors ...", "only what these lists name is loaded; this model is empty");
  }
  std::vector<std::string> value_keys(std::begin(list_names), std::end(list_names));
  for (const char * key :
       {"namespace", "high resolution path", "low resolution path", "ignore inter-collision",
        "plugins", "adf version"}) {
    value_keys.emplace_back(key);
  }
  warn_unknown_top_keys(top, value_keys, {"gravity", "shaders"});
  model.extensions = emit_yaml(top.leftovers());
  spread_gravity(model);
  for (const ObjectHeader * header : assign_topics(model)) {
    sink.add(
      Severity::Warning, ProblemKind::DuplicateName, header->where, header->identifier,
      "a second object with the name '" + header->name + "'", "different names in a namespace",
      "its topic is '" + header->topic + "'");
  }
  check_references(model, root, sink);
  return model;
}

}  // namespace ambf_adf
