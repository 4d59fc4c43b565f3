#include "io/store/session_directory.hpp"

#include "core/session/branches.hpp"
#include "core/session/query.hpp"
#include "io/store/home.hpp"
#include "io/store/session_archive.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace fermata::io {

namespace {

/// Some of everything: music, definitions, errors, undo, words, a proposal, settings.
void make_music(stored_session_by_hand& s) {
  s.line("(part :piano (measure (key d :major) (note c#5 :q) (chord (d4 f#4 a4) :h.)))");
  s.line("(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))");
  s.line("(def twice (fn [m] (seq m m)))");
  s.line("(def adder (let [k 10] (fn [n] (+ k n))))");
  s.line("(twice motif)");
  s.line("(nonsense)");
  s.line("(list 1/3 \"two\" :q 'x [1 2] nil true)");
  s.undo(1);
  s.line("(note a4 :q :staccato)");
  s.keep(queued(s.state, "shall we?", {"claude", "mcp"}, s.now()));
  for (auto& t : everything_waiting(s.state, s.now()))
    s.keep(t);
  s.keep(queued(s.state, "not yet read", {"claude", "mcp"}, s.now()));
  auto e = s.run("(note b4 :q)");
  REQUIRE(e);
  s.keep(proposed(s.state, 1, "(note b4 :q)", {"claude", "mcp"}, 1, *e, s.now()));
  s.keep({{setting_changed{"display", "summary"}}});
  s.keep({{answer_given{{"claude", "key-1", 1, std::nullopt, "x", "no change", 1, false}}}});
  // Two branches beside this one, one of them entered and left again.
  auto past = state_after(s.state, 1);
  REQUIRE(past);
  auto command = [&](std::vector<journal_event> events, score_delta delta = {},
                     environment_delta env_change = {}) {
    command_entry entry;
    entry.text = ":branch";
    entry.delta = std::move(delta);
    entry.env_change = std::move(env_change);
    entry.revision_before = s.state.revision;
    entry.revision_after = s.state.revision + (entry.delta.empty() ? 0 : 1);
    auto t = committed(s.state, entry, {}, s.now());
    t.events.insert(t.events.end(), events.begin(), events.end());
    s.keep(t);
  };
  command({branch_made{"early", 1, s.now(), diff_snapshots(s.state.score, past->score),
                       difference(*s.state.env, *past->env)}});
  command({branch_made{"here", s.state.history.size(), s.now(), {}, {}}});
  auto go_to = [&](const std::string& name) {
    auto b = find_branch(s.state, name);
    command({branch_switched{name}}, diff_snapshots(s.state.score, b->score),
            difference(*s.state.env, *b->env));
  };
  go_to("early");
  s.line("(note e5 :h)");
  go_to("main");
  auto merge = merged(s.state, *find_branch(s.state, "early"), std::nullopt, true);
  REQUIRE(merge);
  command({step_made{}, branch_merged{"early", 1, 2}}, diff_snapshots(s.state.score, merge->score));
  go_to("here");
  go_to("main");
  s.keep({{policy_changed{"claude", remote_policy::allow, false}}});
  s.keep({{meta_changed{"Another name", std::vector<std::string>{"sketch"}}}});
}

std::string content_of(const std::filesystem::path& path) {
  auto text = read_file(path);
  REQUIRE(text);
  return *text;
}

void write_content(const std::filesystem::path& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

}  // namespace

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
    s->line("(twice motif)");
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

TEST_CASE("a journal that breaks off anywhere loses at most the line that was being written") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::vector<std::uint64_t> ends;  // bytes after each transition
  std::vector<session_state> states;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.line("(def x 1)");
    for (auto line : {"(note d4 :q)", "(nonsense)", "(def y (note e4 :h))"}) {
      ends.push_back(std::filesystem::file_size(folder / "history.jsonl"));
      states.push_back(s.state);
      s.line(line);
    }
    ends.push_back(std::filesystem::file_size(folder / "history.jsonl"));
    states.push_back(s.state);
  }
  auto whole = content_of(folder / "history.jsonl");
  for (auto size = ends.front(); size <= ends.back(); ++size) {
    auto cut = home.path() / "cut";
    std::filesystem::remove_all(cut);
    std::filesystem::create_directory(cut);
    write_content(cut / "history.jsonl", std::string_view{whole}.substr(0, size));
    stored_session_by_hand again{cut};
    std::size_t sound = 0;
    while (sound + 1 < ends.size() && ends[sound + 1] <= size)
      ++sound;
    INFO("cut at byte " << size);
    CHECK(again.state.history.size() == states[sound].history.size());
    CHECK(content_hash(*again.state.score) == content_hash(*states[sound].score));
    CHECK(again.remarks.empty() == (ends[sound] == size));
    // It goes on from there.
    auto next = again.line("(+ 1 1)");
    CHECK(next->index == states[sound].history.next_index());
  }
}

