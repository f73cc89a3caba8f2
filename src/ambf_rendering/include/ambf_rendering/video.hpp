// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "ambf_rendering/view.hpp"

namespace ambf_rendering
{

/// A video file, written by the program ffmpeg through a pipe.
class Video
{
public:
  /// At least two pixels each way.
  static ambf_adf::expected<Video, std::string> open(
    const std::string & file, int width, int height, double rate);
  ambf_adf::expected<void, std::string> add(const Picture & picture);
  /// The error is in ffmpeg's own words; what it has left of a file is removed then.
  ambf_adf::expected<void, std::string> close();
  const std::string & file() const { return file_; }

private:
  struct Close
  {
    void operator()(std::FILE * pipe) const { pclose(pipe); }
  };
  struct CloseFile
  {
    void operator()(std::FILE * file) const { std::fclose(file); }
  };
  using Words = std::unique_ptr<std::FILE, CloseFile>;
  Video(std::string file, std::FILE * pipe, Words words)
  : file_(std::move(file)), words_(std::move(words)), pipe_(pipe)
  {
  }

  std::string file_;
  Words words_;  ///< what ffmpeg says
  std::unique_ptr<std::FILE, Close> pipe_;
};

}  // namespace ambf_rendering
