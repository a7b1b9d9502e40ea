// Linear assignment: dense, sparse and batches; checks of costs; proofs.
#include "bindings/bindings.h"

#include <nanobind/stl/tuple.h>

#include <optional>

#include "assignment/answer.h"
#include "assignment/batch.h"
#include "assignment/exact/core.h"
#include "assignment/exact/costs_there.h"
#include "assignment/exact/distant_costs.h"
#include "assignment/scans/cost_check.h"
#include "assignment/sparse/task.h"
#include "assignment/task.h"
#include "assignment/unassigned.h"
#include "konig/assignment/costs.h"

namespace konig {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::bytes as_bytes(const std::vector<uint8_t>& mask) {
  return nb::bytes((const char*)mask.data(), mask.size());
}

template <class Answer>
nb::tuple finished(Outcome outcome, const Answer& answer, const HallViolator& violator,
                   const nb::dict& stats) {
  if (outcome == Outcome::infeasible)
    return nb::make_tuple("infeasible", nb::make_tuple(as_bytes(violator.rows), as_bytes(violator.cols)),
                          stats);
  if (outcome == Outcome::duals_too_large) return nb::make_tuple("duals too large", nb::none(), stats);
  return nb::make_tuple("optimal", nb::make_tuple(as_number(answer.total), answer.gap), stats);
}

void bind_plans(nb::module_& m) {
  nb::class_<DensePlan>(m, "DensePlan", "How dense costs are solved: the stages, and their limits.")
      .def(
          "__init__",
          [](DensePlan* made, bool common_cost, bool extended, bool core, bool reduce_before_core,
             const std::string& auction, int64_t path_scans, int64_t padded_cols, int64_t easy_scans,
             int64_t pricing_rounds, int64_t added) {
            const Auction held = auction == "always"              ? Auction::always
                                 : auction == "if_paths_are_long" ? Auction::if_paths_are_long
                                                                  : Auction::never;
            new (made) DensePlan{common_cost, extended,    core,       reduce_before_core, held,
                                 path_scans,  padded_cols, easy_scans, pricing_rounds,     added};
          },
          nb::kw_only(), "common_cost"_a, "extended"_a, "core"_a, "reduce_before_core"_a, "auction"_a,
          "path_scans"_a, "padded_cols"_a, "easy_scans"_a, "pricing_rounds"_a, "added"_a);
}

template <class S>
nb::tuple assign_dense(const DensePlan& plan, int threads, Matrix<S> cost, bool maximize,
                       Out<int64_t> row_ind, Out<int64_t> col_ind, Out<DualOf<S>> row_dual,
                       Out<DualOf<S>> col_dual, const std::optional<In<DualOf<S>>>& initial_row_dual,
                       const std::optional<In<DualOf<S>>>& initial_col_dual, nb::object progress) {
  DenseTask<S> task{cost.data(), int64_t(cost.shape(0)), int64_t(cost.shape(1)), maximize};
  if (initial_row_dual) {
    task.initial_row_dual = initial_row_dual->data();
    task.initial_col_dual = initial_col_dual->data();
  }
  task.plan = plan;
  task.threads = threads;
  DenseAnswer<S> answer{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data()};
  HallViolator violator;
  Outcome outcome;
  CostCheck check;
  nb::dict stats =
      run_released(progress, [&](Run& run) { outcome = solve_dense(task, answer, violator, check, run); });
  if (check.is_bad()) return nb::make_tuple("bad costs", nb::none(), stats);
  return finished(outcome, answer, violator, stats);
}

template <class S>
nb::tuple assign_sparse(In<int64_t> start, In<int32_t> col, In<S> cost, double largest,
                        Out<int64_t> col_of_row, Out<DualOf<S>> row_dual, Out<DualOf<S>> col_dual,
                        const std::optional<In<DualOf<S>>>& initial_col_dual, nb::object progress) {
  SparseTask<S> task;
  task.costs = {int64_t(row_dual.size()), int64_t(col_dual.size()), start.data(), col.data(), cost.data()};
  task.largest = largest;
  if (initial_col_dual) task.initial_col_dual = initial_col_dual->data();
  SparseAnswer<S> answer{col_of_row.data(), row_dual.data(), col_dual.data()};
  HallViolator violator;
  Outcome outcome;
  nb::dict stats =
      run_released(progress, [&](Run& run) { outcome = sparse_jv(task, answer, violator, run); });
  return finished(outcome, answer, violator, stats);
}

template <class S>
nb::tuple assign_batch(const DensePlan& plan, int threads,
                       nb::ndarray<const S, nb::ndim<3>, nb::c_contig, nb::device::cpu> cost, bool maximize,
                       const std::optional<In<int64_t>>& row_counts,
                       const std::optional<In<int64_t>>& col_counts,
                       const std::optional<In<DualOf<S>>>& row_alone,
                       const std::optional<In<DualOf<S>>>& col_alone, Out<int64_t> row_ind,
                       Out<int64_t> col_ind, Out<DualOf<S>> row_dual, Out<DualOf<S>> col_dual,
                       Out<DualOf<S>> total, Out<double> gap, Out<uint8_t> unsolved, nb::object progress) {
  DenseBatch<S> batch;
  batch.cost = cost.data();
  batch.problems = int64_t(cost.shape(0));
  batch.rows = int64_t(cost.shape(1));
  batch.cols = int64_t(cost.shape(2));
  if (row_counts) batch.row_counts = row_counts->data();
  if (col_counts) batch.col_counts = col_counts->data();
  if (row_alone) batch.alone = {row_alone->data(), col_alone->data()};
  batch.maximize = maximize;
  batch.plan = plan;
  batch.threads = threads;
  const BatchAnswer<S> answer{row_ind.data(), col_ind.data(), row_dual.data(), col_dual.data(),
                              total.data(),   gap.data(),     unsolved.data()};
  int64_t first_bad = -1;
  nb::dict stats = run_released(progress, [&](Run& run) { first_bad = solve_batch(batch, answer, run); });
  return nb::make_tuple(first_bad, stats);
}

// The gap, and how many cores were repaired exactly.
nb::tuple prove(const RealCosts& costs, Out<int32_t>& col_of_row, Out<double>& row_dual,
                Out<double>& col_dual) {
  RealAnswer answer{col_of_row.data(), row_dual.data(), col_dual.data(), {}};
  int64_t solves = 0;
  run_released(nb::none(), [&](Run& run) { solves = prove_or_solve_exactly(costs, answer, run); });
  return nb::make_tuple(answer.proof.gap, solves);
}

template <class S>
nb::tuple prove_assignment(Matrix<S> cost, bool maximize, int threads, Out<int32_t> col_of_row,
                           Out<double> row_dual, Out<double> col_dual) {
  const DenseRealCosts<S> costs(int64_t(cost.shape(0)), int64_t(cost.shape(1)), {cost.data(), maximize},
                                NoLists(), threads);
  return prove(costs, col_of_row, row_dual, col_dual);
}

// Costs read by Python callables, wherever they are stored.
class CostsElsewhere : public DistantCosts {
 public:
  CostsElsewhere(int64_t rows, int64_t cols, nb::callable costs, nb::callable lowest, nb::callable pairs)
      : DistantCosts(rows, cols), costs_(costs), lowest_(lowest), pairs_(pairs) {}

