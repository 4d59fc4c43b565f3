#include "core/score/model/measure_row.hpp"

#include "core/lazy_value.hpp"
#include "core/score/model/numbering.hpp"
#include "core/sole_owner.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fermata {

/// The measures of a piece with other numbers.
class measure_row::renumbered_measures {
public:
  explicit renumbered_measures(std::int64_t by) : by_(by) {}

  std::int64_t by() const { return by_; }
  bool is_made() const { return measures_.known() != nullptr; }
  const std::vector<measure_ptr>& of(const std::vector<measure_ptr>& measures) const {
    return measures_.get([&] {
      std::vector<measure_ptr> mine;
      mine.reserve(measures.size());
      for (const auto& m : measures)
        mine.push_back(fermata::renumbered(m, by_));
      return mine;
    });
  }

private:
  std::int64_t by_;
  lazy_value<std::vector<measure_ptr>> measures_;
};

const std::vector<measure_ptr>& measure_row::measures_of(const piece& p) {
  return p.renumbered ? p.renumbered->of(*p.measures) : *p.measures;
}

std::size_t measure_row::piece_of(std::size_t i) const {
  // Most pieces are full, so this is where it lies unless measures came or went before.
  auto guess = i / largest_piece;
  if (guess < pieces_.size() && pieces_[guess].first <= i &&
      (guess + 1 == pieces_.size() || i < pieces_[guess + 1].first))
    return guess;
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), i,
                                [](std::size_t index, const piece& p) { return index < p.first; });
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

const measure_ptr& measure_row::operator[](std::size_t i) const {
  auto& p = pieces_[piece_of(i)];
  return measures_of(p)[i - p.first];
}

const measure& measure_row::music_at(std::size_t i) const {
  auto& p = pieces_[piece_of(i)];
  return *(*p.measures)[i - p.first];
}

std::span<const measure_ptr> measure_row::rest_of_piece(std::size_t i) const {
  auto& p = pieces_[piece_of(i)];
  return std::span{measures_of(p)}.subspan(i - p.first);
}

void measure_row::append(const measure_row& other) {
  for (auto p : other.pieces_) {
    p.first += size_;
    pieces_.push_back(std::move(p));
  }
  size_ += other.size_;
}

measure_row measure_row::split() {
  measure_row rest;
  auto from = pieces_.begin() + static_cast<std::ptrdiff_t>(pieces_.size() / 2);
  auto kept = from->first;
  for (auto p = from; p != pieces_.end(); ++p) {
    rest.pieces_.push_back(std::move(*p));
    rest.pieces_.back().first -= kept;
  }
  rest.size_ = size_ - kept;
  pieces_.erase(from, pieces_.end());
  size_ = kept;
  return rest;
}

bool measure_row::any_unsealed(const std::function<bool(const measure_ptr&)>& is) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const piece& p) {
    return !p.sealed && std::any_of(p.measures->begin(), p.measures->end(), is);
  });
}

measure_list::contents measure_row::summary() const {
  measure_list::contents all;
  all.sealed = true;
  all.may_have_attributes = all.may_have_endings = all.may_have_repeats = false;
  for (const auto& p : pieces_)
    all.add(p);
  return all;
}

std::size_t measure_row::numbered_pieces() const {
  return static_cast<std::size_t>(
      std::count_if(pieces_.begin(), pieces_.end(), [](const piece& p) { return p.has_plain; }));
}

std::vector<measure_ptr>& measure_row::own(piece& p) {
  p.sealed = false;
  p.may_have_attributes = p.may_have_endings = p.may_have_repeats = true;
  if (p.renumbered) {
    p.measures = std::make_shared<std::vector<measure_ptr>>(measures_of(p));
    p.renumbered.reset();
  } else if (!is_sole_owner(p.measures))
    p.measures = std::make_shared<std::vector<measure_ptr>>(*p.measures);
  return *p.measures;
}

void measure_row::push_back(measure_ptr m) {
  if (pieces_.empty() || pieces_.back().measures->size() == largest_piece) {
    auto& p = pieces_.emplace_back();
    p.first = size_;
    p.measures = std::make_shared<std::vector<measure_ptr>>();
  }
  own(pieces_.back()).push_back(std::move(m));
  ++size_;
}

void measure_row::set(std::size_t i, measure_ptr m) {
  auto& p = pieces_[piece_of(i)];
  own(p)[i - p.first] = std::move(m);
}

