// Push-relabel: `pr`, `pr-fair` and `pr-fair-spread`.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", Computers
// & Operations Research 40(5), 2013, §3 and §4. An active (unmatched) column takes a row of minimum label
// from the column that has it: a single push if the row was unmatched, else a double push that makes the
// row's former column active. Labels are set to exact distances by a BFS from the unmatched rows at the start
// and after every (m + n) / RF double pushes whose first edge was not admissible. Reads both orientations.
//
// State: a label is a lower bound on the distance to an unmatched row by alternating paths. Rows have even
// labels, columns odd ones, and m + n (of any parity) stands for "out of reach". Always:
//   label(row) >= label(col) - 1 for each entry; an edge with equality is admissible;
//   label(row) == label(its column) + 1 where a matched row is within reach; label(row) == 0 where unmatched;
//   between two global relabellings labels only grow.
// m + n + 1 is the largest label, so the unsigned type of an id holds every label.
//
// Active columns and search spread keep their own state: active_columns.h and open_entries.h.
//
// Gap relabelling. A row with a label below m + n has an even label 2k and is on level k. A matched row on
// level k > 0 leads, through its column, only to rows on level k - 1 or higher; so when a level is empty, no
// row above it has an alternating path to an unmatched row.
//
// double_pushes are those that count towards relabelling.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "matching/augment.h"
#include "matching/push_relabel/active_columns.h"
#include "matching/push_relabel/label_buckets.h"
#include "matching/push_relabel/open_entries.h"
#include "matching/solvers.h"

namespace konig {
namespace {

enum class Turn { kNever, kColumn, kVisit, kRelabel };

struct Settings {
  double relabel_frequency;
  PushOrder order;
  bool gap;
  Turn turn;
  bool spread;

  explicit Settings(const Knobs& knobs)
      : relabel_frequency(knobs.real("relabel")), gap(knobs.flag("gap")), spread(knobs.flag("spread")) {
    const std::string& order_name = knobs.text("order");
    order = order_name == "lifo"     ? PushOrder::kLifo
            : order_name == "lowest" ? PushOrder::kLowest
                                     : PushOrder::kFifo;
    const std::string& turn_name = knobs.text("fairness");
    turn = turn_name == "column"    ? Turn::kColumn
           : turn_name == "visit"   ? Turn::kVisit
           : turn_name == "relabel" ? Turn::kRelabel
                                    : Turn::kNever;
  }
};

template <class Id, class Offset>
class PushRelabel {
  using Label = std::make_unsigned_t<Id>;
  using Levels = LabelBuckets<Label>;

 public:
  PushRelabel(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Settings& settings, Run& run)
      : graph_(graph),
        mates_(mates),
        settings_(settings),
        run_(run),
        limit_(Label(graph.rows) + Label(graph.cols)),
        threshold_(std::max(1.0, double(limit_) / settings.relabel_frequency)),
        row_label_(graph.rows),
        col_label_(graph.cols),
        queue_(graph.rows),
        active_(settings.order, unmatched_vertices(mates.row_of_col, graph.cols), graph.cols, limit_),
        size_(graph.cols - Id(active_.size())) {
    if (settings.turn == Turn::kColumn) col_backward_.resize(graph.cols);
  }

  void solve() {
    relabel_globally();
    while (!active_.empty()) {
      visit(active_.pop());
      if (counted_ >= threshold_ && !active_.empty()) relabel_globally();
    }
    run_.count("search_arc_scans", search_scans_);
    run_.count("relabel_arc_scans", relabel_scans_);
    run_.count("double_pushes", double_pushes_ + counted_);
    run_.count("all_double_pushes", all_double_pushes_);
    run_.count("global_relabels", global_relabels_);
    run_.count("gap_relabels", gap_relabels_);
    run_.count("retired", retired_);
    run_.count("memory_integers_per_vertex", integers_held() / std::max(1.0, double(limit_)));
  }

 private:
  static constexpr Label kNoRow = std::numeric_limits<Label>::max();

  // The entry with the least row label that a scan has met, the first of several.
  struct Least {
    Label label = kNoRow;
    Offset entry = 0;
  };

  void visit(Id col) {
    const bool backward = turned(col);
    const int64_t scans_before = search_scans_;
    const Least least = settings_.spread ? least_open_row(col, backward)
                                         : scan(col, first_entry(col), end_entry(col), backward);
    run_.spend(search_scans_ - scans_before + 1);
    if (least.label >= limit_) {
      ++retired_;
    } else {
      push(col, graph_.of_col.neighbour[least.entry], least.label);
    }
  }

  // The direction of this visit; the next one may go the other way.
  bool turned(Id col) {
    if (settings_.turn == Turn::kColumn) return (col_backward_[col] ^= 1) == 0;
    if (settings_.turn == Turn::kVisit) return (backward_ = !backward_) == 0;
    return backward_;
  }

  Offset first_entry(Id col) const { return graph_.of_col.start[col]; }
  Offset end_entry(Id col) const { return graph_.of_col.start[col + 1]; }

  // Scans the entries [first, end) for a row of minimum label, and stops at the first admissible one.
  Least scan(Id col, Offset first, Offset end, bool backward) {
    Least least;
    scan_on(least, first, end, backward, col_label_[col] - 1);
    return least;
  }

