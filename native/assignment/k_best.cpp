// The ranking of assignments.
#include "assignment/k_best.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "assignment/exact/grid.h"
#include "assignment/k_best_costs.h"
#include "assignment/k_best_search.h"

namespace konig {
namespace ranking {
namespace {

template <class T, class S>
class RankingOf final : public Ranking {
 public:
  RankingOf(RankingTask<S> task, Run& run) : lists_(std::move(task), run), search_(lists_) { make_root(run); }

  bool next(Run& run) override;
  int64_t found() const override { return int64_t(nodes_.size()); }
  Place place(int64_t node) const override { return nodes_[node].from; }
  const std::vector<int32_t>& col_of_row(int64_t node) const override { return nodes_[node].col_of_row; }
  const std::vector<int32_t>& order(int64_t node) const override { return nodes_[node].order; }
  Numbers cost(int64_t node) const override { return as_numbers<T>({first_cost_ + nodes_[node].excess}); }
  double nearest_cost(int64_t node) const override {
    const T total = first_cost_ + nodes_[node].excess;
    return nearest(lists_.costs.task().negate ? -total : total, lists_.costs.task().exponent);
  }
  Duals duals(int64_t node) const override;
  Moves child_moves(int64_t node, int64_t position, int64_t forced, const Numbers& needed, Run& run) override;
  int64_t searches() const override { return search_.count(); }

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  // A child, by its exact excess once it was searched, by a lower bound before.
  struct Waiting {
    T key;
    bool is_searched;
    Place place;
    bool operator<(const Waiting& other) const {  // the last one comes first
      if (key != other.key) return other.key < key;
      if (is_searched != other.is_searched) return other.is_searched;
      return std::tuple(place.parent, place.position) > std::tuple(other.place.parent, other.place.position);
    }
  };

  void make_root(Run& run);
  Node<T> make_child(const Place& place) const;
  void order_children(Node<T>& node, const std::vector<int32_t>& free, Run& run);
  T bound_of(const Node<T>& node, int32_t row, const T& highest, Run& run);
  T least_of_row(const Node<T>& node, int32_t row, Run& run);
  T least_of_col(const Node<T>& node, int32_t col, int32_t row, const T& highest, Run& run);
  void search_child(const Place& place, const T& below, Run& run);
  void take(Node<T> node);
  void push_child(int64_t node, int64_t position);
  void note(const T& excess);
  // What costs as much more than the first assignment need not be found.
  T limit() const { return most() >= 0 && int64_t(least_.size()) >= most() ? least_.top() : kInfinity; }
  int64_t most() const { return lists_.costs.task().most; }

