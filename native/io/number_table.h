// Lines of numbers, the shared ground of all text formats: a strict parser that takes the text in pieces.
//
// A line is a row of the table, blank, or a comment. A row has the table's prefix, if there is one, and then
// exactly its columns, with blanks (spaces and tabs) between them and perhaps around them. A line ends in a
// newline, with or without a carriage return before it; the last one may have no end. Numbers:
//
//   index, unsigned    digits, within bounds
//   integer            digits with or without a sign, within 64 bits
//   real               3  3.  .5  -1.5e-3  nan  inf  infinity, in any case; rounded to the nearest double.
//                      What rounds to infinity is refused.
//   number             a real; kept as integers while all of them are integers of 64 bits
//
// All of them may begin with a plus sign.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/large_array.h"

namespace konig {

enum class NumberKind : uint8_t { kIndex, kUnsigned, kInteger, kReal, kNumber, kSkipped };

struct NumberColumn {
  NumberKind kind;           // kSkipped: a real that is not kept
  uint64_t lowest, highest;  // of kIndex and kUnsigned
};

struct NumberLayout {
  std::vector<NumberColumn> columns;
  char comment;           // starts a comment line; '\0' for none
  char prefix;            // stands before each row; '\0' for none
  bool free;              // whether any blank ends a line
  int64_t most_rows;      // a row more is refused
  int64_t expected_rows;  // there is memory for them from the start; of no consequence otherwise
  int64_t longest_line;   // of so many bytes, with its end, a line is refused
};

// The numbers of a column in the order of the rows: indices of 32 bits while these hold them, else words
// of 64.
class KeptColumn {
 public:
  KeptColumn(const NumberColumn& column, int64_t expected_rows)
      : column_(column), width_(column.kind == NumberKind::kIndex ? 4 : 8), expected_(expected_rows) {}

  const NumberColumn& column() const { return column_; }
  void keep(int64_t row, uint64_t word) {
    if (row == room_ || (word >> 31 && width_ == 4)) make_room(row, word);
    if (width_ == 4)
      reinterpret_cast<int32_t*>(memory_.data())[row] = int32_t(word);
    else
      reinterpret_cast<uint64_t*>(memory_.data())[row] = word;
  }
  void become_real(int64_t rows);  // of a kNumber column with so many

  bool real() const { return real_; }
  bool wide() const { return width_ == 8; }
  LargeArray<char> take() { return std::move(memory_); }

 private:
  void make_room(int64_t rows, uint64_t word);  // for that word after so many rows

  NumberColumn column_;
  int64_t width_;  // bytes of a number
  int64_t expected_;
  int64_t room_ = 0;  // in rows
  LargeArray<char> memory_;
  bool real_ = false;  // whether a kNumber column holds doubles
};

class NumberTable {
 public:
  explicit NumberTable(NumberLayout layout);
  NumberTable(const NumberTable&) = delete;
  NumberTable& operator=(const NumberTable&) = delete;

  // Takes the next piece of the text, which may end anywhere. False at a line that is none of the table; that
  // ends the table.
  bool add(std::string_view text);
  // Takes the last line if it has no end.
  bool finish();

  int64_t rows() const { return rows_; }
  int64_t lines() const { return lines_; }                 // before the one that was refused
  const std::string& refused() const { return refused_; }  // that line
  std::vector<KeptColumn>& columns() { return columns_; }  // complete after finish()

 private:
  enum class Character : uint8_t { kOther, kBlank, kNewline };

  bool is(Character kind, char c) const { return kind_of_[static_cast<unsigned char>(c)] == kind; }
  const char* past_blanks(const char* p) const;
  const char* past_newline(const char* p) const;
  bool read_lines(std::string_view lines);
  const char* read_line(const char* p, const char* end);
  const char* read_row(const char* p, const char* end);
  const char* read_number(KeptColumn& column, const char* p, const char* end);
  bool refuse(std::string_view line);

  NumberLayout layout_;
  std::array<Character, 256> kind_of_{};
  std::vector<KeptColumn> columns_;
  std::string begun_;  // the start of a line whose end has not come
  std::string refused_;
  int64_t rows_ = 0, lines_ = 0;
};

}  // namespace konig
