// Karp-Sipser matching (KSM): as long as a vertex of either side has exactly one unmatched neighbour, match
// the two (never a mistake: some maximum matching contains that edge); when none is left, match the next
// column with the first of its unmatched rows, and go back.
//
// Karp and Sipser, "Maximum matchings in sparse random graphs", FOCS 1981; Kaya et al. §2.2. Reads both
// orientations.
//
// State: for every unmatched vertex, the number of entries that lead to unmatched neighbours (`degree`) and
// the exclusive or of those neighbours (`others`): at degree one, `others` is the neighbour itself, so no
// list is searched for it. A duplicate entry counts twice in the degree and cancels in `others`, which only
// makes the rule more cautious. A matched vertex has a degree far below zero. Vertices that came down to one
// wait in a queue (a column c as ~c) and are checked again when they leave it. Each list is scanned at most
// once for removal, once for the free choice and once for the sums: the time is linear.
//
// Knobs: patience, how many waiting vertices may stay in the queue while a free choice is made. 0 is the
// textbook; a few let the memory accesses of several removals overlap, at almost no loss.
// Counts: start_arc_scans.
#include <limits>
#include <vector>

#include "core/prefetch.h"
#include "matching/solvers.h"

namespace konig {
namespace {

template <class Id, class Offset>
class KarpSipser {
 public:
  KarpSipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, int64_t patience, Run& run)
      : rows_{graph.of_row.neighbour, std::vector<Vertex>(graph.rows + 1), graph.rows},
        cols_{graph.of_col.neighbour, std::vector<Vertex>(graph.cols + 1), graph.cols},
        patience_(size_t(patience)),
        run_(run) {
    set_up(graph.of_row, mates.col_of_row, mates.row_of_col, rows_);
    set_up(graph.of_col, mates.row_of_col, mates.col_of_row, cols_);
  }

  int64_t match(Mates<Id> mates) {
    for (Id col = 0; col < cols_.count; ++col)
      if (cols_.vertex[col].degree == 1) queue_.push_back(~col);
    for (Id row = 0; row < rows_.count; ++row)
      if (rows_.vertex[row].degree == 1) queue_.push_back(row);
    serve_queue(0);
    for (Id col = 0; col < cols_.count; ++col) {
      prefetch_choices(col);
      run_.spend(1);
      if (cols_.vertex[col].degree <= 0) continue;
      const Id row = first_unmatched_row(col);
      join(row, col);
      remove(rows_, row, cols_, /*others_are_cols=*/true);
      remove(cols_, col, rows_, /*others_are_cols=*/false);
      serve_queue(patience_);
    }
    serve_queue(0);
    for (Id row = 0; row < rows_.count; ++row) mates.col_of_row[row] = rows_.vertex[row].mate;
    for (Id col = 0; col < cols_.count; ++col) mates.row_of_col[col] = cols_.vertex[col].mate;
    return scans_;
  }

 private:
  struct Vertex {
    Offset start;
    Offset degree;
    Id others;
    Id mate;
  };
  struct Side {
    const Id* neighbour;
    std::vector<Vertex> vertex;  // one more than there are, for the last one's end
    Id count;
  };
  static constexpr Offset kMatched = std::numeric_limits<Offset>::min() / 2;

  void set_up(const Adjacency<Id, Offset>& lists, const Id* mate, const Id* other_mate, Side& side) {
    for (Id v = 0; v < side.count; ++v) {
      Offset degree = 0;
      Id others = 0;
      for (Offset k = lists.start[v]; k < lists.start[v + 1]; ++k) {
        const Id u = lists.neighbour[k];
        const bool unmatched = other_mate[u] < 0;
        degree += unmatched;
        others ^= unmatched ? u : 0;
      }
      side.vertex[v] = {lists.start[v], mate[v] < 0 ? degree : kMatched, others, mate[v]};
      run_.spend(lists.degree(v) + 1);
    }
    side.vertex[side.count] = {lists.start[side.count], 0, 0, 0};
    scans_ += lists.start[side.count];
  }

  void serve_queue(size_t leave_waiting) {
    while (queue_.size() - head_ > leave_waiting) {
      prefetch_queue();
      const Id waiting = queue_[head_++];
      if (waiting < 0)
        match_lonely(cols_, ~waiting, rows_, /*col_side=*/true);
      else
        match_lonely(rows_, waiting, cols_, /*col_side=*/false);
    }
    if (head_ == queue_.size()) {
      queue_.clear();
      head_ = 0;
    }
  }

