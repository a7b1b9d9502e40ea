// Runs Karp-Sipser on CPU threads and on the shuffled team over random graphs and forests, for a build with a
// sanitiser. Exit status 0 means that every answer was a maximal matching, and a maximum one on forests.
#include "stress.h"

#include <type_traits>

#include "konig/matching/karp_sipser.h"
#include "konig/matching/transpose.h"

namespace {

using namespace konig::karp_sipser;
using Ids = std::vector<std::int32_t>;

Graph transposed(const Graph& graph) {
  std::vector<Ids> cols_of_row(graph.rows);
  for (int col = 0; col < graph.cols; ++col)
    for (int k = graph.start[col]; k < graph.start[col + 1]; ++k)
      cols_of_row[graph.neighbour[k]].push_back(col);
  Graph turned{graph.cols, graph.rows, {0}, {}};
  for (const Ids& cols : cols_of_row) {
    turned.neighbour.insert(turned.neighbour.end(), cols.begin(), cols.end());
    turned.start.push_back(std::int32_t(turned.neighbour.size()));
  }
  return turned;
}

// The same by every team, but for the order inside a list.
void transpose_everywhere(const Graph& graph, std::uint64_t seed) {
  const Graph expected = transposed(graph);
  on_every_team(seed, [&](auto run) {
    Graph turned{graph.cols, graph.rows, Ids(graph.rows + 1, -7), Ids(graph.neighbour.size(), -7)};
    transpose::State state{};
    const transpose::Workspace<std::int32_t, std::int32_t> workspace{graph.rows,
                                                                     graph.cols,
                                                                     graph.start.data(),
                                                                     graph.neighbour.data(),
                                                                     turned.start.data(),
                                                                     turned.neighbour.data(),
                                                                     &state};
    const auto launch = [&](auto& team) {
      using Team = std::remove_reference_t<decltype(team)>;
      transpose::Solve<Team, std::int32_t, std::int32_t>(team, workspace).run();
    };
    run(launch, [&] { return state.status == transpose::kRunning; });
    require(turned.start == expected.start, "lists begin where they should");
    for (int row = 0; row < graph.rows; ++row)
      std::sort(turned.neighbour.begin() + turned.start[row],
                turned.neighbour.begin() + turned.start[row + 1]);
    require(turned.neighbour == expected.neighbour, "lists hold what they should");
  });
}

// A vertex hangs on an earlier one, or is the root of a tree; it is a row or a column by its depth.
Graph random_forest(Random& random) {
  const int vertices = 2 + int(random() % 120), roots = 1 + int(random() % 5);
  std::vector<int> depth, place;
  int count[2] = {0, 0};
  std::vector<Ids> rows_of_col;
  for (int v = 0; v < vertices; ++v) {
    const int parent = v < roots ? -1 : int(random() % unsigned(v));
    depth.push_back(parent < 0 ? 0 : depth[parent] + 1);
    place.push_back(count[depth[v] % 2]++);
    if (depth[v] % 2) rows_of_col.emplace_back();
    if (parent >= 0) {
      const int col = depth[v] % 2 ? v : parent, row = depth[v] % 2 ? parent : v;
      rows_of_col[place[col]].push_back(place[row]);
    }
  }
  Graph graph{count[0], count[1], {0}, {}};
  for (const Ids& rows : rows_of_col) {
    graph.neighbour.insert(graph.neighbour.end(), rows.begin(), rows.end());
    graph.start.push_back(std::int32_t(graph.neighbour.size()));
  }
  return graph;
}

struct Start {
  Start(const Graph& graph, Random& random, bool warm)
      : graph(graph),
        of_row(transposed(graph)),
        col_of_row(graph.rows, -1),
        row_of_col(graph.cols, -1),
        open(graph.rows + graph.cols),
        degree_one(graph.rows + graph.cols),
        pieces(room_for_pieces(graph.rows, graph.cols, (long long)graph.neighbour.size())) {
    for (int col = 0; warm && col < graph.cols; ++col) {
      if (graph.start[col] == graph.start[col + 1] || random() % 3) continue;
      const int row = graph.neighbour[graph.start[col]];
      if (col_of_row[row] < 0) col_of_row[row_of_col[col] = row] = col;
    }
  }

  template <class Team>
  void launch(Team& team) {
    const Workspace<std::int32_t, std::int32_t> workspace{
        {{graph.rows, graph.cols, graph.start.data(), graph.neighbour.data(), col_of_row.data(),
          row_of_col.data()},
         of_row.start.data(),
         of_row.neighbour.data()},
        open.data(),
        degree_one.data(),
        pieces.data(),
        &state};
    Solve<Team, std::int32_t, std::int32_t>(team, workspace).run();
  }

  const Graph& graph;
  const Graph of_row;
  Ids col_of_row, row_of_col;
  std::vector<long long> open;
  std::vector<DegreeOne<std::int32_t>> degree_one;
  std::vector<Piece<std::int32_t, std::int32_t>> pieces;
  State state{};
};

int pairs(const Ids& mates) {
  return int(std::count_if(mates.begin(), mates.end(), [](int mate) { return mate >= 0; }));
}

void start_everywhere(const Graph& graph, Random& random, bool warm, bool is_forest) {
  on_every_team(random(), [&](auto run) {
    Start start(graph, random, warm);
    const int kept = pairs(start.row_of_col);
    run([&](auto& team) { start.launch(team); }, [&] { return start.state.progress.status == kRunning; });
    require_maximal(graph, start.col_of_row, start.row_of_col);
    const int size = pairs(start.col_of_row);
    require(start.state.degree_one + start.state.chosen == size - kept, "every pair is counted once");
    if (is_forest) require(size == Reference(graph).size(), "the matching of a forest is maximum");
  });
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  Random random(13);
  for (int i = 0; i < graphs; ++i) {
    const Graph graph = random_graph(random);
    transpose_everywhere(graph, random());
    start_everywhere(graph, random, i % 2 != 0, false);
    start_everywhere(random_forest(random), random, false, true);
  }
  std::printf("%d graphs\n", graphs);
}
