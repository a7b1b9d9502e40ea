// Pothen-Fan (`pf`), and with fairness (`pfp`).
//
// Pothen and Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16(4), 1990; Duff, Kaya
// and Ucar, "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS 38(2), 2011;
// Kaya et al. §5.1. A phase is one depth-first search with lookahead from each unmatched column over the rows
// that no search of the phase has visited, so its paths are disjoint. The run ends with a phase that finds no
// path. Fairness turns the direction in which lists are scanned around from phase to phase.
//
// Rows visited by a failed search are opened again in the next phase, as in the papers: within a phase a
// search may fail merely because a successful one closed its way, so failure proves nothing. One deviation:
// the run also ends as soon as all rows or all columns are matched. Worst case O(n tau). Reads columns.
//
// Memory: at most m + 4n integers: a stamp a row; a lookahead position, a step of two and a place among
// the unmatched a column. Knobs: fairness, lookahead (flags). Counts: phases (those that found a path),
// search_arc_scans, lookahead_arc_scans, paths, augmentations, longest_path, memory_integers_per_vertex.
#include <algorithm>
#include <vector>

#include "matching/papers/depth_first_search.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class PothenFan {
 public:
  PothenFan(const Pattern<Id, Offset>& graph, Mates<Id> mates, bool fairness, bool lookahead, Run& run)
      : graph_(graph),
        fairness_(fairness),
        run_(run),
        search_(graph, mates, lookahead, run),
        unmatched_(unmatched_vertices(mates.row_of_col, graph.cols)),
        size_(graph.cols - Id(unmatched_.size())),
        limit_(std::min(graph.rows, graph.cols)) {}

  void solve() {
    report_memory(search_.integers() + int64_t(unmatched_.size()), graph_, run_);
    int64_t phases = 0;
    for (; size_ < limit_ && run_phase(); ++phases) {
      search_.open_rows();
      if (fairness_) search_.reverse_scans();
    }
    run_.count("phases", phases);
    search_.report();
  }

 private:
  // Whether the phase found a path. The columns it leaves unmatched keep their order.
  bool run_phase() {
    const Id before = size_;
    auto kept = unmatched_.begin();
    for (auto next = unmatched_.begin(); next != unmatched_.end() && size_ < limit_; ++next) {
      if (search_.augment_from(*next))
        run_.report(++size_, limit_);
      else
        *kept++ = *next;
    }
    unmatched_.erase(kept, unmatched_.end());
    return size_ > before;
  }

  const Pattern<Id, Offset>& graph_;
  const bool fairness_;
  Run& run_;
  DepthFirstSearch<Id, Offset> search_;
  std::vector<Id> unmatched_;
  Id size_;
  const Id limit_;
};

}  // namespace

template <class Id, class Offset>
void pothen_fan(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  PothenFan<Id, Offset>(graph, mates, knobs.flag("fairness"), knobs.flag("lookahead"), run).solve();
}

KONIG_INSTANTIATE_SOLVER(pothen_fan)

}  // namespace konig