  // v has one unmatched neighbour, unless that has been matched since v was queued.
  void match_lonely(Side& side, Id v, Side& other_side, bool col_side) {
    if (side.vertex[v].degree != 1) return;
    const Id u = side.vertex[v].others;
    if (col_side)
      join(u, v);
    else
      join(v, u);
    remove(other_side, u, side, col_side);
  }

  void join(Id row, Id col) {
    rows_.vertex[row].mate = col;
    cols_.vertex[col].mate = row;
    rows_.vertex[row].degree = kMatched;
    cols_.vertex[col].degree = kMatched;
  }

  // v has just been matched: each of its neighbours has one unmatched neighbour fewer.
  void remove(const Side& side, Id v, Side& other_side, bool others_are_cols) {
    const Offset first = side.vertex[v].start;
    const Offset last = side.vertex[v + 1].start;
    for (Offset k = first; k < last; ++k) {
      const Id u = side.neighbour[k];
      Vertex& other = other_side.vertex[u];
      other.others ^= v;
      if (--other.degree == 1) {
        queue_.push_back(others_are_cols ? ~u : u);
        prefetch(&side.vertex[other.others]);
      }
    }
    scans_ += last - first;
    run_.spend(last - first + 1);
  }

  Id first_unmatched_row(Id col) {
    Offset k = cols_.vertex[col].start;
    while (rows_.vertex[cols_.neighbour[k]].degree <= 0) ++k;
    scans_ += k - cols_.vertex[col].start + 1;
    return cols_.neighbour[k];
  }

  // The queue a few places ahead: the vertex, then its partner, then the partner's list, then what the
  // partner's removal will write.
  void prefetch_queue() {
    const size_t ahead = queue_.size() - head_;
    if (ahead > 16) {
      const Id waiting = queue_[head_ + 16];
      prefetch(waiting < 0 ? &cols_.vertex[~waiting] : &rows_.vertex[waiting]);
    }
    if (ahead > 10)
      with_partner(queue_[head_ + 10], [](const Side& side, Id u, Side&) { prefetch(&side.vertex[u]); });
    if (ahead > 5)
      with_partner(queue_[head_ + 5],
                   [](const Side& side, Id u, Side&) { prefetch(&side.neighbour[side.vertex[u].start]); });
    if (ahead > 2) with_partner(queue_[head_ + 2], prefetch_neighbours);
  }

  template <class Visit>
  void with_partner(Id waiting, Visit visit) {
    Side& side = waiting < 0 ? cols_ : rows_;
    Side& other_side = waiting < 0 ? rows_ : cols_;
    const Vertex& vertex = side.vertex[waiting < 0 ? ~waiting : waiting];
    if (vertex.degree == 1) visit(other_side, vertex.others, side);
  }

  static void prefetch_neighbours(const Side& side, Id v, Side& other_side) {
    const Offset first = side.vertex[v].start;
    const Offset last = side.vertex[v + 1].start;
    for (Offset k = first; k < last && k < first + 8; ++k)
      prefetch_to_write(&other_side.vertex[side.neighbour[k]]);
  }

  // The columns that the sweep is about to reach: the rows of their lists, then one row's own list.
  void prefetch_choices(Id col) {
    if (col + 12 < cols_.count && cols_.vertex[col + 12].degree > 0)
      prefetch_neighbours(cols_, col + 12, rows_);
    if (col + 6 < cols_.count && cols_.vertex[col + 6].degree > 0) {
      const Vertex& row = rows_.vertex[cols_.neighbour[cols_.vertex[col + 6].start]];
      if (row.degree > 0) prefetch(&rows_.neighbour[row.start]);
    }
  }

  Side rows_, cols_;
  const size_t patience_;
  Run& run_;
  std::vector<Id> queue_;
  size_t head_ = 0;
  int64_t scans_ = 0;
};

}  // namespace

template <class Id, class Offset>
void karp_sipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  KarpSipser<Id, Offset> start(graph, mates, knobs.integer("patience"), run);
  run.count("start_arc_scans", start.match(mates));
}

KONIG_INSTANTIATE_SOLVER(karp_sipser)

}  // namespace konig
