#include "core/score/model/content_hash.hpp"
#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <map>
#include <set>

// What a disk can do to the files of a session: bytes that flip, files that break off, blocks of
// zeros as ext4 leaves them after a power cut, files that are empty or gone.

namespace fermata::io::damage_test {

namespace {

/// A session with some of everything, and how its score looked at every moment that was shown.
struct seen_session {
  std::filesystem::path folder;
  std::set<std::uint64_t> scores;
  std::vector<std::string> texts;  ///< of its entries
  session_state last;

  /// `checkpoint_after`: so many lines; 0: never.
  seen_session(std::filesystem::path where, std::size_t checkpoint_after)
    : folder(std::move(where)) {
    stored_session_by_hand s{folder};
    scores.insert(content_hash(*s.state.score));
    std::size_t n = 0;
    for (auto line : {"(part :piano (measure (note c4 :w)))", "(def x 1)", "(+ x 1)",
                      "(note d4 :w)", "(nonsense)", "(def y (note e4 :h))", "(note f4 :q)"}) {
      s.line(line);
      scores.insert(content_hash(*s.state.score));
      if (++n == 3) s.keep(queued(s.state, "shall we?", {"claude", "mcp"}, s.now()));
      if (n == checkpoint_after) REQUIRE(s.directory->checkpoint(s.state));
    }
    last = s.state;
    for (std::int64_t i = 1; i <= last.history.size(); ++i)
      texts.push_back(std::get<eval_entry>(last.history.at(i)->kind).text);
  }

  /// The session opens with what is sound: a score that was seen, entries that are what they were
  /// or are said to be unreadable, and not a word less than the truth of what is missing. Then it
  /// goes on, and the next time nothing is missed any more.
  void check(const std::filesystem::path& damaged, bool may_go_unnoticed) const {
    std::uint64_t hash = 0;
    std::int64_t size = 0;
    {
      stored_session_by_hand s{damaged};
      auto& h = s.state.history;
      std::int64_t lost = last.history.size() - h.size();
      REQUIRE(lost >= 0);
      for (std::int64_t i = 1; i <= h.size(); ++i) {
        auto entry = h.at(i);
        CHECK(entry->index == i);
        if (auto eval = std::get_if<eval_entry>(&entry->kind)) {
          CHECK(eval->text == texts[static_cast<std::size_t>(i - 1)]);
        } else {
          ++lost;
          CHECK(std::get<system_entry>(entry->kind).event == "unreadable");
        }
      }
      CHECK(scores.contains(content_hash(*s.state.score)));
      if (!may_go_unnoticed && s.remarks.empty()) {
        // The checkpoint has what the lost entries did.
        CHECK(content_hash(*s.state.score) == content_hash(*last.score));
        CHECK(h.size() == last.history.size());
        CHECK(s.state.env->bindings.size() == last.env->bindings.size());
        CHECK(s.state.queue.size() == last.queue.size());
      }
      auto next = s.line("(+ 40 2)");
      CHECK(next->index == h.size());
      hash = content_hash(*s.state.score);
      size = h.size();
      REQUIRE(s.directory->checkpoint(s.state));
    }
    stored_session_by_hand again{damaged};
    CHECK(again.remarks.empty());
    CHECK(content_hash(*again.state.score) == hash);
    CHECK(again.state.history.size() == size);
  }
};

/// Copies the session and has its file changed.
void with_damage(const seen_session& s, const std::string& name, bool may_go_unnoticed,
                 const std::function<void(std::string& text)>& damage) {
  auto copy = s.folder.parent_path() / "copy";
  std::filesystem::remove_all(copy);
  std::filesystem::copy(s.folder, copy);
  auto text = content_of(copy / name);
  damage(text);
  write_content(copy / name, text);
  s.check(copy, may_go_unnoticed);
}

constexpr std::size_t checkpoints[] = {0, 4, 7};

bool is_there(const seen_session& s, const std::string& name) {
  return std::filesystem::exists(s.folder / name);
}

}  // namespace

TEST_CASE("a flipped byte anywhere in a session's files is noticed, and costs what it touches") {
  for (auto checkpoint_after : checkpoints) {
    temporary_folder home;
    seen_session s{home.path() / "s", checkpoint_after};
    for (std::string name : {"history.jsonl", "score.ferm", "env.json", "checkpoint.json"}) {
      if (!is_there(s, name)) continue;
      auto size = std::filesystem::file_size(s.folder / name);
      auto head = name == "history.jsonl" ? content_of(s.folder / name).find('\n') + 12 : 0;
      for (std::size_t at = 0; at < size; at += at < head ? 1 : 97)
        with_damage(s, name, false, [&](std::string& text) {
          auto bit = static_cast<unsigned char>(1U << (at % 7));
          INFO(name << ", byte " << at << ", checkpoint after " << checkpoint_after);
          // A number of a newer format is believed: such a file is left alone.
          if (at < head && text[at] == '1' && text.substr(at - 10, 10) == "\"version\":") return;
          text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ bit);
        });
    }
  }
}

