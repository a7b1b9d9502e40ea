#include "assignment/batch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "assignment/scans/cost_survey.h"
#include "core/row_workers.h"

namespace konig {
namespace {

struct GivenUp : std::runtime_error {
  GivenUp() : std::runtime_error("another thread was interrupted") {}
};

template <class S>
class BatchSolver {
 public:
  BatchSolver(const DenseBatch<S>& batch, const BatchAnswer<S>& answer, Run& run)
      : batch_(batch), answer_(answer), run_(run), surveys_(batch.problems), outcomes_(batch.problems) {}

  // The position of the first bad cost in the array, or -1.
  int64_t survey() {
    std::atomic<int64_t> first_bad{std::numeric_limits<int64_t>::max()};
    for_rows(batch_.threads, batch_.problems, batch_.rows * batch_.cols, run_,
             [&](int, int64_t first, int64_t last) {
               for (int64_t b = first; b < last; ++b) survey_problem(b, first_bad);
             });
    return first_bad == std::numeric_limits<int64_t>::max() ? -1 : first_bad.load();
  }

  void solve() {
    const int64_t side = std::min(batch_.rows, batch_.cols);
    run_.report(0, batch_.problems);
    for_rows(batch_.threads, batch_.problems, 8 * batch_.rows * batch_.cols * (side / 64 + 1), run_,
             [&](int worker, int64_t first, int64_t last) {
               Buffer compact;
               for (int64_t b = first; b < last; ++b) solve_problem(worker, b, compact);
             });
    run_.count("problems", batch_.problems);
    for (const auto& [name, value] : sums_) run_.count(Run::Name(name), value);
  }

  const std::vector<BatchOutcome>& outcomes() const { return outcomes_; }

 private:
  using Buffer = std::vector<S>;

  int64_t rows_of(int64_t b) const { return batch_.row_counts ? batch_.row_counts[b] : batch_.rows; }
  int64_t cols_of(int64_t b) const { return batch_.col_counts ? batch_.col_counts[b] : batch_.cols; }
  const S* block(int64_t b) const { return batch_.cost + b * batch_.rows * batch_.cols; }

  void survey_problem(int64_t b, std::atomic<int64_t>& first_bad) {
    CostSurvey& seen = surveys_[b];
    const int64_t rows = rows_of(b), cols = cols_of(b);
    const bool whole = cols == batch_.cols;  // then the rows lie one after the other
    for (int64_t i = 0; i < (whole ? 1 : rows); ++i) {
      const S* from = block(b) + i * batch_.cols;
      const CostSurvey here = survey_costs(from, whole ? rows * cols : cols, batch_.maximize);
      seen.largest = std::max(seen.largest, here.largest);
      for (const int64_t bad : {here.first_nan, here.first_wrong}) {
        if (bad < 0) continue;
        const int64_t position = (from - batch_.cost) + bad;
        for (int64_t first = first_bad;
             position < first && !first_bad.compare_exchange_weak(first, position);) {
        }
      }
    }
  }

  // The costs of a problem, row after row.
  const S* costs_of(int64_t b, Buffer& compact) const {
    const int64_t rows = rows_of(b), cols = cols_of(b);
    if (cols == batch_.cols) return block(b);
    compact.resize(rows * cols);
    for (int64_t i = 0; i < rows; ++i)
      std::copy_n(block(b) + i * batch_.cols, cols, compact.data() + i * cols);
    return compact.data();
  }

  void solve_problem(int worker, int64_t b, Buffer& compact) {
    const int64_t side = std::min(batch_.rows, batch_.cols);
    DenseTask<S> task{costs_of(b, compact), rows_of(b), cols_of(b), batch_.maximize, surveys_[b].largest};
    task.plan = batch_.plan;
    DenseAnswer<S> answer{answer_.row_ind + b * side, answer_.col_ind + b * side,
                          answer_.row_dual + b * batch_.rows, answer_.col_dual + b * batch_.cols};
    HallViolator violator;
    Run run(worker == 0 ? std::function<void(const Run&)>([this](const Run&) { ask_caller(); })
                        : std::function<void(const Run&)>([this](const Run&) { look_around(); }));
    outcomes_[b] = BatchOutcome(solve_dense(task, answer, violator, nullptr, run));
    if (outcomes_[b] == BatchOutcome::optimal) write_total(b, answer.total);
    answer_.gap[b] = answer.gap;
    ++solved_;
    if (worker == 0) run_.report(solved_, batch_.problems);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, value] : run.stats()) sums_[name] += std::get<int64_t>(value);
  }

  void write_total(int64_t b, TotalOf<S> total) {
    if constexpr (std::is_integral_v<S>) {
      if (total > std::numeric_limits<int64_t>::max() || total < -std::numeric_limits<int64_t>::max())
        outcomes_[b] = BatchOutcome::total_too_large;
    }
    answer_.total[b] = DualOf<S>(total);
  }

  void ask_caller() {
    try {
      run_.spend(int64_t(1) << 20);
    } catch (...) {
      given_up_ = true;
      throw;
    }
  }
  void look_around() const {
    if (given_up_) throw GivenUp();
  }

  const DenseBatch<S>& batch_;
  const BatchAnswer<S>& answer_;
  Run& run_;
  std::vector<CostSurvey> surveys_;
  std::vector<BatchOutcome> outcomes_;
  std::atomic<bool> given_up_{false};
  std::atomic<int64_t> solved_{0};
  std::mutex mutex_;
  std::map<std::string_view, int64_t> sums_;
};

}  // namespace

template <class S>
std::vector<BatchOutcome> solve_batch(const DenseBatch<S>& batch, const BatchAnswer<S>& answer,
                                      int64_t& first_bad, Run& run) {
  BatchSolver<S> solver(batch, answer, run);
  first_bad = solver.survey();
  if (first_bad < 0) solver.solve();
  return solver.outcomes();
}

#define KONIG_INSTANTIATE(S) \
  template std::vector<BatchOutcome> solve_batch(const DenseBatch<S>&, const BatchAnswer<S>&, int64_t&, Run&);
KONIG_INSTANTIATE(int32_t)
KONIG_INSTANTIATE(int64_t)
KONIG_INSTANTIATE(float)
KONIG_INSTANTIATE(double)

}  // namespace konig
