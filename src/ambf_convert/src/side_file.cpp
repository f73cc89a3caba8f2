// SPDX-License-Identifier: BSD-3-Clause
#include "side_file.hpp"

#include <algorithm>
#include <sstream>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/write.hpp"

namespace ambf_convert
{
namespace
{

const std::string title = "AMBF: what URDF cannot say. Read again by adf convert.";

}  // namespace

std::string side_comment(const std::string & side_name, const std::map<std::string, double> & start)
{
  std::string text = " " + title + "\n";
  if (!side_name.empty()) { text += "    file " + side_name + "\n"; }
  // Comments may not hold two dashes in a row; a name with them is left out.
  for (const auto & [name, value] : start) {
    if (name.find("--") == std::string::npos) {
      text += "    start " + text_of(value) + " " + name + "\n";
    }
  }
  return text + "  ";
}

expected<SideFile, Errors> read_side_file(
  const XmlSource & source, const std::filesystem::path & file)
{
  SideFile side;
  for (auto * node = source.root()->FirstChild(); node != nullptr; node = node->NextSibling()) {
    const auto * comment = node->ToComment();
    if (comment == nullptr || std::string(comment->Value()).find(title) == std::string::npos) {
      continue;
    }
    std::istringstream lines(comment->Value());
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind, first, rest;
      words >> kind >> first;
      std::getline(words >> std::ws, rest);
      if (kind == "file") {
        const std::string name = rest.empty() ? first : first + " " + rest;
        if (std::filesystem::path(name).has_parent_path()) { continue; }  // only beside the file
        auto options = ambf_adf::ParseOptions{};
        options.check_files = false;
        auto model = ambf_adf::parse_file(file.parent_path() / name, options);
        if (!model) { return ambf_adf::unexpected(std::move(model.error())); }
        side.joints = std::move(model->joints);
      } else if (kind == "start" && !rest.empty()) {
        const auto value = parse_numbers(first);
        if (value && value->size() == 1) { side.start[rest] = value->front(); }
      }
    }
  }
  return side;
}

std::string side_text(const Model & model, const std::vector<ambf_adf::Joint> & joints)
{
  Model side;
  side.name = model.name;
  side.ns = model.ns;
  side.joints = joints;
  for (auto & joint : side.joints) { joint.header.ns = model.ns; }
  return ambf_adf::write(side);
}

void add_side_joints(Model & model, const SideFile & side)
{
  for (const auto & joint : side.joints) {
    const auto known =
      std::find_if(model.joints.begin(), model.joints.end(), [&](const ambf_adf::Joint & other) {
        return other.header.identifier == joint.header.identifier;
      });
    if (known == model.joints.end()) {
      model.joints.push_back(joint);
    } else {
      *known = joint;
    }
  }
  for (auto & joint : model.joints) { joint.header.ns.clear(); }
  ambf_adf::complete_headers(model);
}

}  // namespace ambf_convert
