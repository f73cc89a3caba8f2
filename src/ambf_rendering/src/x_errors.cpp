// SPDX-License-Identifier: BSD-3-Clause
#include "ambf_rendering/x_errors.hpp"

#include <poll.h>

#include <atomic>
#include <utility>

#include <X11/Xlib.h>

namespace ambf_rendering
{

namespace
{

// Xlib's handlers know nothing but the connection.
std::atomic<bool> broken{false};
std::vector<std::string> refusals;  // of the thread that draws
XErrorHandler errors_before = nullptr;
XIOErrorHandler breaks_before = nullptr;

int on_error(::Display * connection, XErrorEvent * error)
{
  char text[120] = "";
  XGetErrorText(connection, error->error_code, text, sizeof(text));
  if (refusals.size() < 100) {
    refusals.push_back(
      std::string(text) + " (request " + std::to_string(error->request_code) + "." +
      std::to_string(error->minor_code) + ")");
  }
  return 0;
}

int on_break(::Display *)
{
  broken.store(true);
  return 0;
}

/// Xlib ends the process where this is not set. After it has returned, requests do nothing and fail.
void go_on(::Display * connection, void *)
{
  broken.store(true);
  // Xlib expects no return and has locked the connection for this thread: others would wait for ever, say
  // GLX when the process ends.
  XUnlockDisplay(connection);
}

}  // namespace

XErrors::XErrors()
{
  broken.store(false);
  refusals.clear();
  errors_before = XSetErrorHandler(on_error);
  breaks_before = XSetIOErrorHandler(on_break);
}

XErrors::~XErrors()
{
  XSetErrorHandler(errors_before);
  XSetIOErrorHandler(breaks_before);
}

void XErrors::watch(::Display * connection)
{
  if (connection == nullptr) { return; }
  XSetIOErrorExitHandler(connection, go_on, nullptr);
  sockets_.push_back(ConnectionNumber(connection));
}

bool XErrors::lost()
{
  if (broken.load()) { return true; }
  for (const int socket : sockets_) {
    pollfd state{socket, POLLRDHUP, 0};
    if (poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) {
      broken.store(true);
    }
  }
  return broken.load();
}

std::vector<std::string> XErrors::take_news()
{
  std::vector<std::string> news;
  for (auto & text : std::exchange(refusals, {})) {
    if (reported_.insert(text).second) { news.push_back(std::move(text)); }
  }
  return news;
}

}  // namespace ambf_rendering
