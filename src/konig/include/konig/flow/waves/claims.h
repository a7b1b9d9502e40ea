// Waves: breadth-first searches backwards along residual arcs, from the target, a level in a superstep. What
// a wave reaches it claims; the level is a lower bound on the distance, and exact if nothing is pushed
// meanwhile. Levels of later claims are no lower.
//
// A wave reaches all vertices from which the target can be reached, even while excess moves: when a vertex is
// expanded all that have a residual arc to it are claimed, and after that it pushes to vertices that its own
// wave has reached only, so no new arc from elsewhere can come up. What a finished wave has not claimed is
// therefore cut off for good. A wave does not overtake another if labels are valid; should it happen, the
// older one is marked as tainted, and says nothing when it ends. Where two claim a vertex in one
// superstep, the newer one yields and is tainted.
//
// A frontier entry is a piece of a vertex's slots, so that a hub is spread over the team.
#pragma once

#include "konig/flow/waves/discharge.h"

namespace konig::flow_waves {

template <class Team, class Id, class Amount>
class Waves {
 public:
  using Work = Workspace<Id, Amount>;
  using ItemOf = Item<Id>;

  KONIG_FN Waves(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  // Nothing is known of any vertex but the labels at the very beginning, and the sink's side of the cut in
  // the second phase: no wave is to get there.
  KONIG_FN void reset(const Progress& p, bool labels_known) {
    const Id limit = unreachable(w_);
    if (team_.leads()) bsp::store(&w_.state->tainted, 0LL);
    struct Known {
      Amount excess;
      unsigned char apart;
    };
    team_.for_each_ahead(
        w_.vertices,
        [&](long long v) {
          return Known{bsp::load(w_.excess + v), p.phase == 0 ? (unsigned char)1 : bsp::load(w_.cut + v)};
        },
        [&](long long v, const Known& known) {
          const Id level = labels_known ? bsp::load(&w_.known[v].height) : limit;
          const long long claim = level < limit ? make_claim(1, p.clock - 1, level) : 0;
          bsp::store(&w_.marks[v].claim, known.apart ? claim : kNever);
          for (int side = 0; side < 2; ++side) {
            Height<Id>* label = w_.heights + side * w_.vertices + v;
            bsp::store(&label->height, Id(0));
            bsp::store(&label->active_at, Id(p.phase == 1 && known.excess != 0 ? kHolds : -1));
          }
          if (!labels_known) return;
          bsp::store(&w_.marks[v].first, w_.start[v]);
          bsp::store(&w_.marks[v].length, Id(w_.start[v + 1] - w_.start[v]));
        });
  }

  // A wave begins with what leads straight to the target.
  template <class QueueUp>
  KONIG_FN void seed(long long wave, const Moment& m, QueueUp queue_up) {
    if (team_.leads()) bsp::store(w_.state->starts + wave % kUnderWay, m.clock);
    const Amount* to_target = m.phase == 0 ? w_.to_sink : w_.to_source;
    team_.for_each_ahead(
        w_.vertices, [&](long long v) { return bsp::load(to_target + v); },
        [&](long long v, Amount room) {
          if (room == 0) return;
          const Mark<Id> mark = load_mark(w_.marks + v);
          if (wave_of(mark.claim) >= wave) return;
          if (take(w_.marks + v, mark.claim, kNever, make_claim(wave, m.clock, 1), m))
            reach(Id(v), mark.first, mark.length, wave, queue_up);
        });
  }

  // This worker's share of a piece, a batch at a time: what a batch asks of memory travels together.
  template <class QueueUp>
  KONIG_FN void search(const ItemOf& piece, const Moment& m, int lane, int width, QueueUp queue_up) {
    const long long wave = piece.kind;
    const long long level = m.clock - bsp::load(w_.state->starts + wave % kUnderWay);
    const long long claim = make_claim(wave, m.clock, level + 1);
    for (Id k = lane; k < piece.length; k += bsp::kBatch * width) {
      Slot<Id, Amount> slot[bsp::kBatch];
      Mark<Id> mark[bsp::kBatch];
      long long found[bsp::kBatch];
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        slot[j] = Slot<Id, Amount>{};
        if (k + j * width < piece.length) slot[j] = load_slot(w_.slots + piece.first + k + j * width);
      }
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        mark[j] = Mark<Id>{kNever, 0, 0};
        if (slot[j].in != 0) mark[j] = load_mark(w_.marks + slot[j].other);
      }
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        found[j] = kNever;
        if (wave_of(mark[j].claim) < wave && !(m.several && is_fresh(mark[j].claim, m.clock)))
          found[j] = bsp::compare_exchange(&w_.marks[slot[j].other].claim, mark[j].claim,
                                           not_below(mark[j].claim, claim));
      }
      KONIG_UNROLL
      for (int j = 0; j < bsp::kBatch; ++j) {
        if (wave_of(mark[j].claim) >= wave) continue;
        if (take(w_.marks + slot[j].other, mark[j].claim, found[j], claim, m))
          reach(slot[j].other, mark[j].first, mark[j].length, wave, queue_up);
      }
    }
    if (m.waking && wave == 1 && lane == 0) wake(piece, m, queue_up);
    if (lane == 0) scanned += piece.length;
    team_.spend(piece.length);
  }

  long long scanned = 0;

 private:
  // The claim, with the level of the one before if that is higher. A wave may come with an older level than
  // the one before: excess has moved behind it. Distances only grow, so the higher one holds, and labels
  // never fall.
  KONIG_FN static long long not_below(long long before, long long claim) {
    const long long most = level_of(before);
    return level_of(claim) < most ? claim - level_of(claim) + most : claim;
  }

  // Whether the claim was made: `expected` was to be replaced, `found` was there, or kNever if nobody has
  // tried.
  KONIG_FN bool take(Mark<Id>* mark, long long expected, long long found, long long claim, const Moment& m) {
    const long long wave = wave_of(claim);
    while (found != expected) {
      if (found == kNever) found = expected;
      if (wave_of(found) >= wave) return false;
      if (m.several && is_fresh(found, m.clock)) {
        taint(wave);
        return false;
      }
      expected = found;
      found = bsp::compare_exchange(&mark->claim, expected, not_below(expected, claim));
    }
    if (wave_of(expected) < wave - 1 && wave - 1 >= m.oldest) taint(wave - 1);
    return true;
  }

  KONIG_FN void taint(long long wave) {
    long long* place = &w_.state->tainted;
    long long seen = bsp::load(place);
    while (seen < wave) {
      const long long found = bsp::compare_exchange(place, seen, wave);
      if (found == seen) return;
      seen = found;
    }
  }

  // In the second phase a vertex acts as soon as the first wave has told it how far the source is.
  template <class QueueUp>
  KONIG_FN void wake(const ItemOf& piece, const Moment& m, QueueUp queue_up) {
    const Mark<Id> mark = load_mark(w_.marks + piece.vertex);
    const Height<Id>* now = w_.heights + (m.time % 2 ? w_.vertices : 0);
    Height<Id>* then = w_.heights + (m.time % 2 ? 0 : w_.vertices);
    if (piece.first != mark.first || load_height(now + piece.vertex).active_at != Id(kHolds)) return;
    bsp::store(&then[piece.vertex].active_at, Id(m.time + 1));
    queue_up(ItemOf{piece.vertex, mark.first, mark.length, Id(kAct)});
  }

  // A vertex that the wave has claimed. A long list is cut into pieces.
  template <class QueueUp>
  KONIG_FN void reach(Id v, Id first, Id length, long long wave, QueueUp queue_up) {
    if (length <= kShort) {
      queue_up(ItemOf{v, first, length, Id(wave)});
      return;
    }
    for (Id done = 0; done < length; done += kPiece)
      queue_up(ItemOf{v, Id(first + done), Id(length - done < kPiece ? length - done : kPiece), Id(wave)});
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::flow_waves
