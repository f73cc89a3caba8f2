// SPDX-License-Identifier: BSD-3-Clause
#include "mjcf_views.hpp"

#include "outline.hpp"

namespace ambf_convert
{

void MjcfViews::read(const std::string & parent, Assembly & assembly)
{
  for (const View & view : met_) {
    if (std::string_view(view.element->Name()) == "light") {
      assembly.lights.push_back(read_light(view, parent));
      continue;
    }
    assembly.cameras.push_back(read_camera(view, parent));
    assembly.cameras.back().visible = assembly.cameras.size() == 1;
  }
  met_.clear();
}

ambf_adf::Camera MjcfViews::read_camera(const View & view, const std::string & parent)
{
  const MjcfElement element(source_, *view.element, defaults_, view.child_class, "camera");
  const Isometry3d t = view.t_link_frame * element.pose(compiler_);
  ambf_adf::Camera camera;
  camera.header.name = unique_name(element.word("name", "camera"), names_);
  camera.parent = parent;
  // It looks along -z, up is y.
  camera.location = t.translation();
  camera.look_at = t * Vector3d(0, 0, -1);
  camera.up = t.linear() * Vector3d::UnitY();
  camera.field_view_angle = element.number("fovy", 45.0) * MjcfCompiler{}.angle;
  camera.near_plane = 0.01;
  camera.far_plane = 50.0;
  if (element.word("mode", "fixed") != "fixed") {
    source_.lost(*view.element, "a camera that follows by itself", "it keeps its place");
  }
  return camera;
}

ambf_adf::Light MjcfViews::read_light(const View & view, const std::string & parent)
{
  const MjcfElement element(source_, *view.element, defaults_, view.child_class, "light");
  ambf_adf::Light light;
  light.header.name = unique_name(element.word("name", "light"), names_);
  light.parent = parent;
  light.location = view.t_link_frame * element.vector("pos", Vector3d::Zero());
  light.direction = view.t_link_frame.linear() * element.vector("dir", -Vector3d::UnitZ());
  light.cutoff_angle = element.number("cutoff", 45.0) * MjcfCompiler{}.angle;
  light.spot_exponent = element.number("exponent", 10.0);
  const Vector3d fall = element.vector("attenuation", Vector3d::UnitX());
  light.attenuation_constant = fall.x();
  light.attenuation_linear = fall.y();
  light.attenuation_quadratic = fall.z();
  light.shadow_quality = element.word("castshadow", "true") == "true" ? 3 : 0;
  if (element.word("directional", "false") == "true") {
    source_.lost(*view.element, "a light without a place", "a wide spot is taken");
    light.cutoff_angle = 1.2;
  }
  return light;
}

}  // namespace ambf_convert
