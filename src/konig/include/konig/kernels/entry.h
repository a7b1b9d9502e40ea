// What all entry points of the device code share: one cooperative launch is one launch of a team.
//
// Each algorithm is a translation unit of its own, compiled at run time for the types at hand: KONIG_ID_BITS,
// KONIG_OFFSET_BITS and KONIG_AMOUNT_BITS are 32 or 64, KONIG_COUNTED is 0 or 1. All arguments but the
// workspace's arrays are scalars of 64 bits; the last three are the state, the team's Control and the budget
// of a launch.
#pragma once

#if KONIG_ID_BITS == 64
using Id = long long;
#else
using Id = int;
#endif
#if KONIG_OFFSET_BITS == 64
using Offset = long long;
#else
using Offset = int;
#endif
#if KONIG_AMOUNT_BITS == 32
using Amount = int;
#else
using Amount = long long;
#endif

constexpr int kBlockThreads = 256;
