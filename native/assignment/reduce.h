// The reductions of Jonker and Volgenant on dense costs: of columns, their transfer, and of rows; and the
// assignment of rows to columns that duals make tight.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987). Deviations:
// - Column reduction and transfer are for squares only: on a rectangle they would give duals to columns that
//   stay free.
// - Where column reduction leaves few rows free, nothing is transferred: that would scan most rows.
// - Where few rows have the minima of all columns, rows begin with theirs, and columns follow.
// - Where rows have theirs in far fewer columns, or where columns are dummies, the transpose is to be solved.
// - A column whose minimum is in a row that another column has takes a free row that costs as little.
// Those of augmenting row reduction are in row_reductions.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/free_lines.h"
#include "assignment/line_minima.h"
#include "assignment/row_reductions.h"
#include "assignment/state.h"

namespace konig {

template <class S, class T>
class DenseReductions {
 public:
  using State = DenseState<S, T>;
  explicit DenseReductions(State& state) : state_(state) {}

  // Before each problem. `may_transpose`: these may end early where the transpose is easier.
  void reset(bool may_transpose) {
    may_transpose_ = may_transpose;
    started_by_columns_ = started_by_rows_ = rows_start_better_ = should_transpose_ = false;
  }

  // For squares; `known` are the minima of the columns, or null. False if a column is forbidden to all rows.
  // Where few rows have the minima of all columns, rows start from theirs.
  bool reduce_columns(const LineMinima<S>* known, Run& run) {
    LineMinima<S> found;
    if (!known) found.find_of_columns(state_.costs, state_.rows, state_.cols, run);
    const LineMinima<S>& minima = known ? *known : found;
    state_.counts.row_scans += state_.rows;
    claims_.assign(size_t(state_.rows), 0);
    bool all_allowed = true;
    for (int64_t j = 0; j < state_.cols; ++j) {
      state_.col_dual[j] = T(minima.least[j]);
      all_allowed &= T(minima.least[j]) < kInfinity;
    }
    if (!all_allowed) return refuse_column(minima);
    // Without a branch: which columns are contested cannot be predicted.
    contested_.resize(size_t(state_.cols));
    int64_t contested = 0;
    for (int64_t j = state_.cols; j-- > 0;) {
      const int32_t i = minima.place[j];
      const bool is_first = claims_[i]++ == 0;
      state_.col_of_row[i] = is_first ? int32_t(j) : state_.col_of_row[i];
      state_.row_of_col[j] = is_first ? i : -1;
      contested_[contested] = int32_t(j);
      contested += !is_first;
    }
    contested_.resize(size_t(contested));
    started_by_columns_ = true;
    by_columns_ = state_.cols - int64_t(contested_.size());
    if (may_transpose_ && state_.rows >= kRowsToTurn && has_dummy_columns(minima)) {
      row_minima_.find_of_rows(state_.costs, state_.rows, state_.cols, 1, run);
      state_.counts.row_scans += state_.rows;
      should_transpose_ = true;
      return true;
    }
    assign_tied_rows(minima);
    if (state_.rows >= kManyRows) choose_side(run);
    return true;
  }

  // For rectangles: column duals are 0, and each row takes the column with its smallest cost, if that is
  // free.
  void assign_by_row_minima(const LineMinima<S>& minima) {
    state_.counts.row_scans += state_.rows;
    for (int64_t i = 0; i < state_.rows; ++i) {
      const int32_t j = minima.place[i];
      if (T(minima.least[i]) < kInfinity && state_.row_of_col[j] < 0) state_.assign(int32_t(i), j);
    }
  }

  // After reduce_columns: a row that is the minimum of a single column lowers that column's dual by its
  // distance to the row's second best. Of rows that are scanned together none sees what the others lower:
  // that raises their second best, so each lowers its dual by less than it might.
  void transfer_reductions(Run& run) {
    if (should_transpose_) return;
    if (2 * unclaimed() < std::count(claims_.begin(), claims_.end(), 1)) return;
    int32_t together[kRowsTogether];
    int64_t count = 0;
    const auto transfer = [&] {
      BestColumn<T> best[kRowsTogether];
      state_.best_columns(together, count, best, run);
      for (int64_t k = 0; k < count; ++k) {
        if (!(best[k].second < kInfinity && best[k].second > best[k].first)) continue;
        T& dual = state_.col_dual[state_.col_of_row[together[k]]];
        dual = checked(dual - (best[k].second - best[k].first));
      }
      count = 0;
    };
    for (int64_t i = 0; i < state_.rows; ++i) {
      if (claims_[i] != 1) continue;
      together[count++] = int32_t(i);
      if (count == kRowsTogether) transfer();
    }
    if (count > 0) transfer();
  }

