// The verbs of a Team against what konig/bsp/team.h promises of them, one source for every team as the
// algorithms are: CPU threads, the shuffled team, a CUDA grid. What fails is named by a bit.
#pragma once

#include "konig/bsp/team.h"

namespace konig::team_verbs {

enum Broken : unsigned {
  kLeader = 1,
  kForEach = 1 << 1,
  kForEachAhead = 1 << 2,
  kForEachWhere = 1 << 3,
  kForEachWide = 1 << 4,
  kAttend = 1 << 5,
  kExpand = 1 << 6,
  kExpandAlone = 1 << 7,
  kAnyAndSum = 1 << 8,
  kAgree = 1 << 9,
  kCountUp = 1 << 10,
  kScan = 1 << 11,
  kReserve = 1 << 12,
  kPost = 1 << 13,
  kAdd = 1 << 14,
  kGroupMin = 1 << 15,
  kGroupAt = 1 << 16,
  kGroupBallot = 1 << 17,
  kClocks = 1 << 18,
};

constexpr int kCounters = 8;
constexpr long long kLongEnough = 16000000;  // ticks
constexpr int kTurns = 2;

// Shared by the workers; all zeros but `items`.
struct Sheet {
  long long items;      // to visit, at least one
  int* visits;          // items
  long long* queue;     // 2 * items
  long long* counters;  // kCounters
  unsigned* broken;
};

template <class Team>
class Check {
 public:
  KONIG_FN Check(Team& team, const Sheet& sheet) : team_(team), s_(sheet) {}

  KONIG_FN void run() {
    // Few items, fewer than workers, as many as there are, and none.
    const long long counts[] = {s_.items, 0, 1, 7 < s_.items ? 7 : 1, s_.items / 2};
    for (const long long n : counts) {
      visits(n);
      for (int width = 1; width <= 32; width *= 4) {
        visits_by_groups(n, width);
        for (int rounds = 1; rounds <= 16; rounds *= 4) expands(n, width, rounds);
        expands_alone(n, width);
      }
      queues(n);
      attends(n);
    }
    for (long long round = 0; round < 20; ++round) {
      agreements(round);
      counts_up(round);
      scans(round);
    }
    singles();
    if (broken_) bsp::fetch_or(s_.broken, broken_);
    team_.barrier();
  }

 private:
  KONIG_FN void require(bool holds, unsigned what) {
    if (!holds) broken_ |= what;
  }

  // Every item was visited so often since the last time, and the others never.
  template <class Times>
  KONIG_FN void require_visits(long long n, unsigned what, Times times) {
    team_.barrier();
    team_.for_each(s_.items, [&](long long i) {
      require(bsp::load(s_.visits + i) == (i < n ? times(i) : 0), what);
      bsp::store(s_.visits + i, 0);
    });
    team_.barrier();
  }
  KONIG_FN static int once(long long) { return 1; }
  KONIG_FN void visit(long long i) { bsp::fetch_add(s_.visits + i, 1); }

  // The leader clears the first so many counters, and all see it.
  KONIG_FN void clear(int counters) {
    team_.barrier();
    if (team_.leads())
      for (int k = 0; k < counters; ++k) bsp::store(s_.counters + k, 0LL);
    team_.barrier();
  }

  KONIG_FN void visits(long long n) {
    team_.for_each(n, [&](long long i) { visit(i); });
    require_visits(n, kForEach, once);
    const auto loaded = [](long long i) { return 3 * i + 1; };
    team_.for_each_ahead(n, loaded, [&](long long i, long long value) {
      require(value == 3 * i + 1, kForEachAhead);
      visit(i);
    });
    require_visits(n, kForEachAhead, once);
  }

  // Every item calls for three visits, one after the other.
  KONIG_FN void attends(long long n) {
    int* words = (int*)s_.queue;
    team_.for_each(n, [&](long long i) { bsp::store(words + i, 0); });
    team_.barrier();
    bool all = false;
    for (int turn = 0; turn < kTurns && !all; ++turn) {  // a device that others use may be slow
      team_.attend(
          n, kLongEnough, [&](long long i) { return bsp::load(words + i); },
          [](int seen) { return seen < 3; },
          [&](long long i, int seen) {
            require(bsp::load(words + i) == seen, kAttend);  // nobody else is at it
            bsp::store(words + i, seen + 1);
            visit(i);
          });
      team_.barrier();
      unsigned missing = 0;
      team_.for_each(n, [&](long long i) { missing |= bsp::load(words + i) < 3; });
      all = !team_.any(missing);
    }
    require_visits(n, kAttend, [](long long) { return 3; });
  }

