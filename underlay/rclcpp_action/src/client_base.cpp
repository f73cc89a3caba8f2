#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "rcl/error_handling.h"
#include "rcl_action/wait.h"
#include "rclcpp/utilities.hpp"
#include "rclcpp_action/client.hpp"

#include "./ready_callbacks.hpp"

namespace rclcpp_action {

namespace {

enum class Event {
  None,
  Feedback,
  Status,
  GoalResponse,
  ResultResponse,
  CancelResponse,
};

struct Taken {
  Event event;
  rmw_request_id_t header;
  std::shared_ptr<void> message;
};

void throw_unless_ok(rcl_ret_t ret, const char * what = "") {
  if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, what); }
}

using ResponseCallback = std::function<void(std::shared_ptr<void>)>;

// The requests of one kind that wait for their response.
class PendingRequests {
public:
  template <typename SendT> void send(SendT send_request, ResponseCallback callback) {
    // The response may arrive before the number of the request is known.
    std::lock_guard lock(mutex_);
    int64_t number = 0;
    throw_unless_ok(send_request(&number));
    pending_.emplace(number, std::move(callback));
  }

  // Empty if nobody waits for it.
  ResponseCallback take(int64_t number) {
    std::lock_guard lock(mutex_);
    const auto found = pending_.find(number);
    if (found == pending_.end()) { return nullptr; }
    ResponseCallback callback = std::move(found->second);
    pending_.erase(found);
    return callback;
  }

private:
  std::mutex mutex_;
  std::map<int64_t, ResponseCallback> pending_;
};

}  // namespace

class ClientBaseImpl {
public:
  ClientBaseImpl(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph, const rclcpp::Logger & logger)
  : node_graph_(node_graph),
    node_handle_(node_base->get_shared_rcl_node_handle()),
    context_(node_base->get_context()),
    logger_(logger),
    client_(rcl_action_get_zero_initialized_client()) {}

  ~ClientBaseImpl() {
    if (rcl_action_client_fini(&client_, node_handle_.get()) != RCL_RET_OK) {
      RCLCPP_ERROR(logger_, "failed to finalize the action client: %s", rcl_get_error_string().str);
      rcl_reset_error();
    }
  }

  void handle_response(PendingRequests & requests, const char * what, Taken & taken) {
    const ResponseCallback callback = requests.take(taken.header.sequence_number);
    if (!callback) {
      RCLCPP_ERROR(logger_, "unknown %s response, ignoring...", what);
      return;
    }
    callback(std::move(taken.message));
  }

  rclcpp::node_interfaces::NodeGraphInterface::WeakPtr node_graph_;
  std::shared_ptr<rcl_node_t> node_handle_;
  rclcpp::Context::SharedPtr context_;
  rclcpp::Logger logger_;

  size_t num_subscriptions_{0};
  size_t num_guard_conditions_{0};
  size_t num_timers_{0};
  size_t num_clients_{0};
  size_t num_services_{0};
  std::atomic<Event> next_event_{Event::None};

  PendingRequests goal_requests_;
  PendingRequests result_requests_;
  PendingRequests cancel_requests_;

  const std::function<rcl_ret_t(size_t, rmw_event_callback_t, const void *)> attach_ =
    [this](size_t entity, rmw_event_callback_t callback, const void * user_data) {
      using EntityType = ClientBase::EntityType;
      switch (static_cast<EntityType>(entity)) {
        case EntityType::GoalClient: return rcl_action_client_set_goal_client_callback(&client_, callback, user_data);
        case EntityType::ResultClient:
          return rcl_action_client_set_result_client_callback(&client_, callback, user_data);
        case EntityType::CancelClient:
          return rcl_action_client_set_cancel_client_callback(&client_, callback, user_data);
        case EntityType::FeedbackSubscription:
          return rcl_action_client_set_feedback_subscription_callback(&client_, callback, user_data);
        default: return rcl_action_client_set_status_subscription_callback(&client_, callback, user_data);
      }
    };

  // Before the client, which calls them.
  ReadyCallbacks<5> ready_callbacks_;
  rcl_action_client_t client_;
};

