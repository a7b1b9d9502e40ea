#include "io/number_table.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

namespace konig {
namespace {

// A function that reads returns what follows the number, or nullptr if there is no number of its kind. A
// newline stands before `end`, so that a scan for digits or letters ends there.

inline bool is_digit(char c) { return '0' <= c && c <= '9'; }

// The value of eight digits that are bytes 0 to 9, the first of them the lowest byte: neighbours are joined
// to numbers of two digits, then of four, then of eight.
inline uint64_t join_digits(uint64_t digits) {
  digits = (digits * (1 + (uint64_t(10) << 8))) >> 8 & 0x00ff00ff00ff00ff;
  digits = (digits * (1 + (uint64_t(100) << 16))) >> 16 & 0x0000ffff0000ffff;
  return (digits * (1 + (uint64_t(10000) << 32))) >> 32;
}

inline const char* read_digits(const char* p, const char* end, uint64_t& value) {
  value = 0;
  const char* const first = p;
  if (std::endian::native == std::endian::little && end - p >= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    word ^= 0x3030303030303030;  // a digit becomes its value, all else 10 or more
    const uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const int digits = std::countr_zero(others) / 8;
    if (digits == 0) return nullptr;
    value = join_digits(word << (64 - 8 * digits));  // with zeros in front
    p += digits;
    if (digits < 8) return p;
  }
  for (; is_digit(*p); ++p)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value))
      return nullptr;
  return p == first ? nullptr : p;
}

inline const char* read_unsigned(const char* p, const char* end, uint64_t& value) {
  return read_digits(p + (*p == '+'), end, value);
}

inline const char* read_integer(const char* p, const char* end, uint64_t& value) {
  const bool negative = *p == '-';
  p = read_digits(p + (negative || *p == '+'), end, value);
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (!p || value > kMost + negative) return nullptr;
  if (negative) value = -value;
  return p;
}

// What follows `word`, written in any case.
const char* past_word(const char* p, std::string_view word) {
  for (const char letter : word)
    if ((*p++ | 0x20) != letter) return nullptr;
  return p;
}

const char* read_word(const char* p, double& value) {
  if (const char* const after = past_word(p, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return after;
  }
  value = std::numeric_limits<double>::infinity();
  const char* const after = past_word(p, "inf");
  const char* const longer = after ? past_word(after, "inity") : nullptr;
  return longer ? longer : after;
}

const char* read_real(const char* p, const char* end, double& value) {
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  if (is_digit(*p) || *p == '.') {
    const auto [after, problem] = std::from_chars(p, end, value);
    if (problem == std::errc::invalid_argument) return nullptr;
    if (problem == std::errc::result_out_of_range) {  // too large, or too small and as good as 0
      static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
      value = strtod_l(p, nullptr, plain);
      if (std::isinf(value)) return nullptr;
    }
    p = after;
  } else {
    p = read_word(p, value);
  }
  if (negative) value = -value;
  return p;
}

}  // namespace

void KeptColumn::make_room(int64_t rows, uint64_t word) {
  const bool narrow = width_ == 4;
  if (word >> 31) width_ = 8;
  if (rows == room_) room_ = std::max({2 * rows, expected_, int64_t(512)});
  LargeArray<char> larger(size_t(room_ * width_));
  if (narrow && width_ == 8)
    std::copy_n(reinterpret_cast<const int32_t*>(memory_.data()), rows,
                reinterpret_cast<int64_t*>(larger.data()));
  else if (rows > 0)
    std::memcpy(larger.data(), memory_.data(), size_t(rows * width_));
  memory_ = std::move(larger);
}

void KeptColumn::become_real(int64_t rows) {
  real_ = true;
  for (int64_t k = 0; k < rows; ++k) {
    char* const number = memory_.data() + 8 * k;
    int64_t whole;
    std::memcpy(&whole, number, 8);
    const auto real = double(whole);
    std::memcpy(number, &real, 8);
  }
}

