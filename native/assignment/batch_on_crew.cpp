#include "assignment/batch_on_crew.h"

#include <limits>
#include <vector>

#include "konig/assignment/batch.h"
#include "konig/bsp/solo_crew.h"

namespace konig {

using bsp::SoloCrew;

template <class Cost>
int64_t batch_on_crew(batch::Batch<Cost> batch, int64_t patience, Run& run) {
  constexpr long long kNone = std::numeric_limits<long long>::max();
  std::vector<int> next(batch.problems);
  std::vector<Cost> extremes(2 * batch.problems);
  std::vector<long long> word(batch::kWords);
  std::vector<long long> memory((batch::kBoardBytes * SoloCrew::kStrips + 7) / 8);
  word[batch::kFirstBad] = kNone;
  batch.order = nullptr;
  batch.next = next.data();
  batch.extremes = extremes.data();
  batch.word = word.data();
  const batch::Board board = batch::board_at(memory.data(), SoloCrew::kStrips);
  int64_t launches = 0;
  while (word[batch::kFinished] < batch.problems) {
    word[batch::kNext] = 0;
    SoloCrew crew(patience);
    batch::Solver<SoloCrew, Cost>(crew, batch, board).run();
    ++launches;
    run.spend(batch.rows * batch.cols);
    run.report(word[batch::kFinished], batch.problems);
  }
  run.count("launches", launches);
  run.count("greedy_assignments", int64_t(word[batch::kGreedy]));
  run.count("searches", int64_t(word[batch::kSearches]));
  run.count("steps", int64_t(word[batch::kSteps]));
  return word[batch::kFirstBad] == kNone ? -1 : word[batch::kFirstBad];
}

template int64_t batch_on_crew(batch::Batch<int>, int64_t, Run&);
template int64_t batch_on_crew(batch::Batch<long long>, int64_t, Run&);
template int64_t batch_on_crew(batch::Batch<float>, int64_t, Run&);
template int64_t batch_on_crew(batch::Batch<double>, int64_t, Run&);

}  // namespace konig