  // Goes on with the entries [first, end); no row among them has a label below `floor`.
  void scan_on(Least& least, Offset first, Offset end, bool backward, Label floor) {
    if (first >= end) return;
    const Offset from = backward ? end - 1 : first, to = backward ? first - 1 : end;
    const Offset step = backward ? -1 : 1;
    Offset k = from;
    for (; k != to; k += step) {
      const Label label = row_label_[graph_.of_col.neighbour[k]];
      if (label >= least.label) continue;
      least = {label, k};
      if (label <= floor) {
        k += step;
        break;
      }
    }
    search_scans_ += backward ? from - k : k - from;
  }

  // The same for spread: the closed entries are scanned only where the open ones leave the minimum in doubt.
  Least least_open_row(Id col, bool backward) {
    const Offset first = open_.first(col), end = open_.end(col);
    Least least = scan(col, first, end, backward);
    if (least.label < col_label_[col]) {
      open_.close_up_to(col, least.entry, backward);
      return least;
    }
    const Label floor = col_label_[col] + 1;
    if (least.label > floor) {
      if (backward) {
        scan_on(least, first_entry(col), first, true, floor);
        if (least.label > floor) scan_on(least, end, end_entry(col), true, floor);
      } else {
        scan_on(least, end, end_entry(col), false, floor);
        if (least.label > floor) scan_on(least, first_entry(col), first, false, floor);
      }
    }
    open_.reopen(col, first_entry(col), end_entry(col), least.entry, backward);
    return least;
  }

  void push(Id col, Id row, Label label) {
    const bool admissible = label < col_label_[col];
    const Id left = mates_.col_of_row[row];
    mates_.col_of_row[row] = col;
    mates_.row_of_col[col] = row;
    col_label_[col] = label + 1;
    row_label_[row] = label + 2;
    if (left >= 0) {
      mates_.row_of_col[left] = -1;
      active_.push(left, col_label_[left]);
      ++all_double_pushes_;
      counted_ += !admissible;
    } else {
      ++size_;
      run_.report(size_, std::min(graph_.rows, graph_.cols));
    }
    if (settings_.gap) raise(row, label / 2);
  }

  // The row leaves this level for the next one. Where it was the last, the rows above are out of reach.
  void raise(Id row, Label level) {
    levels_.remove(Label(row), level);
    levels_.insert(Label(row), level + 1);
    if (!levels_.empty(level) || active_.empty()) return;
    run_.spend(levels_.take_above(level, [&](Label above) { row_label_[above] = limit_; }));
    ++gap_relabels_;
  }

  void sort_by_level() {
    levels_ = Levels(row_label_.size(), size_t(limit_ / 2) + 2, /*highest=*/true, /*lifo=*/true);
    for (Label row = 0; row < row_label_.size(); ++row)
      if (row_label_[row] < limit_) levels_.insert(row, row_label_[row] / 2);
  }

  // Algorithm 2: exact distances by a BFS from the unmatched rows.
  void relabel_globally() {
    std::fill(col_label_.begin(), col_label_.end(), limit_);
    size_t found = 0;
    for (Id row = 0; row < graph_.rows; ++row) {
      row_label_[row] = mates_.col_of_row[row] < 0 ? 0 : limit_;
      if (row_label_[row] == 0) queue_[found++] = row;
    }
    run_.spend(int64_t(graph_.rows) + graph_.cols);
    for (size_t next = 0; next < found; ++next) found = expand(queue_[next], found);
    retired_ += active_.refresh(col_label_);
    if (settings_.gap) sort_by_level();
    if (settings_.spread) open_.open_all(graph_.of_col, graph_.cols);
    if (settings_.turn == Turn::kRelabel && global_relabels_ > 0) backward_ = !backward_;
    double_pushes_ += counted_;
    counted_ = 0;
    ++global_relabels_;
  }

  size_t expand(Id row, size_t found) {
    const Label label = row_label_[row];
    for (Offset k = graph_.of_row.start[row]; k < graph_.of_row.start[row + 1]; ++k) {
      const Id col = graph_.of_row.neighbour[k];
      if (col_label_[col] != limit_) continue;
      col_label_[col] = label + 1;
      const Id mate = mates_.row_of_col[col];
      if (mate < 0) continue;
      row_label_[mate] = label + 2;
      queue_[found++] = mate;
    }
    relabel_scans_ += graph_.of_row.degree(row);
    run_.spend(graph_.of_row.degree(row) + 1);
    return found;
  }

  // The bytes of every array held here, in units of an id.
  double integers_held() const {
    const size_t bytes =
        (row_label_.size() + col_label_.size() + queue_.size() + levels_.integers()) * sizeof(Id) +
        col_backward_.size() + active_.bytes() + open_.bytes();
    return double(bytes) / sizeof(Id);
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const Settings settings_;
  Run& run_;
  const Label limit_;
  const double threshold_;
  std::vector<Label> row_label_, col_label_;
  std::vector<Id> queue_;
  ActiveColumns<Id, Label> active_;
  Id size_;
  Levels levels_{0, 0, true, true};  // of rows
  std::vector<uint8_t> col_backward_;
  bool backward_ = false;
  OpenEntries<Id, Offset> open_;
  int64_t counted_ = 0, double_pushes_ = 0, all_double_pushes_ = 0;
  int64_t search_scans_ = 0, relabel_scans_ = 0;
  int64_t global_relabels_ = 0, gap_relabels_ = 0, retired_ = 0;
};

}  // namespace

template <class Id, class Offset>
void push_relabel(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  PushRelabel<Id, Offset>(graph, mates, Settings(knobs), run).solve();
}

KONIG_INSTANTIATE_SOLVER(push_relabel)

}  // namespace konig
