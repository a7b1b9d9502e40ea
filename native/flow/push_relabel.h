// Push-relabel (Goldberg and Tarjan 1988) on a residual network without terminals.
//
// State: balances, and for each vertex a label that is at most its distance to a vertex with a negative
// balance, or `unreachable_`. A vertex with excess, a positive balance, is active while it may reach a
// negative one. Pushes go along admissible arcs (residual, one label down), found by current arcs; a vertex
// without one is relabelled. When no vertex is active, those that are unreachable are the source side of a
// minimum cut: all excess is there, and no residual arc leads out.
//
// The excess that a preflow moves is what decides how long it takes. A vertex is given no more than it can
// pass on. Backwards, balances change their signs and arcs their directions: what the sink can take moves
// against the arcs to where the source feeds.
//
// Heuristics of Cherkassky and Goldberg (1997): exact labels by a search from the demands when relabelling
// has done a graph's worth of work (global relabelling), and the gap heuristic: when the last vertex leaves a
// label, nothing above it can reach a demand any more.
//
// A vertex whose label jumps while it is served mostly sends its excess back to where it came from, and the
// two climb together. With the highest label first, a vertex that did so a few times is parked: it waits
// until no other vertex is active. Then either exact labels are due, early, or all parked vertices go on.
//
// Lists are scanned from the end that lies towards the demands: networks are mostly numbered from one side to
// the other, and finding the arcs that lead on before those that lead back saves up to half of the time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/knobs.h"
#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"
#include "flow/label_lists.h"
#include "flow/merge.h"
#include "flow/residual.h"

namespace konig {

struct PushRelabelCounts {
  int64_t pushes = 0;
  int64_t relabels = 0;
  int64_t arc_scans = 0;
  int64_t global_relabels = 0;
  int64_t global_arc_scans = 0;
  int64_t gaps = 0;
  int64_t parked = 0;
  int64_t paths = 0;  // augmented before any vertex was discharged

  void write(Run& run) const {
    run.count("pushes", pushes);
    run.count("relabels", relabels);
    run.count("arc_scans", arc_scans);
    run.count("global_relabels", global_relabels);
    run.count("global_arc_scans", global_arc_scans);
    run.count("gaps", gaps);
    run.count("parked", parked);
    if (paths > 0) run.count("label_paths", paths);
  }
};

struct PushRelabelKnobs {
  // Global relabellings per (slots + vertices) of relabelling work; 0 for one at the start.
  double relabel = 1.0;
  bool gap = true;
  // Steps per (slots + vertices) of augmenting along the first exact labels; 0 for push-relabel alone.
  double augment = 0;
};
inline PushRelabelKnobs push_relabel_knobs(const Knobs& knobs) {
  return {knobs.real("relabel"), knobs.flag("gap"), 0};
}

template <class Network, class Selection, bool Backwards>
class PushRelabel {
 public:
  using Index = typename Network::Index;
  using Capacity = typename Network::Capacity;

  PushRelabel(Network& network, const PushRelabelKnobs& knobs, PushRelabelCounts& counts, Run& run)
      : network_(network),
        n_(network.vertices),
        knobs_(knobs),
        counts_(counts),
        run_(run),
        unreachable_(n_ + 1),
        active_(n_),
        at_label_(n_),
        label_(size_t(n_)),
        current_(size_t(n_)),
        queue_(size_t(n_)),
        jumps_(size_t(n_), 0) {}

  // Brings as much excess as possible to negative balances, and finds the cut.
  void solve() {
    global_relabel();
    const double unit = double(network_.slot_count()) + double(n_);
    if (knobs_.augment > 0) augment_by_labels(int64_t(unit * knobs_.augment));
    const auto interval = knobs_.relabel > 0 ? int64_t(unit / knobs_.relabel) + 1 : INT64_MAX;
    constexpr int64_t kEarly = 4;
    for (;;) {
      serve_active(interval);
      if (parked_.empty()) break;
      if (relabel_work_ > interval / kEarly)
        global_relabel();
      else
        unpark();
    }
    // With gaps closed no residual arc leads from an unreachable vertex to a labelled one. Without, vertices
    // that push to each other rise one by one: the last without excess keeps a label.
    if (!knobs_.gap) global_relabel();
    for (Index v = 0; v < n_; ++v) network_.source_side[v] = (label_[v] == unreachable_) != Backwards;
  }

