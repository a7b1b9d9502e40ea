// Augmenting paths on ranks: breadth-first search from all unmatched rows at once.
//
// Azad and Buluc, "Distributed-memory algorithms for maximum cardinality matching in bipartite graphs",
// IPDPS 2016, without its matrices: each rank keeps whole rows, so that an entry that stays on a rank costs
// no message.
//
// A phase grows a tree of alternating paths from each unmatched row; each vertex is in one tree. A row scans
// its columns, and from a matched column the tree goes on to its row: one record (row, parent, root) to that
// row's owner, which takes the first that comes. A column is reached once from each rank that has it as a
// ghost. The first unmatched column that a tree reaches ends it: the owner of the column gives it to one
// tree, the owner of the root takes one column, and from there the path is flipped backwards, row by row. A
// tree that has ended is grown no further. Phases go on until one finds no path; what that one reached is the
// proof (Konig 1931).
//
// Searching and flipping need not wait for each other: the rows of a path are in its tree until the phase
// ends, so whoever follows a mate that has changed since meets a row that is taken.
//
// What is said to a rank itself is done at once. A rank grows its trees level by level, and lets the others
// hear when it has more to tell them than rows of its own to go on with. So where paths cross often a round
// is about a level, and where they stay on a rank a round is many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "matching/distributed/block.h"

namespace konig::distributed {

// A bit for each of some numbers.
class Bits {
 public:
  explicit Bits(int64_t count = 0) : words_((size_t(count) + 63) / 64, 0) {}
  bool has(int64_t k) const { return words_[size_t(k) / 64] >> (k % 64) & 1; }
  // False if it was there.
  bool add(int64_t k) {
    if (has(k)) return false;
    words_[size_t(k) / 64] |= uint64_t(1) << (k % 64);
    return true;
  }

 private:
  std::vector<uint64_t> words_;
};

template <class Id>
class Search {
 public:
  Search(const Block<Id>& block, LargeArray<Id> col_of_row, LargeArray<Id> row_of_ghost,
         LargeArray<Id> row_of_col)
      : block_(block),
        outbox_(block.ranks, {1, 2, 2, 2, 3, 3, 3}),
        ghost_of_row_(std::move(col_of_row)),
        row_of_ghost_(std::move(row_of_ghost)),
        row_of_col_(std::move(row_of_col)),
        root_of_(ghost_of_row_.size(), kNone),
        parent_(ghost_of_row_.size()),
        reached_(block.ghosts()),
        given_(block.cols) {}

  // Plants a tree in each unmatched row. Roots are numbered over all ranks; those of rank r begin at
  // first_root[r].
  void plant(std::vector<Id> first_root) {
    first_root_ = std::move(first_root);
    ended_ = Bits(first_root_.back());
    Id root = first_root_[block_.rank];
    for (Id i = 0; i < block_.rows; ++i)
      if (ghost_of_row_[i] == kNone) root_of_[i] = root++;
    matched_ = int64_t(block_.rows) - int64_t(root - first_root_[block_.rank]);
  }

  // Begins a phase with the roots that are still unmatched.
  void begin_phase(Run& run) {
    paths_ = 0;
    for (Id i = 0; i < block_.rows; ++i) {
      if (ghost_of_row_[i] == kNone)
        frontier_.push_back(i);
      else
        root_of_[i] = kNone;
    }
    run.spend(block_.rows);
    reached_ = Bits(block_.ghosts());
    given_ = Bits(block_.cols);
  }

  // Hears what was said, and grows the trees as far as this rank's rows go. Returns the messages.
  Sent<Id> round(const Messages<Id>& received, Run& run) {
    outbox_.read(received, kEnded, [&](const Id* record) { end(record[0]); });
    outbox_.read(received, kGhostMate, [&](const Id* record) { row_of_ghost_[record[0]] = record[1]; });
    outbox_.read(received, kMate, [&](const Id* record) { hear_mate(record[0], record[1]); });
    outbox_.read(received, kFlip, [&](const Id* record) { flip(record[0], record[1], run); });
    outbox_.read(received, kGiven,
                 [&](const Id* record) { hear_given(record[0], record[1], record[2], run); });
    outbox_.read(received, kFound,
                 [&](const Id* record) { hear_found(record[0], record[1], record[2], run); });
    outbox_.read(
        received, kVisit, [&](const Id* record) { visit(record[0], record[1], record[2]); },
        [&](const Id* record, size_t steps) {
          if (steps == outbox_.kStepsAhead[0]) prefetch_to_write(&root_of_[record[0] - block_.first_row]);
        });
    do {
      const auto level = std::exchange(frontier_, {});
      for (size_t k = 0; k < level.size(); ++k) {
        prefetch_level(level, k);
        scan(level[k], run);
      }
    } while (!frontier_.empty() && int64_t(frontier_.size()) >= outbox_.records());
    return outbox_.take(matched_, int64_t(frontier_.size()));
  }

  // Found in this phase, by all ranks, once it is over.
  int64_t paths() const { return paths_; }
  int64_t scans() const { return scans_; }

  // Whether a row of this rank is in a tree, and its column if it has one.
  bool in_tree(Id i) const { return root_of_[i] != kNone; }
  Id col_of_row(Id i) const { return ghost_of_row_[i] == kNone ? kNone : block_.ghost_col[ghost_of_row_[i]]; }
  Id row_of_col(Id col) const { return row_of_col_[col]; }

