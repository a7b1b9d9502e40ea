// Dense assignment in which rows and columns may be left alone at a cost, in one call: trackers solve
// thousands of small ones a second.
#include "assignment/unassigned.h"

#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "bindings/arrays.h"
#include "core/stopwatch.h"

namespace konig {
namespace {

using Found = std::optional<nb::tuple>;

constexpr int64_t kGilCosts = 4097;  // from so many costs on the GIL is worth releasing

// What leaving the rows, or the columns, alone costs: None for nothing, a number for each of them, or an
// array of them.
class Side {
 public:
  Side(nb::handle given, int64_t extent) : given_(given), array_(given), extent_(extent) {
    if (given.is_none() || PyLong_CheckExact(given.ptr())) {
      is_known_ = true;
    } else if (PyFloat_CheckExact(given.ptr())) {
      is_known_ = is_real_ = true;
    } else if (array_.lists_reals()) {
      is_known_ = array_.extent(0) == extent;
      is_real_ = true;
    } else {
      is_known_ = array_.lists_integers() && array_.item_bytes() == 8 && array_.extent(0) == extent;
    }
  }

  bool is_known() const { return is_known_; }
  bool is_real() const { return is_real_; }

  // False if a number is not finite, or not one of this type.
  template <class Number>
  bool read(std::vector<Number>& numbers) const {
    if (array_.has_dimensions(1) && is_real_)
      return convert(reinterpret_cast<const double*>(array_.memory()), extent_, numbers);
    if (array_.has_dimensions(1))
      return convert(reinterpret_cast<const int64_t*>(array_.memory()), extent_, numbers);
    if (is_real_) {
      const double number = PyFloat_AsDouble(given_.ptr());
      return convert(&number, 1, numbers);
    }
    int overflow = 0;
    const int64_t number = given_.is_none() ? 0 : PyLong_AsLongLongAndOverflow(given_.ptr(), &overflow);
    return overflow == 0 && convert(&number, 1, numbers);
  }

 private:
  template <class Given, class Number>
  bool convert(const Given* given, int64_t count, std::vector<Number>& numbers) const {
    bool fits = true;
    for (int64_t k = 0; k < count; ++k) {
      if constexpr (std::is_same_v<Given, double>)
        fits &= std::is_same_v<Number, double> && std::isfinite(given[k]);
      else if constexpr (std::is_same_v<Number, double>)
        fits &= std::abs(double(given[k])) <= 0x1p53;
      numbers.push_back(Number(given[k]));
    }
    numbers.resize(size_t(extent_), count ? numbers[0] : Number(0));
    return fits;
  }

  nb::handle given_;
  View array_;
  int64_t extent_;
  bool is_known_ = false, is_real_ = false;
};

template <class S>
Found assign(const View& view, const Side& rows_alone, const Side& cols_alone, bool maximize,
             const DensePlan& plan, int threads, const nb::object& progress) {
  Stopwatch watch;
  std::vector<DualOf<S>> row_alone, col_alone;
  if (!rows_alone.read(row_alone) || !cols_alone.read(col_alone)) return std::nullopt;
  const View costs(view.as_rows(numpy_type<S>(), false));
  const int64_t rows = costs.extent(0), cols = costs.extent(1);
  const NewArray<DualOf<S>> row_dual(rows), col_dual(cols);
  std::vector<int64_t> row_ind(size_t(std::min(rows, cols))), col_ind(row_ind.size());
  DenseAnswer<S> answer{row_ind.data(), col_ind.data(), row_dual.data, col_dual.data};
  int64_t size = 0;
  Outcome outcome;
  CostCheck check;
  const auto solve = [&](Run& run) {
    DenseTask<S> task{reinterpret_cast<const S*>(costs.memory()), rows, cols, maximize};
    task.plan = plan;
    task.threads = threads;
    outcome = solve_dense_unassigned(task, {row_alone.data(), col_alone.data()}, answer, size, check, run);
  };
  const nb::dict stats = rows * cols < kGilCosts ? run_held(solve) : run_released(progress, solve);
  if (check.is_bad() || outcome != Outcome::optimal) return std::nullopt;
  const NewArray<int64_t> some_rows(size), some_cols(size);
  std::copy_n(row_ind.begin(), size, some_rows.data);
  std::copy_n(col_ind.begin(), size, some_cols.data);
  const nb::object gap = std::is_floating_point_v<S> ? nb::object(nb::float_(answer.gap)) : nb::int_(0);
  return nb::make_tuple(some_rows.object, some_cols.object, as_number(answer.total), gap, row_dual.object,
                        col_dual.object, stats, watch.lap());
}

Found assign_unassigned(nb::handle costs, nb::handle row_alone, nb::handle col_alone, bool maximize,
                        nb::handle plan_of, int threads, nb::object progress, int64_t most) {
  const View view(costs);
  if (!view.has_dimensions(2)) return std::nullopt;
  const int64_t rows = view.extent(0), cols = view.extent(1);
  if (rows == 0 || cols == 0 || rows > most / cols) return std::nullopt;
  const Side of_rows(row_alone, rows), of_cols(col_alone, cols);
  if (!of_rows.is_known() || !of_cols.is_known()) return std::nullopt;
  const nb::object planned = plan_of(rows, cols);
  const auto& plan = nb::cast<const DensePlan&>(planned);
  const bool real = of_rows.is_real() || of_cols.is_real();
  const auto solve = [&]<class S>(S) {
    return assign<S>(view, of_rows, of_cols, maximize, plan, threads, progress);
  };
  switch (view.type()) {
    case 'd':
      return solve(double());
    case 'f':
      return solve(float());
    case 'l':
    case 'q':
      if (real) return std::nullopt;  // not all of these are float64 numbers
      return solve(int64_t());
    case '?':
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'i':
      return real ? solve(double()) : solve(int32_t());
    default:
      return std::nullopt;
  }
}

}  // namespace

void bind_unassigned(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  m.def("assign_unassigned", &assign_unassigned, "costs"_a.none(), "row_alone"_a.none(), "col_alone"_a.none(),
        "maximize"_a, "plan_of"_a, "threads"_a, "progress"_a.none(), "most"_a,
        "Solve at most `most` dense costs where leaving rows and columns alone costs what is given (None, a "
        "number or an array, finite), by the DensePlan that is plan_of(rows, columns): (row_ind, col_ind, "
        "cost, gap, row_dual, col_dual, counts, seconds), or None for what this does not take or has no "
        "answer.");
}

}  // namespace konig
