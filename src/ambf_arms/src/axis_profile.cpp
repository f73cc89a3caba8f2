// SPDX-License-Identifier: BSD-3-Clause
// One joint from any state to rest at a goal with limited velocity, acceleration and jerk.
//
// A motion in the positive direction raises the acceleration, lets it fall, cruises, brakes and comes
// to rest: jerks + 0 - 0 - 0 +. All of them form one family in which later braking means a longer
// way, so that the one that ends at the goal is found by halving an interval:
//   1. brake at once, but slacken the brake before braking again (only while braking already),
//   2. go to a cruising speed and brake from there,
//   3. cruise at the speed limit.
// Motions in the other direction are the mirror image.

#include <algorithm>
#include <cmath>

#include "ambf_arms/trajectory.hpp"

namespace ambf_arms
{
namespace
{

AxisState advanced(const AxisState & s, double jerk, double t) noexcept
{
  return {
    s.position + t * (s.velocity + t * (0.5 * s.acceleration + t * jerk / 6.0)),
    s.velocity + t * (s.acceleration + 0.5 * t * jerk), s.acceleration + t * jerk};
}

void add(AxisProfile & profile, double duration, double jerk) noexcept
{
  if (duration > 0.0 && profile.count < static_cast<int>(profile.phases.size())) {
    profile.phases[static_cast<std::size_t>(profile.count++)] = {duration, jerk};
  }
}

/// Velocity that is left when the acceleration goes to zero as fast as the jerk allows.
double settled(double velocity, double acceleration, double jerk) noexcept
{
  return velocity + 0.5 * acceleration * std::abs(acceleration) / jerk;
}

/// The fastest change to another velocity, with no acceleration at its end.
struct Change
{
  double jerk = 0.0;  ///< of the first phase; the last has the opposite one
  double rise = 0.0, hold = 0.0, fall = 0.0;

