// No branches in loops over integers, and one kind of number in each: they are vectorised. Of reals: the
// finest digit of each capacity, bounds on the value, and exact sums over a cut.
#include "flow/given.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/large_array.h"

namespace konig {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kDoubleDigits = 53;

// A bound on the value: what links of a terminal let through is no more than what their vertices pass on.
// Each sum has an array of its own: where arcs come in any order one of them may still fit the cache.
template <class IsSource, class IsSink>
double bound_on_value(const double* capacity, const Arcs<int32_t>& arcs, double all_finite,
                      IsSource is_source, IsSink is_sink) {
  const auto n = size_t(arcs.vertices);
  LargeArray<double> supplies(n), demands(n);  // set where a vertex is linked
  LargeArray<double> leavings(n, 0), enterings(arcs.undirected ? 0 : n, 0);
  LargeArray<uint8_t> marks(n, 0);
  double *const supply = supplies.data(), *const demand = demands.data(), *const leaving = leavings.data(),
                *const entering = arcs.undirected ? leaving : enterings.data();
  uint8_t* const linked = marks.data();
  int64_t many = 0;
  const auto link = [=, &many](int32_t v) {
    if (linked[v]) return;
    ++many;
    linked[v] = 1;
    supply[v] = demand[v] = 0;
  };
  const auto add_links = [=](int32_t a, int32_t u, int32_t v) {
    if (!is_source(u) & !is_sink(v)) return;
    link(u);
    link(v);
    if (is_source(u)) supply[v] += capacity[a];
    if (is_sink(v)) demand[u] += capacity[a];
  };
  Run run;
  arcs.for_each(run, add_links);
  if (arcs.undirected) arcs.for_each(run, [=](int32_t a, int32_t u, int32_t v) { add_links(a, v, u); });
  // Where there are no directions what leaves a vertex is what enters it, but for its links: those of the
  // other terminal are added in the end.
  const bool undirected = arcs.undirected;
  const auto is_terminal = [=](int32_t v) { return is_source(v) | is_sink(v); };
  const auto pass = [=](int32_t a, int32_t u, int32_t v) {
    if (undirected && (is_terminal(u) | is_terminal(v))) return;
    leaving[u] += capacity[a];
    entering[v] += capacity[a];
  };
  // Mostly few vertices are linked, and a byte in the cache tells which. Where many are it cannot be
  // predicted.
  constexpr int64_t kManyOf = 4;
  if (many * kManyOf > arcs.vertices) {
    const auto ahead = arcs.ends_ahead(arcs.misses_cache());
    arcs.for_each(run, [=](int32_t a, int32_t u, int32_t v) {
      ahead.prefetch(
          a, [=](int32_t end) { return leaving + end; }, [=](int32_t end) { return entering + end; });
      pass(a, u, v);
    });
  } else {
    arcs.for_each(run, [=](int32_t a, int32_t u, int32_t v) {
      if (linked[u] | linked[v]) pass(a, u, v);
    });
  }
  double supplied = 0, demanded = 0;
  for (int32_t v = 0; v < arcs.vertices; ++v) {
    if (!linked[v]) continue;
    const double leaves = leaving[v] + (undirected ? demand[v] : 0);
    const double enters = entering[v] + (undirected ? supply[v] : 0);
    if (!is_source(v)) supplied += std::min(supply[v], is_sink(v) ? kInfinite : leaves);
    if (!is_sink(v)) demanded += std::min(demand[v], is_source(v) ? kInfinite : enters);
  }
  constexpr double kRounding = 1 + 0x1p-20;  // more than sums of so many numbers can be off
  return std::min({supplied, demanded, all_finite}) * kRounding;
}

// Two terminals are told by their numbers, which stay in registers.
double bound_on_value(const double* capacity, const Arcs<int32_t>& arcs, double all_finite) {
  const Role *const role = arcs.role, *const end = role + arcs.vertices;
  if (std::count(role, end, Role::kSource) == 1 && std::count(role, end, Role::kSink) == 1) {
    const auto source = int32_t(std::find(role, end, Role::kSource) - role);
    const auto sink = int32_t(std::find(role, end, Role::kSink) - role);
    return bound_on_value(
        capacity, arcs, all_finite, [=](int32_t v) { return v == source; },
        [=](int32_t v) { return v == sink; });
  }
  return bound_on_value(
      capacity, arcs, all_finite, [=](int32_t v) { return role[v] == Role::kSource; },
      [=](int32_t v) { return role[v] == Role::kSink; });
}

// The digits of all capacities, and their sum without infinite ones.
struct Digits {
  int finest = std::numeric_limits<int>::max();
  double all_finite = 0;
};

// Rounds down to units; the largest int64 for what is beyond every flow.
void round_down(const double* capacity, int64_t count, int exponent, int64_t* units) {
  const double per_unit = std::ldexp(1.0, -exponent);
  for (int64_t k = 0; k < count; ++k) {
    const double scaled = capacity[k] * per_unit;
    units[k] = scaled < 0x1p63 ? int64_t(scaled) : std::numeric_limits<int64_t>::max();
  }
}

// Whole numbers below 2^40: their binary digits together, and their sum.
struct Wholes {
  uint64_t digits = 0, sum = 0;
};

// As they are counted in units of 1, where all are such numbers. Without a conversion between types, which
// would not be vectorised: added to 2^52 a whole number is what the last bits say.
bool whole_numbers(const double* capacity, int64_t count, int64_t* units, Wholes& found) {
  constexpr double kShift = 0x1p52;
  constexpr auto kShiftBits = std::bit_cast<uint64_t>(kShift);
  uint64_t digits = 0, sum = 0, fractions = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double shifted = capacity[k] + kShift;
    const uint64_t number = std::bit_cast<uint64_t>(shifted) - kShiftBits;
    fractions |= std::bit_cast<uint64_t>((shifted - kShift) - capacity[k]);  // 0 where there is none
    digits |= number;
    sum += number;
    units[k] = int64_t(number);
  }
  if (fractions != 0 || digits >> 40 != 0) return false;  // or negative, or infinite
  found.digits |= digits;
  found.sum += sum;
  return true;
}

