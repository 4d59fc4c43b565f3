#include "core/score/merge/alignment.hpp"

#include "core/score/model/content_hash.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/same_music.hpp"

#include <algorithm>

namespace fermata {

namespace {

bool is_opening(const measure_item& item) {
  return item.at == measure_position{} && std::holds_alternative<attributes>(item.content);
}

std::uint64_t body_hash(const measure& m) {
  if (std::none_of(m.items.begin(), m.items.end(), is_opening)) return music_hash(m);
  auto body = m;
  erase_if(body.items, is_opening);
  return music_hash(body);
}

measure_ptr cell(const score& s, std::size_t part, std::size_t column) {
  auto& measures = s.parts[part]->measures;
  return column < measures.size() ? measures[column] : nullptr;
}

using hashes = std::vector<std::uint64_t>;

/// Of so many measures on one side and so many on the other, how much it takes to explain them: as
/// many were changed, or others came or went, or both.
int effort(std::size_t left, std::size_t right) {
  return left == right ? 0 : left == 0 || right == 0 ? 1 : 2;
}

/// Like measures in a row can be paired in several ways. Each run of pairs is moved along them, on
/// either side, to where the measures in front of it and behind it are explained best: of three
/// like measures, one changed in place and some added at the end, the last stays the last.
index_pairs settled(index_pairs pairs, const hashes& left, const hashes& right) {
  constexpr std::size_t furthest = 64;
  std::size_t from_x = 0, from_y = 0;  // behind the run before
  for (std::size_t i = 0, end; i < pairs.size(); i = end) {
    end = i + 1;
    while (end < pairs.size() && pairs[end].first == pairs[end - 1].first + 1 &&
           pairs[end].second == pairs[end - 1].second + 1)
      ++end;
    auto to_x = end < pairs.size() ? pairs[end].first : left.size();
    auto to_y = end < pairs.size() ? pairs[end].second : right.size();
    auto [x, y] = pairs[i];
    auto count = end - i;
    auto effort_at = [&](std::size_t at_x, std::size_t at_y) {
      return effort(at_x - from_x, at_y - from_y) +
             effort(to_x - at_x - count, to_y - at_y - count);
    };
    auto best = effort_at(x, y);
    auto best_x = x, best_y = y;
    auto try_at = [&](std::size_t at_x, std::size_t at_y) {
      auto n = effort_at(at_x, at_y);
      if (n >= best) return;
      for (std::size_t k = 0; k < count; ++k)
        if (left[at_x + k] != right[at_y + k]) return;
      best = n;
      best_x = at_x;
      best_y = at_y;
    };
    for (std::size_t n = 1; n <= furthest && best > 0; ++n) {
      if (x + n + count <= to_x) try_at(x + n, y);
      if (y + n + count <= to_y) try_at(x, y + n);
      if (x >= from_x + n) try_at(x - n, y);
      if (y >= from_y + n) try_at(x, y - n);
    }
    for (auto k = i; k < end; ++k)
      pairs[k] = {best_x + (k - i), best_y + (k - i)};
    from_x = best_x + count;
    from_y = best_y + count;
  }
  return pairs;
}

/// Two states of a score, looked at by columns.
class columns {
public:
  columns(const score& a, const score& b, const index_pairs& parts) : a_(a), b_(b), parts_(parts) {}

  index_pairs same() {
    std::size_t i = 0, j = 0, i_end = length(a_, true), j_end = length(b_, false);
    end_a_ = i_end;
    end_b_ = j_end;
    for (; i < i_end && j < j_end && equal(i, j); ++i, ++j)
      found_.emplace_back(i, j);
    index_pairs tail;
    for (; i < i_end && j < j_end && equal(i_end - 1, j_end - 1); --i_end, --j_end)
      tail.emplace_back(i_end - 1, j_end - 1);
    hash(i, i_end, j, j_end);
    between_equal_ones(i, i_end, j, j_end);
    found_.insert(found_.end(), tail.rbegin(), tail.rend());
    return std::move(found_);
  }

private:
  std::size_t length(const score& s, bool left) const {
    std::size_t longest = 0;
    for (auto& [p, q] : parts_)
      longest = std::max(longest, s.parts[left ? p : q]->measures.size());
    return longest;
  }

