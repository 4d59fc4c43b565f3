#include "core/lang/evaluation/bind.hpp"

#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/literals.hpp"

#include <catch2/catch.hpp>

namespace fermata::bind_test {

namespace {

/// A form like the musical ones, to bind against.
const form_spec& sample() {
  static const auto row = [] {
    form_spec f{"sing", {}, "music", {}, "", "", "", nullptr};
    auto stem = option("stem", arg_type::word, "");
    stem.choices = {"up", "down"};
    auto arpeggio = option("arpeggiate", arg_type::word, "", "up");
    arpeggio.choices = {"up", "down", "none"};
    auto tie = option("tie", arg_type::word, "");
    tie.choices = {"start", "stop"};
    tie.repeats = true;
    auto staccato = flag("staccato", "");
    staccato.aliases = {"stacc"};
    f.params = {required("pitch", arg_type::pitch, ""),
                optional("dur", arg_type::duration, ""),
                option("voice", arg_type::integer, ""),
                stem,
                arpeggio,
                tie,
                option("time", arg_type::time, ""),
                option("by", arg_type::interval, ""),
                option("key", arg_type::key, ""),
                staccato,
                option("lyric", arg_type::text, ""),
                all_further("more", arg_type::ratio, "")};
    f.facts = facts_of(f);
    return f;
  }();
  return row;
}

/// The arguments of `(sing ...)` as the evaluator prepares them, with no name bound.
std::vector<argument> arguments(const value& form) {
  std::vector<argument> args;
  auto list = form.as_list();
  for (std::size_t i = 1; i < list->items.size(); ++i) {
    auto& v = list->items[i];
    argument a{v, list->spans[i]};
    if (v.as_symbol()) {
      a.form = argument_form::word;
      a.datum = v;
      a.bound = false;
      a.v = {};
    } else if (v.as_list()) {
      a.form = argument_form::literal_list;
      a.datum = v;
    } else if (v.as_keyword()) {
      a.form = argument_form::keyword;
    } else if (v.as_pitch()) {
      a.form = argument_form::pitch;
    }
    args.push_back(a);
  }
  return args;
}

/// "pitch=c4 voice=2" in the order of the row, or the messages.
std::string bound(std::string_view text) {
  auto r = read(text);
  REQUIRE(r.complete());
  evaluation_request request;
  evaluation_state state{request};
  call c{sample(), state, r.forms[0].span};
  auto args = arguments(r.forms[0].datum);
  std::string s;
  if (auto good = bind_arguments(c, args); !good) {
    for (auto& d : good.error().diagnostics)
      s += (s.empty() ? "" : " | ") + d.message;
    return s;
  }
  for (auto& p : sample().params)
    if (c.has(p.name) && p.kind != param_kind::rest)
      s += (s.empty() ? "" : " ") + p.name + "=" + print(c.get(p.name));
  for (auto& v : c.rest())
    s += " +" + print(v);
  for (auto& w : c.in_order())
    if (sample().params[w.param].repeats)
      s += " then " + sample().params[w.param].name + " " + print(w.given);
  return s;
}

}  // namespace

TEST_CASE("options and flags may stand anywhere, by any of their names") {
  CHECK(bound("(sing c4 :q :voice 2)") == "pitch=c4 dur=:q voice=2");
  CHECK(bound("(sing :stacc :voice 2 c4 :q)") == "pitch=c4 dur=:q voice=2 staccato=true");
  CHECK(bound("(sing c4 :stem up)") == "pitch=c4 stem=up");
  CHECK(bound("(sing c4 :stem :UP)") == "pitch=c4 stem=:up");
  CHECK(bound("(sing c4 :lyric \"la\")") == "pitch=c4 lyric=\"la\"");
  CHECK(bound("(sing c4 :lyric la)") == "pitch=c4 lyric=la");
}

TEST_CASE(
    "words and lists that begin with a number are taken as they are where a form wants them") {
  CHECK(bound("(sing c4 q.)") == "pitch=c4 dur=q.");
  CHECK(bound("(sing c4 :time (4 4))") == "pitch=c4 time=(4 4)");
  CHECK(bound("(sing c4 :time (3+2 8))") == "pitch=c4 time=(3+2 8)");
  CHECK(bound("(sing c4 :time 6/8)") == "pitch=c4 time=6/8");
  CHECK(bound("(sing c4 :key f#-minor)") == "pitch=c4 key=f#-minor");
  CHECK(bound("(sing c4 :by A4)") == "pitch=c4 by=aug4");
  CHECK(bound("(sing c4 :by d5)") == "pitch=c4 by=dim5");
  CHECK(bound("(sing c4 :by -P5)") == "pitch=c4 by=-P5");
  CHECK(bound("(sing c4 3:2 (3 2) 6/4)") == "pitch=c4 +3:2 +(3 2) +6/4");
}

TEST_CASE("an option may stand without its value when it has a usual one") {
  CHECK(bound("(sing c4 :arpeggiate)") == "pitch=c4 arpeggiate=:up");
  CHECK(bound("(sing c4 :arpeggiate :voice 1)") == "pitch=c4 voice=1 arpeggiate=:up");
  CHECK(bound("(sing c4 :arpeggiate down)") == "pitch=c4 arpeggiate=down");
}

TEST_CASE("an option that repeats keeps its order") {
  CHECK(bound("(sing c4 :tie stop :tie start)") ==
        "pitch=c4 tie=start then tie stop then tie start");
}

TEST_CASE("every wrong argument is named with what was expected and what came") {
  auto [text, message] = GENERATE(table<const char*, const char*>({
      {"(sing)", "sing: PITCH is missing: a pitch such as c4"},
      {"(sing h4)", "sing: PITCH needs a pitch such as c4, not `h4`"},
      {"(sing 5)", "sing: PITCH needs a pitch such as c4, not the number 5"},
      {"(sing c4 :7)", "sing: DUR needs a duration such as :q, not the keyword :7"},
      {"(sing c4 :q :stacato)", "sing: unknown option :stacato"},
      {"(sing c4 :voice)", "sing: :voice needs a value: a whole number"},
      {"(sing c4 :voice :stem up)", "sing: :voice needs a value: a whole number"},
      {"(sing c4 :voice 1 :voice 2)", "sing: :voice is given twice"},
      {"(sing c4 :staccato :stacc)", "sing: :staccato is given twice"},
      {"(sing c4 :stem sideways)", "sing: :stem needs one of :up :down, not `sideways`"},
      {"(sing c4 :time (4 0))", "sing: :time needs a time signature such as (4 4), not `(4 0)`"},
      {"(sing c4 :key h-major)", "sing: :key needs a key such as c-major, not `h-major`"},
      {"(sing 5 :voice x :stacato)", "sing: PITCH needs a pitch such as c4, not the number 5 | `x` "
                                     "is not defined | sing: unknown option :stacato"},
  }));
  CHECK(bound(text) == message);
}

TEST_CASE("keys, metres and ratios are read in all their spellings") {
  CHECK(parse_key("c")->fifths == 0);
  CHECK(parse_key("f#-minor")->fifths == 3);    // circle of fifths
  CHECK(parse_key("bb-dorian")->fifths == -4);  // B-flat dorian has the flats of A-flat major
  CHECK(parse_key("c-sharp-minor")->fifths == 4);
  CHECK_FALSE(parse_key("g#-major"));  // eight sharps
  CHECK_FALSE(parse_key("c-moll"));
  auto time = [](std::string_view text) {
    auto t = parse_time(read(text).forms[0].datum);
    return t ? to_string(*t) : "none";
  };
  CHECK(time("(3+2 8)") == "3+2/8");
  CHECK(time("((3 8) (2 4))") == "3/8+2/4");
  CHECK(time("6/8") == "6/8");
  CHECK(time("3/4") == "3/4");
  CHECK(time(":cut") == "cut");
  CHECK(time("(4)") == "none");
  CHECK(time("(0 4)") == "none");
  auto both = [](std::string_view text) {
    auto r = parse_ratio(read(text).forms[0].datum);
    return r ? std::to_string(r->actual) + ":" + std::to_string(r->normal) : "none";
  };
  CHECK(both("3:2") == "3:2");
  CHECK(both("6/4") == "6:4");
  CHECK(both("3/2") == "3:2");
  CHECK(both("(7 4)") == "7:4");
  // language.md section 5: a number alone is in the time of the next lower power of two.
  CHECK(both("3") == "3:2");
  CHECK(both("5") == "5:4");
  CHECK(both("6") == "6:4");
  CHECK(both("9") == "9:8");
  CHECK(both("0:2") == "none");
}

}  // namespace fermata::bind_test
