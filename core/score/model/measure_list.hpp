#pragma once

#include "core/score/model/measure.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fermata {

class measure_row;

/// The measures of a part. Reads like a vector of pointers; copies share everything and cost a few
/// words for about 4,000 measures, and a change copies about 64 pointers in each of two levels. So
/// an edit and its undo take the same time in a song and in a collection of operas.
///
/// The measures are stored in rows of a few thousand, and each row in pieces of at most 64
/// (measure_row.hpp), which are not changed while another list has them.
///
/// A row has an offset to the numbers of its measures, as a piece has, so that inserting or
/// deleting a measure renumbers all rows after it in one step each. What is renumbered is created
/// when it is first read, on any thread, once for all lists that share it.
class measure_list {
public:
  class const_iterator;
  using iterator = const_iterator;
  using value_type = measure_ptr;

  measure_list() = default;
  measure_list(std::vector<measure_ptr> all) { replace(0, 0, all); }
  measure_list(std::initializer_list<measure_ptr> all)
    : measure_list(std::vector<measure_ptr>(all)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const measure_ptr& operator[](std::size_t i) const;  ///< precondition: i < size()
  const measure_ptr& at(std::size_t i) const;          ///< throws std::out_of_range
  const measure_ptr& front() const { return (*this)[0]; }
  const measure_ptr& back() const { return (*this)[size_ - 1]; }
  const_iterator begin() const;
  const_iterator end() const;

  void push_back(measure_ptr m);
  /// Precondition: i < size().
  void set(std::size_t i, measure_ptr m);
  /// Replaces the measures [first, first + count), which must exist, by `with`.
  void replace(std::size_t first, std::size_t count, std::span<const measure_ptr> with);
  void clear() { *this = {}; }

  /// Records which pieces have attributes (key, time, clef, transposition) or endings, so that a
  /// search for the current attributes can skip the others. From then on, measures that are already
  /// in the list must not be written to, only replaced.
  void seal();
  /// The first measure in [i, size()] that may have attributes; size(): none.
  std::size_t next_attributes(std::size_t i) const;
  /// One past the last measure in [0, end) that may have attributes; 0: none.
  std::size_t behind_last_attributes(std::size_t end) const;
  /// The first measure in [i, size()] that may start an ending; size(): none.
  std::size_t next_ending(std::size_t i) const;

  /// The first measure in [i, size()] that may have a repeat sign or an ending; size(): none.
  std::size_t next_repeat(std::size_t i) const;
  /// Whether `is` holds for a measure that was inserted since the list was sealed.
  bool any_unsealed(const std::function<bool(const measure_ptr&)>& is) const;

  /// The measure at `i`, with an unreliable `number`, for readers that need only the music: avoids
  /// creating the renumbered measure.
  const measure& music_at(std::size_t i) const;
  /// Raises the numbers of the measures [first, first + count) as `renumbered` (numbering.hpp)
  /// does. Returns false, without a change, if a number would be out of range.
  bool raise_numbers(std::size_t first, std::size_t count, std::int64_t by);
  /// Raises the numbers of the row or piece that starts at `i` and returns its size. Returns 0,
  /// without a change, if no sealed one starts there or if a number must be examined: one written
  /// as "012", one that would be out of range and, with `uncounted_too`, one such as "X1".
  std::size_t raise_piece(std::size_t i, std::int64_t by, bool uncounted_too);

  /// The first measure with this printed number; one without a number is identified by its
  /// position.
  std::optional<std::size_t> find_number(std::string_view number) const;

  /// The number of pieces.
  std::size_t pieces() const;
  /// The number of pieces with an offset that have not been read since.
  std::size_t unread_renumbered_pieces() const;

  /// Measures that two lists share, apart from their numbers.
  struct shared_run {
    std::size_t count = 0;
    int rise = 0;  ///< how much higher the plain numbers are in the second list
  };
  /// Of those from a[i] and b[j] on, to the end of the piece. Takes constant time.
  friend shared_run shared_run_from(const measure_list& a, std::size_t i, const measure_list& b,
                                    std::size_t j);
  /// Of those before a[i_end] and b[j_end], from the start of the piece on.
  friend shared_run shared_run_before(const measure_list& a, std::size_t i_end,
                                      const measure_list& b, std::size_t j_end);

  /// By content; shared pieces are not compared.
  friend bool operator==(const measure_list& a, const measure_list& b);

  /// What is known of some of the measures: which kinds of items they have, and their numbers.
  struct contents {
    bool may_have_attributes = true, may_have_endings = true, may_have_repeats = true;
    bool sealed = false;  ///< the rest is known; otherwise measures may still be written to
    bool has_plain = false, has_others = false;
    bool has_other_counted = false, has_uncounted = false;  ///< among the others
    int lowest = 0, highest = 0;                            ///< of the plain ones

    void add(const contents& more);
    /// Whether the plain numbers can rise by this.
    bool fits(std::int64_t by) const;
    void raise_bounds(std::int64_t by);
    /// Whether a measure with this plain number, or a number that is not plain, may be there.
    bool may_have_number(std::optional<int> plain) const;
  };

private:
  class renumbered_row;
  struct part_of_list : contents {
    std::size_t first = 0, size = 0;
    std::shared_ptr<measure_row> row;
    std::shared_ptr<const renumbered_row> renumbered;  ///< null: the numbers are unchanged
  };
  static constexpr std::size_t largest_row = 4'096;

  static const measure_row& row_of(const part_of_list& p);
  static std::int64_t rise_of(const part_of_list& p);
  static void raise(part_of_list& p, std::int64_t by);
  std::size_t part_of(std::size_t i) const;
  measure_row& own(part_of_list& p);
  void make_rows_even(std::size_t part);
  void count_again();
  std::size_t next_with(std::size_t i, bool contents::*kind,
                        std::size_t (measure_row::*next)(std::size_t) const) const;

  std::vector<part_of_list> parts_;  ///< none is empty
  std::size_t size_ = 0;
};

class measure_list::const_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = measure_ptr;
  using difference_type = std::ptrdiff_t;
  using pointer = const measure_ptr*;
  using reference = const measure_ptr&;

