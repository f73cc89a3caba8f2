// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_devices/device_loop.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace ambf_devices
{

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::steady_clock;

DeviceLoop::DeviceLoop(
  std::unique_ptr<Driver> driver, const LoopParameters & parameters, LoopCallbacks callbacks)
: driver_(std::move(driver)),
  parameters_(parameters),
  callbacks_(std::move(callbacks)),
  cycle_(parameters.cycle),
  start_(steady_clock::now())
{
}

DeviceLoop::~DeviceLoop() { stop(); }

void DeviceLoop::start()
{
  const std::lock_guard lock(thread_mutex_);
  if (!running_.exchange(true)) {
    thread_ = std::thread([this] { run(); });
  }
}

void DeviceLoop::stop()
{
  {
    const std::lock_guard lock(stop_mutex_);
    running_ = false;
  }
  stop_.notify_all();
  const std::lock_guard lock(thread_mutex_);
  if (thread_.joinable()) { thread_.join(); }
}

void DeviceLoop::post_proxy(const ProxySample & proxy) { proxies_.post({proxy, now()}); }

void DeviceLoop::post_guidance(const GuidanceCommand & command)
{
  guidances_.post({command, now()});
}

LoopCounts DeviceLoop::counts() const
{
  LoopCounts counts;
  counts.ticks = ticks_;
  counts.samples = samples_;
  counts.refused = refused_;
  counts.late = late_;
  counts.proxies = proxies_taken_;
  counts.proxies_refused = proxies_refused_;
  counts.guidances = guidances_taken_;
  counts.rate = rate_;
  counts.last_force = last_force_;
  counts.largest_force = largest_force_;
  counts.driver_time = driver_time_;
  counts.round_trip = round_trip_;
  counts.open = open_;
  return counts;
}

double DeviceLoop::now() const { return duration<double>(steady_clock::now() - start_).count(); }

void DeviceLoop::run()
{
  while (running_) {
    if (open()) {
      cycle_until_lost();
      leave();
    }
    if (running_) { pause(parameters_.reopen_after); }
  }
}

bool DeviceLoop::open()
{
  std::string why;
  bool opened = false;
  try {
    opened = driver_->open(now(), why);
  } catch (const std::exception & error) {
    why = error.what();
  }
  if (why.empty()) { why = "the driver gives no reason"; }
  open_ = opened;
  if (opened) {
    open_failure_told_.clear();
    tell(LoopEvent::Opened, driver_->capabilities().model);
  } else if (why != open_failure_told_) {
    open_failure_told_ = why;
    tell(LoopEvent::OpenFailed, why);
  }
  return opened;
}

void DeviceLoop::cycle_until_lost()
{
  const Capabilities can = driver_->capabilities();
  cycle_.limit_to(can.max_force, can.max_torque);
  if (can.filtered) { cycle_.believe_jumps(); }
  const double wanted = parameters_.rate > 0.0 ? parameters_.rate : can.rate;
  rate_ = std::clamp(wanted, slowest_rate, fastest_rate);
  cycle_.hold_for(1.0 / rate_);
  const auto period = duration_cast<steady_clock::duration>(duration<double>(1.0 / rate_));

  DriverState state;
  auto next = steady_clock::now();
  while (running_) {
    std::this_thread::sleep_until(next);
    const DriverStatus status = timed_read(state);
    if (status == DriverStatus::Lost) {
      tell(LoopEvent::Lost, "the device is gone; it is opened again as soon as it is back");
      return;
    }
    tick(can, state, status == DriverStatus::Ok);
    next += period;
    const auto after = steady_clock::now();
    if (after > next + period) {
      // A slow driver gets a lower rate, not a burst of calls.
      ++late_;
      next = after;
    }
  }
}

DriverStatus DeviceLoop::timed_read(DriverState & state)
{
  const double before = now();
  state.relocated = false;  // news, unlike the rest of the state
  const DriverStatus status = driver_->read(before, state);
  note_call(now() - before);
  return status;
}

void DeviceLoop::write(const ambf_teleop::Wrench & wrench)
{
  const double before = now();
  driver_->write(before, wrench);
  note_call(now() - before);
  last_force_ = wrench.force.norm();
  largest_force_ = std::max(largest_force_.load(), last_force_.load());
  if (callbacks_.on_wrench) { callbacks_.on_wrench(wrench); }
}

void DeviceLoop::note_round_trip()
{
  const double seconds = cycle_.round_trip(now());
  if (seconds < 0.0) { return; }
  round_trip_ = seconds;
  if (callbacks_.on_round_trip) { callbacks_.on_round_trip(seconds); }
}

void DeviceLoop::note_call(double seconds)
{
  driver_time_ = driver_time_ + seconds;
  if (seconds > longest_call_) { longest_call_ = seconds; }
}

void DeviceLoop::tick(const Capabilities & can, const DriverState & state, bool fresh)
{
  TimedProxy timed;
  bool new_proxy = proxies_.take(timed);
  if (new_proxy) {
    new_proxy = cycle_.take_proxy(timed.proxy, timed.time);
    ++(new_proxy ? proxies_taken_ : proxies_refused_);
  }
  TimedGuidance guidance;
  if (guidances_.take(guidance) && cycle_.take_guidance(guidance.command, guidance.time)) {
    ++guidances_taken_;
  }
  // After the read: a driver that blocked in it has aged the proxy state, too.
  CycleResult result = cycle_.tick(now(), fresh, state);
  ++ticks_;
  if (result.has_sample) {
    ++samples_;
    if (callbacks_.on_sample) { callbacks_.on_sample(result.sample); }
  }
  if (can.force || can.torque) {
    if (!can.force) { result.wrench.force.setZero(); }
    if (!can.torque) { result.wrench.torque.setZero(); }
    write(result.wrench);
  }
  // A world that steps faster than the device reads tells of the same sample several times.
  if (new_proxy && timed.proxy.device_sequence != round_trip_of_) {
    round_trip_of_ = timed.proxy.device_sequence;
    note_round_trip();
  }
  watch_readings(result);
  watch_proxy(result);
  watch_guidance(result);
}

void DeviceLoop::watch_readings(const CycleResult & result)
{
  // Two ticks close together after a late one are no fault of the device.
  const bool usable =
    ambf_teleop::usable(result.verdict) || result.verdict == ambf_teleop::ReadingVerdict::TooEarly;
  if (!usable) { ++refused_; }
  if (!usable && !refusing_) {
    refusing_ = true;
    tell(LoopEvent::ReadingRefused, std::string(to_string(result.verdict)));
  } else if (result.has_sample && refusing_) {
    refusing_ = false;
    tell(LoopEvent::ReadingsGood, "readings are good again");
  }
}

void DeviceLoop::watch_proxy(const CycleResult & result)
{
  if (result.proxy_fresh) {
    if (proxy_silent_) {
      proxy_silent_ = false;
      tell(LoopEvent::ProxyBack, "proxy states arrive again");
    }
    proxy_seen_ = true;
  } else if (proxy_seen_ && !proxy_silent_) {
    proxy_silent_ = true;
    tell(LoopEvent::ProxySilent, "no proxy state within the timeout: no force");
  }
}

void DeviceLoop::watch_guidance(const CycleResult & result)
{
  if (result.guided == was_guided_) { return; }
  was_guided_ = result.guided;
  tell(
    result.guided ? LoopEvent::Guided : LoopEvent::GuidanceEnded,
    result.guided ? "a command leads the hand" : "no command leads the hand any more");
}

void DeviceLoop::leave()
{
  const Capabilities can = driver_->capabilities();
  if (can.force || can.torque) { write({}); }
  driver_->close();
  open_ = false;
  cycle_.device_lost();
}

void DeviceLoop::tell(LoopEvent event, const std::string & words)
{
  if (callbacks_.on_event) { callbacks_.on_event(event, words); }
}

void DeviceLoop::pause(double seconds)
{
  std::unique_lock lock(stop_mutex_);
  stop_.wait_for(lock, duration<double>(seconds), [this] { return !running_; });
}

}  // namespace ambf_devices
