#include "core/lang/music/part_builder.hpp"

#include "core/lang/music/make.hpp"
#include "core/score/metric_spelling.hpp"
#include "core/score/placing.hpp"
#include "core/score/wording.hpp"

#include <algorithm>
#include <charconv>

namespace fermata {

namespace {

/// The part of the key, time and clef of a second staff's measure that the measure does not have.
void join_missing(attributes& into, attributes&& from, std::uint8_t staff) {
  auto missing = [&](auto& have, auto&& more) {
    for (auto& x : more) {
      auto same = [&](const auto& y) {
        return y.value == x.value && (!y.staff || y.staff == x.staff);
      };
      if (std::any_of(have.begin(), have.end(), same)) continue;
      if (!x.staff && staff > 1) x.staff = staff;
      have.push_back(std::move(x));
    }
  };
  missing(into.keys, std::move(from.keys));
  missing(into.times, std::move(from.times));
  missing(into.clefs, std::move(from.clefs));
  missing(into.transpositions, std::move(from.transpositions));
  for (auto& o : from.others)
    into.others.push_back(std::move(o));
  if (from.staves) into.staves = from.staves;
}

/// Of one part; a number from outside must not become millions.
constexpr std::size_t most_measures = 100'000;

/// Signs that belong before the notes of the next measure when they stand on a barline.
bool opens_measure(const measure_content& x) {
  auto b = std::get_if<barline>(&x);
  return !b || b->location == "left";
}

}  // namespace

void part_builder::add(const std::vector<music_ptr>& items) {
  auto is_ending = [](const music_ptr& x) { return as_node<ending_music>(*x) != nullptr; };
  for (auto x = items.begin(); x != items.end();) {
    auto repeat = as_node<repeat_music>(**x);
    auto behind = std::find_if_not(x + 1, items.end(), is_ending);
    if (repeat && behind != x + 1 &&
        std::none_of(repeat->items.begin(), repeat->items.end(), is_ending)) {
      // Endings right behind a repeat are its own, as if they stood inside.
      auto whole = *repeat;
      whole.items.insert(whole.items.end(), x + 1, behind);
      add_repeat(whole, (*x)->span);
      x = behind;
    } else {
      add(*x++);
    }
  }
}

void part_builder::add(const music_ptr& m) {
  if (auto x = as_node<measure_music>(*m)) return add_measure(*x, m->span);
  if (auto x = as_node<repeat_music>(*m)) return add_repeat(*x, m->span);
  if (auto x = as_node<ending_music>(*m)) return add_ending(*x, m->span, std::nullopt);
  if (auto x = as_node<staff_music>(*m)) {
    auto staff = x->staff == 0 ? static_cast<std::uint8_t>(staff_forms_ + 1) : x->staff;
    staff_forms_ = std::max<int>(staff_forms_ + (x->staff == 0), staff);
    staves_ = std::max<int>(staves_, staff);
    return add_layer(x->items, std::to_string((staff - 1) * 4 + 1), staff);
  }
  if (auto x = as_node<voice_music>(*m))
    return add_layer(x->items, x->voice, x->staff.value_or(staff_));
  if (auto x = as_node<seq_music>(*m); x && holds_measures(*m)) return add(x->items);
  if (auto x = as_node<lyrics_music>(*m); x && holds_measures(*m)) {
    auto items = with_lyrics(*x, m->span);
    if (!items) return fault(std::move(items.error()));
    return add(*items);
  }
  if (as_node<part_music>(*m) || as_node<part_group_music>(*m) || as_node<score_music>(*m))
    return fault(error{errc::misplaced, "a part holds measures and music, not parts or scores",
                       m->span, "parts stand in (score ...)"});
  run_.push_back(m);
}

void part_builder::add_layer(const std::vector<music_ptr>& items, std::string voice,
                             std::uint8_t staff) {
  close_run();
  auto outer = std::tuple{index_, voice_, staff_};
  index_ = 0;
  voice_ = std::move(voice);
  staff_ = staff;
  add(items);
  close_run();
  auto reached = index_;
  std::tie(index_, voice_, staff_) = outer;
  index_ = std::max(index_, reached);
}

void part_builder::add_measure(const measure_music& m, source_span span) {
  std::vector<music_ptr> before;
  // Marks that stand before a measure belong to its start.
  if (std::all_of(run_.begin(), run_.end(), [](const music_ptr& x) { return is_mark_only(*x); }))
    before = std::exchange(run_, {});
  else
    close_run();
  auto number = m.number                    ? *m.number
                : index_ < measures_.size() ? measures_[index_].number
                : m.implicit && index_ == 0 ? std::string{"0"}
                                            : next_number();
  if (m.number) numbered_.insert(index_);
  auto compiled = [&] {
    if (before.empty() && staff_ == 0 && voice_ == "1") return compile_measure(m, number, time_);
    auto own = m;
    own.items.insert(own.items.begin(), before.begin(), before.end());
    // A staff or voice around measures holds inside them.
    if (staff_ != 0)
      own.items = {make_music(voice_music{voice_, staff_, {}, std::move(own.items)}, span)};
    else if (voice_ != "1")
      own.items = {make_music(voice_music{voice_, {}, {}, std::move(own.items)}, span)};
    return compile_measure(own, number, time_);
  };
  auto made = compiled();
  if (!made) {
    for (auto& d : made.error().diagnostics)
      if (!d.span || *d.span == source_span{}) d.span = span;
    fault(std::move(made.error()));
    made = measure{number, m.implicit, {}, {}, m.extra};
  }
  for (const auto& item : made->items)
    if (auto a = std::get_if<attributes>(&item.content))
      for (const auto& t : a->times)
        if (!t.staff || t.staff == 1) time_ = t.value;
  if (index_ < measures_.size()) {
    lay_over(index_, std::move(*made));
  } else {
    measures_.push_back(std::move(*made));
    timings_.push_back({time_, measure_length(time_)});
  }
  if (std::exchange(forward_next_, false)) set_barline(index_, "left", begin_repeat);
  // Both halves of a double repeat: the second one stands at the next measure's left.
  for (auto& item : measures_[index_].items)
    if (auto b = std::get_if<barline>(&item.content); b && b->repeat == "both") {
      end_repeat(*b);
      forward_next_ = true;
    }
  ++index_;
}

void part_builder::lay_over(std::size_t index, measure&& m) {
  auto& into = measures_[index];
  for (auto& item : m.items) {
    auto a = std::get_if<attributes>(&item.content);
    if (a) {
      auto there = std::find_if(into.items.begin(), into.items.end(), [&](const measure_item& x) {
        return x.at == item.at && std::holds_alternative<attributes>(x.content);
      });
      if (there != into.items.end()) {
        join_missing(std::get<attributes>(there->content), std::move(*a), staff_);
        continue;
      }
    }
    into.items.push_back(std::move(item));
  }
}

void part_builder::add_repeat(const repeat_music& m, source_span span) {
  close_run();
  auto first = index_;
  auto is_ending = [](const music_ptr& x) { return as_node<ending_music>(*x) != nullptr; };
  auto endings = std::count_if(m.items.begin(), m.items.end(), is_ending);
  std::optional<int> times;
  if (m.times != 2) times = m.times;
  auto ending = 0;
  for (const auto& x : m.items) {
    if (auto e = as_node<ending_music>(*x)) {
      // All endings but the last lead back; a single one does, too.
      auto leads_back = ++ending < endings || endings == 1;
      add_ending(*e, x->span, leads_back ? std::optional{m.times} : std::nullopt);
    } else {
      add(x);
    }
  }
  close_run();
  if (index_ == first)
    return fault(error{errc::misplaced, "a repeat needs a measure inside", span,
                       "write (repeat (measure ...))"});
  set_barline(first, "left", begin_repeat);
  if (endings == 0)
    set_barline(index_ - 1, "right", [&](barline& b) {
      end_repeat(b);
      b.repeat_times = times;
    });
}

void part_builder::add_ending(const ending_music& m, source_span span,
                              std::optional<int> repeat_times) {
  close_run();
  auto first = index_;
  add(m.items);
  close_run();
  if (index_ == first)
    return fault(error{errc::misplaced, "an ending needs a measure inside", span,
                       "write (ending 1 (measure ...))"});
  set_barline(first, "left", [&](barline& b) {
    b.ending_numbers = m.numbers;
    b.ending_type = "start";
  });
  set_barline(index_ - 1, "right", [&](barline& b) {
    b.ending_numbers = m.numbers;
    b.ending_type = repeat_times ? "stop" : "discontinue";
    if (repeat_times) {
      end_repeat(b);
      if (*repeat_times != 2) b.repeat_times = *repeat_times;
    }
  });
}

void part_builder::set_barline(std::size_t index, const std::string& location,
                               const std::function<void(barline&)>& change) {
  auto& m = measures_[index];
  for (auto& item : m.items)
    if (auto b = std::get_if<barline>(&item.content); b && b->location == location)
      return change(*b);
  barline b;
  b.location = location;
  change(b);
  if (location == "left")
    m.items.insert(m.items.begin(), measure_item{{}, std::move(b)});
  else
    m.items.push_back({measure_position{extent(m).value}, std::move(b)});
}

void part_builder::close_run() {
  if (run_.empty()) return;
  auto run = std::exchange(run_, {});
  fill(run);
}

void part_builder::finish() {
  close_run();
  if (forward_next_)
    fault(error{errc::misplaced, "a repeat on both sides needs a measure after it", std::nullopt,
                "write (barline :repeat-end) at the end of a part"});
}

measure& part_builder::measure_at(std::size_t index) {
  while (measures_.size() <= index) {
    measure m;
    m.number = next_number();
    measures_.push_back(std::move(m));
    timings_.push_back({time_, measure_length(time_)});
    if (std::exchange(forward_next_, false))
      set_barline(measures_.size() - 1, "left", begin_repeat);
  }
  return measures_[index];
}

void part_builder::fill(const std::vector<music_ptr>& run) {
  flow_start start;
  start.voice = voice_;
  start.staff = staff_;
  start.inside_voice = staff_ != 0 || voice_ != "1";
  start.measure_length = measure_length(time_);
  auto f = lay_out(run, start);
  if (!f) return fault(std::move(f.error()));
  auto from = index_;
  place_hint_ = {from, from, {}};
  for (const auto& x : f->items)
    if (!place(x, from)) return;
  // The run reaches as far as its longest voice.
  quarters at;
  auto index = from;
  while (index < timings_.size() && at + timings_[index].length <= f->end &&
         timings_[index].length > quarters{})
    at += timings_[index++].length;
  if (at < f->end || (index < timings_.size() && timings_[index].length == quarters{})) ++index;
  index_ = std::max(from, std::min(index, measures_.size()));
}

bool part_builder::place(const flow_item& x, std::size_t from) {
  // Items come mostly in order, so the search goes on where the last one ended.
  if (place_hint_.from != from || x.at <= place_hint_.begin) place_hint_ = {from, from, {}};
  auto& [_, index, begin] = place_hint_;
  auto& reached = index;  // a lambda may not refer to the binding itself
  auto content = std::get_if<measure_content>(&x.content);
  // A closing barline and a bar check look back at the measure that ends here.
  auto closes = !content || !opens_measure(*content);
  auto length = [&] {
    measure_at(reached);
    return timings_[reached].length;
  };
  while (true) {
    if (index >= most_measures) return too_many_measures(x.span);
    auto l = length();
    if (l == quarters{} || x.at < begin + l || (closes && x.at == begin + l)) break;
    begin += l;
    ++index;
  }
  const auto l = timings_[index].length;
  measure_position at{(x.at - begin).value};
  place_at_ = at;
  auto& m = measures_[index];
  if (!content) {
    const auto& claim = std::get<bar_claim>(x.content);
    if (l > quarters{} && at.value != l.value && at.value != rational{0}) {
      fault(error{errc::bar_not_full,
                  "measure " + m.number + ": the bar is not full here, " +
                      length_in_words(l - (at - measure_position{})) + " is missing",
                  x.span});
      return false;
    }
    if (claim.number && *claim.number != m.number) {
      fault(error{errc::bar_not_full,
                  "this barline closes measure " + m.number + ", not " + *claim.number, x.span});
      return false;
    }
    return true;
  }
  if (auto a = std::get_if<attributes>(content)) {
    for (const auto& t : a->times)
      if (!t.staff || t.staff == 1) {
        if (at.value != rational{0}) {
          fault(error{errc::misplaced,
                      "measure " + m.number + ": a time signature stands at the start of a measure",
                      x.span, "fill the measure before it first"});
          return false;
        }
        time_ = t.value;
        timings_[index] = {time_, measure_length(time_)};
      }
    if (!m.items.empty() && m.items.back().at == at)
      if (auto last = std::get_if<attributes>(&m.items.back().content);
          last && can_join(*last, *a)) {
        join(*last, attributes{*a});
        return true;
      }
  }
  auto c = std::get_if<chord_rest>(content);
  if (!c || l == quarters{} || at + c->length <= measure_position{l.value}) {
    m.items.push_back({at, *content});
    if (auto b = std::get_if<barline>(&m.items.back().content); b && b->repeat == "both") {
      end_repeat(*b);
      forward_next_ = true;
    }
    return true;
  }
  return place_tied(*c, x.span);
}

/// A note that crosses barlines is written in pieces that are tied, spelt in each measure's metre.
bool part_builder::place_tied(const chord_rest& x, source_span span) {
  const auto name = measures_[place_hint_.index].number;
  auto wrong = [&] {
    fault(error{errc::overfull_measure,
                "measure " + name + ": " + name_of(x) +
                    " crosses the barline and cannot be divided there",
                span, "close the tuplet before the barline"});
    return false;
  };
  if (x.tuplet || x.grace) return wrong();
  struct piece {
    std::size_t index;
    measure_position at;
  };
  std::vector<note_value> values;
  std::vector<piece> places;
  auto index = place_hint_.index;
  auto at = place_at_;
  auto left = x.length;
  while (left > quarters{}) {
    if (index >= most_measures) return too_many_measures(span);
    measure_at(index);
    const auto& time = timings_[index];
    auto here =
        time.length == quarters{} ? left : std::min(left, measure_position{time.length.value} - at);
    auto pieces =
        metric_pieces(at, here, time.time, is_rest(x) ? spelled_as::rest : spelled_as::note);
    if (pieces.empty()) return wrong();
    for (const auto& p : pieces) {
      values.push_back(p.value);
      places.push_back({index, p.at});
    }
    left = left - here;
    at = {};
    ++index;
  }
  auto pieces = tied_pieces(x, values);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    measures_[places[i].index].items.push_back({places[i].at, std::move(pieces[i])});
  return true;
}

bool part_builder::too_many_measures(source_span span) {
  fault(error{errc::out_of_range,
              "the part gets more than " + std::to_string(most_measures) + " measures", span,
              "is the length what it should be?"});
  return false;
}

std::string part_builder::next_number() const {
  for (auto m = measures_.rbegin(); m != measures_.rend(); ++m) {
    int n = 0;
    auto end = m->number.data() + m->number.size();
    if (std::from_chars(m->number.data(), end, n).ptr == end) return std::to_string(n + 1);
  }
  return std::to_string(measures_.size() + 1);
}

void part_builder::fault(error e) {
  for (auto& d : e.diagnostics)
    faults_.diagnostics.push_back(std::move(d));
}

}  // namespace fermata
