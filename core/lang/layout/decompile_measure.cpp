#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/layout/source_tuplet.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/repair/hairpin_numbers.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

/// What stands around an item and is therefore left out of it.
struct surroundings {
  std::string voice;        ///< empty: the note says its own
  std::uint8_t staff = 0;   ///< 0: none is said
  quarters measure_length;  ///< of rests that fill the measure
  bool grouping = true;     ///< tuplets are put together again
};

class measure_writer {
public:
  explicit measure_writer(surroundings s) : s_(std::move(s)) {}

  std::vector<music_ptr> write(const std::vector<source_item>& items, measure_position start) {
    at_ = start;
    return write(items, 0, items.size(), {}, 0);
  }

private:
  using range = source_items;

  std::vector<music_ptr> write(const range& items, std::size_t first, std::size_t last,
                               tuplet_ratio around, int depth) {
    std::vector<music_ptr> out;
    for (auto i = first; i < last;) {
      if (s_.grouping) {
        if (auto end = tuplet_end(items, i, last, around, depth)) {
          if (auto t = tuplet(items, i, *end, around, depth)) {
            out.push_back(std::move(t));
            i = *end;
            continue;
          }
        }
        if (auto end = unmarked_end(items, i, last, around)) {
          out.push_back(unmarked(items, i, *end, around));
          i = *end;
          continue;
        }
      }
      move_to(items[i].at, out);
      add(items, i, around, out);
      ++i;
    }
    return out;
  }

  void move_to(measure_position at, std::vector<music_ptr>& out) {
    if (at != at_) out.push_back(make_music(skip_music{at - at_}));
    at_ = at;
  }

  void add(const range& items, std::size_t i, tuplet_ratio around, std::vector<music_ptr>& out) {
    if (auto a = std::get_if<attributes>(items[i].content)) {
      add_attributes(*a, items, i, out);
      return;
    }
    if (auto c = rhythm_of(items[i])) {
      out.push_back(make_music(measure_content{relative(*c, around)}));
      at_ += c->length;
      return;
    }
    auto copy = *items[i].content;
    if (auto d = std::get_if<direction>(&copy))
      d->staff = relative(d->staff);
    else if (auto h = std::get_if<harmony>(&copy))
      h->staff = relative(h->staff);
    out.push_back(make_music(std::move(copy)));
  }

  std::optional<std::uint8_t> relative(std::optional<std::uint8_t> staff) const {
    if (s_.staff == 0) return staff;
    if (!staff) return 0;
    return staff == s_.staff ? std::nullopt : staff;
  }

  /// What the note says beyond its surroundings.
  chord_rest relative(const chord_rest& x, tuplet_ratio around) const {
    auto copy = x;
    if (copy.voice == s_.voice) copy.voice.clear();
    if (s_.staff != 0) {
      if (!copy.staff_given) {
        copy.staff = 0;
      } else if (copy.staff == s_.staff) {
        copy.staff = 1;
        copy.staff_given = false;
      }
    }
    if (x.grace) return copy;
    if (around.actual != 1 || around.normal != 1) {
      copy.length = copy.length * rational{around.actual, around.normal};
      if (copy.tuplet) {
        auto actual = copy.tuplet->actual / around.actual;
        auto normal = copy.tuplet->normal / around.normal;
        copy.tuplet->actual = actual;
        copy.tuplet->normal = normal;
        // Which type is written is settled for the tuplet as a whole.
        if (actual == 1 && normal == 1) copy.tuplet.reset();
      }
    }
    auto r = is_rest(x) ? &std::get<rest>(x.notes.front().tone) : nullptr;
    if (r && r->whole_measure && !copy.tuplet && x.length == s_.measure_length &&
        s_.measure_length > quarters{})
      copy.length = {};
    return copy;
  }