  Lists<T, S> lists_;
  CellSearch<T, S> search_;
  Place searched_;  // the child that was searched last
  T first_cost_ = T(0);
  Node<T> root_;
  std::vector<Node<T>> nodes_;
  std::priority_queue<Waiting> queue_;
  std::priority_queue<T> least_;  // excesses known, the least ones, as many as will be asked for
};

// Rows whose pairs are not tight, since reals have duals that were rounded, find others first.
template <class T, class S>
void RankingOf<T, S>::make_root(Run& run) {
  const RankingTask<S>& task = lists_.costs.task();
  const auto rows = int32_t(task.rows);
  root_.row.assign(size_t(rows), T(0));
  root_.col.assign(size_t(task.cols), T(0));
  root_.col_of_row = task.col_of_row;
  root_.row_of_col.assign(size_t(task.cols), kSpareRow);
  root_.place.assign(size_t(rows), 0);
  std::vector<int32_t> untight;
  for (int32_t i = 0; i < rows; ++i) {
    int32_t& j = root_.col_of_row[i];
    const bool is_tight = lists_.costs.of_pair(i, j) == T(0);
    root_.row_of_col[j] = is_tight ? i : kNoRow;
    if (is_tight) continue;
    untight.push_back(i);
    search_.ownerless.push_back(j);
    j = -1;
  }
  for (const int32_t i : untight) {
    search_.run(root_, i, 0, kInfinity, run);
    search_.move_duals(root_);
    search_.augment(root_);
    std::erase_if(search_.ownerless, [&](int32_t j) { return root_.row_of_col[j] != kNoRow; });
  }
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t j = root_.col_of_row[i];
    first_cost_ += lists_.costs.of_pair(i, j) + lists_.costs.row_dual()[i] + lists_.costs.col_dual()[j];
  }
  std::vector<int32_t> free(static_cast<size_t>(rows));
  std::iota(free.begin(), free.end(), 0);
  order_children(root_, free, run);
  note(T(0));
}

template <class T, class S>
bool RankingOf<T, S>::next(Run& run) {
  if (nodes_.empty()) {
    take(std::move(root_));
    return true;
  }
  while (!queue_.empty()) {
    const Waiting first = queue_.top();
    if (!first.is_searched) {
      const Node<T>& parent = nodes_[first.place.parent];
      if (first.key < limit()) search_child(first.place, limit(), run);
      const bool is_new = first.key < limit() && search_.has_found();
      queue_.pop();
      push_child(first.place.parent, first.place.position - 1);
      if (!is_new) continue;
      const T excess = parent.excess + search_.length();
      queue_.push({excess, true, first.place});
      note(excess);
      continue;
    }
    if (searched_.parent != first.place.parent || searched_.position != first.place.position)
      search_child(first.place, first.key + T(1), run);
    Node<T> child = make_child(first.place);
    std::vector<int32_t> free(nodes_[first.place.parent].order.begin() + first.place.position,
                              nodes_[first.place.parent].order.end());
    order_children(child, free, run);
    queue_.pop();
    take(std::move(child));
    return true;
  }
  return false;
}

// Finds its cheapest assignment, if the excess of that is below a limit.
template <class T, class S>
void RankingOf<T, S>::search_child(const Place& place, const T& below, Run& run) {
  const Node<T>& parent = nodes_[place.parent];
  searched_ = {};
  search_.run(parent, parent.order[place.position], int32_t(place.position),
              below < kInfinity ? below - parent.excess : kInfinity, run);
  searched_ = place;
}

// The child that was searched last.
template <class T, class S>
Node<T> RankingOf<T, S>::make_child(const Place& place) const {
  const Node<T>& parent = nodes_[place.parent];
  const int32_t row = parent.order[place.position];
  Node<T> child;
  child.from = place;
  child.excess = parent.excess + search_.length();
  child.row = parent.row;
  child.col = parent.col;
  child.spare = parent.spare;
  child.col_of_row = parent.col_of_row;
  child.row_of_col = parent.row_of_col;
  for (const Pair& pair : parent.forbidden)
    if (parent.place[pair.row] >= place.position) child.forbidden.push_back(pair);
  const Pair lost{row, parent.col_of_row[row]};
  child.forbidden.insert(std::upper_bound(child.forbidden.begin(), child.forbidden.end(), lost), lost);
  search_.move_duals(child);
  search_.augment(child);
  return child;
}

template <class T, class S>
void RankingOf<T, S>::order_children(Node<T>& node, const std::vector<int32_t>& free, Run& run) {
  node.place.assign(node.col_of_row.size(), kForced);
  for (const int32_t i : free) node.place[i] = 0;
  std::vector<T> bound(node.place.size(), T(0));
  T highest = T(0);
  for (const int32_t i : free) highest = std::max(highest, node.row[i]);
  for (const int32_t i : free) bound[i] = bound_of(node, i, highest, run);
  node.order = free;
  std::sort(node.order.begin(), node.order.end(),
            [&](int32_t a, int32_t b) { return bound[a] != bound[b] ? bound[b] < bound[a] : a < b; });
  for (size_t k = 0; k < node.order.size(); ++k) {
    node.place[node.order[k]] = int32_t(k);
    node.bound.push_back(bound[node.order[k]]);
  }
}

// If a row loses its column it must take another one, and another row or none must take the column: two
// entries of the path at least.
template <class T, class S>
T RankingOf<T, S>::bound_of(const Node<T>& node, int32_t row, const T& highest, Run& run) {
  const T of_row = least_of_row(node, row, run);
  if (!(of_row < kInfinity)) return kInfinity;
  const T of_col = least_of_col(node, node.col_of_row[row], row, highest, run);
  return of_col < kInfinity ? of_row + of_col : kInfinity;
}

// The least slack of a row's other columns.
template <class T, class S>
T RankingOf<T, S>::least_of_row(const Node<T>& node, int32_t row, Run& run) {
  T least = kInfinity;
  size_t read = 0;
  for (const Entry<T>* entry; (entry = lists_.in_row(row, read, run)) != nullptr; ++read) {
    const T most = entry->cost - node.row[row];
    if (!(most < least)) break;
    const int32_t j = entry->other, owner = node.row_of_col[j];
    if (owner == row || (owner >= 0 && node.place[owner] == kForced)) continue;
    const T slack = most - node.col[j];
    if (slack < least && !node.forbids(row, j)) least = slack;
  }
  run.spend(int64_t(read) + 1);
  return least;
}

// The least slack of a column's other rows, of which no dual has risen by more than `highest`.
template <class T, class S>
T RankingOf<T, S>::least_of_col(const Node<T>& node, int32_t col, int32_t row, const T& highest, Run& run) {
  const bool is_square = lists_.costs.task().rows == lists_.costs.task().cols;
  T least = is_square ? kInfinity : node.spare - lists_.costs.col_dual()[col] - node.col[col];
  size_t read = 0;
  for (const Entry<T>* entry; (entry = lists_.in_col(col, read, run)) != nullptr; ++read) {
    const T most = entry->cost - node.col[col];
    if (!(most - highest < least)) break;
    const int32_t i = entry->other;
    if (i == row || node.place[i] == kForced) continue;
    const T slack = most - node.row[i];
    if (slack < least && !node.forbids(i, col)) least = slack;
  }
  run.spend(int64_t(read) + 1);
  return least;
}

template <class T, class S>
void RankingOf<T, S>::take(Node<T> node) {
  nodes_.push_back(std::move(node));
  push_child(int64_t(nodes_.size()) - 1, int64_t(nodes_.back().order.size()) - 1);
}

template <class T, class S>
void RankingOf<T, S>::push_child(int64_t node, int64_t position) {
  if (position < 0) return;
  const T& bound = nodes_[node].bound[position];
  if (!(bound < kInfinity)) return;
  const T key = nodes_[node].excess + bound;
  if (key < limit()) queue_.push({key, false, {node, position}});
}

template <class T, class S>
void RankingOf<T, S>::note(const T& excess) {
  if (most() < 0) return;
  least_.push(excess);
  if (int64_t(least_.size()) > most()) least_.pop();
}

template <class T, class S>
Ranking::Duals RankingOf<T, S>::duals(int64_t node) const {
  std::vector<T> row = lists_.costs.row_dual(), col = lists_.costs.col_dual();
  for (size_t i = 0; i < row.size(); ++i) row[i] += nodes_[node].row[i];
  for (size_t j = 0; j < col.size(); ++j) col[j] += nodes_[node].col[j];
  return {as_numbers(row), as_numbers(col), as_numbers<T>({nodes_[node].spare})};
}

template <class T, class S>
Ranking::Moves RankingOf<T, S>::child_moves(int64_t node, int64_t position, int64_t forced,
                                            const Numbers& needed, Run& run) {
  const Node<T>& parent = nodes_[node];
  T within;
  read(needed, within);
  searched_ = {};
  search_.run(parent, parent.order[position], int32_t(forced), within, run);
  Moves moves;
  std::vector<T> of_row, of_col, of_spare(1, T(0));
  search_.each_move(
      parent,
      [&](int32_t i, const T& by) {
        moves.row.push_back(i);
        of_row.push_back(by);
      },
      [&](int32_t j, const T& by) {
        moves.col.push_back(j);
        of_col.push_back(by);
      },
      [&](const T& by) { of_spare[0] = by; });
  moves.of_row = as_numbers(of_row);
  moves.of_col = as_numbers(of_col);
  moves.of_spare = as_numbers(of_spare);
  return moves;
}

}  // namespace
}  // namespace ranking

