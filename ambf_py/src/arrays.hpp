// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "local_world.hpp"

namespace ambf_py
{

template <typename T>
using Array = pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>;

/// One flat row of numbers; throws with the argument's name.
template <typename T>
std::span<const T> row(const Array<T> & array, const char * name)
{
  if (array.ndim() != 1) {
    throw BadInput(
      std::string(name) + ": found " + std::to_string(array.ndim()) + " dimensions, expected 1");
  }
  return {array.data(), static_cast<std::size_t>(array.size())};
}

inline void check_indices(
  std::span<const std::uint32_t> indices, std::size_t count, const char * name)
{
  for (const auto index : indices) {
    if (index >= count) {
      throw BadInput(
        std::string(name) + ": found index " + std::to_string(index) + ", expected less than " +
        std::to_string(count));
    }
  }
}

/// Copies blocks of `stride` doubles; indices were checked.
inline void gather(
  std::span<const std::uint32_t> indices, const std::vector<double> & from, std::size_t stride,
  double * to)
{
  for (const auto index : indices) {
    const double * block = from.data() + index * stride;
    for (std::size_t i = 0; i < stride; ++i) { *to++ = block[i]; }
  }
}

void bind_pool(pybind11::module_ & module);

}  // namespace ambf_py
