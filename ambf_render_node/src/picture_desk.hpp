// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "ambf_msgs/srv/save_picture.hpp"
#include "ambf_rendering/quality.hpp"
#include "ambf_rendering/video.hpp"
#include "camera_set.hpp"

namespace ambf_render
{

struct PictureRequest
{
  ambf_msgs::srv::SavePicture::Request request;
  std::function<void(ambf_msgs::srv::SavePicture::Response &)> reply;
};

/// Saves pictures and records one video at a time.
class PictureDesk
{
public:
  PictureDesk(
    CameraSet & cameras, DrawnWorld & world, double rate, const ambf_rendering::Detail & detail);

  /// Answers at once, or when the video that was asked for has ended.
  void take(PictureRequest picture, std::uint64_t step);
  /// Adds a frame to the video if one is due.
  void record(std::uint64_t step);
  void end_recording(bool ok, const std::string & message, std::uint64_t step);
  bool recording() const { return recording_ != nullptr; }

private:
  using Clock = std::chrono::steady_clock;
  struct Recording
  {
    ambf_rendering::Video video;
    std::unique_ptr<ambf_rendering::View> view;
    std::size_t camera;
    Clock::time_point end, next;
    PictureRequest request;
  };
  /// The camera that a request names, or what is wrong with the request.
  ambf_adf::expected<std::size_t, std::string> check(
    const ambf_msgs::srv::SavePicture::Request & request) const;
  std::unique_ptr<ambf_rendering::View> make_view(
    std::size_t camera, std::uint32_t width, std::uint32_t height);

  CameraSet & cameras_;
  DrawnWorld & world_;
  double rate_;
  ambf_rendering::Detail detail_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace ambf_render
