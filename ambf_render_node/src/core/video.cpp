#include "video.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace ambf_render
{

namespace
{

/// For a shell: in single quotes, with those inside escaped.
std::string quoted(const std::string & text)
{
  std::string out = "'";
  for (const char c : text) {out += c == '\'' ? std::string("'\\''") : std::string(1, c);}
  return out + "'";
}

}  // namespace

ambf_adf::expected<Video, std::string> Video::open(
  const std::string & file, int width, int height, double rate)
{
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    return tl::unexpected(std::string("videos need the program ffmpeg: install the Debian package ffmpeg"));
  }
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return tl::unexpected(folder.string() + ": no such folder");
  }
  char size[64];
  std::snprintf(size, sizeof(size), "%dx%d -r %.3f", width, height, rate);
  // Even sizes, because the common pixel format halves the colours.
  const std::string command = std::string("ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s ") + size +
    " -i - -vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p -- " + quoted(file) + " 2>/dev/null";
  std::FILE * pipe = popen(command.c_str(), "we");
  if (pipe == nullptr) {return tl::unexpected(std::string("ffmpeg cannot be started"));}
  return Video(file, pipe);
}

ambf_adf::expected<void, std::string> Video::add(const Picture & picture)
{
  // A dead ffmpeg must be an error here, not a signal that ends the process.
  struct sigaction ignore {}, before {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const std::size_t written = std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), pipe_.get());
  std::fflush(pipe_.get());
  sigaction(SIGPIPE, &before, nullptr);
  if (written != picture.rgb.size()) {return tl::unexpected(file_ + ": ffmpeg stopped writing");}
  return {};
}

ambf_adf::expected<void, std::string> Video::close()
{
  const int status = pclose(pipe_.release());
  if (status != 0) {return tl::unexpected(file_ + ": ffmpeg could not write it");}
  return {};
}

}  // namespace ambf_render
