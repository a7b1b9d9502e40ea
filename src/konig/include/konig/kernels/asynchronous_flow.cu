// The entry point of konig/flow/async_pr.h. KONIG_FLOW_HELD is how many slots
// a worker holds at once.
#include "konig/flow/async_pr.h"

#include "konig/kernels/entry.h"

extern "C" __global__ void __launch_bounds__(kBlockThreads, 2)
    asynchronous_flow(long long vertices, long long slot_count, const Id* start,
                      konig::residual::Slot<Id, Amount>* slots, Amount* to_sink, Amount* to_source,
                      Amount* excess, const konig::synchronous_flow::Label<Id>* known, Id* other, Id* mate,
                      Amount* out, konig::asynchronous_flow::Label<Id>* labels, Id* notices, Id* seen,
                      unsigned char* cut, long long span, long long levels, long long waves,
                      konig::asynchronous_flow::State* state, konig::bsp::Control* control,
                      long long budget_ns) {
  using namespace konig;
  const asynchronous_flow::Workspace<Id, Amount> workspace{
      vertices, slot_count, start, slots,  to_sink, to_source, excess, known,
      other,    mate,       out,   labels, notices, seen,      cut,    {span, levels, waves},
      state};
  bsp::CudaTeam team(control, budget_ns);
  asynchronous_flow::Solve<bsp::CudaTeam, Id, Amount>(team, workspace).run();
  team.leave();
}
