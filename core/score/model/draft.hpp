#pragma once

#include "core/score/model/score.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

class score_draft;
void number_new_hairpins(score_draft& draft);    // hairpin_numbers.hpp
void divide_multiple_rests(score_draft& draft);  // multiple_rests.hpp

/// A score that is being changed: copies a part or a measure when it is first written to, and
/// shares the rest with the original score. It is not visible to others before `finish()`, so a
/// failing edit just discards it.
class score_draft {
public:
  explicit score_draft(const score_ptr& from) : from_(from), next_(*from) {}

  /// The original.
  const score& before() const { return *from_; }
  /// The current state.
  const score& view() const { return next_; }
  const part& view(std::size_t p) const { return *next_.parts[p]; }
  const measure& view(std::size_t p, std::size_t m) const { return *next_.parts[p]->measures[m]; }

  score& frame() { return next_; }
  part& open(std::size_t p) {
    if (auto it = parts_.find(p); it != parts_.end()) return *it->second;
    auto copy = std::make_shared<part>(*next_.parts[p]);
    copy->measures.seal();  // nothing in it is open yet
    next_.parts[p] = copy;
    return *(parts_[p] = std::move(copy));
  }
  measure& open(std::size_t p, std::size_t m) {
    auto& owner = open(p);
    // A measure that this draft made is known by its pointer, wherever insertions moved it.
    if (auto it = measures_.find(owner.measures[m].get()); it != measures_.end())
      return *it->second;
    auto copy = std::make_shared<measure>(*owner.measures[m]);
    owner.measures.set(m, copy);
    measures_.emplace(copy.get(), copy);
    return *copy;
  }
  /// Changes the number of a measure; its music stays shared.
  void renumber(std::size_t p, std::size_t m, std::string number) {
    auto& owner = open(p);
    if (auto it = measures_.find(owner.measures[m].get()); it != measures_.end()) {
      it->second->number = std::move(number);
      return;
    }
    // Not among the opened ones: there is nothing else to repair in it.
    auto copy = std::make_shared<measure>(*owner.measures[m]);
    copy->number = std::move(number);
    owner.measures.set(m, std::move(copy));
  }
  /// Raises the numbers of a whole piece of measures; see `measure_list::raise_piece`.
  std::size_t raise_piece(std::size_t p, std::size_t m, std::int64_t by, bool uncounted_too) {
    return open(p).measures.raise_piece(m, by, uncounted_too);
  }
  std::size_t add_part(part header) {
    auto p = std::make_shared<part>(std::move(header));
    next_.parts.push_back(p);
    next_.part_list.push_back(next_.parts.size() - 1);
    parts_[next_.parts.size() - 1] = std::move(p);
    return next_.parts.size() - 1;
  }
  void insert_measure(std::size_t p, std::size_t at, measure m) {
    auto made = std::make_shared<measure>(std::move(m));
    measures_.emplace(made.get(), made);
    open(p).measures.replace(at, 0, std::array<measure_ptr, 1>{std::move(made)});
  }
  void erase_measure(std::size_t p, std::size_t at) { open(p).measures.replace(at, 1, {}); }

  /// Every measure that was opened or inserted (including ones erased since, which is harmless).
  template <class Function>
  void for_each_written(Function f) {
    for (auto& [unused, m] : measures_)
      f(*m);
  }

  /// Whether a measure was opened or inserted.
  bool is_written(std::size_t p, std::size_t m) const {
    return measures_.contains(next_.parts[p]->measures[m].get());
  }
  /// The parts that were opened or added.
  std::vector<std::size_t> opened_parts() const {
    std::vector<std::size_t> out;
    for (auto& [index, unused] : parts_)
      out.push_back(index);
    return out;
  }
  /// The parts that have a measure which was opened or inserted and for which `is` holds.
  template <class Predicate>
  std::vector<std::size_t> parts_with_written(Predicate is) const {
    std::vector<std::size_t> out;
    if (std::none_of(measures_.begin(), measures_.end(),
                     [&](const auto& m) { return is(*m.second); }))
      return out;
    for (auto& [index, p] : parts_)
      if (p->measures.any_unsealed(
              [&](const measure_ptr& m) { return measures_.contains(m.get()) && is(*m); }))
        out.push_back(index);
    return out;
  }

  /// The finished score; the draft must not be used afterwards.
  score_ptr finish() {
    if (parts_.empty() && next_ == *from_) return from_;
    number_new_hairpins(*this);
    divide_multiple_rests(*this);
    for (auto& [unused, p] : parts_)
      p->measures.seal();
    return std::make_shared<const score>(std::move(next_));
  }

private:
  score_ptr from_;
  score next_;
  std::map<std::size_t, std::shared_ptr<part>> parts_;
  std::map<const measure*, std::shared_ptr<measure>> measures_;
};

}  // namespace fermata
