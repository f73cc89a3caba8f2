// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ambf_msgs/msg/barrier_member.hpp>
#include <ambf_msgs/msg/step_done.hpp>
#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/msg/world_snapshot.hpp>
#include <ambf_msgs/msg/world_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "camera_set.hpp"
#include "caption_topic.hpp"
#include "drawn_world.hpp"
#include "hand_topics.hpp"
#include "parameters.hpp"
#include "picture_desk.hpp"

namespace ambf_render
{

/// The render thread: owns everything of GL and X. Others hand it messages through `take`, or keep for it
/// what it asks them for. `captions` may be null.
class RenderLoop
{
public:
  RenderLoop(
    rclcpp::Node & node, const Parameters & parameters, const std::string & base,
    const HandTopics & hands, const CaptionTopic * captions);
  ~RenderLoop();

  void start();
  void stop();
  void take(ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest);
  void take(ambf_msgs::msg::WorldSnapshot::ConstSharedPtr snapshot);
  void take(ambf_msgs::msg::WorldState::ConstSharedPtr state);
  void take(PictureRequest request);
  /// Empty, or what is wrong about the names.
  std::string set_overlays(const std::vector<std::string> & names);
  ambf_rendering::OverlaySettings overlays();
  /// An identifier, or a name that only one body has; empty selects nothing. Empty, or why it was refused.
  std::string select(const std::string & text);
  void announce();

private:
  using Clock = std::chrono::steady_clock;

  struct Mail
  {
    ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest;
    ambf_msgs::msg::WorldSnapshot::ConstSharedPtr snapshot;
    std::deque<PictureRequest> pictures;
  };
  /// What of the windows' content does not come from the scene.
  struct Shown
  {
    std::uint64_t scene = 0;
    ambf_rendering::OverlaySettings settings;
    std::string selection;
    std::vector<std::string> rates;
    std::vector<ambf_rendering::Caption> captions;
    friend bool operator==(const Shown &, const Shown &) = default;
  };

  void run();
  void draw_until_stopped();
  void refuse_until_stopped(const std::string & reason);
  /// Ends what draws, or leaves it behind where the X server is gone.
  void clear_up();
  void turn_down(Mail & mail, const std::string & reason);
  Mail wait(Clock::time_point until);
  void take_in(const ambf_msgs::msg::WorldManifest & manifest);
  bool show(const ambf_msgs::msg::WorldSnapshot & snapshot);
  void finish_step(bool ok, const std::string & message);
  /// Renews what lies over the scene. True when windows must be drawn again.
  bool update_overlays();
  void update_windows();
  std::vector<std::string> rates();
  std::uint64_t step() const { return shown_ ? shown_->step : 0; }
  void warn(const std::string & text) const;

  rclcpp::Node & node_;
  Parameters parameters_;
  const HandTopics & hands_;
  const CaptionTopic * captions_;  ///< null: none are shown
  std::thread thread_;
  std::atomic<bool> stopping_{false}, lockstep_{false};
  std::mutex mutex_;
  std::condition_variable news_;
  Mail mail_;
  ambf_rendering::OverlaySettings wanted_overlays_;
  std::string selection_;
  std::vector<DrawnWorld::Object> selectable_;
  std::vector<std::string> members_;
  ambf_msgs::msg::WorldState::ConstSharedPtr state_;

  // Of the render thread only.
  std::unique_ptr<ambf_rendering::Engine> engine_;
  std::unique_ptr<DrawnWorld> world_;
  std::unique_ptr<CameraSet> cameras_;
  std::unique_ptr<PictureDesk> desk_;
  ambf_msgs::msg::WorldSnapshot::ConstSharedPtr shown_;
  Shown on_screen_;
  std::deque<Clock::time_point> frames_;  ///< of the last second
  std::uint32_t warned_revision_ = ~std::uint32_t{0};

  rclcpp::Publisher<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
  rclcpp::Publisher<ambf_msgs::msg::StepDone>::SharedPtr done_;
};

}  // namespace ambf_render
