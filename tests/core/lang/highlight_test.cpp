#include "core/lang/reference/highlight.hpp"

#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

namespace fermata::highlight_test {

namespace {

std::string classes(std::string_view text, const environment* env = nullptr,
                    std::size_t cursor = static_cast<std::size_t>(-1)) {
  constexpr const char* names[] = {"delimiter", "keyword", "duration", "pitch",   "number",
                                   "string",    "comment", "history",  "special", "form",
                                   "name",      "unknown", "invalid"};
  std::string s;
  for (auto& p : highlight(text, env, cursor)) {
    s += (s.empty() ? "" : " ") + std::string{text.substr(p.span.begin, p.span.end - p.span.begin)};
    if (p.kind == text_class::delimiter)
      s += std::to_string(p.depth) + (p.matched ? "" : "!");
    else
      s += std::string{":"} + names[static_cast<int>(p.kind)];
  }
  return s;
}

}  // namespace

TEST_CASE("every word gets the colour of what it is") {
  CHECK(classes("(map c#4 :q. :up 3/2 \"x\")") ==
        "(0 map:form c#4:pitch :q.:duration :up:keyword 3/2:number \"x\":string )0");
  CHECK(classes("(if $Out[1] 3:2 1.2.3) ; c") ==
        "(0 if:special $Out[1]:history 3:2:number 1.2.3:invalid )0 ; c:comment");
}

TEST_CASE("brackets show their depth and whether they have a partner") {
  CHECK(classes("(zz [x] (") == "(0! zz:unknown [1 x:name ]1 (1!");
  CHECK(classes("(map]") == "(0! map:form ]0!");
  CHECK(classes(")") == ")0!");
}

TEST_CASE("a name that the text or the environment defines is known") {
  CHECK(classes("(defn zz [g] (g 1)) (zz +)") ==
        "(0 defn:special zz:name [1 g:name ]1 (1 g:form 1:number )1 )0 (0 zz:form +:name )0");
  auto e = evaluate(request_for("(defn mine [x] x)"));
  CHECK(classes("(mine 1)", e->env.get()) == "(0 mine:form 1:number )0");
  CHECK(classes("(mine 1)") == "(0 mine:unknown 1:number )0");
}

TEST_CASE("a word that is being typed is not called unknown yet") {
  CHECK(classes("(no", nullptr, 3) == "(0! no:name");
  CHECK(classes("(no", nullptr, 1) == "(0! no:unknown");
}

TEST_CASE("unfinished strings and comments keep their colour to the end") {
  CHECK(classes("\"a b") == "\"a b:string");
  CHECK(classes("#| a ( b") == "#| a ( b:comment");
}

TEST_CASE("the partner of a bracket is found, not one in a string") {
  auto pair = matching_delimiters("(a \")\" (b) )", 0);
  REQUIRE(pair.size() == 2);
  CHECK(pair[1] == source_span{11, 12});
  CHECK(matching_delimiters("(a]", 0).empty());
  CHECK(matching_delimiters("(a", 0).empty());
}

TEST_CASE("only the beginning of an endless text is looked at") {
  CHECK(highlight(std::string(1'000'000, '('), nullptr, 0, 100).size() == 100);
}

}  // namespace fermata::highlight_test
