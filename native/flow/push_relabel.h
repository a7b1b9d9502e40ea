// Push-relabel (Goldberg and Tarjan 1988) on a residual network without terminals.
//
// State: balances, and for each vertex a label that is at most its distance to a vertex with a negative
// balance, or `unreachable`. A vertex with excess, a positive balance, is active while it may reach a
// negative one. Pushes go along admissible arcs (residual, one label down), found by current arcs; a vertex
// without one is relabelled. When no vertex is active, those that are unreachable are the source side of a
// minimum cut: all excess is there, and no residual arc leads out.
//
// The excess that a preflow moves is what decides how long it takes. A vertex is given no more than it can
// pass on.
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
#include "core/run.h"
#include "flow/label_lists.h"
#include "flow/labels.h"
#include "flow/residual.h"

namespace konig {

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

  PushRelabel(Network& network, const PushRelabelKnobs& knobs, Run& run)
      : network_(network),
        n_(network.vertices),
        knobs_(knobs),
        run_(run),
        labels_(network, run),
        active_(n_),
        at_label_(n_),
        jumps_(size_t(n_), 0) {}

  // Brings as much excess as possible to negative balances, and finds the cut.
  void solve() {
    global_relabel();
    const double unit = double(network_.slot_count()) + double(n_);
    if (knobs_.augment > 0) augment_by_labels(unit * knobs_.augment);
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
    for (Index v = 0; v < n_; ++v)
      network_.source_side[v] = (labels_.of[v] == labels_.unreachable) != Backwards;
    run_.count("pushes", pushes_);
    run_.count("relabels", relabels_);
    run_.count("arc_scans", arc_scans_);
    run_.count("global_relabels", global_relabels_);
    run_.count("global_arc_scans", labels_.search_scans);
    run_.count("gaps", gaps_);
    run_.count("parked", total_parked_);
    if (labels_.paths > 0) run_.count("label_paths", labels_.paths);
  }

 private:
  // A blocking flow along the first labels, for so many steps. Where paths are of few lengths it brings most
  // of what can be brought, and no vertex is given what it cannot pass on.
  //
  // It is finished where that has settled a third of the excess with few scans for each arc of a path. A
  // preflow runs aground everywhere there: one-way grids and disjoint chains became 1.1 to 5 times as fast.
  // With less than a third Washington's networks, with more scans boxes and bands took up to a quarter
  // longer.
  void augment_by_labels(double steps) {
    constexpr double kSettled = 1.0 / 3, kScans = 3, kToFinish = 3;
    const double before = excess_of_fed();
    const bool ended = augment_fed(int64_t(steps));
    if (!ended && excess_of_fed(next_fed_) <= (1 - kSettled) * before &&
        double(labels_.path_scans) <= kScans * double(labels_.path_arcs) &&
        augment_fed(int64_t(kToFinish * steps)) && excess_of_fed() > 0)
      return global_relabel();  // what is left must go other ways, if there are any
    active_.clear();
    for (const Index v : labels_.fed)
      if (labels_.excess(v) > 0) active_.add(v, labels_.of[v]);
    labels_.rewind();  // arcs to vertices without a way on were passed over, but are admissible
  }

  // Goes on with the first vertex that is not settled; says whether all are.
  bool augment_fed(int64_t steps) {
    for (; next_fed_ < labels_.fed.size(); ++next_fed_) {
      steps = labels_.augment_from(labels_.fed[next_fed_], steps);
      if (steps <= 0) return false;
    }
    return true;
  }

  double excess_of_fed(size_t from = 0) const {
    double sum = 0;
    for (size_t k = from; k < labels_.fed.size(); ++k) sum += double(labels_.excess(labels_.fed[k]));
    return sum;
  }

  // Until no vertex is active but those that are parked.
  void serve_active(int64_t interval) {
    constexpr uint8_t kMaxJumps = 4;
    for (Index v; (v = active_.take()) != Selection::kNone;) {
      const Index label = labels_.of[v];
      if (label == labels_.unreachable) continue;  // a gap has opened below it
      if (Selection::kParks && jumps_[v] == kMaxJumps) {
        parked_.push_back(v);
        continue;
      }
      discharge(v);
      if (Selection::kParks && labels_.of[v] > label + 1) ++jumps_[v];
      if (relabel_work_ > interval) global_relabel();
    }
  }

  void unpark() {
    for (const Index v : parked_) {
      if (labels_.of[v] == labels_.unreachable) continue;
      jumps_[v] = 0;
      active_.add(v, labels_.of[v]);
    }
    total_parked_ += int64_t(parked_.size());
    parked_.clear();
  }

