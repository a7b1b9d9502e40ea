// Lock-free push-relabel and TLPNS on Bcsr: sorted neighbours both ways.
#pragma once

#include "konig/papers/tlpns.h"

namespace konig::flow {

template <class Id, class Offset>
struct Bcsr {
  static constexpr bool kScansAll = false;
  static constexpr bool kSearches = true;
  Arrays<Id, Offset> a;
  long long arcs;

  KONIG_FN Offset places(Id u) const { return a.start[u + 1] - a.start[u]; }

  KONIG_FN Place<Id, Offset> place(Id u, Offset k) const {
    return {a.head[a.start[u] + k], a.start[u] + k, false};
  }

  // The list of the other end is sorted and holds u: both directions of a pair have a place.
  KONIG_FN Offset mate(Id u, const Place<Id, Offset>& p, long long& probes) const {
    Offset low = a.start[p.other], high = a.start[p.other + 1] - 1;
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      ++probes;
      if (a.head[middle] < u)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  KONIG_FN long long* out(const Place<Id, Offset>& p) const { return a.forward + p.at; }
  KONIG_FN long long* in(const Place<Id, Offset>&, Offset mate) const { return a.forward + mate; }
};

template <class Id, class Offset, bool tiles, bool profiled>
struct BcsrProgram : ProgramOn<Bcsr, Id, Offset, tiles, profiled> {};

}  // namespace konig::flow
