// Karp-Sipser matching on ranks: as long as a vertex of either side has exactly one unmatched neighbour,
// match the two (never a mistake); when none is left, a row takes one of its unmatched columns, and back.
//
// Karp and Sipser, "Maximum matchings in sparse random graphs", FOCS 1981; on ranks after Patwary, Bisseling
// and Manne, "Parallel greedy graph matching using an edge partitioning approach", HLPP 2010, and Langguth,
// Patwary and Manne, Parallel Computing 37 (2011).
//
// State. A rank counts for each of its rows the entries in unmatched columns, and for each of its columns the
// entries in unmatched rows; the exclusive or of these neighbours is the neighbour itself where there is one.
// A duplicate entry counts twice, which makes the rule more cautious. A count may lag behind, but only above
// the truth.
//
// Who matches what. The owner of the column decides: a row proposes to a column, and the column takes the
// first row that does. A column with one neighbour claims it; the row answers with a proposal. A row has one
// proposal at a time and waits for its answer, and what others claim waits with it. The answer comes with the
// news that the column is matched, which all its subscribers hear. So no two ranks ever decide about the same
// vertex.
//   A column that claims a row is never asked by another: its one neighbour is that row, since counts are not
// below the truth.
//
// What is said to a rank itself is done at once. So within a rank this is the sequential algorithm; one rank
// alone needs no exchange at all, and on a graph whose entries stay near the diagonal there are few. A rank
// makes its free choices until it has said so much that others should hear it first: choices made without
// knowing what the others did are worse ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"
#include "matching/distributed/block.h"

namespace konig::distributed {

template <class Id>
class KarpSipser {
 public:
  KarpSipser(const Block<Id>& block, Run& run)
      : block_(block),
        outbox_(block.ranks, {2, 2, 2, 2}),
        rows_(size_t(block.rows) + 1),
        row_of_ghost_(size_t(block.ghosts()), kUnmatched),
        cols_(size_t(block.cols), {0, 0, kUnmatched}) {
    for (Id i = 0; i < block.rows; ++i) {
      Id only = 0;
      const Id first = block.row_start[i], last = block.row_start[i + 1];
      for (Id k = first; k < last; ++k) only ^= block.row_ghosts[k];
      rows_[i] = {last - first, only, kUnmatched, first};
      if (last - first == 1) queue_.push_back(i);
      run.spend(last - first + 1);
    }
    rows_[block.rows].start = block.row_start[block.rows];
  }

  void count_degree(Id col, Degree<Id> degree) {
    cols_[col].open += degree.entries;
    cols_[col].only ^= degree.rows;
  }
  void queue_columns() {
    for (Id col = 0; col < block_.cols; ++col)
      if (cols_[col].open == 1) queue_.push_back(~col);
  }

  // One round: hears what was said, matches what has one neighbour, and chooses until it has `patience`
  // records to say. Returns the messages.
  Sent<Id> round(const Messages<Id>& received, int64_t patience, Run& run) {
    outbox_.read(received, kMatched, [&](const Id* record) { hear_matched(record[0], record[1], run); });
    outbox_.read(received, kRemoved,
                 [&](const Id* record) { remove(record[0] - block_.first_col, record[1]); });
    outbox_.read(received, kPropose,
                 [&](const Id* record) { match(record[0] - block_.first_col, record[1], run); });
    outbox_.read(received, kClaim, [&](const Id* record) { hear_claim(record[0], record[1], run); });
    hear_waiting_claims(run);
    do serve_queue(run);
    while (outbox_.records() < patience && choose_next(run));
    serve_queue(run);
    return outbox_.take(matched_);
  }

