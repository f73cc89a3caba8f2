// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ambf_devices/driver.hpp"
#include "ambf_devices/recording.hpp"
#include "ambf_teleop/trajectory.hpp"

namespace ambf_devices
{

/// From `time` on, until the next entry.
struct ScriptEntry
{
  double time = 0.0;
  double gripper = 0.5;
  bool position_clutch = false;
  bool camera_clutch = false;
  std::uint32_t actions = 0;
};

enum class MockFault : std::uint8_t
{
  NotFinite,   ///< positions are NaN
  NotUnit,     ///< the quaternion has length 1.2
  Jump,        ///< a metre away along x
  NothingNew,  ///< dropout: no data
  Lost,        ///< unplugged; opening fails as long as it lasts
  Blocked,     ///< every read takes 20 ms
};

struct FaultEntry
{
  double from = 0.0;
  double until = 0.0;
  MockFault fault = MockFault::NothingNew;
};

/// The world's time for hands that move with it: it stands before the world starts and while the
/// world stands, so that hands in several processes play in step. One thread sets, any may ask.
class WorldClock
{
public:
  /// The hand starts at this time of the world [s]; negative: at the first time that is set.
  explicit WorldClock(double start_at) : start_(start_at), at_first_(start_at < 0.0) {}

  /// A time before the start (the world was reset) starts anew, unless the start was given.
  void set(double world_time) noexcept;

  /// Since the start; 0 before it [s].
  double elapsed() const noexcept { return elapsed_; }

private:
  double start_;
  bool at_first_;
  std::atomic<double> elapsed_{0.0};
};

struct MockParameters
{
  double rate = 1000.0;  ///< [Hz]
  bool force = true;
  ambf_teleop::TestTrajectory trajectory;
  /// Rotation vector [rad] whose size goes as the sine of the trajectory's phase.
  Eigen::Vector3d wobble = Eigen::Vector3d::Zero();
  Recording recording;  ///< not empty: replaces trajectory and script
  bool waits = false;   ///< shows its first moment until begin()
  bool repeat = true;   ///< the recording starts again at its end; otherwise its end stands
  std::vector<ScriptEntry> script;          ///< by time
  std::vector<FaultEntry> faults;           ///< by the device's own time
  std::shared_ptr<const WorldClock> clock;  ///< of trajectory, recording, script; none: its own
  double hand_compliance = 0.0;             ///< how far a force pushes the hand aside [m/N]
  double blocking_read = 0.0;               ///< each read sleeps that long [s]
  double blocking_write = 0.0;              ///< each write sleeps that long [s]: Touch, Falcon
  double jitter = 0.0;                      ///< each read sleeps up to that long, at random [s]
  double dropout = 0.0;                     ///< share of reads that bring nothing
  std::uint64_t seed = 1;
};

/// A device that is not there. What it shows is a function of the time it is given, up to `dropout`
/// and `jitter`, which depend on the seed.
class MockDriver : public Driver
{
public:
  explicit MockDriver(MockParameters parameters);

  bool open(double time, std::string & why) override;
  void close() noexcept override;
  Capabilities capabilities() const override;
  DriverStatus read(double time, DriverState & state) noexcept override;
  DriverStatus write(double time, const ambf_teleop::Wrench & wrench) noexcept override;

  /// From any thread: a mock that waits starts to move.
  void begin() noexcept { begun_ = true; }

  /// From any thread: magnitude of the force written last, its largest so far, number of writes.
  double last_force() const noexcept { return last_force_; }
  double largest_force() const noexcept { return largest_force_; }
  std::uint64_t writes() const noexcept { return writes_; }
  double last_write_time() const noexcept { return last_write_time_; }

private:
  DriverState undisturbed(double time) noexcept;
  DriverState replayed(double time) noexcept;
  /// Since the motion began.
  double motion_time(double time) noexcept;
  bool faulty(double time, MockFault fault) const noexcept;

  MockParameters parameters_;
  std::mt19937_64 random_;
  std::size_t recorded_ = 0;  // state shown last, and when
  double replayed_at_ = -std::numeric_limits<double>::infinity();
  std::atomic<bool> begun_{false};
  double began_at_ = std::numeric_limits<double>::quiet_NaN();
  Eigen::Vector3d force_ = Eigen::Vector3d::Zero();
  std::atomic<double> last_force_{0.0}, largest_force_{0.0}, last_write_time_{0.0};
  std::atomic<std::uint64_t> writes_{0};
};

}  // namespace ambf_devices
