#include "core/lang/notation/header_options.hpp"

#include "core/lang/names/symbol_names.hpp"
#include "core/lang/names/xml_text.hpp"
#include "core/lang/notation/forms.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// People by the option that names them; `type` as MusicXML has it.
constexpr std::string_view people[] = {"composer", "lyricist", "arranger", "poet", "translator"};

std::vector<fragment> fragments_of(const value& v, std::string& fault) {
  std::vector<fragment> out;
  auto look = [&](const value& x) {
    auto what = x.as_string() ? fault_of_element(*x.as_string())
                              : "expected an element as quoted text, not " + print(x);
    if (fault.empty()) fault = std::move(what);
  };
  if (auto list = v.as_list())
    for (const auto& x : list->items)
      look(x);
  else
    look(v);
  if (auto list = v.as_list()) {
    for (const auto& x : list->items)
      out.push_back({text_of(x).value_or("")});
  } else {
    out.push_back({text_of(v).value_or("")});
  }
  return out;
}

void write_fragments(form& f, std::string_view name, const std::vector<fragment>& fragments) {
  if (fragments.empty()) return;
  form list;
  for (const auto& x : fragments)
    list.add(value::string(x.xml));
  f.option(name, list.done());
}

/// `("J. S. Bach" :type "composer" :xml (...))`
typed_text text_from(const value& v, std::string& fault, std::string type = {}) {
  spec s{v, {"type", "xml"}};
  if (fault.empty()) fault = s.beyond(1);
  typed_text t;
  t.text = s.word(0);
  t.type = s.named("type") ? s.text("type") : std::move(type);
  t.extra = s.xml();
  return t;
}

value text_to(const typed_text& t, bool with_type) {
  form f;
  f.add(value::string(t.text));
  if (with_type && !t.type.empty()) f.option("type", value::string(t.type));
  f.xml(t.extra);
  return f.one_or_list();
}

/// `(:page 1 :type "title" :words "Etude" :xml (...))`
credit credit_from(const value& v, std::string& fault) {
  credit out;
  auto list = v.as_list();
  if (!list) {
    out.words.push_back({"", text_of(v).value_or(""), {}});
    return out;
  }
  auto wrong = [&](std::string what) {
    if (fault.empty()) fault = std::move(what);
  };
  for (std::size_t i = 0; i < list->items.size(); i += 2) {
    auto name = text_of(list->items[i]).value_or(print(list->items[i]));
    if (i + 1 == list->items.size()) {
      wrong("`" + name + "` has no value");
      break;
    }
    const auto& x = list->items[i + 1];
    if (name == "page")
      out.page = text_of(x).value_or("");
    else if (name == "type")
      out.types.push_back(text_of(x).value_or(""));
    else if (name == "words")
      out.words.push_back(text_from(x, fault));
    else if (name == "xml") {
      if (auto what = fault_of_xml(x); !what.empty()) wrong(what);
      out.extra = preserved_of(x);
    } else
      wrong("unknown credit field `" + name + "`" + meant(name, {"page", "type", "words", "xml"}));
  }
  return out;
}

value credit_to(const credit& c) {
  form f;
  if (!c.page.empty()) f.option("page", text_value(c.page));
  for (const auto& t : c.types)
    f.option("type", value::string(t));
  for (const auto& w : c.words)
    f.option("words", text_to(w, true));
  f.xml(c.extra);
  return f.done();
}

