// Runs the checks of team_verbs.h on CPU threads and on the shuffled team, for a build with a sanitiser.
// Random pauses inside every shared access widen the races. Exit status 0 means that every verb kept its
// word.
#include "stress.h"

#include "team_verbs.h"

namespace {

using namespace konig::team_verbs;

template <class Run>
unsigned broken_on(long long items, Run run) {
  std::vector<int> visits(items);
  std::vector<long long> queue(2 * items), counters(kCounters);
  unsigned broken = 0;
  const Sheet sheet{items, visits.data(), queue.data(), counters.data(), &broken};
  run([&](auto& team) { Check<std::remove_reference_t<decltype(team)>>(team, sheet).run(); });
  return broken;
}

void check(long long items, std::uint64_t seed) {
  on_every_team(seed, [&](auto run) {
    const unsigned broken = broken_on(items, [&](auto launch) { run(launch, [] { return false; }); });
    if (broken) std::fprintf(stderr, "%lld items: verbs %#x\n", items, broken);
    require(broken == 0, "every verb keeps its word");
  });
}

// Teams with one bad verb each: the checks can fail, and say which it was.
struct LosesAnItem : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class Load, class Use>
  void for_each_ahead(long long n, Load load, Use use) {
    ShuffledTeam::for_each_ahead(n > 1 ? n - 1 : n, load, use);
  }
};
struct GathersTwice : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class Load, class Wanted, class Share, class Visit>
  void for_each_where(long long n, Load load, Wanted wanted, Share share, Visit visit) {
    ShuffledTeam::for_each_where(n, load, wanted, share, visit);
    if (n > 5 && wanted(load(2))) visit(2, 0, 1);
  }
};
struct ForgetsTheLeast : bsp::ShuffledTeam {
  using ShuffledTeam::agree;
  using ShuffledTeam::ShuffledTeam;
  bsp::AgreedLeast agree(unsigned bits, long long value, long long) {
    return ShuffledTeam::agree(bits, value, 0);
  }
};
struct CountsTooEarly : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  bsp::Counted count_up(long long value, const bsp::Tally* tally) {
    return {value, tally->first, tally->second + 1};
  }
};
struct DropsAPost : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class T>
  void post(bsp::Queue<T> queue, T value) {
    if (value != 3) ShuffledTeam::post(queue, value);
  }
};
struct MixesGroups : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  long long group_min(long long value, int) { return value - 1; }
};
struct TurnsSignsAround : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  unsigned group_ballot(bool sign, int) { return !sign; }
};
struct GoesOnAlone : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class T, class Visit>
  int expand_alone(const T* items, long long few, long long many, long long room, bsp::Queue<T> queue,
                   int alone, int rounds, Visit visit) {
    return ShuffledTeam::expand_alone(items, few, many, room, queue, alone, rounds + 1, visit) + 1;
  }
};
struct AttendsOnce : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class Load, class Wanted, class Visit>
  void attend(long long n, long long, Load load, Wanted wanted, Visit visit) {
    for_each(n, [&](long long i) {
      const auto seen = load(i);
      if (wanted(seen)) visit(i, seen);
    });
  }
};

template <class Team>
void finds(unsigned what) {
  const unsigned broken = broken_on(101, [](auto launch) {
    Team team(1, {});
    launch(team);
  });
  require((broken & what) == what, "a broken verb is found out");
}

}  // namespace

int main(int count, char** arguments) {
  const int graphs = count > 1 ? std::atoi(arguments[1]) : 100;
  finds<LosesAnItem>(kForEachAhead);
  finds<GathersTwice>(kForEachWhere);
  finds<ForgetsTheLeast>(kAgree);
  finds<CountsTooEarly>(kCountUp);
  finds<DropsAPost>(kPost | kExpand);
  finds<AttendsOnce>(kAttend);
  finds<MixesGroups>(kGroupMin);
  finds<TurnsSignsAround>(kGroupBallot);
  finds<GoesOnAlone>(kExpandAlone);
  Random random(17);
  for (int i = 0; i < graphs; ++i) {
    const long long items = i % 20 == 0 ? 5000 : 1 + (long long)(random() % 60);
    check(items, random());
  }
  std::printf("%d graphs\n", graphs);
}
