#include "core/lang/transform/inverted_harmony.hpp"

#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/transform/kept_xml_transform.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/modular.hpp"
#include "core/theory/chord_naming.hpp"
#include "core/theory/chord_symbol.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

using pitch_function = std::function<pitch(const pitch&)>;

/// What kind of chord a symbol names; null when it does not say one.
const chord_type* type_of(const harmony& h) {
  if (!h.root) return nullptr;
  auto bare = h;
  bare.inversion.reset();
  bare.offset.reset();
  bare.staff.reset();
  bare.extra = {};
  bare.further.clear();
  if (auto written = harmony_symbol(bare)) return type_of(*parse_chord_symbol(*written));
  if (!h.degrees.empty()) return nullptr;
  if (auto symbol = parse_chord_symbol(symbol_name(*h.root) + h.kind_text)) {
    auto type = type_of(*symbol);
    if (type && (h.kind == "other" || type->musicxml_kind == h.kind)) return type;
  }
  return find_musicxml_kind(h.kind);
}

std::optional<std::size_t> bass_place(const harmony& h, const std::vector<pitch_name>& tones) {
  auto place = h.inversion ? static_cast<std::size_t>(std::max(*h.inversion, 0)) : 0;
  if (h.bass) {
    auto at = std::find(tones.begin(), tones.end(), *h.bass);
    place = static_cast<std::size_t>(at - tones.begin());
  }
  return place < tones.size() ? std::optional{place} : std::nullopt;
}

/// The names of a chord whose lowest tone is `tones[bass]`, written as its tones are, the likeliest
/// first.
std::vector<chord_match> names_of(const std::vector<pitch_name>& tones, std::size_t bass) {
  std::vector<pitch> pitches;
  for (std::size_t i = 0; i < tones.size(); ++i)
    pitches.push_back(
        {tones[i].letter, tones[i].cents, static_cast<std::int16_t>(i == bass ? 0 : 4)});
  auto names = identify_chord(pitches);
  std::erase_if(names, [](const chord_match& m) { return !m.as_spelled || m.inversion < 0; });
  return names;
}

/// The highest tone of a chord in close position over one of them.
std::size_t highest_over(const std::vector<pitch_name>& tones, std::size_t bass) {
  auto above = [&](const pitch_name& t) {
    return mod(pitch_class(t) - pitch_class(tones[bass]), 12);
  };
  return static_cast<std::size_t>(
      std::max_element(tones.begin(), tones.end(),
                       [&](const auto& a, const auto& b) { return above(a) < above(b); }) -
      tones.begin());
}

using loss_handler = std::function<void(std::string_view what)>;

/// What was drawn with the old symbol, beyond its place, is not for the new one.
harmony placed_like(const harmony& h, harmony made, const loss_handler& lost) {
  made.offset = h.offset;
  made.staff = h.staff;
  if (!h.extra) return made;
  made.extra = preserved_xml{h.extra->attributes, {}};
  auto old = h;
  drop_root_texts(old, lost);
  for (const auto& f : h.extra->children)
    if (fate_of(f, edit_operation::transpose) == kept_fate::drop) lost(kept_name(f));
  return made;
}

/// Tones may have several names, as Cm7/Eb is Eb6: a symbol and its mirror are names of the same
/// rank, so that the way back leads to the name it came from. Cm6 and Am7b5/C have one mirror,
/// F7/Eb: it is that of the likelier one.
std::optional<harmony> mirrored_symbol(const harmony& h, const pitch_function& mirror,
                                       const loss_handler& lost) {
  auto type = type_of(h);
  if (!type) return std::nullopt;
  auto tones = chord_names(*h.root, type->intervals);
  auto bass = bass_place(h, tones);
  if (!bass) return std::nullopt;
  auto names = names_of(tones, *bass);
  auto own = std::find_if(names.begin(), names.end(), [&](const chord_match& m) {
    return m.root == *h.root && m.type == type && m.bass == tones[*bass];
  });
  auto rank = own == names.end() ? 0 : static_cast<std::size_t>(own - names.begin());
  auto highest = highest_over(tones, *bass);
  for (auto& t : tones)
    t = mirror({t.letter, t.cents, 4}).name();
  auto images = names_of(tones, highest);
  if (rank >= images.size()) return std::nullopt;
  auto made = harmony_of(to_string(images[rank]));
  if (!made) return std::nullopt;
  for (const auto& x : h.further) {
    auto further = mirrored_symbol(x, mirror, lost);
    if (!further) return std::nullopt;
    made->further.push_back(std::move(*further));
  }
  return placed_like(h, std::move(*made), lost);
}

