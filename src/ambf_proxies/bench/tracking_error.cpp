// SPDX-License-Identifier: BSD-3-Clause
// CSV: how far a proxy is from its reference against the rate of the physics, for the motion of
// dissertation eq. 3.10. Both are taken at the same instant, n steps per rate, the first fifth left
// out. Columns: the proxy law's dt_f [s], the rate [Hz], n, rms, median, 95th percentile and largest
// error [mm], and whether the gains had to be limited.
//
//   tracking_error [n] [stiffness] [damping]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ambf_adf/parse.hpp"
#include "ambf_adf/scene.hpp"
#include "ambf_proxies/proxies.hpp"
#include "ambf_teleop/trajectory.hpp"

namespace
{

/// As heavy as the parallel gripper of ambf_description.
constexpr const char * tool = R"(
bodies: [BODY tool]
BODY tool:
  name: tool
  mass: 0.46
  inertia: {ix: 0.001, iy: 0.001, iz: 0.001}
  damping: {linear: 0.0, angular: 0.0}
  location: {position: {x: 0, y: 0, z: 0}, orientation: {r: 0, p: 0, y: 0}}
  collision shape: SPHERE
  collision geometry: {radius: 0.02}
)";

struct Law
{
  double nominal_step = 0.02;
  double stiffness = 500.0;
  double damping = 10.0;
};

void run(const Law & law, double rate, int n)
{
  ambf_dynamics::Parameters parameters;
  parameters.gravity.setZero();
  parameters.step_size = 1.0 / rate;
  auto world = std::move(*ambf_dynamics::make_world(parameters));
  ambf_adf::Scene scene;
  (void)world->add_model(*scene.add(*ambf_adf::parse_text(tool, "tool", "", {})));

  ambf_proxies::Binding binding;
  binding.device = "mock";
  binding.root_link = "tool";
  binding.nominal_step = law.nominal_step;
  ambf_teleop::ProxyGains gains;
  gains.linear_stiffness.setConstant(law.stiffness);
  gains.linear_damping.setConstant(law.damping);
  binding.gains = gains;
  ambf_proxies::Proxies hands;
  hands.bind({binding});
  hands.rebuild(*world, {});

  const ambf_teleop::TestTrajectory trajectory;
  std::vector<ambf_proxies::ProxyReading> readings;
  std::vector<double> errors;
  for (int i = 0; i < n; ++i) {
    ambf_teleop::DeviceSample sample;
    sample.T_base_tip.position = trajectory_position(trajectory, i / rate);
    sample.sequence = static_cast<std::uint64_t>(i) + 1;
    hands.box(0)->post(sample);
    hands.take_samples(*world, i / rate);
    hands.before_step(*world, {}, i / rate, false);
    hands.read(*world, {}, readings);
    const auto & proxy = readings[0].proxy;
    if (i >= n / 5) {
      errors.push_back(
        1e3 * (proxy.T_world_reference.position - proxy.T_world_proxy.position).norm());
    }
    if (world->step() != ambf_dynamics::StepStatus::Ok) {
      std::printf(
        "%g,%g,%d,inf,inf,inf,inf,%d\n", law.nominal_step, rate, n, !hands.trouble(0).empty());
      return;
    }
  }
  double squares = 0.0;
  for (const double e : errors) { squares += e * e; }
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double part) {
    return errors[static_cast<std::size_t>(part * static_cast<double>(errors.size() - 1))];
  };
  std::printf(
    "%g,%g,%d,%.4g,%.4g,%.4g,%.4g,%d\n", law.nominal_step, rate, n,
    std::sqrt(squares / static_cast<double>(errors.size())), at(0.5), at(0.95), at(1.0),
    !hands.trouble(0).empty());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char ** words)
{
  const auto word = [&](int i, double fallback) {
    return i < count ? std::atof(words[i]) : fallback;
  };
  const int n = static_cast<int>(word(1, 5000));
  if (n < 10) {
    std::fprintf(stderr, "n: found %d, expected at least 10\n", n);
    return 2;
  }
  std::printf("nominal_step,rate,n,rms_mm,median_mm,p95_mm,largest_mm,limited\n");
  for (const double nominal : {0.02, 0.001}) {
    for (const double rate :
         {1000.0, 700.0, 500.0, 300.0, 200.0, 150.0, 100.0, 70.0, 60.0, 50.0, 45.0, 40.0, 30.0,
          20.0, 15.0, 10.0}) {
      run({nominal, word(2, 500.0), word(3, 10.0)}, rate, n);
    }
  }
  return 0;
}
