// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_adf/model.hpp"

namespace ambf_simulation
{

/// A frame that a URDF needs beside the bodies: where a joint turns, fixed to the child body.
struct PivotFrame
{
  std::string name;
  std::string body_frame;  ///< of the child
  Eigen::Isometry3d t_body_pivot = Eigen::Isometry3d::Identity();
};

struct Urdf
{
  std::string text;
  std::vector<PivotFrame> pivots;
};

/// tf frame of an object: its topic without the leading slash.
std::string frame_of(const std::string & topic);

/// A URDF of the spanning tree of a model's joints. URDF knows no loops: the joints that close one are
/// left out. Link frames are the ADF body frames; every joint has a massless link at its pivot.
Urdf to_urdf(const ambf_adf::Model & model, const std::string & root_frame);

}  // namespace ambf_simulation
