#include "io/store/archive/session_archive.hpp"

#include "io/store/drafts.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/home.hpp"
#include "io/store/take_file.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace fermata::io::session_archive_test {

TEST_CASE("a copy and an archive give the same session under another name") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "first";
  session_state before;
  {
    stored_session_by_hand s{folder};
    make_music(s);
    REQUIRE(s.directory->checkpoint(s.state));
    s.line("(def after-the-checkpoint 1)");
    before = s.state;
    session_meta meta{"second", "The second", s.now(), s.now(), {"copy"}};
    auto second = home.path() / "sessions" / "second";
    SECTION("copied while it is open") { REQUIRE(copy_session(folder, second, meta)); }
    SECTION("through an archive") {
      auto file = home.path() / "first.fermata";
      REQUIRE(write_archive(folder, file));
      auto found = read_archive_meta(file);
      REQUIRE(found);
      CHECK(found->name == "Another name");
      CHECK(found->tags == std::vector<std::string>{"sketch"});
      REQUIRE(unpack_archive(file, second, meta));
      CHECK_FALSE(unpack_archive(file, second, meta));
    }
  }
  stored_session_by_hand again{home.path() / "sessions" / "second"};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  CHECK(again.state.meta.slug == "second");
  CHECK(again.line("after-the-checkpoint")->index == before.history.next_index());
  CHECK(stored_sessions(home.path()) == std::vector<std::string>{"first", "second"});
}

TEST_CASE("takes are in a copy and in an archive, nothing else that is in their folder") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "first", second = home.path() / "sessions" / "second";
  {
    stored_session_by_hand s{folder};
    s.line("(def x 1)");
  }
  std::filesystem::create_directories(take_folder(folder));
  auto first = take_text({{{"a"}, {{std::chrono::nanoseconds{5}, 0, {0x90, 60, 1}}}, {}}});
  write_content(take_path(folder, 1), first);
  write_content(take_path(folder, 12), "not even a take");
  write_content(take_folder(folder) / "notes.txt", "x");
  session_meta meta{"second", "second", {}, {}, {}};
  SECTION("a copy") { REQUIRE(copy_session(folder, second, meta)); }
  SECTION("an archive") {
    auto file = home.path() / "first.fermata";
    REQUIRE(write_archive(folder, file));
    REQUIRE(unpack_archive(file, second, meta));
  }
  CHECK(take_numbers(second) == std::vector<int>{1, 12});
  CHECK(content_of(take_path(second, 1)) == first);
  CHECK(content_of(take_path(second, 12)) == "not even a take");
  CHECK_FALSE(std::filesystem::exists(take_folder(second) / "notes.txt"));
}

TEST_CASE("only names of takes are unpacked as takes") {
  for (auto name : {"takes/1.take", "takes/2147483647.take"})
    CHECK(is_take_name(name));
  for (auto name :
       {"takes/0.take", "takes/-1.take", "takes/01.take", "takes/../1.take", "takes/.take",
        "takes/2147483648.take", "takes/1.take/x", "1.take", "takes/1.txt", "/takes/1.take"}) {
    INFO(name);
    CHECK_FALSE(is_take_name(name));
  }
}

TEST_CASE(
    "a copy is called what it was made as, however its source was renamed and tagged before") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "first", second = home.path() / "sessions" / "second";
  auto file = home.path() / "first.fermata";
  {
    stored_session_by_hand s{folder};
    s.line("(def x 1)");
    s.keep({{meta_changed{"Foo", std::vector<std::string>{"old", "older"}}}});
    s.line("(def y 2)");
    s.keep({{meta_changed{"Fugue", std::nullopt}}});
  }
  session_meta meta{"second", "Bar", {}, {}, {"copy"}};
  SECTION("copied") { REQUIRE(copy_session(folder, second, meta)); }
  SECTION("copied of a copy") {
    REQUIRE(
        copy_session(folder, home.path() / "sessions" / "between", {"between", "B", {}, {}, {}}));
    REQUIRE(copy_session(home.path() / "sessions" / "between", second, meta));
  }
  SECTION("through an archive") {
    REQUIRE(write_archive(folder, file));
    REQUIRE(unpack_archive(file, second, meta));
  }
  SECTION("copied without what is beside the journal") {
    std::filesystem::remove(folder / "meta.json");
    REQUIRE(copy_session(folder, second, meta));
    std::filesystem::remove(second / "meta.json");
  }
  SECTION("with a line of it damaged, which costs that entry alone") {
    REQUIRE(copy_session(folder, second, meta));
    auto text = content_of(second / "history.jsonl");
    SECTION("before the name") { text[text.find("(def y 2)") + 5] = 'z'; }
    SECTION("the name itself") { text[text.rfind("Bar")] = 'C'; }
    write_content(second / "history.jsonl", text);
  }
  SECTION("put away and brought back") {
    REQUIRE(copy_session(folder, second, meta));
    REQUIRE(move_to_archive_or_trash(second, home.path() / "archive" / "second"));
    CHECK(archived_sessions(home.path()) == std::vector<std::string>{"second"});
    REQUIRE(move_folder(home.path() / "archive" / "second", second));
  }
  for (int load = 1; load <= 3; ++load) {
    stored_session_by_hand copy{second};
    INFO("load " << load);
    CHECK(copy.state.meta.name == "Bar");
    CHECK(copy.state.meta.tags == std::vector<std::string>{"copy"});
    CHECK(copy.state.meta.slug == "second");
    if (load == 2) REQUIRE(copy.directory->checkpoint(copy.state));
  }
  CHECK(stored_session_by_hand{folder}.state.meta.name == "Fugue");
}

