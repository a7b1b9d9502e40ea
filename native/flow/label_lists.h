// Vertices by label, for push-relabel: all of them for the gap heuristic, and the active ones in the order in
// which they are discharged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"

namespace konig {

// The vertices of each label, for the gap heuristic. They are those that a search found, in its order, and
// notes: a vertex is noted down under each label that it gets later. It stays where it was under the old one:
// labels tell which entries still hold.
template <class Index>
class VerticesByLabel {
 public:
  explicit VerticesByLabel(Index vertices)
      : many_(size_t(vertices) + 2, 0),
        latest_(size_t(vertices) + 2, kNone),
        notes_(std::min(4 * size_t(vertices) + 1024, size_t(std::numeric_limits<Index>::max()))) {}

  // The vertices of label d are found[levels[d]] up to found[levels[d + 1]]; what is found stays there.
  void begin_with(const Index* found, const std::vector<Index>& levels) {
    clear();
    found_ = found;
    levels_ = levels;
    highest_ = Index(levels.size()) - 2;
    for (Index label = 0; label <= highest_; ++label) many_[label] = levels[label + 1] - levels[label];
  }

  // Says whether the last one has left the label.
  bool remove(Index label) { return --many_[label] == 0; }
  void add(Index v, Index label) {
    if (label > highest_) highest_ = label;
    ++many_[label];
    notes_[noted_] = {v, latest_[label]};
    latest_[label] = noted_++;
  }
  // No room for another note.
  bool full() const { return size_t(noted_) == notes_.size(); }
  // Begins anew with one note for each vertex that has a label.
  void note_again(const LargeArray<Index>& label, Index unreachable) {
    clear();
    for (Index v = 0; v < Index(label.size()); ++v)
      if (label[v] != unreachable) add(v, label[v]);
  }

  // Visits and removes all vertices above a label.
  template <class Visit>
  void drop_above(Index label, const LargeArray<Index>& label_of, Visit visit) {
    for (; highest_ > label; --highest_) {
      if (many_[highest_] > 0) {
        if (size_t(highest_) + 1 < levels_.size())
          for (Index k = levels_[highest_]; k < levels_[highest_ + 1]; ++k)
            if (label_of[found_[k]] == highest_) visit(found_[k]);
        for (Index k = latest_[highest_]; k != kNone; k = notes_[k].previous)
          if (label_of[notes_[k].vertex] == highest_) visit(notes_[k].vertex);
      }
      many_[highest_] = 0;
      latest_[highest_] = kNone;
    }
  }

 private:
  void clear() {
    for (; highest_ >= 0; --highest_) {
      many_[highest_] = 0;
      latest_[highest_] = kNone;
    }
    noted_ = 0;
    levels_.clear();
  }

  static constexpr Index kNone = -1;
  struct Note {
    Index vertex;
    Index previous;  // of the same label
  };
  LargeArray<Index> many_;    // vertices of each label
  LargeArray<Index> latest_;  // note of each label
  LargeArray<Note> notes_;
  const Index* found_ = nullptr;
  std::vector<Index> levels_;
  Index noted_ = 0;
  Index highest_ = -1;
};

// Active vertices by label, the highest first.
template <class Index>
class HighestLabel {
 public:
  static constexpr bool kStaysAfterRelabel = true;
  static constexpr bool kParks = true;

  explicit HighestLabel(Index vertices) : first_(size_t(vertices) + 2, kNone), next_(size_t(vertices)) {}

  void clear() {
    for (; highest_ >= 0; --highest_) first_[highest_] = kNone;
  }
  void add(Index v, Index label) {
    next_[v] = first_[label];
    first_[label] = v;
    if (label > highest_) highest_ = label;
  }
  // The next active vertex, or kNone.
  Index take() {
    while (highest_ >= 0 && first_[highest_] == kNone) --highest_;
    if (highest_ < 0) return kNone;
    const Index v = first_[highest_];
    first_[highest_] = next_[v];
    if (next_[v] != kNone) prefetch(&next_[next_[v]]);
    return v;
  }
  static constexpr Index kNone = -1;

 private:
  LargeArray<Index> first_;
  LargeArray<Index> next_;
  Index highest_ = -1;
};

// Active vertices, first in, first out. A vertex is in the queue at most once.
template <class Index>
class FirstInFirstOut {
 public:
  static constexpr bool kStaysAfterRelabel = false;
  static constexpr bool kParks = false;

  explicit FirstInFirstOut(Index vertices) : queue_(size_t(vertices) + 1), size_(vertices + 1) {}

  void clear() { head_ = tail_ = 0; }
  void add(Index v, Index) {
    queue_[tail_] = v;
    if (++tail_ == size_) tail_ = 0;
  }
  Index take() {
    if (head_ == tail_) return kNone;
    const Index v = queue_[head_];
    if (++head_ == size_) head_ = 0;
    return v;
  }
  static constexpr Index kNone = -1;

 private:
  LargeArray<Index> queue_;
  Index size_, head_ = 0, tail_ = 0;
};

}  // namespace konig
