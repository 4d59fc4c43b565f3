#include "midi/smf/lyrics.hpp"

#include "midi/smf/meta.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace fermata::midi::smf {

namespace {

std::string trimmed(const std::string& text) {
  auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// How many of the syllables stand where a note of the part begins.
std::size_t meetings(const lyrics_by_time& lyrics, const file_part& p) {
  return static_cast<std::size_t>(
      std::count_if(lyrics.begin(), lyrics.end(), [&](const auto& syllable) {
        auto n = std::lower_bound(p.notes.begin(), p.notes.end(), syllable.first,
                                  [](const file_note& x, ticks at) { return x.on < at; });
        return n != p.notes.end() && n->on == syllable.first;
      }));
}

/// The part of a track, or of all tracks, that sings the lyrics.
std::optional<std::size_t> singer_of(const lyrics_by_time& lyrics, const file& f, std::size_t track,
                                     const std::vector<file_part>& parts) {
  if (f.format != 0)
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].track == track && !parts[i].is_percussion()) return i;
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (auto n = meetings(lyrics, parts[i]); n > most && !parts[i].is_percussion()) {
      most = n;
      best = i;
    }
  return best;
}

}  // namespace

lyrics_by_time lyrics_of(const track& t) {
  lyrics_by_time found;
  std::map<std::size_t, bool> goes_on;  // by verse: the word is not complete
  for (auto& e : t.events) {
    auto* m = std::get_if<meta_event>(&e.message);
    if (!m || !is(*m, meta_type::lyric)) continue;
    auto text = trimmed(text_of(m->data));
    auto joins = text.size() > 1 && text.back() == '-';
    if (joins) text.pop_back();
    if (text.empty()) continue;
    auto& verses = found[e.at];
    auto verse = verses.size() + 1;
    auto& before = goes_on[verse];
    lyric l;
    l.number = std::to_string(verse);
    l.syllables.push_back(
        {{}, before ? (joins ? "middle" : "end") : (joins ? "begin" : "single"), text, {}});
    before = joins;
    verses.push_back(std::move(l));
  }
  return found;
}

std::vector<lyrics_by_time> lyrics_of_parts(const file& f, const std::vector<file_part>& parts,
                                            std::size_t& left_out) {
  std::vector<lyrics_by_time> by_part(parts.size());
  for (std::size_t i = 0; i < f.tracks.size(); ++i) {
    auto lyrics = lyrics_of(f.tracks[i]);
    if (lyrics.empty()) continue;
    auto singer = singer_of(lyrics, f, i, parts);
    if (!singer) {
      for (auto& [at, verses] : lyrics)
        left_out += verses.size();
      continue;
    }
    for (auto& [at, verses] : lyrics)
      if (!by_part[*singer].emplace(at, verses).second) left_out += verses.size();
  }
  return by_part;
}

}  // namespace fermata::midi::smf
