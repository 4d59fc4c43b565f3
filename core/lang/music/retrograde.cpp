#include "core/lang/music/compile.hpp"
#include "core/lang/music/decompile.hpp"
#include "core/lang/music/make.hpp"
#include "core/lang/music/transform.hpp"

#include <algorithm>

namespace fermata {

namespace {

span_end other_end(span_end e) {
  return e == span_end::start ? span_end::stop : e == span_end::stop ? span_end::start : e;
}

std::string other_beam(const std::string& value) {
  return value == "begin"           ? "end"
         : value == "end"           ? "begin"
         : value == "forward hook"  ? "backward hook"
         : value == "backward hook" ? "forward hook"
                                    : value;
}

struct leaf_turner {
  measure_content operator()(chord_rest x) const {
    for (auto& n : x.notes) {
      std::swap(n.tie.start, n.tie.stop);
      std::swap(n.tie.start_undrawn, n.tie.stop_undrawn);
      for (auto& s : n.spanners)
        s.end = other_end(s.end);
      for (auto& b : n.beams)
        b.value = other_beam(b.value);
    }
    return x;
  }
  measure_content operator()(barline x) const {
    if (x.location != "middle") x.location = x.location == "left" ? "right" : "left";
    if (!x.repeat.empty() && x.repeat != "both") {
      x.repeat = x.repeat == "forward" ? "backward" : "forward";
      x.style = x.repeat == "forward" ? "heavy-light" : "light-heavy";
    }
    if (x.ending_type == "start")
      x.ending_type = "stop";
    else if (!x.ending_type.empty())
      x.ending_type = "start";
    return x;
  }
  template <class Other>
  measure_content operator()(Other x) const {
    return x;
  }
};

bool takes_place(const music& m) {
  if (auto content = std::get_if<measure_content>(&m.data)) {
    auto c = std::get_if<chord_rest>(content);
    return c && !c->grace;
  }
  return !as_node<grace_music>(m) && !as_node<bar_check_music>(m);
}

/// What a mark alone in its direction says of a line: hairpin, pedal, octave line, bracket, dashes.
struct line_mark {
  std::size_t kind;  ///< index of the direction type
  bool dashes = false;
  std::uint8_t number = 1;
  std::string type;
  bool ends() const { return type == "stop" || type == "discontinue"; }
  bool begins() const { return !ends() && type != "change" && type != "continue"; }
  bool same_line(const line_mark& other) const {
    return kind == other.kind && dashes == other.dashes && number == other.number;
  }
};
std::optional<line_mark> line_of(const music& m) {
  auto d = leaf<direction>(m);
  if (!d || d->types.size() != 1) return std::nullopt;
  const auto& t = d->types.front();
  line_mark out{t.index(), false, 1, {}};
  if (auto w = std::get_if<wedge>(&t))
    out.number = w->number, out.type = w->type;
  else if (auto p = std::get_if<pedal>(&t))
    out.type = p->type;
  else if (auto o = std::get_if<octave_shift>(&t))
    out.number = o->number, out.type = o->type;
  else if (auto l = std::get_if<line_end>(&t))
    out.dashes = l->dashes, out.number = l->number, out.type = l->type;
  else
    return std::nullopt;
  return out;
}

/// A crescendo becomes a diminuendo.
music_ptr with_hairpin_turned(const music_ptr& m) {
  auto d = *leaf<direction>(*m);
  if (auto w = std::get_if<wedge>(&d.types.front())) {
    if (w->type == "crescendo")
      w->type = "diminuendo";
    else if (w->type == "diminuendo")
      w->type = "crescendo";
  }
  return make_music(measure_content{std::move(d)}, m->span);
}

/// Which items are ends of lines that begin and end among them, and what runs on in between. They
/// stand between the same two notes after the turn; every other mark goes with its note.
std::vector<bool> in_lines(const std::vector<music_ptr>& items) {
  std::vector<bool> out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto start = line_of(*items[i]);
    if (!start || !start->begins()) continue;
    for (auto k = i + 1; k < items.size(); ++k) {
      auto stop = line_of(*items[k]);
      if (!stop || !stop->same_line(*start)) continue;
      if (stop->begins()) break;
      if (!stop->ends()) continue;
      for (auto x = i; x <= k; ++x)
        if (auto l = line_of(*items[x]); l && l->same_line(*start)) out[x] = true;
      break;
    }
  }
  return out;
}

/// What was the end of a line is now its beginning.
void turn_lines(std::vector<music_ptr>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto stop = line_of(*items[i]);
    if (!stop || !stop->ends()) continue;
    for (auto k = i + 1; k < items.size(); ++k) {
      auto start = line_of(*items[k]);
      if (!start || !start->same_line(*stop)) continue;
      if (!start->begins()) {
        if (start->ends()) break;
        continue;
      }
      auto begin = with_hairpin_turned(items[k]);
      items[k] = items[i];
      items[i] = begin;
      break;
    }
  }
}

