// What happens to one active vertex: the search for its lowest neighbour (MHNS), then a push to it, for which
// the opposite arc has to be found (BES), or a new height. Algorithm 1, lines 9-21; Algorithm 2, lines 6-14.
//
// The vertex has one worker, or one group of workers that reduce to the lowest neighbour and of which the
// one that found it acts. A long list is scanned kScanLimit places a worker at a time; the lowest place so
// far waits in scan_best, and its height is read again when the scan goes on. Among lowest neighbours one
// with the widest arc, up to a factor of two, is taken: the first one would make some networks send their
// excess back where it came from, again and again.
#pragma once

#include "konig/papers/tlpns/state.h"

namespace konig::flow {

enum class Moves { kAny, kPushesOnly, kHeightsOnly };

template <class V, class Team, class Id, class Offset>
class Discharge {
 public:
  using Residual = typename V::Residual;

  KONIG_FN Discharge(Team& team, const Workspace<Id, Offset, Residual>& workspace)
      : team_(team), w_(workspace) {}

  KONIG_FN bool active(Id v, Id target) const {
    return v != target && bsp::load(w_.excess + v) > 0 && bsp::load(w_.height + v) < Id(w_.vertices);
  }

  // Algorithm 1, lines 1-5: flow leaves the source on all of its arcs.
  KONIG_FN void preflow() {
    team_.for_each(w_.residual.places(w_.source), [&](long long k) {
      const Place<Id, Offset> place = w_.residual.place(w_.source, Offset(k));
      if (place.other < 0) return;
      const long long amount = bsp::load(w_.residual.out(place));
      if (amount == 0) return;
      move(w_.source, place, amount);
      bsp::fetch_add(w_.excess + place.other, amount);
    });
  }

  template <Moves kMoves>
  KONIG_FN void act(Id u, int lane, int width) {
    const long long began = now();
    const Offset places = w_.residual.places(u);
    const bool cut = kMoves == Moves::kAny && places > Offset(kScanLimit) * width;
    const Offset first = cut ? bsp::load(w_.scan_at + u) : Offset(0);
    const Offset last =
        cut && places - first > Offset(kScanLimit) * width ? first + Offset(kScanLimit) * width : places;
    Lowest lowest{(long long)w_.vertices * kLanes + kLanes - 1, -1};
    if (first > 0 && lane == 0) consider(u, bsp::load(w_.scan_best + u), lowest);
    for (Offset k = first + lane; k < last; k += width) consider(u, k, lowest);
    if (lane == 0) scanned += last - first;
    team_.spend(last - first);
    // The lane breaks ties, so exactly one worker has the least key.
    const long long key = lowest.rank * kLanes + lane;
    const bool acts = team_.group_min(key, width) == key;
    if (V::kProfiled) {
      const long long took = now() - began;
      mhns_ticks += took;
      if (lane == 0) mhns_lead_ticks += took;
    }
    if (!acts) return;
    if (last < places) {
      bsp::store(w_.scan_at + u, last);
      bsp::store(w_.scan_best + u, lowest.k);
      return;
    }
    if (cut) bsp::store(w_.scan_at + u, Offset(0));
    const Id height = Id(lowest.rank / kLanes);
    if (bsp::load(w_.height + u) > height) {
      if (kMoves != Moves::kHeightsOnly) push(u, lowest.k);
    } else if (kMoves != Moves::kPushesOnly) {
      const Id limit = Id(w_.vertices);
      bsp::store(w_.height + u, height < limit ? Id(height + 1) : limit);
      ++height_changes;
    }
  }

  long long scanned = 0;
  long long probes = 0;
  long long pushes = 0;
  long long height_changes = 0;
  long long mhns_ticks = 0;
  long long mhns_lead_ticks = 0;
  long long bes_ticks = 0;

 private:
  // The rank is the height, and among equals the leading zeros of the residual capacity.
  struct Lowest {
    long long rank;
    Offset k;
  };
  static constexpr long long kLanes = 64;  // more than a group has, and as many as a word has bits

  KONIG_FN long long now() const { return V::kProfiled ? team_.ticks() : 0; }

  KONIG_FN void consider(Id u, Offset k, Lowest& lowest) const {
    if (k < 0) return;
    const Place<Id, Offset> place = w_.residual.place(u, k);
    if (place.other < 0) return;
    const long long room = bsp::load(w_.residual.out(place));
    if (room == 0) return;
    const long long rank =
        (long long)bsp::load(w_.height + place.other) * kLanes + leading_zeros((unsigned long long)room);
    if (rank < lowest.rank) lowest = {rank, k};
  }

  // Nobody else takes from this arc or from this excess, so what is read here is there to be moved.
  KONIG_FN void push(Id u, Offset k) {
    const Place<Id, Offset> place = w_.residual.place(u, k);
    const long long excess = bsp::load(w_.excess + u);
    const long long room = bsp::load(w_.residual.out(place));
    const long long amount = (unsigned long long)room < (unsigned long long)excess ? room : excess;
    move(u, place, amount);
    bsp::fetch_add(w_.excess + u, -amount);
    bsp::fetch_add(w_.excess + place.other, amount);
    ++pushes;
  }

  KONIG_FN void move(Id u, const Place<Id, Offset>& place, long long amount) {
    const long long began = now();
    const Offset reverse = w_.residual.reverse(u, place, probes);
    long long* back = w_.residual.in(place, reverse);
    if (V::kProfiled) bes_ticks += now() - began;
    bsp::fetch_add(w_.residual.out(place), -amount);
    bsp::fetch_add(back, amount);
  }

  Team& team_;
  const Workspace<Id, Offset, Residual>& w_;
};

}  // namespace konig::flow
