// Random pauses inside every shared access: they widen the windows in which workers race. Include it before
// anything of konig's.
#pragma once

#include <cstdint>
#include <thread>

inline void random_pause() {
  static thread_local std::uint32_t random = 0x9e3779b9U;
  random = random * 1664525U + 1013904223U;
  if ((random >> 16) % 64 == 0) std::this_thread::yield();
}
#define KONIG_JITTER() random_pause()