  const_iterator() = default;
  const_iterator(const measure_list& list, std::size_t index) : list_(&list) { go(index); }

  reference operator*() const { return *at_; }
  pointer operator->() const { return at_; }
  reference operator[](difference_type n) const { return *(*this + n); }

  const_iterator& operator++() {
    ++index_;
    if (++at_ == end_) go(index_);
    return *this;
  }
  const_iterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  const_iterator& operator--() { return *this += -1; }
  const_iterator operator--(int) {
    auto before = *this;
    --*this;
    return before;
  }
  const_iterator& operator+=(difference_type n) {
    go(index_ + static_cast<std::size_t>(n));
    return *this;
  }
  const_iterator& operator-=(difference_type n) { return *this += -n; }
  friend const_iterator operator+(const_iterator i, difference_type n) { return i += n; }
  friend const_iterator operator+(difference_type n, const_iterator i) { return i += n; }
  friend const_iterator operator-(const_iterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const const_iterator& a, const const_iterator& b) {
    return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
  }
  friend bool operator==(const const_iterator& a, const const_iterator& b) {
    return a.index_ == b.index_;
  }
  friend auto operator<=>(const const_iterator& a, const const_iterator& b) {
    return a.index_ <=> b.index_;
  }

  /// The number of measures from there to the end of the piece, if both are at the same place of
  /// the same piece, so that the measures are the same on both sides; otherwise 0.
  friend std::size_t shared_from(const const_iterator& a, const const_iterator& b) {
    return a.end_ == b.end_ && a.at_ == b.at_ ? static_cast<std::size_t>(a.end_ - a.at_) : 0;
  }

private:
  void go(std::size_t index);

  const measure_list* list_ = nullptr;
  std::size_t index_ = 0;
  pointer at_ = nullptr;   ///< null at the end of the list
  pointer end_ = nullptr;  ///< of the piece
};

inline measure_list::const_iterator measure_list::begin() const { return {*this, 0}; }
inline measure_list::const_iterator measure_list::end() const { return {*this, size_}; }

}  // namespace fermata
