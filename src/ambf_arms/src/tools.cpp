// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cctype>
#include <numbers>

#include "ambf_adf/names.hpp"
#include "ambf_arms/dvrk_arms.hpp"

namespace ambf_arms
{
namespace
{

constexpr double degree = std::numbers::pi / 180.0;

/// Instruments with a wrist of two axes. Models 40xxxx are Classic, 42xxxx are Si.
struct Row
{
  const char * model;
  const char * name;
  const char * alias;
  double wrist;              ///< [mm]
  double roll, pitch, yaw;   ///< [deg]
  double jaw_low, jaw_high;  ///< [deg]
  double jaw_effort;         ///< [N m]
};

// clang-format off
constexpr Row rows[] = {
  {"400001", "POTTS_SCISSORS", "", 9.1, 260, 80, 80, -40, 30, 0.16},
  {"400003", "SMALL_CLIP_APPLIER", "", 9.1, 260, 80, 80, -20, 40, 0.16},
  {"400006", "LARGE_NEEDLE_DRIVER", "", 9.1, 260, 80, 80, -40, 80, 0.16},
  {"400007", "ROUND_TIP_SCISSORS", "", 9.1, 260, 80, 80, -40, 40, 0.16},
  {"400033", "MICRO_FORCEPS", "BLACK_DIAMOND_MICRO_FORCEPS", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400035", "ROUND_TOOTH_FORCEPS", "", 9.1, 260, 80, 80, -40, 80, 0.16},
  {"400036", "DEBAKEY_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400048", "LONG_TIP_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400049", "CADIERE_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400093", "PROGRASP_FORCEPS", "", 10.7, 260, 80, 80, -20, 80, 0.16},
  {"400127", "BOWEL_GRASPER", "", 10.7, 255, 70, 80, -20, 80, 0.19},
  {"400172", "MARYLAND_BIPOLAR_FORCEPS", "BIPOLAR_MARYLAND_FORCEPS", 10.7, 255, 70, 90, -20, 80, 0.19},
  {"400178", "CURVED_SCISSORS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400179", "MONOPOLAR_CURVED_SCISSORS", "MONOPOLAR_CURVED_SCISSOR", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400181", "RESANO_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"400183", "PERMANENT_CAUTERY_HOOK", "", 9.3, 260, 80, 85, 0, 28.6479, 0},
  {"400184", "PERMANENT_CAUTERY_SPATULA", "", 9.3, 260, 80, 85, 0, 28.6479, 0},
  {"400189", "DOUBLE_FENESTRATED_GRASPER", "", 10.7, 255, 70, 80, -20, 80, 0.19},
  {"400194", "MEGA_NEEDLE_DRIVER", "", 11.2, 255, 70, 80, -20, 80, 0.19},
  {"400205", "FENESTRATED_BIPOLAR_FORCEPS", "", 10.7, 255, 70, 90, -40, 80, 0.19},
  {"400207", "TENACULUM_FORCEPS", "", 10.7, 255, 70, 80, -20, 80, 0.19},
  {"400208", "THORACIC_GRASPER", "", 10.7, 255, 70, 80, -20, 80, 0.19},
  {"400230", "LARGE_CLIP_APPLIER", "", 10.7, 255, 70, 73, -20, 45, 0.7},
  {"400296", "LRG_SUTURECUT_NEEDLE_DRIVER", "", 9.1, 260, 80, 80, -20, 45, 0.16},
  {"400309", "MEGA_SUTURECUT_NEEDLE_DRIVER", "", 10, 255, 70, 80, -20, 80, 0.19},
  {"420001", "POTTS_SCISSORS", "", 9.1, 260, 80, 80, -40, 30, 0.16},
  {"420006", "LARGE_NEEDLE_DRIVER", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420007", "ROUND_TIP_SCISSORS", "", 9.1, 260, 80, 80, -40, 40, 0.16},
  {"420033", "MICRO_FORCEPS", "BLACK_DIAMOND_MICRO_FORCEPS", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420036", "DEBAKEY_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420048", "LONG_TIP_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420049", "CADIERE_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420093", "PROGRASP_FORCEPS", "", 10.7, 260, 80, 80, -20, 80, 0.16},
  {"420172", "MARYLAND_BIPOLAR_FORCEPS", "", 10.7, 255, 70, 90, -20, 80, 0.19},
  {"420178", "CURVED_SCISSORS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420179", "MONOPOLAR_CURVED_SCISSORS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420181", "RESANO_FORCEPS", "", 9.1, 260, 80, 80, -20, 80, 0.16},
  {"420183", "PERMANENT_CAUTERY_HOOK", "", 9.3, 260, 80, 85, 0, 28.6479, 0},
  {"420184", "PERMANENT_CAUTERY_SPATULA", "", 9.3, 260, 80, 85, 0, 28.6479, 0},
  {"420194", "MEGA_NEEDLE_DRIVER", "", 11.2, 255, 70, 80, -20, 80, 0.19},
  {"420205", "FENESTRATED_BIPOLAR_FORCEPS", "", 10.7, 255, 70, 90, -40, 80, 0.19},
  {"420230", "LARGE_CLIP_APPLIER", "", 10.7, 255, 70, 73, -20, 45, 0.7},
  {"420296", "LARGE_SUTURECUT_NEEDLEDRIVER", "", 9.1, 260, 80, 80, -20, 45, 0.16},
  {"420309", "MEGA_SUTURECUT_NEEDLE_DRIVER", "", 10, 255, 70, 80, -20, 80, 0.19},
  {"420327", "MEDIUM-LARGE_CLIP_APPLIER", "", 10.7, 255, 70, 73, -20, 42, 0.7},
};
// clang-format on

constexpr double classic_shaft = 0.4162;
constexpr double si_shaft = 0.467;

Tool wristed(const Row & row)
{
  const bool si = row.model[1] == '2';
  return {
    row.model,
    row.name,
    row.alias,
    si ? Generation::Si : Generation::Classic,
    Wrist::PitchYaw,
    si ? si_shaft : classic_shaft,
    1e-3 * row.wrist,
    row.roll * degree,
    row.pitch * degree,
    row.yaw * degree,
    row.jaw_low * degree,
    row.jaw_high * degree,
    row.jaw_effort,
    0.0,
    0.0};
}

/// 5 mm tools.
Tool snake(
  const char * model, const char * name, const char * alias, Generation generation, double shaft,
  double tip)
{
  return {model,        name,        alias,        generation,  Wrist::Snake,
          shaft,        0.0034,      260 * degree, 45 * degree, 45 * degree,
          -20 * degree, 50 * degree, 0.15,         0.0,         tip};
}

std::vector<Tool> all_tools()
{
  std::vector<Tool> out;
  for (const Row & row : rows) { out.push_back(wristed(row)); }
  out.push_back(
    snake("400117", "NEEDLE_DRIVER", "5MM_NEEDLE_DRIVER", Generation::Classic, 0.4024, 0.0171));
  out.push_back(snake(
    "400143", "MARYLAND_DISSECTOR", "5MM_MARYLAND_DISSECTOR", Generation::Classic, 0.4024, 0.0269));
  out.push_back(
    snake("420117", "NEEDLE_DRIVER", "5MM_NEEDLE_DRIVER", Generation::Si, 0.4532, 0.0171));
  // Its wrist has both axes in one point.
  out.push_back(
    {"410298", "STAPLER_45", "", Generation::Si, Wrist::PitchYaw, 0.41557, 0.0, 255 * degree,
     30 * degree, 30 * degree, -0.2, 0.349, 0.19, 45 * degree, 0.0});
  return out;
}

bool same(std::string_view a, std::string_view b) noexcept
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::toupper(static_cast<unsigned char>(x)) ==
           std::toupper(static_cast<unsigned char>(y));
  });
}

}  // namespace

Eigen::Isometry3d Tool::tip() const
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  if (wrist == Wrist::Snake) {
    const double half = std::numbers::sqrt2 / 2.0;
    t.linear() << half, half, 0, 0, 0, -1, -half, half, 0;
    t.translation().y() = -tip_distance;
  } else if (wrist_length == 0.0) {
    t.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  } else {
    t.linear() << 0, -1, 0, 0, 0, 1, -1, 0, 0;
  }
  return t;
}

