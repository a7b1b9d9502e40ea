// The extent of costs on a GPU, by one read of them (konig/kernels/cost_extent.cu) and one copy.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/driver.h"

namespace konig {

struct ExtentThere {
  bool is_good = false;      // no cost is a NaN or one that no solver may see
  bool forbids = false;      // some are the infinity that forbids a pair
  bool some_finite = false;  // or else there is neither a least nor a greatest
  uint64_t least, greatest;  // keys

  static constexpr uint64_t kSign = uint64_t(1) << 63;
  static int64_t whole(uint64_t key) { return int64_t(key ^ kSign); }
  static double real(uint64_t key) { return std::bit_cast<double>(key & kSign ? key ^ kSign : ~key); }
};

struct CostsToRead {
  uintptr_t cost;
  int64_t count;
  bool maximize;
};

// `words` are four on the device.
inline ExtentThere find_extent(const Driver& driver, const Driver::Kernel& kernel, unsigned blocks,
                               unsigned threads, const CostsToRead& costs, uintptr_t words,
                               uintptr_t stream) {
  uint64_t found[4];
  uintptr_t cost = costs.cost;
  int64_t count = costs.count, maximize = costs.maximize;
  void* arguments[] = {&cost, &count, &maximize, &words};
  driver.fill(words, 255, sizeof found, stream);
  driver.launch(kernel, blocks, threads, arguments, stream);
  driver.read(found, words, sizeof found, stream);
  driver.wait(stream);
  const auto [least, inverted, forbids, bad] = found;
  return {bad != 0, forbids == 0, (least & inverted) != ~uint64_t(0), least, ~inverted};
}

}  // namespace konig