/// `("P1-I1" "Piano" :sound "keyboard.piano" :channel 1 :program 1 ...)`
part_instrument instrument_from(const value& v, std::string& fault) {
  spec s{v,
         {"abbr", "sound", "channel", "program", "bank", "unpitched", "volume", "pan", "elevation",
          "xml", "midi-xml"}};
  fault = s.beyond(2);
  for (auto name : {"channel", "program", "bank", "unpitched"})
    if (s.named(name) && !s.integer(name) && fault.empty())
      fault = ":" + std::string{name} + " must be a whole number, not " + print(*s.named(name));
  for (auto name : {"volume", "pan", "elevation"}) {
    auto said = s.named(name);
    auto number = said && (said->as_string() || said->as_number() || said->get_if<double>());
    if (said && !number && fault.empty())
      fault = ":" + std::string{name} + " must be a number, not " + print(*said);
  }
  if (auto x = s.named("midi-xml"); x && fault.empty()) fault = fault_of_xml(*x);
  part_instrument i;
  i.id = s.word(0);
  i.name = s.word(1);
  i.abbreviation = s.text("abbr");
  i.sound = s.text("sound");
  i.midi_channel = s.integer("channel");
  i.midi_program = s.integer("program");
  i.midi_bank = s.integer("bank");
  i.midi_unpitched = s.integer("unpitched");
  i.volume = s.text("volume");
  i.pan = s.text("pan");
  i.elevation = s.text("elevation");
  i.extra = s.xml();
  if (auto x = s.named("midi-xml")) i.midi_extra = preserved_of(*x);
  return i;
}

value instrument_to(const part_instrument& i) {
  form f;
  f.add(value::string(i.id)).add(value::string(i.name));
  f.text("abbr", i.abbreviation).text("sound", i.sound);
  auto number = [&](std::string_view name, const std::optional<int>& n) {
    if (n) f.option(name, value::of(std::int64_t{*n}));
  };
  number("channel", i.midi_channel);
  number("program", i.midi_program);
  number("bank", i.midi_bank);
  number("unpitched", i.midi_unpitched);
  auto text = [&](std::string_view name, const std::string& t) {
    if (!t.empty()) f.option(name, text_value(t));
  };
  text("volume", i.volume);
  text("pan", i.pan);
  text("elevation", i.elevation);
  f.xml(i.extra).xml(i.midi_extra, "midi-xml");
  return f.done();
}

param repeated(param p) {
  p.repeats = true;
  return p;
}

credit subtitle(std::string text) {
  credit c;
  c.page = "1";
  c.types.push_back("subtitle");
  c.words.push_back({"", std::move(text), {}});
  return c;
}

bool is_subtitle(const credit& c) {
  return c.words.size() == 1 && c == subtitle(c.words.front().text);
}

}  // namespace

std::vector<param> score_option_params() {
  std::vector<param> out{
      option_param("title", arg_type::text, "title of the work"),
      option_param("subtitle", arg_type::text, "below the title"),
  };
  for (auto who : people)
    out.push_back(repeated(option_param(std::string{who}, arg_type::spec, "name")));
  for (auto p :
       {repeated(option_param("creator", arg_type::spec, "(\"name\" :type \"role\")")),
        repeated(option_param("rights", arg_type::spec, "copyright line")),
        option_param("number", arg_type::text, "opus or catalogue number", {"work-number"}),
        option_param("movement", arg_type::text, "title of the movement", {"movement-title"}),
        option_param("movement-number", arg_type::text, "number of the movement"),
        option_param("source", arg_type::text, "the source of the music"),
        repeated(option_param("credit", arg_type::spec, "text on the page")),
        option_param("work-xml", arg_type::spec, "further children of <work>"),
        option_param("encoding", arg_type::spec, "children of <encoding>"),
        option_param("identification-xml", arg_type::spec, "further children of <identification>"),
        option_param("defaults", arg_type::spec, "page layout as MusicXML"),
        option_param("xml", arg_type::xml, "further MusicXML attributes and elements")})
    out.push_back(std::move(p));
  return out;
}

