// What `auto` runs on a CPU: cheap methods first, each for as long as counted work says that it pays.
//
// 1. Greedy, on the lists that are there. It ends the run if one side is matched, or every column that has
//    entries. In a graph that spreads fast (spread.h), like sparse random ones, each path to come is a search
//    through more of the graph than the last: if they promise to take too long step 5 follows at once.
// 2. Bounded breadth-first searches (breadth_first_search.h): what greedy misses is mostly close by. Whether
//    the graph spreads fast is asked again after them.
// 3. Phases of depth-first searches with lookahead (Pothen and Fan; depth_first_search.h) while a phase finds
//    paths from a quarter of its roots, or the one before, which scanned lists the other way, from most (the
//    first is followed by a second one whatever it finds): on permuted meshes unmatched rows are far from
//    unmatched columns, but there are many ways. When few roots are left, bounded searches with a higher
//    bound follow instead.
// 4. Breadth-first searches without a bound. Roots that are never matched run dry, and all of these together
//    scan each list once; others go on while the roots left promise to cost no more than kMostUnbounded scans
//    an entry.
// 5. If that is too much, every path that greedy missed is long: its matching gives way to Karp-Sipser's,
//    which misses few where the side in order chooses (order.h), and tree grafting finds the rest. (Grafting
//    from the matching of step 4 takes up to five times as long: depth-first paths are long and leave long
//    ones.) A matching that the caller gave is kept. Where grafting takes too many scans, push-relabel goes
//    on from there.
//
// Several threads share step 5 where the graph spreads fast, and the making of lists. What the other steps do
// they do in less time than threads need to agree on it.
//
// Where far fewer rows than columns are unmatched after step 1 or 2, searches begin at the rows. The lists of
// the other side are made for that and for step 5, at no other time.
//
// Each step before the last scans at most a few entries for each entry of the graph. In a graph larger than
// the cache a scan of a search takes up to six times as long as one of Karp-Sipser, so step 1 looks ahead.
// Measured over 30 families of graphs, as they come and permuted, of 1,000 to 1,000,000 entries; four in five
// end in step 1 or 2.
//
// The rows that searches reached in vain are those that alternating paths from unmatched columns reach, and
// so the minimum cover (Konig 1931) comes for free.
//
// After step 5 the counts are those of karp_sipser, tree_grafting and push_relabel.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compressed.h"
#include "core/large_array.h"
#include "core/stopwatch.h"
#include "matching/alternating_paths.h"
#include "matching/breadth_first_search.h"
#include "matching/depth_first_search.h"
#include "matching/order.h"
#include "matching/solvers.h"
#include "matching/spread.h"

namespace konig {
namespace {

template <class Id, class Offset>
class Stepwise {
 public:
  Stepwise(const Pattern<Id, Offset>& graph, Mates<Id> mates, int threads, Run& run)
      : graph_(graph),
        mates_(mates),
        threads_(threads),
        run_(run),
        limit_(std::min(graph.rows, graph.cols)) {}

  StepwiseAnswer solve() {
    Stopwatch watch;
    match_greedily();
    run_.count("start_size", int64_t(size_));
    run_.count("start_arc_scans", start_scans_);
    run_.count("start_seconds", watch.lap());
    spreads_ = !done() && needs_karp_sipser();
    if (!done() && !spreads_) {
      if (begins_at_rows()) turn();
      search();
    }
    if (done())
      report_searches();
    else
      start_again(bounded_.search_scans + deep_.search_scans + deep_.lookahead_scans);
    answer_.size = size_;
    if (size_ < limit_ && answer_.reached.empty()) answer_.reached.assign(graph_.rows, 0);
    return std::move(answer_);
  }

