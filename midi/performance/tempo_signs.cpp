#include "midi/performance/tempo_signs.hpp"

#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

namespace fermata::midi {

namespace {

using sign_kind = tempo_sign::kind;

struct tempo_word {
  std::string_view word;
  double quarters_per_minute;
};
constexpr std::array tempo_words{
    tempo_word{"grave", 35},       tempo_word{"largo", 50},     tempo_word{"lento", 52.5},
    tempo_word{"larghetto", 63},   tempo_word{"adagio", 71},    tempo_word{"andante", 92},
    tempo_word{"andantino", 94},   tempo_word{"moderato", 114}, tempo_word{"allegretto", 116},
    tempo_word{"allegro", 144},    tempo_word{"vivace", 172},   tempo_word{"presto", 187},
    tempo_word{"prestissimo", 200}};

constexpr std::array<std::string_view, 10> slower_words{
    "rit",  "ritard",      "ritardando", "riten",    "ritenuto",
    "rall", "rallentando", "allargando", "lentando", "slentando"};
constexpr std::array<std::string_view, 3> faster_words{"accel", "accelerando", "stringendo"};

bool is_playable_tempo(double quarters_per_minute) {
  return quarters_per_minute >= slowest_tempo && quarters_per_minute <= fastest_tempo;
}

/// A sign and how much it counts beside others at its place.
struct weighed_sign {
  tempo_sign sign;
  int weight;
};

std::optional<weighed_sign> sign_in_sound(const sound& s) {
  auto tempo = number_in(s.attribute("tempo"));
  if (!tempo || !is_playable_tempo(*tempo)) return std::nullopt;
  return weighed_sign{{sign_kind::set, *tempo}, 3};
}

std::optional<weighed_sign> sign_in_metronome(const metronome& m) {
  auto beat = length(m.beat).value.to_double();
  if (m.equals)
    return weighed_sign{{sign_kind::times, length(*m.equals).value.to_double() / beat}, 2};
  auto number = first_number_in(m.per_minute);
  if (!number || !is_playable_tempo(*number * beat)) return std::nullopt;
  return weighed_sign{{sign_kind::set, *number * beat}, 2};
}

std::optional<weighed_sign> sign_in_direction(const direction& d) {
  if (d.sound)
    if (auto said = sign_in_sound(*d.sound)) return said;
  for (auto& t : d.types)
    if (auto* m = std::get_if<metronome>(&t))
      if (auto said = sign_in_metronome(*m)) return said;
  for (auto& t : d.types)
    if (auto* w = std::get_if<words>(&t))
      if (auto said = tempo_in_words(w->text)) return weighed_sign{*said, 1};
  return std::nullopt;
}

std::optional<weighed_sign> sign_in(const measure_item& item) {
  if (auto* d = std::get_if<direction>(&item.content)) return sign_in_direction(*d);
  if (auto* s = std::get_if<sound>(&item.content)) return sign_in_sound(*s);
  return std::nullopt;
}

/// The signs of one measure, from all parts.
class measure_tempos {
public:
  void read(const measure& m) {
    for (auto& item : m.items) {
      auto said = sign_in(item);
      if (!said) continue;
      auto& here = at_[sounding_place(item)];
      auto& slot = said->sign.what == sign_kind::gradual ? here.second : here.first;
      if (!slot || said->weight > slot->weight) slot = said;
    }
  }

  void add_to(std::vector<written_change<tempo_sign>>& signs, std::size_t index) const {
    for (auto& [place, here] : at_) {
      if (here.first) signs.push_back({index, place, here.first->sign});
      if (here.second) signs.push_back({index, place, here.second->sign});
    }
  }

private:
  using slots = std::pair<std::optional<weighed_sign>, std::optional<weighed_sign>>;
  std::map<measure_position, slots> at_;  ///< at once, gradual
};

}  // namespace

std::optional<tempo_sign> tempo_in_words(std::string_view text) {
  auto plain = plain_words_of(text);
  auto begins = [&](std::string_view start) {
    return plain == start || plain.compare(0, start.size() + 1, std::string{start} + ' ') == 0;
  };
  if (begins("a tempo")) return tempo_sign{sign_kind::a_tempo, 1};
  if (begins("tempo primo") || begins("tempo i") || begins("tempo 1"))
    return tempo_sign{sign_kind::primo, 1};
  std::istringstream in{plain};
  bool poco = plain.compare(0, 4, "poco") == 0 && plain.compare(0, 11, "poco a poco") != 0;
  auto factor = poco ? 0.9 : 0.6;
  bool first = true;
  for (std::string word; in >> word; first = false) {
    auto is = [&](std::string_view w) { return w == word; };
    if (std::any_of(slower_words.begin(), slower_words.end(), is))
      return tempo_sign{sign_kind::gradual, factor};
    if (std::any_of(faster_words.begin(), faster_words.end(), is))
      return tempo_sign{sign_kind::gradual, 1 / factor};
    if (first)
      for (auto& t : tempo_words)
        if (is(t.word)) return tempo_sign{sign_kind::set, t.quarters_per_minute};
  }
  return std::nullopt;
}

std::vector<written_change<tempo_sign>> tempo_signs(const score& s) {
  std::size_t count = 0;
  for (auto& p : s.parts)
    count = std::max(count, p->measures.size());
  std::vector<written_change<tempo_sign>> signs;
  for (std::size_t m = 0; m < count; ++m) {
    measure_tempos here;
    for (auto& p : s.parts)
      if (m < p->measures.size()) here.read(p->measures.music_at(m));
    here.add_to(signs, m);
  }
  return signs;
}

}  // namespace fermata::midi
