// Runs the multicore solvers on CPU threads over random graphs, for a build with a sanitiser; random_pause.h
// is included by the command line into the solvers too. Exit status 0 means that every answer had the right
// size and was a matching, that claims were contested, and that a caller who gives up gets away.
#include <stdexcept>
#include <string>
#include <variant>

#include "core/compressed.h"
#include "matching/solvers.h"
#include "random_graphs.h"

namespace {

using namespace konig;
using Solver = void (*)(const Pattern<std::int32_t, std::int32_t>&, Mates<std::int32_t>, const Knobs&, Run&);

struct Variant {
  Solver solver;
  bool flag;               // lookahead, or local
  Solver start = nullptr;  // from which it goes on
};
constexpr Solver kGraft = tree_grafting<std::int32_t, std::int32_t>;
const Variant kVariants[] = {{hopcroft_karp<std::int32_t, std::int32_t>, false},
                             {pothen_fan<std::int32_t, std::int32_t>, true},
                             {pothen_fan<std::int32_t, std::int32_t>, false},
                             {disjoint_breadth_first<std::int32_t, std::int32_t>, false},
                             {kGraft, false},
                             {kGraft, true},
                             {kGraft, true, greedy<std::int32_t, std::int32_t>},
                             {kGraft, false, karp_sipser<std::int32_t, std::int32_t>}};

// The other orientation by several threads; it is that of one thread.
struct RowLists {
  RowLists(const Graph& graph, int workers) : start(graph.rows + 1), neighbour(graph.neighbour.size()) {
    Run run;
    transpose(graph.start.data(), graph.neighbour.data(), graph.cols, graph.rows, start.data(),
              neighbour.data(), workers, run);
    std::vector<std::int32_t> plain_start(graph.rows + 1), plain(graph.neighbour.size());
    transpose(graph.start.data(), graph.neighbour.data(), graph.cols, graph.rows, plain_start.data(),
              plain.data(), 1, run);
    require(start == plain_start && neighbour == plain, "the same lists as by one thread");
  }
  std::vector<std::int32_t> start, neighbour;
};

struct Answer {
  explicit Answer(const Graph& graph) : col_of_row(graph.rows, -1), row_of_col(graph.cols, -1) {}
  std::vector<std::int32_t> col_of_row, row_of_col;
};

void solve(const Graph& graph, const Variant& variant, int workers, Answer& answer, Run& run) {
  Pattern<std::int32_t, std::int32_t> pattern;
  pattern.rows = graph.rows;
  pattern.cols = graph.cols;
  pattern.of_col = {graph.start.data(), graph.neighbour.data()};
  const RowLists rows(graph, workers);
  pattern.of_row = {rows.start.data(), rows.neighbour.data()};
  Knobs knobs;
  knobs.set("threads", std::int64_t(workers));
  knobs.set("lookahead", variant.flag);
  knobs.set("fairness", true);
  knobs.set("extra_row_searches", false);
  knobs.set("max_waiting", std::int64_t(4));
  knobs.set("local", variant.flag);
  knobs.set("bottom_up", !variant.flag);
  const Mates<std::int32_t> mates{answer.col_of_row.data(), answer.row_of_col.data()};
  if (variant.start) variant.start(pattern, mates, knobs, run);
  variant.solver(pattern, mates, knobs, run);
}

std::int64_t count_of(const Run& run, const std::string& name) {
  for (const auto& [key, value] : run.stats())
    if (key == name) return std::get<std::int64_t>(value);
  return 0;
}

// Returns how many claims were lost to another worker.
std::int64_t solve_everywhere(const Graph& graph, int expected) {
  std::int64_t lost = 0;
  for (const Variant& variant : kVariants) {
    for (const int workers : {1, 2, 4}) {
      Answer answer(graph);
      Run run;
      solve(graph, variant, workers, answer, run);
      require_matching(graph, answer.col_of_row, answer.row_of_col, expected);
      const std::int64_t started = count_of(run, "start_size");
      require(started + count_of(run, "paths") == expected, "a path for each pair");
      require(2 * started >= (variant.start ? expected : 0), "a start leaves no pair of neighbours");
      const std::int64_t contested = count_of(run, "claims_lost") + count_of(run, "start_claims_lost");
      require(workers > 1 || contested == 0, "nobody to lose to");
      lost += contested;
    }
  }
  return lost;
}

Graph sparse_square(int n, Random& random) {
  Graph graph{n, n, {0}, {}};
  for (int col = 0; col < n; ++col) {
    for (int k = 0; k < 3; ++k) graph.neighbour.push_back(std::int32_t(random() % n));
    graph.start.push_back(std::int32_t(graph.neighbour.size()));
  }
  return graph;
}

// The caller is asked now and then: a solve that ends before that is given a larger graph.
void give_up(Random& random) {
  for (const Variant& variant : kVariants) {
    for (const int workers : {1, 2, 4}) {
      bool thrown = false;
      for (int n = 60000; !thrown; n *= 2) {
        const Graph graph = sparse_square(n, random);
        Answer answer(graph);
        Run run([](const Run&) { throw std::runtime_error("stop"); });
        try {
          solve(graph, variant, workers, answer, run);
        } catch (const std::runtime_error&) {
          thrown = true;
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(1);
  std::int64_t lost = 0;
  for (int trial = 0; trial < graphs; ++trial) {
    const Graph graph = random_graph(random);
    lost += solve_everywhere(graph, Reference(graph).size());
  }
  for (int trial = 0; trial < 3; ++trial) {
    const Graph graph = sparse_square(1500, random);
    lost += solve_everywhere(graph, Reference(graph).size());
  }
  require(lost > 0, "workers got in each other's way");
  give_up(random);
  std::printf("%d graphs\n", graphs);
}
