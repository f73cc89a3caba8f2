// SPDX-License-Identifier: BSD-3-Clause
#include "block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace ambf_dynamics
{
namespace
{

std::size_t u(int i) { return static_cast<std::size_t>(i); }

// Greedy minimum degree with ties by block number, so that the order is a function of the graph.
std::vector<int> minimum_degree(
  std::vector<std::set<int>> adjacent, std::vector<std::vector<int>> & fill)
{
  const int n = static_cast<int>(adjacent.size());
  std::vector<bool> done(u(n), false);
  std::vector<int> order;
  fill.assign(u(n), {});
  for (int k = 0; k < n; ++k) {
    int best = -1;
    for (int i = 0; i < n; ++i) {
      if (!done[u(i)] && (best < 0 || adjacent[u(i)].size() < adjacent[u(best)].size())) {
        best = i;
      }
    }
    done[u(best)] = true;
    order.push_back(best);
    const std::set<int> neighbours = adjacent[u(best)];
    fill[u(best)].assign(neighbours.begin(), neighbours.end());
    for (const int i : neighbours) {
      adjacent[u(i)].erase(best);
      for (const int j : neighbours) {
        if (i != j) { adjacent[u(i)].insert(j); }
      }
    }
  }
  return order;
}

}  // namespace

void BlockCholesky::analyse(
  const std::vector<int> & capacities, const std::vector<std::pair<int, int>> & edges)
{
  const int n = static_cast<int>(capacities.size());
  capacity_ = capacities;
  rows_.assign(u(n), 0);
  offset_.resize(u(n));
  size_ = 0;
  for (int i = 0; i < n; ++i) {
    offset_[u(i)] = size_;
    size_ += capacities[u(i)];
  }

  std::vector<std::set<int>> adjacent(u(n));
  for (const auto & [i, j] : edges) {
    if (i == j) { continue; }
    adjacent[u(i)].insert(j);
    adjacent[u(j)].insert(i);
  }
  std::vector<std::vector<int>> fill;
  order_ = minimum_degree(std::move(adjacent), fill);
  position_.resize(u(n));
  for (int p = 0; p < n; ++p) { position_[u(order_[u(p)])] = p; }

  std::size_t next = 0;
  diagonal_.resize(u(n));
  column_begin_.assign(1, 0);
  row_index_.clear();
  value_offset_.clear();
  for (int p = 0; p < n; ++p) {
    const int k = order_[u(p)];
    diagonal_[u(k)] = next;
    next += u(capacity_[u(k)] * capacity_[u(k)]);
    std::sort(fill[u(k)].begin(), fill[u(k)].end(), [this](int a, int b) {
      return position_[u(a)] < position_[u(b)];
    });
    for (const int i : fill[u(k)]) {
      row_index_.push_back(i);
      value_offset_.push_back(next);
      next += u(capacity_[u(i)] * capacity_[u(k)]);
    }
    column_begin_.push_back(row_index_.size());
  }
  values_.assign(next, 0.0);

  updates_.clear();
  update_begin_.assign(1, 0);
  for (int p = 0; p < n; ++p) {
    const std::size_t begin = column_begin_[u(p)];
    const std::size_t end = column_begin_[u(p) + 1];
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = begin; b <= a; ++b) {
        const int i = row_index_[a];
        const int j = row_index_[b];
        updates_.push_back({value_offset_[a], value_offset_[b], find(i, j), i, j});
      }
    }
    update_begin_.push_back(updates_.size());
  }
}

std::size_t BlockCholesky::find(int i, int j) const
{
  if (i == j) { return diagonal_[u(i)]; }
  const int p = position_[u(j)];
  for (std::size_t e = column_begin_[u(p)]; e < column_begin_[u(p) + 1]; ++e) {
    if (row_index_[e] == i) { return value_offset_[e]; }
  }
  return values_.size();
}

bool BlockCholesky::is_stored(int i, int j) const { return position_[u(i)] >= position_[u(j)]; }

void BlockCholesky::clear()
{
  for (int p = 0; p < blocks(); ++p) {
    const int k = order_[u(p)];
    const int columns = rows_[u(k)];
    std::fill_n(diagonal(k), columns * columns, 0.0);
    for (std::size_t e = column_begin_[u(p)]; e < column_begin_[u(p) + 1]; ++e) {
      std::fill_n(values_.data() + value_offset_[e], rows_[u(row_index_[e])] * columns, 0.0);
    }
  }
}

