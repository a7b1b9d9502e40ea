// What is left to do on a maximum preflow, or on one against the arcs, to make it a flow without circulation.
//
// Circulation is cancelled: afterwards no directed cycle of arcs carries flow, so no arc carries more than
// the value, whatever its capacity. None is there if all flow leads to vertices of higher number, or all to
// lower ones, or only to vertices that it does not leave. Otherwise vertices that no flow leaves are taken
// off repeatedly (Kahn 1962). On what is left, mostly little, a depth-first search walks against the arcs
// with flow. Where it meets its own path there is a cycle, which loses the least flow on it, and the search
// goes on from the first arc that this empties.
//
// What stays at a vertex beyond its link from the source goes back along the arcs that brought it, when all
// vertices to which flow leads from it are done with: they are taken off before it, and the search leaves
// them after it. So each arc is seen once (Cherkassky and Goldberg 1997, the second stage). What a vertex
// gives beyond its link to the sink is taken back in the same way along the arcs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/large_array.h"
#include "core/run.h"
#include "flow/arcs.h"
#include "flow/residual.h"

namespace konig {

// Whether no balance is beyond the links of its vertex, whose capacities are links_at(v).
template <class Index, class LinksAt>
bool links_suffice(Index vertices, const int64_t* balance, LinksAt links_at) {
  bool suffice = true;
  for (Index v = 0; v < vertices; ++v) {
    const Links links = links_at(v);
    suffice &= balance[v] <= links.source && balance[v] >= -links.sink;
  }
  return suffice;
}

template <class Index>
class Circulations {
 public:
  // There is room for `arcs` arcs.
  Circulations(Index vertices, int64_t arcs, int64_t* flow, Run& run)
      : n_(vertices), flow_(flow), run_(run), marks_(size_t(vertices), 0), added_(size_t(arcs)) {}

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
    cancel_along(true, false, [](Index) { return int64_t(0); }, [](Index, int64_t) {});
  }

  // The same, and gives back what balances have beyond links: links_at(v) are the capacities.
  template <class LinksAt>
  void return_excess(int64_t* balance, LinksAt links_at) {
    bool over = false, under = false;
    for (Index v = 0; v < n_; ++v) {
      const Links links = links_at(v);
      over |= balance[v] > links.source;
      under |= balance[v] < -links.sink;
    }
    run_.spend(n_);
    if (!over && !under) return cancel();
    if (over)
      cancel_along(
          true, true, [&](Index v) { return balance[v] - links_at(v).source; },
          [&](Index v, int64_t amount) { balance[v] += amount; });
    if (under)
      cancel_along(
          false, true, [&](Index v) { return -balance[v] - links_at(v).sink; },
          [&](Index v, int64_t amount) { balance[v] -= amount; });
  }

 private:
  enum Mark : uint8_t { kLeft = 1, kEntered = 2, kOnPath = 4, kDone = 8 };
  struct Carrying {
    Index tail, head, number;
  };
  struct Step {
    Index other, number;
  };

  // Cancels cycles and gives back what is `beyond` at each vertex: to the tails of the arcs that enter it, or
  // to the heads of those that leave it. `change` adds to what a vertex has. Without `all`, arcs that are on
  // no cycle are left out.
  template <class Beyond, class Change>
  void cancel_along(bool by_head, bool all, Beyond beyond, Change change) {
    make_lists(by_head, all);
    if (steps_.size() == 0) return;
    for (uint8_t& mark : marks_) mark &= kLeft | kEntered;
    order_.clear();
    size_t taken = 0, listed = 0;  // vertices that were taken off, and those with a list
    for (Index v = 0; v < n_; ++v) {
      if (start_[v] == start_[v + 1]) continue;
      ++listed;
      if (waiting_[v] == 0) order_.push_back(v);
    }
    for (; taken < order_.size(); ++taken) {
      const Index v = order_[taken];
      marks_[v] |= kDone;
      give_back(v, beyond(v), change);
      for (Index place = start_[v]; place < start_[v + 1]; ++place) {
        const Index other = steps_[place].other;
        if (--waiting_[other] == 0 && start_[other] < start_[other + 1]) order_.push_back(other);
      }
    }
    if (taken == listed) return;
    next_ = LargeArray<Index>(size_t(n_));
    std::copy(start_.begin(), start_.begin() + n_, next_.begin());
    for (Index v = 0; v < n_; ++v)
      if (!(marks_[v] & kDone) && start_[v] < start_[v + 1]) search(v);
    for (size_t k = order_.size(); k-- > taken;) give_back(order_[k], beyond(order_[k]), change);
  }

