#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "view.hpp"

namespace ambf_render
{

/// A video file, written by the program ffmpeg through a pipe.
class Video
{
public:
  static ambf_adf::expected<Video, std::string> open(
    const std::string & file, int width, int height, double rate);
  ambf_adf::expected<void, std::string> add(const Picture & picture);
  ambf_adf::expected<void, std::string> close();
  const std::string & file() const {return file_;}

private:
  struct Close
  {
    void operator()(std::FILE * pipe) const {pclose(pipe);}
  };
  Video(std::string file, std::FILE * pipe) : file_(std::move(file)), pipe_(pipe) {}

  std::string file_;
  std::unique_ptr<std::FILE, Close> pipe_;
};

}  // namespace ambf_render