  // Of this rank's rows (their ghosts), of its ghosts and of its columns (rows of the whole graph).
  LargeArray<Id> col_of_row() const {
    LargeArray<Id> mates(size_t(block_.rows));
    for (Id i = 0; i < block_.rows; ++i) mates[i] = std::max(rows_[i].mate, Id(kUnmatched));
    return mates;
  }
  LargeArray<Id> take_row_of_ghost() { return std::move(row_of_ghost_); }
  LargeArray<Id> row_of_col() const {
    LargeArray<Id> mates(cols_.size());
    for (size_t col = 0; col < cols_.size(); ++col) mates[col] = std::max(cols_[col].mate, Id(kUnmatched));
    return mates;
  }
  int64_t scans() const { return scans_; }

 private:
  // In the order in which they are heard: first what has happened, then what is wanted.
  enum Kind : size_t {
    kMatched,  // to subscribers: ghost, its row
    kRemoved,  // to the owner of a column: column, a row of it that is matched
    kPropose,  // to the owner of a column: column, the row that wants it
    kClaim,    // to the owner of a row: ghost there, the row that it wants
  };
  static constexpr Id kUnmatched = -1;
  static constexpr Id kClaiming = -2;                             // of a column
  static constexpr Id proposing(Id ghost) { return -2 - ghost; }  // of a row

  struct Row {
    Id open;  // entries in unmatched columns
    Id only;  // the exclusive or of their ghosts
    Id mate;  // a ghost, kUnmatched, or proposing(ghost)
    Id start;
  };
  struct Column {
    int64_t open;  // entries in unmatched rows of all ranks, which may be more than an Id holds
    Id only;
    Id mate;  // a row of the whole graph, kUnmatched, or kClaiming
  };

  // Matches what waits in the queue.
  void serve_queue(Run& run) {
    while (head_ < queue_.size()) {
      const Id waiting = queue_[head_++];
      if (waiting >= 0) {
        const Row& row = rows_[waiting];
        if (row.open == 1 && row.mate == kUnmatched) propose(waiting, row.only, run);
      } else {
        const Column& col = cols_[~waiting];
        if (col.open == 1 && col.mate == kUnmatched) claim(~waiting, run);
      }
      run.spend(1);
    }
    queue_.clear();  // back to memory that is in the cache
    head_ = 0;
  }

  // The next row that has a choice takes a column; false if none is left.
  bool choose_next(Run& run) {
    while (refused_at_ < refused_.size() || next_ < block_.rows) {
      const Id i = refused_at_ < refused_.size() ? refused_[refused_at_++] : next_++;
      if (refused_at_ == refused_.size()) {
        refused_.clear();
        refused_at_ = 0;
      }
      run.spend(1);
      if (rows_[i].mate != kUnmatched || rows_[i].open == 0) continue;
      propose(i, choice(i), run);
      return true;
    }
    return false;
  }

  // The first unmatched column that this rank owns, so that it need not ask; else the first of all.
  Id choice(Id i) {
    Id first = kUnmatched;
    Id k = rows_[i].start;
    for (; k < rows_[i + 1].start; ++k) {
      const Id ghost = block_.row_ghosts[k];
      if (row_of_ghost_[ghost] >= 0) continue;
      if (block_.owns_ghost(ghost)) return ghost;
      if (first < 0) first = ghost;
    }
    return first;
  }
  void propose(Id i, Id ghost, Run& run) {
    rows_[i].mate = proposing(ghost);
    const Id row = block_.first_row + i;
    if (block_.owns_ghost(ghost))
      match(block_.own_col(ghost), row, run);
    else
      outbox_.put(kPropose, block_.owner_of_ghost(ghost), block_.ghost_col[ghost], row);
  }

  void claim(Id col, Run& run) {
    cols_[col].mate = kClaiming;
    const Id row = cols_[col].only;
    if (block_.has_row(row)) return hear_claim(block_.own_ghost(col), row, run);
    const size_t rank = block_.row_owners.of(row);
    const Subscriber<Id>* subscriber = block_.subscribers(col);
    while (size_t(subscriber->rank) != rank) ++subscriber;
    outbox_.put(kClaim, rank, subscriber->ghost, row);
  }

