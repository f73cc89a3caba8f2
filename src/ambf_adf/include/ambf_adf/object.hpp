// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "ambf_adf/problem.hpp"

namespace ambf_adf
{

/// A frame B in a reference frame A as ADF writes it: position in metres and fixed-axis
/// roll-pitch-yaw in radians, R_AB = Rz(yaw) Ry(pitch) Rx(roll). The file's own numbers are kept,
/// so that writing a model gives them back exactly.
struct Pose
{
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< p_AB in A [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();       ///< roll, pitch, yaw [rad]

  Eigen::Matrix3d rotation() const;                  ///< R_AB
  Eigen::Isometry3d isometry() const;                ///< T_AB
  static Pose from(const Eigen::Isometry3d & t_ab);  ///< pitch in [-pi/2, pi/2]

  friend bool operator==(const Pose &, const Pose &) = default;
};

/// A shared library that acts inside the step, see ambf_simulation/plugin.hpp.
struct Plugin
{
  std::string name;
  std::string filename;
  std::string path;  ///< as written: relative to the file that names it, or absolute
  friend bool operator==(const Plugin &, const Plugin &) = default;
};

/// State topic rates [Hz]: `low` while nobody commands the object, `high` while somebody does.
struct PublishFrequency
{
  double low = 50.0;
  double high = 1000.0;
  friend bool operator==(const PublishFrequency &, const PublishFrequency &) = default;
};

/// What every object of a model carries, whatever its kind.
struct ObjectHeader
{
  std::string identifier;  ///< key of the block, spaces kept ("BODY base link"); references use it
  std::string name;  ///< published name: the file's `name` without its spaces; identifier if absent
  std::string ns;    ///< resolved namespace, absolute and with a closing slash ("/ambf/env/psm/")
  /// Unique in a scene: ns + identifier + the number that a rename on conflict added.
  /// After parsing alone it is ns + identifier; `Scene::add` makes it unique.
  std::string qualified;
  /// ROS-legal topic base, unique in a scene ("/ambf/env/psm/baselink"), see names.hpp.
  std::string topic;
  bool passive = false;  ///< true: no State and Command topics
  PublishFrequency publish_frequency;
  std::vector<Plugin> plugins;
  Mark where;  ///< place of the block's key
  /// The block as YAML text with aliases expanded, for extensions that read keys of their own.
  std::string raw_yaml;
  /// The keys of the block that the format does not know, as YAML text; "" if there are none.
  std::string extensions;

  friend bool operator==(const ObjectHeader & a, const ObjectHeader & b)
  {
    // raw_yaml is a copy of the source text, not a value: the same model written differently is
    // equal.
    return a.identifier == b.identifier && a.name == b.name && a.ns == b.ns &&
           a.qualified == b.qualified && a.topic == b.topic && a.passive == b.passive &&
           a.publish_frequency == b.publish_frequency && a.plugins == b.plugins &&
           a.extensions == b.extensions;
  }
};

}  // namespace ambf_adf
