// Loose notes, cut into the measures of a part, and rests over measures.

#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/part_builder.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/edit/divided_tuplet.hpp"
#include "core/score/model/metric_spelling.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// Of one part; a number from outside must not become millions.
constexpr std::size_t most_measures = 100'000;

/// Signs that belong before the notes of the next measure when they stand on a barline.
bool opens_measure(const measure_content& x) {
  auto b = std::get_if<barline>(&x);
  return !b || b->location == "left";
}

chord_rest rest_of_measure() {
  rest whole;
  whole.whole_measure = true;
  note n;
  n.tone = whole;
  chord_rest x;
  x.voice.clear();  // that of its layer
  x.notes.push_back(std::move(n));
  return x;
}

}  // namespace

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
  bar_begin_ = {{}, from};
  for (const auto& x : f->items)
    if (!place(x, from)) return;
  divide_tuplets(*f, from);
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
    auto bar = std::exchange(bar_begin_, bar_start{x.at, at.value == l.value ? index + 1 : index});
    if (l > quarters{} && at.value != l.value && at.value != rational{0}) {
      // What was too long is the bar that began behind the last check.
      if (auto more = x.at - bar.at - timings_[bar.index].length; more > quarters{}) {
        fault(error{errc::bar_not_full,
                    "measure " + measures_[bar.index].number + ": " + length_in_words(more) +
                        " too long before this barline",
                    x.span});
        return false;
      }
      fault(error{errc::bar_not_full,
                  "measure " + m.number + ": the bar is not full here, " +
                      length_in_words(l - (at - measure_position{})) + " is missing",
                  x.span});
      return false;
    }
    if (claim.number && *claim.number != m.number) {
      fault(error{errc::bar_not_full,
                  "this barline ends measure " + m.number + ", not " + *claim.number, x.span});
      return false;
    }
    return true;
  }
  if (auto a = std::get_if<attributes>(content)) {
    for (const auto& t : a->times)
      if (!t.staff || t.staff == 1) {
        if (at.value != rational{0}) {
          fault(
              error{errc::misplaced,
                    "measure " + m.number + ": a time signature must be at the start of a measure",
                    x.span, "complete the previous measure first"});
          return false;
        }
        set_time(index, t.value);
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
    if (std::holds_alternative<barline>(*content)) barred_.insert(index);
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
                    " crosses the barline and cannot be split there",
                span, "end the tuplet before the barline"});
    return false;
  };
  if (x.grace) return wrong();
  if (x.tuplet) return place_tuplet_tied(x) || wrong();
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

/// Inside its ratio; false: no value fits.
bool part_builder::place_tuplet_tied(const chord_rest& x) {
  std::vector<quarters> lengths;
  std::vector<std::pair<std::size_t, measure_position>> places;
  auto at = place_at_;
  auto left = x.length;
  for (auto index = place_hint_.index; left > quarters{}; ++index) {
    if (index >= most_measures) return false;
    measure_at(index);
    auto length = timings_[index].length;
    auto room = measure_position{length.value} - at;
    lengths.push_back(length == quarters{} ? left : std::min(left, room));
    places.emplace_back(index, at);
    left = left - lengths.back();
    at = {};
  }
  auto pieces = tuplet_pieces(x, lengths);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    divided_.push_back({places[i].first, places[i].second, x.voice});
    measures_[places[i].first].items.push_back({places[i].second, std::move(pieces[i])});
  }
  return !pieces.empty();
}

/// Brackets of the voices that ran over the barlines from measure `first` on are divided there.
void part_builder::divide_tuplets(const flow& f, std::size_t first) {
  std::set<std::string> voices;
  for (const auto& x : f.items)
    if (auto content = std::get_if<measure_content>(&x.content))
      if (auto c = std::get_if<chord_rest>(content); c && c->tuplet) voices.insert(c->voice);
  for (const auto& voice : voices)
    for (auto i = first; i + 1 < measures_.size(); ++i)
      divide_brackets(measures_[i], measures_[i + 1], voice);
  for (const auto& [index, at, voice] : std::exchange(divided_, {}))
    settle_unit(measures_[index], voice, at);
}

/// Between measures it is the rests themselves, drawn as one where nothing else sounds.
void part_builder::add_rests(int count, source_span span) {
  if (run_.empty() || !is_mark_only(*as_one(run_))) close_run();
  const auto first = index_;
  if (first + static_cast<std::size_t>(count) > most_measures) {
    too_many_measures(span);
    return;
  }
  for (auto i = 0; i < count; ++i) {
    measure_music m;
    if (i == 0 && count > 1) {
      attributes drawn;
      drawn.multiple_rest = count;
      m.items.push_back(make_music(measure_content{std::move(drawn)}, span));
    }
    m.items.push_back(make_music(measure_content{rest_of_measure()}, span));
    add_measure(m, span);
  }
  drawn_rests_.emplace_back(first, static_cast<std::size_t>(count));
}

bool part_builder::too_many_measures(source_span span) {
  fault(error{errc::out_of_range,
              "the part would have more than " + std::to_string(most_measures) + " measures", span,
              "check the length"});
  return false;
}

}  // namespace fermata
