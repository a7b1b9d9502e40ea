// The stages that the classical and the alternating tree variant of the Hungarian method share.
//
// Date, Nagi, "GPU-accelerated Hungarian algorithms for the Linear Assignment Problem", Parallel Computing 57
// (2016), §4: initial reduction (Algorithm 1), optimality check (2), reverse pass (5), augmentation (6).
// A variant adds its forward pass and its dual update.
//
// Invariants, at each optimality check. Slacks, value(cost) - row_dual - col_dual, are not negative and are
// zero on assigned pairs. An unassigned column has the dual that the reduction gave it, which is 0 where
// there are more columns than rows. A row once assigned stays assigned.
//
// Deviations. (1) Whole numbers for costs of every type (konig/assignment/costs.h): no slack is nearly zero.
// (2) A dual update adds theta to the uncovered rows and takes it from the covered columns. The paper adds
// half of it to all or takes it away: the same slacks, and halves. (3) With fewer rows than columns there is
// no column reduction: the duals of columns start at 0 and only ever fall. (4) The paper's predecessor of a
// row is the column assigned to it, and the successor of a column the row assigned to it, so that
// neither is stored. (5) A successor is claimed by exchange: whoever comes second to a row ends its walk,
// because the first goes on to the root. (6) A greedy assignment on zero slacks comes first. (7) Walks are
// cut after kWalkLimit steps and taken up by another superstep. (8) Given duals of columns, a warm
// start, take the place of the column reduction.
#pragma once

#include "konig/papers/hungarian/sweeps.h"

namespace konig::hungarian {

template <class Team, class Cost>
class Stages : protected Sweeps<Team, Cost> {
 protected:
  using Base = Sweeps<Team, Cost>;
  using Base::team_, Base::w_, Base::strips_, Base::kWide, Base::kStrip;
  using typename Base::Strip;

  KONIG_FN Stages(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  // ---- initial reduction, Algorithm 1 ----

  KONIG_FN void reduce_rows() {
    team_.for_each(w_.cols, [&](long long col) {
      if (is_cold()) bsp::store(w_.col_dual + col, square() ? kOut : 0LL);
      bsp::store(w_.col_since + col, -1LL);
    });
    team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
      long long least = kOut;
      for (long long strip = 0; strip < strips_; ++strip) {
        Strip s = this->strip_at(strip, lane);
        this->for_strip(s.mine,
                        [&](int k) { s.dual[k] = is_cold() ? 0 : bsp::settled(w_.col_dual + s.col(k)); });
        this->template sweep_some<1>(
            s, row, [](long long i) { return Reached{0, i}; },
            [&](long long, const long long* value) {
              this->for_strip(s.mine, [&](int k) { least = value[k] < least ? value[k] : least; });
            });
      }
      least = team_.group_min(least, kWide);
      if (lane != 0) return;
      bsp::store(w_.row_dual + row, least < kInfinite ? least : 0LL);
      bsp::store(w_.row_since + row, -1LL);
      team_.spend(w_.cols);
    });
    team_.barrier();
    p_.entries_read += w_.rows * w_.cols;
    enter_step(square() && is_cold() ? kReduceCols : kGreedy);
  }

  KONIG_FN void reduce_cols() {
    if (p_.part == 0) {
      this->for_each_tile(w_.rows, [&](long long strip, int lane, long long first, long long last,
                                       long long) {
        Strip s = this->strip_at(strip, lane);
        long long least[kStrip];
        this->for_strip(s.mine, [&](int k) { s.dual[k] = 0, least[k] = kOut; });
        this->sweep(
            s, first, last, [&](long long i) { return this->any_row(i); },
            [&](long long, const long long* slack) {
              this->for_strip(s.mine, [&](int k) { least[k] = slack[k] < least[k] ? slack[k] : least[k]; });
            });
        this->for_strip(s.mine, [&](int k) { bsp::fetch_min(w_.col_dual + s.col(k), least[k]); });
      });
      p_.entries_read += w_.rows * w_.cols;
      ++p_.part;
    } else {  // a column that no row may have gets an ordinary dual
      team_.for_each(w_.cols, [&](long long col) {
        if (bsp::settled(w_.col_dual + col) >= kInfinite) bsp::store(w_.col_dual + col, 0LL);
      });
      enter_step(kGreedy);
    }
    team_.barrier();
  }

