// SPDX-License-Identifier: BSD-3-Clause
#include "world_pool.hpp"

namespace ambf_py
{

WorkerPool::WorkerPool(std::size_t threads)
{
  for (std::size_t i = 1; i < threads; ++i) {
    workers_.emplace_back([this](const std::stop_token & stop) { serve(stop); });
  }
}

WorkerPool::~WorkerPool()
{
  for (auto & worker : workers_) { worker.request_stop(); }
}

void WorkerPool::take_all()
{
  for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) { (*job_)(i); }
}

void WorkerPool::serve(const std::stop_token & stop)
{
  std::size_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  while (start_.wait(lock, stop, [&] { return round_ != seen; })) {
    seen = round_;
    lock.unlock();
    take_all();
    lock.lock();
    if (--busy_ == 0) { done_.notify_one(); }
  }
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)> & job)
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    job_ = &job;
    count_ = count;
    next_.store(0);
    busy_ = workers_.size();
    ++round_;
  }
  start_.notify_all();
  take_all();
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
}

}  // namespace ambf_py
