#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/allocator/allocator_deleter.hpp"
#include "rclcpp/experimental/buffers/buffer_implementation_base.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp
{
namespace experimental
{
namespace buffers
{

class IntraProcessBufferBase
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(IntraProcessBufferBase)

  virtual ~IntraProcessBufferBase() {}

  virtual void clear() = 0;
  virtual bool has_data() const = 0;
  virtual bool use_take_shared_method() const = 0;
  virtual size_t available_capacity() const = 0;
};

/// Messages that wait for a reader of the same process, put in and taken in either form.
template<
  typename MessageT, typename Alloc = std::allocator<void>,
  typename MessageDeleter = std::default_delete<MessageT>>
class IntraProcessBuffer : public IntraProcessBufferBase
{
public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(IntraProcessBuffer)

  using MessageUniquePtr = std::unique_ptr<MessageT, MessageDeleter>;
  using MessageSharedPtr = std::shared_ptr<const MessageT>;

  virtual void add_shared(MessageSharedPtr msg) = 0;
  virtual void add_unique(MessageUniquePtr msg) = 0;
  virtual MessageSharedPtr consume_shared() = 0;
  virtual MessageUniquePtr consume_unique() = 0;
  virtual std::vector<MessageSharedPtr> get_all_data_shared() = 0;
};

/// Stores in the form BufferT, either MessageSharedPtr or MessageUniquePtr.
template<
  typename MessageT, typename Alloc = std::allocator<void>,
  typename MessageDeleter = std::default_delete<MessageT>,
  typename BufferT = std::unique_ptr<MessageT, MessageDeleter>>
class TypedIntraProcessBuffer : public IntraProcessBuffer<MessageT, Alloc, MessageDeleter>
{
  using MessageAllocTraits = allocator::AllocRebind<MessageT, Alloc>;
  using MessageAlloc = typename MessageAllocTraits::allocator_type;
  using Interface = IntraProcessBuffer<MessageT, Alloc, MessageDeleter>;

public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(TypedIntraProcessBuffer)

  using typename Interface::MessageUniquePtr;
  using typename Interface::MessageSharedPtr;

  static constexpr bool stores_shared = std::is_same_v<BufferT, MessageSharedPtr>;
  static_assert(
    stores_shared || std::is_same_v<BufferT, MessageUniquePtr>,
    "BufferT is not a valid message pointer type");

  explicit TypedIntraProcessBuffer(
    std::unique_ptr<BufferImplementationBase<BufferT>> buffer_impl,
    std::shared_ptr<Alloc> allocator = nullptr)
  : buffer_(std::move(buffer_impl)),
    message_allocator_(allocator ? MessageAlloc(*allocator) : MessageAlloc())
  {}

  void add_shared(MessageSharedPtr msg) override
  {
    if constexpr (stores_shared) {
      buffer_->enqueue(std::move(msg));
    } else {
      // A shared message may have other readers, so the owner to be needs its own copy.
      const auto deleter = std::get_deleter<MessageDeleter, const MessageT>(msg);
      buffer_->enqueue(copy(*msg, deleter));
    }
  }

  void add_unique(MessageUniquePtr msg) override {buffer_->enqueue(std::move(msg));}

  MessageSharedPtr consume_shared() override {return buffer_->dequeue();}

  MessageUniquePtr consume_unique() override
  {
    if constexpr (stores_shared) {
      MessageSharedPtr shared = buffer_->dequeue();
      if (!shared) {
        return MessageUniquePtr();
      }
      const auto deleter = std::get_deleter<MessageDeleter, const MessageT>(shared);
      return copy(*shared, deleter);
    } else {
      return buffer_->dequeue();
    }
  }

  std::vector<MessageSharedPtr> get_all_data_shared() override
  {
    std::vector<MessageSharedPtr> all;
    for (auto & element : buffer_->get_all_data()) {
      all.emplace_back(std::move(element));
    }
    return all;
  }

  void clear() override {buffer_->clear();}
  bool has_data() const override {return buffer_->has_data();}
  bool use_take_shared_method() const override {return stores_shared;}
  size_t available_capacity() const override {return buffer_->available_capacity();}

private:
  MessageUniquePtr copy(const MessageT & message, const MessageDeleter * deleter)
  {
    MessageT * pointer = MessageAllocTraits::allocate(message_allocator_, 1);
    MessageAllocTraits::construct(message_allocator_, pointer, message);
    return deleter ? MessageUniquePtr(pointer, *deleter) : MessageUniquePtr(pointer);
  }

  std::unique_ptr<BufferImplementationBase<BufferT>> buffer_;
  MessageAlloc message_allocator_;
};

}  // namespace buffers
}  // namespace experimental
}  // namespace rclcpp
