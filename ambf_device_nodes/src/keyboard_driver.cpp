// SPDX-License-Identifier: BSD-3-Clause
#include "keyboard_driver.hpp"

#include <SDL.h>

#include <array>
#include <utility>

#include "sdl_lock.hpp"

namespace ambf_device_nodes
{
namespace
{

using ambf_devices::DriverStatus;

constexpr std::array<int, 6> positive_keys{SDLK_s, SDLK_d, SDLK_r, SDLK_o, SDLK_k, SDLK_j};
constexpr std::array<int, 6> negative_keys{SDLK_w, SDLK_a, SDLK_f, SDLK_u, SDLK_i, SDLK_l};
constexpr std::array<int, 13> button_keys{SDLK_SPACE, SDLK_c, SDLK_g, SDLK_h, SDLK_HOME,
                                          SDLK_1,     SDLK_2, SDLK_3, SDLK_4, SDLK_5,
                                          SDLK_6,     SDLK_7, SDLK_8};
constexpr double pixels_per_notch = 20.0;
bool one_is_open = false;  // under the lock: events of all windows come through one queue

template <std::size_t N>
void note(std::uint32_t & bits, const std::array<int, N> & keys, int key, bool down) noexcept
{
  for (std::size_t i = 0; i < N; ++i) {
    if (keys[i] == key) { bits = down ? bits | (1u << i) : bits & ~(1u << i); }
  }
}

}  // namespace

KeyboardDriver::KeyboardDriver(
  std::string title, double metres_per_pixel, ambf_devices::RateHandParameters hand, double rate)
: StickDriver(std::move(hand), rate), title_(std::move(title)), metres_per_pixel_(metres_per_pixel)
{
}

KeyboardDriver::~KeyboardDriver()
{
  const SdlLock lock(sdl_mutex());
  close();
  if (started_) { SDL_QuitSubSystem(SDL_INIT_VIDEO); }
}

bool KeyboardDriver::open(double time, std::string & why)
{
  const SdlLock lock(sdl_mutex());
  if (one_is_open) {
    why =
      "another device of this process has the keyboard; SDL has one for all, use a process each";
    return false;
  }
  if (closed_) {
    why = "its window was closed; start the node again to use keyboard and mouse";
    return false;
  }
  if (!started_) {
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
      why = std::string("no display for its window: ") + SDL_GetError() + "; is DISPLAY set?";
      return false;
    }
    started_ = true;
  }
  window_ = SDL_CreateWindow(
    title_.c_str(), SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 480, 160, SDL_WINDOW_SHOWN);
  if (window_ == nullptr) {
    why = std::string("no window: ") + SDL_GetError();
    return false;
  }
  one_is_open = true;
  positive_ = negative_ = buttons_ = 0;
  release(time);
  return true;
}

void KeyboardDriver::close() noexcept
{
  const SdlLock lock(sdl_mutex());
  if (window_ == nullptr) { return; }
  SDL_DestroyWindow(window_);
  window_ = nullptr;
  one_is_open = false;
}

DriverStatus KeyboardDriver::poll(double, ambf_devices::StickInput & input) noexcept
{
  const SdlLock lock(sdl_mutex());
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) { take(event, input); }
  if (closed_) { return DriverStatus::Lost; }
  for (std::size_t i = 0; i < positive_keys.size(); ++i) {
    input.axes[i] = ((positive_ >> i) & 1u ? 1.0 : 0.0) - ((negative_ >> i) & 1u ? 1.0 : 0.0);
  }
  input.buttons = buttons_;
  return DriverStatus::Ok;
}

void KeyboardDriver::take(const SDL_Event & event, ambf_devices::StickInput & input) noexcept
{
  switch (event.type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      take_key(event.key.keysym.sym, event.type == SDL_KEYDOWN);
      break;
    case SDL_MOUSEMOTION:
      if ((event.motion.state & SDL_BUTTON_LMASK) != 0) {
        input.displacement.y() += metres_per_pixel_ * event.motion.xrel;
        input.displacement.z() -= metres_per_pixel_ * event.motion.yrel;
      }
      break;
    case SDL_MOUSEWHEEL:
      input.displacement.x() -= metres_per_pixel_ * pixels_per_notch * event.wheel.y;
      break;
    case SDL_WINDOWEVENT:
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
        positive_ = negative_ = buttons_ = 0;  // their releases go to another window
      }
      break;
    case SDL_QUIT:
      closed_ = true;
      break;
    default:
      break;
  }
}

void KeyboardDriver::take_key(int key, bool down) noexcept
{
  note(positive_, positive_keys, key, down);
  note(negative_, negative_keys, key, down);
  note(buttons_, button_keys, key, down);
}

}  // namespace ambf_device_nodes
