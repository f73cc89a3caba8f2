#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include <ambf_msgs/msg/world_manifest.hpp>
#include <ambf_msgs/srv/get_world_mode.hpp>
#include <ambf_msgs/srv/load_model.hpp>
#include <ambf_msgs/srv/load_world.hpp>
#include <ambf_msgs/srv/read_world.hpp>
#include <ambf_msgs/srv/remove_object.hpp>
#include <ambf_msgs/srv/reset_world.hpp>
#include <ambf_msgs/srv/set_body_state.hpp>
#include <ambf_msgs/srv/set_world_mode.hpp>
#include <ambf_msgs/srv/step_world.hpp>
#include <rclcpp/rclcpp.hpp>

namespace ambf_simulation_interfaces
{

/// A world of ambf_physics_node as its clients see it: `co_await client.call(client.read, request)`.
/// Everything happens in one mutually exclusive callback group, so nothing here is locked.
class WorldClient
{
public:
  WorldClient(rclcpp::Node & node, const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group);
  /// Calls that are still waiting end here, without a response.
  ~WorldClient();

  /// Something that a coroutine waits for.
  struct Wait
  {
    std::coroutine_handle<> handle;
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
    rclcpp::ClientBase * client = nullptr;  ///< null: waits for a manifest
    std::uint32_t revision = 0;
    bool done = false;
  };

  template<typename Service>
  class Call;
  class ManifestAt;

  /// The response; null when the world is not there, or dies meanwhile.
  template<typename Service>
  Call<Service> call(
    const std::shared_ptr<rclcpp::Client<Service>> & client, typename Service::Request::SharedPtr request)
  {
    return Call<Service>(*this, client, std::move(request));
  }
  /// Waits until the manifest is at least of this revision, for two seconds at most.
  ManifestAt manifest_at(std::uint32_t revision);

  /// Newest manifest; revision 0 before the first.
  const ambf_msgs::msg::WorldManifest & manifest() const {return *manifest_;}
  const std::string & where() const {return where_;}

  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::GetWorldMode>> get_mode;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::SetWorldMode>> set_mode;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::StepWorld>> step;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::ResetWorld>> reset;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::LoadModel>> load_model;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::LoadWorld>> load_world;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::RemoveObject>> remove;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::ReadWorld>> read;
  std::shared_ptr<rclcpp::Client<ambf_msgs::srv::SetBodyState>> set_body_state;

private:
  void resume_if(const std::function<bool(const Wait &)> & ready);

  std::string where_;
  bool closing_ = false;
  ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest_ =
    std::make_shared<const ambf_msgs::msg::WorldManifest>();
  std::list<std::shared_ptr<Wait>> waiting_;
  rclcpp::Subscription<ambf_msgs::msg::WorldManifest>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
};

template<typename Service>
class WorldClient::Call
{
public:
  Call(
    WorldClient & owner, const std::shared_ptr<rclcpp::Client<Service>> & client,
    typename Service::Request::SharedPtr request)
  : owner_(owner), client_(client), request_(std::move(request)),
    response_(std::make_shared<typename Service::Response::SharedPtr>()) {}

  bool await_ready() const {return owner_.closing_ || !client_->service_is_ready();}
  void await_suspend(std::coroutine_handle<> handle)
  {
    auto wait = std::make_shared<Wait>();
    wait->handle = handle;
    wait->client = client_.get();
    owner_.waiting_.push_back(wait);
    client_->async_send_request(
      request_, [wait, response = response_, &owner = owner_](
        typename rclcpp::Client<Service>::SharedFuture future) {
        if (wait->done) {return;}
        wait->done = true;
        owner.waiting_.remove(wait);
        *response = future.get();
        wait->handle.resume();
      });
  }
  typename Service::Response::SharedPtr await_resume() {return *response_;}

private:
  WorldClient & owner_;
  std::shared_ptr<rclcpp::Client<Service>> client_;
  typename Service::Request::SharedPtr request_;
  std::shared_ptr<typename Service::Response::SharedPtr> response_;
};

class WorldClient::ManifestAt
{
public:
  ManifestAt(WorldClient & owner, std::uint32_t revision)
  : owner_(owner), revision_(revision) {}
  bool await_ready() const {return owner_.closing_ || owner_.manifest().revision >= revision_;}
  void await_suspend(std::coroutine_handle<> handle)
  {
    auto wait = std::make_shared<Wait>();
    wait->handle = handle;
    wait->end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    wait->revision = revision_;
    owner_.waiting_.push_back(wait);
  }
  void await_resume() const {}

private:
  WorldClient & owner_;
  std::uint32_t revision_;
};

}  // namespace ambf_simulation_interfaces