  void discharge(Index v) {
    int64_t left = labels_.excess(v);
    const Index end = labels_.scan_end(v);
    int64_t scans = 1;
    for (;;) {
      const Index label = labels_.of[v];
      Index a = labels_.current[v];
      for (; a != end; a += labels_.step) {
        ++scans;
        const Index w = network_.head(a);
        if ((labels_.out(a) == 0) | (labels_.of[w] != label - 1)) continue;
        const auto amount = Capacity(std::min<uint64_t>(uint64_t(left), labels_.out(a)));
        labels_.push(a, amount);
        ++pushes_;
        left -= int64_t(amount);
        const int64_t received = labels_.excess(w);
        if (received <= 0 && received + int64_t(amount) > 0) active_.add(w, label - 1);
        labels_.set_excess(w, received + int64_t(amount));
        if (left == 0) break;
      }
      if (a != end) {
        labels_.current[v] = a;
        break;
      }
      relabel(v);
      if (labels_.of[v] == labels_.unreachable) break;
      if constexpr (!Selection::kStaysAfterRelabel) {
        active_.add(v, labels_.of[v]);
        break;
      }
    }
    labels_.set_excess(v, left);
    arc_scans_ += scans;
    run_.spend(scans);
  }

  void relabel(Index v) {
    const Index begin = labels_.scan_begin(v), end = labels_.scan_end(v),
                degree = network_.last(v) - network_.first(v);
    ++relabels_;
    const Index old = labels_.of[v];
    Index lowest = n_, lowest_slot = begin, a = begin;
    // No label below the old one is left, so the first that equals it is the lowest: in dense networks the
    // scan ends early.
    for (; a != end && lowest != old; a += labels_.step) {
      // Beyond all labels where nothing can go: no branch, it could not be predicted.
      const Index label = labels_.of[network_.head(a)] | (-Index(labels_.out(a) == 0) & n_);
      if (label < lowest) {
        lowest = label;
        lowest_slot = a;
      }
    }
    const int64_t scans = std::abs(int64_t(a) - int64_t(begin));
    constexpr int64_t kBeyondScans = 12;  // the cost of a relabelling apart from its scan, in arc scans
    relabel_work_ += degree + kBeyondScans;
    arc_scans_ += scans;
    run_.spend(scans);
    if (knobs_.gap && at_label_.remove(old)) {
      ++gaps_;
      at_label_.drop_above(old, labels_.of, [&](Index u) { labels_.of[u] = labels_.unreachable; });
      lowest = n_;
    }
    labels_.of[v] = lowest < n_ ? lowest + 1 : labels_.unreachable;
    if (lowest == n_) return;
    labels_.current[v] = lowest_slot;
    if (!knobs_.gap) return;
    at_label_.add(v, lowest + 1);
    if (at_label_.full()) at_label_.note_again(labels_.of, labels_.unreachable);
  }

  void global_relabel() {
    ++global_relabels_;
    relabel_work_ = 0;
    active_.clear();
    total_parked_ += int64_t(parked_.size());
    parked_.clear();
    std::fill(jumps_.begin(), jumps_.end(), uint8_t(0));
    const int64_t upwards = labels_.search();
    for (const Index v : labels_.fed) active_.add(v, labels_.of[v]);
    if (knobs_.gap) at_label_.begin_with(labels_.queue.data(), labels_.levels);
    if (global_relabels_ == 1 && upwards > 0) {  // the first search shows where the demands lie
      labels_.step = -1;
      labels_.rewind();
    }
  }

  Network& network_;
  const Index n_;
  const PushRelabelKnobs knobs_;
  Run& run_;
  Labels<Network, Backwards> labels_;
  Selection active_;
  VerticesByLabel<Index> at_label_;
  LargeArray<uint8_t> jumps_;  // of each vertex's label by more than 1, since the last search or parking
  std::vector<Index> parked_;
  size_t next_fed_ = 0;       // of labels_.fed: those before it are settled by the blocking flow
  int64_t relabel_work_ = 0;  // since the last search
  int64_t pushes_ = 0, relabels_ = 0, arc_scans_ = 0, global_relabels_ = 0, gaps_ = 0, total_parked_ = 0;
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
  const PutAside<Network> aside(network, run);
  if (aside.supply <= aside.demand)
    PushRelabel<Network, Order, false>(network, knobs, run).solve();
  else
    PushRelabel<Network, Order, true>(network, knobs, run).solve();
}

}  // namespace konig
