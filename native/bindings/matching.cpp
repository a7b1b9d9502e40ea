// Matching, searches along alternating paths for block triangular forms, and compressed lists.
#include "bindings/bindings.h"

#include <nanobind/stl/pair.h>

#include <optional>
#include <utility>
#include <vector>

#include "core/compressed.h"
#include "core/sweeps.h"
#include "matching/alternating_paths.h"
#include "matching/augment.h"
#include "matching/distributed/level_matching.h"
#include "matching/distributed/rank_matching.h"
#include "matching/solvers.h"
#include "matching/strong_components.h"

namespace konig {
namespace {

template <class Id, class Offset>
Adjacency<Id, Offset> adjacency(const std::optional<In<Offset>>& start,
                                const std::optional<In<Id>>& neighbour) {
  if (!start) return {};
  return {start->data(), neighbour->data()};
}

template <class Id, class Offset>
nb::dict solve(const std::string& name, const std::optional<In<Offset>>& row_start,
               const std::optional<In<Id>>& row_cols, const std::optional<In<Offset>>& col_start,
               const std::optional<In<Id>>& col_rows, Out<Id> col_of_row, Out<Id> row_of_col,
               const nb::dict& settings, nb::object progress) {
  const auto solver = find_solver<Id, Offset>(name);
  if (!solver) throw nb::key_error(name.c_str());
  const Knobs knobs = read_knobs(settings);
  const Pattern<Id, Offset> graph{Id(col_of_row.size()), Id(row_of_col.size()),
                                  adjacency<Id, Offset>(row_start, row_cols),
                                  adjacency<Id, Offset>(col_start, col_rows)};
  const Mates<Id> mates{col_of_row.data(), row_of_col.data()};
  return run_released(progress, [&](Run& run) { solver(graph, mates, knobs, run); });
}

// (counts, size, method, init, what searches reached or None, whether that is rows)
template <class Id, class Offset>
nb::tuple match_stepwise_in(const std::optional<In<Offset>>& row_start, const std::optional<In<Id>>& row_cols,
                            const In<Offset>& col_start, const In<Id>& col_rows, Out<Id> col_of_row,
                            Out<Id> row_of_col, int threads, nb::object progress) {
  const Pattern<Id, Offset> graph{Id(col_of_row.size()),
                                  Id(row_of_col.size()),
                                  adjacency<Id, Offset>(row_start, row_cols),
                                  {col_start.data(), col_rows.data()}};
  const Mates<Id> mates{col_of_row.data(), row_of_col.data()};
  StepwiseAnswer answer;
  const nb::dict counts =
      run_released(progress, [&](Run& run) { answer = match_stepwise(graph, mates, threads, run); });
  const nb::object reached =
      answer.reached.empty() ? nb::none() : nb::cast(as_array(std::move(answer.reached)));
  return nb::make_tuple(counts, answer.size, answer.method, answer.init, reached, answer.of_rows);
}

// Calls work(graph, mates, run), which reads column lists and a matching, without the GIL.
template <class Id, class Offset, class Work>
void read_matching(const In<Offset>& col_start, const In<Id>& col_rows, const In<Id>& col_of_row,
                   const In<Id>& row_of_col, const Work& work) {
  const Pattern<Id, Offset> graph{
      Id(col_of_row.size()), Id(row_of_col.size()), {}, {col_start.data(), col_rows.data()}};
  const Mates<Id> mates{const_cast<Id*>(col_of_row.data()), const_cast<Id*>(row_of_col.data())};
  run_released(nb::none(), [&](Run& run) { work(graph, mates, run); });
}

template <class Id, class Offset>
void bind_searches(nb::module_& m) {
  m.def(
      "alternating_reach",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col,
         Out<uint8_t> row_reached, Out<uint8_t> col_reached) {
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          alternating_reach(graph, mates, row_reached.data(), col_reached.data(), run);
        });
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "row_reached"_raw,
      "col_reached"_raw, "Mark what alternating paths from unmatched columns reach.");
  m.def(
      "strong_components",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col, In<uint8_t> in_square,
         Out<Id> component) {
        int64_t components = 0;
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          components = strong_components(graph, mates, in_square.data(), component.data(), run);
        });
        return components;
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "in_square"_raw, "component"_raw,
      "Number the strong components of the matched square part in block upper triangular order.");
  m.def(
      "alternating_forest",
      [](In<Offset> col_start, In<Id> col_rows, In<Id> col_of_row, In<Id> row_of_col, In<Id> roots,
         In<Id> block_of_row, In<Id> block_of_col, Out<Id> col_before_row) {
        read_matching(col_start, col_rows, col_of_row, row_of_col, [&](auto& graph, auto mates, Run& run) {
          alternating_forest(graph, mates, roots.data(), int64_t(roots.size()), block_of_row.data(),
                             block_of_col.data(), col_before_row.data(), run);
        });
      },
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "roots"_raw, "block_of_row"_raw,
      "block_of_col"_raw, "col_before_row"_raw,
      "The column before each row on alternating paths from the roots that stay inside their block.");
}