  void find_costs(const int32_t* col_of_row, double* cost) const override {
    nb::gil_scoped_acquire gil;
    costs_(as_array(col_of_row, rows), as_array(cost, rows));
  }
  void find_lowest(const double* col_dual, double* lowest, Run&) const override {
    nb::gil_scoped_acquire gil;
    lowest_(as_array(col_dual, cols), as_array(lowest, rows));
  }
  std::optional<Pairs> list_pairs(const std::vector<int32_t>& asked, const double* col_dual,
                                  const double* bound, int64_t most) const override {
    nb::gil_scoped_acquire gil;
    const auto count = int64_t(asked.size());
    const nb::object answer =
        pairs_(as_array(asked.data(), count), as_array(col_dual, cols), as_array(bound, count), most);
    if (answer.is_none()) return std::nullopt;
    const auto [start, col, cost] = nb::cast<std::tuple<In<int64_t>, In<int32_t>, In<double>>>(answer);
    Pairs found{{start.data(), start.data() + start.size()}, std::vector<Pair>(col.size())};
    for (size_t e = 0; e < col.size(); ++e) found.pair[e] = {col.data()[e], cost.data()[e]};
    return found;
  }

 private:
  // A NumPy array of this memory, valid for the time of the call.
  template <class T>
  static nb::object as_array(T* data, int64_t size) {
    const size_t extent = size_t(size);
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, 1, &extent, nb::handle()),
                    nb::rv_policy::reference);
  }

  nb::callable costs_, lowest_, pairs_;
};