 private:
  Capacity out(Index slot) const { return Backwards ? network_.opposite(slot) : network_.residual(slot); }
  Capacity in(Index slot) const { return Backwards ? network_.residual(slot) : network_.opposite(slot); }
  int64_t excess(Index v) const { return Backwards ? -network_.balance[v] : network_.balance[v]; }
  void set_excess(Index v, int64_t amount) { network_.balance[v] = Backwards ? -amount : amount; }

  // A blocking flow along exact labels, as in a phase of Dinic's algorithm, by depth-first searches with
  // current arcs, for so many steps. Where paths are of few lengths it brings most of what can be brought,
  // and no vertex is given what it cannot pass on.
  void augment_by_labels(int64_t steps) {
    std::vector<Index> roots;
    for (Index k = 0; k < labelled_; ++k)
      if (excess(queue_[k]) > 0) roots.push_back(queue_[k]);
    run_.spend(labelled_);
    for (const Index root : roots)
      if (steps > 0) steps = augment_from(root, steps);
    active_.clear();
    for (const Index v : roots)
      if (excess(v) > 0) active_.add(v, label_[v]);
    // Arcs to vertices without a way on were passed over, but are admissible.
    for (Index k = 0; k < labelled_; ++k) current_[queue_[k]] = scan_begin(queue_[k]);
  }

  // Returns how many steps are left.
  int64_t augment_from(Index root, int64_t steps) {
    path_.clear();
    while (steps > 0 && excess(root) > 0) {
      const Index v = path_.empty() ? root : network_.head(path_.back());
      const Index end = scan_end(v), below = label_[v] - 1, began = below < 0 ? end : current_[v];
      if (below < 0 && excess(v) < 0) {
        steps -= int64_t(path_.size());
        augment(root, v);
        continue;
      }
      Index a = began;
      while (a != end && (out(a) == 0 || label_[network_.head(a)] != below)) a += step_;
      const int64_t scans = std::abs(int64_t(a) - int64_t(began)) + 1;
      steps -= scans;
      run_.spend(scans);
      current_[v] = a;
      if (a != end) {
        path_.push_back(a);
      } else {
        if (path_.empty()) break;
        path_.pop_back();
        current_[path_.empty() ? root : network_.head(path_.back())] += step_;
      }
    }
    return steps;
  }

  // Keeps the path up to the first arc that is now saturated.
  void augment(Index root, Index end) {
    auto amount = uint64_t(std::min(excess(root), -excess(end)));
    for (const Index a : path_) amount = std::min<uint64_t>(amount, out(a));
    size_t kept = path_.size();
    for (size_t k = path_.size(); k-- > 0;) {
      network_.push(Backwards ? network_.reverse(path_[k]) : path_[k], Capacity(amount));
      if (out(path_[k]) == 0) kept = k;
    }
    set_excess(root, excess(root) - int64_t(amount));
    set_excess(end, excess(end) + int64_t(amount));
    run_.spend(int64_t(path_.size()) + 1);
    path_.resize(kept);
    ++counts_.paths;
  }

  // Until no vertex is active but those that are parked.
  void serve_active(int64_t interval) {
    constexpr uint8_t kMaxJumps = 4;
    for (Index v; (v = active_.take()) != Selection::kNone;) {
      const Index label = label_[v];
      if (label == unreachable_) continue;  // a gap has opened below it
      if (Selection::kParks && jumps_[v] == kMaxJumps) {
        parked_.push_back(v);
        continue;
      }
      discharge(v);
      if (Selection::kParks && label_[v] > label + 1) ++jumps_[v];
      if (relabel_work_ > interval) global_relabel();
    }
  }

