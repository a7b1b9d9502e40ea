// Synchronous push-relabel on a CPU team; the algorithm is konig/flow/synchronous.h, and
// konig/flow/waves.h for a deep network.
//
// Counts: global_relabels; relabel_levels, relabel_interval and relabel_active for each of them; push_steps,
// search_levels, both_steps, those of them that one crew took alone, active, moves, rises, slots_scanned,
// search_scanned, stranded, second_relabels, second_steps, second_levels, supersteps, launches, workers.
#include "multicore/flow/synchronous_flow.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "konig/flow/synchronous.h"
#include "konig/flow/waves.h"
#include "multicore/run_on_team.h"

namespace konig {
namespace {

template <class Id, class Amount>
class SynchronousSolve {
 public:
  SynchronousSolve(const SynchronousFlow<Id, Amount>& network, const Knobs& knobs, Run& run)
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
    const bool deep = state_.progress.status == synchronous_flow::kDeep;
    if (deep) solve_with_waves(workspace, threads);
    if (deep ? waves_.progress.status != flow_waves::kMaximum
             : state_.progress.status != synchronous_flow::kMaximum)
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
    int64_t longest = 0;
    for (int64_t v = 0; v < n; ++v)
      longest = std::max<int64_t>(longest, network_.start[v + 1] - network_.start[v]);
    return {n,
            longest,
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
            {knobs_.real("k"), knobs_.integer("least"), knobs_.integer("rises"), 0, knobs_.integer("deep"),
             knobs_.integer("thin"), 0},
            &state_};
  }

  // The first search has shown that the network is deep.
  void solve_with_waves(const Workspace& first, int threads) {
    const int64_t n = network_.vertices;
    std::vector<flow_waves::Mark<Id>> marks(n);
    std::vector<flow_waves::Height<Id>> heights(2 * n);
    std::vector<flow_waves::Item<Id>> acts(4 * n), fronts(2 * first.pieces);
    const flow_waves::Workspace<Id, Amount> workspace{
        n,
        first.start,
        first.slots,
        first.to_sink,
        first.to_source,
        first.excess,
        first.labels,
        marks.data(),
        heights.data(),
        acts.data(),
        fronts.data(),
        first.pieces,
        first.cut,
        {first.rules.rises, knobs_.integer("spacing"), state_.progress.level},
        &waves_};
    const auto launch = [&workspace](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      flow_waves::Solve<false, Team, Id, Amount>(team, workspace).run();
    };
    run_on_team(knobs_, threads, run_, launch, [this] {
      series_.take(waves_.series, waves_.progress.series_used);
      run_.report(waves_.delivered[0], -1);
      return waves_.progress.status == flow_waves::kRunning;
    });
  }

  // Between launches: empties the series, reports, and says whether there is more to do.
  bool go_on() {
    synchronous_flow::Progress& progress = state_.progress;
    series_.take(state_.series, progress.series_used);
    run_.report(progress.phase == 0 ? progress.delivered : progress.brought, -1);
    return progress.status == synchronous_flow::kRunning;
  }

  // Of both programs together.
  void count(int workers) {
    const synchronous_flow::Progress& p = state_.progress;
    const flow_waves::Counts& w = waves_.counts;
    run_.count("push_steps", int64_t(p.pushes + w.pushes));
    run_.count("search_levels", int64_t(p.levels + w.levels));
    run_.count("both_steps", int64_t(w.both));
    run_.count("lone_steps", int64_t(p.lone_pushes));
    run_.count("lone_levels", int64_t(p.lone_levels));
    run_.count("active", int64_t(p.active + w.active));
    run_.count("global_relabels", int64_t(p.relabels + waves_.progress.relabels));
    run_.count("relabel_levels", series_.column(0));
    run_.count("relabel_interval", series_.column(1));
    run_.count("relabel_active", series_.column(2));
    run_.count("stranded", int64_t(p.stranded + w.stranded));
    run_.count("second_relabels", int64_t(p.second_relabels + w.second_relabels));
    run_.count("second_steps", int64_t(p.second_pushes + w.second_pushes));
    run_.count("second_levels", int64_t(p.second_levels + w.second_levels));
    run_.count("pushes", int64_t(state_.moves + waves_.moves));
    run_.count("relabels", int64_t(state_.rises + waves_.rises));
    run_.count("slots_scanned", int64_t(state_.scanned + waves_.scanned));
    run_.count("search_scanned", int64_t(state_.search_scanned + waves_.search_scanned));
    count_launches(run_, p.meetings + w.meetings, state_.launches + waves_.launches, workers);
  }

  const SynchronousFlow<Id, Amount>& network_;
  const Knobs& knobs_;
  Run& run_;
  std::vector<synchronous_flow::Label<Id>> labels_;
  std::vector<synchronous_flow::Entry<Id>> queues_;
  std::vector<synchronous_flow::Piece<Id>> fronts_;
  Series<3> series_;
  synchronous_flow::State state_{};
  flow_waves::State waves_{};
};

}  // namespace

template <class Id, class Amount>
void solve_synchronous_flow(const SynchronousFlow<Id, Amount>& network, const Knobs& knobs, Run& run) {
  SynchronousSolve<Id, Amount>(network, knobs, run).solve();
}

template void solve_synchronous_flow(const SynchronousFlow<int32_t, int32_t>&, const Knobs&, Run&);
template void solve_synchronous_flow(const SynchronousFlow<int32_t, int64_t>&, const Knobs&, Run&);
template void solve_synchronous_flow(const SynchronousFlow<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
