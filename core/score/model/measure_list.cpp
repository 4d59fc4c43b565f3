#include "core/score/model/measure_list.hpp"

#include "core/lazy_value.hpp"
#include "core/score/model/measure_row.hpp"
#include "core/score/model/numbering.hpp"
#include "core/sole_owner.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace fermata {

/// A row with other numbers.
class measure_list::renumbered_row {
public:
  explicit renumbered_row(std::int64_t by) : by_(by) {}

  std::int64_t by() const { return by_; }
  const measure_row* made() const { return row_.known(); }
  const measure_row& of(const measure_row& row) const {
    return row_.get([&] {
      auto mine = row;
      mine.raise_numbers(0, mine.size(), by_);
      return mine;
    });
  }

private:
  std::int64_t by_;
  lazy_value<measure_row> row_;
};

void measure_list::contents::add(const contents& more) {
  may_have_attributes |= more.may_have_attributes;
  may_have_endings |= more.may_have_endings;
  may_have_repeats |= more.may_have_repeats;
  sealed &= more.sealed;
  if (more.has_plain) {
    lowest = has_plain ? std::min(lowest, more.lowest) : more.lowest;
    highest = has_plain ? std::max(highest, more.highest) : more.highest;
  }
  has_plain |= more.has_plain;
  has_others |= more.has_others;
  has_other_counted |= more.has_other_counted;
  has_uncounted |= more.has_uncounted;
}

bool measure_list::contents::fits(std::int64_t by) const {
  std::int64_t low = 0, high = 0;
  return !has_plain || (!__builtin_add_overflow(std::int64_t{lowest}, by, &low) &&
                        !__builtin_add_overflow(std::int64_t{highest}, by, &high) &&
                        std::in_range<int>(low) && std::in_range<int>(high));
}

void measure_list::contents::raise_bounds(std::int64_t by) {
  lowest += static_cast<int>(by);
  highest += static_cast<int>(by);
}

bool measure_list::contents::may_have_number(std::optional<int> plain) const {
  if (!sealed || has_others) return true;
  return plain && has_plain && lowest <= *plain && *plain <= highest;
}

const measure_row& measure_list::row_of(const part_of_list& p) {
  return p.renumbered ? p.renumbered->of(*p.row) : *p.row;
}

std::int64_t measure_list::rise_of(const part_of_list& p) {
  return p.renumbered ? p.renumbered->by() : 0;
}

std::size_t measure_list::part_of(std::size_t i) const {
  auto after =
      std::upper_bound(parts_.begin(), parts_.end(), i,
                       [](std::size_t index, const part_of_list& p) { return index < p.first; });
  return static_cast<std::size_t>(after - parts_.begin()) - 1;
}

const measure_ptr& measure_list::operator[](std::size_t i) const {
  auto& p = parts_[part_of(i)];
  return row_of(p)[i - p.first];
}

const measure& measure_list::music_at(std::size_t i) const {
  auto& p = parts_[part_of(i)];
  return p.row->music_at(i - p.first);
}

const measure_ptr& measure_list::at(std::size_t i) const {
  if (i >= size_) throw std::out_of_range{"measure_list"};
  return (*this)[i];
}

measure_row& measure_list::own(part_of_list& p) {
  static_cast<contents&>(p) = {};
  if (p.renumbered) {
    p.row = std::make_shared<measure_row>(row_of(p));
    p.renumbered.reset();
  } else if (!is_sole_owner(p.row)) {
    p.row = std::make_shared<measure_row>(*p.row);
  }
  return *p.row;
}

void measure_list::push_back(measure_ptr m) {
  if (parts_.empty() || parts_.back().size >= largest_row) {
    auto& p = parts_.emplace_back();
    p.first = size_;
    p.row = std::make_shared<measure_row>();
  }
  own(parts_.back()).push_back(std::move(m));
  ++parts_.back().size;
  ++size_;
}

void measure_list::set(std::size_t i, measure_ptr m) {
  auto& p = parts_[part_of(i)];
  own(p).set(i - p.first, std::move(m));
}

