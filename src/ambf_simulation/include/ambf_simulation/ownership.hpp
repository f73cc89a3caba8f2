// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ambf_simulation
{

/// The token of the world: whoever holds it is the one owner. First come, first served, so that a
/// physics thread that takes it for every cycle cannot starve a service that waits for it.
class Ownership
{
public:
  class Token
  {
  public:
    explicit Token(Ownership & ownership) : ownership_(&ownership) { ownership_->lock(); }
    Token(const Token &) = delete;
    Token & operator=(const Token &) = delete;
    ~Token() { ownership_->unlock(); }

  private:
    Ownership * ownership_;
  };

private:
  void lock()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::uint64_t mine = next_ticket_++;
    turn_.wait(lock, [&] { return mine == serving_; });
  }

  void unlock()
  {
    bool others = false;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++serving_;
      others = serving_ != next_ticket_;
    }
    if (others) { turn_.notify_all(); }
  }

  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ticket_ = 0;
  std::uint64_t serving_ = 0;
};

}  // namespace ambf_simulation
