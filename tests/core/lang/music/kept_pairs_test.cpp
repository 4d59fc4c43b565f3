#include "core/score/model/kept_elements.hpp"
#include "typed_session.hpp"

#include <algorithm>
#include <functional>

namespace fermata::kept_pairs_test {

using namespace fermata::test;

namespace {

std::string in_quotes(const std::string& xml) {
  std::string out = "(xml \"";
  for (char c : xml)
    out += c == '"' ? std::string{"\\\""} : std::string{c};
  return out + "\")";
}

/// One end of every kind of pair that is kept.
enum class end { start, stop };
struct kind_of_pair {
  std::string element;
  /// A measure of one whole note that holds the end: a start in front, a stop behind where the kind
  /// can stand there.
  std::function<std::string(end, const std::string& pitch)> measure;
};

std::string word(end e) { return e == end::start ? "start" : "stop"; }

std::string around(end e, const std::string& mark, const std::string& pitch) {
  auto note = "(note " + pitch + " :w)";
  return e == end::start ? "(measure " + mark + " " + note + ")"
                         : "(measure " + note + " " + mark + ")";
}

std::string with_style(end e, const std::string& child, const std::string& pitch) {
  auto xml = "<measure-style><" + child + " type=\"" + word(e) + "\"/></measure-style>";
  return "(measure (attributes " + in_quotes(xml) + ") (note " + pitch + " :w))";
}

const std::vector<kind_of_pair>& kinds_of_pairs() {
  static const std::vector<kind_of_pair> kinds{
      {"grouping",
       [](end e, const std::string& pitch) {
         return around(e, in_quotes("<grouping type=\"" + word(e) + "\"/>"), pitch);
       }},
      {"principal-voice",
       [](end e, const std::string& pitch) {
         auto xml = "<principal-voice type=\"" + word(e) + "\" symbol=\"none\"/>";
         return around(e, "(direction " + in_quotes(xml) + ")", pitch);
       }},
      {"other-notation",
       [](end e, const std::string& pitch) {
         return "(measure (note " + pitch + " :w :mark (:other-notation \"zz\" :xml (:type \"" +
                word(e) + "\" :number 1))))";
       }},
      {"beat-repeat",
       [](end e, const std::string& pitch) { return with_style(e, "beat-repeat", pitch); }},
      {"slash", [](end e, const std::string& pitch) { return with_style(e, "slash", pitch); }},
      {"measure-repeat",
       [](end e, const std::string& pitch) { return with_style(e, "measure-repeat", pitch); }},
  };
  return kinds;
}

/// The element that a remark names.
std::string kept_as(const kind_of_pair& k) {
  auto is_style = k.measure(end::stop, "c4").find("measure-style") != std::string::npos;
  return is_style ? "measure-style" : k.element;
}

std::string all_measures(session& s, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += s.measure(i);
  return out;
}

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

std::string removed(const kind_of_pair& k) {
  return "removed <" + kept_as(k) + ">: its other end was removed";
}

}  // namespace

TEST_CASE("whichever end of a pair is deleted, the other goes and is told of") {
  for (const auto& kind : kinds_of_pairs())
    for (auto gone : {1, 3}) {
      INFO(kind.element << ", measure " << gone);
      session s;
      s.type(kind.measure(end::start, "c4") + " (measure (note d4 :w)) " +
             kind.measure(end::stop, "e4") + " (measure (note f4 :w))");
      REQUIRE(holds(all_measures(s, 4), kind.element));
      auto r = s.try_type("(delete (measures " + std::to_string(gone) + "))");
      REQUIRE(r);
      CHECK(r->remarks == lines{removed(kind)});
      CHECK_FALSE(holds(all_measures(s, 3), kind.element));
    }
}

TEST_CASE("a pair stays whole when a measure in it or before it is deleted") {
  for (const auto& kind : kinds_of_pairs())
    for (auto gone : {1, 3}) {
      INFO(kind.element << ", measure " << gone);
      session s;
      s.type("(measure (note c4 :w)) " + kind.measure(end::start, "d4") +
             " (measure (note e4 :w)) " + kind.measure(end::stop, "f4"));
      auto r = s.try_type("(delete (measures " + std::to_string(gone) + "))");
      REQUIRE(r);
      CHECK(r->remarks.empty());
      auto now = all_measures(s, 3);
      CHECK(holds(now, "start"));
      CHECK(holds(now, "stop"));
    }
}

TEST_CASE("a measure that replaces an end of a pair does not get it, and the other end goes") {
  for (const auto& kind : kinds_of_pairs()) {
    INFO(kind.element);
    session s;
    s.type(kind.measure(end::start, "c4") + " (measure (note d4 :w)) " +
           kind.measure(end::stop, "e4"));
    auto r = s.try_type("(replace (measures 1) (measure (note g4 :w)))");
    REQUIRE(r);
    CHECK(r->remarks == lines{removed(kind)});
    CHECK_FALSE(holds(all_measures(s, 3), kind.element));
  }
}

TEST_CASE("an end is not entered where its beginning is not there") {
  for (const auto& kind : kinds_of_pairs())
    for (auto form : {"", "(add "}) {
      INFO(kind.element << ' ' << form);
      session s;
      s.type("(measure (note c4 :w))");
      auto stop = kind.measure(end::stop, "e4");
      auto r = s.try_type(*form ? form + stop + ")" : stop);
      REQUIRE(r);
      CHECK(r->remarks == lines{"add dropped <" + kept_as(kind) + ">: it has no start"});
      CHECK_FALSE(holds(s.measure(1), kind.element));
      // A beginning may get its end later.
      r = s.try_type(kind.measure(end::start, "c4"));
      REQUIRE(r);
      CHECK(r->remarks.empty());
      r = s.try_type(stop);
      REQUIRE(r);
      CHECK(r->remarks.empty());
      CHECK(holds(s.measure(2), kind.element));
      CHECK(holds(s.measure(3), kind.element));
    }
}

TEST_CASE("a beginning that nothing ends is not put in front of music that was there") {
  for (const auto& kind : kinds_of_pairs()) {
    INFO(kind.element);
    auto begins = kind.measure(end::start, "g4"), ends = kind.measure(end::stop, "a4");
    auto lost = "add dropped <" + kept_as(kind) + ">: it has no end";
    auto written = "(measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w))";
    for (auto& edit : {"(replace (measures 2) " + begins + ")", "(insert-measure 2 " + begins + ")",
                       "(edit (measures 2) (fn [m] " + begins + "))"}) {
      INFO(edit);
      session s;
      s.type(written);
      auto r = s.try_type(edit);
      REQUIRE(r);
      CHECK(r->remarks == lines{lost});
      CHECK_FALSE(holds(all_measures(s, 3), kind.element));
    }
    // A later form of the same text may end it, and so may what is written behind the last measure.
    session s;
    s.type(written);
    auto r =
        s.try_type("(replace (measures 1) " + begins + ") (replace (measures 2) " + ends + ")");
    REQUIRE(r);
    CHECK(r->remarks.empty());
    CHECK(holds(s.measure(0), kind.element));
    r = s.try_type("(replace (measures 3) " + begins + ")");
    REQUIRE(r);
    CHECK(r->remarks.empty());
    CHECK(holds(s.measure(2), kind.element));
  }
}

TEST_CASE("a beginning that was alone stays when its measure is edited") {
  for (const auto& kind : kinds_of_pairs()) {
    INFO(kind.element);
    session s;
    s.type(kind.measure(end::start, "c4") + " (measure (note d4 :w))");
    for (auto edit :
         {"(edit (measures 1) (fn [m] (transpose +12 m)))", "(edit (measures 1) (fn [m] m))"}) {
      auto r = s.try_type(edit);
      REQUIRE(r);
      CHECK(r->remarks.empty());
      CHECK(holds(s.measure(0), kind.element));
    }
  }
}

TEST_CASE("an end that was alone before an edit elsewhere stays") {
  for (const auto& kind : kinds_of_pairs()) {
    INFO(kind.element);
    session s;
    s.type("(measure (note c4 :w)) " + kind.measure(end::start, "d4") + " (measure (note e4 :w))");
    for (auto edit : {"(delete (measures 1))", "(replace (measures 2) (measure (note g4 :w)))",
                      "(edit (measures 1) (fn [m] m))"}) {
      INFO(edit);
      auto r = s.try_type(edit);
      REQUIRE(r);
      CHECK(r->remarks.empty());
      CHECK(holds(s.measure(0), kind.element));
    }
  }
}

TEST_CASE("slashes and repeat signs last through the end when all from their end on is deleted") {
  // MusicXML 4.0: start and stop are both there unless the signs go on through the end of the part.
  for (std::string style : {"slash", "beat-repeat", "measure-repeat"}) {
    INFO(style);
    session s;
    s.type(with_style(end::start, style, "c4") + " (measure (note d4 :w)) " +
           with_style(end::stop, style, "e4") + " (measure (note f4 :w))");
    auto r = s.try_type("(delete (measures 3 4))");
    REQUIRE(r);
    CHECK(r->remarks.empty());
    CHECK(holds(s.measure(0), style));
  }
}

TEST_CASE("a pair whose ends are on two sides of a rotation goes") {
  for (std::string kind : {"grouping", "principal-voice", "other-notation"}) {
    INFO(kind);
    auto which = std::find_if(kinds_of_pairs().begin(), kinds_of_pairs().end(),
                              [&](const auto& k) { return k.element == kind; });
    auto done = of("(rotate 1 (seq " + which->measure(end::start, "c4") + " " +
                   which->measure(end::stop, "d4") + "))");
    CHECK(done.remarks == lines{"rotate dropped <" + kind +
                                "> (2 times): it depends on the old order of measures"});
    CHECK_FALSE(holds(done.text, kind));
  }
}

TEST_CASE("signs of slashes go as a pair when one of them names a note value that has changed") {
  for (std::string style : {"slash", "beat-repeat"}) {
    INFO(style);
    auto start = "(attributes " +
                 in_quotes("<measure-style><" + style +
                           " type=\"start\"><slash-type>quarter"
                           "</slash-type></" +
                           style + "></measure-style>") +
                 ")";
    auto done = of("(augment 2 (seq (measure " + start + " (note c4 :w)) " +
                   with_style(end::stop, style, "d4") + "))");
    CHECK(done.remarks ==
          lines{"augment dropped <measure-style> (2 times): it refers to the old note values"});
    CHECK_FALSE(holds(done.text, style));
    // Without one they stay.
    auto plain = of("(augment 2 (seq " + with_style(end::start, style, "c4") + " " +
                    with_style(end::stop, style, "d4") + "))");
    CHECK(plain.remarks.empty());
    CHECK(holds(plain.text, style));
  }
}

TEST_CASE("pairs of other parts and other passages stay when one pair goes") {
  for (std::string style : {"slash", "beat-repeat"}) {
    INFO(style);
    auto start_in_quarters = "(measure (attributes " +
                             in_quotes("<measure-style><" + style +
                                       " type=\"start\"><slash-type>quarter</slash-type></" +
                                       style + "></measure-style>") +
                             ") (note c4 :w))";
    auto gone = start_in_quarters + " " + with_style(end::stop, style, "d4");
    auto stays = with_style(end::start, style, "e4") + " " + with_style(end::stop, style, "f4");
    auto count = [&](const std::string& text) {
      std::size_t n = 0;
      for (auto at = text.find("<" + style); at != text.npos; at = text.find("<" + style, at + 1))
        ++n;
      return n;
    };
    for (auto& music : {"(score (part :violin " + gone + ") (part :cello " + stays + "))",
                        "(score (part :violin " + stays + ") (part :cello " + gone + "))",
                        "(seq " + gone + " " + stays + ")", "(seq " + stays + " " + gone + ")"}) {
      INFO(music);
      auto done = of("(augment 2 " + music + ")");
      CHECK(done.remarks ==
            lines{"augment dropped <measure-style> (2 times): it refers to the old note values"});
      CHECK(count(done.text) == 2);
    }
    // Nothing is longer or shorter, so nothing goes.
    CHECK(of("(augment 1 (seq " + gone + "))").remarks.empty());
  }
}

TEST_CASE("pairs around notes are around them backwards, and what the start says stays with it") {
  auto start = in_quotes("<principal-voice type=\"start\" symbol=\"Hauptstimme\"/>");
  auto stop = in_quotes("<principal-voice type=\"stop\" symbol=\"none\"/>");
  CHECK(of("(retrograde (measure (direction " + start +
           ") (note c4 :h) (note d4 :q) (note e4 :q) "
           "(direction " +
           stop + ")))")
            .text == shown("(measure (direction " + start +
                           ") (note e4 :q) (note d4 :q) (note c4 :h) "
                           "(direction " +
                           stop + "))"));
  start = in_quotes("<grouping type=\"start\"><feature>x</feature></grouping>");
  stop = in_quotes("<grouping type=\"stop\"/>");
  CHECK(
      of("(retrograde (measure " + start + " (note c4 :h) (note d4 :q) (note e4 :q) " + stop + "))")
          .text ==
      shown("(measure " + start + " (note e4 :q) (note d4 :q) (note c4 :h) " + stop + ")"));
  auto opens = std::string{" :mark (:other-notation \"a\" :xml (:type \"start\" :number 1)))"};
  auto closes = std::string{" :mark (:other-notation \"b\" :xml (:type \"stop\" :number 1)))"};
  CHECK(of("(retrograde (seq (note c4 :h" + opens + " (note d4 :h" + closes + "))").text ==
        shown("(seq (note d4 :h" + opens + " (note c4 :h" + closes + ")"));
}

}  // namespace fermata::kept_pairs_test
