// G-PR: what its parts share, and what outlives a launch. The algorithm is in konig/papers/g_pr.h.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"

namespace konig::push_relabel {

constexpr int kFree = -1;      // of a row or a column: no partner
constexpr int kRetired = -2;   // of a column: no partner, and none to be had as far as the labels know
constexpr int kNobody = -1;    // an empty slot of a list
constexpr int kDecided = -2;   // of a candidate: the scan of this column has ended
constexpr int kListCount = 3;  // Ac, Ap, and what shrinking writes into

// For stress builds, which make these tiny.
#ifndef KONIG_SHRINK_FROM
#define KONIG_SHRINK_FROM 512
#endif
#ifndef KONIG_GAP_EVERY
#define KONIG_GAP_EVERY 8
#endif
#ifndef KONIG_LOOPS_PER_LEVEL
#define KONIG_LOOPS_PER_LEVEL 4
#endif
using bsp::kBatch;
using bsp::kScanLimit;
using bsp::kSeries;
constexpr int kShrinkFrom = KONIG_SHRINK_FROM;  // slots: shorter lists are not worth it, says the paper
constexpr int kGapEvery = KONIG_GAP_EVERY;      // loop iterations from one look for gaps to the next
constexpr int kLoopsPerLevel =
    KONIG_LOOPS_PER_LEVEL;    // times maxLevel, in iterations: how long without a new pair
constexpr int kOverdue = 16;  // times min(rows, cols), in iterations: an exact relabelling comes
constexpr int kShadows = 16;  // relabellings beside pushes, at most, between two exact ones

enum Status : long long { kRunning, kMaximum, kStalled };
enum Step : long long {
  kStartRelabel,
  kRelabelLevel,
  kRevive,
  kChoose,
  kRescue,
  kGather,
  kShrink,
  kInit,
  kPush,
  kGapMark,
  kGapFind,
  kGapLift,
  kFix
};
enum ShadowStep : long long { kShadowIdle, kShadowReset, kShadowLevel, kShadowTake };

// What workers tell each other at the end of a superstep.
constexpr unsigned kInserted = 1;         // a row of the next level
constexpr unsigned kUnscanned = 2;        // a row's list that goes on
constexpr unsigned kShadowInserted = 4;   // the same of the relabelling beside the pushes
constexpr unsigned kShadowUnscanned = 8;  //
constexpr unsigned kPushed = 16;          // a push
constexpr unsigned kUndecided = 32;       // a column's list that goes on
constexpr unsigned kFound = 64;           // a gap, or a column to rescue
constexpr unsigned kLost = 128;           // a rescue without a way: cannot happen
constexpr unsigned kLongRow = 256;        // a list that is too long for one worker

// The knobs.
struct Rules {
  long long shrink;
  long long gap;
  long long concurrent;
  long long adaptive;
  double k;
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long free_rows = -1;  // at the latest exact relabelling; -1 before the first
  long long loop;            // iterations of the paper's main loop
  long long exact_loop;      // the iteration of the latest exact relabelling
  long long next_relabel;
  long long level;  // of the rows being expanded
  long long part;   // of their lists: how many supersteps they were cut into so far
  long long signs;  // kInserted, agreed in an earlier part
  long long push_part;
  long long shadow_step;
  long long shadow_began;  // in which iteration
  long long shadow_level;
  long long shadow_part;
  long long shadow_signs;
  long long shadows;          // relabellings beside pushes since the latest exact one
  long long max_level;        // the paper's maxLevel of the latest relabelling
  long long interval;         // what followed from it
  long long unrecorded;       // whether it is not in the series yet
  long long fresh;            // nothing has changed since the latest exact relabelling
  long long checking;         // no column is active: this relabelling decides whether the solve has ended
  long long rescue;           // this relabelling is followed by a rescue
  long long gather;           // the lists have to be made anew
  long long shrink;           // a relabelling has passed since the latest shrinking
  long long current;          // which of the lists is Ac
  long long previous;         // which is Ap
  long long length;           // of both
  long long uneven;           // whether some row's list is too long for one worker
  long long gain_free = -1;   // free rows when their number last fell ...
  long long gain_loop;        // ... and the iteration
  long long check_free = -1;  // free rows when columns were last revived; -1 before
  long long gap_passes;       //
  long long supersteps;       //
  long long relabels;         //
  long long revived;          //
  long long gap_relabels;     //
  long long rescues;          //
  long long series_used;      //
};

// Everything that outlives a launch.
struct State {
  Progress progress;
  long long rescued;    // the column that a rescue has come to ...
  long long rescue_at;  // ... and how much of its list it has read
  long long gap;        // an empty level
  long long launches;
  long long edges_scanned;
  long long pushes;
  long long conflicts;
  long long retired;
  // Of each relabelling: maxLevel, interval, active columns, length of Ac; the host empties it between
  // launches.
  long long series[4 * kSeries];
};

// What the solve works on. col_of_row and row_of_col are the paper's mu. Labels are halved: psi is
// 2 * row_label of a row, 2 * col_label + 1 of a column.
template <class Id, class Offset>
struct Workspace : matching::Graph<Id, Offset> {
  using matching::Graph<Id, Offset>::rows, matching::Graph<Id, Offset>::cols;

  Id* row_label;         // rows
  Id* col_label;         // cols
  Id* candidate;         // cols: the lowest row of a list so far that takes several supersteps to scan
  Id* shadow_row_label;  // rows; only for `concurrent`
  Id* shadow_col_label;  // cols; only for `concurrent`
  Id* level_seen;        // limit(): the latest look for gaps that met a row on this level; only for `gap`
  Id* active_in;         // cols: the paper's iA; -1 at the start; only with lists
  Id* lists;             // kListCount times capacity; only with lists
  long long capacity;    // of a list: the unmatched columns at the start
  Rules rules;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    this->describe_graph(layout);
    layout.number(KONIG_NAMED(capacity, rules.shrink, rules.gap, rules.concurrent, rules.adaptive, rules.k));
    layout.own(row_label, rows);
    layout.own(col_label, cols);
    layout.own(candidate, cols);
    layout.own(shadow_row_label, rules.concurrent ? rows : 0);
    layout.own(shadow_col_label, rules.concurrent ? cols : 0);
    layout.own(level_seen, rules.gap ? (long long)limit() : 0, bsp::Filling::kZeros);
    layout.own(active_in, Program::kLists ? cols : 0, bsp::Filling::kMinusOnes);
    layout.own(lists, Program::kLists ? kListCount * capacity : 0);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "maximum", "stalled");
    if (p.free_rows >= 0) reading.progress(rows - p.free_rows, this->shorter_side());
    reading.statistic("global_relabels", p.relabels);
    reading.series(s.series, p.series_used, "relabel_levels", "relabel_interval", "active", "list_length");
    reading.statistic("revived", p.revived);
    reading.statistic("gap_relabels", p.gap_relabels);
    reading.statistic("rescues", p.rescues);
    if (Program::kCounted) {
      reading.statistic("edges_scanned", s.edges_scanned);
      reading.statistic("pushes", s.pushes);
      reading.statistic("conflicts", s.conflicts);
      reading.statistic("retired", s.retired);
    }
    reading.statistic("iterations", p.loop);
    reading.statistic("supersteps", p.supersteps);
    reading.statistic("launches", s.launches);
  }

  // A free column's nearest free row is fewer than min(rows, cols) matched pairs away: this is out of reach.
  KONIG_FN Id limit() const { return Id(this->shorter_side()) + 1; }
  KONIG_FN Id* list(long long which) const { return lists + which * capacity; }
};

}  // namespace konig::push_relabel
