// The reductions of Jonker and Volgenant on dense costs: of columns, their transfer, and of rows; and the
// assignment of rows to columns that duals make tight.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987). Deviations:
// - Column reduction and transfer are for squares only: on a rectangle they would give duals to columns that
//   stay free.
// - Augmenting row reduction stops after a few steps a row: on real costs it may lower a dual by next to
//   nothing for ever, and the paths are cheaper.
// - Where column reduction leaves few rows free, nothing is transferred: that would scan most rows.
// - Where few rows have the minima of all columns, rows begin with theirs, and columns follow.
// - Where rows have theirs in far fewer columns, the transpose is to be solved.
// - A column whose minimum is in a row that another column has takes a free row that costs as little.
// - A row whose two smallest columns tie and are both taken searches for a free one that ties: where costs
//   tie often, all rows would compete for the same two columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "assignment/state.h"
#include "core/shared_loop.h"

namespace konig {

// The smallest cost of each line of a matrix and where it is, found in one read that checks the costs, too.
template <class S>
struct LineMinima {
  // The largest finite |cost|; nothing if some are NaN, infinite of the wrong sign, or at an end of their
  // type.
  std::optional<double> largest() const {
    using Limits = std::numeric_limits<S>;
    if (!(most < Limits::max())) return {};
    if (least.empty()) return double(most);
    const S lowest = *std::min_element(least.begin(), least.end());
    if (!Limits::is_integer) {
      if (lowest == -Limits::infinity()) return {};
      return double(most);
    }
    if (lowest <= Limits::min() + 1) return {};
    return std::max(double(most), -double(lowest));
  }

  std::vector<S> least;
  std::vector<int32_t> place;  // the first
  S most = S(0);

  // How many minima are not the first in their place; there are so many places.
  int64_t contested(int64_t places) const {
    std::vector<uint8_t> taken(size_t(places), 0);
    int64_t count = 0;
    for (const int32_t at : place) {
      count += taken[at];
      taken[at] = 1;
    }
    return count;
  }

  void resize(int64_t lines) {
    least.resize(size_t(lines));
    place.resize(size_t(lines));
    most = S(0);
  }
  void see(S here) {
    if (most == most && !(here <= most)) most = here;  // a NaN stays
  }
};

template <class S>
struct ColumnMinima : LineMinima<S> {
  void find(SignedCosts<S> cost, int64_t rows, int64_t cols, Run& run) {
    const auto scan = dense_scans<S, NarrowSums<S>>(cost.negated).column_least;
    constexpr int64_t kPiece = 1 << 15;  // entries: a piece that stays in the cache
    this->resize(cols);
    const int64_t step = std::max<int64_t>(16, kPiece / (cols + 1));
    for (int64_t first = 0; first < rows; first += step) {
      const int64_t last = std::min(rows, first + step);
      this->see(scan(cost.data, first, last, cols, this->least.data(), this->place.data()));
      run.spend((last - first) * (cols / 4 + 1));
    }
  }
};

template <class S>
struct RowMinima : LineMinima<S> {
  void find(SignedCosts<S> cost, int64_t rows, int64_t cols, int threads, Run& run) {
    const auto scan = dense_scans<S, NarrowSums<S>>(cost.negated).rows_least;
    constexpr int64_t kBlock = 64;
    this->resize(rows);
    const int64_t blocks = (rows + kBlock - 1) / kBlock;
    std::mutex adding;
    for_rows(threads, blocks, kBlock * cols, run, [&](int, int64_t first, int64_t last) {
      const int64_t from = first * kBlock, count = std::min(rows, last * kBlock) - from;
      const S most_of_part =
          scan(cost.data + from * cols, count, cols, this->least.data() + from, this->place.data() + from);
      const std::lock_guard<std::mutex> lock(adding);
      this->see(most_of_part);
    });
  }
};

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
    ColumnMinima<S> found;
    if (!known) found.find(state_.costs, state_.rows, state_.cols, run);
    const LineMinima<S>& minima = known ? *known : found;
    state_.counts.row_scans += state_.rows;
    claims_.assign(size_t(state_.rows), 0);
    for (int64_t j = 0; j < state_.cols; ++j)
      if (T(minima.least[j]) >= kInfinity) return refuse_column(j);
    contested_.clear();
    for (int64_t j = state_.cols; j-- > 0;) {
      state_.col_dual[j] = T(minima.least[j]);
      const int32_t i = minima.place[j];
      if (claims_[i]++ == 0)
        state_.assign(i, int32_t(j));
      else
        contested_.push_back(int32_t(j));
    }
    started_by_columns_ = true;
    by_columns_ = state_.cols - int64_t(contested_.size());
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
  // Asked before reductions of rows, where they may not be worth it: whether the minima of rows, if those of
  // an eighth of them are in few columns, say so.
  bool sample_says_transpose(Run& run) {
    if (!may_transpose_ || started_by_rows_ || should_transpose_) return should_transpose_;
    const int64_t sampled = state_.rows / 8;
    row_minima_.find(state_.costs, sampled, state_.cols, 1, run);
    state_.counts.row_scans += sampled;
    // Of uniform costs one in sixteen.
    if (10 * row_minima_.contested(state_.cols) <= sampled || !row_minima_say_transpose(run)) return false;
    // Where columns crowd less, as by preferences that rows hardly share, a core takes half the time.
    return should_transpose_ = 4 * by_columns_ > 7 * by_rows_;
  }
  // The minima that should_transpose() was told by: of the columns of the transpose.
  LineMinima<S>& row_minima() { return row_minima_; }
  // Whether rows start by themselves, and the minima of most of them are in few columns: so are their other
  // small costs.
  bool rows_want_few_columns() const { return started_by_rows_ && kRowsToAColumn * by_rows_ < state_.rows; }
  // Whether the minima of rows assign a tenth more rows than those of columns.
  bool rows_start_better() const { return rows_start_better_; }
  // Rows that are the minimum of no column.
  int64_t unclaimed() const { return std::count(claims_.begin(), claims_.end(), 0); }

