#pragma once

#include <vector>

namespace rclcpp
{
namespace experimental
{
namespace buffers
{

template<typename BufferT>
class BufferImplementationBase
{
public:
  virtual ~BufferImplementationBase() {}

  virtual BufferT dequeue() = 0;
  virtual void enqueue(BufferT request) = 0;
  virtual std::vector<BufferT> get_all_data() = 0;
  virtual void clear() = 0;
  virtual bool has_data() const = 0;
  virtual size_t available_capacity() const = 0;
};

}  // namespace buffers
}  // namespace experimental
}  // namespace rclcpp
