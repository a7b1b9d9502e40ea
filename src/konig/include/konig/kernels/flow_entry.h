// What the entry points of konig/papers/tlpns.h share: one translation unit a layout, in each the
// thread-centric program and the one with tiles. KONIG_COUNTED makes them profile themselves.
#pragma once

#include "konig/papers/tlpns.h"

#include "konig/kernels/entry.h"

// All layouts take the same arguments; arrays that a layout does not have are null.
#define KONIG_FLOW(name, layout, tiles)                                                                     \
  extern "C" __global__ void __launch_bounds__(kBlockThreads)                                               \
      name(long long vertices, long long source, long long sink, long long arcs, const Offset* start,       \
           const Id* head, const Id* tail, const Offset* in_start, const Id* in_tail, const Offset* in_arc, \
           long long* forward, long long* backward, Id* height, long long* excess, unsigned char* cut,      \
           Offset* scan_at, Offset* scan_best, Id* queue, konig::flow::Piece<Id, Offset>* front,            \
           long long pieces, long long* workload, long long interval, double k, long long tile,             \
           konig::flow::State* state, konig::bsp::Control* control, long long budget_ns) {                  \
    using namespace konig;                                                                                  \
    using V = flow::Variant<flow::layout, tiles, KONIG_COUNTED != 0>;                                       \
    const flow::Workspace<Id, Offset, flow::layout<Id, Offset>> workspace{                                  \
        vertices,  Id(source),                                                                              \
        Id(sink),  {{start, head, tail, in_start, in_tail, in_arc, forward, backward}, arcs},               \
        height,    excess,                                                                                  \
        cut,       scan_at,                                                                                 \
        scan_best, queue,                                                                                   \
        front,     pieces,                                                                                  \
        workload,  {interval, k, tile},                                                                     \
        state};                                                                                             \
    bsp::CudaTeam team(control, budget_ns);                                                                 \
    flow::Solve<V, bsp::CudaTeam, Id, Offset>(team, workspace).run();                                       \
    team.leave();                                                                                           \
  }
