// Resources: what can be read, reading it, and telling when it changed.

#include "io/mcp/json_text.hpp"
#include "io/mcp/prompt_list.hpp"
#include "io/mcp/server.hpp"
#include "io/protocol/page_cursor.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

json::value parsed(const std::string& body) {
  boost::system::error_code ec;
  auto v = json::parse(body, ec);
  return ec ? json::value{} : v;
}

}  // namespace

std::vector<server::session_found> server::sessions_in(const session_lists& all) {
  std::vector<session_found> out;
  for (const auto& list : all)
    for (const auto& v : list.rows) {
      const auto* row = v.if_object();
      if (!row) continue;
      const auto* loaded = row->if_contains("loaded");
      session_found s;
      s.handle = fmt::format("{}/{}", list.of.handle(), text_of(row->if_contains("session")));
      s.name = text_of(row->if_contains("name"));
      s.loaded = loaded && loaded->is_bool() && loaded->get_bool();
      out.push_back(std::move(s));
    }
  return out;
}

// --- reading -------------------------------------------------------------------------------------

void server::list_templates(const request& r) {
  if (refuse_cursor(r)) return;
  std::string rows;
  for (const auto& view : resource_views())
    rows += fmt::format(R"({}{{"uriTemplate":"{}","name":"{}","title":{},"mimeType":"{}"}})",
                        rows.empty() ? "" : ",", uri_template(view), view.name,
                        json_string(view.title), view.mime_type);
  reply_cacheable(r.id, r.era, fmt::format(R"("resourceTemplates":[{}])", rows), 3'600'000,
                  "public");
}

void server::list_resources(const request& r) {
  const auto* given = r.params->if_contains("cursor");
  const auto cursor = std::string{text_of(given)};
  if (given && (!given->is_string() || (!cursor.empty() && !protocol::read_cursor(cursor)))) {
    refuse(r.id, code::invalid_params, "Invalid cursor");
    return;
  }
  if (r.era == era::legacy && initialized_) lists_watched_ = true;
  watch_session_lists();
  auto f = start_call(r);
  list_all_sessions(f, [this, f, cursor](const session_lists& all) {
    if (!land(f)) return;
    const auto missing = who_is_missing(all);
    if (!missing.empty()) log("warning", fmt::format("some sessions are missing ({})", missing));
    if (!all.empty() && std::all_of(all.begin(), all.end(),
                                    [](const auto& list) { return !list.missing.empty(); })) {
      refuse(f->id, code::internal, fmt::format("no running instance responds ({})", missing));
      return;
    }
    const bool several = all.size() > 1;
    auto open = sessions_in(all);
    std::erase_if(open, [](const auto& s) { return !s.loaded; });
    const auto from = protocol::read_cursor(cursor).value_or(protocol::page_cursor{0, open.size()});
    if (from.mark != open.size() || from.position > open.size()) {
      refuse(f->id, code::invalid_params, "Invalid cursor: the list of sessions has changed");
      return;
    }
    constexpr std::size_t sessions_per_page = 100;
    const auto end = std::min(open.size(), from.position + sessions_per_page);
    std::string rows;
    for (auto at = from.position; at < end; ++at) {
      const auto& s = open[at];
      const auto slug = several ? s.handle : s.handle.substr(s.handle.find('/') + 1);
      for (const auto& view : resource_views())
        rows += fmt::format(R"({}{{"uri":{},"name":{},"title":{},"mimeType":"{}"}})",
                            rows.empty() ? "" : ",", json_string(to_text({slug, &view})),
                            json_string(fmt::format("{} {}", s.name, view.name)),
                            json_string(view.title), view.mime_type);
    }
    // Sessions come and go; whoever wants to know at once listens.
    auto members = fmt::format(R"("resources":[{}])", rows);
    if (end < open.size())
      members += fmt::format(R"(,"nextCursor":"{}")", protocol::write_cursor({end, open.size()}));
    reply_cacheable(f->id, f->era, members, 0, "private");
  });
}

