// SPDX-License-Identifier: BSD-3-Clause
#include "rclcpp/experimental/intra_process_manager.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "../endpoint_events.hpp"

namespace rclcpp::experimental {

static std::array<uint8_t, RMW_GID_STORAGE_SIZE> gid_bytes(const rmw_gid_t & gid) {
  std::array<uint8_t, RMW_GID_STORAGE_SIZE> bytes;
  std::memcpy(bytes.data(), gid.data, bytes.size());
  return bytes;
}

bool IntraProcessManager::Publisher::connect(const Reader & reader) {
  auto subscription = reader.subscription.lock();
  if (!subscription ||
      qos_check_compatible(qos, subscription->get_actual_qos()).compatibility == QoSCompatibility::Error) {
    return false;
  }
  (subscription->use_take_shared_method() ? readers : owners).push_back(reader);
  return true;
}

uint64_t IntraProcessManager::add_publisher(PublisherBase::SharedPtr publisher, std::shared_ptr<void> history) {
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  const uint64_t id = next_id_++;
  const std::string name = publisher->get_topic_name();
  const auto gid = gid_bytes(publisher->get_gid());
  Publisher entry{name, publisher->get_actual_qos(), gid, history, {}, {}};
  Topic & topic = topics_[name];
  for (const Reader & reader : topic.subscriptions) { entry.connect(reader); }
  topic.publishers.push_back(id);
  publisher_gids_.insert(gid);
  publishers_.emplace(id, std::move(entry));
  return id;
}

void IntraProcessManager::remove_publisher(uint64_t intra_process_publisher_id) {
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  auto it = publishers_.find(intra_process_publisher_id);
  if (it == publishers_.end()) { return; }
  auto & ids = topics_[it->second.topic].publishers;
  ids.erase(std::remove(ids.begin(), ids.end(), intra_process_publisher_id), ids.end());
  if (ids.empty() && topics_[it->second.topic].subscriptions.empty()) { topics_.erase(it->second.topic); }
  publisher_gids_.erase(it->second.gid);
  publishers_.erase(it);
}

uint64_t IntraProcessManager::connect_subscription(
  SubscriptionIntraProcessBase::SharedPtr subscription, std::vector<std::shared_ptr<void>> & histories) {
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  Topic & topic = topics_[subscription->get_topic_name()];
  topic.subscriptions.push_back({next_id_++, subscription});
  for (const uint64_t publisher_id : topic.publishers) {
    Publisher & publisher = publishers_.at(publisher_id);
    auto history = publisher.history.lock();
    if (publisher.connect(topic.subscriptions.back()) && history) { histories.push_back(history); }
  }
  return topic.subscriptions.back().id;
}

void IntraProcessManager::remove_subscription(uint64_t intra_process_subscription_id) {
  std::unique_lock<std::shared_timed_mutex> lock(mutex_);
  const auto erase_from = [=](std::vector<Reader> & list) {
    auto it = std::find_if(
      list.begin(), list.end(), [=](const Reader & reader) { return reader.id == intra_process_subscription_id; });
    return it != list.end() && (list.erase(it), true);
  };
  for (auto topic = topics_.begin(); topic != topics_.end(); ++topic) {
    if (erase_from(topic->second.subscriptions)) {
      for (const uint64_t publisher_id : topic->second.publishers) {
        Publisher & publisher = publishers_.at(publisher_id);
        if (!erase_from(publisher.readers)) { erase_from(publisher.owners); }
      }
      if (topic->second.subscriptions.empty() && topic->second.publishers.empty()) { topics_.erase(topic); }
      return;
    }
  }
}

bool IntraProcessManager::matches_any_publishers(const rmw_gid_t * id) const {
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  return publisher_gids_.count(gid_bytes(*id)) != 0;
}

size_t IntraProcessManager::get_subscription_count(uint64_t intra_process_publisher_id) const {
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  const Publisher & publisher = publishers_.at(intra_process_publisher_id);
  return publisher.readers.size() + publisher.owners.size();
}

size_t IntraProcessManager::lowest_available_capacity(uint64_t intra_process_publisher_id) const {
  std::shared_lock<std::shared_timed_mutex> lock(mutex_);
  const Publisher & publisher = publishers_.at(intra_process_publisher_id);
  size_t capacity = std::numeric_limits<size_t>::max();
  for (const auto * list : {&publisher.readers, &publisher.owners}) {
    for (const Reader & reader : *list) {
      if (auto subscription = reader.subscription.lock()) {
        capacity = std::min(capacity, subscription->available_capacity());
      }
    }
  }
  return capacity == std::numeric_limits<size_t>::max() ? 0 : capacity;
}

void SubscriptionIntraProcessBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  // One message is executed per wake-up, so what is left must wake again.
  if (available_capacity() != qos_profile_.depth()) { gc_.trigger(); }
  detail::check(rcl_wait_set_add_guard_condition(&wait_set, &gc_.get_rcl_guard_condition(), nullptr),
    "failed to add guard condition to wait set");
}

void SubscriptionIntraProcessBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ =
    detail::without_exceptions("set_on_ready_callback", callback, static_cast<int>(EntityType::Subscription));
  if (const size_t waiting = qos_profile_.depth() - available_capacity()) { on_new_message_callback_(waiting); }
}

void SubscriptionIntraProcessBase::clear_on_ready_callback() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  on_new_message_callback_ = nullptr;
}

void SubscriptionIntraProcessBase::notify() {
  std::lock_guard<std::recursive_mutex> lock(callback_mutex_);
  // Who has set a callback does not wait on the guard condition.
  if (on_new_message_callback_) {
    on_new_message_callback_(1);
  } else {
    gc_.trigger();
  }
}

}  // namespace rclcpp::experimental
