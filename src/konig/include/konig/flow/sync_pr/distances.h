// Global relabelling: heights become exact distances to the target, by a breadth-first search backwards along
// residual arcs, on the team itself. Nothing else moves meanwhile. What has excess and was reached is active
// afterwards.
//
// A frontier entry is a piece of a vertex's slots, so that a hub is spread over the team; two frontiers take
// turns. The counters of a level are read after the barrier that ends it, while the next level counts into
// another of three sets: one barrier a level. While a frontier is small one block takes level after level
// alone.
#pragma once

#include "konig/flow/sync_pr/discharge.h"

namespace konig::synchronous_flow {

template <class Team, class Id, class Amount>
class Distances {
 public:
  using Work = Workspace<Id, Amount>;
  using PieceOf = Piece<Id>;

  KONIG_FN Distances(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  // Heights: 1 for what leads straight to the target, the first frontier; the limit for the rest of the
  // vertices that may be reached, and one more for those that may not. In the second phase that is the sink's
  // side of the cut.
  KONIG_FN void sweep(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    const Amount* to_target = p.phase == 0 ? w_.to_sink : w_.to_source;
    const Id limit = unreachable(w_);
    struct Known {
      Amount room;
      unsigned char apart;
    };
    team_.for_each_ahead(
        w_.vertices,
        [&](long long v) {
          return Known{bsp::load(to_target + v), p.phase == 0 ? (unsigned char)1 : bsp::load(w_.cut + v)};
        },
        [&](long long v, const Known& known) {
          const bool near = known.room != 0 && known.apart;
          const Id height = near ? Id(1) : known.apart ? limit : Id(limit + 1);
          for (int side = 0; side < 2; ++side) {
            Label<Id>* label = w_.labels + side * w_.vertices + v;
            bsp::store(&label->height, height);
            if (p.relabels > 0) continue;
            bsp::store(&label->first, w_.start[v]);
            bsp::store(&label->length, Id(w_.start[v + 1] - w_.start[v]));
          }
          if (near) reach(next, Id(v), w_.start[v], Id(w_.start[v + 1] - w_.start[v]));
        });
    team_.deliver(next.pieces);
  }

  KONIG_FN static bool alone(const Progress& p) { return p.long_pieces == 0 && p.pieces <= kFew; }

  // A level, or several if a block can take them alone; how many, for the leader.
  KONIG_FN int expand(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    const PieceOf* front = w_.fronts + (p.rounds % 2 ? 0 : w_.pieces);
    if (alone(p))
      return team_.expand_alone(front, p.pieces, next.pieces, kFew, kAlone,
                                [&](const PieceOf& piece, int round, int lane, int width) {
                                  return search(next, piece, p.level + round + 1, lane, width);
                                });
    // Many workers for a piece shorten a level that is small; few use all of them when it is large. One loop
    // for short and long pieces, so that the search is in the code once.
    const int few = 4 * p.pieces <= team_.count() ? 4 : 2 * p.pieces <= team_.count() ? 2 : 1;
    KONIG_NO_UNROLL
    for (int longs = p.long_pieces > 0; longs >= 0; --longs)
      team_.for_each_wide(longs ? p.long_pieces : p.pieces, longs ? 32 : few,
                          [&](long long i, int lane, int width) {
                            search(next, front[longs ? w_.pieces - 1 - i : i], p.level + 1, lane, width);
                          });
    team_.deliver(next.pieces);
    return 1;
  }

  // The active vertices, for the push superstep p.time, into the queue of p.turn.
  template <class Enter>
  KONIG_FN void gather(const Progress& p, Enter enter) {
    Label<Id>* labels = w_.labels + (p.time % 2 ? w_.vertices : 0);
    const Id limit = unreachable(w_);
    team_.for_each_ahead(
        w_.vertices, [&](long long v) { return bsp::load(w_.excess + v); },
        [&](long long v, Amount excess) {
          if (excess == 0) return;
          const Label<Id> label = load_label(labels + v);
          if (label.height >= limit) return;
          bsp::store(&labels[v].active_at, Id(p.time));
          enter(Entry<Id>{Id(v), label.first, label.length});
        });
  }

  long long scanned = 0;

 private:
  struct Next {
    bsp::Queue<PieceOf> pieces;
    long long* long_pieces;
  };

  KONIG_FN Next next_frontier(long long rounds) const {
    bsp::Tally* tally = bsp::open_tally(team_, w_.state->fronts, rounds);
    return {{w_.fronts + (rounds % 2 ? w_.pieces : 0), &tally->first}, &tally->second};
  }

  // This worker's share of a piece, a batch at a time: what a batch asks of memory travels together. Whether
  // it reached a long list.
  KONIG_FN bool search(const Next& next, const PieceOf& piece, long long height, int lane, int width) {
    const Id limit = unreachable(w_);
    bool reached_long = false;
    for (int k = lane; k < piece.length; k += bsp::kBatch * width) {
      Slot<Id, Amount> slot[bsp::kBatch];
      Label<Id> label[bsp::kBatch];
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        slot[j] = Slot<Id, Amount>{};
        if (k + j * width < piece.length) slot[j] = load_slot(w_.slots + piece.first + k + j * width);
      }
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        label[j] = Label<Id>{};
        if (slot[j].in != 0) label[j] = load_label(w_.labels + slot[j].other);
      }
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j)
        if (label[j].height == limit)
          label[j].height = bsp::compare_exchange(&w_.labels[slot[j].other].height, limit, Id(height));
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        if (label[j].height != limit) continue;
        bsp::store(&w_.labels[w_.vertices + slot[j].other].height, Id(height));
        reached_long |= reach(next, slot[j].other, label[j].first, label[j].length);
      }
    }
    if (lane == 0) scanned += piece.length;
    team_.spend(piece.length);
    return reached_long;
  }

  // A vertex that now knows its height. A long list is cut into pieces at the back of the frontier, and ends
  // the levels that a block takes alone: true for such a one.
  KONIG_FN bool reach(const Next& next, Id v, Id first, Id length) {
    if (length <= kShort) {
      if (length > 0) team_.post(next.pieces, PieceOf{v, first, int(length)});
      return false;
    }
    long long slot = team_.reserve(next.long_pieces, ((long long)length + kPiece - 1) / kPiece);
    for (Id done = 0; done < length; done += kPiece, ++slot)
      next.pieces.items[w_.pieces - 1 - slot] =
          PieceOf{v, Id(first + done), int(length - done < kPiece ? length - done : kPiece)};
    return true;
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::synchronous_flow
