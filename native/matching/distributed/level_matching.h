// A maximum matching of a graph whose rows are divided among ranks, where most entries are in columns that
// other ranks have entries in, too: random graphs.
//
// There a search that tells others of every column that it reaches says more than it reads. Here ranks share
// bitmaps of columns instead, a bit for each column of the whole graph, and every row looks for itself.
//
// Claims. A row takes the first of its columns that is not taken. The owner of the column gives it to the
// first row that asks; a row that comes too late goes on along its list. Whoever asked, the column is taken,
// so that all ranks learn what is taken by the union of what each has asked for.
//
// Levels. A phase searches backwards from all unmatched columns (after S. Beamer, K. Asanovic, D. Patterson,
// Direction-optimizing breadth-first search, SC 2012, whose bottom-up step this is; on ranks A. Azad, A.
// Buluc, IPDPS 2016). The frontier is a bitmap of columns. A row that is not reached yet looks for a column
// of the frontier in its list: this is its parent, and the row's own column is in the next frontier. Where
// the frontier is small its columns look for their rows instead, in transposed lists, which are made once
// that would have saved more than they cost. A phase goes on until no frontier is left; if no unmatched row
// was reached by then, what was reached is the proof (Konig 1931).
//
// Walks. From each unmatched row that was reached a path leads along parents to an unmatched column. A walk
// reserves the columns on its way with their owners, and ends where one is reserved already. Those that
// reach an unmatched column turn back to flip their path, which is theirs alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "matching/distributed/block.h"
#include "matching/distributed/outbox.h"

namespace konig::distributed {

// Which ranks have which rows and columns, and those of this rank.
template <class Id>
struct Division {
  size_t rank, ranks;
  Owners<Id> row_owners, col_owners;
  Id first_row, rows, first_col, cols;
  Id all_cols;

  bool has_row(Id row) const { return row >= first_row && row - first_row < rows; }
  bool has_col(Id col) const { return col >= first_col && col - first_col < cols; }
};

template <class Id>
class LevelMatching {
 public:
  // The lists of this rank's rows must outlive this.
  LevelMatching(Division<Id> division, const Id* start, const Id* neighbour)
      : part_(std::move(division)),
        start_(start),
        neighbour_(neighbour),
        outbox_(part_.ranks, {1, 1, 2, 2, 2, 2}),
        taken_(words(), 0),
        frontier_(words(), 0),
        col_of_row_(size_t(part_.rows), kNone),
        parent_(size_t(part_.rows), kNone),
        cursor_(size_t(part_.rows)),
        row_of_col_(size_t(part_.cols), kNone),
        reserved_(size_t(part_.cols), 0) {
    if (part_.all_cols % 64) taken_.back() = ~uint64_t(0) << (part_.all_cols % 64);  // there are none
    for (Id i = 0; i < part_.rows; ++i) cursor_[i] = start[i];
  }

  // ---- claims

  // One round: hears which claims came too late, and whose columns are asked for; lets at most `most` rows
  // claim. The messages; what is taken is to be united over all ranks before the next round.
  Sent<Id> claim(const Messages<Id>& received, int64_t most, Run& run) {
    outbox_.read(received, kTooLate, [&](const Id* record) {
      col_of_row_[record[0] - part_.first_row] = kNone;
      pending_.push_back(record[0] - part_.first_row);
    });
    outbox_.read(received, kClaim, [&](const Id* record) { hear_claim(record[0], record[1]); });
    for (int64_t left = most; left > 0 && (!pending_.empty() || next_row_ < part_.rows); --left) {
      Id i = next_row_;
      if (pending_.empty()) {
        ++next_row_;
      } else {
        i = pending_.back();
        pending_.pop_back();
      }
      claim_from(i, run);
    }
    return outbox_.take(matched_, int64_t(pending_.size()) + int64_t(part_.rows - next_row_));
  }

  // ---- levels

  // Begins a phase with all columns that are not taken; how many they are.
  int64_t begin_phase(Run& run) {
    std::fill(parent_.begin(), parent_.end(), Id(kNone));
    std::fill(reserved_.begin(), reserved_.end(), 0);
    unreached_.resize(size_t(part_.rows));
    for (Id i = 0; i < part_.rows; ++i) unreached_[i] = i;
    reached_.clear();
    for (size_t w = 0; w < words(); ++w) frontier_[w] = ~taken_[w];
    run.spend(part_.rows);
    return set_frontier(frontier_.data());
  }

  // The frontier of the next level, as a bitmap or as its columns; how many they are.
  int64_t set_frontier(const uint64_t* bits) {
    frontier_size_ = 0;
    for (size_t w = 0; w < words(); ++w) {
      frontier_[w] = bits[w];
      frontier_size_ += std::popcount(bits[w]);
    }
    is_listed_ = false;
    return frontier_size_;
  }
  int64_t set_frontier(const Id* cols, int64_t count) {
    if (is_listed_)
      for (const Id col : frontier_cols_) frontier_[size_t(col) / 64] = 0;
    else
      std::fill(frontier_.begin(), frontier_.end(), 0);
    for (int64_t k = 0; k < count; ++k) add_bit(frontier_, cols[k]);
    frontier_cols_.assign(cols, cols + count);
    is_listed_ = true;
    return frontier_size_ = count;
  }

