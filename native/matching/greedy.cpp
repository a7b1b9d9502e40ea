// Simple greedy matching (SGM): each unmatched column takes the first unmatched row of its list.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", §2.2;
// also the "cheap" start of the GPU papers. Like konig/matching/greedy.h, but for CPU threads only, and with
// a rule for matrices in natural order.
//
// A sweep over the columns of a mesh leaves unmatched columns and unmatched rows close together, just ahead
// of it. Workers that start in the middle of the mesh spoil that: where two sweeps touch, one takes rows that
// the other needs, and the unmatched column that results lies at the other end of the stretch, a path through
// half the mesh away. So a worker has one stretch of neighbouring columns, and where far more of its entries
// lie in the rows of the same stretch than in a random order (natural order), it first takes those rows only:
// then no stretch takes rows of another. Columns that are still unmatched then take any row.
//
// Where a square pattern seems to have a full diagonal, `auto` takes that first: the stretches of a pattern
// in which it is the only perfect matching (HiLo graphs) leave a path as long as a stretch at every seam.
//
// A row goes from -1 to its column once, by compare_exchange; only the column's own worker writes row_of_col.
// A column is left unmatched only after each of its rows was seen taken. One worker finds what SGM finds.
//
// Reads columns. Knobs: threads; of greedy_and_profile also rows, and few (missing pairs that need no
// profile). Counts: start_arc_scans, start_size; of greedy_and_profile also kept (pairs that were there
// before), diagonal (whether it was taken first), levels and visited of each search of the profile, and
// longest_list.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

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
  int64_t matched = 0;    // columns of the stretch
  int64_t taken = 0;      // of these, the ones that were not matched before
  bool diagonal = false;  // whether it was taken, the same for all

  void run(bool diagonal_first = false) {
    const Share cols(graph.cols, team), rows(graph.rows, team);
    diagonal = diagonal_first && graph.rows == graph.cols && has_diagonal(cols);
    if (diagonal) {
      take_diagonal(cols);
      team.barrier();
    } else if (!kAlone<Team> && in_natural_order(cols, rows)) {
      sweep(cols, [&](Id row) { return rows.has(row); });
      team.barrier();
    }
    matched = sweep(cols, [](Id) { return true; });
  }

 private:
  static constexpr int64_t kAhead = 16;
  static constexpr int64_t kSamples = 256;
  static constexpr Offset kDiagonalScans = 64;  // entries of a list that are scanned for it

  static int64_t sample(const Share& cols, int64_t i) {
    return cols.first + (cols.last - cols.first) * i / kSamples;
  }

  // Whether, over all workers, every column of a sample that is not empty lists the row of its own number.
  bool has_diagonal(const Share& cols) {
    int64_t lacking = 0;
    for (int64_t i = 0; i < kSamples && cols.first < cols.last; ++i) {
      const int64_t col = sample(cols, i);
      lacking += graph.of_col.start[col] < graph.of_col.start[col + 1] && !lists_itself(col);
    }
    return team.sum(lacking) == 0;
  }

  bool lists_itself(int64_t col) {
    const Offset first = graph.of_col.start[col];
    const Offset last = std::min<Offset>(graph.of_col.start[col + 1], first + kDiagonalScans);
    Offset k = first;
    while (k < last && graph.of_col.neighbour[k] != Id(col)) ++k;
    scans += k - first;
    return k < last;
  }

  // No other column takes these rows meanwhile.
  void take_diagonal(const Share& cols) {
    for (int64_t col = cols.first; col < cols.last && !team.cut(); ++col) {
      if (mates.row_of_col[col] >= 0 || mates.col_of_row[col] >= 0 || !lists_itself(col)) continue;
      mates.row_of_col[col] = mates.col_of_row[col] = Id(col);
      ++taken;
      team.spend(1);
    }
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
    taken += found;
    scans += work;
    team.spend(work + 1);
    return found;
  }
};

// The profile of a graph: whether alternating searches from a few columns spread as in a planar mesh or as in
// a random graph.
//
// From each of eight columns, evenly spaced, a breadth-first search along alternating paths visits at most
// `rows` rows. In a mesh of dimension two the rows within L levels grow as L squared, in a random graph
// exponentially, so the levels needed tell the two apart.
constexpr int kProfileSearches = 8;