  void unpark() {
    for (const Index v : parked_) {
      if (label_[v] == unreachable_) continue;
      jumps_[v] = 0;
      active_.add(v, label_[v]);
    }
    counts_.parked += int64_t(parked_.size());
    parked_.clear();
  }

  void discharge(Index v) {
    int64_t left = excess(v);
    const Index end = scan_end(v);
    int64_t scans = 1;
    for (;;) {
      const Index label = label_[v];
      Index a = current_[v];
      for (; a != end; a += step_) {
        ++scans;
        if (out(a) == 0) continue;
        const Index w = network_.head(a);
        if (label_[w] != label - 1) continue;
        const auto amount = Capacity(std::min<uint64_t>(uint64_t(left), out(a)));
        network_.push(Backwards ? network_.reverse(a) : a, amount);
        ++counts_.pushes;
        left -= int64_t(amount);
        const int64_t received = excess(w);
        if (received <= 0 && received + int64_t(amount) > 0) active_.add(w, label - 1);
        set_excess(w, received + int64_t(amount));
        if (left == 0) break;
      }
      if (a != end) {
        current_[v] = a;
        break;
      }
      relabel(v);
      if (label_[v] == unreachable_) break;
      if constexpr (!Selection::kStaysAfterRelabel) {
        active_.add(v, label_[v]);
        break;
      }
    }
    set_excess(v, left);
    counts_.arc_scans += scans;
    run_.spend(scans);
  }

  void relabel(Index v) {
    const Index begin = scan_begin(v), end = scan_end(v), degree = network_.last(v) - network_.first(v);
    ++counts_.relabels;
    const Index old = label_[v];
    Index lowest = n_, lowest_slot = begin;
    for (Index a = begin; a != end; a += step_) {
      if (out(a) == 0) continue;
      const Index label = label_[network_.head(a)];
      if (label < lowest) {
        lowest = label;
        lowest_slot = a;
      }
    }
    constexpr int64_t kBeyondScans = 12;  // the cost of a relabelling apart from its scan, in arc scans
    relabel_work_ += degree + kBeyondScans;
    counts_.arc_scans += degree;
    run_.spend(degree);
    if (knobs_.gap && at_label_.leave(old)) {
      ++counts_.gaps;
      at_label_.drop_above(old, label_, [&](Index u) { label_[u] = unreachable_; });
      lowest = n_;
    }
    label_[v] = lowest < n_ ? lowest + 1 : unreachable_;
    if (lowest == n_) return;
    current_[v] = lowest_slot;
    if (!knobs_.gap) return;
    at_label_.enter(v, lowest + 1);
    if (at_label_.full()) at_label_.note_again(label_, unreachable_);
  }

  // Exact labels: a breadth-first search from the demands against the residual arcs.
  void global_relabel() {
    if (++counts_.global_relabels == 2) {  // it is not over soon
      if constexpr (requires { network_.slot_of_arc; }) Merge<Network>(network_, run_).if_many_share_ends();
    }
    relabel_work_ = 0;
    active_.clear();
    at_label_.clear();
    counts_.parked += int64_t(parked_.size());
    parked_.clear();
    Index found = 0;
    for (Index v = 0; v < n_; ++v) {
      label_[v] = unreachable_;
      if (excess(v) < 0) {
        label_[v] = 0;
        queue_[found++] = v;
      }
    }
    run_.spend(n_);
    int64_t upwards = 0;  // tree arcs towards the demands that lead to higher numbers, less the others
    constexpr Index kAhead = 8;
    for (Index k = 0; k < found; ++k) {
      const Index v = queue_[k];
      if (k + kAhead < found) prefetch(&network_.slots[network_.first(queue_[k + kAhead])]);
      const Index label = label_[v];
      if (knobs_.gap) at_label_.enter(v, label);
      const Index first = network_.first(v), last = network_.last(v);
      current_[v] = scan_begin(v);
      jumps_[v] = 0;
      if (excess(v) > 0) active_.add(v, label);
      for (Index a = first; a < last; ++a) {
        const Index u = network_.head(a);
        if (label_[u] != unreachable_ || in(a) == 0) continue;
        label_[u] = label + 1;
        queue_[found++] = u;
        upwards += u < v ? 1 : -1;
      }
      counts_.global_arc_scans += last - first;
      run_.spend(last - first + 1);
    }
    labelled_ = found;
    if (step_ == 0) {  // the first search: it shows where the demands lie
      step_ = upwards > 0 ? -1 : 1;
      for (Index k = 0; k < found; ++k) current_[queue_[k]] = scan_begin(queue_[k]);
    }
  }

