// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <unordered_map>

#include "rclcpp_components/component_manager.hpp"

namespace rclcpp_components {

/// Runs each component in a thread of its own, with an executor of its own.
template <typename ExecutorT = rclcpp::executors::SingleThreadedExecutor> class ComponentManagerIsolated
: public rclcpp_components::ComponentManager {
public:
  using rclcpp_components::ComponentManager::ComponentManager;

  ~ComponentManagerIsolated() {
    for (auto & entry : dedicated_executors_) { stop(*entry.second); }
  }

protected:
  void add_node_to_executor(uint64_t node_id) override {
    auto dedicated = std::make_unique<DedicatedExecutor>();
    dedicated->executor.add_node(node_wrappers_.at(node_id).get_node_base_interface());
    dedicated->thread = std::thread([running = dedicated.get()]() {
      running->executor.spin();
      running->finished = true;
    });
    dedicated_executors_.emplace(node_id, std::move(dedicated));
  }

  void remove_node_from_executor(uint64_t node_id) override {
    const auto found = dedicated_executors_.find(node_id);
    if (found != dedicated_executors_.end()) {
      stop(*found->second);
      dedicated_executors_.erase(found);
    }
  }

private:
  struct DedicatedExecutor {
    ExecutorT executor;
    std::thread thread;
    std::atomic_bool finished{false};
  };

  static void stop(DedicatedExecutor & dedicated) {
    // An executor can only be canceled once it spins.
    while (!dedicated.executor.is_spinning() && !dedicated.finished) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    dedicated.executor.cancel();
    dedicated.thread.join();
  }

  std::unordered_map<uint64_t, std::unique_ptr<DedicatedExecutor>> dedicated_executors_;
};

}  // namespace rclcpp_components