  void add_attributes(const attributes& x, const range& items, std::size_t i,
                      std::vector<music_ptr>& out) {
    // Beside another block it stays one by itself; whatever has no form keeps it together, too.
    auto beside = [&](std::size_t other) {
      return other < items.size() && items[other].at == items[i].at &&
             std::holds_alternative<attributes>(*items[other].content);
    };
    auto own = x;
    for (auto& c : own.clefs)
      c.staff = relative(c.staff);
    auto whole = x.extra || !x.others.empty() || x == attributes{} || sets_something_twice(x) ||
                 beside(i + 1) || (i > 0 && beside(i - 1));
    if (whole) {
      out.push_back(make_music(seq_music{{make_music(measure_content{std::move(own)})}, true}));
      return;
    }
    auto say = [&](attributes a) { out.push_back(make_music(measure_content{std::move(a)})); };
    for (auto& k : own.keys) {
      attributes a;
      a.keys.push_back(std::move(k));
      say(std::move(a));
    }
    for (auto& t : own.times) {
      attributes a;
      a.times.push_back(std::move(t));
      say(std::move(a));
    }
    if (own.staves) {
      attributes a;
      a.staves = own.staves;
      say(std::move(a));
    }
    for (auto& c : own.clefs) {
      attributes a;
      a.clefs.push_back(std::move(c));
      say(std::move(a));
    }
    for (auto& t : own.transpositions) {
      attributes a;
      a.transpositions.push_back(std::move(t));
      say(std::move(a));
    }
    if (own.multiple_rest) {
      attributes a;
      a.multiple_rest = own.multiple_rest;
      say(std::move(a));
    }
  }

  // Tuplets.

  /// The tuplet over items [i, end), or null when putting it together would not give the same
  /// notes.
  music_ptr tuplet(const range& items, std::size_t i, std::size_t end, tuplet_ratio around,
                   int depth) {
    const auto& first = *rhythm_of(items[i]);
    auto start = bracket(first, span_end::start, depth + 1);
    tuplet_music t;
    auto actual = number_in(start->extra, "tuplet-actual");
    auto normal = number_in(start->extra, "tuplet-normal");
    t.actual = actual.value_or(first.tuplet->actual / around.actual);
    t.normal = normal.value_or(first.tuplet->normal / around.normal);
    if (t.actual < 1 || t.normal < 1) return nullptr;
    t.extra = without_ratio(start->extra, t, depth > 0 || holds_bracket(items, i, end, depth + 2));
    auto back = at_;
    // The brackets go from the notes into the form.
    std::vector<measure_content> copies;
    copies.reserve(2);
    range inner{items.begin() + static_cast<std::ptrdiff_t>(i),
                items.begin() + static_cast<std::ptrdiff_t>(end)};
    copies.push_back(*inner.front().content);
    take_bracket(std::get<chord_rest>(copies.back()), span_end::start, depth + 1);
    if (inner.size() == 1) {
      take_bracket(std::get<chord_rest>(copies.back()), span_end::stop, depth + 1);
    } else {
      copies.push_back(*inner.back().content);
      take_bracket(std::get<chord_rest>(copies.back()), span_end::stop, depth + 1);
      inner.back().content = &copies.back();
    }
    inner.front().content = &copies.front();
    t.unit = common_unit(inner);
    std::vector<music_ptr> lead;
    move_to(items[i].at, lead);
    t.items = write(inner, 0, inner.size(), {around.actual * t.actual, around.normal * t.normal},
                    depth + 1);
    settle_types(t, items, i, end, around, depth);
    auto made = make_music(std::move(t));
    if (lead.empty() && depth == 0 && gives(made, items, i, end, back)) return made;
    if (lead.empty() && depth > 0) return made;  // the outermost one is compared as a whole
    at_ = back;
    return lead.empty() ? open_tuplet(items, i, end, around, depth) : nullptr;
  }

  /// The tuplet with its brackets left on the notes, where they do not stand as usual.
  music_ptr open_tuplet(const range& items, std::size_t i, std::size_t end, tuplet_ratio around,
                        int depth) {
    if (depth > 0) return nullptr;
    const auto& first = *rhythm_of(items[i]);
    for (auto k = i; k < end; ++k)
      if (auto c = rhythm_of(items[k]); c && !c->grace &&
                                        (!c->tuplet || c->tuplet->actual != first.tuplet->actual ||
                                         c->tuplet->normal != first.tuplet->normal))
        return nullptr;
    auto back = at_;
    auto made = unmarked(items, i, end, around);
    if (gives(made, items, i, end, back)) return made;
    at_ = back;
    return nullptr;
  }

  /// Says the normal type on those notes that would not get theirs from the tuplet.
  void settle_types(tuplet_music& t, const range& items, std::size_t i, std::size_t end,
                    tuplet_ratio around, int depth) {
    if (depth > 0 || around.actual != 1) return;
    flow_start start;
    start.measure_length = s_.measure_length;
    auto f = lay_out({make_music(t)}, start);
    if (!f) return;
    std::vector<std::optional<note_value>> wanted, got;
    for (auto k = i; k < end; ++k)
      if (auto c = rhythm_of(items[k]); c && !c->grace)
        wanted.push_back(c->tuplet ? c->tuplet->normal_type : std::nullopt);
    for (const auto& x : f->items)
      if (auto content = std::get_if<measure_content>(&x.content))
        if (auto c = std::get_if<chord_rest>(content); c && !c->grace)
          got.push_back(c->tuplet ? c->tuplet->normal_type : std::nullopt);
    if (wanted.size() != got.size() || wanted == got) return;
    std::size_t n = 0;
    t.items = with_types(t.items, wanted, got, n);
  }

