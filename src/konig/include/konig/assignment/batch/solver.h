// What a crew holds of the problem that it is at, and what it does in which order; the stages are in files of
// their own.
#pragma once

#include "konig/assignment/batch/problem.h"
#include "konig/bsp/crew.h"

namespace konig::batch {

using bsp::Least;

// What the workers of a crew share, of kThreads * kStrips entries each.
struct Board {
  long long* row_dual;
  int* col_of_row;
  int* row_of_col;
  int* pred_of;  // the row from which a column was reached, for columns that a search has left
};

constexpr int kBoardBytes = 8 + 3 * 4;  // for each column

KONIG_FN Board board_at(void* memory, int columns) {
  long long* words = (long long*)memory;
  int* ids = (int*)(words + columns);
  return {words, ids, ids + columns, ids + 2 * columns};
}

template <class Crew, class Cost>
class Solver {
 public:
  KONIG_FN Solver(Crew& crew, const Batch<Cost>& batch)
      : crew_(crew), batch_(batch), board_(board_at(crew.memory(), Crew::kThreads * Crew::kStrips)) {}

  // Takes problems until none is left or the time is over; every launch gets on.
  KONIG_FN void run() {
    while (true) {
      place_ = crew_.deal(&batch_.state->dealt);
      if (place_ >= batch_.problems) break;
      const long long problem = batch_.order ? batch_.order[place_] : place_;
      const int outcome = batch_.outcome[problem];  // written by no other crew during this launch
      if (outcome != kUntouched && outcome != kPaused) continue;
      solve(problem, outcome);
      if (crew_.time_over()) break;
    }
    if (crew_.leads()) leave_launch();
  }

 private:
  // One problem, from its start or from where it paused.
  KONIG_FN void solve(long long problem, int outcome) {
    enter(problem);
    greedy_ = searches_ = steps_ = 0;
    if (rows_ == 0) return leave(kOptimal);
    const int begun = outcome == kPaused ? resume() : begin();
    leave(begun == kUntouched ? search_all() : begun);
  }

  // The last crew makes the state ready for the next launch. If it misses what another has finished just now,
  // there is one more launch.
  KONIG_FN void leave_launch() {
    State* const state = batch_.state;
    if (bsp::fetch_add(&state->left, 1LL) + 1 < crew_.crews()) return;
    bsp::store(&state->left, 0LL);
    bsp::store(&state->dealt, 0LL);
    ++state->launches;
    if (bsp::load(&state->finished) == batch_.problems) state->status = kFinished;
  }

  static constexpr unsigned kTaken = 1U << 30;  // of a tie: the column is assigned
  static constexpr unsigned kColumn = kTaken - 1;
  static constexpr unsigned kScanned = 0xffffffffU;

  using DualT = typename Batch<Cost>::DualT;

  // ---- the problem in the solver's orientation

  KONIG_FN void enter(long long problem) {
    problem_ = problem;
    const long long rows = batch_.row_counts ? batch_.row_counts[problem] : batch_.rows;
    const long long cols = batch_.col_counts ? batch_.col_counts[problem] : batch_.cols;
    turned_ = rows > cols;
    rows_ = int(turned_ ? cols : rows);
    cols_ = int(turned_ ? rows : cols);
    step_ = turned_ ? batch_.row_step : batch_.col_step;
    stride_ = turned_ ? batch_.col_step : batch_.row_step;
    cost_ = batch_.costs + problem * batch_.rows * batch_.cols;
  }

  KONIG_FN Cost entry(int row, int col) const { return cost_[row * stride_ + col * step_]; }

  // The position in the caller's array, whatever the order of its memory.
  KONIG_FN long long position(int row, int col) const {
    const long long i = turned_ ? col : row, j = turned_ ? row : col;
    return (problem_ * batch_.rows + i) * batch_.cols + j;
  }

  // The caller's duals of the solver's rows, or of its columns.
  KONIG_FN DualT* duals(bool of_rows) const {
    return of_rows != turned_ ? batch_.row_dual + problem_ * batch_.rows
                              : batch_.col_dual + problem_ * batch_.cols;
  }

  KONIG_FN long long pairs_at() const {
    return problem_ * (batch_.rows < batch_.cols ? batch_.rows : batch_.cols);
  }

  // ---- start.h

  KONIG_FN int begin();
  KONIG_FN bool survey(Cost (&best)[Crew::kStrips]);
  KONIG_FN void make_tile();
  KONIG_FN void take_least_column(int row);

  // ---- search.h

  KONIG_FN bool search(int root);
  KONIG_FN Least nearest_column();
  KONIG_FN void scan(const Least& nearest);
  KONIG_FN void move_duals(int root, int last, long long length);
  KONIG_FN void flip_path(int root, int col);

  // ---- pause.h

  KONIG_FN void pause(int next);
  KONIG_FN int resume();
  static KONIG_FN void keep(DualT* place, long long value);
  static KONIG_FN long long kept(const DualT* place);

  // ---- answer.h

  KONIG_FN int write_answer();
  KONIG_FN void write_pairs();
  KONIG_FN bool write_integer_duals();
  KONIG_FN bool write_real_duals();
  KONIG_FN long long middle_of_col_duals();
  KONIG_FN double sum_of_costs() const;

  // ---- the order of stages

  KONIG_FN int search_all() {
    for (int row = next_; row < rows_; ++row) {
      if (board_.col_of_row[row] >= 0) continue;
      if (!search(row)) return kInfeasible;
      ++searches_;
      if (crew_.time_over()) {
        pause(row + 1);
        return kPaused;
      }
    }
    return write_answer();
  }

  KONIG_FN void leave(int outcome) {
    if (crew_.leads()) {
      batch_.outcome[problem_] = outcome;
      State* const state = batch_.state;
      if (outcome != kPaused) bsp::fetch_add(&state->finished, 1LL);
      bsp::fetch_add(&state->greedy_assignments, greedy_);
      bsp::fetch_add(&state->searches, searches_);
      bsp::fetch_add(&state->steps, steps_);
    }
    crew_.barrier();
  }

  Crew& crew_;
  const Batch<Cost>& batch_;
  const Board board_;
  long long place_ = 0;  // among those that are dealt
  long long problem_ = 0;
  bool turned_ = false;
  int rows_ = 0, cols_ = 0, next_ = 0;
  long long step_ = 1, stride_ = 0;
  const Cost* cost_ = nullptr;
  Cost least_cost_ = 0, greatest_cost_ = 0;
  Tile<Cost> tile_{};
  long long greedy_ = 0, searches_ = 0, steps_ = 0;
  long long col_dual_[Crew::kStrips];
  long long distance_[Crew::kStrips];
  int pred_[Crew::kStrips];
  unsigned tie_[Crew::kStrips];
};

}  // namespace konig::batch
