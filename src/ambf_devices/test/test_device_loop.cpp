// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ambf_devices/device_loop.hpp"
#include "ambf_devices/mock_driver.hpp"

namespace ambf_devices
{
namespace
{

using Eigen::Vector3d;
using std::chrono::duration;

void sleep(double seconds) { std::this_thread::sleep_for(duration<double>(seconds)); }

/// Waits for `done`, a minute and a half at most: the machine may be busy.
bool eventually(const std::function<bool()> & done)
{
  for (int i = 0; i < 18000; ++i) {
    if (done()) { return true; }
    sleep(0.005);
  }
  return done();
}

/// A loop on a mock, and all it said.
class Device
{
public:
  explicit Device(const MockParameters & mock, LoopParameters loop = {})
  {
    loop.reopen_after = 0.02;
    auto driver = std::make_unique<MockDriver>(mock);
    driver_ = driver.get();
    loop_ = std::make_unique<DeviceLoop>(
      std::move(driver), loop,
      LoopCallbacks{
        [this](const DeviceSample & sample) {
          const std::lock_guard lock(mutex_);
          samples_.push_back(sample);
        },
        [this](LoopEvent event, const std::string &) {
          const std::lock_guard lock(mutex_);
          events_.push_back(event);
        },
        [this](const ambf_teleop::Wrench & wrench) {
          const std::lock_guard lock(mutex_);
          forces_.push_back(wrench.force.norm());
        }});
  }

