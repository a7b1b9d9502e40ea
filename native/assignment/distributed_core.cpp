#include "assignment/distributed_core.h"

#include <utility>

#include "assignment/sparse/augmenting_paths.h"

namespace konig {

struct SharedCore::State {
  SparseCosts<int64_t> costs() const { return {size, size, start.data(), col.data(), cost.data()}; }

  int64_t size;
  std::vector<int64_t> start;
  std::vector<int32_t> col;
  std::vector<int64_t> cost;
  SparseAugmentingPaths<int64_t, int64_t> paths;
  bool is_solved = false;
};

SharedCore::SharedCore(int64_t size)
    : state_(new State{size, std::vector<int64_t>(size_t(size) + 1), {}, {}}) {}
SharedCore::~SharedCore() = default;

void SharedCore::add(const int64_t* count, const int32_t* col, const int64_t* cost) {
  State& state = *state_;
  int64_t added = 0;
  for (int64_t i = 0; i < state.size; ++i) added += count[i];
  std::vector<int64_t> start(1, 0);
  start.reserve(size_t(state.size) + 1);
  std::vector<int32_t> cols;
  std::vector<int64_t> costs;
  cols.reserve(state.col.size() + size_t(added));
  costs.reserve(cols.capacity());
  for (int64_t i = 0; i < state.size; ++i) {
    const int64_t first = state.start[i], last = state.start[i + 1];
    cols.insert(cols.end(), state.col.begin() + first, state.col.begin() + last);
    cols.insert(cols.end(), col, col + count[i]);
    costs.insert(costs.end(), state.cost.begin() + first, state.cost.begin() + last);
    costs.insert(costs.end(), cost, cost + count[i]);
    col += count[i];
    cost += count[i];
    start.push_back(int64_t(cols.size()));
  }
  state.start = std::move(start);
  state.col = std::move(cols);
  state.cost = std::move(costs);
}

bool SharedCore::solve(const int64_t* col_dual, Run& run) {
  State& state = *state_;
  run.report(0, state.size);
  if (state.is_solved) {
    state.is_solved = state.paths.solve_again(state.costs(), run);
  } else {
    state.paths.prepare(state.costs());
    for (int64_t j = 0; j < state.size; ++j) state.paths.set_col_dual(j, col_dual[j]);
    state.is_solved = state.paths.solve_from_duals(run);
  }
  run.count("paths", state.paths.counts().paths);
  run.count("entry_scans", state.paths.counts().entry_scans);
  return state.is_solved;
}

void SharedCore::answer(int64_t* col_of_row, int64_t* row_dual, int64_t* col_dual) const {
  for (int64_t i = 0; i < state_->size; ++i) {
    col_of_row[i] = state_->paths.col_of_row(i);
    row_dual[i] = state_->paths.row_dual(i);
    col_dual[i] = state_->paths.col_dual(i);
  }
}

int64_t SharedCore::cost() const {
  int64_t total = 0;
  for (int64_t i = 0; i < state_->size; ++i)
    total += state_->paths.row_dual(i) + state_->paths.col_dual(state_->paths.col_of_row(i));
  return total;
}

const HallViolator& SharedCore::violator() const { return state_->paths.violator(); }

}  // namespace konig
