#include "core/theory/numeral_naming.hpp"

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>
#include <array>

namespace fermata {

namespace {

/// What stands above a root when the tones are sorted into thirds: semitones of third, fifth,
/// seventh and ninth, 0 for a tone that is not there.
struct third_stack {
  pitch_name root;
  int third = 0, fifth = 0, seventh = 0, ninth = 0;
};

std::optional<third_stack> stacked_on(pitch_name root, const std::vector<pitch_name>& tones) {
  third_stack s{root};
  for (auto t : tones) {
    if (t == root) continue;
    auto steps = mod(static_cast<int>(t.letter) - static_cast<int>(root.letter), 7);
    auto semitones = mod(pitch_class(t) - pitch_class(root), 12);
    auto& place = steps == 2                  ? s.third
                  : steps == 4                ? s.fifth
                  : steps == 6                ? s.seventh
                  : steps == 1                ? s.ninth
                  : s.root.letter == t.letter ? s.ninth
                                              : s.third;
    bool belongs = steps == 1 || steps == 2 || steps == 4 || steps == 6;
    if (!belongs || place != 0 || semitones == 0) return std::nullopt;
    place = semitones;
  }
  if (s.third == 0 || (s.fifth == 0 && s.seventh == 0) || (s.ninth != 0 && s.seventh == 0))
    return std::nullopt;
  return s;
}

std::optional<triad_quality> quality_of(const third_stack& s) {
  auto fifth = s.fifth == 0 ? 7 : s.fifth;
  if (s.third == 4 && fifth == 7) return triad_quality::major;
  if (s.third == 4 && fifth == 8) return triad_quality::augmented;
  if (s.third == 3 && fifth == 7) return triad_quality::minor;
  if (s.third == 3 && fifth == 6)
    return s.seventh == 10 ? triad_quality::half_diminished : triad_quality::diminished;
  return std::nullopt;
}

bool same_tones(std::vector<pitch_name> a, std::vector<pitch_name> b) {
  auto before = [](pitch_name x, pitch_name y) {
    return x.letter != y.letter ? x.letter < y.letter : x.cents < y.cents;
  };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  return a == b;
}

/// How many tones do not belong to the key; in minor the raised sixth and seventh do too.
int foreign_tones(const std::vector<pitch_name>& tones, const tonality& key) {
  int count = 0;
  for (auto t : tones) {
    auto d = degree_of(key, t);
    bool raised = key.mode == mode::minor && d && d->alteration == 1 && d->degree >= 6;
    count += d && (d->alteration == 0 || raised) ? 0 : 1;
  }
  return count;
}

/// Collects numerals that turn out to mean the chord.
class naming {
public:
  naming(const std::vector<pitch_name>& tones, pitch_name bass, const tonality& key,
         std::optional<pitch_name> next)
    : tones_(tones), bass_(bass), key_(key), next_(next) {}

  std::vector<numeral_match> all() {
    for (auto root : tones_)
      if (auto s = stacked_on(root, tones_))
        if (auto q = quality_of(*s)) {
          at_home(*s, *q);
          if (s->fifth != 0 || s->seventh != 0) applied(*s, *q);
        }
    named_chords();
    std::stable_sort(
        matches_.begin(), matches_.end(),
        [](const numeral_match& a, const numeral_match& b) { return a.cost < b.cost; });
    return std::move(matches_);
  }

private:
  /// Adds the numeral if the chord it means is this one. Inversion and missing fifth are filled in.
  bool try_numeral(roman_numeral n, double cost) {
    if (auto chord = chord_of(n, key_)) {
      auto at = std::find(chord->tones.begin(), chord->tones.end(), bass_);
      if (at == chord->tones.end() || at - chord->tones.begin() > 3) return false;
      bool by_name = n.kind != numeral_kind::degree;
      n.inversion = static_cast<int>(at - chord->tones.begin());
      if (n.extension > 7 && n.inversion > 0) return false;
      if (!same_tones(chord->tones, tones_)) {
        if (by_name || chord->tones.size() != tones_.size() + 1 || chord->tones.size() < 4 ||
            bass_ == chord->tones[2])
          return false;
        n.alterations.push_back({numeral_alteration::action::omit, 5, 0});
        chord = chord_of(n, key_);
        if (!same_tones(chord->tones, tones_)) return false;
        cost += 0.5;
      }
      for (const auto& m : matches_)
        if (m.numeral == n) return true;
      matches_.push_back({std::move(n), cost});
      return true;
    }
    return false;
  }

