// The entry point of konig/flow/pairing.h: one launch for each stage. KONIG_AMOUNT_BITS is 32 or 64.
#include "konig/flow/pairing.h"

#include "konig/kernels/entry.h"

#if KONIG_AMOUNT_BITS == 32
using Amount = int;
#else
using Amount = long long;
#endif

extern "C" __global__ void __launch_bounds__(kBlockThreads)
    pairing(long long stage, long long vertices, long long arcs, const Id* tail, const Id* head,
            const long long* capacity, const unsigned char* role, long long undirected, long long bound,
            long long places, long long* keys, long long* up, long long* down, Id* at, Id* entry, Id* start,
            Id* degree, long long* supply, long long* demand, konig::paired_flow::Slot<Id, Amount>* slots,
            Amount* to_sink, Amount* to_source, Amount* excess, long long* flow,
            konig::pairing::Totals* totals, konig::bsp::Control* control, long long budget_ns) {
  using namespace konig;
  const pairing::Workspace<Id, Amount> workspace{
      {vertices, arcs, tail, head, capacity, role, undirected, bound},
      places,
      keys,
      up,
      down,
      at,
      entry,
      start,
      degree,
      supply,
      demand,
      slots,
      to_sink,
      to_source,
      excess,
      flow,
      totals};
  bsp::CudaTeam team(control, budget_ns);
  pairing::Pairing<bsp::CudaTeam, Id, Amount>(team, workspace).run(stage);
  team.leave();
}
