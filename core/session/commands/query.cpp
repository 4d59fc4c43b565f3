#include "core/session/commands/query.hpp"

#include "core/score/model/part_names.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/timeline/affected_ranges.hpp"
#include "core/session/timeline/author.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/history.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/state.hpp"
#include "core/session/timeline/step_report.hpp"
#include "core/session/timeline/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Negative indices count back from the end: -1 is the last entry.
std::int64_t resolved(std::int64_t index, std::int64_t size) {
  return index < 0 ? size + 1 + index : index;
}

/// A list of entries is no place where words are found: they are in what it lists.
std::vector<std::string_view> searched_texts(const history_entry& e) {
  if (is_listing(e)) return {std::get<command_entry>(e.kind).text};
  return texts_of(e);
}

bool has_all_words(const history_entry& e, const std::vector<std::string>& words) {
  if (words.empty()) return true;
  auto texts = searched_texts(e);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](std::string_view text) { return contains_word(text, word); });
  });
}

bool is_of_kind(const history_entry& e, const std::vector<std::string>& kinds) {
  return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind_name(e.kind)) != kinds.end();
}

bool touches_what_is_asked(const history_entry& e, const history_query& q) {
  if (q.among) return std::binary_search(q.among->begin(), q.among->end(), e.index);
  if (!q.part && !q.measures) return true;
  auto delta = delta_of(e);
  return delta && touches(*delta, q.part, q.measures);
}

bool is_change(const history_entry& e) {
  auto delta = delta_of(e);
  if (delta && !delta->empty()) return true;
  auto command = std::get_if<command_entry>(&e.kind);
  return command && read_moved_steps(command->output);
}

bool matches(const history_entry& e, const history_query& q) {
  return (!q.since || e.time >= *q.since) && (!q.until || e.time <= *q.until) &&
         is_of_kind(e, q.kinds) && (!q.changes_only || is_change(e)) &&
         (!q.errors_only || is_failure(e)) && (!q.author || is_by(e.source, *q.author)) &&
         has_all_words(e, q.words) && touches_what_is_asked(e, q);
}

}  // namespace

bool has_conditions(const history_query& q) {
  return q.since || q.until || !q.kinds.empty() || q.errors_only || !q.words.empty() || q.part ||
         q.measures || q.author || q.changes_only;
}

namespace {

struct index_stretch {
  std::int64_t from = 1, to = 0;
};
index_stretch stretch_of(const history& h, const history_query& q) {
  return {std::max<std::int64_t>(q.from ? resolved(*q.from, h.size()) : 1, 1),
          std::min(q.to ? resolved(*q.to, h.size()) : h.size(), h.size())};
}

}  // namespace

bool was_ever_there(const session_state& s, const wanted_part& part) {
  if (!parts_called(*s.score, part.name).empty()) return true;
  history_query q;
  q.part = part;
  q.limit = 1;
  return !select_indices(s.history, q).empty();
}

error unknown_part_error(const session_state& s, const std::string& part) {
  auto e = no_such_part(*s.score, part);
  e.diagnostics.front().message = "no part `" + part + "` exists, now or earlier";
  return e;
}

history_page select_last(const history& h, history_query q, std::size_t most) {
  most = std::min(most, q.limit.value_or(most));
  auto [from, to] = stretch_of(h, q);
  history_page page;
  for (auto i = to; i >= from; --i) {
    if (!has_conditions(q) && page.entries.size() == most) {
      page.matching += static_cast<std::size_t>(i - from + 1);
      break;
    }
    auto entry = h.at_if(i, q);
    if (!entry || !matches(*entry, q)) continue;
    ++page.matching;
    if (page.entries.size() < most) page.entries.push_back(std::move(entry));
  }
  std::reverse(page.entries.begin(), page.entries.end());
  return page;
}

std::vector<std::int64_t> select_indices(const history& h, const history_query& q) {
  auto [from, to] = stretch_of(h, q);
  std::vector<std::int64_t> found;
  // Backwards, so that a limit reads no more from disk than it must.
  for (auto i = to; i >= from && (!q.limit || found.size() < *q.limit); --i) {
    if (has_conditions(q)) {
      auto entry = h.at_if(i, q);
      if (!entry || !matches(*entry, q)) continue;
    }
    found.push_back(i);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<entry_ptr> select(const history& h, const history_query& q) {
  auto [from, to] = stretch_of(h, q);
  std::vector<entry_ptr> found;
  // Backwards, so that a limit reads no more from disk than it must.
  for (auto i = to; i >= from && (!q.limit || found.size() < *q.limit); --i)
    if (auto entry = h.at_if(i, q); entry && matches(*entry, q)) found.push_back(std::move(entry));
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace fermata