  // One sweep where columns are few: a search costs hardly more than a few steps there. On a rectangle, where
  // nothing was reduced before, these are fewer. If column reduction and that leave a fifth of the rows free,
  // rows start by themselves: of kernels and heavy tails columns leave as few as of uniform costs, and yet
  // all paths are long then (10 to 22 scans a row, and 4 to 7 by rows). That is clear after one step a row
  // where the free rows want the same columns: nearly all of their costs are about the same (kernels, dummy
  // rows, gains of heavy tails), so that the column with the greatest dual is the best for each.
  void reduce_rows(Run& run) {
    if (should_transpose_) return;
    const bool crowded = sweep_free_rows(may_start_by_rows(), run);
    if (crowded) {
      if (row_minima_say_transpose(run)) return;
      // Where costs tie, minima of rows may lie in few columns, and yet the rows need not start by them.
      if (2 * by_rows_ >= state_.rows - unclaimed()) {
        start_by_row_minima(run);
        sweep_free_rows(false, run);
        return;
      }
      sweep_free_rows(false, run);
    }
    if (!may_start_by_rows() || 5 * int64_t(state_.free.size()) <= state_.rows) return;
    if (!crowded && row_minima_say_transpose(run)) return;
    start_by_row_minima(run);
    sweep_free_rows(false, run);
  }

