// Solves the problems of a batch one by one, shared by the threads, and adds up what they count.
#include "assignment/batch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "core/shared_loop.h"

namespace konig {
namespace {

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("another thread was interrupted") {}
};

template <class S>
class BatchSolver {
 public:
  BatchSolver(const DenseBatch<S>& batch, const BatchAnswer<S>& answer, Run& run)
      : batch_(batch), answer_(answer), run_(run) {}

  int64_t solve() {
    const int64_t side = std::min(batch_.rows, batch_.cols);
    run_.report(0, batch_.problems);
    for_rows(batch_.threads, batch_.problems, 8 * batch_.rows * batch_.cols * (side / 64 + 1), run_,
             [&](int worker, int64_t first, int64_t last) {
               Buffer compact;
               for (int64_t b = first; b < last; ++b) solve_problem(worker, b, compact);
             });
    run_.count("problems", batch_.problems);
    for (const auto& [name, value] : sums_) run_.count(Run::Name(name), value);
    return first_bad_;
  }

 private:
  using Buffer = std::vector<S>;

  int64_t rows_of(int64_t b) const { return batch_.row_counts ? batch_.row_counts[b] : batch_.rows; }
  int64_t cols_of(int64_t b) const { return batch_.col_counts ? batch_.col_counts[b] : batch_.cols; }
  const S* block(int64_t b) const { return batch_.cost + b * batch_.rows * batch_.cols; }

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
    DenseTask<S> task{costs_of(b, compact), rows_of(b), cols_of(b), batch_.maximize};
    task.plan = batch_.plan;
    DenseAnswer<S> answer{answer_.row_ind + b * side, answer_.col_ind + b * side,
                          answer_.row_dual + b * batch_.rows, answer_.col_dual + b * batch_.cols};
    HallViolator violator;
    Run run(worker == 0 ? std::function<void(const Run&)>([this](const Run&) { poll_caller(); })
                        : std::function<void(const Run&)>([this](const Run&) { stop_if_interrupted(); }));
    CostCheck check;
    const Outcome outcome = batch_.alone.row ? leave_alone(b, task, answer, check, run)
                                             : solve_dense(task, answer, violator, check, run);
    if (check.is_bad()) return note_bad_cost(b, check);
    answer_.total[b] = DualOf<S>(answer.total);
    answer_.gap[b] = answer.gap;
    answer_.unsolved[b] = outcome != Outcome::optimal || !fits(answer.total);
    ++solved_;
    if (worker == 0) run_.report(solved_, batch_.problems);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, value] : run.stats()) sums_[name] += std::get<int64_t>(value);
  }

  Outcome leave_alone(int64_t b, const DenseTask<S>& task, DenseAnswer<S>& answer, CostCheck& check,
                      Run& run) {
    int64_t size = 0;
    const UnassignedCosts<S> alone{batch_.alone.row + b * batch_.rows, batch_.alone.col + b * batch_.cols};
    const Outcome outcome = solve_dense_unassigned(task, alone, answer, size, check, run);
    const int64_t side = std::min(task.rows, task.cols);
    std::fill(answer.row_ind + size, answer.row_ind + side, -1);
    std::fill(answer.col_ind + size, answer.col_ind + side, -1);
    return outcome;
  }

  void note_bad_cost(int64_t b, const CostCheck& check) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const int64_t bad : {check.first_nan, check.first_wrong}) {
      if (bad < 0) continue;
      const int64_t row = b * batch_.rows + bad / cols_of(b), position = row * batch_.cols + bad % cols_of(b);
      if (first_bad_ < 0 || position < first_bad_) first_bad_ = position;
    }
  }

  static bool fits(TotalOf<S> total) {
    if constexpr (std::is_integral_v<S>)
      return total == TotalOf<S>(int64_t(total)) && int64_t(total) != std::numeric_limits<int64_t>::min();
    return true;
  }

  void poll_caller() {
    try {
      run_.spend(int64_t(1) << 20);
    } catch (...) {
      interrupted_ = true;
      throw;
    }
  }
  void stop_if_interrupted() const {
    if (interrupted_) throw Interrupted();
  }

  const DenseBatch<S>& batch_;
  const BatchAnswer<S>& answer_;
  Run& run_;
  std::atomic<bool> interrupted_{false};
  std::atomic<int64_t> solved_{0};
  std::mutex mutex_;
  int64_t first_bad_ = -1;
  std::map<std::string_view, int64_t> sums_;
};

}  // namespace

template <class S>
int64_t solve_batch(const DenseBatch<S>& batch, const BatchAnswer<S>& answer, Run& run) {
  return BatchSolver<S>(batch, answer, run).solve();
}

#define KONIG_INSTANTIATE(S) template int64_t solve_batch(const DenseBatch<S>&, const BatchAnswer<S>&, Run&);
KONIG_FOR_EACH_COST(KONIG_INSTANTIATE)

}  // namespace konig
