// Matchings of any size, in one call (small.h).
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/new_result.h"
#include "bindings/small.h"
#include "core/compressed.h"
#include "core/stopwatch.h"
#include "core/sweeps.h"
#include "matching/solvers.h"

namespace konig {
namespace {

using Found = std::optional<nb::tuple>;

// Compressed lists of `major` vertices with `minor` possible neighbours.
template <class Id>
struct Lists {
  const Id *start, *neighbour;
  int64_t major, minor;
};

nb::object reached_array(const StepwiseAnswer& answer) {
  if (answer.reached.empty()) return nb::none();
  const NewArray<bool> reached(int64_t(answer.reached.size()));
  std::copy(answer.reached.begin(), answer.reached.end(), reached.data);
  return reached.object;
}

// (size, col_of_row, row_of_col, entries, method, init, reached, whether it is of rows, counts, seconds).
template <class Id>
Found match(const Lists<Id>& lists, bool by_rows, int threads) {
  Stopwatch watch;
  const int64_t major = lists.major, minor = lists.minor;
  const NewArray<Id> of_major(major), of_minor(minor);
  const int64_t entries = lists.start[major];
  const Pattern<Id, Id> graph{Id(minor), Id(major), {}, {lists.start, lists.neighbour}};
  const Mates<Id> mates{of_minor.data, of_major.data};
  Run run;
  StepwiseAnswer answer;
  run_small(run, entries >= kGilEntries, [&](Run& running) {
    fill(of_major.data, major, Id(-1), threads);
    fill(of_minor.data, minor, Id(-1), threads);
    answer = match_stepwise(graph, mates, threads, running);
  });
  return nb::make_tuple(answer.size, by_rows ? of_major.object : of_minor.object,
                        by_rows ? of_minor.object : of_major.object, entries, answer.method, answer.init,
                        reached_array(answer), answer.of_rows != by_rows, counts_of(run), watch.lap());
}

template <class Id>
Found match_lists(const View& starts, const View& neighbours, int64_t major, int64_t minor, bool by_rows,
                  int64_t most, int threads) {
  const Integers<Id> start(starts);
  if (!start.fits || start.data[0] != 0) return std::nullopt;
  const auto* const neighbour = reinterpret_cast<const Id*>(neighbours.memory());
  const int64_t entries = start.data[major];
  if (entries > neighbours.extent(0) || entries > most ||
      first_decrease(start.data, major + 1, threads) >= 0 ||
      first_out_of_range(neighbour, entries, minor, threads) >= 0)
    return std::nullopt;
  return match(Lists<Id>{start.data, neighbour, major, minor}, by_rows, threads);
}

Found match_pairs(const View& row_view, const View& col_view, int64_t rows, int64_t cols, int64_t most,
                  int threads) {
  const int64_t entries = row_view.extent(0);
  if (entries > most || col_view.extent(0) != entries) return std::nullopt;
  const Integers<int32_t> row(row_view), col(col_view);
  if (!row.fits || !col.fits || first_out_of_range(row.data, entries, rows, threads) >= 0 ||
      first_out_of_range(col.data, entries, cols, threads) >= 0)
    return std::nullopt;
  std::vector<int32_t> start(size_t(rows) + 1, 0), neighbour(static_cast<size_t>(entries));
  Run run;
  compress_pairs(row.data, col.data, entries, rows, start.data(), neighbour.data(), threads, run);
  return match(Lists<int32_t>{start.data(), neighbour.data(), rows, cols}, true, threads);
}

// A matrix in a format of scipy.sparse: where lists begin and the neighbours, or the rows and columns of
// "coo". Ids stay what they are; those of pairs become int32.
Found match_arrays(const char* format, nb::handle first, nb::handle second, nb::handle row_count,
                   nb::handle col_count, int64_t most, int threads) {
  const View one(first), other(second);
  const int64_t rows = within_64_bits(row_count), cols = within_64_bits(col_count);
  if (rows < 0 || cols < 0 || rows > most || cols > most) return std::nullopt;
  if (!one.lists_integers() || !other.lists_integers()) return std::nullopt;
  if (std::strcmp(format, "coo") == 0) return match_pairs(one, other, rows, cols, most, threads);
  const bool by_rows = std::strcmp(format, "csr") == 0;
  if (!by_rows && std::strcmp(format, "csc") != 0) return std::nullopt;
  const int64_t major = by_rows ? rows : cols, minor = by_rows ? cols : rows;
  if (one.extent(0) != major + 1) return std::nullopt;
  if (other.item_bytes() == 4) return match_lists<int32_t>(one, other, major, minor, by_rows, most, threads);
  return match_lists<int64_t>(one, other, major, minor, by_rows, most, threads);
}

}  // namespace

void bind_small_matching(nb::module_& m) {
  if (_import_array() != 0) nb::raise_python_error();
  m.def("match_arrays", &match_arrays, "format"_a, "first"_a.none(), "second"_a.none(), "rows"_a, "cols"_a,
        "most"_a, "threads"_a = 1,
        "Match a matrix of at most `most` rows, columns and entries, in the format csr, csc or coo: (size, "
        "col_of_row, row_of_col, entries, method, init, what searches reached or None, whether that is rows, "
        "counts, seconds), or None for what this does not take.");
}

}  // namespace konig
