#include "core/lang/notation/direction_options.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

result<value> words_handler(call& c) {
  return direction_answer(c, words{c.text("text").value_or(""), {}}, "above");
}

result<value> rehearsal_handler(call& c) {
  return direction_answer(c, rehearsal_mark{c.text("text").value_or(""), {}}, "above");
}

result<value> segno_handler(call& c) {
  return direction_answer(c, segno_mark{}, "above", sounding("segno", "segno"));
}

result<value> coda_handler(call& c) {
  return direction_answer(c, coda_mark{}, "above", sounding("coda", "coda"));
}

/// Words that make playback jump.
struct jump {
  std::string_view form, text, attribute, value, doc;
  std::vector<std::string> aliases;
};

const std::vector<jump>& jumps() {
  static const std::vector<jump> table{
      {"fine", "Fine", "fine", "yes", "Fine: the end of the piece after a jump back.", {}},
      {"da-capo", "D.C.", "dacapo", "yes", "Da capo: back to the beginning.", {"dc"}},
      {"dal-segno", "D.S.", "dalsegno", "segno", "Dal segno: back to the segno.", {"ds"}},
      {"to-coda",
       "To Coda",
       "tocoda",
       "coda",
       "To coda: after a jump back, continue at the coda.",
       {"al-coda"}},
  };
  return table;
}

result<value> jump_handler(call& c) {
  auto row = std::find_if(jumps().begin(), jumps().end(),
                          [&](const jump& j) { return j.form == c.spec().name; });
  return direction_answer(c, words{c.text("text").value_or(std::string{row->text}), {}}, "above",
                          sounding(row->attribute, row->value));
}

result<value> pedal_handler(call& c) {
  return direction_answer(c, pedal{c.text("type").value_or("start"), {}}, "below");
}

/// MusicXML's type "number-level".
result<std::uint8_t> number_of_line(const call& c) {
  auto n = c.integer("number").value_or(1);
  if (n < 1 || n > 16)
    return fail(c.wrong(errc::out_of_range, "overlapping lines are numbered 1 to 16", "number"));
  return static_cast<std::uint8_t>(n);
}

result<value> octave_shift_handler(call& c) {
  octave_shift o;
  o.type = c.text("type").value_or("");
  if (c.has("size")) {
    // In quotes stands what a file says; MusicXML's type is any whole number above zero.
    auto size = int_of(c.get("size"));
    if (!size || *size < 1 || *size > 1000)
      return fail(c.wrong(errc::out_of_range, ":size must be 8, 15 or 22", "size"));
    o.size = *size;
  }
  if (o.type == "8va" || o.type == "15ma" || o.type == "8vb" || o.type == "15mb") {
    auto size = o.type.starts_with("15") ? 15 : 8;
    if (c.has("size") && o.size != size)
      return fail(c.wrong(errc::wrong_argument_count,
                          o.type + " already gives the size, " + std::to_string(size) +
                              "; omit :size, or write up or down",
                          "size"));
    o.size = size;
    // The notes are drawn an octave lower under an 8va line, hence "down".
    o.type = o.type.ends_with('a') ? "down" : "up";
  }
  auto number = number_of_line(c);
  if (!number) return fail(std::move(number.error()));
  o.number = *number;
  return direction_answer(c, std::move(o), "");
}

result<value> line_handler(call& c) {
  line_end l;
  l.dashes = c.spec().name == "dashes";
  l.type = c.text("type").value_or("start");
  auto number = number_of_line(c);
  if (!number) return fail(std::move(number.error()));
  l.number = *number;
  return direction_answer(c, std::move(l), "");
}

