// Free rows, or columns, among which one is sought that costs as little as a minimum which is taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace konig {

class FreeLines {
 public:
  static constexpr int64_t kProbes = 32;  // for one tie

  // Those of `count` lines that are free.
  template <class IsFree>
  void collect(int64_t count, const IsFree& is_free) {
    lines_.resize(size_t(count));
    int64_t found = 0;
    for (int64_t line = count; line-- > 0;) {  // without a branch, which could not be predicted
      lines_[found] = int32_t(line);
      found += is_free(line);
    }
    lines_.resize(size_t(found));
    probes_ = kProbes;
  }

  struct Found {
    int32_t line;    // -1 if none ties
    int64_t missed;  // lines tried that do not
  };
  // The first of so many lines that ties, which is free no more.
  template <class Ties>
  Found take_among(int64_t most, const Ties& ties) {
    const auto first = lines_.rbegin(), last = first + std::min(most, int64_t(lines_.size()));
    const auto found = std::find_if(first, last, ties);
    const int64_t missed = found - first;
    if (found == last) return {-1, missed};
    const int32_t line = *found;
    lines_.erase(std::next(found).base());
    return {line, missed};
  }

  // The same among kProbes lines, and fewer after misses: a minimum may tie with all lines or with none.
  template <class Ties>
  int32_t take(const Ties& ties) {
    constexpr int64_t kFewProbes = 4;
    const int32_t line = take_among(probes_, ties).line;
    probes_ = line < 0 ? std::max(probes_ / 2, kFewProbes) : kProbes;
    return line;
  }

 private:
  std::vector<int32_t> lines_;  // descending
  int64_t probes_ = kProbes;
};

}  // namespace konig
