// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
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

#include "task.hpp"

namespace ambf_simulation_interfaces
{

/// A world of ambf_physics_node as its clients see it: `co_await client.call(client.read, request)`.
/// Everything happens in one mutually exclusive callback group, so nothing here is locked.
class WorldClient
{
public:
  using Clock = std::chrono::steady_clock;

  WorldClient(
    rclcpp::Node & node, const std::string & world_namespace,
    rclcpp::CallbackGroup::SharedPtr group);
  /// Calls that are still waiting end here, without a response, and later ones at once.
  void close();

  /// Something that a coroutine waits for.
  struct Wait
  {
    std::coroutine_handle<> handle;
    Clock::time_point end;
    rclcpp::ClientBase * client = nullptr;  ///< null: waits for a manifest
    std::uint32_t revision = 0;
    std::function<void()> forget;  ///< the request: nobody waits for its response any more
  };

  template <typename Service>
  class Call;
  class ManifestAt;

  /// How long a call may take: most are answered in milliseconds, unless the world loads something big.
  static constexpr Clock::duration kShort = std::chrono::seconds(10);
  static constexpr Clock::duration kAnyTime = Clock::duration::max();

  /// The response; null when the world is not there, does not answer, or is replaced by another meanwhile.
  template <typename Service>
  Call<Service> call(
    const std::shared_ptr<rclcpp::Client<Service>> & client,
    typename Service::Request::SharedPtr request, Clock::duration patience = kShort)
  {
    return Call<Service>(*this, client, std::move(request), patience);
  }
  /// As `call`, for questions that may be asked again: an answer to the first can be lost, because a world that
  /// was just started may be found before it has found who asks. When one was answered, none is lost any more.
  template <typename Service>
  Task<typename Service::Response::SharedPtr> ask(
    std::shared_ptr<rclcpp::Client<Service>> client, typename Service::Request::SharedPtr request)
  {
    typename Service::Response::SharedPtr answer;
    for (auto patience = std::chrono::seconds(1); !answer && patience.count() <= 4; patience *= 2) {
      answer = co_await call(client, request, patience);
      if (!client->service_is_ready()) { break; }
    }
    co_return answer;
  }
  /// Waits until the manifest is at least of this revision, for two seconds at most.
  ManifestAt manifest_at(std::uint32_t revision);

  /// Newest manifest; revision 0 before the first.
  const ambf_msgs::msg::WorldManifest & manifest() const { return *manifest_; }
  const std::string & where() const { return where_; }
  /// Called with every manifest; `another_world`: a world that was started after the last one.
  std::function<void(bool another_world)> manifest_changed;

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
  std::array<std::uint8_t, RMW_GID_STORAGE_SIZE> publisher_{};  ///< of the manifest
  std::list<std::shared_ptr<Wait>> waiting_;
  rclcpp::Subscription<ambf_msgs::msg::WorldManifest>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
};

template <typename Service>
class WorldClient::Call
{
public:
  Call(
    WorldClient & owner, const std::shared_ptr<rclcpp::Client<Service>> & client,
    typename Service::Request::SharedPtr request, Clock::duration patience)
  : owner_(owner),
    client_(client),
    request_(std::move(request)),
    patience_(patience),
    response_(std::make_shared<typename Service::Response::SharedPtr>())
  {
  }

  bool await_ready() const { return owner_.closing_ || !client_->service_is_ready(); }
  void await_suspend(std::coroutine_handle<> handle)
  {
    auto wait = std::make_shared<Wait>();
    wait->handle = handle;
    wait->end = patience_ == kAnyTime ? Clock::time_point::max() : Clock::now() + patience_;
    wait->client = client_.get();
    const auto sent = client_->async_send_request(
      request_, [wait, response = response_,
                 &owner = owner_](typename rclcpp::Client<Service>::SharedFuture future) {
        owner.waiting_.remove(wait);
        *response = future.get();
        wait->handle.resume();
      });
    wait->forget = [client = client_, id = sent.request_id] { client->remove_pending_request(id); };
    owner_.waiting_.push_back(wait);
  }
  typename Service::Response::SharedPtr await_resume() { return *response_; }

private:
  WorldClient & owner_;
  std::shared_ptr<rclcpp::Client<Service>> client_;
  typename Service::Request::SharedPtr request_;
  Clock::duration patience_;
  std::shared_ptr<typename Service::Response::SharedPtr> response_;
};

class WorldClient::ManifestAt
{
public:
  ManifestAt(WorldClient & owner, std::uint32_t revision) : owner_(owner), revision_(revision) {}
  bool await_ready() const { return owner_.closing_ || owner_.manifest().revision >= revision_; }
  void await_suspend(std::coroutine_handle<> handle)
  {
    auto wait = std::make_shared<Wait>();
    wait->handle = handle;
    wait->end = Clock::now() + std::chrono::seconds(2);
    wait->revision = revision_;
    owner_.waiting_.push_back(wait);
  }
  void await_resume() const {}

private:
  WorldClient & owner_;
  std::uint32_t revision_;
};

}  // namespace ambf_simulation_interfaces
