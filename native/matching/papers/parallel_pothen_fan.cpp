// Pothen-Fan with fairness on several threads (`p-pfp`).
//
// Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, "Multithreaded algorithms for maximum matching in
// bipartite graphs", IPDPS 2012. A phase is one depth-first search with lookahead from each unmatched column.
// Threads take these columns as they come, and claim each row that they visit by an atomic exchange of its
// stamp, so no row is visited twice in a phase. The direction of the scans turns from phase to phase.
//
// State: closed[r] == stamp where row r was claimed in this phase; looked_at[c] is where the lookahead of
// column c stands, for the whole run; each worker has the path it is on.
//
// Who holds what. A row is claimed once a phase, and only who claimed it writes its mate. So the claimer
// finds in col_of_row[r] what was there at the last barrier. A column is visited either as a root, dealt out
// once, or through the row it was matched to at the last barrier, claimed once: its lookahead and its mate
// belong to one thread for the phase. Lookahead reads mates that others write: a row that looks unmatched
// still has to be claimed, and a row that is matched, or that another thread took while it was unmatched, is
// matched from the end of the phase on (to claim an unmatched row is to augment). The rows behind
// looked_at[c] therefore never come back.
//
// Why a phase without a path is a proof. Then the matching did not change in the phase and every search ran
// to its end. Take a path c0 r1 c1 r2 ... from an unmatched column to an unmatched row. c0 was searched from.
// A column is left when all rows of its list are claimed, by whomever; so r1 was claimed, its claimer went to
// c1 and left it in vain, and so on to the last row. But its claimer would have augmented.
//
// One worker does exactly what `pfp` does. Deviation: the run also ends when all rows or all columns are
// matched. Worst case O(n tau). Reads columns. Knobs: threads, lookahead (flag). Counts: phases (those that
// found a path), search_arc_scans, lookahead_arc_scans, paths, augmentations, longest_path, claims_lost,
// workers.
#include <vector>

#include "matching/papers/search_phases.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class ParallelPothenFan {
 public:
  ParallelPothenFan(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : graph_(graph),
        mates_(mates),
        lookahead_(knobs.flag("lookahead")),
        run_(run),
        phases_(graph, mates, knobs, run),
        closed_(graph.rows, 0),
        paths_(graph, knobs) {
    if (lookahead_) looked_at_.assign(graph.of_col.start, graph.of_col.start + graph.cols);
  }

  void solve() {
    const auto phase = [this](bsp::CpuTeam& team) {
      Searcher searcher(*this, team);
      phases_.search_all(team, [&](Id root) { return searcher.augment_from(root); });
    };
    phases_.solve(phase, [this] {
      ++stamp_;
      direction_ = -direction_;
    });
    run_.count("phases", phases_.phases());
    const SearchTally total = phases_.total();
    run_.count("lookahead_arc_scans", total.lookahead_scans);
    phases_.report(total);
  }

 private:
  using Step = PathStep<Id, Offset>;
  static constexpr Id kExhausted = -2;

  // One worker in one phase.
  class Searcher {
   public:
    Searcher(ParallelPothenFan& solver, bsp::CpuTeam& team)
        : graph_(solver.graph_),
          mates_(solver.mates_),
          phases_(solver.phases_),
          lookahead_(solver.lookahead_),
          stamp_(solver.stamp_),
          direction_(solver.direction_),
          closed_(solver.closed_.data()),
          looked_at_(solver.looked_at_.data()),
          path_(solver.paths_.of(team)),
          team_(team),
          alone_(team.count() == 1),
          tally_(solver.phases_.tally(team)) {}

    bool augment_from(Id root) {
      int64_t depth = 0;
      Id col = root;
      while (!phases_.stopped(team_)) {
        Step& arrived = path_[depth];
        arrived.col = col;
        if (lookahead_ && look_ahead(arrived)) return augment(depth);
        arrived.entry = direction_ > 0 ? graph_.of_col.start[col] - 1 : graph_.of_col.start[col + 1];
        while ((col = advance(path_[depth])) == kExhausted)
          if (depth-- == 0) return false;
        if (col < 0) return augment(depth);
        ++depth;
      }
      return false;
    }

   private:
    bool look_ahead(Step& step) {
      const Offset first = looked_at_[step.col], end = graph_.of_col.start[step.col + 1];
      Offset k = first;
      bool found = false;
      for (; k < end && !found; ++k) {
        const Id row = graph_.of_col.neighbour[k];
        if (bsp::load(&mates_.col_of_row[row]) >= 0) continue;
        const Id seen = bsp::load(&closed_[row]);
        found = seen != stamp_ && claim(&closed_[row], seen, stamp_, alone_);
        tally_.claims_lost += !found;
        step.entry = k;
      }
      looked_at_[step.col] = k;
      tally_.lookahead_scans += k - first;
      team_.spend(k - first + 1);
      return found;
    }

    // Goes on to the next row of the list that can be claimed: its column, -1 if it is unmatched, kExhausted.
    Id advance(Step& step) {
      const Offset direction = direction_, first = step.entry + direction;
      const Offset end =
          direction > 0 ? graph_.of_col.start[step.col + 1] : graph_.of_col.start[step.col] - 1;
      const Id stamp = stamp_;
      Id next = kExhausted;
      Offset k = first;
      for (; k != end; k += direction) {
        const Id row = graph_.of_col.neighbour[k];
        const Id seen = bsp::load(&closed_[row]);
        if (seen == stamp) continue;
        if (claim(&closed_[row], seen, stamp, alone_)) {
          next = bsp::load(&mates_.col_of_row[row]);
          break;
        }
        ++tally_.claims_lost;
      }
      step.entry = k;
      const int64_t work = (k - first) * direction + (next != kExhausted);
      tally_.search_scans += work;
      team_.spend(work + 1);
      return next;
    }

    bool augment(int64_t depth) {
      augment_along(path_, depth, graph_.of_col, mates_, team_, tally_.paths);
      return true;
    }

    const Pattern<Id, Offset>& graph_;
    const Mates<Id> mates_;
    const SearchPhases<Id, Offset>& phases_;
    const bool lookahead_;
    const Id stamp_;
    const Offset direction_;
    Id* const closed_;
    Offset* const looked_at_;
    Step* const path_;
    bsp::CpuTeam& team_;
    const bool alone_;
    SearchTally& tally_;
  };

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const bool lookahead_;
  Run& run_;
  SearchPhases<Id, Offset> phases_;
  std::vector<Id> closed_;
  std::vector<Offset> looked_at_;
  PathRoom<Id, Offset> paths_;
  Id stamp_ = 1;
  Offset direction_ = 1;
};

}  // namespace

template <class Id, class Offset>
void parallel_pothen_fan(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  ParallelPothenFan<Id, Offset>(graph, mates, knobs, run).solve();
}

KONIG_INSTANTIATE_SOLVER(parallel_pothen_fan)

}  // namespace konig
