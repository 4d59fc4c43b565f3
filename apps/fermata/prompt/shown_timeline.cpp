#include "apps/fermata/prompt/shown_timeline.hpp"

#include "core/session/commands/entry_listing.hpp"
#include "io/terminal/entry_view.hpp"
#include "io/terminal/listing_view.hpp"

#include <algorithm>
#include <utility>

namespace fermata::app {

/// Rows of what others entered: enough to recognize it.
constexpr std::size_t echoed_rows = 8;

/// Everything that is in the history and was not shown, up to this index.
void shown_timeline::add_until(std::string& text, const session_state& s, std::int64_t last) {
  auto l = screen_.look();
  l.echo_input = true;
  l.input_rows = echoed_rows;
  for (; shown_ < last; ++shown_)
    if (auto e = s.history.at(shown_ + 1)) text += screen_.limited(entry_view(*e, l), e->index);
  stands(s);
}

void shown_timeline::stands(const session_state& s) {
  on_screen_ = s.history;
  if (auto e = s.history.at(shown_)) last_shown_.insert_or_assign(s.meta.slug, std::move(e));
}

/// Another session may have got the slug of one that was deleted: its entries are of other times.
bool shown_timeline::stood(const session_state& s, const history_entry& e) const {
  auto last = last_shown_.find(s.meta.slug);
  if (last == last_shown_.end() || e.index > last->second->index) return false;
  auto there = s.history.at(last->second->index);
  return there && there->time == last->second->time;
}

std::string shown_timeline::rest_of(const session_state& s) {
  std::string text;
  add_until(text, s, s.history.size());
  return text;
}

std::string shown_timeline::opened(const turn& t, bool again, timestamp started) {
  auto& s = *t.after;
  if (!again) {
    shown_ = s.history.size() - numbered_entries(t);
    auto is_new = [&](const history_entry& e) {
      return !stood(s, e) && is_new_entry(e, started, on_screen_);
    };
    while (shown_ > 0 && is_new(*s.history.at(shown_)))
      --shown_;
  }
  auto text = rest_of(s);
  // What no timeline has: that another process writes to the session.
  for (auto& e : t.entries)
    if (e->index == 0) text += entry_view(*e, screen_.look());
  return text;
}

void shown_timeline::show(const turn& t) {
  std::string text;
  auto page = [&] {
    if (!text.empty()) screen_.page(std::exchange(text, {}));
  };
  for (auto& e : t.entries) {
    // The answer that was found in a journal is shown when that is read.
    if (e->index > 0 && e->index <= shown_) continue;
    // What others did meanwhile is shown, however long: only the answer itself goes to a pager.
    std::string earlier;
    add_until(earlier, *t.after, e->index - 1);
    if (!earlier.empty()) {
      page();
      screen_.print(earlier);
    }
    auto l = screen_.look();
    l.input_rows = echoed_rows;
    l.echo_input = e->source.channel != "terminal" || (e->index > 0 && e->index != typed_index_);
    shown_ = std::max(shown_, e->index);
    if (t.listing && t.listing->size() > 0 && shows_listing(*e)) {
      text += io::listing_head(*e, l);
      screen_.page(std::exchange(text, {}), *e, *t.listing);
      continue;
    }
    text += entry_view(*e, l);
  }
  stands(*t.after);
  page();
}

}  // namespace fermata::app
