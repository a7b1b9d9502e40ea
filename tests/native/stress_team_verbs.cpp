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
  template <class Load, class Wanted, class Visit>
  void for_each_where(long long n, Load load, Wanted wanted, int width, Visit visit) {
    ShuffledTeam::for_each_where(n, load, wanted, width, visit);
    if (n > 5 && wanted(load(2))) visit(2, 0, 1);
  }
};
struct MissesTheEnd : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  template <class T, class Size, class Visit>
  void for_each_equal(const T* words, long long n, T value, bool uneven, Size size, Visit visit) {
    ShuffledTeam::for_each_equal(words, n / 4 * 4, value, uneven, size, visit);
  }
};
struct ForgetsTheLeast : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  bsp::AgreedLeast agree_least(unsigned bits, long long value, long long) {
    return ShuffledTeam::agree_least(bits, value, 0);
  }
};
struct CountsTooEarly : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  bsp::Counted count_up(long long value, const long long* first, const long long* second) {
    return {value, *first, *second > 0 ? *second - 1 : *second + 1};
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
struct GivesAPlaceTwice : bsp::ShuffledTeam {
  using ShuffledTeam::ShuffledTeam;
  int group_slot(bool wanted, int, int& used) { return wanted ? used : -1; }
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
  finds<MissesTheEnd>(kForEachEqual);
  finds<ForgetsTheLeast>(kAgreeLeast);
  finds<CountsTooEarly>(kCountUp);
  finds<DropsAPost>(kPost | kExpand);
  finds<AttendsOnce>(kAttend);
  finds<MixesGroups>(kGroupMin);
  finds<GivesAPlaceTwice>(kGroupSlot);
  Random random(17);
  for (int i = 0; i < graphs; ++i) {
    const long long items = i % 20 == 0 ? 5000 : 1 + (long long)(random() % 60);
    check(items, random());
  }
  std::printf("%d graphs\n", graphs);
}
