// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "ambf_adf/expected.hpp"
#include "ambf_adf/parse.hpp"

namespace ambf_simulation_interfaces
{

/// Addresses of all ADF files of a kind below `source` (a folder or a file, as path, file:// or
/// package:// address), sorted. The addresses start like the source.
ambf_adf::expected<std::vector<std::string>, std::string> find_files(
  const std::string & source, ambf_adf::FileKind kind);

/// One line each; `first` has the first `known` of them already.
std::string joined(std::string first, const std::vector<std::string> & more, std::size_t known = 0);

/// Why a namespace is no legal ROS namespace; empty: it is one, or is not given.
std::string namespace_problem(const std::string & ns);
/// Why an entity cannot have this name; empty: it can.
std::string name_problem(const std::string & name);

}  // namespace ambf_simulation_interfaces
