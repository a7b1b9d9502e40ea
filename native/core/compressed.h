// Compressed adjacency arrays: compression of pairs and transposition, by one thread or by several.
//
// Several threads make the same lists as one, entry for entry: by a stable counting sort in two steps, each
// of which stays in the cache.
//
// 1. Keys are gathered into buckets of neighbouring keys. Each worker counts its own stretch of the entries,
//    then writes the values of a bucket one after the other into the place that the bucket has in the result;
//    what is left of the key, 16 bits, goes beside it.
// 2. Each bucket is sorted on its own, through a buffer of its size.
//
// Memory beside the result: two bytes an entry, and for each worker a buffer of the largest bucket's size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/deal.h"
#include "core/large_array.h"
#include "core/run.h"
#include "core/shared_loop.h"
#include "konig/bsp/team.h"

namespace konig {

// ---- lists from entries: Entries(first, last, visit) calls visit(key, value) for [first, last) in order

template <class Id, class Offset, class Entries>
class ParallelCompress {
 public:
  ParallelCompress(Entries entries, int64_t count, int64_t keys, Offset* start, Id* value, int threads,
                   Run& run)
      : entries_(entries),
        count_(count),
        keys_(keys),
        start_(start),
        value_(value),
        threads_(threads),
        run_(run),
        low_key_(count) {
    while (shift_ < 16 && (keys >> shift_) >= kBuckets) ++shift_;
    buckets_ = (keys >> shift_) + 1;
    in_bucket_.resize(size_t(threads) * buckets_);
    bucket_start_.resize(buckets_ + 1);
    counters_ = std::make_unique<Offset[]>(size_t(threads) << shift_);
  }

  void compress() {
    const auto launch = [this](bsp::CpuTeam& team) { counted_ ? place(team) : count(team); };
    const auto between = [this] {
      if (counted_) return false;
      counted_ = true;
      lay_out();
      return true;
    };
    bsp::ThreadPool pool(bsp::ThreadPool::Clock::duration::max(), [this](int64_t work) { run_.spend(work); });
    pool.run(threads_, launch, between);
  }

 private:
  static constexpr int64_t kBuckets = 256;
  static constexpr int64_t kBlock = 1 << 13;  // entries from one poll of the caller to the next

  int64_t* buckets_of(const bsp::CpuTeam& team) { return in_bucket_.data() + team.index() * buckets_; }

  template <class Visit>
  void visit_stretch(bsp::CpuTeam& team, Visit visit) {
    const Share share(count_, team);
    for (int64_t first = share.first; first < share.last && !team.cut(); first += kBlock) {
      const int64_t last = std::min(share.last, first + kBlock);
      entries_(first, last, visit);
      team.spend(last - first);
    }
  }

  void count(bsp::CpuTeam& team) {
    int64_t* const in_bucket = buckets_of(team);
    visit_stretch(team, [&](Id key, Id) { ++in_bucket[key >> shift_]; });
  }

  // Where each worker's part of each bucket begins; a worker that could not be started has counted nothing.
  void lay_out() {
    int64_t place = 0, largest = 0;
    for (int64_t bucket = 0; bucket < buckets_; ++bucket) {
      bucket_start_[bucket] = place;
      for (int worker = 0; worker < threads_; ++worker) {
        int64_t& in_bucket = in_bucket_[worker * buckets_ + bucket];
        const int64_t entries = in_bucket;
        in_bucket = place;
        place += entries;
      }
      largest = std::max(largest, place - bucket_start_[bucket]);
    }
    bucket_start_[buckets_] = place;
    for (int worker = 0; worker < threads_; ++worker) buffers_.emplace_back(new Id[largest]);
  }

  void place(bsp::CpuTeam& team) {
    int64_t* const next = buckets_of(team);
    const int64_t mask = (int64_t(1) << shift_) - 1;
    visit_stretch(team, [&](Id key, Id value) {
      const int64_t at = next[key >> shift_]++;
      value_[at] = value;
      low_key_[at] = uint16_t(key & mask);
    });
    team.barrier();
    int64_t bucket, last;
    while (!team.cut() && deal_.take(buckets_, team.count(), bucket, last))
      for (; bucket < last && !team.cut(); ++bucket) sort_bucket(bucket, team);
    if (team.leads()) start_[keys_] = Offset(count_);
  }

