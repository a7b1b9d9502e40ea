// A maximum matching of a graph whose rows are divided among ranks, where most entries are in columns that
// other ranks have entries in, too: random graphs.
//
// There a search that tells others of every column that it reaches says more than it reads. Here all ranks
// know a label of every column, and every row looks for itself.
//
// Claims. A row takes the first of its columns that is not taken. The owner of the column gives it to the
// first row that asks; a row that comes too late goes on along its list. Whoever asked, the column is taken,
// so that all ranks learn what is taken by the union of what each has asked for, a bitmap.
//
// Pushes (A. Goldberg, R. Tarjan, JACM 35 (1988); for matchings on many cores J. Langguth, A. Azad, M.
// Halappanavar, F. Manne, Parallel Computing 40 (2014)). The label of a column is a lower bound for the pairs
// on an alternating path from it to an unmatched column: 0 where it is unmatched itself. An unmatched row
// takes the column of the least label from the row that has it. The column's new label is one more than the
// second least in the row's list: there the row would go on if it lost the column. So only unmatched rows
// scan. The owner decides again: a push must raise the label, and all ranks hear of it. A label that a rank
// has not heard of yet is higher than what it knows, so that what follows from it still is a lower bound.
//
// Levels. Before the first pushes, and whenever pushes have become slow because many labels are too low, a
// search backwards from all unmatched columns finds the true ones (the bottom-up step of S. Beamer, K.
// Asanovic, D. Patterson, Direction-optimizing breadth-first search, SC 2012): the frontier is a bitmap of
// columns, a row that has one of them is reached, and its own column is in the next frontier. Labels never
// fall, so a row that was not reached within some levels once is not scanned within them again. A search may
// end before it has reached everything: what is left has at least the label of the next level. One that goes
// to the end without reaching an unmatched row is the proof (Konig 1931).
#pragma once

#include <algorithm>
#include <array>
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

template <class Id>
class LevelMatching {
 public:
  // The lists of this rank's rows must outlive this.
  LevelMatching(Division<Id> division, const Id* start, const Id* neighbour)
      : part_(std::move(division)),
        start_(start),
        neighbour_(neighbour),
        outbox_(part_.ranks, {1, 1, 2, 2, 3}),  // words of a record of each Kind
        taken_(words(), 0),
        col_of_row_(size_t(part_.rows), kNone),
        row_level_(size_t(part_.rows), 1),
        row_of_col_(size_t(part_.cols), kNone) {
    cursor_.assign(start, start + part_.rows);
  }

  // ---- claims

  // One round: hears which of its claims came too late and which of this rank's columns others claim; at most
  // `most` rows claim. Returns the messages; before the next round the caller unites taken() over all ranks.
  Sent<Id> claim(const Messages<Id>& received, int64_t most, Run& run) {
    outbox_.read(received, kLost, [&](const Id* record) { hear_lost(record[0]); });
    outbox_.read(received, kClaim, [&](const Id* record) {
      Id& mate = row_of_col_[record[0] - part_.first_col];
      if (mate == kNone)
        match(mate, record[1]);
      else
        lose(record[1]);
    });
    for (int64_t left = most; left > 0 && (!active_.empty() || next_row_ < part_.rows); --left) {
      Id i = next_row_;
      if (active_.empty()) {
        ++next_row_;
      } else {
        i = active_.back();
        active_.pop_back();
      }
      claim_from(i, run);
    }
    return outbox_.take(matched_, int64_t(active_.size()) + int64_t(part_.rows - next_row_));
  }
  std::vector<uint64_t>& taken() { return taken_; }

  // Labels, once claims are over and all ranks know what is taken.
  void label_taken() {
    label_ = LargeArray<uint8_t>(64 * words(), 0);  // the last are of no column
    reached_.assign(words(), 0);
    for (size_t w = 0; w < words(); ++w) {
      reached_[w] = ~taken_[w];
      raise(w, 1);
      for (uint64_t left = reached_[w]; left != 0; left &= left - 1)
        unmatched_.push_back(Id(w * 64 + size_t(std::countr_zero(left))));
    }
    while (!unmatched_.empty() && unmatched_.back() >= part_.all_cols) unmatched_.pop_back();
    cursor_ = {};
    activate();
  }

  // ---- pushes