using name_function = std::function<pitch_name(const pitch_name&)>;

/// The chord over its moved root that its moved tones are; nothing when they are none.
std::optional<harmony> chord_of_moved_tones(const harmony& h, const name_function& moved) {
  auto type = type_of(h);
  if (!type) return std::nullopt;
  auto tones = chord_names(*h.root, type->intervals);
  std::transform(tones.begin(), tones.end(), tones.begin(), moved);
  auto names = names_of(tones, 0);
  auto own = std::find_if(names.begin(), names.end(),
                          [&](const chord_match& m) { return m.root == tones.front(); });
  return own == names.end() ? std::nullopt : harmony_of(to_string(*own));
}

/// The chord on the tones of the scale: two steps above C in C major is Em. A bass goes its own
/// way. Altered chords, E7 in C major, seldom have moved tones that are a chord: they are moved as
/// they are, F7. A numeral counts the steps of its key, in which other steps have other chords:
/// nothing where names change.
std::optional<harmony> stepped_symbol(const harmony& h, const pitch_function& move,
                                      const loss_handler& lost) {
  auto renames = [&] {
    const pitch c{};
    return move(c).name() != c.name();
  };
  if (!h.numeral.xml.empty() && renames()) return std::nullopt;
  if (!h.root) return h;
  auto moved = [&](const pitch_name& n) { return move({n.letter, n.cents, 4}).name(); };
  auto made = h;
  if (auto named = chord_of_moved_tones(h, moved))
    made = std::move(*named);
  else
    made.root = moved(*h.root);
  if (h.bass) made.bass = moved(*h.bass);
  made.inversion = h.inversion;
  made.further.clear();
  for (const auto& x : h.further) {
    auto further = stepped_symbol(x, move, lost);
    if (!further) return std::nullopt;
    made.further.push_back(std::move(*further));
  }
  return placed_like(h, std::move(made), lost);
}

using symbol_function = std::function<std::optional<harmony>(const harmony&)>;

void add_renamed(const music_ptr& m, const symbol_function& renamed, edit_operation operation,
                 copying& walk, std::vector<music_ptr>& out) {
  if (!walk.goes_on()) return;
  if (operation == edit_operation::invert && leaf<figured_bass>(*m))
    return walk.dropped(operation, "figured-bass");
  if (auto h = leaf<harmony>(*m)) {
    // No chord stays none.
    auto made = h->kind == "none" ? std::optional{*h} : renamed(*h);
    if (made)
      out.push_back(make_music(measure_content{std::move(*made)}, m->span));
    else
      walk.dropped(operation, "harmony");
    return;
  }
  auto items = items_of(*m);
  if (!items) {
    out.push_back(m);
    return;
  }
  std::vector<music_ptr> inner;
  inner.reserve(items->size());
  for (const auto& x : *items)
    add_renamed(x, renamed, operation, walk, inner);
  out.push_back(with_items(*m, std::move(inner)));
}

music_ptr with_renamed(const music_ptr& m, const symbol_function& renamed, edit_operation operation,
                       copying& walk) {
  std::vector<music_ptr> out;
  add_renamed(m, renamed, operation, walk, out);
  return as_one(std::move(out));
}

}  // namespace

music_ptr with_mirrored_harmonies(const music_ptr& m, const pitch_function& mirror, copying& walk) {
  return with_renamed(
      m,
      [&](const harmony& h) {
        return mirrored_symbol(
            h, mirror, [&](std::string_view what) { walk.dropped(edit_operation::invert, what); });
      },
      edit_operation::invert, walk);
}

music_ptr with_stepped_harmonies(const music_ptr& m, const pitch_function& move, copying& walk) {
  return with_renamed(
      m,
      [&](const harmony& h) {
        return stepped_symbol(
            h, move, [&](std::string_view what) { walk.dropped(edit_operation::transpose, what); });
      },
      edit_operation::transpose, walk);
}

}  // namespace fermata
