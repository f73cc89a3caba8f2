// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_arms/dvrk_arms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numbers>

namespace ambf_arms
{
namespace
{

constexpr double degree = std::numbers::pi / 180.0;
constexpr double quarter = 0.5 * std::numbers::pi;

constexpr std::array<JointData, 3> psm_classic{{
  {"yaw", -1.588, 1.588, 90 * degree, 90 * degree, 3.316101},
  {"pitch", -0.925025, 0.925025, 90 * degree, 90 * degree, 3.316101},
  {"insertion", 0.0, 0.24, 0.2, 0.2, 9.877926},
}};
constexpr std::array<JointData, 3> psm_si{{
  {"yaw", -2.964, 2.964, 90 * degree, 90 * degree, 17.0845},
  {"pitch", -1.265, 1.301, 90 * degree, 90 * degree, 17.0845},
  {"insertion", 0.0, 0.29, 0.2, 0.2, 40.9063},
}};
constexpr std::array<JointData, 4> ecm_classic{{
  {"yaw", -1.5708, 1.5708, 30 * degree, 90 * degree, 26.93208},
  {"pitch", -0.76794, 1.1344, 30 * degree, 90 * degree, 26.93208},
  {"insertion", 0.0, 0.255, 0.06, 0.06, 80.6589483},
  {"roll", -1.552, 1.552, 30 * degree, 90 * degree, 0.87658808},
}};
constexpr std::array<JointData, 4> ecm_si{{
  {"yaw", -2.964, 2.964, 30 * degree, 90 * degree, 17.0845},
  {"pitch", -1.10, 1.04, 30 * degree, 90 * degree, 34.0845},
  {"insertion", 0.001, 0.259, 0.06, 0.06, 70.9},
  {"roll", -1.54, 1.54, 30 * degree, 90 * degree, 6.81923},
}};
constexpr double mtm_v = 90 * degree;
constexpr double mtm_a = 45 * degree;
constexpr std::array<JointData, 7> mtm_right{{
  {"outer_yaw", -1.13446, 0.698132, mtm_v, mtm_a, 1.86082986},
  {"shoulder_pitch", -0.31416, 1.13446, mtm_v, mtm_a, 3.21661506},
  {"elbow_pitch", -0.872665, 0.610865, mtm_v, mtm_a, 1.95978284},
  {"wrist_platform", -1.6580, 3.5779, mtm_v, mtm_a, 0.30901338},
  {"wrist_pitch", -1.6580, 3.2288, mtm_v, mtm_a, 0.09684378},
  {"wrist_yaw", -0.785398, 0.785398, mtm_v, mtm_a, 0.09684378},
  {"wrist_roll", -8.37758, 7.85398, 360 * degree, 360 * degree, 0.02287592},
}};
constexpr std::array<JointData, 7> mtm_left{{
  {"outer_yaw", -0.698132, 1.13446, mtm_v, mtm_a, 1.86082986},
  {"shoulder_pitch", -0.261799, 1.13446, mtm_v, mtm_a, 3.21661506},
  {"elbow_pitch", -0.872665, 0.610865, mtm_v, mtm_a, 1.95978284},
  {"wrist_platform", -3.5779, 1.6580, mtm_v, mtm_a, 0.30901338},
  {"wrist_pitch", -1.6580, 3.2288, mtm_v, mtm_a, 0.09684378},
  {"wrist_yaw", -0.785398, 0.785398, mtm_v, mtm_a, 0.09684378},
  {"wrist_roll", -8.37758, 7.85398, 360 * degree, 360 * degree, 0.02287592},
}};

constexpr std::array<Endoscope, 13> scopes{{
  {"NONE", 0.0, 0.0, 0.0},
  {"Classic_SD_STRAIGHT", 0.0, 0.0, 1.5},
  {"Classic_SD_UP", -30 * degree, 0.0, 1.5},
  {"Classic_SD_DOWN", 30 * degree, 0.0, 1.5},
  {"Classic_HD_STRAIGHT", 0.0, 0.0, 2.5},
  {"Classic_HD_UP", -30 * degree, 0.0, 2.5},
  {"Classic_HD_DOWN", 30 * degree, 0.0, 2.5},
  {"Si_HD_STRAIGHT", 0.0, 0.0, 1.8},
  {"Si_HD_UP", -30 * degree, 0.0, 1.8},
  {"Si_HD_DOWN", 30 * degree, 0.0, 1.8},
  {"Custom_STRAIGHT", 0.0, 0.18, 0.8},
  {"Custom_UP", -30 * degree, 0.18, 0.8},
  {"Custom_DOWN", 30 * degree, 0.18, 0.8},
}};

double insertion_offset(Generation generation)
{
  return generation == Generation::Classic ? -0.4318 : -0.4826;
}

}  // namespace

std::span<const JointData> psm_joints(Generation generation)
{
  return generation == Generation::Classic ? psm_classic : psm_si;
}

std::span<const JointData> ecm_joints(Generation generation)
{
  return generation == Generation::Classic ? ecm_classic : ecm_si;
}

std::span<const JointData> mtm_joints(Side side)
{
  return side == Side::Right ? mtm_right : mtm_left;
}

Eigen::Isometry3d Endoscope::tip() const
{
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  if (mass == 0.0) { return t; }
  t.translation().z() = length;
  t.linear() = (Eigen::AngleAxisd(-quarter, Eigen::Vector3d::UnitZ()) *
                Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()))
                 .toRotationMatrix();
  return t;
}

