#include "core/session/commands/tutorial.hpp"

#include "core/lang/value/music.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/example_piece.hpp"
#include "core/session/commands/help_topic.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

namespace fermata::tutorial_test {

namespace {

/// Enters a line as the prompt does; its entry. What a command shows is left out.
entry_ptr enter(session_by_hand& s, const std::string& text) {
  auto input = classify(text);
  if (input.kind == input_kind::expression) {
    evaluation_request request;
    request.text = text;
    request.env = s.state.env;
    request.score = s.state.score;
    request.next_index = s.state.history.next_index();
    request.rule = commit_rule_of(s.state);
    request.history = [&](std::string_view, std::int64_t index) -> std::optional<history_value> {
      auto entry = s.state.history.at(index);
      auto eval = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr;
      if (!eval) return std::nullopt;
      return history_value{eval->input, eval->output};
    };
    auto t = evaluated(s.state, {text, {}, {}}, evaluate(request), s.now());
    s.happen(t);
    return entry_of(t);
  }
  entry_kind kind = user_message_entry{input.text};
  if (input.kind == input_kind::command) {
    auto outcome = run_command(input.text, s.state, {}, s.clock);
    command_entry entry{text, outcome.output, outcome.ok};
    entry.delta = outcome.delta;
    kind = entry;
  }
  auto t = committed(s.state, kind, {}, s.now());
  s.happen(t);
  return entry_of(t);
}

}  // namespace

TEST_CASE("whoever types what the tutorial shows gets through it") {
  session_by_hand s;
  for (auto& step : tutorial_steps()) {
    INFO(step.title);
    auto entry = enter(s, std::string{step.try_this});
    CHECK(step.is_done(*entry, s.state));
  }
}

TEST_CASE("what the step is not about does not pass it") {
  session_by_hand s;
  for (auto& step : tutorial_steps()) {
    INFO(step.title);
    CHECK_FALSE(step.is_done(*enter(s, "(+ 1 2)"), s.state));
    CHECK_FALSE(step.is_done(*enter(s, ":session info"), s.state));
    CHECK_FALSE(step.hint.empty());
    enter(s, std::string{step.try_this});
  }
}

TEST_CASE("a command passes its step by each of its names, with and without arguments after it") {
  std::size_t tried = 0;
  for (std::size_t i = 0; i < tutorial_steps().size(); ++i) {
    auto line = std::string{tutorial_steps()[i].try_this};
    auto spec = line.starts_with(':') ? command_of(line) : nullptr;
    if (!spec) continue;
    auto names = spec->aliases;
    names.push_back(spec->name);
    for (auto name : names) {
      session_by_hand s;
      for (std::size_t k = 0; k < i; ++k)
        enter(s, std::string{tutorial_steps()[k].try_this});
      auto written = ':' + std::string{name} + line.substr(1 + spec->name.size());
      INFO(written);
      CHECK(tutorial_steps()[i].is_done(*enter(s, written), s.state));
      ++tried;
    }
  }
  CHECK(tried >= 6);  // :undo and :u, :history and :hist, ...
}

TEST_CASE("every example piece is music or a value, and has a name of its own") {
  std::set<std::string_view> names;
  for (auto& piece : example_pieces()) {
    INFO(piece.name);
    CHECK(names.insert(piece.name).second);
    session_by_hand s;
    auto done = s.run(std::string{piece.text});
    INFO((done ? std::string{} : done.error().first().message));
    CHECK(done);
  }
}

// Whoever takes the page at its word types what stands in the list.
TEST_CASE("the name in the list of examples shows, inserts and runs each piece") {
  session_by_hand s;
  auto list = run_command("examples", s.state, {}, s.clock).output;
  for (auto& piece : example_pieces()) {
    INFO(piece.name);
    CHECK(("\n" + list).find("\n  " + std::string{piece.name} + ' ') != std::string::npos);
    auto shown = run_command("examples " + std::string{piece.name}, s.state, {}, s.clock);
    CHECK(shown.ok);
    CHECK(shown.output == piece.text);
    auto run = run_command("examples " + std::string{piece.name} + " --run", s.state, {}, s.clock);
    CHECK(std::get<evaluation_effect>(run.requested_effect).text == piece.text);
  }
}

TEST_CASE("examples are shown, run and put into the line") {
  session_by_hand s;
  auto run = [&](std::string_view text) { return run_command(text, s.state, {}, s.clock); };
  CHECK(run("examples").output.find("minuet") != std::string::npos);
  CHECK(run("examples row").output == find_example_piece("row")->text);
  auto insert = run("examples row --insert");
  CHECK(insert.effect.kind == turn_effect::kind_t::insert);
  CHECK(insert.effect.argument == find_example_piece("row")->text);
  CHECK_FALSE(insert.recorded);
  auto requested_effect = run("examples row --run").requested_effect;
  REQUIRE(std::get_if<evaluation_effect>(&requested_effect));
  CHECK(std::get<evaluation_effect>(requested_effect).text == find_example_piece("row")->text);
  CHECK_FALSE(run("examples tuplet").output.empty());
  CHECK(run("examples minuett").output.find("minuet") != std::string::npos);
  CHECK_FALSE(run("examples --run").ok);
}

TEST_CASE("the code in the help topics runs, line after line") {
  for (auto& topic : help_topics()) {
    session_by_hand s;
    std::string line;
    for (char c : std::string{topic.code} + '\n') {
      if (c != '\n') {
        line += c;
        continue;
      }
      INFO(topic.name << ": " << line);
      if (!line.empty() && line != "%") {
        auto done = s.run(line);
        INFO((done ? std::string{} : done.error().first().message));
        CHECK(done);
        if (done) s.type(line);
      }
      line.clear();
    }
  }
}

TEST_CASE("a topic is found by every name, and tells of itself and its neighbours") {
  session_by_hand s;
  std::set<std::string_view> names;
  for (auto& topic : help_topics()) {
    INFO(topic.name);
    CHECK(names.insert(topic.name).second);
    CHECK(find_help_topic(topic.name) == &topic);
    for (auto alias : topic.aliases) {
      CHECK(names.insert(alias).second);
      CHECK(find_help_topic(alias) == &topic);
    }
    auto help = run_command("help " + std::string{topic.name}, s.state, {}, s.clock);
    CHECK(help.ok);
    CHECK(help.output.find(topic.title) != std::string::npos);
    CHECK(run_command("help topics", s.state, {}, s.clock).output.find(topic.title) !=
          std::string::npos);
  }
  // A word that is a command as well tells both.
  auto both = run_command("help history", s.state, {}, s.clock).output;
  CHECK(both.find("--grep WORD") != std::string::npos);
  CHECK(both.find("Nothing is ever erased") != std::string::npos);
  // The tables of the language are topics too.
  CHECK(run_command("help clefs", s.state, {}, s.clock).output.find("treble") != std::string::npos);
}

TEST_CASE("the last expression, or any entry, can be edited") {
  session_by_hand s;
  auto run = [&](std::string_view text) { return run_command(text, s.state, {}, s.clock); };
  CHECK(run("edit").effect.argument.empty());
  s.type("(+ 1 2)");
  enter(s, "// words");
  enter(s, ":help");
  CHECK(run("edit").effect.kind == turn_effect::kind_t::edit);
  CHECK(run("edit").effect.argument == "(+ 1 2)");
  CHECK(run("edit 3").effect.argument == ":help");
  CHECK(run("edit 2").output.find("is not code") != std::string::npos);
  CHECK(run("edit 9").output.find("no such entry: 9") != std::string::npos);
  CHECK_FALSE(run("edit x").ok);
}

TEST_CASE("settings are changed, undone, and refused with what they take") {
  session_by_hand s;
  auto run = [&](std::string_view text) { return run_command(text, s.state, {}, s.clock); };
  CHECK(run("set display explicit").output == "display = fermata");
  CHECK(run("set display default").events.size() == 1);
  CHECK(run("set session x").output.find("fermata config set session") != std::string::npos);
  CHECK(run("set width 7").output.find("from 20 to 1000") != std::string::npos);
  CHECK(run("set scratch on").output.find(":scratch on") != std::string::npos);
  CHECK(run("time on").output == "timing = on");
  CHECK(run("set").output.find("output-lines = 500") != std::string::npos);
}

TEST_CASE(":score accepts one display option, with a part and measures") {
  session_by_hand s;
  s.type("(part :flute (measure (note c5 :w)) (measure (note d5 :w)))");
  auto run = [&](std::string_view text) { return run_command(text, s.state, {}, s.clock); };
  auto requested_effect = run("score flute 2 --staff").requested_effect;
  auto view = std::get_if<view_effect>(&requested_effect);
  REQUIRE(view);
  CHECK(view->display == "staff");
  CHECK(view->part == std::size_t{0});
  CHECK(view->measures == std::pair{2, 2});
  CHECK(run("score --staff --musicxml").output.find("cannot be used together") !=
        std::string::npos);
  CHECK(run("score oboe --staff").output.find("unknown part `oboe`") != std::string::npos);
  CHECK(run("score 7 --staff").output.find("7 does not exist") != std::string::npos);
}

TEST_CASE("one part whose id holds a comma is one part") {
  session_by_hand s;
  s.type("(part :id \"a,b\" :name \"Violin\" (measure (note c5 :w)))");
  auto run = [&](std::string_view text) { return run_command(text, s.state, {}, s.clock); };
  auto requested_effect = run("score Violin --staff").requested_effect;
  auto view = std::get_if<view_effect>(&requested_effect);
  REQUIRE(view);
  CHECK(view->part == std::size_t{0});
  s.type("(part :id \"c\" :name \"Violin\" (measure (note d5 :w)))");
  CHECK(run("score Violin --staff").output.find("more than one part is called `Violin`: a,b, c") !=
        std::string::npos);
}

// Each is right: it does what the step is about in other words than those that are shown.
TEST_CASE("the tutorial takes any right answer") {
  struct right_answer {
    std::size_t step;  // from 1
    std::vector<std::string> lines;
  };
  const std::vector<right_answer> answers{
      {1, {"(chord (c4 e4 g4) :h)"}},
      {1, {"#p\"c4:q d e\""}},
      {2, {"(note c4 :q)", "(transpose M3 $Out[1])"}},
      {2, {"(note c4 :q)", "(-> % (transpose M3))"}},
      {2, {"(note c4 :q)", "(invert c4 %)"}},
      {3, {"(def theme (seq (note c4 :8) (note d4 :8)))"}},
      {4, {"(def theme (seq (note c4 :8) (note d4 :8)))", "(retrograde theme)"}},
      {4, {"(def theme (note c4 :8))", "(def back (retrograde (seq theme theme)))"}},
      {5, {"(def theme (note c4 :8))", "(seq theme\n  theme)"}},
      {5, {"(+ 1\n  2)"}},
      // In one line, as some terminals paste it.
      {5, {"(def motif (note c4 :8))", "(seq motif (transpose -M2 motif))"}},
      {6, {"(note c4 :q 5 6)"}},
      {7, {":explain unknown-name"}},
      {8, {"(part :flute (measure (note c5 :w)))"}},
      {9, {":set display staff"}},
      {9, {":score 1 --staff"}},
      {10, {"(note c4 :q)", ":play 1 --loop"}},
      {11, {"(note c4 :q)", ":u"}},
      {12, {"// hello"}},
      {13, {":hist 1:2"}}};
  for (auto& answer : answers) {
    session_by_hand s;
    entry_ptr last;
    for (auto& line : answer.lines) {
      INFO(answer.step << ": " << line);
      last = enter(s, line);
    }
    INFO(answer.step << ": " << answer.lines.back());
    CHECK(tutorial_steps()[answer.step - 1].is_done(*last, s.state));
  }
}

}  // namespace fermata::tutorial_test