  void sort_bucket(int64_t bucket, bsp::CpuTeam& team) {
    const int64_t first = bucket_start_[bucket], last = bucket_start_[bucket + 1];
    const int64_t first_key = bucket << shift_;
    const int64_t keys = std::min(keys_ - first_key, int64_t(1) << shift_);
    Offset* const next = counters_.get() + (team.index() << shift_);
    Id* const buffer = buffers_[team.index()].get();
    std::fill(next, next + keys, Offset(0));
    for (int64_t i = first; i < last; ++i) ++next[low_key_[i]];
    Offset place = Offset(first);
    for (int64_t key = 0; key < keys; ++key) {
      const Offset entries = next[key];
      start_[first_key + key] = next[key] = place;
      place += entries;
    }
    std::copy(value_ + first, value_ + last, buffer);
    for (int64_t i = first; i < last; ++i) value_[next[low_key_[i]]++] = buffer[i - first];
    team.spend(last - first + keys);
  }

  Entries entries_;
  const int64_t count_, keys_;
  Offset* const start_;
  Id* const value_;
  const int threads_;
  Run& run_;
  int shift_ = 4;
  int64_t buckets_ = 0;
  bool counted_ = false;
  LargeArray<uint16_t> low_key_;
  std::vector<int64_t> in_bucket_;  // of each worker: entries in each bucket, then where the next one goes
  std::vector<int64_t> bucket_start_;
  std::unique_ptr<Offset[]> counters_;
  std::vector<std::unique_ptr<Id[]>> buffers_;
  Deal deal_{1};
};

// One thread needs no buckets. start holds keys + 1 zeros on entry.
template <class Id, class Offset, class Entries>
void compress(const Entries& entries, int64_t count, int64_t keys, Offset* start, Id* value, int threads,
              Run& run) {
  if (threads > 1)
    return ParallelCompress<Id, Offset, Entries>(entries, count, keys, start, value, threads, run).compress();
  constexpr int64_t kBlock = 1 << 13;  // entries from one poll of the caller to the next
  const auto visit_all = [&](auto visit) {
    for (int64_t first = 0; first < count; first += kBlock) {
      entries(first, std::min(count, first + kBlock), visit);
      run.spend(kBlock);
    }
  };
  visit_all([=](Id key, Id) { ++start[key + 1]; });
  for (int64_t key = 0; key < keys; ++key) start[key + 1] += start[key];
  visit_all([=](Id key, Id item) { value[start[key]++] = item; });
  for (int64_t key = keys; key > 0; --key) start[key] = start[key - 1];
  start[0] = 0;
}

// CSR of the transpose; lists are sorted. out_start holds others + 1 zeros on entry.
template <class Id, class Offset>
void transpose(const Offset* start, const Id* neighbour, int64_t vertices, int64_t others, Offset* out_start,
               Id* out_neighbour, int threads, Run& run) {
  const auto entries = [=](int64_t first, int64_t last, auto visit) {
    int64_t owner = std::upper_bound(start, start + vertices, Offset(first)) - start - 1;
    for (int64_t k = first; k < last; ++owner)
      for (const int64_t end = std::min<int64_t>(last, start[owner + 1]); k < end; ++k)
        visit(neighbour[k], Id(owner));
  };
  compress(entries, start[vertices], others, out_start, out_neighbour, threads, run);
}

// CSR from (major, minor) pairs; each list keeps the order of the pairs. start holds vertices + 1 zeros on
// entry.
template <class Id, class Offset>
void compress_pairs(const Id* major, const Id* minor, int64_t pairs, int64_t vertices, Offset* start,
                    Id* neighbour, int threads, Run& run) {
  const auto entries = [=](int64_t first, int64_t last, auto visit) {
    for (int64_t k = first; k < last; ++k) visit(major[k], minor[k]);
  };
  compress(entries, pairs, vertices, start, neighbour, threads, run);
}

}  // namespace konig