// The checkpoint has what the line once said; the copies must not lose what the session still has.
TEST_CASE("a session with a damaged old line comes whole out of every copy of it") {
  temporary_folder home;
  auto folder = home.path() / "sound";
  session_state before;
  {
    stored_session_by_hand s{folder};
    for (auto line : {"(part :piano (measure (note c4 :w)))", "(def x 1)", "(note d4 :w)"})
      s.line(line);
    REQUIRE(s.directory->checkpoint(s.state));
    s.line("(note e4 :w)");
    before = s.state;
  }
  auto whole = content_of(folder / "history.jsonl");
  for (std::string_view text : {"(part :piano", "(def x", "(note d4"}) {
    INFO(text);
    auto damaged = home.path() / "damaged", copy = home.path() / "copy",
         unpacked = home.path() / "unpacked", file = home.path() / "x.fermata";
    for (auto& path : {damaged, copy, unpacked, file})
      std::filesystem::remove_all(path);
    std::filesystem::copy(folder, damaged);
    auto journal = whole;
    auto at = journal.find(text);
    journal[at] = '\x01';
    write_content(damaged / "history.jsonl", journal);
    REQUIRE(copy_session(damaged, copy, {"copy", "Copy", {}, {}, {}}));
    auto remarks = write_archive(damaged, file);
    REQUIRE(remarks);
    REQUIRE(remarks->size() == 1);
    auto line =
        std::count(journal.begin(), journal.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    CHECK(remarks->front().starts_with("Line " + std::to_string(line + 1) + ' '));
    REQUIRE(unpack_archive(file, unpacked, {"unpacked", "Unpacked", {}, {}, {}}));
    for (auto& there : {copy, unpacked}) {
      INFO(there);
      stored_session_by_hand again{there};
      CHECK(*again.state.score == *before.score);
      CHECK(again.state.history.size() == before.history.size());
      CHECK(again.state.undo.size() == before.undo.size());
      again.undo();
      CHECK(again.state.score->parts.front()->measures.size() == 2);
    }
  }
}

TEST_CASE("what a session lost and nothing can bring back is said when it is exported") {
  temporary_folder home;
  auto folder = home.path() / "s", file = home.path() / "s.fermata";
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.line("(note d4 :q)");
  }
  auto journal = content_of(folder / "history.jsonl");
  journal[journal.find("(note c4")] = '\x01';
  write_content(folder / "history.jsonl", journal);
  auto remarks = write_archive(folder, file);
  REQUIRE(remarks);
  REQUIRE(remarks->size() == 2);
  CHECK(remarks->front().starts_with("Line 2 "));
  CHECK(remarks->back().find("intact up to entry 0") != std::string::npos);
  CHECK(content_of(folder / "history.jsonl") == journal);
}

