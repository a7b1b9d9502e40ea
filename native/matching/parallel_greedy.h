// Simple greedy matching (SGM) on several threads: each unmatched column claims the first unmatched row of
// its list.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", §2.2. As
// konig/matching/greedy.h, for threads only and with an eye on matrices in natural order.
//
// A sweep over the columns of a mesh leaves unmatched columns and unmatched rows close together, just ahead
// of it. Workers that start in the middle of the mesh spoil that: where two sweeps touch, one takes rows that
// the other needs, and what is missing turns up at the other end of the stretch, a path through half the mesh
// away. So a worker has one stretch of neighbouring columns, and where far more of its entries lie in the
// rows of the same stretch than in a random order (natural order), it first takes those rows only: then no
// stretch owes another anything. Columns that are still unmatched then take any row.
//
// Where a square pattern seems to have a full diagonal, `auto` takes that first: the stretches of a pattern
// in which it is the only perfect matching (HiLo graphs) leave a path as long as a stretch at every seam.
//
// A row goes from -1 to its column once, by compare_exchange; only the column's own worker writes row_of_col.
// A column is left unmatched only after each of its rows was seen taken. One worker finds what SGM finds.
//
// Reads columns.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/deal.h"
#include "core/pattern.h"
#include "core/prefetch.h"
#include "konig/bsp/team.h"

namespace konig {

template <class Id, class Offset>
struct GreedyWorker {
  const Pattern<Id, Offset>& graph;
  const Mates<Id> mates;
  bsp::CpuTeam& team;
  int64_t scans = 0;
  int64_t kept = 0;       // columns of the stretch that were matched before
  int64_t matched = 0;    // and those that are now
  bool diagonal = false;  // whether it was taken, the same for all

  void run(bool diagonal_first = false) {
    const Share cols(graph.cols, team), rows(graph.rows, team);
    kept = matched_in(cols);
    diagonal = diagonal_first && graph.rows == graph.cols && has_diagonal(cols);
    if (diagonal) {
      take_diagonal(cols);
      team.barrier();
    } else if (team.count() > 1 && in_natural_order(cols, rows)) {
      sweep(cols, rows);
      team.barrier();
    }
    sweep(cols, Share{0, graph.rows});
    matched = matched_in(cols);
  }

 private:
  static constexpr int64_t kAhead = 16;
  static constexpr int64_t kSamples = 256;
  static constexpr Offset kDiagonalScans = 64;  // entries of a list in which it is looked for

  int64_t matched_in(const Share& cols) const {
    int64_t count = 0;
    for (int64_t col = cols.first; col < cols.last; ++col) count += mates.row_of_col[col] >= 0;
    return count;
  }

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

  void sweep(const Share& cols, const Share& rows) {
    for (int64_t col = cols.first; col < cols.last && !team.cut(); ++col) {
      if (col + kAhead < cols.last) prefetch_rows(col + kAhead);
      if (mates.row_of_col[col] < 0) match(Id(col), rows);
    }
  }

  void prefetch_rows(int64_t col) {
    const Offset first = graph.of_col.start[col];
    const Offset last = std::min<Offset>(graph.of_col.start[col + 1], first + 3);
    for (Offset k = first; k < last; ++k) prefetch(&mates.col_of_row[graph.of_col.neighbour[k]]);
  }

  void match(Id col, const Share& rows) {
    const Offset first = graph.of_col.start[col], last = graph.of_col.start[col + 1];
    Offset k = first;
    while (k < last) {
      const Id row = graph.of_col.neighbour[k++];
      if (!rows.has(row) || bsp::load(&mates.col_of_row[row]) >= 0) continue;
      if (bsp::compare_exchange(&mates.col_of_row[row], Id(-1), col) != -1) continue;
      mates.row_of_col[col] = row;
      break;
    }
    scans += k - first;
    team.spend(k - first + 1);
  }
};

}  // namespace konig
