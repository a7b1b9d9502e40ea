// The dense assignment problem by shortest augmenting paths.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987): column reduction, reduction transfer, augmenting row reduction, then one
// shortest augmenting path from every row that is left, by Dijkstra's algorithm on the reduced costs.
//
// Minimises; rows <= cols, every row is assigned. State: col_dual[j] and the matching. Invariant: a row's
// assigned column attains the smallest cost[i][j] - col_dual[j] of the row, which is the row's dual. On
// rectangles col_dual is <= 0, and 0 where no row is assigned.
//
// Deviations. The paper keeps the columns that are not scanned in a list; here a scan runs over all columns
// in order, which vectorises, and scanned columns have a dual that keeps them out. Column reduction and
// transfer are for squares only: on a rectangle they would give duals to columns that stay free. Augmenting
// row reduction stops after a few steps a row: on real costs it can go on for ever lowering a dual by next to
// nothing, and the paths are cheaper. Where column reduction leaves few rows free, reductions are transferred
// once a free row comes across them and not before. A row whose two smallest columns tie and are both taken
// looks for another that ties and is free: where costs tie often, all rows would fight for the same two
// columns.
//
// Rounding. Let u = 2^-53, L the largest |cost|, D the largest |dual|: duals only fall, so that the first and
// the last ones bound them all. Then slacks err by (L + D)u, and on a path, whose lengths are within L + 3D,
// everything errs by (3L + 6D)u. A reduction leaves a row's column within six of the former of the row's
// smallest slack. All comparisons of a search are with stored lengths, so errors do not add up along a path:
// a row that is in the tree of a search may lose twelve of the latter, and other rows lose nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/run.h"
#include "sequential/assignment/column_minima.h"
#include "sequential/assignment/dense_scans.h"
#include "sequential/assignment/hall_violator.h"

namespace konig {

template <class S, class T>
class ShortestAugmentingPaths {
 public:
  struct Counts {
    int64_t bids = 0;            // of the auction
    int64_t reduced_rows = 0;    // assigned before the first shortest path
    int64_t row_reductions = 0;  // steps of augmenting row reduction
    int64_t paths = 0;           // shortest augmenting paths
    int64_t row_scans = 0;       // rows scanned, in all stages
  };

  // The workspace is kept from one solve to the next.
  void prepare(int64_t rows, int64_t cols, const S* cost) {
    rows_ = rows;
    cols_ = cols;
    cost_ = cost;
    counts_ = {};
    minima_ = nullptr;
    col_of_row_.assign(rows, -1);
    row_of_col_.assign(cols, -1);
    const int64_t padded = std::max(cols, kScanBlock);  // see dense_scans.h
    col_dual_.assign(cols, T(0));
    col_dual_.resize(padded, Bounds<T>::scanned);
    key_.resize(padded);
    before_.resize(padded);
    block_least_.resize((cols + kScanBlock - 1) / kScanBlock);
    scanned_.clear();
    free_.clear();
    claims_.assign(rows, 0);
    searches_.assign(rows, 0);
    transfers_late_ = false;
    ties_ = 0;
    first_dual_ = T(0);
  }
  // The minima of these costs, which were found before; they stay with the caller.
  void adopt(const ColumnMinima<S>& minima) { minima_ = &minima; }