void server::read_resource(const request& r) {
  const auto text = std::string{text_of(r.params->if_contains("uri"))};
  const auto uri = parse_uri(text);
  if (!uri) {
    refuse(r.id, code::invalid_params, fmt::format("Unknown resource: {}", text),
           fmt::format(R"({{"uri":{}}})", json_string(text)));
    return;
  }
  auto f = start_call(r);
  const auto view = uri->view;
  auto missing = [this, f, text](std::string_view why, std::string_view error) {
    if (land(f))
      refuse(f->id, code::invalid_params, why,
             fmt::format(R"({{"uri":{},"error":{}}})", json_string(text), json_string(error)));
  };
  locate(f, uri->session, [this, f, text, view, missing](found where) {
    if (!where) {
      missing(where.error().message, where.error().error);
      return;
    }
    std::string params = R"({"session":)";
    append_string(params, where->session);
    params += fmt::format(",{}}}", view->params);
    ask(f, where->instance, view->method, params,
        [this, f, text, view, missing](call_outcome what) {
          if (what.kind == call_outcome::kind_t::refused) {
            const auto why = refusal(what.body);
            missing(why.message, why.error);
            return;
          }
          if (what.kind != call_outcome::kind_t::result) {
            missing("Fermata exited", "session_lost");
            return;
          }
          auto contents = what.body;
          if (!view->member.empty()) {
            const auto body = parsed(what.body);
            const auto* o = body.if_object();
            contents = o ? text_of(o->if_contains(view->member)) : std::string_view{};
            if (o && o->contains("next_cursor") && view->member == "text" && view->tail == "score")
              contents +=
                  fmt::format("\n; measures {} to {} of {}: continue with repl_get_measures\n",
                              json::serialize(o->at("from")), json::serialize(o->at("to")),
                              json::serialize(o->at("measures")));
          }
          if (land(f))
            reply_cacheable(f->id, f->era,
                            fmt::format(R"("contents":[{{"uri":{},"mimeType":"{}","text":{}}}])",
                                        json_string(text), view->mime_type, json_string(contents)),
                            0, "private");
        });
  });
}

// --- completion ----------------------------------------------------------------------------------

void server::complete(const request& r) {
  const auto* ref = r.params->if_contains("ref");
  const auto* argument = r.params->if_contains("argument");
  if (!ref || !ref->is_object() || !argument || !argument->is_object()) {
    refuse(r.id, code::invalid_params, "completion needs ref and argument");
    return;
  }
  const auto type = text_of(ref->get_object().if_contains("type"));
  const auto name = std::string{text_of(argument->get_object().if_contains("name"))};
  const auto begun = std::string{text_of(argument->get_object().if_contains("value"))};
  auto answer = [this](const std::string& id, mcp::era e, std::vector<std::string> values,
                       const std::string& prefix) {
    std::erase_if(values, [&](const auto& v) { return v.substr(0, prefix.size()) != prefix; });
    std::string list;
    for (std::size_t i = 0; i < values.size() && i < 100; ++i)
      list += (i ? "," : "") + json_string(values[i]);
    reply(id, e,
          fmt::format(R"("completion":{{"values":[{}],"total":{},"hasMore":{}}})", list,
                      values.size(), values.size() > 100));
  };
  if (type == "ref/prompt") {
    const auto* row = find_prompt(text_of(ref->get_object().if_contains("name")));
    if (!row) {
      refuse(r.id, code::invalid_params, "Unknown prompt");
      return;
    }
    for (const auto& a : row->arguments)
      if (a.name == name && !a.choices.empty()) {
        answer(r.id, r.era, {a.choices.begin(), a.choices.end()}, begun);
        return;
      }
  } else if (type != "ref/resource") {
    refuse(r.id, code::invalid_params, "ref must be a prompt or a resource");
    return;
  }
  if (name != "session" && name != "part") {
    answer(r.id, r.era, {}, begun);
    return;
  }
  auto f = start_call(r);
  if (name == "part") {
    std::string session;
    if (const auto* context = r.params->if_contains("context"); context && context->is_object())
      if (const auto* given = context->get_object().if_contains("arguments");
          given && given->is_object())
        session = text_of(given->get_object().if_contains("session"));
    locate(f, session, [this, f, begun, answer](found where) {
      if (!where) {
        if (land(f)) answer(f->id, f->era, {}, begun);
        return;
      }
      std::string params = "{}";
      if (!where->session.empty())
        params = fmt::format(R"({{"session":{}}})", json_string(where->session));
      ask(f, where->instance, "get_session", params, [this, f, begun, answer](call_outcome what) {
        std::vector<std::string> names;
        const auto body = parsed(what.body);
        if (what.kind == call_outcome::kind_t::result && body.is_object())
          if (const auto* parts = body.get_object().if_contains("parts");
              parts && parts->is_array())
            for (const auto& p : parts->get_array())
              if (p.is_object()) names.emplace_back(text_of(p.get_object().if_contains("name")));
        if (land(f)) answer(f->id, f->era, std::move(names), begun);
      });
    });
    return;
  }
  list_all_sessions(f, [this, f, begun, answer](const session_lists& all) {
    if (!land(f)) return;
    std::vector<std::string> names;
    for (const auto& s : sessions_in(all))
      names.push_back(all.size() > 1 ? s.handle : s.handle.substr(s.handle.find('/') + 1));
    answer(f->id, f->era, std::move(names), begun);
  });
}