  KONIG_FN void visits_by_groups(long long n, int width) {
    team_.for_each_wide(
        n, width, [&](long long i, int lane, int lanes) { group(i, lane, lanes, width, kForEachWide); });
    require_visits(n, kForEachWide, once);
    // None, all, and some that lie close together.
    for (int kind = 0; kind < 3; ++kind) {
      const auto wanted = [=](long long i) { return kind == 1 || (kind == 2 && i % 64 < 3); };
      team_.for_each_where(
          n, [](long long i) { return i; }, wanted, width,
          [&](long long i, int lane, int lanes) {
            require(wanted(i), kForEachWhere);
            group(i, lane, lanes, width, kForEachWhere);
          });
      require_visits(n, kForEachWhere, [=](long long i) { return int(wanted(i)); });
      // Words that begin anywhere in a block of four.
      int* words = (int*)s_.queue + kind;
      team_.for_each(n, [&](long long i) { bsp::store(words + i, wanted(i) ? 7 : int(i % 3)); });
      team_.barrier();
      // Small, middling and large ones: a thread, a warp or a block.
      const auto size = [](long long i) { return i % 29 == 0 ? 100000LL : i % 13 == 0 ? 500LL : i % 5; };
      for (int even = 0; even < 2; ++even) {
        team_.for_each_where(
            n, bsp::Words<int>{words}, [](int word) { return word == 7; }, bsp::BySize{even == 0, size},
            [&](long long i, int lane, int lanes) {
              require(wanted(i) && lane >= 0 && lane < lanes && (even == 0 || lanes <= 32), kForEachWhere);
              bsp::fetch_add(s_.visits + i, lane == 0 ? lanes : -1);  // one is left when all have come
            });
        require_visits(n, kForEachWhere, [=](long long i) { return int(wanted(i)); });
      }
    }
  }

  // A group has lanes 0 to lanes - 1, and they can take the least of what they hold.
  KONIG_FN void group(long long item, int lane, int lanes, int width, unsigned what) {
    require(lane >= 0 && lane < lanes && lanes <= width, what);
    require(team_.group_min(item + lane, lanes) == item, kGroupMin);
    require(team_.group_min(item + lanes - 1 - lane, lanes) == item, kGroupMin);
    require(team_.group_min(lane == lanes - 1 ? -5 : bsp::kNoLeast, lanes) == -5, kGroupMin);
    require(team_.group_min(float(lanes - lane), lanes) == 1.0f, kGroupMin);
    require(team_.group_at(item + lane, 0, lanes) == item, kGroupAt);
    require(team_.group_at(lane, lanes - 1 - lane, lanes) == lanes - 1 - lane, kGroupAt);
    const unsigned all = lanes == 32 ? ~0U : (1U << lanes) - 1;
    require(team_.group_ballot(true, lanes) == all && team_.group_ballot(false, lanes) == 0, kGroupBallot);
    require(team_.group_ballot(lane % 2 == 0, lanes) == (all & 0x55555555U), kGroupBallot);
    if (lane == 0) visit(item);
  }

  // Item i posts items 2i + 1 and 2i + 2: a tree that is visited in as many calls as it takes.
  KONIG_FN void expands(long long n, int width, int rounds) {
    if (n == 0) return;
    clear(kCounters);
    long long first = 0, waiting = 1, calls = 0;
    if (team_.leads()) bsp::store(s_.queue, 0LL);
    team_.barrier();
    while (waiting > 0) {
      bsp::Tally* tally = bsp::open_tally(team_, (bsp::Tally*)s_.counters, calls);
      const bsp::Queue<long long> next{s_.queue + first + waiting, &tally->first};
      const long long large = calls % 2 ? waiting / 3 : 0;  // at the back of an array without a gap
      team_.expand(s_.queue + first, waiting - large, large, waiting, next, width, rounds,
                   [&](long long i, int lane, int lanes) {
                     require(lane >= 0 && lane < lanes, kExpand);
                     if (lane != 0) return;
                     visit(i);
                     for (long long child = 2 * i + 1; child <= 2 * i + 2 && child < n; ++child)
                       team_.post(next, child);
                   });
      const bsp::Counted counted = team_.count_up(1, tally);
      require(counted.total == team_.count() && counted.second == 0, kCountUp);
      first += waiting;
      waiting = counted.first;
      ++calls;
    }
    long long levels = 0;
    while ((1LL << levels) <= n) ++levels;
    require(rounds == 1 ? calls == levels : calls <= levels, kExpand);
    require_visits(n, kExpand, once);
  }

  // The same tree by the leader's block alone, level by level: item i is on level log2(i + 1). Visits of the
  // last item of every third level ask for an end.
  KONIG_FN void expands_alone(long long n, int few) {
    if (n == 0) return;
    clear(kCounters);
    long long first = 0, waiting = 1, level = 0;
    if (team_.leads()) bsp::store(s_.queue, 0LL);
    team_.barrier();
    for (long long calls = 0; waiting > 0; ++calls) {
      bsp::Tally* tally = bsp::open_tally(team_, (bsp::Tally*)s_.counters, calls);
      const bsp::Queue<long long> next{s_.queue + first + waiting, &tally->first};
      const long long large = waiting > few ? waiting / 3 : 0;
      const int rounds = team_.expand_alone(
          s_.queue + first, waiting - large, large, waiting, next, few, 4,
          [&](long long i, int round, int lane, int lanes) {
            const long long on = level + round, least = (1LL << on) - 1, last = 2 * least;
            require(lane >= 0 && lane < lanes && i >= least && i <= last, kExpandAlone);
            require(round == 0 || (on % 3 != 1 && (last < n ? last : n - 1) - least < few), kExpandAlone);
            if (lane != 0) return false;
            visit(i);
            for (long long child = 2 * i + 1; child <= 2 * i + 2 && child < n; ++child)
              team_.post(next, child);
            return i == last && on % 3 == 0;
          });
      const bsp::Counted counted = team_.count_up(team_.leads() ? rounds : 0, tally);
      require(counted.total >= 1 && counted.total <= 4, kExpandAlone);
      first += waiting;
      level += counted.total;
      waiting = counted.first;
    }
    require_visits(n, kExpandAlone, once);
  }

