// Real costs that are a long way from the proof: on a GPU, or with other processes.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "assignment/exact/core.h"

namespace konig {

// A question takes long, whatever is asked: so pairs of all rows are fetched at once where they are few.
class DistantCosts : public RealCosts {
 public:
  DistantCosts(int64_t rows, int64_t cols) : RealCosts(rows, cols) {
    rows_at_a_time = kRowsAtATime;
    keeps_fetched = true;
  }

  Pairs find_pairs(const std::vector<int32_t>& asked, const double* col_dual, const double* bound,
                   Run& run) const override {
    run.spend(kQuestion);
    if (fetched_.answer(asked, bound)) return fetched_.among(asked, col_dual, bound);
    return *list_pairs(asked, col_dual, bound, 0);
  }

  void fetch_pairs(const double* col_dual, const double* bound, Run& run) const override {
    run.spend(kQuestion);
    std::vector<int32_t> all(static_cast<size_t>(rows));
    std::iota(all.begin(), all.end(), 0);
    fetched_.keep(list_pairs(all, col_dual, bound, kMostFetched * rows).value_or(Pairs{}), bound);
  }
  void forget_pairs() const override { fetched_.forget(); }
  const Pairs* fetched() const override { return fetched_.all(); }

  // As find_pairs; nothing if there are more than `most`, of which 0 is no limit.
  virtual std::optional<Pairs> list_pairs(const std::vector<int32_t>& asked, const double* col_dual,
                                          const double* bound, int64_t most) const = 0;

 protected:
  static constexpr int64_t kQuestion = int64_t(1) << 15;  // work that counts for one: the caller is polled

 private:
  static constexpr int64_t kRowsAtATime = 256;  // a GPU lists so many in about the time that a question takes
  static constexpr int64_t kMostFetched = 64;  // pairs a row: rows that tie have far more, and few are needed

  mutable FetchedPairs fetched_;
};

}  // namespace konig
