#include "world_client.hpp"

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
  connect(get_mode, "get_mode");
  connect(set_mode, "set_mode");
  connect(step, "step");
  connect(reset, "reset");
  connect(load_model, "load_model");
  connect(load_world, "load_world");
  connect(remove, "remove");
  connect(read, "read");
  connect(set_body_state, "set_body_state");
  rclcpp::SubscriptionOptions options;
  options.callback_group = group;
  subscription_ = node.create_subscription<ambf_msgs::msg::WorldManifest>(
    base + "Manifest", rclcpp::QoS(1).reliable().transient_local(),
    [this](const ambf_msgs::msg::WorldManifest::ConstSharedPtr manifest) {
      manifest_ = manifest;
      resume_if([&](const Wait & wait) {return wait.client == nullptr && manifest->revision >= wait.revision;});
    }, options);
  // A world that died answers nothing, and nobody says so: its service is no longer there.
  timer_ = node.create_wall_timer(
    std::chrono::milliseconds(500), [this] {
      const auto now = std::chrono::steady_clock::now();
      resume_if([&](const Wait & wait) {
          return wait.client != nullptr ? !wait.client->service_is_ready() : now >= wait.end;
        });
    }, group);
}

WorldClient::~WorldClient()
{
  closing_ = true;
  resume_if([](const Wait &) {return true;});
}

WorldClient::ManifestAt WorldClient::manifest_at(std::uint32_t revision) {return ManifestAt(*this, revision);}

void WorldClient::resume_if(const std::function<bool(const Wait &)> & ready)
{
  // What is resumed may start to wait for something else: collect first.
  std::list<std::shared_ptr<Wait>> now;
  for (auto it = waiting_.begin(); it != waiting_.end(); ) {
    const auto next = std::next(it);
    if (ready(**it)) {now.splice(now.end(), waiting_, it);}
    it = next;
  }
  for (auto & wait : now) {
    wait->done = true;
    wait->handle.resume();
  }
}

}  // namespace ambf_simulation_interfaces
