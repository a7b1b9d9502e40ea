// Karp-Sipser matching (KSM): as long as a vertex of either side has exactly one unmatched neighbour, match
// the two (never a mistake: some maximum matching contains that edge); when none is left, match the next
// column with any of its unmatched rows, and go back.
//
// Karp and Sipser, "Maximum matchings in sparse random graphs", FOCS 1981; Kaya et al. §2.2. Reads both
// orientations. State: `degree` of an unmatched vertex is the number of entries that lead to unmatched
// neighbours (a duplicate entry counts twice, which only makes the degree-one rule more cautious). Vertices
// of degree one wait on two stacks, columns served first, and are checked again when they leave
// them. Each adjacency list is scanned at most twice, and once more to count degrees where the matching to
// start from is not empty, so the time is linear. Counts: start_arc_scans.
#include <algorithm>
#include <vector>

#include "sequential/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class KarpSipser {
 public:
  KarpSipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run)
      : graph_(graph), mates_(mates), run_(run), row_degree_(graph.rows), col_degree_(graph.cols) {}

  int64_t match() {
    count_degrees(graph_.of_row, graph_.rows, mates_.col_of_row, mates_.row_of_col, row_degree_);
    count_degrees(graph_.of_col, graph_.cols, mates_.row_of_col, mates_.col_of_row, col_degree_);
    for (Id row = 0; row < graph_.rows; ++row)
      if (row_degree_[row] == 1) lonely_rows_.push_back(row);
    for (Id col = 0; col < graph_.cols; ++col)
      if (col_degree_[col] == 1) lonely_cols_.push_back(col);
    match_lonely();
    for (Id col = 0; col < graph_.cols; ++col) {
      run_.spend(1);
      if (mates_.row_of_col[col] >= 0 || col_degree_[col] == 0) continue;
      match_pair(free_neighbour(graph_.of_col, col, mates_.col_of_row), col);
      match_lonely();
    }
    return scans_;
  }

 private:
  // The degree among unmatched vertices of every unmatched vertex of one side.
  void count_degrees(const Adjacency<Id, Offset>& side, Id vertices, const Id* mate, const Id* other_mate,
                     std::vector<Offset>& degree) {
    const Id others = &side == &graph_.of_row ? graph_.cols : graph_.rows;
    const bool empty = std::all_of(other_mate, other_mate + others, [](Id m) { return m < 0; });
    for (Id v = 0; v < vertices; ++v) {
      if (mate[v] >= 0) continue;
      if (empty) {
        degree[v] = side.degree(v);
        continue;
      }
      for (Offset k = side.start[v]; k < side.start[v + 1]; ++k)
        degree[v] += other_mate[side.neighbour[k]] < 0;
      scans_ += side.degree(v);
      run_.spend(side.degree(v) + 1);
    }
  }

  void match_lonely() {
    while (true) {
      if (!lonely_cols_.empty()) {
        const Id col = lonely_cols_.back();
        lonely_cols_.pop_back();
        if (mates_.row_of_col[col] < 0 && col_degree_[col] == 1)
          match_pair(free_neighbour(graph_.of_col, col, mates_.col_of_row), col);
      } else if (!lonely_rows_.empty()) {
        const Id row = lonely_rows_.back();
        lonely_rows_.pop_back();
        if (mates_.col_of_row[row] < 0 && row_degree_[row] == 1)
          match_pair(row, free_neighbour(graph_.of_row, row, mates_.row_of_col));
      } else {
        return;
      }
    }
  }

  // The first unmatched neighbour; the caller knows from the degree that there is one.
  Id free_neighbour(const Adjacency<Id, Offset>& side, Id v, const Id* other_mate) {
    Offset k = side.start[v];
    while (other_mate[side.neighbour[k]] >= 0) ++k;
    scans_ += k - side.start[v] + 1;
    run_.spend(k - side.start[v] + 1);
    return side.neighbour[k];
  }

  void match_pair(Id row, Id col) {
    mates_.col_of_row[row] = col;
    mates_.row_of_col[col] = row;
    drop(graph_.of_row, row, mates_.row_of_col, col_degree_, lonely_cols_);
    drop(graph_.of_col, col, mates_.col_of_row, row_degree_, lonely_rows_);
  }

  // v has just been matched: its unmatched neighbours have one unmatched neighbour fewer.
  void drop(const Adjacency<Id, Offset>& side, Id v, const Id* other_mate, std::vector<Offset>& degree,
            std::vector<Id>& lonely) {
    for (Offset k = side.start[v]; k < side.start[v + 1]; ++k) {
      const Id u = side.neighbour[k];
      if (other_mate[u] < 0 && --degree[u] == 1) lonely.push_back(u);
    }
    scans_ += side.degree(v);
    run_.spend(side.degree(v) + 1);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  Run& run_;
  std::vector<Offset> row_degree_, col_degree_;
  std::vector<Id> lonely_rows_, lonely_cols_;
  int64_t scans_ = 0;
};

}  // namespace

template <class Id, class Offset>
void karp_sipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs&, Run& run) {
  run.count("start_arc_scans", KarpSipser<Id, Offset>(graph, mates, run).match());
}

KONIG_INSTANTIATE_SOLVER(karp_sipser)

}  // namespace konig
