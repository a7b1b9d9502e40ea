// Simple greedy matching (SGM): each unmatched column takes the first unmatched row of its list.
//
// Kaya et al. §2.2; also the "cheap" start of the GPU papers. Like konig/matching/greedy.h, but for CPU
// threads only, and with a rule for matrices in natural order. Reads columns.
//
// A sweep over the columns of a mesh leaves unmatched columns and unmatched rows close together, just ahead
// of it. Workers that start in the middle of the mesh spoil that: where two sweeps touch, one takes rows that
// the other needs, and the unmatched column that results lies at the other end of the stretch, a path through
// half the mesh away. So a worker has one stretch of neighbouring columns, and where far more of its entries
// lie in the rows of the same stretch than in a random order (natural order), it first takes those rows only:
// then no stretch takes rows of another. Columns that are still unmatched then take any row.
//
// A row goes from -1 to its column once, by compare_exchange; only the column's own worker writes row_of_col.
// A column is left unmatched only after each of its rows was seen taken.
#include <algorithm>
#include <cstdint>

#include "core/deal.h"
#include "core/pattern.h"
#include "core/prefetch.h"
#include "core/threads.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset, class Team>
struct GreedyWorker {
  const Pattern<Id, Offset>& graph;
  const Mates<Id> mates;
  Team& team;
  int64_t scans = 0;
  int64_t matched = 0;  // columns of the stretch

  void run() {
    const Share cols(graph.cols, team), rows(graph.rows, team);
    if (!kAlone<Team> && in_natural_order(cols, rows)) {
      sweep(cols, [&](Id row) { return rows.has(row); });
      team.barrier();
    }
    matched = sweep(cols, [](Id) { return true; });
  }

 private:
  static constexpr int64_t kAhead = 16;
  static constexpr int64_t kSamples = 256;

  static int64_t sample(const Share& cols, int64_t i) {
    return cols.first + (cols.last - cols.first) * i / kSamples;
  }

  // Whether more entries lie in the rows of their worker's stretch than one in as many as there are workers
  // and a third of the others. A HiLo graph has half of them there if a stretch is shorter than a group.
  bool in_natural_order(const Share& cols, const Share& rows) {
    int64_t home = 0, entries = 0;
    for (int64_t i = 0; i < kSamples && cols.first < cols.last; ++i) {
      const int64_t col = sample(cols, i);
      for (Offset k = graph.of_col.start[col]; k < graph.of_col.start[col + 1]; ++k) {
        home += rows.has(graph.of_col.neighbour[k]);
        ++entries;
      }
    }
    const int64_t workers = team.count();
    return team.sum(3 * workers * home - (workers + 2) * entries) > 0;
  }

  // Each unmatched column takes the first unmatched row that `allowed` admits; how many columns are matched.
  template <class Allowed>
  int64_t sweep(const Share& cols, Allowed allowed) {
    int64_t count = 0;
    for (int64_t col = cols.first; col < cols.last && !team.cut(); ++col) {
      if (!kAlone<Team> && col + kAhead < cols.last) prefetch_rows(col + kAhead);
      count += mates.row_of_col[col] >= 0 || match(Id(col), allowed);
    }
    return count;
  }

  void prefetch_rows(int64_t col) {
    const Offset first = graph.of_col.start[col];
    const Offset last = std::min<Offset>(graph.of_col.start[col + 1], first + 3);
    for (Offset k = first; k < last; ++k) prefetch(&mates.col_of_row[graph.of_col.neighbour[k]]);
  }

  template <class Allowed>
  bool match(Id col, Allowed allowed) {
    const Offset first = graph.of_col.start[col], last = graph.of_col.start[col + 1];
    const Id* const neighbour = graph.of_col.neighbour;
    Id* const col_of_row = mates.col_of_row;
    Offset k = first;
    bool found = false;
    for (; k < last; ++k) {
      const Id row = neighbour[k];
      if (!allowed(row) || bsp::load(&col_of_row[row]) >= 0) continue;
      if (!claim<Team>(&col_of_row[row], Id(-1), col)) continue;
      mates.row_of_col[col] = row;
      found = true;
      break;
    }
    const int64_t work = k - first + found;
    scans += work;
    team.spend(work + 1);
    return found;
  }
};

}  // namespace

template <class Id, class Offset>
void greedy(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  int64_t scans = 0, matched = 0;
  run_on_threads(knobs.integer("threads"), run, [&]<class Team>(Team& team) {
    GreedyWorker<Id, Offset, Team> worker{graph, mates, team};
    worker.run();
    bsp::fetch_add(&scans, worker.scans);
    bsp::fetch_add(&matched, worker.matched);
  });
  run.count("start_arc_scans", scans);
  run.count("start_size", matched);
}

KONIG_INSTANTIATE_SOLVER(greedy)

}  // namespace konig
