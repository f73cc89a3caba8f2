#pragma once

#include "rclcpp/event_handler.hpp"
