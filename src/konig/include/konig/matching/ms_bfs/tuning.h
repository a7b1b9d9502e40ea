// The numbers that `ms-bfs` was tuned with, on an H200.
#pragma once

// For stress builds, which make these tiny so that lists and paths are cut on small inputs. The host reads
// the first to know how much room a frontier takes.
#ifndef KONIG_PIECE
#define KONIG_PIECE 256
#endif
#ifndef KONIG_WALK
#define KONIG_WALK 4096
#endif

namespace konig::multi_source_bfs {

// ---- lists

constexpr int kPiece = KONIG_PIECE;                 // entries of a piece, so that a hub is many workers' work
constexpr int kShort = 16 < kPiece ? 16 : kPiece;   // entries of a piece that a few workers handle
constexpr int kMedium = 64 < kPiece ? 64 : kPiece;  // the same while a level is small, with more workers each
constexpr int kWalk = KONIG_WALK;                   // steps of a path in one superstep

// ---- levels

// A level is small if there are as many workers for each of its pieces: its time is then that of a chain of
// loads and of the barrier, and thread blocks go on by themselves.
constexpr int kSmall = 4;

// Levels that a thread block searches by itself while they are small: the more, the fewer barriers, and the
// longer those wait that found nothing to go on with.
constexpr int kRounds = 16;

// Workers for a piece of a large level, at most kShort entries long.
constexpr int kLanes = 4;

// Rows that a worker claims at once, so that the claims travel together: of the few rows of a Branch, and of
// a list. More take more registers.
constexpr int kFewAtOnce = 2;
constexpr int kManyAtOnce = 3;

// ---- starts

constexpr int kSamples = 1024;    // columns scanned to see whether the pattern is symmetric
constexpr int kStartScans = 64;   // entries of a list that a start scans
constexpr int kChoices = 4;       // free rows of which the shortest is taken
constexpr int kPairPasses = 2;    // the second for those that met a lock in the first
constexpr int kGreedyPasses = 5;  // lists of 1, 2, up to 4, up to 8 entries, and the rest

}  // namespace konig::multi_source_bfs
