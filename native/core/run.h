// What a solver shares with its caller while it runs: interruption, progress, and the counts of its work.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace konig {

using Statistic = std::variant<int64_t, double, std::vector<int64_t>>;

class Run {
 public:
  // The hook is called at most every 40 ms from the solving thread. It may throw: solvers keep their state
  // in owning containers, so any exception unwinds cleanly and leaves the process usable.
  explicit Run(std::function<void(const Run&)> hook = {}) : hook_(std::move(hook)) {}

  // Accounts for `work` units (an arc scan or a vertex visit). Call it at least once per vertex visited.
  void spend(int64_t work) {
    budget_ -= work;
    if (budget_ <= 0) [[unlikely]]
      poll();
  }

  // Progress, such as matched vertices and an upper bound on their number.
  void report(int64_t done, int64_t total) {
    done_ = done;
    total_ = total;
  }
  int64_t done() const { return done_; }
  int64_t total() const { return total_; }

  // The name of what is counted: a literal, of which no copy is made.
  struct Name {
    template <size_t size>
    consteval Name(const char (&literal)[size]) : text(literal, size - 1) {}
    explicit Name(std::string_view literal) : text(literal) {}
    std::string_view text;
  };
  using Counts = std::vector<std::pair<std::string_view, Statistic>>;
  void count(Name name, Statistic value) {
    if (stats_.empty()) stats_.reserve(8);  // enough for most solvers
    stats_.emplace_back(name.text, std::move(value));
  }
  const Counts& stats() const { return stats_; }

 private:
  static constexpr int64_t kBudget = 1 << 15;

  void poll() {
    budget_ = kBudget;
    if (!hook_) return;
    const auto now = std::chrono::steady_clock::now();
    if (last_ == std::chrono::steady_clock::time_point()) last_ = now;
    if (now - last_ < std::chrono::milliseconds(40)) return;
    last_ = now;
    hook_(*this);
  }

  std::function<void(const Run&)> hook_;
  std::chrono::steady_clock::time_point last_;  // of the hook, or of the first poll
  int64_t budget_ = kBudget;
  int64_t done_ = 0;
  int64_t total_ = 0;
  Counts stats_;
};

}  // namespace konig
