// What the stress programs of the assignment algorithms share: random costs, and what is required of an
// answer: duals for an assignment, a Hall violator where there is none.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "konig/assignment/costs.h"
#include "random_graphs.h"

struct CostProblem {
  int rows, cols;
  std::vector<double> cost;  // whole numbers, or infinity

  konig::assignment::Tile<double> tile() const { return {{cost.data(), cols, {0.0, 1.0, 1.0}}}; }
  bool allowed(int i, int j) const { return std::isfinite(cost[size_t(i) * cols + j]); }
  long long value(int i, int j) const { return (long long)cost[size_t(i) * cols + j]; }
};

inline CostProblem random_costs(Random& random) {
  CostProblem problem;
  const bool is_strip = random() % 6 == 0;  // fewer rows than workers
  problem.rows = 1 + int(random() % (is_strip ? 2 : 24));
  problem.cols = problem.rows + int(is_strip ? random() % 80 : random() % 3 == 0 ? random() % 20 : 0);
  const int top = random() % 2 ? 4 : 1000;
  const unsigned forbidden = random() % 3 == 0 ? random() % 100 : 0;  // percent
  for (int k = 0; k < problem.rows * problem.cols; ++k)
    problem.cost.push_back(random() % 100 < forbidden ? std::numeric_limits<double>::infinity()
                                                      : double(random() % unsigned(top)));
  return problem;
}

// The solver has col_of_row, row_of_col, row_dual and col_dual.
template <class Solver>
void require_optimal(const CostProblem& p, const Solver& s) {
  for (int i = 0; i < p.rows; ++i) {
    require(s.col_of_row[i] >= 0 && s.row_of_col[s.col_of_row[i]] == i, "not an assignment");
    for (int j = 0; j < p.cols; ++j) {
      if (!p.allowed(i, j)) continue;
      require(s.row_dual[i] + s.col_dual[j] <= p.value(i, j), "duals exceed a cost");
    }
    const int j = s.col_of_row[i];
    require(p.allowed(i, j) && s.row_dual[i] + s.col_dual[j] == p.value(i, j), "a pair is not tight");
  }
  for (int j = 0; j < p.cols && p.rows < p.cols; ++j)
    require(s.row_of_col[j] < 0 ? s.col_dual[j] == 0 : s.col_dual[j] <= 0,
            "a column's dual has the wrong sign");
}

// The rows and columns that are marked: has(mark of one).
template <class Marks, class Has>
void require_violator(const CostProblem& p, const Marks& of_rows, const Marks& of_cols, Has has) {
  int rows = 0, cols = 0;
  for (int j = 0; j < p.cols; ++j) cols += has(of_cols[j]);
  for (int i = 0; i < p.rows; ++i) {
    if (!has(of_rows[i])) continue;
    ++rows;
    for (int j = 0; j < p.cols; ++j)
      require(!p.allowed(i, j) || has(of_cols[j]), "the violator has another neighbour");
  }
  require(rows > cols, "no violator");
}
