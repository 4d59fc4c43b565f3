#include "io/terminal/history_file.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>

namespace fermata::io::history_file_test {

namespace fs = std::filesystem;

namespace {

struct folder {
  fs::path path;
  folder() {
    auto name = (fs::temp_directory_path() / "fermata-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    path = name;
  }
  ~folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("an expression over several lines comes back as one input") {
  folder f;
  history_file h{f.path / "sub" / "history"};
  REQUIRE(h.open());
  REQUIRE(h.append("(seq\n  c4 \"a\\nb\"\n  d4)"));
  REQUIRE(h.append(":score"));
  CHECK(*h.open() == std::vector<std::string>{"(seq\n  c4 \"a\\nb\"\n  d4)", ":score"});
}

TEST_CASE("the history is for its owner only") {
  folder f;
  history_file h{f.path / "history"};
  REQUIRE(h.open());
  CHECK((fs::status(f.path / "history").permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("blank inputs and pasted books are not kept") {
  folder f;
  history_file h{f.path / "history"};
  CHECK_FALSE(*h.append(" \n"));
  CHECK_FALSE(*h.append(std::string(history_file::longest + 1, 'x')));
  CHECK(h.open()->empty());
}

TEST_CASE("two prompts that write at the same time lose and mix nothing") {
  folder f;
  history_file h{f.path / "history"};
  REQUIRE(h.open());
  constexpr int children = 4, each = 200;
  for (int c = 0; c < children; ++c)
    if (::fork() == 0) {
      bool good = true;
      for (int i = 0; i < each; ++i)
        good = h.append(std::to_string(c) + '\n' + std::string(300, static_cast<char>('a' + c)))
                   .value_or(false) &&
               good;
      ::_exit(good ? 0 : 1);
    }
  for (int c = 0; c < children; ++c) {
    int status = 1;
    ::wait(&status);
    CHECK(status == 0);
  }
  auto all = h.open();
  REQUIRE(all);
  CHECK(all->size() == children * each);
  for (auto& i : *all)
    CHECK(i.substr(2) == std::string(300, static_cast<char>('a' + i[0] - '0')));
}

TEST_CASE("an input after an incomplete record is a separate record") {
  folder f;
  history_file h{f.path / "history"};
  {
    std::ofstream out{f.path / "history"};
    out << "(first)\n(torn in the mid";  // the power went
  }
  REQUIRE(h.append("(second)"));
  CHECK(*h.open() == std::vector<std::string>{"(first)", "(torn in the mid", "(second)"});
}

TEST_CASE("an input for which there is no room leaves no half of itself behind") {
  folder f;
  history_file h{f.path / "history"};
  REQUIRE(h.append("(first)"));
  if (auto child = ::fork(); child == 0) {
    // Files may grow to 12 bytes: room for a part of what comes.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{12, 12};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(h.append("(second)") ? 1 : 0);
  } else {
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  REQUIRE(h.append("(third)"));
  CHECK(*h.open() == std::vector<std::string>{"(first)", "(third)"});
}

TEST_CASE("nothing is lost while the file is shortened under those who write to it") {
  folder f;
  history_file h{f.path / "history"};
  auto too_long = [&](int round) {
    std::string lines;
    for (std::size_t i = 0; i < 2 * history_file::kept + 1; ++i)
      lines += "old " + std::to_string(round) + '\n';
    auto fd = ::open((f.path / "history").c_str(), O_WRONLY | O_APPEND | O_CREAT, 0600);
    REQUIRE(fd >= 0);
    REQUIRE(::flock(fd, LOCK_EX) == 0);  // as every writer does
    CHECK(::write(fd, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()));
    ::close(fd);
  };
  constexpr int children = 3, more = 20;
  struct shared {
    std::atomic<bool> over = false;
    std::array<std::atomic<int>, children> last = {};
  };
  auto memory =
      ::mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto& all_know = *new (memory) shared;
  for (int c = 0; c < children; ++c)
    if (::fork() == 0) {
      bool good = true;
      // All the while, and some more when nothing is shortened any more.
      for (int i = 0, left = more; good && left > 0; ++i) {
        if (all_know.over) --left;
        good = h.append("new " + std::to_string(c) + ' ' + std::to_string(i)).value_or(false);
        all_know.last[c] = good ? i : 1'000'000'000;  // nobody waits for one that failed
      }
      ::_exit(good ? 0 : 1);
    }
  for (int round = 0; round < 5; ++round) {
    too_long(round);
    // Each writes on: a gap in what it wrote around the replacement can be seen from both sides.
    for (auto& last : all_know.last)
      for (int before = last; last < before + 3;)
        ::sched_yield();
    REQUIRE(h.open());
  }
  all_know.over = true;
  for (int c = 0; c < children; ++c) {
    int status = 1;
    ::wait(&status);
    CHECK(status == 0);
  }
  // The newest ones are kept: of each writer an unbroken run up to its last input.
  auto all = h.open();
  REQUIRE(all);
  std::map<int, std::vector<int>> runs;
  for (auto& line : *all)
    if (line.rfind("new ", 0) == 0)
      runs[std::stoi(line.substr(4, 1))].push_back(std::stoi(line.substr(6)));
  for (int c = 0; c < children; ++c) {
    auto& numbers = runs[c];
    REQUIRE(numbers.size() >= more);
    for (std::size_t i = 1; i < numbers.size(); ++i)
      CHECK(numbers[i] == numbers[i - 1] + 1);
    CHECK(numbers.back() == all_know.last[c]);
  }
  ::munmap(memory, sizeof(shared));
}

TEST_CASE("a history that is a link stays one") {
  folder f;
  {
    std::ofstream out{f.path / "elsewhere"};
    for (std::size_t i = 0; i < 2 * history_file::kept + 1; ++i)
      out << i << '\n';
  }
  fs::create_symlink(f.path / "elsewhere", f.path / "history");
  REQUIRE(history_file{f.path / "history"}.open());
  CHECK(fs::is_symlink(f.path / "history"));
  CHECK(history_file{f.path / "elsewhere"}.open()->size() == history_file::kept);
}

TEST_CASE("a file that has grown too long is shortened to its newest inputs") {
  folder f;
  history_file h{f.path / "history"};
  {
    std::ofstream out{f.path / "history"};
    for (std::size_t i = 1; i <= 2 * history_file::kept + 1; ++i)
      out << i << '\n';
  }
  auto inputs = h.open();
  REQUIRE(inputs);
  CHECK(inputs->size() == history_file::kept);
  CHECK(inputs->back() == std::to_string(2 * history_file::kept + 1));
  REQUIRE(h.append("next"));
  std::ifstream in{f.path / "history"};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  CHECK(std::count(text.begin(), text.end(), '\n') ==
        static_cast<std::ptrdiff_t>(history_file::kept) + 1);
}

}  // namespace fermata::io::history_file_test
