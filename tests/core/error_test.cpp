#include "core/error.hpp"

#include "core/utf8.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::error_test {

TEST_CASE("every row of the error table has a name of its own, a sentence and advice") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < error_table().size(); ++i) {
    const auto& row = error_table()[i];
    INFO(row.name);
    CHECK(row.code == static_cast<errc>(i));
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.summary.empty());
    CHECK_FALSE(row.explanation.empty());
    CHECK(find_error(row.name) == &row);
    CHECK(&info(row.code) == &row);
  }
  CHECK(find_error("no-such-code") == nullptr);
}

TEST_CASE("columns count what is seen, not bytes") {
  CHECK(locate("abc", 2).column == 3);
  CHECK(locate("\u00e9\u00e9x", 4).column == 3);
  CHECK(locate("\u00e9\u00e9x", 3).column == 2);
  CHECK(locate("a\nb\nc", 4).line == 3);
  CHECK(locate("a\nb\nc", 4).column == 1);
  CHECK(locate("a", 99).column == 2);
  CHECK(locate("", 0).line == 1);
}

TEST_CASE("carets stand below the fault, also after letters of several bytes") {
  error e{errc::unknown_form, "no form is called `nte`", source_span{1, 4}, "did you mean `note`?"};
  CHECK(render(e, "(nte c4 :q)") == "unknown-form: no form is called `nte`\n"
                                    "  (nte c4 :q)\n"
                                    "   ^^^\n"
                                    "  did you mean `note`?\n");
  error f{errc::invalid_pitch, "not a pitch", source_span{15, 20}};
  CHECK(render(f, "(words \"\u00fc\u00fc\") h\u266f4 x") ==
        "invalid-pitch: not a pitch\n"
        "  (words \"\u00fc\u00fc\") h\u266f4 x\n"
        "               ^^^\n");
}

TEST_CASE("a fault in a file is shown with its line") {
  error e{errc::invalid_pitch, "not a pitch", source_span{13, 15}};
  CHECK(render(e, "(note c4)\n  (h4)\n(note d4)\n", "song.ferm") ==
        "song.ferm:2:4: invalid-pitch: not a pitch\n"
        "  2 |   (h4)\n"
        "         ^^\n");
}

TEST_CASE("a span anywhere in any bytes renders without fault and without control characters") {
  std::string text = "a\u266f\t\x1b[31m\xff\xfe\n\xe2\x99\r\n\U0001d12a\xc2\x9b"
                     "end";
  for (std::size_t b = 0; b <= text.size() + 2; ++b)
    for (std::size_t e = 0; e <= text.size() + 2; ++e) {
      auto shown = render(error{errc::invalid_token, "x", source_span{b, e}}, text);
      CHECK(shown.find('\x1b') == std::string::npos);
      CHECK(shown.find('^') != std::string::npos);
    }
  std::string longest(5000, 'x');
  auto shown = render(error{errc::invalid_token, "x", source_span{4000, 4900}}, longest);
  CHECK(shown.size() < 600);
}

TEST_CASE("an overlong or broken form of a control character is not printed") {
  // U+001B in two, three and four bytes, a C1 control, a surrogate, and one beyond Unicode.
  for (std::string bad : {"\xC0\x9B", "\xE0\x80\x9B", "\xF0\x80\x80\x9B", "\xC2\x9B",
                          "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    auto text = render(error{errc::invalid_pitch, "x", source_span{0, 1}}, "c" + bad + "[31m", {});
    INFO(bad);
    CHECK(text.find(bad) == std::string::npos);
    CHECK(find_invalid_utf8(text) == std::string::npos);
  }
  // A lead byte before ASCII takes nothing away.
  CHECK(render(error{errc::invalid_pitch, "a\xC2"
                                          "b"},
               {}, {})
            .find("b") != std::string::npos);
}

TEST_CASE("a slip of the fingers is recognized, another word is not") {
  std::vector<std::string_view> forms{"note", "rest", "chord", "tuplet", "transpose", "staccato"};
  CHECK(nearest("nte", forms) == "note");
  CHECK(nearest("ntoe", forms) == "note");  // a transposition counts as one slip
  CHECK(nearest("stacato", forms) == "staccato");
  CHECK(nearest("trnaspsoe", forms) == "transpose");
  CHECK_FALSE(nearest("xy", forms).has_value());
  CHECK_FALSE(nearest("fugue", forms).has_value());
  CHECK_FALSE(nearest("", forms).has_value());
  CHECK_FALSE(nearest(std::string(100000, 'x'), forms).has_value());
}

}  // namespace fermata::error_test