 private:
  // Entries that searches promise to scan in a graph that spreads fast, for each entry of the graph, before
  // Karp-Sipser takes over. Of 71 random draws steps 2 to 4 took 0.6 times as long below 1.2 (29 draws,
  // regular, hypercube, diagonals, blocks), as long at 1.2 to 1.6, and 1.5 to 6 times as long beyond on
  // random graphs with a planted matching. Several threads share Karp-Sipser, and not the searches.
  static constexpr double kMostPromised = 1.2, kMostPromisedToThreads = 0.8;
  // The same, by the share of unmatched rows among those that the searches of the test met. Where it is large
  // and the roots are few, each meets one soon, and searches take a third to a fifth of the time: crawls of
  // the web with empty columns (0.02), saddle points (0.17). From 0.27 on (hypercubes, sparse random graphs)
  // they take between a third and 2.4 times.
  static constexpr double kFewPromised = 0.2;
  // Entries that one round of bounded searches may scan, for each entry of the graph, apart from those that
  // run dry. Random graphs of degree 3 to 6 take 1.0 to 1.5; where it takes more, depth-first phases take
  // less. Around hubs and in sparse random graphs those given up would take 3 to 7.
  static constexpr double kMostBounded = 1.5;
  // Entries that searches without a bound may scan, for each entry of the graph. Random and banded graphs
  // whose last few roots take longest come to 2 to 5, and Karp-Sipser after them would double the time. A
  // round shorter than one scan of the graph cannot tell dear roots from dead ones, which come after them.
  static constexpr double kMostUnbounded = 5;
  static constexpr int64_t kMostPhases = 8;
  // Shares of its roots that a depth-first phase finds paths from. Phases scan lists forwards and backwards
  // by turns. Where lists are in an order that means something, as those of a mesh do whose rows and columns
  // were renumbered in place, one of the two sends all searches the same way and finds next to nothing; so a
  // phase that does not pay is followed by one the other way unless that found less than most the last time.
  // In 66 of 1,435 random draws with such lists that makes a difference: triangulations, stencils, bands and
  // boxes take a half to an eighth of the time, all of them 0.73 times in the mean; the one phase more costs
  // others up to a fifth, and deceptive ones (hilo) take up to twice as long. In sorted lists it does in 35
  // of 944 draws, which take 0.89 times in the mean.
  static constexpr double kPays = 0.25, kMostOfThem = 2.0 / 3;
  // A round of bounded searches ends when more than these, and half as many as were not, are given up. On
  // permuted meshes all are: the rest of the round would take half as long as the whole run.
  static constexpr size_t kDoubt = 32;
  // Entries that grafting may scan, for each entry of the graph, before push-relabel goes on from there.
  // After Karp-Sipser it takes up to 1.1 on random graphs (on several threads up to 1.6), and up to 1.3 on
  // honeycombs, course seats, rides and slots for ads. Where it takes more, it takes 3 to 25, and with a
  // limit of 5 dominance orders, unit jobs, lattices, bands, block triangles and points near each other
  // take 1.1 to 1.4 times as long. With 1, course seats take 1.1 times as long; with half, rides and
  // slots 1.5 to 2 times.
  static constexpr double kMostGrafting = 1.5;
  // By how much the shares of vertices out of order must differ for one side to be in order.
  static constexpr double kOutOfOrder = 0.25;
  // From which on the state of Karp-Sipser, 16 bytes a vertex, is larger than most second-level caches.
  static constexpr int64_t kManyVertices = 1 << 18;

  int64_t entries() const { return graph_.of_col.start[graph_.cols]; }
  bool done() const { return size_ == limit_ || roots_.empty(); }

  void report_searches() {
    if (phases_ > 0) answer_.method = "pfp";
    run_.count("bounded_arc_scans", bounded_.search_scans);
    run_.count("phases", phases_);
    run_.count("search_arc_scans", deep_.search_scans);
    run_.count("lookahead_arc_scans", deep_.lookahead_scans);
    deep_.paths += bounded_.paths;
    deep_.paths.report(run_);
  }

