// A sparse core with pricing, solved by phases of shortest paths at finer and finer scales (`core-paths`).
//
// The problem: assign every row of a dense matrix to a distinct column, at minimum cost. T. Volgenant,
// "Linear and semi-assignment problems: a core oriented approach", Computers & Operations Research 23 (1996):
// some tens of small entries of each row make a sparse problem, the core; when it is solved, all entries are
// compared with the duals, and those that undercut them join. H. N. Gabow, "Scaling algorithms for network
// problems", JCSS 31 (1985): where most rows want the same columns, the core is solved for the leading bits
// of the costs first, and from those duals again with more bits; lists that lacked something are chosen anew
// at each scale. J. E. Hopcroft, R. M. Karp (1973): a phase finds shortest paths from all free rows and
// augments along disjoint ones.
//
// Invariants, at the beginning of each search. On every listed entry the slack, value - row_dual - col_dual,
// is non-negative, and zero if the entry is assigned; values are truncated to the scale. On a rectangle every
// column dual is at most 0, and 0 if the column is free. Duals are in units of whole values at every scale:
// nothing has to be rescaled.
//
// Why not an auction. Its bids are many more than these sweeps where a few rows are left over, and its
// result would have to be made exact by such searches anyway: with an auction before each scale the
// number of supersteps was the same.
//
// Inward searches find distances to the free columns (core/inward.h; any shape), outward searches distances
// from the free rows (core/outward.h; squares only, and cheaper a sweep).
//
// Where a core has no full assignment, the rows that reach no free column get more columns, nearest first; if
// there are none they are a Hall violator of the whole matrix.
#pragma once

#include "konig/assignment/core/outward.h"

namespace konig::core_paths {

template <class Team, class Cost>
class Solver : Outward<Team, Cost> {
  using Base = Outward<Team, Cost>;
  using Base::team_, Base::w_, Base::mask_, Base::kWide;
  using typename Base::Added, typename Base::Values;

 public:
  KONIG_FN Solver(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  // Repeats steps until the solve has ended or the launch has to.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    long long began = team_.nanoseconds();
    while (p_.status == kRunning) {
      const long long step = p_.step;
      mask_ = -(1LL << p_.shift);
      this->key_mask_ = mask_;
      perform(step);
      count(&State::supersteps, 1);
      if (team_.leads()) {
        const long long now = team_.nanoseconds();
        bsp::fetch_add(w_.state->nanoseconds + step, now - began);
        began = now;
      }
      if (team_.expired()) break;
    }
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
    }
    team_.add(&s->path_edges, this->path_edges_);
  }

 private:
  KONIG_FN void perform(long long step) {
    switch (step) {
      case kReduceRows:
        return reduce_rows();
      case kReduceCols:
        return reduce_cols();
      case kSelect:
        return select();
      case kTighten:
        return tighten();
      case kBegin:
        return begin();
      case kRelax:
        return relax();
      case kWalk:
        return walk();
      case kFlip:
        return flip();
      case kPrice:
        return price();
      default:
        return extend();
    }
  }

  // ---- start: duals by reduction on a square without a warm start ----

  KONIG_FN bool square() const { return w_.rows == w_.cols; }
  KONIG_FN bool is_cold() const { return w_.starts_from == assignment::kNothing; }
  KONIG_FN bool has_scales() const { return is_cold() || w_.starts_from == assignment::kCoarseDuals; }

