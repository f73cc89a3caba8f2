// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ambf_adf/scene.hpp"

namespace ambf_adf
{

/// Puts one model into a scene: namespaces, pose, unique names, references. The scene changes only
/// if nothing went wrong.
class ModelLinker
{
public:
  ModelLinker(Scene & scene, Model & model, const AddOptions & options)
  : scene_(scene), model_(model), options_(options)
  {
  }

  Errors link();

private:
  struct Named
  {
    ObjectKind kind;
    ObjectHeader * header;
    std::string old_identifier;
    std::string old_qualified;
    std::string old_name;
    bool renamed;
  };

  void collect();
  void prefix_namespaces();
  /// Where a namespace of the model comes to be; `own` is that of the model itself.
  std::string relocated(const std::string & ns, const std::string & own) const;
  void apply_pose();
  Errors make_names_unique();
  bool exists(const Named & object, const std::string & qualified) const;
  bool in_conflict(const Named & object) const;
  /// Marks objects in conflict for renaming; true if there are new ones.
  bool mark_conflicts();
  void give_number(int number);
  bool all_unique() const;
  void name_model();

  void resolve_references();
  /// The qualified identifier that a reference means; "" if none, with the reason in `reason`.
  std::string resolve(const std::string & reference, ObjectKind kind, Problem & reason) const;
  void link_grasp(Actuator & actuator);
  /// Replaces the reference; false and a warning if there is no such body.
  bool link_body(std::string & reference, const ObjectHeader & header, const char * key);
  void link_parent(std::string & reference);
  void remember();

  Scene & scene_;
  Model & model_;
  const AddOptions & options_;
  std::vector<Named> objects_;
};

}  // namespace ambf_adf