TEST_CASE("an archive holds what could not be written, and needs nothing of the session's disk") {
  temporary_folder home;
  auto folder = home.path() / "s", file = home.path() / "usb" / "s.fermata";
  std::filesystem::create_directories(home.path() / "usb");
  unwritten_part rest;
  session_state before;
  SECTION("of a session that had a folder") {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    before = s.state;
  }
  SECTION("of a session that has none") {
    rest.meta = {"s", "Sketch", {}, {}, {}};
    before = empty_session(rest.meta);
  }
  auto is_there = std::filesystem::exists(folder);
  auto files = [&] {
    std::map<std::string, std::string> all;
    if (is_there)
      for (auto& item : std::filesystem::directory_iterator{folder})
        all[item.path().filename().string()] = content_of(item.path());
    return all;
  };
  auto written = files();
  session_by_hand in_memory;
  in_memory.state = before;
  in_memory.journal.clear();
  for (auto line : {"(note d4 :w)", "(def y 2)", "(nonsense)"})
    in_memory.type(line);
  rest.transitions = in_memory.journal;
  auto remarks = write_archive(folder, file, rest);
  REQUIRE(remarks);
  CHECK(remarks->empty());
  CHECK(files() == written);
  REQUIRE(unpack_archive(file, home.path() / "again", {"again", "Again", {}, {}, {}}));
  stored_session_by_hand again{home.path() / "again"};
  check_same(in_memory.state, again.state);
}

TEST_CASE("an archive takes the place of an earlier one of the same session and of nothing else") {
  temporary_folder home;
  for (auto slug : {"one", "two"}) {
    {
      stored_session_by_hand s{home.path() / slug};
      s.line("(def x 1)");
    }
    REQUIRE(write_archive(home.path() / slug, home.path() / (std::string{slug} + ".fermata")));
  }
  write_content(home.path() / "letter.txt", "Dear Clara");
  auto one = read_archive_meta(home.path() / "one.fermata");
  REQUIRE(one);
  CHECK(may_replace(home.path() / "nothing.fermata", *one));
  CHECK(may_replace(home.path() / "one.fermata", *one));
  // Changed, called otherwise or tagged meanwhile, it is the same one.
  auto later = *one;
  later.name = "Else";
  later.modified += std::chrono::hours{1};
  later.tags = {"draft"};
  CHECK(may_replace(home.path() / "one.fermata", later));
  // The first one was deleted, and another has its id now.
  auto after_it = *one;
  after_it.created += std::chrono::seconds{1};
  auto namesake = may_replace(home.path() / "one.fermata", after_it);
  REQUIRE_FALSE(namesake);
  CHECK(namesake.error().first().message.find("another session one") != std::string::npos);
  CHECK(namesake.error().first().hint.find("--yes") != std::string::npos);
  auto other = may_replace(home.path() / "two.fermata", *one);
  REQUIRE_FALSE(other);
  CHECK(other.error().first().message.find("of session two") != std::string::npos);
  auto letter = may_replace(home.path() / "letter.txt", *one);
  REQUIRE_FALSE(letter);
  CHECK(letter.error().first().message.find("is not a session archive") != std::string::npos);
  CHECK(letter.error().first().hint.find("--yes") != std::string::npos);
}

TEST_CASE("an archive that is not there and one that is none are told apart") {
  temporary_folder home;
  write_content(home.path() / "letter.txt", "Dear Clara");
  auto missing = read_archive_meta(home.path() / "nope.fermata");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().first().code == errc::unreadable_file);
  CHECK(missing.error().first().message.find("No such file") != std::string::npos);
  auto none = read_archive_meta(home.path() / "letter.txt");
  REQUIRE_FALSE(none);
  CHECK(none.error().first().code == errc::unsupported_format);
}

TEST_CASE("an archive is written where a link leads, also when nothing is there yet") {
  temporary_folder home;
  auto folder = home.path() / "s", link = home.path() / "link.fermata";
  {
    stored_session_by_hand s{folder};
    s.line("(def x 1)");
  }
  std::filesystem::create_directories(home.path() / "usb");
  std::filesystem::create_symlink("usb/second", link);
  std::filesystem::create_symlink(home.path() / "usb" / "third", home.path() / "usb" / "second");
  for (auto times = 0; times < 2; ++times) {
    REQUIRE(write_archive(folder, link));
    CHECK(std::filesystem::is_symlink(link));
    CHECK(std::filesystem::is_symlink(home.path() / "usb" / "second"));
    CHECK(std::filesystem::is_regular_file(home.path() / "usb" / "third"));
    CHECK(read_archive_meta(link));
  }
  auto circle = home.path() / "circle";
  std::filesystem::create_symlink("circle", circle);
  CHECK_FALSE(write_archive(folder, circle));
  CHECK(std::filesystem::is_symlink(circle));
}