std::span<const Endoscope> endoscopes() { return scopes; }

const Endoscope * find_endoscope(std::string_view name) noexcept
{
  const auto found =
    std::find_if(scopes.begin(), scopes.end(), [&](const Endoscope & e) { return name == e.name; });
  return found == scopes.end() ? nullptr : &*found;
}

std::vector<DhRow> psm_rows(Generation generation, const Tool & tool)
{
  std::vector<DhRow> rows{
    {quarter, 0.0, 0.0, quarter},
    {-quarter, 0.0, 0.0, -quarter},
    {quarter, 0.0, insertion_offset(generation), 0.0, true},
    {0.0, 0.0, tool.shaft, tool.roll_offset},
    {-quarter, 0.0, 0.0, -quarter},
  };
  if (tool.wrist == Wrist::PitchYaw) {
    rows.push_back({-quarter, tool.wrist_length, 0.0, -quarter});
    return rows;
  }
  rows.push_back({-quarter, tool.wrist_length, 0.0, 0.0});
  rows.push_back({0.0, tool.wrist_length, 0.0, 0.0});
  rows.push_back({quarter, tool.wrist_length, 0.0, quarter});
  return rows;
}

std::vector<DhRow> ecm_rows()
{
  return {
    {quarter, 0.0, 0.0, quarter},
    {-quarter, 0.0, 0.0, -quarter},
    {quarter, 0.0, -0.3822, 0.0, true},
    {0.0, 0.0, 0.3829, 0.0},
  };
}

std::vector<DhRow> mtm_rows()
{
  return {
    {quarter, 0.0, 0.0, -quarter}, {0.0, 0.2794, 0.0, -quarter}, {-quarter, 0.3645, 0.0, quarter},
    {quarter, 0.0, 0.1506, 0.0},   {-quarter, 0.0, 0.0, 0.0},    {quarter, 0.0, 0.0, -quarter},
    {0.0, 0.0, 0.0, quarter},
  };
}

Chain psm_chain(Generation generation, const Tool & tool)
{
  return psm_chain(psm_rows(generation, tool), DhConvention::Modified, tool);
}

Chain psm_chain(std::span<const DhRow> rows, DhConvention convention, const Tool & tool)
{
  Chain chain = make_chain(rows, convention, tool.tip());
  if (tool.wrist == Wrist::PitchYaw) { return chain; }
  // Wrist pitch is shared by the first and last axis, wrist yaw by the two between.
  chain.joints = 6;
  constexpr int drives[] = {4, 5, 5, 4};
  for (std::size_t i = 0; i < 4; ++i) { chain.steps[4 + i].follows[0] = {drives[i], 0.5}; }
  return chain;
}

Chain ecm_chain(const Eigen::Isometry3d & tip)
{
  return make_chain(ecm_rows(), DhConvention::Modified, tip);
}

Chain mtm_chain(const Eigen::Isometry3d & tip)
{
  return make_chain(mtm_rows(), DhConvention::Standard, tip);
}

PsmGeometry psm_geometry(Generation generation, const Tool & tool)
{
  PsmGeometry out;
  out.insertion_offset = insertion_offset(generation);
  out.shaft = tool.shaft;
  out.wrist = tool.wrist_length;
  out.roll_offset = tool.roll_offset;
  out.tip = tool.tip();
  return out;
}

}  // namespace ambf_arms
