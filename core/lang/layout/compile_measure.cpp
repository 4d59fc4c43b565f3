#include "core/lang/layout/compile.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

result<std::vector<measure_item>> measure_items(flow&& f, quarters length,
                                                std::string_view number) {
  std::vector<measure_item> items;
  items.reserve(f.items.size());
  const flow_item* before = nullptr;
  for (auto& x : f.items) {
    if (auto claim = std::get_if<bar_claim>(&x.content)) {
      auto where = "measure " + std::string{number} + ": ";
      if (claim->number && *claim->number != number)
        return fail(error{errc::bar_not_full,
                          where + "this barline ends measure " + std::string{number} + ", not " +
                              *claim->number,
                          x.span});
      if (length > quarters{} && x.at != length) {
        auto missing = length - x.at;
        return fail(error{
            errc::bar_not_full,
            where +
                (missing > quarters{}
                     ? "the bar is not full here, " + length_in_words(missing) + " is missing"
                     : "the bar is " + length_in_words(quarters{} - missing) + " too long here"),
            x.span});
      }
      continue;
    }
    auto& content = std::get<measure_content>(x.content);
    measure_position at{x.at.value};
    auto a = std::get_if<attributes>(&content);
    if (a && before && !items.empty() && items.back().at == at && before->block == x.block) {
      auto last = std::get_if<attributes>(&items.back().content);
      if (last && (x.block != 0 || can_join(*last, *a))) {
        join(*last, std::move(*a));
        continue;
      }
    }
    items.push_back({at, std::move(content)});
    before = &x;
  }
  return items;
}

void settle_inner_barlines(measure& m) {
  const auto end = measure_position{} + extent(m);
  for (auto& item : m.items) {
    auto b = std::get_if<barline>(&item.content);
    if (!b) continue;
    auto given = take_given_side(*b);
    if (!given && is_inner_barline(*b, item.at, end)) b->location = "middle";
  }
}

std::optional<diagnostic> overfull(const flow& f, const time_signature& time,
                                   std::string_view number) {
  auto length = measure_length(time);
  if (length == quarters{}) return std::nullopt;
  quarters end;
  const flow_item* offender = nullptr;
  const chord_rest* first_outside = nullptr;
  const chord_rest* last_inside = nullptr;
  for (const auto& x : f.items) {
    auto content = std::get_if<measure_content>(&x.content);
    auto c = content ? std::get_if<chord_rest>(content) : nullptr;
    if (!c) continue;
    auto stops = x.at + c->length;
    end = std::max(end, stops);
    if (stops > length) {
      if (!offender) {
        offender = &x;
        first_outside = c;
      }
    } else if (!offender && !c->grace) {
      last_inside = c;
    }
  }
  if (!offender) return std::nullopt;
  auto where = last_inside ? " after " + name_of(*last_inside) : " at " + name_of(*first_outside);
  return diagnostic{errc::overfull_measure,
                    "measure " + std::string{number} + ": " + length_in_words(end - length) +
                        " too long for " + to_string(time) + where,
                    offender->span,
                    "shorten something, or start a new measure before " + name_of(*first_outside)};
}

time_signature time_of_measure(const flow& f, const time_signature& before) {
  for (const auto& x : f.items)
    if (auto content = std::get_if<measure_content>(&x.content); content && x.at == quarters{})
      if (auto a = std::get_if<attributes>(content))
        for (const auto& t : a->times)
          if (!t.staff || t.staff == 1) return t.value;
  return before;
}

namespace {

/// A time signature behind notes, where nothing would follow it. Imported measures that have one
/// are `free`.
std::optional<diagnostic> late_time(const flow& f, std::string_view number) {
  for (const auto& x : f.items) {
    auto content = std::get_if<measure_content>(&x.content);
    auto a = content ? std::get_if<attributes>(content) : nullptr;
    if (a && !a->times.empty() && x.at > quarters{})
      return diagnostic{errc::misplaced,
                        "measure " + std::string{number} +
                            ": a time signature must be at the start of a measure",
                        x.span, "start a new measure with it"};
  }
  return std::nullopt;
}

}  // namespace

result<measure> compile_measure(const measure_music& m, std::string number,
                                const time_signature& time) {
  flow_start start;
  start.measure_length = measure_length(time);
  auto f = lay_out(m.items, start);
  if (!f) return fail(std::move(f.error()));
  auto own_time = time_of_measure(*f, time);
  if (!m.free) {
    if (auto fault = overfull(*f, own_time, number)) return fail(error{std::move(*fault)});
    if (auto fault = late_time(*f, number)) return fail(error{std::move(*fault)});
  }
  auto skipped_to = f->skipped_to;
  auto items = measure_items(std::move(*f),
                             m.free || m.implicit ? quarters{} : measure_length(own_time), number);
  if (!items) return fail(std::move(items.error()));
  measure out;
  out.number = std::move(number);
  out.implicit = m.implicit;
  out.items = std::move(*items);
  settle_inner_barlines(out);
  // A gap at the end of the measure is kept when nothing else reaches so far.
  if (m.padded_to)
    out.padded_to = *m.padded_to;
  else if (skipped_to > extent(out))
    out.padded_to = measure_position{skipped_to.value};
  out.extra = m.extra;
  return out;
}

}  // namespace fermata