  // Sorts the arcs by head or by tail, and counts at their other ends.
  void make_lists(bool by_head, bool all) {
    const auto useful = [&](const Carrying& arc) {
      return all || ((marks_[arc.tail] & kEntered) && (marks_[arc.head] & kLeft));
    };
    // While the lists are filled, start_[v + 1] is where the next arc of v goes.
    start_ = LargeArray<Index>(size_t(n_) + 2, 0);
    waiting_ = LargeArray<Index>(size_t(n_), 0);
    for (size_t k = 0; k < count_; ++k) {
      auto& [tail, head, number] = added_[k];
      if (number < 0 || flow_[number] == 0 || !useful(added_[k])) {
        number = -1;
        continue;
      }
      ++start_[size_t(by_head ? head : tail) + 2];
      ++waiting_[by_head ? tail : head];
    }
    for (Index v = 0; v < n_; ++v) start_[v + 2] += start_[v + 1];
    steps_ = LargeArray<Step>(size_t(start_[n_ + 1]));
    for (size_t k = 0; k < count_; ++k) {
      const auto& [tail, head, number] = added_[k];
      if (number < 0) continue;
      steps_[start_[size_t(by_head ? head : tail) + 1]++] = {by_head ? tail : head, number};
    }
    run_.spend(2 * int64_t(n_) + 2 * int64_t(count_));
  }

  template <class Change>
  void give_back(Index v, int64_t left, Change change) {
    for (Index place = start_[v]; left > 0 && place < start_[v + 1]; ++place) {
      const auto [other, number] = steps_[place];
      const int64_t given = std::min(left, std::abs(flow_[number]));
      flow_[number] -= flow_[number] > 0 ? given : -given;
      change(v, -given);
      change(other, given);
      left -= given;
    }
    run_.spend(start_[v + 1] - start_[v] + 1);
  }

  int64_t amount(Index place) const { return std::abs(flow_[steps_[place].number]); }

  // Walks until all that `root` reaches along flow is done.
  void search(Index root) {
    extend_path(root);
    while (!path_.empty()) {
      const Index v = path_.back(), last = start_[v + 1], began = next_[v];
      Index next = began;
      while (next < last && !leads_on(next)) ++next;
      next_[v] = next;
      run_.spend(next - began + 1);
      if (next == last) {
        marks_[v] |= kDone;
        order_.push_back(v);
        path_.pop_back();
      } else if (marks_[steps_[next].other] & kOnPath) {
        take_cycle(steps_[next].other);
      } else {
        extend_path(steps_[next].other);
      }
    }
  }

  bool leads_on(Index place) const { return amount(place) != 0 && !(marks_[steps_[place].other] & kDone); }

  void extend_path(Index v) {
    marks_[v] |= kOnPath;
    path_.push_back(v);
  }

  // The path from v on is a cycle. Goes back to the first arc on it that is then empty.
  void take_cycle(Index v) {
    int64_t least = INT64_MAX;
    size_t begin = path_.size();
    do {
      --begin;
      least = std::min(least, amount(next_[path_[begin]]));
    } while (path_[begin] != v);
    size_t kept = path_.size();
    for (size_t k = path_.size(); k-- > begin;) {
      int64_t& flow = flow_[steps_[next_[path_[k]]].number];
      flow -= flow > 0 ? least : -least;
      if (flow == 0) kept = k;
    }
    run_.spend(int64_t(path_.size() - begin));
    for (size_t k = kept + 1; k < path_.size(); ++k) marks_[path_[k]] &= uint8_t(~kOnPath);
    path_.resize(kept + 1);
  }

  const Index n_;
  int64_t* const flow_;
  Run& run_;
  LargeArray<uint8_t> marks_;
  bool rising_ = false, falling_ = false;
  LargeArray<Carrying> added_;
  size_t count_ = 0;
  LargeArray<Index> start_;  // of the steps from each vertex
  LargeArray<Step> steps_;
  LargeArray<Index> next_;     // the step to go on with
  LargeArray<Index> waiting_;  // steps to each vertex from vertices that have not been taken off
  std::vector<Index> path_, order_;
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