  // All return whether every row could be assigned; if not, `violator` says why.
  bool solve(Run& run) {
    // Reductions overshoot. Where sums need 128 bits, duals as small as they come are worth more than time.
    if (sizeof(T) > 8) {
      for (int64_t i = 0; i < rows_; ++i) free_.push_back(int32_t(i));
      return assign_free_rows(run);
    }
    if (rows_ == cols_) {
      if (!reduce_columns(run)) return false;
      transfer_reductions(run);
    }
    return finish(run);
  }
  // From the prices of an auction with epsilon scaling (epsilon_auction.h), here in the type of the sums. It
  // makes up for much where most rows want the same columns.
  bool solve_after_auction(Run& run) {
    if (rows_ != cols_ || sizeof(T) > 8) return solve(run);
    if (!reduce_columns(run)) return false;
    hold_auction(run);
    std::fill(col_of_row_.begin(), col_of_row_.end(), -1);
    std::fill(row_of_col_.begin(), row_of_col_.end(), -1);
    return solve_from_duals(run);
  }
  // By reductions and then, where they leave most rows free, by an auction.
  bool solve_adaptively(Run& run) {
    if (rows_ != cols_ || sizeof(T) > 8 || rows_ < kFewForAuction) return solve(run);
    if (!reduce_columns(run)) return false;
    transfer_reductions(run);
    reduce_free_rows(run);
    if (2 * int64_t(free_.size()) < rows_) return assign_free_rows(run);
    hold_auction(run);
    std::fill(col_of_row_.begin(), col_of_row_.end(), -1);
    std::fill(row_of_col_.begin(), row_of_col_.end(), -1);
    return solve_from_duals(run);
  }
  // A rectangle that nobody has looked at yet: the first steps, which read all of it. Returns the largest
  // |cost|, as best_column_surveyed has it, if all are finite. Unless a cost is bad, solve_opened goes on
  // from there.
  S open(Run& run) {
    S largest = S(0);
    collect_free_rows();
    int64_t read = 0;
    const auto is_finite = [&] { return largest - largest == S(0); };
    reduce_rows(run, steps_of_first_sweep(), [&](int32_t i) {
      const bool surveys = i >= read && is_finite();  // rows come in order
      read = std::max<int64_t>(read, i + 1);
      if (lowers_at_once())
        return scans_.lower_best(row(i), col_dual_.data(), cols_, surveys ? &largest : nullptr);
      return surveys ? scans_.best_column_surveyed(row(i), col_dual_.data(), cols_, &largest)
                     : scans_.best_column(row(i), col_dual_.data(), cols_);
    });
    for (; read < rows_ && is_finite(); ++read)
      scans_.best_column_surveyed(row(read), col_dual_.data(), cols_, &largest);
    return largest;
  }
  bool solve_opened(Run& run) {
    if (cols_ > kScanBlock) reduce_rows(run, kStepsPerRow);
    return assign_free_rows(run);
  }
  // Whether reductions alone have assigned nearly all rows, so that the rest are soon assigned.
  bool few_left() const {
    return (rows_ == cols_ ? kRowsPerRowLeft : kRowsPerRowLeftOfMany) * int64_t(free_.size()) <= rows_;
  }
  // Reductions, as long as they promise to leave few rows: kSolved and kInfeasible if they did, and the rest
  // are assigned, kGivenUp if not.
  enum class Start { kSolved, kInfeasible, kGivenUp };
  Start solve_if_easy(Run& run) {
    if (rows_ == cols_) {
      if (!reduce_columns(run)) return Start::kInfeasible;
      transfer_reductions(run);
      const int64_t free = std::count(claims_.begin(), claims_.end(), 0);
      if (!transfers_late_ && 2 * free < rows_) return Start::kGivenUp;
    }
    reduce_free_rows(run);
    if (!few_left()) return Start::kGivenUp;
    return assign_free_rows(run) ? Start::kSolved : Start::kInfeasible;
  }
  // From the column duals that the caller has put into col_dual_.
  bool solve_from_duals(Run& run) {
    assign_tight_rows(run);
    if (rows_ < cols_) release_free_columns(run);
    return finish(run);
  }

  T row_dual(int64_t row) const { return slack(row, col_of_row_[row]); }
  // By how much a row's column may miss the row's smallest slack, as a multiple of the largest |cost| and of
  // the largest |dual|, in units of 2^-53; see "Rounding".
  double rounding(int64_t row, double largest, double largest_dual) const {
    const double dual = std::max(largest_dual, double(first_dual_));
    return 6 * (largest + dual) + 12.0 * searches_[row] * (3 * largest + 6 * dual);
  }
  T col_dual(int64_t col) const { return col_dual_[col]; }
  void set_col_dual(int64_t col, T dual) { col_dual_[col] = dual; }
  int32_t col_of_row(int64_t row) const { return col_of_row_[row]; }
  int32_t row_of_col(int64_t col) const { return row_of_col_[col]; }
  const Counts& counts() const { return counts_; }