  /// Tries the numeral as it is, with maj7, and with what differs from the key in brackets.
  void try_shapes(roman_numeral n, const third_stack& s, double cost) {
    n.extension = s.ninth != 0 ? 9 : s.seventh != 0 ? 7 : 5;
    if (try_numeral(n, cost)) return;
    if (s.seventh == 11) {
      auto major = n;
      major.major_seventh = true;
      if (try_numeral(major, cost + 1)) return;
    }
    // What the numeral alone does not say is put in brackets.
    auto plain = chord_of(n, key_);
    if (!plain) return;
    int wanted[] = {0, s.third, s.fifth, s.seventh, s.ninth};
    for (std::size_t i = 1; i < plain->tones.size() && i < 5; ++i) {
      auto semitones = mod(pitch_class(plain->tones[i]) - pitch_class(s.root), 12);
      auto difference = mod(wanted[i] - semitones + 6, 12) - 6;
      if (wanted[i] != 0 && difference != 0)
        n.alterations.push_back(
            {numeral_alteration::action::alter, 2 * static_cast<int>(i) + 1, difference});
    }
    try_numeral(n, cost + 3 * static_cast<double>(n.alterations.size()));
  }

  void at_home(const third_stack& s, triad_quality q) {
    auto d = degree_of(key_, s.root);
    if (!d || d->alteration < -3 || d->alteration > 3) return;
    double cost = home_cost(*d, q);
    roman_numeral n;
    n.degree = d->degree;
    n.quality = q;
    // In minor the sign depends on the case; without one first, so that viio is not #viio.
    for (int accidental : {0, 1, -1, 2, -2, 3, -3}) {
      n.accidental = accidental;
      auto root = chord_of(n, key_);
      if (root && root->root() == s.root) {
        try_shapes(n, s, cost);
        return;
      }
    }
  }

  double home_cost(altered_degree d, triad_quality q) const {
    auto foreign = foreign_tones(tones_, key_);
    if (foreign == 0)
      return d.degree == 7 && key_.mode == mode::minor && d.alteration == 1 &&
                     q == triad_quality::minor
                 ? 4
                 : 0;
    // A major tonic closes many a piece in minor.
    if (d.degree == 1 && d.alteration == 0 && q == triad_quality::major && tones_.size() == 3)
      return 1.5;
    return foreign_tones(tones_, parallel(key_)) == 0 ? 3 : 6;
  }

  void applied(const third_stack& s, triad_quality q) {
    // Dominants only: what else is heard in another key is a matter of that key.
    struct dominant {
      int degree;
      triad_quality quality;
      int tonic_below;  ///< from the root down to the tonic it leads to, as steps and semitones
      interval to_tonic;
    };
    constexpr dominant dominants[] = {
        {5, triad_quality::major, 0, {3, 5}},
        {7, triad_quality::diminished, 0, {1, 1}},
        {7, triad_quality::half_diminished, 0, {1, 1}},
    };
    for (const auto& d : dominants) {
      if (d.quality != q || (d.degree == 5 && s.seventh != 0 && s.seventh != 10)) continue;
      auto tonic = transposed(s.root, d.to_tonic);
      for (auto target : targets(tonic)) {
        roman_numeral n;
        n.degree = d.degree;
        n.quality = q;
        auto cost = 2.0 + (d.degree == 7 ? 0.3 : 0) + (s.seventh == 0 && d.degree == 5 ? 0.2 : 0) +
                    target_cost(target, tonic);
        n.applied_to = {std::move(target)};
        try_shapes(n, s, cost);
      }
    }
  }

