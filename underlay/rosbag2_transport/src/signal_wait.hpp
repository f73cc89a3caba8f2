// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace rosbag2_transport::detail {

/// SIGINT and SIGTERM as something to wait for: no handler, and the context stays valid until what
/// is under way has been brought to its end. To be made before any thread.
class SignalWait {
public:
  SignalWait() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    // A full disk and a file size limit are to be reported by write(), not by death.
    signal(SIGXFSZ, SIG_IGN);
  }
  void wait() const {
    int received = 0;
    sigwait(&signals_, &received);
  }
  /// Ends wait() from within the process.
  static void raise() { kill(getpid(), SIGTERM); }

private:
  sigset_t signals_{};
};

}  // namespace rosbag2_transport::detail