// --- telling what changed ------------------------------------------------------------------------

void server::subscribe(const request& r) {
  const auto text = std::string{text_of(r.params->if_contains("uri"))};
  if (!parse_uri(text)) {
    refuse(r.id, code::invalid_params, fmt::format("Unknown resource: {}", text),
           fmt::format(R"({{"uri":{}}})", json_string(text)));
    return;
  }
  legacy_uris_.insert(text);
  reply(r.id, r.era, {});
  renew_watches();
}

void server::unsubscribe(const request& r) {
  legacy_uris_.erase(std::string{text_of(r.params->if_contains("uri"))});
  reply(r.id, r.era, {});
  renew_watches();
}

void server::listen(const request& r) {
  const auto* wanted = r.params->if_contains("notifications");
  const auto* flags = wanted ? wanted->if_object() : nullptr;
  if (!flags) {
    refuse(r.id, code::invalid_params, "subscriptions/listen needs params.notifications");
    return;
  }
  auto flag = [&](std::string_view name) {
    const auto* v = flags->if_contains(name);
    return v && v->is_bool() && v->get_bool();
  };
  listener l;
  l.id = r.id;
  l.resources_changed = flag("resourcesListChanged");
  // Tools and prompts never change here, so those two are not promised.
  std::string honoured;
  if (l.resources_changed) honoured = R"("resourcesListChanged":true)";
  if (const auto* uris = flags->if_contains("resourceSubscriptions"); uris && uris->is_array()) {
    std::string list;
    for (const auto& v : uris->get_array()) {
      const auto text = text_of(&v);
      if (!parse_uri(text) || !l.uris.emplace(text).second) continue;
      list += (list.empty() ? "" : ",") + json_string(text);
    }
    honoured += fmt::format(R"({}"resourceSubscriptions":[{}])", honoured.empty() ? "" : ",", list);
  }
  notify("notifications/subscriptions/acknowledged",
         fmt::format(R"({{"_meta":{{"{}":{}}},"notifications":{{{}}}}})", meta_subscription, r.id,
                     honoured));
  lists_watched_ |= l.resources_changed;
  listeners_[r.id] = std::move(l);
  renew_watches();
  rescan(now_);
  watch_session_lists();
}

bool server::watches_instances() const {
  return initialized_ || !listeners_.empty() || !watches_.empty();
}

std::set<std::string> server::watched_uris() const {
  auto uris = legacy_uris_;
  for (const auto& [id, l] : listeners_)
    uris.insert(l.uris.begin(), l.uris.end());
  return uris;
}

void server::renew_watches() {
  std::set<std::string, std::less<>> sessions;
  for (const auto& uri : watched_uris())
    sessions.insert(parse_uri(uri)->session);
  for (const auto& s : sessions)
    if (watches_.find(s) == watches_.end()) {
      watches_[s].retry = now_;
      start_watch(s);
    }
  // A stream that nobody needs any more is left to its connection; its events find no listener.
  std::erase_if(watches_, [&](const auto& w) { return sessions.count(w.first) == 0; });
}

