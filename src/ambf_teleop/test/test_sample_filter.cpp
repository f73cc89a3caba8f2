// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "ambf_teleop/position_clutch.hpp"
#include "ambf_teleop/sample_filter.hpp"
#include "ambf_teleop/trajectory.hpp"
#include "random_poses.hpp"

namespace ambf_teleop::test
{
namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

DeviceReading reading_at(double time, const Vector3d & position = Vector3d::Zero())
{
  DeviceReading reading;
  reading.T_base_tip.position = position;
  reading.gripper = 0.5;
  reading.time = time;
  reading.sequence = static_cast<std::uint64_t>(time * 1e6) + 1;
  return reading;
}

class Filter : public ::testing::Test
{
protected:
  ReadingVerdict offer(const DeviceReading & reading)
  {
    return accept_reading(filter_, limits_, reading);
  }
  ReadingFilter filter_;
  ReadingLimits limits_;
};

TEST_F(Filter, LetsTheTestTrajectoryPassAtAllRates)
{
  for (const double rate : {100.0, 300.0, 1000.0, 2000.0}) {
    filter_ = {};
    for (double t = 0.0; t < 1.0; t += 1.0 / rate) {
      ASSERT_EQ(offer(reading_at(t, trajectory_position({}, t))), ReadingVerdict::Accepted);
    }
  }
}

TEST_F(Filter, RefusesWhatIsNotFiniteAnywhere)
{
  ASSERT_EQ(offer(reading_at(0.0)), ReadingVerdict::Accepted);
  const auto broken = [](auto change) {
    DeviceReading reading = reading_at(0.001);
    change(reading);
    return reading;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    for (const DeviceReading & reading :
         {broken([bad](DeviceReading & r) { r.T_base_tip.position.z() = bad; }),
          broken([bad](DeviceReading & r) { r.T_base_tip.orientation.w() = bad; }),
          broken([bad](DeviceReading & r) { r.twist.linear.x() = bad; }),
          broken([bad](DeviceReading & r) { r.twist.angular.y() = bad; }),
          broken([bad](DeviceReading & r) { r.gripper = bad; }),
          broken([bad](DeviceReading & r) { r.time = bad; })}) {
      EXPECT_EQ(offer(reading), ReadingVerdict::NotFinite);
    }
  }
  EXPECT_EQ(filter_.last.time, 0.0);
}

TEST_F(Filter, NormalisesRoundedQuaternionsAndRefusesOthers)
{
  DeviceReading reading = reading_at(0.0);
  reading.T_base_tip.orientation.coeffs() *= 1.0005;
  EXPECT_EQ(offer(reading), ReadingVerdict::Accepted);
  EXPECT_NEAR(filter_.last.T_base_tip.orientation.norm(), 1.0, 1e-15);
  reading = reading_at(0.001);
  reading.T_base_tip.orientation.coeffs() *= 1.1;
  EXPECT_EQ(offer(reading), ReadingVerdict::NotARotation);
  reading.T_base_tip.orientation.coeffs().setZero();
  EXPECT_EQ(offer(reading), ReadingVerdict::NotARotation);
}

TEST_F(Filter, ClampsTheGripper)
{
  DeviceReading reading = reading_at(0.0);
  reading.gripper = 1.7;
  EXPECT_EQ(offer(reading), ReadingVerdict::Accepted);
  EXPECT_EQ(filter_.last.gripper, 1.0);
}

TEST_F(Filter, RefusesASingleJumpOfAMetreAndGoesOn)
{
  EXPECT_EQ(offer(reading_at(0.000)), ReadingVerdict::Accepted);
  EXPECT_EQ(offer(reading_at(0.001, Vector3d(1, 0, 0))), ReadingVerdict::Jump);
  EXPECT_EQ(filter_.last.T_base_tip.position.norm(), 0.0);
  EXPECT_EQ(offer(reading_at(0.002)), ReadingVerdict::Accepted);
}

TEST_F(Filter, RefusesAJumpOfOrientation)
{
  EXPECT_EQ(offer(reading_at(0.000)), ReadingVerdict::Accepted);
  DeviceReading turned = reading_at(0.001);
  turned.T_base_tip.orientation = from_rotation_vector(Vector3d(0, 2.0, 0));
  EXPECT_EQ(offer(turned), ReadingVerdict::Jump);
}

TEST_F(Filter, BelievesANewPlaceAfterAWhileAtAnyRateAndNeverWithoutSayingSo)
{
  for (const double rate : {50.0, 300.0, 1000.0}) {
    for (const double far : {0.3, 1.0}) {  // 0.3 m: a hand could be there after 60 ms
      filter_ = {};
      const double period = 1.0 / rate;
      ASSERT_EQ(offer(reading_at(0.0)), ReadingVerdict::Accepted);
      int refused = 0;
      double t = period;
      for (; refused < 100; t += period) {
        const ReadingVerdict verdict = offer(reading_at(t, Vector3d(far, 0, 0)));
        if (verdict == ReadingVerdict::Relocated) { break; }
        ASSERT_EQ(verdict, ReadingVerdict::Jump) << rate << " Hz, " << far << " m, " << t << " s";
        ++refused;
      }
      EXPECT_EQ(refused, 19) << rate << " Hz, " << far << " m";
      EXPECT_EQ(offer(reading_at(t + period, Vector3d(far, 0, 0))), ReadingVerdict::Accepted);
    }
  }
}

TEST_F(Filter, RelocatedDeviceDoesNotMoveTheReference)
{
  PairFrames pair = start_pair(Pose{});
  const auto feed = [&](const DeviceReading & reading) {
    const ReadingVerdict verdict = offer(reading);
    if (!usable(verdict)) { return; }
    if (verdict == ReadingVerdict::Relocated) { forget_handle(pair); }
    update_reference(
      pair, {}, {filter_.last.T_base_tip, false, false}, Quaterniond::Identity(), 0.001);
  };
  for (int i = 0; i < 100; ++i) {
    feed(reading_at(0.001 * i, i < 50 ? Vector3d::Zero().eval() : Vector3d(1, 0, 0)));
  }
  EXPECT_EQ(filter_.last.T_base_tip.position.x(), 1.0);
  EXPECT_EQ(pair.reference.position.norm(), 0.0);
}

TEST_F(Filter, ThinsAFloodToItsShortestPeriod)
{
  int accepted = 0;
  for (int i = 0; i < 10000; ++i) {  // one second at 10 kHz
    const ReadingVerdict verdict = offer(reading_at(1e-4 * i));
    accepted += verdict == ReadingVerdict::Accepted ? 1 : 0;
    ASSERT_TRUE(verdict == ReadingVerdict::Accepted || verdict == ReadingVerdict::TooEarly);
  }
  EXPECT_LE(accepted, 4000);
  EXPECT_GE(accepted, 3000);
}

TEST_F(Filter, RefusesWhatComesLateButTakesADriverThatStartsAgain)
{
  EXPECT_EQ(offer(reading_at(1.000)), ReadingVerdict::Accepted);
  EXPECT_EQ(offer(reading_at(0.999)), ReadingVerdict::OutOfOrder);
  DeviceReading again = reading_at(1.002);
  again.sequence = 1;
  EXPECT_EQ(offer(again), ReadingVerdict::OutOfOrder);
  again.time = 1.5;  // after a silence
  EXPECT_EQ(offer(again), ReadingVerdict::Relocated);
}

TEST_F(Filter, RefusesPlacesOutOfReach)
{
  EXPECT_EQ(offer(reading_at(0.0, Vector3d(100, 0, 0))), ReadingVerdict::OutOfReach);
  EXPECT_FALSE(filter_.started);
}

TEST_F(Filter, EveryVerdictHasWords)
{
  for (int i = 0; i <= static_cast<int>(ReadingVerdict::OutOfOrder); ++i) {
    EXPECT_NE(to_string(static_cast<ReadingVerdict>(i)), "unknown");
  }
}

}  // namespace
}  // namespace ambf_teleop::test
