// SPDX-License-Identifier: BSD-3-Clause
#include "assembly.hpp"

#include <algorithm>

namespace ambf_convert
{

void Link::set_inertial(double mass, const Isometry3d & t_link_center, const Matrix3d & tensor)
{
  has_mass = mass > 0.0;
  body.mass = mass;
  const Principal principal = principal_axes(tensor, t_link_center);
  body.inertial_offset = pose_of(principal.t_link_principal);
  // Without any inertia that of the shape is taken.
  if (principal.moments.maxCoeff() > 0.0) { body.inertia = principal.moments; }
}

std::string body_identifier(const std::string & name) { return "BODY " + name; }
std::string joint_identifier(const std::string & name) { return "JOINT " + name; }

void look_along_x(ambf_adf::Camera & camera, const Isometry3d & t_parent_view)
{
  camera.location = t_parent_view.translation();
  camera.look_at = t_parent_view * Vector3d::UnitX();
  camera.up = t_parent_view.linear() * Vector3d::UnitZ();
}

namespace
{

/// What the joint does to its frame at its start value.
Isometry3d motion(const Tie & tie, const std::map<std::string, double> & start)
{
  const auto found = start.find(tie.joint.header.name);
  const double q = found == start.end() ? 0.0 : found->second;
  Isometry3d t = Isometry3d::Identity();
  if (turns(tie.joint.type)) { t.linear() = Eigen::AngleAxisd(q, tie.axis).toRotationMatrix(); }
  if (slides(tie.joint.type)) { t.translation() = q * tie.axis; }
  return t;
}

}  // namespace

void place_links(Assembly & assembly, const std::map<std::string, double> & start)
{
  std::vector<bool> placed(assembly.links.size(), false);
  const auto is_child = [&](std::size_t i) {
    return std::any_of(assembly.ties.begin(), assembly.ties.end(), [&](const Tie & tie) {
      return tie.child == static_cast<int>(i);
    });
  };
  for (std::size_t i = 0; i < placed.size(); ++i) { placed[i] = !is_child(i); }
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto & tie : assembly.ties) {
      const auto child = static_cast<std::size_t>(tie.child);
      if (tie.child < 0 || placed[child]) { continue; }
      if (tie.parent >= 0 && !placed[static_cast<std::size_t>(tie.parent)]) { continue; }
      const Isometry3d t_world_parent =
        tie.parent < 0 ? Isometry3d::Identity()
                       : assembly.links[static_cast<std::size_t>(tie.parent)].t_world_link;
      assembly.links[child].t_world_link =
        t_world_parent * tie.t_parent_joint * motion(tie, start) * tie.t_child_joint.inverse();
      placed[child] = true;
      moved = true;
    }
  }
}

}  // namespace ambf_convert
