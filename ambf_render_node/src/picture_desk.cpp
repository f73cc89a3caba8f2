// SPDX-License-Identifier: BSD-3-Clause
#include "picture_desk.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <vector>

namespace ambf_render
{

using Response = ambf_msgs::srv::SavePicture::Response;

namespace
{

/// What is wrong about a file name's ending; empty if nothing is.
std::string ending_problem(const std::string & file, bool video)
{
  std::string ending = std::filesystem::path(file).extension().string();
  for (char & c : ending) { c = static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
  const std::vector<std::string> pictures{".png"}, videos{".mp4", ".mkv", ".mov", ".avi", ".webm"};
  const auto & known = video ? videos : pictures;
  if (std::find(known.begin(), known.end(), ending) != known.end()) { return {}; }
  std::string all;
  for (const auto & one : known) { all += (all.empty() ? "" : ", ") + one; }
  return "file: found '" + file + "', expected a name that ends in " + all +
         (video ? " for a video" : " (a video needs seconds)");
}

}  // namespace

PictureDesk::PictureDesk(
  CameraSet & cameras, DrawnWorld & world, double rate, const ambf_rendering::Detail & detail)
: cameras_(cameras), world_(world), rate_(rate), detail_(detail)
{
}

ambf_adf::expected<std::size_t, std::string> PictureDesk::check(
  const ambf_msgs::srv::SavePicture::Request & request) const
{
  const auto refuse = [](const std::string & why) { return tl::unexpected(why); };
  const auto names = cameras_.names();
  if (names.empty()) { return refuse("there is no world yet: no manifest and snapshot have come"); }
  std::size_t index = 0;
  std::string known;
  for (const auto & name : names) { known += (known.empty() ? "" : ", ") + name; }
  while (index < names.size() && !request.camera.empty() && names[index] != request.camera) {
    ++index;
  }
  if (index == names.size()) {
    return refuse("camera: found '" + request.camera + "', expected one of " + known);
  }
  if (request.file.empty()) { return refuse("file: expected where to write the picture"); }
  if (request.width > 8192 || request.height > 8192) {
    return refuse("width, height: expected at most 8192 pixels");
  }
  if (!std::isfinite(request.seconds) || request.seconds < 0.0) {
    return refuse("seconds: expected 0 or more");
  }
  if (const auto wrong = ending_problem(request.file, request.seconds > 0.0); !wrong.empty()) {
    return refuse(wrong);
  }
  return index;
}

std::unique_ptr<ambf_rendering::View> PictureDesk::make_view(
  std::size_t camera, std::uint32_t width, std::uint32_t height)
{
  const auto & chosen = cameras_.all()[camera];
  const auto size = [](std::uint32_t asked, int usual, int image) {
    return asked > 0 ? static_cast<int>(asked) : usual > 0 ? usual : image;
  };
  auto view = std::make_unique<ambf_rendering::View>(
    world_.scene(), chosen.lens, size(width, detail_.picture_width, chosen.view->width()),
    size(height, detail_.picture_height, chosen.view->height()),
    static_cast<unsigned>(detail_.picture_samples));
  view->place(chosen.view->pose());
  view->annotate(&world_.overlays().annotations());
  return view;
}

void PictureDesk::take(PictureRequest picture, std::uint64_t step)
{
  Response response;
  const auto refuse = [&](const std::string & why) {
    response.message = why;
    picture.reply(response);
  };
  const auto & request = picture.request;
  const auto camera = check(request);
  if (!camera) { return refuse(camera.error()); }
  auto view = make_view(*camera, request.width, request.height);
  const std::string file = std::filesystem::absolute(request.file).string();
  if (request.seconds > 0.0) {
    if (recording_) { return refuse("another video is being recorded"); }
    auto video = ambf_rendering::Video::open(file, view->width(), view->height(), rate_);
    if (!video) { return refuse(video.error()); }
    const auto now = Clock::now();
    const auto length =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.seconds));
    recording_ = std::make_unique<Recording>(Recording{
      std::move(*video), std::move(view), *camera, now + length, now, std::move(picture)});
    return;
  }
  if (const auto done = ambf_rendering::write_png(view->picture(), file); !done) {
    return refuse(done.error());
  }
  response.ok = true;
  response.file = file;
  response.step = step;
  picture.reply(response);
}

void PictureDesk::record(std::uint64_t step)
{
  if (!recording_) { return; }
  const auto now = Clock::now();
  if (now >= recording_->next) {
    recording_->view->place(cameras_.all()[recording_->camera].view->pose());
    const ambf_rendering::Picture picture = recording_->view->picture();
    // A picture that took longer than a frame stands for all that were due: the video keeps its speed.
    while (now >= recording_->next) {
      if (const auto done = recording_->video.add(picture); !done) {
        return end_recording(false, done.error(), step);
      }
      recording_->next +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / rate_));
    }
  }
  if (now >= recording_->end) { end_recording(true, "", step); }
}

void PictureDesk::end_recording(bool ok, const std::string & message, std::uint64_t step)
{
  if (!recording_) { return; }
  Response response;
  const auto closed = recording_->video.close();
  response.ok = ok && closed;
  response.message = closed ? message : (message.empty() ? "" : message + "; ") + closed.error();
  response.file = recording_->video.file();
  response.step = step;
  recording_->request.reply(response);
  recording_.reset();
}

}  // namespace ambf_render