  HallViolator violator;

 private:
  static constexpr T kInfinity = Bounds<T>::infinity;

  const S* row(int64_t i) const { return cost_ + i * cols_; }
  T slack(int64_t i, int64_t j) const { return T(row(i)[j]) - col_dual_[j]; }

  int32_t column_with(int64_t i, T value, int64_t except = -1) const {
    return int32_t(scans_.column_with(row(i), col_dual_.data(), value, cols_, except));
  }

  void assign(int32_t i, int32_t j) {
    col_of_row_[i] = j;
    row_of_col_[j] = i;
  }

  void count_scan(Run& run) {
    ++counts_.row_scans;
    run.spend(cols_ / 4 + 1);
  }

  bool reduce_columns(Run& run) {
    ColumnMinima<S> found;
    if (!minima_) {
      found.find(cost_, rows_, cols_, run);
      minima_ = &found;
    }
    counts_.row_scans += rows_;
    const auto& least = minima_->least;
    for (int64_t j = 0; j < cols_; ++j)
      if (T(least[j]) >= kInfinity) return refuse_column(j);
    for (int64_t j = cols_; j-- > 0;) {
      col_dual_[j] = T(least[j]);
      const int32_t i = minima_->row[j];
      if (claims_[i]++ == 0) assign(i, int32_t(j));
    }
    minima_ = nullptr;
    return true;
  }

  void hold_auction(Run& run) {
    std::fill(col_of_row_.begin(), col_of_row_.end(), -1);
    std::fill(row_of_col_.begin(), row_of_col_.end(), -1);
    const double scale = typical_slack(run);
    constexpr bool kIntegral = std::numeric_limits<T>::is_integer;
    for (double epsilon = kFirstEpsilon; epsilon > kLastEpsilon && scale > 0; epsilon /= 5) {
      const T step = kIntegral ? std::max(T(1), T(epsilon * scale)) : T(epsilon * scale);
      free_the_discontent(step, run);
      const int64_t bids_before = counts_.bids;
      for (size_t next = 0; next < free_.size() && counts_.bids < bids_before + kBidsPerRow * rows_; ++next)
        bid(free_[next], step, run);
      if (kIntegral && step == T(1)) break;
    }
    free_.clear();
  }

  // Twice the mean of the slacks of some rows: the largest cost, were they uniform.
  double typical_slack(Run& run) {
    const int64_t step = std::max<int64_t>(1, rows_ / 32);
    double sum = 0;
    int64_t counted = 0;
    for (int64_t i = 0; i < rows_; i += step) {
      for (int64_t j = 0; j < cols_; ++j) {
        const double here = double(slack(i, j));
        if (!(here < double(kInfinity))) continue;
        sum += here;
        ++counted;
      }
      count_scan(run);
    }
    return counted ? 2 * sum / double(counted) : 0;
  }

  void free_the_discontent(T epsilon, Run& run) {
    free_.clear();
    for (int64_t i = 0; i < rows_; ++i) {
      const int32_t held = col_of_row_[i];
      if (held >= 0) {
        const T least = scans_.smallest(row(i), col_dual_.data(), cols_);
        count_scan(run);
        if (slack(i, held) <= least + epsilon) continue;
        col_of_row_[i] = row_of_col_[held] = -1;
      }
      free_.push_back(int32_t(i));
    }
  }

  void bid(int32_t i, T epsilon, Run& run) {
    const BestColumn<T> best = scans_.best_column(row(i), col_dual_.data(), cols_);
    count_scan(run);
    ++counts_.bids;
    if (!(best.first < kInfinity)) return;
    const int32_t j = best.col, loser = row_of_col_[j];
    col_dual_[j] =
        checked(col_dual_[j] - (best.second < kInfinity ? best.second - best.first : T(0)) - epsilon);
    assign(i, j);
    if (loser < 0) return;
    col_of_row_[loser] = -1;
    free_.push_back(loser);
  }

