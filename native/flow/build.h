// From arcs in any order to their residual network, in two passes: one counts, one fills.
//
// The first pass sees what the arcs of terminals amount to and how long the list of each vertex will be. The
// second gives each arc a slot in the lists of both ends, so that lists are in the order of the arcs. An arc
// and its mirror image share them; other arcs between the same two vertices have slots of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "flow/mirrored.h"
#include "flow/residual.h"

namespace konig {

// Calls visit(arc, tail, head) for every arc that has no mirror image.
template <class Index, class Visit>
[[gnu::always_inline]] inline void for_each_single(const Arcs<Index>& arcs, const Mirrored<Index>& mirrored,
                                                   Run& run, Visit visit) {
  const auto& [begin, end, distance] = mirrored;
  const Index ends[] = {0, begin, end, begin + distance, end + distance, arcs.count()};
  for (int range = 0; range < 6; range += 2) arcs.for_each(run, ends[range], ends[range + 1], visit);
}

// Arcs with a terminal at an end or at both, which wait to be added to links: some at a time, so that those
// of their vertices are prefetched.
template <class Index>
class WaitingLinks {
 public:
  WaitingLinks(const Role* role, TerminalLinks& links) : role_(role), links_(links) {}

  // `back` is what the arc can carry the other way round.
  [[gnu::noinline]] void take(Index tail, Index head, int64_t capacity, int64_t back) {
    waiting_[count_++] = {tail, head, capacity, back};
    if (count_ == kMost) add();
  }

  void add() {
    for (int k = 0; k < count_; ++k) {
      prefetch_to_write(&links_.at[waiting_[k].tail]);
      prefetch_to_write(&links_.at[waiting_[k].head]);
    }
    for (int k = 0; k < count_; ++k) {
      const auto& [u, v, capacity, back] = waiting_[k];
      links_.add(role_[u], role_[v], u, v, bounded(capacity));
      links_.add(role_[v], role_[u], v, u, bounded(back));
    }
    count_ = 0;
  }

 private:
  struct Waiting {
    Index tail, head;
    int64_t capacity, back;
  };
  static constexpr int kMost = 64;

