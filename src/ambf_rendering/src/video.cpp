// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/video.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace ambf_rendering
{

namespace
{

/// For a shell: in single quotes, with those inside escaped.
std::string quoted(const std::string & text)
{
  std::string out = "'";
  for (const char c : text) { out += c == '\'' ? std::string("'\\''") : std::string(1, c); }
  return out + "'";
}

/// A dead ffmpeg must be an error, not a signal that ends the process.
class NoPipeSignal
{
public:
  NoPipeSignal()
  {
    struct sigaction ignore
    {
    };
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~NoPipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }

private:
  struct sigaction before_
  {
  };
};

/// The last line that is not empty.
std::string last_line(std::FILE * file)
{
  std::string line, last;
  std::rewind(file);
  for (int c = std::fgetc(file);; c = std::fgetc(file)) {
    if (c != EOF && c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (!line.empty()) { last = std::exchange(line, {}); }
    if (c == EOF) { return last; }
  }
}

}  // namespace

ambf_adf::expected<Video, std::string> Video::open(
  const std::string & file, int width, int height, double rate)
{
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    return tl::unexpected(
      std::string("videos need the program ffmpeg: install the Debian package ffmpeg"));
  }
  if (width < 2 || height < 2) {
    return tl::unexpected(std::string("a video needs at least 2 x 2 pixels"));
  }
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return tl::unexpected(folder.string() + ": no such folder");
  }
  Words words(std::tmpfile());
  if (!words) { return tl::unexpected(std::string("no temporary file for what ffmpeg says")); }
  char size[64];
  std::snprintf(size, sizeof(size), "%dx%d -r %.3f", width, height, rate);
  // Even sizes, because the common pixel format halves the colours.
  const std::string command =
    std::string("ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s ") + size +
    " -i - -vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p -- " + quoted(file) +
    " 2>>/proc/self/fd/" + std::to_string(fileno(words.get()));
  std::FILE * pipe = popen(command.c_str(), "we");
  if (pipe == nullptr) { return tl::unexpected(std::string("ffmpeg cannot be started")); }
  return Video(file, pipe, std::move(words));
}

ambf_adf::expected<void, std::string> Video::add(const Picture & picture)
{
  const NoPipeSignal quiet;
  const std::size_t written = std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), pipe_.get());
  std::fflush(pipe_.get());
  if (written != picture.rgb.size()) { return tl::unexpected(file_ + ": ffmpeg stopped writing"); }
  return {};
}

ambf_adf::expected<void, std::string> Video::close()
{
  const NoPipeSignal quiet;
  if (pclose(pipe_.release()) == 0) { return {}; }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file_, ignored)) { std::filesystem::remove(file_, ignored); }
  return tl::unexpected(file_ + ": ffmpeg could not write it: " + last_line(words_.get()));
}

}  // namespace ambf_rendering
