// Runs the assignment solvers over random costs, for a build with a sanitiser. Exit status 0 means that the
// duals of every answer proved it, that infeasible problems were refused, and that a caller who gives up gets
// away.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "assignment/batch.h"
#include "assignment/sparse/task.h"
#include "assignment/task.h"

namespace {

using namespace konig;
using Random = std::mt19937;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

// Every stage by itself and together, with limits that small problems reach.
DensePlan plan_of(bool common_cost, bool core, bool reduce_before_core, Auction auction) {
  DensePlan plan;
  plan.common_cost = common_cost;
  plan.core = core;
  plan.reduce_before_core = reduce_before_core;
  plan.auction = auction;
  plan.easy_scans = 1;
  plan.pricing_rounds = 10;
  plan.added = 16;
  return plan;
}
const DensePlan kPlans[] = {
    plan_of(false, false, false, Auction::never), plan_of(false, false, false, Auction::always),
    plan_of(true, false, false, Auction::if_paths_are_long),
    plan_of(true, true, true, Auction::if_paths_are_long), plan_of(true, true, false, Auction::always)};

template <class S>
S draw(Random& random, int64_t range) {
  if constexpr (std::is_integral_v<S>) return S(int64_t(random() % uint64_t(2 * range + 1)) - range);
  return S(double(int64_t(random() % uint64_t(2 * range + 1)) - range) / 3);
}

template <class S>
double largest_of(const std::vector<S>& cost) {
  double largest = 0;
  for (const S c : cost)
    if (std::isfinite(double(c))) largest = std::max(largest, std::abs(double(c)));
  return largest;
}

template <class S>
struct Answer {
  Answer(int64_t rows, int64_t cols)
      : row_ind(std::min(rows, cols)), col_ind(row_ind.size()), row_dual(rows), col_dual(cols) {}
  DenseAnswer<S> view() { return {row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data()}; }
  std::vector<int64_t> row_ind, col_ind;
  std::vector<DualOf<S>> row_dual, col_dual;
};

template <class S>
void require_proof(const DenseTask<S>& task, double largest, const Answer<S>& answer) {
  const double room = std::is_integral_v<S> ? 0 : 1e-6 * (1 + largest);
  const double sign = task.maximize ? -1 : 1;
  std::vector<uint8_t> row_used(task.rows), col_used(task.cols);
  for (size_t k = 0; k < answer.row_ind.size(); ++k) {
    const int64_t i = answer.row_ind[k], j = answer.col_ind[k];
    require(!row_used[i] && !col_used[j], "an assignment");
    row_used[i] = col_used[j] = 1;
    const double slack =
        double(task.cost[i * task.cols + j]) - double(answer.row_dual[i]) - double(answer.col_dual[j]);
    require(std::abs(slack) <= room, "a tight pair");
  }
  for (int64_t i = 0; i < task.rows; ++i)
    for (int64_t j = 0; j < task.cols; ++j)
      require(sign * (double(task.cost[i * task.cols + j]) - double(answer.row_dual[i]) -
                      double(answer.col_dual[j])) >=
                  -room,
              "feasible duals");
}

template <class S>
void dense(Random& random, int64_t most) {
  const int64_t rows = random() % most, cols = random() % 3 ? int64_t(random() % most) : rows;
  std::vector<S> cost(rows * cols);
  const int64_t ranges[] = {1, 10, 1000, 1000000};
  const int64_t range = ranges[random() % 4];
  for (S& c : cost) c = draw<S>(random, range);
  for (const DensePlan& plan : kPlans) {
    DenseTask<S> task{cost.data(), rows, cols, random() % 2 == 0};
    task.plan = plan;
    task.threads = 1 + int(random() % 3);
    Answer<S> answer(rows, cols);
    DenseAnswer<S> view = answer.view();
    HallViolator violator;
    CostCheck check;
    Run run;
    require(solve_dense(task, view, violator, check, run) == Outcome::optimal, "an optimal answer");
    require_proof(task, largest_of(cost), answer);
    task.initial_row_dual = answer.row_dual.data();
    task.initial_col_dual = answer.col_dual.data();
    Answer<S> again(rows, cols);
    view = again.view();
    require(solve_dense(task, view, violator, check, run) == Outcome::optimal,
            "an optimal answer from a warm start");
    require_proof(task, largest_of(cost), again);
  }
}

void sparse(Random& random, int64_t most) {
  const int64_t rows = 1 + random() % most, cols = rows + (random() % 2 ? random() % most : 0);
  std::vector<int64_t> start{0};
  std::vector<int32_t> col;
  std::vector<double> cost;
  const bool planted = random() % 2;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      if (!(planted && i == j) && random() % uint64_t(cols) >= 4) continue;
      col.push_back(int32_t(j));
      cost.push_back(draw<double>(random, 100));
    }
    start.push_back(int64_t(col.size()));
  }
  std::vector<int64_t> col_of_row(rows);
  std::vector<double> row_dual(rows), col_dual(cols);
  SparseTask<double> task;
  task.costs = {rows, cols, start.data(), col.data(), cost.data()};
  task.largest = largest_of(cost);
  SparseAnswer<double> answer{col_of_row.data(), row_dual.data(), col_dual.data()};
  HallViolator violator;
  Run run;
  const Outcome outcome = sparse_jv(task, answer, violator, run);
  require(!planted || outcome == Outcome::optimal, "a full assignment where one was planted");
  if (outcome == Outcome::infeasible) {
    const auto marked = [](const std::vector<uint8_t>& lines) {
      return std::count(lines.begin(), lines.end(), 1);
    };
    // Rows with too few columns, or on a square columns with too few rows.
    const bool by_rows = marked(violator.rows) > marked(violator.cols);
    require(by_rows || (rows == cols && marked(violator.rows) < marked(violator.cols)), "a violator");
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t e = start[i]; e < start[i + 1]; ++e) {
        const bool row = violator.rows[i], column = violator.cols[col[e]];
        require(by_rows ? !row || column : !column || row, "all partners of the violator");
      }
    return;
  }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t e = start[i]; e < start[i + 1]; ++e) {
      const double slack = cost[e] - row_dual[i] - col_dual[col[e]];
      require(slack >= -1e-6, "feasible duals on lists");
      require(col[e] != col_of_row[i] || std::abs(slack) <= 1e-6, "a tight pair on lists");
    }
}

