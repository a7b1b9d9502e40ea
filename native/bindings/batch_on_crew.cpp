// Batches of assignment problems on the crew of one worker.
#include "assignment/batch_on_crew.h"

#include "bindings/bindings.h"

namespace konig {
namespace {

static_assert(sizeof(int64_t) == sizeof(long long));

template <class T>
using Counts = std::optional<In<T>>;

// `Cost` is the type of the array, `Of` the algorithm's name for it.
template <class Cost, class Of>
void bind(nb::module_& m) {
  using Costs = nb::ndarray<const Cost, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
  using DualT = typename batch::Batch<Of>::DualT;
  using Dual = std::conditional_t<std::is_same_v<DualT, double>, double, int64_t>;
  m.def(
      "batch_on_crew",
      [](Costs costs, bool maximize, Counts<int64_t> row_counts, Counts<int64_t> col_counts,
         Out<int64_t> row_ind, Out<int64_t> col_ind, Out<Dual> row_dual, Out<Dual> col_dual, Out<Dual> total,
         Out<double> gap, Out<int32_t> outcome, int64_t patience, nb::object progress) {
        batch::Batch<Of> batch{};
        batch.cost = reinterpret_cast<const Of*>(costs.data());
        batch.problems = int64_t(costs.shape(0));
        batch.rows = int64_t(costs.shape(1));
        batch.cols = int64_t(costs.shape(2));
        batch.row_step = batch.cols;
        batch.col_step = 1;
        batch.maximize = maximize;
        const auto words = [](const Counts<int64_t>& counts) {
          return counts ? reinterpret_cast<const long long*>(counts->data()) : nullptr;
        };
        batch.row_counts = words(row_counts);
        batch.col_counts = words(col_counts);
        batch.row_ind = reinterpret_cast<long long*>(row_ind.data());
        batch.col_ind = reinterpret_cast<long long*>(col_ind.data());
        batch.row_dual = reinterpret_cast<DualT*>(row_dual.data());
        batch.col_dual = reinterpret_cast<DualT*>(col_dual.data());
        batch.total = reinterpret_cast<DualT*>(total.data());
        batch.gap = gap.data();
        batch.outcome = outcome.data();
        int64_t first_bad = -1;
        const nb::dict stats =
            run_released(progress, [&](Run& run) { first_bad = batch_on_crew(batch, patience, run); });
        return nb::make_tuple(first_bad, stats);
      },
      "costs"_a.noconvert(), "maximize"_a, "row_counts"_a.none(), "col_counts"_a.none(),
      "row_ind"_a.noconvert(), "col_ind"_a.noconvert(), "row_dual"_a.noconvert(), "col_dual"_a.noconvert(),
      "total"_a.noconvert(), "gap"_a.noconvert(), "outcome"_a.noconvert(), "patience"_a, "progress"_a.none(),
      "Assign a batch as a crew on a GPU does, with one worker; returns the first bad position and counts.");
}

}  // namespace

void bind_batch_on_crew(nb::module_& m) {
  bind<int32_t, int>(m);
  bind<int64_t, long long>(m);
  bind<float, float>(m);
  bind<double, double>(m);
}

}  // namespace konig
