// Karp-Sipser matching (KSM), the start `ksm`: as long as a vertex of either side has exactly one unmatched
// neighbour, match the two (never a mistake: some maximum matching contains that edge); when none is left,
// match the next column with the first of its unmatched rows, and go back.
//
// Karp and Sipser, "Maximum matchings in sparse random graphs", FOCS 1981; Kaya et al. §2.2; on threads after
// Azad et al., IPDPS 2012: a thread that brings a vertex down to one unmatched neighbour follows it up
// itself. Reads both orientations. Work is linear: a list is scanned at most three times.
//
// State: `open` of a vertex is the sum of (unit + neighbour) over its entries to unmatched neighbours, where
// unit is a power of two above all ids. So the number of such entries is one exactly when `open` lies in
// [unit, 2 unit), and what is left then is the neighbour itself: one atomic subtraction keeps count and
// neighbour, and exactly one thread sees a vertex come down to one. It is exact as long as no sum exceeds 62
// bits: 2^30 entries in a list between 2^31 vertices fit. Where a list is longer, the start is greedy.cpp. A
// duplicate entry counts twice, so that its vertex is followed up later. A matched vertex has a sum beyond
// all of these.
//
// Ownership. A pair is matched by claiming its column first, then its row, both by compare_exchange on
// the mate from -1; a worker that loses the row gives the column back. No worker waits, so there is no
// deadlock. A vertex is taken off its neighbours' sums only after it is matched for good. A column that is
// given back has no unmatched row left, so its sum, which others may not have kept up to date, is not needed
// any more; and a row that finds its last column held is either matched by the holder or has lost that column
// to another row. So the matching is maximal in spite of races: a column is passed over only after each of
// its rows was seen taken, and rows stay taken. All shared words are relaxed atomics; lists and starts do not
// change after set_up.
//
// Deviation: free choices go on while other threads still have vertices with one neighbour waiting, and while
// up to `max_waiting` of one's own wait: 0 is the textbook; a few overlap the memory accesses of several
// removals, at almost no loss.
#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "core/deal.h"
#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/threads.h"
#include "matching/augment.h"
#include "matching/solvers.h"

namespace konig {
namespace {

// A power of two of so many bits is above all ids.
template <class Id>
int bits_of_ids(Id rows, Id cols) {
  return std::max(1, int(std::bit_width(uint64_t(std::max<Id>({rows, cols, 1}) - 1))));
}

// One side of the graph.
template <class Id, class Offset>
struct Side {
  struct Vertex {
    uint64_t open;
    Id mate;
    Offset start;
  };
  Side(const Adjacency<Id, Offset>& lists, Id vertices)
      : lists(lists), count(vertices), vertex(int64_t(vertices) + 1) {}

  const Adjacency<Id, Offset> lists;
  const Id count;
  LargeArray<Vertex> vertex;  // one more than there are, for the last one's end
};

template <class Id, class Offset>
class KarpSipser {
 public:
  KarpSipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : mates_(mates),
        run_(run),
        threads_(knobs.integer("threads")),
        max_waiting_(knobs.integer("max_waiting")),
        warm_(matched_vertices(mates.row_of_col, graph.cols) > 0),
        rows_(graph.of_row, graph.rows),
        cols_(graph.of_col, graph.cols),
        shift_(bits_of_ids(graph.rows, graph.cols)) {
    // One worker may queue every vertex, once when it is dealt out and once when it comes down to one. This
    // reserves addresses; memory is used as the queue grows.
    for (int64_t i = 0; i < threads_; ++i)
      queues_.emplace_back(new Id[2 * (size_t(graph.rows) + size_t(graph.cols))]);
  }

  void match() {
    run_on_threads(threads_, run_, [this]<class Team>(Team& team) { Worker<Team>(*this, team).run(); });
    run_.count("start_arc_scans", scans_);
    run_.count("start_size", matched_);
    if (threads_ > 1) run_.count("start_claims_lost", lost_);
  }

