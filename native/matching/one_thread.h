// A maximum matching on one thread, with what proves it: what `auto` runs. See one_thread.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

struct OneThreadAnswer {
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
OneThreadAnswer match_on_one_thread(const Pattern<Id, Offset>& graph, Mates<Id> mates, Run& run);

}  // namespace konig