  DeviceLoop & loop() { return *loop_; }
  MockDriver & driver() { return *driver_; }
  std::vector<DeviceSample> samples()
  {
    const std::lock_guard lock(mutex_);
    return samples_;
  }
  std::vector<LoopEvent> events()
  {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  std::vector<double> forces()
  {
    const std::lock_guard lock(mutex_);
    return forces_;
  }
  bool told(LoopEvent event)
  {
    const auto all = events();
    return std::find(all.begin(), all.end(), event) != all.end();
  }

private:
  std::mutex mutex_;
  std::vector<DeviceSample> samples_;
  std::vector<LoopEvent> events_;
  std::vector<double> forces_;
  MockDriver * driver_ = nullptr;
  std::unique_ptr<DeviceLoop> loop_;
};

LoopParameters pulling()
{
  LoopParameters loop;
  loop.cycle.gains.linear_stiffness = Vector3d::Constant(100.0);
  loop.cycle.passivity.enabled = false;
  return loop;
}

ProxySample proxy_aside()
{
  ProxySample proxy;
  proxy.T_world_reference.position = Vector3d(0.05, 0, 0);
  return proxy;
}

TEST(DeviceLoop, NumbersItsSamplesWithoutGaps)
{
  Device device(MockParameters{});
  device.loop().start();
  ASSERT_TRUE(eventually([&] { return device.samples().size() > 100; }));
  device.loop().stop();
  const auto samples = device.samples();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_EQ(samples[i].sequence, i + 1);
    ASSERT_EQ(samples[i].relocated && i > 0 && samples[i].time - samples[i - 1].time < 0.1, false);
  }
  EXPECT_EQ(device.loop().counts().samples, samples.size());
}

TEST(DeviceLoop, KeepsItsRateAndMakesNoBursts)
{
  MockParameters mock;
  mock.rate = 500.0;
  Device device(mock);
  device.loop().start();
  ASSERT_TRUE(eventually([&] { return device.samples().size() > 10; }));
  // Slower as far as the machine is busy: some window is to be a fair one.
  double best = 0.0;
  for (int window = 0; window < 450 && best < 100.0; ++window) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t before = device.loop().counts().ticks;
    sleep(0.2);
    const std::uint64_t ticks = device.loop().counts().ticks - before;
    const double elapsed = duration<double>(std::chrono::steady_clock::now() - begin).count();
    // Never faster than asked, up to two ticks that were due.
    EXPECT_LE(static_cast<double>(ticks), 500.0 * elapsed + 2.0);
    best = std::max(best, static_cast<double>(ticks) / elapsed);
  }
  EXPECT_GE(best, 100.0);
}

TEST(DeviceLoop, ABlockingDriverSlowsItselfOnly)
{
  MockParameters blocking;
  blocking.blocking_write = 0.010;
  Device slow(blocking);
  blocking.blocking_write = 3.0;
  Device stuck(blocking);
  Device quick(MockParameters{});
  stuck.loop().start();
  slow.loop().start();
  quick.loop().start();
  // A loop that they shared would make them equal.
  ASSERT_TRUE(eventually([&] { return quick.loop().counts().ticks > 20; }));
  EXPECT_GT(quick.loop().counts().ticks, 3 * stuck.loop().counts().ticks);
  ASSERT_TRUE(eventually([&] { return slow.loop().counts().ticks > 20; }));
  EXPECT_GT(slow.loop().counts().late, 10u);
}

TEST(DeviceLoop, ForceEndsWithTheProxyStatesAndComesBackWithThem)
{
  Device device(MockParameters{}, pulling());
  device.loop().start();
  const auto feed_until = [&](const std::function<bool()> & done) {
    for (int i = 0; i < 60000 && !done(); ++i) {
      device.loop().post_proxy(proxy_aside());
      sleep(0.001);
    }
    return done();
  };
  ASSERT_TRUE(feed_until([&] { return device.driver().last_force() > 4.0; }));
  sleep(0.060);  // twice the timeout
  const std::uint64_t writes = device.driver().writes();
  ASSERT_TRUE(eventually([&] { return device.driver().writes() > writes + 2; }));
  EXPECT_EQ(device.driver().last_force(), 0.0);
  EXPECT_TRUE(eventually([&] { return device.told(LoopEvent::ProxySilent); }));
  EXPECT_TRUE(feed_until(
    [&] { return device.driver().last_force() > 4.0 && device.told(LoopEvent::ProxyBack); }));
}

TEST(DeviceLoop, GuidanceIsFeltSaidAndOverWithItsSender)
{
  MockParameters mock;
  mock.trajectory.scale = 0.0;
  Device device(mock, pulling());
  device.loop().start();
  GuidanceCommand push;
  push.guidance.mode = ambf_teleop::GuidanceMode::Wrench;
  push.guidance.wrench.force = Vector3d(2.0, 0, 0);
  ASSERT_TRUE(eventually([&] {
    device.loop().post_guidance(push);
    return device.driver().last_force() > 1.99;
  }));
  EXPECT_TRUE(device.told(LoopEvent::Guided));
  EXPECT_GT(device.loop().counts().guidances, 0u);
  EXPECT_TRUE(eventually([&] { return device.driver().last_force() == 0.0; }));
  EXPECT_TRUE(eventually([&] { return device.told(LoopEvent::GuidanceEnded); }));
  const auto samples = device.samples();
  EXPECT_TRUE(std::any_of(
    samples.begin(), samples.end(), [](const DeviceSample & sample) { return sample.guided; }));
  EXPECT_FALSE(samples.back().guided);
}

TEST(DeviceLoop, LeavesTheDeviceWithZeroForce)
{
  Device device(MockParameters{}, pulling());
  device.loop().start();
  for (int i = 0; i < 60000 && device.driver().last_force() < 4.0; ++i) {
    device.loop().post_proxy(proxy_aside());
    sleep(0.001);
  }
  EXPECT_GT(device.driver().last_force(), 0.0);
  device.loop().stop();
  EXPECT_EQ(device.driver().last_force(), 0.0);
  EXPECT_LE(device.driver().largest_force(), 10.0 + 1e-9);
  const auto forces = device.forces();
  EXPECT_EQ(forces.size(), device.driver().writes()) << "every write is told";
  EXPECT_EQ(forces.back(), 0.0);
}

TEST(DeviceLoop, CountsTheTimeInItsDriver)
{
  MockParameters mock;
  mock.blocking_write = 0.005;
  Device device(mock);
  device.loop().start();
  ASSERT_TRUE(eventually([&] { return device.loop().counts().ticks >= 10; }));
  EXPECT_GE(device.loop().take_longest_call(), 0.005);
  EXPECT_GE(device.loop().counts().driver_time, 0.045);
  EXPECT_TRUE(device.loop().counts().open);
  device.loop().stop();
  EXPECT_FALSE(device.loop().counts().open);
}

TEST(DeviceLoop, OpensALostDeviceAgainAndSaysThatItMayBeElsewhere)
{
  MockParameters mock;
  mock.faults = {{0.05, 0.30, MockFault::Lost}};
  Device device(mock);
  device.loop().start();
  ASSERT_TRUE(eventually([&] {
    const auto samples = device.samples();
    return !samples.empty() && samples.back().time > 0.35;
  }));
  device.loop().stop();
  EXPECT_EQ(
    device.events(),
    (std::vector<LoopEvent>{
      LoopEvent::Opened, LoopEvent::Lost, LoopEvent::OpenFailed, LoopEvent::Opened}));
  const auto samples = device.samples();
  for (std::size_t i = 1; i < samples.size(); ++i) {
    ASSERT_EQ(samples[i].sequence, samples[i - 1].sequence + 1);
    if (samples[i - 1].time < 0.05 && samples[i].time > 0.30) { EXPECT_TRUE(samples[i].relocated); }
  }
}

TEST(DeviceLoop, TellsOncePerRunOfBadReadings)
{
  MockParameters mock;
  mock.faults = {{0.05, 0.20, MockFault::NotFinite}, {0.25, 0.40, MockFault::NotUnit}};
  Device device(mock);
  device.loop().start();
  ASSERT_TRUE(eventually([&] {
    const auto samples = device.samples();
    return !samples.empty() && samples.back().time > 0.45;
  }));
  device.loop().stop();
  EXPECT_EQ(
    device.events(), (std::vector<LoopEvent>{
                       LoopEvent::Opened, LoopEvent::ReadingRefused, LoopEvent::ReadingsGood,
                       LoopEvent::ReadingRefused, LoopEvent::ReadingsGood}));
  for (const DeviceSample & sample : device.samples()) {
    ASSERT_TRUE(sample.T_base_tip.position.allFinite());
    ASSERT_NEAR(sample.T_base_tip.orientation.norm(), 1.0, 1e-12);
  }
  EXPECT_GT(device.loop().counts().refused, 10u);
}

TEST(DeviceLoop, TrackerWithoutMotorsIsNeverWrittenTo)
{
  MockParameters mock;
  mock.force = false;
  mock.rate = 300.0;
  Device device(mock, pulling());
  device.loop().start();
  ASSERT_TRUE(eventually([&] { return device.samples().size() > 20; }));
  EXPECT_EQ(device.driver().writes(), 0u);
  EXPECT_EQ(device.loop().counts().rate, 300.0);
}

TEST(DeviceLoop, RefusedProxyStatesAreCounted)
{
  Device device(MockParameters{}, pulling());
  device.loop().start();
  ProxySample broken = proxy_aside();
  broken.T_world_proxy.position.z() = std::nan("");
  ASSERT_TRUE(eventually([&] {
    device.loop().post_proxy(broken);
    return device.loop().counts().proxies_refused > 2;
  }));
  EXPECT_EQ(device.driver().largest_force(), 0.0);
}

class ThrowingDriver : public MockDriver
{
public:
  using MockDriver::MockDriver;
  bool open(double, std::string &) override { throw std::runtime_error("no such port"); }
};

TEST(DeviceLoop, ADriverThatThrowsWhenOpenedIsAFailureWithWords)
{
  std::mutex mutex;
  std::string words;
  LoopParameters parameters;
  parameters.reopen_after = 0.01;
  DeviceLoop loop(
    std::make_unique<ThrowingDriver>(MockParameters{}), parameters,
    {{}, [&](LoopEvent event, const std::string & text) {
       const std::lock_guard lock(mutex);
       EXPECT_EQ(event, LoopEvent::OpenFailed);
       words += text;
     }});
  loop.start();
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !words.empty();
  }));
  sleep(0.05);
  loop.stop();
  EXPECT_EQ(words, "no such port");  // told once
}

}  // namespace
}  // namespace ambf_devices