template <class Id, class Offset>
void bind_for(nb::module_& m) {
  m.def("solve", &solve<Id, Offset>, "name"_a, "row_start"_raw.none(), "row_cols"_raw.none(),
        "col_start"_raw.none(), "col_rows"_raw.none(), "col_of_row"_raw, "row_of_col"_raw, "knobs"_a,
        "progress"_a.none(),
        "Improve the matching in place with the named solver and return what it counted.");
  m.def(
      "match_stepwise", &match_stepwise_in<Id, Offset>, "row_start"_raw.none(), "row_cols"_raw.none(),
      "col_start"_raw, "col_rows"_raw, "col_of_row"_raw, "row_of_col"_raw, "threads"_a, "progress"_a.none(),
      "Improve the matching in place until it is maximum: (counts, size, method, init, what searches reached "
      "or None, whether that is rows).");
  m.def(
      "is_matching",
      [](In<Offset> start, In<Id> neighbour, In<Id> mate, In<Id> other_mate) {
        nb::gil_scoped_release released;
        return is_matching<Id, Offset>({start.data(), neighbour.data()}, mate.data(), Id(mate.size()),
                                       other_mate.data(), Id(other_mate.size()));
      },
      "start"_raw, "neighbour"_raw, "mate"_raw, "other_mate"_raw,
      "Whether partners in range agree on both sides and are in the lists of the first.");
  m.def(
      "transpose",
      [](In<Offset> start, In<Id> neighbour, Out<Offset> out_start, Out<Id> out_neighbour, int threads) {
        const int64_t vertices = int64_t(start.size()) - 1, others = int64_t(out_start.size()) - 1;
        run_released(nb::none(), [&](Run& run) {
          transpose(start.data(), neighbour.data(), vertices, others, out_start.data(), out_neighbour.data(),
                    threads, run);
        });
      },
      "start"_raw, "neighbour"_raw, "out_start"_raw, "out_neighbour"_raw, "threads"_a = 1,
      "Fill the other orientation of compressed lists; out_start holds zeros on entry.");
  m.def(
      "compress_pairs",
      [](In<Id> major, In<Id> minor, Out<Offset> out_start, Out<Id> out_neighbour, int threads) {
        const int64_t pairs = int64_t(major.size()), vertices = int64_t(out_start.size()) - 1;
        run_released(nb::none(), [&](Run& run) {
          compress_pairs(major.data(), minor.data(), pairs, vertices, out_start.data(), out_neighbour.data(),
                         threads, run);
        });
      },
      "major"_raw, "minor"_raw, "out_start"_raw, "out_neighbour"_raw, "threads"_a = 1,
      "Compress pairs into lists; out_start holds zeros on entry.");
  bind_searches<Id, Offset>(m);
}

template <class Id>
void bind_checks(nb::module_& m) {
  m.def(
      "first_out_of_range",
      [](In<Id> values, int64_t bound, int threads) {
        nb::gil_scoped_release released;
        return first_out_of_range(values.data(), int64_t(values.size()), bound, threads);
      },
      "values"_raw, "bound"_a, "threads"_a = 1,
      "The first position whose value is not in [0, bound), or -1.");
  m.def(
      "fill",
      [](Out<Id> values, Id value, int threads) {
        nb::gil_scoped_release released;
        fill(values.data(), int64_t(values.size()), value, threads);
      },
      "values"_raw, "value"_a, "threads"_a, "Set every value, by several threads.");
  m.def(
      "first_decrease",
      [](In<Id> start, int threads) {
        nb::gil_scoped_release released;
        return first_decrease(start.data(), int64_t(start.size()), threads);
      },
      "start"_raw, "threads"_a = 1, "The first position at which the offsets decrease, or -1.");
}

// ---- matching on ranks

// The first of each stretch, and who has it.
template <class Id>
using Stretches = std::pair<std::vector<Id>, std::vector<int32_t>>;

template <class Id>
using Received = std::vector<In<Id>>;