/// Several types in one direction.
result<value> direction_handler(call& c) {
  auto items = music_arguments(c, "direction");
  if (!items) return fail(std::move(items.error()));
  std::vector<direction_type> types;
  for (const auto& x : *items) {
    if (auto d = leaf<direction>(*x))
      types.insert(types.end(), d->types.begin(), d->types.end());
    else if (auto f = leaf<fragment>(*x))
      types.push_back(*f);
    else
      return fail(
          c.wrong(errc::misplaced, "only marks such as (p) and (words ...) are allowed here"));
  }
  auto d = read_direction(c, std::move(types), "");
  if (!d) return fail(std::move(d.error()));
  if (c.has("grouping")) {
    auto list = c.get("grouping").as_list();
    auto wrong = [&](const value& x) {
      return fail(c.wrong(errc::wrong_type,
                          "the grouping is a list of counts such as (1 2), not " + print(x),
                          "grouping"));
    };
    if (!list) return wrong(c.get("grouping"));
    for (const auto& x : list->items) {
      auto n = int_of(x);
      if (!n || *n < 1 || *n > 255) return wrong(x);
      d->grouping.push_back(static_cast<std::uint8_t>(*n));
    }
  }
  if (c.has("xml")) d->extra = preserved_of(c.get("xml"));
  return music_answer(c, measure_content{std::move(*d)});
}

/// The form of one type, the placement and sound that it has by itself.
struct type_writer {
  std::string_view placement{};
  std::optional<sound> sounds{};

  form operator()(const dynamics& x) {
    placement = "below";
    return dynamics_form(x);
  }
  form operator()(const wedge& x) {
    placement = "below";
    return wedge_form(x);
  }
  form operator()(const words& x) {
    placement = "above";
    return std::move(form{"words"}.add(value::string(x.text)).xml(x.extra));
  }
  form operator()(const rehearsal_mark& x) {
    placement = "above";
    return std::move(form{"rehearsal"}.add(value::string(x.text)).xml(x.extra));
  }
  form operator()(const segno_mark& x) {
    placement = "above";
    sounds = sounding("segno", "segno");
    return std::move(form{"segno"}.xml(x.extra));
  }
  form operator()(const coda_mark& x) {
    placement = "above";
    sounds = sounding("coda", "coda");
    return std::move(form{"coda"}.xml(x.extra));
  }
  form operator()(const metronome& x) {
    placement = "above";
    if (auto q = quarters_per_minute(x)) sounds = sounding("tempo", *q);
    return tempo_form("", x);
  }
  form operator()(const pedal& x) {
    placement = "below";
    return std::move(form{"pedal"}.word(x.type).xml(x.extra));
  }
  form operator()(const octave_shift& x) {
    form f{"octave-shift"};
    f.word(x.type);
    auto usual = x.size == 15 || x.size == 22;
    if (x.size != 8)
      f.option("size",
               usual ? value::of(std::int64_t{x.size}) : value::string(std::to_string(x.size)));
    if (x.number != 1) f.option("number", value::of(std::int64_t{x.number}));
    return std::move(f.xml(x.extra));
  }
  form operator()(const line_end& x) {
    form f{x.dashes ? "dashes" : "bracket-line"};
    f.word(x.type);
    if (x.number != 1) f.option("number", value::of(std::int64_t{x.number}));
    return std::move(f.xml(x.extra));
  }
  form operator()(const fragment& x) { return std::move(form{"xml"}.add(value::string(x.xml))); }
};

}  // namespace

