#include "assignment/distributed_core.h"

#include <utility>

namespace konig {

void SharedCore::add(const int64_t* count, const int32_t* col, const int64_t* cost) {
  int64_t added = 0;
  for (int64_t i = 0; i < size_; ++i) added += count[i];
  std::vector<int64_t> start(1, 0);
  start.reserve(size_t(size_) + 1);
  std::vector<int32_t> cols;
  std::vector<int64_t> costs;
  cols.reserve(col_.size() + size_t(added));
  costs.reserve(cols.capacity());
  for (int64_t i = 0; i < size_; ++i) {
    const int64_t first = start_[i], last = start_[i + 1];
    cols.insert(cols.end(), col_.begin() + first, col_.begin() + last);
    cols.insert(cols.end(), col, col + count[i]);
    costs.insert(costs.end(), cost_.begin() + first, cost_.begin() + last);
    costs.insert(costs.end(), cost, cost + count[i]);
    col += count[i];
    cost += count[i];
    start.push_back(int64_t(cols.size()));
  }
  start_ = std::move(start);
  col_ = std::move(cols);
  cost_ = std::move(costs);
}

bool SharedCore::solve(const int64_t* col_dual, Run& run) {
  run.report(0, size_);
  if (is_solved_) {
    is_solved_ = paths_.solve_again(costs(), run);
  } else {
    paths_.prepare(costs());
    for (int64_t j = 0; j < size_; ++j) paths_.set_col_dual(j, col_dual[j]);
    is_solved_ = paths_.solve_from_duals(run);
  }
  run.count("paths", paths_.counts().paths);
  run.count("entry_scans", paths_.counts().entry_scans);
  return is_solved_;
}

int64_t SharedCore::answer(int64_t* col_of_row, int64_t* row_dual, int64_t* col_dual) {
  int64_t total = 0;
  for (int64_t i = 0; i < size_; ++i) {
    col_of_row[i] = paths_.col_of_row(i);
    row_dual[i] = paths_.row_dual(i);
    col_dual[i] = paths_.col_dual(i);
    total += row_dual[i] + paths_.col_dual(paths_.col_of_row(i));
  }
  return total;
}

}  // namespace konig