  void match_greedily() {
    const Adjacency<Id, Offset>& lists = graph_.of_col;
    Id* const col_of_row = mates_.col_of_row;
    for (Id col = 0; col < graph_.cols && size_ < limit_; ++col) {
      if (mates_.row_of_col[col] >= 0) {
        ++size_;
        was_empty_ = false;
        continue;
      }
      const Offset first = lists.start[col], last = lists.start[col + 1];
      Offset k = first;
      while (k < last && col_of_row[lists.neighbour[k]] >= 0) ++k;
      start_scans_ += k - first + (k < last);
      run_.spend(k - first + 1);
      if (k < last) {
        const Id row = lists.neighbour[k];
        col_of_row[row] = col;
        mates_.row_of_col[col] = row;
        ++size_;
      } else if (first < last) {
        roots_.push_back(col);
      }
    }
  }

  // Whether searches from all roots would take longer than to start again. Around hubs what greedy misses is
  // close by, however many it misses. Asked again after bounded searches: the rows of constraints, which
  // greedy leaves unmatched, lead nowhere until they are matched; then optimality conditions in natural order
  // spread like random graphs, and take a third to two thirds of the time.
  bool needs_karp_sipser() {
    const double most = threads_ > 1 ? kMostPromisedToThreads : kMostPromised;
    const double longer = double(std::max(graph_.rows, graph_.cols));
    if (!was_empty_ || promised_scans(longer - double(limit_)) < most * double(entries()) || has_hubs())
      return false;
    SpreadTest<Id, Offset> test(graph_, mates_, run_);
    if (!test.spreads_fast(roots_)) return false;
    const double unmatched = test.share_unmatched() * double(graph_.rows);
    return promised_scans(std::max(unmatched - missing(), 0.0)) > kFewPromised * double(entries());
  }

  bool has_hubs() const {
    Offset longest = 0;
    for (Id col = 0; col < graph_.cols; ++col) longest = std::max(longest, graph_.of_col.degree(col));
    return double(longest) * double(graph_.cols) > 64 * double(entries());
  }

  double missing() const { return double(std::min<int64_t>(limit_ - size_, int64_t(roots_.size()))); }

  // What searches scan in a graph that spreads fast, until no root is left: each meets rows at random, of
  // which fewer and fewer are unmatched, `excess` at the end.
  double promised_scans(double excess) const {
    return double(std::max(graph_.rows, graph_.cols)) * std::log((missing() + excess + 1) / (excess + 1));
  }

  // What the first bounded searches may scan each: some columns' lists.
  int64_t first_bound() const { return 128 + 16 * entries() / std::max<int64_t>(graph_.cols, 1); }

  // Whether there are far fewer unmatched rows, and enough unmatched columns to be worth the lists.
  bool begins_at_rows() const {
    const int64_t rows = int64_t(graph_.rows) - size_, cols = int64_t(roots_.size());
    return cols > 4 * rows && cols * first_bound() > entries() / 2;
  }

  void make_row_lists() {
    if (graph_.of_row.present()) return;
    Stopwatch watch;
    made_start_ = LargeArray<Offset>(size_t(graph_.rows) + 1, 0);
    made_neighbour_ = LargeArray<Id>(size_t(entries()));
    transpose(graph_.of_col.start, graph_.of_col.neighbour, graph_.cols, graph_.rows, made_start_.data(),
              made_neighbour_.data(), threads_, run_);
    graph_.of_row = {made_start_.data(), made_neighbour_.data()};
    run_.count("transpose_seconds", watch.lap());
  }

  void turn() {
    make_row_lists();
    graph_ = graph_.transposed();
    mates_ = mates_.transposed();
    answer_.of_rows = !answer_.of_rows;
    roots_.clear();
    for (Id col = 0; col < graph_.cols; ++col)
      if (mates_.row_of_col[col] < 0 && graph_.of_col.degree(col) > 0) roots_.push_back(col);
    run_.spend(graph_.cols);
  }

