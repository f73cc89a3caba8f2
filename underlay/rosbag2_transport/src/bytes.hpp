// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace rosbag2_transport::detail {

static_assert(std::endian::native == std::endian::little, "MCAP numbers are little endian");

/// Something is wrong with a bag or its folder; the text says what, where and what to do.
class BagError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

using Bytes = std::string;

template <typename T> void put(Bytes & out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// Text or bytes behind their length, as every MCAP string.
inline void put_text(Bytes & out, std::string_view text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

/// Numbers and texts one after another, as the fields of a record.
template <typename... FieldT> void put_fields(Bytes & out, const FieldT &... fields) {
  const auto put_one = [&out](const auto & field) {
    if constexpr (std::is_convertible_v<decltype(field), std::string_view>) {
      put_text(out, field);
    } else {
      put(out, field);
    }
  };
  (put_one(fields), ...);
}
template <typename... FieldT> Bytes fields_of(const FieldT &... fields) {
  Bytes out;
  put_fields(out, fields...);
  return out;
}

/// Reads numbers and texts one after another; throws BagError where the bytes end too early.
class Cursor {
public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) { throw BagError("the record is shorter than it says"); }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <typename T> T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(get<std::uint32_t>()); }

private:
  std::string_view rest_;
};

}  // namespace rosbag2_transport::detail
