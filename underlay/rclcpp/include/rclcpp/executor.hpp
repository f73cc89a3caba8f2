// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rclcpp/any_executable.hpp"
#include "rclcpp/executor_options.hpp"
#include "rclcpp/future_return_code.hpp"

namespace rclcpp {

class Node;

namespace detail {
class ExecutorMembers;
class WaitCollection;
}  // namespace detail

/// Coordinates when and in which thread the callbacks of nodes and callback groups run.
class Executor {
protected:
  using NodeBasePtr = node_interfaces::NodeBaseInterface::SharedPtr;

public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Executor)

  explicit Executor(const ExecutorOptions & options = ExecutorOptions());
  virtual ~Executor();

  /// Run callbacks until cancel() or the shutdown of the context.
  virtual void spin() = 0;

  /// \throws std::runtime_error if the group is already with an executor
  virtual void add_callback_group(CallbackGroup::SharedPtr group_ptr, NodeBasePtr node_ptr, bool notify = true);
  virtual std::vector<CallbackGroup::WeakPtr> get_all_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_manually_added_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_automatically_added_callback_groups_from_nodes();
  /// Remove a group that was added with add_callback_group().
  /** \throws std::runtime_error if it was not added to this executor */
  virtual void remove_callback_group(CallbackGroup::SharedPtr group_ptr, bool notify = true);

  /// Add a node with its groups that allow it, including groups that it makes later.
  /** \throws std::runtime_error if the node is already with an executor */
  virtual void add_node(NodeBasePtr node_ptr, bool notify = true);
  virtual void add_node(std::shared_ptr<Node> node_ptr, bool notify = true);
  /// \throws std::runtime_error if the node is not with this executor
  virtual void remove_node(NodeBasePtr node_ptr, bool notify = true);
  virtual void remove_node(std::shared_ptr<Node> node_ptr, bool notify = true);

  /// Add the node, run at most one callback, remove the node.
  template <typename RepT = int64_t, typename T = std::milli>
  void spin_node_once(NodeBasePtr node, std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    return spin_node_once_nanoseconds(node, std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  template <typename NodeT = Node, typename RepT = int64_t, typename T = std::milli> void spin_node_once(
    std::shared_ptr<NodeT> node, std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    return spin_node_once(node->get_node_base_interface(), timeout);
  }
  void spin_node_some(NodeBasePtr node);
  void spin_node_some(std::shared_ptr<Node> node);
  void spin_node_all(NodeBasePtr node, std::chrono::nanoseconds max_duration);
  void spin_node_all(std::shared_ptr<Node> node, std::chrono::nanoseconds max_duration);

  /// Run what is ready now, without waiting; 0 sets no limit on the duration.
  virtual void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0));
  /// Run what is ready, collecting again until nothing is; 0 sets no limit on the duration.
  /** \throws std::invalid_argument for a negative duration */
  virtual void spin_all(std::chrono::nanoseconds max_duration);
  /// Handle at most one piece of work; a negative timeout waits for it forever.
  virtual void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  /// Spin until the future is ready, the timeout is over, or cancel() or shutdown interrupts.
  template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
  FutureReturnCode spin_until_future_complete(const FutureT & future,
    std::chrono::duration<TimeRepT, TimeT> timeout = std::chrono::duration<TimeRepT, TimeT>(-1)) {
    return spin_until_future_complete_impl(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout),
      [&future](std::chrono::nanoseconds wait_time) { return future.wait_for(wait_time); });
  }

  /// Make a running spin function return; safe from any thread and from callbacks.
  virtual void cancel();
  bool is_spinning() { return spinning.load(); }

protected:
  void spin_node_once_nanoseconds(NodeBasePtr node, std::chrono::nanoseconds timeout);
  virtual FutureReturnCode spin_until_future_complete_impl(std::chrono::nanoseconds timeout,
    const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future);
  virtual void spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive);
  virtual void spin_once_impl(std::chrono::nanoseconds timeout);
  /// Run a piece of work and release its callback group.
  void execute_any_executable(AnyExecutable & any_exec);
  static void execute_subscription(SubscriptionBase::SharedPtr subscription);
  static void execute_service(ServiceBase::SharedPtr service);
  static void execute_client(ClientBase::SharedPtr client);
  void wait_for_work(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  bool get_next_ready_executable(AnyExecutable & any_executable);
  bool get_next_executable(
    AnyExecutable & any_executable, std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  /// Collect anew: now if nobody spins, else before the next wait.
  virtual void trigger_entity_recollect(bool notify);
  /// Whether to go on with a spin function: neither canceled nor shut down.
  bool keep_spinning() const { return context_->is_valid() && spinning.load(); }

  /// Marks the executor as spinning for the life of the object.
  class SpinSession {
  public:
    /// \throws std::runtime_error naming `function` if the executor already spins
    SpinSession(Executor & executor, const char * function);
    ~SpinSession();

  private:
    Executor & executor_;
  };

  std::atomic_bool spinning{false};
  std::shared_ptr<Context> context_;
  std::shared_ptr<GuardCondition> interrupt_guard_condition_ = std::make_shared<GuardCondition>(context_);
  std::shared_ptr<GuardCondition> shutdown_guard_condition_ = std::make_shared<GuardCondition>(context_);
  OnShutdownCallbackHandle shutdown_callback_handle_;
  /// Guards the collection against changes of membership while nobody spins.
  mutable std::mutex mutex_;
  std::unique_ptr<detail::ExecutorMembers> members_;

private:
  std::unique_ptr<detail::WaitCollection> collection_;
  std::atomic_bool entities_need_rebuild_{false};
  bool in_session_{false};
};

}  // namespace rclcpp
