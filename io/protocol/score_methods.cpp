// Reading the score: whole, in pages, or some measures of some parts.

#include "core/score/model/measure_names.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/excerpt.hpp"
#include "io/protocol/method.hpp"
#include "io/protocol/page_cursor.hpp"
#include "io/protocol/score_text.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view formats[] = {"fermata", "musicxml", "summary"};

constexpr field part_param{.name = "part",
                           .doc = "id, name, instrument or number from 1; default: all",
                           .max = 200,
                           .plain = true};
constexpr field from_param{.name = "from",
                           .type = json_type::integer,
                           .doc = "position of the first measure, from 1",
                           .min = 1,
                           .plain = true};
constexpr field to_param{.name = "to",
                         .type = json_type::integer,
                         .doc = "position of the last measure, inclusive",
                         .min = 1,
                         .plain = true};
constexpr field limit_param{.name = "limit",
                            .type = json_type::integer,
                            .doc = "most characters of text (default 16000)",
                            .min = 500,
                            .max = max_text_limit,
                            .plain = true};

constexpr field score_params[] = {
    session_param, {.name = "format", .doc = "default: fermata", .choices = formats, .plain = true},
    part_param,    from_param,
    to_param,      limit_param,
    cursor_param,
};

constexpr field over_limit_result{.name = "over_limit",
                                  .type = json_type::boolean,
                                  .doc = "true: longer than `limit`, because a single measure is"};

constexpr field part_rows[] = {
    {.name = "id", .doc = "id of the part", .required = true},
    {.name = "name", .doc = "its name", .required = true},
    {.name = "measures", .type = json_type::integer, .doc = "how many it has", .required = true},
};

constexpr field parts_result{.name = "parts",
                             .type = json_type::array,
                             .doc = "every part of the score",
                             .required = true,
                             .items = json_type::object,
                             .members = part_rows};

constexpr field score_result[] = {
    session_result,
    revision_result,
    {.name = "format", .doc = "of `text`", .required = true},
    {.name = "text", .doc = "the music", .required = true},
    {.name = "from",
     .type = json_type::integer,
     .doc = "position of the first measure in `text`",
     .required = true},
    {.name = "to",
     .type = json_type::integer,
     .doc = "position of the last measure in `text`",
     .required = true},
    {.name = "measures",
     .type = json_type::integer,
     .doc = "measures of the score",
     .required = true},
    parts_result,
    over_limit_result,
    next_cursor_result,
};

json::array parts_json(const score& s) {
  json::array out;
  for (const auto& p : s.parts)
    out.push_back(json::object{{"id", p->id}, {"name", p->name}, {"measures", p->measures.size()}});
  return out;
}

/// Where a page of measures begins: from the cursor when there is one. A cursor belongs to one
/// revision; pages of two different scores do not fit together.
answer<excerpt_range> page_start(const session_state& state, const arguments& args) {
  auto range = excerpt_of(*state.score, args);
  if (!range || !args.has("cursor")) return range;
  auto at = read_cursor(args.text("cursor"));
  if (!at || at->position < range->first || at->position >= range->last)
    return refuse(bad_cursor(args.text("cursor")));
  if (at->mark != state.revision)
    return refuse({fault_code::conflict,
                   fmt::format("the score changed since the previous page: revision {} became {}",
                               at->mark, state.revision),
                   "start again without `cursor`",
                   {{"revision", state.revision}}});
  range->first = static_cast<std::size_t>(at->position);
  return range;
}

/// A part that is shorter than others ends where it ends: as MusicXML, which knows no part without
/// measures, an empty one would stand behind it.
answer<excerpt_range> where_there_is_music(const score& s, excerpt_range range,
                                           const arguments& args) {
  std::size_t end = 0;
  for (auto index : range.parts)
    end = std::max(end, s.parts[index]->measures.size());
  if (range.first > 0 && range.first >= end)
    return refuse(
        {fault_code::out_of_range,
         fmt::format("measure {} was requested; part {} has {}", range.first + 1, args.text("part"),
                     end == 0   ? "no measures"
                     : end == 1 ? "measure 1 alone"
                                : fmt::format("measures 1 to {}", end)),
         "leave out `part`, or ask for measures that it has; see `parts`",
         {{"param", "from"}, {"min", end == 0 ? 0 : 1}, {"max", end}, {"got", range.first + 1}}});
  range.last = std::min(range.last, std::max(end, range.first));
  return range;
}