  // Whether rows want so few columns that the transpose is to be solved: columns of different units, dummy
  // columns, preferences that rows share. 72 such draws of these families took 0.36 of the time as a mean.
  bool should_transpose() const { return should_transpose_; }
  // The same by a sample, an eighth of the rows: before reductions of rows, where they may not be worth it.
  void compare_sample(Run& run) {
    if (!may_transpose_ || started_by_rows_ || should_transpose_) return;
    const int64_t sampled = state_.rows / 8;
    row_minima_.find_of_rows(state_.costs, sampled, state_.cols, 1, run);
    state_.counts.row_scans += sampled;
    // Of uniform costs one in sixteen.
    if (10 * row_minima_.contested(state_.cols) <= sampled) return;
    compare_sides(run);
    // Where columns crowd less, as by preferences that rows hardly share, a core takes half the time.
    should_transpose_ = should_transpose_ && 4 * by_columns_ > 7 * by_rows_;
  }
  // Of the columns of the transpose, where that is to be solved.
  LineMinima<S>& row_minima() { return row_minima_; }
  // Whether rows start by themselves, and the minima of most of them are in few columns: so are their other
  // small costs.
  bool rows_want_few_columns() const { return started_by_rows_ && kRowsToAColumn * by_rows_ < state_.rows; }
  // Whether the minima of rows assign a tenth more rows than those of columns.
  bool rows_start_better() const { return rows_start_better_; }

  // Of kernels and heavy tails columns leave as few rows as of uniform costs, and yet all paths are long then
  // (10 to 22 scans a row, and 4 to 7 by rows). That is clear after one step a row: the free rows want the
  // same columns where nearly all of their costs are about the same (kernels, dummy rows, gains of heavy
  // tails), so that the column with the greatest dual is the best for each. Then rows start by themselves.
  void reduce_rows(Run& run) {
    if (should_transpose_ || !row_reductions_.sweep(may_start_by_rows(), run)) return;
    compare_sides(run);
    if (should_transpose_) return;
    start_by_row_minima(run);
    row_reductions_.sweep(false, run);
  }

  // By the column duals of the state.
  void assign_tight_rows(Run& run) {
    for (int64_t i = 0; i < state_.rows; ++i) {
      const int32_t j = state_.best_column(i, run).col;
      if (j >= 0 && state_.row_of_col[j] < 0) state_.assign(int32_t(i), j);
    }
    if (!state_.is_square()) release_free_columns(run);
  }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr int64_t kManyRows = 16;       // with fewer, paths are found sooner than another start
  static constexpr int64_t kRowsToTurn = 64;     // with fewer, dummy columns take little time
  static constexpr int64_t kRowsToAColumn = 16;  // in few columns: so many rows have their minima in one

  // Whether one column in eight is a dummy, of one cost, but not nearly all are, and no row is. As rows of
  // the transpose dummies take columns that are left; as columns they tie in each search. 60 squares padded
  // with 6 to 80 % of them take half of the time. The first minimum of a dummy is in the first row.
  bool has_dummy_columns(const LineMinima<S>& minima) const {
    constexpr int64_t kOneIn = 8, kCompared = 4;
    if (kOneIn * claims_[0] < state_.cols) return false;
    const auto is_constant = [&](int64_t j, int64_t step) {
      for (int64_t i = 0; i < state_.rows; i += step)
        if (state_.costs[i * state_.cols + j] != minima.least[j]) return false;
      return true;
    };
    const int64_t step = state_.rows / kCompared;
    int64_t candidates = 0;
    for (int64_t j = 0; j < state_.cols; ++j) candidates += minima.place[j] == 0 && is_constant(j, step);
    if (kOneIn * std::min(candidates, state_.cols - candidates) < state_.cols) return false;
    for (int64_t j = 0, k = 0; k < kCompared; ++j)
      if (minima.place[j] == 0 && is_constant(j, step)) {
        if (!is_constant(j, 1)) return false;
        ++k;
      }
    for (int64_t i = 0; i < state_.rows; i += step) {
      const S* const row = state_.costs.data + i * state_.cols;
      if (std::equal(row + 1, row + state_.cols, row)) return false;
    }
    return true;
  }