namespace {

/// A draft as a process leaves it that is killed while it works.
std::filesystem::path left_by_a_killed_process(const std::filesystem::path& target) {
  int tell[2];
  REQUIRE(::pipe(tell) == 0);
  auto child = ::fork();
  if (child == 0) {
    auto draft = draft_folder::beside(target);
    auto path = draft ? draft->path().string() : std::string{};
    (void)!::write(tell[1], path.data(), path.size());
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  char name[4096];
  auto n = ::read(tell[0], name, sizeof name);
  ::close(tell[0]);
  ::close(tell[1]);
  REQUIRE(n > 0);
  return std::string{name, static_cast<std::size_t>(n)};
}

}  // namespace

TEST_CASE("a session whose journal is gone is exported with what was saved") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "first", second = home.path() / "sessions" / "second";
  auto file = home.path() / "first.fermata";
  session_state before;
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    s.line("(def x 7)");
    s.line("(note d4 :w)");
    REQUIRE(s.directory->checkpoint(s.state));
    before = s.state;
  }
  auto journal = folder / "history.jsonl";
  auto whole = content_of(journal);
  auto first_line = whole.find('\n') + 1;
  auto has_env = true;
  std::int64_t entries = 1;
  SECTION("not there") { std::filesystem::remove(journal); }
  SECTION("emptied") { write_content(journal, ""); }
  SECTION("cut within its first line") { write_content(journal, whole.substr(0, 20)); }
  SECTION("cut to its first line") { write_content(journal, whole.substr(0, first_line)); }
  SECTION("cut behind the first entry") {
    write_content(journal, whole.substr(0, whole.find('\n', first_line) + 1));
    entries = 2;
  }
  SECTION("and the checkpoint too") {
    std::filesystem::remove(journal);
    std::filesystem::remove(folder / "checkpoint.json");
    has_env = false;
  }
  SECTION("and meta.json too") {
    std::filesystem::remove(journal);
    std::filesystem::remove(folder / "meta.json");
  }
  auto there = [&] {
    std::map<std::string, std::string> files;
    for (auto& item : std::filesystem::directory_iterator{folder})
      files[item.path().filename().string()] = content_of(item.path());
    return files;
  };
  auto unchanged = there();
  auto remarks = write_archive(folder, file);
  REQUIRE(remarks);
  REQUIRE_FALSE(remarks->empty());
  INFO(remarks->back());
  CHECK(remarks->back().find("as entry " + std::to_string(entries) + ", one change") !=
        std::string::npos);
  CHECK(there() == unchanged);
  REQUIRE(unpack_archive(file, second, {"second", "Second", {}, {}, {}}));
  stored_session_by_hand again{second};
  CHECK(again.state.history.size() == entries);
  CHECK(content_hash(*again.state.score) == content_hash(*before.score));
  CHECK(again.state.env->bindings.contains("x") == has_env);
  // It is one change.
  again.undo();
  CHECK(content_hash(*again.state.score) != content_hash(*before.score));
}

TEST_CASE("a folder without anything of a session is not exported") {
  temporary_folder home;
  std::filesystem::create_directories(home.path() / "s");
  CHECK_FALSE(write_archive(home.path() / "s", home.path() / "s.fermata"));
  // Nor what is something else than a journal.
  write_content(home.path() / "s" / "history.jsonl", "Dear Clara\n");
  CHECK_FALSE(write_archive(home.path() / "s", home.path() / "s.fermata"));
  CHECK_FALSE(std::filesystem::exists(home.path() / "s.fermata"));
}

