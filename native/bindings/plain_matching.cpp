// A small pattern in plain arrays: looked at, matched by auto and packed up in one call.
//
// What is not plain here (ids out of range, lists that decrease, a pattern large enough for
// threads and a look at its structure) is None: whoever asks goes the long way.
#include <algorithm>
#include <chrono>

#include "bindings/plain.h"
#include "core/compressed.h"
#include "matching/methods.h"

namespace konig {
namespace {

constexpr int64_t kSmall = 20'000;         // entries, as in auto.py
constexpr int64_t kFewVertices = 1 << 20;  // for more, memory may be short: the long way looks
constexpr int64_t kHeldForEntries = 500;   // for so few the GIL is not worth releasing

// Memory for the lists of `major` vertices with `count` entries: start, then neighbour.
template <class Id>
struct Lists {
  Lists(int64_t major, int64_t count) {
    char* place;
    bytes = new_bytes(int64_t(sizeof(Id)) * (major + 1 + count), place);
    start = reinterpret_cast<Id*>(place);
    neighbour = start + major + 1;
  }
  nb::object bytes;
  Id *start, *neighbour;
};

template <class Id>
Lists<Id> copied(const Id* start, const Id* neighbour, int64_t major) {
  Lists<Id> lists(major, start[major]);
  std::copy(start, start + major + 1, lists.start);
  std::copy(neighbour, neighbour + start[major], lists.neighbour);
  return lists;
}

// Matches `minor` vertices with the `major` ones whose lists are given, and packs up (partners, lists, number
// of entries, size, counts, size of the start, seconds of the start and of the rest). The partners are bytes,
// those of majors first. The lists are what a cover is found in later: `own`, or a copy, since the caller may
// change his; None if one side is matched completely, which is the cover then.
template <class Id>
nb::object match(const Id* start, const Id* neighbour, int64_t major, int64_t minor,
                 const Lists<Id>* own = nullptr) {
  static const auto greedy = find_solver<Id, Id>("simple_greedy"),
                    grafting = find_solver<Id, Id>("tree_grafting");
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration passed) { return std::chrono::duration<double>(passed).count(); };
  char* place;
  const nb::object packed = new_bytes(int64_t(sizeof(Id)) * (major + minor), place);
  auto* const of_major = reinterpret_cast<Id*>(place);
  std::fill(of_major, of_major + major + minor, Id(-1));
  const Pattern<Id, Id> graph{Id(minor), Id(major), {}, {start, neighbour}};
  const Mates<Id> mates{of_major + major, of_major};
  const auto matched = [&] { return major - std::count(of_major, of_major + major, Id(-1)); };
  Run run;
  int64_t start_size = 0;
  Clock::time_point began, greedily, ended;
  run_plain(run, start[major] >= kHeldForEntries, [&](Run& running) {
    Knobs knobs;
    began = Clock::now();
    greedy(graph, mates, knobs, running);
    start_size = matched();
    greedily = Clock::now();
    knobs.set("local", true);
    grafting(graph, mates, knobs, running);
    ended = Clock::now();
  });
  const int64_t size = matched(), count = start[major];
  nb::object lists = nb::none();
  if (size < std::min(major, minor)) lists = own ? own->bytes : copied(start, neighbour, major).bytes;
  return nb::make_tuple(packed, lists, count, size, kept_counts(run), start_size, seconds(greedily - began),
                        seconds(ended - greedily));
}

template <class Id>
nb::object match_checked(const View& starts, const View& neighbours, int64_t major, int64_t minor) {
  if (major > kFewVertices || minor > kFewVertices) return nb::none();
  const Integers<Id> start(starts), neighbour(neighbours);
  if (!start.data || !start.fits || start.size != major + 1 || start.data[0] != 0) return nb::none();
  const int64_t count = start.data[major];
  if (count > neighbour.size || count > kSmall || first_decrease(start.data, start.size) >= 0)
    return nb::none();
  if (first_out_of_range(neighbour.data, count, minor) >= 0) return nb::none();
  return match(start.data, neighbour.data, major, minor);
}

// Lists of `major` vertices, of rows or of columns. Ids stay what they are.
nb::object match_lists(nb::handle starts, nb::handle neighbours, int64_t major, int64_t minor) {
  const View start(starts.ptr()), neighbour(neighbours.ptr());
  if (!neighbour.is_list()) return nb::none();
  if (neighbour.holds_integers(4)) return match_checked<int32_t>(start, neighbour, major, minor);
  if (neighbour.holds_integers(8)) return match_checked<int64_t>(start, neighbour, major, minor);
  return nb::none();
}

// Pairs of a row and a column each.
nb::object match_pairs(nb::handle rows, nb::handle cols, int64_t row_count, int64_t col_count) {
  const View row_view(rows.ptr()), col_view(cols.ptr());
  const Integers<int32_t> row(row_view), col(col_view);
  if (!row.data || !col.data || !row.fits || !col.fits || row.size != col.size || row.size > kSmall)
    return nb::none();
  if (row_count < 0 || col_count < 0 || row_count > kFewVertices || col_count > kFewVertices)
    return nb::none();
  if (first_out_of_range(row.data, row.size, row_count) >= 0 ||
      first_out_of_range(col.data, col.size, col_count) >= 0)
    return nb::none();
  const Lists<int32_t> lists(row_count, row.size);
  std::fill(lists.start, lists.start + row_count + 1, 0);
  Run run;
  compress_pairs(row.data, col.data, row.size, row_count, lists.start, lists.neighbour, run);
  return match(lists.start, lists.neighbour, row_count, col_count, &lists);
}

}  // namespace

void bind_plain_matching(nb::module_& m) {
  m.def(
      "counts_of",
      [](const nb::capsule& counts) { return as_dict(*static_cast<const Run::Counts*>(counts.data())); },
      "counts"_a, "What a call for plain arrays counted.");
  m.def("match_lists", &match_lists, "starts"_a, "neighbours"_a, "major"_a, "minor"_a,
        "Check small lists and match as auto does: (partners, lists, number of entries, size, counts, size "
        "of the start, seconds of the start and of the rest), or None where there is more to say.");
  m.def("match_pairs", &match_pairs, "rows"_a, "cols"_a, "row_count"_a, "col_count"_a,
        "The same for pairs of a row and a column.");
}

}  // namespace konig
