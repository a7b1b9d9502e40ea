// Shortest augmenting paths in the dense assignment problem: Dijkstra's algorithm on the reduced costs.
//
// A scan of a row runs over all columns in order; a dual of `Bounds::scanned` keeps scanned columns out. Once
// searches turn out to be long, rows that are equal to one that was scanned are left out (equal_rows.h): with
// up to fifty kinds of rows that takes 0.5 to 0.9 of the time.
// Where the columns are few, a whole search is one call (dense_scans.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "assignment/equal_rows.h"
#include "assignment/state.h"

namespace konig {

template <class S, class T>
class DenseSearch {
 public:
  using State = DenseState<S, T>;
  static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();  // of scans
  explicit DenseSearch(State& state) : state_(state) {}

  // Before each problem, with other costs: an earlier one may have been interrupted.
  void reset() {
    scanned_.clear();
    equal_rows_.forget();
  }

  // Whether every row could be assigned; if not, the violator says why. Nothing if the first paths promise
  // that it takes more than `promised` scans of rows, or if it takes more than `most`; what is assigned then
  // stays so, and the other rows are among State::free.
  std::optional<bool> assign_free_rows(int64_t promised, int64_t most, Run& run) {
    state_.counts.reduced_rows = state_.rows - int64_t(state_.free.size());
    run.report(state_.counts.reduced_rows, state_.rows);
    if (state_.free.empty()) return true;
    key_.resize(padded_columns(state_.cols));
    before_.resize(key_.size());
    block_least_.resize((state_.cols + kScanBlock - 1) / kScanBlock);
    find_free_columns();
    const int64_t begun = state_.counts.row_scans;
    const auto count = int64_t(state_.free.size());
    for (int64_t k = 0; k < count; ++k) {
      const int64_t scans = state_.counts.row_scans - begun;
      const bool promises_more = k >= kPathsToJudge && 4 * k <= count && scans / k * count > promised;
      if (!state_.is_one_block() && (promises_more || scans > most)) {
        state_.free.erase(state_.free.begin(), state_.free.begin() + k);
        return {};
      }
      const int32_t root = state_.free[k];
      const bool at_once = state_.is_narrow() && !state_.turned;
      if (!at_once && !state_.turned && !equal_rows_.are_known() && scans > 2 * state_.rows)
        equal_rows_.find(state_.costs.data, state_.rows, state_.cols, run);
      if (!(at_once ? augment_at_once(root, run) : augment_from(root, run))) return false;
    }
    return true;
  }
  bool assign_free_rows(Run& run) { return *assign_free_rows(kNoLimit, kNoLimit, run); }

 private:
  static constexpr T kInfinity = State::kInfinity;
  static constexpr int64_t kPathsToJudge = 4;

  // The same search by one call.
  bool augment_at_once(int32_t root, Run& run) {
    ScannedColumn<T> scanned[kNarrow];
    const NarrowSearch<T> found =
        state_.scans->search(state_.costs.data, state_.col_dual.data(), state_.row_of_col.data(),
                             free_.data(), root, state_.cols, scanned, before_.data());
    state_.counts.row_scans += found.scanned + 1;
    run.spend((found.scanned + 1) * (state_.cols / 4 + 1));
    if (found.end < 0) {
      scanned_.assign(scanned, scanned + found.scanned);
      return refuse_tree(root);
    }
    for (int32_t k = 0; k < found.scanned; ++k) move_dual(scanned[k], found.length);
    augment_along(root, found.end);
    return true;
  }

  void move_dual(const ScannedColumn<T>& s, T length) {
    state_.col_dual[s.col] = moved(s.dual, s.length, length);
  }

  void find_free_columns() {
    free_.assign(block_least_.size(), 0);
    for (int64_t j = 0; j < state_.cols; ++j)
      free_[j / kScanBlock] |= uint64_t(state_.row_of_col[j] < 0) << (j % kScanBlock);
  }

  void augment_along(int32_t root, int32_t end) {
    free_[end / kScanBlock] &= ~(uint64_t(1) << (end % kScanBlock));
    for (int32_t j = end; j >= 0;) {
      const int32_t i = before_[j], next = state_.col_of_row[i];
      state_.assign(i, j);
      j = i == root ? -1 : next;
    }
    ++state_.counts.paths;
  }

  bool augment_from(int32_t root, Run& run) {
    std::fill(key_.begin(), key_.end(), kInfinity);
    T length = T(0);
    equal_rows_.start_search(root);
    relax(root, T(0), run);
    int32_t end = -1;
    while (true) {
      const int32_t j = nearest(length);
      if (j < 0) return refuse_tree(root);
      if (state_.row_of_col[j] < 0) {
        end = j;
        break;
      }
      const int32_t i = state_.row_of_col[j];
      const bool is_first = equal_rows_.take_kind(i);  // read here: later it delays relax() by a third
      const T base = state_.slack(i, j) - length;
      scanned_.push_back({j, length, state_.col_dual[j]});
      key_[j] = kInfinity;
      state_.col_dual[j] = Bounds<T>::scanned;
      if (is_first)
        relax(i, base, run);
      else
        block_least_[j / kScanBlock] = state_.scans->least_of_block(&key_[j / kScanBlock * kScanBlock]);
    }
    for (const auto& s : scanned_) move_dual(s, length);
    scanned_.clear();
    augment_along(root, end);
    run.report(state_.counts.reduced_rows + state_.counts.paths, state_.rows);
    return true;
  }

  void relax(int32_t i, T base, Run& run) {
    state_.scans->relax(state_.row(i), state_.col_dual.data(), base, i, state_.cols, key_.data(),
                        before_.data(), block_least_.data());
    state_.count_scan(run);
  }

  // The nearest column that is not scanned, a free one if there is a choice; -1 if none can be reached. To be
  // called when block_least_ is right, as relax() leaves it.
  int32_t nearest(T& length) const {
    T least = kInfinity;
    for (const T value : block_least_) least = std::min(least, value);
    if (least >= kInfinity) return -1;
    length = least;
    int32_t found = -1;
    for (size_t block = 0; block < block_least_.size(); ++block) {
      if (block_least_[block] != least) continue;
      const int64_t first = int64_t(block) * kScanBlock, count = std::min(kScanBlock, state_.cols - first);
      const uint64_t set = state_.scans->with_key(&key_[first], least, count);
      if ((set & free_[block]) != 0) return int32_t(first + std::countr_zero(set & free_[block]));
      if (found < 0) found = int32_t(first + std::countr_zero(set));
    }
    return found;
  }

  // The rows of the tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root) {
    state_.violator.rows.assign(state_.rows, 0);
    state_.violator.cols.assign(state_.cols, 0);
    state_.violator.rows[root] = 1;
    for (const auto& s : scanned_) {
      state_.violator.cols[s.col] = 1;
      state_.violator.rows[state_.row_of_col[s.col]] = 1;
      state_.col_dual[s.col] = s.dual;
    }
    scanned_.clear();
    return false;
  }

  Aligned<T> key_;
  Aligned<int32_t> before_;
  std::vector<T> block_least_;
  std::vector<uint64_t> free_;  // of each block, a bit for each column without a row
  std::vector<ScannedColumn<T>> scanned_;
  EqualRows equal_rows_;
  State& state_;
};

}  // namespace konig
