// SPDX-License-Identifier: BSD-3-Clause
// Broken on purpose, in three ways: under a sanitizer its report is the expected outcome. Shows that the sanitizers
// and their suppressions still see what happens in code that uses rclcpp.
#include <climits>
#include <cstring>
#include <memory>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"

using std_msgs::msg::String;

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const bool race = argc > 1 && std::strcmp(argv[1], "race") == 0;
  const bool freed = argc > 1 && std::strcmp(argv[1], "freed") == 0;
  auto node = std::make_shared<rclcpp::Node>("broken", rclcpp::NodeOptions().use_intra_process_comms(true));
  int count = argc > 1 ? INT_MAX - 1 : 0;
  const String * kept = nullptr;
  auto subscription = node->create_subscription<String>("words", 10, [&](String::UniquePtr message) {
    kept = message.get();
    if (!race) count += 2;  // "overflow": signed, beyond INT_MAX
  });
  auto publisher = node->create_publisher<String>("words", 10);
  publisher->publish(std::make_unique<String>());
  std::thread other([&] {
    for (int i = 0; race && i < 1000; ++i) --count;
  });
  for (int i = 0; race && i < 1000; ++i) --count;
  if (!freed) rclcpp::spin_some(node);
  if (freed) {
    count = 0;
    rclcpp::spin_some(node);
    std::printf("%zu\n", kept->data.size());
  }
  other.join();
  std::printf("%d\n", count);
  rclcpp::shutdown();
  return 0;
}
