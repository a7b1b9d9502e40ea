// Karp-Sipser matching (KSM) by a team: the start `ksm` of the methods on a GPU.
//
// Karp and Sipser, "Maximum matchings in sparse random graphs", FOCS 1981; Kaya, Langguth, Manne, Ucar,
// "Push-relabel based algorithms for the maximum transversal problem", §2.2. Rule one: a vertex of either
// side with one unmatched neighbour (of degree one) is matched with it, which is never a mistake. Rule two,
// where there is none: a column takes one of its unmatched rows. Reads both orientations, in any order of
// their lists.
//
// State: the sums of karp_sipser/open_sums.h tell which vertices have degree one, and their neighbour. A
// vertex comes down to degree one at most once, so one queue holds all that ever wait; the frontier is the
// end of it.
//
// Who matches what. A pair is matched by claiming its column and then its row, each by compare_exchange from
// -1; a worker that loses the row gives the column back. No worker waits, so there is no deadlock, and of two
// that want the same pair one gets it. Of a pair matched by rule one only the partner of the degree-one
// vertex is taken off its neighbours' sums: the other sums it is in are of matched vertices, which nothing
// reads. Lists longer than kLong are taken off in pieces, in the next superstep.
//
// Supersteps, one barrier each. One serves the frontier; each thread block (of a GPU; a thread on the host)
// goes on by itself with those that come down to degree one meanwhile, for some rounds, before all meet. When
// nobody waits the columns that have a choice are counted, and rule two is applied in slices of them, as soon
// as few wait again. Choices made at once do not know of each other: the smaller the slice, the closer it is
// to choosing one by one. The sums are exact at a barrier, so the matching is maximal once no column has a
// choice. A matching handed in is kept and extended.
#pragma once

#include "konig/matching/karp_sipser/open_sums.h"
#include "konig/matching/karp_sipser/state.h"

