// Ranked assignments.
#include "assignment/k_best.h"

#include "bindings/bindings.h"

namespace konig {
namespace {

template <class T>
std::vector<T> copied(const In<T>& given) {
  return std::vector<T>(given.data(), given.data() + given.size());
}

// The numbers' words, one number after the other.
nb::tuple as_tuple(Numbers numbers) {
  return nb::make_tuple(numbers.words, as_array(std::move(numbers.word)));
}

nb::object as_integer(const Numbers& number) {
  if (number.words == 2) return as_number(__int128(number.word[1]) << 64 | __int128(number.word[0]));
  const nb::bytes bytes(reinterpret_cast<const char*>(number.word.data()), 8 * number.word.size());
  const nb::object integer = nb::borrow(reinterpret_cast<PyObject*>(&PyLong_Type));
  return integer.attr("from_bytes")(bytes, "little", "signed"_a = true);
}

// The moves of children, one after the other, and how many rows and columns each has.
struct JoinedMoves {
  explicit JoinedMoves(int words) : moves{{}, {}, {words, {}}, {words, {}}, {words, {}}} {}

  void add(const Ranking::Moves& more) {
    rows.push_back(int64_t(more.row.size()));
    cols.push_back(int64_t(more.col.size()));
    append(more.row, moves.row);
    append(more.col, moves.col);
    append(more.of_row.word, moves.of_row.word);
    append(more.of_col.word, moves.of_col.word);
    append(more.of_spare.word, moves.of_spare.word);
  }

  Ranking::Moves moves;
  std::vector<int64_t> rows, cols;

 private:
  template <class Number>
  static void append(const std::vector<Number>& from, std::vector<Number>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }
};

// A ranking, which one thread at a time may ask for more.
class Ranked {
 public:
  explicit Ranked(std::unique_ptr<Ranking> ranking) : ranking_(std::move(ranking)) {}

  const Ranking& here() const {
    if (is_busy_) throw nb::value_error("another thread is asking this ranking for an assignment");
    return *ranking_;
  }
  template <class Work>
  auto run(const Work& work) {
    here();
    const Busy busy(is_busy_);
    const nb::object nothing = nb::none();
    Run run = interruptible(nothing);
    const nb::gil_scoped_release released;
    return work(*ranking_, run);
  }

 private:
  struct Busy {
    explicit Busy(bool& flag) : flag(flag) { flag = true; }
    ~Busy() { flag = false; }
    bool& flag;
  };

  std::unique_ptr<Ranking> ranking_;
  bool is_busy_ = false;
};

template <class S>
void make(Ranked* made, int64_t rows, int64_t cols, std::optional<In<int64_t>> start,
          std::optional<In<int32_t>> col, In<S> cost, bool negate, int exponent, bool wide,
          In<int32_t> col_of_row, In<S> col_dual, int64_t most) {
  RankingTask<S> task{
      rows, cols, {}, {}, copied(cost), negate, exponent, wide, copied(col_of_row), copied(col_dual), most};
  if (start) task.start = copied(*start);
  if (col) task.col = copied(*col);
  std::unique_ptr<Ranking> ranking;
  run_released(nb::none(), [&](Run& run) { ranking = make_ranking(std::move(task), run); });
  new (made) Ranked(std::move(ranking));
}

}  // namespace

void bind_k_best(nb::module_& m) {
  m.def(
      "unit_of_reals",
      [](In<double> numbers) {
        const UnitOfReals unit = unit_of(numbers.data(), int64_t(numbers.size()));
        return nb::make_tuple(unit.exponent, unit.bits);
      },
      "numbers"_raw, "The exponent of the finest unit of finite reals, and the bits of the largest in it.");
  nb::class_<Ranked> ranked(m, "Ranking", "Assignments by rising cost, each found when it is asked for.");
  const auto bind_make = [&]<class S>(S) {
    ranked.def("__init__", &make<S>, "rows"_a, "cols"_a, "start"_a.none(), "col"_a.none(), "cost"_raw,
               "negate"_a, "exponent"_a, "wide"_a, "col_of_row"_a, "col_dual"_raw, "most"_a);
  };
  bind_make(int64_t());
  bind_make(double());
  ranked
      .def(
          "next",
          [](Ranked& self) { return self.run([](Ranking& ranking, Run& run) { return ranking.next(run); }); },
          "Find the next assignment; False if there is none.")
      .def_prop_ro("found", [](const Ranked& self) { return self.here().found(); })
      .def_prop_ro("searches", [](const Ranked& self) { return self.here().searches(); })
      .def(
          "nearest_cost", [](const Ranked& self, int64_t node) { return self.here().nearest_cost(node); },
          "node"_a, "A cost of reals, rounded.")
      .def(
          "place",
          [](const Ranked& self, int64_t node) {
            const Ranking::Place place = self.here().place(node);
            return nb::make_tuple(place.parent, place.position);
          },
          "node"_a, "Which child of which assignment a cell is; -1 of the first.")
      .def(
          "pairs",
          [](const Ranked& self, int64_t node) {
            return as_array(std::vector<int64_t>(self.here().col_of_row(node).begin(),
                                                 self.here().col_of_row(node).end()));
          },
          "node"_a, "The column of each row.")
      .def(
          "order",
          [](const Ranked& self, int64_t node) {
            return as_array(std::vector<int32_t>(self.here().order(node)));
          },
          "node"_a, "The rows that are not forced, in the order of the children.")
      .def(
          "cost", [](const Ranked& self, int64_t node) { return as_integer(self.here().cost(node)); },
          "node"_a)
      .def(
          "duals",
          [](const Ranked& self, int64_t node) {
            Ranking::Duals duals = self.here().duals(node);
            return nb::make_tuple(as_tuple(std::move(duals.row)), as_tuple(std::move(duals.col)),
                                  as_tuple(std::move(duals.spare)));
          },
          "node"_a, "What proves an assignment the cheapest of its cell.")
      .def(
          "child_moves",
          [](Ranked& self, int64_t node, const std::vector<int64_t>& positions,
             const std::vector<int64_t>& forced, In<uint64_t> needed) {
            const Numbers within{int(needed.size()), copied(needed)};
            JoinedMoves all(within.words);
            self.run([&](Ranking& ranking, Run& run) {
              for (size_t k = 0; k < positions.size(); ++k)
                all.add(ranking.child_moves(node, positions[k], forced[k], within, run));
              return true;
            });
            Ranking::Moves& moves = all.moves;
            return nb::make_tuple(as_array(std::move(moves.row)), as_tuple(std::move(moves.of_row)),
                                  as_array(std::move(all.rows)), as_array(std::move(moves.col)),
                                  as_tuple(std::move(moves.of_col)), as_array(std::move(all.cols)),
                                  as_tuple(std::move(moves.of_spare)));
          },
          "node"_a, "positions"_a, "forced"_a, "needed"_a,
          "How duals move to prove that each of these children, with so many of the pairs before it, costs "
          "so "
          "much more: rows, by how much, how many of each child; the same of columns; and the spare dual.");
}

}  // namespace konig