TEST_CASE("what a killed process left half made is cleaned up, and nothing else") {
  temporary_folder home;
  auto sessions = home.path() / "sessions";
  std::vector<std::filesystem::path> left;
  for (auto slug : {"foo", "foo-bar-2", "foo"})
    left.push_back(left_by_a_killed_process(sessions / slug));
  CHECK(left[0] != left[2]);
  // As older versions called them, with the number of the process.
  auto process = ::fork();
  if (process == 0) ::_exit(0);
  ::waitpid(process, nullptr, 0);
  auto ended = std::to_string(process), ours = std::to_string(::getpid());
  left.push_back(sessions / (".foo-" + ended));
  std::filesystem::create_directories(left.back());
  for (auto& draft : left)
    write_content(draft / "history.jsonl", "x");
  std::vector<std::filesystem::path> others;
  for (auto name : {".foo-" + ours, ".Foo-" + ended, ".foo-" + ended + "x", ".-" + ended,
                    std::string{".foo-backup"}, std::string{".foo.draft-abc"},
                    std::string{".foo.draft-abcdefg"}, std::string{".foo.draft-abc_ef"},
                    std::string{"foo.draft-abcdef"}, std::string{".Foo.draft-abcdef"},
                    std::string{".draft-abcdef"}, std::string{"..draft-abcdef"},
                    std::string{".foo--.draft-abcdef"}}) {
    std::filesystem::create_directories(sessions / name);
    write_content(sessions / name / "history.jsonl", "x");
    others.push_back(sessions / name / "history.jsonl");
  }
  write_content(sessions / ".file.draft-abcdef", "x");
  others.push_back(sessions / ".file.draft-abcdef");
  std::filesystem::create_directory_symlink(sessions / (".foo-" + ours),
                                            sessions / ".link.draft-abcdef");
  others.push_back(sessions / ".link.draft-abcdef");
  // Something of somebody else's, and one whose lock is held, wherever that process is counted.
  std::filesystem::create_directories(sessions / (".letters-" + ended));
  write_content(sessions / (".letters-" + ended) / "to Clara.txt", "x");
  others.push_back(sessions / (".letters-" + ended));
  std::filesystem::create_directories(sessions / (".held-" + ended));
  auto held = folder_lock::take(sessions / (".held-" + ended));
  REQUIRE(held);
  others.push_back(sessions / (".held-" + ended));
  // Somebody works at this one, here or in another process.
  auto alive = draft_folder::beside(sessions / "foo");
  REQUIRE(alive);
  write_content(alive->path() / "history.jsonl", "x");
  others.push_back(alive->path() / "history.jsonl");
  remove_dead_drafts(sessions);
  for (auto& path : others) {
    INFO(path);
    CHECK(std::filesystem::exists(path));
  }
  for (auto& draft : left) {
    INFO(draft);
    CHECK_FALSE(std::filesystem::exists(draft));
  }

  auto usb = home.path() / "usb";
  auto dead = left_by_a_killed_process(usb / "My Song.fermata");
  write_content(dead / "archive.aB3xYz", "x");
  auto another = left_by_a_killed_process(usb / "Song.fermata");
  auto worked_at = draft_folder::beside(usb / "My Song.fermata");
  REQUIRE(worked_at);
  remove_dead_drafts_of(usb / "My Song.fermata");
  CHECK_FALSE(std::filesystem::exists(dead));
  CHECK(std::filesystem::exists(another));
  CHECK(std::filesystem::exists(worked_at->path()));
}

TEST_CASE("a draft goes with whoever gives up, and stays in its place when it is finished") {
  temporary_folder home;
  auto target = home.path() / "sessions" / "foo";
  std::filesystem::path given_up;
  {
    auto draft = draft_folder::beside(target);
    REQUIRE(draft);
    given_up = draft->path();
    write_content(given_up / "x", "x");
  }
  CHECK_FALSE(std::filesystem::exists(given_up));
  {
    auto draft = draft_folder::beside(target);
    REQUIRE(draft);
    write_content(draft->path() / "x", "x");
    std::filesystem::rename(draft->path(), target);
    draft->finished();
  }
  CHECK(content_of(target / "x") == "x");
}

TEST_CASE("what is no archive is refused and makes no session") {
  temporary_folder home;
  auto file = home.path() / "x.fermata";
  auto to = home.path() / "sessions" / "x";
  CHECK_FALSE(read_archive_meta(file));
  for (std::string_view content : {"", "PK", "hello, this is no archive at all"}) {
    write_content(file, content);
    auto refused = read_archive_meta(file);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().first().message.find("x.fermata") != std::string::npos);
    CHECK_FALSE(unpack_archive(file, to, {"x", "x", {}, {}, {}}));
  }
  // One that was cut anywhere.
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    make_music(s);
  }
  REQUIRE(write_archive(folder, file));
  auto whole = content_of(file);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write_content(file, std::string_view{whole}.substr(0, size));
    CHECK_FALSE(unpack_archive(file, to, {"x", "x", {}, {}, {}}));
  }
  CHECK(stored_sessions(home.path()).empty());
  std::error_code failed;
  CHECK((!std::filesystem::exists(home.path() / "sessions") ||
         std::filesystem::is_empty(home.path() / "sessions", failed)));
}

}  // namespace fermata::io::session_archive_test
