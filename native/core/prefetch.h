// Software prefetch: on matrices without locality the solvers wait for memory, not for arithmetic, so loops
// that know their next vertices ask for them early. A hint only; any address is allowed.
#pragma once

namespace konig {

inline void prefetch(const void* address) { __builtin_prefetch(address, 0); }
inline void prefetch_to_write(const void* address) { __builtin_prefetch(address, 1); }

}  // namespace konig