  bool equal(std::size_t i, std::size_t j) const {
    return std::all_of(parts_.begin(), parts_.end(), [&](auto& pair) {
      auto x = cell(a_, pair.first, i), y = cell(b_, pair.second, j);
      return !x == !y && (!x || same_body(*x, *y));
    });
  }

  /// One hash for each part, 0 where it has no measure.
  void hash(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    first_a_ = i;
    first_b_ = j;
    auto of = [&](measure_ptr m) { return m ? body_hash(*m) : 0; };
    for (; i < i_end; ++i)
      for (auto& [p, unused] : parts_)
        hashes_a_.push_back(of(cell(a_, p, i)));
    for (; j < j_end; ++j)
      for (auto& [unused, q] : parts_)
        hashes_b_.push_back(of(cell(b_, q, j)));
  }
  std::uint64_t hash_a(std::size_t i, std::size_t part) const {
    return hashes_a_[(i - first_a_) * parts_.size() + part];
  }
  std::uint64_t hash_b(std::size_t j, std::size_t part) const {
    return hashes_b_[(j - first_b_) * parts_.size() + part];
  }

  void between_equal_ones(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    std::vector<std::uint64_t> left, right;
    auto all = [&](auto hash_of, std::size_t at) {
      std::uint64_t sum = 0xcbf29ce484222325;
      for (std::size_t p = 0; p < parts_.size(); ++p)
        sum = (sum ^ hash_of(at, p)) * 0x100000001b3 + (sum >> 29);
      return sum;
    };
    for (auto at = i; at < i_end; ++at)
      left.push_back(all([this](auto c, auto p) { return hash_a(c, p); }, at));
    for (auto at = j; at < j_end; ++at)
      right.push_back(all([this](auto c, auto p) { return hash_b(c, p); }, at));
    auto from_i = i, from_j = j;
    for (auto [x, y] : settled(same_music(left, right), left, right)) {
      between_like_ones(from_i, i + x, from_j, j + y);
      found_.emplace_back(i + x, j + y);
      from_i = i + x + 1;
      from_j = j + y + 1;
    }
    between_like_ones(from_i, i_end, from_j, j_end);
  }

  /// How much speaks for columns being the same place: notes that are the same more than rests.
  unsigned likeness(std::size_t i, std::size_t j) const {
    unsigned sum = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (auto h = hash_a(i, p); h != 0 && h == hash_b(j, p))
        sum += has_notes(*cell(a_, parts_[p].first, i)) ? 4 : 1;
    return sum;
  }

  void between_like_ones(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    auto n = i_end - i, m = j_end - j;
    constexpr std::size_t most = 250'000;
    if (n == 0 || m == 0) return;
    if (n == m || parts_.size() < 2 || n * m * parts_.size() > most) {
      in_their_order(i, i_end, j, j_end);
      return;
    }
    std::vector<unsigned> best((n + 1) * (m + 1));
    auto at = [&](std::size_t x, std::size_t y) -> unsigned& { return best[x * (m + 1) + y]; };
    for (auto x = n; x-- > 0;)
      for (auto y = m; y-- > 0;)
        at(x, y) =
            std::max({at(x + 1, y), at(x, y + 1), at(x + 1, y + 1) + likeness(i + x, j + y)});
    auto from_i = i, from_j = j;
    for (std::size_t x = 0, y = 0; x < n && y < m;) {
      auto like = likeness(i + x, j + y);
      if (like > 0 && at(x, y) == at(x + 1, y + 1) + like) {
        in_their_order(from_i, i + x, from_j, j + y);
        found_.emplace_back(i + x, j + y);
        from_i = i + ++x;
        from_j = j + ++y;
      } else if (at(x, y) == at(x + 1, y)) {
        ++x;
      } else {
        ++y;
      }
    }
    in_their_order(from_i, i_end, from_j, j_end);
  }

