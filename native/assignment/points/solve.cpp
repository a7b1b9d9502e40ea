#include "assignment/points/solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "assignment/exact/core.h"
#include "assignment/points/core.h"
#include "assignment/points/line.h"
#include "assignment/points/paths.h"
#include "assignment/points/queries.h"
#include "assignment/points/real_costs.h"
#include "assignment/sums.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kFewRows = 64;  // lists of so many nearest columns have all that matters

// Duals and pairs of one scale.
struct LevelAnswer {
  std::vector<double> row_dual, col_dual;
  std::vector<int32_t> col_of_row;
};

struct PointCounts {
  int64_t levels = 0, core_entries = 0, pricing_rounds = 0, paths = 0, entry_scans = 0;
  double search_seconds = 0, path_seconds = 0;
};

// The pairs that undercut duals, round after round. A pair that did not in the last round does so now only if
// one of its duals has risen: only such rows and columns are searched for.
class Pricing {
 public:
  Pricing(const PointQueries& queries, Level& level)
      : queries_(queries),
        level_(level),
        row_before_(size_t(level.x.count), -kInfinity),
        col_before_(size_t(level.y.count), -kInfinity) {}

  // Into `found`, the best of each row, and `pairs`, the best of each column; how many there are.
  int64_t undercutting(const LevelAnswer& answer, Neighbours& found, std::vector<PointPair>& pairs,
                       Run& run) {
    const auto& [row_dual, col_dual, _] = answer;
    level_.y.set_weights(col_dual.data());
    int64_t count = search(level_.x, level_.y, row_dual, row_before_, found, run);
    pairs.clear();
    if (is_first_) {
      col_before_ = col_dual;  // every row was searched for
    } else {
      level_.x.set_weights(row_dual.data());
      Neighbours rows;
      count += search(level_.y, level_.x, col_dual, col_before_, rows, run);
      for (int64_t j = 0; j < level_.y.count; ++j)
        for (int64_t e = j * rows.most; e < j * rows.most + rows.count[j]; ++e)
          pairs.push_back({rows.id[e], int32_t(j), rows.cost[e]});
    }
    is_first_ = false;
    return count;
  }

 private:
  static constexpr int64_t kAdded = 8;  // pairs that a point gets in one round, at most

  // By more than the rounding of a difference.
  int64_t search(const PointSet& from, const PointSet& set, const std::vector<double>& dual,
                 std::vector<double>& before, Neighbours& found, Run& run) const {
    std::vector<double> bound(size_t(from.count), -kInfinity);
    for (int64_t i = 0; i < from.count; ++i)
      if (dual[i] > before[i]) bound[i] = dual[i] - 0x1p-51 * std::abs(dual[i]);
    queries_.nearest(from, set, kAdded, bound.data(), found, run);
    for (int64_t i = 0; i < from.count; ++i) before[i] = found.count[i] < kAdded ? dual[i] : -kInfinity;
    return std::accumulate(found.count.begin(), found.count.end(), int64_t(0));
  }

  const PointQueries& queries_;
  Level& level_;
  std::vector<double> row_before_, col_before_;
  bool is_first_ = true;
};

// On a square a constant may move between the sides: all column duals become of the size of their range, so
// that they lose few digits, and no pair has much smaller duals than its neighbours. (The proof holds a pair
// to the last places of its own duals, which larger ones next to it do not have.)
void fit_to_range(std::vector<double>& dual) {
  const auto [least, greatest] = std::minmax_element(dual.begin(), dual.end());
  const double shift = *greatest + (*greatest - *least) / 16;
  for (double& of : dual) of -= shift;
}

class PointSolver {
 public:
  PointSolver(const PointQueries& queries, Run& run) : queries_(queries), run_(run) {}

  // Coarser problems are solved to the end: duals that pairs undercut are a start that takes several times as
  // many scans.
  LevelAnswer solve(Level& level) {
    ++counts.levels;
    std::vector<PointPair> pairs;
    std::vector<double> col_dual;
    if (has_coarser_points(level.x.count, level.x.dimension)) {
      Level coarser{level.x.coarser(), level.y.coarser()};
      const LevelAnswer coarse = solve(coarser);
      pairs = split_pairs(level, coarse.col_of_row);
      col_dual = transformed(level, coarser, coarse);
    } else if (level.x.count > kFewRows) {
      for (int64_t i = 0; i < level.x.count; ++i)
        pairs.push_back({int32_t(i), int32_t(i), queries_.cost(level.x, i, level.y, i)});
    }
    return solve_from(level, col_dual, pairs);
  }

  // Column duals from the duals and pairs of a coarser problem, and what the dearest pair costs if the points
  // of its pairs are paired.
  std::pair<std::vector<double>, double> start_from(Level& level, Level& coarser, const LevelAnswer& coarse) {
    double dearest = 0;
    for (const PointPair& pair : split_pairs(level, coarse.col_of_row))
      dearest = std::max(dearest, pair.cost);
    return {transformed(level, coarser, coarse), dearest};
  }

