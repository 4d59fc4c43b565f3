#include "core/lang/layout/part_builder.hpp"

#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/marks_in_measures.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/edit/multiple_rests.hpp"
#include "core/score/model/metric_spelling.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <charconv>

namespace fermata {

namespace {

/// The part of the key, time and clef of a second layer that the measure does not have. What the
/// first says otherwise is for the second staff alone.
void join_missing(attributes& into, attributes&& from, std::uint8_t staff) {
  auto missing = [&](auto& have, auto&& more) {
    const auto said = !have.empty();
    for (auto& x : more) {
      auto same = [&](const auto& y) {
        return y.value == x.value && (!y.staff || y.staff == x.staff);
      };
      if (std::any_of(have.begin(), have.end(), same)) continue;
      if (!x.staff && staff > 1 && said) x.staff = staff;
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
  if (from.multiple_rest) into.multiple_rest = from.multiple_rest;
  if (from.extra && !into.extra) into.extra = std::move(from.extra);
}

/// Where the last note, chord or rest of a voice ends; empty: it has none here.
std::optional<measure_position> voice_end(const measure& m, const std::string& voice) {
  std::optional<measure_position> end;
  for (const auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content); x && x->voice == voice)
      end = std::max(end.value_or(measure_position{}), item.at + x->length);
  return end;
}

bool holds_for_first_staff(const for_staff<time_signature>& t) { return !t.staff || t.staff == 1; }

/// The first round of a repeat that none of its endings is for. A single ending leads back; the
/// last round then goes on behind it.
std::optional<int> round_without_ending(const std::vector<music_ptr>& items, int times) {
  std::set<int> rounds;
  auto endings = 0;
  for (const auto& x : items)
    if (auto e = as_node<ending_music>(*x)) {
      ++endings;
      const auto end = e->numbers.data() + e->numbers.size();
      for (auto at = e->numbers.data(); at < end;) {
        auto n = 0;
        auto r = std::from_chars(at, end, n);
        if (r.ec == std::errc{}) rounds.insert(n);
        at = std::max(r.ptr, at + 1);
      }
    }
  for (auto round = 1; round <= times - (endings == 1 ? 1 : 0); ++round)
    if (!rounds.contains(round)) return round;
  return std::nullopt;
}

}  // namespace

part_builder part_builder::built(const std::vector<music_ptr>& given, const time_signature& time,
                                 const staff_clefs& staves) {
  const auto items = with_numbered_staves(given, staves);
  auto build = [&](std::map<std::size_t, time_signature> from_below) {
    part_builder builder{time};
    builder.from_below_ = std::move(from_below);
    builder.add(items);
    builder.finish();
    return builder;
  };
  auto first = build({});
  return first.said_late_.empty() ? first : build(std::move(first.said_late_));
}

part_builder part_builder::laid_over(std::vector<measure> there,
                                     const std::vector<time_signature>& times,
                                     const std::vector<music_ptr>& items,
                                     const time_signature& time) {
  part_builder builder{time};
  for (const auto& m : there)
    builder.count_.pass(m);
  for (const auto& t : times)
    builder.timings_.push_back({t, measure_length(t)});
  builder.measures_ = std::move(there);
  builder.takes_place_ = true;
  builder.add(with_numbered_staves(items));
  builder.finish();
  return builder;
}

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
    if (x->staff == 0) return fault(too_many_staves(m->span));
    staves_ = std::max<int>(staves_, x->staff);
    return add_layer(x->items, std::to_string((x->staff - 1) * 4 + 1), x->staff);
  }
  if (auto x = as_node<voice_music>(*m)) {
    if (!x->at) return add_layer(x->items, x->voice, x->staff.value_or(staff_));
    if (holds_measures(*m) && x->at != measure_position{})
      return fault(error{errc::misplaced, "measures start with the part; :at is not allowed here",
                         m->span, "use :at in a voice of notes, or start with measures of rest"});
    auto items = x->items;
    if (x->at != measure_position{})
      items.insert(items.begin(), make_music(skip_music{quarters{x->at->value}}, m->span));
    return add_layer(items, x->voice, x->staff.value_or(staff_), layer_begin{layers_begin_, {}});
  }
  if (auto count = rest_over_measures(*m)) return add_rests(*count, m->span);
  if (auto x = as_node<seq_music>(*m); x && !x->block) return add(x->items);
  if (auto x = as_node<lyrics_music>(*m);
      x && (holds_measures(*m) || holds_rest_over_measures(*m))) {
    auto items = with_lyrics(*x, m->span);
    if (!items) return fault(std::move(items.error()));
    return add(*items);
  }
  if (as_node<part_music>(*m) || as_node<part_group_music>(*m) || as_node<score_music>(*m))
    return fault(error{errc::misplaced, "a part contains measures and music, not parts or scores",
                       m->span, "put parts in (score ...)"});
  run_.push_back(m);
}

