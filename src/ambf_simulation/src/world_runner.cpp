// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_simulation/world_runner.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ambf_simulation
{

using ambf_dynamics::StepStatus;

namespace
{
/// Longest sleep of the physics thread, so that a change of mode is never far.
constexpr std::int64_t kLongestSleep = 20'000'000;
/// Free mode gives the token away after so many steps.
constexpr std::uint32_t kFreeBatch = 16;
/// A cycle that takes longer tells its readers and gives the token away in between, so that neither
/// topics nor services feel how far physics is behind.
constexpr std::int64_t kLongestHold = 400'000;
/// A step call has a thread of its own and nobody waits for its middle.
constexpr std::int64_t kLongestHoldInPlace = 10'000'000;
constexpr std::int64_t kMeasureWindow = 1'000'000'000;
}  // namespace

WorldRunner::WorldRunner(Simulation & simulation, const RunnerSettings & settings)
: simulation_(simulation),
  settings_(settings),
  factor_(settings.pace.factor),
  max_steps_per_cycle_(settings.pace.max_steps_per_cycle)
{
}

WorldRunner::~WorldRunner() { stop(); }

void WorldRunner::start(Mode mode)
{
  mode_.store(mode);
  thread_ = std::thread([this] { run(); });
}

void WorldRunner::stop()
{
  {
    std::lock_guard<std::mutex> lock(wake_mutex_);
    stopping_.store(true);
  }
  wake_.notify_all();
  if (thread_.joinable()) { thread_.join(); }
}

void WorldRunner::set_mode(Mode mode)
{
  const Ownership::Token token(simulation_.ownership());
  {
    std::lock_guard<std::mutex> lock(wake_mutex_);
    mode_.store(mode);
    restart_pacer_.store(true);
  }
  simulation_.restart_clock(watchdog_now());
  wake_.notify_all();
}

void WorldRunner::set_factor(double factor)
{
  factor_.store(factor);
  restart_pacer_.store(true);
}

void WorldRunner::set_max_steps_per_cycle(std::uint32_t steps)
{
  if (max_steps_per_cycle_.exchange(steps) != steps) { restart_pacer_.store(true); }
}

std::int64_t WorldRunner::watchdog_now() const
{
  if (mode_.load() == Mode::Realtime) { return steady_now(); }
  return static_cast<std::int64_t>(simulation_.world().state().time * 1e9);
}

StepStatus WorldRunner::one_step()
{
  // A waiting learner must not lose its command, nor a hand: watchdogs are off in lockstep.
  const bool supervised = mode_.load() != Mode::Lockstep;
  const std::int64_t timeout = supervised ? settings_.watchdog_timeout : 0;
  const StepStatus status =
    simulation_.step(watchdog_now(), timeout, settings_.watchdog_action, supervised);
  if (status == StepStatus::Diverged) {
    mode_.store(Mode::Paused);
    if (on_divergence) { on_divergence(simulation_.world().divergence()); }
  }
  return status;
}

std::uint64_t WorldRunner::step_in_place(
  std::uint64_t count, const std::function<void()> & prepare, const std::function<void()> & finish,
  const std::atomic<bool> & cancel)
{
  StepStatus status = StepStatus::Ok;
  std::uint64_t taken = 0;
  const auto going = [&] {
    return taken < count && status == StepStatus::Ok &&
           !stopping_.load(std::memory_order_relaxed) && !cancel.load(std::memory_order_relaxed) &&
           mode_.load(std::memory_order_relaxed) == Mode::Lockstep;
  };
  for (bool first = true, done = false; !done; first = false) {
    // A long call gives the token away now and then, so that others can look at the world or end it.
    const Ownership::Token token(simulation_.ownership());
    if (first) { prepare(); }
    const std::int64_t until = steady_now() + kLongestHoldInPlace;
    while (going() && steady_now() < until) {
      status = one_step();
      if (status == StepStatus::Ok) { ++taken; }
    }
    done = !going();
    simulation_.share_state();
    measure(steady_now());
    if (done) { finish(); }
  }
  signal_.raise();
  return taken;
}

void WorldRunner::post(std::function<void()> job)
{
  {
    std::lock_guard<std::mutex> lock(wake_mutex_);
    job_ = std::move(job);
    posted_.store(true);
  }
  wake_.notify_all();
}

void WorldRunner::run()
{
  pthread_setname_np(pthread_self(), "ambf_physics");
  take_privileges();
  while (!stopping_.load()) {
    const Mode mode = mode_.load();
    // A job is run in any mode: the one that posted it waits for its end, also where that is a refusal.
    if (mode == Mode::Lockstep || mode == Mode::Paused || posted_.load()) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> lock(wake_mutex_);
        wake_.wait(lock, [&] {
          return stopping_.load() || job_ || mode_.load() == Mode::Realtime ||
                 mode_.load() == Mode::Free;
        });
        job = std::exchange(job_, nullptr);
        posted_.store(false);
      }
      if (job) { job(); }
      continue;
    }
    std::int64_t now = steady_now();
    if (mode == Mode::Realtime && restart_pacer_.exchange(false)) {
      settings_.pace.factor = factor_.load();
      settings_.pace.max_steps_per_cycle = max_steps_per_cycle_.load();
      pacer_.start(settings_.pace, now);
    }
    const std::uint32_t steps = mode == Mode::Free ? kFreeBatch : pacer_.due(now);
    if (steps == 0) {
      sleep_until(std::min(pacer_.next_due(), now + kLongestSleep), settings_.spin);
      continue;
    }
    // The mode may change while this thread waits for the token; then the rest of the cycle is void.
    std::uint32_t left = steps;
    for (bool going = true; left > 0 && going; signal_.raise()) {
      const Ownership::Token token(simulation_.ownership());
      const std::int64_t until = steady_now() + kLongestHold;
      do {
        going = mode_.load(std::memory_order_relaxed) == mode &&
                !stopping_.load(std::memory_order_relaxed) && one_step() == StepStatus::Ok;
        --left;
      } while (left > 0 && going && steady_now() < until);
      simulation_.share_if_wanted();
      measure(steady_now());
    }
  }
}

