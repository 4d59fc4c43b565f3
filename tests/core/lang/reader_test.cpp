#include "core/lang/syntax/reader.hpp"

#include <catch2/catch.hpp>

namespace fermata::reader_test {

namespace {

std::string shown(std::string_view text) {
  auto r = read(text);
  REQUIRE(r.errors.diagnostics.empty());
  REQUIRE(r.open.empty());
  std::string all;
  for (auto& f : r.forms)
    all += (all.empty() ? "" : " ") + print(f.datum);
  return all;
}

value only(std::string_view text) {
  auto r = read(text);
  INFO(text);
  REQUIRE(r.complete());
  REQUIRE(r.forms.size() == 1);
  return r.forms[0].datum;
}

const diagnostic& fault(const read_result& r) {
  REQUIRE_FALSE(r.errors.diagnostics.empty());
  return r.errors.first();
}

}  // namespace

TEST_CASE("every kind of datum is read and printed in its canonical spelling") {
  // Expectations: language.md section 2.
  auto [text, printed] = GENERATE(table<const char*, const char*>({
      {"( a b )", "(a b)"},
      {"[x 1]", "[x 1]"},
      {"\"a\\\"b\\\\c\\n\\t\\r\\u266f\"", "\"a\\\"b\\\\c\\n\\t\\r♯\""},
      {"'x", "'x"},
      {"(quote x)", "'x"},
      {"`(a ,b ,@c)", "`(a ,b ,@c)"},
      {"+2", "2"},
      {"-3/2", "-3/2"},
      {"+3/4", "3/4"},
      {"0.5", "0.5"},
      {".5", "0.5"},
      {"5.", "5.0"},
      {"1e3", "1000.0"},
      {"-2.5e-3", "-0.0025"},
      {"true", "true"},
      {"#f", "false"},
      {"nil", "nil"},
      {"3:2", "3:2"},
      {"3+2", "3+2"},
      {"c#4", "c#4"},
      {"C4", "c4"},
      {"bb3", "bb3"},
      {"b♭3", "bb3"},
      {"f♯5", "f#5"},
      {"c-1", "c-1"},
      {"cs4", "c#4"},
      {":8", ":8"},
      {":q.", ":q."},
      {":e..", ":e.."},
      {":c♯-minor", ":c#-minor"},
      {"$In[47]", "$In[47]"},
      {"$Out[-1]", "$Out[-1]"},
      {"$Out[40:45]", "$Out[40:45]"},
      {"$Out[other-session:12]", "$Out[other-session:12]"},
      {"%", "%"},
      {"#p\"c4:q d\"", "(phrase \"c4:q d\")"},
      {"->", "->"},
      {"-P5", "-P5"},
  }));
  CHECK(shown(text) == printed);
}

TEST_CASE("comments of all kinds leave no trace") {
  CHECK(shown("a ; b\nc") == "a c");
  CHECK(shown("a #| b #| nested |# c |# d") == "a d");
  CHECK(shown("(a #;(b c) d)") == "(a d)");
  CHECK(shown("#;#;a b c") == "c");  // R7RS 2.2: two datum comments drop two data
  CHECK(shown("#;'a b") == "b");
}

TEST_CASE("the longest accidental wins in a pitch") {
  // language.md section 2: b3 is B3, bb3 B-flat, bbb3 B-double-flat.
  CHECK(only("b3") == value::of(pitch{step::b, 0, 3}));
  CHECK(only("bb3") == value::of(pitch{step::b, -100, 3}));
  CHECK(only("bbb3") == value::of(pitch{step::b, -200, 3}));
  CHECK(only("fx5") == value::of(pitch{step::f, 200, 5}));
  CHECK(only("e+4") == value::of(pitch{step::e, 50, 4}));
}

TEST_CASE("a fraction that is not in lowest terms stays as it is written") {
  CHECK(only("6/8") == value::sym("6/8"));
  CHECK(only("4/4") == value::sym("4/4"));
  CHECK(only("3/4") == value::of(rational{3, 4}));
}

TEST_CASE("every datum knows where it was written") {
  auto r = read("(note c4\n  :q)");
  auto list = r.forms[0].datum.as_list();
  CHECK(r.forms[0].span == source_span{0, 14});
  REQUIRE(list->spans.size() == 3);
  CHECK(list->spans[0] == source_span{1, 5});
  CHECK(list->spans[1] == source_span{6, 8});
  CHECK(list->spans[2] == source_span{11, 13});
}

TEST_CASE("text that ends inside a form is incomplete, with its openers from outside in") {
  auto openers = [](std::string_view text) {
    auto r = read(text);
    CHECK(r.errors.diagnostics.empty());
    std::vector<std::size_t> at;
    for (auto& s : r.open)
      at.push_back(s.begin);
    return at;
  };
  using v = std::vector<std::size_t>;
  CHECK(openers("(score (part [a") == v{0, 7, 13});
  CHECK(openers("(a \"b") == v{0, 3});
  CHECK(openers("(a #| b") == v{0, 3});
  CHECK(openers("'") == v{0});
  CHECK(openers("#;") == v{0});
  CHECK(openers("#p\"c4:q d") == v{0});
  CHECK(openers("(a) b").empty());
}

TEST_CASE("forms before an unfinished one are kept") {
  auto r = read("(a) (b) (c");
  CHECK(r.forms.size() == 2);
  CHECK_FALSE(r.complete());
}

TEST_CASE("several independent faults are reported together") {
  auto r = read("(a)) \"\\q\" (b 1.2.3) c)");
  REQUIRE(r.errors.diagnostics.size() == 4);
  CHECK(r.errors.diagnostics[0].code == errc::stray_delimiter);
  CHECK(r.errors.diagnostics[0].span == source_span{3, 4});
  CHECK(r.errors.diagnostics[1].code == errc::invalid_token);
  CHECK(r.errors.diagnostics[1].span == source_span{6, 8});
  CHECK(r.errors.diagnostics[2].span == source_span{13, 18});
  CHECK(r.errors.diagnostics[3].code == errc::stray_delimiter);
  CHECK(r.forms.size() == 1);  // what was read before the first fault
}

TEST_CASE("a bracket closed by the wrong kind is one fault, not many") {
  CHECK(read("(a [b c) d").errors.diagnostics.size() == 1);
  CHECK(read("(note c4]").errors.diagnostics.size() == 1);
  CHECK(fault(read("(note c4]")).code == errc::mismatched_delimiter);
}

// XML 1.0, section 2.11.
TEST_CASE("whatever ends the lines of a text, a string has LF") {
  for (std::string end : {"\n", "\r\n", "\r"}) {
    CHECK(*only("\"a" + end + "b" + end + end + "c\"").as_string() == "a\nb\n\nc");
    CHECK(only("#p\"c4" + end + "d4\"") == only("#p\"c4\nd4\""));
    // What is written as an escape is meant.
    CHECK(*only("\"a\\r\\n\"").as_string() == "a\r\n");
  }
}

TEST_CASE("a comment goes as far as its line, whatever ends that") {
  for (std::string end : {"\n", "\r\n", "\r"})
    CHECK(only("; one" + end + "2 ; three" + end) == value::of(std::int64_t{2}));
}

TEST_CASE("a place behind lines that end in two bytes is that of the bytes") {
  auto r = read("(a\r\n\"b\r\n\"\r\n))");
  CHECK(fault(r).code == errc::stray_delimiter);
  CHECK(fault(r).span == source_span{12, 13});
}

TEST_CASE("bad bytes are reported at their offset") {
  // RFC 3629: no continuation without lead, no overlong form, no surrogate, nothing above U+10FFFF.
  auto [text, at] = GENERATE(table<std::string, std::size_t>({
      {"(a \xff)", 3},
      {"\x80", 0},
      {"ab\xc0\xaf", 2},
      {"\xed\xa0\x80", 0},
      {"x \xf4\x90\x80\x80", 2},
      {"\"\xe2\x99\"", 1},
  }));
  auto r = read(text);
  CHECK(r.errors.diagnostics.size() == 1);
  CHECK(fault(r).code == errc::invalid_utf8);
  CHECK(fault(r).span->begin == at);
}

TEST_CASE("words that begin like something else are refused with what to do") {
  auto [text, code] = GENERATE(table<const char*, errc>({
      {"1.2.3", errc::invalid_token},
      {"c4:q", errc::invalid_token},
      {":", errc::invalid_token},
      {"a|b", errc::invalid_token},
      {"{3:2", errc::invalid_token},
      {"#foo", errc::invalid_token},
      {"$In[x]", errc::invalid_token},
      {"$foo", errc::invalid_token},
      {"“dolce”", errc::invalid_token},
      {"\"\\u12\"", errc::invalid_token},
      {"\"\\ud800\"", errc::invalid_token},
      {"1/0", errc::division_by_zero},
      {"99999999999999999999", errc::number_too_large},
      {"1e999", errc::number_too_large},
      {")", errc::stray_delimiter},
      {"(')", errc::stray_delimiter},
  }));
  auto r = read(text);
  INFO(text);
  CHECK(fault(r).code == code);
}

TEST_CASE("an escape that there is not is named with the whole character") {
  auto r = read("\"\\\u00e9\"");
  REQUIRE(r.errors.diagnostics.size() == 1);
  CHECK(r.errors.first().message == "unknown escape in a string: \\\u00e9");
  CHECK(r.errors.first().span == source_span{1, 4});
}

TEST_CASE("a character beyond the basic plane may be written as two escapes") {
  // U+1D10B MUSICAL SYMBOL SEGNO is D834 DD0B in UTF-16.
  CHECK(*only("\"\\ud834\\udd0b\"").as_string() == "\U0001D10B");
}

TEST_CASE("ten thousand nested lists fail cleanly, and a thousand are read") {
  CHECK(fault(read(std::string(10'000, '('))).code == errc::nesting_too_deep);
  CHECK(fault(read(std::string(2'000'000, '\''))).code == errc::nesting_too_deep);
  auto deep = std::string(1'000, '(') + std::string(1'000, ')');
  CHECK(print(only(deep)) == deep);
}

TEST_CASE("a reader with a higher limit reads and forgets two hundred thousand nested lists") {
  auto deep = std::string(200'000, '(') + std::string(200'000, ')');
  auto r = read(deep, {.nesting = 2'000'000});
  REQUIRE(r.complete());
  CHECK(print(r.forms[0].datum) == deep);
  auto again = read(deep, {.nesting = 2'000'000});
  CHECK(r.forms[0].datum == again.forms[0].datum);
}

TEST_CASE("too much text is refused") {
  auto r = read("(a b c)", {.bytes = 3});
  CHECK(fault(r).code == errc::input_too_large);
}

TEST_CASE("endless nonsense is given up after some errors") {
  CHECK(read(std::string(100'000, ')')).errors.diagnostics.size() <= 20);
  CHECK(read("\"" + std::string(200'000, '\\') + "q\"").errors.diagnostics.size() <= 20);
}

TEST_CASE("a history reference says which entry it means") {
  auto ref = parse_history_reference("$Out[etude:3:5]");
  REQUIRE(ref);
  CHECK(ref->output);
  CHECK(ref->session == "etude");
  CHECK(ref->first == 3);
  CHECK(ref->last == 5);
  CHECK_FALSE(parse_history_reference("$Out[]"));
  CHECK_FALSE(parse_history_reference("$Out[a:b]"));
  CHECK_FALSE(parse_history_reference("$Out[1"));
}

}  // namespace fermata::reader_test