  // Reaches the rows that have a column of the frontier; what they add to the next one.
  const std::vector<Id>& level(Run& run) {
    next_.clear();
    if (!is_small_frontier()) {
      reach_from_rows(run);
    } else if (has_transposed_) {
      reach_from_columns(run);
    } else {
      const int64_t before = scans_;
      reach_from_rows(run);
      wasted_ += scans_ - before;
      if (wasted_ > kWorthTransposing * int64_t(start_[part_.rows])) transpose_lists(run);
    }
    return next_;
  }
  // The same as a bitmap.
  std::vector<uint64_t> next_bits() const {
    std::vector<uint64_t> bits(words(), 0);
    for (const Id col : next_) add_bit(bits, col);
    return bits;
  }
  int64_t unmatched_reached() const { return int64_t(reached_.size()); }

  // ---- walks

  // One round: begins the walks of this phase, and goes on with those that come from other ranks.
  Sent<Id> walk(const Messages<Id>& received, Run& run) {
    outbox_.read(received, kReserve, [&](const Id* record) { go_on(record[0], record[1], run); });
    outbox_.read(received, kStep, [&](const Id* record) { go_on(parent_of(record[0]), record[1], run); });
    outbox_.read(received, kFlip, [&](const Id* record) { flip(record[0], run); });
    outbox_.read(received, kMate, [&](const Id* record) {
      const Id before = matched_before(record[0], record[1]);
      if (before != kNone) flip(before, run);
    });
    for (const Id i : std::exchange(reached_, {})) go_on(parent_[i], part_.first_row + i, run);
    return outbox_.take(matched_);
  }

  std::vector<uint64_t>& taken() { return taken_; }
  int64_t scans() const { return scans_; }
  bool is_reached(Id i) const { return parent_[i] != kNone; }
  Id col_of_row(Id i) const { return col_of_row_[i]; }
  Id row_of_col(Id col) const { return row_of_col_[col]; }

 private:
  enum Kind : size_t {
    kTooLate,  // to the owner of a row: its claim was not the first
    kFlip,     // to the owner of a row: it takes its parent
    kClaim,    // to the owner of a column: column, the row that wants it
    kReserve,  // to the owner of a column: column, the row where the walk began
    kMate,     // to the owner of a column: column, the row that it is matched to now
    kStep,     // to the owner of a row: the row, the row where the walk began
  };
  static constexpr Id kNone = -1;
  static constexpr double kFewer = 8;
  static constexpr int64_t kWorthTransposing = 8;  // scans of each entry

  size_t words() const { return (size_t(part_.all_cols) + 63) / 64; }
  static bool has(const std::vector<uint64_t>& bits, Id k) { return bits[size_t(k) / 64] >> (k % 64) & 1; }
  static void add_bit(std::vector<uint64_t>& bits, Id k) { bits[size_t(k) / 64] |= uint64_t(1) << (k % 64); }

  void claim_from(Id i, Run& run) {
    Id k = cursor_[i];
    while (k < start_[i + 1] && has(taken_, neighbour_[k])) ++k;
    scans_ += k - cursor_[i];
    run.spend(k - cursor_[i] + 1);
    cursor_[i] = k;
    if (k == start_[i + 1]) return;
    const Id col = neighbour_[k];
    col_of_row_[i] = col;
    add_bit(taken_, col);
    if (part_.has_col(col))
      hear_claim(col, part_.first_row + i);
    else
      outbox_.put(kClaim, part_.col_owners.of(col), col, part_.first_row + i);
  }

  void hear_claim(Id col, Id row) {
    Id& mate = row_of_col_[col - part_.first_col];
    if (mate == kNone) {
      mate = row;
      ++matched_;
    } else {
      outbox_.put(kTooLate, part_.row_owners.of(row), row);
    }
  }

  // ---- levels

  // Whether its columns have fewer entries here than the rows that are not reached, by a margin: these are
  // read in order.
  bool is_small_frontier() const {
    return kFewer * double(frontier_size_) * double(part_.rows) <
           double(unreached_.size()) * double(part_.all_cols);
  }

  void reach_from_rows(Run& run) {
    size_t kept = 0;
    for (const Id i : unreached_) {
      if (parent_[i] != kNone) continue;  // by its column
      const Id first = start_[i], last = start_[i + 1];
      Id k = first;
      while (k < last && !has(frontier_, neighbour_[k])) ++k;
      scans_ += k - first;
      run.spend(k - first + 1);
      if (k < last)
        reach(i, neighbour_[k]);
      else
        unreached_[kept++] = i;
    }
    unreached_.resize(kept);
  }

