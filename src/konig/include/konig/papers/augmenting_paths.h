// Augmenting paths by speculation: APFB and APsB with the kernels GPUBFS and GPUBFS-WR.
//
// Deveci, Kaya, Ucar, Catalyurek, "GPU accelerated maximum cardinality matching algorithms for bipartite
// graphs", Euro-Par 2013, §3, Algorithms 1-4. An iteration is a BFS from all unmatched columns at once, one
// superstep a level (APsB stops at the first level that meets an unmatched row, APFB goes on until nothing is
// left to reach); then every unmatched row that was reached walks up its path and flips it, all at the
// same time and without regard to each other (ALTERNATE); then rows whose column went to another row are
// freed (FIXMATCHING). The matching is maximum when a BFS meets no unmatched row. No read-modify-write.
//
// State: level[c] is kUnvisited, or kRootLevel + distance of column c; GPUBFS-WR also keeps root[c], the root
// of its tree, and sets level[root] below kUnvisited once some path from that root is found, which stops
// the search below it. predecessor[r] is the column that reached row r. col_of_row[r] is a column, kFree,
// kPathEnd (unmatched and reached) or kWalkCut (a walk stopped here and goes on in the next superstep).
//
// Why every iteration gains. In ALTERNATE row_of_col[c] is either the old partner of c, or a row whose
// predecessor is c; a walk that sees the latter stops, because the walk that wrote it went on above c. So of
// the columns written in a tree the topmost is the root; no column that had a partner loses it, and each row
// that a column points to points back (or carries kWalkCut, which FIXMATCHING resolves). This needs a
// forest of predecessors and coherent words, not disjoint paths: root[] may come from another writer than
// predecessor[], and pruning by it is harmless, for it only happens in an iteration that found a path.
//
// Deviations. (1) The corrections that a working program needs: the flags of Algorithm 1 are cleared where
// they must be, a root's missing partner is tested before it is used as an index, left-over marks become
// kFree. (2) A superstep scans at most kScanLimit entries of a column and walks at most kWalkLimit steps of a
// path; the rest comes in a superstep of its own, so that a launch ends in time. WR prunes between those,
// too. (3) The column half of FIXMATCHING shares a superstep with INITBFSARRAY. (4) With kNamesEnd (APsB with
// WR) only the row that a root names starts a walk; should racing writers leave no row named, all of
// them start. (5) The solve ends at once when no column is unmatched.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"

namespace konig::augmenting_paths {

constexpr int kFree = -1;
constexpr int kPathEnd = -2;
constexpr int kWalkCut = -3;

constexpr int kRootLevel = 2;  // the paper's L0: 0 and below are left to name rows
constexpr int kUnvisited = kRootLevel - 1;
constexpr int kPathFound = kRootLevel - 2;

using bsp::kBatch;
using bsp::kSeries;
using bsp::kWalkLimit;

enum Status : long long { kRunning, kMaximum, kStalled };
enum Step : long long { kPrepare, kExpand, kAlternate, kAlternateAll, kFixRows };

// What workers tell each other at the end of a superstep.
constexpr unsigned kInserted = 1;   // a column of the next level
constexpr unsigned kFound = 2;      // an unmatched row
constexpr unsigned kUnscanned = 4;  // a list that goes on
constexpr unsigned kStarted = 8;    // a walk
constexpr unsigned kCut = 16;       // a walk that goes on
constexpr unsigned kLongList = 32;  // a list that is too long for one worker

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long level;           // of the columns being expanded
  long long part;            // of their lists, or of the walks: how many supersteps it was cut into so far
  long long unmatched = -1;  // columns, at the start of the iteration; -1 before the first
  long long supersteps;
  long long iterations;
  long long levels_used;
  unsigned signs;  // agreed so far in this iteration (kFound) or level (kInserted)
  int uneven;      // whether some column's list is too long for one worker
};

// Everything that outlives a launch.
struct State {
  Progress progress;
  long long launches;
  long long edges_scanned;
  long long walks;
  long long alternations;
  long long fixes;
  long long levels[kSeries];  // BFS levels of the latest iterations; the host empties it between launches
};

// What the solve works on; the paper calls col_of_row rmatch, and row_of_col cmatch.
template <class Id, class Offset>
struct Workspace : matching::ColumnGraph<Id, Offset> {
  using matching::ColumnGraph<Id, Offset>::rows, matching::ColumnGraph<Id, Offset>::cols;

  Id* level;        // cols: bfs_array
  Id* predecessor;  // rows; any index of a column at the start
  Id* root;         // cols; any index of a column at the start; only for GPUBFS-WR
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    this->describe_graph(layout);
    layout.own(level, cols);
    layout.own(predecessor, rows);
    layout.own(root, Program::kWithRoots ? cols : 0);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "maximum", "stalled");
    if (p.unmatched >= 0) reading.progress(cols - p.unmatched, this->shorter_side());
    reading.statistic("iterations", p.iterations);
    reading.series(s.levels, p.levels_used, "bfs_levels");
    if (Program::kCounted) {
      reading.statistic("edges_scanned", s.edges_scanned);
      reading.statistic("walks", s.walks);
      reading.statistic("alternations", s.alternations);
      reading.statistic("fixes", s.fixes);
    }
    reading.statistic("supersteps", p.supersteps);
    reading.statistic("launches", s.launches);
  }
};

