// The entry point of konig/flow/waves.h. KONIG_AMOUNT_BITS is 32 or 64; KONIG_COUNTED makes it time its
// supersteps.
#include "konig/flow/waves.h"

#include "konig/kernels/entry.h"

#if KONIG_AMOUNT_BITS == 32
using Amount = int;
#else
using Amount = long long;
#endif

extern "C" __global__ void __launch_bounds__(kBlockThreads, 2)
    flow_waves(long long vertices, const Id* start, konig::synchronous_flow::Slot<Id, Amount>* slots,
               Amount* to_sink, Amount* to_source, Amount* excess,
               const konig::synchronous_flow::Label<Id>* known, konig::flow_waves::Mark<Id>* marks,
               konig::flow_waves::Height<Id>* heights, konig::flow_waves::Item<Id>* acts,
               konig::flow_waves::Item<Id>* fronts, long long pieces, unsigned char* cut, long long rises,
               long long spacing, long long levels, konig::flow_waves::State* state,
               konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const flow_waves::Workspace<Id, Amount> workspace{
      vertices, start,   slots, to_sink, to_source, excess, known,
      marks,    heights, acts,  fronts,  pieces,    cut,    {rises, spacing, levels},
      state};
  bsp::CudaTeam team(control, budget_ns);
  flow_waves::Solve<KONIG_COUNTED != 0, bsp::CudaTeam, Id, Amount>(team, workspace).run();
  team.leave();
}