void measure_list::replace(std::size_t first, std::size_t count,
                           std::span<const measure_ptr> with) {
  if (count == with.size()) {
    for (std::size_t i = 0; i < count; ++i)
      set(first + i, with[i]);
    return;
  }
  if (parts_.empty()) {
    for (const auto& m : with)
      push_back(m);
    return;
  }
  auto begin = part_of(std::min(first, size_ - 1));
  auto last = count == 0 ? begin : part_of(first + count - 1);
  // The first row gets what comes; from those after it only measures go.
  for (auto n = last; n > begin; --n) {
    auto& p = parts_[n];
    auto gone = std::min(p.size, first + count - p.first);
    if (gone == p.size)
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(n));
    else
      own(p).replace(0, gone, {});
  }
  auto& p = parts_[begin];
  auto at = first - p.first;
  own(p).replace(at, std::min(count, p.size - at), with);
  count_again();
  make_rows_even(begin);
}

/// After measures came to a row or went from it.
void measure_list::make_rows_even(std::size_t part) {
  auto at = [&](std::size_t n) { return parts_.begin() + static_cast<std::ptrdiff_t>(n); };
  if (parts_[part].size == 0) {
    parts_.erase(at(part));
    if (part > 0) --part;
  }
  for (auto n = part; n < parts_.size() && n <= part;) {
    if (parts_[n].size > 2 * largest_row) {
      part_of_list rest;
      rest.row = std::make_shared<measure_row>(own(parts_[n]).split());
      parts_.insert(at(n + 1), std::move(rest));
      ++part;
      count_again();
      continue;
    }
    ++n;
  }
  auto join = [&](std::size_t n) {
    if (n + 1 >= parts_.size() || parts_[n].size + parts_[n + 1].size > largest_row / 2) return;
    own(parts_[n]).append(row_of(parts_[n + 1]));
    parts_.erase(at(n + 1));
    count_again();
  };
  join(part);
  if (part > 0) join(part - 1);
}

void measure_list::count_again() {
  size_ = 0;
  for (auto& p : parts_) {
    p.first = size_;
    p.size = p.row->size();
    size_ += p.size;
  }
}

void measure_list::seal() {
  for (auto& p : parts_) {
    if (p.sealed) continue;
    own(p).seal();
    static_cast<contents&>(p) = p.row->summary();
  }
}

void measure_list::raise(part_of_list& p, std::int64_t by) {
  if (!p.has_plain || by == 0) return;
  auto all = by + rise_of(p);
  p.renumbered = all == 0 ? nullptr : std::make_shared<const renumbered_row>(all);
  p.raise_bounds(by);
}

bool measure_list::raise_numbers(std::size_t first, std::size_t count, std::int64_t by) {
  if (count == 0 || by == 0) return true;
  auto end = first + count;
  auto begin_of_parts = part_of(first), end_of_parts = part_of(end - 1) + 1;
  auto is_whole = [&](const part_of_list& p) {
    return p.sealed && p.first >= first && p.first + p.size <= end;
  };
  std::vector<std::pair<std::size_t, std::shared_ptr<measure_row>>> partly;
  for (auto n = begin_of_parts; n < end_of_parts; ++n) {
    auto& p = parts_[n];
    if (is_whole(p)) {
      if (!p.fits(by)) return false;
      continue;
    }
    auto from = std::max(first, p.first), to = std::min(end, p.first + p.size);
    auto row = std::make_shared<measure_row>(row_of(p));
    if (!row->raise_numbers(from - p.first, to - from, by)) return false;
    partly.emplace_back(n, std::move(row));
  }
  for (auto n = begin_of_parts; n < end_of_parts; ++n)
    if (is_whole(parts_[n])) raise(parts_[n], by);
  for (auto& [n, row] : partly) {
    auto& p = parts_[n];
    static_cast<contents&>(p) = {};
    p.row = std::move(row);
    p.renumbered.reset();
  }
  return true;
}

std::size_t measure_list::raise_piece(std::size_t i, std::int64_t by, bool uncounted_too) {
  auto& p = parts_[part_of(i)];
  if (p.first == i && p.sealed && !p.has_other_counted && !(uncounted_too && p.has_uncounted) &&
      p.fits(by)) {
    raise(p, by);
    return p.size;
  }
  return own(p).raise_piece(i - p.first, by, uncounted_too);
}

std::optional<std::size_t> measure_list::find_number(std::string_view number) const {
  measure wanted;
  wanted.number = number;
  auto n = plain_number(wanted);
  for (const auto& p : parts_)
    if (p.may_have_number(n))
      if (auto found = row_of(p).find_number(number, p.first)) return p.first + *found;
  return std::nullopt;
}

std::size_t measure_list::pieces() const {
  std::size_t n = 0;
  for (const auto& p : parts_)
    n += p.row->pieces();
  return n;
}

