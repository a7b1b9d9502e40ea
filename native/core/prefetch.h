// Software prefetch: on matrices without locality the solvers wait for memory, not for arithmetic, so loops
// that know their next vertices ask for them early. A hint only; any address is allowed.
#pragma once

namespace konig {

// A compiler may drop calls of a function that only prefetches as having no effect; the empty assembly
// statement keeps them.
inline void prefetch(const void* address) {
  __builtin_prefetch(address, 0);
  asm volatile("");
}
// Requests exclusive ownership of the line, so that a write or an exchange need not wait for other cores.
// Written in assembly since compilers emit it only for chosen targets; processors without it ignore it.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
  asm volatile("");
#endif
}

}  // namespace konig
