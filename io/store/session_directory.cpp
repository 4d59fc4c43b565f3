#include "io/store/session_directory.hpp"

#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/checkpoint.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view meta_format = "fermata-session";

result<json::object> read_meta_object(const std::filesystem::path& path) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  json::error_code failed;
  auto v = json::parse({text->data(), text->size()}, failed);
  if (failed || !v.is_object())
    return fail({errc::wrong_type, path.string() + " is no JSON object"});
  return std::move(v.get_object());
}

result<stored_summary> summary_of(const json::object& o) {
  object_reader r{o};
  stored_summary s;
  s.meta.slug = r.need<std::string>("slug");
  s.meta.name = r.need<std::string>("name");
  s.meta.created = r.time("created");
  s.meta.modified = r.time("modified");
  s.meta.tags = r.or_else<std::vector<std::string>>("tags");
  s.score = r.or_else<std::string>("score");
  s.entries = r.or_else<std::int64_t>("entries");
  if (!r.good()) return fail(r.fault());
  return s;
}

result<void> write_meta(const std::filesystem::path& folder, const session_state& s) {
  auto path = folder / "meta.json";
  // What others, or a newer version, have written there stays.
  auto o = read_meta_object(path).value_or(json::object{});
  o["format"] = meta_format;
  o["version"] = session_directory::version;
  o["slug"] = s.meta.slug;
  o["name"] = s.meta.name;
  o["created"] = time_text(s.meta.created);
  o["modified"] = time_text(s.meta.modified);
  o["tags"] = write_json(s.meta.tags);
  o["score"] = summary(*s.score);
  o["entries"] = s.history.size();
  return replace_file(path, json::serialize(o) + '\n');
}

/// Moves a damaged file aside, with the reason in a file of its own. Answers what was done.
std::string kept_beside(const std::filesystem::path& path, std::string_view reason) {
  std::error_code failed;
  std::filesystem::path copy;
  for (int n = 1;; ++n) {
    copy = path;
    copy += ".damaged-" + std::to_string(n);
    if (!std::filesystem::exists(copy, failed)) break;
  }
  std::filesystem::copy_file(path, copy, failed);
  auto what = path.filename().string() + " could not be used (" + std::string{reason} + ')';
  if (failed) return what;
  auto note = copy;
  note += ".reason";
  if (auto done = replace_file(note, std::string{reason} + '\n'); !done)
    return what + "; a copy is " + copy.filename().string();
  return what + "; a copy and the reason are in " + copy.filename().string();
}

}  // namespace

session_directory::session_directory(std::filesystem::path folder, folder_lock lock,
                                     journal_file journal)
  : folder_(std::move(folder)), lock_(std::move(lock)), journal_(std::move(journal)) {}

result<session_directory> session_directory::open(const std::filesystem::path& folder,
                                                  const session_meta& meta) {
  if (auto made = make_private_folder(folder); !made) return fail(made.error());
  auto lock = folder_lock::take(folder);
  if (!lock) return fail(lock.error());
  auto journal = journal_file::open(folder / "history.jsonl", meta);
  if (!journal) return fail(journal.error());
  return session_directory{folder, std::move(*lock), std::move(*journal)};
}

