#include "io/protocol/excerpt.hpp"

#include "core/error.hpp"
#include "core/score/model/part_names.hpp"
#include "core/score/model/walk.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fermata::io::protocol {

std::size_t measure_count(const score& s) {
  std::size_t n = 0;
  for (const auto& p : s.parts)
    n = std::max(n, p->measures.size());
  return n;
}

tl::unexpected<fault> no_such_part_fault(const score& s, std::string_view part,
                                         std::string message) {
  boost::json::array known;
  std::vector<std::string_view> names;
  for (const auto& p : s.parts) {
    known.push_back(boost::json::object{{"id", p->id}, {"name", p->name}});
    names.push_back(p->name);
    names.push_back(p->id);
  }
  auto near = nearest(part, names);
  boost::json::object data{{"param", "part"}, {"got", part}, {"parts", std::move(known)}};
  return refuse({fault_code::not_found, std::move(message),
                 s.parts.empty() ? "the score has no parts yet"
                 : near          ? fmt::format("did you mean `{}`?", *near)
                                 : "give a part's id, name or number, from 1",
                 std::move(data)});
}

answer<std::vector<std::size_t>> find_parts(const score& s, std::string_view part) {
  std::vector<std::size_t> out;
  if (part.empty()) {
    for (std::size_t i = 0; i < s.parts.size(); ++i)
      out.push_back(i);
    return out;
  }
  for (std::size_t i = 0; i < s.parts.size(); ++i)
    if (s.parts[i]->id == part) return std::vector{i};
  for (std::size_t i = 0; i < s.parts.size(); ++i)
    if (s.parts[i]->name == part) out.push_back(i);
  if (!out.empty()) return out;
  std::size_t number = 0;
  auto [end, ec] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (ec == std::errc{} && end == part.data() + part.size() && number >= 1 &&
      number <= s.parts.size())
    return std::vector{number - 1};
  if (out = parts_called(s, part); !out.empty()) return out;
  return no_such_part_fault(s, part, fmt::format("unknown part `{}`", part));
}

answer<excerpt_range> excerpt_of(const score& s, const arguments& args) {
  auto parts = find_parts(s, args.text("part"));
  if (!parts) return refuse(std::move(parts.error()));
  const auto count = measure_count(s);
  auto from = args.integer("from").value_or(1);
  auto to = args.integer("to").value_or(
      args.has("from") && !args.has("cursor")
          ? std::max<std::int64_t>(from, static_cast<std::int64_t>(count))
          : static_cast<std::int64_t>(count));
  auto outside = [&](std::string_view name, std::int64_t got) {
    return refuse(
        {fault_code::out_of_range,
         count == 0 ? std::string{"the score has no measures yet"}
                    : fmt::format("`{}` is {}; the score has measures 1 to {}", name, got, count),
         count == 0 ? "call without a range, or wait until the score has music"
                    : fmt::format("give `{}` from 1 to {}", name, count),
         {{"param", name}, {"min", count == 0 ? 0 : 1}, {"max", count}, {"got", got}}});
  };
  if (args.has("from") && (from < 1 || from > static_cast<std::int64_t>(count)))
    return outside("from", from);
  // Asking beyond the end gives what there is only when the range began inside.
  if (args.has("to") && (to < from || to > static_cast<std::int64_t>(count)))
    return outside("to", to);
  excerpt_range out;
  out.parts = std::move(*parts);
  out.first = static_cast<std::size_t>(from - 1);
  out.last = static_cast<std::size_t>(std::max<std::int64_t>(to, from - 1));
  return out;
}

namespace {

/// What a measure says anew at its very beginning: that need not be repeated from before it.
struct said_anew {
  bool keys = false, times = false, clefs = false, transpositions = false, staves = false;
};

said_anew said_at_start(const measure& m) {
  said_anew out;
  for (const auto& item : m.items) {
    const auto* a = std::get_if<attributes>(&item.content);
    if (!a || item.at != measure_position{}) continue;
    out.keys |= !a->keys.empty();
    out.times |= !a->times.empty();
    out.clefs |= !a->clefs.empty();
    out.transpositions |= !a->transpositions.empty();
    out.staves |= a->staves.has_value();
  }
  return out;
}

measure_ptr with_context(const part& p, std::size_t index) {
  const auto& m = *p.measures[index];
  const auto state = state_before(p, index);
  const auto anew = said_at_start(m);
  attributes in_force;
  if (state.staves() > 1 && !anew.staves) in_force.staves = state.staves();
  for (int n = 1; n <= state.staves(); ++n) {
    const auto& staff = state.staff(n);
    // One row for all staves where the first says what every staff says.
    const auto number =
        state.staves() > 1 ? std::optional{static_cast<std::uint8_t>(n)} : std::nullopt;
    if (staff.key && !anew.keys && (n == 1 || staff.key != state.staff(1).key))
      in_force.keys.push_back({n == 1 ? std::nullopt : number, *staff.key, {}});
    if (staff.time && !anew.times && (n == 1 || staff.time != state.staff(1).time))
      in_force.times.push_back({n == 1 ? std::nullopt : number, *staff.time, {}});
    if (staff.transpose && !anew.transpositions &&
        (n == 1 || staff.transpose != state.staff(1).transpose))
      in_force.transpositions.push_back({n == 1 ? std::nullopt : number, *staff.transpose, {}});
    if (staff.clef && !anew.clefs) in_force.clefs.push_back({number, *staff.clef, {}});
  }
  if (in_force == attributes{}) return p.measures[index];
  auto out = m;
  out.items.insert(out.items.begin(), measure_item{{}, std::move(in_force)});
  return std::make_shared<const measure>(std::move(out));
}

}  // namespace

score make_excerpt(const score& s, const excerpt_range& range) {
  score out;
  out.header = s.header;
  for (auto index : range.parts) {
    const auto& whole = *s.parts[index];
    part p = whole;
    p.measures.clear();
    for (auto i = range.first; i < std::min(range.last, whole.measures.size()); ++i)
      p.measures.push_back(i == range.first && i > 0 ? with_context(whole, i) : whole.measures[i]);
    out.part_list.emplace_back(out.parts.size());
    out.parts.push_back(std::make_shared<const part>(std::move(p)));
  }
  return out;
}

}  // namespace fermata::io::protocol