template <int M>
void BlockCholesky::factorise_column(int p, double floor)
{
  const int k = order_[u(p)];
  const int m = M > 0 ? M : rows_[u(k)];
  double * d = diagonal(k);
  // Dense Cholesky of the diagonal block, lower triangle; the inverse of the pivot is kept.
  for (int c = 0; c < m; ++c) {
    double pivot = d[c * m + c];
    const double least = floor * pivot;
    for (int t = 0; t < c; ++t) { pivot -= d[c * m + t] * d[c * m + t]; }
    if (!(pivot > least)) { pivot = least > 0.0 ? least : 1.0; }
    const double inverse = 1.0 / std::sqrt(pivot);
    d[c * m + c] = inverse;
    for (int r = c + 1; r < m; ++r) {
      double v = d[r * m + c];
      for (int t = 0; t < c; ++t) { v -= d[r * m + t] * d[c * m + t]; }
      d[r * m + c] = v * inverse;
    }
  }
  // L_ik = A_ik L_kk^-T
  for (std::size_t e = column_begin_[u(p)]; e < column_begin_[u(p) + 1]; ++e) {
    double * l = values_.data() + value_offset_[e];
    const int rows = rows_[u(row_index_[e])];
    for (int r = 0; r < rows; ++r) {
      double * row = l + r * m;
      for (int c = 0; c < m; ++c) {
        double v = row[c];
        for (int t = 0; t < c; ++t) { v -= row[t] * d[c * m + t]; }
        row[c] = v * d[c * m + c];
      }
    }
  }
  for (std::size_t e = update_begin_[u(p)]; e < update_begin_[u(p) + 1]; ++e) {
    const Update & up = updates_[e];
    const double * li = values_.data() + up.ik;
    const double * lj = values_.data() + up.jk;
    double * target = values_.data() + up.target;
    const int ri = rows_[u(up.i)];
    const int rj = rows_[u(up.j)];
    for (int r = 0; r < ri; ++r) {
      const double * a = li + r * m;
      const int end = up.i == up.j ? r + 1 : rj;  // the lower triangle of a diagonal block
      for (int c = 0; c < end; ++c) {
        const double * b = lj + c * m;
        double sum = 0.0;
        for (int t = 0; t < m; ++t) { sum += a[t] * b[t]; }
        target[r * rj + c] -= sum;
      }
    }
  }
}

template <int M>
void BlockCholesky::solve_down(int p, double * x) const
{
  const int k = order_[u(p)];
  const int m = M > 0 ? M : rows_[u(k)];
  const double * d = values_.data() + diagonal_[u(k)];
  double * xk = x + offset_[u(k)];
  for (int r = 0; r < m; ++r) {
    double v = xk[r];
    for (int t = 0; t < r; ++t) { v -= d[r * m + t] * xk[t]; }
    xk[r] = v * d[r * m + r];
  }
  for (std::size_t e = column_begin_[u(p)]; e < column_begin_[u(p) + 1]; ++e) {
    const int i = row_index_[e];
    const double * l = values_.data() + value_offset_[e];
    double * xi = x + offset_[u(i)];
    for (int r = 0; r < rows_[u(i)]; ++r) {
      double sum = 0.0;
      for (int t = 0; t < m; ++t) { sum += l[r * m + t] * xk[t]; }
      xi[r] -= sum;
    }
  }
}

template <int M>
void BlockCholesky::solve_up(int p, double * x) const
{
  const int k = order_[u(p)];
  const int m = M > 0 ? M : rows_[u(k)];
  const double * d = values_.data() + diagonal_[u(k)];
  double * xk = x + offset_[u(k)];
  for (std::size_t e = column_begin_[u(p)]; e < column_begin_[u(p) + 1]; ++e) {
    const int i = row_index_[e];
    const double * l = values_.data() + value_offset_[e];
    const double * xi = x + offset_[u(i)];
    for (int r = 0; r < rows_[u(i)]; ++r) {
      for (int t = 0; t < m; ++t) { xk[t] -= l[r * m + t] * xi[r]; }
    }
  }
  for (int r = m - 1; r >= 0; --r) {
    double v = xk[r];
    for (int t = r + 1; t < m; ++t) { v -= d[t * m + r] * xk[t]; }
    xk[r] = v * d[r * m + r];
  }
}

namespace
{

// Calls function<M>() with M = rows where that is a size that joints have, so that its loops are of fixed length.
template <class Function>
void with_size(int rows, const Function & function)
{
  switch (rows) {
    case 3:
      return function.template operator()<3>();
    case 5:
      return function.template operator()<5>();
    case 6:
      return function.template operator()<6>();
    case 7:
      return function.template operator()<7>();
    default:
      return function.template operator()<0>();
  }
}

}  // namespace

void BlockCholesky::factorise(double floor)
{
  for (int p = 0; p < blocks(); ++p) {
    with_size(rows_[u(order_[u(p)])], [&]<int M>() { factorise_column<M>(p, floor); });
  }
}

void BlockCholesky::solve(double * x) const
{
  for (int p = 0; p < blocks(); ++p) {
    with_size(rows_[u(order_[u(p)])], [&]<int M>() { solve_down<M>(p, x); });
  }
  for (int p = blocks() - 1; p >= 0; --p) {
    with_size(rows_[u(order_[u(p)])], [&]<int M>() { solve_up<M>(p, x); });
  }
}

}  // namespace ambf_dynamics
