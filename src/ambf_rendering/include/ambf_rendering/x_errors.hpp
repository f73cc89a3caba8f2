// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

// Xlib's own type, without its header's macros.
struct _XDisplay;

namespace ambf_rendering
{

/// Keeps X from ending the process, as Xlib does by itself: an error (say, of a window that somebody
/// destroyed while it was drawn) is noted, a connection that broke makes `lost()` true. One at a time:
/// Xlib's handlers are the process's.
class XErrors
{
public:
  XErrors();
  ~XErrors();
  XErrors(const XErrors &) = delete;
  XErrors & operator=(const XErrors &) = delete;

  void watch(_XDisplay * connection);
  /// A watched connection has broken, for good: nothing of it may be used any more. Asks the socket, so
  /// that it is known before the next request.
  bool lost();
  /// What the server refused since the last call, each kind of refusal once.
  std::vector<std::string> take_news();

private:
  std::vector<int> sockets_;
  std::set<std::string> reported_;
};

}  // namespace ambf_rendering
