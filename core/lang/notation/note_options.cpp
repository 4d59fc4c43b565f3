#include "core/lang/notation/note_options.hpp"

#include "core/lang/names/mark_meanings.hpp"
#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/names/spanner_names.hpp"
#include "core/lang/names/symbol_names.hpp"
#include "core/lang/names/xml_text.hpp"
#include "core/lang/notation/note_option_values.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace fermata {

namespace {

/// Completion of the ends that a kind of line has: start, stop, continue, let-ring, the first two
/// at least.
template <std::size_t Count>
completion_words first_span_ends(std::string_view) {
  static constexpr span_end all[] = {span_end::start, span_end::stop, span_end::continue_,
                                     span_end::let_ring};
  completion_words words;
  for (std::size_t i = 0; i < Count; ++i)
    words.emplace_back(name_of(all[i]));
  return words;
}
auto span_end_words(const std::vector<span_end>& ends) {
  return ends.size() == 2   ? first_span_ends<2>
         : ends.size() == 3 ? first_span_ends<3>
                            : first_span_ends<4>;
}

/// Applies a value to the draft; answers what is wrong with it, or nothing.
using application = std::function<std::string(note_draft&, const value&)>;

struct option_row {
  param p;
  application apply;
};

param note_option(std::string name, arg_type type, std::string doc,
                  std::vector<std::string> choices = {}, std::string default_text = {},
                  std::vector<std::string> aliases = {}) {
  param p;
  p.name = std::move(name);
  p.kind = param_kind::option;
  p.type = type;
  p.doc = std::move(doc);
  p.choices = std::move(choices);
  p.default_text = std::move(default_text);
  p.aliases = std::move(aliases);
  p.repeats = true;
  return p;
}

/// What a note has once: a second value would silently take the place of the first.
param once(param p) {
  p.repeats = false;
  return p;
}

param flag(std::string name, std::string doc, std::vector<std::string> aliases = {}) {
  auto p =
      note_option(std::move(name), arg_type::boolean, std::move(doc), {}, {}, std::move(aliases));
  p.kind = param_kind::flag;
  return p;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto blank = text.find(' ');
    if (auto word = text.substr(0, blank); !word.empty()) out.emplace_back(word);
    text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  }
  return out;
}

std::string set_staff(note_draft& d, const value& v) {
  auto n = int_of(v);
  if (text_of(v) == "none") n = 0;
  if (!n || *n < 0 || *n > max_staves) return staff_range();
  d.rhythm.staff = static_cast<std::uint8_t>(*n);
  d.rhythm.staff_given = *n != 0;
  return {};
}

std::string set_modification(note_draft& d, const value& v) {
  auto r = ratio_of(v);
  if (!r) return "write a tuplet ratio as 3:2";
  auto normal = d.rhythm.tuplet ? d.rhythm.tuplet->normal_type : std::nullopt;
  d.rhythm.tuplet = time_modification{r->first, r->second, normal};
  return {};
}

std::string set_normal_type(note_draft& d, const value& v) {
  auto text = text_of(v).value_or(print(v));
  auto type = parse_note_value(text);
  if (!type && text != "none") return "`" + text + "` is not a note value";
  if (!d.rhythm.tuplet) d.rhythm.tuplet = time_modification{1, 1, {}};
  d.rhythm.tuplet->normal_type = type;
  return {};
}

std::string set_difference(note_draft& d, const value& v) {
  spec s{v, {"lasts", "value", "voice", "staff"}, {"untyped"}};
  if (auto more = s.beyond(0); !more.empty()) return more;
  chord_difference x;
  if (auto n = s.named("lasts"); n && n->as_number())
    x.length = quarters{*n->as_number() * rational{4}};
  if (s.named("value")) x.written = parse_note_value(s.text("value"));
  x.without_written = s.flag("untyped");
  if (s.named("voice")) x.voice = s.text("voice");
  if (auto n = s.integer("staff")) x.staff = static_cast<std::uint8_t>(*n);
  d.first.differs = std::move(x);
  return {};
}

std::string set_grace(note_draft& d, const value& v) {
  auto grace = d.rhythm.grace ? *d.rhythm.grace : grace_info{};
  grace.slash = text_of(v) == "slash";
  d.rhythm.grace = std::move(grace);
  return {};
}