void batch(Random& random) {
  const int64_t problems = random() % 40, rows = random() % 9, cols = random() % 9;
  std::vector<float> cost(problems * rows * cols);
  for (float& c : cost) c = draw<float>(random, 50);
  std::vector<int64_t> row_counts(problems), col_counts(problems);
  for (int64_t b = 0; b < problems; ++b) {
    row_counts[b] = random() % uint64_t(rows + 1);
    col_counts[b] = random() % uint64_t(cols + 1);
  }
  const int64_t side = std::min(rows, cols);
  std::vector<int64_t> row_ind(problems * side, -1), col_ind(problems * side, -1);
  std::vector<double> row_dual(problems * rows), col_dual(problems * cols), total(problems), gap(problems);
  DenseBatch<float> task;
  task.cost = cost.data();
  task.problems = problems;
  task.rows = rows;
  task.cols = cols;
  task.row_counts = row_counts.data();
  task.col_counts = col_counts.data();
  task.threads = 3;
  std::vector<uint8_t> unsolved(problems, 1);
  const BatchAnswer<float> answer{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data(),
                                  total.data(),   gap.data(),     unsolved.data()};
  Run run;
  require(solve_batch(task, answer, run) == -1, "no bad cost");
  for (const uint8_t failed : unsolved) require(!failed, "every problem solved");
}

void give_up(Random& random) {
  const int64_t n = 700;
  std::vector<double> cost(n * n);
  for (int64_t k = 0; k < n * n; ++k) cost[k] = double((k / n + 1) * (k % n + 1)) + draw<double>(random, 3);
  for (const DensePlan& plan : kPlans) {
    DenseTask<double> task{cost.data(), n, n, false};
    task.plan = plan;
    task.threads = 2;
    Answer<double> answer(n, n);
    DenseAnswer<double> view = answer.view();
    HallViolator violator;
    CostCheck check;
    Run run([](const Run&) { throw std::runtime_error("stop"); });
    try {
      solve_dense(task, view, violator, check, run);
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int trials = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(1);
  for (int trial = 0; trial < trials; ++trial) {
    const int64_t most = trial % 10 == 0 ? 90 : 14;
    dense<int32_t>(random, most);
    dense<int64_t>(random, most);
    dense<float>(random, most);
    dense<double>(random, most);
    sparse(random, most);
    batch(random);
  }
  give_up(random);
  std::printf("%d trials\n", trials);
}