template <class Id, class Offset, class Team>
class ProfileSearch {
 public:
  ProfileSearch(const Pattern<Id, Offset>& graph, Mates<Id> mates, Team& team)
      : graph_(graph), mates_(mates), team_(team), seen_(graph.rows, 0) {}

  // How many levels it takes to see `limit` rows, or all within reach; second is how many were seen.
  std::pair<int64_t, int64_t> search(Id col, int64_t limit) {
    queue_.assign(1, col);
    touched_.clear();
    int64_t levels = 0;
    for (std::size_t first = 0; first < queue_.size() && int64_t(touched_.size()) < limit; ++levels) {
      const std::size_t last = queue_.size();
      for (; first < last && int64_t(touched_.size()) < limit; ++first) {
        if (first + 8 < last) prefetch(&graph_.of_col.start[queue_[first + 8]]);
        if (first + 4 < last) prefetch(&graph_.of_col.neighbour[graph_.of_col.start[queue_[first + 4]]]);
        if (first + 2 < last) prefetch_mates(queue_[first + 2]);
        expand(queue_[first]);
      }
    }
    for (const Id row : touched_) seen_[row] = 0;
    return {levels, int64_t(touched_.size())};
  }

 private:
  void prefetch_mates(Id col) {
    const Offset first = graph_.of_col.start[col];
    const Offset last = std::min<Offset>(graph_.of_col.start[col + 1], first + 8);
    for (Offset k = first; k < last; ++k) prefetch(&mates_.col_of_row[graph_.of_col.neighbour[k]]);
  }

  void expand(Id col) {
    for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (seen_[row]) continue;
      seen_[row] = 1;
      touched_.push_back(row);
      if (mates_.col_of_row[row] >= 0) queue_.push_back(mates_.col_of_row[row]);
    }
    team_.spend(graph_.of_col.degree(col) + 1);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Team& team_;
  std::vector<uint8_t> seen_;
  std::vector<Id> queue_, touched_;
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

// What `auto` begins with; one launch for both, since threads cost time to start. The searches of the profile
// are dealt out to the workers.
template <class Id, class Offset>
void greedy_and_profile(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  const int searches = graph.cols > 0 ? kProfileSearches : 0;
  const int64_t threads = knobs.integer("threads"), limit = knobs.integer("rows");
  const int64_t few = knobs.integer("few");
  std::vector<int64_t> levels(searches), visited(searches), longest(threads);
  int64_t scans = 0, matched = 0, taken = 0, diagonal = 0;
  Deal deal(1);
  run_on_threads(threads, run, [&]<class Team>(Team& team) {
    GreedyWorker<Id, Offset, Team> worker{graph, mates, team};
    worker.run(!kAlone<Team>);
    bsp::fetch_add(&scans, worker.scans);
    bsp::fetch_add(&matched, worker.matched);
    bsp::fetch_add(&taken, worker.taken);
    if (team.leads()) diagonal = worker.diagonal;
    const Share cols(graph.cols, team);
    int64_t own = 0, search, last;
    for (int64_t col = cols.first; col < cols.last; ++col)
      own = std::max<int64_t>(own, graph.of_col.start[col + 1] - graph.of_col.start[col]);
    longest[team.index()] = own;
    const int64_t missing = std::min(graph.rows, graph.cols) - team.sum(worker.matched);
    if (team.index() >= searches || missing <= few) return;
    ProfileSearch<Id, Offset, Team> profile(graph, mates, team);
    while (!team.cut() && deal.take(searches, team.count(), search, last))
      std::tie(levels[search], visited[search]) =
          profile.search(Id(graph.cols / kProfileSearches * search), limit);
  });
  run.count("start_arc_scans", scans);
  run.count("start_size", matched);
  run.count("kept", matched - taken);
  run.count("diagonal", diagonal);
  run.count("levels", std::move(levels));
  run.count("visited", std::move(visited));
  run.count("longest_list", *std::max_element(longest.begin(), longest.end()));
}

KONIG_INSTANTIATE_SOLVER(greedy)
KONIG_INSTANTIATE_SOLVER(greedy_and_profile)

}  // namespace konig