  // A square problem with a column that no row may take.
  bool refuse_column(int64_t col) {
    violator.rows.assign(rows_, 1);
    violator.cols.assign(cols_, 1);
    violator.cols[col] = 0;
    return false;
  }

  // A row that is the smallest of one column alone can leave some of its advantage to the others.
  void transfer_reductions(Run& run) {
    int64_t free = 0, alone = 0;
    for (int64_t i = 0; i < rows_; ++i) {
      free += claims_[i] == 0;
      alone += claims_[i] == 1;
    }
    transfers_late_ = 2 * free < alone;
    if (transfers_late_) return;
    for (int64_t i = 0; i < rows_; ++i)
      if (claims_[i] == 1) transfer_reduction(i, run);
  }

  // Returns whether a dual fell.
  bool transfer_reduction(int64_t i, Run& run) {
    const TwoSmallest<T> best = scans_.two_smallest(row(i), col_dual_.data(), cols_);
    count_scan(run);
    if (!(best.second < kInfinity && best.second > best.first)) return false;
    T& dual = col_dual_[col_of_row_[i]];
    dual = checked(dual - (best.second - best.first));
    return true;
  }

  // The same for the row that holds a column, if that has been put off.
  bool transfer_late(int32_t j, Run& run) {
    const int32_t holder = row_of_col_[j];
    if (!transfers_late_ || holder < 0 || claims_[holder] != 1) return false;
    claims_[holder] = 2;
    return transfer_reduction(holder, run);
  }

  void assign_tight_rows(Run& run) {
    for (int64_t i = 0; i < rows_; ++i) {
      const T least = scans_.smallest(row(i), col_dual_.data(), cols_);
      count_scan(run);
      if (!(least < kInfinity)) continue;
      const int32_t j = column_with(i, least);
      if (row_of_col_[j] < 0) assign(int32_t(i), j);
    }
  }

  // On a rectangle a free column must have dual 0. Raising duals to 0 takes rows away from their columns,
  // which then become free themselves.
  void release_free_columns(Run& run) {
    std::vector<int64_t> raised;
    do {
      raised.clear();
      for (int64_t j = 0; j < cols_; ++j)
        if (row_of_col_[j] < 0 && col_dual_[j] != T(0)) raised.push_back(j);
      for (const int64_t j : raised) col_dual_[j] = T(0);
      for (int64_t i = 0; i < rows_; ++i) {
        const int32_t held = col_of_row_[i];
        if (held < 0 || raised.empty()) continue;
        const T dual = slack(i, held);
        const bool beaten = std::any_of(raised.begin(), raised.end(),
                                        [&](int64_t j) { return allowed(i, j) && slack(i, j) < dual; });
        if (beaten) col_of_row_[i] = row_of_col_[held] = -1;
        run.spend(int64_t(raised.size()));
      }
    } while (!raised.empty());
  }

  bool allowed(int64_t i, int64_t j) const {
    if constexpr (std::is_same_v<T, int128>) return row(i)[j] != std::numeric_limits<S>::max();
    return true;  // a real one is infinite, which compares as it should
  }

  bool finish(Run& run) {
    reduce_free_rows(run);
    return assign_free_rows(run);
  }

  void reduce_free_rows(Run& run) {
    for (int64_t j = 0; j < cols_; ++j) first_dual_ = std::max({first_dual_, col_dual_[j], T(-col_dual_[j])});
    collect_free_rows();
    reduce_rows(run, steps_of_first_sweep());
    if (cols_ > kScanBlock) reduce_rows(run, kStepsPerRow);
  }

  // In a single block a search costs hardly more than a few steps, so that there is one sweep.
  int64_t steps_of_first_sweep() const {
    if (cols_ > kScanBlock) return kStepsPerRow;
    return 4 * int64_t(free_.size()) >= 3 * rows_ ? 1 : 2;
  }

