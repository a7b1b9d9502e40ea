// One breadth-first search per unmatched column (`bfs`): a shortest augmenting path from each.
//
// Duff, Kaya and Ucar, "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS
// 38(2), 2011. Columns are taken in their order, each once; a search stops at the first unmatched row.
//
// State: visited[r] is the stamp of the last search that reached row r. A search that fails has reached all
// rows of its columns, and no augmenting path can ever leave them: these rows keep the largest stamp and are
// never visited again, so all failed searches together scan each list once. queue[0 .. tail) are the columns
// of the search, reached_from[c] the column from whose list the partner of c was reached. Worst case O(n
// tau). Reads columns.
//
// Memory: m + 2n integers: a stamp a row; a place in the queue and a predecessor a column. Counts: searches,
// failed_searches, search_arc_scans, paths, augmentations, longest_path, memory_integers_per_vertex.
#include <limits>
#include <vector>

#include "matching/augment.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class BreadthFirst {
 public:
  BreadthFirst(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : graph_(graph),
        mates_(mates),
        run_(run),
        visited_(graph.rows, 0),
        queue_(graph.cols),
        reached_from_(graph.cols) {}

  void solve() {
    report_memory(int64_t(graph_.rows) + 2 * int64_t(graph_.cols), graph_, run_);
    search_each_column(graph_, mates_, run_, [this](Id col) { return augment_from(col); });
    run_.count("search_arc_scans", scans_);
    counts_.report(run_);
  }

 private:
  bool augment_from(Id root) {
    ++stamp_;
    Id tail = 0;
    queue_[tail++] = root;
    for (Id head = 0; head < tail; ++head) {
      const Id col = queue_[head];
      const Id row = expand(col, tail);
      if (row >= 0) {
        augment(col, row);
        return true;
      }
    }
    close(tail);
    return false;
  }

  // Puts the columns behind the rows not yet visited into the queue; the first unmatched row, or -1.
  Id expand(Id col, Id& tail) {
    const Offset first = graph_.of_col.start[col], end = graph_.of_col.start[col + 1];
    const Id stamp = stamp_;
    Id unmatched_row = -1;
    Offset k = first;
    for (; k < end; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (visited_[row] >= stamp) continue;
      visited_[row] = stamp;
      const Id mate = mates_.col_of_row[row];
      if (mate < 0) {
        unmatched_row = row;
        break;
      }
      reached_from_[mate] = col;
      queue_[tail++] = mate;
    }
    const int64_t work = k - first + (unmatched_row >= 0);
    scans_ += work;
    run_.spend(work + 1);
    return unmatched_row;
  }

  // Each column of the path gives its row to the column that it was reached from; the root had none.
  void augment(Id col, Id row) {
    int64_t columns = 0;
    while (row >= 0) {
      const Id given_up = mates_.row_of_col[col];
      mates_.row_of_col[col] = row;
      mates_.col_of_row[row] = col;
      row = given_up;
      if (given_up >= 0) col = reached_from_[col];
      ++columns;
    }
    counts_.add(columns);
    run_.spend(columns);
  }

  // The queue holds the root and the partners of all rows visited.
  void close(Id tail) {
    for (Id i = 1; i < tail; ++i) visited_[mates_.row_of_col[queue_[i]]] = kForGood;
    run_.spend(tail);
  }

  static constexpr Id kForGood = std::numeric_limits<Id>::max();

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  std::vector<Id> visited_, queue_, reached_from_;
  Id stamp_ = 0;
  int64_t scans_ = 0;
  PathCounts counts_;
};

}  // namespace

template <class Id, class Offset>
void breadth_first(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  BreadthFirst<Id, Offset>(graph, mates, run).solve();
}

KONIG_INSTANTIATE_SOLVER(breadth_first)

}  // namespace konig