 private:
  using Vertices = Side<Id, Offset>;
  using Vertex = typename Vertices::Vertex;
  static constexpr Id kHeld = std::numeric_limits<Id>::max();  // a column whose row is being looked for

  // What one worker does.
  template <class Team>
  class Worker {
   public:
    Worker(KarpSipser& start, Team& team)
        : start_(start),
          team_(team),
          rows_(start.rows_),
          cols_(start.cols_),
          shift_(start.shift_),
          unit_(uint64_t(1) << start.shift_),
          queue_(start.queues_[team.index()].get()) {}

    void run() {
      set_up(rows_, start_.mates_.col_of_row, start_.mates_.row_of_col);
      set_up(cols_, start_.mates_.row_of_col, start_.mates_.col_of_row);
      team_.barrier();
      deal_out(start_.degree_one_cols_, cols_.count, [&](Id col) { queue_if_degree_one(cols_, col, ~col); });
      deal_out(start_.degree_one_rows_, rows_.count, [&](Id row) { queue_if_degree_one(rows_, row, row); });
      serve_queue(0);
      team_.barrier();
      deal_out(start_.choices_, cols_.count, [&](Id col) { choose(col); });
      serve_queue(0);
      team_.barrier();
      write_back(rows_, start_.mates_.col_of_row);
      bsp::fetch_add(&start_.matched_, write_back(cols_, start_.mates_.row_of_col));
      bsp::fetch_add(&start_.scans_, scans_);
      bsp::fetch_add(&start_.lost_, lost_);
    }

   private:
    void set_up(Vertices& side, const Id* mate, const Id* other_mate) {
      const auto& lists = side.lists;
      const Share share(side.count, team_);
      for (Id v = Id(share.first); v < share.last && !team_.cut(); ++v) {
        uint64_t open = 0;
        for (Offset k = lists.start[v]; k < lists.start[v + 1]; ++k) {
          const Id u = lists.neighbour[k];
          if (!start_.warm_ || other_mate[u] < 0) open += unit_ + uint64_t(u);
        }
        side.vertex[v] = {open, mate[v], lists.start[v]};
        const int64_t entries = lists.start[v + 1] - lists.start[v];
        scans_ += entries;
        team_.spend(entries + 1);
      }
      if (team_.leads()) side.vertex[side.count] = {0, 0, lists.start[side.count]};
    }

    template <class Visit>
    void deal_out(Deal& deal, Id vertices, Visit visit) {
      int64_t first, last;
      while (!team_.cut() && deal.take(vertices, team_.count(), first, last)) {
        piece_end_ = Id(last);
        for (Id v = Id(first); v < last && !team_.cut(); ++v) {
          visit(v);
          team_.spend(1);
        }
      }
    }

    bool has_degree_one(uint64_t open) const { return (open >> shift_) == 1; }

    void queue_if_degree_one(Vertices& side, Id v, Id as_queued) {
      if (has_degree_one(bsp::load(&side.vertex[v].open)) && bsp::load(&side.vertex[v].mate) < 0) {
        queue_[tail_++] = as_queued;
        serve_queue(kInFlight);
      }
    }

    // The column takes the first of its unmatched rows.
    void choose(Id col) {
      prefetch_choices(col);
      Vertex& own = cols_.vertex[col];
      if (bsp::load(&own.mate) >= 0 || bsp::load(&own.open) < unit_) return;
      if (!claim<Team>(&own.mate, Id(-1), kHeld)) {
        ++lost_;
        return;
      }
      const Offset end = cols_.vertex[col + 1].start;
      Offset k = own.start;
      Id taken = -1;
      while (k < end && taken < 0) {
        const Id row = cols_.lists.neighbour[k++];
        if (bsp::load(&rows_.vertex[row].mate) >= 0) continue;
        if (claim<Team>(&rows_.vertex[row].mate, Id(-1), col))
          taken = row;
        else
          ++lost_;
      }
      scans_ += k - own.start;
      team_.spend(k - own.start);
      bsp::store(&own.mate, taken);
      if (taken < 0) return;
      mark_matched(taken, col);
      remove(rows_, taken, cols_, /*others_are_cols=*/true);
      remove(cols_, col, rows_, /*others_are_cols=*/false);
      serve_queue(start_.max_waiting_);
    }