  /// The numerals of the key whose root is `tonic`, as targets of an applied chord; never the tonic
  /// of the key itself.
  std::vector<roman_numeral> targets(pitch_name tonic) const {
    std::vector<roman_numeral> result;
    for (int i = 2; i <= 7; ++i)
      for (auto q : {triad_quality::major, triad_quality::minor})
        for (int accidental : {0, -1}) {
          roman_numeral n;
          n.degree = i;
          n.quality = q;
          n.accidental = accidental;
          auto chord = chord_of(n, key_);
          if (chord && chord->root() == tonic && is_target(n, *chord)) result.push_back(n);
        }
    return result;
  }

  /// What is tonicized: the triads of the key as its signature has them (a diminished triad cannot
  /// be a tonic, so what would lead to one is named by its own degree: A C# E in C minor is #VI),
  /// the major dominant of minor, the Neapolitan, and in major the flat side of the parallel minor.
  bool is_target(const roman_numeral& n, const numeral_chord& chord) const {
    // In major vii is written small, but its triad is diminished all the same.
    if (chord.tones[2] != transposed(chord.tones[0], interval{4, 7})) return false;
    bool major = n.quality == triad_quality::major;
    if (major && n.degree == 2 && n.accidental == -1) return true;
    if (n.accidental == -1)
      return major && key_.mode == mode::major && foreign_tones(chord.tones, parallel(key_)) == 0;
    if (major && n.degree == 5) return true;
    return std::all_of(chord.tones.begin(), chord.tones.end(), [&](pitch_name t) {
      auto d = degree_of(key_, t);
      return d && d->alteration == 0;
    });
  }

  double target_cost(const roman_numeral& target, pitch_name tonic) const {
    double cost = target.degree == 5                                               ? 0
                  : target.degree == 4 || target.degree == 2 || target.degree == 6 ? 0.1
                                                                                   : 0.4;
    if (target.accidental != 0) cost += 1;
    if (next_) cost += *next_ == tonic ? -1 : 0.5;
    return cost;
  }

  void named_chords() {
    struct row {
      numeral_kind kind;
      int extension;
    };
    for (auto [kind, extension] : {row{numeral_kind::italian_sixth, 5},
                                   {numeral_kind::french_sixth, 7},
                                   {numeral_kind::german_sixth, 7},
                                   {numeral_kind::swiss_sixth, 7}}) {
      roman_numeral n;
      n.kind = kind;
      n.extension = extension;
      try_numeral(n, 2);
      for (int target : {5, 4, 2, 6}) {
        auto to = n;
        roman_numeral t;
        t.degree = target;
        for (auto q : {triad_quality::major, triad_quality::minor}) {
          t.quality = q;
          to.applied_to = {t};
          auto chord = chord_of(t, key_);
          if (chord && foreign_tones(chord->tones, key_) == 0) try_numeral(to, 4);
        }
      }
    }
    // The Neapolitan is meant where it stands as a sixth chord; else it is bII.
    roman_numeral neapolitan;
    neapolitan.kind = numeral_kind::neapolitan;
    if (auto chord = chord_of(neapolitan, key_); chord && bass_ == chord->tones[1])
      try_numeral(neapolitan, 2);
  }