  double duration() const noexcept { return rise + hold + fall; }
  void append(AxisProfile & profile) const noexcept
  {
    add(profile, rise, jerk);
    add(profile, hold, 0.0);
    add(profile, fall, -jerk);
  }
  AxisState end(const AxisState & s) const noexcept
  {
    return advanced(advanced(advanced(s, jerk, rise), 0.0, hold), -jerk, fall);
  }
};

Change change_velocity(
  double velocity, double acceleration, double wanted, const AxisLimits & limits) noexcept
{
  const double j = limits.jerk;
  const double sign = wanted >= settled(velocity, acceleration, j) ? 1.0 : -1.0;
  const double a = sign * acceleration;
  const double gain = sign * (wanted - velocity);
  Change out;
  out.jerk = sign * j;
  double peak = std::sqrt(std::max(0.0, j * gain + 0.5 * a * a));
  peak = std::max(peak, std::max(a, 0.0));
  if (peak > limits.acceleration) {
    peak = std::max(limits.acceleration, a);
    out.hold = std::max(0.0, (gain - (peak * peak - 0.5 * a * a) / j) / peak);
  }
  out.rise = std::max(0.0, (peak - a) / j);
  out.fall = peak / j;
  return out;
}

/// Speeds up or slows down to `speed`, then stops.
struct Detour
{
  Change to, stop;
  double length = 0.0;
  double duration() const noexcept { return to.duration() + stop.duration(); }
};

Detour detour(const AxisState & s, double speed, const AxisLimits & limits) noexcept
{
  Detour out;
  out.to = change_velocity(s.velocity, s.acceleration, speed, limits);
  out.stop = change_velocity(speed, 0.0, 0.0, limits);
  const AxisState cruising = out.to.end({0.0, s.velocity, s.acceleration});
  out.length = cruising.position + out.stop.end({0.0, speed, 0.0}).position;
  return out;
}

/// Where the rising f crosses zero between low (f <= 0) and high (f >= 0), to the last digit.
template <class F>
double crossing(double low, double high, double f_low, double f_high, const F & f) noexcept
{
  // Illinois: a secant that never keeps the same end twice. Halving where it is slow.
  int side = 0;
  for (int i = 0; i < 120 && high - low > 1e-16 * (std::abs(low) + std::abs(high)); ++i) {
    double x = i % 4 == 3 || f_high == f_low ? 0.5 * (low + high)
                                             : (low * f_high - high * f_low) / (f_high - f_low);
    if (!(x > low && x < high)) { x = 0.5 * (low + high); }
    if (!(x > low && x < high)) { break; }
    const double fx = f(x);
    if (fx == 0.0) { return x; }
    if (fx < 0.0) {
      low = x;
      f_low = fx;
      f_high = side == -1 ? 0.5 * f_high : f_high;
      side = -1;
    } else {
      high = x;
      f_high = fx;
      f_low = side == 1 ? 0.5 * f_low : f_low;
      side = 1;
    }
  }
  return std::abs(f_low) < std::abs(f_high) ? low : high;
}

/// A problem in the positive direction from a start within the limits.
struct Problem
{
  AxisState start;   ///< position 0
  double way = 0.0;  ///< to the goal; at least that of the fastest stop
  AxisLimits limits;
  double speed_limit = 0.0;  ///< the limit, or a hair more where the start settles there
  double settles = 0.0;      ///< velocity at which the start settles
  Change stop;               ///< the fastest stop
  double stop_way = 0.0;
};

/// Brakes, slackens to `peak` (below zero) and brakes again.
double slackened(const Problem & p, double peak, AxisProfile * out) noexcept
{
  const double rise = (peak - p.start.acceleration) / p.limits.jerk;
  const AxisState top = advanced(p.start, p.limits.jerk, rise);
  const Change rest = change_velocity(top.velocity, top.acceleration, 0.0, p.limits);
  if (out != nullptr) {
    add(*out, rise, p.limits.jerk);
    rest.append(*out);
  }
  return rest.end(top).position;
}

bool needs_slack(const Problem & p) noexcept
{
  return p.settles > 0.0 && p.start.acceleration < 0.0 && p.way < slackened(p, 0.0, nullptr);
}

/// The highest speed of the fastest motion; only without `needs_slack`.
double fastest_speed(const Problem & p) noexcept
{
  const double least = std::max(0.0, p.settles);
  const double top = p.speed_limit;
  const double at_least = detour(p.start, least, p.limits).length - p.way;
  const double at_top = detour(p.start, top, p.limits).length - p.way;
  if (at_top <= 0.0) { return top; }
  if (at_least >= 0.0) { return least; }
  return crossing(least, top, at_least, at_top, [&](double speed) {
    return detour(p.start, speed, p.limits).length - p.way;
  });
}

void append_detour(const Problem & p, double speed, AxisProfile & out) noexcept
{
  const Detour d = detour(p.start, speed, p.limits);
  d.to.append(out);
  if (speed > 0.0) { add(out, std::max(0.0, (p.way - d.length) / speed), 0.0); }
  d.stop.append(out);
}

/// What is common to fastest and stretched profiles: the return from beyond the limits, then a
/// problem in the positive direction. `mirror` is -1 where everything was turned round.
struct Setup
{
  AxisProfile head;  ///< the return
  Problem problem;
  double mirror = 1.0;
  bool arrives_by_stopping = false;
};

Setup set_up(const AxisState & start, double goal, const AxisLimits & limits) noexcept
{
  Setup out;
  out.head.start = start;
  AxisState s = start;
  const auto go = [&](double duration, double jerk) {
    if (duration > 0.0) {
      add(out.head, duration, jerk);
      s = advanced(s, jerk, duration);
    }
  };
  if (std::abs(s.acceleration) > limits.acceleration) {
    const double sign = s.acceleration > 0.0 ? 1.0 : -1.0;
    go((std::abs(s.acceleration) - limits.acceleration) / limits.jerk, -sign * limits.jerk);
    s.acceleration = sign * limits.acceleration;
  }
  const double will_be = settled(s.velocity, s.acceleration, limits.jerk);
  if (std::abs(will_be) > limits.velocity * (1.0 + 1e-12)) {
    const Change back = change_velocity(
      s.velocity, s.acceleration, will_be > 0.0 ? limits.velocity : -limits.velocity, limits);
    // Without its last phase: from there on the state settles within the limit.
    go(back.rise, back.jerk);
    go(back.hold, 0.0);
  }
  Problem & p = out.problem;
  p.limits = limits;
  p.stop = change_velocity(s.velocity, s.acceleration, 0.0, limits);
  p.stop_way = p.stop.end({0.0, s.velocity, s.acceleration}).position;
  p.way = goal - s.position;
  const double tiny = 1e-14 * (std::abs(goal) + std::abs(s.position)) + 1e-300;
  out.arrives_by_stopping = std::abs(p.way - p.stop_way) <= tiny;
  if (p.way < p.stop_way) {
    out.mirror = -1.0;
    p.way = -p.way;
    p.stop_way = -p.stop_way;
    s.velocity = -s.velocity;
    s.acceleration = -s.acceleration;
    p.stop = change_velocity(s.velocity, s.acceleration, 0.0, limits);
  }
  p.start = {0.0, s.velocity, s.acceleration};
  p.settles = settled(s.velocity, s.acceleration, limits.jerk);
  p.speed_limit = std::max(limits.velocity, p.settles);
  return out;
}

AxisProfile finish(const Setup & setup, const AxisProfile & tail) noexcept
{
  AxisProfile out = setup.head;
  for (int i = 0; i < tail.count; ++i) {
    const AxisProfile::Phase & phase = tail.phases[static_cast<std::size_t>(i)];
    add(out, phase.duration, setup.mirror * phase.jerk);
  }
  return out;
}

AxisProfile fastest_tail(const Setup & setup) noexcept
{
  AxisProfile tail;
  const Problem & p = setup.problem;
  if (setup.arrives_by_stopping) {
    p.stop.append(tail);
  } else if (needs_slack(p)) {
    const double low = p.start.acceleration;
    const auto f = [&](double peak) { return slackened(p, peak, nullptr) - p.way; };
    slackened(p, crossing(low, 0.0, f(low), f(0.0), f), &tail);
  } else {
    append_detour(p, fastest_speed(p), tail);
  }
  return tail;
}

}  // namespace

double AxisProfile::duration() const noexcept
{
  double sum = 0.0;
  for (int i = 0; i < count; ++i) { sum += phases[static_cast<std::size_t>(i)].duration; }
  return sum;
}

AxisState AxisProfile::at(double time) const noexcept
{
  AxisState s = start;
  double left = std::max(0.0, time);
  for (int i = 0; i < count; ++i) {
    const Phase & phase = phases[static_cast<std::size_t>(i)];
    s = advanced(s, phase.jerk, std::min(left, phase.duration));
    left -= phase.duration;
    if (left <= 0.0) { return s; }
  }
  // At rest: what rounding left of the velocity must not carry on.
  return {s.position, 0.0, 0.0};
}

AxisProfile fastest_profile(
  const AxisState & start, double goal, const AxisLimits & limits) noexcept
{
  const Setup setup = set_up(start, goal, limits);
  return finish(setup, fastest_tail(setup));
}

bool stretched_profile(
  const AxisState & start, double goal, const AxisLimits & limits, double duration,
  AxisProfile & out, double & next) noexcept
{
  const Setup setup = set_up(start, goal, limits);
  const AxisProfile fastest = fastest_tail(setup);
  const double wanted = duration - setup.head.duration();
  const double shortest = fastest.duration();
  // A joint that stops at its goal anyway just rests there.
  if (setup.arrives_by_stopping || wanted <= shortest + 1e-12) {
    out = finish(setup, fastest);
    next = setup.head.duration() + shortest;
    return setup.arrives_by_stopping || wanted >= shortest - 1e-9;
  }
  const Problem & p = setup.problem;
  struct Trial
  {
    bool fits;
    double duration;
  };
  // The slower the cruise, the longer it takes, as long as the way to that speed is not too long.
  const auto trial = [&](double speed) -> Trial {
    const Detour d = detour(p.start, speed, p.limits);
    return {d.length <= p.way, d.duration() + (p.way - d.length) / speed};
  };
  const double top = needs_slack(p) ? p.settles : fastest_speed(p);
  double low = std::min(top, std::max(1e-300, (p.way - p.stop_way) / wanted));
  for (int i = 0; i < 200; ++i) {
    const Trial t = trial(low);
    if (t.fits && t.duration >= wanted) { break; }
    low *= 0.5;
  }
  // Upwards from a speed that is too slow, over the gap where the way to the speed is too long.
  constexpr int steps = 48;
  const double factor = std::pow(top / low, 1.0 / steps);
  double before = low;
  bool fitted = true;
  double best = -1.0;
  double shortest_below = trial(low).duration;
  for (int i = 1; i <= steps && best < 0.0; ++i) {
    const double speed = i == steps ? top : low * std::pow(factor, i);
    const Trial t = trial(speed);
    const bool fits = t.fits || i == steps;
    double upper = speed;
    double at_upper = t.duration;
    double lower = before;
    if (fits != fitted) {  // an edge of the gap lies between
      double in = fits ? speed : before;
      double outside = fits ? before : speed;
      for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (in + outside);
        if (middle == in || middle == outside) { break; }
        (trial(middle).fits ? in : outside) = middle;
      }
      (fits ? lower : upper) = in;
      at_upper = trial(upper).duration;
      if (!fits) { shortest_below = std::min(shortest_below, at_upper); }
    }
    if (fits || fitted) {
      const double at_lower = trial(lower).duration;
      if ((at_lower - wanted) * (at_upper - wanted) <= 0.0) {
        // Falling in speed: turn the sign for the search.
        const double turn = at_upper >= at_lower ? 1.0 : -1.0;
        best = crossing(
          lower, upper, turn * (at_lower - wanted), turn * (at_upper - wanted),
          [&](double v) { return turn * (trial(v).duration - wanted); });
      }
      shortest_below = fits && fitted ? std::min(shortest_below, at_upper) : shortest_below;
    }
    if (!fits && fitted) { next = setup.head.duration() + shortest_below; }
    fitted = fits;
    before = speed;
  }
  if (best < 0.0) {
    next = std::max(next, setup.head.duration() + shortest_below);
    return false;
  }
  AxisProfile tail;
  append_detour(p, best, tail);
  out = finish(setup, tail);
  return true;
}

}  // namespace ambf_arms
