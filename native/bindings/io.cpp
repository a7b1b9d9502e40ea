// Tables of numbers in text files.
#include "bindings/bindings.h"

#include <nanobind/stl/tuple.h>

#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "io/number_table.h"

namespace konig {
namespace {

using ColumnOf = std::tuple<std::string, uint64_t, uint64_t>;

NumberKind kind_named(const std::string& name) {
  static const std::map<std::string_view, NumberKind> kinds{
      {"index", NumberKind::kIndex}, {"unsigned", NumberKind::kUnsigned}, {"integer", NumberKind::kInteger},
      {"real", NumberKind::kReal},   {"number", NumberKind::kNumber},     {"skipped", NumberKind::kSkipped}};
  return kinds.at(name);
}

char only_character(const nb::bytes& text) { return text.size() ? *text.c_str() : '\0'; }

template <class T>
nb::object array_of(KeptColumn& column, size_t count) {
  auto kept = std::make_unique<LargeArray<char>>(column.take());
  T* const numbers = reinterpret_cast<T*>(kept->data());
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<LargeArray<char>*>(p); });
  kept.release();
  return nb::cast(Made<T>(numbers, {count}, owner));
}

nb::object numbers_of(KeptColumn& column, size_t count) {
  const NumberKind kind = column.column().kind;
  if (kind == NumberKind::kUnsigned) return array_of<uint64_t>(column, count);
  if (kind == NumberKind::kReal || column.real()) return array_of<double>(column, count);
  return column.wide() ? array_of<int64_t>(column, count) : array_of<int32_t>(column, count);
}

nb::list columns_of(NumberTable& table) {
  nb::list found;
  for (KeptColumn& column : table.columns())
    if (column.column().kind != NumberKind::kSkipped) found.append(numbers_of(column, size_t(table.rows())));
  return found;
}

}  // namespace

void bind_io(nb::module_& m) {
  nb::class_<NumberTable>(m, "NumberTable", "The numbers of lines of text, column by column.")
      .def(
          "__init__",
          [](NumberTable* table, const std::vector<ColumnOf>& columns, const nb::bytes& comment,
             const nb::bytes& prefix, bool free, int64_t most_rows, int64_t expected_rows,
             int64_t longest_line) {
            NumberLayout layout{
                {},          only_character(comment), only_character(prefix), free, most_rows, expected_rows,
                longest_line};
            for (const auto& [kind, lowest, highest] : columns)
              layout.columns.push_back({kind_named(kind), lowest, highest});
            new (table) NumberTable(std::move(layout));
          },
          "columns"_a, "comment"_a, "prefix"_a, "free"_a, "most_rows"_a, "expected_rows"_a, "longest_line"_a)
      .def(
          "add",
          [](NumberTable& table, const nb::bytes& text) {
            const std::string_view characters(text.c_str(), text.size());
            nb::gil_scoped_release released;
            return table.add(characters);
          },
          "text"_a, "Take the next piece of the text; False at a line that is none of the table.")
      .def("finish", &NumberTable::finish, "Take the last line if it has no end; as add() otherwise.")
      .def("columns", &columns_of,
           "The numbers of each column that is kept, after finish(); the table gives them away.")
      .def_prop_ro("rows", &NumberTable::rows)
      .def_prop_ro("lines", &NumberTable::lines, "How many lines there are before the refused one.")
      .def_prop_ro("refused", [](const NumberTable& table) {
        return nb::bytes(table.refused().data(), table.refused().size());
      });
}

}  // namespace konig
