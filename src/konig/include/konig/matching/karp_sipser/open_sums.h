// How many unmatched neighbours a vertex has, and which one is the last: the sums of karp_sipser.h.
//
// A vertex is a row r, or a column c as ~c. open[v] is the sum of (unit + neighbour) over v's entries to
// unmatched neighbours, where unit is a power of two above all ids. So v has degree one exactly when open[v]
// lies in [unit, 2 unit), and what is left then is the neighbour itself: one atomic subtraction keeps count
// and neighbour, and exactly one worker sees a vertex come down to it. A matched vertex has kTaken added, so
// that it never has degree one and has no choice. A duplicate entry counts twice, which makes rule one more
// cautious. No list may have more than 2^61 / unit entries: one without duplicates never has.
#pragma once

#include "konig/matching/karp_sipser/state.h"

namespace konig::karp_sipser {

constexpr long long kTaken = 1LL << 62;

// The list of a vertex, or a part of it.
template <class Offset>
struct List {
  Offset first;
  Offset length;
};

// A few entries of a list, -1 behind its end.
template <class Id>
struct Batch {
  Id entry[kBatch];
};

// Where vertices go that come down to degree one, and the pieces of lists that are long.
template <class Id, class Offset>
struct Next {
  bsp::Queue<DegreeOne<Id>> degree_one;
  bsp::Queue<Piece<Id, Offset>> pieces;
};

template <class Team, class Id, class Offset>
class OpenSums {
 public:
  KONIG_FN OpenSums(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {
    while ((1LL << shift_) < w_.rows || (1LL << shift_) < w_.cols) ++shift_;
    unit_ = 1LL << shift_;
  }

  // Whether a vertex is unmatched and has an unmatched neighbour.
  KONIG_FN bool has_choice(long long open) const { return open >= unit_ && open < kTaken; }

  KONIG_FN List<Offset> list_of(Id vertex) const {
    const Offset* start = vertex >= 0 ? w_.row_start + vertex : w_.col_start + ~vertex;
    return {start[0], Offset(start[1] - start[0])};
  }

  KONIG_FN long long* open_of(Id vertex) const {
    return vertex >= 0 ? w_.open + vertex : w_.open + w_.rows + ~vertex;
  }

  // The first entries of this worker's share of a list, which is every lanes-th one.
  KONIG_FN Batch<Id> read(Id vertex, const List<Offset>& list, Offset from, int lanes) const {
    const Id* neighbour = (vertex >= 0 ? w_.row_cols : w_.col_rows) + list.first;
    Batch<Id> batch;
    for (int j = 0; j < kBatch; ++j)
      batch.entry[j] = from + j * lanes < list.length ? neighbour[from + j * lanes] : Id(-1);
    return batch;
  }

  // This worker's share of the sum over a list. With `warm` neighbours may be matched already.
  KONIG_FN long long add_up(Id vertex, const List<Offset>& list, bool warm, int lane, int lanes) {
    const Id* mate = vertex >= 0 ? w_.row_of_col : w_.col_of_row;  // of the neighbours
    long long sum = 0;
    for (Offset k = lane; k < list.length; k += kBatch * lanes) {
      const Batch<Id> batch = read(vertex, list, k, lanes);
      for (const Id other : batch.entry)
        if (other >= 0 && !(warm && bsp::load(mate + other) >= 0)) sum += unit_ + other;
    }
    if (lane == 0) count(list.length);
    return sum;
  }

  // The vertex has just been matched, and its neighbours have one unmatched neighbour fewer. `batch` is what
  // this worker read of its list.
  KONIG_FN void remove(const Next<Id, Offset>& next, Id vertex, const List<Offset>& list, Batch<Id> batch,
                       int lane, int lanes) {
    if (list.length <= kLong)
      take_off(next, vertex, list, batch, lane, lanes);
    else if (lane == 0)
      cut(next, vertex, list);
  }

  // The same for a part of its list. The subtractions of a batch travel together.
  KONIG_FN void take_off(const Next<Id, Offset>& next, Id vertex, const List<Offset>& list, Batch<Id> batch,
                         int lane, int lanes) {
    long long* open = vertex >= 0 ? w_.open + w_.rows : w_.open;  // of the neighbours
    const long long share = unit_ + (vertex >= 0 ? vertex : Id(~vertex));
    for (Offset k = lane; k < list.length; k += kBatch * lanes) {
      const Batch<Id> ahead = read(vertex, list, k + kBatch * lanes, lanes);
      long long left[kBatch];
      for (int j = 0; j < kBatch; ++j)
        left[j] = batch.entry[j] >= 0 ? bsp::fetch_add(open + batch.entry[j], -share) - share : 0;
      for (int j = 0; j < kBatch; ++j)
        post_if_degree_one(next, vertex >= 0 ? Id(~batch.entry[j]) : batch.entry[j], left[j]);
      batch = ahead;
    }
    if (lane == 0) count(list.length);
  }

  KONIG_FN void cut(const Next<Id, Offset>& next, Id vertex, const List<Offset>& list) {
    long long slot = team_.reserve(next.pieces.used, ((long long)list.length + kPiece - 1) / kPiece);
    for (Offset done = 0; done < list.length; done += kPiece, ++slot)
      next.pieces.items[slot] = {Offset(list.first + done),
                                 Id(list.length - done < kPiece ? list.length - done : kPiece), vertex};
  }

  KONIG_FN void post_if_degree_one(const Next<Id, Offset>& next, Id vertex, long long open) {
    if (open >> shift_ != 1) return;
    const bool is_row = vertex >= 0;
    const Id neighbour = Id(open - unit_);
    bsp::prefetch(is_row ? w_.col_start + neighbour : w_.row_start + neighbour);
    bsp::prefetch(is_row ? w_.row_of_col + neighbour : w_.row_of_col + ~vertex);
    bsp::prefetch(is_row ? w_.col_of_row + vertex : w_.col_of_row + neighbour);
    team_.post(next.degree_one, DegreeOne<Id>{vertex, neighbour});
  }

  KONIG_FN long long arc_scans() const { return arc_scans_; }

 private:
  KONIG_FN void count(long long entries) {
    arc_scans_ += entries;
    team_.spend(entries);
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  int shift_ = 1;
  long long unit_;
  long long arc_scans_ = 0;  // this worker's, this launch
};

}  // namespace konig::karp_sipser
