#include "io/lilypond/staff_kind.hpp"

#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io::lilypond {

namespace {

/// General MIDI percussion keys 35 to 81 as LilyPond calls them (its ly/drumpitch-init.ly).
constexpr int first_drum_key = 35;
constexpr std::array<std::string_view, 47> drum_names{
    "acousticbassdrum", "bassdrum",     "sidestick",     "acousticsnare", "handclap",
    "electricsnare",    "lowfloortom",  "closedhihat",   "highfloortom",  "pedalhihat",
    "lowtom",           "openhihat",    "lowmidtom",     "himidtom",      "crashcymbala",
    "hightom",          "ridecymbala",  "chinesecymbal", "ridebell",      "tambourine",
    "splashcymbal",     "cowbell",      "crashcymbalb",  "vibraslap",     "ridecymbalb",
    "hibongo",          "lobongo",      "mutehiconga",   "openhiconga",   "openloconga",
    "hitimbale",        "lotimbale",    "hiagogo",       "loagogo",       "cabasa",
    "maracas",          "shortwhistle", "longwhistle",   "shortguiro",    "longguiro",
    "claves",           "hiwoodblock",  "lowoodblock",   "mutecuica",     "opencuica",
    "mutetriangle",     "opentriangle"};

/// Calls `visit` for each note on the staff, rests included.
template <class Visit>
void each_note(const part& p, int staff, Visit&& visit) {
  for (auto& m : p.measures)
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && x->staff == staff)
        for (auto& n : x->notes)
          visit(n);
}

template <class Visit>
void each_attributes(const part& p, Visit&& visit) {
  for (auto& m : p.measures)
    for (auto& item : m->items)
      if (auto* a = std::get_if<attributes>(&item.content)) visit(*a);
}

bool is_tablature(const part& p, int staff) {
  bool tab = false, other = false;
  each_attributes(p, [&](auto& a) {
    for (auto& c : a.clefs)
      if (c.staff.value_or(1) == staff) (c.value.sign == "TAB" ? tab : other) = true;
  });
  return tab && !other;
}

/// The notehead of a drum in the table of its staff; nothing when there is none that looks so.
std::optional<std::string_view> drum_head(const note& n) {
  struct row {
    std::string_view value, head;
  };
  static constexpr row rows[] = {{"", "default"},         {"normal", "default"},
                                 {"x", "cross"},          {"cross", "cross"},
                                 {"diamond", "diamond"},  {"triangle", "triangle"},
                                 {"circle-x", "xcircle"}, {"slash", "slash"}};
  if (!n.notehead) return rows[0].head;
  for (auto& r : rows)
    if (r.value == n.notehead->value) return r.head;
  return std::nullopt;
}

bool is_drums(const part& p, int staff) {
  bool any = false, all = true;
  std::map<std::string, std::pair<unpitched, std::string_view>> drawn;  // by name
  each_note(p, staff, [&](const note& n) {
    if (std::holds_alternative<rest>(n.tone)) return;
    any = true;
    auto* u = std::get_if<unpitched>(&n.tone);
    auto name = u ? drum_name(p, n) : std::string{};
    auto head = drum_head(n);
    all = all && !name.empty() && head;
    if (!all) return;
    // A drum has one place and one notehead in a table for all of its notes.
    std::pair look{*u, *head};
    all = drawn.try_emplace(name, look).first->second == look;
  });
  return any && all;
}

/// The text of the first child of that name in XML that is canonical.
std::string_view child_text(std::string_view xml, std::string_view name) {
  auto open = "<" + std::string{name} + ">";
  auto at = xml.find(open);
  if (at == std::string_view::npos) return {};
  xml.remove_prefix(at + open.size());
  return xml.substr(0, xml.find('<'));
}

