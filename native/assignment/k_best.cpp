// The ranking of assignments.
#include "assignment/k_best.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "assignment/exact/grid.h"
#include "assignment/sparse/distance_heap.h"

namespace konig {
namespace {

// ---- numbers

template <class T>
T on_grid(int64_t x, int) {
  return T(x);
}
// Rounded down to a multiple of 2^exponent.
template <class T>
T on_grid(double x, int exponent) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const int biased = int(bits >> 52) & 0x7ff;  // 0 for numbers below the least normal one
  const auto size = int64_t((bits & 0xfffffffffffff) | uint64_t(biased > 0) << 52);
  const int64_t whole = x < 0 ? -size : size;
  const int shift = std::max(biased, 1) - 1075 - exponent;
  return shift >= 0 ? T(whole) << shift : T(whole >> std::min(-shift, 63));
}

bool is_allowed(int64_t) { return true; }
bool is_allowed(double x) { return std::isfinite(x); }

void append(int128 x, std::vector<uint64_t>& words) {
  words.push_back(uint64_t(x));
  words.push_back(uint64_t(x >> 64));
}
void append(const Widest& x, std::vector<uint64_t>& words) {
  words.insert(words.end(), std::begin(x.word), std::end(x.word));
}
void read(const Numbers& from, int128& x) { x = int128(from.word[1]) << 64 | int128(from.word[0]); }
void read(const Numbers& from, Widest& x) {
  std::copy(from.word.begin(), from.word.end(), std::begin(x.word));
}

// The nearest float64 of x * 2^exponent. What is below the least normal number has no more bits than that.
double nearest(int128 x, int exponent) { return std::ldexp(double(x), exponent); }
double nearest(const Widest& x, int exponent) {
  const int dropped = std::max(x.bits() - 120, 0);
  const Widest kept = x >> dropped;
  const bool is_rounded = kept << dropped != x;  // a bit below all that decide keeps ties from being seen
  const auto high = int128(kept.word[1]) << 64 | int128(kept.word[0]);
  return nearest(is_rounded ? high | 1 : high, exponent + dropped);
}

template <class T>
Numbers as_numbers(const std::vector<T>& values) {
  Numbers made{int(sizeof(T) / 8), {}};
  made.word.reserve(values.size() * size_t(made.words));
  for (const T& value : values) append(value, made.word);
  return made;
}

// ---- costs

template <class T>
struct Entry {
  T cost;         // reduced, not negative
  int32_t other;  // its column, in a row; its row, in a column
};

// The costs, counted from duals: those of the columns are given, those of the rows the largest that fit.
template <class T, class S>
class ReducedCosts {
 public:
  ReducedCosts(RankingTask<S> task, Run& run) : task_(std::move(task)) {
    for (const S dual : task_.col_dual) col_dual_.push_back(signed_on_grid(dual));
    row_dual_.assign(size_t(task_.rows), T(0));
    for (int64_t i = 0; i < task_.rows; ++i) {
      T least = Bounds<T>::infinity;
      each_of_row(int32_t(i), [&](int32_t, const T& reduced) { least = std::min(least, reduced); });
      row_dual_[i] = least;
      run.spend(task_.cols);
    }
    is_dense() ? transpose_dense() : transpose_sparse();
  }

  template <class Visit>
  void each_of_row(int32_t row, const Visit& visit) const {
    const int64_t begin = is_dense() ? row * task_.cols : task_.start[row];
    const int64_t end = is_dense() ? begin + task_.cols : task_.start[row + 1];
    for (int64_t e = begin; e < end; ++e)
      if (is_allowed(task_.cost[e])) {
        const int32_t col = is_dense() ? int32_t(e - begin) : task_.col[e];
        visit(col, reduced(task_.cost[e], row, col));
      }
  }
  template <class Visit>
  void each_of_col(int32_t col, const Visit& visit) const {
    const int64_t count = is_dense() ? task_.rows : col_start_[col + 1] - col_start_[col];
    const int64_t begin = is_dense() ? col * task_.rows : col_start_[col];
    for (int64_t k = 0; k < count; ++k) {
      const int32_t row = is_dense() ? int32_t(k) : row_by_cols_[begin + k];
      const S cost = cost_by_cols_[begin + k];
      if (is_allowed(cost)) visit(row, reduced(cost, row, col));
    }
  }
  // Of an allowed pair.
  T of_pair(int32_t row, int32_t col) const {
    int64_t e = row * task_.cols + col;
    if (!is_dense()) {
      const auto begin = task_.col.begin() + task_.start[row], end = task_.col.begin() + task_.start[row + 1];
      e = std::lower_bound(begin, end, col) - task_.col.begin();
    }
    return reduced(task_.cost[e], row, col);
  }

