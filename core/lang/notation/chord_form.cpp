#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/note_options.hpp"
#include "core/lang/value/make.hpp"
#include "core/theory/chord_symbol.hpp"

#include <algorithm>

namespace fermata {

value note_form_of(const chord_rest& x);  // note_form.cpp

namespace {

/// What stands in a chord form apart from its options, in whatever order.
struct chord_contents {
  std::vector<note> notes;
  std::optional<note_value> length;
};

bool add_tone(chord_contents& into, const value& v) {
  if (auto p = pitch_of(v)) {
    into.notes.emplace_back();
    into.notes.back().tone = *p;
    return true;
  }
  if (auto m = v.as_music())
    if (auto x = leaf<chord_rest>(*m); x && !is_rest(*x)) {
      into.notes.insert(into.notes.end(), x->notes.begin(), x->notes.end());
      return true;
    }
  return false;
}

result<value> chord_handler(call& c) {
  chord_contents contents;
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    auto span = c.rest_spans()[i];
    auto wrong = [&](std::string message) {
      auto e = c.wrong(errc::invalid_chord, std::move(message));
      e.diagnostics.front().span = span;
      return fail(std::move(e));
    };
    if (auto d = duration_value_of(v); d && !pitch_of(v)) {
      if (contents.length) return wrong("a chord takes a single duration");
      contents.length = d;
    } else if (add_tone(contents, v)) {
      continue;
    } else if (auto list = v.as_list()) {
      for (const auto& x : list->items) {
        if (add_tone(contents, x)) continue;
        auto option = x.as_keyword();
        if (!option || list->items.empty() || !pitch_of(list->items.front()))
          return wrong("a chord consists of pitches, not " + print(x));
        auto e = c.wrong(errc::invalid_chord,
                         ":" + *option + " is not allowed inside a list of pitches");
        e.diagnostics.front().span = span;
        e.diagnostics.front().hint =
            list->items.size() > 1 && list->items[1] == x
                ? "for one note of the chord, write (note " + print(list->items.front()) + " :" +
                      *option + " ...); options for the whole chord go after the list"
                : "options for the whole chord go after the list: (chord (c4 e4) :q :" + *option +
                      " ...)";
        return fail(std::move(e));
      }
    } else if (auto s = v.as_string()) {
      auto symbol = parse_chord_symbol(*s);
      if (!symbol) return wrong("\"" + *s + "\" is not a chord symbol");
      for (const auto& p : chord_pitches(*symbol, 4))
        add_tone(contents, value::of(p));
    } else if (auto k = v.as_keyword()) {
      return fail(unknown_keyword(c, *k, span));
    } else if (auto word = v.as_symbol()) {
      auto e = c.wrong(errc::unknown_name, "`" + *word + "` is not defined and not a pitch");
      e.diagnostics.front().span = span;
      return fail(std::move(e));
    } else {
      return wrong("a chord consists of pitches, not " + print(v));
    }
  }
  if (contents.notes.empty())
    return fail(c.wrong(errc::invalid_chord, "a chord needs at least one pitch"));
  note_draft d;
  d.rhythm.voice.clear();
  d.rhythm.written = contents.length.value_or(note_value{});
  if (auto r = apply_note_options(c, d); !r) return fail(std::move(r.error()));
  return music_answer(c, measure_content{with_notes(std::move(d), std::move(contents.notes))});
}

/// Whether all notes of the chord say the same.
template <class Member>
bool all_same(const chord_rest& x, Member member) {
  return std::all_of(x.notes.begin(), x.notes.end(),
                     [&](const note& n) { return n.*member == x.notes.front().*member; });
}

/// What the chord form says for its notes, and what its notes say for themselves, so that together
/// they are `x` again.
struct division {
  note shared;
  std::vector<note> own;
};

division divide(const chord_rest& x) {
  division d{x.notes.front(), x.notes};
  auto& shared = d.shared;
  shared.tone = pitch{};
  shared.accidental.reset();
  if (!all_same(x, &note::stem)) shared.stem.clear();
  if (!all_same(x, &note::tie)) shared.tie = {};
  if (!all_same(x, &note::notehead)) shared.notehead = {};
  auto to_all = [](const note& n) {
    std::vector<mark> out;
    std::copy_if(n.marks.begin(), n.marks.end(), std::back_inserter(out), is_for_all_notes);
    return out;
  };
  auto all = to_all(x.notes.front());
  auto marks_fit = std::all_of(x.notes.begin(), x.notes.end(), [&](const note& n) {
    auto own = to_all(n);
    // The shared ones come after the note's own.
    return own == all && (&n == &x.notes.front() || all.empty() ||
                          std::equal(all.rbegin(), all.rend(), n.marks.rbegin()));
  });
  if (!marks_fit) std::erase_if(shared.marks, is_for_all_notes);
  for (std::size_t i = 0; i < d.own.size(); ++i) {
    auto& n = d.own[i];
    if (!shared.stem.empty()) n.stem.clear();
    if (shared.tie != tie_ends{}) n.tie = {};
    if (shared.notehead) n.notehead = {};
    if (i > 0) {
      if (marks_fit) std::erase_if(n.marks, is_for_all_notes);
      continue;
    }
    auto accidental = n.accidental;
    auto t = n.tone;
    auto own_stem = n.stem;
    auto own_tie = n.tie;
    auto own_head = n.notehead;
    auto own_marks = n.marks;
    n = note{};
    n.tone = t;
    n.accidental = accidental;
    n.stem = own_stem;
    n.tie = own_tie;
    n.notehead = own_head;
    if (!marks_fit) {
      n.marks = own_marks;
      shared.marks.clear();
    }
  }
  return d;
}

bool says_nothing(const note& n) {
  auto bare = note{};
  bare.tone = n.tone;
  return n == bare && std::holds_alternative<pitch>(n.tone);
}

value inner_note(const note& n) {
  form f{std::holds_alternative<pitch>(n.tone) ? "note" : "unpitched"};
  if (auto p = std::get_if<pitch>(&n.tone))
    f.add(value::of(*p));
  else if (auto u = std::get_if<unpitched>(&n.tone); u && u->display_step)
    f.add(value::of(pitch{*u->display_step, 0, static_cast<std::int16_t>(u->display_octave)}));
  write_note_options(f, n);
  return f.done();
}

value chord_form_of(const chord_rest& x) {
  auto d = divide(x);
  form f{"chord"};
  auto plain = std::all_of(d.own.begin(), d.own.end(), says_nothing);
  if (plain) {
    std::vector<value> pitches;
    for (const auto& n : d.own)
      pitches.push_back(value::of(std::get<pitch>(n.tone)));
    f.add(value::list(std::move(pitches)));
  }
  auto shown = x.written;
  if (!shown && !x.grace) {
    auto ratio = x.tuplet ? rational{x.tuplet->normal, x.tuplet->actual} : rational{1};
    shown = note_value_for(x.length / ratio);
  }
  if (shown) f.flag(to_string(*shown));
  if (!plain)
    for (const auto& n : d.own)
      f.add(says_nothing(n) ? value::of(std::get<pitch>(n.tone)) : inner_note(n));
  write_rhythm_options(f, x);
  write_note_options(f, d.shared);
  return f.done();
}

value grace_form_of(const chord_rest& x) {
  const auto& g = *x.grace;
  form f{"grace"};
  auto single = x.notes.size() == 1 && std::holds_alternative<pitch>(x.notes.front().tone);
  if (single) {
    f.add(value::of(std::get<pitch>(x.notes.front().tone)));
    if (x.written) f.flag(to_string(*x.written));
  } else {
    auto inner = x;
    inner.grace.reset();
    inner.length = length(x.written.value_or(note_value{}));
    f.add(x.notes.size() == 1 ? note_form_of(inner) : chord_form_of(inner));
  }
  if (g.slash) f.flag("slash");
  f.text("slash-text", g.slash_text);
  f.text("steal-previous", g.steal_previous);
  f.text("steal-following", g.steal_following);
  f.text("make-time", g.make_time);
  if (single) {
    write_rhythm_options(f, x);
    write_note_options(f, x.notes.front());
  }
  return f.done();
}

}  // namespace

value chord_rest_form(const chord_rest& x) {
  if (x.grace) return grace_form_of(x);
  return x.notes.size() == 1 ? note_form_of(x) : chord_form_of(x);
}

void add_chord_forms(form_rows& rows) {
  form_spec row{"chord",
                {},
                "music",
                {rest_param("contents", arg_type::spec,
                            "pitches (c4 e4 g4) and a duration, in any order, or a chord symbol")},
                "Pitches that sound together: (chord (c4 e4 g4) :q), (chord :q c4 e4 g4), (chord "
                "\"Cmaj7\" :q). A note form can be used in place of a pitch.",
                "(chord (d4 f4 a4) :h :arpeggiate down)",
                "chord",
                chord_handler};
  const auto& options = note_option_params();
  row.params.insert(row.params.end(), options.begin(), options.end());
  rows.push_back(std::move(row));
}

}  // namespace fermata
