#include "assignment/points/solve.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/points/core.h"
#include "assignment/points/queries.h"
#include "assignment/sparse/augmenting_paths.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

struct Watch { std::chrono::steady_clock::time_point t0 = std::chrono::steady_clock::now(); double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count(); } };
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The points of one scale.
struct Level {
  PointSet x, y;
};

// Duals and pairs of one scale.
struct LevelAnswer {
  std::vector<double> row_dual, col_dual;
  std::vector<int32_t> col_of_row;
};

class PointSolver {
 public:
  PointSolver(const PointTask& task, Level& finest, Run& run)
      : task_(task), queries_(task.metric, task.threads), finest_(finest), run_(run) {}

  LevelAnswer solve() { return solve_level(finest_, true); }

 private:
  static constexpr int64_t kFewRows = 64;  // whose lists have all that matters
  int kNearest = std::getenv("KN") ? atoi(getenv("KN")) : 10, kAdded = std::getenv("KA") ? atoi(getenv("KA")) : 8;
  const bool talk = std::getenv("TALK");
  static constexpr int32_t kRare = 2;

  LevelAnswer solve_level(Level& level, bool is_finest) {
    const int64_t rows = level.x.count;
    LevelAnswer coarse;
    std::vector<PointPair> pairs;
    std::vector<double> start;
    if (rows > kFewRows) {
      Level coarser{level.x.coarser(), level.y.coarser()};
      coarse = solve_level(coarser, false);
      pairs = split_pairs(level, coarse.col_of_row);
      start = transformed(level, coarser, coarse);
      coarse = {};
    }
    return solve_from(level, start, pairs, is_finest);
  }

  // The pairs of the points of each coarse pair; rows that are left over get columns that are.
  std::vector<PointPair> split_pairs(const Level& level, const std::vector<int32_t>& coarse) const {
    std::vector<PointPair> pairs;
    std::vector<uint8_t> taken(size_t(level.y.count), 0);
    std::vector<int32_t> left;
    for (int64_t i = 0; i < level.x.count; ++i) {
      const int64_t j = 4 * int64_t(coarse[i / 4]) + i % 4;
      if (j >= level.y.count) {
        left.push_back(int32_t(i));
        continue;
      }
      taken[j] = 1;
      pairs.push_back({int32_t(i), int32_t(j), queries_.cost(level.x, i, level.y, j)});
    }
    int32_t j = 0;
    for (const int32_t i : left) {
      while (taken[j]) ++j;
      pairs.push_back({i, j, queries_.cost(level.x, i, level.y, j)});
      ++j;
    }
    return pairs;
  }

  // Column duals by those of the coarser rows: the largest that these allow.
  std::vector<double> transformed(Level& level, Level& coarser, const LevelAnswer& coarse) {
    std::vector<double> dual(size_t(level.y.count));
    coarser.x.set_weights(coarse.row_dual.data());
    queries_.lowest(level.y, coarser.x, dual.data(), run_);
    if (level.x.count < level.y.count)
      for (double& of : dual) of = std::min(of, 0.0);
    return dual;
  }

  LevelAnswer solve_from(Level& level, std::vector<double>& col_dual, std::vector<PointPair>& pairs,
                         bool is_finest) {
    const int64_t rows = level.x.count, cols = level.y.count;
    Watch watch;
    double t_core = 0, t_solve = 0;
    const bool is_first = col_dual.empty();
    if (is_first) col_dual.assign(size_t(cols), 0.0);
    PointCore core(rows, cols);
    Neighbours found;
    level.y.set_weights(col_dual.data());
    queries_.nearest(level.x, level.y, is_first ? rows : kNearest, nullptr, found, run_);
    if (!is_first) serve_rare_columns(level, found, col_dual, pairs);
    core.add(found, pairs);
    t_core = watch.seconds();
    SparseAugmentingPaths<double, double> paths;
    paths.prepare(core.costs());
    if (is_first) {
      paths.solve(run_);
    } else {
      for (int64_t j = 0; j < cols; ++j) paths.set_col_dual(j, col_dual[j]);
      paths.solve_from_duals(run_);
    }
    t_solve += watch.seconds() - t_core;
    if (talk) fprintf(stderr, "level %ld: core %ld entries %.3f s, solve %.3f s: reduced %ld phases %ld paths %ld two %ld scans %ld\n", long(rows),
        long(core.entries()), t_core, t_solve, long(paths.counts().reduced_rows), long(paths.counts().phases), long(paths.counts().paths), long(paths.counts().two_sided_paths), long(paths.counts().entry_scans));
    LevelAnswer answer;
    for (int rounds = 0;; ++rounds) {
      take(paths, rows, cols, answer);
      if (!is_finest && rounds == 1) break;
      const double t0 = watch.seconds();
      const int64_t count = undercutting(level, answer, found);
      const double t1 = watch.seconds();
      if (count == 0) break;
      pairs.clear();
      core.add(found, pairs);
      paths.solve_again(core.costs(), run_);
      const double t2 = watch.seconds();
      if (talk) fprintf(stderr, "   priced %.3f s: %ld, solved %.3f phases %ld paths %ld two %ld scans %ld\n", t1 - t0, long(count), t2 - t1, long(paths.counts().phases), long(paths.counts().paths), long(paths.counts().two_sided_paths), long(paths.counts().entry_scans));
    }
    return answer;
  }