  // A row asks for a column of this rank. What the others hear of it is the answer.
  void match(Id col, Id row, Run& run) {
    if (cols_[col].mate >= 0) return;
    cols_[col].mate = row;
    for (auto* to = block_.subscribers(col); to != block_.subscribers_end(col); ++to)
      outbox_.put(kMatched, size_t(to->rank), to->ghost, row);
    hear_matched(block_.own_ghost(col), row, run);
  }

  // A ghost is matched: its rows here have one unmatched column fewer, and one may have waited for this.
  void hear_matched(Id ghost, Id row, Run& run) {
    if (row_of_ghost_[ghost] >= 0) return;  // by the claim that was accepted here
    row_of_ghost_[ghost] = row;
    const Id first = block_.ghost_start[ghost], last = block_.ghost_start[ghost + 1];
    const Id winner = block_.has_row(row) ? row - block_.first_row : kUnmatched;
    for (Id k = first; k < last; ++k) {
      const Id i = block_.ghost_rows[k];
      Row& other = rows_[i];
      if (other.mate >= 0 || i == winner) continue;
      --other.open;
      other.only ^= ghost;
      if (other.mate == proposing(ghost)) {
        other.mate = kUnmatched;
        if (other.open > 0) refused_.push_back(i);
      }
      if (other.open == 1) queue_.push_back(i);
    }
    scans_ += last - first;
    run.spend(last - first + 1);
    if (winner >= 0) settle(winner, ghost, run);
  }

  // The row is matched for good: its columns have one unmatched row fewer.
  void settle(Id i, Id ghost, Run& run) {
    if (rows_[i].mate >= 0) return;
    rows_[i].mate = ghost;
    ++matched_;
    const Id row = block_.first_row + i, first = rows_[i].start, last = rows_[i + 1].start;
    for (Id k = first; k < last; ++k) {
      const Id other = block_.row_ghosts[k];
      if (block_.owns_ghost(other))
        remove(block_.own_col(other), row);
      else if (row_of_ghost_[other] < 0)
        outbox_.put(kRemoved, block_.owner_of_ghost(other), block_.ghost_col[other], row);
    }
    scans_ += last - first;
    run.spend(last - first + 1);
  }

  // A column of this rank has one unmatched row fewer. What is counted for a matched one is of no use.
  void remove(Id at, Id row) {
    Column& col = cols_[at];
    --col.open;
    col.only ^= row;
    if (col.open == 1 && col.mate == kUnmatched) queue_.push_back(~at);
  }

  // A column with this one neighbour wants it. If the row waits for another answer, so does the claim.
  void hear_claim(Id ghost, Id row, Run& run) {
    const Id i = row - block_.first_row;
    if (rows_[i].mate >= 0 || rows_[i].mate == proposing(ghost)) return;
    if (rows_[i].mate != kUnmatched) {
      waiting_claims_.push_back({ghost, row});
      return;
    }
    propose(i, ghost, run);
    // The column has no other row that could be taken first, so the row need not wait for the answer.
    if (row_of_ghost_[ghost] < 0) {
      row_of_ghost_[ghost] = row;
      settle(i, ghost, run);
    }
  }

  void hear_waiting_claims(Run& run) {
    const auto waiting = std::exchange(waiting_claims_, {});
    for (const auto& [ghost, row] : waiting) hear_claim(ghost, row, run);
  }

  const Block<Id>& block_;
  Outbox<Id, 4> outbox_;
  LargeArray<Row> rows_;
  LargeArray<Id> row_of_ghost_;
  LargeArray<Column> cols_;
  std::vector<Id> queue_;  // with one neighbour: rows here, and columns as ~column
  size_t head_ = 0;
  std::vector<Id> refused_;  // rows whose choice went to another
  size_t refused_at_ = 0;
  Id next_ = 0;  // row that has not chosen
  std::vector<std::pair<Id, Id>> waiting_claims_;
  int64_t matched_ = 0, scans_ = 0;
};

}  // namespace konig::distributed