template <class Team, class V, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  // Goes on from the state in the workspace until the matching is maximum or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    while (p_.status == kRunning && p_.levels_used < kSeries) {
      switch (p_.step) {
        case kPrepare:
          prepare();
          break;
        case kExpand:
          expand();
          break;
        case kAlternate:
          alternate(V::kNamesEnd);
          break;
        case kAlternateAll:
          alternate(false);
          break;
        default:
          fix_rows();
      }
      ++p_.supersteps;
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  // The column half of FIXMATCHING and INITBFSARRAY.
  KONIG_FN void prepare() {
    const bool first = p_.unmatched < 0;
    unsigned signs = 0;
    long long unmatched = 0;
    const auto partner = [&](long long col) { return bsp::load(w_.row_of_col + col); };
    team_.for_each_ahead(w_.cols, partner, [&](long long col, Id row) {
      bool matched = row >= 0;
      if (matched && bsp::load(w_.col_of_row + row) != col) {
        bsp::store(w_.row_of_col + col, Id(kFree));
        matched = false;
        if (V::kCounted) ++fixes_;
      }
      bsp::store(w_.level + col, Id(matched ? kUnvisited : kRootLevel));
      if (V::kWithRoots) bsp::store(w_.root + col, matched ? Id(0) : Id(col));
      unmatched += !matched;
      if (first && bsp::exceeds_share(w_.col_start, col)) signs = kLongList;
    });
    const bsp::Agreed all = team_.agree(signs, unmatched);
    const bool gained = first || all.total < p_.unmatched;
    p_.unmatched = all.total;
    if (first) p_.uneven = all.bits != 0;
    if (p_.unmatched == 0) {
      p_.status = kMaximum;
    } else if (!gained) {
      p_.status = kStalled;  // cannot happen: see above; better an error than a solve without end
    } else {
      p_.level = kRootLevel;
      p_.signs = 0;
      begin_step(kExpand);
    }
  }

  // Algorithms 2 and 4: one level, or one part of it where lists are long.
  KONIG_FN void expand() {
    unsigned signs = 0;
    const auto entries = [&](long long col) { return bsp::part_of_list(w_.col_start, col, p_.part).size(); };
    const auto on_level = [level = Id(p_.level)](Id of_col) { return of_col == level; };
    team_.for_each_where(
        w_.cols, bsp::Words<Id>{w_.level}, on_level, bsp::BySize{bool(p_.uneven), entries},
        [&](long long col, int lane, int width) { signs |= expand_column(Id(col), lane, width); });
    signs = team_.any(signs);
    p_.signs |= signs & (kInserted | kFound);
    if (signs & kUnscanned) {
      ++p_.part;
      return;
    }
    ++p_.level;
    p_.part = 0;
    const bool deeper = (p_.signs & kInserted) && !(V::kShortest && (p_.signs & kFound));
    p_.signs &= ~kInserted;
    if (deeper) return;
    if (team_.leads()) w_.state->levels[p_.levels_used] = p_.level - kRootLevel;
    ++p_.levels_used;
    ++p_.iterations;
    if (p_.signs & kFound)
      begin_step(kAlternate);
    else
      p_.status = kMaximum;
  }

  // Whether the tree of the column already has a path is asked for beside the column's first rows, and
  // looked at before anything is done with them.
  KONIG_FN unsigned expand_column(Id col, int lane, int width) {
    const Id root = V::kWithRoots ? bsp::load(w_.root + col) : Id(0);
    const auto [first, last, goes_on] = bsp::part_of_list(w_.col_start, col, p_.part);
    const bool open = !V::kWithRoots || bsp::load(w_.level + root) >= kUnvisited;
    unsigned signs = goes_on ? kUnscanned : 0;
    for (long long k = first + lane * kBatch; k < last; k += kBatch * width) {
      Id row[kBatch], mate[kBatch], level[kBatch];
      for (int j = 0; j < kBatch; ++j) row[j] = k + j < last ? w_.col_rows[k + j] : Id(-1);
      for (int j = 0; j < kBatch; ++j)
        mate[j] = row[j] >= 0 && open ? bsp::load(w_.col_of_row + row[j]) : Id(kPathEnd);
      for (int j = 0; j < kBatch; ++j)
        level[j] = mate[j] >= 0 ? bsp::load(w_.level + mate[j]) : Id(kUnvisited);
      for (int j = 0; j < kBatch; ++j) {
        if (mate[j] >= 0 && level[j] == kUnvisited) {
          signs |= kInserted;
          bsp::store(w_.level + mate[j], Id(p_.level + 1));
          if (V::kWithRoots) bsp::store(w_.root + mate[j], root);
          bsp::store(w_.predecessor + row[j], col);
        } else if (mate[j] == kFree) {
          signs |= kFound;
          if (V::kWithRoots) bsp::store(w_.level + root, V::kNamesEnd ? Id(-row[j]) : Id(kPathFound));
          bsp::store(w_.col_of_row + row[j], Id(kPathEnd));
          bsp::store(w_.predecessor + row[j], col);
        }
      }
    }
    if (!open) return 0;
    if (last > first && lane == 0) {
      team_.spend(last - first);
      if (V::kCounted) edges_scanned_ += last - first;
    }
    return signs;
  }

  // Algorithm 3. The first superstep starts the walks, the following ones go on where walks were cut.
  KONIG_FN void alternate(bool named_only) {
    unsigned signs = 0;
    const bool starting = p_.part == 0;
    const auto partner = [&](long long row) { return bsp::load(w_.col_of_row + row); };
    team_.for_each_ahead(w_.rows, partner, [&](long long row, Id mark) {
      const bool starts = starting && mark == kPathEnd && (!named_only || named_by_root(Id(row)));
      if (!starts && mark != kWalkCut) return;
      signs |= walk_up(Id(row));
      if (starts) {
        signs |= kStarted;
        if (V::kCounted) ++walks_;
      }
    });
    signs = team_.any(signs);
    ++p_.part;
    if (signs & kCut) return;
    begin_step(starting && !(signs & kStarted) ? kAlternateAll : kFixRows);
  }

  KONIG_FN bool named_by_root(Id row) const {
    const Id root = bsp::load(w_.root + bsp::load(w_.predecessor + row));
    return bsp::load(w_.level + root) == -row;
  }

  KONIG_FN unsigned walk_up(Id row) {
    int steps = 0;
    for (; row >= 0; ++steps) {
      if (steps == kWalkLimit) {
        bsp::store(w_.col_of_row + row, Id(kWalkCut));
        break;
      }
      const Id col = bsp::load(w_.predecessor + row);
      const Id above = bsp::load(w_.row_of_col + col);
      if (above >= 0 && bsp::load(w_.predecessor + above) == col) break;
      bsp::store(w_.row_of_col + col, row);
      bsp::store(w_.col_of_row + row, col);
      row = above;
    }
    team_.spend(steps);
    if (V::kCounted) alternations_ += steps;
    return steps == kWalkLimit && row >= 0 ? kCut : 0;
  }

  // FIXMATCHING. A row with a mark belongs to its predecessor if that column says so: then one walk was cut
  // at the row after another had passed.
  KONIG_FN void fix_rows() {
    const auto partner = [&](long long row) { return bsp::load(w_.col_of_row + row); };
    team_.for_each_ahead(w_.rows, partner, [&](long long row, Id col) {
      if (col == kFree) return;
      const Id owner = col >= 0 ? col : bsp::load(w_.predecessor + row);
      const bool kept = bsp::load(w_.row_of_col + owner) == row;
      if (!kept && V::kCounted) ++fixes_;
      if (!kept)
        bsp::store(w_.col_of_row + row, Id(kFree));
      else if (col < 0)
        bsp::store(w_.col_of_row + row, owner);
    });
    team_.barrier();
    begin_step(kPrepare);
  }

  KONIG_FN void begin_step(Step step) {
    p_.step = step;
    p_.part = 0;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
    }
    if (V::kCounted) {
      team_.add(&s->edges_scanned, edges_scanned_);
      team_.add(&s->walks, walks_);
      team_.add(&s->alternations, alternations_);
      team_.add(&s->fixes, fixes_);
    }
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  Progress p_;
  long long edges_scanned_ = 0, walks_ = 0, alternations_ = 0, fixes_ = 0;  // this worker's, this launch
};

// Of CT, which is 256 blocks, an H200 holds two on each multiprocessor. The compiler alone would aim at four
// and keep words of the search in memory, for 7.3 in place of 5 microseconds a level.
constexpr int kResidentBlocks = 2;

// Which of the paper's algorithms, and whether to count what it does. Whether the solve is CT or MT is the
// width of the team.
template <class Id, class Offset, bool kShortestOnly, bool kRoots, bool kCounts>
struct Program : bsp::ProgramOf<Workspace<Id, Offset>, State, kResidentBlocks, Solve,
                                Program<Id, Offset, kShortestOnly, kRoots, kCounts>, Id, Offset> {
  static constexpr bool kShortest = kShortestOnly;            // APsB, else APFB
  static constexpr bool kWithRoots = kRoots;                  // GPUBFS-WR, else GPUBFS
  static constexpr bool kNamesEnd = kShortestOnly && kRoots;  // level[root] = -(row): §3, last paragraph
  static constexpr bool kCounted = kCounts;
};

}  // namespace konig::augmenting_paths