void server::start_watch(const std::string& session) {
  auto& w = watches_[session];
  auto failed = [this, session] {
    auto it = watches_.find(session);
    if (it == watches_.end()) return;
    it->second.asking = nullptr;
    it->second.active = false;
    it->second.retry = now_ + it->second.patience;
    it->second.patience = std::min(it->second.patience * 2, std::chrono::milliseconds{2'000});
  };
  auto f = std::make_shared<flight>();
  w.asking = f;
  locate(f, session, [this, f, session, failed](found where) {
    if (!where) {
      failed();
      return;
    }
    std::string params = "{}";
    if (!where->session.empty())
      params = fmt::format(R"({{"session":{}}})", json_string(where->session));
    ask(f, where->instance, "events.subscribe", params,
        [this, session, failed, instance = where->instance](call_outcome what) {
          const auto body = parsed(what.body);
          auto it = watches_.find(session);
          if (what.kind != call_outcome::kind_t::result || !body.is_object() ||
              it == watches_.end()) {
            failed();
            return;
          }
          auto& found_watch = it->second;
          found_watch.asking = nullptr;
          found_watch.active = true;
          found_watch.instance = instance;
          found_watch.slug = text_of(body.get_object().if_contains("session"));
          // After a loss everything may be different.
          const bool again = found_watch.patience > std::chrono::milliseconds{100};
          found_watch.patience = std::chrono::milliseconds{100};
          if (again)
            for (const auto& uri : watched_uris())
              if (parse_uri(uri)->session == session) resource_changed(uri);
        });
  });
}

void server::event_came(const std::string& instance, std::string_view method,
                        std::string_view params) {
  boost::system::error_code ec;
  const auto v = json::parse(params, ec);
  const auto* event = ec ? nullptr : v.if_object();
  if (!event) return;
  const auto slug = text_of(event->if_contains("session"));
  if (method == "events.ended") {
    for (auto& [session, w] : watches_)
      if (w.active && w.instance == instance && w.slug == slug) {
        w.active = false;
        w.patience = std::chrono::milliseconds{200};
        w.retry = now_ + w.patience;
      }
    // The stream that told about sessions ended with its own; another one tells from now on.
    if (auto it = list_watches_.find(instance); it != list_watches_.end() && it->second == slug) {
      list_watches_.erase(it);
      watch_session_lists();
      list_of_resources_changed();
    }
    return;
  }
  bool score = false, timeline = false, sessions = false;
  if (const auto* what = event->if_contains("what"); what && what->is_array())
    for (const auto& word : what->get_array()) {
      score |= text_of(&word) == "score";
      timeline |= text_of(&word) == "entries";
      sessions |= text_of(&word) == "sessions";
    }
  if (sessions) list_of_resources_changed();
  for (const auto& [session, w] : watches_) {
    if (!w.active || w.instance != instance || w.slug != slug) continue;
    for (const auto& uri : watched_uris()) {
      const auto parts = parse_uri(uri);
      if (parts->session == session && (parts->view->of_score ? score : timeline))
        resource_changed(uri);
    }
  }
}

void server::instance_lost(const std::string& instance) {
  for (auto& [session, w] : watches_)
    if (w.active && w.instance == instance) {
      w.active = false;
      w.patience = std::chrono::milliseconds{200};
      w.retry = now_ + std::chrono::milliseconds{100};
    }
  list_watches_.erase(instance);
  log("warning", "an instance exited");
  rescan(now_);
}

void server::resource_changed(const std::string& uri) {
  auto& u = updates_[uri];
  u.due = true;
  // At most four a second for one resource; what falls between is told with the next.
  if (now_ >= u.last_sent + std::chrono::milliseconds{250}) send_updated(uri);
}

void server::send_updated(const std::string& uri) {
  auto& u = updates_[uri];
  u.due = false;
  u.last_sent = now_;
  if (legacy_uris_.count(uri) > 0)
    notify("notifications/resources/updated", fmt::format(R"({{"uri":{}}})", json_string(uri)));
  for (const auto& [id, l] : listeners_)
    if (l.uris.count(uri) > 0)
      notify("notifications/resources/updated",
             fmt::format(R"({{"_meta":{{"{}":{}}},"uri":{}}})", meta_subscription, id,
                         json_string(uri)));
}

void server::rescan(instant now) {
  now_ = now;
  std::vector<std::string> ids;
  for (const auto& i : backend_.instances())
    ids.push_back(i.id);
  std::sort(ids.begin(), ids.end());
  // Whoever begins to listen is told about changes, not about what there is.
  const bool first = !std::exchange(looked_, true);
  if (ids == seen_instances_) return;
  seen_instances_ = std::move(ids);
  if (!first) set_of_instances_changed();
}

void server::watch_session_lists() {
  if (!lists_watched_) return;
  for (const auto& i : backend_.instances()) {
    if (!list_watches_.emplace(i.id, "").second) continue;
    auto f = std::make_shared<flight>();
    ask(f, i.id, "events.subscribe", R"({"kinds":["sessions"]})",
        [this, id = i.id](call_outcome what) {
          const auto body = parsed(what.body);
          if (what.kind == call_outcome::kind_t::result && body.is_object())
            list_watches_[id] = text_of(body.get_object().if_contains("session"));
          else
            list_watches_.erase(id);
        });
  }
}

void server::list_of_resources_changed() {
  if (initialized_) notify("notifications/resources/list_changed", "{}");
  for (const auto& [id, l] : listeners_)
    if (l.resources_changed)
      notify("notifications/resources/list_changed",
             fmt::format(R"({{"_meta":{{"{}":{}}}}})", meta_subscription, id));
}

void server::set_of_instances_changed() {
  list_of_resources_changed();
  std::erase_if(list_watches_, [&](const auto& w) {
    return !std::binary_search(seen_instances_.begin(), seen_instances_.end(), w.first);
  });
  watch_session_lists();
  log("info", fmt::format("{} Fermata running", backend_.instances().size()));
  for (auto& [session, w] : watches_)
    if (!w.active) w.retry = now_;
}

}  // namespace fermata::io::mcp
