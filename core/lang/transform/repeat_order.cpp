#include "core/lang/transform/repeat_order.hpp"

#include "core/lang/value/make.hpp"
#include "core/score/analysis/jumps.hpp"
#include "core/score/model/numbering.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace fermata {

namespace {

bool is_jump(const sound& s) {
  constexpr std::string_view names[] = {"segno", "dalsegno", "coda",          "tocoda",
                                        "fine",  "dacapo",   "forward-repeat"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](auto name) { return !s.attribute(name).empty(); });
}

/// What the sign is called, if it tells the player where to go on.
struct sign_name {
  std::optional<std::string> operator()(const direction& d) const {
    for (const auto& t : d.types) {
      if (std::holds_alternative<segno_mark>(t)) return "a segno";
      if (std::holds_alternative<coda_mark>(t)) return "a coda sign";
      if (auto w = std::get_if<words>(&t); w && sign_in_words(w->text))
        return "\"" + w->text + "\"";
    }
    if (d.sound && is_jump(*d.sound)) return "a jump";
    return std::nullopt;
  }
  std::optional<std::string> operator()(const barline& b) const {
    if (!b.ending_type.empty()) return "endings";
    if (b.extra)
      for (const auto& child : b.extra->children)
        if (child.xml.starts_with("<segno") || child.xml.starts_with("<coda"))
          return "a sign at a barline";
    return std::nullopt;
  }
  std::optional<std::string> operator()(const sound& s) const {
    if (is_jump(s)) return "a jump";
    return std::nullopt;
  }
  template <class Other>
  std::optional<std::string> operator()(const Other&) const {
    return std::nullopt;
  }
};

struct found_sign {
  std::string name;
  source_span span;
};
/// The first ending or sign that leads elsewhere.
std::optional<found_sign> first_sign(const std::vector<music_ptr>& items) {
  for (const auto& m : items) {
    std::optional<std::string> name;
    if (as_node<ending_music>(*m))
      name = "endings";
    else if (auto content = std::get_if<measure_content>(&m->data))
      name = std::visit(sign_name{}, *content);
    if (name) return found_sign{*name, m->span};
    if (auto inner = items_of(*m))
      if (auto found = first_sign(*inner)) return found;
  }
  return std::nullopt;
}

void close(std::vector<edge_barlines>& out, std::size_t first, std::size_t last,
           std::optional<barline> forward, barline backward) {
  const auto n = out.size();
  // A repeat from the very beginning needs no sign there.
  if (forward || n - 1 - last > 0) {
    auto b = forward.value_or(barline{});
    b.location = "left";
    begin_repeat(b);
    out[n - 1 - last].left = std::move(b);
  }
  backward.location = "right";
  out[n - 1 - first].right = std::move(backward);
}

bool is_ending(const music_ptr& m) { return as_node<ending_music>(*m) != nullptr; }

/// A barline that stands there already says it, too, as in the compiler.
void set_sign(music_ptr& measure, barline b) {
  auto inner = *items_of(*measure);
  for (auto& x : inner) {
    auto there = leaf<barline>(*x);
    if (!there || there->location != b.location) continue;
    auto both = *there;
    if (!b.style.empty()) both.style = b.style;
    if (!b.repeat.empty())
      std::tie(both.repeat, both.repeat_times) = std::tie(b.repeat, b.repeat_times);
    if (!b.ending_type.empty())
      std::tie(both.ending_type, both.ending_numbers) = std::tie(b.ending_type, b.ending_numbers);
    x = make_music(measure_content{std::move(both)}, x->span);
    measure = with_items(*measure, std::move(inner));
    return;
  }
  auto place = b.location == "left" ? inner.begin() : inner.end();
  inner.insert(place, make_music(measure_content{std::move(b)}));
  measure = with_items(*measure, std::move(inner));
}

barline sign_at(std::string location) {
  barline b;
  b.location = std::move(location);
  return b;
}

/// As the score has it: all endings but the last lead back, a single one does, too.
std::optional<std::vector<music_ptr>> repeat_as_signs(const repeat_music& repeat) {
  std::vector<music_ptr> out;
  const auto endings = std::count_if(repeat.items.begin(), repeat.items.end(), is_ending);
  auto leads_back = [&](barline b) {
    end_repeat(b);
    if (repeat.times != 2) b.repeat_times = repeat.times;
    return b;
  };
  auto done = 0;
  for (const auto& x : repeat.items) {
    auto ending = as_node<ending_music>(*x);
    auto inner = measures_with_repeat_signs(ending ? ending->items : std::vector{x});
    if (!inner) return std::nullopt;
    if (ending) {
      auto back = ++done < endings || endings == 1;
      auto start = sign_at("left"), stop = sign_at("right");
      start.ending_numbers = stop.ending_numbers = ending->numbers;
      start.ending_type = "start";
      stop.ending_type = back ? "stop" : "discontinue";
      set_sign(inner->front(), std::move(start));
      set_sign(inner->back(), back ? leads_back(std::move(stop)) : std::move(stop));
    }
    out.insert(out.end(), inner->begin(), inner->end());
  }
  if (out.empty()) return std::nullopt;
  auto forward = sign_at("left");
  begin_repeat(forward);
  set_sign(out.front(), std::move(forward));
  if (endings == 0) set_sign(out.back(), leads_back(sign_at("right")));
  return out;
}

}  // namespace

