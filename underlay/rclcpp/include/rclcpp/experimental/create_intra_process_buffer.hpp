#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "rclcpp/experimental/buffers/intra_process_buffer.hpp"
#include "rclcpp/experimental/buffers/ring_buffer_implementation.hpp"
#include "rclcpp/intra_process_buffer_type.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp
{
namespace experimental
{

template<
  typename MessageT, typename Alloc = std::allocator<void>,
  typename Deleter = std::default_delete<MessageT>>
std::unique_ptr<buffers::IntraProcessBuffer<MessageT, Alloc, Deleter>>
create_intra_process_buffer(
  IntraProcessBufferType buffer_type, const rclcpp::QoS & qos, std::shared_ptr<Alloc> allocator)
{
  using Buffer = buffers::IntraProcessBuffer<MessageT, Alloc, Deleter>;
  auto make = [&](auto element) -> std::unique_ptr<Buffer> {
      using Element = decltype(element);
      return std::make_unique<
        buffers::TypedIntraProcessBuffer<MessageT, Alloc, Deleter, Element>>(
        std::make_unique<buffers::RingBufferImplementation<Element>>(qos.depth()), allocator);
    };
  switch (buffer_type) {
    case IntraProcessBufferType::SharedPtr:
      return make(typename Buffer::MessageSharedPtr());
    case IntraProcessBufferType::UniquePtr:
      return make(typename Buffer::MessageUniquePtr());
    default:
      throw std::runtime_error("Unrecognized IntraProcessBufferType value");
  }
}

}  // namespace experimental
}  // namespace rclcpp
