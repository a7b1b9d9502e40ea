// How a parallel program is described: once, in its header, for every machine that runs it.
//
// The header ends with a struct Program, a template of the types and flags that make its variants:
//
//   using Workspace = ...          what it works on: numbers, and arrays of the caller's or of its own
//   using State = ...              what outlives a launch; State{} is what it is before the first
//   kResidentBlocks                blocks a multiprocessor for which registers are left; 0: any number
//   run(team, workspace)           one launch
//
// ProgramOf, below, has all of these.
//
// A program for groups (group.h) has run(group, workspace) and, for kResidentBlocks, kItemBytes: the memory
// that a group takes for each item.
//
// The native module lays a workspace out for any address, on the host or on a GPU, and reads a state, by two
// lists in the workspace. Device code only has to parse them.
//
//   template <class Program, class Layout> KONIG_FN void describe(Layout& layout)
//     layout.number(name, x)         a number that the caller gives
//     layout.given(name, array)      an array that the caller gives
//     layout.given(KONIG_NAMED(a, b))  several of them, by their own names; likewise numbers
//     layout.own(array, n, filling)  an array of n items in the program's own block; none where n is 0
//     layout.state(state)            the state
//   template <class Program, class Reading> KONIG_FN void read(const State& state, Reading& reading) const
//     reading.status(x, names...)    what kRunning and the others of enum Status are called
//     reading.progress(done, total)  how far it is
//     reading.word(name, x)          for the caller
//     reading.statistic(name, x)     for the user, in this order; x may be an array
//     reading.seconds(nanoseconds, names...)  what each step took
//     reading.series(rows, used, names...)  rows of numbers, a column for each name; the state has room for
//                                    those of a launch, of which `used` are there
//
// Neither may follow a pointer: the arrays may be on a GPU.
#pragma once

#include "konig/bsp/atomic.h"

// Fields after a list of their names. Of rules.k the name is k.
#define KONIG_NAMED(...) #__VA_ARGS__, __VA_ARGS__

namespace konig::bsp {

constexpr int kBlockThreads = 256;  // of a GPU

// What an array holds before the first launch. On the CPU kAnything is zeros: a superstep that was cut must
// leave indices behind.
enum class Filling { kAnything, kZeros, kMinusOnes };

// A program whose launch is Solve<Team, Arguments...>(team, workspace).run().
template <class WorkspaceOf, class StateOf, int blocks, template <class, class...> class Solve,
          class... Arguments>
struct ProgramOf {
  using Workspace = WorkspaceOf;
  using State = StateOf;
  static constexpr int kResidentBlocks = blocks;

  template <class Team>
  KONIG_FN static void run(Team& team, const Workspace& workspace) {
    Solve<Team, Arguments...>(team, workspace).run();
  }
};

}  // namespace konig::bsp
