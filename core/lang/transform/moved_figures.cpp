#include "core/lang/transform/moved_figures.hpp"

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/transform/moved_accidentals.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/interval.hpp"
#include "core/music/modular.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

/// A point in time of a part: in which of its measures, and where there.
struct moment {
  std::size_t measure = 0;
  quarters at;
};
bool operator<(const moment& a, const moment& b) {
  return std::tie(a.measure, a.at) < std::tie(b.measure, b.at);
}

struct sounding_note {
  moment begin;
  quarters end;
  pitch lowest;
};
bool begins_before(const sounding_note& a, const sounding_note& b) { return a.begin < b.begin; }

struct part_notes {
  std::vector<sounding_note> notes;
  quarters longest;
};
struct figures_place {
  std::size_t part;
  moment here;
};

/// Where notes and figures stand, part by part.
class figures_finder {
public:
  void row(const std::vector<music_ptr>& items) {
    auto begin = here_;
    auto end = here_;
    std::map<std::pair<int, std::string>, moment> ends;
    for (const auto& x : items) {
      if (!is_layer(*x)) {
        here_ = end;
        one(*x);
        begin = end = here_;
        continue;
      }
      // Layers begin together, and one that comes again goes on where it ended.
      auto voice = as_node<voice_music>(*x);
      auto staff = as_node<staff_music>(*x);
      auto id = voice ? std::pair{int{voice->staff.value_or(0)}, voice->voice}
                      : std::pair{int{staff->staff}, std::string{}};
      auto before = ends.find(id);
      if (before != ends.end()) {
        here_ = before->second;
      } else {
        here_ = begin;
        if (in_measure_) here_.at = {};
      }
      if (voice && voice->at) here_.at = quarters{voice->at->value};
      row(*items_of(*x));
      ends[id] = here_;
      end = std::max(end, here_);
    }
    here_ = end;
  }

  std::vector<part_notes> parts{1};
  std::vector<figures_place> figures;

private:
  void one(const music& m) {
    if (auto x = leaf<chord_rest>(m)) {
      chord(*x);
    } else if (leaf<figured_bass>(m)) {
      figures.push_back({parts.size() - 1, here_});
    } else if (auto skip = as_node<skip_music>(m)) {
      here_.at += skip->distance;
    } else if (auto t = as_node<tuplet_music>(m)) {
      auto outer = std::exchange(scale_, scale_ * rational{t->normal, t->actual});
      row(t->items);
      scale_ = outer;
    } else if (as_node<grace_music>(m)) {
      auto outer = here_;
      row(*items_of(m));
      here_ = outer;
    } else if (auto p = as_node<par_music>(m)) {
      auto begin = here_, end = here_;
      for (const auto& item : p->items) {
        here_ = begin;
        row({item});
        end = std::max(end, here_);
      }
      here_ = end;
    } else if (auto bar = as_node<measure_music>(m)) {
      auto outer = std::exchange(in_measure_, true);
      here_.at = {};
      row(bar->items);
      here_ = {here_.measure + 1, {}};
      in_measure_ = outer;
    } else if (auto part = as_node<part_music>(m)) {
      parts.emplace_back();
      here_ = {};
      row(part->items);
      parts.emplace_back();
      here_ = {};
    } else if (auto items = items_of(m)) {
      row(*items);
    }
  }

  void chord(const chord_rest& x) {
    if (x.grace) return;
    auto lasts = x.length * scale_;
    std::optional<pitch> lowest;
    for (const auto& n : x.notes)
      if (auto p = std::get_if<pitch>(&n.tone))
        if (!lowest || midi_cents(*p) < midi_cents(*lowest)) lowest = *p;
    auto& part = parts.back();
    if (lowest) part.notes.push_back({here_, here_.at + lasts, *lowest});
    part.longest = std::max(part.longest, lasts);
    here_.at += lasts;
  }

  moment here_;
  rational scale_{1};
  bool in_measure_ = false;
};

