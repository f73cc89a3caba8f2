// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <sys/types.h>

#include "ambf_adf/expected.hpp"

namespace ambf_rendering
{

/// Which X display to draw with. Debian's Ogre renders through GLX only, so there must be one.
enum class DisplayChoice
{
  Auto,      ///< the one that DISPLAY names if it answers, otherwise a private one
  Existing,  ///< the one that DISPLAY names
  Private,   ///< a private Xvfb
};

/// An X server that is there as long as this object. A private server also ends when the thread that
/// opened it ends, whatever happens to the process.
class Display
{
public:
  static ambf_adf::expected<Display, std::string> open(DisplayChoice choice);

  Display(Display && other) noexcept;
  Display & operator=(Display && other) noexcept;
  ~Display();

  const std::string & name() const { return name_; }
  bool is_private() const { return server_ > 0; }

private:
  Display(std::string name, pid_t server) : name_(std::move(name)), server_(server) {}
  void close();

  std::string name_;
  pid_t server_ = 0;
  std::string previous_;  ///< value of DISPLAY before, given back on closing
  bool had_previous_ = false;
};

}  // namespace ambf_rendering