TEST_CASE("damage before a checkpoint costs one entry to look at and nothing else") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    for (auto line : {"(def a 1)", "(def b 2)", "(def c 3)"})
      s.line(line);
    REQUIRE(s.directory->checkpoint(s.state));
  }
  auto text = content_of(folder / "history.jsonl");
  text[text.find("(def b")] = '\x01';
  write_content(folder / "history.jsonl", text);
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  CHECK(again.state.history.size() == 3);
  CHECK(again.state.env->bindings.size() == 3);
  CHECK(std::get<system_entry>(again.state.history.at(2)->kind).event == "unreadable");
  CHECK(std::get<eval_entry>(again.state.history.at(3)->kind).text == "(def c 3)");
}

TEST_CASE("a damaged or foreign file beside the journal is kept and replaced from the journal") {
  for (auto name : {"checkpoint.json", "env.json", "score.ferm", "meta.json"}) {
    temporary_folder home;
    auto folder = home.path() / "s";
    session_state before;
    {
      stored_session_by_hand s{folder};
      make_music(s);
      REQUIRE(s.directory->checkpoint(s.state));
      before = s.state;
    }
    INFO(name);
    auto exact = content_of(folder / "checkpoint.json").find("\"score\":") == std::string::npos;
    for (std::string_view content : {"", "{", "(score (part :flute (measure (note c9 :w))))"}) {
      write_content(folder / name, content);
      stored_session_by_hand again{folder};
      check_same(before, again.state);
      if (name != std::string_view{"score.ferm"} || exact) CHECK_FALSE(again.remarks.empty());
      REQUIRE(again.directory->checkpoint(again.state));
    }
  }
}

TEST_CASE("a file of something else is not taken for a journal, nor one of a newer Fermata") {
  temporary_folder home;
  for (std::string_view first : {"hello\n", "{\"format\":\"x\"}\n",
                                 "{\"format\":\"fermata-history\",\"version\":2,"
                                 "\"session\":\"s\",\"created\":\"2026-02-01T00:00:00.000Z\"}\n"}) {
    auto folder = home.path() / "s";
    std::filesystem::create_directories(folder);
    write_content(folder / "history.jsonl", first);
    auto opened = session_directory::open(folder, {"s", "s", {}, {}, {}});
    INFO(first);
    CHECK_FALSE(opened);
    CHECK(content_of(folder / "history.jsonl") == first);
  }
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
}

TEST_CASE("a score that somebody edits is noticed, kept, and offered once") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  auto edit = "(score (part :flute (measure (note c6 :w))))\n";
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    REQUIRE(s.directory->checkpoint(s.state));
    CHECK_FALSE(s.directory->score_was_edited());
    CHECK_FALSE(s.directory->edited_score());
    SECTION("while the session is open") {
      write_content(folder / "score.ferm", edit);
      CHECK(s.directory->score_was_edited());
      CHECK_FALSE(s.directory->score_was_edited());
      // The next checkpoint does not destroy it.
      REQUIRE(s.directory->checkpoint(s.state));
      CHECK_FALSE(s.directory->score_was_edited());
      CHECK(s.directory->edited_score() == edit);
      s.directory->forget_edited_score();
      CHECK_FALSE(s.directory->edited_score());
      return;
    }
    before = s.state;
  }
  write_content(folder / "score.ferm", edit);
  stored_session_by_hand again{folder};
  check_same(before, again.state);
  REQUIRE(again.remarks.size() == 1);
  CHECK(again.remarks.front().find("`:reload`") != std::string::npos);
  CHECK(again.directory->edited_score() == edit);
}

TEST_CASE("a checkpoint that was interrupted is no edit of the score") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  std::optional<std::string> old_checkpoint;
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    SECTION("the first one") {}
    SECTION("a later one") {
      REQUIRE(s.directory->checkpoint(s.state));
      old_checkpoint = content_of(folder / "checkpoint.json");
    }
    s.line("(part :flute (measure (note c6 :w)))");
    REQUIRE(s.directory->checkpoint(s.state));
    before = s.state;
  }
  // score.ferm is written first, checkpoint.json last.
  std::filesystem::remove(folder / "checkpoint.json");
  if (old_checkpoint) write_content(folder / "checkpoint.json", *old_checkpoint);
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  CHECK_FALSE(again.directory->edited_score());
  again.line("(+ 1 1)");
  CHECK_FALSE(again.directory->score_was_edited());
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

