// The launch, and what follows it.
#include "assignment/solve_there.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "assignment/team_answer.h"

namespace konig {
namespace {

// Struct Control of konig/bsp/cuda_team.h takes less; two words a block follow it.
constexpr int64_t kControlWords = 64;
constexpr unsigned kAllThreads = 1024;  // of a block that reads a number for each column
// An answer of at most so many bytes is read behind the launch, whether that ends the solve or not: to ask
// for it afterwards takes 20 us.
constexpr int64_t kSmallAnswer = int64_t(4) << 20;
constexpr int64_t kWord = 8;

int64_t in_words(int64_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

template <class T>
T* in(char* memory, int64_t first) {
  return reinterpret_cast<T*>(memory + first);
}

// Things that lie one behind the other.
class Sequence {
 public:
  int64_t place(int64_t bytes, int64_t alignment = kWord) {
    const int64_t first = (end_ + alignment - 1) / alignment * alignment;
    end_ = first + bytes;
    return first;
  }

 private:
  int64_t end_ = 0;
};

}  // namespace

SolveThere::SolveThere(const Driver& driver, DenseThere task)
    : driver_(driver), task_(std::move(task)), rows_(task_.costs.rows), cols_(task_.costs.cols) {
  Sequence answer;
  const int64_t reals = task_.is_real ? kWord : 0;
  parts_.row_dual = answer.place(kWord * rows_);
  parts_.col_dual = answer.place(kWord * cols_);
  parts_.real_col_dual = answer.place(reals * cols_);
  parts_.lowest = answer.place(reals * rows_);
  parts_.paid = answer.place(task_.costs.item_bytes * rows_);
  parts_.col_of_row = answer.place(int64_t(sizeof(int32_t)) * rows_);
  parts_.row_of_col = answer.place(int64_t(sizeof(int32_t)) * cols_);
  parts_.end = answer.place(0);

  Sequence all;
  places_.control = all.place(kWord * (kControlWords + 2 * int64_t(task_.blocks)));
  places_.answer = all.place(parts_.end, Layout::kAlignment);
  places_.block = all.place(task_.program.block(task_.numbers).first, Layout::kAlignment);
  places_.distances = all.place(kWord * (rows_ + cols_), Layout::kAlignment);
  const int64_t arcs = rows_ * std::get<int64_t>(task_.numbers.at("room"));
  places_.arcs = all.place(2 * kWord * arcs + in_words(int64_t(sizeof(int32_t)) * arcs));
  // Questions of a proof are asked where the distances and the arcs were.
  places_.end = std::max(all.place(0), places_.distances + CostsThere::scratch_bytes(rows_, cols_));
}

bool SolveThere::comes_with_launch() const { return parts_.end <= kSmallAnswer; }

void SolveThere::launch(uintptr_t memory, int64_t nanoseconds) {
  memory_ = memory;
  const auto at = [memory](int64_t first) { return memory + uintptr_t(first); };
  const auto of_answer = [&](int64_t part) { return at(places_.answer + part); };
  const int64_t arcs = rows_ * std::get<int64_t>(task_.numbers.at("room"));
  const Addresses given{{"costs", task_.costs.cost},
                        {"row_dual", of_answer(parts_.row_dual)},
                        {"col_dual", of_answer(parts_.col_dual)},
                        {"col_of_row", of_answer(parts_.col_of_row)},
                        {"row_of_col", of_answer(parts_.row_of_col)},
                        {"row_distance", at(places_.distances)},
                        {"col_distance", at(places_.distances + kWord * rows_)},
                        {"arc_value", at(places_.arcs)},
                        {"arc_slack", at(places_.arcs + kWord * arcs)},
                        {"arc_col", at(places_.arcs + 2 * kWord * arcs)}};
  const Program& program = task_.program;
  std::string workspace = program.workspace(at(places_.block), task_.numbers, given);
  const auto state_bytes = int64_t(program.fresh_state.size());
  const uintptr_t stream = task_.costs.stream;
  driver_.fill(memory, 0, size_t(places_.answer + parts_.end), stream);
  driver_.write(at(places_.block), program.fresh_state.data(), size_t(state_bytes), stream);
  uintptr_t control = at(places_.control);
  void* arguments[] = {workspace.data(), &control, &nanoseconds};
  host_ = LargeArray<char>(size_t(places_.block - places_.answer + state_bytes));  // before anything runs
  driver_.launch(task_.solve, task_.blocks, task_.threads, arguments, stream);
  const int64_t first = comes_with_launch() ? places_.answer : places_.block;
  if (comes_with_launch()) find_what_proofs_ask();
  driver_.read(host_.data() + (first - places_.answer), at(first),
               size_t(places_.block + state_bytes - first), stream);
  driver_.wait(stream);
  program.read(workspace.data(), state(), reading_);
}

// What the pair of each row costs, and for reals the column duals and the lowest slack of each row. Nothing
// is written where the status says that there are no such pairs.
void SolveThere::find_what_proofs_ask() {
  const auto of_answer = [&](int64_t part) { return memory_ + uintptr_t(places_.answer + part); };
  CostsOnDevice there = task_.costs;
  uintptr_t status = memory_ + uintptr_t(places_.block + task_.program.status_at);
  uintptr_t pairs = of_answer(parts_.col_of_row), paid = of_answer(parts_.paid);
  if (!task_.is_real) {
    void* arguments[] = {&there.cost, &there.rows, &there.cols, &pairs, &paid, &status};
    const auto blocks = unsigned((rows_ + kRowThreads - 1) / kRowThreads);
    driver_.launch(there.pair_costs, blocks, kRowThreads, arguments, there.stream);
    return;
  }
  int64_t is_square = rows_ == cols_;
  double first = std::get<double>(task_.numbers.at("first"));
  double second = std::get<double>(task_.numbers.at("second"));
  uintptr_t whole = of_answer(parts_.col_dual), real = of_answer(parts_.real_col_dual);
  uintptr_t lowest = of_answer(parts_.lowest);
  void* of_duals[] = {&whole, &there.cols, &is_square, &there.sign, &first, &second, &real, &status};
  driver_.launch(task_.real_col_duals, 1, kAllThreads, of_duals, there.stream);
  void* of_rows[] = {&there.cost, &there.cols, &there.sign, &real, &lowest, &pairs, &paid, &status};
  driver_.launch(there.lowest_slacks, unsigned(rows_), threads_of_row(cols_), of_rows, there.stream);
}

SolveThere::Answer SolveThere::answer() const {
  Sequence all;
  const auto [n, m] = task_.transposed ? std::pair(cols_, rows_) : std::pair(rows_, cols_);
  Answer made;
  made.row_ind = all.place(kWord * rows_, Layout::kAlignment);
  made.col_ind = all.place(kWord * rows_, Layout::kAlignment);
  made.row_dual = all.place(kWord * n, Layout::kAlignment);
  made.col_dual = all.place(kWord * m, Layout::kAlignment);
  made.bytes = all.place(0);
  return made;
}

template <class Work>
bool SolveThere::with_type_of_costs(const Work& work) const {
  const bool narrow = task_.costs.item_bytes == 4;
  if (task_.is_real) return narrow ? work(float()) : work(double());
  return narrow ? work(int32_t()) : work(int64_t());
}

bool SolveThere::write(uintptr_t to, double least_paid, const std::function<uintptr_t(int64_t)>& allocate,
                       const LongSides& sides, Run& run) {
  if (!comes_with_launch()) {
    const uintptr_t stream = task_.costs.stream;
    find_what_proofs_ask();
    if (is_long()) {
      const Long outcome = write_short_side(to, least_paid, sides);
      if (outcome != Long::open) return outcome == Long::written;
    }
    driver_.read(host_.data(), memory_ + uintptr_t(places_.answer), size_t(parts_.end), stream);
    driver_.wait(stream);
  }
  return write_everything(to, least_paid, allocate, run);
}

bool SolveThere::write_everything(uintptr_t to, double least_paid,
                                  const std::function<uintptr_t(int64_t)>& allocate, Run& run) {
  if (has_leftover_duals(cols_, found<int32_t>(parts_.row_of_col), found<int64_t>(parts_.col_dual)))
    return false;
  LargeArray<char> made(size_t(answer().bytes));
  if (!with_type_of_costs([&]<class S>(S) { return write_as<S>(made.data(), least_paid, allocate, run); }))
    return false;
  driver_.write(to, made.data(), made.size(), task_.costs.stream);
  return true;
}

// Of the longer side only the duals of pairs come to the host. No dual is above 0, so that none is left over
// if all of them sum up to those. Minimising, the others are the caller's as they are. Nothing is decided if
// the proof does not hold at once.
SolveThere::Long SolveThere::write_short_side(uintptr_t to, double least_paid, const LongSides& sides) {
  const uintptr_t stream = task_.costs.stream;
  const auto of_answer = [&](int64_t part) { return memory_ + uintptr_t(places_.answer + part); };
  uintptr_t duals = of_answer(parts_.col_dual), pairs = of_answer(parts_.col_of_row), none = 0;
  uintptr_t sums = memory_ + uintptr_t(places_.distances);  // two words, then the duals of pairs
  int64_t rows = rows_, cols = cols_, stride = 0;
  driver_.fill(sums, 0, 2 * kWord, stream);
  void* of_sum[] = {&duals, &cols, &sums};
  driver_.launch(sides.whole_sum, sides.blocks, sides.threads, of_sum, stream);
  const auto blocks = unsigned((rows_ + kRowThreads - 1) / kRowThreads);
  const auto gather = [&](uintptr_t from, uintptr_t into) {
    void* of_pairs[] = {&from, &rows, &stride, &pairs, &into, &none};
    driver_.launch(sides.pair_costs, blocks, kRowThreads, of_pairs, stream);
  };
  gather(duals, sums + 2 * kWord);
  if (task_.is_real) gather(of_answer(parts_.real_col_dual), sums + uintptr_t(kWord * (2 + rows_)));
  std::vector<int64_t> words(size_t(2 + (task_.is_real ? 2 : 1) * rows_));
  driver_.read(words.data(), sums, words.size() * kWord, stream);
  driver_.read(found<char>(parts_.row_dual), of_answer(parts_.row_dual), size_t(kWord * rows_), stream);
  driver_.read(found<char>(parts_.lowest), of_answer(parts_.lowest),
               size_t(parts_.row_of_col - parts_.lowest), stream);
  driver_.wait(stream);

  const int64_t* const whole_dual = words.data() + 2;
  int128 rest = (int128(words[0]) << 31) + words[1];
  for (int64_t i = 0; i < rows_; ++i) rest -= whole_dual[i];
  if (rest != 0) return Long::left_over;
  const auto* const real_dual = reinterpret_cast<const double*>(whole_dual + rows_);
  const Answer where = answer();
  // The answer without its longer side: what is before that, and what is behind it.
  LargeArray<char> made(size_t(task_.transposed ? where.row_dual + kWord * rows_ : where.col_dual));
  if (!with_type_of_costs([&]<class S>(S) { return write_rows_as<S>(made.data(), real_dual, least_paid); }))
    return Long::open;
  const int64_t first = task_.transposed ? where.row_dual : where.col_dual;
  driver_.write(to, made.data(), size_t(first), stream);
  if (task_.transposed)
    driver_.write(to + uintptr_t(where.col_dual), made.data() + first, size_t(kWord * rows_), stream);
  driver_.copy(to + uintptr_t(first), of_answer(task_.is_real ? parts_.real_col_dual : parts_.col_dual),
               size_t(kWord * cols_), stream);
  return Long::written;
}

// Pairs, and behind them the duals of the rows; not transposed, those are where they belong.
template <class S>
bool SolveThere::write_rows_as(char* made, const double* real_dual, double least_paid) {
  using Dual = DualOf<S>;
  const Answer where = answer();
  const AnswerPlaces<Dual> places{in<int64_t>(made, where.row_ind), in<int64_t>(made, where.col_ind),
                                  in<Dual>(made, where.row_dual), nullptr};
  const int32_t* const col_of_row = found<int32_t>(parts_.col_of_row);
  const S* const paid = found<S>(parts_.paid);
  cost = total_of<S>(rows_, [&](int64_t i) { return paid[i]; });
  const auto answer_with = [&](const Dual* row_dual) {
    return TeamAnswer<S, Dual>{rows_, cols_, col_of_row, paid, row_dual, nullptr, false, task_.transposed};
  };
  if constexpr (std::is_integral_v<S>) {
    const int64_t base = std::get<int64_t>(task_.numbers.at("base"));
    return write_rows(answer_with(found<int64_t>(parts_.row_dual)), base, places);
  } else {
    const std::vector<double> costs_of_pairs(paid, paid + rows_);
    double sum = 0;
    for (const double of_pair : costs_of_pairs) sum += std::abs(of_pair);
    const double* const row_dual = found<double>(parts_.lowest);
    const RealProof proof =
        prove_pairs(rows_, costs_of_pairs.data(), row_dual, [&](int64_t i) { return real_dual[i]; });
    if (!(sum >= least_paid) || !proof.holds()) return false;
    gap = proof.gap;
    write_rows(answer_with(row_dual), places);
    return true;
  }
}

template <class S>
bool SolveThere::write_as(char* made, double least_paid, const std::function<uintptr_t(int64_t)>& allocate,
                          Run& run) {
  using Dual = DualOf<S>;
  const Answer where = answer();
  AnswerPlaces<Dual> places{in<int64_t>(made, where.row_ind), in<int64_t>(made, where.col_ind),
                            in<Dual>(made, where.row_dual), in<Dual>(made, where.col_dual)};
  if (task_.transposed) std::swap(places.of_rows, places.of_cols);
  int32_t* const col_of_row = found<int32_t>(parts_.col_of_row);
  const S* const paid = found<S>(parts_.paid);
  if constexpr (std::is_integral_v<S>) {
    const TeamAnswer<S, Dual> answer{rows_,
                                     cols_,
                                     col_of_row,
                                     paid,
                                     found<Dual>(parts_.row_dual),
                                     found<Dual>(parts_.col_dual),
                                     task_.maximize,
                                     task_.transposed};
    cost = total_of<S>(rows_, [&](int64_t i) { return paid[i]; });
    return write_answer(answer, std::get<int64_t>(task_.numbers.at("base")), places);
  } else {
    std::vector<double> costs_of_pairs(paid, paid + rows_), row_dual(static_cast<size_t>(rows_));
    double sum = 0;
    for (const double of_pair : costs_of_pairs) sum += std::abs(of_pair);
    if (!(sum >= least_paid)) return false;
    double* const col_dual = found<double>(parts_.real_col_dual);
    CostsThere costs(driver_, task_.costs, memory_ + uintptr_t(places_.distances), allocate);
    costs.know_costs(col_of_row, costs_of_pairs.data());
    costs.know_lowest(col_dual, found<double>(parts_.lowest));
    RealAnswer proved{col_of_row, row_dual.data(), col_dual, {}};
    exact_solves = prove_or_solve_exactly(costs, proved, run);
    gap = proved.proof.gap;
    if (!std::isfinite(gap)) return false;
    costs.find_costs(col_of_row, costs_of_pairs.data());  // to be minimised
    const TeamAnswer<double, Dual> answer{rows_,           cols_,    col_of_row,     costs_of_pairs.data(),
                                          row_dual.data(), col_dual, task_.maximize, task_.transposed};
    write_answer(answer, places);
    cost = task_.costs.sign * total_of<double>(rows_, [&](int64_t i) { return costs_of_pairs[i]; }) + 0.0;
    return true;
  }
}

}  // namespace konig
