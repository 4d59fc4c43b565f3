#include "core/lang/transform/transformation.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"

#include <cstdint>
#include <utility>
#include <variant>

namespace fermata {

namespace {

result<value> transformed(const call& c, const value& v, source_span span,
                          const transformation& t) {
  if (auto p = v.as_pitch(); p && t.of_pitch) return value::of(t.of_pitch(*p));
  if (auto m = v.get_if<music_ptr>()) {
    auto made = t.of_music(*m);
    if (!made) {
      for (auto& d : made.error().diagnostics)
        if (!d.span) d.span = span;
      return fail(std::move(made.error()));
    }
    return value::of(*made);
  }
  if (auto list = v.as_list()) {
    std::vector<value> out;
    for (const auto& x : list->items) {
      auto made = transformed(c, x, span, t);
      if (!made) return made;
      out.push_back(std::move(*made));
    }
    return value::list(std::move(out));
  }
  auto e = c.wrong(errc::wrong_type, (t.of_pitch ? "expected music or pitches, not "
                                                 : "expected music with durations, not ") +
                                         describe(v) + (v.as_pitch() ? ", which has none" : ""));
  if (auto p = v.as_pitch())
    e.diagnostics.front().hint =
        "a note has one: (note " + to_string(*p) + " :q)\n" + e.diagnostics.front().hint;
  e.diagnostics.front().span = span;
  return fail(std::move(e));
}

}  // namespace

copying copying_for(call& c) {
  return copying{[&c] { return c.check_interrupted(); },
                 [&c](edit_operation x, std::string_view what) { c.state().dropped.add(x, what); }};
}

result<value> all_transformed(call& c, const std::vector<value>& values, const transformation& t) {
  if (values.empty())
    return fail(c.wrong(errc::wrong_argument_count, "what should be transformed?"));
  std::vector<value> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto span = i < c.rest_spans().size() ? c.rest_spans()[i] : c.span();
    auto made = transformed(c, values[i], span, t);
    if (!made) return made;
    out.push_back(std::move(*made));
  }
  return together(std::move(out));
}

result<value> all_transformed(call& c, const std::vector<value>& values,
                              const row_transformation& t) {
  std::vector<std::variant<pitch, music_ptr>> found;
  std::uint64_t pitches = 0;
  transformation gathering;
  gathering.of_pitch = [&](const pitch& p) {
    found.emplace_back(p);
    ++pitches;
    return p;
  };
  gathering.of_music = [&](const music_ptr& m) -> result<music_ptr> {
    found.emplace_back(m);
    return m;
  };
  auto same = all_transformed(c, values, gathering);
  if (!same) return same;
  if (pitches == found.size()) return all_transformed(c, values, transformation{t.of_pitch, {}});
  if (auto ok = c.copied(pitches); !ok) return fail(std::move(ok.error()));
  std::vector<music_ptr> row;
  row.reserve(found.size());
  for (const auto& x : found) {
    if (auto m = std::get_if<music_ptr>(&x)) {
      row.push_back(*m);
      continue;
    }
    chord_rest own;
    own.voice.clear();
    own.notes.emplace_back().tone = std::get<pitch>(x);
    row.push_back(make_music(measure_content{std::move(own)}));
  }
  auto made = t.of_row(row);
  if (!made) return fail(std::move(made.error()));
  auto next = made->begin();
  transformation placing;
  placing.of_pitch = [&](const pitch&) {
    return std::get<pitch>(leaf<chord_rest>(**next++)->notes.front().tone);
  };
  placing.of_music = [&](const music_ptr&) -> result<music_ptr> { return *next++; };
  return all_transformed(c, values, placing);
}

value together(std::vector<value> values) {
  if (values.size() == 1) return std::move(values.front());
  seq_music seq;
  for (const auto& v : values) {
    auto m = v.get_if<music_ptr>();
    if (!m) return value::list(std::move(values));
    seq.items.push_back(*m);
  }
  return music_value(std::move(seq));
}

std::optional<std::vector<music_ptr>> as_music(const std::vector<value>& values) {
  std::vector<music_ptr> out;
  for (const auto& v : values) {
    if (auto m = v.get_if<music_ptr>()) {
      out.push_back(*m);
    } else if (auto list = v.as_list()) {
      auto inner = as_music(list->items);
      if (!inner || inner->empty()) return std::nullopt;
      out.insert(out.end(), inner->begin(), inner->end());
    } else {
      return std::nullopt;
    }
  }
  return out;
}

result<std::vector<music_ptr>> music_given(call& c) {
  if (c.rest().empty()) return fail(c.wrong(errc::wrong_argument_count, "expected notes or seqs"));
  std::vector<music_ptr> items;
  for (std::size_t i = 0; i < c.rest().size(); ++i)
    if (auto r = append_music(c, c.rest()[i], c.rest_spans()[i], items); !r)
      return fail(std::move(r.error()));
  return items;
}

result<std::vector<music_ptr>> motif_given(call& c, std::size_t times) {
  auto items = music_given(c);
  if (!items) return items;
  if (items->size() == 1)
    if (auto seq = as_node<seq_music>(*items->front()); seq && !seq->block) {
      auto inner = seq->items;  // the seq itself goes with what held it
      items = std::move(inner);
    }
  auto written = std::uint64_t{items->size()} * times;
  if (auto ok = c.produced(written); !ok) return fail(std::move(ok.error()));
  if (auto ok = c.state().produced_bytes(written * sizeof(music_ptr)); !ok)
    return fail(std::move(ok.error()));
  return items;
}

}  // namespace fermata