value direction_form(const direction& x) {
  if (x.types.size() == 1 && x.grouping.empty() &&
      !std::holds_alternative<fragment>(x.types.front())) {
    if (auto w = std::get_if<words>(&x.types.front()); w && !w->extra && x.sound)
      for (const auto& j : jumps())
        if (x.sound == sounding(j.attribute, j.value)) {
          form f{j.form};
          if (w->text != j.text) f.add(value::string(w->text));
          write_direction_options(f, x, "above", x.sound);
          return f.done();
        }
    type_writer w;
    auto f = std::visit(w, x.types.front());
    write_direction_options(f, x, w.placement, w.sounds);
    return f.done();
  }
  if (x.types.size() == 2 && x.grouping.empty()) {
    auto text = std::get_if<words>(&x.types[0]);
    auto beat = std::get_if<metronome>(&x.types[1]);
    if (text && beat && !text->extra && !text->text.empty()) {
      auto f = tempo_form(text->text, *beat);
      std::optional<sound> sounds;
      if (auto q = quarters_per_minute(*beat)) sounds = sounding("tempo", *q);
      write_direction_options(f, x, "above", sounds);
      return f.done();
    }
  }
  form f{"direction"};
  for (const auto& t : x.types) {
    type_writer w;
    f.add(std::visit(w, t).done());
  }
  if (!x.grouping.empty()) {
    form list;
    for (auto n : x.grouping)
      list.add(value::of(std::int64_t{n}));
    f.option("grouping", list.done());
  }
  write_direction_options(f, x, "");
  return f.done();
}

void add_direction_forms(form_rows& rows) {
  auto add = [&](form_spec row) { rows.push_back(with_direction_options(std::move(row))); };
  auto text = required("text", arg_type::text, "the text");
  add({"words",
       {"text"},
       "mark",
       {text},
       "Text above the staff.",
       "(words \"sempre legato\")",
       "words",
       words_handler});
  add({"rehearsal",
       {"rehearsal-mark"},
       "mark",
       {text},
       "A rehearsal mark.",
       "(rehearsal \"B2\")",
       "rehearsal",
       rehearsal_handler});
  add({"segno",
       {},
       "mark",
       {},
       "A segno, and the target of (dal-segno).",
       "(segno)",
       "segno",
       segno_handler});
  add({"coda",
       {},
       "mark",
       {},
       "A coda sign, and the target of (to-coda).",
       "(coda)",
       "coda",
       coda_handler});
  for (const auto& j : jumps())
    add({std::string{j.form},
         j.aliases,
         "mark",
         {optional_param("text", arg_type::string, "instead of \"" + std::string{j.text} + "\"")},
         std::string{j.doc},
         "(" + std::string{j.form} + ")",
         "words",
         jump_handler});
  auto word = [](std::string name, std::vector<std::string> choices) {
    auto p = required(std::move(name), arg_type::word, "which");
    p.choices = std::move(choices);
    return p;
  };
  auto number = option_param("number", arg_type::integer, "distinguishes overlapping ones");
  add({"pedal",
       {},
       "mark",
       {word("type",
             {"start", "stop", "change", "continue", "sostenuto", "discontinue", "resume"})},
       "A pedal mark.",
       "(pedal :start)",
       "pedal",
       pedal_handler});
  add({"octave-shift",
       {"ottava"},
       "mark",
       {word("type", {"8va", "8vb", "15ma", "15mb", "up", "down", "stop", "continue"}),
        named_option("size", "8, 15 or 22", {"8", "15", "22"}), number},
       "An octave line; written pitches do not change.",
       "(octave-shift :8va)",
       "octave-shift",
       octave_shift_handler});
  for (auto size : {"8", "15", "22"})
    rows.back().elsewhere.push_back({size, "for an octave higher write (octave-shift :8va), lower "
                                           "(octave-shift :8vb), two octaves :15ma :15mb"});
  add({"dashes",
       {},
       "mark",
       {word("type", {"start", "stop", "continue"}), number},
       "The start or end of a dashed line.",
       "(dashes :start)",
       "dashes",
       line_handler});
  add({"bracket-line",
       {},
       "mark",
       {word("type", {"start", "stop", "continue"}), number},
       "The start or end of a bracket.",
       "(bracket-line :start)",
       "bracket",
       line_handler});
  add({"direction",
       {},
       "mark",
       {rest_param("marks", arg_type::contents, "marks shown together"),
        option_param("grouping", arg_type::spec, "counts of marks sharing one <direction-type>")},
       "Several marks combined in one direction.",
       "(direction (p) (words \"dolce\") :below)",
       "direction",
       direction_handler});
}

}  // namespace fermata