ClientBase::ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
  rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & action_name,
  const rosidl_action_type_support_t * type_support, const rcl_action_client_options_t & options)
: pimpl_(
    std::make_unique<ClientBaseImpl>(node_base, node_graph, node_logging->get_logger().get_child("rclcpp_action"))) {
  throw_unless_ok(
    rcl_action_client_init(&pimpl_->client_, pimpl_->node_handle_.get(), type_support, action_name.c_str(), &options),
    "could not create action client");
  throw_unless_ok(
    rcl_action_client_wait_set_get_num_entities(&pimpl_->client_, &pimpl_->num_subscriptions_,
      &pimpl_->num_guard_conditions_, &pimpl_->num_timers_, &pimpl_->num_clients_, &pimpl_->num_services_),
    "could not retrieve action client details");
}

ClientBase::~ClientBase() {
  try {
    clear_on_ready_callback();
  } catch (const std::exception & ex) { RCLCPP_ERROR(pimpl_->logger_, "%s", ex.what()); }
}

bool ClientBase::action_server_is_ready() const {
  bool is_ready = false;
  const rcl_ret_t ret = rcl_action_server_is_available(pimpl_->node_handle_.get(), &pimpl_->client_, &is_ready);
  if (ret == RCL_RET_NODE_INVALID && !rclcpp::ok(pimpl_->context_)) {
    // After a shutdown there is no server.
    rcl_reset_error();
    return false;
  }
  throw_unless_ok(ret, "rcl_action_server_is_available failed");
  return is_ready;
}

bool ClientBase::wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout) {
  const auto start = std::chrono::steady_clock::now();
  const auto node_graph = pimpl_->node_graph_.lock();
  if (!node_graph) { throw rclcpp::exceptions::InvalidNodeError(); }
  // Before the first look, so that no change between looking and waiting is missed.
  const auto event = node_graph->get_graph_event();
  if (action_server_is_ready()) { return true; }
  if (timeout == timeout.zero()) { return false; }
  // The five entities of a server match one by one, and not every match is a graph event.
  constexpr std::chrono::nanoseconds longest_wait = std::chrono::milliseconds(100);
  while (rclcpp::ok(pimpl_->context_)) {
    std::chrono::nanoseconds left = longest_wait;
    if (timeout > timeout.zero()) {
      const auto elapsed = std::chrono::steady_clock::now() - start;
      if (elapsed >= timeout) { return false; }
      left = std::min<std::chrono::nanoseconds>(longest_wait, timeout - elapsed);
    }
    node_graph->wait_for_graph_change(event, left);
    event->check_and_clear();
    if (action_server_is_ready()) { return true; }
  }
  return false;
}

rclcpp::Logger ClientBase::get_logger() { return pimpl_->logger_; }

size_t ClientBase::get_number_of_ready_subscriptions() { return pimpl_->num_subscriptions_; }

size_t ClientBase::get_number_of_ready_timers() { return pimpl_->num_timers_; }

size_t ClientBase::get_number_of_ready_clients() { return pimpl_->num_clients_; }

size_t ClientBase::get_number_of_ready_services() { return pimpl_->num_services_; }

size_t ClientBase::get_number_of_ready_guard_conditions() { return pimpl_->num_guard_conditions_; }

void ClientBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  throw_unless_ok(rcl_action_wait_set_add_action_client(&wait_set, &pimpl_->client_, nullptr, nullptr),
    "ClientBase::add_to_wait_set() failed");
}

bool ClientBase::is_ready(const rcl_wait_set_t & wait_set) {
  bool feedback = false;
  bool status = false;
  bool goal = false;
  bool cancel = false;
  bool result = false;
  throw_unless_ok(rcl_action_client_wait_set_get_entities_ready(
                    &wait_set, &pimpl_->client_, &feedback, &status, &goal, &cancel, &result),
    "failed to check for any ready entities");
  // One at a time; what is left is still ready at the next wait. Feedback goes before the result.
  const Event event = feedback ? Event::Feedback
                      : status ? Event::Status
                      : goal   ? Event::GoalResponse
                      : result ? Event::ResultResponse
                      : cancel ? Event::CancelResponse
                               : Event::None;
  pimpl_->next_event_ = event;
  return event != Event::None;
}