    void serve_queue(int64_t leave_waiting) {
      while (tail_ - head_ > leave_waiting && !team_.cut()) {
        prefetch_queue();
        const Id waiting = queue_[head_++];
        if (waiting < 0)
          match_degree_one(cols_, ~waiting, rows_, /*is_col=*/true);
        else
          match_degree_one(rows_, waiting, cols_, /*is_col=*/false);
      }
      if (head_ >= kMoveBack && tail_ - head_ <= kInFlight) {  // to memory that is in the cache
        std::copy(queue_ + head_, queue_ + tail_, queue_);
        tail_ -= head_;
        head_ = 0;
      }
    }

    // v has one unmatched neighbour, unless that has been matched since. The column is claimed first.
    void match_degree_one(Vertices& side, Id v, Vertices& other_side, bool is_col) {
      const uint64_t open = bsp::load(&side.vertex[v].open);
      if (!has_degree_one(open) || bsp::load(&side.vertex[v].mate) >= 0) return;
      const Id u = Id(open - unit_), col = is_col ? v : u, row = is_col ? u : v;
      if (bsp::load(&other_side.vertex[u].mate) >= 0) return;
      if (!claim<Team>(&cols_.vertex[col].mate, Id(-1), row)) {
        ++lost_;
      } else if (!claim<Team>(&rows_.vertex[row].mate, Id(-1), col)) {
        ++lost_;
        bsp::store(&cols_.vertex[col].mate, Id(-1));
      } else {
        mark_matched(row, col);
        remove(other_side, u, side, /*others_are_cols=*/is_col);
      }
    }

    // The pair is matched for good: its sums will never again be those of a vertex with one neighbour.
    void mark_matched(Id row, Id col) {
      bsp::store(&rows_.vertex[row].open, kMatched);
      bsp::store(&cols_.vertex[col].open, kMatched);
    }

    // v has just been matched: each of its neighbours has one unmatched neighbour fewer.
    void remove(const Vertices& side, Id v, Vertices& other_side, bool others_are_cols) {
      const Offset first = side.vertex[v].start, last = side.vertex[v + 1].start;
      const uint64_t share = unit_ + uint64_t(v);
      const Id* const neighbour = side.lists.neighbour;
      Vertex* const others = other_side.vertex.data();
      for (Offset k = first; k < last; ++k) {
        const Id u = neighbour[k];
        Vertex& other = others[u];
        // The sum of a matched vertex is of no use: several threads save the exchange, one the branch.
        if (!kAlone<Team> && bsp::load(&other.mate) >= 0) continue;
        const uint64_t left = add_to<Team>(&other.open, uint64_t(0) - share) - share;
        if (!has_degree_one(left)) continue;
        queue_[tail_++] = others_are_cols ? ~u : u;
        prefetch(&side.vertex[Id(left - unit_)]);
      }
      scans_ += last - first;
      team_.spend(last - first + 1);
    }

    int64_t write_back(const Vertices& side, Id* mate) {
      const Share share(side.count, team_);
      int64_t matched = 0;
      for (int64_t v = share.first; v < share.last; ++v) {
        mate[v] = side.vertex[v].mate;
        matched += mate[v] >= 0;
      }
      return matched;
    }

