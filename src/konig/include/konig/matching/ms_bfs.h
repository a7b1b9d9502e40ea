// Multi-source search with atomic claims (`ms-bfs`): `auto` on the GPU.
//
// Trees of alternating paths grow from all unmatched columns at once; a row belongs to the tree that claims
// it first, so the paths found are disjoint and are flipped side by side with no repair (the MS-BFS of
// Azad, Buluc, Pothen, IEEE TPDS 28(1), 2017, without tree grafting). A phase ends when nothing is left to
// reach, or as soon as three quarters of its trees have a path: the rest would search around rows that are
// about to be free again. A phase that reached everything and found nothing proves the matching maximum.
//
// Levels. A large level is a superstep of the whole team. Nothing but the length of the paths depends on
// levels being searched in step, so while a frontier is small each thread block (of a GPU; a thread on the
// host) goes on by itself with what it reached, for up to kRounds levels, before all meet and deal the
// frontier out again: one grid barrier for several levels.
//
// Narrow graphs take one superstep for each of very many levels. With most_steps > 0, a first phase in which
// fewer than a quarter of the trees have a path after that many supersteps ends the solve as kNarrow, with a
// matching that is not maximum.
//
// State: parent[r] is the row before row r on its path in this phase, from_root(c) right below a root c,
// kUnreached if none. branch[r] is where a search goes on from r: it depends on r's partner alone, so it is
// written when that changes. Where levels are small their time is that of a chain of loads: a claim, and
// beside it the branch, whose rows are the next to be claimed. leaf[c] is for a root c the unmatched row it
// found, else -1. While a path is flipped, at most kWalk steps at a time, leaf[c] is where the walk goes on.
// A frontier entry is a column's list, or a piece of it, at most kPiece entries long, so that hubs are spread
// over the team; two frontiers take turns. The counters of a superstep are read after the barrier that ends
// it, while the next one counts into another of three sets: one barrier a superstep.
#pragma once

#include "konig/matching/ms_bfs/starts.h"
#include "konig/matching/ms_bfs/state.h"