// If all are whole numbers below 2^40, or infinite, and their sum fits: most are, and this takes a fifth of
// the time. `units` gets them in units of 1.
std::optional<Digits> digits_of_whole(const double* capacity, int64_t count, int64_t* units) {
  constexpr int64_t kMostArcs = int64_t(1) << 22, kBlock = 1024;
  if (count > kMostArcs) return {};
  Wholes found;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, count);
    if (whole_numbers(capacity + begin, end - begin, units + begin, found)) continue;
    for (int64_t k = begin; k < end; ++k)
      if (capacity[k] == kInfinite)
        units[k] = std::numeric_limits<int64_t>::max();
      else if (!whole_numbers(capacity + k, 1, units + k, found))
        return {};
  }
  Digits digits{std::numeric_limits<int>::max(), double(found.sum)};
  if (found.digits) digits.finest = std::countr_zero(found.digits);
  return digits;
}

// The exponent of the last binary digit of a positive number.
int last_digit(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const int field = int(bits >> 52);
  const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | (uint64_t(field > 0) << 52);
  return std::max(field, 1) - 1075 + std::countr_zero(mantissa);
}

// Nothing if one is negative or NaN, or too large. Most numbers are so large that none of their 53 digits is
// finer than the finest so far; only the others are taken apart.
std::optional<Digits> digits_of(const double* capacity, int64_t count) {
  constexpr double kLargest = 0x1p900;
  constexpr int64_t kLanes = 4;
  Digits found;
  double least = kInfinite;  // numbers from here on have no finer digit
  const auto take_apart = [&](double x) {
    if (x > 0 && x < least) {
      found.finest = std::min(found.finest, last_digit(x));
      least = std::ldexp(1.0, found.finest + kDoubleDigits - 1);
    }
    return x >= 0 && (x <= kLargest || x == kInfinite);
  };
  double sum[kLanes] = {0, 0, 0, 0};
  int64_t k = 0;
  for (; k <= count - kLanes; k += kLanes) {
    bool usual = true;
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const double x = capacity[k + lane];
      usual &= (x >= least) & (x <= kLargest);
      sum[lane] += x <= kLargest ? x : 0.0;
    }
    if (!usual && !std::all_of(capacity + k, capacity + k + kLanes, take_apart)) return {};
  }
  for (; k < count; ++k) {
    if (!take_apart(capacity[k])) return {};
    sum[0] += capacity[k] <= kLargest ? capacity[k] : 0.0;
  }
  found.all_finite = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  if (found.all_finite > kLargest) return {};
  return found;
}