  void search() {
    ClosedRows<Id> closed(graph_.rows);
    int64_t bound = first_bound();
    search_bounded(closed, bound, int64_t(kMostBounded * double(entries())));
    spreads_ = !done() && needs_karp_sipser();
    if (spreads_) return;
    if (!done() && answer_.of_rows && begins_at_rows()) {
      turn();  // what was near is matched, and the rest is one-sided
      closed = ClosedRows<Id>(graph_.rows);
      bound = first_bound();
      search_bounded(closed, bound, int64_t(kMostBounded * double(entries())));
    }
    std::optional<DepthFirstState<Id, Offset>> state;
    bool pays = true;
    while (!done() && pays && phases_ < kMostPhases) {
      bound = 32 * bound < entries() ? 8 * bound : entries();
      if (int64_t(roots_.size()) * bound <= entries()) {
        search_bounded(closed, bound, entries());
      } else {
        if (!state) state.emplace(graph_, mates_, closed, /*lookahead=*/true);
        pays = search_depth_first(*state);
      }
    }
    if (!done()) search_unbounded(closed);
    if (done() && size_ < limit_) mark_reached(closed);
  }

  // Searches from the roots, each of which may scan `bound` entries, until those that do not run dry have
  // scanned `most` together, too many are given up, or one side is matched. A root whose search runs dry is
  // done with; one whose search is given up stays.
  void search_bounded(ClosedRows<Id>& closed, int64_t bound, int64_t most) {
    SoloTeam team(run_);
    BreadthFirstSearch<Id, Offset, SoloTeam> search(graph_, mates_, closed, queue_, team, bounded_);
    size_t i = 0, kept = 0;
    for (; i < roots_.size() && size_ < limit_ && most > 0 && kept <= kDoubt + (i - kept) / 2; ++i) {
      const int64_t before = bounded_.search_scans;
      const auto outcome = search.augment_or_close(roots_[i], bound);
      if (outcome == search.kDry) continue;
      closed.open();
      most -= bounded_.search_scans - before;
      if (outcome == search.kFound)
        run_.report(++size_, limit_);
      else
        roots_[kept++] = roots_[i];
    }
    roots_.erase(roots_.begin() + kept, roots_.begin() + i);
  }

  // The rows that searches reached in vain: those closed for good, and those of a phase that found nothing.
  void mark_reached(const ClosedRows<Id>& closed) {
    answer_.reached.resize(closed.mark.size());
    for (size_t row = 0; row < closed.mark.size(); ++row)
      answer_.reached[row] = closed.mark[row] >= in_vain_since_;
  }

  // One phase. Whether another one promises to pay; if it found no path there is none.
  bool search_depth_first(DepthFirstState<Id, Offset>& state) {
    SoloTeam team(run_);
    DepthFirstSearch<Id, Offset, SoloTeam> search(state, team, deep_);
    const size_t tried = roots_.size();
    std::erase_if(roots_, [&](Id root) {
      if (size_ == limit_ || !search.augment_from(root, [] { return false; })) return false;
      run_.report(++size_, limit_);
      return true;
    });
    ++phases_;
    const size_t found = tried - roots_.size();
    if (found == 0) {
      in_vain_since_ = state.closed.stamp;
      roots_.clear();
    }
    state.closed.open();
    state.reverse_scans();
    const double share = double(found) / double(tried);
    const double other_way = std::exchange(last_share_, share);
    return share >= kPays || other_way >= kMostOfThem;
  }

  void search_unbounded(ClosedRows<Id>& closed) {
    const int64_t began = bounded_.search_scans;
    double promised = 0;
    while (!done() && promised <= kMostUnbounded * double(entries())) {
      const int64_t before = bounded_.search_scans;
      const size_t tried = roots_.size();
      search_bounded(closed, std::numeric_limits<int64_t>::max(), entries());
      const double each = double(bounded_.search_scans - before) / double(tried - roots_.size());
      promised = double(bounded_.search_scans - began) + each * double(roots_.size());
    }
  }

