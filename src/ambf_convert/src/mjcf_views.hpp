// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly.hpp"
#include "mjcf_values.hpp"

namespace ambf_convert
{

/// Reads cameras and lights of MJCF, which are met before the body that they are on has its name.
class MjcfViews
{
public:
  MjcfViews(XmlSource & source, const MjcfCompiler & compiler, const MjcfDefaults & defaults)
  : source_(source), compiler_(compiler), defaults_(defaults)
  {
  }

  void add(
    const XMLElement & element, const Isometry3d & t_link_frame, const std::string & child_class)
  {
    met_.push_back({&element, t_link_frame, child_class});
  }
  /// Those that were met since, for the link that they are on; "": the world.
  void read(const std::string & parent, Assembly & assembly);

private:
  struct View
  {
    const XMLElement * element;
    Isometry3d t_link_frame;
    std::string child_class;
  };

  ambf_adf::Camera read_camera(const View & view, const std::string & parent);
  ambf_adf::Light read_light(const View & view, const std::string & parent);

  XmlSource & source_;
  const MjcfCompiler & compiler_;
  const MjcfDefaults & defaults_;
  std::vector<View> met_;
  std::set<std::string> names_;
};

}  // namespace ambf_convert
