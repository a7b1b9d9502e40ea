// Dinic (1970): Algorithm for solution of a problem of maximum flow in networks with power estimation, with
// the search from both ends.
//
// A phase searches breadth first, along residual arcs from the vertices that the source can feed and against
// them from those that the sink can take from, a level at a time on the side whose next level has fewer arcs.
// Where both meet all shortest paths lead over the arcs between them, the bridges. From each bridge a walk
// goes back to a supply and another one on to a demand, both down the levels, so that a walk fails only where
// this phase has saturated arcs. When a side can go no further its vertices are that side of a minimum cut:
// where the cut is near one end the rest of the network is never touched.
//
// State: `Node::level` is d + 1 for a vertex d arcs from a supply, -(d + 1) for one d arcs from a demand, and
// 0 for others; where a walk has failed it is kDead, of the same sign, to which no walk leads. `Node::way` is
// the slot that a walk takes next: ~slot for the arc by which the search came, until a walk fails on it, then
// the current arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

// When phases are given up. They get `steps` steps, and as many again as long as they seem to end soon, up to
// `most_steps`. Paths of `length` arcs and more are many and touch the whole network (bands, grids), except
// where levels are thin: in chains and ladders a few phases end it, while labels and excess creep from level
// to level. So a few searches may go further there, for `long_steps` steps in all.
struct PhaseLimits {
  static constexpr int64_t kThin = 16;  // arcs scanned per level
  static constexpr int kLongSearches = 8;

  int64_t steps = INT64_MAX, most_steps = INT64_MAX, length = INT64_MAX, long_steps = INT64_MAX;
};

template <class Network>
class TwoSidedPhases {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  // `linked` has all vertices with a balance, and perhaps others.
  TwoSidedPhases(Network& network, const std::vector<Index>& linked, const PhaseLimits& limits, Run& run)
      : network_(network),
        n_(network.vertices),
        limits_(limits),
        more_(limits.steps),
        run_(run),
        nodes_(size_t(n_), Node{0, 0}),
        queue_(size_t(n_) + linked.size()) {
    plant(linked);
  }

  // Says whether the flow is maximum and the cut is found; if not it gave up.
  bool solve() {
    while (search()) {
      length_ = fed_.depth + taken_.depth;
      if (++phases_ == 1) noted_length_ = length_;
      for (size_t k = 0; k < bridges_.size() && fed_.roots > 0 && taken_.roots > 0 && !out_of_steps(); ++k)
        cross(bridges_[k]);
      clear();
    }
    for (Index v = 0; v < n_; ++v)
      network_.source_side[v] = fed_exhausted_ ? nodes_[v].level > 0 : nodes_[v].level >= 0;
    run_.spend(n_);
    run_.count("phases", phases_);
    run_.count("bridges", crossed_);
    run_.count("phase_paths", paths_);
    run_.count("search_scans", search_scans_);
    run_.count("walk_steps", walk_steps_);
    return !gave_up_;
  }

 private:
  enum Side : bool { kSource, kSink };
  static constexpr Index kNone = -1;

  struct Node {
    Index level;
    Index way;
  };

  // An arc of a path, and the least residual capacity from the bridge up to here.
  struct Step {
    Index slot;
    Capacity least;
  };

  bool out_of_steps() {
    if (search_scans_ + walk_steps_ <= limits_.steps) return false;
    if (limits_.steps >= limits_.most_steps || !ends_soon()) {
      limits_.most_steps = 0;  // decided, unless a long search is granted more steps
      return true;
    }
    limits_.steps += more_;
    return false;
  }

  // Whether what was seen since the last call lets expect that few phases are left: the flow that they bring
  // decays, or few phases have made paths much longer. In meshes each phase brings as much as the one before
  // along paths one arc longer. Where walks take longer than searches push-relabel is faster.
  bool ends_soon() {
    constexpr Index kShort = 8;
    constexpr double kMuchLonger = 1.3;
    constexpr int64_t kDecayed = 3, kFew = 8;
    if (walk_steps_ > search_scans_) return false;
    if (phases_ <= 1) return (phases_ > 0 ? length_ : fed_.depth + taken_.depth) <= kShort;
    const bool decays = brought_ - noted_brought_ <= brought_ / kDecayed;
    const bool lengthens =
        noted_brought_ == 0 && phases_ <= kFew && double(length_) >= kMuchLonger * double(noted_length_);
    noted_length_ = length_;
    noted_brought_ = brought_;
    return decays || lengthens;
  }

  // One side of the search. Both share queue_: the source's side fills it from the front, the sink's from the
  // back. The newest level is from `level` up to `end`, in that direction.
  struct Front {
    int64_t level = 0, end = 0;
    Index depth = 1;   // levels so far
    int64_t arcs = 0;  // of the newest level
    Index roots = 0;   // that have something left
    int64_t end_of_roots = 0, arcs_of_roots = 0;

