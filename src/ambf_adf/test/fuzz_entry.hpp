// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "ambf_adf/lineage.hpp"
#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_adf/write.hpp"

namespace test
{

/// Everything that may happen to a text from outside. Must not crash, hang or leak; a text that
/// parses must also come back equal from the writer. Returns what went wrong, "" if nothing.
inline std::string try_everything(const std::string & text)
{
  using namespace ambf_adf;
  ParseOptions options;
  options.check_files = false;
  // One of the smaller readers per text: reading YAML is what takes the time.
  switch (std::hash<std::string>{}(text) % 4) {
    case 0:
      (void)parse_world_text(text, "fuzz", "", options);
      break;
    case 1:
      (void)parse_launch_text(text, "fuzz");
      break;
    case 2:
      (void)parse_input_devices_text(text, "fuzz", "", options);
      break;
    default:
      (void)parse_colors_text(text, "fuzz");
      break;
  }
  const auto model = parse_text(text, "fuzz", "", options);
  if (!model) { return has_errors(model.error()) ? "" : "failure without an error"; }
  if (has_errors(model->warnings)) { return "success with an error"; }
  (void)make_lineage(*model).loop_joints();
  const auto again = parse_text(write(*model), "fuzz", "", options);
  if (!again) { return "written text does not parse: " + to_string(again.error()); }
  if (!(*again == *model)) { return "written text gives another model"; }
  Scene scene;
  if (!scene.add(*model) || !scene.add(*model)) { return "a model cannot be added twice"; }
  return "";
}

}  // namespace test
