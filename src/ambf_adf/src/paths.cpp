// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_adf/paths.hpp"

#include <cstdlib>
#include <sstream>
#include <utility>

namespace ambf_adf
{
namespace
{

namespace fs = std::filesystem;

const std::string package_scheme = "package://";
const std::string file_scheme = "file://";

/// "package://name/rest" as name and "rest".
std::pair<std::string, std::string> package_and_rest(const std::string & address)
{
  const std::string both = address.substr(package_scheme.size());
  const auto slash = both.find('/');
  return {both.substr(0, slash), slash == std::string::npos ? "" : both.substr(slash + 1)};
}

bool is_address(const std::string & path) { return path.find("://") != std::string::npos; }

}  // namespace

std::optional<fs::path> package_folder(const std::string & package)
{
  const char * const prefixes = std::getenv("AMENT_PREFIX_PATH");
  std::istringstream list(prefixes == nullptr ? "" : prefixes);
  for (std::string prefix; std::getline(list, prefix, ':');) {
    std::error_code error;
    const fs::path share = fs::path(prefix) / "share";
    // The marker says that the package is installed; a folder of that name may be anything.
    if (
      !package.empty() && !prefix.empty() &&
      fs::exists(share / "ament_index/resource_index/packages" / package, error)) {
      return share / package;
    }
  }
  return std::nullopt;
}

std::string resolve_path(const std::string & folder, const std::string & path)
{
  if (path.empty()) { return {}; }
  if (path.starts_with(file_scheme)) {
    return fs::path(path.substr(file_scheme.size())).lexically_normal().string();
  }
  if (path.starts_with(package_scheme)) {
    const auto [package, rest] = package_and_rest(path);
    const auto found = package_folder(package);
    return found ? (*found / rest).lexically_normal().string() : path;
  }
  return is_address(path) ? path : (fs::path(folder) / path).lexically_normal().string();
}

std::string resolve_path(
  const std::string & base, const std::string & folder, const std::string & name)
{
  if (name.empty() || is_address(name)) { return resolve_path("", name); }
  const std::string whole = resolve_path(base, folder);
  if (is_address(whole)) { return whole + (whole.ends_with('/') ? "" : "/") + name; }
  return (fs::path(whole.empty() ? base : whole) / name).lexically_normal().string();
}

std::string problem_of_address(const std::string & path)
{
  if (!is_address(path) || path.starts_with(file_scheme)) { return {}; }
  if (!path.starts_with(package_scheme)) {
    return "a path, file:// or package://NAME/... is understood here";
  }
  const std::string package = package_and_rest(path).first;
  if (package_folder(package)) { return {}; }
  return "the package '" + package + "' is not installed; build it and source its workspace";
}

expected<std::string, std::string> path_of_address(const std::string & address)
{
  if (!is_address(address)) { return address; }
  if (const auto problem = problem_of_address(address); !problem.empty()) {
    return unexpected("found '" + address + "': " + problem);
  }
  return resolve_path({}, address);
}

}  // namespace ambf_adf
