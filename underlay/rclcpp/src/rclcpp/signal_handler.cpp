// SPDX-License-Identifier: BSD-3-Clause
// The part of utilities.hpp that deals with signals.
#include <semaphore.h>
#include <signal.h>

#include <optional>
#include <system_error>
#include <thread>

#include "rclcpp/logging.hpp"
#include "rclcpp/utilities.hpp"

namespace rclcpp {

namespace {

using Action = struct sigaction;

void check_system(int result, const std::string & what) {
  if (result != 0) { throw std::system_error(errno, std::generic_category(), what); }
}

/// What the thread that reacts to signals waits on, one per installation.
struct Listener {
  sem_t wake;
  std::atomic_int received_signal{0};
  std::atomic_bool stop{false};

  Listener() { check_system(sem_init(&wake, 0, 0), "failed to create a semaphore"); }
  ~Listener() { sem_destroy(&wake); }
};

// What the handler itself touches: a lock-free pointer to atomics and a semaphore, and the old
// actions, which are constant while the handler is installed.
std::atomic<Listener *> current_listener{nullptr};
Action old_sigint;
Action old_sigterm;

std::mutex install_mutex;
std::optional<SignalHandlerOptions> installed_options;
std::shared_ptr<Listener> listener;
std::thread shutdown_thread;

void handle_signal(int signal_value, siginfo_t * info, void * context) {
  const int saved_errno = errno;
  const Action & old = signal_value == SIGTERM ? old_sigterm : old_sigint;
  if (old.sa_flags & SA_SIGINFO) {
    if (old.sa_sigaction) { old.sa_sigaction(signal_value, info, context); }
  } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
    old.sa_handler(signal_value);
  }
  if (Listener * to = current_listener.load()) {
    to->received_signal.store(signal_value);
    sem_post(&to->wake);
  }
  errno = saved_errno;
}

void shut_down_contexts(int signal_value) {
  RCLCPP_INFO(get_logger("rclcpp"), "signal_handler(signum=%d)", signal_value);
  for (auto & context : get_contexts()) {
    if (!context->get_init_options().shutdown_on_signal) { continue; }
    try {
      context->shutdown("signal handler");
    } catch (const std::exception & exc) {
      RCLCPP_ERROR(get_logger("rclcpp"), "failed to shut down on signal: %s", exc.what());
    }
  }
}

void run_shutdown_thread(std::shared_ptr<Listener> self) {
  while (!self->stop.load()) {
    while (sem_wait(&self->wake) != 0 && errno == EINTR) {}
    if (const int signal_value = self->received_signal.exchange(0)) { shut_down_contexts(signal_value); }
  }
}

/// Set the actions of those signals that are wanted, and keep the old ones where asked to.
void set_actions(
  SignalHandlerOptions options, const Action & sigint, const Action & sigterm, Action * old_int, Action * old_term) {
  const auto set = [options](SignalHandlerOptions one, int signal_value, const Action & action, Action * old) {
    if (options != SignalHandlerOptions::All && options != one) { return; }
    check_system(
      sigaction(signal_value, &action, old), "failed to set the handler of signal " + std::to_string(signal_value));
  };
  set(SignalHandlerOptions::SigInt, SIGINT, sigint, old_int);
  set(SignalHandlerOptions::SigTerm, SIGTERM, sigterm, old_term);
}

/// A process that returns from main() without uninstalling must not end with a joinable thread.
struct UninstallAtExit {
  ~UninstallAtExit() {
    try {
      uninstall_signal_handlers();
    } catch (const std::exception &) {}
  }
};

}  // namespace

bool install_signal_handlers(SignalHandlerOptions options) {
  static UninstallAtExit uninstall_at_exit;
  std::lock_guard<std::mutex> lock(install_mutex);
  if (installed_options) { return false; }
  if (options != SignalHandlerOptions::None) {
    listener = std::make_shared<Listener>();
    current_listener.store(listener.get());

    // The thread that reacts must not be the one that is interrupted in the middle of it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    shutdown_thread = std::thread(run_shutdown_thread, listener);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);

    Action action{};
    action.sa_sigaction = handle_signal;
    action.sa_flags = SA_SIGINFO;
    set_actions(options, action, action, &old_sigint, &old_sigterm);
  }
  installed_options = options;
  return true;
}

bool uninstall_signal_handlers() {
  std::thread to_join;
  std::shared_ptr<Listener> to_stop;
  {
    std::lock_guard<std::mutex> lock(install_mutex);
    if (!installed_options) { return false; }
    set_actions(*installed_options, old_sigint, old_sigterm, nullptr, nullptr);
    current_listener.store(nullptr);
    to_join = std::move(shutdown_thread);
    to_stop = std::move(listener);
    installed_options.reset();
  }
  // Outside the lock: an on-shutdown callback in that thread may be about to ask for it.
  if (to_join.joinable()) {
    to_stop->stop.store(true);
    sem_post(&to_stop->wake);
    to_join.get_id() == std::this_thread::get_id() ? to_join.detach() : to_join.join();
  }
  return true;
}

bool signal_handlers_installed() {
  std::lock_guard<std::mutex> lock(install_mutex);
  return installed_options.has_value();
}

SignalHandlerOptions get_current_signal_handler_options() {
  std::lock_guard<std::mutex> lock(install_mutex);
  return installed_options.value_or(SignalHandlerOptions::None);
}

}  // namespace rclcpp
