// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/model.hpp"
#include "ambf_arms/chain.hpp"
#include "ambf_arms/dynamics.hpp"
#include "ambf_arms/inverse.hpp"

namespace ambf_arms
{

/// Which part of an ADF model is an arm. Names are identifiers ("BODY base link"), the same without
/// "BODY " or "JOINT ", or published names.
struct MechanismRequest
{
  std::string base;
  std::string tip;
  std::vector<std::string> joints;  ///< in order; empty: every driven joint between base and tip
};

/// A passive joint that follows driven ones because a loop makes it.
struct Follower
{
  std::string joint;  ///< identifier
  Step step;          ///< value = offset + sum(ratio * joint)
};

/// An arm as its ADF model has it: frames are body frames, the zero of a joint is the model's.
struct Mechanism
{
  std::vector<std::string> joints;  ///< identifiers of the driven joints
  Bounds bounds;                    ///< of the model; infinite where it gives none
  Chain chain;                      ///< base body to tip body
  std::vector<Link> links;          ///< every body that hangs on the base, for `Dynamics`
  std::vector<std::string> bodies;  ///< identifiers of the links
  std::vector<Follower> followers;
};

/// Finds the chain from base to tip. Loops are closed by making passive joints follow the driven ones
/// in proportion, as those of parallelograms do; where that does not close a loop, where a joint of
/// the chain has more than one axis, or where nothing drives it, the error says which one.
/// Driven joints that are not the arm's (jaws) stay at 0.
ambf_adf::expected<Mechanism, ambf_adf::Errors> read_mechanism(
  const ambf_adf::Model & model, const MechanismRequest & request);

}  // namespace ambf_arms
