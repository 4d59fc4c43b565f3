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

const wedge* wedge_of(const music& m) {
  auto d = leaf<direction>(m);
  return d && d->types.size() == 1 ? std::get_if<wedge>(&d->types.front()) : nullptr;
}

music_ptr with_wedge(const music& m, std::string type) {
  auto d = *leaf<direction>(m);
  std::get<wedge>(d.types.front()).type = std::move(type);
  return make_music(measure_content{std::move(d)}, m.span);
}

/// What was the end of a hairpin is now its beginning: a crescendo becomes a diminuendo.
void turn_hairpins(std::vector<music_ptr>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto stop = wedge_of(*items[i]);
    if (!stop || stop->type != "stop") continue;
    for (auto k = i + 1; k < items.size(); ++k) {
      auto start = wedge_of(*items[k]);
      if (!start || start->number != stop->number) continue;
      if (start->type == "crescendo" || start->type == "diminuendo") {
        items[i] = with_wedge(*items[i], start->type == "crescendo" ? "diminuendo" : "crescendo");
        items[k] = with_wedge(*items[k], "stop");
      }
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
    // What stands before a note goes with it.
    std::vector<std::vector<music_ptr>> units(1);
    std::vector<music_ptr> closing;
    for (auto x = begin; x != in.end(); ++x) {
      units.back().push_back(one(*x));
      if (takes_place(**x)) units.emplace_back();
    }
    closing = std::move(units.back());
    units.pop_back();
    // Marks after the last note end something there: they now open.
    out.insert(out.end(), closing.begin(), closing.end());
    for (auto u = units.rbegin(); u != units.rend(); ++u)
      out.insert(out.end(), u->begin(), u->end());
    turn_hairpins(out);
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
