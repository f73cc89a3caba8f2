// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ambf_convert/convert.hpp"
#include "geometry.hpp"

namespace ambf_convert
{

/// An ADF model as writers of other formats need it: a tree, and joints beside it.
class Outline
{
public:
  static constexpr int none = -1;

  struct Body
  {
    const ambf_adf::RigidBody * source = nullptr;
    std::string name;  ///< unique among the bodies
    Isometry3d t_world_body = Isometry3d::Identity();
    int parent = none;  ///< body above it; none: a root
    int joint = none;   ///< joint to it
    bool still = false;
    std::vector<int> below;  ///< in order
  };
  struct Joint
  {
    const ambf_adf::Joint * source = nullptr;
    std::string name;  ///< unique among the joints
    ambf_adf::Joint
      joint;  ///< turned so that the parent is above the child; pivots times the bodies' scales
    int parent = none;
    int child = none;
    bool in_tree = false;
    double start = 0.0;  ///< joint value at which the bodies start
  };

  /// Joints of low cost come into the tree before others; those below 0 never do.
  using Cost = std::function<int(const ambf_adf::Joint &)>;
  Outline(const Model & model, const Cost & cost);

  const std::vector<Body> & bodies() const { return bodies_; }
  const std::vector<Joint> & joints() const { return joints_; }
  std::vector<int> roots() const;
  /// Number of the body with an identifier or qualified identifier; none: another model's.
  int find(const std::string & identifier) const;

private:
  void grow_tree(const Cost & cost);
  void place(int body);

  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::map<std::string, int> by_identifier_;
};

/// A name that is not in `taken`; adds it.
std::string unique_name(const std::string & wanted, std::set<std::string> & taken);

/// Where the centre of mass and the principal axes are, and the moments, as the dynamics takes them.
Principal inertial_of(const ambf_adf::RigidBody & body);

/// Everything that `format_name` has no word for, beside bodies and joints.
void list_other_losses(
  const Model & model, const std::string & format_name, bool cameras, bool lights, Problems & lost);

/// One loss.
ambf_adf::Problem loss(
  const Model & model, const std::string & object, const std::string & what,
  const std::string & format_name, const std::string & instead);

}  // namespace ambf_convert