UnitOfReals unit_of(const double* numbers, int64_t count) {
  int lowest = 1 << 20, highest = -(1 << 20);
  for (int64_t k = 0; k < count; ++k) {
    const auto bits = std::bit_cast<uint64_t>(numbers[k]);
    const int biased = int(bits >> 52) & 0x7ff;
    const uint64_t mantissa = (bits & 0xfffffffffffff) | uint64_t(biased > 0) << 52;
    if (mantissa == 0 || biased == 0x7ff) continue;
    const int unit = std::max(biased, 1) - 1075;
    lowest = std::min(lowest, unit + std::countr_zero(mantissa));
    highest = std::max(highest, unit + int(std::bit_width(mantissa)));
  }
  return highest < lowest ? UnitOfReals{} : UnitOfReals{lowest, highest - lowest};
}

template <class S>
std::unique_ptr<Ranking> make_ranking(RankingTask<S> task, Run& run) {
  if (task.wide) return std::make_unique<ranking::RankingOf<Widest, S>>(std::move(task), run);
  return std::make_unique<ranking::RankingOf<int128, S>>(std::move(task), run);
}

template std::unique_ptr<Ranking> make_ranking(RankingTask<int64_t>, Run&);
template std::unique_ptr<Ranking> make_ranking(RankingTask<double>, Run&);

}  // namespace konig