  void collect_free_rows() {
    free_.clear();
    for (int64_t i = 0; i < rows_; ++i)
      if (col_of_row_[i] < 0) free_.push_back(int32_t(i));
  }

  bool assign_free_rows(Run& run) {
    counts_.reduced_rows = rows_ - int64_t(free_.size());
    run.report(counts_.reduced_rows, rows_);
    if (rows_ >= kManyRows && ties_ >= int64_t(free_.size()))
      while (kRowsOfAPhase * int64_t(free_.size()) >= rows_ && free_.size() > 1 &&
             augment_on_tight_pairs(run)) {
      }
    if (sizeof(T) <= 8 && cols_ <= kScanBlock) return assign_in_block(run);
    for (const int32_t root : free_)
      if (!augment_from(root, run)) return false;
    return true;
  }

  // The same searches where all columns are one block.
  bool assign_in_block(Run& run) {
    uint64_t free_columns = 0;
    for (int64_t j = 0; j < cols_; ++j) free_columns |= uint64_t(row_of_col_[j] < 0) << j;
    for (const int32_t root : free_) {
      const BlockSearch<T> found =
          scans_.search_block(cost_, col_dual_.data(), row_of_col_.data(), free_columns, root, cols_,
                              key_.data(), before_.data());
      const int64_t scans = 1 + std::popcount(found.scanned);
      counts_.row_scans += scans;
      run.spend(scans * (cols_ / 4 + 1));
      if (found.end < 0) {
        for (uint64_t rest = found.scanned; rest != 0; rest &= rest - 1) {
          const int32_t j = std::countr_zero(rest);
          scanned_.push_back({j, key_[j], col_dual_[j]});
        }
        return refuse_tree(root);
      }
      ++searches_[root];
      for (uint64_t rest = found.scanned; rest != 0; rest &= rest - 1) {
        const int32_t j = std::countr_zero(rest);
        col_dual_[j] = checked(col_dual_[j] + (key_[j] - found.length));
        ++searches_[row_of_col_[j]];
      }
      free_columns &= ~(uint64_t(1) << found.end);
      augment_along(root, found.end);
    }
    return true;
  }

  void augment_along(int32_t root, int32_t end) {
    for (int32_t j = end; j >= 0;) {
      const int32_t i = before_[j], next = col_of_row_[i];
      assign(i, j);
      j = i == root ? -1 : next;
    }
    ++counts_.paths;
  }

  void reduce_rows(Run& run, int64_t steps_per_row) {
    if (free_.empty()) return;
    const bool at_once = lowers_at_once();
    reduce_rows(run, steps_per_row, [&](int32_t i) {
      return at_once ? scans_.lower_best(row(i), col_dual_.data(), cols_, nullptr)
                     : scans_.best_column(row(i), col_dual_.data(), cols_);
    });
  }

  // Every free row takes its best column, which gets cheaper by how much it is better than the second best.
  template <class BestOf>
  void reduce_rows(Run& run, int64_t steps_per_row, const BestOf& best_of) {
    size_t next = 0, kept = 0;
    const size_t count = free_.size();
    int64_t steps_left = steps_per_row * int64_t(count);
    free_columns_.clear();
    bool knows_free_columns = false;
    const bool at_once = lowers_at_once();
    while (next < count) {
      const int32_t i = free_[next++];
      if (steps_left-- <= 0) {
        free_[kept++] = i;
        continue;
      }
      const BestColumn<T> best = best_of(i);
      count_scan(run);
      ++counts_.row_reductions;
      if (!(best.second < kInfinity)) {  // one allowed column, or none: left to the paths
        free_[kept++] = i;
        continue;
      }
      int32_t j = best.col;
      if (transfer_late(j, run)) {
        --next;
        ++steps_left;
        continue;
      }
      const bool lowers = at_once ? best.lowers : lower(j, best);
      ties_ += !lowers;
      if (at_once) checked(col_dual_[j]);
      if (!lowers && row_of_col_[j] >= 0) j = free_tie(i, j, best, knows_free_columns);
      const int32_t loser = row_of_col_[j];
      assign(i, j);
      if (loser < 0) continue;
      col_of_row_[loser] = -1;
      if (lowers)
        free_[--next] = loser;
      else
        free_[kept++] = loser;
    }
    free_.resize(kept);
  }

