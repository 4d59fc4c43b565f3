#include "io/store/archive/session_archive.hpp"

#include "core/lang/value/letter_case.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/slug.hpp"
#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/archive/archive_contents.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/drafts.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/session_directory.hpp"
#include "io/store/take_file.hpp"
#include "io/text/safe_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view archive_format = "fermata-archive";
constexpr int archive_version = 1;
constexpr auto manifest_name = "fermata-archive.json";
constexpr auto score_file_name = "score.ferm";
constexpr std::uint64_t largest_manifest = 1 << 20;
/// A journal larger than this was not written by hand.
constexpr std::uint64_t largest_journal = std::uint64_t{16} << 30;
/// Nor does one become so small when it is packed: each line has an index, a time and a checksum of
/// its own. What is short may.
constexpr std::uint64_t greatest_ratio = 100;
constexpr std::uint64_t short_journal = std::uint64_t{4} << 20;

error no_archive(const std::filesystem::path& file, std::string why) {
  return {errc::unsupported_format, file.string() + ": " + std::move(why), std::nullopt,
          "Use `:session export` to create a session archive."};
}

/// What is wrong with a file, for whoever knows it by another name.
std::string why_not(const error& e, const std::filesystem::path& path) {
  auto& text = e.first().message;
  auto said_of_it = path.string() + ": ";
  return text.starts_with(said_of_it) ? text.substr(said_of_it.size()) : text;
}

/// Where the transitions of two journals begin.
struct beginnings {
  std::uint64_t before = 0, now = 0;
};

/// The journal in `from`, under the head that `meta` says, with its name and tags at the end.
result<beginnings> copy_journal(const std::filesystem::path& from, const std::filesystem::path& to,
                                const session_meta& meta) {
  auto source = journal_file::open(from, {}, {}, journal_file::access::read_only);
  if (!source) return fail(source.error());
  auto target = journal_file::open(to, meta);
  if (!target) return fail(target.error());
  auto out = open_to_write(to, O_WRONLY | O_APPEND);
  if (!out) return fail(write_error("cannot open", to, errno));
  auto where = beginnings{source->begins_at().offset, target->begins_at().offset};
  auto done = append_bytes(from, where.before, source->end().offset, out, to);
  // What the first one was called along the way is in the journal, and would be said last.
  auto name = transition_line({{meta_changed{meta.name, meta.tags}}}) + '\n';
  if (done) done = write_all(out.get(), name, to);
  if (done) done = sync_file(out.get(), to);
  if (!done) return fail(done.error());
  return where;
}

// --- zip -----------------------------------------------------------------------------------------

struct zip_discarder {
  void operator()(zip_t* z) const { zip_discard(z); }
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};
using archive = std::unique_ptr<zip_t, zip_discarder>;
using member = std::unique_ptr<zip_file_t, zip_discarder>;

