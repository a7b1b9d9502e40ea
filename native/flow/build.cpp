#include "flow/build.h"

#include <type_traits>

#include "core/run_on_team.h"

namespace konig {

template <class Id, class Amount>
void build_residual(const residual::Workspace<Id, Amount>& workspace, const Knobs& knobs, Run& run) {
  const long long stage = knobs.integer("stage");
  const auto launch = [&](auto& team) {
    using Team = std::remove_reference_t<decltype(team)>;
    residual::Builder<Team, Id, Amount>(team, workspace).run(stage);
  };
  const auto once = [] { return false; };
  run_on_team(knobs, int(knobs.integer("threads")), run, launch, once);
}

template void build_residual(const residual::Workspace<int32_t, int32_t>&, const Knobs&, Run&);
template void build_residual(const residual::Workspace<int32_t, int64_t>&, const Knobs&, Run&);
template void build_residual(const residual::Workspace<int64_t, int64_t>&, const Knobs&, Run&);

}  // namespace konig
