#include "core/lang/music/note_option_values.hpp"

#include "core/lang/music/phrase_signs.hpp"
#include "core/lang/music/spanner_names.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Marks that say more in a child element, and its name: `:hole half`.
std::string_view child_of(mark_kind kind) {
  switch (kind) {
    case mark_kind::hole: return "hole-closed";
    case mark_kind::harmon_mute: return "harmon-closed";
    case mark_kind::arrow: return "arrow-direction";
    default: return {};
  }
}

}  // namespace

const std::map<mark_kind, std::vector<std::string>>& mark_choices() {
  static const std::map<mark_kind, std::vector<std::string>> table{
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

std::string add_drawn_mark(note_draft& d, mark_kind kind, const value& v,
                           const drawn_names& names) {
  auto known = drawn_text(v, names);
  if (!known) return no_such_name(v, names, info(kind).xml_name);
  return add_mark(d, kind, *known);
}

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
    auto text = text_of(w).value_or(print(w));
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
    auto word = text_of(items[i]).value_or(print(items[i]));
    if (word == "xml" && items[i].as_keyword() && i + 1 < items.size() && !d.first.beams.empty()) {
      d.first.beams.back().extra = preserved_of(items[++i]);
      continue;
    }
    beam b;
    b.number = static_cast<std::uint8_t>(number++);
    b.value = word == "start" ? "begin" : word == "stop" ? "end" : word;
    if (word == "forward-hook" || word == "backward-hook") b.value[word.find('-')] = ' ';
    static const std::vector<std::string> known{"begin", "continue", "end", "forward hook",
                                                "backward hook"};
    if (std::find(known.begin(), known.end(), b.value) == known.end())
      return "a beam is begin, continue, end, forward-hook or backward-hook, not `" + word + "`" +
             meant(word, {"begin", "continue", "end", "forward-hook", "backward-hook"});
    d.first.beams.push_back(std::move(b));
  }
  return {};
}

std::string add_lyric(note_draft& d, const value& v) {
  lyric l;
  auto list = v.as_list();
  if (!list) {
    auto text = text_of(v);
    if (!text) return "a syllable is needed here, such as \"la\", not " + print(v);
    l.syllables.push_back({"", "single", std::move(*text), {}});
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
    auto word = text_of(items[i]).value_or(print(items[i]));
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
      // An imported lyric may have an empty number.
      auto verse = text_of(next());
      l.number = verse.value_or("");
      if (!verse) return "which verse? (\"la\" :verse 2)";
    } else if (word == "extend") {
      // Alone it is a line to wherever the next syllable stands.
      auto kind = i + 1 < items.size() ? text_of(items[i + 1]).value_or("") : std::string{};
      auto says = kind == "plain" || kind == "start" || kind == "stop" || kind == "continue";
      l.extend = says ? kind : "plain";
      if (says) ++i;
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

}  // namespace fermata
