#include "core/music/duration.hpp"

#include <catch2/catch.hpp>

namespace fermata::duration_test {

TEST_CASE("American, British and short names mean the same note value") {
  // Names: language reference section 3; British terms as in every primer.
  struct row {
    note_base base;
    std::vector<std::string_view> names;
  };
  for (const auto& [base, names] :
       {row{note_base::whole, {"w", "1", "whole", "semibreve", "W"}},
        {note_base::half, {"h", "2", "half", "minim"}},
        {note_base::quarter, {"q", "4", "quarter", "crotchet", "Quarter"}},
        {note_base::eighth, {"8", "e", "eighth", "quaver"}},
        {note_base::n16th, {"16", "s", "sixteenth", "semiquaver", "16th"}},
        {note_base::n32nd, {"32", "32nd", "thirty-second", "demisemiquaver"}},
        {note_base::n64th, {"64", "sixty-fourth", "hemidemisemiquaver"}},
        {note_base::n1024th, {"1024", "1024th"}},
        {note_base::breve, {"breve", "double-whole"}},
        {note_base::long_, {"long", "longa"}},
        {note_base::maxima, {"maxima"}}})
    for (auto name : names) {
      INFO(name);
      CHECK(parse_note_value(name) == note_value{base, 0});
      CHECK(parse_note_value(std::string{name} + "..") == note_value{base, 2});
    }
  for (auto text : {"", ".", "..", "7", "3", "q-", "quart", ".q", "q .", "q................."}) {
    INFO(text);
    CHECK_FALSE(parse_note_value(text).has_value());
  }
}

TEST_CASE("a dot adds half of what stands before it") {
  CHECK(length(note_value{note_base::quarter, 0}) == quarters{1});
  CHECK(length(note_value{note_base::half, 1}) == quarters{3});
  CHECK(length(note_value{note_base::half, 2}) == quarters{rational{7, 2}});
  CHECK(length(note_value{note_base::eighth, 1}) == quarters{rational{3, 4}});
  CHECK(length(note_base::maxima) == quarters{32});
  CHECK(length(note_base::n1024th) == quarters{rational{1, 256}});
}

TEST_CASE("every note value with up to three dots prints, reads back and is found by its length") {
  for (int b = 0; b <= static_cast<int>(note_base::n1024th); ++b)
    for (std::uint8_t dots = 0; dots <= 3; ++dots) {
      note_value v{static_cast<note_base>(b), dots};
      CHECK(parse_note_value(to_string(v)) == v);
      CHECK(note_value_for(length(v)) == v);
      CHECK(parse_musicxml_note_base(musicxml_name(v.base)) == v.base);
    }
  CHECK(to_string(note_value{note_base::eighth, 1}) == "8.");
  CHECK_FALSE(note_value_for(quarters{rational{1, 3}}).has_value());
  CHECK_FALSE(note_value_for(quarters{rational{5, 4}}).has_value());
  CHECK_FALSE(note_value_for(quarters{0}).has_value());
  CHECK_FALSE(note_value_for(quarters{-1}).has_value());
  CHECK_FALSE(note_value_for(quarters{64}).has_value());
  CHECK_FALSE(note_value_for(quarters{rational{1, 512}}).has_value());
}

TEST_CASE("a length that no single note has is tied together from the longest") {
  auto spelled = [](rational q) {
    std::string out;
    for (auto v : tied_note_values(quarters{q}))
      out += to_string(v) + " ";
    return out;
  };
  CHECK(spelled(3) == "h. ");
  CHECK(spelled({5, 4}) == "q 16 ");
  CHECK(spelled(5) == "w q ");
  CHECK(spelled({7, 2}) == "h.. ");
  CHECK(spelled({9, 2}) == "w 8 ");
  CHECK(spelled({1, 3}).empty());
  CHECK(spelled(0).empty());
  CHECK(spelled({1, 512}).empty());
  CHECK(spelled(INT64_MAX).empty());
  for (int n = 1; n <= 600; ++n) {
    quarters total;
    for (auto v : tied_note_values(quarters{rational{n, 16}}))
      total += length(v);
    CHECK(total == quarters{rational{n, 16}});
  }
}

}  // namespace fermata::duration_test