  PointCounts counts;

 private:
  static constexpr int64_t kNearest = 10,
                           kFirst = 16;  // columns of a row in the first core, with and without duals
  static constexpr int64_t kNearestRows = 4, kRare = 2;  // that a column gets which is in fewer lists

  // The points of each coarse pair, paired; rows that are left over get columns that are.
  std::vector<PointPair> split_pairs(const Level& level, const std::vector<int32_t>& coarse) const {
    std::vector<PointPair> pairs;
    std::vector<uint8_t> taken(size_t(level.y.count), 0);
    std::vector<int32_t> left;
    const auto take = [&](int64_t i, int64_t j) {
      taken[j] = 1;
      pairs.push_back({int32_t(i), int32_t(j), queries_.cost(level.x, i, level.y, j)});
    };
    for (int64_t i = 0; i < level.x.count; ++i) {
      const int64_t j = kTogether * int64_t(coarse[i / kTogether]) + i % kTogether;
      if (j < level.y.count)
        take(i, j);
      else
        left.push_back(int32_t(i));
    }
    int64_t j = 0;
    for (const int32_t i : left) {
      while (taken[j]) ++j;
      take(i, j);
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
    else
      fit_to_range(dual);
    return dual;
  }

  // From these column duals, if there are any, with a core in which these pairs are.
  LevelAnswer solve_from(Level& level, std::vector<double>& col_dual, std::vector<PointPair>& pairs) {
    const int64_t rows = level.x.count, cols = level.y.count;
    Stopwatch watch;
    PointCore core(rows, cols);
    Neighbours found;
    const bool has_duals = !col_dual.empty();
    if (!has_duals) col_dual.assign(size_t(cols), 0.0);
    level.y.set_weights(col_dual.data());
    const int64_t nearest = rows <= kFewRows ? rows : has_duals ? kNearest : kFirst;
    queries_.nearest(level.x, level.y, nearest, nullptr, found, run_);
    if (rows > kFewRows && rows == cols) serve_rare_columns(level, found, col_dual, pairs);
    core.add(found, pairs);
    counts.search_seconds += watch.lap();

    PointPaths paths;
    paths.solve(core.costs(), col_dual, run_);
    LevelAnswer answer;
    Pricing pricing(queries_, level);
    counts.pricing_rounds = 0;
    while (true) {
      take(paths, rows, cols, answer);
      counts.path_seconds += watch.lap();
      ++counts.pricing_rounds;
      const int64_t more = pricing.undercutting(answer, found, pairs, run_);
      counts.search_seconds += watch.lap();
      const int64_t before = core.entries();
      if (more > 0) core.add(found, pairs);
      if (core.entries() == before) break;  // what rounding leaves is up to the proof
      paths.solve_again(core.costs(), run_);
    }
    counts.paths += paths.counts().paths;
    counts.entry_scans += paths.counts().entry_scans;
    counts.core_entries = core.entries();
    return answer;
  }

  // Columns that are in few lists get their nearest rows.
  void serve_rare_columns(Level& level, const Neighbours& found, const std::vector<double>& col_dual,
                          std::vector<PointPair>& pairs) {
    std::vector<int32_t> lists(size_t(level.y.count), 0);
    std::vector<double> row_dual(size_t(level.x.count)), bound(size_t(level.y.count));
    for (int64_t i = 0; i < level.x.count; ++i) {
      const int64_t first = i * found.most;
      for (int64_t e = first; e < first + found.count[i]; ++e) ++lists[found.id[e]];
      row_dual[i] = found.cost[first] - col_dual[found.id[first]];
    }
    for (int64_t j = 0; j < level.y.count; ++j) bound[j] = lists[j] < kRare ? kInfinity : -kInfinity;
    Neighbours rows;
    level.x.set_weights(row_dual.data());
    queries_.nearest(level.y, level.x, kNearestRows, bound.data(), rows, run_);
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

  const PointQueries& queries_;
  Run& run_;
};

PointSet sorted(const double* points, int64_t count, int64_t dimension, std::vector<int32_t>& order,
                Run& run) {
  TreeOrder tree(points, count, dimension);
  tree.sort(run);
  order = std::move(tree.order);
  std::vector<double> in_order;
  in_order.reserve(size_t(count * dimension));
  for (const int32_t p : order)
    in_order.insert(in_order.end(), points + p * dimension, points + (p + 1) * dimension);
  return PointSet(std::move(in_order), dimension);
}

void count(const PointCounts& counts, Run& run) {
  run.count("levels", counts.levels);
  run.count("core_entries", counts.core_entries);
  run.count("pricing_rounds", counts.pricing_rounds);
  run.count("paths", counts.paths);
  run.count("entry_scans", counts.entry_scans);
  run.count("search_seconds", counts.search_seconds);
  run.count("path_seconds", counts.path_seconds);
}

// The points of both sides in the order of their trees, and which point is at each place.
struct Ordered {
  Ordered(const PointTask& task, Run& run)
      : level{sorted(task.x, task.rows, task.dimension, row_at, run),
              sorted(task.y, task.cols, task.dimension, col_at, run)} {}

  std::vector<int32_t> row_at, col_at;
  Level level;
};

// Proves what was found, or improves it until it is proved, and gives it back in the order of the caller.
void prove(const PointQueries& queries, Ordered& points, LevelAnswer& found, PointAnswer& answer, Run& run) {
  Stopwatch watch;
  const auto& [row_at, col_at, level] = points;
  const int64_t rows = level.x.count, cols = level.y.count;
  const PointRealCosts costs(queries, points.level);
  RealAnswer proved{found.col_of_row.data(), found.row_dual.data(), found.col_dual.data(), {}};
  run.count("exact_solves", prove_or_solve_exactly(costs, proved, run));
  answer.gap = proved.proof.gap;
  std::vector<double> cost(size_t(rows), 0.0);
  costs.find_costs(found.col_of_row.data(), cost.data());
  answer.total = total_of<double>(rows, [&](int64_t i) { return cost[i]; });
  for (int64_t i = 0; i < rows; ++i) {
    answer.col_of_row[row_at[i]] = col_at[found.col_of_row[i]];
    answer.row_dual[row_at[i]] = found.row_dual[i];
  }
  for (int64_t j = 0; j < cols; ++j) answer.col_dual[col_at[j]] = found.col_dual[j];
  run.count("proof_seconds", watch.lap());
}

}  // namespace

bool has_coarser_points(int64_t rows, int64_t dimension) {
  return rows > kFewRows && dimension <= kFewDimensions;
}

void assign_points(const PointTask& task, PointAnswer& answer, Run& run) {
  run.report(0, task.rows);
  Stopwatch watch;
  Ordered points(task, run);
  run.count("tree_seconds", watch.lap());
  const PointQueries queries(task.metric, task.threads);
  LevelAnswer found;
  if (task.dimension == 1 && task.rows == task.cols) {
    found = {std::vector<double>(size_t(task.rows)), std::vector<double>(size_t(task.cols)),
             std::vector<int32_t>(size_t(task.rows))};
    assign_on_line(queries, task.metric, points.level.x, points.level.y, found.col_of_row.data(),
                   found.col_dual.data(), run);
    fit_to_range(found.col_dual);
  } else {
    PointSolver solver(queries, run);
    found = solver.solve(points.level);
    count(solver.counts, run);
  }
  prove(queries, points, found, answer, run);
}

std::vector<double> coarser_points(const double* points, int64_t count, int64_t dimension, Run& run) {
  std::vector<int32_t> order;
  const PointSet means = sorted(points, count, dimension, order, run).coarser();
  std::vector<double> out;
  for (int64_t p = 0; p < means.count; ++p)
    for (int64_t k = 0; k < dimension; ++k) out.push_back(means.at(p, k));
  return out;
}

double start_from_coarser(const PointTask& task, const double* coarse_row_dual,
                          const int64_t* coarse_col_of_row, double* col_dual, Run& run) {
  Ordered points(task, run);
  Level coarser{points.level.x.coarser(), points.level.y.coarser()};
  const int64_t rows = coarser.x.count;
  const LevelAnswer coarse{
      {coarse_row_dual, coarse_row_dual + rows}, {}, {coarse_col_of_row, coarse_col_of_row + rows}};
  const PointQueries queries(task.metric, task.threads);
  const auto [dual, dearest] = PointSolver(queries, run).start_from(points.level, coarser, coarse);
  for (int64_t j = 0; j < task.cols; ++j) col_dual[points.col_at[j]] = dual[j];
  return dearest;
}

void prove_points(const PointTask& task, PointAnswer& answer, Run& run) {
  Stopwatch watch;
  Ordered points(task, run);
  run.count("tree_seconds", watch.lap());
  const auto& [row_at, col_at, level] = points;
  LevelAnswer found{std::vector<double>(size_t(task.rows)), std::vector<double>(size_t(task.cols)),
                    std::vector<int32_t>(size_t(task.rows))};
  std::vector<int32_t> place_of_col(size_t(task.cols), 0);
  for (int64_t j = 0; j < task.cols; ++j) {
    place_of_col[col_at[j]] = int32_t(j);
    found.col_dual[j] = answer.col_dual[col_at[j]];
  }
  for (int64_t i = 0; i < task.rows; ++i) found.col_of_row[i] = place_of_col[answer.col_of_row[row_at[i]]];
  prove(PointQueries(task.metric, task.threads), points, found, answer, run);
}

}  // namespace konig
