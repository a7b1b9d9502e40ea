// Cancels the circulation of a flow: afterwards no directed cycle of arcs carries flow, so no arc carries
// more than the value, whatever its capacity.
//
// A depth-first search walks along arcs with flow. Where it meets its own path there is a cycle, which loses
// the least flow on it, and the search goes on from the first arc that this empties. Only vertices that flow
// both enters and leaves are searched, and none if all flow leads to vertices of higher number, or all to
// lower ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"

namespace konig {

template <class Index>
class Circulations {
 public:
  // There is room for `arcs` arcs.
  Circulations(Index vertices, int64_t arcs, int64_t* flow, Run& run)
      : n_(vertices),
        flow_(flow),
        run_(run),
        marks_(size_t(vertices), 0),
        added_(std::make_unique_for_overwrite<Carrying[]>(size_t(arcs))) {}

  // An arc that carries flow from `tail` to `head`; `number` is its place in `flow`, where the amount may be
  // negative.
  void add(Index number, Index tail, Index head) {
    marks_[tail] |= kLeft;
    marks_[head] |= kEntered;
    rising_ |= tail <= head;  // a loop does both
    falling_ |= tail >= head;
    added_[count_++] = {tail, head, number};
  }

  // Cancels the cycles of the arcs that were added.
  void cancel() {
    if (!rising_ || !falling_) return;
    make_lists();
    for (Index v = 0; v < n_; ++v)
      if (marks_[v] == (kLeft | kEntered)) search(v);
  }

 private:
  enum Mark : uint8_t { kLeft = 1, kEntered = 2, kOnPath = 4, kDone = 8 };
  struct Carrying {
    Index tail, head, number;
  };
  struct Step {
    Index vertex;
    Index next;  // place of the arc to go on with
  };

  // Sorts by tail the arcs that cycles may use.
  void make_lists() {
    const auto useful = [this](const Carrying& arc) {
      return (marks_[arc.tail] & kEntered) && (marks_[arc.head] & kLeft);
    };
    // While the lists are filled, start_[v + 1] is where the next arc of v goes.
    start_ = LargeArray<Index>(size_t(n_) + 2, 0);
    for (size_t k = 0; k < count_; ++k) start_[size_t(added_[k].tail) + 2] += useful(added_[k]);
    for (Index v = 0; v < n_; ++v) start_[v + 2] += start_[v + 1];
    arcs_ = LargeArray<Carrying>(size_t(start_[n_ + 1]));
    for (size_t k = 0; k < count_; ++k)
      if (useful(added_[k])) arcs_[start_[size_t(added_[k].tail) + 1]++] = added_[k];
    run_.spend(int64_t(n_) + int64_t(count_));
  }

  int64_t amount(Index place) const { return std::abs(flow_[arcs_[place].number]); }

  // Walks until all that `root` reaches along flow is done.
  void search(Index root) {
    enter(root);
    while (!path_.empty()) {
      auto& [v, next] = path_.back();
      const Index last = start_[v + 1], began = next;
      while (next < last && !leads_on(next)) ++next;
      run_.spend(next - began + 1);
      if (next == last) {
        marks_[v] |= kDone;
        path_.pop_back();
      } else if (marks_[arcs_[next].head] & kOnPath) {
        take_cycle(arcs_[next].head);
      } else {
        enter(arcs_[next].head);
      }
    }
  }

  bool leads_on(Index place) const { return amount(place) != 0 && !(marks_[arcs_[place].head] & kDone); }

  void enter(Index v) {
    marks_[v] |= kOnPath;
    path_.push_back({v, start_[v]});
  }

  // The path from v on is a cycle. Goes back to the first arc on it that is then empty.
  void take_cycle(Index v) {
    int64_t least = INT64_MAX;
    size_t begin = path_.size();
    do {
      --begin;
      least = std::min(least, amount(path_[begin].next));
    } while (path_[begin].vertex != v);
    size_t kept = path_.size();
    for (size_t k = path_.size(); k-- > begin;) {
      int64_t& flow = flow_[arcs_[path_[k].next].number];
      flow -= flow > 0 ? least : -least;
      if (flow == 0) kept = k;
    }
    run_.spend(int64_t(path_.size() - begin));
    for (size_t k = kept + 1; k < path_.size(); ++k) marks_[path_[k].vertex] &= uint8_t(~kOnPath);
    path_.resize(kept + 1);
  }

  const Index n_;
  int64_t* const flow_;
  Run& run_;
  LargeArray<uint8_t> marks_;
  bool rising_ = false, falling_ = false;
  std::unique_ptr<Carrying[]> added_;  // few of them, mostly: not worth a huge page
  size_t count_ = 0;
  LargeArray<Index> start_;  // of the arcs that leave each vertex
  LargeArray<Carrying> arcs_;
  std::vector<Step> path_;
};

// Cancels the circulation of any flow, even one that enters sources or leaves sinks. All sources count as one
// vertex, and so do all sinks: flow from one source to another is circulation too.
template <class Index>
void cancel_all_circulations(const Arcs<Index>& arcs, int64_t* flow, Run& run) {
  Index of_role[3] = {-1, -1, -1};
  for (Index v = arcs.vertices; v-- > 0;) of_role[int(arcs.role[v])] = v;
  const auto merged = [&](Index v) { return arcs.role[v] == Role::kInner ? v : of_role[int(arcs.role[v])]; };
  Circulations<Index> circulations(arcs.vertices, arcs.count(), flow, run);
  arcs.for_each(run, [&](Index a, Index u, Index v) {
    if (flow[a] > 0) circulations.add(a, merged(u), merged(v));
    if (flow[a] < 0) circulations.add(a, merged(v), merged(u));
  });
  circulations.cancel();
}

}  // namespace konig