template <class Id>
distributed::Messages<Id> messages(const Received<Id>& received) {
  distributed::Messages<Id> read;
  for (const auto& part : received) read.push_back({part.data(), int64_t(part.size())});
  return read;
}

// work(run) without the GIL; what it returns as an array for each rank.
template <class Id, class Work>
nb::list send(const Work& work) {
  auto* const sent = new distributed::Sent<Id>;
  const nb::capsule owner(sent,
                          [](void* memory) noexcept { delete static_cast<distributed::Sent<Id>*>(memory); });
  run_released(nb::none(), [&](Run& run) { *sent = work(run); });
  nb::list parts;
  for (size_t rank = 0; rank + 1 < sent->start.size(); ++rank) {
    const size_t words = size_t(sent->start[rank + 1] - sent->start[rank]);
    parts.append(
        nb::ndarray<nb::numpy, Id, nb::ndim<1>>(sent->words.data() + sent->start[rank], 1, &words, owner));
  }
  return parts;
}

template <class Id>
distributed::Division<Id> division(size_t rank, size_t ranks, const Stretches<Id>& row_owners,
                                   const Stretches<Id>& col_owners, std::pair<Id, Id> rows,
                                   std::pair<Id, Id> cols, Id all_cols) {
  return {rank,
          ranks,
          {row_owners.first, row_owners.second},
          {col_owners.first, col_owners.second},
          rows.first,
          rows.second - rows.first,
          cols.first,
          cols.second - cols.first,
          all_cols};
}

// What find(k) is for each k.
template <class T, class Find>
Made<T> found_of(int64_t count, const Find& find) {
  std::vector<T> found(static_cast<size_t>(count));
  for (int64_t k = 0; k < count; ++k) found[k] = T(find(k));
  return as_array(std::move(found));
}

template <class Id>
void bind_rank_matching(nb::module_& m, const char* name) {
  using Matching = distributed::RankMatching<Id>;
  nb::class_<Matching>(m, name, "A maximum matching as one of several ranks works on it.")
      .def(
          "__init__",
          [](Matching* self, size_t rank, size_t ranks, const Stretches<Id>& row_owners,
             const Stretches<Id>& col_owners, std::pair<Id, Id> rows, std::pair<Id, Id> cols, Id all_cols) {
            new (self) Matching(division<Id>(rank, ranks, row_owners, col_owners, rows, cols, all_cols));
          },
          "rank"_a, "ranks"_a, "row_owners"_a, "col_owners"_a, "rows"_a, "cols"_a, "all_cols"_a)
      .def(
          "subscribe",
          [](Matching& self, In<Id> start, In<Id> neighbour) {
            return send<Id>([&](Run& run) { return self.subscribe(start.data(), neighbour.data(), run); });
          },
          "start"_raw, "neighbour"_raw, "Take this rank's rows; what to tell owners of columns.")
      .def(
          "start",
          [](Matching& self, const Received<Id>& received) {
            const auto read = messages(received);
            run_released(nb::none(), [&](Run& run) { self.start(read, run); });
          },
          "received"_a, "Begin Karp-Sipser.")
      .def(
          "start_round",
          [](Matching& self, const Received<Id>& received, int64_t patience) {
            const auto read = messages(received);
            return send<Id>([&](Run& run) { return self.start_round(read, patience, run); });
          },
          "received"_a, "patience"_a, "One round of Karp-Sipser, until there are so many records to send.")
      .def("search", &Matching::search, "End Karp-Sipser and begin to search.")
      .def("plant", &Matching::plant, "first_root"_a,
           "Begin a tree in each unmatched row; the roots of each rank have numbers from here.")
      .def(
          "begin_phase",
          [](Matching& self) { run_released(nb::none(), [&](Run& run) { self.begin_phase(run); }); },
          "Begin a phase with the roots that are still unmatched.")
      .def(
          "search_round",
          [](Matching& self, const Received<Id>& received) {
            const auto read = messages(received);
            return send<Id>([&](Run& run) { return self.search_round(read, run); });
          },
          "received"_a, "One round of a phase.")
      .def_prop_ro(
          "paths", [](const Matching& self) { return self.found().paths(); },
          "Found in this phase, by all ranks.")
      .def_prop_ro("arc_scans", &Matching::scans)
      .def(
          "answer",
          [](const Matching& self, Id rows, Id cols) {
            const auto& found = self.found();
            return nb::make_tuple(found_of<Id>(rows, [&](int64_t i) { return found.col_of_row(Id(i)); }),
                                  found_of<Id>(cols, [&](int64_t j) { return found.row_of_col(Id(j)); }),
                                  found_of<uint8_t>(rows, [&](int64_t i) { return found.in_tree(Id(i)); }));
          },
          "rows"_a, "cols"_a,
          "The partners of this rank's rows and columns, of which there are so many, and which rows the "
          "trees "
          "hold.");
}

