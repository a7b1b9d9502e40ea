// Global relabelling: heights become exact distances to the target, by a breadth-first search backwards along
// residual arcs, on the team itself. Nothing else moves meanwhile.
//
// A frontier entry is a piece of a vertex's places, so that a terminal with a million arcs is spread over the
// team; two frontiers take turns. The counters of a level are read after the barrier that ends it, while the
// next level counts into another of three sets: one barrier a level. Csr has no lists of entering arcs:
// there a level looks at all arcs.
#pragma once

#include "konig/papers/tlpns/state.h"

namespace konig::flow {

template <class V, class Team, class Id, class Offset>
class Heights {
 public:
  using Residual = typename V::Residual;

  KONIG_FN Heights(Team& team, const Workspace<Id, Offset, Residual>& workspace)
      : team_(team), w_(workspace) {}

  // Everything out of reach but the target, which is the first frontier.
  KONIG_FN void start(Id target, long long rounds) {
    const Next next = next_frontier(rounds);
    const Id limit = Id(w_.vertices);
    team_.for_each(w_.vertices,
                   [&](long long v) { bsp::store(w_.height + v, Id(v) == target ? Id(0) : limit); });
    if (!Residual::kScansAll) {
      if (team_.leads()) reach(next, target);
      team_.deliver(next.few);
    }
  }

  // A level. Whether there may be another is known after the barrier: from what the frontier holds, and for
  // Csr from the signs returned.
  KONIG_FN unsigned expand(const Progress& p) {
    const Next next = next_frontier(p.rounds);
    if constexpr (Residual::kScansAll) return expand_all_arcs(p);
    const Piece<Id, Offset>* front = frontier::array_of(w_.front, w_.pieces, p.rounds + 1);
    // Many workers for a piece shorten a level that is small; few use all of them when it is large.
    const int lanes = 8 * p.pieces <= team_.count() ? 8 : 2;
    team_.for_each_wide(p.pieces, lanes,
                        [&](long long i, int lane, int width) { search(next, front + i, lane, width, p); });
    team_.for_each_wide(p.long_pieces, 32, [&](long long i, int lane, int width) {
      search(next, front + (w_.pieces - 1 - i), lane, width, p);
    });
    team_.deliver(next.few);
    return 0;
  }

  // After the barrier: what the superstep that just ended has put into the next frontier.
  KONIG_FN void read(Progress& p) const {
    const bsp::Tally* tally = w_.state->tallies + p.rounds % bsp::kTallies;
    p.pieces = bsp::load(&tally->first);
    p.long_pieces = bsp::load(&tally->second);
    ++p.rounds;
  }

  long long scanned = 0;
  long long probes = 0;

 private:
  using Next = frontier::Next<Piece<Id, Offset>>;

  // The second phase stays on the source's side of the cut; in the first the source is out of reach.
  KONIG_FN bool open(Id v, const Progress& p) const {
    if (bsp::load(w_.height + v) < Id(w_.vertices)) return false;
    return p.phase == 0 ? v != w_.source : bsp::load(w_.cut + v) != 0;
  }

  KONIG_FN void search(const Next& next, const Piece<Id, Offset>* piece, int lane, int width,
                       const Progress& p) {
    const Offset first = bsp::load(&piece->first);
    const Id v = bsp::load(&piece->vertex);
    const int length = bsp::load(&piece->length);
    for (int k = lane; k < length; k += width) {
      const Place<Id, Offset> place = w_.residual.place(v, first + k);
      if (!open(place.other, p)) continue;
      const Offset reverse = w_.residual.reverse(v, place, probes);
      if (bsp::load(w_.residual.in(place, reverse)) == 0) continue;
      const Id limit = Id(w_.vertices);
      if (bsp::compare_exchange(w_.height + place.other, limit, Id(p.level + 1)) == limit)
        reach(next, place.other);
    }
    if (lane == 0) scanned += length;
    team_.spend(length);
  }

  KONIG_FN unsigned expand_all_arcs(const Progress& p) {
    unsigned reached = 0;
    team_.for_each(w_.residual.arcs, [&](long long arc) {
      const Id tail = w_.residual.a.tail[arc], head = w_.residual.a.head[arc];
      reached |= step_back(tail, head, w_.residual.a.forward + arc, p);
      reached |= step_back(head, tail, w_.residual.a.backward + arc, p);
      ++scanned;
    });
    return reached;
  }

  KONIG_FN unsigned step_back(Id from, Id to, const long long* residual, const Progress& p) {
    if (bsp::load(w_.height + to) != Id(p.level) || bsp::load(residual) == 0 || !open(from, p)) return 0;
    bsp::store(w_.height + from, Id(p.level + 1));
    return 1;
  }

  KONIG_FN void reach(const Next& next, Id v) {
    next.add_list(team_, w_.residual.places(v), kShort,
                  [&](long long first, int length) { return Piece<Id, Offset>{Offset(first), v, length}; });
  }

  KONIG_FN Next next_frontier(long long rounds) const {
    return frontier::open_next(team_, w_.front, w_.pieces, w_.state->tallies, rounds);
  }

  Team& team_;
  const Workspace<Id, Offset, Residual>& w_;
};

}  // namespace konig::flow
