#include "io/protocol/instance.hpp"
#include "io/protocol/tcp_listener.hpp"
#include "io/store/entries_on_disk.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::disk_errors_test {

namespace {

const error& why(const error& e) { return e; }
const error& why(const lock_failure& e) { return e.why; }

template <class R>
void fails_with(errc code, const std::filesystem::path& named, const R& r) {
  INFO(named);
  REQUIRE_FALSE(r);
  auto& first = why(r.error()).first();
  INFO(first.message);
  CHECK(std::string{info(first.code).name} == info(code).name);
  CHECK(first.message.find(named.string()) != std::string::npos);
  CHECK_FALSE(first.hint.empty());
}

}  // namespace

// Files in the way of folders, and folders in the way of files: they stop even root.
TEST_CASE("what the disk refuses is told as what it is, with the file and what to do") {
  temporary_folder home;
  auto at = [&](std::string_view name) { return home.path() / name; };
  write_content(at("file"), "x");
  std::filesystem::create_directories(at("folder"));
  session_meta meta{"s", "s", {}, {}, {}};
  {
    stored_session_by_hand s{at("s")};
    s.line("(+ 1 1)");
  }
  auto read = errc::unreadable_file, write = errc::unwritable_file;
  SECTION("reading") {
    fails_with(read, at("nothing"), read_file(at("nothing")));
    fails_with(read, at("folder"), read_file(at("folder")));
    fails_with(read, at("nothing"), session_directory::open_read_only(at("nothing")));
    fails_with(read, at("nothing"), read_summary(at("nothing")));
    fails_with(read, at("nothing"), read_meta(at("nothing")));
    fails_with(read, at("nothing"), entries_on_disk::of_file(at("nothing")));
    fails_with(read, at("nothing"), write_archive(at("nothing"), at("out.fermata")));
    fails_with(read, at("nothing"), copy_session(at("nothing"), at("copy"), meta));
  }
  SECTION("writing") {
    fails_with(write, at("folder"), replace_file(at("folder"), "x"));
    fails_with(write, at("file"), replace_file(at("file") / "x", "x"));
    fails_with(write, at("file"), make_private_folder(at("file") / "x"));
    fails_with(write, at("file"), can_write_in(at("file")));
    fails_with(write, at("file"), session_directory::open(at("file"), meta));
    fails_with(write, at("file"), session_directory::make(at("file"), meta));
    fails_with(write, at("file"), remember_active_session(at("file"), "s"));
    fails_with(write, at("folder"), move_folder(at("s"), at("folder")));
    fails_with(write, at("nothing"), move_folder(at("nothing"), at("elsewhere")));
    fails_with(write, at("nothing"),
               can_move_to_archive_or_trash(at("nothing"), at("elsewhere"), false));
    fails_with(write, at("folder"), can_move_to_archive_or_trash(at("s"), at("folder"), false));
    fails_with(write, at("folder"), write_archive(at("s"), at("folder")));
    fails_with(write, at("nowhere"), write_archive(at("s"), at("nowhere") / "out.fermata"));
    fails_with(write, at("file"), copy_session(at("s"), at("file") / "copy", meta));
    fails_with(write, at("file"), protocol::socket_file::listen(at("file")));
    fails_with(write, at("file"), protocol::tcp_token(at("file")));
  }
  SECTION("what somebody else writes to, or we may not") {
    auto lock = folder_lock::take(at("s"));
    REQUIRE(lock);
    fails_with(write, at("s"), session_directory::open(at("s"), meta));
    fails_with(write, at("s"), move_to_archive_or_trash(at("s"), at("elsewhere")));
    auto looked = session_directory::open_read_only(at("s"));
    REQUIRE(looked);
    fails_with(write, at("s"), looked->append({}));
  }
}

}  // namespace fermata::io::disk_errors_test
