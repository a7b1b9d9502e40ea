// Outward searches of core-paths, on squares: the same phases, from the free rows to the nearest free
// columns.
//
// In inward.h a row asks all columns of its list, in every sweep, since it cannot know which of them came
// nearer. Outward a row has one source: the column that it is assigned to. It looks at the distance of that
// column alone, and only where that fell does it follow its list and tell the columns there. Distances are
// from the nearest free row; one word holds that of a column and what is before it, and both are exchanged at
// once, where the distance falls. Before a column is the row that told it, by the name of the column to which
// that is assigned, or `cols` more than its own number if it is free. Hence the columns form trees, with a
// free row at the root each, even where slacks are zero, and a step towards the root is one load. A distance
// that does not fit a word is left out; it is above all others.
//
// When half of the free columns have their final distance, `far` being the greatest of these, the dual of a
// row or column at distance d < far moves by far - d, up or down. With d(j) <= d(i) + slack(i, j) no listed
// slack becomes negative; those on the paths become zero. The duals of free columns that were reached fall
// too. On a square that is allowed, since in the end none is free; on a rectangle it is not, since those that
// are left over must keep dual 0. In each tree one path is augmented: walks from the free columns claim rows,
// and who comes second to a row ends its walk.
#pragma once

#include "konig/assignment/core/inward.h"

namespace konig::core_paths {

template <class Team, class Cost>
class Outward : protected Inward<Team, Cost> {
 protected:
  using Base = Inward<Team, Cost>;
  using Base::team_, Base::w_;
  using typename Base::Seen;

