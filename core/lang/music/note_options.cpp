#include "core/lang/music/note_options.hpp"

#include "core/lang/music/drawn_names.hpp"
#include "core/lang/music/phrase_signs.hpp"
#include "core/lang/music/spanner_names.hpp"

#include <algorithm>
#include <map>

namespace fermata {

namespace {

/// Applies a value to the draft; answers what is wrong with it, or nothing.
using application = std::function<std::string(note_draft&, const value&)>;

struct option_row {
  param p;
  application apply;
};

using words = std::vector<std::string>;

param option(std::string name, arg_type type, std::string doc, words choices = {},
             std::string default_text = {}, words aliases = {}) {
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

param flag(std::string name, std::string doc, words aliases = {}) {
  auto p = option(std::move(name), arg_type::boolean, std::move(doc), {}, {}, std::move(aliases));
  p.kind = param_kind::flag;
  return p;
}

words split_words(std::string_view text) {
  words out;
  while (!text.empty()) {
    auto blank = text.find(' ');
    if (auto word = text.substr(0, blank); !word.empty()) out.emplace_back(word);
    text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  }
  return out;
}

/// The words after the marks whose text is optional; the first one stands for no text.
const std::map<mark_kind, words>& mark_choices() {
  static const std::map<mark_kind, words> table{
      {mark_kind::fermata_mark,
       {"normal", "angled", "square", "double-angled", "double-square", "double-dot", "half-curve",
        "curlew", "inverted"}},
      {mark_kind::strong_accent, {"plain", "up", "down"}},
      {mark_kind::arpeggiate, {"plain", "up", "down", "none"}},
      {mark_kind::non_arpeggiate, {"plain", "top", "bottom"}},
      {mark_kind::breath_mark, {"plain", "comma", "tick", "upbow", "salzedo"}},
      {mark_kind::caesura, {"plain", "normal", "thick", "short", "curved", "single"}},
      {mark_kind::hole, {"plain", "yes", "no", "half"}},
      {mark_kind::harmon_mute, {"plain", "yes", "no", "half"}},
  };
  return table;
}

/// Marks that say more in a child element, and its name: `:hole half`.
std::string_view child_of(mark_kind kind) {
  switch (kind) {
    case mark_kind::hole: return "hole-closed";
    case mark_kind::harmon_mute: return "harmon-closed";
    case mark_kind::arrow: return "arrow-direction";
    default: return {};
  }
}

std::string add_mark(note_draft& d, mark_kind kind, std::string text) {
  mark m{kind, std::move(text), {}};
  if (auto choices = mark_choices().find(kind);
      choices != mark_choices().end() &&
      (m.text == choices->second.front() || (m.text == "none" && kind == mark_kind::arpeggiate)))
    m.text.clear();
  if (kind == mark_kind::fermata_mark && m.text == "inverted") {
    m.text.clear();
    m.extra = with_attribute({}, "type", "inverted");
  }
  if (auto child = child_of(kind); !child.empty() && !m.text.empty()) {
    preserved_xml inside;
    inside.children.push_back(
        fragment{"<" + std::string{child} + ">" + m.text + "</" + std::string{child} + ">"});
    m.text.clear();
    m.extra = preserved{std::move(inside)};
  }
  d.first.marks.push_back(std::move(m));
  return {};
}

/// A word among the names of one kind of mark.
std::string add_drawn_mark(note_draft& d, mark_kind kind, const value& v,
                           const drawn_names& names) {
  auto known = drawn_text(v, names);
  if (!known) return no_such_name(v, names, info(kind).xml_name);
  return add_mark(d, kind, *known);
}

/// `:mark (:staccato "text" :above :xml (...))`: any mark exactly.
std::string add_exact_mark(note_draft& d, const value& v) {
  spec s{v, {"xml"}, {"above", "below"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  auto kind = mark_by_option(s.word(0));
  if (!kind) {
    std::vector<std::string_view> known;
    for (const auto& row : mark_table())
      known.push_back(row.option);
    return "`" + s.word(0) + "` is no mark of a note" + meant(s.word(0), known);
  }
  mark m{*kind, s.word(1), s.xml()};
  if (s.flag("above") || s.flag("below"))
    m.extra = with_attribute(m.extra, "placement", s.flag("above") ? "above" : "below");
  d.first.marks.push_back(std::move(m));
  return {};
}

std::string add_tie(note_draft& d, const value& v) {
  auto& t = d.first.tie;
  spec s{v, {}};
  for (const auto& w : s.words()) {
    auto text = text_of(w).value_or("");
    if (text == "start" || text == "both") t.start = true;
    if (text == "stop" || text == "both") t.stop = true;
    if (text == "start-undrawn") t.start = t.start_undrawn = true;
    if (text == "stop-undrawn") t.stop = t.stop_undrawn = true;
    if (text != "start" && text != "stop" && text != "both" && text != "start-undrawn" &&
        text != "stop-undrawn")
      return "a tie is start, stop or both, not `" + text + "`" +
             meant(text, {"start", "stop", "both", "start-undrawn", "stop-undrawn"});
  }
  return {};
}

std::string add_spanner(note_draft& d, span_kind kind, const value& v) {
  spec s{v, {"xml", "text", "number"}, {"above", "below"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  spanner x;
  x.kind = kind;
  auto end = parse_span_end(s.word(0));
  if (!end)
    return "`" + s.word(0) + "` is not start, stop or continue" +
           meant(s.word(0), {"start", "stop", "continue"});
  x.end = *end;
  auto number = s.size() > 1 ? int_of(s.words()[1]) : s.integer("number");
  if ((s.size() > 1 || s.named("number")) && (!number || *number < 1 || *number > 16))
    return "the number is a whole number from 1 to 16";
  x.number = static_cast<std::uint8_t>(number.value_or(1));
  x.text = s.text("text");
  x.extra = s.xml();
  if (s.flag("above") || s.flag("below"))
    x.extra = with_attribute(x.extra, "placement", s.flag("above") ? "above" : "below");
  d.first.spanners.push_back(std::move(x));
  return {};
}

std::string add_beams(note_draft& d, const value& v) {
  auto number = 1;
  auto list = v.as_list();
  std::vector<value> one{v};
  const auto& items = list ? list->items : one;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].as_number()) {
      number = int_of(items[i]).value_or(0);
      if (number < 1 || number > 8) return "beams are numbered 1 to 8";
      continue;
    }
    auto word = text_of(items[i]).value_or("");
    if (word == "xml" && items[i].as_keyword() && i + 1 < items.size() && !d.first.beams.empty()) {
      d.first.beams.back().extra = preserved_of(items[++i]);
      continue;
    }
    beam b;
    b.number = static_cast<std::uint8_t>(number++);
    b.value = word == "start" ? "begin" : word == "stop" ? "end" : word;
    if (word == "forward-hook" || word == "backward-hook") b.value[word.find('-')] = ' ';
    static const words known{"begin", "continue", "end", "forward hook", "backward hook"};
    if (std::find(known.begin(), known.end(), b.value) == known.end())
      return "a beam is begin, continue, end, forward-hook or backward-hook, not `" + word + "`" +
             meant(word, {"begin", "continue", "end", "forward-hook", "backward-hook"});
    d.first.beams.push_back(std::move(b));
  }
  return {};
}

/// `:lyric "la"`, `:lyric ("hel" :begin :verse 2)`, elisions as several strings.
std::string add_lyric(note_draft& d, const value& v) {
  lyric l;
  auto list = v.as_list();
  if (!list) {
    l.syllables.push_back({"", "single", text_of(v).value_or(""), {}});
    d.first.lyrics.push_back(std::move(l));
    return {};
  }
  std::string elision;
  const auto& items = list->items;
  auto single = [&] {
    for (auto& s : l.syllables)
      if (s.syllabic == "?")
        s.syllabic = "single";
      else if (s.syllabic == "none")
        s.syllabic.clear();
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (auto s = items[i].as_string()) {
      l.syllables.push_back({std::exchange(elision, {}), "?", *s, {}});
      continue;
    }
    auto word = text_of(items[i]).value_or("");
    auto next = [&] { return i + 1 < items.size() ? items[++i] : value{}; };
    if (word == "single" || word == "begin" || word == "middle" || word == "end" ||
        word == "none") {
      if (l.syllables.empty()) return "a syllable's text stands before `" + word + "`";
      l.syllables.back().syllabic = word;
    } else if (word == "elision") {
      elision = text_of(next()).value_or("");
    } else if (word == "text-xml" && !l.syllables.empty()) {
      l.syllables.back().extra = preserved_of(next());
    } else if (word == "verse") {
      l.number = text_of(next()).value_or("");
    } else if (word == "extend") {
      l.extend = text_of(next()).value_or("");
    } else if (word == "humming") {
      l.humming = true;
    } else if (word == "laughing") {
      l.laughing = true;
    } else if (word == "end-line") {
      l.end_line = true;
    } else if (word == "end-paragraph") {
      l.end_paragraph = true;
    } else if (word == "xml") {
      l.extra = preserved_of(next());
    } else {
      return "`" + word + "` says nothing about a lyric" +
             meant(word, {"single", "begin", "middle", "end", "none", "elision", "verse", "extend",
                          "humming", "laughing", "end-line", "end-paragraph"});
    }
  }
  single();
  d.first.lyrics.push_back(std::move(l));
  return {};
}

std::string set_accidental(note_draft& d, const value& v) {
  static const std::map<std::string, std::string, std::less<>> signs{
      {"#", "sharp"},        {"s", "sharp"},
      {"b", "flat"},         {"n", "natural"},
      {"x", "double-sharp"}, {"##", "double-sharp"},
      {"bb", "flat-flat"},   {"double-flat", "flat-flat"},
  };
  spec s{v, {"xml"}, {"cautionary", "editorial", "parentheses"}};
  if (auto more = s.beyond(1); !more.empty()) return more;
  if (s.size() == 0) return "which accidental? :accidental sharp";
  displayed_accidental a;
  if (auto sign = signs.find(s.word(0)); sign != signs.end())
    a.value = sign->second;
  else if (auto known = drawn_text(s.words()[0], accidental_names()))
    a.value = *known;
  else
    return no_such_name(s.words()[0], accidental_names(), "accidental");
  a.extra = s.xml();
  for (auto flag : {"cautionary", "editorial", "parentheses"})
    if (s.flag(flag)) a.extra = with_attribute(a.extra, flag, "yes");
  d.first.accidental = std::move(a);
  return {};
}

std::string set_notehead(note_draft& d, const value& v) {
  spec s{v, {"xml", "filled", "parentheses"}};
  if (auto more = s.beyond(1); !more.empty()) return more;
  if (s.size() == 0) return "which notehead? :notehead diamond";
  auto known = drawn_text(s.words()[0], notehead_names());
  if (!known) return no_such_name(s.words()[0], notehead_names(), "notehead");
  d.first.notehead = notehead{*known, s.text("filled"), s.text("parentheses"), s.xml()};
  return {};
}

std::string set_staff(note_draft& d, const value& v) {
  auto n = int_of(v);
  if (text_of(v) == "none") n = 0;
  if (!n || *n < 0 || *n > 64) return "a staff is a number from 1 to 64";
  d.rhythm.staff = static_cast<std::uint8_t>(*n);
  d.rhythm.staff_given = *n != 0;
  return {};
}

std::string set_modification(note_draft& d, const value& v) {
  auto r = ratio_of(v);
  if (!r) return "a tuplet ratio is written 3:2";
  auto normal = d.rhythm.tuplet ? d.rhythm.tuplet->normal_type : std::nullopt;
  d.rhythm.tuplet = time_modification{r->first, r->second, normal};
  return {};
}

std::string set_normal_type(note_draft& d, const value& v) {
  auto text = text_of(v).value_or("");
  auto type = parse_note_value(text);
  if (!type && text != "none") return "`" + text + "` is no note value";
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

application attribute_into(std::string name) {
  return [name](note_draft& d, const value& v) {
    d.first.extra = with_attribute(d.first.extra, name, text_of(v).value_or(""));
    return std::string{};
  };
}

std::vector<option_row> make_rows() {
  std::vector<option_row> rows;
  auto add = [&](param p, application a) { rows.push_back({std::move(p), std::move(a)}); };
  add(option("voice", arg_type::text, "voice it belongs to"), text_into(&chord_rest::voice));
  add(option("staff", arg_type::text, "staff it is drawn on"), set_staff);
  add(flag("cue", "small, as a cue"), [](note_draft& d, const value&) {
    d.rhythm.cue = true;
    return std::string{};
  });
  add(option("grace", arg_type::word, "takes no time", {"plain", "slash"}, "plain"), set_grace);
  add(option("lasts", arg_type::number, "length in whole notes where it is not as written"),
      [](note_draft& d, const value& v) {
        if (!v.as_number() || *v.as_number() < rational{0})
          return std::string{"a length is a number of whole notes, such as 3/8"};
        d.lasts = quarters{*v.as_number() * rational{4}};
        return std::string{};
      });
  add(flag("untyped", "no note value is written"), [](note_draft& d, const value&) {
    d.untyped = true;
    return std::string{};
  });
  add(option("modification", arg_type::ratio, "tuplet ratio of a note outside of a tuplet form"),
      set_modification);
  add(option("normal-type", arg_type::text, "note value that the tuplet ratio counts, or none"),
      set_normal_type);
  add(option("tie", arg_type::spec, "start, stop or both"), add_tie);
  add(option("accidental", arg_type::spec, "accidental as drawn; (sharp cautionary)",
             drawn_words(accidental_names())),
      set_accidental);
  add(option("notehead", arg_type::spec, "how its head is drawn; (diamond :filled no)",
             drawn_words(notehead_names())),
      set_notehead);
  add(option("stem", arg_type::word, "stem direction", {"up", "down", "none", "double"}),
      note_text_into(&note::stem));
  add(option("beam", arg_type::spec, "begin, continue, end; (begin begin) for two"), add_beams);
  add(option("mark", arg_type::spec, "any mark with all it says; (staccato below)"),
      add_exact_mark);
  for (const auto& row : mark_table()) {
    auto kind = row.kind;
    auto name = std::string{row.option};
    auto aliases = split_words(row.aliases);
    switch (row.value) {
      case mark_value::none:
        if (kind == mark_kind::hole || kind == mark_kind::harmon_mute) {
          const auto& choices = mark_choices().at(kind);
          add(option(name, arg_type::word, std::string{row.xml_name}, choices, choices.front(),
                     aliases),
              [kind](note_draft& d, const value& v) {
                return add_mark(d, kind, text_of(v).value_or(""));
              });
          break;
        }
        if (kind == mark_kind::arrow) {
          auto choices = drawn_words(arrow_names());
          choices.insert(choices.begin(), "plain");
          add(option(name, arg_type::word, std::string{row.xml_name}, choices, choices.front(),
                     aliases),
              [kind](note_draft& d, const value& v) {
                if (text_of(v) == "plain") return add_mark(d, kind, {});
                return add_drawn_mark(d, kind, v, arrow_names());
              });
          break;
        }
        add(flag(name, std::string{row.xml_name}, aliases),
            [kind](note_draft& d, const value&) { return add_mark(d, kind, {}); });
        break;
      case mark_value::text: {
        if (kind == mark_kind::handbell) {
          add(option(name, arg_type::spec, std::string{row.xml_name}, drawn_words(handbell_names()),
                     {}, aliases),
              [kind](note_draft& d, const value& v) {
                return add_drawn_mark(d, kind, v, handbell_names());
              });
          break;
        }
        if (kind == mark_kind::dynamics_notation) {
          add(option(name, arg_type::spec, "a dynamic: p, mf, sfz; any other text in quotes", {},
                     {}, aliases),
              [kind](note_draft& d, const value& v) {
                auto text = text_of(v).value_or("");
                if (!v.as_string() && !is_dynamic(text)) return no_such_dynamic(text);
                return add_mark(d, kind, text);
              });
          break;
        }
        auto choices = mark_choices().find(kind);
        auto has = choices != mark_choices().end();
        add(option(name, has ? arg_type::word : arg_type::text, std::string{row.xml_name},
                   has ? choices->second : words{}, has ? choices->second.front() : std::string{},
                   aliases),
            [kind](note_draft& d, const value& v) {
              return add_mark(d, kind, text_of(v).value_or(""));
            });
        break;
      }
      case mark_value::number:
        add(option(name, arg_type::text, std::string{row.xml_name}, {}, {}, aliases),
            [kind](note_draft& d, const value& v) {
              if (!int_of(v)) return std::string{"a whole number is needed here"};
              return add_mark(d, kind, text_of(v).value_or(""));
            });
        break;
    }
  }
  for (const auto& row : span_names())
    add(option(std::string{row.option}, arg_type::spec, std::string{row.doc}),
        [kind = row.kind](note_draft& d, const value& v) { return add_spanner(d, kind, v); });
  add(option("lyric", arg_type::spec, "syllable; (\"hel\" begin :verse 2)"), add_lyric);
  add(option("instrument", arg_type::text, "id of one of the part's sounds"),
      note_text_into(&note::instrument));
  add(option("color", arg_type::text, "colour as #RRGGBB"), attribute_into("color"));
  add(option("id", arg_type::text, "name to refer to it by"), attribute_into("id"));
  add(option("differs", arg_type::spec, "how a note of a chord departs from its first"),
      set_difference);
  add(option("xml", arg_type::spec, "MusicXML attributes and children"),
      [](note_draft& d, const value& v) {
        d.first.extra = preserved_of(v);
        return std::string{};
      });
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

std::optional<std::string> word_in_child(const mark& m) {
  auto child = child_of(m.kind);
  if (child.empty() || !m.extra || !m.extra->attributes.empty() || m.extra->children.size() != 1)
    return std::nullopt;
  std::string_view xml = m.extra->children.front().xml;
  auto open = "<" + std::string{child} + ">", close = "</" + std::string{child} + ">";
  if (!m.text.empty() || !xml.starts_with(open) || !xml.ends_with(close)) return std::nullopt;
  xml = xml.substr(open.size(), xml.size() - open.size() - close.size());
  if (m.kind == mark_kind::arrow) {
    auto word = drawn_value(xml, arrow_names());
    return word.as_keyword() ? std::optional{*word.as_keyword()} : std::nullopt;
  }
  auto& choices = mark_choices().at(m.kind);
  auto known = std::find(choices.begin() + 1, choices.end(), xml) != choices.end();
  return known ? std::optional{std::string{xml}} : std::nullopt;
}

const std::vector<std::string>* mark_words(mark_kind kind) {
  auto found = mark_choices().find(kind);
  return found == mark_choices().end() ? nullptr : &found->second;
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
