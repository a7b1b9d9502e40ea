// An auction with epsilon scaling (epsilon_auction.h) whose rows several processes share.
//
// All free rows bid at once. A price is the dual of a column: it begins at 0 and falls. Each process knows
// the prices and the holders of all columns and the lists of its own rows; it is told the bids of all and
// works out the same prices. As there, this is a start for an exact method: it need not end with all rows
// assigned.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace konig {

class SharedAuction {
 public:
  struct Bid {
    int32_t row, col;  // of the whole problem
    double price;      // that the column gets
  };

  // The lists of rows that begin at `first_row` of the whole problem; infinite costs forbid.
  SharedAuction(int32_t first_row, int64_t cols, std::vector<int64_t> start, std::vector<int32_t> col,
                std::vector<double> cost)
      : first_row_(first_row),
        start_(std::move(start)),
        col_(std::move(col)),
        cost_(std::move(cost)),
        col_of_row_(start_.size() - 1, -1),
        is_listed_(start_.size() - 1, 0),
        price_(size_t(cols), 0.0),
        row_of_col_(size_t(cols), -1) {}

  // A phase begins. Rows that are not within epsilon of their best column any more give theirs up, and free
  // rows will bid. Returns the columns given up here, which all processes are to be told of.
  std::vector<int32_t> give_up(double epsilon) {
    std::vector<int32_t> given_up;
    free_.clear();
    for (int32_t i = 0; i < rows(); ++i) {
      int32_t& held = col_of_row_[i];
      if (held >= 0 && slack_of(i, held) > best_of(i).first + epsilon) {
        given_up.push_back(held);
        held = -1;
      }
      is_listed_[i] = held < 0;
      if (held < 0) free_.push_back(i);
    }
    return given_up;
  }
  void release(const int32_t* cols, int64_t count) {
    for (int64_t k = 0; k < count; ++k) row_of_col_[cols[k]] = -1;
  }

  // The bids of all free rows here: the price of the best column falls by how much it is better than the
  // second best, and by epsilon. Rows with fewer than two columns do not bid.
  std::vector<Bid> bids(double epsilon) {
    std::vector<Bid> made;
    for (const int32_t i : free_) {
      const Best best = best_of(i);
      if (best.second < kInfinity)
        made.push_back({first_row_ + i, best.col, price_[best.col] - (best.second - best.first) - epsilon});
    }
    return made;
  }

  // The bids of all processes, in the same order everywhere: the lowest price gets the column, the first of
  // equal ones.
  void settle(const Bid* bids, int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
      const Bid& bid = bids[k];
      if (!(bid.price < price_[bid.col])) continue;
      price_[bid.col] = bid.price;
      if (const int32_t loser = std::exchange(row_of_col_[bid.col], bid.row); is_here(loser))
        set_free(loser - first_row_);
      if (is_here(bid.row)) col_of_row_[bid.row - first_row_] = bid.col;
    }
    size_t kept = 0;
    for (const int32_t i : free_) {
      is_listed_[i] = col_of_row_[i] < 0;
      if (is_listed_[i]) free_[kept++] = i;
    }
    free_.resize(kept);
  }

  const std::vector<double>& prices() const { return price_; }  // <= 0

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Best {
    double first, second;
    int32_t col;
  };

  int32_t rows() const { return int32_t(col_of_row_.size()); }
  bool is_here(int32_t row) const { return row >= first_row_ && row < first_row_ + rows(); }

  void set_free(int32_t i) {
    col_of_row_[i] = -1;
    if (is_listed_[i]) return;
    is_listed_[i] = 1;
    free_.push_back(i);
  }

  Best best_of(int32_t i) const {
    Best best{kInfinity, kInfinity, -1};
    for (int64_t e = start_[i]; e < start_[i + 1]; ++e) {
      const double slack = cost_[e] - price_[col_[e]];
      if (slack < best.first)
        best = {slack, best.first, col_[e]};
      else if (slack < best.second)
        best.second = slack;
    }
    return best;
  }

  double slack_of(int32_t i, int32_t col) const {
    for (int64_t e = start_[i]; e < start_[i + 1]; ++e)
      if (col_[e] == col) return cost_[e] - price_[col];
    return kInfinity;
  }

  const int32_t first_row_;
  const std::vector<int64_t> start_;
  const std::vector<int32_t> col_;
  const std::vector<double> cost_;
  std::vector<int32_t> col_of_row_;  // of the rows here
  std::vector<uint8_t> is_listed_;   // in free_
  std::vector<int32_t> free_;
  std::vector<double> price_;  // these and the next are the same in all processes
  std::vector<int32_t> row_of_col_;
};

}  // namespace konig