  // Whether a scan of a row lowers the dual of its best column itself.
  bool lowers_at_once() const { return sizeof(T) <= 8 && cols_ <= kScanBlock && !transfers_late_; }

  // Returns whether the dual fell.
  bool lower(int32_t j, const BestColumn<T>& best) {
    const T lowered = col_dual_[j] - (best.second - best.first);
    if (!(lowered < col_dual_[j])) return false;
    col_dual_[j] = checked(lowered);
    return true;
  }

  // A free column that ties with the smallest, or else the second smallest; `first` is the smallest.
  int32_t free_tie(int32_t i, int32_t first, const BestColumn<T>& best, bool& knows_free_columns) {
    const int32_t second = column_with(i, best.second, first);
    if (row_of_col_[second] < 0 || best.second > best.first) return second;
    if (!knows_free_columns) {
      for (int64_t j = cols_; j-- > 0;)
        if (row_of_col_[j] < 0) free_columns_.push_back(int32_t(j));
      knows_free_columns = true;
    }
    for (size_t k = free_columns_.size(); k-- > 0;) {
      const int32_t j = free_columns_[k];
      if (row_of_col_[j] >= 0) {  // taken meanwhile, and never free again in this stage
        free_columns_.erase(free_columns_.begin() + int64_t(k));
      } else if (slack(i, j) == best.first) {
        return j;
      }
    }
    return second;
  }

  bool augment_from(int32_t root, Run& run) {
    std::fill(key_.begin(), key_.end(), kInfinity);
    T length = T(0);
    relax(root, T(0), run);
    int32_t end = -1;
    while (true) {
      const int32_t j = nearest(length);
      if (j < 0) return refuse_tree(root);
      if (row_of_col_[j] < 0) {
        end = j;
        break;
      }
      const int32_t i = row_of_col_[j];
      const T base = slack(i, j) - length;
      scanned_.push_back({j, length, col_dual_[j]});
      key_[j] = kInfinity;
      col_dual_[j] = Bounds<T>::scanned;
      relax(i, base, run);
    }
    ++searches_[root];
    for (const Scanned& s : scanned_) {
      col_dual_[s.col] = checked(s.dual + (s.length - length));
      ++searches_[row_of_col_[s.col]];
    }
    scanned_.clear();
    augment_along(root, end);
    run.report(counts_.reduced_rows + counts_.paths, rows_);
    return true;
  }

  // A phase of disjoint augmenting paths on pairs without slack, as many as searches find that see each
  // column once between them: where costs tie often, one search a row would see much of the matrix each time.
  // Duals stay as they are. Returns whether a good part of the free rows was assigned.
  bool augment_on_tight_pairs(Run& run) {
    const size_t count = free_.size();
    root_dual_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      root_dual_[k] = scans_.smallest(row(free_[k]), col_dual_.data(), cols_);
      count_scan(run);
    }
    std::fill(key_.begin(), key_.end(), kInfinity);
    size_t kept = 0;
    for (size_t k = 0; k < count; ++k)
      if (!(root_dual_[k] < kInfinity) || !augment_tightly_from(free_[k], root_dual_[k], run))
        free_[kept++] = free_[k];
    free_.resize(kept);
    for (const Scanned& s : scanned_) col_dual_[s.col] = s.dual;
    scanned_.clear();
    run.report(rows_ - int64_t(kept), rows_);
    return 4 * (count - kept) >= count;
  }

