// Takes circulation off a flow: afterwards no directed cycle of arcs carries flow, so no arc carries more
// than the value, whatever its capacity.
//
// A depth-first search walks along arcs with flow. Where it meets its own path there is a cycle, which loses
// the least flow on it, and the search goes on from the first arc that this empties. Whoever writes the flow
// of the arcs marks their ends on the way; only vertices that flow both enters and leaves are searched, and
// none if all flow leads to vertices of higher number, or all to lower ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"

namespace konig {

// Which vertices flow leaves and enters, on arcs that cycles may use.
template <class IndexType>
class FlowMarks {
 public:
  using Index = IndexType;
  enum Mark : uint8_t { kLeft = 1, kEntered = 2, kOnPath = 4, kDone = 8 };

  explicit FlowMarks(Index vertices) : marks_(size_t(vertices), 0) {}

  void note(Index tail, Index head) {
    marks_[tail] |= kLeft;
    marks_[head] |= kEntered;
    rising_ |= tail < head;
    falling_ |= tail > head;
  }
  bool cycles_possible() const { return rising_ && falling_; }

  Index vertices() const { return Index(marks_.size()); }
  uint8_t& operator[](Index v) { return marks_[v]; }
  uint8_t operator[](Index v) const { return marks_[v]; }

 private:
  LargeArray<uint8_t> marks_;
  bool rising_ = false, falling_ = false;
};

// The arcs of sorted lists as slots. Slots of vertex u are first(u) .. last(u); slot s leads to head(s) with
// amount(s) of flow, and take(s, amount) lessens it.
template <class IndexType>
struct SlotsOfSortedArcs {
  using Index = IndexType;
  const Arcs<Index>& arcs;
  int64_t* flow;

  Index first(Index u) const { return arcs.start[u]; }
  Index last(Index u) const { return arcs.start[u + 1]; }
  Index head(Index s) const { return arcs.head[s]; }
  int64_t amount(Index s) const { return flow[s]; }
  void take(Index s, int64_t amount) { flow[s] -= amount; }
};

// The same for arcs in any order and for undirected ones, which leave the vertex that their flow leaves:
// lists of those that carry flow between marked vertices. for_each(visit) calls visit(arc, tail, head) for
// all arcs with flow that cycles may use, as often as it is called.
template <class IndexType>
class SlotsOfFlow {
 public:
  using Index = IndexType;

  template <class ForEach>
  SlotsOfFlow(const FlowMarks<Index>& marks, int64_t* flow, ForEach for_each)
      : flow_(flow), start_(size_t(marks.vertices()) + 1, 0) {
    using Marks = FlowMarks<Index>;
    const auto usable = [&](Index tail, Index head) {
      return (marks[tail] & Marks::kEntered) && (marks[head] & Marks::kLeft);
    };
    for_each([&](Index, Index tail, Index head) { start_[size_t(tail) + 1] += usable(tail, head); });
    for (Index v = 0; v < marks.vertices(); ++v) start_[v + 1] += start_[v];
    const auto count = size_t(start_[marks.vertices()]);
    head_ = LargeArray<Index>(count);
    arc_ = LargeArray<Index>(count);
    LargeArray<Index> end(size_t(marks.vertices()));
    std::copy_n(start_.begin(), marks.vertices(), end.begin());
    for_each([&](Index a, Index tail, Index head) {
      if (!usable(tail, head)) return;
      const Index slot = end[tail]++;
      head_[slot] = head;
      arc_[slot] = a;
    });
  }

  Index first(Index u) const { return start_[u]; }
  Index last(Index u) const { return start_[u + 1]; }
  Index head(Index s) const { return head_[s]; }
  int64_t amount(Index s) const { return std::abs(flow_[arc_[s]]); }
  void take(Index s, int64_t amount) { flow_[arc_[s]] -= flow_[arc_[s]] > 0 ? amount : -amount; }

 private:
  int64_t* flow_;
  LargeArray<Index> start_, head_, arc_;
};

template <class Slots>
class Circulations {
 public:
  using Index = typename Slots::Index;
  using Marks = FlowMarks<Index>;

  Circulations(Slots& slots, Marks& marks, Run& run) : slots_(slots), marks_(marks), run_(run) {}

