// Batches of small dense assignment problems, each solved by a group of its own.
//
// The method is that of shortest augmenting paths (Jonker, Volgenant: A shortest augmenting path algorithm
// for dense and sparse linear assignment problems, Computing 38, 1987), with the side that has fewer members
// as rows. It starts from the least cost of each column (squares only: columns that stay unassigned must keep
// the dual 0) and of what is then left of each row; a row takes its least column if that is free. Every row
// left over is the root of one search in the manner of Dijkstra's, at whose end the duals move and the path
// is flipped. Of columns at equal distance a search prefers a free one, which ends it.
//
// Costs are whole numbers (costs.h), so that all sums are exact. A worker holds dual, distance and
// predecessor of its columns in registers; the rows' duals and both mates are in the group's memory. The
// costs of a row are read where they are, by neighbouring workers from neighbouring places.
//
// Invariant between two searches: value(i, j) - row_dual[i] - col_dual[j] >= 0 for allowed pairs, and 0 for
// assigned ones; columns of a rectangle have duals <= 0, and 0 if unassigned. So a solve can pause there.
#pragma once

#include "konig/assignment/batch/problem.h"
#include "konig/bsp/group.h"
#include "konig/exact.h"

namespace konig::batch {

using bsp::Least;

// What the workers of a group share, of kThreads * kStrips entries each.
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

// What reductions keep of two. Not generic lambdas: NVRTC takes those for code of the host before CUDA 13.
struct Smaller {
  template <class T>
  KONIG_FN T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Larger {
  template <class T>
  KONIG_FN T operator()(T a, T b) const {
    return b > a ? b : a;
  }
};

template <class Group, class Cost>
class Solver {
 public:
  KONIG_FN Solver(Group& group, const Batch<Cost>& batch)
      : group_(group), batch_(batch), board_(board_at(group.memory(), Group::kThreads * Group::kStrips)) {}

