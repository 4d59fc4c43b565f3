#include "core/lang/names/xml_text.hpp"

#include "core/lang/value/form_spec.hpp"
#include "core/score/analysis/validate.hpp"
#include "evaluated.hpp"

#include <utility>

namespace fermata::xml_text_test {

using namespace fermata::test;

TEST_CASE("XML that cannot be read is refused where it is typed, with what is wrong") {
  for (auto [xml, what] : {
           std::pair{"<note>", "<note> has no closing tag"},
           {"<note><pitch></note>", "unexpected </note>: <pitch> is still open"},
           {"</note>", "</note> has no opening tag"},
           {"<note/><rest/>", "<rest> is a second one"},
           {"<note/> text", "a single element"},
           {"<!-- x -->", "no element"},
           {"", "no element"},
           {"text", "a single element"},
           {"<foo/>", "no element <foo>"},
           {"<nte/>", "did you mean `note`?"},
           {"<note><foo/></note>", "no element <foo>"},
           {"<note default-x=3/>", "a value in quotes"},
           {"<note default-x=\"3/>", "a value in quotes"},
           {"<note default-x=\"3\" default-x=\"4\"/>", "given twice"},
           {"<words>Rock & Roll</words>", "&amp;"},
           {"<words>a < b</words>", "&lt;"},
           {"<note", "no end"},
           {"<!-- x", "a comment does not end"},
       }) {
    INFO(xml);
    CHECK(fault_of_element(xml).find(what) != std::string::npos);
    auto text = "(xml " + print(value::string(xml)) + ")";
    CHECK(fault_of(text).code == errc::invalid_xml);
    text = "(note c4 :xml (" + print(value::string(xml)) + "))";
    // What begins with no < is the name of an attribute there.
    CHECK_FALSE(try_eval(text).has_value());
  }
}

TEST_CASE("XML that is MusicXML is taken, and what a file had beyond it stays what it was") {
  for (auto xml : {"<listening><assess type=\"no\"/></listening>",
                   "<words xml:space=\"preserve\">a &amp; b</words>", "  <note/> ",
                   "<note><!-- why --><rest/></note>", "<words><![CDATA[<x>]]></words>",
                   "<words>&#9835; &#x266b;</words>", "<?fermata-kept <foo a=\"b\"/>?>"}) {
    INFO(xml);
    CHECK(fault_of_element(xml) == "");
    CHECK(try_eval("(xml " + print(value::string(xml)) + ")").has_value());
  }
}

TEST_CASE("attributes of MusicXML are taken by name, those of other programs in quotes") {
  for (auto [text, what] :
       {std::pair{"(note c4 :xml (:foo \"x\"))", "no attribute `foo`"},
        {"(note c4 :xml (:default-xx 3))", "did you mean `default-x`"},
        {"(measure :xml (:widht 100))", "did you mean `width`"},
        {"(note c4 :xml (:default-x))", "has no value"},
        {"(note c4 :xml (:default-x (1 2)))", "a text or number"},
        {"(note c4 :xml 3)", "a list of attributes"},
        {"(note c4 :slur (start :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(note c4 :8 :beam (begin :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(note c4 :lyric (\"la\" :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(note c4 :lyric (\"la\" :text-xml (:foo \"x\")))", "no attribute `foo`"},
        {"(note c4 :accidental (sharp :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(note c4 :mark (staccato :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(figured-bass (:number 6 :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(harmony \"C\" :degree (add 9 :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(score :composer (\"Bach\" :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(score :credit (:words \"x\" :xml (:foo \"x\")))", "no attribute `foo`"},
        {"(part :sound (\"i\" \"P\" :midi-xml (:foo \"x\")))", "no attribute `foo`"},
        {"(words \"x\" :direction-xml (:foo \"x\"))", "no attribute `foo`"}}) {
    INFO(text);
    auto v = try_eval(text);
    REQUIRE_FALSE(v.has_value());
    auto message = render(v.error(), text);
    INFO(message);
    CHECK(message.find(what) != std::string::npos);
  }
  auto kept = "(note c4 :q :xml (\"foo\" \"x\" :default-x 83))";
  CHECK(shown(kept) == kept);
  CHECK(*music_of(shown(kept)) == *music_of(kept));
}

TEST_CASE("every form that takes MusicXML looks at it") {
  auto found = 0;
  for (auto& row : form_table())
    for (auto& p : row.params)
      if (p.name == "xml" || p.name.ends_with("-xml")) {
        INFO(row.name << " :" << p.name);
        auto children_only = p.name == "work-xml" || p.name == "identification-xml";
        CHECK((p.type == arg_type::xml || children_only));
        ++found;
      }
  CHECK(found > 30);
}

TEST_CASE("an id is a name that other things can refer to") {
  CHECK(is_xml_id("a1"));
  CHECK(is_xml_id("_a.b-c"));
  CHECK(is_xml_id("\u00e9t\u00e9"));
  for (auto text : {"(note c4 :id \"a b\")", "(note c4 :id 1)", "(note c4 :id \"\")",
                    "(note c4 :id \"a:b\")", "(note c4 :xml (:id \"a b\"))"}) {
    INFO(text);
    auto f = fault_of(text);
    CHECK(f.message.find("an id starts with a letter") != std::string::npos);
  }
  auto kept = "(note c4 :q :xml (\"id\" \"a b\"))";
  CHECK(shown(kept) == kept);
}

TEST_CASE("an id that two notes have is found, wherever they stand") {
  auto found = [](const char* text) {
    std::string all;
    for (auto& f : validate(score_of(text)))
      if (f.kind == finding_kind::duplicate_id) all += f.message + "\n";
    return all;
  };
  CHECK(found("(measure (note c4 :h :id a1) (note d4 :h :id a2))") == "");
  CHECK(found("(measure (note c4 :h :id a1) (note d4 :h :id a1))") ==
        "measure 1: the id a1 is that of a note in measure 1, too\n");
  CHECK(found("(score (part :flute (measure (note c5 :w :id a1))) (part :oboe (measure (chord :w "
              "(note c5 :id a2) (note e5 :id a1)))))")
            .find("the id a1") != std::string::npos);
}

}  // namespace fermata::xml_text_test
