#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rclcpp/allocator/allocator_deleter.hpp"
#include "rclcpp/experimental/buffers/intra_process_buffer.hpp"
#include "rclcpp/experimental/subscription_intra_process_base.hpp"
#include "rclcpp/experimental/subscription_intra_process_buffer.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp
{
namespace experimental
{

/// Hands messages from the publishers to the subscriptions of one context.
///
/// One owner gets the published object itself. Readers share it. Where both exist, the readers
/// share one copy and the last owner gets the original.
class IntraProcessManager
{
public:
  RCLCPP_SMART_PTR_DEFINITIONS(IntraProcessManager)

  RCLCPP_PUBLIC
  IntraProcessManager();
  RCLCPP_PUBLIC
  virtual ~IntraProcessManager();

  template<
    typename MessageT, typename Alloc = std::allocator<void>,
    typename Deleter = std::default_delete<MessageT>>
  uint64_t add_subscription(SubscriptionIntraProcessBase::SharedPtr subscription)
  {
    uint64_t id = add_subscription_to_graph(subscription);
    if (subscription->is_durability_transient_local()) {
      send_history<MessageT, Alloc, Deleter>(id, *subscription);
    }
    return id;
  }

  RCLCPP_PUBLIC
  void remove_subscription(uint64_t intra_process_subscription_id);

  /// \param buffer the history of a transient_local publisher
  RCLCPP_PUBLIC
  uint64_t add_publisher(
    rclcpp::PublisherBase::SharedPtr publisher,
    buffers::IntraProcessBufferBase::SharedPtr buffer = nullptr);
  RCLCPP_PUBLIC
  void remove_publisher(uint64_t intra_process_publisher_id);

  template<typename MessageT, typename Alloc, typename Deleter>
  void do_intra_process_publish(
    uint64_t intra_process_publisher_id, std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator)
  {
    std::shared_lock<std::shared_timed_mutex> lock(mutex_);
    const Publisher * publisher = find_publisher(intra_process_publisher_id);
    if (!publisher) {
      return;
    }
    if (publisher->owners.empty()) {
      share<MessageT, Alloc, Deleter>(*publisher, std::move(message));
      return;
    }
    if (!publisher->readers.empty()) {
      share<MessageT, Alloc, Deleter>(
        *publisher, std::allocate_shared<MessageT>(allocator, *message));
    }
    give<MessageT, Alloc, Deleter>(*publisher, std::move(message), allocator);
  }

  template<typename MessageT, typename Alloc, typename Deleter>
  std::shared_ptr<const MessageT> do_intra_process_publish_and_return_shared(
    uint64_t intra_process_publisher_id, std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator)
  {
    std::shared_lock<std::shared_timed_mutex> lock(mutex_);
    const Publisher * publisher = find_publisher(intra_process_publisher_id);
    if (!publisher || publisher->owners.empty()) {
      std::shared_ptr<const MessageT> shared = std::move(message);
      if (publisher) {
        share<MessageT, Alloc, Deleter>(*publisher, shared);
      }
      return shared;
    }
    std::shared_ptr<const MessageT> copy = std::allocate_shared<MessageT>(allocator, *message);
    share<MessageT, Alloc, Deleter>(*publisher, copy);
    give<MessageT, Alloc, Deleter>(*publisher, std::move(message), allocator);
    return copy;
  }

  /// Whether a message with this sender also came by the direct way.
  RCLCPP_PUBLIC
  bool matches_any_publishers(const rmw_gid_t * id) const;
  RCLCPP_PUBLIC
  size_t get_subscription_count(uint64_t intra_process_publisher_id) const;
  RCLCPP_PUBLIC
  SubscriptionIntraProcessBase::SharedPtr get_subscription_intra_process(
    uint64_t intra_process_subscription_id);
  RCLCPP_PUBLIC
  size_t lowest_available_capacity(uint64_t intra_process_publisher_id) const;

private:
  struct Reader
  {
    uint64_t id;
    std::weak_ptr<SubscriptionIntraProcessBase> subscription;
  };

  struct Publisher
  {
    rclcpp::PublisherBase::WeakPtr publisher;
    std::weak_ptr<buffers::IntraProcessBufferBase> buffer;
    std::string topic;
    rclcpp::QoS qos;
    std::array<uint8_t, RMW_GID_STORAGE_SIZE> gid;
    std::vector<Reader> readers;
    std::vector<Reader> owners;
  };

  struct Topic
  {
    std::vector<uint64_t> publishers;
    std::vector<uint64_t> subscriptions;
  };

  RCLCPP_PUBLIC
  uint64_t add_subscription_to_graph(SubscriptionIntraProcessBase::SharedPtr subscription);
  RCLCPP_PUBLIC
  const Publisher * find_publisher(uint64_t id) const;
  /// Histories of the transient_local publishers that reach this subscription.
  RCLCPP_PUBLIC
  std::vector<buffers::IntraProcessBufferBase::SharedPtr> histories_for(
    uint64_t subscription_id) const;
  static void connect(
    Publisher & publisher, uint64_t subscription_id,
    const SubscriptionIntraProcessBase::SharedPtr & subscription);

  template<typename MessageT, typename Alloc, typename Deleter>
  static SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter> & typed(
    SubscriptionIntraProcessBase & subscription)
  {
    using Typed = SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter>;
    if (subscription.buffer_type() != typeid(Typed)) {
      throw std::runtime_error(
              "intra-process publisher and subscription of topic '" +
              std::string(subscription.get_topic_name()) +
              "' use different message or allocator types, which is not supported");
    }
    return static_cast<Typed &>(subscription);
  }

  template<typename MessageT, typename Alloc, typename Deleter>
  static void share(const Publisher & publisher, std::shared_ptr<const MessageT> message)
  {
    for (const Reader & reader : publisher.readers) {
      if (auto subscription = reader.subscription.lock()) {
        typed<MessageT, Alloc, Deleter>(*subscription).provide_intra_process_data(message);
      }
    }
  }

  template<typename MessageT, typename Alloc, typename Deleter>
  static void give(
    const Publisher & publisher, std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator)
  {
    using Traits = allocator::AllocRebind<MessageT, Alloc>;
    for (size_t i = 0; i < publisher.owners.size(); ++i) {
      auto subscription = publisher.owners[i].subscription.lock();
      if (!subscription) {
        continue;
      }
      auto & owner = typed<MessageT, Alloc, Deleter>(*subscription);
      if (i + 1 == publisher.owners.size()) {
        owner.provide_intra_process_data(std::move(message));
      } else {
        MessageT * copy = Traits::allocate(allocator, 1);
        Traits::construct(allocator, copy, *message);
        owner.provide_intra_process_data(
          std::unique_ptr<MessageT, Deleter>(copy, message.get_deleter()));
      }
    }
  }

  template<typename MessageT, typename Alloc, typename Deleter>
  void send_history(uint64_t id, SubscriptionIntraProcessBase & subscription)
  {
    for (const auto & base : histories_for(id)) {
      auto history =
        std::dynamic_pointer_cast<buffers::IntraProcessBuffer<MessageT, Alloc, Deleter>>(base);
      if (!history) {
        continue;
      }
      for (auto & message : history->get_all_data_shared()) {
        typed<MessageT, Alloc, Deleter>(subscription).provide_intra_process_data(message);
      }
    }
  }

  mutable std::shared_timed_mutex mutex_;
  uint64_t next_id_{1};
  std::unordered_map<uint64_t, Publisher> publishers_;
  std::unordered_map<uint64_t, SubscriptionIntraProcessBase::WeakPtr> subscriptions_;
  std::unordered_map<std::string, Topic> topics_;
  std::set<std::array<uint8_t, RMW_GID_STORAGE_SIZE>> publisher_gids_;
};

}  // namespace experimental
}  // namespace rclcpp
