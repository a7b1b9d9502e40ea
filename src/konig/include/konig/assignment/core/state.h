// What core-paths keeps between launches and in its workspace.
#pragma once

#include "konig/assignment/costs.h"
#include "konig/assignment/point_costs.h"
#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::core_paths {

using assignment::kInfinite;
using assignment::kReach;
using assignment::Tile;
using bsp::kWalkLimit;

// kStalled: the sum of the dual updates might leave 64 bits. kAlike: most rows rank the columns alike;
// kLong: there were many phases. The caller wants to know, and may give another start; the solve can go on.
enum Status : long long { kRunning, kOptimal, kInfeasible, kNeedsRoom, kStalled, kAlike, kLong };

// The steps in the order in which they first run; Workspace::read names their seconds by it.
enum Step : long long {
  kReduceRows,
  kReduceCols,
  kSelect,
  kTighten,
  kBegin,
  kRelax,
  kWalk,
  kFlip,
  kPrice,
  kExtend,
  kSteps
};

constexpr int kSlowPhases = 4;  // that moved duals, before a core that is not solved yet is priced

// What the team has agreed on so far.
struct Progress {
  long long status;
  long long step;
  long long part;           // how often the step was repeated
  long long shift;          // low bits of the values that this scale ignores
  long long coarsest;       // that of the first coarse scale
  long long finest = -1;    // shift of the last coarse scale, after which comes 0; -1 before a selection
  long long tries_exact;    // phases left until coarse scales may begin, and until the caller is told
  long long coarse_scales;  // that were not
  long long refined;        // whether the first scale is done
  long long coarser;        // how often the first scale was made coarser
  long long missed_before;  // `missed` at the latest coarsening
  long long free;           // rows that are not assigned
  long long far;            // distances up to it are final; duals move by no more
  long long looks;          // of all rows at their columns in the next superstep of an outward search
  long long missed;         // free rows that were not reached
  long long roots;          // paths being augmented
  long long lowered;        // sum of `far` over all phases; kStalled beyond kReach
  long long undercut = -1;  // pairs that joined in the latest pricing; -1 before the first
  long long priced;         // whether there was one at this scale
  long long unpriced;       // phases since the latest pricing in which duals moved
  long long prices_after = kSlowPhases;  // so many of them, if they augment few paths
  long long lists_suffice;               // whether the lists of the first scale will do for all
  long long inward;                      // whether searches go from the free columns to the rows
  long long phases_until_report;         // of which kManyPhases end the launch as kLong
};

// Everything that outlives a launch.
struct State {
  Progress progress;
  // Counted by the leader, so that no other worker has to keep them; the last three by all.
  long long supersteps;
  long long selections;
  long long phases;
  long long sweeps;  // of searches over the lists
  long long pricings;
  long long extensions;
  long long arcs;  // in the core, after the latest selection, pricing or extension
  long long launches;
  long long paths;
  long long path_edges;
  long long queued;   // places taken in the list of free rows
  long long reached;  // and in that of free columns at the end of a path
  long long nanoseconds[kSteps];
};

// A stress build makes these tiny.
#ifndef KONIG_CORE_RANK
#define KONIG_CORE_RANK 20
#endif
#ifndef KONIG_CORE_ADDED
#define KONIG_CORE_ADDED 8
#endif
#ifndef KONIG_CORE_SWEEPS
#define KONIG_CORE_SWEEPS 4
#endif
#ifndef KONIG_CORE_LOOKS
#define KONIG_CORE_LOOKS 16
#endif
#ifndef KONIG_CORE_FEW_LISTS
#define KONIG_CORE_FEW_LISTS 8
#endif
#ifndef KONIG_CORE_LEFT_FREE
#define KONIG_CORE_LEFT_FREE 1000
#endif

