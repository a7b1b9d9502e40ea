// A rank's part of a bipartite graph whose rows are divided among ranks, and how it names columns.
//
// Rows are divided as the caller has them; columns are divided evenly. A rank keeps whole lists of its own
// rows. The columns in these lists are its ghosts: it numbers them by themselves, in their order, so that its
// memory follows its entries and not the columns of the whole graph, and so that the ghosts of one owner
// follow each other. All of its own columns are ghosts, in rows here or not. The owner of a column knows
// which ranks have it as a ghost, and under which number: these are its subscribers, and hear of it when the
// column is matched.
//
// Rows are spoken of between ranks by their numbers in the whole graph; columns too where the owner hears,
// and by the number of the ghost where a subscriber does.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/compressed.h"
#include "core/large_array.h"
#include "core/run.h"
#include "matching/distributed/outbox.h"

namespace konig::distributed {

// Which rank has which of the numbers from 0: stretches in order, none of them empty.
template <class Id>
struct Owners {
  std::vector<Id> first;
  std::vector<int32_t> rank;

  size_t of(Id v) const {
    return size_t(rank[std::upper_bound(first.begin(), first.end(), v) - first.begin() - 1]);
  }
};

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
struct Subscriber {
  int32_t rank;
  Id ghost;
};

// What a subscriber says about a column at the beginning: how many entries it has there, and the exclusive or
// of their rows.
template <class Id>
struct Degree {
  Id entries;
  Id rows;
};

// The rank of a column among those that occur, by a bitmap and the number of ones before each of its words.
template <class Id>
class ColumnNumbers {
 public:
  ColumnNumbers(const Id* neighbour, Id entries, int64_t all_cols, Run& run, Id first_col, Id cols)
      : bits_((size_t(all_cols) + 63) / 64, 0), before_(bits_.size() + 1, 0) {
    for (Id k = 0; k < entries; ++k) {
      bits_[size_t(neighbour[k]) / 64] |= uint64_t(1) << (neighbour[k] % 64);
      run.spend(1);
    }
    for (Id col = first_col; col < first_col + cols; ++col)  // these are there in any case
      bits_[size_t(col) / 64] |= uint64_t(1) << (col % 64);
    for (size_t w = 0; w < bits_.size(); ++w) before_[w + 1] = before_[w] + Id(std::popcount(bits_[w]));
  }

  // Of a column that occurs.
  Id of(Id col) const {
    const size_t w = size_t(col) / 64;
    return before_[w] + Id(std::popcount(bits_[w] & ((uint64_t(1) << (col % 64)) - 1)));
  }

  std::vector<Id> columns() const {
    std::vector<Id> found;
    found.reserve(size_t(before_.back()));
    for (size_t w = 0; w < bits_.size(); ++w)
      for (uint64_t left = bits_[w]; left != 0; left &= left - 1)
        found.push_back(Id(w * 64 + size_t(std::countr_zero(left))));
    return found;
  }

 private:
  LargeArray<uint64_t> bits_;
  std::vector<Id> before_;
};

template <class Id>
class Block : public Division<Id> {
 public:
  using Division<Id>::rank, Division<Id>::ranks, Division<Id>::row_owners, Division<Id>::col_owners;
  using Division<Id>::first_row, Division<Id>::rows, Division<Id>::first_col, Division<Id>::cols;

  explicit Block(Division<Id> division) : Division<Id>(std::move(division)) {}

  // Numbers the ghosts of the lists that the caller has, and makes the lists of both sides.
  void take_lists(const Id* start, const Id* neighbour, Run& run) {
    const ColumnNumbers<Id> numbers(neighbour, start[rows], this->all_cols, run, first_col, cols);
    ghost_col = numbers.columns();
    row_start = LargeArray<Id>(size_t(rows) + 1);
    std::copy(start, start + rows + 1, row_start.data());
    row_ghosts = LargeArray<Id>(size_t(start[rows]));
    for (Id k = 0; k < start[rows]; ++k) {
      row_ghosts[k] = numbers.of(neighbour[k]);
      run.spend(1);
    }
    ghost_start = LargeArray<Id>(ghost_col.size() + 1, 0);
    ghost_rows = LargeArray<Id>(row_ghosts.size());
    transpose(row_start.data(), row_ghosts.data(), int64_t(rows), int64_t(ghosts()), ghost_start.data(),
              ghost_rows.data(), 1, run);
    ghosts_from_.assign(1, 0);
    for (size_t k = 1; k < col_owners.first.size(); ++k)
      ghosts_from_.push_back(ghost_of(col_owners.first[k]));
    own_from_ = ghost_of(first_col);
  }

