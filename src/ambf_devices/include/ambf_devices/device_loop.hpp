// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "ambf_devices/device_cycle.hpp"
#include "ambf_devices/driver.hpp"
#include "ambf_teleop/mailbox.hpp"

namespace ambf_devices
{

enum class LoopEvent : std::uint8_t
{
  Opened,
  OpenFailed,
  Lost,
  ReadingRefused,  ///< the first of a run of refused readings
  ReadingsGood,    ///< the run is over
  ProxySilent,     ///< no proxy state within the timeout: no force
  ProxyBack,
  Guided,  ///< somebody's guidance is felt
  GuidanceEnded,
};

constexpr std::size_t loop_events = 9;

struct LoopParameters
{
  CycleParameters cycle;
  double rate = 0.0;          ///< [Hz]; 0: the device's own
  double reopen_after = 0.5;  ///< pause between two attempts to open a device [s]
};

/// Called from the loop's thread; must not block.
struct LoopCallbacks
{
  std::function<void(const DeviceSample &)> on_sample;
  /// `words` say what happened and what to do; one call per change of state or of the words.
  std::function<void(LoopEvent, const std::string & words)> on_event;
  /// What was written to a device that gives force, at every tick; zero when it is left.
  std::function<void(const ambf_teleop::Wrench &)> on_wrench = {};
  /// From a reading to the force that rests on the proxy state made of it [s], once per proxy state.
  std::function<void(double)> on_round_trip = {};
};

/// Counts since the start.
struct LoopCounts
{
  std::uint64_t ticks = 0;
  std::uint64_t samples = 0;
  std::uint64_t refused = 0;
  std::uint64_t late =
    0;  ///< ticks that started more than a period late; what was missed is left out
  std::uint64_t proxies = 0;
  std::uint64_t proxies_refused = 0;  ///< not finite
  std::uint64_t guidances = 0;        ///< taken
  double rate = 0.0;                  ///< asked for [Hz]
  double last_force = 0.0;            ///< magnitude sent last [N]
  double largest_force = 0.0;         ///< [N]
  double driver_time = 0.0;           ///< spent in calls of the driver [s]
  double round_trip = 0.0;            ///< of the newest proxy state, see LoopCallbacks [s]
  bool open = false;
};

constexpr double slowest_rate = 1.0;
constexpr double fastest_rate = 4000.0;

/// A device's own thread on the steady clock at the device's rate. Opens the driver, opens it again
/// when it was lost, and leaves it with zero force.
class DeviceLoop
{
public:
  DeviceLoop(
    std::unique_ptr<Driver> driver, const LoopParameters & parameters, LoopCallbacks callbacks);
  ~DeviceLoop();
  DeviceLoop(const DeviceLoop &) = delete;
  DeviceLoop & operator=(const DeviceLoop &) = delete;

  void start();

  /// Ends the thread after its current call into the driver; from any thread.
  void stop();

  /// The newest proxy state; from one thread at a time. Never waits.
  void post_proxy(const ProxySample & proxy);

  /// The newest guidance; likewise.
  void post_guidance(const GuidanceCommand & command);

  LoopCounts counts() const;

  /// Longest call of the driver since this was last asked for [s].
  double take_longest_call() { return longest_call_.exchange(0.0); }

private:
  struct TimedProxy
  {
    ProxySample proxy;
    double time = 0.0;
  };

  struct TimedGuidance
  {
    GuidanceCommand command;
    double time = 0.0;
  };

  double now() const;
  void run();
  bool open();
  void leave();
  void cycle_until_lost();
  DriverStatus timed_read(DriverState & state);
  void tick(const Capabilities & can, const DriverState & state, bool fresh);
  void write(const ambf_teleop::Wrench & wrench);
  void note_round_trip();
  void note_call(double seconds);
  void watch_readings(const CycleResult & result);
  void watch_proxy(const CycleResult & result);
  void watch_guidance(const CycleResult & result);
  void tell(LoopEvent event, const std::string & words);
  void pause(double seconds);

  std::unique_ptr<Driver> driver_;
  LoopParameters parameters_;
  LoopCallbacks callbacks_;
  DeviceCycle cycle_;
  ambf_teleop::Mailbox<TimedProxy> proxies_;
  ambf_teleop::Mailbox<TimedGuidance> guidances_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> running_{false};
  std::mutex stop_mutex_;
  std::condition_variable stop_;
  std::mutex thread_mutex_;
  std::thread thread_;

  bool refusing_ = false;
  bool proxy_silent_ = false;
  bool proxy_seen_ = false;
  bool was_guided_ = false;
  std::string open_failure_told_;
  std::uint64_t round_trip_of_ = 0;

  std::atomic<std::uint64_t> ticks_{0}, samples_{0}, refused_{0}, late_{0}, proxies_taken_{0},
    proxies_refused_{0}, guidances_taken_{0};
  std::atomic<double> rate_{0.0}, last_force_{0.0}, largest_force_{0.0}, driver_time_{0.0},
    longest_call_{0.0}, round_trip_{0.0};
  std::atomic<bool> open_{false};
};

}  // namespace ambf_devices
