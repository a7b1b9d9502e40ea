// Vertices by label, for push-relabel: those that are active, in the order in which they are served, and all,
// for the gap heuristic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/large_array.h"
#include "core/prefetch.h"

namespace konig {

// The vertices of each label, for the gap heuristic. A search leaves them sorted by label in its queue. A
// vertex that is relabelled after it is noted down under its new label, and stays where it was under the old
// one: labels tell which entries still hold.
template <class Index>
class VerticesByLabel {
 public:
  explicit VerticesByLabel(Index vertices)
      : many_(size_t(vertices) + 2, 0),
        latest_(size_t(vertices) + 2, kNone),
        begin_(size_t(vertices) + 2),
        max_notes_(std::min(4 * size_t(vertices) + 1024, size_t(std::numeric_limits<Index>::max()) - 1)) {}

  // A new search begins; later it goes on to the next label at a place of its queue, and ends.
  void clear() {
    for (; highest_ > 0; --highest_) {
      many_[highest_] = 0;
      latest_[highest_] = kNone;
    }
    notes_.clear();
    searched_ = 0;
  }
  void next_label(Index place) {
    end_label(place);
    begin_[++searched_] = place;
    highest_ = searched_;
  }
  void end_search(Index place) {
    end_label(place);
    searched_end_ = place;
  }

  // Says whether the last one has left the label.
  bool leave(Index label) { return --many_[label] == 0; }
  void enter(Index v, Index label) {
    if (label > highest_) highest_ = label;
    ++many_[label];
    notes_.push_back({v, latest_[label]});
    latest_[label] = Index(notes_.size()) - 1;
  }
  bool overfull() const { return notes_.size() > max_notes_; }
  // Begins anew with one note for each vertex that has a label.
  void note_again(const LargeArray<Index>& label, Index unreachable) {
    clear();
    for (Index v = 0; v < Index(label.size()); ++v)
      if (label[v] != unreachable) enter(v, label[v]);
  }

  // Takes out all above a label; `queue` is that of the search.
  template <class Visit>
  void drop_above(Index label, const LargeArray<Index>& label_of, const Index* queue, Visit visit) {
    for (; highest_ > label; --highest_) {
      if (many_[highest_] > 0) {
        if (highest_ <= searched_) {
          const Index end = highest_ < searched_ ? begin_[highest_ + 1] : searched_end_;
          for (Index k = begin_[highest_]; k < end; ++k)
            if (label_of[queue[k]] == highest_) visit(queue[k]);
        }
        for (Index k = latest_[highest_]; k != kNone; k = notes_[k].previous)
          if (label_of[notes_[k].vertex] == highest_) visit(notes_[k].vertex);
      }
      many_[highest_] = 0;
      latest_[highest_] = kNone;
    }
    if (searched_ > label) {
      searched_end_ = begin_[label + 1];
      searched_ = label;
    }
  }

 private:
  static constexpr Index kNone = -1;
  void end_label(Index place) {
    if (searched_ > 0) many_[searched_] = place - begin_[searched_];
  }

  struct Note {
    Index vertex;
    Index previous;  // of the same label
  };
  LargeArray<Index> many_;    // vertices of each label
  LargeArray<Index> latest_;  // note of each label
  LargeArray<Index> begin_;   // of each label in the queue of the search
  std::vector<Note> notes_;
  const size_t max_notes_;
  Index highest_ = 0;
  Index searched_ = 0;  // the queue holds labels up to this one, up to place searched_end_
  Index searched_end_ = 0;
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

// Active vertices in the order in which they became so. A vertex is in the queue at most once.
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