void measure_row::replace(std::size_t first, std::size_t count, std::span<const measure_ptr> with) {
  if (count == with.size()) {
    for (std::size_t i = 0; i < count; ++i)
      set(first + i, with[i]);
    return;
  }
  // What is left of the pieces that are touched is divided anew, together with what comes.
  std::vector<measure_ptr> middle;
  std::size_t begin = 0, end = 0;  // of the pieces that are touched
  if (pieces_.empty()) {
    middle.assign(with.begin(), with.end());
  } else {
    begin = piece_of(std::min(first, size_ - 1));
    end = (count == 0 ? begin : piece_of(first + count - 1)) + 1;
    auto head = measures_of(pieces_[begin]).begin();
    auto& last = pieces_[end - 1];
    auto& measures_of_last = measures_of(last);
    auto tail = measures_of_last.begin() + static_cast<std::ptrdiff_t>(first + count - last.first);
    middle.assign(head, head + static_cast<std::ptrdiff_t>(first - pieces_[begin].first));
    middle.insert(middle.end(), with.begin(), with.end());
    middle.insert(middle.end(), tail, measures_of_last.end());
  }
  // Neighbours that fit into one piece with what lies at that edge are taken in: so two neighbours
  // always hold more than one piece can, and edits never leave more than twice the pieces needed.
  if (auto& p = pieces_;
      begin > 0 && p[begin - 1].measures->size() + middle.size() <= largest_piece) {
    --begin;
    auto& taken = measures_of(p[begin]);
    middle.insert(middle.begin(), taken.begin(), taken.end());
  }
  auto in_last = middle.size() % largest_piece;  // 0: full, or nothing is left
  if (auto& p = pieces_; end < p.size() && (in_last > 0 || middle.empty()) &&
                         p[end].measures->size() + in_last <= largest_piece) {
    auto& taken = measures_of(p[end]);
    middle.insert(middle.end(), taken.begin(), taken.end());
    ++end;
  }
  std::vector<piece> made;
  for (std::size_t i = 0; i < middle.size(); i += largest_piece) {
    auto from = middle.begin() + static_cast<std::ptrdiff_t>(i);
    auto n = std::min(largest_piece, middle.size() - i);
    made.emplace_back().measures =
        std::make_shared<std::vector<measure_ptr>>(from, from + static_cast<std::ptrdiff_t>(n));
  }
  auto place = pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(begin),
                             pieces_.begin() + static_cast<std::ptrdiff_t>(end));
  pieces_.insert(place, made.begin(), made.end());
  size_ = 0;
  for (auto& p : pieces_) {
    p.first = size_;
    size_ += p.measures->size();
  }
}

void measure_row::seal() {
  for (auto& p : pieces_) {
    if (p.sealed) continue;
    p.sealed = true;
    p.may_have_attributes = p.may_have_endings = p.may_have_repeats = false;
    p.has_plain = p.has_others = p.has_other_counted = p.has_uncounted = false;
    for (const auto& m : *p.measures) {
      for (const auto& item : m->items) {
        p.may_have_attributes |= std::holds_alternative<attributes>(item.content);
        auto* b = std::get_if<barline>(&item.content);
        p.may_have_endings |= b && !b->ending_type.empty();
        p.may_have_repeats |= b && (!b->ending_type.empty() || !b->repeat.empty());
      }
      if (auto n = plain_number(*m)) {
        p.lowest = p.has_plain ? std::min(p.lowest, *n) : *n;
        p.highest = p.has_plain ? std::max(p.highest, *n) : *n;
        p.has_plain = true;
      } else {
        p.has_others = true;
        p.has_other_counted |= !m->implicit && counted_number(*m).has_value();
        p.has_uncounted |= uncounted_number(*m).has_value();
      }
    }
  }
}

void measure_row::raise(piece& p, std::int64_t by) {
  if (!p.has_plain || by == 0) return;
  auto all = by + (p.renumbered ? p.renumbered->by() : 0);
  p.renumbered = all == 0 ? nullptr : std::make_shared<const renumbered_measures>(all);
  p.raise_bounds(by);
}