    bool empty() const { return level == end; }
  };
  template <Side side>
  static constexpr Index kStep = side == kSource ? 1 : -1;
  template <Side side>
  static constexpr Index kDead = kStep<side> * std::numeric_limits<Index>::max();

  // The residual capacity away from this side's terminal, and towards it.
  template <Side side>
  Capacity outward(Index slot) const {
    return side == kSource ? network_.residual(slot) : network_.opposite(slot);
  }
  template <Side side>
  Capacity inward(Index slot) const {
    return side == kSource ? network_.opposite(slot) : network_.residual(slot);
  }

  // Vertices with a balance are the first in the queue of their side and stay there: where one side has very
  // many, a phase costs no more than what it touches. Those that are used up lose their level only, and may
  // be in the queue twice.
  void plant(const std::vector<Index>& linked) {
    int64_t fed = 0, taken = last_place();
    for (const Index v : linked) {
      const int64_t balance = network_.balance[v];
      if (balance == 0) continue;
      Front& front = balance > 0 ? fed_ : taken_;
      nodes_[v].level = balance > 0 ? 1 : -1;
      (balance > 0 ? queue_[fed++] : queue_[taken--]) = v;
      front.arcs_of_roots += degree(v);
      ++front.roots;
    }
    run_.spend(int64_t(linked.size()));
    fed_.end_of_roots = fed;
    taken_.end_of_roots = taken;
  }

  int64_t last_place() const { return int64_t(queue_.size()) - 1; }
  Index degree(Index v) const { return network_.last(v) - network_.first(v); }

  template <Side side>
  void begin_search(Front& front) {
    front.end = front.end_of_roots;
    front.level = front.roots > 0 ? (side == kSource ? 0 : last_place()) : front.end;
    front.depth = 1;
    front.arcs = front.arcs_of_roots;
  }

  void use_up(Front& front, Index root) {
    used_up_.push_back(root);
    front.arcs_of_roots -= degree(root);
    --front.roots;
  }

  template <Side side>
  void count_arcs(Front& front) {
    front.arcs = 0;
    for (int64_t k = front.level; k != front.end; k += kStep<side>) front.arcs += degree(queue_[k]);
  }

  // Says whether both sides met.
  bool search() {
    const int64_t scans_before = search_scans_;
    bool is_long = false, may_be_long = true;
    bridges_.clear();
    begin_search<kSource>(fed_);
    begin_search<kSink>(taken_);
    while (!fed_.empty() && !taken_.empty()) {
      if (!is_long && fed_.depth + taken_.depth > limits_.length) {
        is_long = true;
        may_be_long = may_go_on(search_scans_ - scans_before);
      }
      gave_up_ = !may_be_long || out_of_steps();
      if (gave_up_) return false;
      if (fed_.arcs <= taken_.arcs)
        expand<kSource>(fed_);
      else
        expand<kSink>(taken_);
      if (!bridges_.empty()) return true;
    }
    fed_exhausted_ = fed_.empty();
    return false;
  }

  // Whether a search may go beyond the length, after so many scans.
  bool may_go_on(int64_t scans) {
    if (scans > PhaseLimits::kThin * limits_.length || ++long_searches_ > PhaseLimits::kLongSearches)
      return false;
    limits_.steps = std::max(limits_.steps, limits_.long_steps);
    return true;
  }

  template <Side side>
  void expand(Front& front) {
    const int64_t last_of_level = front.end;
    const Index next_level = kStep<side> * (front.depth + 1);
    int64_t found = front.end;
    constexpr int64_t kAhead = 8;
    for (int64_t k = front.level; k != last_of_level; k += kStep<side>) {
      const Index v = queue_[k];
      if (front.depth == 1 && nodes_[v].level != kStep<side>) continue;  // used up
      if (std::abs(last_of_level - k) > kAhead)
        prefetch(&network_.slots[network_.first(queue_[k + kAhead * kStep<side>])]);
      const Index first = network_.first(v), last = network_.last(v);
      for (Index a = first; a < last; ++a) {
        const Index u = network_.head(a);
        // Levels first: they are mostly this side's, while whether an arc is residual cannot be predicted.
        const Index level = nodes_[u].level;
        if ((side == kSource ? level > 0 : level < 0) || outward<side>(a) == 0) continue;
        if (level == 0) {
          nodes_[u] = {next_level, ~network_.reverse(a)};
          queue_[found] = u;
          found += kStep<side>;
        } else {
          bridges_.push_back(side == kSource ? a : network_.reverse(a));
        }
      }
      run_.spend(last - first + 1);
      search_scans_ += last - first + 1;
    }
    front.level = last_of_level;
    front.end = found;
    ++front.depth;
    if (bridges_.empty()) count_arcs<side>(front);
  }

  void clear() {
    for (int64_t k = fed_.end_of_roots; k < fed_.end; ++k) nodes_[queue_[k]].level = 0;
    for (int64_t k = taken_.end_of_roots; k > taken_.end; --k) nodes_[queue_[k]].level = 0;
    for (const Index v : used_up_) nodes_[v].level = 0;
    run_.spend(fed_.end - fed_.end_of_roots + taken_.end_of_roots - taken_.end + int64_t(used_up_.size()));
    used_up_.clear();
  }

