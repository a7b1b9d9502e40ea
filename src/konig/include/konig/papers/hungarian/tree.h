// The alternating tree variant of the Hungarian method (`hungarian-tree`).
//
// Date, Nagi, Parallel Computing 57 (2016), §2.3 and §4, Algorithms 4 and 9; Lawler (1976). What it shares
// with the classical variant, the invariants and most deviations are in hungarian/stages.h.
//
// Trees of alternating paths grow from all unassigned rows at once. For each column slack[] keeps the least
// slack against the rows reached, so that a dual update costs O(n): all that is read of the matrix are the
// entries of the rows that join. An expansion by the rows of the frontier updates the slacks; columns at zero
// are reached, and the rows assigned to them are the next frontier. When it is empty and no unassigned column
// was reached, the least slack is added to the duals, which brings new columns to zero.
//
// State: the updates of a search are summed up in `shift`. slack[j] is counted from the start of the search,
// as are row_since[i] and col_since[j], the shifts at which a row or column was reached: nothing has to be
// changed at an update, and the duals get their share once, at the end of the search.
//
// Deviations. (1) That. (2) A worker holds a strip of columns and reads a part of the frontier's rows along
// it, so that rows are read in order and there is work for all; where the frontier is cut into parts another
// superstep combines them. (3) After an update the columns at zero are reached at once; the paper makes the
// rows before them active once more, which would read their entries again.
#pragma once

#include "konig/papers/hungarian/stages.h"

namespace konig::hungarian {

template <class Team, class Cost>
class Tree : Stages<Team, Cost> {
  using Base = Stages<Team, Cost>;
  using Base::team_, Base::w_, Base::p_, Base::kStrip;
  using typename Base::Strip;

 public:
  KONIG_FN Tree(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  KONIG_FN void run() {
    this->run_steps([&](long long step) {
      switch (step) {
        case kCheck:
          this->check(kExpand, [&](long long col) { bsp::store(w_.slack + col, kInfinite); });
          break;
        case kExpand:
          expand();
          break;
        case kCombine:
          combine();
          break;
        default:
          update();
      }
    });
  }

 private:
  // What this worker saw in a superstep.
  struct Seen {
    long long reached = 0;  // as Base::reach counts
    long long least = bsp::kNoLeast;
  };

  // Algorithm 4.
  KONIG_FN void expand() {
    const long long rows = p_.tail - p_.head;
    const bool whole = this->chunks_for(rows) == 1;
    Seen seen;
    this->for_each_tile(rows, [&](long long strip, int lane, long long first, long long last,
                                  long long chunk) {
      expand_tile(seen, this->open_columns(strip, lane), p_.head + first, p_.head + last, whole ? -1 : chunk);
    });
    p_.entries_read += rows * w_.cols;
    if (whole) {
      decide(seen);
    } else {
      team_.barrier();
      this->enter_step(kCombine);
    }
  }

  // The columns of a strip against some rows of the queue; what was found is settled, or kept as a part.
  KONIG_FN void expand_tile(Seen& seen, const Strip& s, long long first, long long last, long long part) {
    long long best[kStrip];
    int from[kStrip];
    this->for_strip(s.mine, [&](int k) {
      best[k] = part < 0 ? bsp::settled(w_.slack + s.col(k)) : kInfinite;
      from[k] = -1;
    });
    this->sweep(
        s, first, last, [&](long long i) { return this->queued_row(i); },
        [&](long long row, const long long* slack) {
          this->for_strip(s.mine, [&](int k) {
            const bool less = slack[k] < best[k];
            best[k] = less ? slack[k] : best[k];
            from[k] = less ? int(row) : from[k];
          });
        });
    if (part < 0) {
      this->for_columns(
          s, [&](int k) { return s.dual[k] != -kOut && settle(seen, s.col(k), best[k], from[k]); },
          [&](long long col) { seen.reached += this->reach(int(col)); });
      return;
    }
    this->for_strip(s.mine, [&](int k) {
      bsp::store(w_.partial_slack + part * w_.cols + s.col(k), best[k]);
      bsp::store(w_.partial_row + part * w_.cols + s.col(k), from[k]);
    });
  }

  // The loads of some parts travel together.
  static constexpr int kPartsAtOnce = 8;

  KONIG_FN void combine() {
    const long long chunks = this->chunks_for(p_.tail - p_.head);
    Seen seen;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::settled(w_.col_since + col) >= 0) return;
      long long best = bsp::settled(w_.slack + col), at = -1;
      for (long long first = 0; first < chunks; first += kPartsAtOnce) {
        long long slack[kPartsAtOnce];
        for (int k = 0; k < kPartsAtOnce; ++k) {
          const long long chunk = first + k < chunks ? first + k : first;
          slack[k] = bsp::settled(w_.partial_slack + chunk * w_.cols + col);
        }
        for (int k = 0; k < kPartsAtOnce; ++k) {
          at = slack[k] < best ? first + k : at;
          best = slack[k] < best ? slack[k] : best;
        }
      }
      const int row = at < 0 ? -1 : bsp::settled(w_.partial_row + at * w_.cols + col);
      if (settle(seen, col, best, row)) seen.reached += this->reach(int(col));
      team_.spend(chunks);
    });
    decide(seen);
  }

  // The least slack of a column that was not reached, and the row it comes from, -1 if the column knew.
  // Whether it is reached now.
  KONIG_FN bool settle(Seen& seen, long long col, long long slack, int row) {
    if (row >= 0) {
      bsp::store(w_.slack + col, slack);
      bsp::store(w_.predecessor + col, row);
    }
    if (slack <= p_.shift) return true;
    if (slack < seen.least && slack < kInfinite) seen.least = slack;
    return false;
  }

  KONIG_FN void decide(const Seen& seen) {
    team_.deliver(this->queue());
    const bsp::AgreedLeast agreed = team_.agree(0, seen.reached, seen.least);
    this->count_reached(agreed.total);
    p_.least = agreed.least;
    ++p_.levels;
    if (p_.tail > p_.head)
      this->enter_step(kExpand);
    else if (p_.found > 0)
      this->enter_step(kReverse);
    else if (p_.least >= kInfinite)
      p_.status = kInfeasible;
    else
      this->enter_step(kUpdate);
  }

  // Algorithm 9. The expansions have found theta already.
  KONIG_FN void update() {
    this->first_update_comes();
    p_.shift = p_.least;
    long long reached = 0;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::settled(w_.slack + col) == p_.shift && bsp::settled(w_.col_since + col) < 0)
        reached += this->reach(int(col));
    });
    team_.deliver(this->queue());
    this->count_reached(team_.sum(reached));
    this->enter_step(p_.tail > p_.head ? kExpand : kReverse);
  }
};

template <class Cost>
struct TreeProgram : bsp::ProgramOf<Workspace<Cost>, State, 2, Tree, Cost> {
  static constexpr bool kTree = true;
};

}  // namespace konig::hungarian