std::string Tool::full_name() const { return std::string(name) + ":" + model; }

std::span<const Tool> tools()
{
  static const std::vector<Tool> list = all_tools();
  return list;
}

const Tool * find_tool(std::string_view wanted, Generation generation) noexcept
{
  // The console appends a version in brackets: "NAME:MODEL[12..]".
  wanted = wanted.substr(0, wanted.find('['));
  const std::size_t colon = wanted.find(':');
  const std::string_view name = wanted.substr(0, colon);
  const std::string_view model =
    colon == std::string_view::npos ? std::string_view{} : wanted.substr(colon + 1);
  const Tool * other = nullptr;
  for (const Tool & tool : tools()) {
    const bool named = same(name, tool.name) || (tool.alias[0] != '\0' && same(name, tool.alias));
    if (name == tool.model || (named && model == tool.model)) { return &tool; }
    if (named && model.empty()) {
      if (tool.generation == generation) { return &tool; }
      other = &tool;
    }
  }
  return other;
}

std::string tool_advice(std::string_view name)
{
  // No tool has so long a name: texts of any length come by topics.
  std::string upper(name.substr(0, 64));
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  std::size_t least = upper.size() / 2;
  std::string best;
  for (const Tool & tool : tools()) {
    const bool begins = upper.size() > 2 && tool.full_name().starts_with(upper);
    const std::size_t distance =
      begins
        ? 0
        : std::min(
            {ambf_adf::edit_distance(upper, tool.name), ambf_adf::edit_distance(upper, tool.model),
             ambf_adf::edit_distance(upper, tool.full_name())});
    if (distance >= least) { continue; }
    least = distance;
    best = tool.full_name();
  }
  return best.empty() ? "expected, for example, 'LARGE_NEEDLE_DRIVER:400006'"
                      : "did you mean '" + best + "'?";
}

std::vector<JointData> tool_joints(const Tool & tool)
{
  const double v = 1080.0 * degree;
  const double a = 720.0 * degree;
  return {
    {"roll", -tool.roll, tool.roll, v, a, 0.33},
    {"wrist_pitch", -tool.pitch, tool.pitch, v, a, 0.25},
    {"wrist_yaw", -tool.yaw, tool.yaw, v, a, 0.2},
    {"jaw", tool.jaw_low, tool.jaw_high, v, a, tool.jaw_effort}};
}

}  // namespace ambf_arms
