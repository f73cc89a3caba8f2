// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "readers.hpp"

namespace ambf_convert
{
namespace
{

constexpr std::size_t largest_text = 64u << 20;

Errors xacro_error(const std::filesystem::path & file, std::string found, std::string hint)
{
  return {ambf_adf::Problem{
    ambf_adf::Severity::Error,
    ambf_adf::ProblemKind::Syntax,
    file.string(),
    {},
    "",
    std::move(found),
    "a file that the command 'xacro' expands",
    std::move(hint)}};
}

struct Pipe
{
  std::array<int, 2> ends{-1, -1};
  Pipe() { (void)!::pipe2(ends.data(), O_CLOEXEC); }
  ~Pipe()
  {
    for (const int end : ends) {
      if (end >= 0) { ::close(end); }
    }
  }
  void close_write_end()
  {
    ::close(ends[1]);
    ends[1] = -1;
  }
};

/// Reads both pipes to their ends. False: more than anybody can mean.
bool drain(Pipe & out, Pipe & err, std::string & text, std::string & message)
{
  std::array<pollfd, 2> waiting{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  std::array<char, 65536> buffer;
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) { return true; }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) { continue; }
      const auto count = ::read(waiting[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        (i == 0 ? text : message).append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() + message.size() > largest_text) { return false; }
      } else if (count == 0 || errno != EINTR) {
        waiting[i].fd = -1;
      }
    }
  }
  return true;
}

}  // namespace

expected<std::string, Errors> expand_xacro(const std::filesystem::path & file)
{
  Pipe out, err;
  const std::string name = file.string();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out.ends[1], STDOUT_FILENO);
    ::dup2(err.ends[1], STDERR_FILENO);
    ::execlp("xacro", "xacro", name.c_str(), static_cast<char *>(nullptr));
    ::_exit(127);
  }
  out.close_write_end();
  err.close_write_end();
  std::string text, message;
  const bool in_bounds = drain(out, err, text, message);
  if (!in_bounds && child > 0) { ::kill(child, SIGKILL); }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) {
    return ambf_adf::unexpected(
      xacro_error(file, "a command that did not start", "is there memory left?"));
  }
  if (!in_bounds) {
    return ambf_adf::unexpected(
      xacro_error(file, "an expansion of more than 64 MiB", "is there a macro without an end?"));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) { return text; }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && message.empty()) {
    return ambf_adf::unexpected(xacro_error(
      file, "no command 'xacro'",
      "install it (ros-jazzy-xacro, or xacro from PyPI), or expand the file"));
  }
  while (!message.empty() && message.back() == '\n') { message.pop_back(); }
  return ambf_adf::unexpected(xacro_error(file, message, "xacro's own words"));
}

}  // namespace ambf_convert