  bool augment_tightly_from(int32_t root, T dual, Run& run) {
    relax(root, dual, run);
    while (true) {
      T length = kInfinity;
      const int32_t j = nearest(length);
      if (j < 0 || length > T(0)) return false;
      if (row_of_col_[j] < 0) {
        for (int32_t end = j; end >= 0;) {
          const int32_t i = before_[end], next = col_of_row_[i];
          assign(i, end);
          ++searches_[i];
          end = i == root ? -1 : next;
        }
        ++counts_.paths;
        forget_tight_columns();
        return true;
      }
      const int32_t i = row_of_col_[j];
      const T base = slack(i, j);
      scanned_.push_back({j, T(0), col_dual_[j]});
      key_[j] = kInfinity;
      col_dual_[j] = Bounds<T>::scanned;
      relax(i, base, run);
    }
  }

  // Columns that a search came to and did not scan are there for the next one.
  void forget_tight_columns() {
    for (T& key : key_)
      if (key <= T(0)) key = kInfinity;
  }

  void relax(int32_t i, T base, Run& run) {
    scans_.relax(row(i), col_dual_.data(), base, i, cols_, key_.data(), before_.data(), block_least_.data());
    count_scan(run);
  }

  // The nearest column that is not scanned, a free one if there is a choice; -1 if none can be reached. A row
  // has just been relaxed.
  int32_t nearest(T& length) const {
    T least = kInfinity;
    for (const T value : block_least_) least = std::min(least, value);
    if (least >= kInfinity) return -1;
    length = least;
    int32_t found = -1;
    for (size_t block = 0; block < block_least_.size(); ++block) {
      if (block_least_[block] != least) continue;
      const int64_t first = int64_t(block) * kScanBlock, count = std::min(kScanBlock, cols_ - first);
      const int32_t j = free_one_of(scans_.with_key(&key_[first], least, count), first);
      if (row_of_col_[j] < 0) return j;
      if (found < 0) found = j;
    }
    return found;
  }

  // A free column, or else the first, of those whose bits are set; columns count from `first`.
  int32_t free_one_of(uint64_t set, int64_t first) const {
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int64_t j = first + std::countr_zero(rest);
      if (row_of_col_[j] < 0) return int32_t(j);
    }
    return int32_t(first + std::countr_zero(set));
  }

  // The rows of the tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root) {
    violator.rows.assign(rows_, 0);
    violator.cols.assign(cols_, 0);
    violator.rows[root] = 1;
    for (const Scanned& s : scanned_) {
      violator.cols[s.col] = 1;
      violator.rows[row_of_col_[s.col]] = 1;
      col_dual_[s.col] = s.dual;
    }
    scanned_.clear();
    return false;
  }

  static constexpr double kFirstEpsilon = 0.05, kLastEpsilon = 2e-5;
  static constexpr int64_t kFewForAuction = 32;
  static constexpr int64_t kRowsPerRowLeft = 36;        // on a square: a search reads the whole matrix
  static constexpr int64_t kRowsPerRowLeftOfMany = 32;  // on a rectangle
  static constexpr int64_t kManyRows = 128;
  static constexpr int64_t kRowsOfAPhase = 24;  // for each free row: with fewer free, searches are cheaper
  static constexpr int64_t kStepsPerRow = 3;    // of augmenting row reduction
  static constexpr int64_t kBidsPerRow = 100;   // in a round: on an infeasible problem it would never end

  struct Scanned {
    int32_t col;
    T length, dual;
  };

  const DenseScans<S, T>& scans_ = dense_scans<S, T>();
  int64_t rows_ = 0, cols_ = 0;
  const S* cost_ = nullptr;
  Counts counts_;
  std::vector<int32_t> col_of_row_, row_of_col_;
  std::vector<T> col_dual_;
  std::vector<T> key_, block_least_;
  std::vector<int32_t> before_, claims_, free_, free_columns_;
  std::vector<int32_t> searches_;  // in whose trees each row has been
  T first_dual_ = T(0);            // the largest |column dual| before the paths
  std::vector<T> root_dual_;
  bool transfers_late_ = false;
  int64_t ties_ = 0;  // steps of row reduction that found two columns equally good
  const ColumnMinima<S>* minima_ = nullptr;
  std::vector<Scanned> scanned_;
};

}  // namespace konig