std::size_t measure_list::unread_renumbered_pieces() const {
  std::size_t n = 0;
  for (const auto& p : parts_) {
    auto* made = p.renumbered ? p.renumbered->made() : p.row.get();
    n += made != nullptr ? made->unread_renumbered_pieces() : p.row->numbered_pieces();
  }
  return n;
}

bool measure_list::any_unsealed(const std::function<bool(const measure_ptr&)>& is) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const part_of_list& p) { return !p.sealed && p.row->any_unsealed(is); });
}

measure_list::shared_run shared_run_from(const measure_list& a, std::size_t i,
                                         const measure_list& b, std::size_t j) {
  if (i >= a.size_ || j >= b.size_) return {};
  auto& x = a.parts_[a.part_of(i)];
  auto& y = b.parts_[b.part_of(j)];
  auto at_x = i - x.first, at_y = j - y.first;
  auto run = x.row == y.row && at_x == at_y ? measure_list::shared_run{x.size - at_x, 0}
                                            : shared_run_from(*x.row, at_x, *y.row, at_y);
  auto rise = run.rise + measure_list::rise_of(y) - measure_list::rise_of(x);
  if (run.count == 0 || !std::in_range<int>(rise)) return {};
  return {run.count, static_cast<int>(rise)};
}

measure_list::shared_run shared_run_before(const measure_list& a, std::size_t i_end,
                                           const measure_list& b, std::size_t j_end) {
  if (i_end == 0 || j_end == 0 || i_end > a.size_ || j_end > b.size_) return {};
  auto& x = a.parts_[a.part_of(i_end - 1)];
  auto& y = b.parts_[b.part_of(j_end - 1)];
  auto in_x = i_end - x.first, in_y = j_end - y.first;
  auto run = x.row == y.row && in_x == in_y ? measure_list::shared_run{in_x, 0}
                                            : shared_run_before(*x.row, in_x, *y.row, in_y);
  auto rise = run.rise + measure_list::rise_of(y) - measure_list::rise_of(x);
  if (run.count == 0 || !std::in_range<int>(rise)) return {};
  return {run.count, static_cast<int>(rise)};
}

std::size_t measure_list::next_with(std::size_t i, bool contents::*kind,
                                    std::size_t (measure_row::*next)(std::size_t) const) const {
  if (i >= size_) return size_;
  for (auto n = part_of(i); n < parts_.size(); ++n) {
    auto& p = parts_[n];
    if (!(p.*kind)) continue;
    if (auto found = ((*p.row).*next)(i > p.first ? i - p.first : 0); found < p.size)
      return p.first + found;
  }
  return size_;
}

std::size_t measure_list::next_attributes(std::size_t i) const {
  return next_with(i, &contents::may_have_attributes, &measure_row::next_attributes);
}

std::size_t measure_list::next_ending(std::size_t i) const {
  return next_with(i, &contents::may_have_endings, &measure_row::next_ending);
}

std::size_t measure_list::next_repeat(std::size_t i) const {
  return next_with(i, &contents::may_have_repeats, &measure_row::next_repeat);
}

std::size_t measure_list::behind_last_attributes(std::size_t end) const {
  if (end == 0 || size_ == 0) return 0;
  end = std::min(end, size_);
  for (auto n = part_of(end - 1) + 1; n-- > 0;) {
    auto& p = parts_[n];
    if (!p.may_have_attributes) continue;
    if (auto found = p.row->behind_last_attributes(std::min(end - p.first, p.size)); found > 0)
      return p.first + found;
  }
  return 0;
}

bool operator==(const measure_list& a, const measure_list& b) {
  if (a.size_ != b.size_) return false;
  for (std::size_t i = 0; i < a.size_;) {
    if (auto run = shared_run_from(a, i, b, i); run.count > 0 && run.rise == 0) {
      i += run.count;
      continue;
    }
    auto &x = a[i], &y = b[i];
    if (x != y && !(*x == *y)) return false;
    ++i;
  }
  return true;
}

void measure_list::const_iterator::go(std::size_t index) {
  index_ = index;
  at_ = end_ = nullptr;
  if (index >= list_->size_) return;
  auto& p = list_->parts_[list_->part_of(index)];
  auto rest = row_of(p).rest_of_piece(index - p.first);
  at_ = rest.data();
  end_ = rest.data() + rest.size();
}

}  // namespace fermata
