// The classical variant of the Hungarian method (`hungarian-classical`).
//
// Date, Nagi, Parallel Computing 57 (2016), §2.2 and §4, Algorithms 3, 7 and 8; Munkres (1957). What it
// shares with the alternating tree variant, the invariants and most deviations are in hungarian/stages.h.
//
// The edges with zero slack are compressed into the lists of their rows (§3.3), and only they are searched:
// breadth first, from all unassigned rows at once. When the search ends without an unassigned column, theta
// is the least slack between the rows reached and the columns that were not; it takes a sweep over their part
// of the matrix. The dual update makes new edges, and the lists are compressed again, by a sweep over the
// whole of it; after an augmentation they are still right and are kept.
//
// State: start, neighbour are the lists, right for the present duals if `fresh`. predecessor[j] is the row
// that reached column j in this search, -1 if none did.
//
// Deviations. (1) A sweep appends edges to one list together with their place in the list of their row; a
// prefix sum over the rows' counts then says where each belongs. So the matrix is read once, not to count and
// to fill. If there are more edges than there is room for, the solve asks its host for room. (2) A column is
// claimed by exchange, so that the next frontier has no duplicates. (3) After an update all rows reached so
// far are expanded again, as in §2.2: the trees are kept.
#pragma once

#include "konig/papers/hungarian/stages.h"

namespace konig::hungarian {

template <class Team, class Cost>
class Classical : Stages<Team, Cost> {
  using Base = Stages<Team, Cost>;
  using Base::team_, Base::w_, Base::p_, Base::kStrip;
  using typename Base::Strip;

 public:
  KONIG_FN Classical(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  KONIG_FN void run() {
    this->run_steps([&](long long step) {
      switch (step) {
        case kCheck:
          this->check(p_.fresh ? kExpand : kCompress,
                      [&](long long col) { bsp::store(w_.predecessor + col, -1); });
          break;
        case kCompress:
          compress();
          break;
        case kExpand:
          expand();
          break;
        case kBound:
          bound();
          break;
        default:
          update();
      }
    });
  }

 private:
  // ---- matrix compression, §3.3 ----

  enum Part : long long { kClear, kCollect, kOffsets, kScatter };

  KONIG_FN void compress() {
    switch (p_.part) {
      case kClear:
        if (team_.leads()) bsp::store(&w_.state->collected, 0LL);
        team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.count + row, 0); });
        team_.barrier();
        break;
      case kCollect:
        p_.edges = team_.sum(collect());
        p_.entries_read += w_.rows * w_.cols;
        if (p_.edges > w_.room) {
          p_.status = kNeedsRoom;
          this->enter_step(kCompress);
          return;
        }
        break;
      case kOffsets:
        bsp::counts_to_offsets(
            team_, w_.rows, [&](long long row) { return bsp::settled(w_.count + row); },
            [&](long long row, long long begin, long long) { bsp::store(w_.start + row, begin); });
        if (team_.leads()) bsp::store(w_.start + w_.rows, p_.edges);
        team_.barrier();
        break;
      default:
        team_.for_each(p_.edges, [&](long long i) {
          const Edge* edge = w_.edge + i;
          const long long place =
              bsp::settled(w_.start + bsp::settled(&edge->row)) + bsp::settled(&edge->place);
          bsp::store(w_.neighbour + place, bsp::settled(&edge->col));
        });
        team_.barrier();
        p_.fresh = 1;
        ++p_.compressions;
        this->enter_step(kExpand);
        return;
    }
    ++p_.part;
  }

  KONIG_FN long long collect() {
    long long edges = 0;
    this->for_each_tile(w_.rows, [&](long long strip, int lane, long long first, long long last, long long) {
      const Strip s = this->all_columns(strip, lane);
      this->sweep(
          s, first, last, [&](long long row) { return this->any_row(row); },
          [&](long long row, const long long* slack) {
            this->for_each_zero(s, slack, [&](long long col) {
              ++edges;
              append_edge(int(row), int(col));
            });
          });
    });
    return edges;
  }

  KONIG_FN void append_edge(int row, int col) {
    const int place = bsp::fetch_add(w_.count + row, 1);
    const long long slot = team_.reserve(&w_.state->collected, 1);
    if (slot >= w_.room) return;
    Edge* edge = w_.edge + slot;
    bsp::store(&edge->row, row);
    bsp::store(&edge->col, col);
    bsp::store(&edge->place, place);
  }

  // ---- forward pass, Algorithm 3 ----

  KONIG_FN void expand() {
    long long reached = 0;
    const int lanes = p_.edges > 16 * w_.rows ? 32 : 8;
    team_.for_each_wide(p_.tail - p_.head, lanes, [&](long long i, int lane, int width) {
      const int row = int(this->queued_row(p_.head + i).row);
      const long long last = bsp::settled(w_.start + row + 1);
      long long e = bsp::settled(w_.start + row) + lane;
      for (; e < last; e += width) {
        const int col = bsp::settled(w_.neighbour + e);
        ++this->edges_scanned_;
        team_.spend(1);
        if (bsp::load(w_.predecessor + col) >= 0 || bsp::settled(w_.row_of_col + col) == row) continue;
        if (bsp::compare_exchange(w_.predecessor + col, -1, row) == -1) reached += this->reach(col);
      }
    });
    team_.deliver(this->queue());
    this->count_reached(team_.sum(reached));
    ++p_.levels;
    if (p_.tail > p_.head)
      this->enter_step(kExpand);
    else
      this->enter_step(p_.found > 0 ? kReverse : kBound);
  }

  // ---- dual update, Algorithms 7 and 8 ----

  KONIG_FN void bound() {
    long long least = kOut;
    this->for_each_tile(p_.tail, [&](long long strip, int lane, long long first, long long last, long long) {
      const Strip s = this->open_columns(strip, lane);
      this->sweep(
          s, first, last, [&](long long i) { return this->queued_row(i); },
          [&](long long, const long long* slack) {
            this->for_strip(s.mine, [&](int k) { least = slack[k] < least ? slack[k] : least; });
          });
    });
    p_.least = team_.agree(0, 0, least < kInfinite ? least : bsp::kNoLeast).least;
    p_.entries_read += p_.tail * w_.cols;
    if (p_.least >= kInfinite)
      p_.status = kInfeasible;
    else
      this->enter_step(kUpdate);
  }

  KONIG_FN void update() {
    this->first_update_comes();
    team_.for_each(p_.tail, [&](long long i) {
      const Reached at = this->queued_row(i);
      bsp::store(w_.row_dual + at.row, at.base + p_.least);
      bsp::store(&w_.queue[i].base, at.base + p_.least);
    });
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::settled(w_.col_since + col) >= 0)
        bsp::store(w_.col_dual + col, bsp::settled(w_.col_dual + col) - p_.least);
    });
    team_.barrier();
    p_.fresh = 0;
    p_.head = 0;
    this->enter_step(kCompress);
  }
};

template <class Cost>
struct ClassicalProgram : bsp::ProgramOf<Workspace<Cost>, State, 2, Classical, Cost> {
  static constexpr bool kTree = false;
};

}  // namespace konig::hungarian
