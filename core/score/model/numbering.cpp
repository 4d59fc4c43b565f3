#include "core/score/model/numbering.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace fermata {

namespace {

std::optional<int> whole_number(std::string_view text) {
  int n = 0;
  auto end = text.data() + text.size();
  auto [stop, fault] = std::from_chars(text.data(), end, n);
  if (fault != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return n;
}

constexpr char uncounted = 'X';

/// What the next measure counts on from; a pickup numbered 0 begins a new count, as at the start of
/// a movement.
std::optional<int> count_behind(const measure& m) {
  auto n = counted_number(m);
  return n && (!m.implicit || *n == 0) ? n : std::nullopt;
}

std::string number_behind(std::int64_t n, bool implicit) {
  auto text = std::to_string(n + 1);
  return implicit ? uncounted + text : text;
}

}  // namespace

std::optional<int> counted_number(const measure& m) { return whole_number(m.number); }

std::optional<int> uncounted_number(const measure& m) {
  if (!m.implicit || m.number.size() < 2 || m.number[0] != uncounted || m.number[1] < '1' ||
      m.number[1] > '9')
    return std::nullopt;
  return whole_number(std::string_view{m.number}.substr(1));
}

std::string measure_count::next(bool implicit) const {
  if (implicit && !begun_) return "0";
  return number_behind(implicit ? uncounted_ : counted_, implicit);
}

void measure_count::pass(const measure& m) {
  begun_ = true;
  counted_ = count_behind(m).value_or(counted_);
  uncounted_ = uncounted_number(m).value_or(uncounted_);
}

std::optional<int> plain_number(const measure& m) {
  auto n = counted_number(m);
  if (!n || m.implicit) return std::nullopt;
  auto first_digit = m.number[m.number.front() == '-'];
  return first_digit != '0' || m.number == "0" ? n : std::nullopt;
}

measure_ptr renumbered(const measure_ptr& m, std::int64_t by) {
  auto n = plain_number(*m);
  if (!n || by == 0) return m;
  std::int64_t next = 0;
  if (__builtin_add_overflow(std::int64_t{*n}, by, &next) || !std::in_range<int>(next))
    return nullptr;
  auto copy = std::make_shared<measure>(*m);
  copy->number = std::to_string(next);
  return copy;
}

std::string next_measure_number(const part& p, std::size_t index, bool implicit) {
  if (index == 0) return measure_count{}.next(implicit);
  for (auto i = std::min(index, p.measures.size()); i-- > 0;)
    if (auto n = implicit ? uncounted_number(*p.measures[i]) : count_behind(*p.measures[i]))
      return number_behind(*n, implicit);
  return number_behind(0, implicit);
}

}  // namespace fermata