  // ---- a greedy start on zero slacks ----

  KONIG_FN void greedy() {
    long long taken = 0;
    team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
      for (long long strip = 0; strip < strips_; ++strip) {
        if (bsp::load(w_.col_of_row + row) >= 0) break;
        const Strip s = this->all_columns(strip, lane);
        this->template sweep_some<1>(
            s, row, [&](long long i) { return this->any_row(i); },
            [&](long long, const long long* slack) {
              this->for_each_zero(s, slack, [&](long long col) { taken += take(int(row), int(col)); });
            });
        team_.spend(s.mine);
      }
    });
    p_.greedy = p_.matched = team_.sum(taken);
    enter_step(kCheck);
  }

  // Several lanes may offer a column to one row: the row takes one of them.
  KONIG_FN int take(int row, int col) {
    if (bsp::load(w_.row_of_col + col) >= 0 || bsp::load(w_.col_of_row + row) >= 0) return 0;
    if (bsp::compare_exchange(w_.row_of_col + col, -1, row) != -1) return 0;
    if (bsp::compare_exchange(w_.col_of_row + row, -1, col) == -1) return 1;
    bsp::store(w_.row_of_col + col, -1);
    return 0;
  }

  // ---- optimality check, Algorithm 2 ----

  // Ends a search and starts the next from all unassigned rows. What a variant keeps for a column is reset by
  // reset(col). The duals get the updates of the search: a row or column reached at some shift takes part in
  // the updates after it.
  template <class Reset>
  KONIG_FN void check(Step next, Reset reset) {
    if (team_.leads()) {
      bsp::store(&w_.state->leaves, 0LL);
      bsp::store(&w_.state->roots, 0LL);
    }
    long long matched = 0;
    team_.for_each(w_.rows, [&](long long row) {
      const long long since = bsp::settled(w_.row_since + row);
      long long dual = bsp::settled(w_.row_dual + row);
      if (since >= 0) bsp::store(w_.row_dual + row, dual += p_.shift - since);
      const bool assigned = bsp::settled(w_.col_of_row + row) >= 0;
      matched += assigned;
      bsp::store(w_.row_since + row, assigned ? -1LL : 0LL);
      bsp::store(w_.successor + row, -1);
      if (!assigned) team_.post(queue(), Reached{dual, row});
    });
    team_.for_each(w_.cols, [&](long long col) {
      const long long since = bsp::settled(w_.col_since + col);
      if (since >= 0) bsp::store(w_.col_dual + col, bsp::settled(w_.col_dual + col) - (p_.shift - since));
      bsp::store(w_.col_since + col, -1LL);
      reset(col);
    });
    team_.deliver(queue());
    p_.matched = team_.sum(matched);
    p_.head = p_.found = p_.paths = p_.shift = 0;
    p_.tail = w_.rows - p_.matched;
    if (p_.tail == 0)
      p_.status = kOptimal;
    else
      enter_step(next);
  }

  // ---- what a forward pass does with a column ----

  // The column is reached: the row assigned to it joins the search, or it ends a path. Returns what to agree
  // on: a row counts 1, an unassigned column 2^32.
  KONIG_FN long long reach(int col) {
    bsp::store(w_.col_since + col, p_.shift);
    const int row = bsp::settled(w_.row_of_col + col);
    if (row < 0) {
      bsp::store(w_.leaf + team_.reserve(&w_.state->leaves, 1), col);
      return 1LL << 32;
    }
    bsp::store(w_.row_since + row, p_.shift);
    team_.post(queue(), Reached{bsp::settled(w_.row_dual + row) - p_.shift, row});
    return 1;
  }

  KONIG_FN void count_reached(long long total) {
    p_.head = p_.tail;
    p_.tail += total & 0xffffffffLL;
    p_.found += total >> 32;
  }

  KONIG_FN void first_update_comes() {
    if (p_.initial < 0) p_.initial = p_.matched;
    ++p_.updates;
  }

  // ---- reverse pass, Algorithm 5, and augmentation, Algorithm 6 ----

  KONIG_FN void reverse() {
    unsigned cut = 0;
    long long roots = 0;
    const int* begin = p_.part == 0 ? w_.leaf : w_.cursor;
    team_.for_each(p_.found, [&](long long i) {
      int col = bsp::settled(begin + i);
      int steps = 0;
      for (; col >= 0 && steps < kWalkLimit; ++steps) {
        const int row = bsp::settled(w_.predecessor + col);
        if (bsp::compare_exchange(w_.successor + row, -1, col) != -1) {
          col = -1;
          break;
        }
        col = bsp::settled(w_.col_of_row + row);
        if (col >= 0) continue;
        bsp::store(w_.root + team_.reserve(&w_.state->roots, 1), row);
        ++roots;
      }
      bsp::store(w_.cursor + i, col);
      cut |= col >= 0;
      team_.spend(steps);
    });
    ++p_.part;
    const bsp::Agreed agreed = team_.agree(cut, roots);
    p_.paths += agreed.total;
    if (!agreed.bits) enter_step(kAugment);
  }

  KONIG_FN void augment() {
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    unsigned cut = 0;
    const int* begin = p_.part == 0 ? w_.root : w_.cursor;
    team_.for_each(p_.paths, [&](long long i) {
      int row = bsp::settled(begin + i);
      int steps = 0;
      for (; row >= 0 && steps < kWalkLimit; ++steps) {
        const int col = bsp::settled(w_.successor + row);
        const int next = bsp::load(w_.row_of_col + col);
        bsp::store(w_.col_of_row + row, col);
        bsp::store(w_.row_of_col + col, row);
        row = next;
      }
      bsp::store(w_.cursor + i, row);
      cut |= row >= 0;
      team_.spend(steps);
      path_edges_ += steps;
    });
    ++p_.part;
    if (team_.any(cut)) return;
    if (team_.leads()) w_.state->series[p_.series_used] = p_.paths;
    ++p_.series_used;
    ++p_.iterations;
    enter_step(kCheck);
  }

  // ---- state ----

  KONIG_FN bool square() const { return w_.rows == w_.cols; }
  KONIG_FN bool is_cold() const { return w_.starts_from == assignment::kNothing; }
  KONIG_FN bsp::Queue<Reached> queue() const { return {w_.queue, &w_.state->queued}; }

  KONIG_FN void enter_step(Step step) {
    p_.step = step;
    p_.part = 0;
  }

  // Steps until the solve has ended or the launch has to; perform(step) is for those of the variant.
  template <class Perform>
  KONIG_FN void run_steps(Perform perform) {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    long long began = team_.nanoseconds();
    while (p_.status == kRunning && p_.series_used < kSeries) {
      const long long step = p_.step;
      switch (step) {
        case kReduceRows:
          reduce_rows();
          break;
        case kReduceCols:
          reduce_cols();
          break;
        case kGreedy:
          greedy();
          break;
        case kReverse:
          reverse();
          break;
        case kAugment:
          augment();
          break;
        default:
          perform(step);
      }
      ++p_.supersteps;
      if (team_.leads()) {
        const long long now = team_.nanoseconds();
        bsp::fetch_add(w_.state->nanoseconds + step, now - began);
        began = now;
      }
      if (team_.expired()) break;
    }
    leave();
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
    }
    team_.add(&s->edges_scanned, edges_scanned_);
    team_.add(&s->path_edges, path_edges_);
  }

  Progress p_;  // every worker's copy: it only ever changes by what the team agreed on
  long long edges_scanned_ = 0, path_edges_ = 0;  // this worker's, this launch
};

}  // namespace konig::hungarian
