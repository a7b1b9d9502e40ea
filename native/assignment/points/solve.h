// Assignment between two sets of points in memory that is linear in the points.
//
// A sparse core and prices, as in T. Volgenant, Linear and semi-assignment problems: a core oriented
// approach, Computers & Operations Research 23 (1996), without the matrix: costs are computed when they are
// needed (metric.h), and a k-d tree with weights finds the pairs that undercut duals (search.h). The duals
// come from coarser problems. Four points each, neighbours in the tree, are replaced by their mean, on both
// sides: as many on each, so that the coarser problem is an assignment, too. Its duals tell which pairs the
// core needs, however far points have to travel; its pairs, split up, make the core feasible.
//
// Minimises; 1 <= rows <= cols, all numbers are finite, and no cost exceeds 2^900.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment/points/metric.h"
#include "core/run.h"

namespace konig {

struct PointTask {
  const double *x = nullptr, *y = nullptr;  // point after point
  int64_t rows = 0, cols = 0, dimension = 0;
  Metric metric = Metric::euclidean;
  int threads = 1;
};

struct PointAnswer {
  int64_t* col_of_row = nullptr;
  double* row_dual = nullptr;
  double* col_dual = nullptr;
  double total = 0, gap = 0;
};

void assign_points(const PointTask& task, PointAnswer& answer, Run& run);

// In many dimensions the mean of points far from each other is far from all: no coarser problem is like
// theirs. Lists of a few nearest columns have all that matters to few rows.
bool has_coarser_points(int64_t rows, int64_t dimension);

// The points of a coarser problem: the means of four points each, neighbours in the tree.
std::vector<double> coarser_points(const double* points, int64_t count, int64_t dimension, Run& run);

// Column duals to start from by the row duals and the pairs of the coarser problem. Returns what the dearest
// pair costs if the points of its pairs are paired.
double start_from_coarser(const PointTask& task, const double* coarse_row_dual,
                          const int64_t* coarse_col_of_row, double* col_dual, Run& run);

// Of an answer that another solver found, with column duals that prove it but for rounding: its row duals,
// its cost and the gap. It is improved where the gap is too large.
void prove_points(const PointTask& task, PointAnswer& answer, Run& run);

}  // namespace konig
