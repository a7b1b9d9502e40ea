// The parallel programs of include/konig, as host code uses them: a workspace laid out for any address, a
// state read by name, launches on a team of CPU threads. bsp/program.h says how a header describes its
// program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/knobs.h"
#include "core/run.h"
#include "core/threads.h"
#include "konig/bsp/program.h"
#include "konig/bsp/solo_group.h"

namespace konig {

using Numbers = std::map<std::string, std::variant<int64_t, double>, std::less<>>;
using Addresses = std::map<std::string, uintptr_t, std::less<>>;

// A part of a program's own block, and the byte that it is filled with before the first launch.
struct Fill {
  int64_t offset;
  int64_t bytes;
  int byte;
};

// Calls visit(name, field) for the fields of a list of names (KONIG_NAMED).
template <class Visit, class... Fields>
void for_each_named(std::string_view names, Visit visit, Fields&... fields) {
  const auto next = [&names] {
    const size_t comma = std::min(names.find(','), names.size());
    std::string_view name = names.substr(0, comma);
    names.remove_prefix(std::min(comma + 1, names.size()));
    return name.substr(name.find_last_of(" .") + 1);  // npos + 1 is 0
  };
  (visit(next(), fields), ...);
}

// Gives a workspace its numbers and its addresses: the state comes first in the block, then the program's own
// arrays. Without numbers (null) it only notes what the program declares, without given arrays it only
// computes the size of the block.
class Layout {
 public:
  Layout(std::string_view program, uintptr_t block, int64_t state_bytes, const Numbers* numbers,
         const Addresses* given)
      : program_(program), block_(block), bytes_(aligned(state_bytes)), numbers_(numbers), given_(given) {
    declared_numbers_.reserve(16);
    item_bytes_.reserve(16);
  }

  template <class... T>
  void number(std::string_view names, T&... numbers) {
    for_each_named(
        names,
        [&]<class N>(std::string_view name, N& number) {
          declared_numbers_.push_back(name);
          if (!numbers_) return;
          const auto& value = named(*numbers_, name);
          if constexpr (std::is_floating_point_v<N>) {
            std::visit([&](auto x) { number = N(x); }, value);
          } else {
            if (!std::holds_alternative<int64_t>(value)) fail(name, "is not an integer");
            number = N(std::get<int64_t>(value));
          }
        },
        numbers...);
  }

  template <class... T>
  void given(std::string_view names, T*&... arrays) {
    for_each_named(
        names,
        [&]<class A>(std::string_view name, A*& array) {
          item_bytes_.emplace_back(name, sizeof(A));
          if (given_) array = reinterpret_cast<A*>(named(*given_, name));
        },
        arrays...);
  }

  template <class T>
  void own(T*& array, long long extent, bsp::Filling filling = bsp::Filling::kAnything) {
    const int64_t bytes = int64_t(extent) * int64_t(sizeof(T));
    array = reinterpret_cast<T*>(block_ + uintptr_t(bytes_));
    if (filling != bsp::Filling::kAnything && bytes > 0)
      fills_.push_back({bytes_, bytes, filling == bsp::Filling::kZeros ? 0 : 0xff});
    bytes_ = aligned(bytes_ + bytes);
  }

  template <class S>
  void state(S*& state) {
    state = reinterpret_cast<S*>(block_);
  }

  // Throws if the caller passed a name that the program does not declare.
  void refuse_undeclared() const {
    if (numbers_)
      for (const auto& [name, value] : *numbers_)
        if (std::ranges::find(declared_numbers_, name) == declared_numbers_.end())
          fail(name, "is not one of its numbers");
    if (given_)
      for (const auto& [name, address] : *given_)
        if (std::ranges::find(item_bytes_, name, &ItemBytes::first) == item_bytes_.end())
          fail(name, "is not one of its given arrays");
  }

  int64_t bytes() const { return bytes_; }
  const std::vector<Fill>& fills() const { return fills_; }
  // Of an item of each given array.
  const auto& item_bytes() const { return item_bytes_; }