  KONIG_FN void reduce_rows() {
    if (w_.starts_from != assignment::kPairs) {
      team_.for_each(w_.cols, [&](long long col) {
        if (is_cold()) bsp::store(w_.col_dual + col, square() ? kUnreached : 0LL);
        bsp::store(w_.row_of_col + col, -1);
      });
      team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.col_of_row + row, -1); });
    }
    if (square() && is_cold())
      team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
        Values values;
        this->sweep_row(row, lane, [&](int b, int col, long long value) { values.keep(b, col, value); });
        const long long least = this->least_above(values, -kUnreached);
        if (lane == 0) bsp::store(w_.row_dual + row, least < kUnreached ? least : 0LL);
      });
    team_.barrier();
    go_to(square() && is_cold() ? kReduceCols : kSelect);
  }

  // Strips of neighbouring columns, and parts of the rows.
  KONIG_FN void reduce_cols() {
    if (p_.part == 0) {
      const long long strips = (w_.cols + kWide - 1) / kWide;
      const long long parts = (w_.rows + kRowsOfPart - 1) / kRowsOfPart;
      team_.for_each_wide(strips * parts, kWide, [&](long long tile, int lane, int) {
        const long long col = tile % strips * kWide + lane;
        const long long first = tile / strips * kRowsOfPart;
        const long long last = first + kRowsOfPart < w_.rows ? first + kRowsOfPart : w_.rows;
        if (col >= w_.cols) return;
        long long least = kUnreached;
        for (long long row = first; row < last; ++row) {
          const long long value = w_.costs.value(w_.costs.row(row)[col]);
          const long long rest = value - bsp::settled(w_.row_dual + row);
          if (value < kInfinite && rest < least) least = rest;
        }
        bsp::fetch_min(w_.col_dual + col, least);
        team_.spend(last - first);
      });
      ++p_.part;
    } else {  // a column that no row may have gets an ordinary dual
      team_.for_each(w_.cols, [&](long long col) {
        if (bsp::settled(w_.col_dual + col) >= kUnreached) bsp::store(w_.col_dual + col, 0LL);
      });
      go_to(kSelect);
    }
    team_.barrier();
  }

  // ---- the core at a scale ----

  KONIG_FN void select() {
    const bool exact = p_.coarser > 0 && !p_.refined;
    if (p_.part < 2) {
      p_.part == 0 ? this->prepare_selection() : this->find_least_keys(exact);
      team_.barrier();
      ++p_.part;
      return;
    }
    long long spread = 0, arcs = 0;
    this->list_rows(exact, p_.finest < 0 && has_scales(), spread);  // below 2 * kReach together
    const long long mean = team_.sum(spread) / w_.rows;
    team_.for_each(w_.rows, [&](long long row) { arcs += bsp::load(w_.count + row); });
    if (square()) {
      this->count_lists();
      arcs += this->list_cols();
    }
    const long long listed = team_.sum(arcs);
    if (team_.leads()) w_.state->arcs = listed;
    if (p_.finest < 0) {
      while ((2LL << p_.coarsest) <= mean) ++p_.coarsest;
      p_.finest = p_.coarsest - (kScales - 1) * kScaleBits;
      if (p_.finest < 0) p_.finest = 0;
      p_.tries_exact = has_scales() ? exact_phases() : 0;
    } else if (!p_.refined) {
      round_duals();
    }
    count(&State::selections, 1);
    go_to(kTighten);
  }

  // Whether the last pricing at this scale added more arcs than there are rows. The lists then lack further
  // arcs, and larger steps of the duals undercut more of them. An outward phase raises the dual of every free
  // row by `far`, an inward one by its own distance at most, so the rest of the scale is searched inward.
  KONIG_FN bool lists_lack_much() const { return p_.priced && p_.undercut > w_.rows; }

  // Rounds column duals down to the bits of the scale. With more bits than the values no two columns would
  // tie, and all rows would want the same one.
  KONIG_FN void round_duals() {
    team_.for_each(w_.cols, [&](long long col) {
      bsp::store(w_.col_dual + col, bsp::settled(w_.col_dual + col) & -(1LL << p_.shift));
    });
    team_.barrier();
  }

  KONIG_FN void tighten() {
    p_.inward = !square() || lists_lack_much();
    if (p_.part % 2 == 0) {
      this->tighten_rows();
      team_.barrier();
      if (square())
        go_to(kBegin);
      else
        ++p_.part;
    } else if (team_.any(this->release_cols())) {
      ++p_.part;
    } else {
      go_to(kBegin);
    }
  }

  KONIG_FN void begin() {
    p_.free = team_.sum(p_.inward ? this->begin_search() : this->begin_outward());
    if (p_.tries_exact == exact_phases() && p_.coarsest > 0 && p_.free > w_.rows / 2)
      begin_coarse();
    else
      search_or_go_on();
  }

  // Uniform costs take 1.3 to 2 phases for each bit.
  KONIG_FN long long exact_phases() const {
    long long phases = kExactPhases;
    for (long long rows = w_.rows; rows > 1; rows >>= 1) phases += kExactPhases;
    return phases;
  }

  // Coarse scales are for rows that want the same few columns: on products, sums, Monge costs and low ranks
  // 0.87 to 1 of the rows are free now, and scales save up to nine tenths of the supersteps. Elsewhere no
  // more than half of them are (uniform costs a fifth, points a quarter to a third), and scales would take
  // two to five times as many.
  KONIG_FN void begin_coarse() {
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    p_.tries_exact = p_.priced = 0;
    p_.shift = p_.coarsest;
    p_.coarse_scales = 1;
    round_duals();
    go_to(kTighten);
  }

  // The last few rows need the most phases. A coarse scale leaves up to rows / kLeftFree of them free: only
  // its duals are used, and a few rows hardly change those.
  KONIG_FN long long may_stay_free() const { return p_.shift > 0 ? w_.rows / kLeftFree : 0; }

  KONIG_FN void search_or_go_on() {
    if (p_.free > may_stay_free()) {
      p_.far = -1;
      p_.looks = kLooks;
      go_to(kRelax);
      return;
    }
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    if (p_.shift > 0 && (p_.priced || lists_lack_little())) {
      refine();
    } else {
      go_to(kPrice);
    }
  }

  // Coarse duals may be infeasible for the whole matrix. Where many entries undercut them, many would at the
  // next scale: then each scale is priced once.
  KONIG_FN bool lists_lack_little() const {
    return p_.coarser == 0 && p_.undercut >= 0 && is_little(p_.undercut);
  }
  KONIG_FN bool is_little(long long undercut) const { return undercut < w_.rows / kManyUndercut; }

  KONIG_FN void refine() {
    if (!p_.refined) p_.lists_suffice = lists_will_suffice();
    p_.priced = 0;
    p_.shift = p_.shift - kScaleBits >= p_.finest ? p_.shift - kScaleBits : 0;
    p_.coarse_scales += p_.shift > 0;
    p_.refined = 1;
    go_to(p_.lists_suffice ? kTighten : kSelect);
  }

  // An entry outside the lists can undercut the duals only when these have moved by more than the spread of
  // slacks in its row's list, which is about the unit of the first scale. Where they did not at that scale,
  // they will hardly do so at the others, which have smaller units: the lists will do for all of them.
  // Uniform costs are like that.
  KONIG_FN bool lists_will_suffice() const {
    return p_.coarser == 0 && p_.undercut == 0 && p_.lowered <= 1LL << p_.shift;
  }

  // ---- a phase ----

  // Let `far` be the least distance set in a superstep. Any later change follows from one made now and is no
  // smaller, so distances up to `far` are final. The search ends when half of the free rows (outward: free
  // columns) are final; the rest would take as long again.
  KONIG_FN void relax() {
    const auto seen = p_.inward ? Base::relax(p_.far) : this->spread(p_.far, int(p_.looks));
    // One minimum serves both cases: the least distance that fell or, if none did, kNoChange - far, which is
    // above all distances and yields the largest far. One sum holds both counts, each below 2^31.
    const long long unchanged = seen.far < 0 ? bsp::kNoLeast : kNoChange - seen.far;
    const bsp::AgreedLeast agreed = team_.agree(seen.late, (seen.final << 32) + seen.missed,
                                                seen.least < kUnreached ? seen.least : unchanged);
    count(&State::sweeps, p_.inward ? kSweeps : p_.looks);
    // Searches of few levels have come to their end before the superstep has: another one is there to see it.
    p_.looks = agreed.bits ? kLooks : kFewLooks;
    p_.missed = agreed.total & 0xffffffffLL;
    const bool changed = agreed.least < kUnreached;
    if (changed && 2 * (agreed.total >> 32) < p_.free) {
      p_.far = agreed.least;
      return;
    }
    // Only an inward search tells which rows reach no free column.
    if (agreed.least == bsp::kNoLeast && !p_.inward) {
      p_.inward = 1;
      go_to(kBegin);
      return;
    }
    if (agreed.least == bsp::kNoLeast) {
      if (!many_missed())
        go_to(kExtend);
      else if (w_.reports)
        p_.status = kAlike;  // should the solve go on, this search is made again
      else
        make_coarser();
      return;
    }
    if (!changed) p_.far = kNoChange - agreed.least;
    p_.lowered += p_.far;
    if (p_.lowered > kReach)
      p_.status = kStalled;
    else
      go_to(kWalk);
  }

  // Whether to begin again with a coarser first scale: many free rows reach no free column, as most rows
  // prefer the same few, and with fewer bits more columns tie. Not if the last coarsening left more than 7/8
  // of them: then pairs are forbidden.
  KONIG_FN bool many_missed() const {
    return !p_.refined && has_scales() && p_.missed > w_.rows / kManyMissed &&
           p_.coarsest + kCoarserBits < assignment::kValueBits &&
           (p_.coarser == 0 || p_.missed < p_.missed_before - p_.missed_before / 8);
  }
  KONIG_FN void make_coarser() {
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    ++p_.coarser;
    p_.tries_exact = 0;
    p_.coarsest += kCoarserBits;
    p_.shift = p_.coarsest;
    p_.coarse_scales = 1;
    p_.missed_before = p_.missed;
    go_to(kReduceRows);
  }

  KONIG_FN void walk() {
    if (p_.part == 0) {
      p_.inward ? this->move_duals(p_.far) : this->move_outward_duals(p_.far);
      p_.roots = 0;
    }
    long long roots = 0;
    const bool cut =
        p_.inward ? Base::walk(p_.free, p_.part, p_.far, roots) : this->walk_back(p_.part, p_.far, roots);
    const bsp::Agreed agreed = team_.agree(cut, roots);
    ++p_.part;
    p_.roots += agreed.total;
    if (!agreed.bits) go_to(kFlip);
  }

  KONIG_FN void flip() {
    if (p_.inward) {
      ++p_.part;
      if (team_.any(Base::flip(p_.roots))) return;
    } else {
      this->flip_all();
      this->begin_again(p_.far != 0);
      team_.barrier();
    }
    count(&State::phases, 1);
    count(&State::paths, p_.roots);
    p_.free -= p_.roots;
    p_.unpriced += p_.far > 0;
    const bool many = p_.tries_exact > 0 && --p_.tries_exact == 0 && p_.free > 0;
    if (many && p_.coarsest > 0 && (!square() || kManyFree * p_.free > w_.rows))
      begin_coarse();
    else if (is_slow())
      go_to(kPrice);
    else if (p_.inward)
      go_to(kBegin);
    else
      search_or_go_on();
    const bool reported = ++p_.phases_until_report == kManyPhases || many;
    if (w_.reports && p_.status == kRunning && reported) p_.status = kLong;
  }

  // Whether to price a core that is not solved yet. Rows that are left free for many phases lack columns, and
  // to solve the core without those costs phases for nothing: with this, kernels, gates and clusters take a
  // third to a tenth of the supersteps. On a rectangle a pricing drops too many pairs; at the first of
  // coarse scales rows that lack columns tell how alike they are (many_missed).
  KONIG_FN bool is_slow() const {
    return square() && (p_.shift == 0 || p_.refined) && p_.free > 0 && p_.unpriced >= p_.prices_after &&
           kFewPaths * p_.roots < p_.free;
  }

  // ---- what the core lacks ----

  KONIG_FN void price() {
    switch (p_.part++) {
      case 0:
        this->prepare_keys();
        this->forget_undercuts();
        return team_.barrier();
      case 1:
        count(&State::pricings, 1);
        return finish_adding(this->price_rows(1LL << p_.shift), kOptimal);
      case 2:
        this->count_undercuts();
        return team_.barrier();
      default:
        lower_cols();
        go_to(kTighten);
    }
  }

  // Neither these columns' duals nor those of their rows change by more.
  KONIG_FN void lower_cols() {
    const auto lowered = this->lower_undercut_cols();
    const bsp::AgreedLeast agreed =
        team_.agree(0, lowered.pairs, lowered.far < 0 ? bsp::kNoLeast : kNoChange - lowered.far);
    count(&State::arcs, agreed.total);
    if (agreed.least < bsp::kNoLeast) p_.lowered += kNoChange - agreed.least;
  }

  KONIG_FN void extend() {
    if (team_.leads()) bsp::store(&w_.state->queued, 0LL);
    const Added added = this->extend_rows();
    count(&State::extensions, 1);
    finish_adding(added, kInfeasible);
  }

  KONIG_FN void finish_adding(const Added& added, Status otherwise) {
    const bsp::Agreed agreed = team_.agree(added.full, added.pairs);
    count(&State::arcs, agreed.total);
    if (otherwise == kOptimal) {
      if (!is_little(agreed.total))
        p_.prices_after = kSlowPhases;
      else if (p_.prices_after < kUnreached / 2)
        p_.prices_after *= 2;
      p_.unpriced = 0;
      p_.priced = 1;
      p_.undercut = agreed.total;
    }
    if (agreed.total == 0) {
      if (otherwise == kOptimal && p_.free > may_stay_free())
        go_to(kBegin);
      else if (otherwise == kOptimal && p_.shift > 0)
        refine();
      else
        p_.status = otherwise;
      return;
    }
    if (otherwise != kOptimal || !square() || is_little(agreed.total)) go_to(kTighten);
    if (agreed.bits) p_.status = kNeedsRoom;
  }

  KONIG_FN void count(long long State::* counter, long long more) {
    if (team_.leads()) bsp::fetch_add(&(w_.state->*counter), more);
  }

  KONIG_FN void go_to(Step step) {
    p_.step = step;
    p_.part = 0;
  }

  static constexpr long long kRowsOfPart = 64;
  static constexpr long long kNoChange = bsp::kNoLeast - 1;

  Progress p_;  // every worker's copy: it only ever changes by what the team agreed on
};

template <class Cost>
using Program = bsp::ProgramOf<Workspace<Cost>, State, 3, Solver, Cost>;

}  // namespace konig::core_paths
