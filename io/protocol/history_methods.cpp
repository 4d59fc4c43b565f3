// The timeline: what was typed, said and done, in the order in which it was shown.

#include "core/session/commands/measure_history.hpp"
#include "core/session/commands/query.hpp"
#include "core/session/timeline/history.hpp"
#include "core/session/timeline/state.hpp"
#include "io/json/entry_json.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/excerpt.hpp"
#include "io/protocol/method.hpp"
#include "io/protocol/page_cursor.hpp"
#include "io/protocol/time_text.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view entry_kinds[] = {"eval", "command", "ai", "user", "system"};

constexpr std::int64_t default_entries = 50;

constexpr field history_params[] = {
    session_param,
    {.name = "from", .type = json_type::integer, .doc = "first; negative: from the end"},
    {.name = "to", .type = json_type::integer, .doc = "last index, inclusive", .plain = true},
    {.name = "since", .doc = "ISO time, or an age: 10m, 2h, 3d", .max = 40},
    {.name = "until", .doc = "like since, inclusive", .max = 40, .plain = true},
    {.name = "kinds",
     .type = json_type::array,
     .doc = "only these",
     .choices = entry_kinds,
     .max = 5,
     .items = json_type::string,
     .plain = true},
    {.name = "errors_only", .type = json_type::boolean, .doc = "only failures", .plain = true},
    {.name = "words",
     .type = json_type::array,
     .doc = "all must occur",
     .max = 20,
     .items = json_type::string},
    {.name = "part",
     .doc = "only changes to this part: id, name or instrument",
     .max = 200,
     .plain = true},
    {.name = "measures",
     .type = json_type::array,
     .doc = "[first, last] by current position",
     .min = 1,
     .max = 2,
     .items = json_type::integer},
    {.name = "author", .doc = "only by this author", .max = 100, .plain = true},
    {.name = "limit",
     .type = json_type::integer,
     .doc = "last N that match (default 50)",
     .min = 1,
     .max = 10'000},
    cursor_param,
};

constexpr field history_result[] = {
    session_result,
    revision_result,
    {.name = "entries",
     .type = json_type::array,
     .doc = "oldest first",
     .required = true,
     .items = json_type::object},
    {.name = "matching",
     .type = json_type::integer,
     .doc = "number of matches, before `limit`; on later pages, how many are left",
     .required = true},
    {.name = "total",
     .type = json_type::integer,
     .doc = "length of the timeline",
     .required = true},
    next_cursor_result,
};

answer<std::optional<timestamp>> time_param(const arguments& args, std::string_view name,
                                            timestamp now, decltype(&parse_time) read) {
  if (!args.has(name)) return std::nullopt;
  auto t = read(args.text(name), now);
  if (!t)
    return refuse({fault_code::invalid_params,
                   fmt::format("`{}` is not a time", name),
                   "write 2026-03-01T09:30:00Z, or an age such as 10m, 2h, 3d",
                   {{"param", name}, {"expected", "a time or an age"}, {"got", args.text(name)}}});
  return t;
}

answer<history_query> query_of(const arguments& args, const score& present, timestamp now) {
  history_query q;
  q.from = args.integer("from");
  q.to = args.integer("to");
  for (auto [param, index] : {std::pair{"from", q.from}, std::pair{"to", q.to}})
    if (index == 0)
      return refuse({fault_code::out_of_range,
                     fmt::format("`{}` is 0, but entry numbers start at 1", param),
                     "the first entry is 1, the last one -1",
                     {{"param", param}, {"min", 1}, {"got", 0}}});
  if (q.from && q.to && (*q.from < 0) == (*q.to < 0) && *q.from > *q.to)
    return refuse({fault_code::out_of_range,
                   fmt::format("`from` {} comes after `to` {}", *q.from, *q.to),
                   "give the lower index as `from`",
                   {{"param", "from"}, {"max", *q.to}, {"got", *q.from}}});
  auto since = time_param(args, "since", now, parse_time);
  if (!since) return refuse(std::move(since.error()));
  q.since = *since;
  auto until = time_param(args, "until", now, parse_end_time);
  if (!until) return refuse(std::move(until.error()));
  q.until = *until;
  q.kinds = args.texts("kinds");
  q.errors_only = args.flag("errors_only");
  q.words = args.texts("words");
  if (auto part = args.optional_text("part")) q.part = wanted_part::of(*part, present);
  q.author = args.optional_text("author");
  if (const auto* m = args.find("measures")) {
    const auto& pair = m->get_array();
    const auto first = pair.front().to_number<std::int64_t>();
    const auto last = pair.back().to_number<std::int64_t>();
    if (first < 1 || last < first || last > 1'000'000)
      return refuse({fault_code::out_of_range,
                     "`measures` must be [first, last], from 1",
                     "give `measures` as [first, last] with 1 <= first <= last",
                     {{"param", "measures"}, {"min", 1}, {"max", 1'000'000}, {"got", *m}}});
    q.measures = {static_cast<int>(first), static_cast<int>(last)};
  }
  return q;
}

answer<json::object> get_history(const query& q, const arguments& args) {
  const auto& state = *q.session;
  auto wanted = query_of(args, *state.score, q.now);
  if (!wanted) return refuse(std::move(wanted.error()));
  const auto total = static_cast<std::int64_t>(state.history.size());
  // A cursor holds the next index and the last one of the first page's selection: entries that were
  // made meanwhile do not shift the pages.
  std::optional<page_cursor> at;
  if (args.has("cursor")) {
    at = read_cursor(args.text("cursor"));
    if (!at || at->position < 1 || at->position > at->mark ||
        at->mark > static_cast<std::uint64_t>(total))
      return refuse(bad_cursor(args.text("cursor")));
    const auto from = static_cast<std::int64_t>(at->position);
    const auto to = static_cast<std::int64_t>(at->mark);
    // The first page lay between its `from` and `to`. Those that count from the end have moved.
    const auto between = [](std::int64_t first, std::int64_t last) {
      return first < 0 || last < 0 || first <= last;
    };
    if (!between(wanted->from.value_or(from), from) || !between(to, wanted->to.value_or(to)))
      return refuse(bad_cursor(args.text("cursor")));
    wanted->from = from;
    wanted->to = to;
  }
  const auto limit = static_cast<std::size_t>(args.integer("limit").value_or(default_entries));
  // A later page lies in the stretch of the first one, which had no more than that.
  *wanted = with_measures_followed(std::move(*wanted), state);
  auto page = at ? history_page{select(state.history, *wanted), 0}
                 : select_last(state.history, *wanted, limit);
  auto& found = page.entries;
  if (found.empty() && wanted->part && !was_ever_there(state, *wanted->part))
    return no_such_part_fault(
        *state.score, wanted->part->name,
        fmt::format("no part `{}` exists, now or earlier", wanted->part->name));
  const auto matching = at ? found.size() : page.matching;
  json::array rows;
  std::size_t used = 0;
  const history_entry* next = nullptr;
  for (const auto& e : found) {
    auto [row, size] = to_client_json(*e);
    if (rows.size() == limit ||
        (!rows.empty() && used + size > static_cast<std::size_t>(default_text_limit))) {
      next = e.get();
      break;
    }
    used += size;
    rows.push_back(std::move(row));
  }
  json::object out{{"session", state.meta.slug},
                   {"revision", state.revision},
                   {"entries", std::move(rows)},
                   {"matching", matching},
                   {"total", total}};
  if (next)
    out["next_cursor"] = write_cursor(
        {static_cast<std::uint64_t>(next->index), static_cast<std::uint64_t>(found.back()->index)});
  return out;
}

constexpr method history_rows[] = {
    {.name = "get_history",
     .title = "Read the timeline",
     .doc = "Entries of the timeline: inputs with values, commands, messages in both directions, "
            "events. Filters combine.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session,
     .heavy = true,
     .reads_entries = true,
     .params = history_params,
     .result = history_result,
     .handler = query_handler{get_history}},
};

}  // namespace

std::span<const method> history_methods() { return history_rows; }

}  // namespace fermata::io::protocol
