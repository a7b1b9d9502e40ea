// Small random flow networks and their values, for the stress programs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "random_graphs.h"

using Index = std::int32_t;

struct Network {
  int vertices, source, sink;
  std::vector<Index> tail, head;  // sorted by tail; no loops
  std::vector<long long> capacity;
  bool undirected = false;

  int arcs() const { return int(tail.size()); }
};

inline Network random_network(Random& random) {
  const int vertices = 2 + int(random() % 40);
  Network network{vertices, 0, vertices - 1, {}, {}, {}, false};
  const int degree = int(random() % 6), widest = random() % 2 ? 3 : 1000;
  for (int u = 0; u < vertices; ++u)
    for (int k = degree ? int(random() % (2 * degree)) : 0; k > 0; --k) {
      const int v = int(random() % vertices);
      if (u == v) continue;
      network.tail.push_back(u);
      network.head.push_back(v);
      network.capacity.push_back(random() % widest);
    }
  return network;
}

// Ford and Fulkerson the plain way, on a matrix of residual capacities.
inline long long reference(const Network& network) {
  const int n = network.vertices;
  std::vector<long long> residual(n * n);
  for (int a = 0; a < network.arcs(); ++a)
    residual[network.tail[a] * n + network.head[a]] += network.capacity[a];
  for (long long value = 0;;) {
    std::vector<int> parent(n, -1), queue{network.source};
    parent[network.source] = network.source;
    for (size_t i = 0; i < queue.size(); ++i)
      for (int v = 0; v < n; ++v)
        if (parent[v] < 0 && residual[queue[i] * n + v] > 0) parent[v] = queue[i], queue.push_back(v);
    if (parent[network.sink] < 0) return value;
    long long amount = 1LL << 60;
    for (int v = network.sink; v != network.source; v = parent[v])
      amount = std::min(amount, residual[parent[v] * n + v]);
    for (int v = network.sink; v != network.source; v = parent[v]) {
      residual[parent[v] * n + v] -= amount;
      residual[v * n + parent[v]] += amount;
    }
    value += amount;
  }
}