  // Columns that are in few lists get their nearest rows.
  void serve_rare_columns(Level& level, const Neighbours& found, const std::vector<double>& col_dual,
                          std::vector<PointPair>& pairs) {
    std::vector<int32_t> degree(size_t(level.y.count), 0);
    std::vector<double> row_dual(size_t(level.x.count));
    for (int64_t i = 0; i < level.x.count; ++i) {
      for (int64_t e = i * found.most; e < i * found.most + found.count[i]; ++e) ++degree[found.id[e]];
      row_dual[i] = found.cost[i * found.most] - col_dual[found.id[i * found.most]];
    }
    if (level.x.count < level.y.count) return;
    std::vector<double> bound(size_t(level.y.count));
    for (int64_t j = 0; j < level.y.count; ++j) bound[j] = degree[j] < kRare ? kInfinity : -kInfinity;
    Neighbours rows;
    level.x.set_weights(row_dual.data());
    queries_.nearest(level.y, level.x, 4, bound.data(), rows, run_);
    for (int64_t j = 0; j < level.y.count; ++j)
      for (int64_t e = j * rows.most; e < j * rows.most + rows.count[j]; ++e)
        pairs.push_back({rows.id[e], int32_t(j), rows.cost[e]});
  }

  template <class Paths>
  static void take(const Paths& paths, int64_t rows, int64_t cols, LevelAnswer& answer) {
    answer.row_dual.resize(size_t(rows));
    answer.col_dual.resize(size_t(cols));
    answer.col_of_row.resize(size_t(rows));
    for (int64_t i = 0; i < rows; ++i) {
      answer.row_dual[i] = paths.row_dual(i);
      answer.col_of_row[i] = paths.col_of_row(i);
    }
    for (int64_t j = 0; j < cols; ++j) answer.col_dual[j] = paths.col_dual(j);
  }

  // Pairs that cost less than the sum of their duals, by more than the rounding of a difference.
  int64_t undercutting(Level& level, const LevelAnswer& answer, Neighbours& found) {
    std::vector<double> bound(answer.row_dual);
    for (double& of : bound) of -= 0x1p-51 * std::abs(of);
    level.y.set_weights(answer.col_dual.data());
    queries_.nearest(level.x, level.y, kAdded, bound.data(), found, run_);
    return std::accumulate(found.count.begin(), found.count.end(), int64_t(0));
  }

  const PointTask& task_;
  const PointQueries queries_;
  Level& finest_;
  Run& run_;
};