class turner {
public:
  std::vector<music_ptr> items(const std::vector<music_ptr>& in) {
    // Key, time and clef at the beginning stay there.
    auto begin = std::find_if(in.begin(), in.end(), [](const music_ptr& x) {
      auto seq = as_node<seq_music>(*x);
      return !leaf<attributes>(*x) && !(seq && seq->block);
    });
    std::vector<music_ptr> out{in.begin(), begin};
    // What stands before a note goes with it; the ends of lines stay between the notes.
    auto lines = in_lines(in);
    struct unit {
      std::vector<music_ptr> before, own;
    };
    std::vector<unit> units(1);
    for (auto x = begin; x != in.end(); ++x) {
      auto& u = units.back();
      if (lines[static_cast<std::size_t>(x - in.begin())])
        u.before.insert(u.before.begin(), one(*x));
      else
        u.own.push_back(one(*x));
      if (takes_place(**x)) units.emplace_back();
    }
    // Marks after the last note end something there: they now open.
    for (auto u = units.rbegin(); u != units.rend(); ++u) {
      out.insert(out.end(), u->own.begin(), u->own.end());
      out.insert(out.end(), u->before.begin(), u->before.end());
    }
    turn_lines(out);
    return out;
  }

  music_ptr one(const music_ptr& m) {
    if (auto content = std::get_if<measure_content>(&m->data))
      return make_music(std::visit(leaf_turner{}, *content), m->span);
    if (as_node<grace_music>(*m)) return m;
    if (as_node<measure_music>(*m)) return measure(m);
    if (auto p = as_node<part_music>(*m)) return part(*p, m->span);
    if (auto s = as_node<score_music>(*m)) return parts(*m, s->items);
    if (auto g = as_node<part_group_music>(*m)) return parts(*m, g->items);
    if (auto inner = items_of(*m))
      return with_items(*m, as_node<par_music>(*m) ? each(*inner) : items(*inner));
    return m;
  }