  /// Whether `m`, laid out where the items stand, is these items.
  bool gives(const music_ptr& m, const range& items, std::size_t i, std::size_t end,
             measure_position from) const {
    flow_start start;
    start.at = from - measure_position{};
    start.voice = s_.voice;
    start.staff = s_.staff;
    start.inside_voice = true;
    start.measure_length = s_.measure_length;
    auto f = lay_out({m}, start);
    if (!f) return false;
    auto made = measure_items(std::move(*f), {}, "");
    if (!made || made->size() != end - i) return false;
    for (auto k = i; k < end; ++k)
      if ((*made)[k - i].at != items[k].at || (*made)[k - i].content != *items[k].content)
        return false;
    return true;
  }

  music_ptr unmarked(const range& items, std::size_t i, std::size_t end, tuplet_ratio around) {
    const auto& first = *rhythm_of(items[i]);
    tuplet_music t;
    t.marked = false;
    t.actual = first.tuplet->actual;
    t.normal = first.tuplet->normal;
    range inner{items.begin() + static_cast<std::ptrdiff_t>(i),
                items.begin() + static_cast<std::ptrdiff_t>(end)};
    t.unit = common_unit(inner);
    auto grouping = std::exchange(s_.grouping, false);
    t.items = write(inner, 0, inner.size(), {t.actual, t.normal}, 1);
    s_.grouping = grouping;
    // The notes' own ratio is used up; only the type may differ.
    settle_types(t, items, i, end, around, 0);
    return make_music(std::move(t));
  }

  surroundings s_;
  measure_position at_;
};

/// What stands together in one voice, as the measure has it.
struct run {
  std::string voice;
  std::vector<source_item> items;
};

std::vector<run> runs_of(const measure& m) {
  std::vector<run> runs;
  std::vector<source_item> before;  // of the first run, or of one that may begin with what follows
  measure_position reached;
  for (const auto& item : m.items) {
    source_item x{item.at, &item.content};
    if (auto c = rhythm_of(x)) {
      auto first = before.begin();
      if (runs.empty()) {
        runs.push_back({c->voice, {}});
      } else if (runs.back().voice != c->voice) {
        // What stands behind the first note of the next voice is not before it.
        first = std::find_if(before.rbegin(), before.rend(), [&](const source_item& b) {
                  return b.at > x.at;
                }).base();
        runs.back().items.insert(runs.back().items.end(), before.begin(), first);
        runs.push_back({c->voice, {}});
      }
      auto& own = runs.back().items;
      own.insert(own.end(), first, before.end());
      before.clear();
      own.push_back(x);
      reached = x.at + c->length;
    } else if (runs.empty() || !before.empty() || x.at < reached) {
      // Marks that go back stand before the notes of the next voice.
      before.push_back(x);
    } else {
      runs.back().items.push_back(x);
    }
  }
  if (runs.empty()) runs.push_back({"1", {}});
  runs.back().items.insert(runs.back().items.end(), before.begin(), before.end());
  return runs;
}

