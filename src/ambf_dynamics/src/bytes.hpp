// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bullet.hpp"

namespace ambf_dynamics
{

/// Hash of a sequence of 64-bit words in four lanes, so that the multiplications overlap. Words, not
/// bytes: padding never enters.
class Hasher
{
public:
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d)
  {
    mix(0, a);
    mix(1, b);
    mix(2, c);
    mix(3, d);
  }
  void add(double a, double b, double c, double d) { add(word(a), word(b), word(c), word(d)); }
  void add(const btVector3 & v, double w) { add(v.x(), v.y(), v.z(), w); }
  void add(const btTransform & t)
  {
    const btMatrix3x3 & r = t.getBasis();
    add(r[0], t.getOrigin().x());
    add(r[1], t.getOrigin().y());
    add(r[2], t.getOrigin().z());
  }
  std::uint64_t value() const
  {
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    for (const std::uint64_t lane : lanes_) {
      h ^= lane ^ (lane >> 29);
      h *= 0xbf58476d1ce4e5b9ull;
      h ^= h >> 32;
    }
    return h;
  }
  static std::uint64_t word(double v)
  {
    // -0 and 0 act alike in the next step but for the sign of later zeros; they stay distinct.
    return std::bit_cast<std::uint64_t>(v);
  }

private:
  void mix(std::size_t lane, std::uint64_t w)
  {
    lanes_[lane] = (lanes_[lane] ^ w) * 0x9fb21c651e98df25ull;
    lanes_[lane] ^= lanes_[lane] >> 32;
  }
  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
};

/// Types that may be copied as bytes. Eigen's and Bullet's vectors are plain memory although their
/// constructors hide it; structs of them say so by specialising this.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T>;

/// Appends plain values to a buffer.
class Writer
{
public:
  template <class T>
  void put(const T & value)
  {
    static_assert(is_plain<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, static_cast<const void *>(&value), sizeof(T));
  }
  template <class T>
  void put_all(const std::vector<T> & values)
  {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T & v : values) { put(v); }
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

private:
  std::vector<std::byte> bytes_;
};

/// Reads what Writer wrote; after an attempt to read past the end `ok` is false and values are zero.
class Reader
{
public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T get()
  {
    static_assert(is_plain<T>);
    T value{};
    if (bytes_.size() - at_ < sizeof(T)) {
      ok_ = false;
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(static_cast<void *>(&value), bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <class T>
  std::vector<T> get_all()
  {
    const auto count = get<std::uint64_t>();
    std::vector<T> values;
    if (count > (bytes_.size() - at_) / sizeof(T)) {
      ok_ = false;
      return values;
    }
    values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) { values.push_back(get<T>()); }
    return values;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }

private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace ambf_dynamics