result<stored_session> session_directory::load() {
  stored_session loaded;
  loaded.fresh = journal_.is_fresh();
  if (journal_.cut_off() > 0)
    loaded.remarks.push_back("The last line of history.jsonl was torn (" +
                             std::to_string(journal_.cut_off()) +
                             " bytes) and was cut off; it had never been shown.");

  auto state = empty_session(journal_.meta());
  std::size_t next = 0;  // line to be replayed
  std::int64_t entries_before = 0;
  auto saved = read_checkpoint(folder_);
  auto& lines = journal_.lines();
  if (!saved) {
    loaded.remarks.push_back(
        kept_beside(folder_ / "checkpoint.json", saved.error().first().message) +
        ". Everything was replayed from the journal.");
  } else if (auto& c = *saved) {
    auto end = c->place.lines < lines.size() ? lines[c->place.lines].offset : journal_.size();
    if (c->place.lines <= lines.size() && end == c->place.offset) {
      auto meta = std::move(state.meta);
      state = std::move(c->state);
      state.meta = std::move(meta);
      next = c->place.lines;
      entries_before = c->entries;
    } else {
      loaded.remarks.push_back(
          kept_beside(folder_ / "checkpoint.json", "it does not fit the journal") +
          ". Everything was replayed from the journal.");
    }
  }
  // Names and tags as of the last checkpoint; later changes are in the journal.
  std::error_code failed;
  if (std::filesystem::exists(folder_ / "meta.json", failed)) {
    auto o = read_meta_object(folder_ / "meta.json");
    auto meta = o ? summary_of(*o) : fail(o.error());
    if (meta)
      state.meta = std::move(meta->meta);
    else
      loaded.remarks.push_back(kept_beside(folder_ / "meta.json", meta.error().first().message) +
                               ". Name and dates come from the journal.");
  }

  auto opened = entries_on_disk::open(journal_.path());
  if (!opened) return fail(opened.error());
  entries_ = std::move(*opened);
  for (std::size_t i = 0; i < next; ++i)
    if (lines[i].index > 0) entries_->add(lines[i]);
  state.history = history::on_disk(entries_before, entries_);

  for (; next < lines.size(); ++next) {
    auto text = journal_.read(lines[next]);
    auto t = text ? read_transition(*text, state) : fail(text.error());
    auto after = t ? apply(state, *t) : fail(t.error());
    if (!after) {
      auto reason = "line " + std::to_string(next + 2) +
                    " of history.jsonl: " + after.error().first().message;
      auto copy = journal_.cut_after(next, reason);
      if (!copy) return fail(copy.error());
      loaded.remarks.push_back("The journal is sound up to entry " +
                               std::to_string(state.history.size()) + " (" + reason +
                               "). The rest is kept in " + *copy + '.');
      break;
    }
    state = std::move(*after);
    if (lines[next].index > 0) entries_->add(lines[next]);
  }
  loaded.state = std::make_shared<const session_state>(std::move(state));
  loaded.loader = entries_;
  if (loaded.fresh)
    if (auto done = write_meta(folder_, *loaded.state); !done) return fail(done.error());
  return loaded;
}

result<void> session_directory::append(const std::vector<transition>& transitions) {
  std::vector<std::string> lines;
  std::vector<std::int64_t> indices;
  for (auto& t : transitions) {
    lines.push_back(transition_line(t));
    auto entry = entry_of(t);
    indices.push_back(entry ? entry->index : 0);
  }
  auto first = journal_.lines().size();
  if (auto done = journal_.append(lines, indices); !done) return done;
  if (entries_)
    for (auto i = first; i < journal_.lines().size(); ++i)
      if (auto& line = journal_.lines()[i]; line.index > 0) entries_->add(line);
  return {};
}

result<void> session_directory::sync() { return journal_.sync(); }

result<void> session_directory::checkpoint(const session_state& s) {
  // The journal first: a checkpoint never knows more than it.
  if (auto done = journal_.sync(); !done) return done;
  if (auto done = write_meta(folder_, s); !done) return done;
  return write_checkpoint(folder_, s, {journal_.lines().size(), journal_.size()});
}

result<stored_summary> read_summary(const std::filesystem::path& folder) {
  auto o = read_meta_object(folder / "meta.json");
  if (!o) return fail(o.error());
  auto s = summary_of(*o);
  if (!s) return s;
  // meta.json is as old as the last checkpoint; the journal knows when something happened last.
  std::error_code failed;
  auto written = std::filesystem::last_write_time(folder / "history.jsonl", failed);
  if (!failed) {
    auto t = std::chrono::file_clock::to_sys(written);
    s->meta.modified = std::max(s->meta.modified, std::chrono::floor<std::chrono::milliseconds>(t));
  }
  return s;
}

}  // namespace fermata::io