  void reach_from_columns(Run& run) {
    if (!is_listed_) list_frontier();
    for (const Id col : frontier_cols_) {
      const Id ghost = numbers_.find(col);
      if (ghost == kNone) continue;
      const Id first = ghost_start_[ghost], last = ghost_start_[ghost + 1];
      for (Id k = first; k < last; ++k)
        if (parent_[ghost_rows_[k]] == kNone) reach(ghost_rows_[k], col);
      scans_ += last - first;
      run.spend(last - first + 1);
    }
  }

  void reach(Id i, Id col) {
    parent_[i] = col;
    if (col_of_row_[i] != kNone)
      next_.push_back(col_of_row_[i]);
    else
      reached_.push_back(i);
  }

  void list_frontier() {
    frontier_cols_.clear();
    for (size_t w = 0; w < words(); ++w)
      for (uint64_t left = frontier_[w]; left != 0; left &= left - 1)
        frontier_cols_.push_back(Id(w * 64 + size_t(std::countr_zero(left))));
    is_listed_ = true;
  }

  void transpose_lists(Run& run) {
    const Id entries = start_[part_.rows];
    numbers_ = ColumnNumbers<Id>(neighbour_, entries, part_.all_cols, run);
    LargeArray<Id> ghosts(static_cast<size_t>(entries));
    for (Id k = 0; k < entries; ++k) {
      ghosts[k] = numbers_.of(neighbour_[k]);
      run.spend(1);
    }
    ghost_start_ = LargeArray<Id>(size_t(numbers_.count()) + 1, 0);
    ghost_rows_ = LargeArray<Id>(size_t(entries));
    transpose(start_, ghosts.data(), int64_t(part_.rows), int64_t(numbers_.count()), ghost_start_.data(),
              ghost_rows_.data(), 1, run);
    has_transposed_ = true;
  }

  // ---- walks

  Id parent_of(Id row) const { return parent_[row - part_.first_row]; }

  // The walk that began in a row reserves a column, and those that follow on its way as far as they are here.
  void go_on(Id col, Id walker, Run& run) {
    while (part_.has_col(col)) {
      run.spend(1);
      const Id here = col - part_.first_col;
      if (std::exchange(reserved_[here], 1)) return;
      const Id row = row_of_col_[here];
      if (row == kNone) {
        ++matched_;
        return flip(walker, run);
      }
      if (!part_.has_row(row)) return outbox_.put(kStep, part_.row_owners.of(row), row, walker);
      col = parent_of(row);
    }
    outbox_.put(kReserve, part_.col_owners.of(col), col, walker);
  }

  // A row takes its parent, the row that had that takes its own, and so on.
  void flip(Id row, Run& run) {
    while (part_.has_row(row)) {
      run.spend(1);
      const Id col = parent_of(row);
      col_of_row_[row - part_.first_row] = col;
      if (!part_.has_col(col)) return outbox_.put(kMate, part_.col_owners.of(col), col, row);
      row = matched_before(col, row);
      if (row == kNone) return;
    }
    outbox_.put(kFlip, part_.row_owners.of(row), row);
  }

  // The row that a column here had before it got this one.
  Id matched_before(Id col, Id row) {
    const Id before = std::exchange(row_of_col_[col - part_.first_col], row);
    if (before == kNone) add_bit(taken_, col);
    return before;
  }

  const Division<Id> part_;
  const Id* const start_;
  const Id* const neighbour_;
  Outbox<Id, 6> outbox_;
  std::vector<uint64_t> taken_;  // columns that some row has asked for
  std::vector<uint64_t> frontier_;
  std::vector<Id> frontier_cols_;  // if is_listed_
  bool is_listed_ = false;
  int64_t frontier_size_ = 0;
  std::vector<Id> next_;  // columns
  std::vector<Id> col_of_row_;
  std::vector<Id> parent_;  // of rows reached in this phase
  std::vector<Id> cursor_;  // columns before it are taken
  std::vector<Id> row_of_col_;
  std::vector<uint8_t> reserved_;  // by a walk of this phase
  std::vector<Id> pending_;        // rows whose claim came too late
  std::vector<Id> unreached_;
  std::vector<Id> reached_;  // unmatched rows, in this phase
  Id next_row_ = 0;          // that has not claimed
  int64_t matched_ = 0;      // columns here
  int64_t scans_ = 0;
  int64_t wasted_ = 0;  // scans from rows where columns would have had fewer
  bool has_transposed_ = false;
  ColumnNumbers<Id> numbers_;
  LargeArray<Id> ghost_start_, ghost_rows_;  // the rows here of each column that occurs
};

extern template class LevelMatching<int32_t>;
extern template class LevelMatching<int64_t>;

}  // namespace konig::distributed