std::optional<error> irreversible_order(const std::vector<music_ptr>& items) {
  auto sign = first_sign(items);
  if (!sign) return std::nullopt;
  return error{errc::misplaced,
               sign->name +
                   " cannot be reversed: no repeat signs would play the same measures backwards",
               sign->span,
               "reverse the measures before and after separately, or write out the repeats first"};
}

std::optional<error> order_that_cannot_rotate(const std::vector<music_ptr>& items) {
  auto sign = first_sign(items);
  if (!sign) return std::nullopt;
  return error{errc::misplaced,
               sign->name +
                   " cannot be rotated: the order of play depends on the order of these measures",
               sign->span,
               "rotate the measures before and after separately, or write out the repeats first"};
}

std::vector<edge_barlines> without_barlines(std::vector<measure_music>& measures) {
  std::vector<edge_barlines> out;
  measure_count count;
  for (auto& m : measures) {
    edge_barlines own;
    measure named;
    named.implicit = m.implicit;
    named.number = own.number = m.number.value_or(count.next(m.implicit));
    count.pass(named);
    auto take = [&](std::vector<music_ptr>& items) {
      std::erase_if(items, [&](const music_ptr& x) {
        auto b = leaf<barline>(*x);
        if (!b || b->location == "middle") return false;
        (b->location == "left" ? own.left : own.right) = *b;
        return true;
      });
    };
    take(m.items);
    for (auto& x : m.items)
      if (auto v = as_node<voice_music>(*x)) {
        auto items = v->items;
        take(items);
        if (items.size() != v->items.size()) x = with_items(*x, std::move(items));
      }
    out.push_back(std::move(own));
  }
  return out;
}

result<std::vector<edge_barlines>> turned_barlines(const std::vector<edge_barlines>& bars,
                                                   bool whole_part) {
  const auto n = bars.size();
  std::vector<edge_barlines> out(n);
  std::vector<std::size_t> open;
  std::size_t behind_last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (bars[i].left && bars[i].left->repeat == "forward") open.push_back(i);
    if (!bars[i].right || bars[i].right->repeat != "backward") continue;
    if (open.empty() && !whole_part) {
      out[n - 1 - i].left = turned(*bars[i].right);
      continue;
    }
    auto first = open.empty() ? behind_last : open.back();
    close(out, first, i, open.empty() ? std::nullopt : bars[first].left, *bars[i].right);
    if (!open.empty()) open.pop_back();
    behind_last = i + 1;
  }
  for (auto first : open) {
    if (whole_part)
      return fail({errc::misplaced,
                   "the repeat starting in measure " + bars[first].number +
                       " has no end, so it cannot be reversed",
                   {},
                   "end it with (barline :repeat-end), or remove its sign"});
    out[n - 1 - first].right = turned(*bars[first].left);
  }
  // Lines between measures: `i` stands before measure i.
  auto put = [&](std::size_t boundary, barline b) {
    auto& place = boundary == 0 ? out.front().left : out[boundary - 1].right;
    b.location = boundary == 0 ? "left" : "right";
    if (!place) place = std::move(b);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (bars[i].left && bars[i].left->repeat.empty()) put(i == 0 ? 0 : n - i, *bars[i].left);
    if (bars[i].right && bars[i].right->repeat.empty())
      put(i + 1 == n ? n : n - i - 1, *bars[i].right);
  }
  return out;
}

void set_barlines(std::vector<loose_measure>& measures, const std::vector<edge_barlines>& bars) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    auto& items = measures[i].rest.items;
    if (bars[i].left) items.insert(items.begin(), make_music(measure_content{*bars[i].left}));
    if (bars[i].right) items.push_back(make_music(measure_content{*bars[i].right}));
  }
}

barline turned(barline b) {
  if (b.repeat.empty() || b.repeat == "both") return b;
  auto opens = b.repeat == "backward";
  opens ? begin_repeat(b) : end_repeat(b);
  if (b.location != "middle") b.location = opens ? "left" : "right";
  return b;
}

std::optional<std::vector<music_ptr>> measures_with_repeat_signs(
    const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (auto x = items.begin(); x != items.end();) {
    auto repeat = as_node<repeat_music>(**x);
    if (!repeat && !is_measure(*x)) return std::nullopt;
    if (!repeat) {
      out.push_back(*x++);
      continue;
    }
    auto whole = *repeat;
    // Endings right behind a repeat are its own.
    auto behind = std::find_if_not(x + 1, items.end(), is_ending);
    if (std::none_of(whole.items.begin(), whole.items.end(), is_ending)) {
      whole.items.insert(whole.items.end(), x + 1, behind);
      x = behind;
    } else {
      ++x;
    }
    auto inner = repeat_as_signs(whole);
    if (!inner) return std::nullopt;
    out.insert(out.end(), inner->begin(), inner->end());
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace fermata