  bool upbeats() const {
    return std::all_of(parts_.begin(), parts_.end(), [&](auto& pair) {
      auto x = cell(a_, pair.first, 0), y = cell(b_, pair.second, 0);
      return x && y && x->implicit && y->implicit;
    });
  }

  /// As many on both sides: each is the one at its place. Else only where it is clear which are too
  /// many, those at the end of the score, or at its beginning.
  void in_their_order(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    auto n = std::min(i_end - i, j_end - j);
    auto begins = i == 0 && j == 0;
    if (i_end - i != j_end - j) {
      if (begins && n > 0 && upbeats()) {
        // An upbeat stays in front of what came or went behind it.
        found_.emplace_back(i++, j++);
        --n;
      }
      auto to_the_end = i_end == end_a_ && j_end == end_b_;
      if (begins && !to_the_end)
        i = i_end - n, j = j_end - n;
      else if (!to_the_end)
        return;
    }
    for (; n > 0; --n)
      found_.emplace_back(i++, j++);
  }

  const score& a_;
  const score& b_;
  const index_pairs& parts_;
  std::size_t first_a_ = 0, first_b_ = 0;  ///< where the hashes begin
  std::size_t end_a_ = 0, end_b_ = 0;      ///< how many measures there are
  std::vector<std::uint64_t> hashes_a_, hashes_b_;
  index_pairs found_;
};

}  // namespace

index_pairs align_parts(const score& a, const score& b) {
  index_pairs found;
  std::vector<bool> known_a(a.parts.size()), known_b(b.parts.size());
  auto pair_up = [&](auto same) {
    for (std::size_t i = 0; i < a.parts.size(); ++i)
      for (std::size_t j = 0; j < b.parts.size() && !known_a[i]; ++j)
        if (!known_b[j] && same(*a.parts[i], *b.parts[j])) {
          known_a[i] = known_b[j] = true;
          found.emplace_back(i, j);
        }
  };
  pair_up([](auto& x, auto& y) { return x.id == y.id && x.name == y.name; });
  pair_up([](auto& x, auto& y) { return !x.name.empty() && x.name == y.name; });
  pair_up([](auto& x, auto& y) { return x.id == y.id; });
  std::sort(found.begin(), found.end());
  return found;
}

index_pairs align_columns(const score& a, const score& b, const index_pairs& parts) {
  return columns{a, b, parts}.same();
}

attributes opening_of(const measure& m) {
  measure opening;
  for (auto& item : m.items)
    if (is_opening(item)) place_attributes(opening, {}, "1", std::get<attributes>(item.content));
  return opening.items.empty() ? attributes{}
                               : std::get<attributes>(std::as_const(opening).items.front().content);
}

bool same_body(const measure& a, const measure& b) {
  if (a.implicit != b.implicit || a.padded_to != b.padded_to || !(a.extra == b.extra)) return false;
  if (a.items.shares(b.items)) return true;
  auto &x = a.items.all(), &y = b.items.all();
  auto i = x.begin(), j = y.begin();
  while (true) {
    i = std::find_if_not(i, x.end(), is_opening);
    j = std::find_if_not(j, y.end(), is_opening);
    if (i == x.end() || j == y.end()) return i == x.end() && j == y.end();
    if (!(*i++ == *j++)) return false;
  }
}

bool has_notes(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && std::any_of(x->notes.begin(), x->notes.end(),
                            [](auto& n) { return !std::holds_alternative<rest>(n.tone); });
  });
}

std::size_t columns_of(const score& s) {
  std::size_t longest = 0;
  for (auto& p : s.parts)
    longest = std::max(longest, p->measures.size());
  return longest;
}

}  // namespace fermata
