#pragma once

#include "core/score/model/measure_list.hpp"

#include <functional>

namespace fermata {

/// Some thousand adjacent measures of a `measure_list`, in pieces of at most 64, which are not
/// changed while another row has them. Two adjacent pieces hold more than 64 together, except
/// where two rows were joined.
///
/// A piece also has an offset to the numbers of its measures, so that inserting or deleting a
/// measure renumbers the ones after it in one step per piece. The renumbered measures are created
/// when they are first read, on any thread, once for all rows that share the piece.
///
/// The functions are those of `measure_list`, with indices in the row.
class measure_row {
public:
  std::size_t size() const { return size_; }
  const measure_ptr& operator[](std::size_t i) const;
  /// The measures from `i` to the end of its piece.
  std::span<const measure_ptr> rest_of_piece(std::size_t i) const;

  void push_back(measure_ptr m);
  void set(std::size_t i, measure_ptr m);
  void replace(std::size_t first, std::size_t count, std::span<const measure_ptr> with);
  /// Adds the pieces of another row at the end.
  void append(const measure_row& other);
  /// Moves the last pieces, with about half of the measures, to another row. Precondition: there
  /// are two pieces.
  measure_row split();

  void seal();
  std::size_t next_attributes(std::size_t i) const;
  std::size_t behind_last_attributes(std::size_t end) const;
  std::size_t next_ending(std::size_t i) const;
  std::size_t next_repeat(std::size_t i) const;
  bool any_unsealed(const std::function<bool(const measure_ptr&)>& is) const;

  const measure& music_at(std::size_t i) const;
  bool raise_numbers(std::size_t first, std::size_t count, std::int64_t by);
  std::size_t raise_piece(std::size_t i, std::int64_t by, bool uncounted_too);
  /// `behind`: how many measures of the list are before the row.
  std::optional<std::size_t> find_number(std::string_view number, std::size_t behind) const;

  std::size_t pieces() const { return pieces_.size(); }
  /// The number of pieces that have measures with plain numbers.
  std::size_t numbered_pieces() const;
  std::size_t unread_renumbered_pieces() const;

  friend measure_list::shared_run shared_run_from(const measure_row& a, std::size_t i,
                                                  const measure_row& b, std::size_t j);
  friend measure_list::shared_run shared_run_before(const measure_row& a, std::size_t i_end,
                                                    const measure_row& b, std::size_t j_end);

  /// What is known of all measures of a sealed row.
  measure_list::contents summary() const;

private:
  class renumbered_measures;
  struct piece : measure_list::contents {
    std::size_t first = 0;  ///< index of its first measure
    std::shared_ptr<std::vector<measure_ptr>> measures;
    std::shared_ptr<const renumbered_measures> renumbered;  ///< null: the numbers are unchanged
  };
  static constexpr std::size_t largest_piece = 64;

  static const std::vector<measure_ptr>& measures_of(const piece& p);
  static void raise(piece& p, std::int64_t by);
  static measure_list::shared_run shared(const piece& a, const piece& b, std::size_t count);
  std::size_t piece_of(std::size_t i) const;
  std::vector<measure_ptr>& own(piece& p);
  std::size_t next_with(std::size_t i, bool measure_list::contents::*kind) const;

  std::vector<piece> pieces_;  ///< none is empty
  std::size_t size_ = 0;
};

}  // namespace fermata