  KONIG_FN void queues(long long n) {
    clear(1);
    const bsp::Queue<long long> posted{s_.queue, s_.counters};
    team_.for_each(n, [&](long long i) { team_.post(posted, i); });
    team_.deliver(posted);
    require_queue(n, kPost);
    // Some take no place, some one, some two: the ranges cover all places once.
    clear(1);
    const auto places = [](long long i) { return i % 3; };
    team_.for_each(n, [&](long long i) {
      const long long slot = team_.reserve(s_.counters, places(i));
      for (long long k = 0; k < places(i); ++k) bsp::fetch_add(s_.visits + (slot + k) / 2, 1);
    });
    team_.barrier();
    const long long taken = n / 3 * 3 + (n % 3 == 2 ? 1 : 0);
    require(bsp::load(s_.counters) == taken, kReserve);
    require_visits(n, kReserve, [=](long long i) { return 2 * i + 1 < taken ? 2 : int(2 * i < taken); });
  }

  // The queue holds 0 to n - 1, in any order.
  KONIG_FN void require_queue(long long n, unsigned what) {
    team_.barrier();
    require(bsp::load(s_.counters) == n, what);
    team_.for_each(n, [&](long long i) {
      const long long value = bsp::load(s_.queue + i);
      require(value >= 0 && value < n, what);
      if (value >= 0 && value < n) visit(value);
    });
    require_visits(n, what, once);
  }

  KONIG_FN void agreements(long long round) {
    const long long me = team_.index(), all = team_.count(), indices = all * (all - 1) / 2;
    const bool mine = me == round % all;
    const unsigned bit = 1U << (round % 31);
    require(team_.any(mine ? bit : 0U) == bit, kAnyAndSum);
    require(team_.any(0U) == 0U, kAnyAndSum);
    require(team_.sum(me + round) == indices + round * all, kAnyAndSum);
    require(team_.sum(-me) == -indices, kAnyAndSum);
    const bsp::Agreed both = team_.agree(mine ? bit : 0U, me);
    require(both.bits == bit && both.total == indices, kAgree);
    const bsp::AgreedLeast three = team_.agree(mine ? bit : 0U, 2 * me, mine ? round : round + 1 + me);
    require(three.bits == bit && three.total == 2 * indices && three.least == round, kAgree);
    require(team_.agree(0U, 0, mine ? 0 : bsp::kNoLeast).least == 0, kAgree);
    require(team_.agree(0U, 0, bsp::kNoLeast).least == bsp::kNoLeast, kAgree);
  }

  KONIG_FN void counts_up(long long round) {
    const long long me = team_.index(), all = team_.count();
    clear(2);
    bsp::fetch_add(s_.counters, 1LL);
    bsp::fetch_add(s_.counters + 1, me);
    const bsp::Counted counted = team_.count_up(me + round, (const bsp::Tally*)s_.counters);
    require(counted.first == all && counted.second == all * (all - 1) / 2, kCountUp);
    require(counted.total == all * (all - 1) / 2 + round * all, kCountUp);
    team_.barrier();  // all have read the counters
  }

  KONIG_FN void scans(long long round) {
    const long long me = team_.index(), all = team_.count();
    const bsp::Scanned scanned = team_.scan(me + round);
    require(scanned.before == me * (me - 1) / 2 + round * me, kScan);
    require(scanned.total == all * (all - 1) / 2 + round * all, kScan);
    require(team_.scan(1).before == me, kScan);
    if (round % 3 == 0) team_.barrier();
  }

  KONIG_FN void singles() {
    require(team_.sum(team_.leads()) == 1, kLeader);
    require(team_.index() >= 0 && team_.index() < team_.count(), kLeader);
    clear(1);
    team_.add(s_.counters, team_.index() + 1);
    team_.barrier();
    require(bsp::load(s_.counters) == team_.count() * (team_.count() + 1) / 2, kAdd);
    const long long ticks = team_.ticks(), time = team_.nanoseconds();
    team_.spend(1);
    require(team_.ticks() >= ticks && team_.nanoseconds() >= time, kClocks);
  }

  Team& team_;
  const Sheet s_;
  unsigned broken_ = 0;
};

}  // namespace konig::team_verbs
