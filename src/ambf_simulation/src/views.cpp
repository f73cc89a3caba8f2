// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/views.hpp"

#include "ambf_dynamics/state.hpp"

namespace ambf_simulation
{

using Eigen::Isometry3d;
using Eigen::Vector3d;

namespace
{

void write(const Isometry3d & t, double * to)
{
  const Eigen::Quaterniond q(t.linear());
  to[0] = t.translation().x();
  to[1] = t.translation().y();
  to[2] = t.translation().z();
  to[3] = q.x();
  to[4] = q.y();
  to[5] = q.z();
  to[6] = q.w();
}

}  // namespace

ambf_adf::Model views_of(const ambf_adf::World & world)
{
  ambf_adf::Model model;
  model.name = "World";
  model.ns = world.ns;
  model.cameras = world.cameras;
  model.lights = world.lights;
  return model;
}

Isometry3d parent_pose(
  const View & of, const std::vector<View> & cameras, const std::vector<double> & bodies)
{
  const View * view = &of;
  Isometry3d t = Isometry3d::Identity();
  for (std::size_t hops = 0; view->camera < cameras.size() && hops < cameras.size(); ++hops) {
    view = &cameras[view->camera];
    t = view->t_parent_view * t;
  }
  const std::size_t first = view->body * ambf_dynamics::body_stride;
  if (view->body != ambf_dynamics::no_index && first + 7 <= bodies.size()) {
    const double * b = bodies.data() + first;
    Isometry3d t_world_body = Isometry3d::Identity();
    t_world_body.translation() = Vector3d(b[0], b[1], b[2]);
    t_world_body.linear() = Eigen::Quaterniond(b[6], b[3], b[4], b[5]).toRotationMatrix();
    t = t_world_body * t;
  }
  return t;
}

void world_poses(
  const std::vector<View> & views, const std::vector<View> & cameras,
  const std::vector<double> & bodies, std::vector<double> & out)
{
  out.resize(views.size() * 7);
  for (std::size_t i = 0; i < views.size(); ++i) {
    write(parent_pose(views[i], cameras, bodies) * views[i].t_parent_view, out.data() + 7 * i);
  }
}

void parent_poses(const std::vector<View> & views, std::vector<double> & out)
{
  out.resize(views.size() * 7);
  for (std::size_t i = 0; i < views.size(); ++i) {
    write(views[i].t_parent_view, out.data() + 7 * i);
  }
}

}  // namespace ambf_simulation
