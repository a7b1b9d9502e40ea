// The numbers that Karp-Sipser on a team was tuned with, on an H200.
#pragma once

// For stress builds, which make these tiny so that every cut is made on small inputs. The host reads the
// first to know how many pieces there can be.
#ifndef KONIG_PIECE
#define KONIG_PIECE 256
#endif
#ifndef KONIG_AT_ONCE
#define KONIG_AT_ONCE 16
#endif

namespace konig::karp_sipser {

constexpr int kPiece = KONIG_PIECE;               // entries of a piece of a long list
constexpr int kLong = 64 < kPiece ? 64 : kPiece;  // entries of a list that is not cut
constexpr int kChoiceScans = 64;                  // entries that the first sweep scans for a row

// Columns that have a choice choose in slices, and rule one follows each: the more slices, the fewer choices
// are made that rule one would have made better, and the more supersteps there are.
constexpr int kSlices = 32;             // at most
constexpr int kAtOnce = KONIG_AT_ONCE;  // choices that are worth a superstep
constexpr int kFew = 16;                // choices for each that waits, or rule one goes first

// A chain of rule one is a step after the other: a thread block follows it without waiting for all.
constexpr int kRounds = 4;                  // that a thread block goes on by itself
constexpr int kRoundsAlone = 16 * kRounds;  // the same while few wait and no column is to choose

}  // namespace konig::karp_sipser