// As a proof reads them.
class PointRealCosts : public RealCosts {
 public:
  PointRealCosts(const PointTask& task, Level& level)
      : RealCosts(level.x.count, level.y.count), queries_(task.metric, task.threads), level_(level) {
    rows_at_a_time = 256;
  }

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    for (int64_t i = 0; i < rows; ++i) cost[i] = queries_.cost(level_.x, i, level_.y, col_of_row[i]);
  }
  void find_lowest(const double* col_dual, double* lowest, Run& run) const override {
    level_.y.set_weights(col_dual);
    queries_.lowest(level_.x, level_.y, lowest, run);
  }
  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    if (!are_fetched(asked, col_dual, bound)) return ask(asked, col_dual, bound, run);
    Pairs found{{0}, {}};
    for (size_t k = 0; k < asked.size(); ++k) {
      for (int64_t e = fetched_.start[asked[k]]; e < fetched_.start[asked[k] + 1]; ++e)
        if (fetched_.cost[e] - col_dual[fetched_.id[e]] <= bound[k])
          found.pair.push_back({fetched_.id[e], fetched_.cost[e]});
      found.start.push_back(int64_t(found.pair.size()));
    }
    return found;
  }
  void fetch_pairs(const double* col_dual, const double* bound, Run& run) const override {
    fetched_ = {};
    std::vector<int32_t> all(size_t(rows), 0);
    std::iota(all.begin(), all.end(), 0);
    level_.y.set_weights(col_dual);
    fetched_ = queries_.within(level_.x, all.data(), rows, bound, level_.y, run);
    fetched_dual_.assign(col_dual, col_dual + cols);
    fetched_bound_.assign(bound, bound + rows);
  }

 private:
  Pairs ask(const std::vector<int32_t>& asked, const double* col_dual, const double* bound, Run& run) const {
    std::vector<int32_t> order(asked.size()), some;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return asked[a] < asked[b]; });
    std::vector<double> bounds;
    std::vector<int32_t> place(asked.size());
    for (size_t k = 0; k < order.size(); ++k) {
      some.push_back(asked[order[k]]);
      bounds.push_back(bound[order[k]]);
      place[order[k]] = int32_t(k);
    }
    level_.y.set_weights(col_dual);
    const auto within = queries_.within(level_.x, some.data(), int64_t(some.size()), bounds.data(), level_.y, run);
    Pairs found{{0}, {}};
    for (size_t k = 0; k < asked.size(); ++k) {
      for (int64_t e = within.start[place[k]]; e < within.start[place[k] + 1]; ++e)
        found.pair.push_back({within.id[e], within.cost[e]});
      found.start.push_back(int64_t(found.pair.size()));
    }
    return found;
  }

  // Rounding keeps the order of numbers: a pair beyond the bound is beyond a smaller one of smaller duals.
  bool are_fetched(const std::vector<int32_t>& asked, const double* col_dual, const double* bound) const {
    if (fetched_.start.empty()) return false;
    for (size_t k = 0; k < asked.size(); ++k)
      if (!(bound[k] <= fetched_bound_[asked[k]])) return false;
    bool larger = false;
    for (int64_t j = 0; j < cols; ++j) larger |= !(col_dual[j] <= fetched_dual_[j]);
    return !larger;
  }

  const PointQueries queries_;
  Level& level_;  // the weights of its points are those of the last question
  mutable PointQueries::Within fetched_;
  mutable std::vector<double> fetched_dual_, fetched_bound_;
};

PointSet sorted(const double* points, int64_t count, int64_t dimension, std::vector<int32_t>& order, Run& run) {
  TreeOrder tree(points, count, dimension);
  tree.sort(run);
  order = std::move(tree.order);
  std::vector<double> in_order;
  in_order.reserve(size_t(count * dimension));
  for (const int32_t p : order)
    in_order.insert(in_order.end(), points + p * dimension, points + (p + 1) * dimension);
  return PointSet(std::move(in_order), dimension);
}

}  // namespace

void assign_points(const PointTask& task, PointAnswer& answer, Run& run) {
  std::vector<int32_t> row_at, col_at;  // which point is at each place of the trees
  const bool talk = getenv("TALK");
  Watch watch;
  Level finest{sorted(task.x, task.rows, task.dimension, row_at, run),
               sorted(task.y, task.cols, task.dimension, col_at, run)};
  if (talk) fprintf(stderr, "trees %.3f\n", watch.seconds());
  LevelAnswer found = PointSolver(task, finest, run).solve();
  if (talk) fprintf(stderr, "solved %.3f\n", watch.seconds());
  const PointRealCosts costs(task, finest);
  RealAnswer proved{found.col_of_row.data(), found.row_dual.data(), found.col_dual.data(), {}};
  if (task.rows < task.cols) {
    std::vector<uint8_t> taken(size_t(task.cols), 0);
    for (const int32_t j : found.col_of_row) taken[j] = 1;
    for (int64_t j = 0; j < task.cols; ++j)
      if (!taken[j]) found.col_dual[j] = 0.0;
  }
  run.count("exact_solves", prove_or_solve_exactly(costs, proved, run));
  answer.gap = proved.proof.gap;
  std::vector<double> cost(size_t(task.rows));
  costs.find_costs(found.col_of_row.data(), cost.data());
  answer.total = total_of<double>(task.rows, [&](int64_t i) { return cost[i]; });
  for (int64_t i = 0; i < task.rows; ++i) {
    answer.col_of_row[row_at[i]] = col_at[found.col_of_row[i]];
    answer.row_dual[row_at[i]] = found.row_dual[i];
  }
  for (int64_t j = 0; j < task.cols; ++j) answer.col_dual[col_at[j]] = found.col_dual[j];
  if (talk) fprintf(stderr, "proved %.3f\n", watch.seconds());
}

}  // namespace konig
