// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace ambf_dynamics
{

/// One owner's bytes in a saved state. `World::save` writes the part "world" and, beside it, what the caller
/// adds; each owner reads its own part and leaves the others alone.
struct SavedPart
{
  std::string_view name;
  std::span<const std::byte> bytes;
};

/// A saved state: mark and version, then every part with the lengths of its name and its bytes, then one
/// checksum over all that.
namespace saved_state
{

inline constexpr std::uint64_t mark = 0x3130'4554'4154'5341ull;  // "ASTATE01", little endian

inline std::uint64_t checksum(std::span<const std::byte> bytes)
{
  std::uint64_t sum = 0xcbf29ce484222325ull ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    sum = (sum ^ word) * 0x9fb21c651e98df25ull;
    sum ^= sum >> 32;
  }
  return sum;
}

inline void append(std::vector<std::byte> & to, const void * from, std::size_t size)
{
  const auto * first = static_cast<const std::byte *>(from);
  to.insert(to.end(), first, first + size);
}

inline void append(std::vector<std::byte> & to, std::uint64_t word)
{
  append(to, &word, sizeof word);
}

inline void add_part(std::vector<std::byte> & to, const SavedPart & part)
{
  append(to, part.name.size());
  append(to, part.bytes.size());
  append(to, part.name.data(), part.name.size());
  append(to, part.bytes.data(), part.bytes.size());
}

inline std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t at)
{
  std::uint64_t word = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
  }
  return word;
}

inline std::vector<std::byte> seal(std::span<const SavedPart> parts)
{
  std::vector<std::byte> bytes;
  append(bytes, mark);
  for (const SavedPart & part : parts) { add_part(bytes, part); }
  append(bytes, checksum(bytes));
  return bytes;
}

/// Is this what `seal` wrote, every byte of it?
inline bool is_whole(std::span<const std::byte> bytes)
{
  constexpr std::size_t word = sizeof(std::uint64_t);
  return bytes.size() >= 2 * word && word_at(bytes, 0) == mark &&
         word_at(bytes, bytes.size() - word) == checksum(bytes.first(bytes.size() - word));
}

/// The part of this name among what `add_part` wrote; empty where there is none.
inline std::span<const std::byte> find_part(std::span<const std::byte> parts, std::string_view name)
{
  constexpr std::size_t word = sizeof(std::uint64_t);
  while (parts.size() >= 2 * word) {
    const std::uint64_t letters = word_at(parts, 0), size = word_at(parts, word);
    parts = parts.subspan(2 * word);
    if (letters > parts.size() || size > parts.size() - letters) { break; }
    const std::string_view here(reinterpret_cast<const char *>(parts.data()), letters);
    if (here == name) { return parts.subspan(letters, size); }
    parts = parts.subspan(letters + size);
  }
  return {};
}

/// The part of this name in a whole saved state; empty where there is none.
inline std::span<const std::byte> part(std::span<const std::byte> bytes, std::string_view name)
{
  constexpr std::size_t word = sizeof(std::uint64_t);
  if (bytes.size() < 2 * word) { return {}; }
  return find_part(bytes.subspan(word, bytes.size() - 2 * word), name);
}

}  // namespace saved_state

}  // namespace ambf_dynamics