  Id ghosts() const { return Id(ghost_col.size()); }
  size_t owner_of_ghost(Id ghost) const {
    const auto at = std::upper_bound(ghosts_from_.begin(), ghosts_from_.end(), ghost) - ghosts_from_.begin();
    return size_t(col_owners.rank[at - 1]);
  }
  // Columns of this rank, counted from its first one, and their ghosts.
  bool owns_ghost(Id ghost) const { return ghost >= own_from_ && ghost - own_from_ < cols; }
  Id own_col(Id ghost) const { return ghost - own_from_; }
  Id own_ghost(Id col) const { return own_from_ + col; }
  // The ghost of a column, or that of the next one that is here.
  Id ghost_of(Id col) const {
    return Id(std::lower_bound(ghost_col.begin(), ghost_col.end(), col) - ghost_col.begin());
  }

  size_t owner_of_row(Id row) const { return this->has_row(row) ? rank : row_owners.of(row); }

  // Tells other ranks which of their columns are ghosts here.
  using Subscriptions = Outbox<Id, 1>;
  Sent<Id> subscribe(Run& run) const {
    Subscriptions outbox(ranks, {4});
    for (Id ghost = 0; ghost < ghosts(); ++ghost) {
      if (owns_ghost(ghost)) continue;
      const auto here = degree(ghost);
      outbox.put(0, owner_of_ghost(ghost), ghost_col[ghost], ghost, here.entries, here.rows);
      run.spend(here.entries + 1);
    }
    return outbox.take(0);
  }

  // Takes subscribers, and passes what each says, and what is here, to visit(column here, degree).
  template <class Visit>
  void take_subscribers(const Messages<Id>& received, Visit visit) {
    for (Id col = 0; col < cols; ++col) visit(col, degree(own_ghost(col)));
    const Subscriptions outbox(ranks, {4});
    sub_start_.assign(size_t(cols) + 1, 0);
    outbox.read(received, 0, [&](const Id* record) { ++sub_start_[record[0] - first_col + 1]; });
    for (Id col = 0; col < cols; ++col) sub_start_[col + 1] += sub_start_[col];
    subscribers_.resize(size_t(sub_start_[cols]));
    std::vector<Id> next(sub_start_.begin(), sub_start_.end() - 1);
    for (size_t from = 0; from < received.size(); ++from)
      outbox.read({received[from]}, 0, [&](const Id* record) {
        const Id col = record[0] - first_col;
        subscribers_[next[col]++] = {int32_t(from), record[1]};
        visit(col, Degree<Id>{record[2], record[3]});
      });
  }

  // The other ranks that have a column of this one as a ghost.
  const Subscriber<Id>* subscribers(Id col) const { return subscribers_.data() + sub_start_[col]; }
  const Subscriber<Id>* subscribers_end(Id col) const { return subscribers_.data() + sub_start_[col + 1]; }

  // Of use to Karp-Sipser alone.
  void drop_ghost_lists() {
    ghost_start = {};
    ghost_rows = {};
  }

  LargeArray<Id> row_start, row_ghosts;    // the ghosts of each row here
  LargeArray<Id> ghost_start, ghost_rows;  // the rows here of each ghost
  std::vector<Id> ghost_col;               // ascending

 private:
  Degree<Id> degree(Id ghost) const {
    Degree<Id> here{ghost_start[ghost + 1] - ghost_start[ghost], 0};
    for (Id k = ghost_start[ghost]; k < ghost_start[ghost + 1]; ++k) here.rows ^= first_row + ghost_rows[k];
    return here;
  }

  std::vector<Id> ghosts_from_;  // the first ghost of each owner, or what would be
  Id own_from_ = 0;              // the ghost of this rank's first column
  std::vector<Id> sub_start_;
  std::vector<Subscriber<Id>> subscribers_;
};

}  // namespace konig::distributed