void WorldRunner::measure(std::int64_t now)
{
  const auto & state = simulation_.world().state();
  if (window_start_ == 0 || state.step < window_step_) {
    window_start_ = now;
    window_step_ = state.step;
    window_time_ = state.time;
    return;
  }
  if (now - window_start_ < kMeasureWindow) { return; }
  std::unique_lock<std::mutex> lock(figures_mutex_, std::try_to_lock);
  if (!lock) { return; }
  const double wall = static_cast<double>(now - window_start_) * 1e-9;
  figures_.steps_per_second = static_cast<double>(state.step - window_step_) / wall;
  figures_.real_time_factor = (state.time - window_time_) / wall;
  figures_.overruns = pacer_.overruns();
  figures_.slip = pacer_.slip();
  figures_time_ = now;
  window_start_ = now;
  window_step_ = state.step;
  window_time_ = state.time;
}

WorldRunner::Figures WorldRunner::figures() const
{
  std::lock_guard<std::mutex> lock(figures_mutex_);
  Figures figures = figures_;
  if (steady_now() - figures_time_ > 3 * kMeasureWindow) {
    // Nobody has stepped for a while.
    figures.steps_per_second = 0.0;
    figures.real_time_factor = 0.0;
  }
  return figures;
}

std::string WorldRunner::privileges() const
{
  std::lock_guard<std::mutex> lock(figures_mutex_);
  return privileges_;
}

void WorldRunner::take_privileges()
{
  std::string missing;
  const auto note = [&](const std::string & what, int error) {
    missing += (missing.empty() ? "" : "; ") + what + ": " + std::strerror(error);
  };
  if (settings_.realtime_priority > 0) {
    sched_param parameter{};
    parameter.sched_priority = settings_.realtime_priority;
    const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
    if (error != 0) {
      note("SCHED_FIFO priority " + std::to_string(settings_.realtime_priority), error);
    }
  }
  if (settings_.core >= 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(settings_.core), &cores);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores);
    if (error != 0) { note("core " + std::to_string(settings_.core), error); }
  }
  if (settings_.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) { note("mlockall", errno); }
  std::lock_guard<std::mutex> lock(figures_mutex_);
  privileges_ = missing;
}

}  // namespace ambf_simulation
