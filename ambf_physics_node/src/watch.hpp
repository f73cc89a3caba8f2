#pragma once

#include <algorithm>
#include <cstdint>

#include <rclcpp/publisher_base.hpp>

namespace ambf_physics
{

/// Somebody listens, in this process or elsewhere.
inline bool has_readers(const rclcpp::PublisherBase & publisher)
{
  return publisher.get_subscription_count() + publisher.get_intra_process_subscription_count() > 0;
}

/// [ns] of a rate [Hz].
inline std::int64_t period_of(double rate)
{
  return static_cast<std::int64_t>(1e9 / std::clamp(rate, 0.001, 1e6));
}

}  // namespace ambf_physics
