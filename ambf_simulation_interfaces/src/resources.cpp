// SPDX-License-Identifier: BSD-3-Clause
#include "resources.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "ambf_adf/names.hpp"
#include "ambf_adf/paths.hpp"

namespace ambf_simulation_interfaces
{

namespace fs = std::filesystem;

namespace
{
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kLongestName = 100;
}  // namespace

ambf_adf::expected<std::vector<std::string>, std::string> find_files(
  const std::string & source, ambf_adf::FileKind kind)
{
  const auto root = ambf_adf::path_of_address(source);
  if (!root) { return tl::unexpected(root.error()); }
  std::error_code error;
  if (!fs::exists(*root, error)) { return tl::unexpected("'" + source + "' is not there"); }
  std::vector<std::string> found;
  const auto look = [&](const fs::path & file) {
    const auto ending = file.extension();
    if (ending != ".yaml" && ending != ".yml") { return; }
    const auto is = ambf_adf::file_kind(file);
    if (is && *is == kind) { found.push_back(source + file.string().substr(root->size())); }
  };
  if (fs::is_regular_file(*root, error)) {
    look(*root);
  } else {
    const auto quietly = fs::directory_options::skip_permission_denied;
    // Folders may vanish while they are read; a folder like / is a mistake that would take minutes.
    std::size_t entries = 0;
    for (fs::recursive_directory_iterator it(*root, quietly, error), end; it != end;
         it.increment(error)) {
      if (++entries > kMostEntries) {
        return tl::unexpected("'" + source + "' holds too much: name a folder in it");
      }
      if (std::error_code ignored; it->is_regular_file(ignored)) { look(it->path()); }
    }
    if (error) { return tl::unexpected("'" + source + "': " + error.message()); }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string joined(std::string first, const std::vector<std::string> & more, std::size_t known)
{
  for (std::size_t i = known; i < more.size(); ++i) {
    first += (first.empty() ? "" : "\n") + more[i];
  }
  return first;
}

std::string namespace_problem(const std::string & ns)
{
  if (ns.empty() || ns == "/") { return {}; }
  const std::string absolute = ns.front() == '/' ? ns : "/" + ns;
  return ambf_adf::is_legal_topic_name(absolute) ? "" : "'" + ns + "' is no legal ROS namespace";
}

std::string name_problem(const std::string & name)
{
  const auto legal = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == ' ';
  };
  if (
    name.empty() || name.size() > kLongestName || name.front() == ' ' || name.back() == ' ' ||
    !std::all_of(name.begin(), name.end(), legal)) {
    return "'" + name +
           "' is no name: up to 100 letters, digits, '_', '-', '.' and inner spaces make one";
  }
  return {};
}

}  // namespace ambf_simulation_interfaces
