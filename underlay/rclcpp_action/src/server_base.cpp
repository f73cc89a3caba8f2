#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "action_msgs/msg/goal_status_array.hpp"
#include "rcl/error_handling.h"
#include "rcl_action/wait.h"
#include "rclcpp_action/server.hpp"

#include "./ready_callbacks.hpp"

namespace rclcpp_action {

namespace {

enum class Event {
  None,
  GoalRequest,
  CancelRequest,
  ResultRequest,
  Expired,
};

struct Taken {
  Event event;
  rmw_request_id_t header;
  std::shared_ptr<void> request;
};

void throw_unless_ok(rcl_ret_t ret, const char * what = "") {
  if (ret != RCL_RET_OK) { rclcpp::exceptions::throw_from_rcl_error(ret, what); }
}

}  // namespace

class ServerBaseImpl {
public:
  ServerBaseImpl(rclcpp::node_interfaces::NodeBaseInterface & node_base, rclcpp::Clock::SharedPtr clock,
    const rclcpp::Logger & logger)
  : clock_(std::move(clock)),
    logger_(logger),
    node_handle_(node_base.get_shared_rcl_node_handle()),
    server_(rcl_action_get_zero_initialized_server()) {}

  ~ServerBaseImpl() {
    if (rcl_action_server_fini(&server_, node_handle_.get()) != RCL_RET_OK) {
      RCLCPP_ERROR(logger_, "failed to finalize the action server: %s", rcl_get_error_string().str);
      rcl_reset_error();
    }
  }

  // A response to a client that has gone is no error of the server.
  template <typename SendT> void send_response(const char * what, SendT send) {
    std::lock_guard lock(*mutex_);
    const rcl_ret_t ret = send();
    if (ret == RCL_RET_TIMEOUT) {
      RCLCPP_WARN(logger_, "Failed to send %s response (timeout): %s", what, rcl_get_error_string().str);
      rcl_reset_error();
      return;
    }
    throw_unless_ok(ret);
  }

  // Recursive, since a goal handle that is dropped reports to the server that drops it.
  const std::shared_ptr<std::recursive_mutex> mutex_{std::make_shared<std::recursive_mutex>()};
  rclcpp::Clock::SharedPtr clock_;
  rclcpp::Logger logger_;
  std::shared_ptr<rcl_node_t> node_handle_;

  size_t num_subscriptions_{0};
  size_t num_guard_conditions_{0};
  size_t num_timers_{0};
  size_t num_clients_{0};
  size_t num_services_{0};
  std::atomic<Event> next_event_{Event::None};

  // All below is guarded by the mutex. Goals stay here until they expire.
  std::unordered_map<GoalUUID, std::shared_ptr<rcl_action_goal_handle_t>> goal_handles_;
  std::unordered_map<GoalUUID, std::shared_ptr<void>> results_;
  std::unordered_map<GoalUUID, std::vector<rmw_request_id_t>> pending_result_requests_;

  const std::function<rcl_ret_t(size_t, rmw_event_callback_t, const void *)> attach_ =
    [this](size_t entity, rmw_event_callback_t callback, const void * user_data) {
      using EntityType = ServerBase::EntityType;
      switch (static_cast<EntityType>(entity)) {
        case EntityType::GoalService: return rcl_action_server_set_goal_service_callback(&server_, callback, user_data);
        case EntityType::ResultService:
          return rcl_action_server_set_result_service_callback(&server_, callback, user_data);
        default: return rcl_action_server_set_cancel_service_callback(&server_, callback, user_data);
      }
    };

  // Before the server, which calls them.
  ReadyCallbacks<3> ready_callbacks_;
  rcl_action_server_t server_;
};

ServerBase::ServerBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
  rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string & name,
  const rosidl_action_type_support_t * type_support, const rcl_action_server_options_t & options)
: pimpl_(std::make_unique<ServerBaseImpl>(
    *node_base, node_clock->get_clock(), node_logging->get_logger().get_child("rclcpp_action"))) {
  throw_unless_ok(rcl_action_server_init(&pimpl_->server_, pimpl_->node_handle_.get(),
    pimpl_->clock_->get_clock_handle(), type_support, name.c_str(), &options));
  throw_unless_ok(rcl_action_server_wait_set_get_num_entities(&pimpl_->server_, &pimpl_->num_subscriptions_,
    &pimpl_->num_guard_conditions_, &pimpl_->num_timers_, &pimpl_->num_clients_, &pimpl_->num_services_));
}