  // Rows that are the minimum of no column.
  int64_t unclaimed() const { return std::count(claims_.begin(), claims_.end(), 0); }

  bool may_start_by_rows() const {
    return started_by_columns_ && !started_by_rows_ && state_.rows >= kManyRows;
  }

  // A column whose minimum is in a row that another column has takes a free row that costs as little. Where
  // the first probes find none, costs do not tie, and it is given up; so it is where half of the columns find
  // none. One column may: where a tenth of each ties, one in thirty finds nothing among 32 rows.
  void assign_tied_rows(const LineMinima<S>& minima) {
    if (contested_.empty()) return;
    free_.collect(state_.rows, [&](int64_t i) { return claims_[i] == 0; });
    constexpr int64_t kProbes = FreeLines::kProbes;
    int64_t probes = std::clamp(state_.rows / 2, kProbes, 4 * kProbes);
    for (const int32_t j : contested_) {
      if (probes <= 0) return;
      const auto [row, missed] = free_.take_among(std::min(probes, kProbes), [&](int32_t i) {
        return state_.costs[i * state_.cols + j] == minima.least[j];
      });
      probes -= missed;
      if (row < 0) continue;
      --claims_[minima.place[j]];
      ++claims_[row];
      state_.assign(row, j);
      probes += kProbes;
    }
  }

  bool refuse_column(const LineMinima<S>& minima) {
    state_.violator.rows.assign(size_t(state_.rows), 0);
    state_.violator.cols.assign(size_t(state_.cols), 0);
    const auto is_forbidden = [](S least) { return T(least) >= kInfinity; };
    const auto forbidden = std::find_if(minima.least.begin(), minima.least.end(), is_forbidden);
    state_.violator.cols[forbidden - minima.least.begin()] = 1;
    return false;
  }

  // After the minima of columns: whether rows start by themselves, or the transpose is to be solved.
  void choose_side(Run& run) {
    // Of uniform costs 0.37 of the rows are no column's minimum, and of few columns now and then 0.45.
    const int64_t tenths = state_.is_narrow() ? 5 : 4;
    if (10 * unclaimed() <= tenths * state_.rows) return;
    compare_sides(run);
    if (!should_transpose_) start_by_row_minima(run);
  }

  // Whether many rows have the minima of the columns. Of few columns fewer do by chance.
  bool columns_are_spread() const { return (state_.is_narrow() ? 2 : 4) * by_columns_ > state_.rows; }

  // Finds the minima of rows, and whether to transpose: where they are in far fewer columns than those of
  // columns are in rows, reductions of rows and paths from them are long, and those of the transpose short.
  void compare_sides(Run& run) {
    row_minima_.find_of_rows(state_.costs, state_.rows, state_.cols, 1, run);
    state_.counts.row_scans += state_.rows;
    by_rows_ = state_.rows - row_minima_.contested(state_.cols);
    should_transpose_ = may_transpose_ && columns_are_spread() && 2 * by_columns_ > 3 * by_rows_;
  }

  // In place of column reduction. Rows take columns of their smallest costs, with column duals of 0; if that
  // leaves many free, columns are reduced by what is left of the costs, as Kuhn and Munkres begin. Where
  // column minima are in few rows (rows of different units or offsets, dummy rows), or nearly all costs are
  // the same (kernels, gates), that leaves far fewer rows, and these paths far shorter: 0.05 to 0.5 of the
  // row scans.
  void start_by_row_minima(Run& run) {
    const int64_t by_columns = state_.rows - unclaimed();
    const LineMinima<S>& minima = row_minima_;
    for (int64_t i = 0; i < state_.rows; ++i)
      if (!(T(minima.least[i]) < kInfinity)) return;  // the search says why it is infeasible
    state_.unassign_all();
    std::fill_n(state_.col_dual.begin(), state_.cols, T(0));
    const int64_t by_rows = assign_minima(minima);
    rows_start_better_ = 10 * by_rows >= 11 * by_columns;
    if (state_.rows - by_rows > state_.rows / 8) {
      state_.unassign_all();
      reduce_columns_below(minima, run);
    }
    claims_.assign(size_t(state_.rows), 2);  // nothing to transfer
    started_by_rows_ = true;
  }

