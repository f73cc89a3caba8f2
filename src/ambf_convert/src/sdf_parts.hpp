// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include <sdf/sdf.hh>

#include "assembly.hpp"

namespace ambf_convert
{

// The library's own types of vectors and poses are named differently in its versions.
using SdfPose = std::decay_t<decltype(std::declval<sdf::Link>().RawPose())>;
using SdfVector = std::decay_t<decltype(std::declval<SdfPose>().Pos())>;

inline Vector3d to_eigen(const SdfVector & v) { return {v.X(), v.Y(), v.Z()}; }

inline Isometry3d to_eigen(const SdfPose & pose)
{
  const auto & q = pose.Rot();
  return isometry(
    to_eigen(pose.Pos()),
    Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized().toRotationMatrix());
}

/// Elements of a text have no file, and the library names it in brackets.
bool is_path(const std::string & file);

/// Shapes, materials, sensors and lights of SDF.
class SdfParts
{
public:
  /// Takes kind and name of an element, what ADF cannot say, and what is done instead.
  using Warn = std::function<void(
    const std::string &, const std::string &, const std::string &, const std::string &)>;

  SdfParts(const std::string & file, Warn warn) : file_(file), warn_(std::move(warn)) {}

  std::optional<ambf_adf::Material> material_of(const sdf::Visual & visual);
  std::optional<ambf_adf::Primitive> shape_of(
    const sdf::Geometry & geometry, const std::string & kind, const std::string & name);
  void read_sensor(
    Assembly & assembly, const sdf::Sensor & source, const std::string & link,
    const Isometry3d & t_link_sensor);
  void read_light(
    Assembly & assembly, const sdf::Light & source, const std::string & link,
    const Isometry3d & t_parent_light);

private:
  ambf_adf::RayArray rays_of(const sdf::Sensor & sensor, const sdf::Lidar & lidar);

  const std::string & file_;
  Warn warn_;
};

}  // namespace ambf_convert
