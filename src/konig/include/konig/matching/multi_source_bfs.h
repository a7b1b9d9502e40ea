// Multi-source search with atomic claims (`ms-bfs`): `auto` on the GPU.
//
// Trees of alternating paths grow from all unmatched columns at once; a row belongs to the tree that claims
// it first, so the paths found are disjoint and are flipped side by side with no repair (the serial half of
// Azad, Buluc, Pothen, IEEE TPDS 28(1), 2017). A phase ends when nothing is left to reach, or as soon as
// three quarters of its trees have a path: the rest would search around rows that are about to be free again.
// A phase that reached everything and found nothing proves the matching maximum.
//
// Levels. A large level is a superstep of the whole team. Nothing but the length of the paths depends on
// levels being searched in step, so while a frontier is small each crew (a block of a GPU, a thread) goes on
// by itself with what it reached, for up to kRounds levels, before all meet and deal the frontier out again:
// one grid barrier for several levels.
//
// State: visit[r] holds the column that reached row r in this phase (its parent), -1 if none, with what the
// search needs to go on from r, all in one load; above[r] is the row before it on its path, -1 below
// the root; leaf[c] for a root c the unmatched row it found, -1 if none. While a path is
// flipped, at most kWalk steps at a time, leaf[c] is where the walk goes on. A frontier entry is a piece of a
// column's list, at most kPiece entries long, so that hubs are spread over the team; two frontiers take
// turns. The counters of a superstep are read after the barrier that ends it, while the next one counts into
// another of three sets: one barrier a superstep.
#pragma once

#include "konig/matching/multi_source_bfs/starts.h"
#include "konig/matching/multi_source_bfs/state.h"

