// Inward searches of core-paths, for rectangles and where lists lack much: phases of shortest paths from all
// free rows to the nearest free columns, found from the columns.
//
// Of every row and column the distance to the nearest free column, in slacks, is found by sweeps over the
// lists (Bellman and Ford): a row takes the least over its list, and passes it on to the column that it is
// assigned to. A sweep reads what others write at the same time; distances only fall, so that the order does
// not matter. Whatever comes down in a later superstep does so because of something that came down in this
// one, and not below it: distances up to the least that changed are final. The pointers to the next column
// form trees with a free column at the root each: a row points on when its distance falls, which rules out
// cycles even where slacks are zero.
//
// When half of the free rows have their final distance all duals move by the distances, cut there: the paths
// of these rows are tight. In each tree one of them is augmented: walks from the free rows claim columns, and
// who comes second to a column ends its walk.
#pragma once

#include "konig/assignment/core/lists.h"

namespace konig::core_paths {

template <class Team, class Cost>
class Inward : protected Lists<Team, Cost> {
 protected:
  using Base = Lists<Team, Cost>;
  using Base::team_, Base::w_;

  KONIG_FN Inward(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  // Values are cut off below the bits of the present scale.
  KONIG_FN long long coarse(long long value) const { return value & mask_; }

  // ---- columns that several rows undercut ----
  //
  // An arc that undercuts the duals is repaired by its row, whose dual falls, or by its column. Either gives
  // up its pair. After a pricing hundreds of rows undercut the same few columns, so that repairs by columns
  // keep most pairs: 1,437 of 1,443 rows (a kernel) undercut 74 columns, 550 of 1,020 (padding) 6.

  KONIG_FN void forget_undercuts() {
    team_.for_each(w_.cols, [&](long long col) { bsp::store(w_.claim + col, 0); });
  }

  // How many lists undercut each column, in `claim`.
  KONIG_FN void count_undercuts() {
    team_.for_each_wide(w_.rows, kLanes, [&](long long row, int lane, int lanes) {
      const int count = bsp::settled(w_.count + row);
      const long long dual = bsp::settled(w_.row_dual + row);
      for (int e = lane; e < count; e += lanes)
        if (slack_of(row, e) < dual) bsp::fetch_add(w_.claim + bsp::settled(arc_col(row, e)), 1);
      if (lane == 0) team_.spend(count);
    });
  }

  // By this worker: how many pairs joined lists, and by how much a dual fell at most, -1 if none did.
  struct Lowered {
    long long pairs = 0;
    long long far = -1;
  };

  // Columns that are undercut more than once get the largest duals that all rows allow, give up their rows
  // and choose others. What is undercut once is left to its row.
  KONIG_FN Lowered lower_undercut_cols() {
    Lowered lowered;
    team_.for_each_wide(w_.cols, Team::kWarp, [&](long long col, int lane, int) {
      if (bsp::settled(w_.claim + col) < 2) return;
      const auto nearest = this->nearest_rows(col, lane, w_.row_dual);
      const long long dual = this->least_above(nearest, -kUnreached);
      lowered.pairs += this->choose_rows(col, lane, nearest);
      if (lane != 0) return;
      const long long fall = bsp::settled(w_.col_dual + col) - dual;
      if (fall > lowered.far) lowered.far = fall;
      bsp::store(w_.col_dual + col, dual);
      const int row = bsp::settled(w_.row_of_col + col);
      if (row < 0) return;
      bsp::store(w_.row_of_col + col, -1);
      bsp::store(w_.col_of_row + row, -1);
    });
    return lowered;
  }

  // ---- duals of rows from their lists; pairs that are not tight are dropped ----

  KONIG_FN void tighten_rows() {
    team_.for_each_wide(w_.rows, kLanes, [&](long long row, int lane, int lanes) {
      const int count = bsp::settled(w_.count + row);
      long long least = kUnreached;
      for (int e = lane; e < count; e += lanes) {
        const long long slack = slack_of(row, e);
        if (slack < least) least = slack;
      }
      least = team_.group_min(least, lanes);
      const int held = bsp::load(w_.col_of_row + row);
      long long open = count;  // a tight arc to a free column
      bool tight = false;
      for (int e = lane; e < count; e += lanes) {
        if (slack_of(row, e) != least) continue;
        const int col = bsp::settled(arc_col(row, e));
        tight |= col == held;
        if (e < open && bsp::load(w_.row_of_col + col) < 0) open = e;
      }
      tight = team_.group_ballot(tight, lanes) != 0;
      open = team_.group_min(open, lanes);
      if (lane != 0) return;
      bsp::store(w_.row_dual + row, count > 0 ? least : 0LL);
      team_.spend(count);
      if (tight) return;
      if (held >= 0) bsp::store(w_.row_of_col + held, -1);
      int taken = -1;
      if (open < count) {
        const int col = bsp::settled(arc_col(row, int(open)));
        if (bsp::compare_exchange(w_.row_of_col + col, -1, int(row)) == -1) taken = col;
      }
      bsp::store(w_.col_of_row + row, taken);
    });
  }

  // On a rectangle a free column has dual 0. Returns whether one had not.
  KONIG_FN bool release_cols() {
    bool raised = false;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::settled(w_.row_of_col + col) >= 0 || bsp::settled(w_.col_dual + col) == 0) return;
      bsp::store(w_.col_dual + col, 0LL);
      raised = true;
    });
    return raised;
  }

  // ---- a search ----

  // Workers that share a list: kLanes, or more where there are so many for every row. They hold more of the
  // list, and fewer rows of a warp wait for each other: searches of 1,000 to 3,000 rows take 0.75 of the
  // time.
  KONIG_FN int lanes() const {
    int lanes = kLanes;
    while (lanes < Team::kWarp && 2 * lanes * w_.rows <= team_.count()) lanes *= 2;
    return lanes;
  }

  // Slacks of all arcs, distances of what is known. Returns how many rows this worker found free.
  KONIG_FN long long begin_search() {
    if (team_.leads()) bsp::store(&w_.state->reached, 0LL);
    long long found = 0;
    team_.for_each(w_.cols, [&](long long col) {
      bsp::store(w_.col_distance + col, bsp::settled(w_.row_of_col + col) < 0 ? 0LL : kUnreached);
      bsp::store(w_.claim + col, -1);
    });
    team_.for_each_wide(w_.rows, lanes(), [&](long long row, int lane, int lanes) {
      write_slacks(row, lane, lanes);
      if (lane != 0) return;
      bsp::store(w_.row_distance + row, kUnreached);
      if (bsp::settled(w_.col_of_row + row) >= 0) return;
      team_.post(free_rows(), int(row));
      ++found;
    });
    team_.deliver(free_rows());
    return found;
  }

  KONIG_FN void write_slacks(long long row, int lane, int lanes) {
    const int count = bsp::settled(w_.count + row);
    const long long dual = bsp::settled(w_.row_dual + row);
    for (int e = lane; e < count; e += lanes)
      bsp::store(w_.arc_slack + row * w_.room + e, slack_of(row, e) - dual);
    if (lane == 0) team_.spend(count);
  }

  // What this worker saw in a superstep.
  struct Seen {
    long long least = bsp::kNoLeast;  // distance to which a row came down
    long long missed = 0;             // free rows that were not reached
    long long final = 0;              // free rows whose distance is final
    long long far = -1;               // the greatest distance of a free row
    unsigned late = 0;                // outward: whether distances fell in the second half of the looks
  };

  // One superstep of a search. Distances up to `reach` are final. Where there is a group of workers for
  // every row, it keeps what it knows of the row from sweep to sweep.
  KONIG_FN Seen relax(long long reach) {
    const bool each = Team::kWarp > 1 && team_.count() >= lanes() * w_.rows;
    const int rounds = each ? 1 : kSweeps;
    Seen seen;
    KONIG_NO_UNROLL
    for (int round = 0; round < rounds; ++round) {
      seen.missed = seen.final = 0;
      team_.for_each_wide(w_.rows, lanes(), [&](long long row, int lane, int lanes) {
        relax_row(seen, reach, row, lane, lanes, kSweeps / rounds);
      });
    }
    return seen;
  }

  KONIG_FN void relax_row(Seen& seen, long long reach, long long row, int lane, int lanes, int sweeps) {
    constexpr int kArcsHeld = kListHeld / kLanes;
    const int count = bsp::settled(w_.count + row);
    const int held = bsp::settled(w_.col_of_row + row);
    // One worker reads what it may write below: all must come to the same conclusions.
    const long long before = team_.group_at(lane == 0 ? bsp::load(w_.row_distance + row) : 0LL, 0, lanes);
    // Where there is no arc all workers ask for the same word, so that there is nothing to branch around and
    // all distances travel together.
    long long slack[kArcsHeld];
    int col[kArcsHeld];
    load_arcs(row, lane, lanes, count, slack, col);
    long long known = before;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      long long best = kUnreached;
      int through = -1;
      long long distance[kArcsHeld];
      for (int k = 0; k < kArcsHeld; ++k) distance[k] = bsp::load(w_.col_distance + col[k]);
      for (int k = 0; k < kArcsHeld; ++k) {
        const bool counts = slack[k] < kUnreached && distance[k] < kUnreached;
        const long long sum = counts ? slack[k] + distance[k] : kUnreached;
        through = sum < best ? col[k] : through;
        best = sum < best ? sum : best;
      }
      if (count > kArcsHeld * lanes) relax_rest(row, lane + kArcsHeld * lanes, lanes, count, best, through);
      const long long least = team_.group_min(best, lanes);
      if (least >= known) continue;  // the same for the whole group
      known = least;
      const int chosen = int(team_.group_min(best == least ? through : 0x7fffffff, lanes));
      if (lane != 0) continue;
      bsp::store(w_.row_distance + row, least);
      bsp::store(w_.next_col + row, chosen);
      if (held >= 0) bsp::store(w_.col_distance + held, least);  // the pair is tight
    }
    if (lane != 0) return;
    if (known < before && known < seen.least) seen.least = known;
    if (held < 0) {
      seen.missed += known >= kUnreached;
      seen.final += known <= reach;
      if (known < kUnreached && known > seen.far) seen.far = known;
    }
    team_.spend(count);
  }

  // The arcs from `first` on, a batch at a time.
  KONIG_FN void relax_rest(long long row, int first, int lanes, int count, long long& best, int& through) {
    for (int e = first; e < count; e += bsp::kBatch * lanes) {
      long long slack[bsp::kBatch], distance[bsp::kBatch];
      int col[bsp::kBatch];
      load_arcs(row, e, lanes, count, slack, col);
      KONIG_UNROLL
      for (int k = 0; k < bsp::kBatch; ++k)
        distance[k] = slack[k] < kUnreached ? bsp::load(w_.col_distance + col[k]) : kUnreached;
      KONIG_UNROLL
      for (int k = 0; k < bsp::kBatch; ++k) {
        const long long sum = distance[k] < kUnreached ? slack[k] + distance[k] : kUnreached;
        through = sum < best ? col[k] : through;
        best = sum < best ? sum : best;
      }
    }
  }

  // ---- duals and paths ----

  KONIG_FN void move_duals(long long far) {
    team_.for_each(w_.rows, [&](long long row) {
      const long long distance = bsp::settled(w_.row_distance + row);
      bsp::store(w_.row_dual + row, bsp::settled(w_.row_dual + row) + (distance < far ? distance : far));
    });
    team_.for_each(w_.cols, [&](long long col) {
      const long long distance = bsp::settled(w_.col_distance + col);
      bsp::store(w_.col_dual + col, bsp::settled(w_.col_dual + col) - (distance < far ? distance : far));
    });
  }

  // Walks from the free rows within `far` towards the roots of their trees. Returns whether some were cut.
  KONIG_FN bool walk(long long rows, long long part, long long far, long long& roots) {
    bool cut = false;
    team_.for_each(rows, [&](long long i) {
      int row = bsp::load(w_.free_row + i);
      if (row >= 0 && part == 0 && bsp::settled(w_.row_distance + row) > far) row = -1;
      int col = row >= 0 ? bsp::settled(w_.next_col + row) : -1;
      int steps = 0;
      for (; row >= 0 && steps < kWalkLimit; ++steps) {
        const int next = bsp::settled(w_.row_of_col + col);
        const int claimed = bsp::compare_exchange(w_.claim + col, -1, row);
        const int ahead = next >= 0 ? bsp::settled(w_.next_col + next) : -1;  // before the claim is known
        if (claimed != -1) {
          row = -1;
        } else if (next < 0) {
          bsp::store(w_.free_col + team_.reserve(&w_.state->reached, 1), col);
          ++roots;
          row = -1;
        } else {
          row = next;
          col = ahead;
        }
      }
      bsp::store(w_.free_row + i, row);
      cut |= row >= 0;
      team_.spend(steps);
    });
    return cut;
  }

  // Flips paths from the free columns at their ends. Returns whether some were cut.
  KONIG_FN bool flip(long long paths) {
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    bool cut = false;
    team_.for_each(paths, [&](long long i) {
      int col = bsp::load(w_.free_col + i);
      int steps = 0;
      for (; col >= 0 && steps < kWalkLimit; ++steps) {
        const int row = bsp::settled(w_.claim + col);
        const int before = bsp::load(w_.col_of_row + row);
        bsp::store(w_.col_of_row + row, col);
        bsp::store(w_.row_of_col + col, row);
        col = before;
      }
      bsp::store(w_.free_col + i, col);
      cut |= col >= 0;
      path_edges_ += steps;
      team_.spend(steps);
    });
    return cut;
  }

  // Every lanes-th arc of a list from `first` on; behind its end the slack is kUnreached.
  template <int kArcs>
  KONIG_FN void load_arcs(long long row, int first, int lanes, int count, long long (&slack)[kArcs],
                          int (&col)[kArcs]) const {
    KONIG_UNROLL
    for (int k = 0; k < kArcs; ++k) {
      const int e = first + k * lanes;
      slack[k] = e < count ? bsp::settled(w_.arc_slack + row * w_.room + e) : kUnreached;
      col[k] = e < count ? bsp::settled(arc_col(row, e)) : 0;
    }
  }

  KONIG_FN const int* arc_col(long long row, int e) const { return w_.arc_col + row * w_.room + e; }
  KONIG_FN long long slack_of(long long row, int e) const {
    return coarse(bsp::settled(w_.arc_value + row * w_.room + e)) -
           bsp::settled(w_.col_dual + bsp::settled(arc_col(row, e)));
  }
  KONIG_FN bsp::Queue<int> free_rows() const { return {w_.free_row, &w_.state->queued}; }

  long long mask_ = -1;
  long long path_edges_ = 0;  // this worker's, this launch
};

}  // namespace konig::core_paths
