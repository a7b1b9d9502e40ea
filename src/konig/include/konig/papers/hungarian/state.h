// What the two Hungarian methods keep between launches and in their workspace.
#pragma once

#include "konig/assignment/costs.h"
#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::hungarian {

using assignment::kInfinite;
using assignment::kOut;
using assignment::Tile;
using bsp::kSeries;
using bsp::kWalkLimit;

enum Status : long long { kRunning, kOptimal, kInfeasible, kNeedsRoom };

// The steps of both methods, in the order of the paper's §4; Workspace::read names their seconds by it.
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
  long long paths;         // being augmented
  long long shift;         // sum of the dual updates of this search
  long long least;         // tree: the least slack of a column that was not reached; classical: theta
  long long fresh;         // whether the compressed edges are those of the present duals
  long long edges;         // with zero slack, as compressed last
  long long greedy;        // pairs of the greedy start
  long long initial = -1;  // pairs before the first dual update, -1 until then
  long long supersteps;
  long long iterations;
  long long levels;
  long long updates;
  long long compressions;
  long long entries_read;  // of the matrix, the greedy start's apart
  long long series_used;
};

// Everything that outlives a launch.
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

// For stress builds, which make these tiny.
#ifndef KONIG_CHUNKS
#define KONIG_CHUNKS 64
#endif
#ifndef KONIG_CHUNK_ROWS
#define KONIG_CHUNK_ROWS 16
#endif
// Columns that a CPU worker keeps at once: enough for vector instructions, few enough for the first level
// cache.
#ifndef KONIG_CPU_STRIP
#define KONIG_CPU_STRIP 256
#endif
constexpr int kCpuStrip = KONIG_CPU_STRIP;
constexpr int kChunks = KONIG_CHUNKS;         // into how many parts the rows of an expansion are cut at most
constexpr int kChunkRows = KONIG_CHUNK_ROWS;  // fewer do not make a part

// The last two groups are for one of the methods only.
template <class Cost>
struct Workspace : assignment::Problem<Cost> {
  using assignment::Problem<Cost>::rows, assignment::Problem<Cost>::cols;

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
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    this->describe_problem(layout);
    layout.given(KONIG_NAMED(row_since, col_since));
    layout.own(predecessor, cols);
    layout.own(successor, rows);
    layout.own(queue, rows);
    layout.own(leaf, cols);
    layout.own(root, rows);
    layout.own(cursor, cols);
    layout.own(slack, Program::kTree ? cols : 0);
    layout.own(partial_slack, Program::kTree ? kChunks * cols : 0);
    layout.own(partial_row, Program::kTree ? kChunks * cols : 0);
    layout.own(start, Program::kTree ? 0 : rows + 1);
    layout.own(count, Program::kTree ? 0 : rows);
    layout.given(KONIG_NAMED(neighbour, edge));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "optimal", "infeasible", "needs room");
    reading.progress(p.matched, rows);
    reading.word("edges", p.edges);
    reading.statistic("greedy_assignments", p.greedy);
    reading.statistic("initial_assignments", p.initial < 0 ? p.matched : p.initial);
    reading.series(s.series, p.series_used, "assignments");
    reading.statistic("iterations", p.iterations);
    reading.statistic("levels", p.levels);
    reading.statistic("dual_updates", p.updates);
    reading.statistic("entries_read", p.entries_read);
    reading.statistic("path_edges", s.path_edges);
    if (!Program::kTree) {
      reading.statistic("compressions", p.compressions);
      reading.statistic("zero_edges", p.edges);
      reading.statistic("edges_scanned", s.edges_scanned);
    }
    reading.statistic("supersteps", p.supersteps);
    reading.statistic("launches", s.launches);
    reading.seconds(s.nanoseconds, "reduction", "reduction", "greedy_start", "optimality_check",
                    "compression", "forward_pass", "forward_pass", "reverse_pass", "augmentation",
                    "dual_update", "dual_update");
  }
};

}  // namespace konig::hungarian
