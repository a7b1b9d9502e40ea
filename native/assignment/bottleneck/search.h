// The search for a bottleneck, over dense and sparse costs alike.
//
// A threshold is feasible if the entries that cost no more have a matching of the size asked for. The search
// keeps a matching of the largest threshold known to be infeasible, which every later one grows from by
// augmenting paths, and an assignment of the smallest one known to be feasible. Costs between them are the
// candidates; about half of them go with each test. Costs are compared and never added: answers are exact.
//
// References: R. Burkard, M. Dell'Amico and S. Martello, Assignment Problems (2009), section 6.2 (threshold
// algorithms); D. Konig (1931) for the covers that prove a threshold infeasible.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assignment/bottleneck/task.h"

namespace konig::bottleneck {

// Costs as they are minimised: reversed to maximise, without rounding or overflow.
template <class S, bool kMaximize>
S key_of(S cost) {
  if constexpr (!kMaximize) return cost;
  if constexpr (std::is_integral_v<S>) return S(~cost);
  return -cost;
}

template <class S>
constexpr S kLeast = std::is_integral_v<S> ? std::numeric_limits<S>::min() : -std::numeric_limits<S>::max();
template <class S>
constexpr S kGreatest = std::numeric_limits<S>::max();  // what is greater is forbidden

// The candidates' keys: from <= key <= to, both finite.
template <class S>
struct Interval {
  S from = kLeast<S>, to = kGreatest<S>;
  bool empty = false;

  bool has(S key) const { return from <= key && key <= to; }
  void move_above(S key) {
    empty |= key >= to;
    if (empty) return;
    if constexpr (std::is_integral_v<S>)
      from = key + 1;
    else
      from = std::nextafter(key, to);
  }
  void move_below(S key) {
    empty |= key <= from;
    if (empty) return;
    if constexpr (std::is_integral_v<S>)
      to = key - 1;
    else
      to = std::nextafter(key, from);
  }
};

struct Pairs {
  std::vector<int32_t> col_of_row, row_of_col;
  int64_t size = 0;

  Pairs(int64_t rows, int64_t cols) : col_of_row(size_t(rows), -1), row_of_col(size_t(cols), -1) {}
};

// Masks of rows and columns that meet every entry at or below a threshold, as many as its matching has pairs.
struct Cover {
  std::vector<uint8_t> rows, cols;
};

// The smallest keys of rows and of columns; beyond kGreatest where nothing is allowed.
template <class S>
struct Minima {
  std::vector<S> of_row, of_col;
  bool bad = false;  // a cost is NaN, or infinite on the wrong side
};

// Graph is the entries up to a threshold:
//   minima()       of all costs;
//   test(key, target)  grows the kept matching as far as the entries up to `key` allow; `key` is in the
//   interval;
//                  tested() is the matching, cover() the cover that proves it maximum if it has fewer pairs
//                  than the target;
//   keep()         makes that matching the kept one: later keys will be larger;
//   pick(interval, key)  a candidate near the middle; false where none is left.
template <class S, class Graph>
class Search {
 public:
  Search(Graph& graph, int64_t rows, int64_t cols, bool full, Run& run)
      : graph_(graph), rows_(rows), cols_(cols), full_(full), run_(run), target_(std::min(rows, cols)) {}

  BottleneckAnswer solve() {
    const Minima<S> minima = graph_.minima();
    answer_.bad_costs = minima.bad;
    if (minima.bad) return std::move(answer_);
    if (!full_) find_size();
    answer_.col_of_row.assign(size_t(rows_), -1);
    if (target_ == std::min(rows_, cols_) && target_ > 0) test_minima(minima);
    S key;
    while (!interval_.empty && target_ > 0 && graph_.pick(interval_, key)) test(key);
    answer_.feasible |= target_ == 0;
    if (answer_.row_cover.empty()) cover_none();
    run_.count("thresholds", tests_);
    return std::move(answer_);
  }

 private:
  // How many pairs the largest assignments have.
  void find_size() {
    target_ = test_size(interval_.to);
    if (target_ == std::min(rows_, cols_)) return;
    Cover cover = graph_.cover();
    answer_.all_row_cover = std::move(cover.rows);
    answer_.all_col_cover = std::move(cover.cols);
  }

  int64_t test_size(S key) {
    ++tests_;
    graph_.test(key, target_);
    run_.report(graph_.tested().size, target_);
    return graph_.tested().size;
  }

  // Where all of a side are assigned, the dearest of their cheapest entries is a lower bound, and more often
  // than not the bottleneck. All lines of that side but the one that it is from prove it.
  void test_minima(const Minima<S>& minima) {
    const bool by_rows = rows_ <= cols_, by_cols = cols_ <= rows_;
    const auto row = std::max_element(minima.of_row.begin(), minima.of_row.end());
    const auto col = std::max_element(minima.of_col.begin(), minima.of_col.end());
    const bool from_row = by_rows && (!by_cols || *row >= *col);
    const S bound = std::min(from_row ? *row : *col, interval_.to);
    test(bound);
    if (!answer_.feasible) return;
    interval_.empty = true;
    cover_none();
    auto& lines = from_row ? answer_.row_cover : answer_.col_cover;
    std::fill(lines.begin(), lines.end(), uint8_t(1));
    lines[from_row ? row - minima.of_row.begin() : col - minima.of_col.begin()] = 0;
  }

  void test(S key) {
    if (test_size(key) == target_) {
      answer_.feasible = true;
      answer_.size = target_;
      answer_.col_of_row = graph_.tested().col_of_row;
      interval_.move_below(key);
      return;
    }
    Cover cover = graph_.cover();
    answer_.row_cover = std::move(cover.rows);
    answer_.col_cover = std::move(cover.cols);
    graph_.keep();
    interval_.move_above(key);
  }

  void cover_none() {
    answer_.row_cover.assign(size_t(rows_), 0);
    answer_.col_cover.assign(size_t(cols_), 0);
  }

  Graph& graph_;
  const int64_t rows_, cols_;
  const bool full_;
  Run& run_;
  int64_t target_;
  int64_t tests_ = 0;
  Interval<S> interval_;
  BottleneckAnswer answer_;
};

// Graph<S, maximize> is made of the costs, the threads and the run.
template <class S, template <class, bool> class Graph, class Costs>
BottleneckAnswer solve_in(const Costs& costs, const BottleneckOptions& options, Run& run) {
  const auto solve = [&]<bool kMaximize>(std::bool_constant<kMaximize>) {
    Graph<S, kMaximize> graph(costs, options.threads, run);
    return Search<S, Graph<S, kMaximize>>(graph, costs.rows, costs.cols, options.full, run).solve();
  };
  return options.maximize ? solve(std::true_type()) : solve(std::false_type());
}

}  // namespace konig::bottleneck