  // One round: hears of labels, of lost columns and of pushes, and lets all active rows push, unless `wait`:
  // then none pushes until the next search.
  Sent<Id> push(const Messages<Id>& received, bool wait, Run& run) {
    outbox_.read(
        received, kLabelTwo, [&](const Id* record) { hear_label(record[0], 2); },
        [&](const Id* record, size_t steps) {
          if (steps == outbox_.kStepsAhead[0]) prefetch_to_write(&label_[record[0]]);
        });
    outbox_.read(received, kLabel, [&](const Id* record) { hear_label(record[0], uint8_t(record[1])); });
    outbox_.read(received, kLost, [&](const Id* record) { hear_lost(record[0]); });
    outbox_.read(received, kPush,
                 [&](const Id* record) { hear_push(record[0], record[1], uint8_t(record[2])); });
    if (wait) return outbox_.take(matched_);
    for (size_t k = 0; k < active_.size(); ++k) {  // a push may add to them
      prefetch_active(k);
      push_from(active_[k], run);
    }
    active_.clear();
    return outbox_.take(matched_);
  }

  // ---- levels

  // Begins a search from all unmatched columns; how many they are.
  int64_t begin_search() {
    level_ = 0;
    reached_.assign(words(), 0);
    std::erase_if(unmatched_, [&](Id col) { return label_[col] != 0; });
    std::vector<uint64_t> unmatched(words(), 0);
    for (const Id col : unmatched_) add_bit(unmatched, col);
    unreached_.resize(size_t(part_.rows));
    for (Id i = 0; i < part_.rows; ++i) unreached_[i] = i;
    return set_frontier(unmatched.data());
  }

  // Takes the union over all ranks of what level() reached: labels these columns and returns how many there
  // are.
  int64_t set_frontier(const uint64_t* bits) {
    frontier_.assign(bits, bits + words());
    int64_t size = 0;
    for (size_t w = 0; w < words(); ++w) {
      reached_[w] |= bits[w];
      size += std::popcount(bits[w]);
      for (uint64_t left = bits[w]; left != 0; left &= left - 1)
        label_[w * 64 + size_t(std::countr_zero(left))] = level_;
    }
    return size;
  }

  // Reaches the rows that have a column of the frontier: the bitmap of their own columns, and in a last word
  // how many of the rows are unmatched.
  std::vector<uint64_t> level(Run& run) {
    ++level_;
    std::vector<uint64_t> next(words() + 1, 0);
    size_t kept = 0;
    for (const Id i : unreached_) {
      const Id first = start_[i], last = row_level_[i] <= level_ ? start_[i + 1] : first;
      Id k = first;
      while (k < last && !has(frontier_, neighbour_[k])) ++k;
      scans_ += k - first;
      run.spend(k - first + 1);
      if (k == last) {
        unreached_[kept++] = i;
        continue;
      }
      row_level_[i] = level_;
      if (col_of_row_[i] != kNone)
        add_bit(next, col_of_row_[i]);
      else
        ++next.back();
    }
    unreached_.resize(kept);
    return next;
  }

  // Ends the search: nothing else can be reached, or not within the levels there were. Until the next search
  // a row gives up if all of its columns have labels above `limit`.
  void end_search(bool is_complete, int limit) {
    limit_ = uint8_t(std::min<int>(limit, kHighest - 1));
    const uint8_t least = is_complete ? kNever : uint8_t(level_ + 1);
    for (const Id i : unreached_) row_level_[i] = std::max(row_level_[i], least);
    for (size_t w = 0; w < words(); ++w) raise(w, least);
    activate();
  }

  int64_t scans() const { return scans_; }
  // After a complete search: whether a path leads from it to an unmatched column.
  bool row_reached(Id i) const { return row_level_[i] != kNever; }
  bool col_reached(Id col) const { return label_[part_.first_col + col] != kNever; }
  Id col_of_row(Id i) const { return col_of_row_[i]; }
  Id row_of_col(Id col) const { return row_of_col_[col]; }

