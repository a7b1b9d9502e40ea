// The counts of a pseudoflow solver; each source file says what is a push, a merger and a split there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/run.h"

namespace konig {

struct PseudoflowCounts {
  int64_t arc_scans = 0;
  int64_t pushes = 0;
  int64_t mergers = 0;
  int64_t strong_mergers = 0;
  int64_t splits = 0;
  int64_t relabels = 0;
  int64_t largest_tree = 0;

  // `integers` is what the solver keeps beside the matrix and the matching.
  void report(Run& run, int64_t integers, int64_t vertices) const {
    run.count("search_arc_scans", arc_scans);
    run.count("pushes", pushes);
    run.count("mergers", mergers);
    run.count("strong_mergers", strong_mergers);
    run.count("splits", splits);
    run.count("relabels", relabels);
    run.count("other_operations", pushes + mergers + splits + relabels);
    run.count("largest_tree", largest_tree);
    run.count("memory_integers_per_vertex", double(integers) / double(std::max<int64_t>(vertices, 1)));
  }
};

}  // namespace konig
