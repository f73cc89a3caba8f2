// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random joint values and golden arms for the tests.

#include <cstdlib>
#include <random>
#include <string>

#include "ambf_arms/dvrk_arms.hpp"
#include "ambf_arms/inverse.hpp"

namespace ambf_arms::test
{

inline bool long_tier()
{
  const char * value = std::getenv("AMBF_TEST_LONG");
  return value != nullptr && std::string(value) == "1";
}

class Random
{
public:
  explicit Random(unsigned seed) : source_(seed) {}
  double within(double low, double high)
  {
    return std::uniform_real_distribution<double>(low, high)(source_);
  }
  JointVector joints(const Bounds & bounds)
  {
    JointVector q(bounds.low.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) { q[i] = within(bounds.low[i], bounds.high[i]); }
    return q;
  }
  JointVector vector(Eigen::Index size, double low, double high)
  {
    JointVector v(size);
    for (double & x : v) { x = within(low, high); }
    return v;
  }

private:
  std::mt19937_64 source_;
};

template <class Joints>
void add_bounds(Bounds & bounds, const Joints & joints, std::size_t count)
{
  const Eigen::Index start = bounds.low.size();
  bounds.low.conservativeResize(start + static_cast<Eigen::Index>(count));
  bounds.high.conservativeResize(start + static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    bounds.low[start + static_cast<Eigen::Index>(i)] = joints[i].low;
    bounds.high[start + static_cast<Eigen::Index>(i)] = joints[i].high;
  }
}

inline Bounds psm_bounds(Generation generation, const Tool & tool)
{
  Bounds bounds;
  add_bounds(bounds, psm_joints(generation), 3);
  add_bounds(bounds, tool_joints(tool), 3);
  return bounds;
}

inline Bounds ecm_bounds()
{
  Bounds bounds;
  add_bounds(bounds, ecm_joints(Generation::Classic), 4);
  return bounds;
}

inline Bounds mtm_bounds(Side side)
{
  Bounds bounds;
  add_bounds(bounds, mtm_joints(side), 7);
  return bounds;
}

}  // namespace ambf_arms::test
