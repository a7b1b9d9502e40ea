// Multi-source search with atomic claims (`ms-bfs`): `auto` on the GPU.
//
// Trees of alternating paths grow from all unmatched columns at once, a level a superstep; a row belongs to
// the tree that claims it first, so the paths found are disjoint and are flipped side by side with no repair
// (the serial half of Azad, Buluc, Pothen, IEEE TPDS 28(1), 2017). A phase ends when nothing is left to
// reach, or as soon as three quarters of its trees have a path: the rest would search around rows that are
// about to be free again. A phase that reached everything and found nothing proves the matching maximum.
//
// Starts. Greedy: each unmatched column claims a row, beginning at a place in its list that depends on the
// column, since all beginning at the first drifts in one direction and leaves unmatched rows and columns
// far apart. Before it, if the pattern looks symmetric, pairs: two vertices that are unmatched both as row
// and as column take each other both ways. What remains unmatched is then the same vertices on both sides,
// and wherever the graph has short odd cycles the paths between them are short: on a Delaunay mesh of a
// million vertices 50 levels in all instead of 2,000.
//
// State: parent[r] is the column that reached row r in this phase, -1 if none; above[r] the row before it on
// its path, -1 below the root; leaf[c] for a root c the unmatched row it found, -1 if none. While pairing,
// parent[] holds locks. A frontier entry is a piece of a column's list, at most kPiece entries long, so
// that hubs are spread over the team; two frontiers take turns. The counters of a level are read after
// the barrier that ends it, while the next level counts into another of three sets: one barrier a level.
// A path is flipped at most kWalk steps at a time.
#pragma once

#include "konig/bsp/team.h"