namespace konig::multi_source_bfs {

template <class Team, class V, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    while (p_.status == kRunning) {
      switch (p_.step) {
        case kLook:
          p_.look = starts().look();
          begin_step(special_start());
          break;
        case kDiagonal:
          starts().diagonal();
          begin_step(kGreedy);
          break;
        case kPair:
          starts().pair();
          if (++p_.part == kPairPasses) begin_step(kGreedy);
          break;
        case kGreedy:
          if (special_start() != kGreedy) p_.part = kGreedyPasses - 1;  // what that left over, in one pass
          starts().greedy(p_.part, special_start() != kGreedy, (p_.look & kSymmetry) != kUnlike);
          if (++p_.part == kGreedyPasses) begin_step(kPlant);
          break;
        case kPlant:
          plant();
          break;
        case kGrow:
          grow();
          break;
        default:
          augment();
      }
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  // Where the pieces of the next level go, and how long a list may be to stay with the thread block.
  struct Next {
    bsp::Queue<Piece<Id>> pieces;
    long long* long_pieces;
    int longest;
  };

  KONIG_FN Starts<Team, Id, Offset> starts() { return {team_, w_}; }
  KONIG_FN Branches<Id, Offset> branches() const { return Branches<Id, Offset>(w_); }

  // Before the general start there may be one that leaves little to it.
  KONIG_FN Step special_start() const {
    if (p_.look & kFullDiagonal) return kDiagonal;
    return p_.look == kTriangles ? kPair : kGreedy;
  }

  // Nothing reached, every branch as the matching has it, and a tree for each unmatched column.
  KONIG_FN void plant() {
    bsp::Tally* tally = bsp::open_tally(team_, w_.state->tallies, p_.rounds);
    const Next next = next_frontier(tally, kShort);
    long long roots = 0, matched = 0;
    const bool first_time = !p_.later;
    if (first_time)
      team_.for_each_ahead(
          w_.rows, [&](long long row) { return bsp::load(w_.col_of_row + row); },
          [&](long long row, Id mate) {
            branches().describe(Id(row), mate);
            bsp::store(w_.parent + row, Id(kUnreached));
          });
    else
      team_.for_each_ahead(
          w_.rows, [&](long long row) { return bsp::load(w_.parent + row); },
          [&](long long row, Id parent) {
            if (parent == kUnreached) return;
            if (parent == kFlipped) branches().describe(Id(row), bsp::load(w_.col_of_row + row));
            bsp::store(w_.parent + row, Id(kUnreached));
          });
    team_.for_each_ahead(
        w_.cols, [&](long long col) { return bsp::load(w_.row_of_col + col); },
        [&](long long index, Id mate) {
          const Id col = Id(index);
          if (first_time) bsp::store(w_.leaf + col, Id(-1));
          if (mate >= 0) {
            ++matched;
            return;
          }
          const Offset first = w_.col_start[col], length = w_.col_start[col + 1] - first;
          if (length == 0) return;
          ++roots;
          push(next, branches().root_piece(col, first, length));
        });
    team_.deliver(next.pieces);
    const long long both = close(tally, (matched << 32) + roots);  // two numbers below 2^31
    matched = both >> 32;
    p_.roots = Id(both & 0xffffffffLL);
    p_.found = 0;
    if (team_.leads()) {
      w_.state->matched = matched;
      if (first_time) w_.state->start_size = matched;
    }
    if (p_.roots == 0 || matched == w_.rows)
      p_.status = kMaximum;
    else
      begin_step(kGrow);
  }

  KONIG_FN void grow() {
    bsp::Tally* tally = bsp::open_tally(team_, w_.state->tallies, p_.rounds);
    const bool small = kSmall * p_.pieces + 32 * p_.long_pieces <= team_.count();
    const Next next = next_frontier(tally, small ? kMedium : kShort);
    const Piece<Id>* frontier = frontier_index() ? w_.frontier[0] : w_.frontier[1];
    int found = 0;
    const auto search = [&](const Piece<Id>& piece, int lane, int width) {
      found += search_piece(next, piece, small, lane, width);
    };
    // Many workers for a piece shorten a level that is small; few use all of them when it is large.
    const int lanes = 8 * p_.pieces <= team_.count() ? 8 : kLanes;
    team_.expand(frontier, p_.pieces, p_.long_pieces, w_.pieces, next.pieces, lanes, small ? kRounds : 1,
                 search);
    p_.found += Id(close(tally, found));
    if (team_.leads()) bsp::fetch_add(&w_.state->levels, 1LL);
    if (p_.pieces + p_.long_pieces > 0 && 4LL * p_.found < 3LL * p_.roots) {
      if (!p_.later && w_.most_steps > 0 && ++p_.part > w_.most_steps && 4LL * p_.found < p_.roots)
        p_.status = kNarrow;
      return;
    }
    if (team_.leads()) bsp::fetch_add(&w_.state->phases, 1LL);
    if (p_.found == 0)
      p_.status = kMaximum;
    else
      begin_step(kAugment);
  }

  // This worker's share of a piece: every width-th row.
  KONIG_FN int search_piece(const Next& next, const Piece<Id>& piece, bool small, int lane, int width) {
    if (piece.onward[0] == kElsewhere) return search_list(next, piece, small, lane, width);
    const Id last = piece.onward[kNearRows - 1];
    const Id* far = w_.branch[piece.via].far.word;  // the rows of a root are always elsewhere
    return search_rows<kFewAtOnce>(
        next, piece, last < kElsewhere ? kFewRows : kNearRows, small, lane, width, [&](Id k) {
          if (k >= kNearRows) return bsp::settled(far + (k - kNearRows));
          return k == kNearRows - 1 && last < kElsewhere ? more(last) : piece.onward[k];
        });
  }

  KONIG_FN int search_list(const Next& next, const Piece<Id>& piece, bool small, int lane, int width) {
    const Id* rows = w_.col_rows + branches().first_of(piece);
    return search_rows<kManyAtOnce>(next, piece, piece.onward[2], small, lane, width,
                                    [&](Id k) { return rows[k]; });
  }

  // A batch at a time: its claims travel together, and beside them the loads of where the search would go on.
  template <int kAtOnce, class RowAt>
  KONIG_FN int search_rows(const Next& next, const Piece<Id>& piece, Id rows, bool small, int lane, int width,
                           RowAt row_at) {
    const Id root = piece.root;
    if (bsp::load(w_.leaf + root) >= 0) return 0;  // its tree has a path
    const Id parent = piece.via >= 0 ? piece.via : from_root(root);
    int found = 0;
    for (Id k = lane; k < rows; k += kAtOnce * width) {
      Id row[kAtOnce], before[kAtOnce];
      bsp::Four<Id> near[kAtOnce];
      KONIG_UNROLL
      for (int j = 0; j < kAtOnce; ++j) row[j] = k + j * width < rows ? row_at(k + j * width) : Id(-1);
      KONIG_UNROLL
      for (int j = 0; j < kAtOnce; ++j) {
        before[j] = row[j] < 0 ? Id(kFlipped) : bsp::load(w_.parent + row[j]);
        if (V::kCounted) edges_scanned_ += row[j] >= 0;
      }
      KONIG_UNROLL
      for (int j = 0; j < kAtOnce; ++j) {
        if (before[j] != kUnreached) continue;
        before[j] = bsp::compare_exchange(w_.parent + row[j], Id(kUnreached), parent);
        near[j] = bsp::load_four(&w_.branch[row[j]].near);
      }
      KONIG_UNROLL
      for (int j = 0; j < kAtOnce; ++j) {
        if (before[j] != kUnreached) continue;
        if (near[j].word[kMate] < 0)
          found += end_path(row[j], root);
        else
          go_on(next, near[j], root, row[j], small);
      }
    }
    team_.spend(rows);
    return found;
  }

  // At an unmatched row that was claimed: the path of its tree ends here, unless the tree has one already;
  // then the row is left to others.
  KONIG_FN int end_path(Id row, Id root) {
    if (bsp::compare_exchange(w_.leaf + root, Id(-1), row) == -1) return 1;
    bsp::store(w_.parent + row, Id(kUnreached));
    return 0;
  }

  // From a row that was claimed to those of its partner. Prefetches what the next level loads first: the list
  // or, while levels are small, the branches of its rows.
  KONIG_FN void go_on(const Next& next, const bsp::Four<Id>& near, Id root, Id row, bool small) {
    const Piece<Id> piece = branches().piece_of(near, root, row);
    if (piece.onward[0] == kElsewhere)
      bsp::prefetch(w_.col_rows + branches().first_of(piece));
    else if (small)
      for (int k = 0; k < kNearRows; ++k)
        if (piece.onward[k] >= 0) bsp::prefetch(w_.branch + piece.onward[k]);
    push(next, piece);
  }

  // A short list is one piece at the front of the next frontier; a long one is cut and goes to its back.
  KONIG_FN void push(const Next& next, Piece<Id> piece) {
    const Id length = piece.onward[0] == kElsewhere ? piece.onward[2] : Id(0);
    if (length <= next.longest) {
      team_.post(next.pieces, piece);
      return;
    }
    const Id first = piece.onward[1];
    long long slot = team_.reserve(next.long_pieces, ((long long)length + kPiece - 1) / kPiece);
    for (Id done = 0; done < length; done += kPiece, ++slot) {
      piece.onward[1] = first + done;
      piece.onward[2] = length - done < kPiece ? length - done : Id(kPiece);
      next.pieces.items[w_.pieces - 1 - slot] = piece;
    }
  }

  // Flips the paths, each from its unmatched row to its root. Beside each step's column, the next step is
  // loaded.
  KONIG_FN void augment() {
    unsigned cut = 0;
    p_.later = 1;
    const auto leaf = [&](long long root) { return bsp::load(w_.leaf + root); };
    team_.for_each_ahead(w_.cols, leaf, [&](long long root, Id row) {
      if (row < 0) return;
      int steps = 0;
      Id up = bsp::load(w_.parent + row);
      for (; row >= 0 && steps < kWalk; ++steps) {
        const Id col = up < 0 ? root_of(up) : bsp::load(w_.col_of_row + up);
        const Id further = up < 0 ? Id(-1) : bsp::load(w_.parent + up);
        bsp::store(w_.row_of_col + col, row);
        bsp::store(w_.col_of_row + row, col);
        bsp::store(w_.parent + row, Id(kFlipped));
        row = up < 0 ? Id(-1) : up;
        up = further;
      }
      bsp::store(w_.leaf + root, row);
      cut |= row >= 0;
      team_.spend(steps);
      if (V::kCounted) path_edges_ += steps;
    });
    ++p_.part;
    if (!team_.any(cut)) begin_step(kPlant);
  }

  // ---- state ----

  // The barrier that ends a superstep: the sum of what the workers pass, and the size of the next frontier.
  KONIG_FN long long close(const bsp::Tally* tally, long long value) {
    const bsp::Counted outcome = team_.count_up(value, tally);
    p_.pieces = outcome.first;
    p_.long_pieces = outcome.second;
    ++p_.rounds;
    return outcome.total;
  }

  KONIG_FN int frontier_index() const { return int(p_.rounds & 1); }

  KONIG_FN Next next_frontier(bsp::Tally* tally, int longest) const {
    return {{frontier_index() ? w_.frontier[1] : w_.frontier[0], &tally->first}, &tally->second, longest};
  }

  KONIG_FN void begin_step(Step step) {
    p_.step = step;
    p_.part = 0;
  }

  KONIG_FN void leave() {
    State<Id>* s = w_.state;
    p_.rounds %= 2 * bsp::kTallies;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
    }
    if (V::kCounted) {
      team_.add(&s->edges_scanned, edges_scanned_);
      team_.add(&s->path_edges, path_edges_);
    }
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  Progress<Id> p_;
  long long edges_scanned_ = 0, path_edges_ = 0;  // this worker's, this launch
};

template <class Id, class Offset, bool kCounts>
struct Program : bsp::ProgramOf<Workspace<Id, Offset>, State<Id>, kResidentBlocks, Solve,
                                Program<Id, Offset, kCounts>, Id, Offset> {
  static constexpr bool kCounted = kCounts;
};

}  // namespace konig::multi_source_bfs