 private:
  enum Kind : size_t {
    kLabelTwo,  // to all: the label of this column is 2, the commonest label, so it needs no word
    kLost,      // to the owner of a row: it has lost its column, or has not got it
    kLabel,     // to all: column, its label
    kClaim,     // to the owner of a column: column, the row that wants it if nobody has it
    kPush,      // to the owner of a column: column, the row that wants it, the label that it would have
  };
  static constexpr Id kNone = -1;
  static constexpr uint8_t kNever = 255;           // no path leads to an unmatched column
  static constexpr uint8_t kHighest = kNever - 1;  // of a column that was pushed to

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
    const Id col = neighbour_[k], row = part_.first_row + i;
    col_of_row_[i] = col;
    add_bit(taken_, col);
    if (part_.has_col(col))
      match(row_of_col_[col - part_.first_col], row);  // it was not taken
    else
      outbox_.put(kClaim, part_.col_owners.of(col), col, row);
  }

  // ---- pushes

  // What the next pushes will read: their lists, and the labels of their columns.
  void prefetch_active(size_t k) const {
    if (k + 8 < active_.size()) prefetch(&neighbour_[start_[active_[k + 8]]]);
    if (k + 4 >= active_.size()) return;
    const Id first = start_[active_[k + 4]], last = std::min<Id>(start_[active_[k + 4] + 1], first + 16);
    for (Id at = first; at < last; ++at) prefetch(&label_[neighbour_[at]]);
  }

  // The labels of those of 64 columns that were not reached: eight at a time, by a byte of ones for each.
  void raise(size_t w, uint8_t least) {
    for (size_t byte = 0; byte < 8; ++byte) {
      uint8_t* const label = &label_[w * 64 + byte * 8];
      const auto& ones = kOnes[uint8_t(~reached_[w] >> (byte * 8))];
      for (size_t k = 0; k < 8; ++k) label[k] = std::max<uint8_t>(label[k], least & ones[k]);
    }
  }
  static constexpr auto kOnes = [] {
    std::array<std::array<uint8_t, 8>, 256> ones{};
    for (size_t bits = 0; bits < 256; ++bits)
      for (size_t k = 0; k < 8; ++k) ones[bits][k] = bits >> k & 1 ? 255 : 0;
    return ones;
  }();

  void activate() {
    active_.clear();
    for (Id i = 0; i < part_.rows; ++i)
      if (col_of_row_[i] == kNone) active_.push_back(i);
  }

  // The row pushes to the column of its least label, if a path may lead on from there.
  void push_from(Id i, Run& run) {
    const Id first = start_[i], last = start_[i + 1];
    Id best = kNone;
    uint8_t least = kNever, next = kNever;
    for (Id k = first; k < last; ++k) {
      const Id col = neighbour_[k];
      const uint8_t label = label_[col];
      if (label < least) {
        next = least;
        least = label;
        best = col;
      } else if (label < next && col != best) {
        next = label;
      }
    }
    scans_ += last - first;
    run.spend(last - first + 1);
    if (least > limit_) return;
    col_of_row_[i] = best;
    const Id row = part_.first_row + i;
    const auto label = uint8_t(std::min<int>(next + 1, kHighest));
    if (part_.has_col(best))
      hear_push(best, row, label);
    else
      outbox_.put(kPush, part_.col_owners.of(best), best, row, label);
  }

  void hear_push(Id col, Id row, uint8_t label) {
    if (label <= label_[col]) return lose(row);
    Id& mate = row_of_col_[col - part_.first_col];
    if (mate != kNone) {
      lose(mate);
      mate = row;
    } else {
      match(mate, row);
    }
    label_[col] = label;
    if (label == 2)
      outbox_.put_to_all(kLabelTwo, col);
    else
      outbox_.put_to_all(kLabel, col, label);
  }

  void hear_label(Id col, uint8_t label) { label_[col] = std::max(label_[col], label); }

  // ---- claims and pushes

  void match(Id& mate, Id row) {
    mate = row;
    ++matched_;
  }

  void lose(Id row) {
    if (part_.has_row(row))
      hear_lost(row);
    else
      outbox_.put(kLost, part_.row_owners.of(row), row);
  }

  void hear_lost(Id row) {
    col_of_row_[row - part_.first_row] = kNone;
    active_.push_back(row - part_.first_row);
  }

  const Division<Id> part_;
  const Id* const start_;
  const Id* const neighbour_;
  Outbox<Id, 5> outbox_;
  std::vector<uint64_t> taken_;  // columns that some row has claimed
  std::vector<Id> cursor_;       // of each row: its columns before this place are taken
  Id next_row_ = 0;              // that has not claimed
  LargeArray<uint8_t> label_;    // of all columns
  std::vector<Id> unmatched_;    // columns, and some that were
  std::vector<Id> active_;       // unmatched rows that are to claim or to push
  std::vector<Id> col_of_row_;   // what a row has, or has claimed
  std::vector<Id> row_of_col_;
  std::vector<uint8_t> row_level_;  // one more than the least label of its columns, or less
  uint8_t level_ = 0, limit_ = kHighest - 1;
  std::vector<uint64_t> frontier_, reached_;  // columns, in this search
  std::vector<Id> unreached_;                 // rows
  int64_t matched_ = 0;                       // columns here
  int64_t scans_ = 0;
};

extern template class LevelMatching<int32_t>;
extern template class LevelMatching<int64_t>;

}  // namespace konig::distributed
