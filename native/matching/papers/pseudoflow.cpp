// Pseudoflow on normalized trees: `hi-wave`, `hi-fifo`, `lo-lifo`, `lo-fifo`.
//
// Hochbaum, "The pseudoflow algorithm: a new algorithm for the maximum flow problem", Operations Research
// 56(4), 2008; Chandran and Hochbaum, "Practical and theoretical improvements for bipartite matching using
// the pseudoflow algorithm", 2011; Kaya et al. §5.2, which names the variants and leaves the trees out. Reads
// columns.
//
// The network has a unit arc into each column, a unit arc from a column to a row for each entry, a unit arc
// out of each row; the first and last are kept saturated. So a column has excess 1 until it sends its unit, a
// row deficit 1 until it gets one. What Hochbaum's normalized forest comes to here:
//  - Arcs with flow are tree arcs. A column sends its unit to its parent, or is a tree of its own with
//  excess 1.
//  - A root row with k children has excess k - 1. k = 0 is an unmatched row and k = 1 a balanced tree (both
//    weak); k > 1 is a strong tree.
//  - Any other row has one child, its partner, and a parent that sends it nothing: downward residual capacity
//    is 1 on every tree arc, upward 0 into a column. So excess that arrives at a row stops there (a split).
//
// Labels: 0 on unmatched rows, 1 on everything else at the start. Invariant: label(col) <= label(row) + 1 on
// residual arcs, and labels do not fall from parent to child; so a label is at most the number of columns on
// any augmenting path from the vertex, and min(m, n) + 1 means that there is none.
//
// A strong root is taken in label order and its tree searched depth-first among the vertices of its own label
// for a merger arc, from a column s to a row w one label lower (hence of another tree). A merger hangs s
// under w and turns the path from s to its old root around: every column on it moves its unit one row on. The
// old root comes along, or stays a strong root if it still has excess (a split). w, when not a root, is cut
// from its parent and becomes a strong root (a split). A vertex with no merger arc and no child of its own
// label left is relabelled. When no row has the label below that of a strong root, its tree can reach no
// unmatched row any more (a gap).
//
// Choices: a column tries its own arcs before its subtree; a vertex is relabelled to the highest label that
// the invariant allows, and so is an unmatched row when it receives; in highest-label order a merger may
// reach a strong tree and add to its excess. Arc scans are O(n tau). A merger takes time along the path it
// turns, at most 2 min(m, n); a row takes part in a bounded number of them per label.
//
// Counts: a push is a tree arc that flow moved along; a strong merger one with a root that had excess.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "matching/papers/normalized_forest.h"
#include "matching/papers/pseudoflow_counts.h"
#include "matching/push_relabel/label_buckets.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class Pseudoflow {
  // Vertices are rows, then columns; twice the largest id fits an unsigned index.
  using Index = std::make_unsigned_t<Id>;
  static constexpr Index kNone = Index(-1);

 public:
  Pseudoflow(const Pattern<Id, Offset>& graph, Mates<Id> mates, bool highest, bool lifo, Run& run)
      : graph_(graph),
        mates_(mates),
        highest_(highest),
        run_(run),
        rows_(Index(graph.rows)),
        vertices_(rows_ + Index(graph.cols)),
        limit_(Index(std::min(graph.rows, graph.cols)) + 1),
        forest_(vertices_),
        buckets_(vertices_, std::size_t(limit_) + 1, highest, lifo),
        label_(vertices_, 1),
        next_arc_(graph.of_col.start, graph.of_col.start + graph.cols),
        rows_at_(std::size_t(limit_) + 1, 0) {}

  void solve() {
    plant();
    while (rows_at_[0] > 0) {
      const Index root = buckets_.take();
      if (root == kNone) break;
      if (rows_at_[label_[root] - 1] > 0)
        search_tree(root);
      else if (highest_)
        retire_tree(root);
      else
        break;  // every strong tree is above the gap
      run_.report(Id(rows_ - rows_at_[0]), std::min(graph_.rows, graph_.cols));
    }
    harvest();
    counts_.report(run_, integers(), int64_t(vertices_));
  }

 private:
  bool is_row(Index v) const { return v < rows_; }
  bool has_excess(Index root_row) const { return forest_.children(root_row, 2) == 2; }

  // The forest of the matching so far: pairs are balanced trees, the other vertices stand alone.
  void plant() {
    for (Id col = 0; col < graph_.cols; ++col) {
      const Index v = rows_ + Index(col);
      if (mates_.row_of_col[col] >= 0)
        forest_.hang(v, Index(mates_.row_of_col[col]));
      else
        buckets_.insert(v, 1);
    }
    for (Index row = 0; row < rows_; ++row) {
      if (forest_.first_child(row) == kNone) label_[row] = 0;
      ++rows_at_[label_[row]];
    }
    run_.spend(int64_t(vertices_));
  }

  // Depth-first through the vertices of the root's label, up to the first merger arc.
  void search_tree(Index root) {
    int64_t visited = 1;
    Index v = root;
    while (true) {
      const Index row = is_row(v) ? kNone : find_merger(v);
      if (row != kNone) {
        merge(v, row);
        break;
      }
      const Index child = find_child(v);
      if (child != kNone) {
        ++visited;
        v = child;
        continue;
      }
      relabel(v);
      if (v == root) {
        if (label_[root] < limit_) buckets_.insert(root, label_[root]);
        break;
      }
      v = forest_.parent(v);
    }
    counts_.largest_tree = std::max(counts_.largest_tree, visited);
  }

  // A row one label below the column. Rows that the column passed cannot come back to that label.
  Index find_merger(Index v) {
    const Id col = Id(v - rows_);
    const Index wanted = label_[v] - 1;
    const Offset end = graph_.of_col.start[col + 1];
    const Offset first = next_arc_[col];
    Offset k = first;
    while (k < end && label_[graph_.of_col.neighbour[k]] != wanted) ++k;
    next_arc_[col] = k;
    const int64_t work = k - first + (k < end);
    counts_.arc_scans += work;
    run_.spend(work + 1);
    return k < end ? Index(graph_.of_col.neighbour[k]) : kNone;
  }

  Index find_child(Index v) {
    while (forest_.scan(v) != kNone && label_[forest_.scan(v)] != label_[v]) {
      forest_.advance_scan(v);
      run_.spend(1);
    }
    return forest_.scan(v);
  }

  // The highest label that the invariant allows: that of the lowest child, or one more than the lowest row to
  // which the column does not send.
  void relabel(Index v) {
    ++counts_.relabels;
    Index label = limit_;
    for (Index child = forest_.first_child(v); child != kNone; child = forest_.next_sibling(child)) {
      label = std::min(label, label_[child]);
      run_.spend(1);
    }
    if (!is_row(v)) label = lower_to_arcs(v, label);
    set_label(v, label);
    forest_.restart_scan(v);
  }

  // Also points the column at the first arc that the label makes a merger arc, past its last arc if there is
  // none.
  Index lower_to_arcs(Index v, Index label) {
    const Id col = Id(v - rows_);
    const Index parent = forest_.parent(v);
    const Offset end = graph_.of_col.start[col + 1];
    Index lowest = limit_;
    Offset lowest_arc = end;
    for (Offset k = graph_.of_col.start[col]; k < end; ++k) {
      const Index row = Index(graph_.of_col.neighbour[k]);
      if (label_[row] < lowest && row != parent) {
        lowest = label_[row];
        lowest_arc = k;
      }
    }
    counts_.arc_scans += graph_.of_col.degree(col);
    run_.spend(graph_.of_col.degree(col) + 1);
    next_arc_[col] = lowest < label ? lowest_arc : end;
    return lowest < label ? lowest + 1 : label;
  }

  void set_label(Index v, Index label) {
    if (is_row(v)) {
      --rows_at_[label_[v]];
      ++rows_at_[label];
    }
    label_[v] = label;
  }

  // Hangs column s under row w and sends one unit from the root of s to w.
  void merge(Index s, Index w) {
    ++counts_.mergers;
    Index col = s;
    Index receiver = w;
    while (true) {
      const Index row = forest_.parent(col);
      if (row != kNone) forest_.cut(col);
      forest_.hang(col, receiver);
      ++counts_.pushes;
      run_.spend(1);
      if (row == kNone) break;
      ++counts_.pushes;
      const Index above = forest_.parent(row);
      if (above == kNone) {
        turn_root(row, col);
        break;
      }
      forest_.cut(row);
      forest_.hang(row, col);
      col = above;
      receiver = row;
    }
    receive(w, label_[s]);
  }

  // The old root has sent one unit down to `col`.
  void turn_root(Index root, Index col) {
    if (has_excess(root)) {
      ++counts_.splits;
      buckets_.insert(root, label_[root]);
    } else {
      forest_.hang(root, col);
    }
  }

  // Row w has got a child with one unit more.
  void receive(Index w, Index label_of_child) {
    if (!forest_.is_root(w)) {
      ++counts_.splits;
      forest_.cut(w);
      buckets_.insert(w, label_[w]);
      return;
    }
    const int children = forest_.children(w, 3);
    if (children == 1) set_label(w, label_of_child);
    if (children == 2) buckets_.insert(w, label_[w]);
    if (children == 3) ++counts_.strong_mergers;
  }

  void retire_tree(Index root) {
    for (Index v = root; v != kNone; v = forest_.next_in_tree(v, root)) {
      set_label(v, limit_);
      run_.spend(1);
    }
  }

  // A row keeps one of the columns that send to it.
  void harvest() {
    std::fill(mates_.row_of_col, mates_.row_of_col + graph_.cols, Id(-1));
    for (Index row = 0; row < rows_; ++row) {
      const Index v = forest_.first_child(row);
      mates_.col_of_row[row] = v == kNone ? Id(-1) : Id(v - rows_);
      if (v != kNone) mates_.row_of_col[v - rows_] = Id(row);
    }
  }

  int64_t integers() const {
    return forest_.integers() + buckets_.integers() +
           int64_t(label_.size() + next_arc_.size() + rows_at_.size());
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const bool highest_;
  Run& run_;
  const Index rows_, vertices_, limit_;
  NormalizedForest<Index> forest_;
  LabelBuckets<Index> buckets_;
  std::vector<Index> label_;
  std::vector<Offset> next_arc_;
  std::vector<Index> rows_at_;  // rows of each label
  PseudoflowCounts counts_;
};

}  // namespace

template <class Id, class Offset>
void pseudoflow(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  Pseudoflow<Id, Offset>(graph, mates, knobs.text("label") == "highest", knobs.text("bucket") == "lifo", run)
      .solve();
}

KONIG_INSTANTIATE_SOLVER(pseudoflow)

}  // namespace konig
