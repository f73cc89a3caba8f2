// SPDX-License-Identifier: BSD-3-Clause
// Five mock devices beside a loaded world, one of which blocks 2 ms in every force write: how often is
// each served?
//
//   device_rates async|sequential SECONDS MODEL...
//
// async: a loop of its own per device, the world in another thread. sequential: one loop that steps
// the world and serves every device in turn, which is what is compared against and used nowhere else.
// A bare loop at the same rate runs beside either. Prints the rates [Hz].
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_devices/device_loop.hpp"
#include "ambf_devices/mock_driver.hpp"
#include "ambf_dynamics/world.hpp"

namespace
{

using ambf_devices::DeviceLoop;
using ambf_devices::DeviceSample;
using ambf_devices::MockDriver;
using ambf_devices::ProxySample;
using ambf_teleop::Mailbox;
using std::chrono::duration;
using std::chrono::steady_clock;

constexpr std::size_t devices = 5;
constexpr std::size_t blocking = 4;
constexpr std::chrono::milliseconds period{1};

std::unique_ptr<ambf_dynamics::World> load(int count, char ** files)
{
  auto world = ambf_dynamics::make_world();
  ambf_adf::Scene scene;
  for (int i = 0; world && i < count; ++i) {
    auto model = ambf_adf::parse_file(files[i]);
    auto named = model ? scene.add(std::move(*model)) : std::move(model);
    if (!named || !(*world)->add_model(*named)) {
      std::fprintf(stderr, "%s was not loaded\n", files[i]);
      std::exit(1);
    }
  }
  return std::move(*world);
}

ambf_devices::MockParameters mock(std::size_t index)
{
  ambf_devices::MockParameters parameters;
  parameters.blocking_write = index == blocking ? 0.002 : 0.0;
  return parameters;
}

ambf_devices::LoopParameters loop_parameters()
{
  ambf_devices::LoopParameters parameters;
  parameters.rate = 1000.0;
  parameters.cycle.gains.linear_stiffness.setConstant(100.0);
  return parameters;
}

ProxySample answer(const DeviceSample & sample)
{
  ProxySample proxy;
  proxy.T_world_proxy = proxy.T_world_reference = sample.T_base_tip;
  proxy.T_world_proxy.position.x() += 0.01;
  proxy.device_sequence = sample.sequence;
  return proxy;
}

/// Calls `tick` every period until told to stop; what is missed is left out, as in a device's loop.
template <typename Tick>
std::uint64_t every_period(const std::atomic<bool> & running, Tick tick)
{
  std::uint64_t ticks = 0;
  auto next = steady_clock::now();
  while (running) {
    std::this_thread::sleep_until(next);
    tick();
    ++ticks;
    next += period;
    const auto after = steady_clock::now();
    if (after > next + period) { next = after; }
  }
  return ticks;
}

void report(const char * what, std::uint64_t count, double seconds)
{
  std::printf("RESULT %s rate=%.3f\n", what, static_cast<double>(count) / seconds);
}

void report_devices(const std::array<std::uint64_t, devices> & counts, double seconds)
{
  for (std::size_t i = 0; i < devices; ++i) {
    report((i == blocking ? "blocking" : "device" + std::to_string(i)).c_str(), counts[i], seconds);
  }
}

void run_async(ambf_dynamics::World & world, std::atomic<bool> & running, double seconds)
{
  std::array<Mailbox<DeviceSample>, devices> samples;
  std::vector<std::unique_ptr<DeviceLoop>> loops;
  for (std::size_t i = 0; i < devices; ++i) {
    ambf_devices::LoopCallbacks callbacks;
    callbacks.on_sample = [&samples, i](const DeviceSample & sample) { samples[i].post(sample); };
    loops.push_back(std::make_unique<DeviceLoop>(
      std::make_unique<MockDriver>(mock(i)), loop_parameters(), std::move(callbacks)));
  }
  for (auto & loop : loops) { loop->start(); }
  std::uint64_t steps = 0;
  std::thread physics([&] {
    steps = every_period(running, [&] {
      world.step();
      DeviceSample sample;
      for (std::size_t i = 0; i < devices; ++i) {
        if (samples[i].take(sample)) { loops[i]->post_proxy(answer(sample)); }
      }
    });
  });
  std::this_thread::sleep_for(duration<double>(seconds));
  std::array<std::uint64_t, devices> counts{};
  for (std::size_t i = 0; i < devices; ++i) { counts[i] = loops[i]->counts().ticks; }
  running = false;
  physics.join();
  for (auto & loop : loops) { loop->stop(); }
  report_devices(counts, seconds);
  report("physics", steps, seconds);
}

void run_sequential(ambf_dynamics::World & world, std::atomic<bool> & running, double seconds)
{
  std::vector<std::unique_ptr<MockDriver>> drivers;
  std::vector<ambf_devices::DeviceCycle> cycles;
  for (std::size_t i = 0; i < devices; ++i) {
    drivers.push_back(std::make_unique<MockDriver>(mock(i)));
    cycles.emplace_back(loop_parameters().cycle);
  }
  std::array<std::uint64_t, devices> counts{};
  std::uint64_t steps = 0;
  const auto start = steady_clock::now();
  std::thread both([&] {
    steps = every_period(running, [&] {
      world.step();
      for (std::size_t i = 0; i < devices; ++i) {
        ambf_devices::DriverState state;
        const double time = duration<double>(steady_clock::now() - start).count();
        const auto status = drivers[i]->read(time, state);
        const auto result = cycles[i].tick(time, status == ambf_devices::DriverStatus::Ok, state);
        if (result.has_sample) { cycles[i].take_proxy(answer(result.sample), time); }
        drivers[i]->write(time, result.wrench);
        ++counts[i];
      }
    });
  });
  std::this_thread::sleep_for(duration<double>(seconds));
  running = false;
  both.join();
  report_devices(counts, seconds);
  report("physics", steps, seconds);
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string way = argc > 3 ? argv[1] : "";
  const double seconds = argc > 3 ? std::atof(argv[2]) : 0.0;
  if ((way != "async" && way != "sequential") || !(seconds > 0.0)) {
    std::fprintf(stderr, "usage: device_rates async|sequential SECONDS MODEL...\n");
    return 2;
  }
  const auto world = load(argc - 3, argv + 3);
  std::atomic<bool> running{true};
  std::uint64_t bare = 0;
  std::thread metronome([&] { bare = every_period(running, [] {}); });
  (way == "async" ? run_async : run_sequential)(*world, running, seconds);
  metronome.join();
  report("bare", bare, seconds);
  return 0;
}
