#include "core/lang/evaluation/history.hpp"

#include "core/lang/syntax/reader.hpp"

namespace fermata {

value without_spans(const value& v) {
  // Data in the history was read from text, so its nesting is bounded by the reader.
  auto list = v.as_list();
  if (list == nullptr) return v;
  std::vector<value> items;
  items.reserve(list->items.size());
  for (auto& item : list->items)
    items.push_back(without_spans(item));
  return value::list(std::move(items), list->bracketed);
}

namespace {

constexpr std::int64_t longest_range = 10'000;

result<value> entry(const history_reference& ref, std::int64_t index,
                    const evaluation_request& request) {
  // One that is counted back is named as it was written when there is nothing so far back.
  auto shown = index < 1 && ref.first < 0 ? ref.first : index;
  auto name = std::string{ref.output ? "$Out[" : "$In["} +
              (ref.session.empty() ? "" : ref.session + ":") + std::to_string(shown) + "]";
  auto found = request.history ? request.history(ref.session, index) : std::nullopt;
  if (auto v = !found ? std::nullopt : ref.output ? found->output : found->input)
    return ref.output ? *v : without_spans(*v);
  // One that is there may be no expression: a command, words.
  auto here = ref.session.empty();
  if (found || (here && index >= 1 && index < request.next_index))
    return fail({errc::no_such_entry,
                 "entry " + name + (ref.output ? " has no value" : " is not an expression"),
                 std::nullopt,
                 !ref.output ? "`:history` shows which entries are expressions"
                 : here      ? "`%` is the last value; `:history` shows which entries have one"
                             : "`:history` shows which entries have one"});
  return fail({errc::no_such_entry, "no such entry: " + name, std::nullopt,
               here && request.next_index > 1
                   ? "this session has entries 1 to " + std::to_string(request.next_index - 1)
                   : "`:history` shows the entries"});
}

}  // namespace

result<value> resolve_history(std::string_view token, const evaluation_request& request) {
  auto ref = parse_history_reference(token);
  if (!ref) return fail({errc::invalid_token, std::string{token} + " is not a history reference"});
  if (token == "%") {
    for (auto i = request.next_index - 1; i >= 1; --i)
      if (auto found = request.history ? request.history({}, i) : std::nullopt;
          found && found->output)
        return *found->output;
    return fail({errc::no_such_entry, "there is no previous result for %"});
  }
  // Counting back is from here; in another session it is from that session's end, which its own
  // lookup knows.
  auto absolute = [&](std::int64_t i) {
    return i < 0 && ref->session.empty() ? request.next_index + i : i;
  };
  auto first = absolute(ref->first);
  if (!ref->last) return entry(*ref, first, request);
  auto last = absolute(*ref->last);
  if (last < first || last - first >= longest_range)
    return fail({errc::out_of_range, "the range " + std::string{token} + " is empty or too long",
                 std::nullopt, "write the lower number first"});
  std::vector<value> items;
  for (auto i = first; i <= last; ++i) {
    auto v = entry(*ref, i, request);
    if (!v) return v;
    items.push_back(std::move(*v));
  }
  return value::list(std::move(items));
}

}  // namespace fermata