ServerBase::~ServerBase() {
  try {
    clear_on_ready_callback();
  } catch (const std::exception & ex) { RCLCPP_ERROR(pimpl_->logger_, "%s", ex.what()); }
}

size_t ServerBase::get_number_of_ready_subscriptions() { return pimpl_->num_subscriptions_; }

size_t ServerBase::get_number_of_ready_timers() { return pimpl_->num_timers_; }

size_t ServerBase::get_number_of_ready_clients() { return pimpl_->num_clients_; }

size_t ServerBase::get_number_of_ready_services() { return pimpl_->num_services_; }

size_t ServerBase::get_number_of_ready_guard_conditions() { return pimpl_->num_guard_conditions_; }

void ServerBase::add_to_wait_set(rcl_wait_set_t & wait_set) {
  std::lock_guard lock(*pimpl_->mutex_);
  throw_unless_ok(rcl_action_wait_set_add_action_server(&wait_set, &pimpl_->server_, nullptr),
    "ServerBase::add_to_wait_set() failed");
}

bool ServerBase::is_ready(const rcl_wait_set_t & wait_set) {
  bool goal = false;
  bool cancel = false;
  bool result = false;
  bool expired = false;
  {
    std::lock_guard lock(*pimpl_->mutex_);
    throw_unless_ok(
      rcl_action_server_wait_set_get_entities_ready(&wait_set, &pimpl_->server_, &goal, &cancel, &result, &expired));
  }
  // One at a time; what is left is still ready at the next wait.
  const Event event = goal      ? Event::GoalRequest
                      : cancel  ? Event::CancelRequest
                      : result  ? Event::ResultRequest
                      : expired ? Event::Expired
                                : Event::None;
  pimpl_->next_event_ = event;
  return event != Event::None;
}

std::shared_ptr<void> ServerBase::take_data() {
  auto taken = std::make_shared<Taken>();
  taken->event = pimpl_->next_event_.exchange(Event::None);
  rcl_ret_t ret = RCL_RET_OK;
  std::lock_guard lock(*pimpl_->mutex_);
  switch (taken->event) {
    case Event::GoalRequest:
      taken->request = create_goal_request();
      ret = rcl_action_take_goal_request(&pimpl_->server_, &taken->header, taken->request.get());
      break;
    case Event::CancelRequest:
      taken->request = std::make_shared<action_msgs::srv::CancelGoal::Request>();
      ret = rcl_action_take_cancel_request(&pimpl_->server_, &taken->header, taken->request.get());
      break;
    case Event::ResultRequest:
      taken->request = create_result_request();
      ret = rcl_action_take_result_request(&pimpl_->server_, &taken->header, taken->request.get());
      break;
    case Event::Expired: return taken;
    case Event::None: return nullptr;
  }
  if (ret == RCL_RET_ACTION_SERVER_TAKE_FAILED) {
    // Another thread was faster.
    rcl_reset_error();
    return nullptr;
  }
  throw_unless_ok(ret);
  return taken;
}

std::shared_ptr<void> ServerBase::take_data_by_entity_id(size_t id) {
  switch (static_cast<EntityType>(id)) {
    case EntityType::GoalService: pimpl_->next_event_ = Event::GoalRequest; break;
    case EntityType::ResultService: pimpl_->next_event_ = Event::ResultRequest; break;
    case EntityType::CancelService: pimpl_->next_event_ = Event::CancelRequest; break;
    default: throw std::runtime_error("there is no such entity: " + std::to_string(id));
  }
  return take_data();
}

void ServerBase::execute(const std::shared_ptr<void> & data) {
  const auto taken = std::static_pointer_cast<Taken>(data);
  if (!taken) { return; }
  switch (taken->event) {
    case Event::GoalRequest:
      // Events executors do not watch the timer that tells of expired goals.
      expire_goals();
      execute_goal_request(taken->header, taken->request);
      break;
    case Event::CancelRequest: execute_cancel_request(taken->header, taken->request); break;
    case Event::ResultRequest: execute_result_request(taken->header, taken->request); break;
    case Event::Expired: expire_goals(); break;
    case Event::None: break;
  }
}

