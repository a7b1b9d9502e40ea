// Lock-free push-relabel and TLPNS on a CPU team; the algorithm is konig/flow/push_relabel.h.
//
// Counts: global_relabels; relabel_levels, relabel_interval and relabel_active for each of them; cycles,
// idle_cycles, careful_cycles, active, tiles, pushes, relabels, places_scanned, search_scanned,
// back_edge_probes, stranded, second_relabels, second_cycles, supersteps, launches, workers; with `profile`
// also the clocks that konig/flow/papers/profile.py reads.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "flow/papers/team_flow.h"
#include "konig/papers/tlpns.h"

namespace konig {

template <template <class, class> class Layout, class Id, class Offset>
class TeamFlowSolve {
 public:
  TeamFlowSolve(const TeamFlow<Id, Offset>& network, const Knobs& knobs, Run& run)
      : network_(network), knobs_(knobs), run_(run) {}

  void solve() {
    const bool profiled = knobs_.flag("profile");
    if (knobs_.flag("tiles"))
      profiled ? solve_as<flow::Variant<Layout, true, true>>()
               : solve_as<flow::Variant<Layout, true, false>>();
    else
      profiled ? solve_as<flow::Variant<Layout, false, true>>()
               : solve_as<flow::Variant<Layout, false, false>>();
  }

 private:
  using Residual = Layout<Id, Offset>;
  using Workspace = flow::Workspace<Id, Offset, Residual>;

  template <class V>
  void solve_as() {
    const int threads = knobs_.text("team") == "shuffled" ? 1 : int(knobs_.integer("threads"));
    const Workspace workspace = make_workspace(V::kTiles, V::kProfiled, threads);
    const auto launch = [&workspace](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      flow::Solve<V, Team, Id, Offset>(team, workspace).run();
    };
    const auto between = [this] { return go_on(); };
    const int workers = run_on_team(knobs_, threads, run_, launch, between);
    if (state_.progress.status != flow::kMaximum)
      throw std::logic_error("push-relabel: excess did not find its way back to the source");
    count(workers);
    if (V::kProfiled) count_profile(workers);
  }

  Workspace make_workspace(bool tiles, bool profiled, int threads) {
    const int64_t n = network_.vertices;
    const int64_t pieces = Residual::kScansAll ? 0 : flow::room_for_pieces(n, network_.places);
    height_.assign(n, 0);
    scan_at_.assign(n, 0);
    scan_best_.assign(n, 0);
    queue_.assign(tiles ? flow::kTileSizes * n : 0, 0);
    front_.assign(2 * pieces, {});
    workload_.assign(profiled ? threads : 0, 0);
    const std::string& relabel = knobs_.text("relabel");
    const flow::Interval interval = relabel == "adaptive"   ? flow::kOfLevels
                                    : relabel == "vertices" ? flow::kOfVertices
                                                            : flow::kFixed;
    return {n,
            network_.source,
            network_.sink,
            Residual{network_.arrays, (long long)network_.arcs},
            height_.data(),
            reinterpret_cast<long long*>(network_.excess),
            network_.cut,
            scan_at_.data(),
            scan_best_.data(),
            queue_.data(),
            front_.data(),
            pieces,
            workload_.data(),
            {interval, knobs_.real("k"), knobs_.integer("tile")},
            &state_};
  }

  // Between launches: empties the series, reports, and says whether there is more to do.
  bool go_on() {
    flow::Progress& progress = state_.progress;
    series_.take(state_.series, progress.series_used);
    run_.report(network_.excess[network_.sink], -1);
    return progress.status == flow::kRunning;
  }

  void count(int workers) {
    const flow::Progress& p = state_.progress;
    run_.count("cycles", int64_t(p.cycles));
    run_.count("idle_cycles", int64_t(p.idle_cycles));
    run_.count("careful_cycles", int64_t(p.careful_cycles));
    run_.count("active", int64_t(p.active));
    if (knobs_.flag("tiles")) run_.count("tiles", std::vector<int64_t>(p.tiled, p.tiled + flow::kTileSizes));
    run_.count("global_relabels", int64_t(p.relabels));
    run_.count("relabel_levels", series_.column(0));
    run_.count("relabel_interval", series_.column(1));
    run_.count("relabel_active", series_.column(2));
    run_.count("stranded", int64_t(p.stranded));
    run_.count("second_relabels", int64_t(p.second_relabels));
    run_.count("second_cycles", int64_t(p.second_cycles));
    run_.count("pushes", int64_t(state_.pushes));
    run_.count("relabels", int64_t(state_.height_changes));
    run_.count("places_scanned", int64_t(state_.scanned));
    run_.count("search_scanned", int64_t(state_.search_scanned));
    run_.count("back_edge_probes", int64_t(state_.probes));
    count_launches(run_, p.supersteps, state_.launches, workers);
  }

  void count_profile(int workers) {
    const flow::Progress& p = state_.progress;
    workload_.resize(workers);
    run_.count("workload_ticks", std::vector<int64_t>(workload_.begin(), workload_.end()));
    run_.count("mhns_ticks", int64_t(state_.mhns_ticks));
    run_.count("mhns_lead_ticks", int64_t(state_.mhns_lead_ticks));
    run_.count("bes_ticks", int64_t(state_.bes_ticks));
    run_.count("worker_ticks", int64_t(state_.worker_ticks));
    run_.count("cycle_ticks", int64_t(state_.cycle_ticks));
    run_.count("leader_ticks", int64_t(state_.leader_ticks));
    run_.count("leader_ns", int64_t(state_.leader_ns));
    run_.count("barrier_ticks", int64_t(state_.barrier_ticks));
    run_.count("critical_scans", int64_t(p.critical_scans));
    run_.count("critical_moves", int64_t(p.critical_moves));
  }

  const TeamFlow<Id, Offset>& network_;
  const Knobs& knobs_;
  Run& run_;
  std::vector<Id> height_, queue_;
  std::vector<Offset> scan_at_, scan_best_;
  std::vector<flow::Piece<Id, Offset>> front_;
  std::vector<long long> workload_;
  Series<3> series_;
  flow::State state_{};
};

}  // namespace konig
