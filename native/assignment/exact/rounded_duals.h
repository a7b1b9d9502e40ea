// Column duals of an assignment corrected in float64, where they are right but for their last digits.
//
// As largest_duals.h corrects them, labels fall until no row lowers one: then every pair is tight but for the
// rounding of its cost and duals, which is what a proof tolerates. That takes a tenth of the time of exact
// labels, and nothing depends on it: whether the duals prove the answer is found out as for any. A label
// falls only by more than its rounding, so that cycles whose length is 0 but for rounding end. So no pair
// need be listed that ties but for that: where most pairs cost the same a row has thousands of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "assignment/exact/core.h"

namespace konig {

class RoundedDuals {
 public:
  // `paid` are the costs of the assigned pairs.
  RoundedDuals(const RealCosts& costs, const int32_t* col_of_row, const std::vector<double>& paid,
               double* col_dual)
      : costs_(costs),
        col_of_row_(col_of_row),
        paid_(paid),
        dual_(col_dual),
        row_of_col_(size_t(costs.cols), -1),
        waits_(size_t(costs.rows), 0) {
    for (int64_t i = 0; i < costs.rows; ++i) row_of_col_[col_of_row[i]] = int32_t(i);
  }

  // These rows may lower labels, the last of them first. False if that takes more than so many scans, as
  // where the assignment is not optimal, or if a column without a row would have to fall: nothing has changed
  // then. On a rectangle labels first rise by `room`, or to 0: those that are too low for a column without a
  // row are not by more than the gap.
  bool correct(const std::vector<int32_t>& rows, double room, int64_t scans, Run& run) {
    const std::vector<double> before(dual_, dual_ + costs_.cols);
    if (costs_.rows < costs_.cols) raise(room);
    for (const int32_t i : rows) push(i);
    const RealCosts::Pairs* const fetched = costs_.fetched();
    int64_t questions = scans;
    if (!fetched && costs_.rows_at_a_time > 1) {
      questions = kQuestions;
      scans = std::min(scans, kRowsAsked * costs_.rows);
    }
    bool fits = true;
    while (fits && !stack_.empty()) {
      const auto count = fetched ? 1 : std::min(costs_.rows_at_a_time, int64_t(stack_.size()));
      take(count);
      scans -= count;
      fits = scans >= 0 && (fetched || --questions >= 0);
      if (fits) fits = fetched ? lower(asked_[0], row_dual_[0], *fetched, asked_[0]) : ask(run);
    }
    if (!fits) std::copy(before.begin(), before.end(), dual_);
    return fits;
  }

 private:
  // Where a question takes long: boxes of which few overlap take three, of half of the rows together. Many
  // near ties are not corrected by any number that is worth asking, since rows asked together are in no
  // order.
  static constexpr int64_t kQuestions = 16, kRowsAsked = 2;

  // So many rows that wait, the last one first, and their duals.
  void take(int64_t count) {
    asked_.clear();
    row_dual_.clear();
    for (; count > 0; --count) {
      const int32_t i = stack_.back();
      stack_.pop_back();
      waits_[i] = 0;
      asked_.push_back(i);
      row_dual_.push_back(paid_[i] - dual_[col_of_row_[i]]);
    }
  }

  // Labels that fall on the way make rows wait again: their lists are then of fewer pairs than they might be.
  bool ask(Run& run) {
    bound_.clear();
    for (const double dual : row_dual_)
      bound_.push_back(std::nextafter(dual, -std::numeric_limits<double>::infinity()));
    const RealCosts::Pairs pairs = costs_.find_pairs(asked_, dual_, bound_.data(), run);
    bool fits = true;
    for (size_t k = 0; fits && k < asked_.size(); ++k)
      fits = lower(asked_[k], row_dual_[k], pairs, int64_t(k));
    return fits;
  }

  // The last in is the first out: on the trees that tight pairs form, a label is final when the path to it
  // is.
  void push(int32_t row) {
    if (!std::exchange(waits_[row], 1)) stack_.push_back(row);
  }

  // Rows whose label cannot rise as far as the others' lower these.
  void raise(double room) {
    for (int64_t i = 0; i < costs_.rows; ++i) {
      double& dual = dual_[col_of_row_[i]];
      if (dual > -room) push(int32_t(i));
      dual = std::min(dual + room, 0.0);
    }
  }

  // By the k-th list of pairs. False if a column without a row would have to fall.
  bool lower(int32_t row, double row_dual, const RealCosts::Pairs& pairs, int64_t k) {
    for (int64_t e = pairs.start[k]; e < pairs.start[k + 1]; ++e) {
      const auto [j, cost] = pairs.pair[e];
      const double through = cost - row_dual;
      const double unit = 0x1p-52 * std::max({std::abs(cost), std::abs(row_dual), std::abs(dual_[j])});
      if (!(dual_[j] - through > unit) || j == col_of_row_[row]) continue;
      if (row_of_col_[j] < 0) return false;
      dual_[j] = through;
      push(row_of_col_[j]);
    }
    return true;
  }

  const RealCosts& costs_;
  const int32_t* const col_of_row_;
  const std::vector<double>& paid_;
  double* const dual_;
  std::vector<int32_t> row_of_col_, stack_;
  std::vector<int32_t> asked_;
  std::vector<double> row_dual_, bound_;  // of the rows asked for
  std::vector<char> waits_;               // on the stack
};

}  // namespace konig
