#include "io/store/session_directory.hpp"

#include "core/session/commands/query.hpp"
#include "core/session/timeline/branches.hpp"
#include "core/session/timeline/decide.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

namespace fermata::io::session_directory_test {

TEST_CASE("a session that was closed is the same when it is opened again") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::optional<stored_session_by_hand> s{folder};
  make_music(*s);
  auto before = s->state;
  SECTION("from the journal alone") {}
  SECTION("from a checkpoint") { REQUIRE(s->directory->checkpoint(s->state)); }
  SECTION("from a checkpoint and what came after it") {
    REQUIRE(s->directory->checkpoint(s->state));
    s->line("(add (twice motif))");
    s->line("(def later (adder 5))");
    before = s->state;
  }
  s.reset();
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  CHECK(again.state.meta.name == "Another name");
  CHECK(again.state.meta.tags == std::vector<std::string>{"sketch"});
  // Functions work as before, captured values included.
  auto result = again.run("(adder 5)");
  REQUIRE(result);
  CHECK(output_text(*result) == "15");
  // What was done before can be taken back.
  auto steps = static_cast<std::int64_t>(again.state.undo.size());
  again.undo(steps);
  CHECK(again.state.score->parts.empty());
}

TEST_CASE("the deepest values that can be made are there again after a restart, with the score") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::optional<stored_session_by_hand> s{folder};
  auto looped = [](const char* seed, const char* wrapped, int n) {
    return std::string{"(let loop [l "} + seed + " i 0] (if (= i " + std::to_string(n) +
           ") l (loop " + wrapped + " (+ i 1))))";
  };
  auto deep = looped("1", "(list l)", 1'000);
  s->line("(note d4 :q) (def d " + deep + ") (note e4 :q)");
  s->line("(note f4 :q) " + deep);
  s->line("(def q " + looped("1", "`(a ,l)", 1'000) + ")");
  s->line("(def g " + looped("(fn [] 1)", "(fn [] l)", 998) + ")");
  s->line("(def part-of " + looped("(fn [] M3)", "(partial + l)", 998) + ")");
  s->line(looped("(fn [] M3)", "[l]", 998));
  for (std::int64_t i = 1; i <= s->state.history.size(); ++i)
    REQUIRE_FALSE(std::get<eval_entry>(s->state.history.at(i)->kind).failure);
  // One more of each is an error, and the session goes on.
  for (auto& text : {looped("1", "(list l)", 1'001), looped("1", "`(a ,l)", 20'000),
                     "(note d4 :q) (def more " + looped("1", "(list l)", 3'000) + ")",
                     "(def more " + looped("(fn [] 1)", "(fn [] l)", 20'000) + ")"}) {
    auto entry = s->line(text);
    auto& failure = std::get<eval_entry>(entry->kind).failure;
    REQUIRE(failure);
    CHECK(failure->first().code == errc::nesting_too_deep);
  }
  auto before = s->state;
  SECTION("from the journal alone") {}
  SECTION("from a checkpoint") { REQUIRE(s->directory->checkpoint(s->state)); }
  s.reset();
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  for (auto name : {"d", "q", "g", "part-of"})
    CHECK(nesting(again.state.env->bindings.at(name).bound) == 1'000);
  CHECK(std::get<eval_entry>(again.state.history.at(2)->kind).output ==
        std::get<eval_entry>(before.history.at(2)->kind).output);
}

TEST_CASE("opening from a checkpoint reads old entries only when they are asked for") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    for (int i = 0; i < 200; ++i)
      s.line("(+ 1 " + std::to_string(i) + ")");
    REQUIRE(s.directory->checkpoint(s.state));
  }
  stored_session_by_hand again{folder};
  CHECK(again.state.history.size() == 200);
  CHECK(again.state.history.resident() == 0);
  CHECK(std::get<eval_entry>(again.state.history.at(7)->kind).output_text == "7");
}

TEST_CASE("what is not UTF-8 is not written, and everything else still is") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    s.line("(+ 1 2)");
    auto before = content_of(folder / "history.jsonl");
    auto refused =
        s.directory->append({committed(s.state, user_message_entry{"caf\xe9"}, {}, timestamp{})});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().first().code == errc::invalid_utf8);
    CHECK(content_of(folder / "history.jsonl") == before);
    s.line("(+ 3 4)");
    auto renamed = s.state;
    renamed.meta.name = "caf\xe9";
    CHECK_FALSE(s.directory->remember_meta(renamed));
    renamed.meta.name = "caf\u00e9";
    CHECK(s.directory->remember_meta(renamed));
    auto set = s.state;
    set.settings["width"] = "\xff";
    CHECK_FALSE(s.directory->checkpoint(set));
    CHECK_FALSE(std::filesystem::exists(folder / "checkpoint.json"));
  }
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  CHECK(again.state.history.size() == 2);
}

TEST_CASE("what others wrote into meta.json stays there") {
  temporary_folder home;
  auto folder = home.path() / "s";
  { stored_session_by_hand s{folder}; }
  auto text = content_of(folder / "meta.json");
  text.insert(1, "\"colour\":\"green\",");
  write_content(folder / "meta.json", text);
  {
    stored_session_by_hand s{folder};
    s.line("(+ 1 1)");
    REQUIRE(s.directory->checkpoint(s.state));
  }
  CHECK(content_of(folder / "meta.json").find("\"colour\":\"green\"") != std::string::npos);
  auto summary = read_summary(folder);
  REQUIRE(summary);
  CHECK(summary->entries == 1);
}

TEST_CASE("how many entries a session has is known from the end of its journal") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto entries = [&] { return read_summary(folder).value().entries; };
  auto journal = folder / "history.jsonl";
  stored_session_by_hand s{folder};
  CHECK(entries() == 0);
  CHECK(last_index_in(journal) == 0);
  // Long lines and short ones, with the end of what is read at once anywhere in them.
  for (auto size : {1, 3'000, 5'000, 4'000, 70'000, 200'000, 2, 65'400}) {
    s.line("(def x \"" + std::string(static_cast<std::size_t>(size), 'x') + "\")");
    CHECK(entries() == s.state.history.size());
  }
  // What has no entry of its own, as a message that waits.
  for (int i = 0; i < 50; ++i)
    s.keep(queued(s.state, std::string(300, 'y'), {"claude", "mcp"}, s.now()));
  CHECK(entries() == 8);
  // A line that is being written.
  auto whole = content_of(journal);
  write_content(journal, whole + "{\"index\":9,\"time\"");
  CHECK(entries() == 8);
  write_content(journal, whole + "{\"index\":9}\n");
  CHECK(entries() == 9);
  // Every beginning of a journal has the entries whose lines are whole.
  std::string few = "{\"format\":\"fermata-history\",\"version\":1}\n";
  for (int i = 1; i <= 30; ++i)
    few += "{\"index\":" + std::to_string(i) + ",\"text\":\"" +
           std::string(static_cast<std::size_t>(i * 37 % 400), 'z') + "\"}\n";
  // It grows as a journal does: a file that is made shorter and written anew is put on the disk by
  // some systems at once, seven thousand times.
  std::ofstream growing{journal, std::ios::binary | std::ios::trunc};
  std::int64_t expected = 0, lines = 0;
  for (std::size_t size = 0;; ++size) {
    auto found = last_index_in(journal);
    if (found != expected) {
      INFO(size);
      CHECK(found == expected);
    }
    if (size == few.size()) break;
    growing.put(few[size]).flush();
    if (few[size] == '\n') expected = lines++;
  }
  CHECK(expected == 30);
  std::filesystem::remove(journal);
  CHECK(last_index_in(journal).error().first().code == errc::unreadable_file);
}

