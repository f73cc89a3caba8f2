// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <new>

namespace
{
std::atomic<std::size_t> watched_size{0};
std::atomic<std::size_t> given_count{0};
std::atomic<void *> given[8];
}  // namespace

namespace allocations
{

void watch(std::size_t size) { watched_size = size; }
std::size_t count() { return given_count.load(); }

bool given_out_lately(const void * memory)
{
  return std::any_of(
    std::begin(given), std::end(given), [&](const auto & g) { return g.load() == memory; });
}

}  // namespace allocations

void * operator new(std::size_t size)
{
  void * memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) { throw std::bad_alloc(); }
  if (size == watched_size.load(std::memory_order_relaxed)) {
    given[given_count.fetch_add(1) % 8] = memory;
  }
  return memory;
}

void operator delete(void * memory) noexcept { std::free(memory); }
void operator delete(void * memory, std::size_t) noexcept { std::free(memory); }