nb::tuple prove_assignment_there(const CostsThere& costs, Out<int32_t> col_of_row, Out<double> row_dual,
                                 Out<double> col_dual) {
  return prove(costs, col_of_row, row_dual, col_dual);
}

nb::tuple prove_assignment_by(Out<int32_t> col_of_row, Out<double> row_dual, Out<double> col_dual,
                              nb::callable find_costs, nb::callable find_lowest, nb::callable find_pairs) {
  const CostsElsewhere costs(int64_t(row_dual.size()), int64_t(col_dual.size()), find_costs, find_lowest,
                             find_pairs);
  return prove(costs, col_of_row, row_dual, col_dual);
}

// The gap, and how often the extended problem was repaired exactly.
nb::tuple prove_alone(const RealCosts& costs, const In<double>& row_alone, const In<double>& col_alone,
                      Out<int32_t>& col_of_row, Out<double>& row_dual, Out<double>& col_dual) {
  UnassignedAnswer answer{col_of_row.data(), row_dual.data(), col_dual.data()};
  bool fits = false;
  nb::dict stats = run_released(nb::none(), [&](Run& run) {
    fits = prove_unassigned(costs, {row_alone.data(), col_alone.data()}, answer, {}, run);
  });
  return nb::make_tuple(fits ? answer.gap : std::numeric_limits<double>::infinity(),
                        stats["extended_solves"]);
}

template <class S>
nb::tuple prove_unassigned_assignment(Matrix<S> cost, bool maximize, int threads, In<double> row_alone,
                                      In<double> col_alone, Out<int32_t> col_of_row, Out<double> row_dual,
                                      Out<double> col_dual) {
  const DenseRealCosts<S> costs(int64_t(cost.shape(0)), int64_t(cost.shape(1)), {cost.data(), maximize},
                                NoLists(), threads);
  return prove_alone(costs, row_alone, col_alone, col_of_row, row_dual, col_dual);
}

nb::tuple prove_unassigned_there(const CostsThere& costs, In<double> row_alone, In<double> col_alone,
                                 Out<int32_t> col_of_row, Out<double> row_dual, Out<double> col_dual) {
  return prove_alone(costs, row_alone, col_alone, col_of_row, row_dual, col_dual);
}

template <class S>
nb::tuple assign_sparse_unassigned(In<int64_t> start, In<int32_t> col, In<S> cost, double largest,
                                   bool maximize, In<DualOf<S>> row_alone, In<DualOf<S>> col_alone,
                                   Out<int64_t> col_of_row, Out<DualOf<S>> row_dual, Out<DualOf<S>> col_dual,
                                   nb::object progress) {
  const SparseCosts<S> costs{int64_t(row_dual.size()), int64_t(col_dual.size()), start.data(), col.data(),
                             cost.data()};
  SparseAnswer<S> answer{col_of_row.data(), row_dual.data(), col_dual.data()};
  Outcome outcome;
  nb::dict stats = run_released(progress, [&](Run& run) {
    outcome =
        solve_sparse_unassigned(costs, largest, maximize, {row_alone.data(), col_alone.data()}, answer, run);
  });
  return finished(outcome, answer, {}, stats);
}

