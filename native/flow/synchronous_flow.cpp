// Synchronous push-relabel on a CPU team; the algorithm is konig/flow/sync_pr.h.
//
// Counts: global_relabels; relabel_levels, relabel_interval and relabel_active for each of them; push_steps,
// search_levels, those of them that one crew took alone, active, moves, rises, slots_scanned,
// search_scanned, stranded, second_relabels, second_steps, second_levels, supersteps, launches, workers.

#include "flow/push_relabel_on_team.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/run_on_team.h"
#include "konig/flow/sync_pr.h"

namespace konig {
namespace {

template <class Id, class Amount>
class SynchronousSolve {
 public:
  SynchronousSolve(const PushRelabelProblem<Id, Amount>& network, const Knobs& knobs, Run& run)
      : network_(network), knobs_(knobs), run_(run) {}

  void solve() {
    const Workspace workspace = make_workspace();
    const auto launch = [&workspace](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      synchronous_flow::Solve<false, Team, Id, Amount>(team, workspace).run();
    };
    const auto between = [this] { return go_on(); };
    const int threads = int(knobs_.integer("threads"));
    const int workers = run_on_team(knobs_, threads, run_, launch, between);
    if (state_.progress.status != synchronous_flow::kMaximum)
      throw std::logic_error("push-relabel: excess did not find its way back to the source");
    count(workers);
  }

 private:
  using Workspace = synchronous_flow::Workspace<Id, Amount>;

  Workspace make_workspace() {
    const int64_t n = network_.vertices;
    const int64_t pieces = synchronous_flow::room_for_pieces(n, network_.slot_count);
    labels_.assign(2 * n, {0, -1, 0, 0});
    queues_.assign(4 * n, {});
    fronts_.assign(2 * pieces, {});
    return {n,
            network_.start,
            network_.slots,
            network_.to_sink,
            network_.to_source,
            network_.excess,
            labels_.data(),
            queues_.data(),
            fronts_.data(),
            pieces,
            network_.cut,
            {knobs_.real("k"), knobs_.integer("least"), knobs_.integer("rises"), 0, 0},
            &state_};
  }

  // Between launches: empties the series, reports, and says whether there is more to do.
  bool go_on() {
    synchronous_flow::Progress& progress = state_.progress;
    series_.take(state_.series, progress.series_used);
    const long long brought = progress.phase == 0 ? progress.delivered : progress.brought;
    run_.report(network_.brought + brought, -1);
    return progress.status == synchronous_flow::kRunning;
  }

  void count(int workers) {
    const synchronous_flow::Progress& p = state_.progress;
    run_.count("push_steps", int64_t(p.pushes));
    run_.count("search_levels", int64_t(p.levels));
    run_.count("lone_steps", int64_t(p.lone_pushes));
    run_.count("lone_levels", int64_t(p.lone_levels));
    run_.count("active", int64_t(p.active));
    run_.count("global_relabels", int64_t(p.relabels));
    run_.count("relabel_levels", series_.column(0));
    run_.count("relabel_interval", series_.column(1));
    run_.count("relabel_active", series_.column(2));
    run_.count("stranded", int64_t(p.stranded));
    run_.count("second_relabels", int64_t(p.second_relabels));
    run_.count("second_steps", int64_t(p.second_pushes));
    run_.count("second_levels", int64_t(p.second_levels));
    run_.count("pushes", int64_t(state_.moves));
    run_.count("relabels", int64_t(state_.rises));
    run_.count("slots_scanned", int64_t(state_.scanned));
    run_.count("search_scanned", int64_t(state_.search_scanned));
    count_launches(run_, p.meetings, state_.launches, workers);
  }

  const PushRelabelProblem<Id, Amount>& network_;
  const Knobs& knobs_;
  Run& run_;
  std::vector<synchronous_flow::Label<Id>> labels_;
  std::vector<synchronous_flow::Entry<Id>> queues_;
  std::vector<synchronous_flow::Piece<Id>> fronts_;
  Series<3> series_;
  synchronous_flow::State state_{};
};

}  // namespace

template <class Id, class Amount>
void solve_synchronous_flow(const PushRelabelProblem<Id, Amount>& network, const Knobs& knobs, Run& run) {
  SynchronousSolve<Id, Amount>(network, knobs, run).solve();
}

template void solve_synchronous_flow(const PushRelabelProblem<int32_t, int32_t>&, const Knobs&, Run&);
template void solve_synchronous_flow(const PushRelabelProblem<int32_t, int64_t>&, const Knobs&, Run&);
template void solve_synchronous_flow(const PushRelabelProblem<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