  void cancel() {
    for (Index v = 0; v < marks_.vertices(); ++v)
      if (marks_[v] == (Marks::kLeft | Marks::kEntered)) search(v);
  }

 private:
  struct Step {
    Index vertex;
    Index slot;  // the one to go on with
  };

  // Walks until all that `root` reaches along flow is done.
  void search(Index root) {
    enter(root);
    while (!path_.empty()) {
      auto& [v, slot] = path_.back();
      const Index last = slots_.last(v), began = slot;
      while (slot < last && !leads_on(slot)) ++slot;
      run_.spend(slot - began + 1);
      if (slot == last) {
        marks_[v] |= Marks::kDone;
        path_.pop_back();
      } else if (marks_[slots_.head(slot)] & Marks::kOnPath) {
        take_cycle(slots_.head(slot));
      } else {
        enter(slots_.head(slot));
      }
    }
  }

  bool leads_on(Index slot) const {
    return slots_.amount(slot) != 0 &&
           (marks_[slots_.head(slot)] & (Marks::kLeft | Marks::kDone)) == Marks::kLeft;
  }

  void enter(Index v) {
    marks_[v] |= Marks::kOnPath;
    path_.push_back({v, slots_.first(v)});
  }

  // The path from v on is a cycle. Goes back to the first arc on it that is then empty.
  void take_cycle(Index v) {
    int64_t least = INT64_MAX;
    size_t begin = path_.size();
    do {
      --begin;
      least = std::min(least, slots_.amount(path_[begin].slot));
    } while (path_[begin].vertex != v);
    size_t kept = path_.size();
    for (size_t k = path_.size(); k-- > begin;) {
      slots_.take(path_[k].slot, least);
      if (slots_.amount(path_[k].slot) == 0) kept = k;
    }
    run_.spend(int64_t(path_.size() - begin));
    for (size_t k = kept + 1; k < path_.size(); ++k) marks_[path_[k].vertex] &= uint8_t(~Marks::kOnPath);
    path_.resize(kept + 1);
  }

  Slots& slots_;
  Marks& marks_;
  Run& run_;
  std::vector<Step> path_;
};

// Of arcs whose flow between inner vertices, and no other, is marked.
template <class Index>
void cancel_circulations(const Arcs<Index>& arcs, FlowMarks<Index>& marks, int64_t* flow, Run& run) {
  if (!marks.cycles_possible()) return;
  if (arcs.start && !arcs.undirected) {
    SlotsOfSortedArcs<Index> slots{arcs, flow};
    Circulations(slots, marks, run).cancel();
    return;
  }
  SlotsOfFlow<Index> slots(marks, flow, [&](auto visit) {
    arcs.for_each(run, [&](Index a, Index u, Index v) {
      if (flow[a] == 0 || !arcs.inner(u, v)) return;
      flow[a] > 0 ? visit(a, u, v) : visit(a, v, u);
    });
  });
  Circulations(slots, marks, run).cancel();
}

// Of any flow, which may enter sources and leave sinks. All sources are one vertex, and so are all sinks:
// what comes from one source and ends in another is circulation too.
template <class Index>
void cancel_all_circulations(const Arcs<Index>& arcs, int64_t* flow, Run& run) {
  Index of_role[3] = {-1, -1, -1};
  for (Index v = arcs.vertices; v-- > 0;) of_role[int(arcs.role[v])] = v;
  const auto merged = [&](Index v) { return arcs.role[v] == Role::kInner ? v : of_role[int(arcs.role[v])]; };
  const auto for_each = [&](auto visit) {
    arcs.for_each(run, [&](Index a, Index u, Index v) {
      if (flow[a] == 0) return;
      flow[a] > 0 ? visit(a, merged(u), merged(v)) : visit(a, merged(v), merged(u));
    });
  };
  FlowMarks<Index> marks(arcs.vertices);
  bool loops = false;
  for_each([&](Index, Index tail, Index head) {
    marks.note(tail, head);
    loops |= tail == head;
  });
  if (!marks.cycles_possible() && !loops) return;
  SlotsOfFlow<Index> slots(marks, flow, for_each);
  Circulations(slots, marks, run).cancel();
}

}  // namespace konig
