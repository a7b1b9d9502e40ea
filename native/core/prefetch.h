// Software prefetch: on matrices without locality the solvers wait for memory, not for arithmetic, so loops
// that know their next vertices ask for them early. A hint only; any address is allowed.
#pragma once

namespace konig {

// To the compiler a function that only prefetches does nothing, and it drops calls to it; the empty
// statement is something that it has to keep.
inline void prefetch(const void* address) {
  __builtin_prefetch(address, 0);
  asm volatile("");
}
// Asks for the line alone: a write or an exchange then need not wait for other cores to give it up. Compilers
// need to be told that the processor has the instruction; those that have not pass over it.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
  asm volatile("");
#endif
}

}  // namespace konig