NumberTable::NumberTable(NumberLayout layout) : layout_(std::move(layout)) {
  for (const NumberColumn& column : layout_.columns) columns_.emplace_back(column, layout_.expected_rows);
  for (const char blank : {' ', '\t', '\r'})
    if (layout_.free || blank != '\r')
      kind_of_[size_t(blank)] = layout_.free ? Character::kNewline : Character::kBlank;
  kind_of_[size_t('\n')] = Character::kNewline;
}

bool NumberTable::add(std::string_view text) {
  const auto ends_line = [this](char c) { return is(Character::kNewline, c); };
  if (!begun_.empty()) {
    const auto newline = std::find_if(text.begin(), text.end(), ends_line);
    const bool ended = newline != text.end();
    const size_t length = size_t(newline - text.begin()) + ended;
    begun_ += text.substr(0, length);
    text.remove_prefix(length);
    if (ended && !read_lines(std::exchange(begun_, {}))) return false;
  }
  const auto last = std::find_if(text.rbegin(), text.rend(), ends_line);
  const auto whole = size_t(text.rend() - last);
  if (!read_lines(text.substr(0, whole))) return false;
  begun_ += text.substr(whole);
  return int64_t(begun_.size()) < layout_.longest_line || refuse(begun_);
}

bool NumberTable::finish() { return begun_.empty() || add("\n"); }

bool NumberTable::refuse(std::string_view line) {
  refused_ = line;
  return false;
}

// Lines that have their ends: what scans them needs no other bound.
bool NumberTable::read_lines(std::string_view lines) {
  const char* const end = lines.data() + lines.size();
  for (const char* line = lines.data(); line != end;) {
    const char* const next = read_line(line, end);
    if (!next || next - line >= layout_.longest_line) {
      const auto newline = std::find_if(line, end, [this](char c) { return is(Character::kNewline, c); });
      return refuse({line, size_t(newline - line) + 1});
    }
    ++lines_;
    line = next;
  }
  return true;
}

inline const char* NumberTable::past_blanks(const char* p) const {
  while (is(Character::kBlank, *p)) ++p;
  return p;
}

inline const char* NumberTable::past_newline(const char* p) const {
  if (is(Character::kNewline, *p)) return p + 1;
  return *p == '\r' && p[1] == '\n' ? p + 2 : nullptr;
}

// Returns the next line.
inline const char* NumberTable::read_line(const char* p, const char* end) {
  p = past_blanks(p);
  if (const char* const next = past_newline(p)) return next;
  if (layout_.comment && *p == layout_.comment)
    return static_cast<const char*>(std::memchr(p, '\n', size_t(end - p))) + 1;
  if (rows_ == layout_.most_rows) return nullptr;
  p = read_row(p, end);
  rows_ += p != nullptr;
  return p;
}

inline const char* NumberTable::read_row(const char* p, const char* end) {
  bool between = true;  // whether a number may begin here
  if (layout_.prefix) {
    if (*p++ != layout_.prefix) return nullptr;
    between = is(Character::kBlank, *p);
    p = past_blanks(p);
  }
  for (KeptColumn& column : columns_) {
    if (!between) return nullptr;
    p = read_number(column, p, end);
    if (!p) return nullptr;
    between = is(Character::kBlank, *p);
    p = past_blanks(p);
  }
  return past_newline(p);
}

inline const char* NumberTable::read_number(KeptColumn& column, const char* p, const char* end) {
  const auto& [kind, lowest, highest] = column.column();
  uint64_t word;
  if (kind == NumberKind::kIndex || kind == NumberKind::kUnsigned) {
    p = read_unsigned(p, end, word);
    if (!p || word < lowest || word > highest) return nullptr;
    if (kind == NumberKind::kIndex) word -= lowest;
    column.keep(rows_, word);
    return p;
  }
  if (kind == NumberKind::kInteger || (kind == NumberKind::kNumber && !column.real())) {
    const char* const after = read_integer(p, end, word);
    if (after && (is(Character::kBlank, *after) || past_newline(after))) {
      column.keep(rows_, word);
      return after;
    }
    if (kind == NumberKind::kInteger) return nullptr;
    column.become_real(rows_);
  }
  double number;
  p = read_real(p, end, number);
  if (p && kind != NumberKind::kSkipped) column.keep(rows_, std::bit_cast<uint64_t>(number));
  return p;
}

}  // namespace konig