  // Takes problems until none is left or the time is over; every launch gets on.
  KONIG_FN void run() {
    while (true) {
      place_ = group_.deal(&batch_.state->dealt);
      if (place_ >= batch_.problems) break;
      const long long problem = batch_.order ? batch_.order[place_] : place_;
      const int outcome = batch_.outcome[problem];  // written by no other group during this launch
      if (outcome != kUntouched && outcome != kPaused) continue;
      solve(problem, outcome);
      if (group_.time_over()) break;
    }
    if (group_.leads()) leave_launch();
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

  // The last group makes the state ready for the next launch. If it misses what another has finished just
  // now, there is one more launch.
  KONIG_FN void leave_launch() {
    State* const state = batch_.state;
    if (bsp::fetch_add(&state->left, 1LL) + 1 < group_.groups()) return;
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

  // ---- the order of stages

  KONIG_FN int search_all() {
    for (int row = next_; row < rows_; ++row) {
      if (board_.col_of_row[row] >= 0) continue;
      if (!search(row)) return kInfeasible;
      ++searches_;
      if (group_.time_over()) {
        pause(row + 1);
        return kPaused;
      }
    }
    return write_answer();
  }

  KONIG_FN void leave(int outcome) {
    if (group_.leads()) {
      batch_.outcome[problem_] = outcome;
      State* const state = batch_.state;
      if (outcome != kPaused) bsp::fetch_add(&state->finished, 1LL);
      bsp::fetch_add(&state->greedy_assignments, greedy_);
      bsp::fetch_add(&state->searches, searches_);
      bsp::fetch_add(&state->steps, steps_);
    }
    group_.barrier();
  }

  // ---- start: the costs are profiled and become whole numbers, and rows take their least columns

  // kUntouched if there is something to search.
  KONIG_FN int begin() {
    Cost best[Group::kStrips];
    if (!profile_costs(best)) return kBadCost;
    if (!in_reach(least_cost_, greatest_cost_, rows_)) return kOutOfReach;
    make_tile();
    group_.for_each(cols_, [&](int k, int col) {
      const long long value = tile_.value(best[k]);
      col_dual_[k] = rows_ == cols_ && value < kInfinite ? value : 0;
      board_.row_of_col[col] = -1;
    });
    group_.barrier();
    for (int row = 0; row < rows_; ++row) take_least_column(row);
    next_ = 0;
    return kUntouched;
  }

  // The extremes of all finite costs and the best cost of each column; whether no cost is bad.
  KONIG_FN bool profile_costs(Cost (&best)[Group::kStrips]) {
    const bool maximize = batch_.maximize != 0;
    const Cost none_least = worst_cost<Cost>(false), none_greatest = worst_cost<Cost>(true);
    Cost least = none_least, greatest = none_greatest;
    long long first_bad = kNoPosition;
    group_.for_each(cols_, [&](int k, int col) {
      Cost seen = worst_cost<Cost>(maximize);
      group_.each_row(rows_, [&](int row) {
        const Cost cost = entry(row, col);
        const bool finite = is_finite(cost);
        least = finite && cost < least ? cost : least;
        greatest = finite && cost > greatest ? cost : greatest;
        seen = (maximize ? cost > seen : cost < seen) ? cost : seen;
        if (is_bad(cost, maximize)) {
          const long long where = position(row, col);
          first_bad = where < first_bad ? where : first_bad;
        }
      });
      best[k] = seen;
    });
    first_bad = group_.reduce(first_bad, Smaller{});
    least = group_.reduce(least, Smaller{});
    greatest = group_.reduce(greatest, Larger{});
    const bool some = least <= greatest;  // a finite cost
    least_cost_ = some ? least : Cost(0);
    greatest_cost_ = some ? greatest : Cost(0);
    if (first_bad == kNoPosition) return true;
    if (group_.leads()) bsp::fetch_min(&batch_.state->first_bad, first_bad);
    return false;
  }

  KONIG_FN void make_tile() {
    tile_ = tile_of(cost_, stride_, least_cost_, greatest_cost_, rows_, batch_.maximize != 0);
  }

  // The row's dual is its least slack; it takes a column that has it if one is free.
  KONIG_FN void take_least_column(int row) {
    Least mine = bsp::kNoPick;
    group_.for_each(cols_, [&](int k, int col) {
      const long long slack = tile_.value(entry(row, col)) - col_dual_[k];
      const unsigned tie = unsigned(col) | (board_.row_of_col[col] >= 0 ? kTaken : 0);
      if (bsp::before(slack, tie, mine)) mine = {slack, tie};
    });
    const Least least = group_.least(mine);
    const bool allowed = least.value < kInfinite;
    const bool takes = allowed && !(least.tie & kTaken);
    const int col = int(least.tie & kColumn);
    if (group_.leads()) {
      board_.row_dual[row] = allowed ? least.value : 0;
      board_.col_of_row[row] = takes ? col : -1;
      if (takes) board_.row_of_col[col] = row;
    }
    greedy_ += takes;
    group_.barrier();
  }

  // ---- a search, in the manner of Dijkstra's, and what it changes

  // A shortest path from a free row to a free column; false if there is none.
  KONIG_FN bool search(int root) {
    const long long root_dual = board_.row_dual[root];
    group_.for_each(cols_, [&](int k, int col) {
      distance_[k] = tile_.value(entry(root, col)) - root_dual - col_dual_[k];
      pred_[k] = root;
      tie_[k] = unsigned(col) | (board_.row_of_col[col] >= 0 ? kTaken : 0);
    });
    Least nearest = nearest_column();
    while (nearest.value < kInfinite && (nearest.tie & kTaken)) {
      scan(nearest);
      nearest = nearest_column();
      ++steps_;
    }
    if (nearest.value >= kInfinite) return false;
    const int last = int(nearest.tie & kColumn);
    move_duals(root, last, nearest.value);
    group_.barrier();
    if (group_.leads()) flip_path(root, last);
    group_.barrier();
    return true;
  }

  KONIG_FN Least nearest_column() {
    Least mine = bsp::kNoPick;
    group_.for_each(cols_, [&](int k, int) {
      if (tie_[k] != kScanned && bsp::before(distance_[k], tie_[k], mine)) mine = {distance_[k], tie_[k]};
    });
    return group_.least(mine);
  }

  // Goes on from the row of the nearest column, which has its final distance.
  KONIG_FN void scan(const Least& nearest) {
    const int left = int(nearest.tie & kColumn);
    const int row = board_.row_of_col[left];
    const long long so_far = nearest.value - board_.row_dual[row];
    group_.for_each(cols_, [&](int k, int col) {
      const long long distance = so_far + tile_.value(entry(row, col)) - col_dual_[k];
      if (col == left) {
        tie_[k] = kScanned;
        board_.pred_of[col] = pred_[k];
      } else if (tie_[k] != kScanned && distance < distance_[k]) {
        distance_[k] = distance;
        pred_[k] = row;
      }
    });
  }

  // What was scanned moves so far that the path becomes tight, and nothing goes below zero.
  KONIG_FN void move_duals(int root, int last, long long length) {
    group_.for_each(cols_, [&](int k, int col) {
      if (tie_[k] == kScanned) {
        const long long ahead = length - distance_[k];
        col_dual_[k] -= ahead;
        board_.row_dual[board_.row_of_col[col]] += ahead;
      } else if (col == last) {
        board_.pred_of[col] = pred_[k];
      }
    });
    if (group_.leads()) board_.row_dual[root] += length;
  }

  KONIG_FN void flip_path(int root, int col) {
    for (int row = -1; row != root;) {
      row = board_.pred_of[col];
      const int before = board_.col_of_row[row];
      board_.col_of_row[row] = col;
      board_.row_of_col[col] = row;
      col = before;
    }
  }

  // ---- a problem that pauses: the bits of its duals and the mates wait in the arrays of the answer

  KONIG_FN void pause(int next) {
    group_.for_each(cols_, [&](int k, int col) { keep(duals(false) + col, col_dual_[k]); });
    for (int row = group_.rank(); row < rows_; row += Group::kThreads) {
      keep(duals(true) + row, board_.row_dual[row]);
      batch_.col_ind[pairs_at() + row] = board_.col_of_row[row];
    }
    if (group_.leads()) {
      batch_.next_row[place_] = next;
      batch_.extremes[2 * place_] = least_cost_;
      batch_.extremes[2 * place_ + 1] = greatest_cost_;
    }
    group_.barrier();  // the board is another problem's from here
  }

  KONIG_FN int resume() {
    next_ = batch_.next_row[place_];
    least_cost_ = batch_.extremes[2 * place_];
    greatest_cost_ = batch_.extremes[2 * place_ + 1];
    make_tile();
    group_.for_each(cols_, [&](int k, int col) {
      col_dual_[k] = kept(duals(false) + col);
      board_.row_of_col[col] = -1;
    });
    group_.barrier();
    for (int row = group_.rank(); row < rows_; row += Group::kThreads) {
      const int col = int(batch_.col_ind[pairs_at() + row]);
      board_.row_dual[row] = kept(duals(true) + row);
      board_.col_of_row[row] = col;
      if (col >= 0) board_.row_of_col[col] = row;
    }
    group_.barrier();
    return kUntouched;
  }

  static KONIG_FN void keep(DualT* place, long long value) {
    if constexpr (IsReal<Cost>::value)
      *place = double_of(value);
    else
      *place = value;
  }
  static KONIG_FN long long kept(const DualT* place) {
    if constexpr (IsReal<Cost>::value)
      return bits_of(*place);
    else
      return *place;
  }

  // ---- the answer as the caller sees it: pairs, duals and the total

  // Reals that are not proved optimal, because their values are rounded costs, are left to the caller, and so
  // are integers that do not fit.
  KONIG_FN int write_answer() {
    write_pairs();
    if constexpr (IsReal<Cost>::value)
      return write_real_duals() ? kOptimal : kOutOfReach;
    else
      return write_integer_duals() ? kOptimal : kTotalTooLarge;
  }

  // Sorted by the caller's rows; where those are the solver's columns the leader counts them off.
  KONIG_FN void write_pairs() {
    long long* row_ind = batch_.row_ind + pairs_at();
    long long* col_ind = batch_.col_ind + pairs_at();
    if (!turned_) {
      for (int row = group_.rank(); row < rows_; row += Group::kThreads) {
        row_ind[row] = row;
        col_ind[row] = board_.col_of_row[row];
      }
    } else if (group_.leads()) {
      int pair = 0;
      for (int col = 0; col < cols_; ++col) {
        if (board_.row_of_col[col] < 0) continue;
        row_ind[pair] = col;
        col_ind[pair++] = board_.row_of_col[col];
      }
    }
  }

  // The duals of the values, moved to those of the costs: value = entry - base, or base - entry.
  KONIG_FN bool write_integer_duals() {
    const bool maximize = batch_.maximize != 0;
    DualT* row_dual = duals(true);
    DualT* col_dual = duals(false);
    group_.for_each(cols_, [&](int k, int col) { col_dual[col] = maximize ? -col_dual_[k] : col_dual_[k]; });
    long long values = 0;
    int fits = 1;
    for (int row = group_.rank(); row < rows_; row += Group::kThreads) {
      const long long dual = board_.row_dual[row];
      fits &= int(total_of(1, tile_.base, maximize ? -dual : dual, row_dual[row]));
      values += tile_.value(entry(row, board_.col_of_row[row]));
    }
    values = group_.reduce(values, [](long long a, long long b) { return a + b; });
    fits = group_.reduce(fits, [](int a, int b) { return a & b; });
    long long total = 0;
    fits &= int(total_of(rows_, tile_.base, maximize ? -values : values, total));
    if (group_.leads()) batch_.total[problem_] = total;
    return fits != 0;
  }

  // Columns from the duals of the values; rows from those and the costs, rounded such that no pair undercuts
  // its duals in exact arithmetic (native/assignment/exact/core.h). Where no column is left over a
  // constant may move between the sides: smaller numbers round less. False if that leaves too large a gap.
  KONIG_FN bool write_real_duals() {
    const long long middle = rows_ == cols_ ? middle_of_col_duals() : 0;
    const double sign = batch_.maximize ? -1.0 : 1.0;
    DualT* row_dual = duals(true);
    DualT* col_dual = duals(false);
    double dual[Group::kStrips];  // as if the costs were minimised
    group_.for_each(cols_, [&](int k, int col) {
      col_dual[col] = double(col_dual_[k] - middle) / tile_.scale.first / tile_.scale.second;
      dual[k] = sign * col_dual[col];
    });
    for (int row = 0; row < rows_; ++row) {
      double lowest = double_of(0x7ff0000000000000LL);
      group_.for_each(cols_, [&](int k, int col) {
        const double here = difference_below(sign * double(entry(row, col)), dual[k]);
        lowest = here < lowest ? here : lowest;
      });
      lowest = group_.reduce(lowest, Smaller{});
      if (group_.leads()) row_dual[row] = sign * lowest;
    }
    group_.barrier();
    double gap = 0;
    Size size;
    for (int row = group_.rank(); row < rows_; row += Group::kThreads) {
      const int col = board_.col_of_row[row];
      const double cost = double(entry(row, col));
      gap += excess_of(sign * cost, sign * row_dual[row], sign * col_dual[col]);
      size.add(cost);
      board_.row_dual[row] = bits_of(cost);
    }
    // At most 2048 sums, none of them negative: the rounding error is below that.
    gap = group_.reduce(gap, [](double a, double b) { return a + b; }) * (1 + 0x1p-41);
    size.exponents = group_.reduce(size.exponents, [](long long a, long long b) { return a + b; });
    size.count = group_.reduce(size.count, [](long long a, long long b) { return a + b; });
    if (group_.leads()) {
      batch_.total[problem_] = sum_of_costs();
      batch_.gap[problem_] = gap;
    }
    return gap <= kProvenGap * size.value();
  }

  KONIG_FN long long middle_of_col_duals() {
    long long least = kInfinite, greatest = -kInfinite;
    group_.for_each(cols_, [&](int k, int) {
      least = col_dual_[k] < least ? col_dual_[k] : least;
      greatest = col_dual_[k] > greatest ? col_dual_[k] : greatest;
    });
    least = group_.reduce(least, Smaller{});
    greatest = group_.reduce(greatest, Larger{});
    return (least + greatest) / 2;
  }

  // With Neumaier's compensation, of the costs that write_real_duals left.
  KONIG_FN double sum_of_costs() const {
    double sum = 0, rest = 0;
    for (int row = 0; row < rows_; ++row) {
      const double cost = double_of(board_.row_dual[row]), next = sum + cost;
      const bool sum_is_larger = (sum < 0 ? -sum : sum) >= (cost < 0 ? -cost : cost);
      rest += sum_is_larger ? (sum - next) + cost : (cost - next) + sum;
      sum = next;
    }
    return is_finite(rest) ? sum + rest : sum;
  }

  Group& group_;
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
  long long col_dual_[Group::kStrips];
  long long distance_[Group::kStrips];
  int pred_[Group::kStrips];
  unsigned tie_[Group::kStrips];
};

template <class Cost>
struct Program {
  using Workspace = Batch<Cost>;
  using State = batch::State;
  static constexpr int kItemBytes = kBoardBytes;

  template <class Group>
  static KONIG_FN void run(Group& group, const Workspace& batch) {
    Solver<Group, Cost>(group, batch).run();
  }
};

}  // namespace konig::batch
