#include "core/session/timeline/slug.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::slug_test {

// The rules and the first example are those of the original program's plan: lower case, everything
// else to `-`, runs collapsed, ends trimmed.
TEST_CASE("the id of a session is its name as one can type it") {
  CHECK(slug_of("My Session #1") == "my-session-1");
  CHECK(slug_of("\xC3"
                "abc\x9F"
                "d\xCC") == "abc-d");  // bytes that are not UTF-8
  CHECK(slug_of("Bach chorale") == "bach-chorale");
  CHECK(slug_of("  --Op. 27, No. 2--  ") == "op-27-no-2");
  CHECK(slug_of("!?") == "");
  CHECK(slug_of(std::string(200, 'a')).size() == 64);
  CHECK(slug_of(std::string(63, 'a') + " b").back() == 'a');
}

// Decompositions: UnicodeData.txt; letters without one: the transform Latin-ASCII of CLDR.
TEST_CASE("the id of a session in another language can be read") {
  CHECK(slug_of("Für Elise") == "fur-elise");
  CHECK(slug_of("Dvořák") == "dvorak");
  CHECK(slug_of("Ä Ö ü") == "a-o-u");
  CHECK(slug_of("Übung in Weiß") == "ubung-in-weiss");
  CHECK(slug_of("Łódź, Ørsted & Œuvre") == "lodz-orsted-oeuvre");
  CHECK(slug_of("Đàn bầu") == "dan-bau");
  CHECK(slug_of("Þorri, İstanbul, ÆÐ") == "thorri-istanbul-aed");
  // The same letter as two characters, as some file systems have it.
  CHECK(slug_of("Fu\u0308r Dvor\u030ca\u0301k") == "fur-dvorak");
  // Other scripts have no Latin letters to fall back on.
  CHECK(slug_of("Чайковский 4") == "4");
  CHECK(slug_of("日本") == "");
  // Cut between letters, not within what one stands for.
  CHECK(slug_of(std::string(63, 'a') + "ß").size() == 64);
  CHECK(slug_of("\xc3") == "");
}

TEST_CASE("a name that is taken gets a number") {
  std::set<std::string> there{"sketch", "sketch-2", "session-1"};
  auto taken = [&](const std::string& slug) { return there.contains(slug); };
  CHECK(unique_slug("Sketch", taken) == "sketch-3");
  CHECK(unique_slug("new", taken) == "new");
  CHECK(unique_slug("", taken) == "session-2");
}

TEST_CASE("however long its name, a session's id has room for its number") {
  std::set<std::string> there;
  auto taken = [&](const std::string& slug) { return there.contains(slug); };
  for (std::string name :
       {"This is a sensible but rather long working title for a piece of mine",
        "the same words as in that one, and cut where there is a word - end",
        "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"})
    for (auto length : {name.size(), std::size_t{65}, std::size_t{64}, std::size_t{63},
                        std::size_t{62}, std::size_t{61}})
      for (int n = 0; n < 12; ++n) {
        auto slug = unique_slug(name.substr(0, length), taken);
        INFO(slug);
        CHECK(slug.size() <= 64);
        // What an id may be is what the slug of a name is.
        CHECK(slug_of(slug) == slug);
        CHECK(there.insert(slug).second);
      }
  there = {slug_of("This is a sensible but rather long working title for a piece of mine")};
  CHECK(there.contains("this-is-a-sensible-but-rather-long-working-title-for-a-piece-of"));
  CHECK(unique_slug("This is a sensible but rather long working title for a piece of mine",
                    taken) == "this-is-a-sensible-but-rather-long-working-title-for-a-piece-o-2");
}

TEST_CASE("a name that is taken gets a number, as an id does") {
  std::set<std::string> names{"Bach", "Bach 2", std::string(200, 'x')};
  auto taken = [&](const std::string& name) { return names.contains(name); };
  CHECK(unique_name("Fugue", taken) == "Fugue");
  CHECK(unique_name("Bach", taken) == "Bach 3");
  CHECK(unique_name("", taken).empty());
  // The number is never what a long name has no room for, nor is a character cut in two.
  CHECK(unique_name(std::string(200, 'x'), taken) == std::string(188, 'x') + " 2");
  std::string accents;
  while (accents.size() < 187)
    accents += "\u00e9";
  auto longer = 'x' + accents + "\u00e9\u00e9\u00e9";
  names.insert(longer);
  CHECK(unique_name(longer, taken) == 'x' + accents.substr(0, 186) + " 2");
}

// C0, C1, separators and bidirectional controls as Unicode has them (categories Cc, Zl, Zp, and the
// embeddings, overrides and isolates of UAX 9).
TEST_CASE("a name is one line that shows what it is") {
  CHECK(clean_name("Chorale in D") == "Chorale in D");
  CHECK(clean_name("  日本語 \u266d  ") == "日本語 \u266d");
  CHECK(clean_name("a\nb\r\tc") == "a b  c");
  CHECK(clean_name("a\x1b[31mb\x7f") == "a [31mb");
  CHECK(clean_name("a\xc2\x9b"
                   "31mb") == "a 31mb");
  for (auto end : {"\u2028", "\u2029"})
    CHECK(clean_name(std::string{"a"} + end + "b") == "a b");
  // What turns the direction is not seen, and leaves no gap.
  for (auto turn : {"\u202a", "\u202e", "\u2066", "\u2069"})
    CHECK(clean_name(std::string{"a"} + turn + "b") == "ab");
  CHECK(clean_name("\xff"
                   "a\xe2\x82") == "\ufffd"
                                   "a\ufffd\ufffd");
  CHECK(clean_name(" \n\x1b ").empty());
  CHECK(clean_name(std::string(5000, 'x')).size() == 200);
  // Never within a character.
  auto cut = clean_name(std::string(199, 'x') + "\u00e9\u00e9");
  CHECK(cut == std::string(199, 'x'));
}

}  // namespace fermata::slug_test
