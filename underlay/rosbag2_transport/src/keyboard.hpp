// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <thread>

namespace rosbag2_transport::detail {

enum class Key { kSpace, kRight, kUp, kDown };

/// Reads keys from the terminal while it lives; does nothing where there is none, or where the
/// process is in the background and may not read it.
class Keyboard {
public:
  explicit Keyboard(std::function<void(Key)> on_key);
  ~Keyboard();
  bool active() const { return thread_.joinable(); }

private:
  void run();

  std::function<void(Key)> on_key_;
  int wake_[2] = {-1, -1};
  std::thread thread_;
};

}  // namespace rosbag2_transport::detail
