// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_test_support/allocation_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace
{
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace ambf_test_support
{
const bool allocations_are_counted = true;
}

namespace
{
void count()
{
  if (counting.load(std::memory_order_relaxed)) { ++allocations; }
}
}  // namespace

extern "C" {
void * __libc_malloc(std::size_t);
void * __libc_calloc(std::size_t, std::size_t);
void * __libc_realloc(void *, std::size_t);
void * __libc_memalign(std::size_t, std::size_t);
void * malloc(std::size_t size)
{
  count();
  return __libc_malloc(size);
}
void * calloc(std::size_t n, std::size_t size)
{
  count();
  return __libc_calloc(n, size);
}
void * realloc(void * p, std::size_t size)
{
  count();
  return __libc_realloc(p, size);
}
void * aligned_alloc(std::size_t alignment, std::size_t size)
{
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void ** out, std::size_t alignment, std::size_t size)
{
  count();
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
#else
namespace ambf_test_support
{
const bool allocations_are_counted = false;
}
#endif

namespace ambf_test_support
{

void begin_counting_allocations()
{
  allocations = 0;
  counting = true;
}

long end_counting_allocations()
{
  counting = false;
  return allocations;
}

}  // namespace ambf_test_support