  const RankingTask<S>& task() const { return task_; }
  const std::vector<T>& row_dual() const { return row_dual_; }
  const std::vector<T>& col_dual() const { return col_dual_; }

 private:
  bool is_dense() const { return task_.start.empty(); }
  T signed_on_grid(S x) const {
    const T value = on_grid<T>(x, task_.exponent);
    return task_.negate ? -value : value;
  }
  T reduced(S cost, int32_t row, int32_t col) const {
    return signed_on_grid(cost) - row_dual_[row] - col_dual_[col];
  }

  // In squares that fit the cache.
  void transpose_dense() {
    constexpr int64_t kSide = 32;
    const int64_t rows = task_.rows, cols = task_.cols;
    cost_by_cols_.resize(task_.cost.size());
    for (int64_t row = 0; row < rows; row += kSide)
      for (int64_t col = 0; col < cols; col += kSide)
        for (int64_t i = row; i < std::min(row + kSide, rows); ++i)
          for (int64_t j = col; j < std::min(col + kSide, cols); ++j)
            cost_by_cols_[j * rows + i] = task_.cost[i * cols + j];
  }

  void transpose_sparse() {
    row_by_cols_.resize(task_.col.size());
    cost_by_cols_.resize(task_.col.size());
    col_start_.assign(size_t(task_.cols) + 1, 0);
    for (const int32_t j : task_.col) ++col_start_[j + 1];
    std::partial_sum(col_start_.begin(), col_start_.end(), col_start_.begin());
    std::vector<int64_t> next = col_start_;
    for (int64_t i = 0; i < task_.rows; ++i)
      for (int64_t e = task_.start[i]; e < task_.start[i + 1]; ++e) {
        const int64_t at = next[task_.col[e]]++;
        row_by_cols_[at] = int32_t(i);
        cost_by_cols_[at] = task_.cost[e];
      }
  }

  RankingTask<S> task_;
  std::vector<T> row_dual_, col_dual_;
  std::vector<S> cost_by_cols_;
  std::vector<int64_t> col_start_;  // of sparse costs
  std::vector<int32_t> row_by_cols_;
};

// The entries of rows or columns by rising reduced cost. Few are read, so lists begin short, and grow.
template <class T>
class SortedLists {
 public:
  explicit SortedLists(int64_t count) : lists_(static_cast<size_t>(count)) {}

  // The k-th entry of a line; null if it has no more. `visit_all` visits all entries of the line.
  template <class VisitAll>
  const Entry<T>* at(int32_t line, size_t k, const VisitAll& visit_all, Run& run) {
    List& list = lists_[line];
    if (k >= list.entry.size()) {
      if (list.is_complete) return nullptr;
      grow(list, visit_all, run);
      if (k >= list.entry.size()) return nullptr;
    }
    return &list.entry[k];
  }

 private:
  static constexpr size_t kFirst = 16, kGrowth = 4;

  struct List {
    std::vector<Entry<T>> entry;
    bool is_complete = false;
  };

  static bool comes_before(const Entry<T>& a, const Entry<T>& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.other < b.other;
  }

  template <class VisitAll>
  void grow(List& list, const VisitAll& visit_all, Run& run) {
    all_.clear();
    visit_all([&](int32_t other, const T& reduced) { all_.push_back({reduced, other}); });
    const size_t wanted = std::max(kFirst, kGrowth * list.entry.size());
    list.is_complete = wanted >= all_.size();
    const auto end = all_.begin() + int64_t(std::min(wanted, all_.size()));
    if (!list.is_complete) std::nth_element(all_.begin(), end, all_.end(), comes_before);
    std::sort(all_.begin(), end, comes_before);
    list.entry.assign(all_.begin(), end);
    run.spend(int64_t(all_.size()));
  }

  std::vector<List> lists_;
  std::vector<Entry<T>> all_;
};

template <class T, class S>
class Lists {
 public:
  Lists(RankingTask<S> task, Run& run)
      : costs(std::move(task), run), rows_(costs.task().rows), cols_(costs.task().cols) {}

