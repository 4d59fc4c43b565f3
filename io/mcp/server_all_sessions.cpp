// All sessions of all instances: asked for at once, without waiting for one that does not answer.

#include "io/mcp/json_text.hpp"
#include "io/mcp/server.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

/// Lists on their way, one per instance.
struct server::gathering {
  struct progress {
    bool done = false;
    instant until;  ///< the next page has to be there
    int begun = 0;  ///< a list that changes while it is read is read again from the beginning
    std::set<std::string, std::less<>> slugs;
    std::uint64_t call = 0;
  };

  flight_ptr f;
  session_lists all;
  std::vector<progress> ways;  ///< of each instance
  std::size_t missing = 0;
  std::function<void(session_lists)> then;
};

void server::list_all_sessions(const flight_ptr& f, std::function<void(session_lists)> then) {
  auto g = std::make_shared<gathering>();
  g->f = f;
  g->then = std::move(then);
  for (const auto& i : backend_.instances())
    g->all.push_back({i, {}, {}});
  g->missing = g->all.size();
  g->ways.resize(g->all.size());
  if (g->all.empty()) {
    g->then({});
    return;
  }
  gatherings_.push_back(g);
  for (std::size_t n = 0; n < g->all.size(); ++n)
    ask_page(g, n, {});
}

void server::ask_page(const std::shared_ptr<gathering>& g, std::size_t which,
                      const std::string& cursor) {
  auto& way = g->ways[which];
  const auto& id = g->all[which].of.id;
  if (cursor.empty()) {
    ++way.begun;
    way.slugs.clear();
    g->all[which].rows.clear();
  }
  way.until = now_ + (silent_.contains(id) ? options_.little_patience : options_.patience);
  ask(g->f, id, "list_sessions",
      cursor.empty() ? "{}" : fmt::format(R"({{"cursor":{}}})", json_string(cursor)),
      [this, g, which, first = cursor.empty()](const call_outcome& what) {
        if (!g->ways[which].done) page_came(g, which, first, what);
      });
  way.call = g->f->calls.back();
}

void server::page_came(const std::shared_ptr<gathering>& g, std::size_t which, bool first,
                       const call_outcome& what) {
  constexpr int most_beginnings = 4;
  auto& way = g->ways[which];
  boost::system::error_code ec;
  const auto body = json::parse(what.body, ec);
  const auto* page = ec ? nullptr : body.if_object();
  switch (what.kind) {
    case call_outcome::kind_t::result: break;
    case call_outcome::kind_t::refused:
      // The list has changed between two pages.
      if (!first && way.begun < most_beginnings) return ask_page(g, which, {});
      return list_is_done(g, which,
                          page ? std::string{text_of(member(*page, "message"))}
                               : "it refused the request");
    case call_outcome::kind_t::lost:
    case call_outcome::kind_t::unreachable:
      return list_is_done(g, which, what.body.empty() ? "it exited" : what.body);
  }
  const auto* rows = page ? member(*page, "sessions") : nullptr;
  if (rows && rows->is_array())
    for (const auto& row : rows->get_array())
      if (const auto* o = row.if_object();
          o && way.slugs.emplace(text_of(member(*o, "session"))).second)
        g->all[which].rows.push_back(row);
  const auto next = page ? text_of(member(*page, "next_cursor")) : std::string_view{};
  if (next.empty())
    list_is_done(g, which, {});
  else
    ask_page(g, which, std::string{next});
}

void server::list_is_done(const std::shared_ptr<gathering>& g, std::size_t which,
                          std::string missing) {
  g->ways[which].done = true;
  g->all[which].missing = std::move(missing);
  if (--g->missing > 0) return;
  std::erase(gatherings_, g);
  // Who is gone by now is not missed.
  const auto& there = backend_.instances();
  std::erase_if(g->all, [&](const auto& list) {
    return !list.missing.empty() && std::none_of(there.begin(), there.end(),
                                                 [&](const auto& i) { return i.id == list.of.id; });
  });
  g->then(std::move(g->all));
}

void server::give_up_the_silent() {
  const auto now = now_;
  std::erase_if(gatherings_, [](const auto& g) { return g->f->ended; });
  const auto all = gatherings_;
  for (const auto& g : all)
    for (std::size_t n = 0; n < g->ways.size(); ++n) {
      auto& way = g->ways[n];
      if (way.done || way.until > now) continue;
      backend_.forget(way.call);
      wait_for_sign_of(g->all[n].of.id);
      list_is_done(g, n, "it does not respond");
    }
}

/// When the next one has not answered in time.
std::optional<server::instant> server::next_silence() const {
  std::optional<instant> first;
  for (const auto& g : gatherings_)
    for (const auto& way : g->ways)
      if (!g->f->ended && !way.done && (!first || way.until < *first)) first = way.until;
  return first;
}

/// Until it answers this, it is not waited for as long as others.
void server::wait_for_sign_of(const std::string& instance) {
  if (silent_.contains(instance)) return;
  silent_[instance] =
      backend_.call(instance, "system.ping", "{}",
                    [this, instance](const call_outcome&) { silent_.erase(instance); });
}

std::string server::who_is_missing(const session_lists& all) {
  std::string words;
  for (const auto& list : all)
    if (!list.missing.empty())
      words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", list.of.handle(), list.missing);
  return words;
}

}  // namespace fermata::io::mcp
