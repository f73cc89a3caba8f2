// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace ambf_py
{

/// Runs a job for every index below a count on a fixed set of threads; the caller works, too. Which
/// thread takes which index varies from run to run: jobs must not share data.
class WorkerPool
{
public:
  /// `threads` counts the caller; at least 1.
  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool & operator=(const WorkerPool &) = delete;

  /// Returns when all indices are done. `job` must not throw. One caller at a time.
  void run(std::size_t count, const std::function<void(std::size_t)> & job);
  std::size_t threads() const { return workers_.size() + 1; }

private:
  void serve(const std::stop_token & stop);
  void take_all();

  std::mutex mutex_;
  std::condition_variable_any start_;
  std::condition_variable done_;
  const std::function<void(std::size_t)> * job_ = nullptr;
  std::size_t count_ = 0;
  std::size_t busy_ = 0;
  std::size_t round_ = 0;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> workers_;  // last: joins before the members above go
};

}  // namespace ambf_py