/// The staff that most notes of the run say, or 0.
std::uint8_t staff_of(const run& r) {
  std::map<std::uint8_t, int> count;
  auto unsaid = 0;
  for (const auto& x : r.items)
    if (auto c = rhythm_of(x)) {
      if (c->staff_given)
        ++count[c->staff];
      else
        ++unsaid;
    }
  auto most = std::max_element(count.begin(), count.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != count.end() && most->second > unsaid ? most->first : std::uint8_t{0};
}

time_signature time_in(const measure& m, const time_signature& before) {
  for (const auto& item : m.items)
    if (auto a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
      for (const auto& t : a->times)
        if (!t.staff || t.staff == 1) return t.value;
  return before;
}

/// The measure as a musician writes it: marks at its start, then voices.
measure_music by_voices(const measure& m, quarters length, bool grouping) {
  measure_music out;
  auto runs = runs_of(m);
  auto plain = runs.size() == 1 && runs.front().voice == "1" && staff_of(runs.front()) == 0;
  surroundings around;
  around.measure_length = length;
  around.grouping = grouping;
  if (plain) {
    around.voice = "1";
    out.items = measure_writer{around}.write(runs.front().items, {});
    return out;
  }
  // What opens the measure stands before the voices, what closes it after them.
  auto& first = runs.front().items;
  auto opening = std::find_if(first.begin(), first.end(), [](const source_item& x) {
    return rhythm_of(x) || std::holds_alternative<direction>(*x.content) ||
           x.at != measure_position{};
  });
  around.voice = "1";
  out.items = measure_writer{around}.write({first.begin(), opening}, {});
  first.erase(first.begin(), opening);
  auto reach = measure_position{};
  for (const auto& r : runs)
    for (const auto& x : r.items) {
      auto c = rhythm_of(x);
      reach = std::max(reach, c ? x.at + c->length : x.at);
    }
  auto& last = runs.back().items;
  auto closing = last.end();
  while (closing != last.begin() && std::holds_alternative<barline>(*std::prev(closing)->content) &&
         std::prev(closing)->at == reach)
    --closing;
  std::vector<source_item> end{closing, last.end()};
  last.erase(closing, last.end());
  std::set<std::string> written;
  for (const auto& r : runs) {
    if (r.items.empty()) continue;
    voice_music v;
    v.voice = r.voice;
    auto staff = staff_of(r);
    if (staff != 0) v.staff = staff;
    auto start = r.items.front().at;
    // Without a place a voice that comes again goes on.
    if (start != measure_position{} || !written.insert(r.voice).second) v.at = start;
    around.voice = r.voice;
    around.staff = staff;
    v.items = measure_writer{around}.write(r.items, start);
    out.items.push_back(make_music(std::move(v)));
  }
  around.voice = "1";
  around.staff = 0;
  auto tail = measure_writer{around}.write(end, reach);
  out.items.insert(out.items.end(), tail.begin(), tail.end());
  return out;
}

/// Every item where it stands, every note with its voice and ratio: always exact.
measure_music item_by_item(const measure& m) {
  measure_music out;
  surroundings around;
  around.grouping = false;
  std::vector<source_item> items;
  for (const auto& x : m.items)
    items.push_back({x.at, &x.content});
  out.items = measure_writer{around}.write(items, {});
  return out;
}

bool gives(measure_music& made, const measure& m, const time_signature& time) {
  auto same = [&] {
    auto back = compile_measure(made, m.number, time);
    return back && *back == m;
  };
  for (auto free : {false, true}) {
    made.free = free;
    made.padded_to.reset();
    if (m.padded_to != measure_position{}) made.padded_to = m.padded_to;
    if (same()) return true;
    made.padded_to = m.padded_to;
    if (same()) return true;
  }
  return false;
}

/// A measure in which the sides of barlines are said that do not follow from their places.
std::optional<measure> with_sides(const measure& m) {
  const auto end = measure_position{} + extent(m);
  auto is_inner = [&](const measure_item& x) {
    auto b = std::get_if<barline>(&x.content);
    return b && b->location != "middle" && is_inner_barline(*b, x.at, end);
  };
  if (std::none_of(m.items.begin(), m.items.end(), is_inner)) return std::nullopt;
  auto said = m;
  for (auto& x : said.items)
    if (is_inner(x)) give_side(std::get<barline>(x.content));
  return said;
}

music_ptr to_music_with(const measure& said, const measure& m, const time_signature& time,
                        bool number_is_implied) {
  auto length = measure_length(time_in(m, time));
  auto finish = [&](measure_music x) {
    x.implicit = m.implicit;
    x.extra = m.extra;
    return x;
  };
  auto made = finish(by_voices(said, length, true));
  if (!gives(made, m, time)) {
    made = finish(by_voices(said, length, false));
    if (!gives(made, m, time)) {
      made = finish(item_by_item(said));
      gives(made, m, time);
    }
  }
  if (!number_is_implied) made.number = m.number;
  return make_music(std::move(made));
}

}  // namespace

music_ptr to_music_as_numbered(const measure& m, const time_signature& time,
                               bool number_is_implied) {
  auto said = with_sides(m);
  return to_music_with(said ? *said : m, m, time, number_is_implied);
}

music_ptr to_music(const measure& m, const time_signature& time, bool number_is_implied) {
  return to_music_as_numbered(without_hairpin_numbers(m), time, number_is_implied);
}

}  // namespace fermata
