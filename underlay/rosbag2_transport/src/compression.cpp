// SPDX-License-Identifier: BSD-3-Clause
#include "compression.hpp"

#include <lz4frame.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

namespace rosbag2_transport::detail {

namespace {

/// Feeds `data` to a zstd stream and hands what comes out to `consume`; false: the frame is not whole.
template <typename ConsumeT> bool stream_zstd(
  ZSTD_DStream * stream, std::string_view data, Bytes & buffer, ConsumeT && consume, std::size_t & hint) {
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  bool more = true;
  while (in.pos < in.size || more) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    hint = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(hint)) { return false; }
    consume(std::string_view(buffer).substr(0, out.pos));
    // After the end of a frame another call would begin the next one.
    if (hint == 0 && in.pos == in.size) { break; }
    more = out.pos == out.size;
  }
  return hint == 0;
}

Bytes decompress_lz4(std::string_view data, std::size_t expected_size, bool whole) {
  LZ4F_dctx * context = nullptr;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> owner(
    context, &LZ4F_freeDecompressionContext);
  Bytes out(expected_size, '\0');
  std::size_t written = 0;
  while (!data.empty() && written < out.size()) {
    std::size_t out_size = out.size() - written, in_size = data.size();
    const std::size_t hint = LZ4F_decompress(context, out.data() + written, &out_size, data.data(), &in_size, nullptr);
    if (LZ4F_isError(hint)) {
      if (!whole) { break; }
      throw BagError(std::string("lz4: ") + LZ4F_getErrorName(hint));
    }
    written += out_size;
    data.remove_prefix(in_size);
    if (out_size == 0 && in_size == 0) { break; }
  }
  out.resize(written);
  return out;
}

using ZstdStream = std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)>;

}  // namespace

Bytes decompress_zstd(std::string_view data) {
  const ZstdStream stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  Bytes out, buffer(ZSTD_DStreamOutSize(), '\0');
  std::size_t hint = 1;
  stream_zstd(stream.get(), data, buffer, [&](std::string_view part) { out += part; }, hint);
  return out;
}

Bytes decompress(std::string_view compression, std::string_view data, std::size_t expected_size, bool whole) {
  // A damaged length must not make us ask for all the memory there is.
  constexpr std::size_t kLargest = std::size_t{4} << 30;
  if (expected_size > kLargest) { throw BagError("a chunk says that it is larger than 4 GiB"); }
  if (compression.empty()) { return Bytes(data); }
  Bytes out;
  if (compression == "zstd") {
    out = decompress_zstd(data);
  } else if (compression == "lz4") {
    out = decompress_lz4(data, expected_size, whole);
  } else {
    throw BagError("a chunk has the unknown compression '" + std::string(compression) + "'");
  }
  if (whole && out.size() != expected_size) { throw BagError("a chunk is damaged"); }
  return out;
}

std::filesystem::path compress_file(const std::filesystem::path & file) {
  const std::filesystem::path target = file.string() + ".zstd";
  std::ifstream in(file, std::ios::binary);
  std::ofstream out(target, std::ios::binary);
  const std::unique_ptr<ZSTD_CStream, decltype(&ZSTD_freeCStream)> stream(ZSTD_createCStream(), &ZSTD_freeCStream);
  Bytes block(ZSTD_CStreamInSize(), '\0'), buffer(ZSTD_CStreamOutSize(), '\0');
  for (bool last = false; !last;) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    last = in.eof();
    ZSTD_inBuffer from{block.data(), static_cast<std::size_t>(in.gcount()), 0};
    std::size_t left = 1;
    while (last ? left != 0 : from.pos < from.size) {
      ZSTD_outBuffer to{buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(stream.get(), &to, &from, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) { throw BagError(std::string("zstd: ") + ZSTD_getErrorName(left)); }
      out.write(buffer.data(), static_cast<std::streamsize>(to.pos));
    }
    if (!out || in.bad()) {
      const std::string reason = std::strerror(errno);
      out.close();
      std::error_code ignored;
      std::filesystem::remove(target, ignored);
      throw BagError("cannot write '" + target.string() + "': " + reason + "; the bag is left uncompressed");
    }
  }
  out.close();
  std::filesystem::remove(file);
  return target;
}

int decompress_file(const std::filesystem::path & file, bool & whole, std::string * name) {
  std::ifstream in(file, std::ios::binary);
  if (!in) { throw BagError("cannot open '" + file.string() + "': " + std::strerror(errno)); }
  std::string temporary = std::filesystem::temp_directory_path() / "bag_XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) { throw BagError(std::string("no temporary file: ") + std::strerror(errno)); }
  const std::unique_ptr<FILE, decltype(&std::fclose)> target(::fdopen(descriptor, "w+"), &std::fclose);
  if (name) { *name = temporary; }
  if (!name) { ::unlink(temporary.c_str()); }
  const ZstdStream stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  Bytes block(ZSTD_DStreamInSize(), '\0'), buffer(ZSTD_DStreamOutSize(), '\0');
  std::size_t hint = 1;
  bool failed = false;
  while (in && !failed && !(hint == 0 && in.peek() == EOF)) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    stream_zstd(
      stream.get(), std::string_view(block).substr(0, static_cast<std::size_t>(in.gcount())), buffer,
      [&](std::string_view part) { failed |= std::fwrite(part.data(), 1, part.size(), target.get()) != part.size(); },
      hint);
    failed |= ZSTD_isError(hint) != 0;
  }
  whole = hint == 0 && !failed;
  std::fflush(target.get());
  return ::dup(::fileno(target.get()));
}

}  // namespace rosbag2_transport::detail