/// Whether it is a file, and not a pipe, which would be waited for, or a device, which may not end.
result<void> can_be_read(const std::filesystem::path& file) {
  file_descriptor there{::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (!there) return fail(read_error("cannot open", file, errno));
  struct stat about {};
  if (::fstat(there.get(), &about) != 0) return fail(read_error("cannot look at", file, errno));
  if (S_ISREG(about.st_mode)) return {};
  return fail({errc::unreadable_file,
               "cannot read " + file.string() +
                   (S_ISDIR(about.st_mode) ? ": it is a folder" : ": it is not a file"),
               std::nullopt, "Give an archive created by `:session export`."});
}

result<archive> open_zip(const std::filesystem::path& file, int flags) {
  if (flags & ZIP_RDONLY)
    if (auto is_one = can_be_read(file); !is_one) return fail(is_one.error());
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

/// Whether a member of an archive can be unpacked in this folder, from what the archive says of its
/// size.
result<std::uint64_t> size_of_member(const std::filesystem::path& file, zip_t* z, const char* name,
                                     const std::filesystem::path& folder) {
  zip_stat_t about;
  zip_stat_init(&about);
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
  if (zip_stat(z, name, 0, &about) != 0 || (about.valid & needed) != needed)
    return fail(no_archive(file, std::string{"it has no "} + name));
  auto too_large = [&](const std::string& why) {
    return fail({errc::input_too_large, file.string() + ": " + name + " in it " + why});
  };
  if (about.size > largest_journal) return too_large("is too large");
  if (about.size > short_journal && about.size / greatest_ratio > about.comp_size)
    return too_large("is damaged or malicious: its compression ratio is implausible");
  std::error_code failed;
  // It is written once as it comes and once as the session has it.
  auto room = std::filesystem::space(folder, failed);
  if (!failed && about.size > room.available / 2)
    return too_large("needs more space than is free in " + folder.string());
  return about.size;
}

result<void> unpack_member(const std::filesystem::path& file, zip_t* z, const char* name,
                           const std::filesystem::path& folder) {
  auto size = size_of_member(file, z, name, folder);
  if (!size) return fail(size.error());
  auto path = folder / name;
  auto out = open_to_write(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!out) return fail(write_error("cannot create", path, errno));
  auto unpacked = read_member(file, z, name, *size, [&](std::string_view bytes) {
    return write_all(out.get(), bytes, path);
  });
  // More comes out than the archive says: a byte of it has changed.
  if (!unpacked && unpacked.error().first().code == errc::input_too_large)
    return fail(no_archive(file, std::string{name} + " in it is damaged"));
  return unpacked;
}

}  // namespace

result<void> copy_session(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta) {
  std::error_code failed;
  if (std::filesystem::exists(to, failed)) return fail(write_error("cannot create", to, EEXIST));
  auto begun = draft_folder::beside(to);
  if (!begun) return fail(begun.error());
  auto& draft = *begun;
  auto where = copy_journal(from / journal_name, draft.path() / journal_name, meta);
  if (!where) return fail(where.error());
  auto copied = copy_checkpoint(from, draft.path(), where->before, where->now);
  if (!copied) return fail(copied.error());
  if (auto takes = copy_takes(from, draft.path()); !takes) return takes;
  // An archive has no summary beside its checkpoint.
  auto summary = read_summary(from);
  auto shown = summary   ? copied_score{summary->score, summary->score_entries}
               : *copied ? **copied
                         : copied_score{};
  auto done = write_meta_file(draft.path(), meta, shown.summary, shown.entries);
  if (!done) return done;
  if (::rename(draft.path().c_str(), to.c_str()) != 0)
    return fail(write_error("cannot create", to, errno));
  draft.finished();
  return sync_folder(parent_folder(to));
}

namespace {

error cannot_write(const std::filesystem::path& file, const std::string& reason) {
  return {errc::unwritable_file, "cannot write " + file.string() + ": " + reason, std::nullopt,
          "Check the folder's permissions and the free disk space."};
}

/// Where what goes into the archive cannot be written, the archive cannot.
error of_archive(const error& e, const std::filesystem::path& file) {
  auto& what = e.first();
  if (what.code != errc::unwritable_file) return e;
  auto colon = what.message.rfind(": ");
  return colon == std::string::npos ? e : cannot_write(file, what.message.substr(colon + 2));
}

/// Writes what is in `folder` to `draft`, in no hurry to have it on the disk. `file`: what it will
/// be.
result<void> write_zip(const std::filesystem::path& folder, const std::string& manifest,
                       const std::filesystem::path& draft, const std::filesystem::path& file) {
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
  for (auto name : {journal_name, score_file_name, "env.json", "checkpoint.json"})
    if (done && look_at_file(folder / name))
      done = add(name, zip_source_file(zip, (folder / name).c_str(), 0, 0));
  for (auto number : take_numbers(folder)) {
    auto path = take_path(folder, number);
    auto name = path.lexically_relative(folder).string();
    if (done) done = add(name.c_str(), zip_source_file(zip, path.c_str(), 0, 0));
  }
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
    file = parent_folder(file) / next;  // which `next` is alone when it begins at the root
  }
  return file;
}

/// In a folder made for it.
result<std::vector<std::string>> gathered(const std::filesystem::path& folder,
                                          const std::filesystem::path& contents,
                                          const unwritten_part& unwritten) {
  if (auto made = make_private_folder(contents); !made) return fail(made.error());
  return gather_session(folder, contents, unwritten);
}

}  // namespace

