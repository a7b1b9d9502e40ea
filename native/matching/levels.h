// Levels of a breadth-first search that the workers of a team expand: a wide one together, a narrow one by
// worker 0, which goes on alone until levels are wider. On long thin graphs a barrier a level costs more than
// the level.
//
// What is narrow depends on what a barrier takes. Items are dealt out in small pieces, so workers that have a
// core each end a level nearly at once. If one slept at the barrier, another was preempted: the width from
// which levels are shared is then multiplied by kWider, up to kWidest; each shared level that ends on time
// lowers it by a sixteenth.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/deal.h"
#include "core/threads.h"

// Tests make these small, so that small graphs have wide levels.
#ifndef KONIG_NARROW_LEVEL
#define KONIG_NARROW_LEVEL 64
#endif

#ifndef KONIG_FEW_EACH
#define KONIG_FEW_EACH 512
#endif

namespace konig {

// Items first to last - 1 of the list of what was reached; `number` levels came before.
struct Level {
  int64_t first, last, number;

  int64_t size() const { return last - first; }
};

// What the workers share.
struct SharedLevels {
  Deal deals[2] = {Deal(1024), Deal(1024)};
  Level reached_alone{0, 0, 0};
};

template <class Team>
class LevelWorker {
 public:
  static constexpr int64_t kNarrow = KONIG_NARROW_LEVEL;

  LevelWorker(SharedLevels& shared, Team& team) : shared_(shared), team_(team) {}

  // Calls visit(first, last) for this worker's pieces of [0, items); few items are divided into one stretch a
  // worker. The caller puts a barrier between two calls.
  template <class Visit>
  void deal_out(int64_t items, Visit visit) {
    if (kAlone<Team> || items <= kFew * team_.count()) {
      const Share share(items, team_);
      if (share.first < share.last) visit(share.first, share.last);
      return;
    }
    Deal& deal = shared_.deals[deals_ % 2];
    ++deals_;
    if (team_.leads()) shared_.deals[deals_ % 2].restart();
    int64_t first, last;
    while (!team_.cut() && deal.take(items, team_.count(), first, last)) visit(first, last);
  }

  // Goes on to the next level, or to the next wide one. visit(level, first, last) scans items of the list,
  // deliver() appends what this worker has reached and returns how many that are, and done() ends levels that
  // worker 0 expands alone.
  template <class Visit, class Deliver, class Done>
  void expand(Level& level, Visit visit, Deliver deliver, Done done) {
    if (is_wide(level)) {
      deal_out(level.size(),
               [&](int64_t first, int64_t last) { visit(level, level.first + first, level.first + last); });
      const bsp::Agreed outcome = team_.agree(late_, deliver());
      late_ = team_.slept();
      narrow_ =
          outcome.bits ? std::min(kWider * narrow_, kWidest) : std::max(narrow_ - narrow_ / 16, kNarrow);
      level = {level.last, level.last + outcome.total, level.number + 1};
      return;
    }
    if (team_.leads()) {
      do {
        visit(level, level.first, level.last);
        level = {level.last, level.last + deliver(), level.number + 1};
      } while (level.size() > 0 && !done() && !team_.cut() && !is_wide(level));
      shared_.reached_alone = level;
    }
    team_.barrier();
    level = shared_.reached_alone;
  }

 private:
  static constexpr int64_t kWider = 8, kWidest = 1 << 16;
  static constexpr int64_t kFew = KONIG_FEW_EACH;  // items a worker: fewer are not dealt out on demand

  bool is_wide(const Level& level) const { return team_.count() > 1 && level.size() >= narrow_; }

  SharedLevels& shared_;
  Team& team_;
  unsigned deals_ = 0;        // rounds dealt out so far
  int64_t narrow_ = kNarrow;  // levels with fewer items are worker 0's alone; equal in all workers
  unsigned late_ = 0;         // whether this worker had to sleep at the barrier of the last shared level
};

}  // namespace konig
