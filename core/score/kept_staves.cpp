#include "core/score/kept_staves.hpp"

#include "core/score/placing.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace fermata {

namespace {

std::uint8_t staff_of(const chord_rest& x) { return x.staff == 0 ? std::uint8_t{1} : x.staff; }

/// The staves that each voice is written on.
std::map<std::string, std::set<std::uint8_t>> staves_by_voice(const measure& m) {
  std::map<std::string, std::set<std::uint8_t>> found;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content)) found[x->voice].insert(staff_of(*x));
  return found;
}

template <class T>
void keep_staves(std::vector<for_staff<T>>& changes, const std::set<std::uint8_t>& staves) {
  std::erase_if(changes, [&](auto& x) { return !x.staff || !staves.contains(*x.staff); });
}

/// What of a change of clef or transposition is for these staves alone. Keys and metres are of the
/// whole measure, and the new one says them.
attributes only_for(const attributes& a, const std::set<std::uint8_t>& staves) {
  attributes own;
  own.clefs = a.clefs;
  own.transpositions = a.transpositions;
  keep_staves(own.clefs, staves);
  keep_staves(own.transpositions, staves);
  return own;
}

bool sounds_in(const measure& m, const std::string& voice) {
  return std::any_of(m.items.begin(), m.items.end(), [&](auto& item) {
    auto x = std::get_if<chord_rest>(&item.content);
    return x != nullptr && x->voice == voice && !is_rest(*x);
  });
}

std::string free_voice(const std::set<std::string>& taken) {
  for (int n = 1;; ++n)
    if (auto name = std::to_string(n); !taken.contains(name)) return name;
}

}  // namespace

kept_staves kept_beside(const measure& made, const measure& old) {
  kept_staves kept;
  auto new_voices = staves_by_voice(made), old_voices = staves_by_voice(old);
  std::set<std::uint8_t> written;
  std::map<std::uint8_t, std::size_t> voices_on;  // of the new measure
  for (auto& [voice, staves] : new_voices) {
    written.insert(staves.begin(), staves.end());
    ++voices_on[*staves.begin()];
  }
  if (written.empty()) return kept;
  for (auto& [voice, staves] : old_voices) {
    auto is_written = [&](auto staff) { return written.contains(staff); };
    if (std::any_of(staves.begin(), staves.end(), is_written)) {
      if (!sounds_in(old, voice)) continue;
      auto& left = voices_on[*staves.begin()];
      if (left == 0)
        kept.removed_voices.push_back(voice);
      else
        --left;
      continue;
    }
    kept.voices.insert(voice);
    kept.staves.insert(staves.begin(), staves.end());
    kept.sounds = kept.sounds || sounds_in(old, voice);
  }
  auto is_kept = [&](std::optional<std::uint8_t> staff) {
    return staff && kept.staves.contains(*staff);
  };
  for (auto& item : old.items) {
    if (auto x = std::get_if<chord_rest>(&item.content)) {
      if (kept.voices.contains(x->voice)) kept.items.push_back(item);
    } else if (auto d = std::get_if<direction>(&item.content)) {
      if (is_kept(d->staff)) kept.items.push_back(item);
    } else if (auto h = std::get_if<harmony>(&item.content)) {
      if (is_kept(h->staff)) kept.items.push_back(item);
    } else if (auto a = std::get_if<attributes>(&item.content)) {
      if (auto own = only_for(*a, kept.staves); own != attributes{})
        kept.items.push_back({item.at, std::move(own)});
    }
  }
  return kept;
}

void add_kept(measure& made, const kept_staves& kept, const measure& old) {
  auto new_voices = staves_by_voice(made), old_voices = staves_by_voice(old);
  auto taken = kept.voices;
  for (auto& [voice, unused] : new_voices)
    taken.insert(voice);
  std::map<std::string, std::string> names;
  for (auto& [voice, staves] : new_voices) {
    if (!kept.voices.contains(voice)) continue;
    auto staff = *staves.begin();
    auto replaced = std::find_if(old_voices.begin(), old_voices.end(), [&](auto& v) {
      return !taken.contains(v.first) && v.second.contains(staff);
    });
    auto name = replaced != old_voices.end() ? replaced->first : free_voice(taken);
    taken.insert(name);
    names.emplace(voice, std::move(name));
  }
  std::vector<measure_item> items;
  for (auto item : made.items) {
    if (auto x = std::get_if<chord_rest>(&item.content))
      if (auto name = names.find(x->voice); name != names.end()) x->voice = name->second;
    items.push_back(std::move(item));
  }
  auto is_opening = [](auto& item) {
    return std::holds_alternative<attributes>(item.content) && item.at == measure_position{};
  };
  std::copy_if(kept.items.begin(), kept.items.end(), std::back_inserter(items),
               [&](auto& item) { return !is_opening(item); });
  made.items = shared_list<measure_item>{std::move(items)};
  for (auto& item : kept.items)
    if (is_opening(item)) place_attributes(made, item.at, "1", std::get<attributes>(item.content));
}

}  // namespace fermata