  static constexpr int64_t kAlignment = 256;
  static constexpr int64_t aligned(int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  template <class Map>
  const typename Map::mapped_type& named(const Map& map, std::string_view name) const {
    const auto found = map.find(name);
    if (found == map.end()) fail(name, "is missing");
    return found->second;
  }
  [[noreturn]] void fail(std::string_view name, const char* what) const {
    throw std::invalid_argument("program " + std::string(program_) + ": " + std::string(name) + " " + what);
  }

  using ItemBytes = std::pair<std::string_view, int64_t>;

  std::string_view program_;
  uintptr_t block_;
  int64_t bytes_;
  const Numbers* numbers_;
  const Addresses* given_;
  // Lists, since there are some ten of each: names are literals.
  std::vector<std::string_view> declared_numbers_;
  std::vector<ItemBytes> item_bytes_;
  std::vector<Fill> fills_;
};

// What was read from a state after each launch: the latest words, and the series of all launches.
class Reading {
 public:
  template <class... Names>
  void status(const long long& value, Names... names) {
    const char* const all[] = {names...};
    status_ = all[value];
    running_ = value == 0;
    status_place_ = &value;
  }
  void progress(long long done, long long total) { progress_ = {done, total}; }
  void word(const char* name, long long value) { words_.emplace_back(name, int64_t(value)); }
  void statistic(const char* name, long long value) { statistics_.emplace_back(name, int64_t(value)); }
  template <size_t size>
  void statistic(const char* name, const long long (&values)[size]) {
    statistics_.emplace_back(name, std::vector<int64_t>(values, values + size));
  }
  // The state holds the `used` rows that the latest launch has made; those of all launches are kept here.
  template <class... Names>
  void series(const long long* rows, const long long& used, Names... names) {
    const std::string_view all[] = {names...};
    constexpr long long kWidth = sizeof...(names);
    for (long long k = 0; k < kWidth * used; ++k) series_[all[k % kWidth]].push_back(rows[k]);
    for (const std::string_view name : all) statistics_.emplace_back(name, std::vector<int64_t>());
    series_place_ = &used;
  }

  // The time of each step, by name; steps of one name are added up.
  template <size_t size, class... Names>
  void seconds(const long long (&nanoseconds)[size], Names... names) {
    static_assert(sizeof...(names) == size, "a name for each step");
    const std::string_view all[] = {names...};
    for (size_t k = 0; k < size; ++k)
      if (nanoseconds[k] != 0) spent_on(all[k]) += double(nanoseconds[k]) * 1e-9;
  }

  // Before each reading.
  void begin() {
    progress_.reset();
    words_.clear();
    statistics_.clear();
    seconds_.clear();
  }

  const std::string& status() const { return status_; }
  bool running() const { return running_; }
  const std::optional<std::pair<int64_t, int64_t>>& progress() const { return progress_; }
  const Run::Counts& words() const { return words_; }
  const std::vector<std::pair<std::string_view, double>>& seconds() const { return seconds_; }
  Run::Counts statistics() const {
    Run::Counts counts = statistics_;
    for (auto& [name, value] : counts)
      if (const auto found = series_.find(name); found != series_.end()) value = found->second;
    return counts;
  }
  // The addresses of these words in the state that was read last; null if it has none.
  const long long* status_place() const { return status_place_; }
  const long long* series_place() const { return series_place_; }

 private:
  double& spent_on(std::string_view step) {
    for (auto& [name, spent] : seconds_)
      if (name == step) return spent;
    return seconds_.emplace_back(step, 0.0).second;
  }