namespace konig::karp_sipser {

template <class Team, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace)
      : team_(team), w_(workspace), sums_(team, w_) {}

  // Goes on from the state in the workspace until the matching is maximal or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    while (p_.status == kRunning) {
      switch (p_.step) {
        case kCheckWarm:
          check_warm();
          break;
        case kCountDegrees:
          count_degrees();
          break;
        case kCountLongDegrees:
          count_long_degrees();
          break;
        case kApplyRules:
          apply_rules();
          break;
        default:
          count_choices();
      }
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  using DegreeOneOf = DegreeOne<Id>;
  using PieceOf = Piece<Id, Offset>;
  using NextOf = Next<Id, Offset>;
  using ListOf = List<Offset>;

  // Whether a matching was given: add_up must then skip matched neighbours.
  KONIG_FN void check_warm() {
    unsigned matched = 0;
    team_.for_each_ahead(
        w_.cols, [&](long long col) { return bsp::load(w_.row_of_col + col); },
        [&](long long, Id mate) { matched |= unsigned(mate >= 0); });
    p_.warm = team_.any(matched);
    p_.step = kCountDegrees;
  }

  KONIG_FN void count_degrees() {
    bsp::Tally* tally = bsp::open_tally(team_, w_.state->tallies, p_.supersteps);
    const NextOf next = behind_frontier(tally);
    struct Known {
      ListOf list;
      bool taken;
    };
    const auto known_of = [&](long long i) {
      const Id* mate = i < w_.rows ? w_.col_of_row + i : w_.row_of_col + (i - w_.rows);
      return Known{sums_.list_of(vertex_at(i)), bsp::load(mate) >= 0};
    };
    team_.for_each_ahead(w_.rows + w_.cols, known_of, [&](long long i, const Known& known) {
      const Id vertex = vertex_at(i);
      const bool is_long = known.list.length > kLong;
      const long long sum = is_long ? 0 : sums_.add_up(vertex, known.list, p_.warm, 0, 1);
      const long long open = sum + (known.taken ? kTaken : 0);
      bsp::store(w_.open + i, open);
      if (is_long)
        sums_.cut(next, vertex, known.list);
      else
        sums_.post_if_degree_one(next, vertex, open);
    });
    team_.deliver(next.degree_one);
    const bsp::Counted counted = close(tally);
    p_.waiting = counted.first;
    p_.pieces = counted.second;
    p_.step = p_.pieces > 0 ? kCountLongDegrees : kApplyRules;
  }

  KONIG_FN void count_long_degrees() {
    team_.for_each_wide(p_.pieces, 32, [&](long long i, int lane, int lanes) {
      const PieceOf piece = w_.pieces[i];
      const ListOf list{piece.first, Offset(piece.length)};
      const long long open = sums_.add_up(piece.vertex, list, p_.warm, lane, lanes);
      if (open) bsp::fetch_add(sums_.open_of(piece.vertex), open);
    });
    team_.barrier();
    p_.pieces = 0;
    p_.step = kApplyRules;
  }

  KONIG_FN void apply_rules() {
    bsp::Tally* tally = bsp::open_tally(team_, w_.state->tallies, p_.supersteps);
    const NextOf next = behind_frontier(tally);
    const bool choosing = p_.part < p_.slices && (p_.waiting + p_.pieces) * p_.slices * kFew <= p_.choices;
    team_.for_each_wide(p_.pieces, 32, [&](long long i, int lane, int lanes) {
      const PieceOf piece = w_.pieces[p_.pieces_served + i];
      const ListOf list{piece.first, Offset(piece.length)};
      const Batch<Id> batch = sums_.read(piece.vertex, list, lane, lanes);
      sums_.take_off(next, piece.vertex, list, batch, lane, lanes);
    });
    if (choosing) choose_in_slice(next);
    // Many workers for a list shorten a superstep that is small; few use all of them when it is large.
    const int lanes = 8 * p_.waiting <= team_.count() ? 8 : 2 * p_.waiting <= team_.count() ? 2 : 1;
    const bool alone = p_.part == p_.slices && p_.waiting <= 8 + team_.count() / 32;
    team_.expand(
        w_.degree_one + p_.served, p_.waiting, 0, 0, next.degree_one, lanes, alone ? kRoundsAlone : kRounds,
        [&](const DegreeOneOf& item, int lane, int width) { match_degree_one(next, item, lane, width); });
    const bsp::Counted counted = close(tally);
    p_.served += p_.waiting;
    p_.waiting = counted.first;
    p_.pieces_served += p_.pieces;
    p_.pieces = counted.second;
    p_.part += choosing;
    if (p_.part == p_.slices && p_.waiting + p_.pieces == 0) p_.step = kCountChoices;
  }

  // The partner's list is read while the claims travel.
  KONIG_FN void match_degree_one(const NextOf& next, const DegreeOneOf& item, int lane, int lanes) {
    const bool is_row = item.vertex >= 0;
    const Id row = is_row ? item.vertex : item.neighbour;
    const Id col = is_row ? item.neighbour : Id(~item.vertex);
    const Id partner = is_row ? Id(~item.neighbour) : item.neighbour;
    const ListOf list = sums_.list_of(partner);
    const bool held = lane == 0 && hold(row, col);
    const Batch<Id> batch = sums_.read(partner, list, lane, lanes);
    if (!joined(held, row, col, lanes)) return;
    degree_one_ += lane == 0;
    sums_.remove(next, partner, list, batch, lane, lanes);
  }

  // No vertex has degree one: how many columns have a choice, and into how many slices they are cut.
  KONIG_FN void count_choices() {
    long long open = 0;
    team_.for_each_ahead(
        w_.cols, [&](long long col) { return bsp::load(w_.open + w_.rows + col); },
        [&](long long, long long sum) { open += sums_.has_choice(sum); });
    p_.choices = team_.sum(open);
    if (p_.choices == 0) {
      p_.status = kMaximal;
      return;
    }
    const long long slices = p_.choices / kAtOnce + 1;
    p_.slices = slices < kSlices ? slices : kSlices;
    p_.part = 0;
    ++p_.sweeps;
    p_.step = kApplyRules;
  }

  // Every p_.slices-th column: neighbours in the matrix often share rows.
  KONIG_FN void choose_in_slice(const NextOf& next) {
    const auto column = [&](long long i) { return p_.part + i * p_.slices; };
    team_.for_each_where((w_.cols - p_.part + p_.slices - 1) / p_.slices,
                         [&](long long i) { return bsp::load(w_.open + w_.rows + column(i)); },
                         [&](long long open) { return sums_.has_choice(open); }, 8,
                         [&](long long i, int lane, int lanes) { choose(next, Id(column(i)), lane, lanes); });
  }

  // The column takes an unmatched row of its list, the first from a place that depends on the column. A sweep
  // after the first looks at more of a long list, and at another part than the one before.
  KONIG_FN void choose(const NextOf& next, Id col, int lane, int lanes) {
    const ListOf list = sums_.list_of(Id(~col));
    const long long length = list.length, window = p_.sweeps == 1 ? kChoiceScans : kScanLimit;
    const long long windows = (length + window - 1) / window;
    const long long begin = (anywhere(col, length) + (p_.sweeps - 1) % windows * window) % length;
    const long long scans = length < window ? length : window;
    const auto entry = [&](long long i) {
      return w_.col_rows[list.first + (begin + i < length ? begin + i : begin + i - length)];
    };
    for (long long i = 0; i < scans; i += kBatch * lanes) {
      Id row[kBatch], mate[kBatch];
      for (int j = 0; j < kBatch; ++j)
        row[j] = i + j * lanes + lane < scans ? entry(i + j * lanes + lane) : Id(-1);
      for (int j = 0; j < kBatch; ++j) mate[j] = row[j] >= 0 ? bsp::load(w_.col_of_row + row[j]) : Id(0);
      long long mine = bsp::kNoLeast;
      for (int j = kBatch - 1; j >= 0; --j)
        if (mate[j] < 0) mine = i + j * lanes + lane;
      const long long found = team_.group_min(mine, lanes);
      if (found == bsp::kNoLeast) continue;
      const Id taken = entry(found);
      const ListOf of_taken = sums_.list_of(taken);
      const bool held = lane == 0 && hold(taken, col);
      const Batch<Id> batch = sums_.read(taken, of_taken, lane, lanes);
      const Batch<Id> own = sums_.read(Id(~col), list, lane, lanes);
      if (!joined(held, taken, col, lanes)) continue;
      chosen_ += lane == 0;
      sums_.remove(next, taken, of_taken, batch, lane, lanes);
      sums_.remove(next, Id(~col), list, own, lane, lanes);
      break;
    }
    team_.spend(1);
  }

  KONIG_FN bool hold(Id row, Id col) {
    const bool held = bsp::compare_exchange(w_.row_of_col + col, Id(-1), row) == -1;
    claims_lost_ += !held;
    return held;
  }

  // The worker of the group that holds the column claims the row; all of it learn whether it got both.
  KONIG_FN bool joined(bool held, Id row, Id col, int lanes) {
    bool both = false;
    if (held) {
      both = bsp::compare_exchange(w_.col_of_row + row, Id(-1), col) == -1;
      if (both) {
        bsp::fetch_add(w_.open + row, kTaken);
        bsp::fetch_add(w_.open + w_.rows + col, kTaken);
      } else {
        bsp::store(w_.row_of_col + col, Id(-1));
        ++claims_lost_;
      }
    }
    return team_.group_ballot(both, lanes) != 0;
  }

  // A place in a list of that length.
  KONIG_FN static long long anywhere(Id col, long long length) {
    const unsigned long long hash = unsigned(col) * 2654435769U;
    return (long long)(hash * (unsigned long long)length >> 32);
  }

  // Rows first, then columns.
  KONIG_FN Id vertex_at(long long i) const { return i < w_.rows ? Id(i) : Id(~(i - w_.rows)); }

  // ---- state ----

  KONIG_FN NextOf behind_frontier(bsp::Tally* tally) const {
    return {{w_.degree_one + p_.served + p_.waiting, &tally->first},
            {w_.pieces + p_.pieces_served + p_.pieces, &tally->second}};
  }

  // The barrier that ends a superstep.
  KONIG_FN bsp::Counted close(const bsp::Tally* tally) {
    ++p_.supersteps;
    return team_.count_up(0, tally);
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) s->progress = p_;
    team_.add(&s->degree_one, degree_one_);
    team_.add(&s->chosen, chosen_);
    team_.add(&s->claims_lost, claims_lost_);
    team_.add(&s->arc_scans, sums_.arc_scans());
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  OpenSums<Team, Id, Offset> sums_;
  Progress p_;
  long long degree_one_ = 0, chosen_ = 0, claims_lost_ = 0;  // this worker's, this launch
};

template <class Id, class Offset>
using Program = bsp::ProgramOf<Workspace<Id, Offset>, State, kResidentBlocks, Solve, Id, Offset>;

}  // namespace konig::karp_sipser