namespace konig::multi_source_bfs {

template <bool kCounted, class Team, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    enter();
    while (status_ == kRunning) {
      switch (step_) {
        case kLook:
          symmetric_ = starts().look();
          enter_step(symmetric_ == kTriangles ? kPair : kGreedy);
          break;
        case kPair:
          starts().pair();
          if (++part_ == kPairPasses) enter_step(kGreedy);
          break;
        case kGreedy:
          if (symmetric_ == kTriangles) part_ = kGreedyPasses - 1;  // what pairs left over, in one pass
          starts().greedy(int(part_), symmetric_ == kTriangles, symmetric_ != kUnlike);
          if (++part_ == kGreedyPasses) enter_step(kPlant);
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
  using PieceOf = Piece<Id, Offset>;

  // Where the pieces of the next level go, and how long a list may be to stay with the crew.
  struct Next {
    bsp::Queue<PieceOf> pieces;
    long long* long_pieces;
    int longest;
  };

  KONIG_FN Starts<Team, Id, Offset> starts() { return {team_, w_}; }

  // Nothing visited, and a tree for each unmatched column.
  KONIG_FN void plant() {
    Tally* tally = open_tally();
    const Next next = next_frontier(tally, kShort);
    long long roots = 0, matched = 0;
    struct Known {
      Visit<Offset> visit;
      Id mate;
    };
    const bool first_time = phases_ == 0;
    team_.for_each_ahead(
        w_.rows,
        [&](long long row) { return Known{bsp::load_four(w_.visit + row), bsp::load(w_.col_of_row + row)}; },
        [&](long long row, const Known& known) {
          if (first_time || Id(known.visit.word[kMate]) != known.mate) describe(row, known.mate);
          if (first_time || known.visit.word[kParent] >= 0)
            bsp::store(w_.visit[row].word + kParent, Offset(-1));
        });
    team_.for_each_ahead(
        w_.cols, [&](long long col) { return bsp::load(w_.row_of_col + col); },
        [&](long long index, Id mate) {
          const Id col = Id(index);
          bsp::store(w_.leaf + col, Id(-1));
          if (mate >= 0) {
            ++matched;
          } else if (w_.col_start[col] < w_.col_start[col + 1]) {
            ++roots;
            push(next, col, col, w_.col_start[col], w_.col_start[col + 1] - w_.col_start[col]);
          }
        });
    team_.deliver(next.pieces);
    const long long both = close(tally, (matched << 32) + roots);  // two numbers below 2^31
    matched_ = both >> 32;
    roots_ = both & 0xffffffffLL;
    found_ = 0;
    if (phases_ == 0) start_size_ = matched_;
    if (roots_ == 0 || matched_ == w_.rows)
      status_ = kMaximum;
    else
      enter_step(kGrow);
  }

  // What a search that reaches the row finds there.
  KONIG_FN void describe(long long row, Id mate) {
    Offset* visit = w_.visit[row].word;
    const Offset first = mate < 0 ? Offset(0) : w_.col_start[mate];
    bsp::store(visit + kMate, Offset(mate));
    bsp::store(visit + kFirst, first);
    bsp::store(visit + kLength, mate < 0 ? Offset(0) : Offset(w_.col_start[mate + 1] - first));
  }

  KONIG_FN void grow() {
    Tally* tally = open_tally();
    const bool small = 8 * pieces_ + 32 * long_pieces_ <= team_.count();
    const Next next = next_frontier(tally, small ? kMedium : kShort);
    const PieceOf* frontier = frontier_index() ? w_.frontier[0] : w_.frontier[1];
    long long found = 0;
    const auto search = [&](const PieceOf& piece, int lane, int width) {
      found += search_piece(next, piece, lane, width);
    };
    team_.for_each_wide(long_pieces_, 32, [&](long long i, int lane, int width) {
      search(frontier[w_.pieces - 1 - i], lane, width);
    });
    // Many workers for a piece shorten a level that is small; few use all of them when it is large.
    const int lanes = 8 * pieces_ <= team_.count() ? 8 : 2;
    team_.expand(frontier, pieces_, next.pieces, lanes, small ? kRounds : 1, search);
    found_ += close(tally, found);
    ++levels_;
    if (pieces_ + long_pieces_ > 0 && 4 * found_ < 3 * roots_) return;
    ++phases_;
    if (found_ == 0)
      status_ = kMaximum;
    else
      enter_step(kAugment);
  }

  // This worker's share of a piece: every width-th entry, a batch at a time. The loads of a batch travel
  // together, and so do its claims; the lists where the search would go on are asked for meanwhile.
  KONIG_FN int search_piece(const Next& next, const PieceOf& piece, int lane, int width) {
    const bool done = bsp::load(w_.leaf + piece.root) >= 0;
    const Id via = bsp::load(w_.row_of_col + piece.col);  // -1 for a root
    int found = 0;
    for (Id k = lane; k < piece.length; k += kBatch * width) {
      Id row[kBatch];
      Offset before[kBatch];
      Visit<Offset> seen[kBatch];
      for (int j = 0; j < kBatch; ++j)
        row[j] = k + j * width < piece.length ? w_.col_rows[piece.first + k + j * width] : Id(-1);
      if (done) break;
      for (int j = 0; j < kBatch; ++j)
        seen[j] = row[j] >= 0 ? bsp::load_four(w_.visit + row[j]) : Visit<Offset>{};
      for (int j = 0; j < kBatch; ++j) {
        before[j] = seen[j].word[kParent];
        if (before[j] >= 0) continue;
        bsp::prefetch(w_.col_rows + seen[j].word[kFirst]);
        before[j] = claim(row[j], piece.col);
      }
      for (int j = 0; j < kBatch; ++j) {
        if (before[j] >= 0) continue;
        const Id mate = Id(seen[j].word[kMate]);
        if (mate < 0) {
          found += end_path(row[j], piece.root, via);
        } else {
          bsp::store(w_.above + row[j], via);  // by the worker whose claim stands
          push(next, mate, piece.root, seen[j].word[kFirst], seen[j].word[kLength]);
        }
      }
    }
    team_.spend(piece.length);
    if (kCounted && lane == 0 && !done) edges_scanned_ += piece.length;
    return found;
  }

  // The parent that the row had before; the claim stands if it had none.
  KONIG_FN Offset claim(Id row, Id col) {
    return bsp::compare_exchange(w_.visit[row].word + kParent, Offset(-1), Offset(col));
  }

  // At an unmatched row that was claimed: the path of its tree ends here, unless the tree has one already;
  // then the row is left to others.
  KONIG_FN int end_path(Id row, Id root, Id via) {
    if (bsp::compare_exchange(w_.leaf + root, Id(-1), row) != -1) {
      bsp::store(w_.visit[row].word + kParent, Offset(-1));
      return 0;
    }
    bsp::store(w_.above + row, via);
    return 1;
  }

  // A short list is one piece at the front of the next frontier; a long one is cut and goes to its back.
  KONIG_FN void push(const Next& next, Id col, Id root, Offset first, Offset length) {
    if (length <= next.longest) {
      team_.post(next.pieces, PieceOf{first, Id(length), col, root});
      return;
    }
    long long slot = team_.reserve(next.long_pieces, ((long long)length + kPiece - 1) / kPiece);
    for (Offset done = 0; done < length; done += kPiece, ++slot)
      next.pieces.items[w_.pieces - 1 - slot] =
          PieceOf{Offset(first + done), Id(length - done < kPiece ? length - done : kPiece), col, root};
  }

  // Flips the paths, each from its unmatched row to its root.
  KONIG_FN void augment() {
    unsigned cut = 0;
    const auto leaf = [&](long long root) { return bsp::load(w_.leaf + root); };
    team_.for_each_ahead(w_.cols, leaf, [&](long long root, Id row) {
      if (row < 0) return;
      int steps = 0;
      for (; row >= 0 && steps < kWalk; ++steps) {
        const Id col = Id(bsp::load(w_.visit[row].word + kParent));
        const Id up = bsp::load(w_.above + row);
        bsp::store(w_.row_of_col + col, row);
        bsp::store(w_.col_of_row + row, col);
        row = up;
      }
      bsp::store(w_.leaf + root, row);
      cut |= row >= 0;
      team_.spend(steps);
      if (kCounted) path_edges_ += steps;
    });
    ++part_;
    if (!team_.any(cut)) enter_step(kPlant);
  }

  // ---- state ----

  // The set of counters of this superstep; the one of the next is cleared meanwhile: it was last read before
  // the previous barrier.
  KONIG_FN Tally* open_tally() {
    Tally* next = w_.state->tallies + (rounds_ + 1) % kTallies;
    if (team_.leads()) {
      bsp::store(&next->pieces, 0LL);
      bsp::store(&next->long_pieces, 0LL);
    }
    return w_.state->tallies + rounds_ % kTallies;
  }

  // The barrier that ends a superstep: the sum of what the workers pass, and the size of the next frontier.
  KONIG_FN long long close(const Tally* tally, long long value) {
    const bsp::Counted outcome = team_.count_up(value, &tally->pieces, &tally->long_pieces);
    pieces_ = outcome.first;
    long_pieces_ = outcome.second;
    ++rounds_;
    return outcome.total;
  }

  KONIG_FN int frontier_index() const { return int(rounds_ & 1); }

  KONIG_FN Next next_frontier(Tally* tally, int longest) const {
    return {
        {frontier_index() ? w_.frontier[1] : w_.frontier[0], &tally->pieces}, &tally->long_pieces, longest};
  }

  KONIG_FN void enter_step(Step step) {
    step_ = step;
    part_ = 0;
  }

  KONIG_FN void enter() {
    const State* s = w_.state;
    status_ = s->status;
    step_ = s->step;
    rounds_ = s->rounds;
    part_ = s->part;
    pieces_ = s->pieces;
    long_pieces_ = s->long_pieces;
    roots_ = s->roots;
    found_ = s->found;
    matched_ = s->matched;
    symmetric_ = s->symmetric;
    start_size_ = s->start_size;
    phases_ = s->phases;
    levels_ = s->levels;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->status = status_;
      s->step = step_;
      s->rounds = rounds_;
      s->part = part_;
      s->pieces = pieces_;
      s->long_pieces = long_pieces_;
      s->roots = roots_;
      s->found = found_;
      s->matched = matched_;
      s->symmetric = symmetric_;
      s->start_size = start_size_;
      s->launches += 1;
      s->phases = phases_;
      s->levels = levels_;
    }
    if (kCounted) {
      team_.add(&s->edges_scanned, edges_scanned_);
      team_.add(&s->path_edges, path_edges_);
    }
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  long long status_, step_, rounds_, part_, pieces_, long_pieces_, roots_, found_, matched_, symmetric_,
      start_size_, phases_, levels_;
  long long edges_scanned_ = 0, path_edges_ = 0;  // this worker's, this launch
};

}  // namespace konig::multi_source_bfs
