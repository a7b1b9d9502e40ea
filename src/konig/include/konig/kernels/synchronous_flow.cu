// The entry point of konig/flow/sync_pr.h. KONIG_COUNTED makes it time its
// supersteps.
#include "konig/flow/sync_pr.h"

#include "konig/kernels/entry.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads)
    synchronous_flow(long long vertices, const Id* start, konig::residual::Slot<Id, Amount>* slots,
                     Amount* to_sink, Amount* to_source, Amount* excess,
                     konig::synchronous_flow::Label<Id>* labels, konig::synchronous_flow::Entry<Id>* queues,
                     konig::synchronous_flow::Piece<Id>* fronts, long long pieces, unsigned char* cut,
                     double k, long long least, long long rises, long long deep, long long thick,
                     konig::synchronous_flow::State* state, konig::bsp::Control* control,
                     long long budget_ns) {
  using namespace konig;
  const synchronous_flow::Workspace<Id, Amount> workspace{
      vertices, start,  slots,  to_sink, to_source, excess,
      labels,   queues, fronts, pieces,  cut,       {k, least, rises, deep, thick},
      state};
  bsp::CudaTeam team(control, budget_ns);
  synchronous_flow::Solve<KONIG_COUNTED != 0, bsp::CudaTeam, Id, Amount>(team, workspace).run();
  team.leave();
}