TEST_CASE("the session that was active last is remembered") {
  temporary_folder home;
  CHECK(active_session(home.path()).empty());
  REQUIRE(remember_active_session(home.path(), "bach"));
  CHECK(active_session(home.path()) == "bach");
  for (std::string_view content : {"", "{", "{\"session\":3}", "{\"session\":\"../etc\"}"}) {
    write_content(home.path() / "active-session.json", content);
    CHECK(active_session(home.path()).empty());
  }
}

TEST_CASE("nothing that was shown is lost when the process is killed") {
  // A real child writes and tells the parent of each entry after `append` has answered; the parent
  // kills it without warning after some of them.
  unsigned dice = 20260201;
  // More rounds: FERMATA_CRASH_ROUNDS=1000 tests_io "nothing that was shown*".
  auto wish = std::getenv("FERMATA_CRASH_ROUNDS");
  for (int round = 0; round < (wish ? std::atoi(wish) : 24); ++round) {
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
    for (unsigned i = 0; i < patience; ++i)
      REQUIRE(::read(channel[0], &last_shown, sizeof last_shown) == sizeof last_shown);
    ::kill(child, SIGKILL);
    // What it told before the signal reached it counts as well.
    for (std::int64_t shown; ::read(channel[0], &shown, sizeof shown) == sizeof shown;)
      last_shown = shown;
    ::close(channel[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));

    stored_session_by_hand again{folder};
    INFO("round " << round << ", shown " << last_shown);
    CHECK(again.state.history.size() >= last_shown);
    for (std::int64_t i = 1; i <= again.state.history.size(); ++i)
      CHECK(std::holds_alternative<eval_entry>(again.state.history.at(i)->kind));
    // The same score as one that was never interrupted.
    session_by_hand uninterrupted;
    for (std::int64_t i = 1; i <= again.state.history.size(); ++i)
      uninterrupted.type(std::get<eval_entry>(again.state.history.at(i)->kind).text);
    CHECK(content_hash(*again.state.score) == content_hash(*uninterrupted.state.score));
  }
}

TEST_CASE("a journal that lost what had been shown leaves the saved score to be taken") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::string saved;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.line("(note d4 :q)");
    s.line("(note e4 :q)");
    REQUIRE(s.directory->checkpoint(s.state));
    saved = content_of(folder / "score.ferm");
  }
  auto whole = content_of(folder / "history.jsonl");
  auto first_entry = whole.find('\n', whole.find('\n') + 1) + 1;
  struct damage {
    std::string_view left;
    std::int64_t entries;
    bool half_a_line;
  };
  auto view = std::string_view{whole};
  for (auto [left, entries, half_a_line] :
       {damage{view.substr(0, first_entry), 1, false},
        damage{view.substr(0, first_entry + 20), 1, true}, damage{view.substr(0, 0), 0, false},
        damage{view.substr(0, 10), 0, true}}) {
    auto cut = home.path() / "cut";
    std::filesystem::remove_all(cut);
    std::filesystem::copy(folder, cut);
    write_content(cut / "history.jsonl", left);
    stored_session_by_hand again{cut};
    INFO(left.size() << " bytes are left");
    CHECK(again.state.history.size() == entries);
    auto remarks = std::string{};
    for (auto& remark : again.remarks)
      remarks += remark + '\n';
    INFO(remarks);
    CHECK(remarks.find("entries at its end are lost") != std::string::npos);
    CHECK(remarks.find("never been shown") == std::string::npos);
    CHECK(remarks.find(":reload") != std::string::npos);
    auto offered = again.directory->edited_score();
    REQUIRE(offered);
    CHECK(*offered == saved);
    CHECK(std::filesystem::exists(cut / "history.jsonl.damaged-1") == half_a_line);
    if (half_a_line) CHECK(view.find(content_of(cut / "history.jsonl.damaged-1")) != view.npos);
    // It goes on, and says it once.
    again.line("(def x 1)");
    REQUIRE(again.directory->checkpoint(again.state));
    again.directory.reset();
    stored_session_by_hand later{cut};
    CHECK(later.remarks.empty());
    CHECK(later.directory->edited_score());
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

}  // namespace fermata::io
