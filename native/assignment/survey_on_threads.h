// A survey of costs (cost_survey.h) by several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/scans/cost_survey.h"
#include "core/row_workers.h"

namespace konig {

template <class S>
CostSurvey survey_on_threads(const S* cost, int64_t count, bool maximize, int threads, Run& run,
                             bool likely_finite = true) {
  constexpr int64_t kPiece = 1 << 18;
  const int64_t pieces = (count + kPiece - 1) / kPiece;
  if (pieces < 2 || threads < 2) return survey_costs(cost, count, maximize, likely_finite);
  std::vector<CostSurvey> seen(pieces);
  for_rows(threads, pieces, kPiece, run, [&](int, int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t from = piece * kPiece;
      seen[piece] = survey_costs(cost + from, std::min(kPiece, count - from), maximize, likely_finite);
    }
  });
  CostSurvey all;
  for (int64_t piece = 0; piece < pieces; ++piece) all.add(seen[piece], piece * kPiece);
  return all;
}

}  // namespace konig
