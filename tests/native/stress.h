// What the stress programs of the team algorithms share. Include it before anything of konig: the pauses go
// into every shared access.
#pragma once

#include "random_pause.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "konig/bsp/team.h"
#include "random_graphs.h"

using namespace konig;

// solve(run) makes a solver and passes its launch and what comes between two launches to run. Here that is
// each team in turn; a zero budget ends every launch at its first agreement.
template <class Solve>
void on_every_team(std::uint64_t seed, Solve solve) {
  for (const auto budget : {std::chrono::milliseconds(0), std::chrono::milliseconds(50)})
    for (const int workers : {1, 2, 4})
      solve([&](auto launch, auto between) {
        bsp::ThreadPool pool(budget, {});
        pool.run(workers, launch, between);
        require(pool.workers() == workers, "all workers came");
      });
  solve([&](auto launch, auto between) { bsp::ShuffledTeam(seed, {}).run(launch, between); });
}
