// Maximum flow on a CPU team: what a caller hands over. The layouts are described in
// konig/papers/tlpns/residual.h; Python makes them and has checked them.
#pragma once

#include <cstdint>
#include <string>

#include "core/knobs.h"
#include "core/run.h"
#include "konig/papers/tlpns/residual.h"

namespace konig {

template <class Id, class Offset>
struct TeamFlow {
  Id vertices = 0;
  Id source = 0;
  Id sink = 0;
  int64_t arcs = 0;    // entries of head
  int64_t places = 0;  // of all vertices together, for Rcsr and Bcsr
  flow::Arrays<Id, Offset> arrays{};
  int64_t* excess = nullptr;  // vertices; zeros on entry
  uint8_t* cut = nullptr;     // vertices
};

// Knobs: layout ("csr", "rcsr", "bcsr"), tiles (flag), tile (0 for one that depends on the degree), relabel
// ("adaptive", "vertices", "fix"), k, profile (flag), threads, team ("threads" or "shuffled"), seed.
template <class Id, class Offset>
void flow_on_team(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run);

// The same for one layout, each compiled by itself.
template <class Id, class Offset>
void flow_on_csr(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run);
template <class Id, class Offset>
void flow_on_rcsr(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run);
template <class Id, class Offset>
void flow_on_bcsr(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run);

}  // namespace konig
