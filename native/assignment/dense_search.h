// Shortest augmenting paths in the dense assignment problem: Dijkstra's algorithm on the reduced costs.
//
// A scan runs over all columns in order; scanned columns have a dual that keeps them out. Rows of one block
// of columns are searched in one go (dense_scans.h). Where costs tie often, and many rows are left, these
// search the pairs without slack in phases first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "assignment/dense_auction.h"

namespace konig {

template <class S, class T>
class DenseSearch : public DenseAuction<S, T> {
 public:
  void prepare(int64_t rows, int64_t cols, SignedCosts<S> cost) {
    Base::prepare(rows, cols, cost);
    scanned_.clear();
  }

 protected:
  using Base = DenseAuction<S, T>;
  using Base::assign;
  using Base::col_dual_;
  using Base::col_of_row_;
  using Base::cols_;
  using Base::cost_;
  using Base::count_scan;
  using Base::counts_;
  using Base::free_;
  using Base::kInfinity;
  using Base::row;
  using Base::row_of_col_;
  using Base::rows_;
  using Base::scans_;
  using Base::slack;
  using Base::ties_;

  // Whether every row could be assigned; if not, the violator says why.
  bool assign_free_rows(Run& run) {
    counts_.reduced_rows = rows_ - int64_t(free_.size());
    run.report(counts_.reduced_rows, rows_);
    if (free_.empty()) return true;
    const int64_t padded = std::max(cols_, kScanBlock);
    key_.resize(padded);
    before_.resize(padded);
    block_least_.resize((cols_ + kScanBlock - 1) / kScanBlock);
    if (rows_ >= kManyRows && ties_ >= int64_t(free_.size()))
      while (kRowsOfAPhase * int64_t(free_.size()) >= rows_ && free_.size() > 1 &&
             augment_on_tight_pairs(run)) {
      }
    if (sizeof(T) <= 8 && cols_ <= kScanBlock) return assign_in_block(run);
    for (const int32_t root : free_)
      if (!augment_from(root, run)) return false;
    return true;
  }

 private:
  // The same searches where all columns are one block.
  bool assign_in_block(Run& run) {
    uint64_t free_columns = 0;
    for (int64_t j = 0; j < cols_; ++j) free_columns |= uint64_t(row_of_col_[j] < 0) << j;
    for (const int32_t root : free_) {
      const BlockSearch<T> found =
          scans_->search_block(cost_.data, col_dual_.data(), row_of_col_.data(), free_columns, root, cols_,
                               key_.data(), before_.data());
      const int64_t scans = 1 + std::popcount(found.scanned);
      counts_.row_scans += scans;
      run.spend(scans * (cols_ / 4 + 1));
      if (found.end < 0) {
        for (uint64_t rest = found.scanned; rest != 0; rest &= rest - 1) {
          const int32_t j = std::countr_zero(rest);
          scanned_.push_back({j, key_[j], col_dual_[j]});
        }
        return refuse_tree(root);
      }
      for (uint64_t rest = found.scanned; rest != 0; rest &= rest - 1) {
        const int32_t j = std::countr_zero(rest);
        col_dual_[j] = moved(col_dual_[j], key_[j], found.length);
      }
      free_columns &= ~(uint64_t(1) << found.end);
      augment_along(root, found.end);
    }
    return true;
  }

  void augment_along(int32_t root, int32_t end) {
    for (int32_t j = end; j >= 0;) {
      const int32_t i = before_[j], next = col_of_row_[i];
      assign(i, j);
      j = i == root ? -1 : next;
    }
    ++counts_.paths;
  }

  bool augment_from(int32_t root, Run& run) {
    std::fill(key_.begin(), key_.end(), kInfinity);
    T length = T(0);
    relax(root, T(0), run);
    int32_t end = -1;
    while (true) {
      const int32_t j = nearest(length);
      if (j < 0) return refuse_tree(root);
      if (row_of_col_[j] < 0) {
        end = j;
        break;
      }
      const int32_t i = row_of_col_[j];
      const T base = slack(i, j) - length;
      scanned_.push_back({j, length, col_dual_[j]});
      key_[j] = kInfinity;
      col_dual_[j] = Bounds<T>::scanned;
      relax(i, base, run);
    }
    for (const Scanned& s : scanned_) col_dual_[s.col] = moved(s.dual, s.length, length);
    scanned_.clear();
    augment_along(root, end);
    run.report(counts_.reduced_rows + counts_.paths, rows_);
    return true;
  }

