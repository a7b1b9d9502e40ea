#include "assignment/distributed_paths.h"

namespace konig {

int64_t pair_greedily(const ZeroEdges& edges, const Pairing& pairing) {
  int64_t pairs = 0;
  for (int64_t i = 0; i < edges.rows; ++i) {
    for (int64_t e = edges.start[i]; e < edges.start[i + 1]; ++e) {
      const int32_t j = edges.neighbour[e];
      if (pairing.row_of_col[j] >= 0) continue;
      pairing.row_of_col[j] = int32_t(i);
      pairing.col_of_row[i] = j;
      ++pairs;
      break;
    }
  }
  return pairs;
}

ForwardPass forward_pass(const ZeroEdges& edges, const int32_t* row_of_col, const Forest& forest, Run& run) {
  ForwardPass pass{forest.reached, {}};
  for (int64_t head = 0; head < pass.reached; ++pass.levels) {
    for (const int64_t tail = pass.reached; head < tail; ++head) {
      const int32_t i = forest.queue[head];
      const int64_t last = edges.start[i + 1];
      for (int64_t e = edges.start[i]; e < last; ++e) {
        const int32_t j = edges.neighbour[e], next = row_of_col[j];
        if (forest.predecessor[j] >= 0 || next == i) continue;
        forest.predecessor[j] = i;
        if (next < 0)
          pass.leaf.push_back(j);
        else
          forest.queue[pass.reached++] = next;
      }
      pass.edges_scanned += last - edges.start[i];
      run.spend(last - edges.start[i] + 1);
    }
  }
  return pass;
}

void join_reached(const int64_t* told, int64_t count, int64_t shift, const TreeSearch& search,
                  std::vector<int32_t>& frontier, std::vector<int32_t>& leaf) {
  for (int64_t k = 0; k < count; ++k) {
    const PackedEdge edge(told[k]);
    const int32_t j = edge.col(), i = search.row_of_col[j];
    search.predecessor[j] = edge.row();
    search.col_since[j] = shift;
    if (i < 0) {
      leaf.push_back(j);
    } else {
      search.row_since[i] = shift;
      frontier.push_back(i);
    }
  }
}

std::vector<int32_t> reverse_pass(const int32_t* leaf, int64_t leaves, const int32_t* predecessor,
                                  const int32_t* col_of_row, int32_t* successor) {
  std::vector<int32_t> root;
  for (int64_t k = 0; k < leaves; ++k) {
    for (int32_t j = leaf[k]; j >= 0;) {
      const int32_t i = predecessor[j];
      if (successor[i] >= 0) break;  // the path of an earlier leaf goes on from here to the root
      successor[i] = j;
      j = col_of_row[i];
      if (j < 0) root.push_back(i);
    }
  }
  return root;
}

int64_t augment_paths(const std::vector<int32_t>& root, const int32_t* successor, const Pairing& pairing) {
  int64_t edges = 0;
  for (int32_t i : root) {
    for (; i >= 0; ++edges) {
      const int32_t j = successor[i], next = pairing.row_of_col[j];
      pairing.col_of_row[i] = j;
      pairing.row_of_col[j] = i;
      i = next;
    }
  }
  return edges;
}

}  // namespace konig
