// The entry point of konig/flow/build.h: one launch for each stage.
#include "konig/flow/build.h"

#include "konig/kernels/entry.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads)
    residual(long long stage, long long vertices, long long arcs, const Id* tail, const Id* head,
             const long long* capacity, const unsigned char* role, long long undirected, long long bound,
             long long scarce, long long places, Id* table, Id* slot_of_arc, Id* start, Id* degree,
             long long* supply, long long* demand, konig::residual::Slot<Id, Amount>* slots, Amount* to_sink,
             Amount* to_source, Amount* excess, const unsigned char* cut, const long long* initial,
             long long* balance, long long* flow, konig::residual::Totals* totals,
             konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const residual::Workspace<Id, Amount> workspace{
      {vertices, arcs, tail, head, capacity, role, undirected, bound},
      scarce,
      places,
      table,
      slot_of_arc,
      start,
      degree,
      supply,
      demand,
      slots,
      to_sink,
      to_source,
      excess,
      cut,
      initial,
      balance,
      flow,
      totals};
  bsp::CudaTeam team(control, budget_ns);
  residual::Builder<bsp::CudaTeam, Id, Amount>(team, workspace).run(stage);
  team.leave();
}