TEST_CASE("each line of a journal can be lost without the others") {
  temporary_folder home;
  seen_session s{home.path() / "s", 0};
  auto whole = content_of(s.folder / "history.jsonl");
  std::vector<std::size_t> begins{0};
  for (auto at = whole.find('\n'); at + 1 < whole.size(); at = whole.find('\n', at + 1))
    begins.push_back(at + 1);
  REQUIRE(begins.size() == 9);
  for (std::size_t line = 0; line < begins.size(); ++line) {
    auto copy = home.path() / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(s.folder, copy);
    auto text = whole;
    text[begins[line] + 20] = '\x01';
    write_content(copy / "history.jsonl", text);
    INFO("line " << line);
    {
      stored_session_by_hand again{copy};
      CHECK(again.remarks.size() == 1);
      auto& h = again.state.history;
      // Lines 1, 5 and 8 changed the score, and so what stands on it cannot stand; 4 is a message.
      auto sound = line == 1 ? 0 : line == 5 ? 3 : line == 8 ? 6 : 7;
      CHECK(h.size() == sound);
      auto unreadable = 0;
      for (std::int64_t i = 1; i <= h.size(); ++i)
        unreadable += std::holds_alternative<system_entry>(h.at(i)->kind) ? 1 : 0;
      CHECK(unreadable == (line == 2 || line == 3 || line == 6 || line == 7 ? 1 : 0));
      CHECK(again.state.queue.size() == (line == 4 || line == 1 || line == 5 ? line == 5 : 1));
    }
    // What was cut off, and the first line that was written anew, are kept.
    auto kept = line == 0 || line == 1 || line == 5 || line == 8;
    CHECK(std::filesystem::exists(copy / "history.jsonl.damaged-1") == kept);
    CHECK(std::filesystem::exists(copy / "history.jsonl.damaged-1.reason") == kept);
    if (kept && line > 0)
      CHECK(content_of(copy / "history.jsonl.damaged-1") == text.substr(begins[line]));
    s.check(copy, true);
  }
}