  const Entry<T>* in_row(int32_t row, size_t k, Run& run) {
    return rows_.at(row, k, [&](const auto& visit) { costs.each_of_row(row, visit); }, run);
  }
  const Entry<T>* in_col(int32_t col, size_t k, Run& run) {
    return cols_.at(col, k, [&](const auto& visit) { costs.each_of_col(col, visit); }, run);
  }

  const ReducedCosts<T, S> costs;

 private:
  SortedLists<T> rows_, cols_;
};

// ---- nodes

constexpr int32_t kSpareRow = -1;  // owns the columns of a rectangle that have no row
constexpr int32_t kNoRow = -2;     // owns the columns that a row is looked for, before the first assignment
constexpr int32_t kForced = -1;    // the place of a row whose pair is forced

struct Pair {
  int32_t row, col;
  auto operator<=>(const Pair&) const = default;
};

template <class T>
struct Node {
  Ranking::Place from;
  T excess = T(0);          // over the first assignment
  std::vector<T> row, col;  // duals, counted from those of the start: rows' only rise, columns' only fall
  T spare = T(0);           // the dual of columns without a row
  std::vector<int32_t> col_of_row, row_of_col;
  std::vector<Pair> forbidden;  // ascending
  std::vector<int32_t> order;   // of its children: the rows that are not forced
  std::vector<int32_t> place;   // of each row in the order
  std::vector<T> bound;         // of each child: how much more it costs at least; falling

  bool forbids(int32_t row, int32_t col) const {
    return std::binary_search(forbidden.begin(), forbidden.end(), Pair{row, col});
  }
};

// ---- searches

// Dijkstra's algorithm in a node's cell, from one row to the nearest column that has no row or loses it.
template <class T, class S>
class CellSearch {
 public:
  explicit CellSearch(Lists<T, S>& lists)
      : lists_(lists),
        spare_col_(int32_t(lists.costs.task().cols)),
        columns_(size_t(spare_col_) + 1),
        stamp_of_row_(size_t(lists.costs.task().rows), 0) {}

  // The row loses its column, if it has one, and the pairs of rows placed before `position` are forced. Paths
  // of length `within` and more do not count.
  void run(const Node<T>& node, int32_t row, int32_t position, const T& within, Run& run);
  bool has_found() const { return end_ >= 0; }
  // Of the path, or `within` if there is none.
  const T& length() const { return best_; }
  int64_t count() const { return count_; }

  // How far the duals of the node move to those of the cell that was searched: rows up, others down.
  template <class OnRow, class OnCol, class OnSpare>
  void each_move(const Node<T>& node, const OnRow& on_row, const OnCol& on_col,
                 const OnSpare& on_spare) const;
  void move_duals(Node<T>& node) const;
  // Takes the path.
  void augment(Node<T>& node) const;

  std::vector<int32_t> ownerless;  // columns that no row has, not even the spare one

 private:
  struct Column {
    T distance = T(0);
    int64_t stamp = 0;  // of the search that labelled it
    int32_t before = 0;
  };

  void relax(const Node<T>& node, int32_t row, const T& distance, Run& run);
  void relax_from_spare(const Node<T>& node, Run& run);
  bool label(const Node<T>& node, int32_t col, const T& distance, int32_t before);

