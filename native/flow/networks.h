// The types of network that every flow solver is compiled for.
#pragma once

#include <cstdint>

#include "flow/residual_network.h"

namespace konig {

using SmallNetwork = ResidualNetwork<int32_t, uint32_t>;
using WideNetwork = ResidualNetwork<int32_t, uint64_t>;
using LargeNetwork = ResidualNetwork<int64_t, uint64_t>;

}  // namespace konig

#define KONIG_FOR_EVERY_NETWORK(instantiate) \
  instantiate(SmallNetwork) instantiate(WideNetwork) instantiate(LargeNetwork)
