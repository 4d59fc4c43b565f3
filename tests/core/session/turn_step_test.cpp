#include "core/score/model/content_hash.hpp"
#include "tests/core/session/schedules.hpp"
#include "tests/core/session/simulated_session.hpp"

#include <algorithm>
#include <random>
#include <tuple>

// The order of turns, cancellation, failures and the end of a session, without actors.

namespace fermata::turn_step_test {

namespace {

using reason_t = refuse_turn::reason_t;

/// Old entries that are messages with a number.
class entries_elsewhere final : public entry_source_on_disk {
public:
  result<entry_ptr> load(std::int64_t index) const override {
    auto entry = std::make_shared<history_entry>();
    entry->index = index;
    entry->kind = user_message_entry{"message " + std::to_string(index)};
    return entry_ptr{std::move(entry)};
  }
};

/// A session of which all entries so far are on disk, so that `:history` has to search.
session_snapshot partly_on_disk() {
  session_meta meta;
  meta.slug = meta.name = "test";
  auto s = empty_session(meta);
  s.history = history::on_disk(5, std::make_shared<entries_elsewhere>());
  return std::make_shared<const session_state>(std::move(s));
}

/// One of everything that a session is asked.
const std::vector<std::function<void(simulated_session&)>>& requests() {
  static const std::vector<std::function<void(simulated_session&)>> all{
      [](auto& s) { s.line("(note c4 :q)"); },
      [](auto& s) { s.line("(+ 1 1)"); },
      [](auto& s) { s.line("(nonsense"); },
      [](auto& s) { s.line("; only a comment"); },
      [](auto& s) { s.line("// hello"); },
      [](auto& s) { s.line(""); },
      [](auto& s) { s.line(":undo"); },
      [](auto& s) { s.line(":history"); },
      [](auto& s) { s.line(":time (note d4 :q)"); },
      [](auto& s) { s.line(":save"); },
      [](auto& s) { s.line(":session list"); },
      [](auto& s) { s.line(":play"); },
      [](auto& s) { s.line("(play (note c4 :q))"); },
      [](auto& s) { s.line(":time (play (note c4 :q))"); },
      [](auto& s) { s.line(":ai allow claude"); },
      [](auto& s) { s.line(":ai off"); },
      [](auto& s) { s.line(":bogus"); },
      [](auto& s) { s.line("c4 \xff"); },
      [](auto& s) { s.client("(note e4 :q)"); },
      [](auto& s) { s.client("(note f4 :q)", "gemini"); },
      [](auto& s) { s.command_of_client("undo", "1"); },
      [](auto& s) { s.note("something happened"); },
      [](auto& s) { s.message("a message"); },
  };
  return all;
}

std::string text_of(const entry_ptr& e) {
  if (auto eval = std::get_if<eval_entry>(&e->kind)) return eval->text;
  if (auto command = std::get_if<command_entry>(&e->kind)) return command->text;
  if (auto ai = std::get_if<ai_message_entry>(&e->kind)) return ai->content;
  if (auto user = std::get_if<user_message_entry>(&e->kind)) return user->content;
  return std::get<system_entry>(e->kind).text;
}

std::vector<std::string> timeline(const simulated_session& s, std::int64_t from = 1) {
  std::vector<std::string> all;
  for (auto i = from; i < s.shown->history.next_index(); ++i)
    all.push_back(text_of(s.shown->history.at(i)));
  return all;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("turns run one after another, those of front ends first") {
  simulated_session s;
  s.line(":ai allow claude");
  s.settle();
  s.line("(note c4 :q)");  // begins
  s.client("(note d4 :q)");
  s.note("noted");
  s.line("(note e4 :q)");
  REQUIRE(s.evaluation);
  CHECK(s.answers.size() == 1);
  s.settle();
  CHECK(timeline(s) ==
        texts{":ai allow claude", "(note c4 :q)", "noted", "(note e4 :q)", "(note d4 :q)"});
  s.check_consistent();
}

TEST_CASE("pending messages are shown before the line, those that arrive later before the next") {
  simulated_session s;
  s.message("first");
  auto line = s.line("(+ 1 1)");
  s.message("second");
  s.settle();
  CHECK(timeline(s) == texts{"first", "(+ 1 1)"});
  CHECK(s.answer_to(line).entries.size() == 2);
  s.line("");
  s.settle();
  CHECK(timeline(s) == texts{"first", "(+ 1 1)", "second"});
  s.check_consistent();
}

TEST_CASE("in every order of results each request has one answer and the timeline no gap") {
  // Requests that wait for each other in different ways; the session may take each result whenever
  // it is there.
  std::size_t schedules = 0;
  for_all_schedules(20'000, [&](auto choose) {
    ++schedules;
    simulated_session s{partly_on_disk()};
    s.line(":ai allow claude");
    s.settle();
    std::vector<std::function<void()>> left{
        [&s] { s.line("(note c4 :q)"); }, [&s] { s.line(":history"); },
        [&s] { s.client("(note d4 :q)"); }, [&s] { s.message("hello"); }};
    std::size_t entered = 0;
    while (true) {
      auto next = s.possible_results();
      if (entered < left.size()) next.push_back(left[entered]);
      if (next.empty()) break;
      auto chosen = choose(next.size());
      if (entered < left.size() && chosen + 1 == next.size()) ++entered;
      next[chosen]();
    }
    s.check_consistent();
    CHECK(s.answers.size() == 4);
    CHECK(s.shown->revision == 2);
  });
  CHECK(schedules > 100);
}

TEST_CASE("whatever happens in which order, nothing is lost, done twice or left over") {
  std::mt19937 random{20260201};
  auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    simulated_session s{below(2) == 0 ? partly_on_disk() : nullptr};
    s.read_only = below(10) == 0;
    s.makes_lines = below(2) == 0;
    for (int i = 0; i < 40; ++i) {
      auto next = s.possible_results();
      auto what = below(10);
      if (what < 4) {
        auto& request = requests()[below(requests().size())];
        // A read-only session has no writer for messages.
        if (!(s.read_only && &request == &requests().back())) request(s);
      } else if (what == 4 && !s.unanswered.empty()) {
        s.cancel(*std::next(s.unanswered.begin(),
                            static_cast<std::ptrdiff_t>(below(s.unanswered.size()))));
      } else if (what == 5) {
        s.fail_writes(below(2) == 0);
      } else if (!next.empty()) {
        next[below(next.size())]();
      }
    }
    s.settle();
    s.check_consistent();
  }
}

TEST_CASE("a line that changes the score can be interrupted until its writing begins") {
  simulated_session s;
  s.makes_lines = true;
  auto first = s.line("(note c4 :q)");
  s.finish_evaluation();
  s.finish_lines();
  s.cancel(first);
  s.settle();
  CHECK_FALSE(is_failure(*s.answer_to(first).entries.back()));
  REQUIRE(s.shown->revision == 1);

  auto before = s.shown->score;
  auto interrupted = [&](turn_id id) {
    REQUIRE(s.making);
    s.message("meanwhile");
    s.cancel(id);
    s.settle();
    CHECK(s.shown->score == before);
    CHECK(s.shown->revision == 1);
    s.check_consistent();
  };
  auto line = s.line("(note d4 :q)");
  s.finish_evaluation();
  interrupted(line);
  auto& failed = std::get<eval_entry>(s.answer_to(line).entries.back()->kind).failure;
  REQUIRE(failed);
  CHECK(failed->first().code == errc::cancelled);
  auto undo = s.line(":undo");
  interrupted(undo);
  auto& command = std::get<command_entry>(s.answer_to(undo).entries.back()->kind);
  CHECK_FALSE(command.ok);
  CHECK(command.output == "interrupted; nothing was changed");
  CHECK(command.delta.empty());
  // The step is still there to be undone.
  auto again = s.line(":undo");
  s.settle();
  CHECK_FALSE(is_failure(*s.answer_to(again).entries.back()));
  CHECK(s.shown->score->parts.empty());
  s.check_consistent();
}

TEST_CASE("an interrupted evaluation of a client is refused before it is written") {
  simulated_session s;
  s.makes_lines = true;
  s.line(":ai allow claude");
  s.settle();
  auto theirs = s.client("(note c4 :q)");
  s.finish_evaluation();
  REQUIRE(s.making);
  s.cancel(theirs);
  s.settle();
  CHECK(s.answer_to(theirs).refused == reason_t::not_evaluated);
  CHECK(s.shown->score->parts.empty());
  s.check_consistent();
}

TEST_CASE("commands that go back in a long score run beside the session and can be interrupted") {
  simulated_session s;
  s.line("(add (apply seq (repeat-times 2001 (note c4 :w))))");
  s.settle();
  auto before = s.shown->score;
  REQUIRE(before->parts.at(0)->measures.size() == 2'001);
  auto undo = s.line(":undo");
  CHECK(s.searches.size() == 1);
  s.cancel(undo);
  s.settle();
  auto& command = std::get<command_entry>(s.answer_to(undo).entries.back()->kind);
  CHECK(command.output == "interrupted; nothing was changed");
  CHECK(s.shown->score == before);
  auto again = s.line(":undo");
  s.settle();
  CHECK_FALSE(is_failure(*s.answer_to(again).entries.back()));
  CHECK(s.shown->score->parts.empty());
  s.check_consistent();
}

TEST_CASE("an action that fails is the answer to its turn, and the next turn runs") {
  for (bool searches : {false, true})
    for (std::size_t i = 0; i < requests().size(); ++i) {
      std::size_t actions = 1;
      for (std::size_t fail_at = 1; fail_at <= actions; ++fail_at) {
        CAPTURE(searches, i, fail_at);
        simulated_session s{searches ? partly_on_disk() : nullptr};
        s.line(":ai allow claude");
        s.settle();
        s.message("pending");
        s.finish_write();
        auto before = s.executed;
        s.fail_at = before + fail_at;
        requests()[i](s);
        s.settle();
        actions = s.executed - before;
        s.fail_at = 0;
        auto next = s.line("(note g4 :q)");
        s.settle();
        CHECK(s.answer_to(next).entries.size() >= 1);
        s.check_consistent();
      }
    }
}

TEST_CASE("a session that closes answers every request, and loses nothing that was being written") {
  std::mt19937 random{7};
  auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    simulated_session s{partly_on_disk()};
    s.line(":ai allow claude");
    s.settle();
    for (auto n = below(12); n > 0; --n) {
      requests()[below(requests().size())](s);
      if (auto next = s.possible_results(); !next.empty() && below(2) == 0)
        next[below(next.size())]();
    }
    s.feed(turns_closed{});
    auto writing = s.state.running != nullptr;
    CHECK(s.unanswered.size() == (writing && s.unanswered.contains(s.state.running->id) ? 1 : 0));
    s.evaluation.reset();
    s.effect.reset();
    s.searches.clear();
    s.settle();
    CHECK_FALSE(s.state.running);
    CHECK(s.unanswered.empty());
    CHECK(s.shown == s.planned);
  }
}

TEST_CASE(
    "Ctrl-C on a waiting line stops the client that delays it, and runs nothing of the line") {
  simulated_session s;
  s.line(":ai allow claude");
  s.settle();
  auto client = s.client("(note d4 :q)");
  auto other = s.line("(note e4 :q)");
  auto mine = s.line("(note c4 :q)");
  REQUIRE(s.evaluation);
  s.cancel(mine);
  CHECK(s.cancelled.contains(client));
  s.settle();
  CHECK(timeline(s) == texts{":ai allow claude", "(note d4 :q)", "(note c4 :q)", "(note e4 :q)"});
  CHECK(is_failure(*s.answer_to(mine).entries.back()));
  CHECK_FALSE(is_failure(*s.answer_to(other).entries.back()));
  CHECK(s.shown->revision == 1);
  s.check_consistent();
}

TEST_CASE("a cancelled message is not sent, and the answer says how to get the line back") {
  simulated_session s;
  s.line("(+ 1 1)");
  auto chat = s.line("// hello");
  s.cancel(chat);
  s.settle();
  CHECK(s.answer_to(chat).refused == reason_t::cancelled_chat);
  s.check_consistent();
}

TEST_CASE(
    "a search is set aside: lines entered meanwhile come first, and it gets the next number") {
  simulated_session s{partly_on_disk()};
  auto search = s.line(":history");
  REQUIRE(s.searches.size() == 1);
  s.line("(+ 1 1)");
  REQUIRE(s.evaluation);
  s.finish_search(0);
  CHECK(s.unanswered.contains(search));
  s.settle();
  CHECK(timeline(s, 6) == texts{"(+ 1 1)", ":history"});
  s.check_consistent();
}

TEST_CASE("messages that were pending before a search are shown in its turn") {
  simulated_session s{partly_on_disk()};
  s.message("pending");
  s.settle();
  auto search = s.line(":history");
  CHECK(s.searches.empty());  // they are written first
  s.line("(+ 1 1)");
  s.settle();
  CHECK(text_of(s.answer_to(search).entries.front()) == "pending");
  CHECK(timeline(s, 6).front() == "pending");
  s.check_consistent();
}

TEST_CASE("on a full disk what only shows is shown, and what changes something is refused") {
  simulated_session s;
  auto list = s.line(":session list");
  s.finish_effect();
  s.fail_writes();
  auto& shown = s.answer_to(list);
  REQUIRE(shown.entries.size() == 2);
  CHECK(shown.entries[0]->index == 0);
  CHECK(std::get<system_entry>(shown.entries[1]->kind).event == "not-written");
  auto note = s.line("(note c4 :q)");
  s.finish_evaluation();
  s.fail_writes();
  CHECK(s.answer_to(note).refused == reason_t::not_written);
  CHECK(s.shown->revision == 0);
  s.check_consistent();
}

TEST_CASE(
    "where another process writes, what shows is answered without a number, the rest refused") {
  simulated_session s;
  s.read_only = true;
  s.note("the other process closed");
  auto sum = s.line("(+ 1 1)");
  s.settle();
  REQUIRE(s.answer_to(sum).entries.size() == 2);
  CHECK(text_of(s.answer_to(sum).entries[0]) == "the other process closed");
  CHECK(s.answer_to(sum).entries[1]->index == 0);
  for (auto text : {"(note c4 :q)", "// hello", ":save", ":set display compact"}) {
    CAPTURE(text);
    auto id = s.line(text);
    s.settle();
    CHECK(s.answer_to(id).refused == reason_t::read_only);
  }
  CHECK(s.journal.empty());
  s.check_consistent();
}

TEST_CASE("no turn begins while the session is about to be exchanged") {
  simulated_session s;
  s.line("(+ 1 1)");
  auto next = s.line("(note c4 :q)");
  s.read_only = true;
  s.may_begin = false;  // what was read again waits for the running turn
  s.finish_evaluation();
  CHECK(s.unanswered.contains(next));
  CHECK_FALSE(s.state.running);
  s.read_only = false;
  s.may_begin = true;
  s.feed(turns_resumed{});
  s.settle();
  CHECK_FALSE(s.answer_to(next).refused);
  CHECK(s.shown->revision == 1);
}

TEST_CASE(
    "a search begins although its messages could not be written, if the disk may take them later") {
  for (bool by_disk : {true, false}) {
    simulated_session s{partly_on_disk()};
    s.message("pending");
    s.settle();
    auto search = s.line(":history");
    s.fail_writes(by_disk);
    CHECK(s.searches.size() == (by_disk ? 1 : 0));
    s.settle();
    if (by_disk)
      CHECK(s.answer_to(search).entries.back()->index > 0);
    else
      CHECK(s.answer_to(search).refused == reason_t::not_written);
    CHECK(s.shown->queue.size() == 1);
    s.check_consistent();
  }
}

TEST_CASE("a preview has one entry without a number, and nothing is written") {
  simulated_session s;
  for (bool cancelled : {false, true}) {
    line_request r;
    r.line = read_line("(note c4 :q)");
    r.preview = true;
    auto id = s.enter(std::move(r), {});
    if (cancelled) s.cancel(id);
    s.settle();
    REQUIRE(s.answer_to(id).entries.size() == 1);
    CHECK(s.answer_to(id).entries[0]->index == 0);
    CHECK(is_failure(*s.answer_to(id).entries[0]) == cancelled);
  }
  CHECK(s.journal.empty());
  s.check_consistent();
}

TEST_CASE("what a client was answered is kept with its entry, unless it was cancelled") {
  simulated_session s;
  s.line(":ai allow claude");
  s.settle();
  kept_answer kept;
  kept.author = "claude";
  kept.key = "k";
  for (auto [text, cancelled, is_kept] : {std::tuple{"(note c4 :q)", true, false},
                                          {"(note c4 :q)", false, true},
                                          {"(nonsense", false, true}}) {
    CAPTURE(text, cancelled);
    auto before = s.shown->answers.size();
    auto id = s.enter(client_request{text, {"claude", "mcp"}, {}, kept}, "claude");
    if (cancelled) s.cancel(id);
    s.settle();
    CHECK(s.shown->answers.size() == before + (is_kept ? 1 : 0));
    if (is_kept) {
      auto last = s.shown->history.next_index() - 1;
      CHECK(std::any_of(s.shown->answers.begin(), s.shown->answers.end(),
                        [&](auto& a) { return a.key == "k" && a.entry == last; }));
    }
  }
}

TEST_CASE("a client's turn is checked when it begins, not when it was asked for") {
  simulated_session s;
  s.line(":ai allow claude");
  s.settle();
  s.line(":ai off");
  auto client = s.client("(note d4 :q)");
  s.settle();
  CHECK(s.answer_to(client).refused == reason_t::not_permitted);
  line_request undo;
  undo.line = command_entered({"undo", {"1"}});
  undo.expected_revision = 0;
  s.line("(note c4 :q)");
  auto late = s.enter(std::move(undo), {});
  s.settle();
  CHECK(s.answer_to(late).refused == reason_t::conflict);
  s.check_consistent();
}

TEST_CASE("a client that adds too much at once is refused and nothing of it is kept") {
  simulated_session s;
  s.line(":ai allow claude");
  s.settle();
  s.client_bytes = 500;
  auto big = s.client("(apply seq (repeat-times 100 (note c4 :q)))");
  s.settle();
  CHECK(s.answer_to(big).refused == reason_t::too_large);
  CHECK(timeline(s) == texts{":ai allow claude"});
  s.check_consistent();
}

TEST_CASE("a command by name has the entry and the effect of the same command typed") {
  simulated_session typed, named;
  for (auto s : {&typed, &named}) {
    s->line("(note c4 :q)");
    s->line("(note d4 :q)");
  }
  typed.line(":undo 2");
  named.command_of_client("undo", "2");
  typed.settle();
  named.settle();
  CHECK(timeline(typed) == timeline(named));
  CHECK(typed.shown->revision == named.shown->revision);
  CHECK(content_hash(*typed.shown->score) == content_hash(*named.shown->score));
}

TEST_CASE("what is done after a turn is done once, before its answer, and only with one") {
  for (bool written : {true, false}) {
    simulated_session s;
    s.line(":session rename other");
    REQUIRE(s.effect);
    effect_done done{"renamed", true};
    done.id = s.effect->id;
    done.events.push_back(meta_changed{"other", std::nullopt});
    done.afterwards = announce_name{};
    s.effect.reset();
    s.feed(std::move(done));
    CHECK(s.afterwards.empty());
    if (written)
      s.settle();
    else
      s.fail_writes();
    REQUIRE(s.afterwards.size() == 1);
    CHECK(s.afterwards.front().written == written);
    CHECK(s.shown->meta.name == (written ? "other" : "test"));
    s.check_consistent();
  }
}

}  // namespace fermata::turn_step_test