  Index scan_begin(Index v) const { return step_ < 0 ? network_.last(v) - 1 : network_.first(v); }
  Index scan_end(Index v) const { return step_ < 0 ? network_.first(v) - 1 : network_.last(v); }

  Network& network_;
  const Index n_;
  const PushRelabelKnobs knobs_;
  PushRelabelCounts& counts_;
  Run& run_;
  const Index unreachable_;
  Selection active_;
  VerticesByLabel<Index> at_label_;
  LargeArray<Index> label_, current_, queue_;
  LargeArray<uint8_t> jumps_;  // of each vertex's label by more than 1, since the last search or parking
  Index labelled_ = 0;         // how many vertices the latest search found: the first ones of queue_
  std::vector<Index> parked_, path_;
  Index step_ = 0;  // 1 or -1: the direction of scans
  int64_t relabel_work_ = 0;
};

// What vertices get from a terminal beyond what they can pass on: put aside, and back on destruction. A
// vertex of which something was put aside is on its terminal's side: if it has used up the rest, it can pass
// on nothing more.
template <class Network>
class PutAside {
 public:
  using Index = typename Network::Index;

  PutAside(Network& network, Run& run) : network_(network) {
    for (Index v = 0; v < network.vertices; ++v) {
      int64_t& balance = network.balance[v];
      if (balance == 0) continue;
      const int64_t given = std::abs(balance);
      int64_t room = 0;
      for (Index a = network.first(v); a < network.last(v) && room < given; ++a)
        room = bounded_sum(room, int64_t(std::min<uint64_t>(
                                     balance > 0 ? network.residual(a) : network.opposite(a), kTooLarge)));
      if (given > room) {
        aside_.push_back({v, balance > 0 ? given - room : room - given});
        balance = balance > 0 ? room : -room;
      }
      int64_t& total = balance > 0 ? supply : demand;
      total = bounded_sum(total, std::min(given, room));
      run.spend(network.last(v) - network.first(v) + 1);
    }
  }
  ~PutAside() {
    for (const auto& [v, amount] : aside_) {
      network_.balance[v] += amount;
      network_.source_side[v] = amount > 0;
    }
  }
  PutAside(const PutAside&) = delete;
  PutAside& operator=(const PutAside&) = delete;

  int64_t supply = 0, demand = 0;  // what is left, at most kTooLarge

 private:
  struct Amount {
    Index vertex;
    int64_t amount;
  };
  Network& network_;
  std::vector<Amount> aside_;
};

// From where the network stands to a maximum preflow, from the side that has less to bring: its sum fits.
template <template <class> class Selection, class Network>
void solve_by_push_relabel(Network& network, const PushRelabelKnobs& knobs, Run& run) {
  using Order = Selection<typename Network::Index>;
  PushRelabelCounts counts;
  const PutAside<Network> aside(network, run);
  if (aside.supply <= aside.demand)
    PushRelabel<Network, Order, false>(network, knobs, counts, run).solve();
  else
    PushRelabel<Network, Order, true>(network, knobs, counts, run).solve();
  counts.write(run);
}

}  // namespace konig
