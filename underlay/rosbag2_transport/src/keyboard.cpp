// SPDX-License-Identifier: BSD-3-Clause
#include "keyboard.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace rosbag2_transport::detail {

namespace {

termios original;

}  // namespace

Keyboard::Keyboard(std::function<void(Key)> on_key) : on_key_(std::move(on_key)) {
  if (!::isatty(STDIN_FILENO) || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) { return; }
  if (::tcgetattr(STDIN_FILENO, &original) != 0 || ::pipe(wake_) != 0) { return; }
  termios raw = original;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C stays a signal
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  thread_ = std::thread([this] { run(); });
}

Keyboard::~Keyboard() {
  if (!active()) { return; }
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &original);
}

void Keyboard::run() {
  constexpr std::pair<std::string_view, Key> keys[] = {
    {" ", Key::kSpace}, {"\x1b[C", Key::kRight}, {"\x1b[A", Key::kUp}, {"\x1b[B", Key::kDown}};
  while (true) {
    pollfd sources[] = {{STDIN_FILENO, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    if (::poll(sources, 2, -1) < 0) { continue; }
    if (sources[1].revents != 0) { return; }
    char buffer[16];
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count <= 0) { return; }
    for (const auto & [text, key] : keys) {
      if (std::string_view(buffer, static_cast<std::size_t>(count)) == text) { on_key_(key); }
    }
  }
}

}  // namespace rosbag2_transport::detail
