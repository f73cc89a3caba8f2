// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ambf_adf/expected.hpp"

namespace ambf_adf
{

/// The folder `share/<package>` of an installed package, looked for in the prefixes of
/// AMENT_PREFIX_PATH, the first that has it; absent: none has.
std::optional<std::filesystem::path> package_folder(const std::string & package);

/// A path as descriptions write it: relative to `folder`, absolute, or an address (file://,
/// package://NAME/...). An address that leads nowhere stays as it is, so that the message about the
/// missing file shows it.
std::string resolve_path(const std::string & folder, const std::string & path);

/// The same for a file in a folder that is itself relative to `base`; an address of the file does
/// not look at the folder.
std::string resolve_path(
  const std::string & base, const std::string & folder, const std::string & name);

/// The path that an address means by itself: a plain path as it is, file:// and package:// resolved.
/// The error says what was found, what is wrong with it and what to do.
expected<std::string, std::string> path_of_address(const std::string & address);

/// Why this is an address that leads nowhere, and what to do; "" for everything else.
std::string problem_of_address(const std::string & path);

}  // namespace ambf_adf
