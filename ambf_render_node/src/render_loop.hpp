#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
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

#include "ambf_render_node/srv/save_picture.hpp"
#include "camera_topics.hpp"
#include "core/overlays.hpp"
#include "core/video.hpp"
#include "core/window.hpp"
#include "parameters.hpp"
#include "world_description.hpp"

namespace ambf_render
{

struct PictureRequest
{
  ambf_render_node::srv::SavePicture::Request request;
  std::function<void(ambf_render_node::srv::SavePicture::Response &)> reply;
};

/// The render thread: owns everything of GL and X. Others hand it messages through `take`.
class RenderLoop
{
public:
  RenderLoop(rclcpp::Node & node, const Parameters & parameters, const std::string & base);
  ~RenderLoop();

  void start();
  void stop();
  void take(ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest);
  void take(ambf_msgs::msg::WorldSnapshot::ConstSharedPtr snapshot);
  void take(ambf_msgs::msg::WorldState::ConstSharedPtr state);
  void take(PictureRequest request);
  /// Empty, or what is wrong about the names.
  std::string set_overlays(const std::vector<std::string> & names);
  void announce();

private:
  using Clock = std::chrono::steady_clock;
  using Response = ambf_render_node::srv::SavePicture::Response;

  struct Camera
  {
    ambf_adf::Camera description;
    Lens lens;
    bool possible = false;
    std::unique_ptr<View> view;
    std::unique_ptr<CameraTopics> topics;
    std::unique_ptr<Window> window;
  };
  struct Recording
  {
    Video video;
    std::unique_ptr<View> view;
    std::size_t camera;
    Clock::time_point end, next;
    PictureRequest request;
  };
  struct Mail
  {
    ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest;
    ambf_msgs::msg::WorldSnapshot::ConstSharedPtr snapshot;
    std::deque<PictureRequest> pictures;
  };

  void run();
  void draw_until_stopped();
  void refuse_until_stopped(const std::string & reason);
  Mail wait(Clock::time_point until);
  void build(const ambf_msgs::msg::WorldManifest & manifest);
  void make_cameras(const WorldDescription & world);
  bool show(const ambf_msgs::msg::WorldSnapshot & snapshot);
  void place_cameras(const ambf_msgs::msg::WorldSnapshot & snapshot);
  Eigen::Isometry3d parent_pose(const std::string & parent) const;
  void publish_images();
  void finish_step(bool ok, const std::string & message);
  void save(PictureRequest picture);
  void record();
  void end_recording(bool ok, const std::string & message);
  void update_windows();
  void warn(const std::string & text) const;

  rclcpp::Node & node_;
  Parameters parameters_;
  std::thread thread_;
  std::atomic<bool> stopping_{false}, lockstep_{false};
  std::mutex mutex_;
  std::condition_variable news_;
  Mail mail_;
  OverlaySettings wanted_overlays_;
  std::vector<std::string> members_;
  double real_time_factor_ = 0.0;

  // Of the render thread only.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Scene> scene_;
  std::unique_ptr<Overlays> overlays_;
  ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest_;
  ambf_msgs::msg::WorldSnapshot::ConstSharedPtr shown_;
  WorldDescription world_;
  std::vector<std::optional<Scene::Handle>> bodies_, soft_bodies_;
  std::vector<Camera> cameras_;
  std::unique_ptr<Recording> recording_;
  std::uint64_t frame_ = 0;
  std::uint32_t warned_revision_ = ~std::uint32_t{0};

  rclcpp::Publisher<ambf_msgs::msg::BarrierMember>::SharedPtr hello_;
  rclcpp::Publisher<ambf_msgs::msg::StepDone>::SharedPtr done_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
};

}  // namespace ambf_render
