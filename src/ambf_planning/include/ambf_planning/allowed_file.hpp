// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/problem.hpp"
#include "ambf_dynamics/allowed_collisions.hpp"

namespace ambf_planning
{

/// A matrix as a file:
///
///     allowed collisions:
///     - [/ambf/env/psm/BODY tool yaw link, /ambf/env/psm/BODY tool gripper1 link]
///     - [a, b, adjacent]
///
/// The third word is the reason; without it, `given`. Errors say file, line and what to do.
ambf_adf::expected<ambf_dynamics::AllowedCollisions, ambf_adf::Errors> parse_allowed(
  std::string_view text, const std::string & name);
ambf_adf::expected<ambf_dynamics::AllowedCollisions, ambf_adf::Errors> read_allowed(
  const std::filesystem::path & file);

std::string write_allowed(const ambf_dynamics::AllowedCollisions & allowed);

}  // namespace ambf_planning
