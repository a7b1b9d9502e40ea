// Questions about costs on a GPU: what they need is written, a kernel answers, and one read brings it back.
#include "assignment/exact/costs_there.h"

#include <algorithm>
#include <cstring>

namespace konig {
namespace {

constexpr int64_t kFewPairs = 8;  // of a row, found and listed by one read; right duals leave about two
constexpr int64_t kPairBytes = sizeof(double) + sizeof(int32_t);

}  // namespace

CostsThere::CostsThere(const Driver& driver, const CostsOnDevice& costs, uintptr_t memory,
                       std::function<uintptr_t(int64_t)> allocate)
    : DistantCosts(costs.rows, costs.cols),
      driver_(driver),
      there_(costs),
      memory_(memory),
      allocate_(std::move(allocate)) {}

// The largest question: duals of all columns, a row and a bound for each row, and a short list of each.
int64_t CostsThere::scratch_bytes(int64_t rows, int64_t cols) {
  const int64_t asked = int64_t(sizeof(double)) * (cols + 2 * rows);
  return asked + rows * (kFewPairs * kPairBytes + int64_t(sizeof(int64_t)));
}

void CostsThere::know_costs(const int32_t* col_of_row, const double* paid) {
  known_pairs_.assign(col_of_row, col_of_row + rows);
  known_cost_.assign(paid, paid + rows);
  for (double& cost : known_cost_) cost *= there_.sign;
}

void CostsThere::know_lowest(const double* col_dual, const double* lowest) {
  known_dual_.assign(col_dual, col_dual + cols);
  known_lowest_.assign(lowest, lowest + rows);
}

void CostsThere::launch(const Driver::Kernel& kernel, int64_t blocks, std::vector<void*> arguments) const {
  driver_.launch(kernel, unsigned(blocks), threads_of_row(cols), arguments.data(), there_.stream);
}

// Questions are answered one after the other, so that one block serves all.
uintptr_t CostsThere::spare(int64_t bytes) const {
  if (bytes > spare_bytes_) {
    const int64_t size = std::max(bytes, 2 * spare_bytes_);
    spare_bytes_ = 0;  // the old block goes, even if there is no room for a larger one
    spare_ = allocate_(size);
    spare_bytes_ = size;
  }
  return spare_;
}

template <class Cost>
void CostsThere::read_costs(uintptr_t from, double* cost) const {
  std::vector<Cost> found(static_cast<size_t>(rows));
  driver_.read(found.data(), from, found.size() * sizeof(Cost), there_.stream);
  driver_.wait(there_.stream);
  for (int64_t i = 0; i < rows; ++i) cost[i] = there_.sign * double(found[i]);
}

void CostsThere::find_costs(const int32_t* col_of_row, double* cost) const {
  if (std::equal(known_pairs_.begin(), known_pairs_.end(), col_of_row, col_of_row + rows)) {
    std::copy(known_cost_.begin(), known_cost_.end(), cost);
    return;
  }
  const uintptr_t pairs = memory_, found = memory_ + sizeof(double) * uintptr_t(rows);
  driver_.write(pairs, col_of_row, sizeof(int32_t) * size_t(rows), there_.stream);
  CostsOnDevice there = there_;
  uintptr_t arguments[] = {pairs, found, 0};
  launch(there.pair_costs, (rows + kRowThreads - 1) / kRowThreads,
         {&there.cost, &there.rows, &there.cols, &arguments[0], &arguments[1], &arguments[2]});
  there_.item_bytes == 4 ? read_costs<float>(found, cost) : read_costs<double>(found, cost);
}

void CostsThere::find_lowest(const double* col_dual, double* lowest, Run& run) const {
  run.spend(kQuestion);
  if (rows == 0) return;
  if (!known_dual_.empty() && std::equal(known_dual_.begin(), known_dual_.end(), col_dual)) {
    std::copy(known_lowest_.begin(), known_lowest_.end(), lowest);
    return;
  }
  const uintptr_t duals = memory_, found = memory_ + sizeof(double) * uintptr_t(cols);
  driver_.write(duals, col_dual, sizeof(double) * size_t(cols), there_.stream);
  CostsOnDevice there = there_;
  uintptr_t arguments[] = {duals, found, 0};
  launch(there.lowest_slacks, rows,
         {&there.cost, &there.cols, &there.sign, &arguments[0], &arguments[1], &arguments[2], &arguments[2],
          &arguments[2]});
  driver_.read(lowest, found, sizeof(double) * size_t(rows), there_.stream);
  driver_.wait(there_.stream);
}

// A short list of each row first; where one has more pairs than that, all are listed by a second read, in
// places that the counts tell.
std::optional<RealCosts::Pairs> CostsThere::list_pairs(const std::vector<int32_t>& asked,
                                                       const double* col_dual, const double* bound,
                                                       int64_t most) const {
  const auto count = int64_t(asked.size());
  Pairs found{std::vector<int64_t>(size_t(count) + 1), {}};
  if (count == 0) return found;
  std::vector<double> question(size_t(cols + 2 * count));  // duals, bounds, and the rows as integers
  std::copy_n(col_dual, cols, question.begin());
  std::copy_n(bound, count, question.begin() + cols);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t row = asked[size_t(k)];
    std::memcpy(&question[size_t(cols + count + k)], &row, sizeof row);
  }
  uintptr_t duals = memory_, bounds = duals + sizeof(double) * uintptr_t(cols),
            row_of = bounds + sizeof(double) * uintptr_t(count),
            lists = row_of + sizeof(int64_t) * uintptr_t(count);
  driver_.write(duals, question.data(), question.size() * sizeof(double), there_.stream);

