// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>

#include "../test/fuzz_entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t * data, std::size_t size)
{
  const std::string complaint =
    test::try_everything(std::string(reinterpret_cast<const char *>(data), size));
  if (!complaint.empty()) {
    std::cerr << complaint << "\n";
    std::abort();
  }
  return 0;
}
