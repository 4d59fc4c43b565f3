#include "core/lang/notation/forms.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/value/make.hpp"

namespace fermata {

namespace {

param make_param(std::string name, param_kind kind, arg_type type, std::string doc) {
  param p;
  p.name = std::move(name);
  p.kind = kind;
  p.type = type;
  p.doc = std::move(doc);
  return p;
}

}  // namespace

param optional_param(std::string name, arg_type type, std::string doc, std::string default_text) {
  auto p = make_param(std::move(name), param_kind::optional, type, std::move(doc));
  p.default_text = std::move(default_text);
  return p;
}

param option_param(std::string name, arg_type type, std::string doc,
                   std::vector<std::string> aliases) {
  auto p = make_param(std::move(name), param_kind::option, type, std::move(doc));
  p.aliases = std::move(aliases);
  return p;
}

param one_of(std::string thing, param p) {
  p.thing = std::move(thing);
  return p;
}

param word_option(std::string name, std::string doc, std::vector<std::string> choices,
                  std::string default_text) {
  auto p = make_param(std::move(name), param_kind::option, arg_type::word, std::move(doc));
  p.choices = std::move(choices);
  p.default_text = std::move(default_text);
  return p;
}

param named_option(std::string name, std::string doc, std::vector<std::string> choices) {
  auto p = make_param(std::move(name), param_kind::option, arg_type::named, std::move(doc));
  p.choices = std::move(choices);
  return p;
}

param flag_param(std::string name, std::string doc, std::vector<std::string> aliases) {
  auto p = make_param(std::move(name), param_kind::flag, arg_type::boolean, std::move(doc));
  p.aliases = std::move(aliases);
  return p;
}

param rest_param(std::string name, arg_type type, std::string doc) {
  return make_param(std::move(name), param_kind::rest, type, std::move(doc));
}

result<value> music_answer(const call& c, music::node&& data) {
  return music_value(std::move(data), c.span());
}

result<void> append_music(const call& c, const value& v, source_span span,
                          std::vector<music_ptr>& out) {
  if (v.is_nil()) return {};
  if (auto m = v.get_if<music_ptr>()) {
    out.push_back(*m);
    return {};
  }
  if (auto list = v.as_list()) {
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      auto at = i < list->spans.size() ? list->spans[i] : span;
      if (auto r = append_music(c, list->items[i], at, out); !r) return r;
    }
    return {};
  }
  if (auto p = v.as_pitch()) {
    chord_rest x;
    x.voice.clear();
    x.written = note_value{};
    x.length = length(*x.written);
    x.notes.emplace_back();
    x.notes.back().tone = *p;
    out.push_back(make_music(measure_content{std::move(x)}, span));
    return {};
  }
  if (auto k = v.as_keyword()) return fail(unknown_keyword(c, *k, span));
  auto e = c.wrong(errc::wrong_type, "expected music, not " + describe(v));
  e.diagnostics.front().span = span;
  return fail(std::move(e));
}

result<std::vector<music_ptr>> music_arguments(const call& c, std::string_view) {
  std::vector<music_ptr> out;
  out.reserve(c.rest().size());
  for (std::size_t i = 0; i < c.rest().size(); ++i)
    if (auto r = append_music(c, c.rest()[i], c.rest_spans()[i], out); !r)
      return fail(std::move(r.error()));
  return out;
}

error unknown_keyword(const call& c, const std::string& name, source_span span,
                      std::vector<std::string_view> further) {
  auto known = std::move(further);
  for (const auto& p : c.spec().params)
    if (p.kind == param_kind::option || p.kind == param_kind::flag) {
      known.push_back(p.name);
      known.insert(known.end(), p.aliases.begin(), p.aliases.end());
    }
  auto near = nearest(name, known);
  auto e = c.wrong(errc::unknown_keyword, "unknown option :" + name);
  auto& d = e.diagnostics.front();
  d.span = span;
  if (near) d.hint = "did you mean :" + *near + "?\n" + d.hint;
  return e;
}

std::vector<form_spec> music_forms() {
  form_rows rows;
  add_container_forms(rows);
  add_note_forms(rows);
  add_chord_forms(rows);
  add_group_forms(rows);
  add_signature_forms(rows);
  add_tempo_forms(rows);
  add_dynamic_forms(rows);
  add_direction_forms(rows);
  add_barline_forms(rows);
  add_harmony_forms(rows);
  add_layout_forms(rows);
  add_phrase_forms(rows);
  return rows;
}

}  // namespace fermata
