#include "core/score/analysis/kept_staves.hpp"

#include "core/score/model/placing.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

/// The voices of a staff, without those that new ones take the place of: the one of the same name,
/// else the first that is left.
std::vector<std::string> not_replaced(std::vector<std::string> voices,
                                      std::vector<std::string> made) {
  auto take = [&](const std::string& voice) { return std::erase(voices, voice) > 0; };
  std::erase_if(made, take);
  voices.erase(voices.begin(),
               voices.begin() + static_cast<std::ptrdiff_t>(std::min(voices.size(), made.size())));
  return voices;
}

/// Whether all of the new voices are voices of that staff, and the first one is not among them.
bool names_later_ones(const std::vector<std::string>& voices,
                      const std::vector<std::string>& made) {
  return !made.empty() && std::all_of(made.begin(), made.end(), [&](auto& voice) {
    return std::find(voices.begin() + 1, voices.end(), voice) != voices.end();
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
  std::map<std::uint8_t, std::vector<std::string>> old_on, new_on;  // by first staff
  std::set<std::uint8_t> written;
  for (auto& [voice, staves] : new_voices) {
    written.insert(staves.begin(), staves.end());
    new_on[*staves.begin()].push_back(voice);
  }
  if (written.empty()) return kept;
  for (auto& [voice, staves] : old_voices) {
    auto is_written = [&](auto staff) { return written.contains(staff); };
    if (std::any_of(staves.begin(), staves.end(), is_written)) {
      old_on[*staves.begin()].push_back(voice);
      continue;
    }
    kept.voices.insert(voice);
    kept.staves.insert(staves.begin(), staves.end());
    kept.sounds = kept.sounds || sounds_in(old, voice);
  }
  for (auto& [staff, voices] : old_on)
    for (auto& voice : not_replaced(voices, new_on[staff])) {
      const auto sounds = sounds_in(old, voice);
      if (names_later_ones(voices, new_on[staff])) {
        kept.voices.insert(voice);
        kept.sounds = kept.sounds || sounds;
      } else if (sounds) {
        kept.removed_voices.push_back(voice);
      }
    }
  auto is_kept = [&](std::optional<std::uint8_t> staff) {
    return staff && kept.staves.contains(*staff);
  };
  bool replaced = false;
  for (auto& item : old.items) {
    if (!replaced) kept.leading = kept.items.size();
    if (auto x = std::get_if<chord_rest>(&item.content)) {
      if (kept.voices.contains(x->voice))
        kept.items.push_back(item);
      else
        replaced = true;
    } else if (auto d = std::get_if<direction>(&item.content)) {
      if (is_kept(d->staff)) kept.items.push_back(item);
    } else if (auto h = std::get_if<harmony>(&item.content)) {
      if (is_kept(h->staff)) kept.items.push_back(item);
    } else if (auto a = std::get_if<attributes>(&item.content)) {
      if (auto own = only_for(*a, kept.staves); own != attributes{})
        kept.items.push_back({item.at, std::move(own)});
    }
  }
  if (!replaced) kept.leading = 0;
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
  auto is_opening = [](auto& item) {
    return std::holds_alternative<attributes>(item.content) && item.at == measure_position{};
  };
  std::vector<measure_item> items;
  // What was made of the old measure may have passed on marks of a staff whose notes it left out.
  auto is_there = [&](const measure_item& item) {
    return std::find(made.items.begin(), made.items.end(), item) != made.items.end();
  };
  auto add = [&](std::size_t first, std::size_t last) {
    for (auto i = first; i < last; ++i)
      if (!is_opening(kept.items[i]) && !is_there(kept.items[i])) items.push_back(kept.items[i]);
  };
  auto has_leading = false;
  for (auto item : made.items) {
    if (!has_leading && !is_opening(item)) {
      add(0, kept.leading);
      has_leading = true;
    }
    if (auto x = std::get_if<chord_rest>(&item.content))
      if (auto name = names.find(x->voice); name != names.end()) x->voice = name->second;
    items.push_back(std::move(item));
  }
  add(has_leading ? kept.leading : 0, kept.items.size());
  made.items = shared_list<measure_item>{std::move(items)};
  for (auto& item : kept.items)
    if (is_opening(item)) place_attributes(made, item.at, "1", std::get<attributes>(item.content));
}

}  // namespace fermata
