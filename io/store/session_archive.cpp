#include "io/store/session_archive.hpp"

#include "core/session/decide.hpp"
#include "core/session/slug.hpp"
#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/drafts.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/session_directory.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <cerrno>
#include <memory>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view archive_format = "fermata-archive";
constexpr int archive_version = 1;
constexpr auto manifest_name = "fermata-archive.json";
constexpr auto journal_name = "history.jsonl";
constexpr auto score_file_name = "score.ferm";
constexpr std::uint64_t largest_manifest = 1 << 20;
/// A journal larger than this was not written by hand.
constexpr std::uint64_t largest_journal = std::uint64_t{16} << 30;
/// Nor does one become so small when it is packed: each line has an index, a time and a checksum of
/// its own. What is short may.
constexpr std::uint64_t greatest_ratio = 100;
constexpr std::uint64_t short_journal = std::uint64_t{4} << 20;

/// Removes a folder that was begun, unless it became a session.
class unfinished_folder {
public:
  explicit unfinished_folder(std::filesystem::path path) : path_(std::move(path)) {}
  ~unfinished_folder() {
    std::error_code failed;
    if (!path_.empty()) std::filesystem::remove_all(path_, failed);
  }
  unfinished_folder(const unfinished_folder&) = delete;
  unfinished_folder& operator=(const unfinished_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void finished() { path_.clear(); }

private:
  std::filesystem::path path_;
};

error no_archive(const std::filesystem::path& file, std::string why) {
  return {errc::unsupported_format, file.string() + ": " + std::move(why), std::nullopt,
          "An archive of a session is made by `:session export`."};
}

/// What is wrong with a file, for whoever knows it by another name.
std::string why_not(const error& e, const std::filesystem::path& path) {
  auto& text = e.first().message;
  auto said_of_it = path.string() + ": ";
  return text.starts_with(said_of_it) ? text.substr(said_of_it.size()) : text;
}

/// The journal in `from`, under the head that `meta` says, with its name and tags at the end.
result<void> copy_journal(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta) {
  auto source = journal_file::open(from, {}, {}, journal_file::access::read_only);
  if (!source) return fail(source.error());
  file_descriptor in{::open(from.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!in) return fail(read_error("cannot open", from, errno));
  auto target = journal_file::open(to, meta);
  if (!target) return fail(target.error());
  file_descriptor out{::open(to.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)};
  if (!out) return fail(write_error("cannot open", to, errno));
  constexpr std::uint64_t piece = 1 << 20;
  for (auto at = source->begins_at().offset; at < source->end().offset;) {
    auto size = std::min(piece, source->end().offset - at);
    auto bytes = read_piece(in.get(), at, static_cast<std::uint32_t>(size), from);
    if (!bytes) return fail(bytes.error());
    if (auto done = write_all(out.get(), *bytes, to); !done) return done;
    at += size;
  }
  // What the first one was called along the way is in the journal, and would be said last.
  auto name = transition_line({{meta_changed{meta.name, meta.tags}}}) + '\n';
  if (auto done = write_all(out.get(), name, to); !done) return done;
  return sync_file(out.get(), to);
}

// --- zip -----------------------------------------------------------------------------------------

struct zip_discarder {
  void operator()(zip_t* z) const { zip_discard(z); }
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};
using archive = std::unique_ptr<zip_t, zip_discarder>;
using member = std::unique_ptr<zip_file_t, zip_discarder>;

result<archive> open_zip(const std::filesystem::path& file, int flags) {
  int code = 0;
  if (auto z = zip_open(file.c_str(), flags, &code)) return archive{z};
  zip_error_t fault;
  zip_error_init_with_code(&fault, code);
  std::string reason = zip_error_strerror(&fault);
  zip_error_fini(&fault);
  return fail(no_archive(file, reason));
}

/// Calls `take` with each piece of a member.
template <class F>
result<void> read_member(const std::filesystem::path& file, zip_t* z, const char* name,
                         std::uint64_t limit, F take) {
  member f{zip_fopen(z, name, 0)};
  if (!f) return fail(no_archive(file, std::string{"it has no "} + name));
  std::uint64_t size = 0;
  auto buffer = std::make_unique<char[]>(1 << 16);
  while (true) {
    auto n = zip_fread(f.get(), buffer.get(), 1 << 16);
    if (n < 0) return fail(no_archive(file, std::string{name} + " in it is damaged"));
    if (n == 0) return {};
    size += static_cast<std::uint64_t>(n);
    if (size > limit)
      return fail({errc::input_too_large, file.string() + ": " + name + " in it is too large"});
    std::string_view bytes{buffer.get(), static_cast<std::size_t>(n)};
    if (auto done = take(bytes); !done) return done;
  }
}

/// Whether the journal in an archive can be unpacked in this folder, from what the archive says of
/// its size.
result<std::uint64_t> size_of_journal(const std::filesystem::path& file, zip_t* z,
                                      const std::filesystem::path& folder) {
  zip_stat_t about;
  zip_stat_init(&about);
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  if (zip_stat(z, journal_name, 0, &about) != 0 || (about.valid & needed) != needed)
    return fail(no_archive(file, std::string{"it has no "} + journal_name));
  auto too_large = [&](const std::string& why) {
    return fail({errc::input_too_large, file.string() + ": " + journal_name + " in it " + why});
  };
  if (about.size > largest_journal) return too_large("is too large");
  if (about.size > short_journal && about.size / greatest_ratio > about.comp_size)
    return too_large("is damaged, or made to fill the disk: no session is packed so small");
  std::error_code failed;
  // It is written once as it comes and once as the session has it.
  auto room = std::filesystem::space(folder, failed);
  if (!failed && about.size > room.available / 2)
    return too_large("needs more room than there is in " + folder.string());
  return about.size;
}

}  // namespace

result<void> copy_session(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta) {
  std::error_code failed;
  if (std::filesystem::exists(to, failed)) return fail(write_error("cannot make", to, EEXIST));
  unfinished_folder draft{draft_of(to)};
  // Of a process that ended within it and had the same number.
  std::filesystem::remove_all(draft.path(), failed);
  if (auto made = make_private_folder(draft.path()); !made) return made;
  if (auto done = copy_journal(from / journal_name, draft.path() / journal_name, meta); !done)
    return done;
  auto summary = read_summary(from);
  auto done = write_meta_file(draft.path(), meta, summary ? summary->score : std::string{},
                              summary ? summary->score_entries : 0);
  if (!done) return done;
  if (::rename(draft.path().c_str(), to.c_str()) != 0)
    return fail(write_error("cannot make", to, errno));
  draft.finished();
  return sync_folder(above_of(to));
}

namespace {

error cannot_write(const std::filesystem::path& file, const std::string& reason) {
  return {errc::unwritable_file, "cannot write " + file.string() + ": " + reason, std::nullopt,
          "Look at the folder's rights and at the room on the disk."};
}

/// Writes the archive to `draft`, in no hurry to have it on the disk. `file`: what it will be.
result<void> write_zip(const std::filesystem::path& folder, const journal_file& journal,
                       const std::string& manifest, const std::filesystem::path& draft,
                       const std::filesystem::path& file) {
  auto z = open_zip(draft, ZIP_CREATE | ZIP_TRUNCATE);
  if (!z) return fail(cannot_write(file, why_not(z.error(), draft)));
  auto zip = z->get();
  auto add = [&](const char* name, zip_source_t* source) -> result<void> {
    if (source && zip_file_add(zip, name, source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8) >= 0)
      return {};
    std::string reason = zip_strerror(zip);
    if (source) zip_source_free(source);
    return fail(cannot_write(file, reason));
  };
  auto done = add(manifest_name, zip_source_buffer(zip, manifest.data(), manifest.size(), 0));
  if (done)
    done = add(journal_name, zip_source_file(zip, (folder / journal_name).c_str(), 0,
                                             static_cast<zip_int64_t>(journal.end().offset)));
  std::error_code failed;
  if (done && std::filesystem::exists(folder / score_file_name, failed))
    done = add(score_file_name, zip_source_file(zip, (folder / score_file_name).c_str(), 0, 0));
  if (!done) return done;
  if (zip_close(zip) != 0) return fail(cannot_write(file, zip_strerror(zip)));
  (void)z->release();
  return {};
}

/// A link stays one: what it leads to is replaced, or made when there is nothing.
result<std::filesystem::path> end_of_links(std::filesystem::path file) {
  constexpr int most_links = 40;  // as the system follows
  std::error_code failed;
  for (int n = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(file, failed)); ++n) {
    if (n == most_links) return fail(write_error("cannot write", file, ELOOP));
    auto next = std::filesystem::read_symlink(file, failed);
    if (failed) return fail(write_error("cannot write", file, failed.value()));
    file = above_of(file) / next;  // which `next` is alone when it begins at the root
  }
  return file;
}

/// Removes a file that was begun, unless it has become the one that was wanted.
class unfinished_file {
public:
  explicit unfinished_file(std::filesystem::path path) : path_(std::move(path)) {}
  ~unfinished_file() { ::unlink(path_.c_str()); }
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace

result<void> write_archive(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code failed;
  auto leads_to = end_of_links(file);
  if (!leads_to) return fail(leads_to.error());
  auto& target = *leads_to;
  auto before = std::filesystem::status(target, failed);
  auto is_there = std::filesystem::exists(before);
  if (is_there && !std::filesystem::is_regular_file(before))
    return fail({errc::unwritable_file, "cannot write " + target.string() + ": it is no file",
                 std::nullopt, "Name a file for the archive."});
  if (!std::filesystem::is_directory(above_of(target), failed))
    return fail(write_error("cannot write", target, ENOENT));
  auto journal = journal_file::open(folder / journal_name, {}, {}, journal_file::access::read_only);
  if (!journal) return fail(journal.error());
  auto meta = journal->meta();
  if (auto summary = read_summary(folder)) meta = summary->meta;
  auto manifest = json::serialize(json::object{{"format", archive_format},
                                               {"version", archive_version},
                                               {"session", meta.slug},
                                               {"name", meta.name},
                                               {"created", time_text(meta.created)},
                                               {"modified", time_text(meta.modified)},
                                               {"tags", write_json(meta.tags)}}) +
                  '\n';
  // Beside it, and in its place only when it is on the disk: whatever happens meanwhile, what was
  // there is whole or the new one is.
  remove_dead_drafts_of(target);
  unfinished_file draft{draft_of(target)};
  if (auto done = write_zip(folder, *journal, manifest, draft.path(), target); !done) return done;
  if (is_there) std::filesystem::permissions(draft.path(), before.permissions(), failed);
  file_descriptor written{::open(draft.path().c_str(), O_RDONLY | O_CLOEXEC)};
  if (!written) return fail(write_error("cannot open", draft.path(), errno));
  if (auto done = sync_file(written.get(), draft.path()); !done) return done;
  if (::rename(draft.path().c_str(), target.c_str()) != 0)
    return fail(write_error("cannot make", target, errno));
  return sync_folder(above_of(target));
}

result<session_meta> read_archive_meta(const std::filesystem::path& file) {
  auto z = open_zip(file, ZIP_RDONLY);
  if (!z) return fail(z.error());
  std::string text;
  auto done =
      read_member(file, z->get(), manifest_name, largest_manifest, [&](std::string_view bytes) {
        text += bytes;
        return result<void>{};
      });
  if (!done) return fail(done.error());
  json::error_code failed;
  auto v = json::parse({text.data(), text.size()}, failed);
  auto o = failed ? nullptr : v.if_object();
  if (!o) return fail(no_archive(file, std::string{manifest_name} + " in it is damaged"));
  object_reader r{*o};
  if (r.or_else<std::string>("format") != archive_format)
    return fail(no_archive(file, "it is no archive of a session"));
  if (r.or_else<int>("version") > archive_version)
    return fail(no_archive(file, "it was written by a newer Fermata"));
  session_meta meta;
  meta.slug = r.need<std::string>("session");
  meta.name = r.need<std::string>("name");
  meta.created = r.time("created");
  meta.modified = r.time("modified");
  for (auto& tag : r.or_else<std::vector<std::string>>("tags"))
    if (auto clean = clean_name(tag); !clean.empty()) meta.tags.push_back(std::move(clean));
  if (!r.good()) return fail(r.fault());
  return meta;
}

result<void> unpack_archive(const std::filesystem::path& file, const std::filesystem::path& to,
                            const session_meta& meta) {
  auto z = open_zip(file, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!z) return fail(z.error());
  auto draft_path = draft_of(to);
  draft_path += unpacked_draft;
  unfinished_folder draft{draft_path};
  std::error_code failed;
  std::filesystem::remove_all(draft.path(), failed);
  if (auto made = make_private_folder(draft.path()); !made) return made;
  auto size = size_of_journal(file, z->get(), draft.path());
  if (!size) return fail(size.error());
  auto journal = draft.path() / journal_name;
  {
    file_descriptor out{
        ::open(journal.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    if (!out) return fail(write_error("cannot make", journal, errno));
    auto done = read_member(file, z->get(), journal_name, *size,
                            [&](std::string_view b) { return write_all(out.get(), b, journal); });
    if (!done) return done;
  }
  // What is wrong with what was unpacked is wrong with the archive.
  if (auto sound = journal_file::open(journal, {}, {}, journal_file::access::read_only); !sound)
    return fail(
        no_archive(file, std::string{journal_name} + " in it: " + why_not(sound.error(), journal)));
  return copy_session(draft.path(), to, meta);
}

}  // namespace fermata::io
