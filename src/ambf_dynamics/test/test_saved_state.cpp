// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ambf_dynamics/saved_state.hpp"

namespace ambf_dynamics
{
namespace
{

std::vector<std::byte> bytes_of(std::size_t size)
{
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) { bytes[i] = std::byte(i * 7); }
  return bytes;
}

std::vector<std::byte> copy(std::span<const std::byte> bytes)
{
  return {bytes.begin(), bytes.end()};
}

TEST(SavedState, EveryPartComesBackUnderItsNameAndNoOther)
{
  const auto world = bytes_of(100), hands = bytes_of(3), nothing = bytes_of(0);
  const std::array<SavedPart, 3> parts{{{"world", world}, {"nothing", nothing}, {"hands", hands}}};
  const auto saved = saved_state::seal(parts);
  ASSERT_TRUE(saved_state::is_whole(saved));
  EXPECT_EQ(copy(saved_state::part(saved, "world")), world);
  EXPECT_EQ(copy(saved_state::part(saved, "hands")), hands);
  EXPECT_TRUE(saved_state::part(saved, "nothing").empty());
  EXPECT_TRUE(saved_state::part(saved, "hand").empty());
  EXPECT_TRUE(saved_state::part(saved, "").empty());
}

TEST(SavedState, AnyBitThatWasChangedAndAnyByteThatIsMissingIsFound)
{
  const auto world = bytes_of(50);
  const std::array<SavedPart, 1> parts{{{"world", world}}};
  const auto saved = saved_state::seal(parts);
  for (std::size_t bit = 0; bit < 8 * saved.size(); ++bit) {
    auto damaged = saved;
    damaged[bit / 8] ^= std::byte(1u << (bit % 8));
    EXPECT_FALSE(saved_state::is_whole(damaged)) << bit;
    (void)saved_state::part(
      damaged, "hands");  // never reads beyond the end, see the sanitizer's run
  }
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_FALSE(saved_state::is_whole(std::span(saved).first(size))) << size;
  }
}

}  // namespace
}  // namespace ambf_dynamics