  Lists<T, S>& lists_;
  const int32_t spare_col_;  // stands for all columns of the spare row
  std::vector<Column> columns_;
  std::vector<int64_t> stamp_of_row_;  // of the search, if pairs of the row are forbidden
  DistanceHeap<T> heap_;
  std::vector<int32_t> scanned_;
  int32_t root_ = -1, lost_ = -1, position_ = 0;
  int32_t end_ = -1, entry_to_spare_ = -1;
  T best_ = T(0);
  int64_t count_ = 0;  // of searches
};

template <class T, class S>
void CellSearch<T, S>::run(const Node<T>& node, int32_t row, int32_t position, const T& within, Run& run) {
  ++count_;
  heap_.clear();
  scanned_.clear();
  root_ = row;
  lost_ = node.col_of_row[row];
  position_ = position;
  end_ = -1;
  best_ = within;
  for (const Pair& pair : node.forbidden) stamp_of_row_[pair.row] = count_;
  relax(node, row, T(0), run);
  while (!heap_.empty() && heap_.top().distance < best_) {
    const auto [distance, j] = heap_.top();
    heap_.pop();
    if (columns_[j].distance != distance) continue;
    scanned_.push_back(j);
    if (j == spare_col_)
      relax_from_spare(node, run);
    else
      relax(node, node.row_of_col[j], distance, run);
  }
}

template <class T, class S>
void CellSearch<T, S>::relax(const Node<T>& node, int32_t row, const T& distance, Run& run) {
  const T base = distance - node.row[row];
  const bool has_forbidden = stamp_of_row_[row] == count_;
  size_t read = 0;
  for (const Entry<T>* entry; (entry = lists_.in_row(row, read, run)) != nullptr; ++read) {
    if (!(base + entry->cost < best_)) break;  // duals of columns only fall
    const int32_t j = entry->other, owner = node.row_of_col[j];
    if (owner >= 0 && node.place[owner] < position_) continue;  // its pair is forced
    if ((row == root_ && j == lost_) || (has_forbidden && node.forbids(row, j))) continue;
    const T through = base + entry->cost - node.col[j];
    if (owner != kSpareRow)
      label(node, j, through, row);
    else if (label(node, spare_col_, through, row))
      entry_to_spare_ = j;
  }
  run.spend(int64_t(read) + 1);
}

// The spare row may leave its column for any other: each costs it nothing.
template <class T, class S>
void CellSearch<T, S>::relax_from_spare(const Node<T>& node, Run& run) {
  const T base = columns_[spare_col_].distance + node.spare;
  const auto relax_column = [&](int32_t j) {
    label(node, j, base - lists_.costs.col_dual()[j] - node.col[j], kSpareRow);
  };
  for (size_t i = 0; i < node.col_of_row.size(); ++i)
    if (node.col_of_row[i] >= 0 && node.place[i] >= position_) relax_column(node.col_of_row[i]);
  for (const int32_t j : ownerless) relax_column(j);
  run.spend(int64_t(node.col_of_row.size()) + 1);
}

// Labels the column if this is the shortest path to it so far; returns whether it is.
template <class T, class S>
bool CellSearch<T, S>::label(const Node<T>& node, int32_t col, const T& distance, int32_t before) {
  Column& column = columns_[col];
  if (!(distance < best_) || (column.stamp == count_ && !(distance < column.distance))) return false;
  column.stamp = count_;
  column.distance = distance;
  column.before = before;
  if (col == lost_ || (col != spare_col_ && node.row_of_col[col] == kNoRow)) {
    best_ = distance;
    end_ = col;
  } else {
    heap_.push({distance, col});
  }
  return true;
}

template <class T, class S>
template <class OnRow, class OnCol, class OnSpare>
void CellSearch<T, S>::each_move(const Node<T>& node, const OnRow& on_row, const OnCol& on_col,
                                 const OnSpare& on_spare) const {
  on_row(root_, best_);
  for (const int32_t j : scanned_) {
    const T by = best_ - columns_[j].distance;
    if (j != spare_col_) {
      on_col(j, by);
      on_row(node.row_of_col[j], by);
      continue;
    }
    on_spare(by);
    for (int32_t spare = 0; spare < spare_col_; ++spare)
      if (node.row_of_col[spare] == kSpareRow) on_col(spare, by);
  }
}

template <class T, class S>
void CellSearch<T, S>::move_duals(Node<T>& node) const {
  each_move(
      node, [&](int32_t i, const T& by) { node.row[i] += by; },
      [&](int32_t j, const T& by) { node.col[j] += -by; }, [&](const T& by) { node.spare += -by; });
}

template <class T, class S>
void CellSearch<T, S>::augment(Node<T>& node) const {
  for (int32_t j = end_, row = -1; row != root_;) {
    row = columns_[j].before;
    if (row == kSpareRow) {
      node.row_of_col[j] = kSpareRow;
      j = entry_to_spare_;
      row = columns_[spare_col_].before;
    }
    node.row_of_col[j] = row;
    std::swap(node.col_of_row[row], j);
  }
}

// ---- the ranking

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
  if (task.wide) return std::make_unique<RankingOf<Widest, S>>(std::move(task), run);
  return std::make_unique<RankingOf<int128, S>>(std::move(task), run);
}

template std::unique_ptr<Ranking> make_ranking(RankingTask<int64_t>, Run&);
template std::unique_ptr<Ranking> make_ranking(RankingTask<double>, Run&);

}  // namespace konig