TEST_CASE("a session whose first line is gone is the same session") {
  for (auto checkpoint_after : checkpoints) {
    temporary_folder home;
    seen_session s{home.path() / "s", checkpoint_after};
    auto whole = content_of(s.folder / "history.jsonl");
    auto second = whole.find('\n') + 1;
    std::map<std::string, std::string> ways{
        {"zeros", std::string(second, '\0') + whole.substr(second)},
        {"zeros up to the next", std::string(second - 1, '\0') + whole.substr(second - 1)},
        {"no newline", whole.substr(0, second - 1) + whole.substr(second)},
        {"another newline", whole.substr(0, 9) + '\n' + whole.substr(10)},
        {"missing", whole.substr(second)},
        {"short", "x\n" + whole.substr(second)},
        {"something else", std::string(100'000, 'x') + whole.substr(second - 1)}};
    for (auto& [way, text] : ways) {
      auto copy = home.path() / "copy";
      std::filesystem::remove_all(copy);
      std::filesystem::copy(s.folder, copy);
      write_content(copy / "history.jsonl", text);
      INFO(way << ", checkpoint after " << checkpoint_after);
      {
        stored_session_by_hand again{copy};
        check_same(s.last, again.state);
        REQUIRE_FALSE(again.remarks.empty());
        CHECK(again.remarks[0].find("first line") != std::string::npos);
        CHECK(again.remarks[0].find("history.jsonl.damaged-1") != std::string::npos);
      }
      s.check(copy, true);
    }
  }
}

TEST_CASE("a file that breaks off anywhere costs no more than what it had") {
  for (auto checkpoint_after : checkpoints) {
    temporary_folder home;
    seen_session s{home.path() / "s", checkpoint_after};
    for (std::string name : {"history.jsonl", "score.ferm", "env.json", "checkpoint.json",
                             "meta.json", "history.index"}) {
      if (!is_there(s, name)) continue;
      // Every place for the small files; the journal has a test of its own for its last lines.
      auto size = std::filesystem::file_size(s.folder / name);
      std::size_t step = name == "history.jsonl" ? 151 : name == "checkpoint.json" ? 61 : 17;
      for (std::size_t at = 0; at < size; at += step)
        with_damage(s, name, true, [&](std::string& text) { text.resize(at); });
    }
  }
}

TEST_CASE("blocks of zeros in a file cost no more than what they cover") {
  for (auto checkpoint_after : checkpoints) {
    temporary_folder home;
    seen_session s{home.path() / "s", checkpoint_after};
    for (std::string name : {"history.jsonl", "score.ferm", "env.json", "checkpoint.json",
                             "meta.json", "history.index"}) {
      if (!is_there(s, name)) continue;
      auto size = std::filesystem::file_size(s.folder / name);
      for (std::size_t block : {512, 4096})
        for (std::size_t at = 0; at < size; at += block)
          with_damage(s, name, name == "meta.json", [&](std::string& text) {
            for (auto i = at; i < std::min<std::size_t>(at + block, size); ++i)
              text[i] = '\0';
          });
      // The file was made longer, and the disk never heard what with.
      with_damage(s, name, name != "history.jsonl",
                  [&](std::string& text) { text.append(4096, '\0'); });
    }
  }
}

TEST_CASE("a file that is missing costs no more than what it had") {
  for (auto checkpoint_after : checkpoints) {
    temporary_folder home;
    seen_session s{home.path() / "s", checkpoint_after};
    for (std::string name : {"history.jsonl", "score.ferm", "env.json", "checkpoint.json",
                             "meta.json", "history.index", "journal.lock"}) {
      if (!is_there(s, name)) continue;
      auto copy = home.path() / "copy";
      std::filesystem::remove_all(copy);
      std::filesystem::copy(s.folder, copy);
      std::filesystem::remove(copy / name);
      INFO(name << ", checkpoint after " << checkpoint_after);
      // A session without a journal and without a checkpoint is a new one.
      s.check(copy, name == "history.jsonl");
    }
  }
}

TEST_CASE(
    "where the journal and the checkpoint are damaged, the saved score is there to be taken") {
  temporary_folder home;
  seen_session s{home.path() / "s", 7};
  auto saved = content_of(s.folder / "score.ferm");
  auto journal = content_of(s.folder / "history.jsonl");
  journal[journal.find("(part :piano")] = '\x01';
  write_content(s.folder / "history.jsonl", journal);
  write_content(s.folder / "checkpoint.json", "{");
  stored_session_by_hand again{s.folder};
  CHECK(again.state.history.empty());
  REQUIRE_FALSE(again.remarks.empty());
  CHECK(again.remarks.back().find("`:reload`") != std::string::npos);
  CHECK(again.directory->edited_score()->text == saved);
}

TEST_CASE("a session opened read-only is as complete as one that can be repaired") {
  temporary_folder home;
  seen_session s{home.path() / "s", 4};
  auto text = content_of(s.folder / "history.jsonl");
  text[3] = '\0';
  text[text.find("(+ x 1)")] = '\0';
  write_content(s.folder / "history.jsonl", text);
  auto opened = session_directory::open_read_only(s.folder);
  REQUIRE(opened);
  auto loaded = opened->load();
  REQUIRE(loaded);
  CHECK(content_hash(*loaded->state->score) == content_hash(*s.last.score));
  CHECK(loaded->state->history.size() == s.last.history.size());
  CHECK(content_of(s.folder / "history.jsonl") == text);
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
    for (auto& remark : again.remarks) {
      // Nobody knows whether it was the process or the power that went.
      CHECK(remark.find("power cut") != std::string::npos);
      CHECK(remark.find("never been shown") == std::string::npos);
    }
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

TEST_CASE("whatever of a session is left when its journal is gone, it says so") {
  // Which files are left; an empty journal stands for one that was emptied.
  struct row {
    std::set<std::string> left;
    bool empty_journal, has_score;
  };
  std::set<std::string> all{"checkpoint.json", "env.json", "history.index", "meta.json",
                            "score.ferm"};
  for (auto& r : {row{{"meta.json"}, true, false}, row{{"meta.json"}, false, false},
                  row{{"meta.json", "score.ferm"}, true, true},
                  row{{"meta.json", "score.ferm"}, false, true}, row{{"score.ferm"}, true, true},
                  row{{"score.ferm"}, false, true}, row{all, true, true}, row{all, false, true}}) {
    temporary_folder home;
    auto folder = home.path() / "s";
    std::string saved;
    {
      stored_session_by_hand s{folder};
      s.line("(part :piano (measure (note c4 :w)))");
      s.line("(note d4 :w)");
      REQUIRE(s.directory->checkpoint(s.state));
      saved = content_of(folder / "score.ferm");
    }
    std::string names;
    for (auto& item : std::filesystem::directory_iterator{folder})
      if (!r.left.contains(item.path().filename().string()))
        std::filesystem::remove(item.path());
      else
        names += item.path().filename().string() + ' ';
    if (r.empty_journal) write_content(folder / "history.jsonl", "");
    INFO(names << (r.empty_journal ? "and an empty journal" : ""));
    REQUIRE(is_session(folder));
    {
      stored_session_by_hand again{folder};
      std::string remarks;
      for (auto& remark : again.remarks)
        remarks += remark + '\n';
      INFO(remarks);
      CHECK(remarks.find("lost") != std::string::npos);
      CHECK(remarks.find("edited outside") == std::string::npos);
      CHECK((remarks.find(":reload") != std::string::npos) == r.has_score);
      auto offered = again.directory->edited_score();
      REQUIRE(offered.has_value() == r.has_score);
      if (r.has_score) CHECK(offered->text == saved);
    }
    // Said once.
    for (auto& remark : stored_session_by_hand{folder}.remarks) {
      INFO(remark);
      CHECK(remark.find("timeline of this session is lost") == std::string::npos);
    }
  }
}

TEST_CASE("a session that was begun and never written to has lost nothing") {
  struct row {
    std::set<std::string> left;
    bool empty_journal, closed;
  };
  for (auto& r : {row{{}, true, false}, row{{"meta.json"}, true, false},
                  row{{"meta.json"}, false, false}, row{{"meta.json", "score.ferm"}, true, true},
                  row{{"meta.json", "score.ferm", "env.json", "checkpoint.json"}, true, true}}) {
    temporary_folder home;
    auto folder = home.path() / "s";
    {
      stored_session_by_hand s{folder};
      if (r.closed) REQUIRE(s.directory->checkpoint(s.state));
    }
    std::string names;
    for (auto& item : std::filesystem::directory_iterator{folder})
      if (!r.left.contains(item.path().filename().string()))
        std::filesystem::remove(item.path());
      else
        names += item.path().filename().string() + ' ';
    if (r.empty_journal) write_content(folder / "history.jsonl", "");
    INFO(names << (r.empty_journal ? "and an empty journal" : ""));
    stored_session_by_hand again{folder};
    for (auto& remark : again.remarks) {
      INFO(remark);
      CHECK(remark.find("lost") == std::string::npos);
    }
    CHECK_FALSE(again.directory->edited_score());
  }
}

TEST_CASE("a file of something else is not taken for a journal, nor one of a newer Fermata") {
  temporary_folder home;
  for (std::string_view first : {"hello\n", "{\"format\":\"x\"}\n",
                                 "{\"format\":\"fermata-history\",\"version\":3,"
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
    CHECK(offered->text == saved);
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

// By hand: what was renamed and tagged is in the journal alone, before the checkpoint; entries
// speak of such events too, and a torn line does not count.
TEST_CASE("name and tags outlive their file") {
  using tags = std::vector<std::string>;
  temporary_folder home;
  auto folder = home.path() / "s";
  auto saved = GENERATE(false, true);
  {
    stored_session_by_hand s{folder};
    s.keep({{meta_changed{"Sketch", tags{"old"}}}});
    s.line("(def x 1)");
    s.keep({{meta_changed{"Chorale in D", std::nullopt}}});
    s.keep({{meta_changed{std::nullopt, tags{"x", "y"}}}});
    s.line("\"\\\"meta-changed\\\"\"");
    if (saved) REQUIRE(s.directory->checkpoint(s.state));
    s.line("(def z 1)");
  }
  auto meta = folder / "meta.json";
  auto was_there = true;
  SECTION("it is gone") {
    std::filesystem::remove(meta);
    was_there = false;
  }
  SECTION("it is empty") { write_content(meta, ""); }
  SECTION("it is torn") { write_content(meta, content_of(meta).substr(0, 40)); }
  SECTION("it says no name") { write_content(meta, "{\"slug\": \"s\"}"); }
  auto listed = read_summary(folder);
  REQUIRE(listed);
  CHECK(listed->meta.name == "Chorale in D");
  CHECK(listed->meta.tags == tags{"x", "y"});
  {
    auto looked = session_directory::open_read_only(folder);
    REQUIRE(looked);
    auto loaded = looked->load();
    REQUIRE(loaded);
    CHECK(loaded->state->meta.name == "Chorale in D");
    CHECK(loaded->state->meta.tags == tags{"x", "y"});
    CHECK(std::filesystem::exists(meta) == was_there);
  }
  {
    stored_session_by_hand again{folder};
    CHECK(again.state.meta.name == "Chorale in D");
    CHECK(again.state.meta.tags == tags{"x", "y"});
    CHECK(again.state.meta.modified == again.state.history.last()->time);
    // A journal that is replayed as a whole needs nothing beside it.
    REQUIRE(again.remarks.size() == (was_there || saved ? 1 : 0));
    if (!again.remarks.empty())
      CHECK(again.remarks.front().find(was_there ? "meta.json could not be used"
                                                 : "meta.json was not there") == 0);
  }
  // It is written anew at once, and there is nothing more to say.
  auto now = read_meta_json(folder);
  REQUIRE(now);
  CHECK(now->meta.name == "Chorale in D");
  CHECK(now->meta.tags == tags{"x", "y"});
  CHECK(stored_session_by_hand{folder}.remarks.empty());
}

TEST_CASE("a session that was begun and not yet named says nothing of a missing meta.json") {
  temporary_folder home;
  auto folder = home.path() / "s";
  { stored_session_by_hand s{folder}; }
  std::filesystem::remove(folder / "meta.json");
  CHECK(stored_session_by_hand{folder}.remarks.empty());
}

TEST_CASE("damage that stays in the journal is told once, not at every start after a kill") {
  for (std::string damage : {"blank", "copy", "{\"index\":2,\"ti", "nonsense"}) {
    INFO(damage);
    temporary_folder home;
    auto folder = home.path() / "s";
    {
      stored_session_by_hand s{folder};
      s.line("(note c4 :q)");
      REQUIRE(s.directory->checkpoint(s.state));
      s.line("(def x 1)");
      s.line("(+ x 1)");
    }
    auto journal = folder / "history.jsonl";
    auto text = content_of(journal);
    // Before the last line, so that it can be stepped over.
    auto last = text.rfind('\n', text.size() - 2) + 1;
    auto before = text.rfind('\n', last - 2) + 1;
    if (damage == "blank") damage.clear();
    if (damage == "copy") damage = text.substr(before, last - 1 - before);
    text.insert(last, damage + '\n');
    write_content(journal, text);
    {
      stored_session_by_hand s{folder};
      REQUIRE(s.remarks.size() == 1);
      s.line("(def y 2)");
    }
    // Nobody has written down yet that it was told: it is told again.
    {
      stored_session_by_hand s{folder};
      REQUIRE(s.remarks.size() == 1);
      s.keep(noted(s.state, "restored", s.remarks.front(), s.now()));
      s.line("(def z 3)");
    }
    for (int start = 0; start < 2; ++start) {
      stored_session_by_hand s{folder};
      CHECK(s.remarks.empty());
      CHECK(s.state.history.size() == 6);
      CHECK(s.state.env->bindings.contains("z"));
    }
    // Other damage is told of all the same.
    write_content(journal, content_of(journal) + "something else\n");
    stored_session_by_hand s{folder};
    CHECK(s.remarks.size() == 1);
  }
}

}  // namespace fermata::io::damage_test
