#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/any_executable.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/executor_options.hpp"
#include "rclcpp/future_return_code.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class Node;

namespace detail {
class ExecutorMembers;
class WaitCollection;
}  // namespace detail

/// Coordinates when and in which thread the callbacks of nodes and callback groups run.
class Executor {
public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Executor)

  RCLCPP_PUBLIC explicit Executor(const rclcpp::ExecutorOptions & options = rclcpp::ExecutorOptions());

  RCLCPP_PUBLIC virtual ~Executor();

  /// Run callbacks until cancel() or the shutdown of the context.
  virtual void spin() = 0;

  /// \throws std::runtime_error if the group is already with an executor
  RCLCPP_PUBLIC virtual void add_callback_group(rclcpp::CallbackGroup::SharedPtr group_ptr,
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true);

  RCLCPP_PUBLIC virtual std::vector<rclcpp::CallbackGroup::WeakPtr> get_all_callback_groups();

  RCLCPP_PUBLIC virtual std::vector<rclcpp::CallbackGroup::WeakPtr> get_manually_added_callback_groups();

  RCLCPP_PUBLIC virtual std::vector<rclcpp::CallbackGroup::WeakPtr>
  get_automatically_added_callback_groups_from_nodes();

  /// Remove a group that was added with add_callback_group().
  /** \throws std::runtime_error if it was not added to this executor */
  RCLCPP_PUBLIC virtual void remove_callback_group(rclcpp::CallbackGroup::SharedPtr group_ptr, bool notify = true);

  /// Add a node with its groups that allow it, including groups that it makes later.
  /** \throws std::runtime_error if the node is already with an executor */
  RCLCPP_PUBLIC virtual void add_node(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true);

  RCLCPP_PUBLIC virtual void add_node(std::shared_ptr<rclcpp::Node> node_ptr, bool notify = true);

  /// \throws std::runtime_error if the node is not with this executor
  RCLCPP_PUBLIC virtual void remove_node(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_ptr, bool notify = true);

  RCLCPP_PUBLIC virtual void remove_node(std::shared_ptr<rclcpp::Node> node_ptr, bool notify = true);

  /// Add the node, run at most one callback, remove the node.
  template <typename RepT = int64_t, typename T = std::milli>
  void spin_node_once(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node,
    std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    return spin_node_once_nanoseconds(node, std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  template <typename NodeT = rclcpp::Node, typename RepT = int64_t, typename T = std::milli>
  void spin_node_once(
    std::shared_ptr<NodeT> node, std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    return spin_node_once_nanoseconds(
      node->get_node_base_interface(), std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  RCLCPP_PUBLIC void spin_node_some(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node);

  RCLCPP_PUBLIC void spin_node_some(std::shared_ptr<rclcpp::Node> node);

  RCLCPP_PUBLIC void spin_node_all(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds max_duration);

  RCLCPP_PUBLIC void spin_node_all(std::shared_ptr<rclcpp::Node> node, std::chrono::nanoseconds max_duration);

  /// Run what is ready now, without waiting; 0 sets no limit on the duration.
  RCLCPP_PUBLIC virtual void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0));

  /// Run what is ready, collecting again until nothing is; 0 sets no limit on the duration.
  /** \throws std::invalid_argument for a negative duration */
  RCLCPP_PUBLIC virtual void spin_all(std::chrono::nanoseconds max_duration);

  /// Handle at most one piece of work; a negative timeout waits for it forever.
  RCLCPP_PUBLIC virtual void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  /// Spin until the future is ready, the timeout is over, or cancel() or shutdown interrupts.
  template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
  FutureReturnCode spin_until_future_complete(const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
    return spin_until_future_complete_impl(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout),
      [&future](std::chrono::nanoseconds wait_time) { return future.wait_for(wait_time); });
  }

  /// Make a running spin function return; safe from any thread and from callbacks.
  RCLCPP_PUBLIC virtual void cancel();

  RCLCPP_PUBLIC bool is_spinning();

protected:
  RCLCPP_PUBLIC void spin_node_once_nanoseconds(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds timeout);

  RCLCPP_PUBLIC virtual FutureReturnCode spin_until_future_complete_impl(std::chrono::nanoseconds timeout,
    const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future);

  RCLCPP_PUBLIC void spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive);

  RCLCPP_PUBLIC virtual void spin_once_impl(std::chrono::nanoseconds timeout);

  /// Run a piece of work and release its callback group.
  RCLCPP_PUBLIC void execute_any_executable(AnyExecutable & any_exec);

  RCLCPP_PUBLIC static void execute_subscription(rclcpp::SubscriptionBase::SharedPtr subscription);

  RCLCPP_PUBLIC static void execute_timer(rclcpp::TimerBase::SharedPtr timer, const std::shared_ptr<void> & data_ptr);

  RCLCPP_PUBLIC static void execute_service(rclcpp::ServiceBase::SharedPtr service);

  RCLCPP_PUBLIC static void execute_client(rclcpp::ClientBase::SharedPtr client);

  RCLCPP_PUBLIC void collect_entities();

  RCLCPP_PUBLIC void wait_for_work(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  RCLCPP_PUBLIC bool get_next_ready_executable(AnyExecutable & any_executable);

  RCLCPP_PUBLIC bool get_next_executable(
    AnyExecutable & any_executable, std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  /// Collect anew: now if nobody spins, else before the next wait.
  RCLCPP_PUBLIC void trigger_entity_recollect(bool notify);

  /// Marks the executor as spinning for the life of the object.
  class RCLCPP_PUBLIC SpinSession {
  public:
    /// \throws std::runtime_error naming `function` if the executor already spins
    SpinSession(Executor & executor, const char * function);
    ~SpinSession();
    SpinSession(const SpinSession &) = delete;
    SpinSession & operator=(const SpinSession &) = delete;

  private:
    Executor & executor_;
  };

  std::atomic_bool spinning;
  std::shared_ptr<rclcpp::GuardCondition> interrupt_guard_condition_;
  std::shared_ptr<rclcpp::GuardCondition> shutdown_guard_condition_;

  /// Guards the collection against changes of membership while nobody spins.
  mutable std::mutex mutex_;

  std::shared_ptr<rclcpp::Context> context_;
  rclcpp::OnShutdownCallbackHandle shutdown_callback_handle_;

  std::unique_ptr<detail::ExecutorMembers> members_;

private:
  RCLCPP_DISABLE_COPY(Executor)

  std::unique_ptr<detail::WaitCollection> collection_;
  std::atomic_bool entities_need_rebuild_{false};
  bool in_session_{false};
};

}  // namespace rclcpp