part_builder::layer_begin part_builder::begin_of_layer(const std::vector<music_ptr>& items,
                                                       const std::string& voice) const {
  auto none_holds = [&](auto is) {
    return std::none_of(items.begin(), items.end(), [&](const music_ptr& x) { return is(*x); });
  };
  if (none_holds(holds_notes)) return {layers_begin_, {}};
  const auto repeat = behind_repeats_.find(voice);
  const auto earliest = repeat == behind_repeats_.end() ? 0 : repeat->second;
  for (auto i = measures_.size(); i-- > layers_begin_;) {
    auto reached = voice_end(measures_[i], voice);
    if (!reached) continue;
    const auto is_full = *reached >= measure_position{timings_[i].length.value};
    if (i + 1 <= earliest) return {earliest, {}};
    if (is_full || !none_holds(holds_measures)) return {i + 1, {}};
    return {i, *reached - measure_position{}};
  }
  return {layers_begin_, {}};
}

void part_builder::add_layer(const std::vector<music_ptr>& items, std::string voice,
                             std::uint8_t staff, std::optional<layer_begin> at) {
  close_run();
  const auto begin = at ? *at : begin_of_layer(items, voice);
  layers_inside_.insert(voice);
  auto outer = std::tuple{index_, layers_begin_, voice_, staff_};
  index_ = layers_begin_ = begin.index;
  take_up_time();
  voice_ = std::move(voice);
  staff_ = staff;
  if (begin.at > quarters{}) run_.push_back(make_music(skip_music{begin.at}));
  add(items);
  close_run();
  auto reached = index_;
  std::tie(index_, layers_begin_, voice_, staff_) = outer;
  index_ = std::max(index_, reached);
  if (index_ > 0) time_ = timings_[index_ - 1].time;
}

void part_builder::take_up_time() {
  if (index_ < timings_.size())
    time_ = timings_[index_].time;
  else
    look_down();
}

void part_builder::look_down() {
  if (auto said = from_below_.find(timings_.size()); said != from_below_.end())
    time_ = said->second;
}

/// Time signatures are said once for all layers: what one says holds in those laid over it, too.
void part_builder::set_time(std::size_t index, const time_signature& time) {
  auto says_its_own = [](const measure& m) {
    return std::any_of(m.items.begin(), m.items.end(), [](const measure_item& x) {
      auto a = std::get_if<attributes>(&x.content);
      return a && std::any_of(a->times.begin(), a->times.end(), holds_for_first_staff);
    });
  };
  time_ = time;
  if (index < timings_.size() && timings_[index].time != time && !says_its_own(measures_[index]))
    said_late_.insert_or_assign(index, time);
  for (auto i = index; i < timings_.size() && (i == index || !says_its_own(measures_[i])); ++i)
    timings_[i] = {time, measure_length(time)};
}

void part_builder::add_measure(const measure_music& m, source_span span) {
  std::vector<music_ptr> before;
  close_measure_before();
  // Marks that stand before a measure belong to its start.
  if (std::all_of(run_.begin(), run_.end(), [](const music_ptr& x) { return is_mark_only(*x); }))
    before = std::exchange(run_, {});
  else
    close_run();
  take_up_time();
  auto number = m.number                    ? *m.number
                : index_ < measures_.size() ? measures_[index_].number
                                            : count_.next(m.implicit);
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
        if (holds_for_first_staff(t)) set_time(index_, t.value);
  if (index_ < measures_.size()) {
    lay_over(index_, std::move(*made));
  } else {
    count_.pass(*made);
    measures_.push_back(std::move(*made));
    timings_.push_back({time_, measure_length(time_)});
  }
  if (std::exchange(forward_next_, false)) set_barline(index_, "left", begin_repeat);
  divide_double_repeat(index_);
  ++index_;
}

