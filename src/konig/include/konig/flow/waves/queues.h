// What there is to do in a superstep: vertices that act or copy a height, and pieces that waves expand. Each
// kind has its queue, with short lists from the front and long ones from the back. Two of each take turns:
// one is visited, the other one filled.
#pragma once

#include "konig/flow/waves/state.h"

namespace konig::flow_waves {

template <class Team, class Id, class Amount>
class Queues {
 public:
  using Work = Workspace<Id, Amount>;
  using ItemOf = Item<Id>;

  // Those of a turn. `wave` is the one whose pieces are counted. The tally of the turn after is cleared by
  // the leader when one is filled: it was read before the latest barrier.
  KONIG_FN Queues(Team& team, const Work& workspace, long long turn, long long wave)
      : team_(team), w_(workspace), turn_(turn), wave_(wave) {}

  KONIG_FN static const long long* tally(const Work& w, long long turn) {
    return (const long long*)(w.state->tallies + turn % kTallies);
  }

  KONIG_FN ItemOf act(long long i, bool is_long) const {
    return acts().items[is_long ? 2 * w_.vertices - 1 - i : i];
  }
  KONIG_FN ItemOf front(long long i, bool is_long) const {
    return fronts().items[is_long ? w_.pieces - 1 - i : i];
  }

  KONIG_FN void enter(const ItemOf& item) {
    posted += (long long)item.kind == wave_;
    if (item.length <= kShort || item.kind == kCopy) {
      team_.post_two(acts(), fronts(), item, item.kind > 0);
      return;
    }
    // One by one: neighbours may be filling the other queue.
    Tally* tally = w_.state->tallies + turn_ % kTallies;
    if (item.kind > 0)
      fronts().items[w_.pieces - 1 - bsp::fetch_add(&tally->long_fronts, 1LL)] = item;
    else
      acts().items[2 * w_.vertices - 1 - bsp::fetch_add(&tally->long_acts, 1LL)] = item;
  }

  // By all workers, when they have entered what they have.
  KONIG_FN void deliver() {
    if (team_.leads()) {
      Tally* next = w_.state->tallies + (turn_ + 1) % kTallies;
      bsp::store(&next->acts, 0LL);
      bsp::store(&next->long_acts, 0LL);
      bsp::store(&next->fronts, 0LL);
      bsp::store(&next->long_fronts, 0LL);
    }
    team_.deliver_two(acts(), fronts(), [](const ItemOf& item) { return item.kind > 0; });
  }

  long long posted = 0;  // pieces of the wave

 private:
  KONIG_FN bsp::Queue<ItemOf> acts() const {
    return {w_.acts + (turn_ % 2 ? 2 * w_.vertices : 0), &w_.state->tallies[turn_ % kTallies].acts};
  }
  KONIG_FN bsp::Queue<ItemOf> fronts() const {
    return {w_.fronts + (turn_ % 2 ? w_.pieces : 0), &w_.state->tallies[turn_ % kTallies].fronts};
  }

  Team& team_;
  const Work& w_;
  const long long turn_, wave_;
};

}  // namespace konig::flow_waves
