// The CUDA entry of a program: a cooperative launch of it is one launch of a team.
//
// The workspace is a parameter of the kernel, and by __grid_constant__ a reference to it needs no copy. The
// host made its bytes, so both must agree on the sizes.
#pragma once

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