application text_into(std::string chord_rest::*member) {
  return [member](note_draft& d, const value& v) {
    d.rhythm.*member = text_of(v).value_or("");
    return std::string{};
  };
}

application note_text_into(std::string note::*member) {
  return [member](note_draft& d, const value& v) {
    d.first.*member = text_of(v).value_or("");
    return std::string{};
  };
}

std::string set_cue(note_draft& d, const value&) {
  d.rhythm.cue = true;
  return {};
}

std::string set_sounding_length(note_draft& d, const value& v) {
  if (!v.as_number() || *v.as_number() < rational{0})
    return "expected a number of whole notes, such as 3/8";
  d.lasts = quarters{*v.as_number() * rational{4}};
  return {};
}

std::string set_untyped(note_draft& d, const value&) {
  d.untyped = true;
  return {};
}

std::string set_color(note_draft& d, const value& v) {
  auto text = text_of(v).value_or("");
  // The pattern of MusicXML's type "color".
  auto digits = std::count_if(text.begin(), text.end(),
                              [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!text.starts_with('#') || static_cast<std::size_t>(digits) + 1 != text.size() ||
      (digits != 6 && digits != 8))
    return "write a colour as \"#RRGGBB\", not `" + text + "`";
  for (auto& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  d.first.extra = with_attribute(d.first.extra, "color", text);
  return {};
}

std::string set_id(note_draft& d, const value& v) {
  auto text = text_of(v).value_or("");
  if (!is_xml_id(text)) return no_such_id(text);
  d.first.extra = with_attribute(d.first.extra, "id", text);
  return {};
}

std::string set_extra(note_draft& d, const value& v) {
  d.first.extra = preserved_of(v);
  return {};
}

// --- marks: an option for each row of the table of marks -----------------------------------------

application add_text_mark(mark_kind kind) {
  return
      [kind](note_draft& d, const value& v) { return add_mark(d, kind, text_of(v).value_or("")); };
}

application add_plain_or_drawn_arrow(mark_kind kind) {
  return [kind](note_draft& d, const value& v) {
    if (text_of(v) == "plain") return add_mark(d, kind, {});
    return add_drawn_mark(d, kind, v, arrow_names());
  };
}

application add_dynamic_mark(mark_kind kind) {
  return [kind](note_draft& d, const value& v) {
    auto text = text_of(v).value_or(print(v));
    if (!v.as_string() && !is_dynamic(text)) return no_such_dynamic(text);
    return add_mark(d, kind, text);
  };
}

application add_number_mark(mark_kind kind) {
  return [kind](note_draft& d, const value& v) {
    auto n = int_of(v);
    if (!n) return std::string{"expected a whole number"};
    // MusicXML's limits; what stands in quotes came from a file as it is.
    auto least = kind == mark_kind::string ? 1 : 0;
    auto most = kind == mark_kind::tremolo ? 8 : 999;
    if (!v.as_string() && (*n < least || *n > most))
      return std::string{info(kind).xml_name} + " must be a number from " + std::to_string(least) +
             " to " + std::to_string(most);
    return add_mark(d, kind, text_of(v).value_or(""));
  };
}

option_row plain_mark_option(mark_kind kind, const std::string& name, const std::string& meaning,
                             const std::vector<std::string>& aliases) {
  if (mark_words(kind)) {
    const auto& choices = mark_choices().at(kind);
    return {note_option(name, arg_type::word, meaning, choices, choices.front(), aliases),
            add_text_mark(kind)};
  }
  if (kind == mark_kind::arrow) {
    auto choices = drawn_words(arrow_names());
    choices.insert(choices.begin(), "plain");
    return {note_option(name, arg_type::word, meaning, choices, choices.front(), aliases),
            add_plain_or_drawn_arrow(kind)};
  }
  return {flag(name, meaning, aliases),
          [kind](note_draft& d, const value&) { return add_mark(d, kind, {}); }};
}

option_row text_mark_option(mark_kind kind, const std::string& name, const std::string& meaning,
                            const std::vector<std::string>& aliases) {
  if (auto names = names_of_mark(kind))
    return {note_option(name, arg_type::spec, meaning, drawn_words(*names), {}, aliases),
            [kind, names](note_draft& d, const value& v) {
              return add_drawn_mark(d, kind, v, *names);
            }};
  if (kind == mark_kind::dynamics_notation)
    return {offering(note_option(name, arg_type::spec, meaning, {}, {}, aliases), dynamic_words),
            add_dynamic_mark(kind)};
  auto choices = mark_choices().find(kind);
  if (choices == mark_choices().end())
    return {note_option(name, arg_type::text, meaning, {}, {}, aliases), add_text_mark(kind)};
  return {
      note_option(name, arg_type::word, meaning, choices->second, choices->second.front(), aliases),
      add_text_mark(kind)};
}

option_row mark_option(const mark_info& row) {
  auto name = std::string{row.option};
  auto meaning = std::string{meaning_of(row.kind)};
  auto aliases = split_words(row.aliases);
  switch (row.value) {
    case mark_value::none: return plain_mark_option(row.kind, name, meaning, aliases);
    case mark_value::text: return text_mark_option(row.kind, name, meaning, aliases);
    case mark_value::number: break;
  }
  return {note_option(name, arg_type::text, meaning, {}, {}, aliases), add_number_mark(row.kind)};
}

// --- the table -----------------------------------------------------------------------------------

std::vector<option_row> make_rows() {
  using t = arg_type;
  std::vector<option_row> rows{
      {once(note_option("voice", t::text, "its voice")), text_into(&chord_rest::voice)},
      {once(note_option("staff", t::text, "staff on which it is drawn")), set_staff},
      {once(flag("cue", "small, as a cue")), set_cue},
      {once(note_option("grace", t::word, "takes no time", {"plain", "slash"}, "plain")),
       set_grace},
      {once(note_option("lasts", t::number, "sounding length in whole notes, if not as written")),
       set_sounding_length},
      {once(flag("untyped", "no written note value")), set_untyped},
      {once(note_option("modification", t::ratio,
                        "tuplet ratio of a note outside of a tuplet form")),
       set_modification},
      {once(note_option("normal-type", t::text, "note value counted by the tuplet ratio, or none")),
       set_normal_type},
      {offering(note_option("tie", t::spec, "tie: start, stop or both"), tie_words), add_tie},
      {once(note_option("accidental", t::spec, "accidental as drawn; (sharp cautionary)",
                        drawn_words(accidental_names()))),
       set_accidental},
      {once(note_option("notehead", t::spec, "notehead; (diamond :filled no)",
                        drawn_words(notehead_names()))),
       set_notehead},
      {once(note_option("stem", t::word, "stem direction", {"up", "down", "none", "double"})),
       note_text_into(&note::stem)},
      {offering(note_option("beam", t::spec, "begin, continue, end; (begin begin) for two"),
                beam_words),
       add_beams},
      {note_option("mark", t::spec, "any mark with its details; (staccato below)"), add_exact_mark},
  };
  for (const auto& row : mark_table())
    rows.push_back(mark_option(row));
  for (const auto& row : span_names())
    rows.push_back(
        {offering(note_option(std::string{row.option}, t::spec, std::string{row.doc}),
                  span_end_words(row.ends)),
         [kind = row.kind](note_draft& d, const value& v) { return add_spanner(d, kind, v); }});
  const std::vector<option_row> last{
      {note_option("lyric", t::spec, "syllable; (\"hel\" begin :verse 2)"), add_lyric},
      {once(note_option("instrument", t::text, "id of one of the part's instruments")),
       note_text_into(&note::instrument)},
      {once(note_option("color", t::text, "colour as #RRGGBB")), set_color},
      {once(note_option("id", t::text, "name for references")), set_id},
      {once(note_option("differs", t::spec, "how a note of a chord differs from the first")),
       set_difference},
      {once(note_option("xml", t::xml, "further MusicXML attributes and elements")), set_extra},
  };
  rows.insert(rows.end(), last.begin(), last.end());
  return rows;
}

const std::vector<option_row>& rows() {
  static const auto table = make_rows();
  return table;
}

}  // namespace

const std::vector<param>& note_option_params() {
  static const auto params = [] {
    std::vector<param> out;
    for (const auto& row : rows())
      out.push_back(row.p);
    return out;
  }();
  return params;
}

result<void> apply_note_options(const call& c, note_draft& d) {
  auto offset = c.spec().params.size() - rows().size();
  for (const auto& x : c.in_order()) {
    if (x.param < offset) continue;
    const auto& row = rows()[x.param - offset];
    if (auto fault = row.apply(d, x.given); !fault.empty()) {
      auto e = c.wrong(errc::wrong_type, row.p.name + ": " + fault, row.p.name);
      e.diagnostics.front().span = x.span;
      return fail(std::move(e));
    }
  }
  return {};
}

bool is_for_all_notes(const mark& m) {
  return m.kind == mark_kind::arpeggiate || m.kind == mark_kind::non_arpeggiate;
}

chord_rest with_tones(note_draft&& d, std::span<const tone> tones) {
  std::vector<note> notes;
  notes.reserve(tones.size());
  for (auto& t : tones)
    notes.emplace_back().tone = t;
  return with_notes(std::move(d), std::move(notes));
}

chord_rest with_notes(note_draft&& d, std::vector<note> notes) {
  auto& first = d.first;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    auto& n = notes[i];
    if (n.stem.empty()) n.stem = first.stem;
    if (!n.notehead) n.notehead = first.notehead;
    auto& t = n.tie;
    t.start |= first.tie.start;
    t.stop |= first.tie.stop;
    t.start_undrawn |= first.tie.start_undrawn;
    t.stop_undrawn |= first.tie.stop_undrawn;
    if (i > 0) {
      for (const auto& m : first.marks)
        if (is_for_all_notes(m)) n.marks.push_back(m);
      continue;
    }
    auto move_to = [](auto& into, auto& from) {
      into.insert(into.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    };
    if (first.accidental) n.accidental = std::move(first.accidental);
    // The marks stay in `first` for the other notes.
    n.marks.insert(n.marks.end(), first.marks.begin(), first.marks.end());
    move_to(n.spanners, first.spanners);
    move_to(n.lyrics, first.lyrics);
    move_to(n.beams, first.beams);
    if (!first.instrument.empty()) n.instrument = first.instrument;
    if (first.differs) n.differs = first.differs;
    if (first.extra) n.extra = first.extra;
  }
  auto x = std::move(d.rhythm);
  x.notes = std::move(notes);
  if (d.lasts)
    x.length = *d.lasts;
  else if (x.written)
    x.length = length(*x.written);
  if (d.untyped) x.written.reset();
  if (x.tuplet) x.length = x.length * rational{x.tuplet->normal, x.tuplet->actual};
  if (x.grace) x.length = {};
  return x;
}

std::optional<std::pair<int, int>> ratio_of(const value& v) {
  auto checked = [](std::optional<int> a,
                    std::optional<int> b) -> std::optional<std::pair<int, int>> {
    if (!a || !b || *a < 1 || *b < 1) return std::nullopt;
    return std::pair{*a, *b};
  };
  if (auto list = v.as_list())
    return list->items.size() == 2 ? checked(int_of(list->items[0]), int_of(list->items[1]))
                                   : std::nullopt;
  if (auto n = v.as_number()) {
    if (!n->is_integer())
      return checked(int_of(value::of(n->numerator())), int_of(value::of(n->denominator())));
    auto actual = int_of(v);
    if (!actual || *actual < 2) return std::nullopt;
    // Two, four and eight notes stand in compound time: they take the place of three or six.
    if (*actual == 2 || *actual == 4 || *actual == 8)
      return std::pair{*actual, *actual == 8 ? 6 : 3};
    auto normal = 1;
    while (normal * 2 < *actual)
      normal *= 2;
    return std::pair{*actual, normal};
  }
  auto text = text_of(v).value_or("");
  auto mark = text.find_first_of(":/");
  if (mark == std::string::npos) return std::nullopt;
  return checked(int_of(value::string(text.substr(0, mark))),
                 int_of(value::string(text.substr(mark + 1))));
}

}  // namespace fermata
