#include "core/theory/voice_leading.hpp"

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

using writing_fault = voice_leading_fault_kind;
using sounding_voices = std::vector<std::optional<pitch>>;

constexpr std::string_view fault_names[] = {
    "parallel fifths",  "parallel octaves", "parallel unisons", "contrary fifths",
    "contrary octaves", "hidden fifths",    "hidden octaves",   "crossing",
    "overlap",          "out of range",     "wide spacing",     "doubled leading tone",
};

bool is_fifth(interval i) { return mod(i.steps, 7) == 4 && mod(i.semitones, 12) == 7; }
bool is_octave(interval i) { return mod(i.steps, 7) == 0 && mod(i.semitones, 12) == 0; }
bool is_unison(interval i) { return i.steps == 0 && i.semitones == 0; }

/// Movement of one voice in hundredths of a semitone.
int movement(pitch from, pitch to) { return midi_cents(to) - midi_cents(from); }

class fault_finder {
public:
  fault_finder(const std::vector<voice_moment>& moments, const voice_leading_rules& rules)
    : moments_(moments), rules_(rules) {
    if (rules_.key) {
      auto seventh = degree(*rules_.key, 7);
      auto tonic = rules_.key->tonic;
      if (mod(pitch_class(tonic) - pitch_class(seventh), 12) == 2)
        seventh.cents = static_cast<std::int16_t>(seventh.cents + 100);
      leading_tone_ = seventh;
    }
  }

  std::vector<voice_leading_fault> all() {
    for (moment_ = 0; moment_ < moments_.size(); ++moment_) {
      const auto& now = moments_[moment_].voices;
      standing(now);
      if (moment_ > 0) moving(moments_[moment_ - 1].voices, now);
    }
    return std::move(faults_);
  }

private:
  void report(writing_fault k, std::size_t lower, std::size_t upper) {
    faults_.push_back({k, moment_, lower, upper});
  }

  void standing(const sounding_voices& now) {
    int leading_tones = 0;
    for (std::size_t v = 0; v < now.size(); ++v) {
      if (!now[v]) continue;
      if (auto range = v < rules_.ranges.size() ? rules_.ranges[v] : std::nullopt;
          range && (midi_cents(*now[v]) < midi_cents(range->low) ||
                    midi_cents(*now[v]) > midi_cents(range->high)))
        report(writing_fault::out_of_range, v, v);
      if (leading_tone_ && now[v]->name() == *leading_tone_ && ++leading_tones == 2)
        report(writing_fault::doubled_leading_tone, v, v);
      if (v + 1 >= now.size() || !now[v + 1]) continue;
      auto apart = midi_cents(*now[v + 1]) - midi_cents(*now[v]);
      if (apart < 0) report(writing_fault::crossing, v, v + 1);
      if (rules_.spacing && v > 0 && apart > 1200) report(writing_fault::wide_spacing, v, v + 1);
    }
  }

  void moving(const sounding_voices& before, const sounding_voices& now) {
    auto voices = std::min(before.size(), now.size());
    for (std::size_t low = 0; low < voices; ++low)
      for (auto high = low + 1; high < voices; ++high)
        if (before[low] && before[high] && now[low] && now[high])
          pair(before, now, low, high, low == 0 && high + 1 == voices);
    for (std::size_t v = 0; v + 1 < voices; ++v) {
      bool above = now[v] && before[v + 1] && midi_cents(*now[v]) > midi_cents(*before[v + 1]);
      bool below = now[v + 1] && before[v] && midi_cents(*now[v + 1]) < midi_cents(*before[v]);
      if (above || below) report(writing_fault::overlap, v, v + 1);
    }
  }

  void pair(const sounding_voices& before, const sounding_voices& now, std::size_t low,
            std::size_t high, bool outer) {
    auto low_moves = movement(*before[low], *now[low]);
    auto high_moves = movement(*before[high], *now[high]);
    if (low_moves == 0 || high_moves == 0) return;
    bool similar = (low_moves > 0) == (high_moves > 0);
    // Crossed or not: a fifth is a fifth whichever voice has the upper tone.
    auto apart = [](const pitch& a, const pitch& b) {
      return midi_cents(a) <= midi_cents(b) ? between(a, b) : between(b, a);
    };
    auto from = apart(*before[low], *before[high]), to = apart(*now[low], *now[high]);
    if (is_fifth(from) && is_fifth(to)) {
      report(similar ? writing_fault::parallel_fifths : writing_fault::contrary_fifths, low, high);
    } else if (is_octave(from) && is_octave(to)) {
      report(!similar                           ? writing_fault::contrary_octaves
             : is_unison(from) && is_unison(to) ? writing_fault::parallel_unisons
                                                : writing_fault::parallel_octaves,
             low, high);
    } else if (outer && similar && std::abs(between(*before[high], *now[high]).steps) > 1) {
      if (is_fifth(to))
        report(writing_fault::hidden_fifths, low, high);
      else if (is_octave(to))
        report(writing_fault::hidden_octaves, low, high);
    }
  }

  const std::vector<voice_moment>& moments_;
  const voice_leading_rules& rules_;
  std::optional<pitch_name> leading_tone_;
  std::size_t moment_ = 0;
  std::vector<voice_leading_fault> faults_;
};

}  // namespace

std::vector<voice_moment> voice_moments(const std::vector<std::vector<timed_note>>& voices) {
  std::set<quarters> times;
  for (const auto& voice : voices)
    for (const auto& n : voice) {
      times.insert(n.onset);
      times.insert(n.onset + n.length);
    }
  std::vector<voice_moment> moments;
  for (auto at : times)
    moments.push_back({at, sounding_voices(voices.size())});
  for (std::size_t v = 0; v < voices.size(); ++v)
    for (const auto& n : voices[v]) {
      auto first = std::lower_bound(moments.begin(), moments.end(), n.onset,
                                    [](const voice_moment& m, quarters q) { return m.at < q; });
      for (; first != moments.end() && first->at < n.onset + n.length; ++first)
        first->voices[v] = n.pitch;
    }
  return moments;
}

std::string_view to_string(voice_leading_fault_kind k) {
  return fault_names[static_cast<std::size_t>(k)];
}

const std::vector<voice_range>& satb_ranges() {
  static const std::vector<voice_range> ranges{
      {{step::e, 0, 2}, {step::d, 0, 4}},
      {{step::c, 0, 3}, {step::a, 0, 4}},
      {{step::f, 0, 3}, {step::d, 0, 5}},
      {{step::c, 0, 4}, {step::a, 0, 5}},
  };
  return ranges;
}

std::vector<voice_leading_fault> voice_leading_faults(const std::vector<voice_moment>& moments,
                                                      const voice_leading_rules& rules) {
  return fault_finder{moments, rules}.all();
}

std::vector<voice_leading_fault> voice_leading_faults(const std::vector<std::vector<pitch>>& chords,
                                                      const voice_leading_rules& rules) {
  std::vector<voice_moment> moments;
  for (std::size_t i = 0; i < chords.size(); ++i)
    moments.push_back({quarters{static_cast<std::int64_t>(i)},
                       sounding_voices(chords[i].begin(), chords[i].end())});
  return voice_leading_faults(moments, rules);
}

}  // namespace fermata