template <class S>
void bind_costs(nb::module_& m) {
  m.def(
      "check_costs",
      [](nb::ndarray<const S, nb::c_contig, nb::device::cpu> cost, bool maximize, int threads) {
        CostCheck check;
        const auto work = [&](Run& run) {
          check = check_costs(cost.data(), int64_t(cost.size()), maximize, threads, run);
        };
        if (cost.size() < 4096)
          run_held(work);
        else
          run_released(nb::none(), work);
        return nb::make_tuple(check.largest, check.first_nan, check.first_wrong, check.forbids);
      },
      "cost"_raw, "maximize"_a, "threads"_a = 1,
      "The largest finite |cost|, the positions of the first NaN and of the first other bad cost (-1 for "
      "none), and whether some pair is forbidden.");
  m.def("assign_batch", &assign_batch<S>, "plan"_a, "threads"_a, "cost"_raw, "maximize"_a,
        "row_counts"_raw.none(), "col_counts"_raw.none(), "row_alone"_raw.none(), "col_alone"_raw.none(),
        "row_ind"_raw, "col_ind"_raw, "row_dual"_raw, "col_dual"_raw, "total"_raw, "gap"_raw, "unsolved"_raw,
        "progress"_a.none(),
        "Solve a batch of dense problems, in which rows and columns may be left alone at a cost if that is "
        "given; the position of the first bad cost (-1 for none) and what was counted.");
  m.def("assign_dense", &assign_dense<S>, "plan"_a, "threads"_a, "cost"_raw, "maximize"_a, "row_ind"_raw,
        "col_ind"_raw, "row_dual"_raw, "col_dual"_raw, "initial_row_dual"_raw.none(),
        "initial_col_dual"_raw.none(), "progress"_a.none(),
        "Check and solve a dense assignment problem; the outcome, the cost and its gap or the violator, "
        "and what was counted.");
  m.def("assign_sparse", &assign_sparse<S>, "start"_raw, "col"_raw, "cost"_raw, "largest"_a, "col_of_row"_raw,
        "row_dual"_raw, "col_dual"_raw, "initial_col_dual"_raw.none(), "progress"_a.none(),
        "Solve a sparse assignment problem with no more rows than columns by shortest augmenting paths.");
  m.def("assign_sparse_unassigned", &assign_sparse_unassigned<S>, "start"_raw, "col"_raw, "cost"_raw,
        "largest"_a, "maximize"_a, "row_alone"_raw, "col_alone"_raw, "col_of_row"_raw, "row_dual"_raw,
        "col_dual"_raw, "progress"_a.none(),
        "Solve a sparse assignment problem in which rows and columns may be left alone at a cost; the column "
        "of a row left alone is -1.");
  if constexpr (std::is_floating_point_v<S>)
    m.def("prove_unassigned", &prove_unassigned_assignment<S>, "cost"_raw, "maximize"_a, "threads"_a,
          "row_alone"_raw, "col_alone"_raw, "col_of_row"_raw, "row_dual"_raw, "col_dual"_raw,
          "As prove_assignment, where rows (-1) and columns are left alone at a cost; that is negated to "
          "maximise, too.");
  if constexpr (std::is_floating_point_v<S>)
    m.def("prove_assignment", &prove_assignment<S>, "cost"_raw, "maximize"_a, "threads"_a, "col_of_row"_raw,
          "row_dual"_raw, "col_dual"_raw,
          "Row duals and the gap of an assignment of all rows, from its column duals; both as if the costs, "
          "negated to maximise, were minimised. An answer that this does not prove optimal is replaced by "
          "one. The gap, and how often a core was repaired exactly.");
}

}  // namespace

void bind_assignment(nb::module_& m) {
  m.attr("VALUE_BITS") = assignment::kValueBits;
  bind_plans(m);
  bind_costs<int32_t>(m);
  bind_costs<int64_t>(m);
  bind_costs<float>(m);
  bind_costs<double>(m);
  m.def("prove_unassigned_there", &prove_unassigned_there, "costs"_a, "row_alone"_raw, "col_alone"_raw,
        "col_of_row"_raw, "row_dual"_raw, "col_dual"_raw, "As prove_unassigned, of costs on a GPU.");
  m.def("prove_assignment_there", &prove_assignment_there, "costs"_a, "col_of_row"_raw, "row_dual"_raw,
        "col_dual"_raw, "As prove_assignment, of costs on a GPU.");
  m.def("prove_assignment_by", &prove_assignment_by, "col_of_row"_raw, "row_dual"_raw, "col_dual"_raw,
        "find_costs"_a, "find_lowest"_a, "find_pairs"_a,
        "As prove_assignment, of costs that the callables read: find_costs(col_of_row, cost) and "
        "find_lowest(col_dual, lowest) write into their last argument, find_pairs(rows, col_dual, "
        "bound, most) returns (start, col, cost), or None if there are more pairs than `most`, of which 0 is "
        "no limit.");
}

}  // namespace konig