bool measure_row::raise_numbers(std::size_t first, std::size_t count, std::int64_t by) {
  auto end = first + count;
  if (count == 0 || by == 0) return true;
  auto is_whole = [&](const piece& p) {
    return p.sealed && p.first >= first && p.first + p.measures->size() <= end;
  };
  auto begin_of_pieces = piece_of(first), end_of_pieces = piece_of(end - 1) + 1;
  for (auto n = begin_of_pieces; n < end_of_pieces; ++n) {
    auto& p = pieces_[n];
    if (is_whole(p)) {
      if (!p.fits(by)) return false;
      continue;
    }
    auto last = std::min(end, p.first + p.measures->size());
    for (auto i = std::max(first, p.first); i < last; ++i)
      if (!renumbered((*this)[i], by)) return false;
  }
  for (auto n = begin_of_pieces; n < end_of_pieces; ++n) {
    auto& p = pieces_[n];
    if (is_whole(p)) {
      raise(p, by);
      continue;
    }
    auto& measures = own(p);
    auto last = std::min(end, p.first + measures.size());
    for (auto i = std::max(first, p.first); i < last; ++i)
      measures[i - p.first] = renumbered(measures[i - p.first], by);
  }
  return true;
}

std::size_t measure_row::raise_piece(std::size_t i, std::int64_t by, bool uncounted_too) {
  auto& p = pieces_[piece_of(i)];
  if (p.first != i || !p.sealed || p.has_other_counted || (uncounted_too && p.has_uncounted) ||
      !p.fits(by))
    return 0;
  raise(p, by);
  return p.measures->size();
}

std::optional<std::size_t> measure_row::find_number(std::string_view number,
                                                    std::size_t behind) const {
  measure wanted;
  wanted.number = number;
  auto n = plain_number(wanted);
  for (const auto& p : pieces_) {
    if (!p.may_have_number(n)) continue;
    auto by = p.renumbered ? p.renumbered->by() : 0;
    for (std::size_t i = 0; i < p.measures->size(); ++i) {
      auto& m = *(*p.measures)[i];
      auto own = plain_number(m);
      auto is_it = own                ? n && *own + by == *n
                   : m.number.empty() ? std::to_string(behind + p.first + i + 1) == number
                                      : m.number == number;
      if (is_it) return p.first + i;
    }
  }
  return std::nullopt;
}

std::size_t measure_row::unread_renumbered_pieces() const {
  return static_cast<std::size_t>(std::count_if(pieces_.begin(), pieces_.end(), [](const piece& p) {
    return p.renumbered && !p.renumbered->is_made();
  }));
}

measure_list::shared_run measure_row::shared(const piece& a, const piece& b, std::size_t count) {
  if (a.measures != b.measures) return {};
  auto rise = (b.renumbered ? b.renumbered->by() : 0) - (a.renumbered ? a.renumbered->by() : 0);
  if (!std::in_range<int>(rise)) return {};
  return {count, static_cast<int>(rise)};
}

measure_list::shared_run shared_run_from(const measure_row& a, std::size_t i, const measure_row& b,
                                         std::size_t j) {
  if (i >= a.size_ || j >= b.size_) return {};
  auto& x = a.pieces_[a.piece_of(i)];
  auto& y = b.pieces_[b.piece_of(j)];
  if (i - x.first != j - y.first) return {};
  return measure_row::shared(x, y, x.measures->size() - (i - x.first));
}

measure_list::shared_run shared_run_before(const measure_row& a, std::size_t i_end,
                                           const measure_row& b, std::size_t j_end) {
  if (i_end == 0 || j_end == 0) return {};
  auto& x = a.pieces_[a.piece_of(i_end - 1)];
  auto& y = b.pieces_[b.piece_of(j_end - 1)];
  if (i_end - x.first != j_end - y.first) return {};
  return measure_row::shared(x, y, i_end - x.first);
}

std::size_t measure_row::next_with(std::size_t i, bool measure_list::contents::*kind) const {
  if (i >= size_) return size_;
  auto n = piece_of(i);
  if (pieces_[n].*kind) return i;
  while (++n < pieces_.size())
    if (pieces_[n].*kind) return pieces_[n].first;
  return size_;
}

std::size_t measure_row::next_attributes(std::size_t i) const {
  return next_with(i, &measure_list::contents::may_have_attributes);
}

std::size_t measure_row::next_ending(std::size_t i) const {
  return next_with(i, &measure_list::contents::may_have_endings);
}

std::size_t measure_row::next_repeat(std::size_t i) const {
  return next_with(i, &measure_list::contents::may_have_repeats);
}

std::size_t measure_row::behind_last_attributes(std::size_t end) const {
  if (end == 0 || size_ == 0) return 0;
  end = std::min(end, size_);
  for (auto n = piece_of(end - 1) + 1; n-- > 0; end = pieces_[n].first)
    if (pieces_[n].may_have_attributes) return end;
  return 0;
}

}  // namespace fermata