  std::string status_;
  bool running_ = true;
  std::optional<std::pair<int64_t, int64_t>> progress_;
  Run::Counts words_, statistics_;
  std::map<std::string_view, std::vector<int64_t>> series_;
  std::vector<std::pair<std::string_view, double>> seconds_;
  const long long* status_place_ = nullptr;
  const long long* series_place_ = nullptr;
};

// A program for one choice of types and flags. Workspaces and states are passed as bytes.
class Program {
 public:
  std::string name;
  std::string header;              // konig/<header>.h
  std::string type;                // its struct Program, as C++ writes it
  std::vector<std::string> types;  // as NumPy calls them
  std::vector<bool> flags;
  int64_t workspace_bytes = 0;
  std::string fresh_state;
  Run::Counts fresh_words;                    // its words for the caller, by name
  std::map<std::string, int64_t> item_bytes;  // of an item of each given array
  bool for_groups = false;
  int64_t status_at = -1;       // offset of the status in the state
  int64_t resident_blocks = 0;  // a multiprocessor of a GPU holds at least these; 0: not known
  int64_t series_at = -1;       // offset of the number of rows of the series; -1 if it has none

  virtual ~Program() = default;

  // How many bytes the block of its own arrays takes, and how they are filled.
  virtual std::pair<int64_t, std::vector<Fill>> block(const Numbers& numbers) const = 0;
  // The workspace for a block at this address.
  virtual std::string workspace(uintptr_t block, const Numbers& numbers, const Addresses& given) const = 0;
  virtual void read(const void* workspace, const void* state, Reading& reading) const = 0;
  // Launches on the team that the knobs ask for, until `between` says that nothing is left to do; returns how
  // many workers there were.
  virtual int launch(const void* workspace, const Knobs& knobs, Run& run,
                     const std::function<bool()>& between) const = 0;
};

template <class P>
class HostedProgram : public Program {
  using Workspace = typename P::Workspace;
  using State = typename P::State;
  static_assert(std::is_trivially_copyable_v<Workspace> && std::is_trivially_copyable_v<State>);
  static_assert(alignof(Workspace) <= alignof(std::max_align_t));
  static constexpr bool kForGroups = requires { P::kItemBytes; };

 public:
  HostedProgram() {
    const State fresh{};
    fresh_state.assign(reinterpret_cast<const char*>(&fresh), sizeof fresh);
    workspace_bytes = sizeof(Workspace);
    for_groups = kForGroups;
    if constexpr (!kForGroups) resident_blocks = P::kResidentBlocks;
    Workspace workspace{};
    const Layout declared = laid_out(workspace, 0, nullptr, nullptr);
    item_bytes.insert(declared.item_bytes().begin(), declared.item_bytes().end());
    Reading reading;
    workspace.template read<P>(fresh, reading);
    fresh_words = reading.words();
    const auto place = [&](const long long* word) {
      return word ? reinterpret_cast<const char*>(word) - reinterpret_cast<const char*>(&fresh) : -1;
    };
    status_at = place(reading.status_place());
    series_at = place(reading.series_place());
  }

  std::pair<int64_t, std::vector<Fill>> block(const Numbers& numbers) const override {
    Workspace workspace{};
    const Layout layout = laid_out(workspace, 0, &numbers, nullptr);
    return {layout.bytes(), layout.fills()};
  }

  std::string workspace(uintptr_t block, const Numbers& numbers, const Addresses& given) const override {
    Workspace workspace{};
    laid_out(workspace, block, &numbers, &given);
    return std::string(reinterpret_cast<const char*>(&workspace), sizeof workspace);
  }

  void read(const void* workspace, const void* state, Reading& reading) const override {
    reading.begin();
    static_cast<const Workspace*>(workspace)->template read<P>(*static_cast<const State*>(state), reading);
  }

  int launch(const void* workspace, const Knobs& knobs, Run& run,
             const std::function<bool()>& between) const override {
    const Workspace& w = *static_cast<const Workspace*>(workspace);
    const auto launch = [&w]<class Team>(Team& team) {
      if constexpr (kForGroups) {
        bsp::SoloGroup<Team, P::kItemBytes> group(team);
        P::run(group, w);
      } else {
        P::run(team, w);
      }
    };
    return run_on_team(knobs, int(knobs.integer("threads")), run, launch, between);
  }