  // Assigns rows to columns of their smallest costs, and rows that are left to one of a few free columns if
  // it costs as little; returns how many.
  int64_t assign_minima(const LineMinima<S>& minima) {
    contested_.clear();
    for (int64_t i = 0; i < state_.rows; ++i) {
      if (state_.row_of_col[minima.place[i]] >= 0)
        contested_.push_back(int32_t(i));
      else
        state_.assign(int32_t(i), minima.place[i]);
    }
    int64_t assigned = state_.rows - int64_t(contested_.size());
    free_.collect(state_.cols, [&](int64_t j) { return state_.row_of_col[j] < 0; });
    for (const int32_t i : contested_) {
      const int32_t col =
          free_.take([&](int32_t j) { return state_.costs[i * state_.cols + j] == minima.least[i]; });
      if (col < 0) continue;
      state_.assign(i, col);
      ++assigned;
    }
    return assigned;
  }

  // Column duals are the smallest of cost - row minimum. Columns take the rows where these are, and rows that
  // are left the columns of their smallest costs, whose duals are 0.
  void reduce_columns_below(const LineMinima<S>& minima, Run& run) {
    row_of_least_.resize(size_t(state_.cols));
    state_.scans->column_least_below(state_.costs.data, minima.least.data(), state_.rows, state_.cols,
                                     state_.col_dual.data(), row_of_least_.data());
    state_.counts.row_scans += state_.rows;
    run.spend(state_.rows * (state_.cols / 4 + 1));
    for (int64_t j = 0; j < state_.cols; ++j)
      if (state_.col_of_row[row_of_least_[j]] < 0) state_.assign(row_of_least_[j], int32_t(j));
    for (int64_t i = 0; i < state_.rows; ++i)
      if (state_.col_of_row[i] < 0 && state_.row_of_col[minima.place[i]] < 0)
        state_.assign(int32_t(i), minima.place[i]);
    assign_tied_below(minima);
  }

  // Columns without a row take free rows that are as little above their minima: where costs are sums of parts
  // of rows and columns all are.
  void assign_tied_below(const LineMinima<S>& minima) {
    free_.collect(state_.rows, [&](int64_t i) { return state_.col_of_row[i] < 0; });
    for (int64_t j = 0; j < state_.cols; ++j) {
      if (state_.row_of_col[j] >= 0) continue;
      const int32_t row = free_.take([&](int32_t i) {
        return T(state_.costs[i * state_.cols + j]) - T(minima.least[i]) == state_.col_dual[j];
      });
      if (row >= 0) state_.assign(row, int32_t(j));
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 takes rows away from their columns,
  // which then become free themselves.
  void release_free_columns(Run& run) {
    std::vector<int64_t> raised;
    do {
      raised.clear();
      for (int64_t j = 0; j < state_.cols; ++j)
        if (state_.row_of_col[j] < 0 && state_.col_dual[j] != T(0)) raised.push_back(j);
      for (const int64_t j : raised) state_.col_dual[j] = T(0);
      for (int64_t i = 0; i < state_.rows; ++i) {
        if (state_.col_of_row[i] < 0 || raised.empty()) continue;
        const T dual = state_.row_dual(i);
        if (std::any_of(raised.begin(), raised.end(), [&](int64_t j) { return state_.slack(i, j) < dual; }))
          state_.unassign(i);
        run.spend(int64_t(raised.size()));
      }
    } while (!raised.empty());
  }

  State& state_;
  RowReductions<S, T> row_reductions_{state_};
  std::vector<int32_t> claims_;     // of how many columns each row is the minimum
  std::vector<int32_t> contested_;  // lines whose minima are in the places of other lines' minima
  FreeLines free_;                  // that ties may give to contested ones
  LineMinima<S> row_minima_;
  std::vector<int32_t> row_of_least_;  // of each column, less the minima of rows
  int64_t by_columns_ = 0;             // rows that have the minima of columns, the first of equal ones
  int64_t by_rows_ = 0;                // columns that have those of rows
  bool may_transpose_ = false, should_transpose_ = false;
  bool started_by_columns_ = false, started_by_rows_ = false, rows_start_better_ = false;
};

}  // namespace konig
