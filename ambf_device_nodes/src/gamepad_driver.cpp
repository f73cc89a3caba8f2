// SPDX-License-Identifier: BSD-3-Clause
#include "gamepad_driver.hpp"

#include <SDL.h>

#include <algorithm>
#include <utility>

#include "sdl_lock.hpp"

namespace ambf_device_nodes
{

using ambf_devices::DriverStatus;

GamepadDriver::GamepadDriver(
  GamepadChoice choice, ambf_devices::RateHandParameters hand, double rate)
: StickDriver(std::move(hand), rate), choice_(std::move(choice))
{
}

GamepadDriver::~GamepadDriver()
{
  const SdlLock lock(sdl_mutex());
  close();
  if (started_) { SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER); }
}

bool GamepadDriver::start(std::string & why)
{
  if (started_) { return true; }
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // Ctrl-C is rclcpp's
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  started_ = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0;
  if (!started_) { why = std::string("SDL cannot be started: ") + SDL_GetError(); }
  return started_;
}

int GamepadDriver::find(std::string & seen)
{
  SDL_JoystickUpdate();  // what was plugged in since
  int fitting = 0;
  for (int i = 0; i < SDL_NumJoysticks(); ++i) {
    const char * found = SDL_JoystickNameForIndex(i);
    const std::string name = found == nullptr ? "nameless" : found;
    const bool is_pad = SDL_IsGameController(i) == SDL_TRUE;
    seen += (seen.empty() ? "" : ", ") + name + (is_pad ? "" : " (no gamepad; use joy_device)");
    if (is_pad && name.find(choice_.name) != std::string::npos && fitting++ == choice_.index) {
      return i;
    }
  }
  return -1;
}

bool GamepadDriver::is_there() noexcept
{
  const SdlLock lock(sdl_mutex());
  std::string seen;
  return started_ && find(seen) >= 0;
}

bool GamepadDriver::open(double time, std::string & why)
{
  const SdlLock lock(sdl_mutex());
  if (!start(why)) { return false; }
  std::string seen;
  const int index = find(seen);
  if (index < 0) {
    why = "no gamepad " + std::to_string(choice_.index) +
          (choice_.name.empty() ? "" : " named '" + choice_.name + "'") +
          "; seen: " + (seen.empty() ? "none" : seen) + "; plug it in, it is looked for again";
    return false;
  }
  const char * name = SDL_JoystickNameForIndex(index);
  model_ = name == nullptr ? "gamepad" : name;
  pad_ = SDL_GameControllerOpen(index);
  if (pad_ == nullptr) {
    why = model_ + ": " + SDL_GetError() + "; may this user read its /dev/input?";
    return false;
  }
  release(time);
  return true;
}

void GamepadDriver::close() noexcept
{
  const SdlLock lock(sdl_mutex());
  if (pad_ != nullptr) { SDL_GameControllerClose(pad_); }
  pad_ = nullptr;
}

DriverStatus GamepadDriver::poll(double, ambf_devices::StickInput & input) noexcept
{
  const SdlLock lock(sdl_mutex());
  SDL_GameControllerUpdate();
  if (SDL_GameControllerGetAttached(pad_) != SDL_TRUE) { return DriverStatus::Lost; }
  constexpr double full = 32767.0;
  for (int axis = 0; axis < SDL_CONTROLLER_AXIS_MAX; ++axis) {
    const auto value = SDL_GameControllerGetAxis(pad_, static_cast<SDL_GameControllerAxis>(axis));
    input.axes[static_cast<std::size_t>(axis)] = std::max(-1.0, value / full);
  }
  input.buttons = 0;
  for (int button = 0; button < std::min<int>(SDL_CONTROLLER_BUTTON_MAX, 32); ++button) {
    if (SDL_GameControllerGetButton(pad_, static_cast<SDL_GameControllerButton>(button)) != 0) {
      input.buttons |= 1u << button;
    }
  }
  return DriverStatus::Ok;
}

}  // namespace ambf_device_nodes