  // Augments over a bridge as long as it has residual capacity and ways from and to it.
  void cross(Index bridge) {
    const Index from = network_.head(network_.reverse(bridge)), to = network_.head(bridge);
    ++crossed_;
    back_.clear();
    on_.clear();
    back_.reserve(size_t(fed_.depth));
    on_.reserve(size_t(taken_.depth));
    while (network_.residual(bridge) > 0 && !out_of_steps()) {
      const Index root = walk<kSource>(from, back_);
      if (root == kNone) return;
      const Index end = walk<kSink>(to, on_);
      if (end == kNone) return;
      augment(bridge, root, end);
    }
  }

  // Extends a path from the bridge down to a root with something left; kNone if there is none.
  template <Side side>
  Index walk(Index start, std::vector<Step>& path) {
    for (;;) {
      const Index v = path.empty() ? start : network_.head(path.back().slot);
      const Index level = nodes_[v].level;
      if (level == (side == kSource ? 1 : -1)) {
        if (network_.balance[v] != 0) return v;
      } else if (const Index a = next_way<side>(v, level); a != kNone) {
        path.push_back({a, std::min(least(path), inward<side>(a))});
        continue;
      }
      if (path.empty()) return kNone;
      // Where the arc by which the search came fails, the list is scanned from its beginning, and would lead
      // here again.
      if (std::abs(level) > 1) nodes_[v].level = kDead<side>;
      path.pop_back();
      const Index before = path.empty() ? start : network_.head(path.back().slot);
      take_next(before);
    }
  }

  static Capacity least(const std::vector<Step>& path) {
    return path.empty() ? std::numeric_limits<Capacity>::max() : path.back().least;
  }

  // The slot of v by which its walk goes on, kNone if all have been tried.
  template <Side side>
  Index next_way(Index v, Index level) {
    Node& node = nodes_[v];
    ++walk_steps_;
    if (node.way < 0) {
      const Index a = ~node.way;
      if (inward<side>(a) > 0) return a;
      node.way = network_.first(v);
    }
    const Index last = network_.last(v), lower = side == kSource ? level - 1 : level + 1;
    Index a = node.way;
    while (a < last && (inward<side>(a) == 0 || nodes_[network_.head(a)].level != lower)) ++a;
    walk_steps_ += a - node.way;
    run_.spend(a - node.way + 1);
    node.way = a;
    return a < last ? a : kNone;
  }
  void take_next(Index v) {
    Node& node = nodes_[v];
    node.way = node.way < 0 ? network_.first(v) : node.way + 1;
  }

  void augment(Index bridge, Index root, Index end) {
    uint64_t amount = std::min<uint64_t>(network_.residual(bridge),
                                         uint64_t(std::min(network_.balance[root], -network_.balance[end])));
    amount = std::min<uint64_t>(amount, std::min(least(back_), least(on_)));
    network_.push(bridge, Capacity(amount));
    network_.balance[root] -= int64_t(amount);
    network_.balance[end] += int64_t(amount);
    if (network_.balance[root] == 0) use_up(fed_, root);
    if (network_.balance[end] == 0) use_up(taken_, end);
    push_along<kSource>(back_, amount);
    push_along<kSink>(on_, amount);
    brought_ += int64_t(amount);
    ++paths_;
  }

  // Keeps what lies between the bridge and the first arc that is now saturated.
  template <Side side>
  void push_along(std::vector<Step>& path, uint64_t amount) {
    size_t kept = path.size();
    for (size_t k = path.size(); k-- > 0;) {
      const Index a = path[k].slot;
      network_.push(side == kSource ? network_.reverse(a) : a, Capacity(amount));
      path[k].least -= Capacity(amount);
      if (inward<side>(a) == 0) kept = k;
    }
    walk_steps_ += int64_t(path.size());
    run_.spend(int64_t(path.size()) + 1);
    path.resize(kept);
  }

  Network& network_;
  const Index n_;
  PhaseLimits limits_;
  const int64_t more_;
  Run& run_;
  LargeArray<Node> nodes_;
  LargeArray<Index> queue_;
  std::vector<Index> bridges_;
  std::vector<Index> used_up_;   // roots, by this phase
  std::vector<Step> back_, on_;  // of a path from the bridge's tail back, and from its head on
  Front fed_, taken_;
  bool fed_exhausted_ = false, gave_up_ = false;
  int long_searches_ = 0;
  Index length_ = 0;  // of the latest paths, in levels
  Index noted_length_ = 0;
  int64_t brought_ = 0, noted_brought_ = 0;
  int64_t phases_ = 0, crossed_ = 0, paths_ = 0, search_scans_ = 0, walk_steps_ = 0;
};

}  // namespace konig
