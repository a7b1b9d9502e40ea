// Global relabelling: heights become exact distances to the target, by a breadth-first search backwards along
// residual arcs, on the team itself. Nothing else moves meanwhile. What has excess and was reached is active
// afterwards.
//
// A frontier entry is a piece of a vertex's slots, so that a hub is spread over the team. The counters of a
// level are read after the barrier that ends it, while the next level counts into another of three sets: one
// barrier a level.
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
          if (near) reach(next, w_.start[v], Id(w_.start[v + 1] - w_.start[v]));
        });
    team_.deliver(next.few);
  }

  KONIG_FN static bool alone(const Progress& p) { return p.long_pieces == 0 && p.pieces <= kFew; }

  // A level, or several if a block can take them alone; how many, for the leader.
  KONIG_FN int expand(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    const PieceOf* front = frontier::array_of(w_.fronts, w_.pieces, p.rounds + 1);
    return frontier::visit_all(team_, front, p.pieces, p.long_pieces, next, kFew, kAlone,
                               [&](const PieceOf& piece, int round, int lane, int width) {
                                 return search(next, piece, p.level + round + 1, lane, width);
                               });
  }

  // The active vertices, for the push superstep p.time, into the queue of p.turn.
  template <class Enqueue>
  KONIG_FN void gather(const Progress& p, Enqueue enqueue) {
    Label<Id>* labels = w_.labels + (p.time % 2 ? w_.vertices : 0);
    const Id limit = unreachable(w_);
    team_.for_each_ahead(
        w_.vertices, [&](long long v) { return bsp::load(w_.excess + v); },
        [&](long long v, Amount excess) {
          if (excess == 0) return;
          const Label<Id> label = load_label(labels + v);
          if (label.height >= limit) return;
          bsp::store(&labels[v].active_at, Id(p.time));
          enqueue(Entry<Id>{Id(v), label.first, label.length});
        });
  }

  long long scanned = 0;

 private:
  using Next = frontier::Next<PieceOf>;

  KONIG_FN Next next_frontier(long long rounds) const {
    return frontier::open_next(team_, w_.fronts, w_.pieces, w_.state->fronts, rounds);
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
        reached_long |= reach(next, label[j].first, label[j].length);
      }
    }
    if (lane == 0) scanned += piece.length;
    team_.spend(piece.length);
    return reached_long;
  }

  // A vertex that now knows its height. A long list ends the levels that a block takes alone: true for it.
  KONIG_FN bool reach(const Next& next, Id first, Id length) {
    return next.add_list(team_, length, kShort,
                         [&](long long from, int count) { return PieceOf{Id(first + from), count}; });
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::synchronous_flow