TEST_CASE("an entry whose change is missing is evaluated again") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.line("(note d4 :q)");
    before = s.state;
  }
  auto text = content_of(folder / "history.jsonl");
  // As a hand or a tool might have thinned the file out.
  for (auto at = text.find("\"change\":"); at != text.npos; at = text.find("\"change\":")) {
    auto end = text.find(",\"env\":", at);
    REQUIRE(end != text.npos);
    text.erase(at, end + 1 - at);
  }
  for (auto at = text.find(",\"crc\":"); at != text.npos; at = text.find(",\"crc\":"))
    text.erase(at, std::string_view{",\"crc\":\"01234567\""}.size());
  write_content(folder / "history.jsonl", text);
  stored_session_by_hand again{folder};
  check_same(before, again.state);
}

TEST_CASE("a long session finds each of its entries, whatever became of the index") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    for (int i = 1; i <= 500; ++i)
      s.line("(+ 0 " + std::to_string(i) + ")");
    REQUIRE(s.directory->checkpoint(s.state));
    for (int i = 501; i <= 530; ++i)
      s.line("(+ 0 " + std::to_string(i) + ")");
  }
  auto index = folder / "history.index";
  auto whole = content_of(index);
  SECTION("it is sound") {}
  SECTION("it is missing") { std::filesystem::remove(index); }
  SECTION("it is torn") { write_content(index, std::string_view{whole}.substr(0, 33)); }
  SECTION("it points to other places") {
    for (std::size_t i = 24; i + 8 < whole.size(); i += 8)
      whole[i] = static_cast<char>(whole[i] + 1);
    write_content(index, whole);
  }
  SECTION("it is something else") { write_content(index, std::string(4'000, 'x')); }
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  CHECK(again.state.history.size() == 530);
  for (std::int64_t i = 530; i >= 1; i -= 7)
    CHECK(std::get<eval_entry>(again.state.history.at(i)->kind).output_text == std::to_string(i));
  // A search reads the same entries as it would in memory.
  auto found = select(again.state.history, {.words = {"(+ 0 77)"}});
  REQUIRE(found.size() == 1);
  CHECK(found.front()->index == 77);
  CHECK(select(again.state.history, {.kinds = {"ai"}}).empty());
  CHECK(select(again.state.history, {.since = again.state.history.at(400)->time}).size() == 131);
  CHECK(select(again.state.history, {.until = again.state.history.at(400)->time}).size() == 400);
  CHECK(select(again.state.history, {.measures = std::pair{1, 2}}).empty());
  CHECK(select(again.state.history, {.author = "nobody"}).empty());
  for (auto name : {"You", "user", "you"})
    CHECK(select(again.state.history, {.author = name}).size() == 530);
}

TEST_CASE("what was done by somebody, or to the score, is found on disk as it is in memory") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto found_in = [](const session_state& s) {
    std::vector<std::vector<std::int64_t>> all;
    auto ask = [&](const history_query& q) { all.push_back(select_indices(s.history, q)); };
    for (auto name : {"claude", "Claude", "claude (mcp)", "a \"quoted\" one", "you", "user",
                      "nobody", "fermata", "word"})
      ask({.author = name});
    ask({.changes_only = true});
    return all;
  };
  std::vector<std::vector<std::int64_t>> in_memory;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.keep(committed(s.state, ai_message_entry{"author: \"nobody\""}, {"claude", "mcp"}, s.now()));
    s.keep(committed(s.state, ai_message_entry{"word"}, {"a \"quoted\" one", "ipc"}, s.now()));
    s.keep(
        committed(s.state, command_entry{":undo 2", "Undid In[9], In[8]: no change"}, {}, s.now()));
    s.keep(committed(s.state, command_entry{":branches", "* main"}, {}, s.now()));
    s.line("(+ 1 2)");
    in_memory = found_in(s.state);
    REQUIRE(s.directory->checkpoint(s.state));
  }
  using numbers = std::vector<std::int64_t>;
  CHECK(in_memory.front() == numbers{2});
  CHECK(in_memory.back() == numbers{1, 4});
  stored_session_by_hand again{folder};
  REQUIRE(again.state.history.is_on_disk(1));
  CHECK(found_in(again.state) == in_memory);
}

