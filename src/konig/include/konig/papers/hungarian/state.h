// What the two Hungarian methods keep between launches and in their workspace.
#pragma once

#include "konig/assignment/costs.h"
#include "konig/bsp/limits.h"
#include "konig/bsp/team.h"

namespace konig::hungarian {

using assignment::kInfinite;
using assignment::kOut;
using assignment::Tile;
using bsp::kSeries;
using bsp::kWalkLimit;

enum Status : long long { kRunning, kOptimal, kInfeasible, kNeedsRoom };

// The steps of both methods, in the order of the paper's §4; the host names their seconds by it.
enum Step : long long {
  kReduceRows,
  kReduceCols,
  kGreedy,
  kCheck,
  kCompress,  // classical: in the parts kClear, kCollect, kOffsets, kScatter
  kExpand,
  kCombine,  // tree: the second half of an expansion by many rows
  kReverse,
  kAugment,
  kBound,   // classical: Algorithm 7
  kUpdate,  // classical: Algorithm 8; tree: Algorithm 9
  kSteps
};

// What the team has agreed on so far.
struct Progress {
  long long status;
  long long step;
  long long part;   // how often the step was repeated
  long long head;   // the frontier is queue[head .. tail)
  long long tail;   // of the rows reached in this search
  long long found;  // unassigned columns reached
  long long matched;
  long long paths;    // being augmented
  long long shift;    // sum of the dual updates of this search
  long long least;    // tree: the least slack of a column that was not reached; classical: theta
  long long fresh;    // whether the compressed edges are those of the present duals
  long long edges;    // with zero slack, as compressed last
  long long greedy;   // pairs of the greedy start
  long long initial;  // pairs before the first dual update, -1 until then
  long long supersteps;
  long long iterations;
  long long levels;
  long long updates;
  long long compressions;
  long long entries_read;  // of the matrix, the greedy start's apart
  long long series_used;
};

// Everything that outlives a launch; all zeros before the first, except `initial`, which is -1. Python reads
// it word by word under these names, in this order.
struct State {
  Progress progress;
  long long launches;
  long long edges_scanned;  // of the compressed lists
  long long path_edges;
  long long queued;     // places taken in the queue
  long long leaves;     // and in the list of unassigned columns reached
  long long roots;      // and of rows whose path is augmented
  long long collected;  // and of edges with zero slack, which may be more than fit
  long long nanoseconds[kSteps];
  long long series[kSeries];  // pairs gained in the latest iterations; the host empties it between launches
};

// A row in the search. A column's slack against it is the value of the cost less `base` and the column's
// dual.
struct Reached {
  long long base;
  long long row;
};

// An edge with zero slack, and its place among those of its row.
struct Edge {
  int row;
  int col;
  int place;
};

// At most as many rows as columns. The arrays need not be filled, col_of_row and row_of_col apart, which hold
// -1. The last group is for one of the methods only.
template <class Cost>
struct Workspace {
  long long rows;
  long long cols;
  Tile<Cost> costs;
  int* col_of_row;
  int* row_of_col;
  long long* row_dual;
  long long* col_dual;
  long long* row_since;  // the shift at which the row was reached, -1 if it was not: "covered"
  long long* col_since;  // the same for columns, where not being reached is "uncovered"
  int* predecessor;      // cols: the row before it
  int* successor;        // rows: the column after it on a path
  Reached* queue;        // rows
  int* leaf;             // cols
  int* root;             // rows
  int* cursor;           // cols: where a walk goes on
  // tree
  long long* slack;          // cols: the least against rows reached, plus the shift when that row was reached
  long long* partial_slack;  // kChunks times cols
  int* partial_row;          // kChunks times cols
  // classical
  long long* start;  // rows + 1
  int* count;        // rows
  int* neighbour;    // room
  Edge* edge;        // room
  long long room;
  long long warm;  // whether col_dual holds duals to start from
  State* state;
};

// For stress builds, which make these tiny. The host reads the first: it sizes the partial results.
#ifndef KONIG_CHUNKS
#define KONIG_CHUNKS 64
#endif
#ifndef KONIG_CHUNK_ROWS
#define KONIG_CHUNK_ROWS 16
#endif
constexpr int kChunks = KONIG_CHUNKS;         // into how many parts the rows of an expansion are cut at most
constexpr int kChunkRows = KONIG_CHUNK_ROWS;  // fewer do not make a part

}  // namespace konig::hungarian
