// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "ambf_simulation/pacer.hpp"
#include "ambf_simulation/simulation.hpp"
#include "ambf_simulation/step_signal.hpp"
#include "ambf_simulation/mode.hpp"

namespace ambf_simulation
{

struct RunnerSettings
{
  Pacer::Settings pace;
  std::int64_t watchdog_timeout = 500'000'000;  ///< [ns]; 0: never
  WatchdogAction watchdog_action = WatchdogAction::Release;
  std::int64_t spin = 50'000;  ///< [ns]
  int realtime_priority = 0;
  bool lock_memory = false;
  int core = -1;
};

/// Steps the world: on its own thread in realtime and free mode, in the caller's thread for a step
/// call in lockstep. Owns time; knows nothing of ROS.
class WorldRunner
{
public:
  WorldRunner(Simulation & simulation, const RunnerSettings & settings);
  ~WorldRunner();
  WorldRunner(const WorldRunner &) = delete;
  WorldRunner & operator=(const WorldRunner &) = delete;

  void start(Mode mode);
  void stop();

  Mode mode() const { return mode_.load(); }
  void set_mode(Mode mode);
  void set_factor(double factor);
  double set_factor() const { return factor_.load(); }
  /// Steps that realtime mode takes in one go to catch up.
  void set_max_steps_per_cycle(std::uint32_t steps);
  std::uint32_t max_steps_per_cycle() const { return max_steps_per_cycle_.load(); }

  /// Takes `count` steps of lockstep in the calling thread. `prepare` runs with the ownership before the
  /// first, `finish` after the last, before anybody else can touch the world. Stops at divergence, when
  /// `cancel` becomes true, or when the mode is no longer lockstep. Returns how many steps were taken.
  std::uint64_t step_in_place(
    std::uint64_t count, const std::function<void()> & prepare,
    const std::function<void()> & finish, const std::atomic<bool> & cancel);
  /// Runs `job` on the physics thread: for step calls in lockstep that take long.
  void post(std::function<void()> job);

  /// The end is near: a job must not wait any longer.
  bool stopping() const { return stopping_.load(); }

  /// Raised after every cycle of steps.
  StepSignal & signal() { return signal_; }
  /// The watchdogs' clock: wall time in realtime mode, simulation time otherwise [ns].
  std::int64_t watchdog_now() const;

  /// Called from the stepping thread when the world has diverged; the mode is Paused already.
  std::function<void(const ambf_dynamics::Divergence &)> on_divergence;

  struct Figures
  {
    double steps_per_second = 0.0;
    double real_time_factor = 0.0;
    std::uint64_t overruns = 0;
    double slip = 0.0;  ///< [s]
  };
  Figures figures() const;
  /// What could not be had of priority, memory lock and core; empty when all is as asked.
  std::string privileges() const;

private:
  void run();
  void take_privileges();
  ambf_dynamics::StepStatus one_step();
  void measure(std::int64_t now);

  Simulation & simulation_;
  RunnerSettings settings_;
  std::atomic<Mode> mode_{Mode::Paused};
  std::atomic<double> factor_{1.0};
  std::atomic<std::uint32_t> max_steps_per_cycle_;
  std::atomic<bool> restart_pacer_{true};
  std::atomic<bool> stopping_{false};
  StepSignal signal_;
  Pacer pacer_;

  std::mutex wake_mutex_;
  std::condition_variable wake_;
  std::function<void()> job_;
  std::atomic<bool> posted_{false};  ///< there is a job

  mutable std::mutex figures_mutex_;
  Figures figures_;
  std::int64_t figures_time_ = 0;
  std::string privileges_;
  std::int64_t window_start_ = 0;
  std::uint64_t window_step_ = 0;
  double window_time_ = 0.0;

  std::thread thread_;
};

}  // namespace ambf_simulation
