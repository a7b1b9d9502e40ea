// Dense costs on a GPU, solved from nothing by one launch, as most of them are.
//
// Commands to a GPU that Python makes one by one take longer than the solve of a million easy costs. So here
// the memory of a solve is laid out and filled, the program is launched, kernels behind it find what its
// answer and its proof ask first, and one read brings all of that. If the solve has ended with an answer it
// is proved, written as the caller's and sent there. In every other case Python goes on from that memory
// (konig/assignment/first_launch.py), of which `write` may use distances and arcs: nothing reads these after
// an optimal launch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "assignment/exact/costs_there.h"
#include "assignment/sums.h"
#include "core/large_array.h"
#include "core/program.h"
#include "core/run.h"
#include "gpu/driver.h"

namespace konig {

// What runs, on what. The costs have the shorter side as rows; if these are the caller's columns the problem
// is `transposed`.
struct DenseThere {
  const Program& program;
  Driver::Kernel solve, real_col_duals;
  unsigned blocks, threads;
  CostsOnDevice costs;
  bool is_real;
  bool maximize, transposed;
  Numbers numbers;  // of the program
};

// What a long answer takes in addition: pair_costs of 64 bits, and the sum of whole numbers
// (konig/kernels/whole_sum.cu) by so many blocks of threads.
struct LongSides {
  Driver::Kernel pair_costs, whole_sum;
  unsigned blocks = 0, threads = 0;
};

class SolveThere {
 public:
  SolveThere(const Driver& driver, DenseThere task);

  // Where things lie in the memory of a solve. The answer has the parts that Problem has in problem.py, the
  // distances and the arcs those of Assigning in programs.py.
  struct Places {
    int64_t control, answer, block, distances, arcs, end;
  };
  const Places& places() const { return places_; }
  const DenseThere& task() const { return task_; }

  // One launch, in memory of places().end bytes. What the state says then is in reading().
  void launch(uintptr_t memory, int64_t nanoseconds);
  const Reading& reading() const { return reading_; }
  const char* state() const { return host_.data() + (places_.block - places_.answer); }

  // The caller's answer: row_ind, col_ind, row_dual and col_dual, in one piece of the device's memory.
  struct Answer {
    int64_t row_ind, col_ind, row_dual, col_dual, bytes;
  };
  Answer answer() const;
  // Writes it after a launch that has ended with "optimal". False if that takes more than this: duals of
  // columns left over, or such that do not fit; reals whose pairs cost less than `least_paid` together.
  // `allocate` gives more of the device's memory. Where the answer is long, its longer side stays there. What
  // is written last is not waited for: the caller synchronises the stream before anyone reads it.
  bool write(uintptr_t to, double least_paid, const std::function<uintptr_t(int64_t)>& allocate,
             const LongSides& sides, Run& run);
  // Whether the duals of the longer side may stay on the device; they do if the proof holds at once.
  bool is_long() const { return !comes_with_launch() && rows_ < cols_ && !task_.maximize; }
  std::variant<int128, double> cost = int128(0);
  double gap = 0;
  int64_t exact_solves = 0;
  // After `write`: what was copied to the host is no longer needed. `state` and `write` have nothing then.
  void forget() { host_ = {}; }

 private:
  // Parts of the answer, from its beginning; reals have all of them.
  struct Parts {
    int64_t row_dual, col_dual, real_col_dual, lowest, paid, col_of_row, row_of_col, end;
  };
  template <class T>
  T* found(int64_t part) {
    return reinterpret_cast<T*>(host_.data() + part);
  }
  bool comes_with_launch() const;
  void find_what_proofs_ask();
  bool write_everything(uintptr_t to, double least_paid, const std::function<uintptr_t(int64_t)>& allocate,
                        Run& run);
  enum class Long { written, left_over, open };
  Long write_short_side(uintptr_t to, double least_paid, const LongSides& sides);
  template <class S>
  bool write_rows_as(char* made, const double* real_dual, double least_paid);
  template <class Work>
  bool with_type_of_costs(const Work& work) const;
  template <class S>
  bool write_as(char* made, double least_paid, const std::function<uintptr_t(int64_t)>& allocate, Run& run);

  const Driver& driver_;
  const DenseThere task_;
  const int64_t rows_, cols_;
  Parts parts_;
  Places places_;
  uintptr_t memory_ = 0;
  LargeArray<char> host_;  // the answer, and the state behind it
  Reading reading_;
};

}  // namespace konig
