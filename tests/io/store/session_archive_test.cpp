#include "io/store/session_archive.hpp"

#include "io/store/drafts.hpp"
#include "io/store/home.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace fermata::io {

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
    REQUIRE(put_folder_away(second, home.path() / "archive" / "second"));
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

/// The number of a process that is not there any more.
pid_t ended_process() {
  auto child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

}  // namespace

TEST_CASE("what a killed process left half made is cleaned up, and nothing else") {
  temporary_folder home;
  auto sessions = home.path() / "sessions";
  auto dead = std::to_string(ended_process()), alive = std::to_string(::getppid());
  auto folders = [&](const std::vector<std::string>& names) {
    for (auto& name : names) {
      std::filesystem::create_directories(sessions / name);
      write_content(sessions / name / "history.jsonl", "x");
    }
  };
  folders({".foo-" + dead, ".foo-bar-2-" + dead, ".foo-" + dead + "-unpacked"});
  std::vector<std::string> others = {
      ".foo-" + alive, ".foo-" + alive + "-unpacked", "foo-" + dead,   ".foo-" + dead + "x",
      ".Foo-" + dead,  ".foo-" + dead + "-mine",      ".foo--" + dead, "." + dead};
  folders(others);
  write_content(sessions / (".file-" + dead), "x");
  remove_dead_drafts(sessions);
  for (auto& name : others) {
    INFO(name);
    CHECK(std::filesystem::exists(sessions / name / "history.jsonl"));
  }
  CHECK(std::filesystem::exists(sessions / (".file-" + dead)));
  CHECK_FALSE(std::filesystem::exists(sessions / (".foo-" + dead)));
  CHECK_FALSE(std::filesystem::exists(sessions / (".foo-bar-2-" + dead)));
  CHECK_FALSE(std::filesystem::exists(sessions / (".foo-" + dead + "-unpacked")));

  auto usb = home.path() / "usb";
  std::filesystem::create_directories(usb);
  auto name = "." + std::string{"My Song.fermata-"} + dead;
  std::vector<std::string> left = {name, name + ".aB3xYz"},
                           kept = {name + ".txt", ".My Song.fermata-" + alive,
                                   ".Song.fermata-" + dead, "My Song.fermata-" + dead};
  for (auto& all : {left, kept})
    for (auto& file : all)
      write_content(usb / file, "x");
  remove_dead_drafts_of(usb / "My Song.fermata");
  for (auto& file : left)
    CHECK_FALSE(std::filesystem::exists(usb / file));
  for (auto& file : kept)
    CHECK(std::filesystem::exists(usb / file));
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

}  // namespace fermata::io