  error fault;

private:
  std::vector<music_ptr> each(const std::vector<music_ptr>& in) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      out.push_back(one(x));
    return out;
  }

  music_ptr parts(const music& m, const std::vector<music_ptr>& in) {
    return with_items(m, each(in));
  }

  /// Voice by voice, so that they stay together.
  music_ptr measure(const music_ptr& m) {
    const auto& own = *as_node<measure_music>(*m);
    auto loose = own;
    loose.free = true;
    auto made = compile_measure(loose, own.number.value_or("1"));
    if (!made) {
      if (fault.diagnostics.empty()) fault = std::move(made.error());
      return m;
    }
    auto reach = extent(*made);
    auto written = to_music(*made, {}, !own.number);
    auto turned = *as_node<measure_music>(*written);
    turned.free = own.free;
    turned.padded_to.reset();
    std::vector<music_ptr> out;
    auto by_voice = std::any_of(turned.items.begin(), turned.items.end(), [](const music_ptr& x) {
      return as_node<voice_music>(*x) != nullptr;
    });
    if (!by_voice) {
      auto length = duration_of(*make_music(seq_music{turned.items}));
      out = items(turned.items);
      if (length < reach) out.insert(out.begin(), make_music(skip_music{reach - length}));
      std::stable_partition(out.begin(), out.end(), [](const music_ptr& x) {
        auto b = leaf<barline>(*x);
        return b && b->location == "left";
      });
    } else {
      std::vector<music_ptr> closing;
      for (const auto& x : turned.items) {
        auto v = as_node<voice_music>(*x);
        if (!v) {
          auto t = one(x);
          auto b = leaf<barline>(*t);
          if (b && b->location == "left")
            out.insert(out.begin(), t);
          else if (b)
            closing.push_back(t);
          else
            out.push_back(t);
          continue;
        }
        auto copy = *v;
        auto start = quarters{v->at ? v->at->value : rational{}};
        auto length = duration_of(*make_music(seq_music{v->items}));
        auto new_start = reach - start - length;
        copy.at.reset();
        if (new_start > quarters{}) copy.at = measure_position{new_start.value};
        copy.items = items(v->items);
        out.push_back(make_music(std::move(copy), x->span));
      }
      out.insert(out.end(), closing.begin(), closing.end());
    }
    turned.items = std::move(out);
    return make_music(std::move(turned), m->span);
  }

  /// Measures backwards; key, time and clef of each stand where they are needed now.
  music_ptr part(const part_music& p, source_span span) {
    auto out = p;
    auto all_measures =
        !p.items.empty() && std::all_of(p.items.begin(), p.items.end(), [](const music_ptr& x) {
          return as_node<measure_music>(*x) != nullptr;
        });
    if (!all_measures) {
      out.items = items(p.items);
      return make_music(std::move(out), span);
    }
    struct opened {
      std::vector<music_ptr> in_force;  ///< attributes, one thing each
      measure_music rest;
    };
    std::vector<opened> measures;
    std::vector<music_ptr> in_force;
    for (const auto& x : p.items) {
      opened o{{}, *as_node<measure_music>(*one(x))};
      auto& list = o.rest.items;
      auto end = std::find_if(list.begin(), list.end(), [](const music_ptr& item) {
        return !leaf<attributes>(*item) && !leaf<barline>(*item);
      });
      for (auto item = list.begin(); item != end;) {
        if (!leaf<attributes>(**item)) {
          ++item;
          continue;
        }
        say(in_force, *item);
        item = list.erase(item);
        end = std::find_if(list.begin(), list.end(), [](const music_ptr& i) {
          return !leaf<attributes>(*i) && !leaf<barline>(*i);
        });
      }
      o.in_force = in_force;
      measures.push_back(std::move(o));
    }
    out.items.clear();
    std::vector<music_ptr> before;
    for (auto o = measures.rbegin(); o != measures.rend(); ++o) {
      auto m = std::move(o->rest);
      std::vector<music_ptr> changes;
      for (const auto& a : o->in_force)
        if (std::none_of(before.begin(), before.end(),
                         [&](const music_ptr& b) { return *a == *b; }))
          changes.push_back(a);
      before = o->in_force;
      m.items.insert(m.items.begin(), changes.begin(), changes.end());
      m.number.reset();
      out.items.push_back(make_music(std::move(m)));
    }
    return make_music(std::move(out), span);
  }

  /// Takes the place of what was in force of the same kind and staff.
  static void say(std::vector<music_ptr>& in_force, const music_ptr& x) {
    const auto& a = *leaf<attributes>(*x);
    auto same_kind = [&](const music_ptr& y) {
      const auto& b = *leaf<attributes>(*y);
      auto kinds = [](const attributes& z) {
        return std::tuple{!z.keys.empty(),  !z.times.empty(),          z.staves.has_value(),
                          !z.clefs.empty(), !z.transpositions.empty(), z.multiple_rest.has_value()};
      };
      auto staff = [](const attributes& z) {
        return z.clefs.empty() ? std::optional<std::uint8_t>{} : z.clefs.front().staff;
      };
      return kinds(a) == kinds(b) && staff(a) == staff(b);
    };
    std::erase_if(in_force, same_kind);
    in_force.push_back(x);
  }
};

}  // namespace

result<music_ptr> retrograde(const music_ptr& m) {
  turner t;
  auto out = t.one(m);
  if (!t.fault.diagnostics.empty()) return fail(std::move(t.fault));
  return out;
}

result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items) {
  turner t;
  auto out = t.items(items);
  if (!t.fault.diagnostics.empty()) return fail(std::move(t.fault));
  return out;
}

}  // namespace fermata
