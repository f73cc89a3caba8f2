// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include "assembly.hpp"
#include "mjcf_values.hpp"

namespace ambf_convert
{

/// Reads what ties the bodies of an MJCF file beside its tree: equalities, actuators, contacts.
class MjcfConstraints
{
public:
  /// `ground`: the link of the world, -1 where it has no shapes.
  MjcfConstraints(
    XmlSource & source, Assembly & assembly, const MjcfDefaults & defaults, int ground,
    std::set<std::string> & joint_names)
  : source_(source),
    assembly_(assembly),
    defaults_(defaults),
    ground_(ground),
    joint_names_(joint_names)
  {
  }

  void read(const XMLElement & root);

private:
  /// Number of a body of an equality; -1: the world; -3: there is none.
  int body_named(const XMLElement & element, const char * attribute);
  Isometry3d place(int body);
  /// A joint at a place in the first body; the second has it where it stands.
  void add_loop(
    const XMLElement & element, ambf_adf::JointType type, int first, int second,
    const Isometry3d & t_first_joint, const Vector3d & axis);
  void read_equalities(const XMLElement & equality);
  void read_joint_equality(const XMLElement & element);
  /// Bodies with a joint between them do not collide anyway.
  void read_contacts(const XMLElement & contact);
  void read_actuators(const XMLElement & actuators);

  XmlSource & source_;
  Assembly & assembly_;
  const MjcfDefaults & defaults_;
  int ground_;
  std::set<std::string> & joint_names_;
};

}  // namespace ambf_convert
