// SPDX-License-Identifier: BSD-3-Clause
#include "world_client.hpp"

#include <algorithm>
#include <utility>

namespace ambf_simulation_interfaces
{

WorldClient::WorldClient(
  rclcpp::Node & node, const std::string & world_namespace, rclcpp::CallbackGroup::SharedPtr group)
: where_(world_namespace)
{
  const std::string base = world_namespace + "/World/";
  const auto connect = [&]<typename Service>(
                         std::shared_ptr<rclcpp::Client<Service>> & client, const char * name) {
    client = node.create_client<Service>(base + name, rclcpp::ServicesQoS(), group);
  };
  connect(set_mode, "set_mode");
  connect(step, "step");
  connect(reset, "reset");
  connect(load_model, "load_model");
  connect(load_world, "load_world");
  connect(remove, "remove");
  connect(set_body_state, "set_body_state");
  // Last, because a world finds them in this order, and these two are asked first.
  connect(get_mode, "get_mode");
  connect(read, "read");
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  subscription_ = node.create_subscription<ambf_msgs::msg::WorldManifest>(
    base + "Manifest", rclcpp::QoS(10).reliable().transient_local(),
    [this](
      const ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest,
      const rclcpp::MessageInfo & info) {
      decltype(publisher_) publisher;
      std::copy_n(
        info.get_rmw_message_info().publisher_gid.data, publisher.size(), publisher.begin());
      // A world that was killed and started again at once never seems to be away: its publisher is a new one.
      const bool another_world = manifest_->revision != 0 && publisher != publisher_;
      publisher_ = publisher;
      manifest_ = manifest;
      if (manifest_changed) { manifest_changed(another_world); }
      resume_if([&](const Wait & wait) {
        return another_world || (wait.client == nullptr && manifest->revision >= wait.revision);
      });
    },
    options);
  // The process of a world that died cannot answer: that its service is gone is the only sign.
  timer_ = node.create_wall_timer(
    std::chrono::milliseconds(500),
    [this] {
      const auto now = Clock::now();
      resume_if([&](const Wait & wait) {
        return now >= wait.end || (wait.client != nullptr && !wait.client->service_is_ready());
      });
    },
    group);
}

void WorldClient::close()
{
  closing_ = true;
  resume_if([](const Wait &) { return true; });
}

WorldClient::ManifestAt WorldClient::manifest_at(std::uint32_t revision)
{
  return ManifestAt(*this, revision);
}

void WorldClient::resume_if(const std::function<bool(const Wait &)> & ready)
{
  // What is resumed may start to wait for something else: collect first.
  std::list<std::shared_ptr<Wait>> now;
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    const auto next = std::next(it);
    if (ready(**it)) { now.splice(now.end(), waiting_, it); }
    it = next;
  }
  for (auto & wait : now) {
    if (wait->forget) { wait->forget(); }
    wait->handle.resume();
  }
}

}  // namespace ambf_simulation_interfaces
