// A solve of a parallel program on CPU threads.
#include "core/program.h"

#include <new>

namespace konig {

// Fresh memory from the system is zero, and its pages are made by the worker that first writes to them.
TeamSolve::TeamSolve(const Program& program, const Numbers& numbers) : program_(program) {
  const auto [bytes, fills] = program.block(numbers);
  memory_.reset(static_cast<char*>(std::calloc(size_t(bytes + Layout::kAlignment), 1)));
  if (!memory_) throw std::bad_alloc();
  block_ = reinterpret_cast<char*>(Layout::aligned(reinterpret_cast<intptr_t>(memory_.get())));
  std::memcpy(block_, program.fresh_state.data(), program.fresh_state.size());
  for (const Fill& fill : fills)
    if (fill.byte != 0) std::memset(block_ + fill.offset, fill.byte, size_t(fill.bytes));
}

int TeamSolve::run(const Numbers& numbers, const Addresses& given, const Knobs& knobs, Run& run) {
  const std::string workspace = program_.workspace(reinterpret_cast<uintptr_t>(block_), numbers, given);
  const auto clear = [this](int64_t place) { std::memset(block_ + place, 0, sizeof(long long)); };
  clear(program_.status_at);
  return program_.launch(workspace.data(), knobs, run, [&] {
    program_.read(workspace.data(), block_, reading_);
    if (program_.series_at >= 0) clear(program_.series_at);
    if (const auto& progress = reading_.progress()) run.report(progress->first, progress->second);
    return reading_.running();
  });
}

}  // namespace konig
