// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/display.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <X11/Xlib.h>

namespace ambf_rendering
{

namespace
{

constexpr int kStartTimeout = 20'000;  // ms; a busy machine needs seconds to start an X server

bool answers(const char * name)
{
  ::Display * connection = XOpenDisplay(name);
  if (connection == nullptr) { return false; }
  XCloseDisplay(connection);
  return true;
}

/// The number that Xvfb writes when it is ready; empty if it does not come.
std::string read_number(int pipe)
{
  std::string text;
  char c = 0;
  for (;;) {
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = poll(&waiting, 1, kStartTimeout);
    if (ready < 0 && errno == EINTR) { continue; }
    if (ready <= 0 || read(pipe, &c, 1) != 1) { return {}; }
    if (c == '\n') { return text; }
    text += c;
  }
}

ambf_adf::expected<std::pair<std::string, pid_t>, std::string> start_server()
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return tl::unexpected(std::string("no pipe for Xvfb: ") + std::strerror(errno));
  }
  const std::string number = std::to_string(ends[1]);
  const char * const arguments[] = {"Xvfb",     "-displayfd",   number.c_str(), "-screen",
                                    "0",        "1920x1080x24", "-nolisten",    "tcp",
                                    "-noreset", nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    // The kernel ends the server with the thread that started it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) { _exit(126); }
    setpgid(0, 0);  // Ctrl-C is for us, not for the server
    fcntl(ends[1], F_SETFD, 0);
    const int null = ::open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(arguments[0], const_cast<char * const *>(arguments));
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return tl::unexpected(std::string("no process for Xvfb: ") + std::strerror(errno));
  }
  const std::string display = read_number(ends[0]);
  close(ends[0]);
  if (display.empty()) {
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    return tl::unexpected(std::string(
      WIFEXITED(status) && WEXITSTATUS(status) == 127
        ? "no display and no Xvfb: install the Debian package xvfb, or set DISPLAY"
        : "Xvfb was started but opened no display"));
  }
  return std::pair(":" + display, child);
}

}  // namespace

ambf_adf::expected<Display, std::string> Display::open(DisplayChoice choice)
{
  const char * given = std::getenv("DISPLAY");
  const std::string previous = given ? given : "";
  if (choice != DisplayChoice::Private) {
    if (given && *given && answers(given)) { return Display(given, 0); }
    if (choice == DisplayChoice::Existing) {
      return tl::unexpected(
        given && *given ? "the display '" + previous + "' does not answer"
                        : "no display: DISPLAY is not set");
    }
  }
  auto server = start_server();
  if (!server) { return tl::unexpected(server.error()); }
  Display display(server->first, server->second);
  display.previous_ = previous;
  display.had_previous_ = given != nullptr;
  // Ogre opens the display that the environment names and takes no other.
  setenv("DISPLAY", display.name_.c_str(), 1);
  return display;
}

Display::Display(Display && other) noexcept
: name_(std::move(other.name_)),
  server_(std::exchange(other.server_, 0)),
  previous_(std::move(other.previous_)),
  had_previous_(other.had_previous_)
{
}

Display & Display::operator=(Display && other) noexcept
{
  if (this != &other) {
    close();
    name_ = std::move(other.name_);
    server_ = std::exchange(other.server_, 0);
    previous_ = std::move(other.previous_);
    had_previous_ = other.had_previous_;
  }
  return *this;
}

Display::~Display() { close(); }

void Display::close()
{
  if (server_ <= 0) { return; }
  if (had_previous_) {
    setenv("DISPLAY", previous_.c_str(), 1);
  } else {
    unsetenv("DISPLAY");
  }
  kill(server_, SIGTERM);
  int status = 0;
  waitpid(server_, &status, 0);
  server_ = 0;
}

}  // namespace ambf_rendering
