#include "io/store/file.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>

namespace fermata::io::links_test {

TEST_CASE("nothing is written through a symbolic link in the folder of a session") {
  temporary_folder home;
  auto folder = home.path() / "s", elsewhere = home.path() / "precious";
  write_content(elsewhere, "precious\n");
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    REQUIRE(s.directory->checkpoint(s.state));
  }
  session_meta meta{"s", "s", {}, {}, {}};
  SECTION("the lock and the journal: the session is not opened") {
    for (auto name : {"journal.lock", "history.jsonl"}) {
      CAPTURE(name);
      std::filesystem::rename(folder / name, folder / "kept");
      std::filesystem::create_symlink(elsewhere, folder / name);
      auto opened = session_directory::open(folder, meta);
      REQUIRE_FALSE(opened);
      auto& why = opened.error().why.first();
      CHECK(why.message.find(name) != std::string::npos);
      CHECK(why.hint.find("symbolic link") != std::string::npos);
      std::filesystem::rename(folder / "kept", folder / name);
    }
  }
  SECTION("files that are replaced: the link goes, not what it leads to") {
    for (auto name : {"score.ferm", "env.json", "checkpoint.json", "meta.json", "history.index"}) {
      for (auto which : {std::string{name}, std::string{name} + ".new"}) {
        std::filesystem::remove(folder / which);
        std::filesystem::create_symlink(elsewhere, folder / which);
      }
    }
    auto opened = session_directory::open(folder, meta);
    REQUIRE(opened);
    auto loaded = opened->load();
    REQUIRE(loaded);
    CHECK(loaded->state->history.size() == 1);
    REQUIRE(opened->checkpoint(*loaded->state));
    CHECK_FALSE(std::filesystem::is_symlink(folder / "score.ferm"));
  }
  CHECK(read_file(elsewhere).value() == "precious\n");
}

TEST_CASE("a pipe in the place of a file hangs nobody who wants to write it") {
  temporary_folder home;
  auto pipe = home.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_FALSE(open_to_write(pipe, O_WRONLY | O_CREAT));
  CHECK_FALSE(open_to_write(pipe, O_RDWR | O_CREAT));
}

}  // namespace fermata::io::links_test