std::shared_ptr<void> ClientBase::take_data() {
  auto taken = std::make_shared<Taken>();
  taken->event = pimpl_->next_event_.exchange(Event::None);
  rcl_action_client_t * client = &pimpl_->client_;
  rcl_ret_t ret = RCL_RET_OK;
  switch (taken->event) {
    case Event::Feedback:
      taken->message = create_feedback_message();
      ret = rcl_action_take_feedback(client, taken->message.get());
      break;
    case Event::Status:
      taken->message = create_status_message();
      ret = rcl_action_take_status(client, taken->message.get());
      break;
    case Event::GoalResponse:
      taken->message = create_goal_response();
      ret = rcl_action_take_goal_response(client, &taken->header, taken->message.get());
      break;
    case Event::ResultResponse:
      taken->message = create_result_response();
      ret = rcl_action_take_result_response(client, &taken->header, taken->message.get());
      break;
    case Event::CancelResponse:
      taken->message = create_cancel_response();
      ret = rcl_action_take_cancel_response(client, &taken->header, taken->message.get());
      break;
    case Event::None: return nullptr;
  }
  if (ret == RCL_RET_ACTION_CLIENT_TAKE_FAILED) {
    // Another thread was faster.
    rcl_reset_error();
    return nullptr;
  }
  throw_unless_ok(ret, "error taking from the action client");
  return taken;
}

std::shared_ptr<void> ClientBase::take_data_by_entity_id(size_t id) {
  constexpr std::array<Event, 5> events{
    Event::GoalResponse, Event::ResultResponse, Event::CancelResponse, Event::Feedback, Event::Status};
  if (id >= events.size()) { throw std::runtime_error("there is no such entity: " + std::to_string(id)); }
  pimpl_->next_event_ = events[id];
  return take_data();
}

void ClientBase::execute(const std::shared_ptr<void> & data) {
  const auto taken = std::static_pointer_cast<Taken>(data);
  if (!taken) { return; }
  switch (taken->event) {
    case Event::Feedback: handle_feedback_message(taken->message); break;
    case Event::Status: handle_status_message(taken->message); break;
    case Event::GoalResponse: pimpl_->handle_response(pimpl_->goal_requests_, "goal", *taken); break;
    case Event::ResultResponse: pimpl_->handle_response(pimpl_->result_requests_, "result", *taken); break;
    case Event::CancelResponse: pimpl_->handle_response(pimpl_->cancel_requests_, "cancel", *taken); break;
    case Event::None: break;
  }
}

GoalUUID ClientBase::generate_goal_id() {
  // Straight from the system: ids must differ between all clients of all processes.
  thread_local std::random_device random;
  GoalUUID goal_id;
  std::generate(goal_id.begin(), goal_id.end(), []() { return static_cast<uint8_t>(random()); });
  return goal_id;
}

void ClientBase::send_goal_request(std::shared_ptr<void> request, ResponseCallback callback) {
  pimpl_->goal_requests_.send(
    [&](int64_t * number) { return rcl_action_send_goal_request(&pimpl_->client_, request.get(), number); },
    std::move(callback));
}

void ClientBase::send_result_request(std::shared_ptr<void> request, ResponseCallback callback) {
  pimpl_->result_requests_.send(
    [&](int64_t * number) { return rcl_action_send_result_request(&pimpl_->client_, request.get(), number); },
    std::move(callback));
}

void ClientBase::send_cancel_request(std::shared_ptr<void> request, ResponseCallback callback) {
  pimpl_->cancel_requests_.send(
    [&](int64_t * number) { return rcl_action_send_cancel_request(&pimpl_->client_, request.get(), number); },
    std::move(callback));
}

void ClientBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  pimpl_->ready_callbacks_.set(std::move(callback), pimpl_->attach_);
}

void ClientBase::clear_on_ready_callback() { pimpl_->ready_callbacks_.clear(pimpl_->attach_); }

}  // namespace rclcpp_action
