#include "core/score/model/measure_names.hpp"

#include "core/score/model/numbering.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace fermata {

namespace {

/// "12" as 12.
std::optional<int> as_count(std::string_view text) {
  int n = 0;
  auto end = text.data() + text.size();
  auto [stop, fault] = std::from_chars(text.data(), end, n);
  if (text.empty() || fault != std::errc{} || stop != end) return std::nullopt;
  return n;
}

/// Of something with so many measures.
template <class Owner>
std::string all_in_words(const Owner& owner, std::size_t count) {
  if (count == 0) return "no measures";
  auto words = measures_in_words(printed_number(owner, 0), printed_number(owner, count - 1));
  return (count == 1 ? "only " : "the ") + words;
}

}  // namespace

std::string printed_number(const measure& m, std::size_t index) {
  return m.number.empty() ? std::to_string(index + 1) : m.number;
}

std::string printed_number(const part& p, std::size_t index) {
  auto size = p.measures.size();
  if (index < size) return printed_number(*p.measures[index], index);
  auto next = next_measure_number(p, size);
  auto n = as_count(next);
  return n ? std::to_string(std::int64_t{*n} + static_cast<std::int64_t>(index - size)) : next;
}

std::string printed_number(const score& s, std::size_t index) {
  for (auto& p : s.parts)
    if (index < p->measures.size()) return printed_number(*p, index);
  auto longest = longest_part(s);
  return printed_number(longest ? *longest : part{}, index);
}

std::optional<std::size_t> index_of_number(const part& p, std::string_view number) {
  return p.measures.find_number(number);
}

std::optional<std::size_t> index_past_end(const part& p, std::string_view number) {
  auto n = as_count(number), next = as_count(next_measure_number(p, p.measures.size()));
  if (!n || !next || *n < *next) return std::nullopt;
  return p.measures.size() + static_cast<std::size_t>(std::int64_t{*n} - *next);
}

const part* longest_part(const score& s) {
  auto longest = std::max_element(s.parts.begin(), s.parts.end(), [](auto& a, auto& b) {
    return a->measures.size() < b->measures.size();
  });
  return longest == s.parts.end() ? nullptr : longest->get();
}

std::string measures_in_words(const std::string& first, const std::string& last) {
  return first == last ? "measure " + first : "measures " + first + " to " + last;
}

std::string measures_in_words(const score& s, std::size_t first, std::size_t end) {
  return measures_in_words(printed_number(s, first), printed_number(s, end - 1));
}

std::string measures_there(const score& s) {
  auto longest = longest_part(s);
  return all_in_words(s, longest ? longest->measures.size() : 0);
}

std::string measures_there(const part& p) { return all_in_words(p, p.measures.size()); }

}  // namespace fermata