 private:
  enum Kind : size_t {
    kEnded,      // to all: the root of a tree that has its path
    kGhostMate,  // to subscribers: ghost, its row
    kMate,       // to the owner of a column: column, its row
    kFlip,       // to the owner of a row: row, the column that it is matched to now
    kGiven,      // to the owner of a root: root, row, the unmatched column that its tree gets from there
    kFound,      // to the owner of a column: column, the row that it was reached from, root
    kVisit,      // to the owner of a row: row, parent, root
  };
  static constexpr Id kNone = -1;

  // What the scans of the next rows will read: where their lists begin, the lists, and of their columns what
  // is known here.
  void prefetch_level(const std::vector<Id>& level, size_t k) const {
    if (k + 12 < level.size()) prefetch(&block_.row_start[level[k + 12]]);
    if (k + 8 < level.size()) prefetch(&block_.row_ghosts[block_.row_start[level[k + 8]]]);
    if (k + 4 >= level.size()) return;
    const Id first = block_.row_start[level[k + 4]];
    const Id last = std::min<Id>(block_.row_start[level[k + 4] + 1], first + 16);
    for (Id at = first; at < last; ++at) {
      const Id ghost = block_.row_ghosts[at];
      if (reached_.has(ghost)) continue;
      prefetch(&row_of_ghost_[ghost]);
    }
  }

  void scan(Id i, Run& run) {
    const Id root = root_of_[i];
    const Id first = block_.row_start[i], last = block_.row_start[i + 1];
    Id k = first;
    while (k < last && !ended_.has(root)) {
      const Id ghost = block_.row_ghosts[k++];
      if (reached_.add(ghost)) reach(i, ghost, root, run);
    }
    scans_ += k - first;
    run.spend(k - first + 1);
  }

  // The tree goes on from a row here to a column, and from there to its row; or it has found its end.
  void reach(Id i, Id ghost, Id root, Run& run) {
    const Id row = block_.first_row + i, mate = row_of_ghost_[ghost], col = block_.ghost_col[ghost];
    if (mate != kNone) {
      if (block_.has_row(mate))
        visit(mate, row, root);
      else
        outbox_.put(kVisit, block_.row_owners.of(mate), mate, row, root);
    } else if (block_.owns_ghost(ghost)) {
      hear_found(col, row, root, run);
    } else {
      outbox_.put(kFound, block_.owner_of_ghost(ghost), col, row, root);
    }
  }

  void visit(Id row, Id parent, Id root) {
    const Id i = row - block_.first_row;
    if (root_of_[i] != kNone || ended_.has(root)) return;
    root_of_[i] = root;
    parent_[i] = parent;
    frontier_.push_back(i);
  }

  // A tree has reached a column of this rank that was unmatched.
  void hear_found(Id col, Id row, Id root, Run& run) {
    const Id here = col - block_.first_col;
    if (row_of_col_[here] != kNone || !given_.add(here)) return;
    const size_t rank = owner_of_root(root);
    if (rank == block_.rank)
      hear_given(root, row, col, run);
    else
      outbox_.put(kGiven, rank, root, row, col);
  }

  void hear_given(Id root, Id row, Id col, Run& run) {
    if (ended_.has(root)) return;  // the column is left for the next phase
    end(root);
    for (size_t rank = 0; rank < block_.ranks; ++rank)
      if (rank != block_.rank) outbox_.put(kEnded, rank, root);
    const size_t rank = block_.owner_of_row(row);
    ++matched_;
    if (rank == block_.rank)
      flip(row, col, run);
    else
      outbox_.put(kFlip, rank, row, col);
  }

  void end(Id root) {
    ended_.add(root);
    ++paths_;
  }

  // The row gets the column, its parent the column that it had, and so on to the root, or to another rank.
  void flip(Id row, Id col, Run& run) {
    while (block_.has_row(row)) {
      const Id i = row - block_.first_row;
      const Id before = ghost_of_row_[i];
      ghost_of_row_[i] = block_.ghost_of(col);
      const size_t owner = block_.owner_of_ghost(ghost_of_row_[i]);
      if (owner == block_.rank)
        hear_mate(col, row);
      else
        outbox_.put(kMate, owner, col, row);
      run.spend(1);
      if (before == kNone) return;
      row = parent_[i];
      col = block_.ghost_col[before];
    }
    outbox_.put(kFlip, block_.row_owners.of(row), row, col);
  }

  void hear_mate(Id col, Id row) {
    const Id here = col - block_.first_col;
    row_of_col_[here] = row;
    row_of_ghost_[block_.own_ghost(here)] = row;
    for (auto* to = block_.subscribers(here); to != block_.subscribers_end(here); ++to)
      outbox_.put(kGhostMate, size_t(to->rank), to->ghost, row);
  }

  size_t owner_of_root(Id root) const {
    return size_t(std::upper_bound(first_root_.begin(), first_root_.end(), root) - first_root_.begin()) - 1;
  }

  const Block<Id>& block_;
  Outbox<Id, 7> outbox_;
  LargeArray<Id> ghost_of_row_, row_of_ghost_, row_of_col_;
  LargeArray<Id> root_of_, parent_;  // of rows here; kNone where no tree has come
  std::vector<Id> first_root_;       // of each rank, and how many there are
  Bits ended_;                       // roots whose trees have their path
  Bits reached_;                     // ghosts that a row here has reached for
  Bits given_;                       // unmatched columns here that a tree has got
  std::vector<Id> frontier_;
  int64_t paths_ = 0;                // of all ranks, in this phase
  int64_t matched_ = 0, scans_ = 0;  // of this rank
};

}  // namespace konig::distributed
