// Lock-free push-relabel and TLPNS on Csr: arcs by tail.
#pragma once

#include "konig/papers/tlpns.h"

namespace konig::flow {

template <class Id, class Offset>
struct Csr {
  static constexpr bool kScansAll = true;
  static constexpr bool kSearches = false;
  Arrays<Id, Offset> a;
  long long arcs;

  KONIG_FN Offset leaving(Id u) const { return a.start[u + 1] - a.start[u]; }
  KONIG_FN Offset places(Id u) const { return leaving(u) + Offset(arcs); }

  KONIG_FN Place<Id, Offset> place(Id u, Offset k) const {
    const Offset own = leaving(u);
    if (k < own) return {a.head[a.start[u] + k], a.start[u] + k, false};
    const Offset arc = k - own;
    return {a.head[arc] == u ? a.tail[arc] : Id(-1), arc, true};
  }

  KONIG_FN Offset mate(Id, const Place<Id, Offset>& p, long long&) const { return p.at; }
  KONIG_FN long long* out(const Place<Id, Offset>& p) const {
    return (p.back ? a.backward : a.forward) + p.at;
  }
  KONIG_FN long long* in(const Place<Id, Offset>& p, Offset mate) const {
    return (p.back ? a.forward : a.backward) + mate;
  }
};

template <class Id, class Offset, bool tiles, bool profiled>
struct CsrProgram : ProgramOn<Csr, Id, Offset, tiles, profiled> {};

}  // namespace konig::flow
