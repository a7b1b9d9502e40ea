// Shared locations: every word that two workers may touch in one superstep goes through these functions.
//
// All of them are relaxed: they promise an undivided, coherent word and no order. Order comes from the
// team's barrier alone. On the CPU they are the compiler's atomics, so the papers' harmless races are defined
// behaviour and a thread sanitiser is content; on the GPU loads and stores are volatile (PTX gives those the
// meaning of a relaxed access, served by the L2 cache and never by a stale L1 line) and the rest are the
// hardware's atomics. An algorithm whose paper calls it atomic-free uses `load` and `store` only.
#pragma once

// An array that a loop indexes stays in a GPU's registers only if the loop is unrolled. A loop with a large
// body must not be.
#if defined(__CUDACC__)
#define KONIG_FN __device__ __forceinline__
#define KONIG_UNROLL _Pragma("unroll")
#define KONIG_NO_UNROLL _Pragma("unroll 1")
#else
#define KONIG_FN inline
#define KONIG_UNROLL
#define KONIG_NO_UNROLL
#endif

// A stress build defines this to a random pause: it widens the windows in which workers race.
#ifndef KONIG_JITTER
#define KONIG_JITTER()
#endif

namespace konig::bsp {

#if defined(__CUDACC__)

template <class T>
KONIG_FN T load(const T* place) {
  return *static_cast<const volatile T*>(place);
}

template <class T>
KONIG_FN void store(T* place, T value) {
  *static_cast<volatile T*>(place) = value;
}

// A plain read of a word that no worker writes in this superstep. It bypasses L1, which may be stale.
template <class T>
KONIG_FN T settled(const T* place) {
  return __ldcg(place);
}

// The hardware adds and compares unsigned words of 64 bits; two's complement makes them serve signed ones.
KONIG_FN int fetch_add(int* place, int value) { return atomicAdd(place, value); }
KONIG_FN unsigned fetch_add(unsigned* place, unsigned value) { return atomicAdd(place, value); }
KONIG_FN long long fetch_add(long long* place, long long value) {
  return (long long)(atomicAdd((unsigned long long*)place, (unsigned long long)value));
}

KONIG_FN unsigned fetch_or(unsigned* place, unsigned bits) { return atomicOr(place, bits); }

KONIG_FN int fetch_min(int* place, int value) { return atomicMin(place, value); }
KONIG_FN long long fetch_min(long long* place, long long value) { return atomicMin(place, value); }

// Returns what was there: the exchange took place when that equals `expected`.
KONIG_FN int compare_exchange(int* place, int expected, int desired) {
  return atomicCAS(place, expected, desired);
}
KONIG_FN long long compare_exchange(long long* place, long long expected, long long desired) {
  return (long long)(atomicCAS((unsigned long long*)place, (unsigned long long)expected,
                               (unsigned long long)desired));
}

#else

template <class T>
KONIG_FN T load(const T* place) {
  KONIG_JITTER();
  return __atomic_load_n(place, __ATOMIC_RELAXED);
}

template <class T>
KONIG_FN void store(T* place, T value) {
  KONIG_JITTER();
  __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

// A plain read of a word that no worker writes in this superstep: the compiler may read many of them at once.
template <class T>
KONIG_FN T settled(const T* place) {
  return *place;
}

template <class T>
KONIG_FN T fetch_add(T* place, T value) {
  return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

template <class T>
KONIG_FN T fetch_or(T* place, T bits) {
  return __atomic_fetch_or(place, bits, __ATOMIC_RELAXED);
}

template <class T>
KONIG_FN T fetch_min(T* place, T value) {
  T seen = load(place);
  while (value < seen &&
         !__atomic_compare_exchange_n(place, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
}

// Returns what was there: the exchange took place when that equals `expected`.
template <class T>
KONIG_FN T compare_exchange(T* place, T expected, T desired) {
  __atomic_compare_exchange_n(place, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

#endif

// Four words that are read together and written in another superstep.
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T word[4];
};

// One load where the machine has it.
template <class T>
KONIG_FN Four<T> load_four(const Four<T>* place) {
  Four<T> seen;
#if defined(__CUDACC__)
  if constexpr (sizeof(T) == 4) {
    asm volatile("ld.volatile.global.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(seen.word[0]), "=r"(seen.word[1]), "=r"(seen.word[2]), "=r"(seen.word[3])
                 : "l"(place));
  } else
#endif
  {
    for (int k = 0; k < 4; ++k) seen.word[k] = settled(place->word + k);
  }
  return seen;
}

// The same where others may write to the words meanwhile: each of them is undivided, the four need not be.
template <class T>
KONIG_FN Four<T> load_any_four(const Four<T>* place) {
#if defined(__CUDACC__)
  if constexpr (sizeof(T) == 4) return load_four(place);  // a volatile vector load: safe under races too
#endif
  return {{load(place->word), load(place->word + 1), load(place->word + 2), load(place->word + 3)}};
}

// Two words that are written together.
template <class T>
struct alignas(2 * sizeof(T)) Two {
  T word[2];
};

// One load where the machine has it, while others may write: each word is undivided.
template <class T>
KONIG_FN Two<T> load_any_two(const Two<T>* place) {
#if defined(__CUDACC__)
  Two<T> seen;
  if constexpr (sizeof(T) == 4)
    asm volatile("ld.volatile.global.v2.s32 {%0, %1}, [%2];"
                 : "=r"(seen.word[0]), "=r"(seen.word[1])
                 : "l"(place));
  else
    asm volatile("ld.volatile.global.v2.s64 {%0, %1}, [%2];"
                 : "=l"(seen.word[0]), "=l"(seen.word[1])
                 : "l"(place));
  return seen;
#else
  return {{load(place->word), load(place->word + 1)}};
#endif
}

// One store for words of 32 bits on a GPU, else two; each word is undivided, the pair need not be.
template <class T>
KONIG_FN void store_two(Two<T>* place, const Two<T>& value) {
#if defined(__CUDACC__)
  if constexpr (sizeof(T) == 4) {
    asm volatile("st.volatile.global.v2.s32 [%0], {%1, %2};" ::"l"(place), "r"(value.word[0]),
                 "r"(value.word[1])
                 : "memory");
    return;
  }
#endif
  store(place->word, value.word[0]);
  store(place->word + 1, value.word[1]);
}

KONIG_FN int count_bits(unsigned bits) {
#if defined(__CUDACC__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

// Asks for what will soon be read. The address may be invalid.
template <class T>
KONIG_FN void prefetch(const T* place) {
#if defined(__CUDACC__)
  asm volatile("prefetch.global.L2 [%0];" : : "l"(place));
#else
  __builtin_prefetch(place);
#endif
}

}  // namespace konig::bsp
