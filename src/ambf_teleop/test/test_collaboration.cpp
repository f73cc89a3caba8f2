// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ambf_teleop/collaboration.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr AxisSet all = 0b111111;
constexpr AxisSet none = 0;
constexpr AxisSet translation = 0b000111;
constexpr AxisSet rotation = 0b111000;
constexpr AxisSet xy = 0b000011;
constexpr AxisSet z = 0b000100;

Vector3d on(AxisSet axes, int first, double gain)
{
  Vector3d gains = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    if ((axes >> (first + i)) & 1) { gains[i] = gain; }
  }
  return gains;
}

ProxyGains commanding(AxisSet axes)
{
  return {on(axes, 0, 500.0), on(axes, 0, 10.0), on(axes, 3, 50.0), on(axes, 3, 1.0)};
}

FeedbackGains feeling(AxisSet axes)
{
  return {on(axes, 0, 100.0), on(axes, 0, 1.0), on(axes, 3, 2.0), on(axes, 3, 0.1)};
}

struct Row
{
  std::string mode;
  std::vector<AxisUse> devices;
};

/// Dissertation section 3.5, one line per mode.
const std::vector<Row> table{
  {"SISO", {{all, all}, {all, all}}},
  {"SIAO", {{all, xy}, {all, z}}},
  {"SIAO", {{all, translation}, {all, rotation}, {all, none}}},
  {"AISO", {{translation, all}, {rotation, all}}},
  {"AIAO", {{translation, rotation}, {rotation, translation}}},
  {"AIAO", {{xy, all}, {z, none}, {rotation, xy}}},
  {"SINO", {{all, none}, {all, none}}},
  {"AINO", {{translation, none}, {rotation, none}}},
};

/// Axes along which a wrench is not zero, exactly.
AxisSet axes_of(const Wrench & wrench)
{
  unsigned axes = 0;
  for (int i = 0; i < 3; ++i) {
    if (wrench.force[i] != 0.0) { axes |= 1u << i; }
    if (wrench.torque[i] != 0.0) { axes |= 1u << (3 + i); }
  }
  return static_cast<AxisSet>(axes);
}

/// A reference that differs from the proxy along all six axes, and moves.
Pose away(RandomPoses & random)
{
  const auto part = [&random] {
    return random.number(0.01, 0.1) * (random.chance(0.5) ? 1.0 : -1.0);
  };
  return {Vector3d(part(), part(), part()), from_rotation_vector(Vector3d(part(), part(), part()))};
}

TEST(CollaborationTable, GainsGiveTheNamedMode)
{
  for (const Row & row : table) {
    std::vector<AxisUse> uses;
    for (const AxisUse & use : row.devices) {
      uses.push_back(axis_use(commanding(use.commands), feeling(use.feels)));
      EXPECT_EQ(uses.back().commands, use.commands);
      EXPECT_EQ(uses.back().feels, use.feels);
    }
    EXPECT_EQ(to_string(collaboration_mode(uses)), row.mode);
  }
}

TEST(CollaborationTable, EachDeviceCommandsAndFeelsExactlyItsAxes)
{
  RandomPoses random(50);
  for (const Row & row : table) {
    for (const AxisUse & use : row.devices) {
      ProxyLaw law;
      law.gains = commanding(use.commands);
      const FeedbackGains haptic = feeling(use.feels);
      ProxyErrors proxy_errors;
      FeedbackErrors feedback_errors;
      for (int tick = 0; tick < 50; ++tick) {
        const Pose reference = away(random);
        const Wrench commanded = proxy_wrench(law, proxy_errors, Pose{}, reference, 0.001);
        const Wrench felt = feedback_wrench(haptic, feedback_errors, {}, Pose{}, reference, 0.001);
        EXPECT_EQ(axes_of(commanded), use.commands) << row.mode;
        EXPECT_EQ(axes_of(felt), use.feels) << row.mode;
      }
    }
  }
}

TEST(CollaborationTable, WrenchesOfAllDevicesAddOnTheProxy)
{
  // AISO: one positions, the other orients; together they do what one device with all axes does.
  RandomPoses random(51);
  for (int i = 0; i < 50; ++i) {
    const Pose reference = away(random);
    const auto wrench = [&reference](AxisSet axes) {
      ProxyLaw law;
      law.gains = commanding(axes);
      ProxyErrors errors;
      return proxy_wrench(law, errors, Pose{}, reference, 0.001);
    };
    const Wrench first = wrench(translation);
    const Wrench second = wrench(rotation);
    const Wrench both = wrench(all);
    EXPECT_EQ((first.force + second.force - both.force).norm(), 0.0);
    EXPECT_EQ((first.torque + second.torque - both.torque).norm(), 0.0);
  }
}

TEST(CollaborationTable, ASingleDeviceIsSymmetric)
{
  const std::vector<AxisUse> one{{all, translation}};
  EXPECT_EQ(collaboration_mode(one), CollaborationMode::Siso);
  EXPECT_EQ(collaboration_mode({}), CollaborationMode::Sino);
}

}  // namespace
}  // namespace ambf_teleop::test