  KONIG_FN Outward(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {
    while ((1LL << bits_) < w_.rows + w_.cols) ++bits_;
  }

  // Before the first search after a change of lists. Returns how many rows this worker found free.
  KONIG_FN long long begin_outward() {
    long long found = 0;
    team_.for_each(w_.cols, [&](long long col) { bsp::store(w_.claim + col, -1); });
    team_.for_each(w_.rows, [&](long long row) {
      bsp::store(w_.free_row + row, -1);
      found += bsp::settled(w_.col_of_row + row) < 0;
    });
    begin_again(true);
    return found;
  }

  // Before every search. Slacks are known unless the duals have moved.
  KONIG_FN void begin_again(bool moved) {
    team_.for_each(w_.cols, [&](long long col) { bsp::store(w_.col_distance + col, limit() << bits_); });
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.row_distance + row, kUnreached); });
    if (moved)
      team_.for_each_wide(w_.rows, this->lanes(),
                          [&](long long row, int lane, int lanes) { this->write_slacks(row, lane, lanes); });
  }

  // One superstep of so many looks. Distances up to `reach` are final.
  KONIG_FN Seen spread(long long reach, int looks) {
    Seen seen;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::settled(w_.row_of_col + col) >= 0) return;
      const long long distance = distance_of(bsp::load(w_.col_distance + col));
      if (distance >= limit()) return;
      seen.final += distance <= reach;
      if (distance > seen.far) seen.far = distance;
    });
    const bool each = Team::kWarp > 1 && team_.count() >= this->lanes() * w_.rows;
    const int rounds = each ? 1 : looks;
    KONIG_NO_UNROLL
    for (int round = 0; round < rounds; ++round)
      team_.for_each_wide(w_.rows, this->lanes(), [&](long long row, int lane, int lanes) {
        spread_from(seen, row, lane, lanes, looks / rounds, looks / 2 - round);
      });
    return seen;
  }

  KONIG_FN void move_outward_duals(long long far) {
    team_.for_each(w_.rows, [&](long long row) {
      const int held = bsp::settled(w_.col_of_row + row);
      const long long distance = held < 0 ? 0 : distance_of(bsp::settled(w_.col_distance + held));
      if (distance < far) bsp::store(w_.row_dual + row, bsp::settled(w_.row_dual + row) + (far - distance));
    });
    team_.for_each(w_.cols, [&](long long col) {
      const long long distance = distance_of(bsp::settled(w_.col_distance + col));
      if (distance < far) bsp::store(w_.col_dual + col, bsp::settled(w_.col_dual + col) - (far - distance));
    });
  }

  // Walks from the free columns within `far` towards the roots of their trees. A walk is named after its
  // column, and free_col holds where it is. Returns whether some were cut.
  KONIG_FN bool walk_back(long long part, long long far, long long& roots) {
    bool cut = false;
    team_.for_each(w_.cols, [&](long long end) {
      int col = part > 0 ? bsp::load(w_.free_col + end) : ends_path(end, far) ? int(end) : kLost;
      if (col < 0 && part > 0) return;
      int before = col >= 0 ? before_of(bsp::settled(w_.col_distance + col)) : 0;
      int steps = 0;
      for (; col >= 0 && steps < kWalkLimit; ++steps) {
        const bool root = before >= w_.cols;
        const int row = root ? int(before - w_.cols) : bsp::settled(w_.row_of_col + before);
        const int ahead = root ? 0 : before_of(bsp::settled(w_.col_distance + before));
        const int other = bsp::compare_exchange(root ? w_.free_row + row : w_.claim + before, -1, int(end));
        if (other == -1) bsp::store(w_.next_col + row, col);
        roots += other == -1 && root;
        col = other != -1 ? kLost : root ? kArrived : before;
        before = ahead;
      }
      bsp::store(w_.free_col + end, col);
      cut |= col >= 0;
      team_.spend(steps);
    });
    return cut;
  }

  // Rows on the path of a walk that arrived take the column before them. Walks share no row. All claims are
  // forgotten: that to a pair or a free row is read by the one that has the row.
  KONIG_FN void flip_all() {
    team_.for_each(w_.rows, [&](long long row) {
      const int held = bsp::settled(w_.col_of_row + row);
      int* claim = held >= 0 ? w_.claim + held : w_.free_row + row;
      const int walk = bsp::load(claim);
      if (walk < 0) return;
      bsp::store(claim, -1);
      if (bsp::settled(w_.free_col + walk) != kArrived) return;
      const int col = bsp::settled(w_.next_col + row);
      bsp::store(w_.col_of_row + row, col);
      bsp::store(w_.row_of_col + col, int(row));
      ++this->path_edges_;
    });
  }

 private:
  KONIG_FN long long limit() const { return 1LL << (62 - bits_); }  // above all distances
  KONIG_FN long long distance_of(long long word) const { return word >> bits_; }
  KONIG_FN int before_of(long long word) const { return int(word & ((1LL << bits_) - 1)); }

  KONIG_FN bool ends_path(long long col, long long far) const {
    return bsp::settled(w_.row_of_col + col) < 0 && distance_of(bsp::settled(w_.col_distance + col)) <= far;
  }

  // row_distance is what a row last told the columns of its list. What it sees from look `late` on is late.
  KONIG_FN void spread_from(Seen& seen, long long row, int lane, int lanes, int looks, int late) {
    constexpr int kArcsHeld = kListHeld / kLanes;
    const int held = bsp::settled(w_.col_of_row + row);
    const long long name = held >= 0 ? held : w_.cols + row;
    const long long before = lane == 0 ? bsp::load(w_.row_distance + row) : 0;
    long long known = before;
    long long news = look(held, known, lane, lanes);
    if (looks == 1 && news >= kUnreached) return;
    const int count = bsp::settled(w_.count + row);
    long long slack[kArcsHeld];
    int col[kArcsHeld];
    this->load_arcs(row, lane, lanes, count, slack, col);
    KONIG_NO_UNROLL
    for (int k = 0; k < looks; ++k) {
      if (k > 0) news = look(held, known, lane, lanes);
      if (news >= kUnreached) continue;
      seen.late |= unsigned(k >= late);
      tell(seen, name, news, slack, col);
      if (count > kArcsHeld * lanes) tell_rest(seen, name, row, news, lane + kArcsHeld * lanes, lanes, count);
    }
    if (lane == 0 && known < before) bsp::store(w_.row_distance + row, known);
    team_.spend(count);
  }

  // The distance of a row if it is below what the first worker of its group knows, else kUnreached. All of
  // them act on what the first saw: one that read what the row last told after the first had written it would
  // leave its part of the list untold.
  KONIG_FN long long look(int held, long long& known, int lane, int lanes) {
    long long news = kUnreached;
    if (lane == 0) {
      const long long distance = held < 0 ? 0 : distance_of(bsp::load(w_.col_distance + held));
      if (distance < known && distance < limit()) news = known = distance;
    }
    return team_.group_at(news, 0, lanes);
  }

  // The exchanges of all arcs are under way before the first of them is looked at.
  template <int kArcs>
  KONIG_FN void tell(Seen& seen, long long name, long long distance, const long long (&slack)[kArcs],
                     const int (&col)[kArcs]) {
    long long word[kArcs], there[kArcs];
    KONIG_UNROLL
    for (int k = 0; k < kArcs; ++k) word[k] = bsp::load(w_.col_distance + col[k]);
    KONIG_UNROLL
    for (int k = 0; k < kArcs; ++k)
      if (distance + slack[k] < distance_of(word[k]))
        there[k] =
            bsp::compare_exchange(w_.col_distance + col[k], word[k], (distance + slack[k]) << bits_ | name);
    KONIG_UNROLL
    for (int k = 0; k < kArcs; ++k) {
      const long long length = distance + slack[k];
      if (length >= distance_of(word[k])) continue;
      while (there[k] != word[k] && length < distance_of(there[k])) {
        word[k] = there[k];
        there[k] = bsp::compare_exchange(w_.col_distance + col[k], word[k], length << bits_ | name);
      }
      if (there[k] == word[k] && length < seen.least) seen.least = length;
    }
  }

  // The arcs from `first` on, a batch at a time.
  KONIG_FN void tell_rest(Seen& seen, long long name, long long row, long long distance, int first, int lanes,
                          int count) {
    for (int e = first; e < count; e += bsp::kBatch * lanes) {
      long long slack[bsp::kBatch];
      int col[bsp::kBatch];
      this->load_arcs(row, e, lanes, count, slack, col);
      tell(seen, name, distance, slack, col);
    }
  }

  static constexpr int kLost = -1, kArrived = -2;  // of walks
  int bits_ = 1;                                   // of what is before a column in its word
};

}  // namespace konig::core_paths
