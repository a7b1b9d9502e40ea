// Pseudoflow with free arcs: `lo-free`, `hi-free`.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", §5.2,
// after Chandran and Hochbaum, "Practical and theoretical improvements for bipartite matching using the
// pseudoflow algorithm", 2011. Reads columns. No trees: all that is left of them is a row that holds two
// columns.
//
// State: a row holds no column (unmatched), one (a matching edge) or two (overmatched: a path v, u, w whose
// two columns are active). A column held by no row is active until it retires. What waits in a bucket is a
// path, by its row and the lower label of its two columns, or a single active column.
//
// Labels are distances: even on rows, odd on columns, 0 on unmatched rows, 1 on columns and 2 on matched rows
// at the start. Invariant: label(col) <= label(row) + 1 where the row does not hold the column; label(row) is
// one more than the lowest label among the columns it holds; two columns of a path differ by at most 2. So a
// label never exceeds the length of an alternating path to an unmatched row, and m + n means that there is
// none.
//
// A column v taken from a bucket scans for an admissible row, one label below. An unmatched row u takes it. A
// row held by w becomes the path v, u, w. Where v was on a path itself, its old row goes to the partner
// alone. Without an admissible row v is relabelled: one more than the lowest of its other rows, at most 2
// more than its partner (from whom its own row could be had). At m + n it retires and leaves its row to the
// partner. When no row has the label below v's, nothing above can reach an unmatched row (a gap): in
// lowest-label order that is the end; in highest-label order v retires and the rows within its reach go to m
// + n.
//
// Choices: after overmatching, the paper sets label(u) to label(v) + 1, which is too high when w is lower;
// here the lower of v and w counts, and that one moves first, on ties the one that was there before. In
// highest-label order a third column may come to an overmatched row: it takes the place of the lower of the
// two, which becomes single again. O(n tau).
//
// A push is a column that a row took, a merger a push that made a path, a strong merger one with an
// overmatched row, a split a path that a column left.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "matching/papers/pseudoflow_counts.h"
#include "matching/push_relabel/label_buckets.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class FreeArcs {
  // Rows, then columns in the buckets, and labels up to m + n: both fit an unsigned index.
  using Index = std::make_unsigned_t<Id>;
  static constexpr Index kNone = Index(-1);

 public:
  FreeArcs(const Pattern<Id, Offset>& graph, Mates<Id> mates, bool highest, bool lifo, Run& run)
      : graph_(graph),
        mates_(mates),
        highest_(highest),
        run_(run),
        rows_(Index(graph.rows)),
        limit_(rows_ + Index(graph.cols)),
        buckets_(limit_, limit_ / 2 + 1, highest, lifo),
        row_label_(graph.rows, 2),
        col_label_(graph.cols, 1),
        guest_(graph.rows, Id(-1)),
        next_arc_(graph.of_col.start, graph.of_col.start + graph.cols),
        rows_at_(limit_ / 2 + 2, 0) {}

  void solve() {
    for (Id row = 0; row < graph_.rows; ++row) {
      if (mates_.col_of_row[row] < 0) row_label_[row] = 0;
      ++rows_at_[row_label_[row] / 2];
    }
    for (Id col = 0; col < graph_.cols; ++col)
      if (mates_.row_of_col[col] < 0) buckets_.insert(rows_ + Index(col), 0);
    run_.spend(int64_t(limit_));
    while (rows_at_[0] > 0) {
      const Index unit = buckets_.take();
      if (unit == kNone) break;
      const Id col = unit < rows_ ? lower_of_path(Id(unit)) : Id(unit - rows_);
      counts_.largest_tree = std::max<int64_t>(counts_.largest_tree, unit < rows_ ? 3 : 1);
      if (!above_gap(col)) {
        if (const Id row = find_admissible(col); row >= 0)
          push(col, row);
        else
          relabel(col);
      } else if (highest_)
        retire_reach(col);
      else
        break;  // everything that waits is above the gap
      run_.report(Id(rows_ - rows_at_[0]), std::min(graph_.rows, graph_.cols));
    }
    for (const Id col : guest_)
      if (col >= 0) mates_.row_of_col[col] = -1;
    counts_.report(run_, integers(), int64_t(limit_));
  }

 private:
  // mates_.col_of_row is the column that a row had first, guest_ the one that overmatches it.
  Id lower_of_path(Id row) const {
    const Id host = mates_.col_of_row[row];
    return col_label_[guest_[row]] < col_label_[host] ? guest_[row] : host;
  }

  Id partner(Id col) const {
    const Id row = mates_.row_of_col[col];
    if (row < 0 || guest_[row] < 0) return -1;
    return guest_[row] == col ? mates_.col_of_row[row] : guest_[row];
  }

  // Rows that the column passed at this label are no longer one below it.
  Id find_admissible(Id col) {
    const Offset end = graph_.of_col.start[col + 1];
    const Offset first = next_arc_[col];
    const Index wanted = col_label_[col] - 1;
    const Id own = mates_.row_of_col[col];
    Offset k = first;
    for (; k < end; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (row_label_[row] == wanted && row != own) break;
    }
    next_arc_[col] = k;
    const int64_t work = k - first + (k < end);
    counts_.arc_scans += work;
    run_.spend(work + 1);
    return k < end ? graph_.of_col.neighbour[k] : Id(-1);
  }

  void push(Id col, Id row) {
    ++counts_.pushes;
    leave(col);
    mates_.row_of_col[col] = row;
    if (mates_.col_of_row[row] < 0) {
      mates_.col_of_row[row] = col;
      set_row_label(row, col_label_[col] + 1);
      return;
    }
    ++counts_.mergers;
    if (guest_[row] >= 0) make_room(row);
    guest_[row] = col;
    wait_as_path(row);
  }

  // The lower column of an overmatched row becomes single.
  void make_room(Id row) {
    ++counts_.strong_mergers;
    const Id col = lower_of_path(row);
    buckets_.remove(Index(row), col_label_[col] / 2);
    leave(col);
    buckets_.insert(rows_ + Index(col), col_label_[col] / 2);
  }

  // Takes the column from its row, if it has one: only a row that holds two gives one up.
  void leave(Id col) {
    const Id row = mates_.row_of_col[col];
    if (row < 0) return;
    ++counts_.splits;
    mates_.col_of_row[row] = partner(col);
    mates_.row_of_col[col] = guest_[row] = -1;
    set_row_label(row, col_label_[mates_.col_of_row[row]] + 1);
  }

  void wait_as_path(Id row) {
    const Index label = col_label_[lower_of_path(row)];
    set_row_label(row, label + 1);
    buckets_.insert(Index(row), label / 2);
  }

  void relabel(Id col) {
    ++counts_.relabels;
    const uint64_t label = label_bound(col);
    if (label >= limit_) return retire(col);
    col_label_[col] = Index(label);
    if (mates_.row_of_col[col] >= 0)
      wait_as_path(mates_.row_of_col[col]);
    else
      buckets_.insert(rows_ + Index(col), Index(label) / 2);
  }

  // One more than the lowest other row, whose arc becomes the next; or two more than the partner.
  uint64_t label_bound(Id col) {
    const Id own = mates_.row_of_col[col];
    Index lowest = limit_;
    for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
      const Id row = graph_.of_col.neighbour[k];
      if (row_label_[row] < lowest && row != own) {
        lowest = row_label_[row];
        next_arc_[col] = k;
      }
    }
    counts_.arc_scans += graph_.of_col.degree(col);
    run_.spend(graph_.of_col.degree(col) + 1);
    const uint64_t by_others = uint64_t(lowest) + 1;
    const Id other = partner(col);
    return other < 0 ? by_others : std::min(by_others, uint64_t(col_label_[other]) + 2);
  }

  void retire(Id col) {
    leave(col);
    col_label_[col] = limit_;
  }

  bool above_gap(Id col) const {
    const Id own = mates_.row_of_col[col];
    return rows_at_[col_label_[col] / 2] == 0 || (own >= 0 && row_label_[own] == limit_);
  }

  // The column retires, and every row within its reach takes the label m + n: each row does so once.
  void retire_reach(Id above_gap) {
    retire(above_gap);
    pending_.assign(1, above_gap);
    while (!pending_.empty()) {
      const Id col = pending_.back();
      pending_.pop_back();
      for (Offset k = graph_.of_col.start[col]; k < graph_.of_col.start[col + 1]; ++k) {
        const Id row = graph_.of_col.neighbour[k];
        if (row_label_[row] == limit_) continue;
        set_row_label(row, limit_);
        pending_.push_back(mates_.col_of_row[row]);
        if (guest_[row] >= 0) pending_.push_back(guest_[row]);
      }
      counts_.arc_scans += graph_.of_col.degree(col);
      run_.spend(graph_.of_col.degree(col) + 1);
    }
  }

  // Rows out of reach keep their label.
  void set_row_label(Id row, Index label) {
    if (row_label_[row] == limit_) return;
    --rows_at_[row_label_[row] / 2];
    ++rows_at_[label / 2];
    row_label_[row] = label;
  }

  int64_t integers() const {
    return buckets_.integers() + int64_t(row_label_.size() + col_label_.size() + guest_.size() +
                                         next_arc_.size() + rows_at_.size());
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const bool highest_;
  Run& run_;
  const Index rows_, limit_;
  LabelBuckets<Index> buckets_;
  std::vector<Index> row_label_, col_label_;
  std::vector<Id> guest_, pending_;
  std::vector<Offset> next_arc_;
  std::vector<Index> rows_at_;  // rows of each label, halved
  PseudoflowCounts counts_;
};

}  // namespace

template <class Id, class Offset>
void pseudoflow_free_arcs(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  FreeArcs<Id, Offset>(graph, mates, knobs.text("label") == "highest", knobs.text("bucket") == "lifo", run)
      .solve();
}

KONIG_INSTANTIATE_SOLVER(pseudoflow_free_arcs)

}  // namespace konig