  // Step 5, after so many scans. On one thread where searches do not spread fast: levels that few columns are
  // on leave most threads idle.
  void start_again(int64_t scans) {
    const int threads = spreads_ ? threads_ : 1;
    Knobs knobs;
    knobs.set("threads", int64_t(threads));
    knobs.set("local", false);
    knobs.set("bottom_up", false);
    knobs.set("max_waiting", max_waiting(threads));
    make_row_lists();
    if (was_empty_) {
      if (rows_choose()) turn();
      std::fill_n(mates_.col_of_row, graph_.rows, Id(-1));
      std::fill_n(mates_.row_of_col, graph_.cols, Id(-1));
      karp_sipser(graph_, mates_, knobs, run_);
      answer_.init = "ksm";
    }
    answer_.method = threads > 1 ? "p-ms-bfs-graft" : "ms-bfs-graft";
    if (!graft_within(graph_, mates_, knobs, int64_t(kMostGrafting * double(entries())), run_)) push();
    run_.count("given_up_arc_scans", scans);
    size_ = matched_vertices(mates_.row_of_col, graph_.cols);
    if (size_ == limit_) return;
    answer_.reached.resize(graph_.rows);
    std::vector<uint8_t> cols_reached(graph_.cols);
    alternating_reach(graph_, mates_, answer_.reached.data(), cols_reached.data(), run_);
  }

  // Which side chooses in Karp-Sipser: the one in order, if the other is not, else the shorter one, which
  // leaves fewer to search from. A sweep in order has degree-one vertices along its front only; choices at
  // random places leave odd remnants between them. With permuted rows, honeycombs of 70,000 and 200,000 rows
  // take a fifth of the time, triangulations a half, intervals three quarters.
  bool rows_choose() const {
    if (!spreads_) {
      const double cols = share_out_of_order(graph_.of_col, graph_.cols);
      const double rows = share_out_of_order(graph_.of_row, graph_.rows);
      if (std::abs(cols - rows) > kOutOfOrder) return cols > rows;
    }
    return graph_.rows < graph_.cols;
  }

  // Choices that do not wait for degree-one vertices are worse ones: with four waiting, 300 to 600 pairs are
  // missing after honeycombs and triangulations instead of none to 20, and 6,900 after intervals instead of
  // 1,500. In random graphs as many are missing, nearly; on large ones memory accesses overlap, and it is 1.4
  // times as fast; on small ones, 0.8 times.
  int64_t max_waiting(int threads) const {
    return spreads_ && (threads > 1 || int64_t(graph_.rows) + graph_.cols >= kManyVertices) ? 4 : 0;
  }

  void push() {
    Knobs knobs;
    knobs.set("relabel", 4.0);
    knobs.set("gap", false);
    knobs.set("spread", false);
    knobs.set("order", std::string("fifo"));
    knobs.set("fairness", std::string("none"));
    push_relabel(graph_, mates_, knobs, run_);
    answer_.method = "pr";
  }

  Pattern<Id, Offset> graph_;
  Mates<Id> mates_;
  const int threads_;
  Run& run_;
  const Id limit_;
  Id size_ = 0;
  bool spreads_ = false;   // searches from the roots would, as in a random graph
  bool was_empty_ = true;  // there was no matching to start from
  int64_t start_scans_ = 0;
  std::vector<Id> roots_;  // unmatched columns whose fate is open
  Id in_vain_since_ = ClosedRows<Id>::kForGood;
  SearchCounts bounded_, deep_;  // of breadth-first and of depth-first searches
  int64_t phases_ = 0;
  double last_share_ = 1;  // of the latest phase; before the first 1, so that a second one follows it
  std::vector<QueuedColumn<Id>> queue_;
  StepwiseAnswer answer_;
  LargeArray<Offset> made_start_;
  LargeArray<Id> made_neighbour_;
};

}  // namespace

template <class Id, class Offset>
StepwiseAnswer match_stepwise(const Pattern<Id, Offset>& graph, Mates<Id> mates, int threads, Run& run) {
  return Stepwise<Id, Offset>(graph, mates, threads, run).solve();
}

template StepwiseAnswer match_stepwise(const Pattern<int32_t, int32_t>&, Mates<int32_t>, int, Run&);
template StepwiseAnswer match_stepwise(const Pattern<int32_t, int64_t>&, Mates<int32_t>, int, Run&);
template StepwiseAnswer match_stepwise(const Pattern<int64_t, int64_t>&, Mates<int64_t>, int, Run&);

}  // namespace konig
