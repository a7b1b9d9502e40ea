// Runs multi-source search on CPU threads and on the shuffled team over random graphs, for a build with a
// sanitiser. Exit status 0 means that every answer
// was a matching of the right size.
#include "stress.h"

#include <type_traits>

#include "konig/matching/ms_bfs.h"

namespace {

using namespace konig::multi_source_bfs;

struct Solver {
  explicit Solver(const Graph& graph)
      : graph(graph),
        col_of_row(graph.rows, -1),
        row_of_col(graph.cols, -1),
        parent(graph.rows),
        leaf(graph.cols),
        branch(graph.rows),
        even(room_for_pieces(graph.cols, (long long)graph.neighbour.size())),
        odd(even.size()) {}

  template <class Team>
  void launch(Team& team) {
    const Workspace<std::int32_t, std::int32_t> workspace{
        {graph.rows, graph.cols, graph.start.data(), graph.neighbour.data(), col_of_row.data(),
         row_of_col.data()},
        (long long)even.size(),
        0,
        branch.data(),
        parent.data(),
        leaf.data(),
        {even.data(), odd.data()},
        &state};
    Program<std::int32_t, std::int32_t, true>::run(team, workspace);
  }

  const Graph& graph;
  std::vector<std::int32_t> col_of_row, row_of_col, parent, leaf;
  std::vector<Branch<std::int32_t>> branch;
  std::vector<Piece<std::int32_t>> even, odd;
  State<std::int32_t> state{};
};

void solve_everywhere(const Graph& graph, std::uint64_t seed, int expected) {
  on_every_team(seed, [&](auto run) {
    Solver solver(graph);
    run([&](auto& team) { solver.launch(team); }, [&] { return solver.state.progress.status == kRunning; });
    require_matching(graph, solver.col_of_row, solver.row_of_col, expected);
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(11);
  for (int i = 0; i < graphs; ++i) {
    const Graph graph = random_graph(random);
    solve_everywhere(graph, random(), Reference(graph).size());
  }
  std::printf("%d graphs\n", graphs);
}
