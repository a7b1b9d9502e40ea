// The reductions of Jonker and Volgenant on dense costs: of columns, their transfer, and of rows.
//
// R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment
// problems, Computing 38 (1987). shortest_augmenting_paths.h says where this deviates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "assignment/column_minima.h"
#include "assignment/dense_state.h"

namespace konig {

template <class S, class T>
class DenseReductions : public DenseState<S, T> {
 public:
  void prepare(int64_t rows, int64_t cols, SignedCosts<S> cost) {
    Base::prepare(rows, cols, cost);
    minima_ = nullptr;
    claims_.assign(rows, 0);
    transfers_late_ = false;
  }
  // The minima of these costs, which were found before; they stay with the caller.
  void adopt(const ColumnMinima<S>& minima) { minima_ = &minima; }

 protected:
  using Base = DenseState<S, T>;
  using Base::assign;
  using Base::col_dual_;
  using Base::col_of_row_;
  using Base::collect_free_rows;
  using Base::cols_;
  using Base::column_with;
  using Base::cost_;
  using Base::count_scan;
  using Base::counts_;
  using Base::free_;
  using Base::kInfinity;
  using Base::row;
  using Base::row_of_col_;
  using Base::rows_;
  using Base::scans_;
  using Base::slack;
  using Base::ties_;

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

  // A square problem with a column that no row may take.
  bool refuse_column(int64_t col) {
    this->violator.rows.assign(rows_, 1);
    this->violator.cols.assign(cols_, 1);
    this->violator.cols[col] = 0;
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

  // Whether transfers wait until a free row comes across them.
  bool transfers_late() const { return transfers_late_; }
  // Rows that are the smallest of no column.
  int64_t unclaimed() const { return std::count(claims_.begin(), claims_.end(), 0); }

  void reduce_free_rows(Run& run) {
    collect_free_rows();
    reduce_rows(run, steps_of_first_sweep());
    if (cols_ > kScanBlock) reduce_rows(run, kStepsPerRow);
  }

  // In a single block a search costs hardly more than a few steps, so that there is one sweep.
  int64_t steps_of_first_sweep() const {
    if (cols_ > kScanBlock) return kStepsPerRow;
    return 4 * int64_t(free_.size()) >= 3 * rows_ && 5 * cols_ < 6 * rows_ ? 1 : 2;
  }

  // Every free row takes its best column, which gets cheaper by how much it is better than the second best.
  void reduce_rows(Run& run, int64_t steps_per_row) {
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
      const BestColumn<T> best = at_once ? scans_->lower_best(row(i), col_dual_.data(), cols_)
                                         : scans_->best_column(row(i), col_dual_.data(), cols_);
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

  static constexpr int64_t kStepsPerRow = 3;  // of augmenting row reduction

 private:
  // Returns whether a dual fell.
  bool transfer_reduction(int64_t i, Run& run) {
    const TwoSmallest<T> best = scans_->two_smallest(row(i), col_dual_.data(), cols_);
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

  const ColumnMinima<S>* minima_ = nullptr;
  std::vector<int32_t> claims_;        // of how many columns each row is the smallest
  std::vector<int32_t> free_columns_;  // as far as they are known in a sweep
  bool transfers_late_ = false;
};

}  // namespace konig