  // What comes to lie in so many places: costs, columns and, of short lists, how many each row has.
  std::vector<char> answer;
  const auto list = [&](uintptr_t at, uintptr_t first, int32_t room, int64_t places) {
    uintptr_t cost = at, col = cost + sizeof(double) * uintptr_t(places),
              counts = col + sizeof(int32_t) * uintptr_t(places);
    CostsOnDevice there = there_;
    launch(there.pairs_within, count,
           {&there.cost, &there.cols, &there.sign, &duals, &row_of, &bounds, &first, &room, &counts, &col,
            &cost});
    answer.resize(size_t(kPairBytes * places + (first ? 0 : int64_t(sizeof(int32_t)) * count)));
    driver_.read(answer.data(), at, answer.size(), there_.stream);
    driver_.wait(there_.stream);
  };
  const auto cost_at = [&](int64_t place) {
    double cost;
    std::memcpy(&cost, answer.data() + sizeof(double) * size_t(place), sizeof cost);
    return cost;
  };
  const auto number_at = [&](int64_t places, int64_t place) {  // behind the costs
    int32_t number;
    std::memcpy(&number, answer.data() + sizeof(double) * size_t(places) + sizeof number * size_t(place),
                sizeof number);
    return number;
  };

  const int64_t places = kFewPairs * count;
  list(lists, 0, int32_t(kFewPairs), places);
  int64_t longest = 0;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t here = number_at(places, places + k);
    longest = std::max(longest, here);
    found.start[size_t(k) + 1] = found.start[size_t(k)] + here;
  }
  const int64_t pairs = found.start.back();
  if (most > 0 && pairs > most) return std::nullopt;
  found.pair.reserve(size_t(pairs));
  if (longest <= kFewPairs) {
    for (int64_t k = 0; k < count; ++k)
      for (int64_t e = k * kFewPairs; e < k * kFewPairs + found.start[k + 1] - found.start[k]; ++e)
        found.pair.push_back({number_at(places, e), cost_at(e)});
    return found;
  }
  const int64_t firsts = int64_t(sizeof(int64_t)) * count;
  const uintptr_t first = spare(firsts + kPairBytes * pairs);
  driver_.write(first, found.start.data(), size_t(firsts), there_.stream);
  list(first + uintptr_t(firsts), first, 0, pairs);
  for (int64_t e = 0; e < pairs; ++e) found.pair.push_back({number_at(pairs, e), cost_at(e)});
  return found;
}

}  // namespace konig