// The unit for capacities with these digits.
RealUnit unit_for(const double* capacity, const Digits& digits, int finest, const Arcs<int32_t>& arcs) {
  constexpr double kMost = 0x1p52;  // with room for what sums are off by
  if (std::ldexp(digits.all_finite, -finest) <= kMost) return {finest, finest};
  const double bound = bound_on_value(capacity, arcs, digits.all_finite);
  if (bound == 0) return {finest, finest};
  int power = 0;
  std::frexp(bound, &power);
  return {finest, std::max(finest, power - kDoubleDigits)};
}

}  // namespace

std::optional<RealUnit> count_in_units(const double* capacity, int64_t count, std::optional<int> exponent,
                                       const Arcs<int32_t>& arcs, int64_t* units) {
  constexpr int kSmallest = -900;
  auto digits = digits_of_whole(capacity, count, units);
  const bool whole = digits.has_value();
  if (!whole) digits = digits_of(capacity, count);
  if (!digits) return {};
  const int finest = digits->finest == std::numeric_limits<int>::max() ? 0 : digits->finest;
  if (finest < kSmallest) return {};
  const RealUnit unit = exponent ? RealUnit{finest, *exponent} : unit_for(capacity, *digits, finest, arcs);
  if (!whole || unit.exponent != 0) round_down(capacity, count, unit.exponent, units);
  return unit;
}

std::optional<CutCapacity> capacity_across(const double* capacity, const Arcs<int32_t>& arcs,
                                           const uint8_t* source_side, const RealUnit& unit, Run& run) {
  constexpr int kMostDigits = 96;  // so that sums of 2^31 arcs fit
  const int digits = unit.exponent - unit.finest;
  if (digits > kMostDigits) return {};
  const double per_unit = std::ldexp(1.0, -unit.exponent);
  CutCapacity across;
  double largest = 0;
  const bool undirected = arcs.undirected;
  arcs.for_each(run, [&](int32_t a, int32_t u, int32_t v) {
    // One branch, which is mostly the same way; whether an end is on a side often cannot be predicted.
    if (!(source_side[u] & ~source_side[v] & 1) && !(undirected & source_side[v] & ~source_side[u] & 1))
      return;
    const double scaled = capacity[a] * per_unit;
    largest = std::max(largest, scaled);
    if (scaled > double(kLargestFlow)) return;
    const double whole = std::floor(scaled);
    across.units += int64_t(whole);
    // Exact: what is left of 53 digits, and a whole number.
    across.lost += static_cast<unsigned __int128>(std::ldexp(scaled - whole, digits));
  });
  if (largest > double(kLargestFlow)) return {};
  return across;
}

// ---- integers

template <class Given>
int64_t copy_ids(const Given* given, int64_t count, int32_t* copy) {
  std::make_unsigned_t<Given> all = 0;  // their digits
  int32_t largest = -1;
  for (int64_t k = 0; k < count; ++k) {
    all |= std::make_unsigned_t<Given>(given[k]);
    copy[k] = int32_t(given[k]);
    largest = std::max(largest, int32_t(given[k]));
  }
  return all >> 31 ? -1 : int64_t(largest) + 1;
}

template <class Given>
bool copy_capacities(const Given* given, int64_t count, int64_t* copy) {
  Given all = 0;
  for (int64_t k = 0; k < count; ++k) {
    all |= given[k];
    copy[k] = given[k];
  }
  return all >= 0;
}

template int64_t copy_ids(const int32_t*, int64_t, int32_t*);
template int64_t copy_ids(const int64_t*, int64_t, int32_t*);
template bool copy_capacities(const int32_t*, int64_t, int64_t*);
template bool copy_capacities(const int64_t*, int64_t, int64_t*);
template bool sorted_lists(const int32_t*, const int32_t*, int32_t);
template bool sorted_lists(const int64_t*, const int64_t*, int64_t);

}  // namespace konig