template <class Id>
void bind_level_matching(nb::module_& m, const char* name) {
  using Matching = distributed::LevelMatching<Id>;
  nb::class_<Matching>(m, name,
                       "A maximum matching by labels of columns, as one of several ranks works on it.")
      .def(
          "__init__",
          [](Matching* self, size_t rank, size_t ranks, const Stretches<Id>& row_owners,
             const Stretches<Id>& col_owners, std::pair<Id, Id> rows, std::pair<Id, Id> cols, Id all_cols,
             In<Id> start, In<Id> neighbour) {
            new (self) Matching(division<Id>(rank, ranks, row_owners, col_owners, rows, cols, all_cols),
                                start.data(), neighbour.data());
          },
          "rank"_a, "ranks"_a, "row_owners"_a, "col_owners"_a, "rows"_a, "cols"_a, "all_cols"_a, "start"_raw,
          "neighbour"_raw, nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>())
      .def(
          "claim",
          [](Matching& self, const Received<Id>& received, int64_t most) {
            const auto read = messages(received);
            return send<Id>([&](Run& run) { return self.claim(read, most, run); });
          },
          "received"_a, "most"_a, "One round of claims, by at most so many rows.")
      .def(
          "taken", [](Matching& self) { return as_array(std::vector<uint64_t>(self.taken())); },
          "The bitmap of columns that rows here have asked for.")
      .def(
          "take",
          [](Matching& self, In<uint64_t> taken) {
            std::copy(taken.data(), taken.data() + taken.size(), self.taken().begin());
          },
          "taken"_raw, "The bitmap of columns that rows anywhere have asked for.")
      .def("label_taken", &Matching::label_taken, "End claims; unmatched rows push.")
      .def(
          "push",
          [](Matching& self, const Received<Id>& received, bool wait) {
            const auto read = messages(received);
            return send<Id>([&](Run& run) { return self.push(read, wait, run); });
          },
          "received"_a, "wait"_a, "One round of pushes, or of what follows from the last ones.")
      .def("begin_search", &Matching::begin_search,
           "Begin a search from all unmatched columns; how many they are.")
      .def(
          "level",
          [](Matching& self) {
            std::vector<uint64_t> next;
            run_released(nb::none(), [&](Run& run) { next = self.level(run); });
            return as_array(std::move(next));
          },
          "The columns of rows that are reached here, as a bitmap, and how many unmatched rows are.")
      .def(
          "set_frontier", [](Matching& self, In<uint64_t> bits) { return self.set_frontier(bits.data()); },
          "bits"_raw, "The columns that are reached anywhere; how many they are.")
      .def("end_search", &Matching::end_search, "is_complete"_a, "limit"_a,
           "End a search, which has reached everything or not; unmatched rows push.")
      .def_prop_ro("arc_scans", &Matching::scans)
      .def(
          "answer",
          [](const Matching& self, Id rows, Id cols) {
            return nb::make_tuple(
                found_of<Id>(rows, [&](int64_t i) { return self.col_of_row(Id(i)); }),
                found_of<Id>(cols, [&](int64_t j) { return self.row_of_col(Id(j)); }),
                found_of<uint8_t>(rows, [&](int64_t i) { return self.row_reached(Id(i)); }),
                found_of<uint8_t>(cols, [&](int64_t j) { return self.col_reached(Id(j)); }));
          },
          "rows"_a, "cols"_a,
          "The partners of this rank's rows and columns, of which there are so many, and which of them the "
          "last "
          "search reached.");
}

}  // namespace

void bind_matching(nb::module_& m) {
  bind_level_matching<int32_t>(m, "LevelMatching32");
  bind_level_matching<int64_t>(m, "LevelMatching64");
  bind_rank_matching<int32_t>(m, "RankMatching32");
  bind_rank_matching<int64_t>(m, "RankMatching64");
  bind_for<int32_t, int32_t>(m);
  bind_for<int32_t, int64_t>(m);
  bind_for<int64_t, int64_t>(m);
  bind_checks<int32_t>(m);
  bind_checks<int64_t>(m);
}

}  // namespace konig
