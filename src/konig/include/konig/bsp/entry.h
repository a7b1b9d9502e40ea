// The CUDA entries of programs: a cooperative launch is one launch of a team, an ordinary one of groups.
//
// The workspace is a parameter of the kernel, and by __grid_constant__ a reference to it needs no copy. The
// host made its bytes, so both must agree on the sizes.
#pragma once

#include "konig/bsp/cuda_group.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

// The last arguments are the Program with its types and flags.
#define KONIG_ENTRY(name, workspace_bytes, state_bytes, ...)                                            \
  using Program = __VA_ARGS__;                                                                          \
  static_assert(sizeof(Program::Workspace) == workspace_bytes && sizeof(Program::State) == state_bytes, \
                "host and device agree");                                                               \
  extern "C" __global__ void __launch_bounds__(konig::bsp::kBlockThreads, Program::kResidentBlocks)     \
      name(const __grid_constant__ Program::Workspace workspace, konig::bsp::Control* control,          \
           long long budget_ns) {                                                                       \
    konig::bsp::CudaTeam team(control, budget_ns);                                                      \
    Program::run(team, workspace);                                                                      \
    team.leave();                                                                                       \
  }

// A group has `threads` threads with `strips` items each, and a block holds `groups` of them, one if it has
// several warps.
#define KONIG_GROUP_ENTRY(name, workspace_bytes, state_bytes, threads, strips, groups, ...)             \
  using Program = __VA_ARGS__;                                                                          \
  static_assert(sizeof(Program::Workspace) == workspace_bytes && sizeof(Program::State) == state_bytes, \
                "host and device agree");                                                               \
  static_assert(threads == 32 || groups == 1, "only warps share a block");                              \
  extern "C" __global__ void __launch_bounds__(threads* groups)                                         \
      name(const __grid_constant__ Program::Workspace workspace, long long budget_ns) {                 \
    using Group = konig::bsp::CudaGroup<threads, strips>;                                               \
    __shared__ long long memory[groups][(Program::kItemBytes * threads * strips + 7) / 8];              \
    __shared__ Group::Slots slots;                                                                      \
    Group group(memory[threadIdx.x / threads], &slots, budget_ns);                                      \
    Program::run(group, workspace);                                                                     \
  }