/// `notes` in the order in which they begin.
std::optional<pitch> bass_at(const part_notes& part, const moment& here) {
  const auto& notes = part.notes;
  std::optional<pitch> lowest;
  auto take = [&](const pitch& p) {
    if (!lowest || midi_cents(p) < midi_cents(*lowest)) lowest = p;
  };
  const auto behind = std::upper_bound(notes.begin(), notes.end(), here,
                                       [](const moment& a, const auto& b) { return a < b.begin; });
  for (auto x = behind; x != notes.begin();) {
    --x;
    if (x->begin.measure != here.measure || x->begin.at + part.longest <= here.at) break;
    if (x->end > here.at) take(x->lowest);
  }
  for (auto x = behind; !lowest && x != notes.end() && !(behind->begin < x->begin); ++x)
    lowest = x->lowest;
  if (!lowest && !notes.empty()) lowest = notes.back().lowest;
  return lowest;
}

/// Where a figure has its sign, if it has one that depends on the key.
std::string* sign_of(figured_bass::figure& f) {
  for (auto sign : {&f.prefix, &f.suffix})
    if (cents_of_accidental(*sign)) return sign;
  return nullptr;
}

/// A sign alone is that of the third.
std::optional<int> number_of(const figured_bass::figure& f, bool has_sign) {
  if (f.number.empty()) return has_sign ? std::optional{3} : std::nullopt;
  int number = 0;
  auto end = f.number.data() + f.number.size();
  auto [stop, fault] = std::from_chars(f.number.data(), end, number);
  return fault == std::errc{} && stop == end && number > 0 && number < 100 ? std::optional{number}
                                                                           : std::nullopt;
}

pitch on_staff(int index, int cents) {
  return {static_cast<step>(mod(index, 7)), static_cast<std::int16_t>(cents),
          static_cast<std::int16_t>(floor_div(index, 7))};
}

}  // namespace

std::vector<std::optional<pitch>> basses_of_figures(const std::vector<music_ptr>& items) {
  figures_finder found;
  found.row(items);
  for (auto& part : found.parts)
    std::stable_sort(part.notes.begin(), part.notes.end(), begins_before);
  std::vector<std::optional<pitch>> out;
  for (const auto& x : found.figures)
    out.push_back(bass_at(found.parts[x.part], x.here));
  return out;
}

bool has_signs(const figured_bass& b) {
  return std::any_of(b.figures.begin(), b.figures.end(),
                     [](figured_bass::figure f) { return sign_of(f) != nullptr; });
}

void move_figures(figured_bass& b, const pitch& bass,
                  const std::function<pitch(const pitch&)>& move, const key_signature& before,
                  const key_signature& behind) {
  const auto new_bass = move(bass);
  for (auto& f : b.figures) {
    auto sign = sign_of(f);
    auto number = number_of(f, sign != nullptr);
    // What raises whatever the key, and what is no figure of this kind.
    if (!number || (!sign && !(f.prefix.empty() && f.suffix.empty()))) continue;
    auto tone = on_staff(bass.diatonic_index() + *number - 1, 0);
    const auto signed_cents = sign ? *cents_of_accidental(*sign) : 0;
    if (!sign || signed_cents != 0)
      tone.cents = static_cast<std::int16_t>(alteration(before, tone.letter) + signed_cents);
    auto now = move(tone);
    // Where pitches are spelt one by one the tone stays as far above the bass as it was.
    if (now.diatonic_index() - new_bass.diatonic_index() != *number - 1)
      now = transposed(tone, between(bass, new_bass));
    const auto raised = now.cents - alteration(behind, now.letter);
    // A natural that only reminded would have no sign to remind of the new tone with: sharps and
    // flats raise and lower what the key says.
    const auto needed = raised != 0 || (sign && now.cents == 0);
    const auto cents = now.cents == 0 ? 0 : raised;
    if (!sign) sign = &f.prefix;
    if (!needed)
      sign->clear();
    else if (cents_of_accidental(*sign) != cents)  // one sign may have several names
      *sign = accidental_of(cents);
    if (!needed && f.number.empty()) f.number = "3";
  }
}

}  // namespace fermata