TEST_CASE("where nothing can be written a session can be looked at") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  {
    stored_session_by_hand s{folder};
    make_music(s);
    before = s.state;
  }
  auto names = [&] {
    std::map<std::string, std::uintmax_t> all;
    for (auto& item : std::filesystem::directory_iterator{folder})
      all[item.path().filename().string()] = item.file_size();
    return all;
  };
  std::ofstream{folder / "history.jsonl", std::ios::app} << "{\"index\":99,\"torn";
  auto files = names();
  auto opened = session_directory::open_read_only(folder);
  REQUIRE(opened);
  auto loaded = opened->load();
  REQUIRE(loaded);
  check_same(before, *loaded->state);
  CHECK_FALSE(opened->append({{{setting_changed{"display", "silent"}}}}));
  CHECK(names() == files);
}

TEST_CASE("nothing that was shown is lost when the process is killed") {
  // A real child writes and tells the parent of each entry after `append` has answered; the parent
  // kills it without warning after some of them.
  unsigned dice = 20260201;
  // More rounds: FERMATA_CRASH_ROUNDS=1000 tests_io "nothing that was shown*".
  auto rounds = std::getenv("FERMATA_CRASH_ROUNDS");
  for (int round = 0; round < (rounds ? std::atoi(rounds) : 24); ++round) {
    temporary_folder home;
    auto folder = home.path() / "s";
    int channel[2];
    REQUIRE(::pipe(channel) == 0);
    auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(channel[0]);
      stored_session_by_hand s{folder};
      for (int i = 0; i < 10'000; ++i) {
        auto entry =
            s.line(i % 3 == 0 ? "(note c4 :8)"
                              : "(def x" + std::to_string(i) + " " + std::to_string(i) + ")");
        if (i % 7 == 6 && !s.directory->checkpoint(s.state)) ::_exit(2);
        auto shown = entry->index;
        if (::write(channel[1], &shown, sizeof shown) != sizeof shown) ::_exit(1);
      }
      ::_exit(0);
    }
    ::close(channel[1]);
    dice = dice * 1'103'515'245 + 12'345;
    auto patience = 1 + (dice >> 16) % 25;
    std::int64_t last_shown = 0;
    unsigned told = 0;
    while (told < patience &&
           ::read(channel[0], &last_shown, sizeof last_shown) == sizeof last_shown)
      ++told;
    ::kill(child, SIGKILL);
    // What it told before the signal reached it counts as well.
    for (std::int64_t shown; ::read(channel[0], &shown, sizeof shown) == sizeof shown;)
      last_shown = shown;
    ::close(channel[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(told == patience);
    REQUIRE(WIFSIGNALED(status));

    stored_session_by_hand again{folder};
    INFO("round " << round << ", shown " << last_shown);
    CHECK(again.state.history.size() >= last_shown);
    // How many there are depends on when the signal arrives; the number of assertions does not.
    std::vector<std::int64_t> of_another_kind;
    // The same score as one that was never interrupted.
    session_by_hand uninterrupted;
    for (std::int64_t i = 1; i <= again.state.history.size(); ++i) {
      auto entry = again.state.history.at(i);
      if (auto eval = std::get_if<eval_entry>(&entry->kind))
        uninterrupted.type(eval->text);
      else
        of_another_kind.push_back(i);
    }
    CHECK(of_another_kind == std::vector<std::int64_t>{});
    CHECK(content_hash(*again.state.score) == content_hash(*uninterrupted.state.score));
  }
}

TEST_CASE("meta.json is written when it says something new, and only then") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto looked_at = [&] { return look_at_file(folder / "meta.json"); };
  { stored_session_by_hand s{folder}; }
  auto first = looked_at();
  REQUIRE(first);
  {
    stored_session_by_hand s{folder};  // opened again, with nothing in it
  }
  CHECK(looked_at() == first);
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    REQUIRE(s.directory->checkpoint(s.state));
  }
  auto second = looked_at();
  CHECK_FALSE(second == first);
  std::filesystem::remove(folder / "meta.json");
  {
    stored_session_by_hand s{folder};
    REQUIRE(s.directory->checkpoint(s.state));
  }
  CHECK(looked_at());
}

}  // namespace fermata::io::session_directory_test