result<void> read_score_options(const call& c, score_music& s) {
  auto& h = s.header;
  std::string fault;
  for (const auto& x : c.in_order()) {
    const auto& name = c.spec().params[x.param].name;
    const auto& v = x.given;
    auto text = [&] { return text_of(v).value_or(""); };
    if (name == "title")
      h.work_title = text();
    else if (name == "subtitle")
      h.credits.push_back(subtitle(text()));
    else if (name == "creator")
      h.creators.push_back(text_from(v, fault));
    else if (name == "rights")
      h.rights.push_back(text_from(v, fault));
    else if (name == "number")
      h.work_number = text();
    else if (name == "movement")
      h.movement_title = text();
    else if (name == "movement-number")
      h.movement_number = text();
    else if (name == "source")
      h.source = text();
    else if (name == "credit")
      h.credits.push_back(credit_from(v, fault));
    else if (name == "work-xml")
      h.work_others = fragments_of(v, fault);
    else if (name == "encoding")
      h.encoding = fragments_of(v, fault);
    else if (name == "identification-xml")
      h.identification_others = fragments_of(v, fault);
    else if (name == "defaults")
      h.defaults = fragments_of(v, fault);
    else if (name == "xml")
      s.extra = preserved_of(v);
    else
      h.creators.push_back(text_from(v, fault, name));
    if (!fault.empty()) {
      auto e = c.wrong(errc::wrong_type, name + ": " + fault);
      e.diagnostics.front().span = x.span;
      return fail(std::move(e));
    }
  }
  return {};
}

void write_score_options(form& f, const score_header& h, const preserved& extra) {
  f.text("title", h.work_title).text("number", h.work_number);
  f.text("movement", h.movement_title).text("movement-number", h.movement_number);
  for (const auto& t : h.creators) {
    auto known = std::find(std::begin(people), std::end(people), t.type) != std::end(people);
    f.option(known ? std::string_view{t.type} : "creator", text_to(t, !known));
  }
  for (const auto& t : h.rights)
    f.option("rights", text_to(t, true));
  f.text("source", h.source);
  for (const auto& c : h.credits)
    if (is_subtitle(c))
      f.option("subtitle", value::string(c.words.front().text));
    else
      f.option("credit", credit_to(c));
  write_fragments(f, "work-xml", h.work_others);
  write_fragments(f, "encoding", h.encoding);
  write_fragments(f, "identification-xml", h.identification_others);
  write_fragments(f, "defaults", h.defaults);
  f.xml(extra);
}

std::vector<param> part_option_params() {
  return {option_param("name", arg_type::text, "shown before the first system"),
          option_param("id", arg_type::text, "P1, P2, ... if omitted"),
          option_param("abbr", arg_type::text, "shown before the other systems", {"abbreviation"}),
          flag_param("plain", "do not add key, time and clef to measure 1"),
          repeated(option_param("sound", arg_type::spec,
                                "(\"P1-I1\" \"Piano\" :sound \"keyboard.piano\" :program 1)")),
          option_param("xml", arg_type::xml, "further MusicXML attributes and elements")};
}

result<void> read_part_options(const call& c, part_music& p) {
  p.header.id.clear();
  p.header.name = c.text("name").value_or("");
  p.header.abbreviation = c.text("abbr").value_or("");
  if (c.has("id")) {
    p.header.id = c.text("id").value_or("");
    if (p.header.id.empty())
      return fail(c.wrong(errc::wrong_type, "the id must not be empty", "id"));
  }
  p.plain = c.flag("plain");
  if (c.has("xml")) p.header.extra = preserved_of(c.get("xml"));
  for (const auto& x : c.in_order())
    if (c.spec().params[x.param].name == "sound") {
      std::string fault;
      p.header.instruments.push_back(instrument_from(x.given, fault));
      if (!fault.empty()) {
        auto e = c.wrong(errc::wrong_type, "sound: " + fault);
        e.diagnostics.front().span = x.span;
        return fail(std::move(e));
      }
    }
  return {};
}

void write_part_options(form& f, const part& p) {
  f.text("name", p.name).text("abbr", p.abbreviation);
  for (const auto& i : p.instruments)
    f.option("sound", instrument_to(i));
  f.xml(p.extra);
}

}  // namespace fermata