 private:
  Layout laid_out(Workspace& workspace, uintptr_t block, const Numbers* numbers,
                  const Addresses* given) const {
    Layout layout(name, block, sizeof(State), numbers, given);
    workspace.template describe<P>(layout);
    layout.refuse_undeclared();
    return layout;
  }
};

// A solve on a CPU team: one block, laid out and filled.
class TeamSolve {
 public:
  TeamSolve(const Program& program, const Numbers& numbers);
  TeamSolve(const TeamSolve&) = delete;
  TeamSolve& operator=(const TeamSolve&) = delete;

  // Launches until the program has another status than running; from one that waits for something it goes on.
  // Knobs: threads, team, seed. Returns how many workers there were; what the state said is in reading().
  int run(const Numbers& numbers, const Addresses& given, const Knobs& knobs, Run& run);
  const Reading& reading() const { return reading_; }

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  const Program& program_;
  std::unique_ptr<char, Free> memory_;
  char* block_;  // aligned
  Reading reading_;
};

// ---- all programs, which the files called programs.cpp list: each for some types, and every choice of flags
using Programs = std::vector<std::unique_ptr<Program>>;

void add_matching_programs(Programs& programs);
void add_matching_papers(Programs& programs);
void add_assignment_programs(Programs& programs);
void add_flow_programs(Programs& programs);
void add_flow_papers(Programs& programs);

// What a program is called, what C++ calls its struct Program, and the header konig/<header>.h it is in.
struct Names {
  const char* program;
  const char* type;
  const char* header = program;
};

template <class T>
constexpr std::pair<const char*, const char*>
type_names() {  // as C++ and as NumPy call it; a class of ours has both names
  if constexpr (std::is_same_v<T, int>) return {"int", "int32"};
  if constexpr (std::is_same_v<T, long long>) return {"long long", "int64"};
  if constexpr (std::is_same_v<T, float>) return {"float", "float32"};
  if constexpr (std::is_same_v<T, double>) return {"double", "float64"};
  if constexpr (std::is_class_v<T>) return {T::kType, T::kName};
}

template <class P, class... Types>
void add_program(Programs& programs, const Names& names, std::vector<bool> flags = {}) {
  auto hosted = std::make_unique<HostedProgram<P>>();
  hosted->name = names.program;
  hosted->header = names.header;
  hosted->types = {type_names<Types>().second...};
  std::string arguments;
  const auto argument = [&](const char* text) {
    arguments += (arguments.empty() ? "" : ", ") + std::string(text);
  };
  (argument(type_names<Types>().first), ...);
  for (const bool flag : flags) argument(flag ? "true" : "false");
  hosted->type = std::string(names.type) + "<" + arguments + ">";
  hosted->flags = std::move(flags);
  programs.push_back(std::move(hosted));
}

template <template <class> class P, class... Types>
void add_for_each_of(Programs& programs, const Names& names) {
  (add_program<P<Types>, Types>(programs, names), ...);
}

template <template <class, class, bool...> class P, class First, class Second, int kFlags, bool... flags>
void add_for_pair(Programs& programs, const Names& names) {
  if constexpr (int(sizeof...(flags)) == kFlags) {
    add_program<P<First, Second, flags...>, First, Second>(programs, names, {flags...});
  } else {
    add_for_pair<P, First, Second, kFlags, flags..., false>(programs, names);
    add_for_pair<P, First, Second, kFlags, flags..., true>(programs, names);
  }
}

// Ids, and offsets or capacities, which are as wide or wider: the caller widens them where they are not.
template <template <class, class, bool...> class P, int kFlags>
void add_for_widths(Programs& programs, const Names& names) {
  add_for_pair<P, int, int, kFlags>(programs, names);
  add_for_pair<P, int, long long, kFlags>(programs, names);
  add_for_pair<P, long long, long long, kFlags>(programs, names);
}

}  // namespace konig
