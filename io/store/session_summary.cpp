#include "io/store/session_summary.hpp"

#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/json/time_json.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/text_file.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view meta_format = "fermata-session";
constexpr int meta_version = 1;

result<json::object> read_meta_object(const std::filesystem::path& path) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  json::error_code failed;
  auto v = json::parse({text->data(), text->size()}, failed);
  if (failed || !v.is_object())
    return fail({errc::wrong_type, path.string() + " is not a JSON object"});
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
  s.entries = s.score_entries = r.or_else<std::int64_t>("entries");
  if (!r.good()) return fail(r.fault());
  return s;
}

}  // namespace

result<stored_summary> read_meta_json(const std::filesystem::path& folder) {
  auto o = read_meta_object(folder / "meta.json");
  return o ? summary_of(*o) : fail(o.error());
}

result<void> write_meta_file(const std::filesystem::path& folder, const session_meta& meta,
                             std::string_view score, std::int64_t entries) {
  auto path = folder / "meta.json";
  // What others, or a newer version, have written there stays.
  auto before = read_meta_object(path);
  auto o = before.value_or(json::object{});
  o["format"] = meta_format;
  o["version"] = meta_version;
  o["slug"] = meta.slug;
  o["name"] = meta.name;
  o["created"] = time_text(meta.created);
  o["modified"] = time_text(meta.modified);
  o["tags"] = write_json(meta.tags);
  o["score"] = score;
  o["entries"] = entries;
  // It is written at every start; the disk is waited for only when there is something new.
  if (before && *before == o) return {};
  return replace_text(path, json::serialize(o) + '\n');
}

void take_names_from_journal(const std::filesystem::path& journal, session_meta& meta,
                             std::uint64_t end) {
  std::ifstream in{journal, std::ios::binary};
  std::string line;
  std::uint64_t at = 0;
  // A line without its newline does not count.
  while (at < end && std::getline(in, line) && !in.eof()) {
    at += line.size() + 1;
    auto names = names_in(line);
    if (names.name) meta.name = std::move(*names.name);
    if (names.tags) meta.tags = std::move(*names.tags);
  }
}

bool is_session(const std::filesystem::path& folder) {
  // A folder without rights may hold one: it is not passed over, and its name is not given away.
  for (auto name : {"history.jsonl", "checkpoint.json", "meta.json", "score.ferm"})
    if (!is_missing(folder / name)) return true;
  return false;
}

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code failed;
  for (auto& item : std::filesystem::directory_iterator{folder, failed})
    if (auto state = look_at_file(item.path())) bytes += state->size;
  return bytes;
}

namespace {

/// What the journal says of itself, where meta.json cannot be had.
result<stored_summary> read_head(const std::filesystem::path& folder) {
  auto path = folder / "history.jsonl";
  file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(read_error("cannot open", path, errno));
  auto head = read_journal_header(file.get(), path);
  if (!head) return fail(head.error());
  if (head->size == 0 || !head->damage.empty())
    return fail({errc::wrong_type, path.string() + " has no type"});
  stored_summary s;
  s.meta = std::move(head->meta);
  take_names_from_journal(path, s.meta);
  return s;
}

/// What meta.json says, and when something happened last.
result<stored_summary> read_meta_file(const std::filesystem::path& folder) {
  auto s = read_meta_json(folder);
  if (!s)
    if (auto head = read_head(folder)) s = std::move(*head);
  if (!s) return s;
  // meta.json is as old as the last checkpoint; the journal knows when something happened last.
  std::error_code failed;
  auto written = std::filesystem::last_write_time(folder / "history.jsonl", failed);
  if (!failed) {
    auto t = std::chrono::file_clock::to_sys(written);
    s->meta.modified = std::max(s->meta.modified, std::chrono::floor<std::chrono::milliseconds>(t));
  }
  s->meta.slug = folder.filename().string();
  return s;
}

}  // namespace

result<session_meta> read_meta(const std::filesystem::path& folder) {
  auto s = read_meta_file(folder);
  if (!s) return fail(s.error());
  return std::move(s->meta);
}

result<stored_summary> read_summary(const std::filesystem::path& folder) {
  auto s = read_meta_file(folder);
  // The number in meta.json is as old as the last checkpoint, too.
  if (s)
    if (auto last = last_index_in(folder / "history.jsonl")) s->entries = *last;
  return s;
}

}  // namespace fermata::io