int number_in(std::string_view text, int otherwise) {
  int n = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

/// The open strings from the lowest line up, as they are written in the part: tunings are sounding
/// pitches, notes are written ones.
std::string tuning(const part& p, int staff) {
  std::map<int, pitch> strings;
  int octaves = 0;
  each_attributes(p, [&](auto& a) {
    for (auto& t : a.transpositions)
      if (t.staff.value_or(staff) == staff) octaves = t.value.octaves;
    for (auto& f : a.others) {
      std::string_view xml = f.xml;
      if (!xml.starts_with("<staff-details") || !strings.empty()) continue;
      auto tag = xml.substr(0, xml.find('>'));
      auto number = tag.find(" number=\"");
      if (number != std::string_view::npos && number_in(tag.substr(number + 9), 1) != staff)
        continue;
      static constexpr std::string_view open = "<staff-tuning line=\"";
      for (auto at = xml.find(open); at != std::string_view::npos; at = xml.find(open, at + 1)) {
        auto rest = xml.substr(at + open.size());
        rest = rest.substr(0, rest.find("</staff-tuning>"));
        auto step = child_text(rest, "tuning-step");
        auto letter = step.empty() ? std::nullopt : parse_pitch(std::string{step} + "4");
        if (!letter) continue;
        letter->octave = static_cast<std::int16_t>(number_in(child_text(rest, "tuning-octave"), 3));
        letter->cents =
            static_cast<std::int16_t>(100 * number_in(child_text(rest, "tuning-alter"), 0));
        strings[number_in(rest, 1)] = *letter;
      }
    }
  });
  std::string text;
  for (auto& [line, open_string] : strings) {
    auto written = open_string;
    written.octave = static_cast<std::int16_t>(written.octave - octaves);
    text += (text.empty() ? "" : " ") + pitch_text(written);
  }
  return text;
}

/// Where each drum stands on the staff, by its first note: ("snare", cross, 1).
std::string drum_places(const part& p, int staff) {
  std::vector<std::string> seen;
  std::string places;
  each_note(p, staff, [&](const note& n) {
    auto* u = std::get_if<unpitched>(&n.tone);
    if (!u) return;
    auto name = drum_name(p, n);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
    seen.push_back(name);
    // Staff positions count from the middle line, b4 in the treble clef that MusicXML counts by.
    auto place =
        u->display_step ? (u->display_octave - 4) * 7 + static_cast<int>(*u->display_step) - 6 : 0;
    places += "(" + name + " " + std::string{drum_head(n).value_or("default")} + " #f " +
              std::to_string(place) + ")";
  });
  return places;
}

}  // namespace

staff_kind kind_of_staff(const part& p, int staff, int staves) {
  if (is_tablature(p, staff)) return staff_kind::tablature;
  return staves == 1 && is_drums(p, staff) ? staff_kind::drums : staff_kind::notes;
}

std::string staff_context(staff_kind k) {
  return k == staff_kind::tablature ? "TabStaff" : k == staff_kind::drums ? "DrumStaff" : "Staff";
}

std::string voice_context(staff_kind k) {
  return k == staff_kind::tablature ? "TabVoice" : k == staff_kind::drums ? "DrumVoice" : "Voice";
}

std::string staff_settings(const part& p, int staff, staff_kind k) {
  if (k == staff_kind::drums)
    return " drumStyleTable = #(alist->hash-table '(" + drum_places(p, staff) + "))";
  if (k == staff_kind::notes) return {};
  auto strings = tuning(p, staff);
  return strings.empty() ? "" : " stringTunings = \\stringTuning <" + strings + ">";
}

std::string drum_name(const part& p, const note& n) {
  for (auto& i : p.instruments)
    if ((n.instrument.empty() || i.id == n.instrument) && i.midi_unpitched) {
      auto index = *i.midi_unpitched - 1 - first_drum_key;
      if (index >= 0 && index < static_cast<int>(drum_names.size()))
        return std::string{drum_names[static_cast<std::size_t>(index)]};
      return {};
    }
  return {};
}

}  // namespace fermata::io::lilypond