  const std::vector<pitch_name>& tones_;
  pitch_name bass_;
  tonality key_;
  std::optional<pitch_name> next_;
  std::vector<numeral_match> matches_;
};

/// The enharmonic names of a tone with at most two accidentals.
std::vector<pitch_name> respellings(pitch_name n) {
  std::vector<pitch_name> names;
  for (int place = -15; place <= 19; ++place)
    if (auto candidate = from_line_of_fifths(place); pitch_class(candidate) == pitch_class(n))
      names.push_back(candidate);
  return names;
}

/// The augmented sixths that sound like these tones: they are not built in thirds.
void add_augmented_sixths(std::vector<numeral_match>& all, const std::vector<pitch_name>& tones,
                          pitch_name bass, const tonality& key) {
  pitch_class_set sounding;
  for (auto t : tones)
    sounding.insert(pitch_class(t));
  for (auto text : {"It6", "Fr43", "Ger65", "Sw43"}) {
    auto n = parse_roman_numeral(text).value();
    auto chord = chord_of(n, key);
    pitch_class_set classes;
    for (auto t : chord->tones)
      classes.insert(pitch_class(t));
    if (classes == sounding && pitch_class(chord->bass_tone()) == pitch_class(bass))
      all.push_back({n, 2});
  }
}

/// Tries every root that sounds in the chord, with tones respelled in thirds above it.
std::vector<numeral_match> respelled_numerals(const std::vector<pitch_name>& tones, pitch_name bass,
                                              const tonality& key, std::optional<pitch_name> next) {
  std::vector<numeral_match> all;
  for (auto sounding : tones)
    for (auto root : respellings(sounding)) {
      auto d = degree_of(key, root);
      if (!d || d->alteration < -1 || d->alteration > 1) continue;
      std::vector<pitch_name> respelled;
      auto new_bass = bass;
      for (auto t : tones) {
        constexpr interval third_by_semitone[] = {{0, 0}, {1, 1}, {1, 2}, {2, 3}, {2, 4},  {3, 5},
                                                  {4, 6}, {4, 7}, {4, 8}, {6, 9}, {6, 10}, {6, 11}};
        auto semitones = mod(pitch_class(t) - pitch_class(root), 12);
        auto name = transposed(root, third_by_semitone[semitones]);
        respelled.push_back(name);
        if (t == bass) new_bass = name;
      }
      for (auto& m : numerals_of(respelled, new_bass, key, next))
        all.push_back(std::move(m));
    }
  add_augmented_sixths(all, tones, bass, key);
  std::stable_sort(all.begin(), all.end(),
                   [](const numeral_match& a, const numeral_match& b) { return a.cost < b.cost; });
  return all;
}

}  // namespace

std::vector<numeral_match> numerals_of(const std::vector<pitch_name>& tones, pitch_name bass,
                                       const tonality& key, std::optional<pitch_name> next) {
  std::vector<pitch_name> distinct;
  for (auto t : tones) {
    if (t.cents % 100 != 0) return {};
    if (std::find(distinct.begin(), distinct.end(), t) == distinct.end()) distinct.push_back(t);
  }
  if (distinct.size() < 3 || distinct.size() > 5) return {};
  return naming{distinct, bass, key, next}.all();
}

std::optional<roman_numeral> numeral_of(const std::vector<pitch_name>& tones, pitch_name bass,
                                        const tonality& key, std::optional<pitch_name> next) {
  auto matches = numerals_of(tones, bass, key, next);
  if (matches.empty()) return numeral_by_sound(tones, bass, key, next);
  return matches.front().numeral;
}

std::optional<roman_numeral> numeral_by_sound(const std::vector<pitch_name>& tones, pitch_name bass,
                                              const tonality& key, std::optional<pitch_name> next) {
  // A microtone sounds like no degree of a key.
  if (!std::all_of(tones.begin(), tones.end(), has_pitch_class)) return std::nullopt;
  auto written = numerals_of(tones, bass, key, next);
  // What the key has itself is not heard as anything else.
  if (!written.empty() && written.front().cost <= 0) return written.front().numeral;
  auto respelled = respelled_numerals(tones, bass, key, next);
  if (written.empty() && respelled.empty()) return std::nullopt;
  bool keep =
      respelled.empty() || (!written.empty() && written.front().cost <= respelled.front().cost + 1);
  return keep ? written.front().numeral : respelled.front().numeral;
}

std::optional<roman_numeral> numeral_of(const std::vector<pitch>& pitches, const tonality& key,
                                        std::optional<pitch_name> next) {
  if (pitches.empty()) return std::nullopt;
  std::vector<pitch_name> tones;
  for (auto p : pitches)
    tones.push_back(p.name());
  auto bass = *std::min_element(pitches.begin(), pitches.end(),
                                [](pitch a, pitch b) { return midi_cents(a) < midi_cents(b); });
  return numeral_of(tones, bass.name(), key, next);
}

}  // namespace fermata
