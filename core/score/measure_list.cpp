#include "core/score/measure_list.hpp"

#include "core/sole_owner.hpp"

#include <algorithm>
#include <stdexcept>

namespace fermata {

std::size_t measure_list::piece_of(std::size_t i) const {
  // Most pieces are full, so this is where it lies unless measures came or went before.
  auto guess = i / largest_piece;
  if (guess < pieces_.size() && pieces_[guess].first <= i &&
      (guess + 1 == pieces_.size() || i < pieces_[guess + 1].first))
    return guess;
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), i,
                                [](std::size_t index, const piece& p) { return index < p.first; });
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

const measure_ptr& measure_list::operator[](std::size_t i) const {
  auto& p = pieces_[piece_of(i)];
  return (*p.measures)[i - p.first];
}

const measure_ptr& measure_list::at(std::size_t i) const {
  if (i >= size_) throw std::out_of_range{"measure_list"};
  return (*this)[i];
}

std::vector<measure_ptr>& measure_list::own(piece& p) {
  p.sealed = false;
  p.may_have_attributes = p.may_have_endings = true;
  if (!is_sole_owner(p.measures))
    p.measures = std::make_shared<std::vector<measure_ptr>>(*p.measures);
  return *p.measures;
}

void measure_list::push_back(measure_ptr m) {
  if (pieces_.empty() || pieces_.back().measures->size() == largest_piece)
    pieces_.push_back({size_, std::make_shared<std::vector<measure_ptr>>()});
  own(pieces_.back()).push_back(std::move(m));
  ++size_;
}

void measure_list::set(std::size_t i, measure_ptr m) {
  auto& p = pieces_[piece_of(i)];
  own(p)[i - p.first] = std::move(m);
}

void measure_list::replace(std::size_t first, std::size_t count,
                           std::span<const measure_ptr> with) {
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
    auto head = pieces_[begin].measures->begin();
    auto& last = pieces_[end - 1];
    auto tail = last.measures->begin() + static_cast<std::ptrdiff_t>(first + count - last.first);
    middle.assign(head, head + static_cast<std::ptrdiff_t>(first - pieces_[begin].first));
    middle.insert(middle.end(), with.begin(), with.end());
    middle.insert(middle.end(), tail, last.measures->end());
  }
  // Neighbours that fit into one piece with what lies at that edge are taken in: so two neighbours
  // always hold more than one piece can, and edits never leave more than twice the pieces needed.
  if (auto& p = pieces_;
      begin > 0 && p[begin - 1].measures->size() + middle.size() <= largest_piece) {
    --begin;
    middle.insert(middle.begin(), p[begin].measures->begin(), p[begin].measures->end());
  }
  auto in_last = middle.size() % largest_piece;  // 0: full, or nothing is left
  if (auto& p = pieces_; end < p.size() && (in_last > 0 || middle.empty()) &&
                         p[end].measures->size() + in_last <= largest_piece) {
    middle.insert(middle.end(), p[end].measures->begin(), p[end].measures->end());
    ++end;
  }
  std::vector<piece> made;
  for (std::size_t i = 0; i < middle.size(); i += largest_piece) {
    auto from = middle.begin() + static_cast<std::ptrdiff_t>(i);
    auto n = std::min(largest_piece, middle.size() - i);
    made.push_back({0, std::make_shared<std::vector<measure_ptr>>(
                           from, from + static_cast<std::ptrdiff_t>(n))});
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

void measure_list::seal() {
  for (auto& p : pieces_) {
    if (p.sealed) continue;
    p.sealed = true;
    p.may_have_attributes = p.may_have_endings = false;
    for (const auto& m : *p.measures)
      for (const auto& item : m->items) {
        p.may_have_attributes |= std::holds_alternative<attributes>(item.content);
        auto* b = std::get_if<barline>(&item.content);
        p.may_have_endings |= b && !b->ending_type.empty();
      }
  }
}

std::size_t measure_list::next_with(std::size_t i, bool piece::*kind) const {
  if (i >= size_) return size_;
  auto n = piece_of(i);
  if (pieces_[n].*kind) return i;
  while (++n < pieces_.size())
    if (pieces_[n].*kind) return pieces_[n].first;
  return size_;
}

std::size_t measure_list::next_attributes(std::size_t i) const {
  return next_with(i, &piece::may_have_attributes);
}

std::size_t measure_list::next_ending(std::size_t i) const {
  return next_with(i, &piece::may_have_endings);
}

std::size_t measure_list::behind_last_attributes(std::size_t end) const {
  if (end == 0 || size_ == 0) return 0;
  end = std::min(end, size_);
  for (auto n = piece_of(end - 1) + 1; n-- > 0; end = pieces_[n].first)
    if (pieces_[n].may_have_attributes) return end;
  return 0;
}

bool operator==(const measure_list& a, const measure_list& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& x, auto& y) { return x == y || *x == *y; });
}

void measure_list::const_iterator::go(std::size_t index) {
  index_ = index;
  at_ = end_ = nullptr;
  if (index >= list_->size_) return;
  auto& p = list_->pieces_[list_->piece_of(index)];
  at_ = p.measures->data() + (index - p.first);
  end_ = p.measures->data() + p.measures->size();
}

}  // namespace fermata
