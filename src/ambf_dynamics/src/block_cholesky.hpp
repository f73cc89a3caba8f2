// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace ambf_dynamics
{

/// Cholesky factorisation K = L L^T of a symmetric positive definite matrix made of small dense
/// blocks with a fixed sparsity pattern. The order of elimination (minimum degree) and the fill are
/// found once by `analyse`; after that nothing allocates. For joint graphs the cost is linear in the
/// length of chains and cubic only in the size of loops.
class BlockCholesky
{
public:
  /// `capacities[i]` is the largest number of rows of block i; `edges` the pairs of blocks that
  /// couple.
  void analyse(const std::vector<int> & capacities, const std::vector<std::pair<int, int>> & edges);

  int blocks() const { return static_cast<int>(capacity_.size()); }
  /// Rows of block i in this factorisation, at most its capacity. Set them before anything else.
  void set_rows(int block, int rows) { rows_[static_cast<std::size_t>(block)] = rows; }
  int rows(int block) const { return rows_[static_cast<std::size_t>(block)]; }
  /// Zeroes all blocks, fill included.
  void clear();
  /// Block (i, j), row-major with `rows(j)` doubles per row; i == j, or a coupled pair in the one
  /// order of the two that `is_stored`. The address stays until the next `analyse`.
  double * block(int i, int j) { return values_.data() + find(i, j); }
  bool is_stored(int i, int j) const;

  /// Pivots below `floor` times the original diagonal are raised to it, so redundant rows do no harm.
  void factorise(double floor = 1e-12);
  /// x <- K^-1 x; x has a segment of capacity(i) for block i at offset(i).
  void solve(double * x) const;
  int offset(int block) const { return offset_[static_cast<std::size_t>(block)]; }
  int size() const { return size_; }
  std::size_t stored_blocks() const
  {
    return column_begin_.empty() ? 0 : row_index_.size() + capacity_.size();
  }

private:
  struct Update  // block (i, j) -= L_ik L_jk^T
  {
    std::size_t ik;
    std::size_t jk;
    std::size_t target;
    int i;
    int j;
  };
  std::size_t find(int i, int j) const;
  /// Of one column; M is the number of its rows, 0 if only known at run time.
  template <int M>
  void factorise_column(int position, double floor);
  template <int M>
  void solve_down(int position, double * x) const;
  template <int M>
  void solve_up(int position, double * x) const;
  double * diagonal(int k) { return values_.data() + diagonal_[static_cast<std::size_t>(k)]; }

  int size_ = 0;
  std::vector<int> capacity_;
  std::vector<int> rows_;
  std::vector<int> offset_;
  std::vector<int> order_;                 // elimination order: position -> block
  std::vector<int> position_;              // block -> position
  std::vector<std::size_t> diagonal_;      // value offset of the diagonal block
  std::vector<std::size_t> column_begin_;  // per position, into row_index_/value_offset_
  std::vector<int> row_index_;             // block i of L_ik, ascending position
  std::vector<std::size_t> value_offset_;
  std::vector<std::size_t> update_begin_;  // per position, into updates_
  std::vector<Update> updates_;
  std::vector<double> values_;
};

}  // namespace ambf_dynamics
