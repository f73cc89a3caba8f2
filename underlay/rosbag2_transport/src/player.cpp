// SPDX-License-Identifier: BSD-3-Clause
#include "rosbag2_transport/player.hpp"

#include "playback.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace rosbag2_transport {

Player::Player(const rclcpp::NodeOptions & node_options) : Player("rosbag2_player", node_options) {}

Player::Player(const std::string & name, const rclcpp::NodeOptions & node_options)
: rclcpp::Node(name, node_options), playback_(std::make_unique<detail::Playback>(*this, nullptr)) {}

Player::~Player() = default;

void Player::stop() { playback_->stop(); }
void Player::pause() { playback_->pause(); }
void Player::resume() { playback_->resume(); }
void Player::toggle_paused() { playback_->toggle_paused(); }
bool Player::is_paused() const { return playback_->is_paused(); }
double Player::get_rate() const { return playback_->rate(); }
bool Player::set_rate(double rate) { return playback_->set_rate(rate); }

}  // namespace rosbag2_transport

RCLCPP_COMPONENTS_REGISTER_NODE(rosbag2_transport::Player)