  // Starts again, by rows, with reductions of rows, unless the transpose is to be solved; false if that has
  // been done or cannot be.
  bool restart_by_rows(Run& run) {
    if (started_by_rows_) return false;
    if (row_minima_say_transpose(run)) return true;
    start_by_row_minima(run);
    if (started_by_rows_) reduce_rows(run);
    return started_by_rows_;
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
  static constexpr int64_t kStepsPerRow = 3;     // of augmenting row reduction
  static constexpr int64_t kStepsOfFew = 4;      // the same where columns are few
  static constexpr int64_t kRowsToAColumn = 16;  // in few columns: so many rows have their minima in one
  static constexpr int64_t kProbes = 32, kFewProbes = 4;  // for one tie
  static constexpr int64_t kRepeatsByChance = 3;  // rows that want the same columns where rows are few

  // Returns whether it was ended since the free rows crowd around few columns; if not `watched` it is not.
  bool sweep_free_rows(bool watched, Run& run) {
    state_.collect_free_rows();
    const bool few_columns = state_.is_square() ? state_.is_narrow() : state_.is_one_block();
    if (few_columns) return reduce_augmenting(kStepsOfFew, watched, run);
    return reduce_augmenting(kStepsPerRow, watched, run) || reduce_augmenting(kStepsPerRow, false, run);
  }

  bool may_start_by_rows() const {
    return started_by_columns_ && !started_by_rows_ && state_.rows >= kManyRows;
  }

  // A column whose minimum is in a row that another column has takes a free row that costs as little. Where
  // the first probes find none, costs do not tie, and it is given up; so it is where half of the columns find
  // none. One column may: where a tenth of each ties, one in thirty finds nothing among 32 rows.
  void assign_tied_rows(const LineMinima<S>& minima) {
    if (contested_.empty()) return;
    free_rows_.clear();
    for (int64_t i = state_.rows; i-- > 0;)
      if (claims_[i] == 0) free_rows_.push_back(int32_t(i));
    int64_t probes = std::clamp(state_.rows / 2, kProbes, 4 * kProbes);
    for (const int32_t j : contested_) {
      if (probes <= 0) return;
      const auto first = free_rows_.rbegin();
      const auto last = first + std::min({probes, kProbes, int64_t(free_rows_.size())});
      const auto found = std::find_if(
          first, last, [&](int32_t i) { return state_.costs[i * state_.cols + j] == minima.least[j]; });
      probes -= found - first;
      if (found == last) continue;
      --claims_[minima.place[j]];
      ++claims_[*found];
      state_.assign(*found, j);
      free_rows_.erase(std::next(found).base());
      probes += kProbes;
    }
  }

  bool refuse_column(int64_t col) {
    state_.violator.rows.assign(size_t(state_.rows), 0);
    state_.violator.cols.assign(size_t(state_.cols), 0);
    state_.violator.cols[col] = 1;
    return false;
  }

  // After the minima of columns: whether rows start by themselves, or the transpose is to be solved.
  void choose_side(Run& run) {
    // Of uniform costs 0.37 of the rows are no column's minimum, and of few columns now and then 0.45.
    const int64_t tenths = state_.is_narrow() ? 5 : 4;
    const bool few_are_claimed = 10 * unclaimed() > tenths * state_.rows;
    const bool claimed_by_ties = may_transpose_ && columns_are_spread() && 2 * by_columns_ < state_.rows;
    if (!few_are_claimed && !claimed_by_ties) return;
    if (!row_minima_say_transpose(run) && few_are_claimed) start_by_row_minima(run);
  }

  // Whether many rows have the minima of the columns. Of few columns fewer do by chance.
  bool columns_are_spread() const { return (state_.is_narrow() ? 2 : 4) * by_columns_ > state_.rows; }

  // Finds the minima of rows. Where they are in far fewer columns than those of columns are in rows,
  // reductions of rows and paths from them are long, and those of the transpose short.
  bool row_minima_say_transpose(Run& run) {
    row_minima_.find(state_.costs, state_.rows, state_.cols, 1, run);
    state_.counts.row_scans += state_.rows;
    by_rows_ = state_.rows - row_minima_.contested(state_.cols);
    return should_transpose_ = may_transpose_ && columns_are_spread() && 2 * by_columns_ > 3 * by_rows_;
  }

  // In place of column reduction. Rows take columns of their smallest costs, with column duals of 0; if that
  // leaves many free, columns are reduced by what is left of the costs, as Kuhn and Munkres begin. Where
  // column minima are in few rows (rows of different units or offsets, dummy rows), or nearly all costs are
  // the same (kernels, gates), that leaves far fewer rows, and these paths far shorter: 0.05 to 0.5 of the
  // row scans.
  void start_by_row_minima(Run& run) {
    const int64_t by_columns = state_.rows - unclaimed();
    const RowMinima<S>& minima = row_minima_;
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
  int64_t assign_minima(const RowMinima<S>& minima) {
    std::vector<int32_t>& left = free_rows_;
    left.clear();
    for (int64_t i = 0; i < state_.rows; ++i) {
      if (state_.row_of_col[minima.place[i]] >= 0)
        left.push_back(int32_t(i));
      else
        state_.assign(int32_t(i), minima.place[i]);
    }
    int64_t assigned = state_.rows - int64_t(left.size());
    free_columns_.clear();
    for (int64_t j = state_.cols; j-- > 0;)
      if (state_.row_of_col[j] < 0) free_columns_.push_back(int32_t(j));
    int64_t probes = kProbes;  // fewer after rows without a tie: a row may tie with all columns or with none
    for (const int32_t i : left) {
      const auto costs_least = [&](int32_t j) {
        return state_.costs[i * state_.cols + j] == minima.least[i];
      };
      const auto first = free_columns_.rbegin();
      const auto last = first + std::min(probes, int64_t(free_columns_.size()));
      const auto found = std::find_if(first, last, costs_least);
      probes = found == last ? std::max(probes / 2, kFewProbes) : kProbes;
      if (found == last) continue;
      state_.assign(i, *found);
      free_columns_.erase(std::next(found).base());
      ++assigned;
    }
    return assigned;
  }

  // Column duals are the smallest of cost - row minimum. Columns take the rows where these are, and rows that
  // are left the columns of their smallest costs, whose duals are 0.
  void reduce_columns_below(const RowMinima<S>& minima, Run& run) {
    place_.resize(size_t(state_.cols));
    state_.scans->column_least_below(state_.costs.data, minima.least.data(), state_.rows, state_.cols,
                                     state_.col_dual.data(), place_.data());
    state_.counts.row_scans += state_.rows;
    run.spend(state_.rows * (state_.cols / 4 + 1));
    for (int64_t j = 0; j < state_.cols; ++j)
      if (state_.col_of_row[place_[j]] < 0) state_.assign(place_[j], int32_t(j));
    for (int64_t i = 0; i < state_.rows; ++i)
      if (state_.col_of_row[i] < 0 && state_.row_of_col[minima.place[i]] < 0)
        state_.assign(int32_t(i), minima.place[i]);
    assign_tied_below(minima);
  }

  // Columns without a row take free rows that are as little above their minima: where costs are sums of parts
  // of rows and columns all are.
  void assign_tied_below(const RowMinima<S>& minima) {
    free_rows_.clear();
    for (int64_t i = state_.rows; i-- > 0;)
      if (state_.col_of_row[i] < 0) free_rows_.push_back(int32_t(i));
    int64_t probes = kProbes;
    for (int64_t j = 0; j < state_.cols; ++j) {
      if (state_.row_of_col[j] >= 0) continue;
      const auto is_least = [&](int32_t i) {
        return T(state_.costs[i * state_.cols + j]) - T(minima.least[i]) == state_.col_dual[j];
      };
      const auto first = free_rows_.rbegin();
      const auto last = first + std::min(probes, int64_t(free_rows_.size()));
      const auto found = std::find_if(first, last, is_least);
      probes = found == last ? std::max(probes / 2, kFewProbes) : kProbes;
      if (found == last) continue;
      state_.assign(*found, int32_t(j));
      free_rows_.erase(std::next(found).base());
    }
  }

  // Every free row takes its best column, whose dual falls by its distance to the second best. Rows are
  // scanned a few at a time. Of those only the first to want a column gets it, and the others are scanned
  // again: where a dual has fallen, only slacks of other columns have risen, so that what was best still is.
  // If `watched`, it ends after the first step of each row where these are crowded: three tenths, and not by
  // chance, want a column that another wanted. Of uniform costs a sixth do. Returns whether it did.
  bool reduce_augmenting(int64_t steps_per_row, bool watched, Run& run) {
    queue_.swap(state_.free);
    state_.free.clear();
    const auto first_pass = int64_t(queue_.size());
    int64_t wanted_again = 0;
    bool crowded = false;
    watched = watched && 5 * first_pass > state_.rows;
    if (watched) wanted_.assign(size_t(state_.cols), 0);
    int64_t steps_left = steps_per_row * int64_t(queue_.size());
    free_columns_.clear();
    bool knows_free_columns = false;
    size_t next = 0;
    while (next < queue_.size() && steps_left > 0) {
      if (watched && int64_t(next) >= first_pass) {
        crowded = 10 * (wanted_again - kRepeatsByChance) > 3 * first_pass;
        if (crowded) break;
        watched = false;
      }
      const auto count = std::min({int64_t(kRowsTogether), int64_t(queue_.size() - next), steps_left});
      int32_t together[kRowsTogether], taken[kRowsTogether];
      std::copy_n(queue_.begin() + int64_t(next), count, together);
      next += size_t(count);
      steps_left -= count;
      state_.counts.row_reductions += count;
      BestColumn<T> best[kRowsTogether];
      state_.best_columns(together, count, best, run);
      int64_t taken_count = 0;
      for (int64_t k = 0; k < count; ++k) {
        const int32_t i = together[k];
        if (!(best[k].second < kInfinity)) {  // one allowed column, or none: left to the paths
          state_.free.push_back(i);
          continue;
        }
        int32_t j = best[k].col;
        if (watched) {
          wanted_again += wanted_[j];
          wanted_[j] = 1;
        }
        if (std::find(taken, taken + taken_count, j) != taken + taken_count) {
          queue_.push_back(i);
          continue;
        }
        const bool lowers = lower(j, best[k]);
        checked(state_.col_dual[j]);
        if (!lowers && state_.row_of_col[j] >= 0) j = free_tie(i, j, best[k], knows_free_columns);
        if (j < 0) {
          queue_.push_back(i);
          continue;
        }
        taken[taken_count++] = j;
        const int32_t loser = state_.row_of_col[j];
        state_.assign(i, j);
        if (loser < 0) continue;
        state_.col_of_row[loser] = -1;
        (lowers ? queue_ : state_.free).push_back(loser);
      }
    }
    state_.free.insert(state_.free.end(), queue_.begin() + int64_t(next), queue_.end());
    queue_.clear();
    return crowded;
  }

  // Returns whether the dual fell.
  bool lower(int32_t j, const BestColumn<T>& best) {
    const T lowered = state_.col_dual[j] - (best.second - best.first);
    if (!(lowered < state_.col_dual[j])) return false;
    state_.col_dual[j] = lowered;
    return true;
  }

  // A free column that ties with the smallest, or else the second smallest; `first` is the smallest. -1 if
  // the dual of the second smallest has fallen since.
  int32_t free_tie(int32_t i, int32_t first, const BestColumn<T>& best, bool& knows_free_columns) {
    const auto second = int32_t(
        state_.scans->column_with(state_.row(i), state_.col_dual.data(), best.second, state_.cols, first));
    if (second < 0 || state_.row_of_col[second] < 0 || best.second > best.first) return second;
    if (!knows_free_columns) {
      for (int64_t j = state_.cols; j-- > 0;)
        if (state_.row_of_col[j] < 0) free_columns_.push_back(int32_t(j));
      knows_free_columns = true;
    }
    for (size_t k = free_columns_.size(); k-- > 0;) {
      const int32_t j = free_columns_[k];
      if (state_.row_of_col[j] >= 0) {  // taken meanwhile, and never free again in this sweep
        free_columns_.erase(free_columns_.begin() + int64_t(k));
      } else if (state_.slack(i, j) == best.first) {
        return j;
      }
    }
    return second;
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
  std::vector<int32_t> claims_;        // of how many columns each row is the minimum
  std::vector<int32_t> contested_;     // columns whose minima are in rows of other columns
  std::vector<int32_t> free_rows_;     // that are the minimum of no column, or whose minimum is taken
  std::vector<int32_t> queue_;         // rows to be reduced
  std::vector<uint8_t> wanted_;        // columns that a free row wanted
  std::vector<int32_t> free_columns_;  // as far as they are known in a sweep
  RowMinima<S> row_minima_;
  std::vector<int32_t> place_;  // the rows of the smallest costs of columns, below the minima of rows
  int64_t by_columns_ = 0;      // rows that have the minima of columns, the first of equal ones
  int64_t by_rows_ = 0;         // columns that have those of rows
  bool may_transpose_ = false, should_transpose_ = false;
  bool started_by_columns_ = false, started_by_rows_ = false, rows_start_better_ = false;
};

}  // namespace konig