    // The queue a few places ahead: the vertex, then its partner, then the partner's list, then what the
    // partner's removal will write.
    void prefetch_queue() {
      const int64_t ahead = tail_ - head_;
      if (ahead > 16) {
        const Id waiting = queue_[head_ + 16];
        prefetch(waiting < 0 ? &cols_.vertex[~waiting] : &rows_.vertex[waiting]);
      }
      if (ahead > 10)
        with_partner(queue_[head_ + 10],
                     [](const Vertices& side, Id u, Vertices&) { prefetch_to_write(&side.vertex[u]); });
      if (ahead > 5)
        with_partner(queue_[head_ + 5], [](const Vertices& side, Id u, Vertices&) {
          prefetch(&side.lists.neighbour[side.vertex[u].start]);
        });
      if (ahead > 2) with_partner(queue_[head_ + 2], prefetch_neighbours);
    }

    template <class Visit>
    void with_partner(Id waiting, Visit visit) {
      Vertices& side = waiting < 0 ? cols_ : rows_;
      const uint64_t open = bsp::load(&side.vertex[waiting < 0 ? ~waiting : waiting].open);
      if (has_degree_one(open)) visit(waiting < 0 ? rows_ : cols_, Id(open - unit_), side);
    }

    static void prefetch_neighbours(const Vertices& side, Id v, Vertices& other_side) {
      const Offset first = side.vertex[v].start;
      const Offset last = std::min<Offset>(side.vertex[v + 1].start, first + 8);
      for (Offset k = first; k < last; ++k) prefetch_to_write(&other_side.vertex[side.lists.neighbour[k]]);
    }

    // The columns that the sweep is about to reach: the rows of their lists, then one row's own list.
    void prefetch_choices(Id col) {
      if (col + 12 < piece_end_ && free_choice(col + 12)) prefetch_neighbours(cols_, col + 12, rows_);
      if (col + 6 < piece_end_ && free_choice(col + 6)) {
        const Vertex& row = rows_.vertex[cols_.lists.neighbour[cols_.vertex[col + 6].start]];
        if (bsp::load(&row.mate) < 0) prefetch(&rows_.lists.neighbour[row.start]);
      }
    }
    bool free_choice(Id col) const {
      return bsp::load(&cols_.vertex[col].mate) < 0 && bsp::load(&cols_.vertex[col].open) >= unit_;
    }

    static constexpr uint64_t kMatched = uint64_t(1) << 63;
    static constexpr int64_t kInFlight = 32;       // enough for every distance of prefetch_queue
    static constexpr int64_t kMoveBack = 1 << 12;  // places served after which the queue moves to its start

    KarpSipser& start_;
    Team& team_;
    Vertices& rows_;
    Vertices& cols_;
    const int shift_;
    const uint64_t unit_;
    Id* const queue_;
    int64_t head_ = 0, tail_ = 0;
    Id piece_end_ = 0;
    int64_t scans_ = 0, lost_ = 0;
  };

  Mates<Id> mates_;
  Run& run_;
  const int64_t threads_, max_waiting_;
  const bool warm_;  // a matching is there
  Vertices rows_, cols_;
  const int shift_;
  std::vector<std::unique_ptr<Id[]>> queues_;
  Deal degree_one_cols_{kPiece}, degree_one_rows_{kPiece}, choices_{kPiece};
  alignas(128) int64_t matched_ = 0;
  int64_t scans_ = 0, lost_ = 0;

  static constexpr int64_t kPiece = 1024;
};

}  // namespace

template <class Id, class Offset>
void karp_sipser(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run) {
  const int bits = 61 - bits_of_ids(graph.rows, graph.cols);
  const auto too_long = [bits](const Adjacency<Id, Offset>& lists, Id vertices) {
    if (int64_t(lists.start[vertices]) >> bits == 0) return false;
    Offset longest = 0;
    for (Id v = 0; v < vertices; ++v) longest = std::max(longest, lists.degree(v));
    return int64_t(longest) >> bits != 0;
  };
  if (!too_long(graph.of_row, graph.rows) && !too_long(graph.of_col, graph.cols))
    return KarpSipser<Id, Offset>(graph, mates, knobs, run).match();
  greedy(graph, mates, knobs, run);
}

KONIG_INSTANTIATE_SOLVER(karp_sipser)

}  // namespace konig
