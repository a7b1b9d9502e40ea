// A maximum matching by cheap methods first, with what proves it: what `auto` runs. See stepwise.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

struct StepwiseAnswer {
  const char* method = "bfs";  // what ended the run
  const char* init = "sgm";    // and the matching that it began with
  int64_t size = 0;
  // Which rows alternating paths from the unmatched columns reach; of columns, from rows, if not `of_rows`.
  // Left empty where one side is matched completely.
  std::vector<uint8_t> reached;
  bool of_rows = true;
};

// Reads columns, and row lists where they are there.
template <class Id, class Offset>
StepwiseAnswer match_stepwise(const Pattern<Id, Offset>& graph, Mates<Id> mates, int threads, Run& run);

}  // namespace konig
