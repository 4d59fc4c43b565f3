#include "core/score/model/part_names.hpp"

#include "core/music/name_match.hpp"

namespace fermata {

namespace {

template <class Predicate>
std::vector<std::size_t> parts_where(const score& s, Predicate holds) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < s.parts.size(); ++i)
    if (holds(*s.parts[i])) found.push_back(i);
  return found;
}

}  // namespace

bool is_called(const part& p, std::string_view name) {
  return same_name(p.id, name) || same_name(p.name, name);
}

bool is_name_of_instrument(std::string_view name, std::string_view instrument) {
  auto row = find_instrument(instrument);
  return row && find_instrument(name) == row;
}

bool is_for_instrument(const part& p, std::string_view instrument) {
  // A second instrument is one that the player takes up for a while.
  return is_name_of_instrument(p.name, instrument) ||
         (!p.instruments.empty() && is_name_of_instrument(p.instruments.front().name, instrument));
}

const instrument_info* known_instrument(const part_instrument& i) {
  auto known = find_instrument(i.name);
  if (!known && !i.sound.empty())
    for (const auto& row : instrument_table())
      if (row.sound == i.sound) known = &row;
  return known;
}

std::vector<std::size_t> parts_called(const score& s, std::string_view word) {
  auto found = parts_where(s, [&](auto& p) { return is_called(p, word); });
  if (found.empty()) found = parts_where(s, [&](auto& p) { return is_for_instrument(p, word); });
  return found;
}

}  // namespace fermata