void ServerBase::execute_goal_request(rmw_request_id_t & header, std::shared_ptr<void> request) {
  GoalUUID uuid = get_goal_id_from_goal_request(request.get());
  const auto [response, message] = call_handle_goal_callback(uuid, request);
  pimpl_->send_response("goal",
    [&, message = message]() { return rcl_action_send_goal_response(&pimpl_->server_, &header, message.get()); });
  if (response != GoalResponse::ACCEPT_AND_EXECUTE && response != GoalResponse::ACCEPT_AND_DEFER) { return; }

  std::shared_ptr<rcl_action_goal_handle_t> handle;
  {
    std::lock_guard lock(*pimpl_->mutex_);
    rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
    convert(uuid, &info);
    const rcl_action_goal_handle_t * accepted = rcl_action_accept_new_goal(&pimpl_->server_, &info);
    if (accepted == nullptr) {
      const std::string reason = rcl_get_error_string().str;
      rcl_reset_error();
      throw std::runtime_error("Failed to accept new goal: " + reason);
    }
    // A copy, since the struct belongs to the rcl server while what it points to is ours.
    handle = std::shared_ptr<rcl_action_goal_handle_t>(
      new rcl_action_goal_handle_t(*accepted), [](rcl_action_goal_handle_t * pointer) {
        if (rcl_action_goal_handle_fini(pointer) != RCL_RET_OK) { rcl_reset_error(); }
        delete pointer;
      });
    pimpl_->goal_handles_[uuid] = handle;
    if (response == GoalResponse::ACCEPT_AND_EXECUTE) {
      throw_unless_ok(rcl_action_update_goal_state(handle.get(), GOAL_EVENT_EXECUTE));
    }
  }
  publish_status();
  call_goal_accepted_callback(std::move(handle), uuid, std::move(request));
}

void ServerBase::execute_cancel_request(rmw_request_id_t & header, std::shared_ptr<void> message) {
  const auto request = std::static_pointer_cast<action_msgs::srv::CancelGoal::Request>(message);
  auto response = std::make_shared<action_msgs::srv::CancelGoal::Response>();

  // rcl finds the goals that the request is about; whether they are canceled, the user decides.
  std::vector<action_msgs::msg::GoalInfo> concerned;
  {
    std::lock_guard lock(*pimpl_->mutex_);
    rcl_action_cancel_request_t rcl_request = rcl_action_get_zero_initialized_cancel_request();
    convert(request->goal_info.goal_id.uuid, &rcl_request.goal_info);
    rcl_request.goal_info.stamp.sec = request->goal_info.stamp.sec;
    rcl_request.goal_info.stamp.nanosec = request->goal_info.stamp.nanosec;
    rcl_action_cancel_response_t rcl_response = rcl_action_get_zero_initialized_cancel_response();
    throw_unless_ok(rcl_action_process_cancel_request(&pimpl_->server_, &rcl_request, &rcl_response));
    response->return_code = rcl_response.msg.return_code;
    for (size_t i = 0; i < rcl_response.msg.goals_canceling.size; ++i) {
      const rcl_action_goal_info_t & info = rcl_response.msg.goals_canceling.data[i];
      action_msgs::msg::GoalInfo goal;
      convert(info, &goal.goal_id.uuid);
      goal.stamp.sec = info.stamp.sec;
      goal.stamp.nanosec = info.stamp.nanosec;
      concerned.push_back(goal);
    }
    throw_unless_ok(rcl_action_cancel_response_fini(&rcl_response));
  }

  for (const auto & goal : concerned) {
    if (call_handle_cancel_callback(goal.goal_id.uuid) == CancelResponse::ACCEPT) {
      response->goals_canceling.push_back(goal);
    }
  }
  if (!concerned.empty() && response->goals_canceling.empty()) {
    response->return_code = action_msgs::srv::CancelGoal::Response::ERROR_REJECTED;
  }
  if (!response->goals_canceling.empty()) { publish_status(); }
  pimpl_->send_response(
    "cancel", [&]() { return rcl_action_send_cancel_response(&pimpl_->server_, &header, response.get()); });
}