result<std::vector<std::string>> write_archive(const std::filesystem::path& folder,
                                               const std::filesystem::path& file,
                                               const unwritten_part& unwritten) {
  std::error_code failed;
  auto leads_to = end_of_links(file);
  if (!leads_to) return fail(leads_to.error());
  auto& target = *leads_to;
  auto before = std::filesystem::status(target, failed);
  auto is_there = std::filesystem::exists(before);
  if (is_there && !std::filesystem::is_regular_file(before))
    return fail({errc::unwritable_file, "cannot write " + target.string() + ": it is not a file",
                 std::nullopt, "Give a file name for the archive."});
  if (!std::filesystem::is_directory(parent_folder(target), failed))
    return fail(write_error("cannot write", target, ENOENT));
  // Beside it, and in its place only when it is on the disk: whatever happens meanwhile, what was
  // there is whole or the new one is. So nothing is needed of the disk that the session is on.
  remove_dead_drafts_of(target);
  auto begun = draft_folder::beside(target);
  if (!begun) return fail(begun.error());
  // What goes into it takes several times its room, which may be all that the target's disk has.
  auto common = std::filesystem::temp_directory_path(failed);
  if (failed) common = parent_folder(target);
  remove_dead_drafts_of(common / "fermata-export");
  auto apart = draft_folder::beside(common / "fermata-export");
  auto contents = (apart ? *apart : *begun).path() / "contents";
  auto remarks = gathered(folder, contents, unwritten);
  if (!remarks && apart) {
    contents = begun->path() / "contents";
    remarks = gathered(folder, contents, unwritten);
  }
  if (!remarks) return fail(of_archive(remarks.error(), target));
  auto meta = unwritten.meta;
  if (auto summary = read_summary(folder)) meta = summary->meta;
  if (meta.slug.empty()) {
    auto journal =
        journal_file::open(contents / journal_name, {}, {}, journal_file::access::read_only);
    if (!journal) return fail(journal.error());
    meta = journal->meta();
  }
  auto manifest = json::serialize(json::object{{"format", archive_format},
                                               {"version", archive_version},
                                               {"session", meta.slug},
                                               {"name", meta.name},
                                               {"created", time_text(meta.created)},
                                               {"modified", time_text(meta.modified)},
                                               {"tags", write_json(meta.tags)}}) +
                  '\n';
  auto draft = begun->path() / "archive";
  if (auto done = write_zip(contents, manifest, draft, target); !done) return fail(done.error());
  if (is_there) std::filesystem::permissions(draft, before.permissions(), failed);
  file_descriptor written{::open(draft.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!written) return fail(write_error("cannot open", draft, errno));
  if (auto done = sync_file(written.get(), draft); !done) return fail(done.error());
  if (::rename(draft.c_str(), target.c_str()) != 0)
    return fail(write_error("cannot create", target, errno));
  if (auto done = sync_folder(parent_folder(target)); !done) return fail(done.error());
  return remarks;
}

result<void> may_replace(const std::filesystem::path& file, const session_meta& session) {
  std::error_code failed;
  // What is no file cannot be replaced at all, and that is said elsewhere.
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  auto there = read_archive_meta(file);
  auto has_its_id = there && there->slug == session.slug;
  // As the archive writes it.
  if (has_its_id && time_text(there->created) == time_text(session.created)) return {};
  return fail(
      {errc::unwritable_file,
       file.string() + (has_its_id ? " already exists and is an archive of another session " +
                                         there->slug + ", created at another time"
                        : there ? " already exists and is an archive of session " + there->slug
                                : " already exists and is not a session archive"),
       std::nullopt, "Use `--yes` to overwrite it, or choose another name."});
}

result<void> is_archive_name(const std::filesystem::path& file) {
  // Formats of music, text, pictures and sound; a name like `v1.2` is one of a session.
  static constexpr std::string_view others[] = {
      ".musicxml", ".xml", ".mxl", ".ly",   ".ferm", ".fm",  ".mid", ".midi", ".mscz",
      ".mscx",     ".abc", ".krn", ".mei",  ".pdf",  ".svg", ".png", ".txt",  ".md",
      ".json",     ".wav", ".mp3", ".flac", ".ogg",  ".tar", ".gz"};
  auto extension = in_small_letters(file.extension().string());
  if (std::find(std::begin(others), std::end(others), extension) == std::end(others)) return {};
  auto renamed = file;
  return fail({errc::unsupported_format, file.string() + " is not the name of a session archive",
               std::nullopt,
               "Name it " + renamed.replace_extension(".fermata").string() +
                   "; `:export` at the prompt writes the score alone."});
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
    return fail(no_archive(file, "it is not a session archive"));
  if (r.or_else<int>("version") > archive_version)
    return fail(no_archive(file, "it was written by a newer version of Fermata"));
  session_meta meta;
  meta.slug = r.need<std::string>("session");
  meta.name = r.need<std::string>("name");
  meta.created = r.time("created");
  meta.modified = r.time("modified");
  for (auto& tag : r.or_else<std::vector<std::string>>("tags"))
    if (auto clean = clean_name(safe_text(tag)); !clean.empty())
      meta.tags.push_back(std::move(clean));
  if (!r.good()) return fail(r.fault());
  return meta;
}

namespace {

/// What can be made from the journal again. Nothing is left of it when it cannot be taken.
result<std::vector<std::string>> unpack_derived(const std::filesystem::path& file, zip_t* z,
                                                const std::filesystem::path& folder) {
  std::vector<std::string> remarks;
  // Older archives have no checkpoint.
  for (auto name : {score_file_name, "env.json", "checkpoint.json"}) {
    if (zip_name_locate(z, name, 0) < 0) continue;
    auto done = unpack_member(file, z, name, folder);
    if (done) continue;
    auto& why = done.error().first();
    if (why.code == errc::unwritable_file) return fail(done.error());
    std::error_code failed;
    std::filesystem::remove(folder / name, failed);
    if (failed) return fail(write_error("cannot remove", folder / name, failed.value()));
    remarks.push_back("Left out, because the timeline has it: " + why_not(done.error(), file) +
                      '.');
  }
  return remarks;
}

/// The takes. One that is damaged is left out.
result<void> unpack_takes(const std::filesystem::path& file, zip_t* z,
                          const std::filesystem::path& folder, std::vector<std::string>& remarks) {
  std::error_code failed;
  for (zip_int64_t i = 0; i < zip_get_num_entries(z, 0); ++i) {
    auto name = zip_get_name(z, static_cast<zip_uint64_t>(i), 0);
    if (!name || !is_take_name(name)) continue;
    std::filesystem::create_directories(take_folder(folder), failed);
    if (failed) return fail(write_error("cannot create", take_folder(folder), failed.value()));
    auto done = unpack_member(file, z, name, folder);
    if (done) continue;
    if (done.error().first().code == errc::unwritable_file) return done;
    std::filesystem::remove(folder / name, failed);
    if (failed) return fail(write_error("cannot remove", folder / name, failed.value()));
    remarks.push_back("Left out: " + why_not(done.error(), file) + '.');
  }
  return {};
}

/// That the timeline ends before what was saved with it; empty: it does not.
std::string lost_entries(const std::filesystem::path& folder, const journal_file& journal) {
  auto saved = read_checkpoint(folder);
  if (!saved || !*saved || (*saved)->place.offset <= journal.end().offset) return {};
  auto last = last_index_in(journal.path());
  auto entries = (*saved)->entries - last.value_or(0);
  auto how_many = entries <= 0   ? std::string{"lines"}
                  : entries == 1 ? std::string{"the last entry"}
                                 : "the last " + std::to_string(entries) + " entries";
  return "Its timeline is shorter than when it was saved: " + how_many +
         (entries == 1 ? " is lost." : " are lost.");
}

}  // namespace

result<std::vector<std::string>> unpack_archive(const std::filesystem::path& file,
                                                const std::filesystem::path& to,
                                                const session_meta& meta) {
  auto z = open_zip(file, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!z) return fail(z.error());
  auto begun = draft_folder::beside(to);
  if (!begun) return fail(begun.error());
  auto& draft = *begun;
  if (auto done = unpack_member(file, z->get(), journal_name, draft.path()); !done)
    return fail(done.error());
  auto remarks = unpack_derived(file, z->get(), draft.path());
  if (!remarks) return remarks;
  if (auto done = unpack_takes(file, z->get(), draft.path(), *remarks); !done)
    return fail(done.error());
  auto journal = draft.path() / journal_name;
  // What is wrong with what was unpacked is wrong with the archive.
  auto sound = journal_file::open(journal, {}, {}, journal_file::access::read_only);
  if (!sound)
    return fail(
        no_archive(file, std::string{journal_name} + " in it: " + why_not(sound.error(), journal)));
  if (sound->cut_off() > 0)
    remarks->push_back("The last line of its timeline is incomplete and was left out.");
  auto lost = lost_entries(draft.path(), *sound);
  if (!lost.empty()) remarks->push_back(std::move(lost));
  if (auto done = copy_session(draft.path(), to, meta); !done) return fail(done.error());
  return remarks;
}

}  // namespace fermata::io