  // A phase of disjoint augmenting paths on pairs without slack, as many as searches find that see each
  // column once between them: where costs tie often, one search a row would see much of the matrix each time.
  // Duals stay as they are. Returns whether a good part of the free rows was assigned.
  bool augment_on_tight_pairs(Run& run) {
    const size_t count = free_.size();
    root_dual_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      root_dual_[k] = scans_->smallest(row(free_[k]), col_dual_.data(), cols_);
      count_scan(run);
    }
    std::fill(key_.begin(), key_.end(), kInfinity);
    size_t kept = 0;
    for (size_t k = 0; k < count; ++k)
      if (!(root_dual_[k] < kInfinity) || !augment_tightly_from(free_[k], root_dual_[k], run))
        free_[kept++] = free_[k];
    free_.resize(kept);
    for (const Scanned& s : scanned_) col_dual_[s.col] = s.dual;
    scanned_.clear();
    run.report(rows_ - int64_t(kept), rows_);
    return 4 * (count - kept) >= count;
  }

  bool augment_tightly_from(int32_t root, T dual, Run& run) {
    relax(root, dual, run);
    while (true) {
      T length = kInfinity;
      const int32_t j = nearest(length);
      if (j < 0 || length > T(0)) return false;
      if (row_of_col_[j] < 0) {
        for (int32_t end = j; end >= 0;) {
          const int32_t i = before_[end], next = col_of_row_[i];
          assign(i, end);
          end = i == root ? -1 : next;
        }
        ++counts_.paths;
        forget_tight_columns();
        return true;
      }
      const int32_t i = row_of_col_[j];
      const T base = slack(i, j);
      scanned_.push_back({j, T(0), col_dual_[j]});
      key_[j] = kInfinity;
      col_dual_[j] = Bounds<T>::scanned;
      relax(i, base, run);
    }
  }

  // Columns that a search came to and did not scan are there for the next one.
  void forget_tight_columns() {
    for (T& key : key_)
      if (key <= T(0)) key = kInfinity;
  }

  void relax(int32_t i, T base, Run& run) {
    scans_->relax(row(i), col_dual_.data(), base, i, cols_, key_.data(), before_.data(), block_least_.data());
    count_scan(run);
  }

  // The nearest column that is not scanned, a free one if there is a choice; -1 if none can be reached. A row
  // has just been relaxed.
  int32_t nearest(T& length) const {
    T least = kInfinity;
    for (const T value : block_least_) least = std::min(least, value);
    if (least >= kInfinity) return -1;
    length = least;
    int32_t found = -1;
    for (size_t block = 0; block < block_least_.size(); ++block) {
      if (block_least_[block] != least) continue;
      const int64_t first = int64_t(block) * kScanBlock, count = std::min(kScanBlock, cols_ - first);
      const int32_t j = free_one_of(scans_->with_key(&key_[first], least, count), first);
      if (row_of_col_[j] < 0) return j;
      if (found < 0) found = j;
    }
    return found;
  }

  // A free column, or else the first, of those whose bits are set; columns count from `first`.
  int32_t free_one_of(uint64_t set, int64_t first) const {
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int64_t j = first + std::countr_zero(rest);
      if (row_of_col_[j] < 0) return int32_t(j);
    }
    return int32_t(first + std::countr_zero(set));
  }

  // The rows of the tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root) {
    this->violator.rows.assign(rows_, 0);
    this->violator.cols.assign(cols_, 0);
    this->violator.rows[root] = 1;
    for (const Scanned& s : scanned_) {
      this->violator.cols[s.col] = 1;
      this->violator.rows[row_of_col_[s.col]] = 1;
      col_dual_[s.col] = s.dual;
    }
    scanned_.clear();
    return false;
  }

  static constexpr int64_t kManyRows = 128;
  static constexpr int64_t kRowsOfAPhase = 24;  // for each free row: with fewer free, searches are cheaper

  struct Scanned {
    int32_t col;
    T length, dual;
  };

  Aligned<T> key_;
  Aligned<int32_t> before_;
  std::vector<T> block_least_;
  std::vector<T> root_dual_;
  std::vector<Scanned> scanned_;
};

}  // namespace konig