constexpr int kBuckets = 32;              // of a row; the least key of each is kept
constexpr int kRank = KONIG_CORE_RANK;    // a list is bounded by this rank among the buckets' minima
constexpr int kFilled = kRank * 7 / 5;    // arcs up to which columns at the bound join a list
constexpr int kListed = 3 * kRank;        // arcs that a selection puts into a list at most
constexpr int kAdded = KONIG_CORE_ADDED;  // arcs that a pricing adds to a list at most
constexpr int kFirstRoom = 4 * kRank;     // of a list
static_assert(kFirstRoom > kListed + kAdded);
constexpr int kFewLists = KONIG_CORE_FEW_LISTS;  // a column in fewer lists than this joins more
constexpr int kRowsAdded = 8;                    // at most so many
constexpr int kLanes = 8;                        // workers that share a list in a search, at least
constexpr int kListHeld = 32;                    // arcs of a list that these workers keep at hand
constexpr int kSweeps = KONIG_CORE_SWEEPS;       // over all lists before a search looks whether it has ended
constexpr int kLooks = KONIG_CORE_LOOKS;         // of all rows at their columns, likewise
constexpr int kFewLooks = 2;                     // where distances seem to be final, to see whether they are
constexpr int kScales = 4;                       // coarse scales
constexpr int kScaleBits = 2;                    // bits from one scale to the next
constexpr int kCoarserBits = 3;                  // bits that one coarsening adds to the first scale
constexpr int kExactPhases = 4;                  // before coarse scales, for each bit of the number of rows
constexpr int kLeftFree = KONIG_CORE_LEFT_FREE;  // one in so many rows may stay free at a coarse scale
constexpr int kManyFree = 12;      // a square begins coarse scales then if one in so many rows is free
constexpr int kManyUndercut = 64;  // a pricing that adds fewer than rows / this is followed by few others
constexpr int kFewPaths = 4;       // a phase is slow if it augments fewer than one in so many free rows
constexpr int kManyPhases = 128;   // that end a launch as kLong, where coarse scales came first
constexpr int kManyMissed =
    16;  // the first scale is coarsened if more than rows / this miss all free columns

// Of what was not reached. A value can be added to it.
constexpr long long kUnreached = 8 * kReach;

// Duals to start from are in col_dual; on a rectangle they are at most 0.
template <class Cost>
struct Workspace : assignment::Problem<Cost> {
  using assignment::Problem<Cost>::rows, assignment::Problem<Cost>::cols;

  long long* row_distance;  // rows: to the nearest free column; outward: the distance last propagated
  long long* col_distance;  // cols: the same; outward: from the nearest free row, with the parent in one word
  int* next_col;            // rows: where that path goes
  int* claim;               // cols: the row, or the walk, whose path goes through it, -1 if none
  float* col_key;           // cols: their duals as floats
  long long* least_key;     // rows times kBuckets: of the entries of each, while lists are selected
  int* free_row;            // rows: the free ones; outward: which walk reached a free row
  int* free_col;            // rows: the ends of paths; outward: where each walk is
  int* count;               // rows: arcs in the list of each
  int* arc_col;             // rows times room
  long long* arc_value;     // rows times room
  long long* arc_slack;     // rows times room: at the beginning of the search
  long long reports;        // whether to stop as kAlike or kLong, so that the caller may give other duals
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    this->describe_problem(layout);
    layout.given(KONIG_NAMED(row_distance, col_distance));
    layout.own(next_col, rows);
    layout.own(claim, cols);
    layout.own(col_key, cols);
    layout.own(least_key, rows * kBuckets);
    layout.own(free_row, rows);
    layout.own(free_col, rows);
    layout.own(count, rows);
    layout.given(KONIG_NAMED(arc_col, arc_value, arc_slack));
    layout.number(KONIG_NAMED(reports));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "optimal", "infeasible", "needs room", "stalled", "alike", "long");
    reading.progress(rows - p.free, rows);
    reading.word("first_room", kFirstRoom);
    reading.word("unreached", kUnreached);
    reading.statistic("stalled", p.status == kStalled);
    reading.statistic("selections", s.selections);
    reading.statistic("phases", s.phases);
    reading.statistic("paths", s.paths);
    reading.statistic("path_edges", s.path_edges);
    reading.statistic("sweeps", s.sweeps);
    reading.statistic("pricing_rounds", s.pricings);
    reading.statistic("extensions", s.extensions);
    reading.statistic("core_entries", s.arcs);
    reading.statistic("coarse_scales", p.coarse_scales);
    reading.statistic("coarser_starts", p.coarser);
    reading.statistic("supersteps", s.supersteps);
    reading.statistic("launches", s.launches);
    reading.seconds(s.nanoseconds, "reduction", "reduction", "selection", "settling", "search", "search",
                    "augmentation", "augmentation", "pricing", "extension");
  }
};

}  // namespace konig::core_paths
