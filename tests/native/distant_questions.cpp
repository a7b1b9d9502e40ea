// Costs that are asked for a long way off: whoever waits for an answer is polled at every question.
#include <chrono>
#include <cstdio>
#include <thread>

#include "assignment/exact/distant_costs.h"

using namespace konig;

namespace {

struct Slow : DistantCosts {
  Slow() : DistantCosts(1, 1) {}
  void find_costs(const int32_t*, double*) const override {}
  void find_lowest(const double*, double*, Run&) const override {}
  std::optional<Pairs> list_pairs(const std::vector<int32_t>&, const double*, const double*,
                                  int64_t) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // longer than what a poll lets pass
    return Pairs{{0, 1}, {{0, 1.0}}};
  }
};

}  // namespace

int main() {
  const Slow costs;
  const double dual = 0, bound = 1;
  int polls = 0;
  Run run([&](const Run&) { ++polls; });
  for (int k = 0; k < 3; ++k) costs.find_pairs({0}, &dual, &bound, run);
  costs.fetch_pairs(&dual, &bound, run);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  costs.find_pairs({0}, &dual, &bound, run);  // answered by what was fetched
  std::printf("%d polls\n", polls);
}