void ServerBase::execute_result_request(rmw_request_id_t & header, std::shared_ptr<void> message) {
  std::lock_guard lock(*pimpl_->mutex_);
  const GoalUUID uuid = get_goal_id_from_result_request(message.get());
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  convert(uuid, &info);

  std::shared_ptr<void> response;
  if (!rcl_action_server_goal_exists(&pimpl_->server_, &info)) {
    response = create_result_response(action_msgs::msg::GoalStatus::STATUS_UNKNOWN);
  } else {
    const auto found = pimpl_->results_.find(uuid);
    if (found == pimpl_->results_.end()) {
      pimpl_->pending_result_requests_[uuid].push_back(header);
      return;
    }
    response = found->second;
  }
  pimpl_->send_response(
    "result", [&]() { return rcl_action_send_result_response(&pimpl_->server_, &header, response.get()); });
}

void ServerBase::expire_goals() {
  std::lock_guard lock(*pimpl_->mutex_);
  rcl_action_goal_info_t expired[8];
  size_t count = 0;
  do {
    throw_unless_ok(rcl_action_expire_goals(&pimpl_->server_, expired, std::size(expired), &count));
    for (size_t i = 0; i < count; ++i) {
      GoalUUID uuid;
      convert(expired[i], &uuid);
      RCLCPP_DEBUG(pimpl_->logger_, "Expired goal %s", to_string(uuid).c_str());
      pimpl_->results_.erase(uuid);
      pimpl_->pending_result_requests_.erase(uuid);
      pimpl_->goal_handles_.erase(uuid);
    }
  } while (count == std::size(expired));
}

void ServerBase::publish_status() {
  std::lock_guard lock(*pimpl_->mutex_);
  rcl_action_goal_status_array_t statuses = rcl_action_get_zero_initialized_goal_status_array();
  throw_unless_ok(rcl_action_get_goal_status_array(&pimpl_->server_, &statuses));

  action_msgs::msg::GoalStatusArray message;
  message.status_list.reserve(statuses.msg.status_list.size);
  for (size_t i = 0; i < statuses.msg.status_list.size; ++i) {
    const rcl_action_goal_status_t & rcl_status = statuses.msg.status_list.data[i];
    action_msgs::msg::GoalStatus status;
    status.status = rcl_status.status;
    status.goal_info.stamp.sec = rcl_status.goal_info.stamp.sec;
    status.goal_info.stamp.nanosec = rcl_status.goal_info.stamp.nanosec;
    convert(rcl_status.goal_info, &status.goal_info.goal_id.uuid);
    message.status_list.push_back(status);
  }
  throw_unless_ok(rcl_action_goal_status_array_fini(&statuses));
  throw_unless_ok(rcl_action_publish_status(&pimpl_->server_, &message));
}

void ServerBase::notify_goal_terminal_state() {
  std::lock_guard lock(*pimpl_->mutex_);
  throw_unless_ok(rcl_action_notify_goal_done(&pimpl_->server_));
}

void ServerBase::publish_result(const GoalUUID & uuid, std::shared_ptr<void> result_msg) {
  std::lock_guard lock(*pimpl_->mutex_);
  rcl_action_goal_info_t info = rcl_action_get_zero_initialized_goal_info();
  convert(uuid, &info);
  if (!rcl_action_server_goal_exists(&pimpl_->server_, &info)) {
    throw std::runtime_error("Asked to publish result for goal that does not exist");
  }
  pimpl_->results_[uuid] = result_msg;
  const auto waiting = pimpl_->pending_result_requests_.find(uuid);
  if (waiting == pimpl_->pending_result_requests_.end()) { return; }
  for (rmw_request_id_t & header : waiting->second) {
    pimpl_->send_response(
      "result", [&]() { return rcl_action_send_result_response(&pimpl_->server_, &header, result_msg.get()); });
  }
  pimpl_->pending_result_requests_.erase(waiting);
}

void ServerBase::publish_feedback(std::shared_ptr<void> feedback_msg) {
  std::lock_guard lock(*pimpl_->mutex_);
  throw_unless_ok(rcl_action_publish_feedback(&pimpl_->server_, feedback_msg.get()), "Failed to publish feedback");
}

std::shared_ptr<std::recursive_mutex> ServerBase::get_rcl_mutex() const { return pimpl_->mutex_; }

void ServerBase::set_on_ready_callback(std::function<void(size_t, int)> callback) {
  pimpl_->ready_callbacks_.set(std::move(callback), pimpl_->attach_);
}

void ServerBase::clear_on_ready_callback() { pimpl_->ready_callbacks_.clear(pimpl_->attach_); }

}  // namespace rclcpp_action