  const Role* const role_;
  TerminalLinks& links_;
  Waiting waiting_[kMost];
  int count_ = 0;
};

// The first pass. `length` gets the number of slots of vertex v at v + 2, where there is room for two more.
template <class Index>
TerminalLinks count_arcs(const Arcs<Index>& arcs, const Mirrored<Index>& mirrored, Index* length, Run& run) {
  TerminalLinks links;
  links.at = LargeArray<Links>(size_t(arcs.vertices), {0, 0});
  const Role* const role = arcs.role;
  const int64_t* const amount = arcs.capacity;
  const bool undirected = arcs.undirected;
  int64_t digits = 0;  // of the others between inner vertices
  const bool scattered = arcs.misses_cache();
  const auto ahead = arcs.ends_ahead(scattered);
  const auto length_of = [=](Index v) { return length + v + 2; };
  WaitingLinks<Index> waiting(role, links);
  // Lengths of terminals are negative meanwhile: lengths are in the cache, and tell one apart.
  for_each_terminal(arcs, [&](Index v) { length[v + 2] = -1; });
  arcs.for_each(run, mirrored.begin, mirrored.end, [&](Index a, Index u, Index v) {
    ahead.prefetch(a, length_of);
    if ((length[u + 2] | length[v + 2]) >= 0) {
      length[u + 2] += u != v;
      length[v + 2] += u != v;
      return;
    }
    const int64_t back = amount[a + mirrored.distance];
    if (scattered) return waiting.take(u, v, amount[a], back);
    links.add(role[u], role[v], u, v, bounded(amount[a]));
    links.add(role[v], role[u], v, u, bounded(back));
  });
  for_each_single(arcs, mirrored, run, [&](Index a, Index u, Index v) {
    ahead.prefetch(a, length_of);
    if ((length[u + 2] | length[v + 2]) >= 0) {
      const bool used = (u != v) & (amount[a] > 0);
      length[u + 2] += used;
      length[v + 2] += used;
      digits |= amount[a];
      return;
    }
    if (scattered) return waiting.take(u, v, amount[a], undirected ? amount[a] : 0);
    links.add(role[u], role[v], u, v, bounded(amount[a]));
    if (undirected) links.add(role[v], role[u], v, u, bounded(amount[a]));
  });
  waiting.add();
  for_each_terminal(arcs, [&](Index v) { length[v + 2] = 0; });
  links.find_bound();
  if (links.bound >= kNarrow)
    for (Index a = mirrored.begin; a < mirrored.end; ++a) digits |= amount[a] | amount[a + mirrored.distance];
  links.narrow = links.bound < kNarrow || (digits < kNarrow && arcs.count() < kNarrow);
  return links;
}

// Whether links of both terminals are so large, and arcs behind them too, that lowering links would not bring
// the bound below kNarrow. One of each is enough to know: a sample of arcs finds them where they are many.
template <class Index>
bool stays_wide(const Arcs<Index>& arcs, const TerminalLinks& links) {
  constexpr Index kSample = 4096;
  const Index count = arcs.count(), stride = std::max<Index>(1, count / kSample);
  bool supply = false, demand = false;
  for (Index a = 0; a < count && !(supply && demand); a += std::min(stride, count - a)) {
    if (arcs.capacity[a] < kNarrow) continue;
    const Index u = arcs.tail_of(a), v = arcs.head[a];
    if (!arcs.inner(u, v)) continue;
    supply |= links.at[u].source >= kNarrow;
    demand |= links.at[v].sink >= kNarrow;
  }
  return supply && demand;
}

// Lowers links to what their vertices can pass on, which lowers the bound where links are ample or infinite:
// a network of 32 bits is faster, and sums beyond 2^62 need a virtual source.
template <class Index>
void lower_links(const Arcs<Index>& arcs, TerminalLinks& links, Run& run) {
  // What enters vertices with a link over other arcs, and what leaves them.
  LargeArray<Links> through(size_t(arcs.vertices));  // set where a vertex is linked
  // Mostly few are. A byte of each says so, which stays in the cache.
  LargeArray<uint8_t> marks(size_t(arcs.vertices));
  uint8_t* const linked = marks.data();
  for (Index v = 0; v < arcs.vertices; ++v) {
    linked[v] = (links.at[v].source | links.at[v].sink) != 0;
    if (linked[v]) through[v] = {0, 0};
  }
  run.spend(arcs.vertices);
  const auto add = [&](Index u, Index v, int64_t capacity) {
    if (linked[u]) through[u].sink = bounded_sum(through[u].sink, capacity);
    if (linked[v]) through[v].source = bounded_sum(through[v].source, capacity);
  };
  arcs.for_each(run, [&, linked](Index a, Index u, Index v) {
    if ((linked[u] | linked[v]) == 0 || !arcs.inner(u, v)) return;
    add(u, v, bounded(arcs.capacity[a]));
    if (arcs.undirected) add(v, u, bounded(arcs.capacity[a]));
  });
  links.supply = links.demand = 0;
  for (size_t v = 0; v < links.at.size(); ++v) {
    if (!linked[v]) continue;
    auto& [source, sink] = links.at[v];
    const int64_t enters = bounded_sum(through[v].source, source),
                  leaves = bounded_sum(through[v].sink, sink);
    if (source > leaves) links.lowered_source.push_back(v);
    if (sink > enters) links.lowered_sink.push_back(v);
    source = std::min(source, leaves);
    sink = std::min(sink, enters);
    links.supply = bounded_sum(links.supply, source);
    links.demand = bounded_sum(links.demand, sink);
  }
  links.find_bound();
}

// The second pass; `start` is what count_arcs() filled.
template <class Network, class Index = typename Network::Index>
Network build_network(const Arcs<Index>& arcs, const Mirrored<Index>& mirrored, const TerminalLinks& links,
                      LargeArray<Index> start, Run& run) {
  using Capacity = typename Network::Capacity;
  using Slot = typename Network::Slot;
  const Index n = arcs.vertices;
  Network network;
  network.vertices = n;
  network.start = std::move(start);
  network.undirected = arcs.undirected;
  network.slot_of_arc = LargeArray<Index>(size_t(arcs.count()));
  network.balance = LargeArray<int64_t>(size_t(n));
  network.source_side = LargeArray<uint8_t>(size_t(n));
  for (Index v = 0; v < n; ++v) network.balance[v] = links.at[v].source - links.at[v].sink;
  run.spend(n);
  // While slots are put in, start[v + 1] is where the next one of v goes.
  Index *const next = network.start.data() + 1, *const slot_of_arc = network.slot_of_arc.data();
  for (Index v = 0; v < n; ++v) next[v + 1] += next[v];
  network.slots = LargeArray<Slot>(size_t(next[n]));
  Slot* const slots = network.slots.data();
  const int64_t *const amount = arcs.capacity, bound = links.bound;
  const bool undirected = arcs.undirected;
  // Terminals have no slots; their places are negative meanwhile.
  for_each_terminal(arcs, [=](Index v) { next[v] = ~next[v]; });
  // One store for each member takes twice as long in a large network of 32 bits, and half of a slot each a
  // tenth more than all of it; in wider ones members are words already.
  const auto put = [](Slot* place, const Slot& slot) {
    if constexpr (sizeof(Slot) == 16) {
      typedef uint32_t Words [[gnu::vector_size(16)]];
      const Words words = {uint32_t(slot.other), uint32_t(slot.reverse), slot.out, slot.in};
      std::memcpy(place, &words, sizeof words);
    } else {
      *place = slot;
    }
  };
  // Slots that do not stay in the cache are asked for some arcs before they are written.
  const auto ahead = arcs.ends_ahead(!network.in_cache());
  const auto next_slot = [=](Index v) { return slots + next[v]; };
  arcs.for_each(run, mirrored.begin, mirrored.end, [&](Index a, Index u, Index v) {
    const Index image = a + mirrored.distance;
    ahead.prefetch(a, next_slot);
    const Index slot = next[u], reverse = next[v];
    if ((slot | reverse) < 0 || u == v) {
      slot_of_arc[a] = slot_of_arc[image] = -1;
      return;
    }
    const auto capacity = Capacity(std::min(amount[a], bound));
    const auto back = Capacity(std::min(amount[image], bound));
    next[u] = slot + 1;
    next[v] = reverse + 1;
    put(slots + slot, {v, reverse, capacity, back});
    put(slots + reverse, {u, slot, back, capacity});
    slot_of_arc[a] = slot;
    slot_of_arc[image] = reverse;
  });
  for_each_single(arcs, mirrored, run, [&](Index a, Index u, Index v) {
    ahead.prefetch(a, next_slot);
    const Index slot = next[u], reverse = next[v];
    if ((slot | reverse) < 0 || u == v || amount[a] == 0) {
      slot_of_arc[a] = -1;
      return;
    }
    const auto capacity = Capacity(std::min(amount[a], bound));
    const Capacity back = undirected ? capacity : 0;
    next[u] = slot + 1;
    next[v] = reverse + 1;
    put(slots + slot, {v, reverse, capacity, back});
    put(slots + reverse, {u, slot, back, capacity});
    slot_of_arc[a] = slot;
  });
  for_each_terminal(arcs, [=](Index v) { next[v] = ~next[v]; });
  return network;
}

}  // namespace konig