/// Both halves of a double repeat: the second one stands at the next measure's left.
void part_builder::divide_double_repeat(std::size_t index) {
  for (auto& item : measures_[index].items)
    if (auto b = std::get_if<barline>(&item.content); b && b->repeat == "both") {
      end_repeat(*b);
      forward_next_ = true;
    }
}

/// Barlines behind a measure are its own, as if they stood at its end.
void part_builder::close_measure_before() {
  if (index_ == 0) return;
  auto behind = std::find_if_not(run_.begin(), run_.end(), ends_measure);
  if (behind == run_.begin()) return;
  auto& m = measures_[index_ - 1];
  for (auto x = run_.begin(); x != behind; ++x)
    add_barline(m, {measure_position{extent(m).value}, *leaf<barline>(**x)});
  run_.erase(run_.begin(), behind);
  divide_double_repeat(index_ - 1);
}

/// Layers that are laid over each other may all say what ends the measure.
void part_builder::add_barline(measure& m, measure_item&& item) {
  auto said = std::any_of(m.items.begin(), m.items.end(),
                          [&](const measure_item& x) { return x.content == item.content; });
  if (!said) m.items.push_back(std::move(item));
}

void part_builder::lay_over(std::size_t index, measure&& m) {
  auto& into = measures_[index];
  for (auto& item : m.items) {
    if (auto a = std::get_if<attributes>(&item.content))
      place_with_others(into, item.at, std::move(*a));
    else if (std::holds_alternative<barline>(item.content))
      add_barline(into, std::move(item));
    else
      into.items.push_back(std::move(item));
  }
}

void part_builder::place_with_others(measure& m, measure_position at, attributes&& a) {
  auto there = std::find_if(m.items.begin(), m.items.end(), [&](const measure_item& x) {
    return x.at == at && std::holds_alternative<attributes>(x.content);
  });
  if (takes_place_)
    place_attributes(m, at, voice_, a);
  else if (there != m.items.end())
    join_missing(std::get<attributes>(there->content), std::move(a), staff_);
  else if (at == measure_position{})
    place_attributes(m, at, {}, a);
  else
    m.items.push_back({at, std::move(a)});
}

void part_builder::add_repeat(const repeat_music& m, source_span span) {
  if (auto x = make_music(repeat_music{m}, span), y = with_layer_outside(x); x != y) return add(y);
  close_run();
  const auto first = index_;
  auto is_ending = [](const music_ptr& x) { return as_node<ending_music>(*x) != nullptr; };
  auto endings = std::count_if(m.items.begin(), m.items.end(), is_ending);
  std::optional<int> times;
  if (m.times != 2) times = m.times;
  if (endings > 0)
    if (auto round = round_without_ending(m.items, m.times))
      return fault(error{errc::misplaced, "round " + std::to_string(*round) + " has no ending",
                         span, "add it to an ending, as (ending (1 2) ...), or change :times"});
  const auto outer = std::exchange(layers_begin_, first);
  auto around = std::exchange(layers_inside_, {});
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
  layers_begin_ = outer;
  for (const auto& voice : layers_inside_)
    behind_repeats_[voice] = index_;
  layers_inside_.merge(around);
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
  const auto first = index_;
  const auto outer = std::exchange(layers_begin_, first);
  add(m.items);
  close_run();
  layers_begin_ = outer;
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
  close_measure_before();
  if (run_.empty()) return;
  take_up_time();
  auto run = std::exchange(run_, {});
  fill(run);
}

void part_builder::finish() {
  close_run();
  for (auto index : barred_)
    settle_inner_barlines(measures_[index]);
  for (const auto& [first, count] : drawn_rests_)
    divide_multiple_rest(measures_, first, count);
  if (forward_next_)
    fault(error{errc::misplaced, "a repeat on both sides needs a measure after it", std::nullopt,
                "write (barline :repeat-end) at the end of a part"});
}

measure& part_builder::measure_at(std::size_t index) {
  while (measures_.size() <= index) {
    look_down();
    measure m;
    m.number = count_.next(false);
    count_.pass(m);
    measures_.push_back(std::move(m));
    timings_.push_back({time_, measure_length(time_)});
    if (std::exchange(forward_next_, false))
      set_barline(measures_.size() - 1, "left", begin_repeat);
  }
  return measures_[index];
}

void part_builder::fault(error e) {
  for (auto& d : e.diagnostics)
    faults_.diagnostics.push_back(std::move(d));
}

}  // namespace fermata
