// Assignments ranked by their costs: K. G. Murty, An algorithm for ranking all the assignments in order of
// increasing cost, Operations Research 16, 1968, with the partition of E. L. Lawler, Management Science 18,
// 1972, and the shortcuts of M. L. Miller, H. S. Stone and I. J. Cox, Optimizing Murty's ranked assignment
// method, IEEE Transactions on Aerospace and Electronic Systems 33, 1997.
//
// Minimises; rows <= cols. A cell is the set of assignments that have some pairs (forced) and do not have
// some others (forbidden). A node is a cell with its cheapest assignment. The rest of the cell is the
// disjoint union of its children: child p forbids the pair of the p-th row in the node's order, and forces
// the pairs of the rows before it. A child's cheapest assignment is one shortest augmenting path away from
// that of its node, and costs more by the length of the path.
//
// Deviations, all of which leave the answers as they are:
// - A child waits in the queue with a lower bound, and is searched when that is the least key. The order of
//   a node is by falling bounds: large cells have large bounds, and are rarely opened.
// - Only the next child of a node waits, and none beyond the k-th least cost that is known.
// - Costs are counted from the duals of the first assignment, and each row lists its entries by rising
//   reduced cost. Column duals only fall, so a search ends a row where its list exceeds the best path.
// - On a rectangle the columns without a row belong to one spare row, as in exact/repair.h.
//
// All numbers are integers, multiples of a power of two for reals: nothing is rounded, ties are ties.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/run.h"

namespace konig {

// The largest exponent such that all finite numbers are multiples of 2^exponent, 0 if all are 0; and how many
// bits the largest of them has then.
struct UnitOfReals {
  int exponent = 0, bits = 0;
};
UnitOfReals unit_of(const double* numbers, int64_t count);

// What is ranked, and where to start. Infinite reals are forbidden pairs.
template <class S>
struct RankingTask {
  int64_t rows = 0, cols = 0;
  std::vector<int64_t> start;  // of each row's entries; empty if the costs are dense
  std::vector<int32_t> col;
  std::vector<S> cost;  // int64_t or double
  bool negate = false;
  int exponent = 0;                 // reals are multiples of 2^exponent
  bool wide = false;                // whether sums may exceed some 2^120 of these units
  std::vector<int32_t> col_of_row;  // an assignment of all rows
  std::vector<S> col_dual;  // near those that prove it; on a rectangle at most 0, and 0 on columns left over
  int64_t most = -1;        // assignments that will be asked for; -1 for any number
};

// Integers of any size: two's complement, `words` words each, the lowest first.
struct Numbers {
  int words = 1;
  std::vector<uint64_t> word;
};

class Ranking {
 public:
  // What proves that no other assignment of a cell is cheaper. On a rectangle no column's dual is above that
  // of the columns without a row, `spare`.
  struct Duals {
    Numbers row, col, spare;
  };
  // By how much duals move: those of some rows up, those of some columns and the spare one down.
  struct Moves {
    std::vector<int32_t> row, col;
    Numbers of_row, of_col, of_spare;
  };
  // An assignment that was found, with its cell: the child `position` of `parent`, or all of it if that is
  // -1.
  struct Place {
    int64_t parent = -1, position = -1;
  };

  virtual ~Ranking() = default;
  // Finds the next assignment; false if there is none. After an exception it can be called again.
  virtual bool next(Run& run) = 0;
  virtual int64_t found() const = 0;
  virtual Place place(int64_t node) const = 0;
  virtual const std::vector<int32_t>& col_of_row(int64_t node) const = 0;
  // The rows that are free in the node's cell, in the order of its children.
  virtual const std::vector<int32_t>& order(int64_t node) const = 0;
  // In units of 2^exponent, of what is minimised.
  virtual Numbers cost(int64_t node) const = 0;
  // As the costs were given, rounded to the nearest float64.
  virtual double nearest_cost(int64_t node) const = 0;
  virtual Duals duals(int64_t node) const = 0;
  // From a node's duals to those of the part of its cell that does not have the pair of the child `position`,
  // and has the pairs of the first `forced` children: they prove that it costs at least `needed` more than
  // the node, or as much more as its cheapest assignment does.
  virtual Moves child_moves(int64_t node, int64_t position, int64_t forced, const Numbers& needed,
                            Run& run) = 0;
  virtual int64_t searches() const = 0;
};

template <class S>
std::unique_ptr<Ranking> make_ranking(RankingTask<S> task, Run& run);

}  // namespace konig
