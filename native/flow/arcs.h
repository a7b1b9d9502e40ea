// A flow network as it comes from Python: its arcs, the role of each vertex, and the sorting of arcs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

// The largest flow value that is solved. A supply of one more shows that a value is too large.
inline constexpr int64_t kLargestFlow = int64_t(1) << 62;

enum class Role : uint8_t { kInner = 0, kSource = 1, kSink = 2 };

// Prefetches what belongs to the ends of arcs that are visited soon. Where arcs come in no order and the
// cache does not hold what all vertices have, visits wait for memory, all the more behind a branch that
// cannot be predicted before it has come.
template <class Index>
struct EndsAhead {
  const Index *tail, *head;  // of the arc that comes some after number 0
  Index until;

  // of_tail(v) and of_head(v) are where that of vertex v is.
  template <class OfTail, class OfHead>
  [[gnu::always_inline]] void prefetch(Index arc, OfTail of_tail, OfHead of_head) const {
    if (arc >= until) return;
    prefetch_to_write(of_tail(tail[arc]));
    prefetch_to_write(of_head(head[arc]));
  }
  template <class Place>
  [[gnu::always_inline]] void prefetch(Index arc, Place place) const {
    prefetch(arc, place, place);
  }
  template <class Place>
  [[gnu::always_inline]] void prefetch_tail(Index arc, Place place) const {
    if (arc < until) prefetch_to_write(place(tail[arc]));
  }
};

// With `start`, the arcs of vertex u are start[u] .. start[u + 1], sorted by head, parallel arcs side by
// side. Without, there are `listed` arcs with a `tail` each, in any order. Capacities are not negative. An
// undirected arc can be used in either direction, and its flow is negative against it.
template <class Index>
struct Arcs {
  Index vertices = 0;
  const Index* start = nullptr;
  const Index* head = nullptr;
  const int64_t* capacity = nullptr;
  const Role* role = nullptr;
  bool undirected = false;
  const Index* tail = nullptr;
  Index listed = 0;
  // Whether capacities are counted in units of which the value takes more than 32 bits, whatever links are
  // lowered to.
  bool wide = false;

  Index count() const { return start ? start[vertices] : listed; }
  Index tail_of(Index arc) const {
    return tail ? tail[arc] : Index(std::upper_bound(start, start + vertices + 1, arc) - start - 1);
  }
  bool inner(Index u, Index v) const { return role[u] == Role::kInner && role[v] == Role::kInner && u != v; }

  // Nothing is prefetched if not `useful`. The tails of lists come in order.
  EndsAhead<Index> ends_ahead(bool useful) const {
    constexpr Index kAhead = 48;
    return {(tail ? tail : head) + kAhead, head + kAhead, useful ? count() - kAhead : 0};
  }
  // Whether one in eight arcs of a sample is far from the next one.
  bool scattered() const {
    constexpr Index kSample = 64, kOf = 8, kFar = Index(1) << 12;
    const Index stride = std::max<Index>(1, count() / kSample);
    Index sampled = 0, far = 0;
    for (Index a = 0; a < count() - 1; a += std::min(stride, count() - a)) {
      ++sampled;
      far += std::abs(head[a + 1] - head[a]) > kFar || (tail && std::abs(tail[a + 1] - tail[a]) > kFar);
    }
    return far * kOf > sampled;
  }

  // Whether what a pass over arcs keeps for each vertex is mostly not in the cache when it is asked for.
  bool misses_cache() const {
    constexpr Index kCached = Index(1) << 16;
    return vertices > kCached && scattered();
  }

  // Calls visit(arc, tail, head) for every arc, in order. It is inlined, for what a lambda captures is then
  // held in registers; so is the only call of `visit`, for which the tails of lists are written down.
  template <class Visit>
  [[gnu::always_inline]] void for_each(Run& run, Visit visit) const {
    for_each(run, 0, count(), visit);
  }
  // The same from one arc up to another one.
  template <class Visit>
  [[gnu::always_inline]] void for_each(Run& run, Index from, Index total, Visit visit) const {
    constexpr Index kAtATime = 2048;
    Index written[kAtATime];
    for (Index a = from, owner = tail || a >= total ? 0 : tail_of(a); a < total;) {
      const Index begin = a, end = a + std::min(kAtATime, total - a);
      run.spend(end - a);
      const Index* tails = written;
      if (tail)
        tails = tail + begin;
      else
        owner = write_tails(begin, end, owner, written);
      for (; a < end; ++a) visit(a, tails[a - begin], head[a]);
    }
  }

 private:
  // The tails of arcs of lists, of which the first is not before those of `owner`; returns the last one.
  Index write_tails(Index begin, Index end, Index owner, Index* tails) const {
    for (Index a = begin; a < end;) {
      while (start[owner + 1] <= a) ++owner;
      for (const Index last = std::min(end, start[owner + 1]); a < last; ++a) tails[a - begin] = owner;
    }
    return owner;
  }
};

// Calls visit(v) for every source and sink.
template <class Index, class Visit>
void for_each_terminal(const Arcs<Index>& arcs, Visit visit) {
  for (const Role *role = arcs.role, *const end = role + arcs.vertices; role != end; ++role) {
    role = std::find_if(role, end, [](Role of) { return of != Role::kInner; });
    if (role == end) return;
    visit(Index(role - arcs.role));
  }
}

// Whether the heads of each vertex increase and are in range; the offsets have been checked.
template <class Index>
bool sorted_lists(const Index* start, const Index* head, Index vertices) {
  // Heads fall only from one list to the next if all falls are counted there. No branch in the long loop.
  const Index arcs = start[vertices];
  Index falls = 0, falls_between = 0;
  for (Index k = 1; k < arcs; ++k) falls += head[k - 1] >= head[k];
  bool in_range = true;
  for (Index v = 0; v < vertices; ++v) {
    if (start[v] == start[v + 1]) continue;
    in_range &= head[start[v]] >= 0 && head[start[v + 1] - 1] < vertices;
    falls_between += start[v] > 0 && head[start[v] - 1] >= head[start[v]];
  }
  return in_range && falls == falls_between;
}
extern template bool sorted_lists(const int32_t*, const int32_t*, int32_t);
extern template bool sorted_lists(const int64_t*, const int64_t*, int64_t);

// Fills start (vertices + 1 zeros on entry) and order: arc order[k] is the k-th by (tail, head, position).
template <class Index>
void sort_arcs(const Index* tail, const Index* head, Index arcs, Index vertices, Index* start, Index* order,
               Run& run) {
  std::vector<Index> place(size_t(vertices) + 1, 0);
  for (Index k = 0; k < arcs; ++k) ++place[size_t(head[k]) + 1], ++start[tail[k] + 1];
  run.spend(arcs);
  for (Index v = 0; v < vertices; ++v) place[v + 1] += place[v], start[v + 1] += start[v];
  const auto by_head = std::make_unique_for_overwrite<Index[]>(size_t(arcs));
  for (Index k = 0; k < arcs; ++k) by_head[place[head[k]]++] = k;
  run.spend(arcs);
  std::copy(start, start + vertices + 1, place.begin());
  for (Index k = 0; k < arcs; ++k) order[place[tail[by_head[k]]]++] = by_head[k];
  run.spend(arcs);
}

}  // namespace konig