answer<json::object> get_score(const query& q, const arguments& args) {
  const auto& state = *q.session;
  const auto& s = *state.score;
  auto range = page_start(state, args);
  if (range) range = where_there_is_music(s, *range, args);
  if (!range) return refuse(std::move(range.error()));
  const auto format = args.has("format") ? args.text("format") : formats[0];
  json::object out{{"session", state.meta.slug}, {"revision", state.revision}, {"format", format}};
  const auto whole = range->last;
  if (format == "summary") {
    out["text"] = summary(make_excerpt(s, *range));
  } else {
    const auto limit = static_cast<std::size_t>(args.integer("limit").value_or(default_text_limit));
    auto page = remembered_page(
        state.score, *range, format == "musicxml" ? score_format::musicxml : score_format::fermata,
        limit);
    if (!page) return refuse(std::move(page.error()));
    if (page->text.size() > limit) out["over_limit"] = true;
    out["text"] = page->text;
    range->last = page->last;
  }
  out["from"] = range->first + (range->last > range->first ? 1 : 0);
  out["to"] = range->last;
  out["measures"] = measure_count(s);
  out["parts"] = parts_json(s);
  if (range->last < whole) out["next_cursor"] = write_cursor({range->last, state.revision});
  return out;
}

constexpr field measures_params[] = {
    session_param,
    {.name = "from",
     .type = json_type::integer,
     .doc = "position of the first measure, from 1",
     .required = true,
     .min = 1,
     .plain = true},
    {.name = "to",
     .type = json_type::integer,
     .doc = "position of the last measure, inclusive; default: from",
     .min = 1,
     .plain = true},
    part_param,
    limit_param,
    cursor_param,
};

constexpr field measure_rows[] = {
    {.name = "part", .doc = "id of the part", .required = true},
    {.name = "measure",
     .type = json_type::integer,
     .doc = "its position, from 1",
     .required = true},
    {.name = "number", .doc = "its number, as printed", .required = true},
    {.name = "text", .doc = "the measure in Fermata", .required = true},
};

constexpr field measures_result[] = {
    session_result,
    revision_result,
    {.name = "measures",
     .type = json_type::array,
     .doc = "by measure, then by part",
     .required = true,
     .items = json_type::object,
     .members = measure_rows},
    {.name = "total", .type = json_type::integer, .doc = "measures of the score", .required = true},
    over_limit_result,
    next_cursor_result,
};

answer<json::object> get_measures(const query& q, const arguments& args) {
  const auto& state = *q.session;
  const auto& s = *state.score;
  auto single = args.all();
  if (!args.has("to")) single["to"] = args.integer("from").value_or(1);
  auto range = page_start(state, arguments{single});
  if (!range) return refuse(std::move(range.error()));
  const auto limit = static_cast<std::size_t>(args.integer("limit").value_or(default_text_limit));
  json::array rows;
  std::size_t used = 0;
  auto at = range->first;
  for (; at < range->last; ++at) {
    std::vector<json::object> same;
    std::size_t size = 0;
    for (auto index : range->parts) {
      const auto& p = *s.parts[index];
      if (at >= p.measures.size()) continue;
      auto text = measure_text(s, index, at);
      if (!text) return refuse(std::move(text.error()));
      size += text->size() + 40;
      json::object row{
          {"part", p.id}, {"measure", at + 1}, {"number", printed_number(p, at)}, {"text", *text}};
      same.push_back(std::move(row));
    }
    if (used + size > limit && at > range->first) break;
    if (size > static_cast<std::size_t>(max_text_limit))
      return refuse({fault_code::out_of_range,
                     fmt::format("measure {} alone is too long", at + 1),
                     "ask for one part with `part`",
                     {{"max", max_text_limit}, {"got", size}}});
    used += size;
    for (auto& row : same)
      rows.push_back(std::move(row));
  }
  json::object out{{"session", state.meta.slug},
                   {"revision", state.revision},
                   {"measures", std::move(rows)},
                   {"total", measure_count(s)}};
  if (used > limit) out["over_limit"] = true;
  if (at < range->last) out["next_cursor"] = write_cursor({at, state.revision});
  return out;
}

constexpr method score_rows[] = {
    {.name = "get_score",
     .title = "Read the score",
     .doc = "The score as Fermata text, MusicXML or a summary, whole or some measures of a part.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session,
     .heavy = true,
     .params = score_params,
     .result = score_result,
     .handler = query_handler{get_score}},
    {.name = "get_measures",
     .title = "Read measures",
     .doc = "Individual measures, as Fermata text per part.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session,
     .heavy = true,
     .params = measures_params,
     .result = measures_result,
     .handler = query_handler{get_measures}},
};

}  // namespace

std::span<const method> score_methods() { return score_rows; }

}  // namespace fermata::io::protocol
