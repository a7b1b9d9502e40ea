// Global relabelling: heights become exact distances to the target, by a breadth-first search backwards along
// residual arcs, on the team itself. Nothing else moves meanwhile. What has excess and was reached is active
// afterwards.
//
// In the second phase the search ends when it has reached all excess, which is mostly near the source. All
// other vertices are farther from it than those reached: one more than the farthest of these is a valid
// height for them, and so is the one that they had, if it is larger. So no search lowers a height.
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
  // side of the cut. Returns how many of this worker's vertices are to be reached yet: those that the second
  // phase is for.
  KONIG_FN long long sweep(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    const Amount* to_target = p.phase == 0 ? w_.to_sink : w_.to_source;
    const Id limit = unreachable(w_);
    long long unreached = 0;
    struct Known {
      Amount room;
      Amount excess;
      Id height;
      unsigned char apart;
    };
    const Label<Id>* now = w_.labels + (p.time % 2 ? w_.vertices : 0);
    const bool first = p.second_relabels == 0;
    team_.for_each_ahead(
        w_.vertices,
        [&](long long v) {
          if (p.phase == 0) return Known{bsp::load(to_target + v), 0, limit, 1};
          return Known{bsp::load(to_target + v), bsp::load(w_.excess + v),
                       first ? Id(1) : bsp::load(&now[v].height), bsp::load(w_.cut + v)};
        },
        [&](long long v, const Known& known) {
          const bool near = known.room != 0 && known.apart;
          unreached += !near && known.excess != 0;
          const Id height = near ? Id(1) : known.apart ? limit : Id(limit + 1);
          for (int side = 0; side < 2; ++side) {
            Label<Id>* label = w_.labels + side * w_.vertices + v;
            // The second label keeps the height that a vertex had until it is reached or the search ends.
            bsp::store(&label->height, side == 1 && height == limit ? known.height : height);
            if (p.relabels > 0) continue;
            bsp::store(&label->first, w_.start[v]);
            bsp::store(&label->length, Id(w_.start[v + 1] - w_.start[v]));
          }
          if (near) reach(next, w_.start[v], Id(w_.start[v + 1] - w_.start[v]));
        });
    team_.deliver(next.few);
    return unreached;
  }

  KONIG_FN static bool alone(const Progress& p) { return p.long_pieces == 0 && p.pieces <= kFew; }

  // A level, or several if a block can take them alone; how many, for the leader.
  KONIG_FN int expand(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    const PieceOf* front = frontier::array_of(w_.fronts, w_.pieces, p.rounds + 1);
    return frontier::visit_all(team_, front, p.pieces, p.long_pieces, next, kFew, kAlone,
                               [&](const PieceOf& piece, int round, int lane, int width) {
                                 return search(next, piece, p.level + round + 1, p.phase, lane, width);
                               });
  }

  // The heights of what a search of the second phase did not reach, because it cannot or as it ended early.
  KONIG_FN void settle_unreached(const Progress& p) {
    const Id limit = unreachable(w_), above = p.unreached > 0 ? limit : Id(p.level + 1);
    team_.for_each(w_.vertices, [&](long long v) {
      Label<Id>* label = w_.labels + v;
      if (bsp::load(&label->height) != limit) return;
      const Id had = bsp::load(&label[w_.vertices].height), height = had < above ? above : had;
      bsp::store(&label->height, height);
      bsp::store(&label[w_.vertices].height, height);
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
  long long found = 0;  // vertices with excess that this worker has reached in the second phase

 private:
  using Next = frontier::Next<PieceOf>;

  KONIG_FN Next next_frontier(long long rounds) const {
    return frontier::open_next(team_, w_.fronts, w_.pieces, w_.state->fronts, rounds);
  }

  // This worker's share of a piece, a batch at a time: what a batch asks of memory travels together. Whether
  // it reached a long list.
  KONIG_FN bool search(const Next& next, const PieceOf& piece, long long height, long long phase, int lane,
                       int width) {
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
        if (phase == 1) found += bsp::load(w_.excess + slot[j].other) != 0;
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
