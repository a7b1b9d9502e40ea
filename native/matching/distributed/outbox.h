// What a rank has to tell the others between two exchanges: records of a few kinds, each a few words wide.
//
// A message for one rank is
//   what the sender has for all ranks and still to do | pairs that it has matched | records of each kind |
//   words of kind 0, of kind 1, ...
// and goes to every rank, so that all of them know when nothing is said any more. Records are read kind by
// kind, ranks in order: what a rank does depends on nothing but what was sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace konig::distributed {

template <class Id>
struct Message {
  const Id* words;
  int64_t count;
};
template <class Id>
using Messages = std::vector<Message<Id>>;

// The messages for all ranks: that for rank r begins at start[r].
template <class Id>
struct Sent {
  std::vector<Id> words;
  std::vector<int64_t> start;
};

constexpr size_t kMatchedAt = 1, kCountsAt = 2;  // in a message

template <class Id, size_t kinds>
class Outbox {
 public:
  using Widths = std::array<size_t, kinds>;

  Outbox(size_t ranks, Widths widths) : ranks_(ranks), widths_(widths), words_(ranks * kinds) {}

  template <class... Words>
  void put(size_t kind, size_t rank, Words... words) {
    auto& to = words_[rank * kinds + kind];
    (to.push_back(words), ...);
    ++records_;
  }

  // A record for every rank.
  template <class... Words>
  void put_to_all(size_t kind, Words... words) {
    (words_for_all_[kind].push_back(words), ...);
    ++records_;
  }

  int64_t records() const { return records_; }

  // The messages, which say that so many pairs are matched here and so many vertices wait to be scanned.
  Sent<Id> take(int64_t matched, int64_t waiting = 0) {
    Sent<Id> sent;
    sent.start.push_back(0);
    const Id all = Id(std::min<int64_t>(records_ + waiting, std::numeric_limits<Id>::max()));
    for (size_t rank = 0; rank < ranks_; ++rank) {
      sent.words.push_back(all);
      sent.words.push_back(Id(matched));
      for (size_t kind = 0; kind < kinds; ++kind)
        sent.words.push_back(
            Id((words_[rank * kinds + kind].size() + words_for_all_[kind].size()) / widths_[kind]));
      for (size_t kind = 0; kind < kinds; ++kind) {
        auto& words = words_[rank * kinds + kind];
        sent.words.insert(sent.words.end(), words.begin(), words.end());
        sent.words.insert(sent.words.end(), words_for_all_[kind].begin(), words_for_all_[kind].end());
        words.clear();
      }
      sent.start.push_back(int64_t(sent.words.size()));
    }
    for (auto& words : words_for_all_) words.clear();
    records_ = 0;
    return sent;
  }

  // visit(record) for what all ranks have sent of a kind. Before that ahead(record, steps) with the records
  // of the next steps: for each of kStepsAhead, the one that is so many steps ahead. In the first round no
  // rank has sent a message.
  template <class Visit, class Ahead>
  void read(const Messages<Id>& received, size_t kind, Visit visit, Ahead ahead) const {
    const size_t width = widths_[kind];
    for (const auto& message : received) {
      if (message.count == 0) continue;
      const Id* record = message.words + kCountsAt + kinds;
      for (size_t before = 0; before < kind; ++before)
        record += size_t(message.words[kCountsAt + before]) * widths_[before];
      for (const Id* const end = record + size_t(message.words[kCountsAt + kind]) * width; record != end;
           record += width) {
        for (const size_t steps : kStepsAhead)
          if (size_t(end - record) > steps * width) ahead(record + steps * width, steps);
        visit(record);
      }
    }
  }
  template <class Visit>
  void read(const Messages<Id>& received, size_t kind, Visit visit) const {
    read(received, kind, visit, [](const Id*, size_t) {});
  }

  static constexpr std::array<size_t, 3> kStepsAhead = {12, 8, 4};

 private:
  const size_t ranks_;
  const Widths widths_;
  std::vector<std::vector<Id>> words_;                // of each rank and kind
  std::array<std::vector<Id>, kinds> words_for_all_;  // of each kind
  int64_t records_ = 0;
};

}  // namespace konig::distributed
