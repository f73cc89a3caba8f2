#include "rclcpp/experimental/intra_process_manager.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/logging.hpp"

namespace rclcpp
{
namespace experimental
{

namespace
{

std::array<uint8_t, RMW_GID_STORAGE_SIZE> gid_bytes(const rmw_gid_t & gid)
{
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> bytes;
  std::memcpy(bytes.data(), gid.data, bytes.size());
  return bytes;
}

template<typename T>
void erase_value(std::vector<T> & values, const T & value)
{
  values.erase(std::remove(values.begin(), values.end(), value), values.end());
}

}  // namespace

IntraProcessManager::IntraProcessManager() = default;
IntraProcessManager::~IntraProcessManager() = default;

uint64_t IntraProcessManager::add_publisher(
  rclcpp::PublisherBase::SharedPtr publisher, buffers::IntraProcessBufferBase::SharedPtr buffer)
{
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  const uint64_t id = next_id_++;
  const std::string topic_name = publisher->get_topic_name();
  Publisher & entry = publishers_.emplace(
    id, Publisher{
      publisher, buffer, topic_name, publisher->get_actual_qos(), gid_bytes(publisher->get_gid()),
      {}, {}}).first->second;
  publisher_gids_.insert(entry.gid);

  Topic & topic = topics_[topic_name];
  topic.publishers.push_back(id);
  for (const uint64_t subscription_id : topic.subscriptions) {
    if (auto subscription = subscriptions_[subscription_id].lock()) {
      connect(entry, subscription_id, subscription);
    }
  }
  return id;
}

void IntraProcessManager::remove_publisher(uint64_t intra_process_publisher_id)
{
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  auto it = publishers_.find(intra_process_publisher_id);
  if (it == publishers_.end()) {
    return;
  }
  Topic & topic = topics_[it->second.topic];
  erase_value(topic.publishers, intra_process_publisher_id);
  if (topic.publishers.empty() && topic.subscriptions.empty()) {
    topics_.erase(it->second.topic);
  }
  publisher_gids_.erase(it->second.gid);
  publishers_.erase(it);
}

uint64_t IntraProcessManager::add_subscription_to_graph(
  SubscriptionIntraProcessBase::SharedPtr subscription)
{
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  const uint64_t id = next_id_++;
  subscriptions_[id] = subscription;
  Topic & topic = topics_[subscription->get_topic_name()];
  topic.subscriptions.push_back(id);
  for (const uint64_t publisher_id : topic.publishers) {
    connect(publishers_.at(publisher_id), id, subscription);
  }
  return id;
}

void IntraProcessManager::remove_subscription(uint64_t intra_process_subscription_id)
{
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  subscriptions_.erase(intra_process_subscription_id);
  const auto is_removed = [=](const Reader & reader) {
      return reader.id == intra_process_subscription_id;
    };
  for (auto topic = topics_.begin(); topic != topics_.end(); ++topic) {
    auto & ids = topic->second.subscriptions;
    if (std::find(ids.begin(), ids.end(), intra_process_subscription_id) == ids.end()) {
      continue;
    }
    erase_value(ids, intra_process_subscription_id);
    for (const uint64_t publisher_id : topic->second.publishers) {
      Publisher & publisher = publishers_.at(publisher_id);
      for (auto * list : {&publisher.readers, &publisher.owners}) {
        list->erase(std::remove_if(list->begin(), list->end(), is_removed), list->end());
      }
    }
    if (ids.empty() && topic->second.publishers.empty()) {
      topics_.erase(topic);
    }
    return;
  }
}

void IntraProcessManager::connect(
  Publisher & publisher, uint64_t subscription_id,
  const SubscriptionIntraProcessBase::SharedPtr & subscription)
{
  const auto check = rclcpp::qos_check_compatible(publisher.qos, subscription->get_actual_qos());
  if (check.compatibility == rclcpp::QoSCompatibility::Error) {
    return;
  }
  auto & list = subscription->use_take_shared_method() ? publisher.readers : publisher.owners;
  list.push_back({subscription_id, subscription});
}

const IntraProcessManager::Publisher * IntraProcessManager::find_publisher(uint64_t id) const
{
  auto it = publishers_.find(id);
  if (it == publishers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling do_intra_process_publish for invalid or no longer existing publisher id");
    return nullptr;
  }
  return &it->second;
}

std::vector<buffers::IntraProcessBufferBase::SharedPtr> IntraProcessManager::histories_for(
  uint64_t subscription_id) const
{
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  std::vector<buffers::IntraProcessBufferBase::SharedPtr> histories;
  const auto is_this = [=](const Reader & reader) {return reader.id == subscription_id;};
  for (const auto & [id, publisher] : publishers_) {
    for (const auto * list : {&publisher.readers, &publisher.owners}) {
      if (std::any_of(list->begin(), list->end(), is_this)) {
        if (auto buffer = publisher.buffer.lock()) {
          histories.push_back(buffer);
        }
      }
    }
  }
  return histories;
}

bool IntraProcessManager::matches_any_publishers(const rmw_gid_t * id) const
{
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  return publisher_gids_.count(gid_bytes(*id)) != 0;
}

size_t IntraProcessManager::get_subscription_count(uint64_t intra_process_publisher_id) const
{
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  auto it = publishers_.find(intra_process_publisher_id);
  if (it == publishers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling get_subscription_count for invalid or no longer existing publisher id");
    return 0;
  }
  return it->second.readers.size() + it->second.owners.size();
}

SubscriptionIntraProcessBase::SharedPtr IntraProcessManager::get_subscription_intra_process(
  uint64_t intra_process_subscription_id)
{
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  auto it = subscriptions_.find(intra_process_subscription_id);
  return it == subscriptions_.end() ? nullptr : it->second.lock();
}

size_t IntraProcessManager::lowest_available_capacity(uint64_t intra_process_publisher_id) const
{
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  auto it = publishers_.find(intra_process_publisher_id);
  if (it == publishers_.end()) {
    RCLCPP_WARN(
      rclcpp::get_logger("rclcpp"),
      "Calling lowest_available_capacity for invalid or no longer existing publisher id");
    return 0;
  }
  size_t capacity = std::numeric_limits<size_t>::max();
  for (const auto * list : {&it->second.readers, &it->second.owners}) {
    for (const Reader & reader : *list) {
      if (auto subscription = reader.subscription.lock()) {
        capacity = std::min(capacity, subscription->available_capacity());
      }
    }
  }
  return capacity == std::numeric_limits<size_t>::max() ? 0 : capacity;
}

}  // namespace experimental
}  // namespace rclcpp