namespace konig::multi_source_bfs {

#ifndef KONIG_PIECE
#define KONIG_PIECE 256
#endif
#ifndef KONIG_WALK
#define KONIG_WALK 4096
#endif
constexpr int kPiece = KONIG_PIECE;
constexpr int kShort = 16 < kPiece ? 16 : kPiece;  // entries of a piece that a few workers handle
constexpr int kBatch = 4;                          // entries that a worker asks for at once
constexpr int kWalk = KONIG_WALK;
constexpr int kSamples = 1024;   // columns looked at to see whether the pattern is symmetric
constexpr int kStartScans = 64;  // entries of a list that a start looks at
constexpr int kPairPasses = 2;
constexpr int kTallies = 3;

enum Status : long long { kRunning, kMaximum };
enum Step : long long { kLook, kPair, kGreedy, kPlant, kGrow, kAugment };

struct Tally {
  long long pieces;       // short ones, from the front of the frontier
  long long long_pieces;  // from its back
  long long found;
};

// Everything that outlives a launch; zeros before the first. Python reads it word by word in this order.
struct State {
  long long status;
  long long step;
  long long rounds;  // supersteps so far: the tallies take turns by it
  long long part;    // how often the current step was repeated
  long long pieces;  // in the current frontier
  long long long_pieces;
  long long roots;    // trees of this phase
  long long found;    // trees with a path so far in this phase
  long long matched;  // pairs
  long long symmetric;
  long long start_size;
  long long launches;
  long long phases;
  long long levels;
  long long edges_scanned;
  long long path_edges;
  Tally tallies[kTallies];
  long long listed;  // roots in the list of found ones
};

// A part of a column's list.
template <class Id, class Offset>
struct Piece {
  Offset first;
  Id length;
  Id col;
  Id root;
  Id via;  // the row through which the column was reached, -1 for a root
};

template <class Id, class Offset>
struct Workspace {
  long long rows;
  long long cols;
  long long pieces;  // entries that a frontier holds: room_for_pieces
  const Offset* col_start;
  const Id* col_rows;
  Id* col_of_row;
  Id* row_of_col;
  Id* parent;  // rows
  Id* above;   // rows
  Id* leaf;    // cols
  Id* found;   // cols: roots with a path
  Id* cursor;  // cols: where the walk of found[i] goes on
  Piece<Id, Offset>* frontier[2];
  State* state;
};

KONIG_FN unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

template <bool kCounted, class Team, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    enter();
    while (status_ == kRunning) {
      switch (step_) {
        case kLook:
          look();
          break;
        case kPair:
          pair();
          break;
        case kGreedy:
          greedy();
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
  // Where the pieces of the next level go.
  struct Next {
    bsp::Queue<Piece<Id, Offset>> pieces;
    long long* long_pieces;
  };

  // ---- starts ----

  KONIG_FN void look() {
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.parent + row, Id(-1)); });
    long long seen = 0;
    if (w_.rows == w_.cols) {
      const long long samples = w_.cols < kSamples ? w_.cols : kSamples;
      team_.for_each(samples, [&](long long i) {
        const Id col = Id(w_.cols / samples * i);
        if (w_.col_start[col] == w_.col_start[col + 1]) return;
        const Id row = w_.col_rows[w_.col_start[col]];
        seen += (1LL << 32) + lists(row, col);
      });
    }
    seen = team_.sum(seen);
    const long long mirrored = seen & 0xffffffffLL;
    symmetric_ = mirrored > 0 && 10 * mirrored >= 9 * (seen >> 32);
    enter_step(symmetric_ ? kPair : kGreedy);
  }

  // Whether the list of `col`, as far as a start looks, holds `row`.
  KONIG_FN bool lists(Id col, Id row) const {
    const Offset first = w_.col_start[col];
    const Offset last =
        w_.col_start[col + 1] < first + kStartScans ? w_.col_start[col + 1] : first + kStartScans;
    for (Offset k = first; k < last; ++k)
      if (w_.col_rows[k] == row) return true;
    return false;
  }

  KONIG_FN bool free_both_ways(Id v) const {
    return bsp::load(w_.row_of_col + v) < 0 && bsp::load(w_.col_of_row + v) < 0;
  }

  KONIG_FN void pair() {
    Id* lock = w_.parent;
    team_.for_each(w_.cols, [&](long long index) {
      const Id v = Id(index);
      if (bsp::load(lock + v) >= 0 || !free_both_ways(v)) return;
      if (bsp::compare_exchange(lock + v, Id(-1), v) != -1) return;
      if (!pair_up(v)) bsp::store(lock + v, Id(-1));
    });
    team_.barrier();
    if (++part_ == kPairPasses) enter_step(kGreedy);
  }

  KONIG_FN bool pair_up(Id v) {
    return scan_from_anywhere(v, [&](Id u) {
      Id* lock = w_.parent;
      if (u == v || bsp::load(lock + u) >= 0 || !free_both_ways(u) || !lists(u, v)) return false;
      if (bsp::compare_exchange(lock + u, Id(-1), v) != -1) return false;
      bsp::store(w_.row_of_col + v, u);
      bsp::store(w_.col_of_row + v, u);
      bsp::store(w_.row_of_col + u, v);
      bsp::store(w_.col_of_row + u, v);
      return true;
    });
  }

  KONIG_FN void greedy() {
    team_.for_each(w_.cols, [&](long long index) {
      const Id col = Id(index);
      if (bsp::load(w_.row_of_col + col) >= 0) return;
      scan_from_anywhere(col, [&](Id row) {
        if (bsp::load(w_.col_of_row + row) >= 0) return false;
        if (bsp::compare_exchange(w_.col_of_row + row, Id(-1), col) != -1) return false;
        bsp::store(w_.row_of_col + col, row);
        return true;
      });
    });
    team_.barrier();
    enter_step(kPlant);
  }

  // Offers the rows of a list, from a place that depends on the column, until one is taken.
  template <class Take>
  KONIG_FN bool scan_from_anywhere(Id col, Take take) {
    const Offset first = w_.col_start[col];
    const Offset length = w_.col_start[col + 1] - first;
    if (length == 0) return false;
    Offset k = Offset(mix(unsigned(col)) % (unsigned long long)length);
    const int scans = length < kStartScans ? int(length) : kStartScans;
    team_.spend(scans);
    for (int i = 0; i < scans; ++i) {
      if (take(w_.col_rows[first + k])) return true;
      if (++k == length) k = 0;
    }
    return false;
  }

  // ---- search ----

  // Nothing visited, and a tree for each unmatched column.
  KONIG_FN void plant() {
    Tally* tally = open_tally();
    const Next next = next_frontier(tally);
    if (team_.leads()) bsp::store(&w_.state->listed, 0LL);
    long long roots = 0, matched = 0;
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.parent + row, Id(-1)); });
    team_.for_each(w_.cols, [&](long long index) {
      const Id col = Id(index);
      bsp::store(w_.leaf + col, Id(-1));
      if (bsp::load(w_.row_of_col + col) >= 0) {
        ++matched;
      } else if (w_.col_start[col] < w_.col_start[col + 1]) {
        ++roots;
        push(next, col, col, Id(-1));
      }
    });
    team_.deliver(next.pieces);
    const long long both = team_.sum((matched << 32) + roots);  // one agreement for two numbers below 2^31
    matched_ = both >> 32;
    roots_ = both & 0xffffffffLL;
    read(tally);
    found_ = 0;
    if (phases_ == 0) start_size_ = matched_;
    if (roots_ == 0 || matched_ == w_.rows)
      status_ = kMaximum;
    else
      enter_step(kGrow);
  }

  KONIG_FN void grow() {
    Tally* tally = open_tally();
    const Next next = next_frontier(tally);
    const Piece<Id, Offset>* frontier = frontier_index() ? w_.frontier[0] : w_.frontier[1];
    long long found = 0;
    // Many workers for a piece shorten a level that is small; few use all of them when it is large.
    const int lanes = 8 * pieces_ <= team_.count() ? 8 : 2;
    team_.for_each_wide(pieces_, lanes, [&](long long i, int lane, int width) {
      found += search_piece(next, frontier + i, lane, width);
    });
    team_.for_each_wide(long_pieces_, 32, [&](long long i, int lane, int width) {
      found += search_piece(next, frontier + (w_.pieces - 1 - i), lane, width);
    });
    team_.deliver(next.pieces);
    team_.add(&tally->found, found);
    team_.barrier();
    read(tally);
    found_ += bsp::load(&tally->found);
    ++levels_;
    if (pieces_ + long_pieces_ > 0 && 4 * found_ < 3 * roots_) return;
    ++phases_;
    if (found_ == 0)
      status_ = kMaximum;
    else
      enter_step(kAugment);
  }

  // This worker's share of a piece: every width-th entry, a batch at a time, so that the loads of a batch
  // travel together.
  KONIG_FN int search_piece(const Next& next, const Piece<Id, Offset>* piece, int lane, int width) {
    const Offset first = bsp::load(&piece->first);
    const Id length = bsp::load(&piece->length), col = bsp::load(&piece->col);
    const Id root = bsp::load(&piece->root), via = bsp::load(&piece->via);
    const bool done = bsp::load(w_.leaf + root) >= 0;
    int found = 0;
    for (Id k = lane; k < length; k += kBatch * width) {
      Id row[kBatch], parent[kBatch], mate[kBatch];
      for (int j = 0; j < kBatch; ++j)
        row[j] = k + j * width < length ? w_.col_rows[first + k + j * width] : Id(-1);
      if (done) break;
      for (int j = 0; j < kBatch; ++j) {
        parent[j] = row[j] >= 0 ? bsp::load(w_.parent + row[j]) : Id(0);
        mate[j] = row[j] >= 0 ? bsp::load(w_.col_of_row + row[j]) : Id(0);
      }
      for (int j = 0; j < kBatch; ++j)
        if (parent[j] < 0) found += reach(next, row[j], mate[j], col, root, via);
    }
    team_.spend(length);
    if (kCounted && lane == 0 && !done) edges_scanned_ += length;
    return found;
  }

  // Claims a row for the tree, and goes on from its partner or, where it has none, ends the tree's path.
  // above[row] is written only by the worker whose claim stands.
  KONIG_FN int reach(const Next& next, Id row, Id mate, Id col, Id root, Id via) {
    if (bsp::compare_exchange(w_.parent + row, Id(-1), col) != -1) return 0;
    if (mate >= 0) {
      bsp::store(w_.above + row, via);
      push(next, mate, root, row);
      return 0;
    }
    if (bsp::compare_exchange(w_.leaf + root, Id(-1), row) != -1) {
      bsp::store(w_.parent + row, Id(-1));  // the tree has a path already: leave the row to others
      return 0;
    }
    bsp::store(w_.above + row, via);
    const long long slot = team_.reserve(&w_.state->listed, 1);
    bsp::store(w_.found + slot, root);
    bsp::store(w_.cursor + slot, row);
    return 1;
  }

  // A short list is one piece at the front of the next frontier; a long one is cut and goes to its back.
  KONIG_FN void push(const Next& next, Id col, Id root, Id via) {
    const Offset first = w_.col_start[col];
    const Offset last = w_.col_start[col + 1];
    if (last - first <= kShort) {
      team_.post(next.pieces, Piece<Id, Offset>{first, Id(last - first), col, root, via});
      return;
    }
    long long slot = team_.reserve(next.long_pieces, (long long)(last - first + kPiece - 1) / kPiece);
    for (Offset k = first; k < last; k += kPiece, ++slot)
      next.pieces.items[w_.pieces - 1 - slot] =
          Piece<Id, Offset>{k, Id(last - k < kPiece ? last - k : kPiece), col, root, via};
  }

  KONIG_FN void augment() {
    unsigned cut = 0;
    team_.for_each(found_, [&](long long i) {
      Id row = bsp::load(w_.cursor + i);
      int steps = 0;
      for (; row >= 0 && steps < kWalk; ++steps) {
        const Id col = bsp::load(w_.parent + row);
        const Id up = bsp::load(w_.above + row);
        bsp::store(w_.row_of_col + col, row);
        bsp::store(w_.col_of_row + row, col);
        row = up;
      }
      bsp::store(w_.cursor + i, row);
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
      bsp::store(&next->found, 0LL);
    }
    return w_.state->tallies + rounds_ % kTallies;
  }

  // After the barrier: what the superstep that just ended has put into the next frontier.
  KONIG_FN void read(const Tally* tally) {
    pieces_ = bsp::load(&tally->pieces);
    long_pieces_ = bsp::load(&tally->long_pieces);
    ++rounds_;
  }

  KONIG_FN int frontier_index() const { return int(rounds_ & 1); }

  KONIG_FN Next next_frontier(Tally* tally) const {
    return {{frontier_index() ? w_.frontier[1] : w_.frontier[0], &tally->pieces}, &tally->long_pieces};
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

// How many entries a frontier must hold: every column once, and a piece more for each kPiece entries.
KONIG_FN long long room_for_pieces(long long cols, long long entries) { return cols + entries / kPiece; }

}  // namespace konig::multi_source_bfs
