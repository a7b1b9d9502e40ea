// The sparse core of a problem between point sets: lists of pairs that grow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/points/queries.h"
#include "assignment/sparse/task.h"

namespace konig {

struct PointPair {
  int32_t row, col;
  double cost;
};

class PointCore {
 public:
  PointCore(int64_t rows, int64_t cols) : rows_(rows), cols_(cols), start_(size_t(rows + 1), 0) {}

  // Adds neighbours of each row, and other pairs; those that are there already are left out.
  void add(const Neighbours& found, std::vector<PointPair>& others) {
    std::sort(others.begin(), others.end(), [](const PointPair& a, const PointPair& b) {
      return a.row < b.row || (a.row == b.row && a.col < b.col);
    });
    std::vector<int64_t> start{0};
    std::vector<int32_t> col;
    std::vector<double> cost;
    const size_t room = col_.size() + others.size() + found.id.size();
    start.reserve(size_t(rows_ + 1));
    col.reserve(room);
    cost.reserve(room);
    auto other = others.begin();
    for (int64_t i = 0; i < rows_; ++i) {
      col.insert(col.end(), col_.begin() + start_[i], col_.begin() + start_[i + 1]);
      cost.insert(cost.end(), cost_.begin() + start_[i], cost_.begin() + start_[i + 1]);
      const auto join = [&](int32_t j, double of_pair) {
        if (std::find(col.begin() + start.back(), col.end(), j) != col.end()) return;
        col.push_back(j);
        cost.push_back(of_pair);
      };
      for (int64_t e = i * found.most; !found.count.empty() && e < i * found.most + found.count[i]; ++e)
        join(found.id[e], found.cost[e]);
      for (; other != others.end() && other->row == i; ++other) join(other->col, other->cost);
      start.push_back(int64_t(col.size()));
    }
    start_.swap(start);
    col_.swap(col);
    cost_.swap(cost);
  }

  SparseCosts<double> costs() const { return {rows_, cols_, start_.data(), col_.data(), cost_.data()}; }
  int64_t entries() const { return int64_t(col_.size()); }

 private:
  int64_t rows_, cols_;
  std::vector<int64_t> start_;
  std::vector<int32_t> col_;
  std::vector<double> cost_;
};

}  // namespace konig
