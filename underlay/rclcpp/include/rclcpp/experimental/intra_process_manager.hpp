// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <shared_mutex>

#include "rclcpp/experimental/subscription_intra_process_buffer.hpp"
#include "rclcpp/publisher_base.hpp"

namespace rclcpp::detail {
/// What a transient_local publisher keeps for late readers of its process.
template <typename MessageT> using IntraProcessHistory =
  experimental::buffers::RingBufferImplementation<std::shared_ptr<const MessageT>>;
}  // namespace rclcpp::detail

namespace rclcpp::experimental {

/// Hands messages from the publishers to the subscriptions of one context.
///
/// One owner gets the published object itself. Readers share it. Where both exist, the readers
/// share one copy and the last owner gets the original.
class IntraProcessManager {
public:
  RCLCPP_SMART_PTR_DEFINITIONS(IntraProcessManager)

  template <typename MessageT, typename Alloc, typename Deleter>
  uint64_t add_subscription(SubscriptionIntraProcessBase::SharedPtr subscription) {
    std::vector<std::shared_ptr<void>> histories;
    const uint64_t id = connect_subscription(subscription, histories);
    if (subscription->is_durability_transient_local()) {
      for (const auto & history : histories) {
        for (auto & message :
          std::static_pointer_cast<detail::IntraProcessHistory<MessageT>>(history)->get_all_data()) {
          typed<MessageT, Alloc, Deleter>(*subscription).provide_intra_process_data(message);
        }
      }
    }
    return id;
  }

  void remove_subscription(uint64_t intra_process_subscription_id);
  /// \param history an IntraProcessHistory of the publisher's message type, or null
  uint64_t add_publisher(PublisherBase::SharedPtr publisher, std::shared_ptr<void> history = nullptr);
  void remove_publisher(uint64_t intra_process_publisher_id);

  template <typename MessageT, typename Alloc, typename Deleter>
  void do_intra_process_publish(uint64_t intra_process_publisher_id, std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator) {
    std::shared_lock<std::shared_timed_mutex> lock(mutex_);
    const Publisher & publisher = publishers_.at(intra_process_publisher_id);
    if (publisher.owners.empty()) { return share<MessageT, Alloc, Deleter>(publisher, std::move(message)); }
    if (!publisher.readers.empty()) {
      share<MessageT, Alloc, Deleter>(publisher, std::allocate_shared<MessageT>(allocator, *message));
    }
    give<MessageT, Alloc, Deleter>(publisher, std::move(message), allocator);
  }

  template <typename MessageT, typename Alloc, typename Deleter>
  std::shared_ptr<const MessageT> do_intra_process_publish_and_return_shared(uint64_t intra_process_publisher_id,
    std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator) {
    std::shared_lock<std::shared_timed_mutex> lock(mutex_);
    const Publisher & publisher = publishers_.at(intra_process_publisher_id);
    std::shared_ptr<const MessageT> shared;
    if (publisher.owners.empty()) {
      shared = std::move(message);
    } else {
      shared = std::allocate_shared<MessageT>(allocator, *message);
      give<MessageT, Alloc, Deleter>(publisher, std::move(message), allocator);
    }
    share<MessageT, Alloc, Deleter>(publisher, shared);
    return shared;
  }

  /// Whether a message with this sender also came by the direct way.
  bool matches_any_publishers(const rmw_gid_t * id) const;
  size_t get_subscription_count(uint64_t intra_process_publisher_id) const;
  size_t lowest_available_capacity(uint64_t intra_process_publisher_id) const;

private:
  struct Reader {
    uint64_t id;
    std::weak_ptr<SubscriptionIntraProcessBase> subscription;
  };

  struct Publisher {
    std::string topic;
    QoS qos;
    std::array<uint8_t, RMW_GID_STORAGE_SIZE> gid;
    std::weak_ptr<void> history;
    std::vector<Reader> readers;
    std::vector<Reader> owners;

    bool connect(const Reader & reader);
  };

  struct Topic {
    std::vector<uint64_t> publishers;
    std::vector<Reader> subscriptions;
  };

  uint64_t connect_subscription(
    SubscriptionIntraProcessBase::SharedPtr subscription, std::vector<std::shared_ptr<void>> & histories);

  template <typename MessageT, typename Alloc, typename Deleter>
  static SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter> & typed(SubscriptionIntraProcessBase & subscription) {
    using Typed = SubscriptionIntraProcessBuffer<MessageT, Alloc, Deleter>;
    if (subscription.buffer_type() != typeid(Typed)) {
      throw std::runtime_error("intra-process publisher and subscription of topic '" +
                               std::string(subscription.get_topic_name()) +
                               "' use different message or allocator types, which is not supported");
    }
    return static_cast<Typed &>(subscription);
  }

  template <typename MessageT, typename Alloc, typename Deleter>
  static void share(const Publisher & publisher, std::shared_ptr<const MessageT> message) {
    for (const Reader & reader : publisher.readers) {
      if (auto subscription = reader.subscription.lock()) {
        typed<MessageT, Alloc, Deleter>(*subscription).provide_intra_process_data(message);
      }
    }
  }

  template <typename MessageT, typename Alloc, typename Deleter> static void give(const Publisher & publisher,
    std::unique_ptr<MessageT, Deleter> message,
    typename allocator::AllocRebind<MessageT, Alloc>::allocator_type & allocator) {
    using Traits = allocator::AllocRebind<MessageT, Alloc>;
    for (size_t i = 0; i < publisher.owners.size(); ++i) {
      auto subscription = publisher.owners[i].subscription.lock();
      if (!subscription) { continue; }
      auto & owner = typed<MessageT, Alloc, Deleter>(*subscription);
      if (i + 1 == publisher.owners.size()) {
        owner.provide_intra_process_data(std::move(message));
      } else {
        MessageT * copy = Traits::allocate(allocator, 1);
        Traits::construct(allocator, copy, *message);
        owner.provide_intra_process_data(std::unique_ptr<MessageT, Deleter>(copy, message.get_deleter()));
      }
    }
  }

  mutable std::shared_timed_mutex mutex_;
  uint64_t next_id_{1};
  std::unordered_map<uint64_t, Publisher> publishers_;
  std::unordered_map<std::string, Topic> topics_;
  std::set<std::array<uint8_t, RMW_GID_STORAGE_SIZE>> publisher_gids_;
};

}  // namespace rclcpp::experimental
