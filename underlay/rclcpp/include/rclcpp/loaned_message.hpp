// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/publisher_base.hpp"

namespace rclcpp {

/// A message that the middleware would lend. Loans are not supported, so it is simply allocated.
template <typename MessageT, typename AllocatorT = std::allocator<void>> class LoanedMessage {
public:
  LoanedMessage(const PublisherBase &, std::allocator<MessageT>) : message_(std::make_unique<MessageT>()) {}
  LoanedMessage(LoanedMessage && other) = default;
  virtual ~LoanedMessage() = default;

  bool is_valid() const { return message_ != nullptr; }
  MessageT & get() const { return *message_; }
  std::unique_ptr<MessageT> release() { return std::move(message_); }

private:
  std::unique_ptr<MessageT> message_;
};

}  // namespace rclcpp
