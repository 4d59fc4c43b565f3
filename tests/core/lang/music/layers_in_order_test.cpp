#include "core/music/clef.hpp"
#include "core/music/meter.hpp"
#include "evaluated.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

// Staves and voices written one after another as layers of a part: whatever order the measures come
// in, every note stands in the key, time and clef that it stood in before. What is expected is
// counted out from the piece as it was written: the measure and the place of each note, mirrored or
// moved.

namespace fermata::layers_in_order_test {

using namespace fermata::test;

namespace {

/// A note, where it stands and in what.
struct placed_note {
  std::size_t measure = 0;
  quarters at, length;
  int staff = 1;
  std::string tone;
  int fifths = 0;
  std::string time, clef;
  auto order() const { return std::tie(measure, staff, at, tone, length); }
  bool operator==(const placed_note&) const = default;
};
std::ostream& operator<<(std::ostream& out, const placed_note& x) {
  return out << "measure " << x.measure << " staff " << x.staff << " at " << to_string(x.at.value)
             << ": " << x.tone << " for " << to_string(x.length.value) << " in " << x.fifths << " "
             << x.time << " " << x.clef;
}

std::vector<placed_note> in_order(std::vector<placed_note> notes) {
  std::sort(notes.begin(), notes.end(),
            [](const auto& a, const auto& b) { return a.order() < b.order(); });
  return notes;
}

/// Where a note is asked what it stands in: a key may change below a note that is held.
enum class moment { attack, end };

/// As a player reads: at each moment what is said there holds, on one staff or on all.
std::vector<placed_note> read_layers(const score& s, moment asked = moment::attack) {
  std::vector<placed_note> out;
  std::map<int, int> fifths;
  std::map<int, std::string> clefs;
  std::string time = "4/4";
  auto say_all = [&](const attributes& a) {
    for (const auto& k : a.keys) {
      if (!k.staff) fifths.clear();
      fifths[k.staff.value_or(0)] = k.value.fifths;
    }
    for (const auto& t : a.times)
      time = to_string(t.value);
    for (const auto& c : a.clefs)
      clefs[c.staff.value_or(1)] = std::string{name_of(c.value).value_or("none")};
  };
  for (std::size_t i = 0; i < s.parts.at(0)->measures.size(); ++i) {
    std::multimap<quarters, attributes> said;
    std::multimap<quarters, placed_note> notes;  // by the moment they are asked
    for (const auto& x : s.parts[0]->measures[i]->items) {
      const quarters at{x.at.value};
      if (auto a = std::get_if<attributes>(&x.content)) {
        said.emplace(at, *a);
      } else if (auto c = std::get_if<chord_rest>(&x.content); c && !is_rest(*c)) {
        placed_note n{i, at, c->length, c->staff, to_string(std::get<pitch>(c->notes.front().tone)),
                      0, "", ""};
        notes.emplace(asked == moment::attack ? at : at + c->length, n);
      }
    }
    auto next = said.begin();
    for (auto& [when, n] : notes) {
      // What changes where a note ends is for the next one.
      while (next != said.end() &&
             (asked == moment::attack ? next->first <= when : next->first < when))
        say_all(next++->second);
      auto own = fifths.find(n.staff);
      auto clef = clefs.find(n.staff);
      n.fifths = own != fifths.end() ? own->second : fifths[0];
      n.time = time;
      n.clef = clef != clefs.end() ? clef->second : "treble";
      out.push_back(n);
    }
    while (next != said.end())
      say_all(next++->second);
  }
  return in_order(std::move(out));
}

/// Pieces in layers, with keys before, inside and between the measures of one layer or of all.
class layered_pieces {
public:
  explicit layered_pieces(unsigned seed) : dice_(seed) {}

  std::string next() {
    static const std::vector<std::string> headers{"", "\"Q\" ", ":piano "};
    auto text = "(part " + one_of(headers);
    if (chance(2)) text += key();
    if (chance(4)) text += "(tempo :q 90) ";
    const auto count = 1 + dice_() % 4;
    std::vector<unsigned> beats(count);
    for (auto& b : beats)
      b = &b == &beats.front() || chance(3) ? 2 + static_cast<unsigned>(dice_() % 3) : *(&b - 1);
    const auto layers = 2 + dice_() % 2;
    const auto with_key = dice_() % layers;
    const auto keys_everywhere = chance(3);
    auto says_key = [&](std::size_t l) { return l == with_key || keys_everywhere; };
    const auto each_says_time = chance(2), staves = !chance(3);
    for (std::size_t l = 0; l < layers; ++l) {
      text += (staves ? "(staff " : "(voice ") + std::to_string(l + 1);
      if (staves && chance(2)) text += " " + clef();
      for (std::size_t i = 0; i < count; ++i) {
        if (says_key(l) && chance(3)) text += " " + key();
        text += " (measure ";
        if ((l == 0 || each_says_time) && (i == 0 || beats[i] != beats[i - 1]))
          text += "(time " + std::to_string(beats[i]) + " 4) ";
        text += notes(beats[i], says_key(l), staves) + ")";
      }
      text += ") ";
    }
    return text + ")";
  }

  std::size_t steps() { return 1 + dice_() % 4; }

private:
  bool chance(unsigned in) { return dice_() % in == 0; }
  std::string one_of(const std::vector<std::string>& all) { return all[dice_() % all.size()]; }
  std::string key() { return "(key " + one_of({"c", "g", "d", "f", "bb"}) + " major) "; }
  std::string clef() { return "(clef :" + one_of({"treble", "bass", "alto", "tenor"}) + ") "; }

  std::string notes(unsigned beats, bool with_key, bool with_clef) {
    std::string out;
    for (unsigned left = beats; left > 0;) {
      if (with_key && chance(6)) out += key();
      if (with_clef && chance(8)) out += clef();
      auto half = left > 1 && chance(2);
      auto length = std::string{half ? ":h" : ":q"};
      out += chance(5) ? "(rest " + length + ") "
                       : "(note " + one_of({"c4", "d4", "e4", "f#4", "g4"}) + " " + length + ") ";
      left -= half ? 2 : 1;
    }
    return out;
  }

  std::mt19937 dice_;
};

/// How long each measure is.
std::vector<quarters> lengths_of(const score& s) {
  std::vector<quarters> out;
  for (const auto& m : s.parts.at(0)->measures)
    out.push_back(extent(*m));
  return out;
}

}  // namespace

TEST_CASE("backwards, the measures of all layers share what is said in front of them or in one") {
  // The key before the layers is D for the first measure; G, said by the upper staff, is for both
  // staves in the second. Backwards the second comes first.
  auto s = score_of("(retrograde (part \"Q\" (key d major) (staff 1 (measure (note c4 :w)) "
                    "(measure (key g major) "
                    "(note d4 :w))) (staff 2 (measure (note c3 :w)) (measure (note d3 :w)))))");
  const std::string four = "4/4";
  CHECK(read_layers(s) == std::vector<placed_note>{{0, {}, quarters{4}, 1, "d4", 1, four, "treble"},
                                                   {0, {}, quarters{4}, 2, "d3", 1, four, "bass"},
                                                   {1, {}, quarters{4}, 1, "c4", 2, four, "treble"},
                                                   {1, {}, quarters{4}, 2, "c3", 2, four, "bass"}});
}

TEST_CASE("backwards, every note of every layer keeps its key, time and clef") {
  layered_pieces pieces{1785};
  for (int i = 0; i < 150; ++i) {
    const auto text = pieces.next();
    INFO(text);
    const auto original = score_of(text);
    const auto lengths = lengths_of(original);
    auto wanted = read_layers(original, moment::end);
    for (auto& x : wanted) {
      x.at = lengths[x.measure] - x.at - x.length;
      x.measure = lengths.size() - 1 - x.measure;
    }
    const auto once = "(retrograde " + text + ")";
    INFO(shown(once));
    CHECK(read_layers(score_of(once)) == in_order(wanted));
    CHECK(read_layers(score_of("(retrograde " + once + ")")) == read_layers(original));
  }
}

TEST_CASE("rotated, every note of every layer keeps its key, time and clef") {
  layered_pieces pieces{1750};
  for (int i = 0; i < 100; ++i) {
    const auto text = pieces.next();
    INFO(text);
    const auto original = score_of(text);
    const auto count = original.parts[0]->measures.size();
    const auto steps = pieces.steps() % count;
    auto wanted = read_layers(original);
    for (auto& x : wanted)
      x.measure = (x.measure + count - steps) % count;
    const auto turned = "(rotate " + std::to_string(steps) + " " + text + ")";
    INFO(shown(turned));
    CHECK(read_layers(score_of(turned)) == in_order(wanted));
  }
}

TEST_CASE("backwards, staves of notes without measures stay one above the other") {
  CHECK(shown("(retrograde (part (key d major) (staff :treble (note c5 :q) (note d5 :q)) (staff "
              ":bass (note c3 :q) (note d3 :q)) (barline :final)))") ==
        "(part (key :d :major) (staff :treble (note d5 :q) (note c5 :q)) (staff :bass (note d3 :q) "
        "(note c3 :q)) (barline :final))");
  CHECK(shown("(rotate 1 (part (staff :treble (note c5 :q) (note d5 :q)) (staff :bass (note c3 :q) "
              "(note d3 :q))))") ==
        "(part (staff :treble (note d5 :q) (note c5 :q)) (staff :bass (note d3 :q) (note c3 :q)))");
  // A shorter staff is silent at the end, backwards at the beginning.
  auto s =
      score_of("(retrograde (part (time 2 4) (staff 1 (note c5 :h) (note d5 :h)) (staff 2 (note "
               "c3 :h))))");
  auto notes = read_layers(s);
  REQUIRE(notes.size() == 3);
  CHECK(notes[2].tone == "c3");
  CHECK(notes[2].measure == 1);
}

TEST_CASE("measures among loose notes turn with them and keep their keys") {
  auto s = score_of("(retrograde (part (key d major) (note c4 :w) (measure (key g major) (note d4 "
                    ":w)) (note e4 :w)))");
  const std::string four = "4/4", treble = "treble";
  CHECK(read_layers(s) == std::vector<placed_note>{{0, {}, quarters{4}, 1, "e4", 1, four, treble},
                                                   {1, {}, quarters{4}, 1, "d4", 1, four, treble},
                                                   {2, {}, quarters{4}, 1, "c4", 2, four, treble}});
}

TEST_CASE("backwards, a key, time or clef among loose notes holds over the same notes") {
  CHECK(shown("(retrograde (seq (note c4 :q) (key g major) (note d4 :q) (note e4 :q)))") ==
        "(seq (key :g :major) (note e4 :q) (note d4 :q) (key :c :major) (note c4 :q))");
  CHECK(shown("(retrograde (part (key d major) (note c4 :h) (key g major) (clef :bass) (note d4 "
              ":h)))") ==
        "(part (key :g :major) (clef :bass) (note d4 :h) (clef :treble) (key :d :major) (note c4 "
        ":h))");
  CHECK(shown("(retrograde (seq (time 4 4) (note c4 :w) (time 3 4) (note d4 :h.)))") ==
        "(seq (time 3 4) (note d4 :h.) (time 4 4) (note c4 :w))");
  // A dynamic is its note's; in a tuplet, too.
  CHECK(shown("(retrograde (seq (note c4 :q) (p) (key g major) (note d4 :q)))") ==
        "(seq (key :g :major) (p) (note d4 :q) (key :c :major) (note c4 :q))");
  CHECK(shown("(retrograde (seq (tuplet 3:2 (note c4 :8) (key g major) (note d4 :8) (note e4 :8)) "
              "(note f4 :q)))") ==
        "(seq (key :g :major) (note f4 :q) (tuplet 3:2 (note e4 :8) (note d4 :8) (key :c :major) "
        "(note c4 :8)))");
}

TEST_CASE("rotated, a key or clef among loose notes holds over the same notes") {
  CHECK(shown("(rotate 1 (seq (note c4 :q) (key g major) (note d4 :q) (note e4 :q)))") ==
        "(seq (key :g :major) (note d4 :q) (note e4 :q) (key :c :major) (note c4 :q))");
  CHECK(
      shown(
          "(rotate 2 (seq (clef :bass) (note c3 :q) (clef :treble) (note d4 :q) (note e4 :q)))") ==
      "(seq (clef :treble) (note e4 :q) (clef :bass) (note c3 :q) (clef :treble) (note d4 :q))");
}

TEST_CASE("a time signature in one layer is that of the measures laid over it") {
  auto s =
      score_of("(part (staff 1 (measure (time 4 4) (note c4 :w)) (measure (time 3 4) (note d4 "
               ":h.)) (measure (rest :measure))) (staff 2 (measure (note c3 :w)) (measure (note "
               "d3 :h.)) (measure (note e3 :h.))))");
  REQUIRE(s.parts[0]->measures.size() == 3);
  // The other way round, the later layer says it for the first from there on.
  CHECK(
      compile_fault_of("(part (staff 1 (measure (time 3 4) (note c4 :h.)) (measure (note d4 :h.))) "
                       "(staff 2 (measure (note c3 :h.)) (measure (note d3 :w))))")
          .code == errc::overfull_measure);
  auto filled =
      score_of("(part (staff 1 (measure (time 4 4) (note c4 :w)) (measure (time 3 4) (note "
               "d4 :h.))) (staff 2 (note c3 :w) (note d3 :h.)))");
  CHECK(filled.parts[0]->measures.size() == 2);
}

TEST_CASE("a key that only the lower staff says holds for both, with and without a new metre") {
  for (const auto* time : {"", "(time 3 4) "}) {
    auto s =
        score_of(std::string{"(part (staff 1 (measure (time 3 4) (note c4 :h.)) (measure "} + time +
                 "(note d4 :h.))) (staff 2 (measure (note c3 :h.)) (measure (key g major) "
                 "(note d3 :h.))))");
    const auto& said = first_in<attributes>(s, 0, 1);
    REQUIRE(said.keys.size() == 1);
    CHECK_FALSE(said.keys[0].staff);
  }
}

TEST_CASE("rotated, layers of notes move on by a note each, whatever stands in them") {
  CHECK(shown("(rotate 1 (part :violin (voice 1 (note c5 :h) (key d major) (note d5 :h)) (voice 2 "
              "(note e4 :h) (note f4 :h))))")
            .find("(voice 2 (note f4 :h) (note e4 :h))") != std::string::npos);
  // A tempo in front is for all of them, a syllable its note's.
  CHECK(shown("(rotate 1 (part :violin (tempo :q 90) (voice 1 (lyrics \"one two\" (note c5 :h) "
              "(note d5 :h))) (voice 2 (note e4 :h) (note f4 :h))))") ==
        shown("(part :violin (tempo :q 90) (voice 1 (note d5 :h :lyric \"two\") (note c5 :h "
              ":lyric \"one\")) (voice 2 (note f4 :h) (note e4 :h)))"));
  // Each by its own notes, however many those are.
  CHECK(shown("(rotate 1 (part (voice 1 (note c5 :h) (note d5 :h)) (voice 2 (note e4 :q) (note f4 "
              ":q) (note g4 :q))))") ==
        "(part (voice 1 (note d5 :h) (note c5 :h)) (voice 2 (note f4 :q) (note g4 :q) (note e4 "
        ":q)))");
  // Also where they are made, not written.
  CHECK(
      shown("(rotate 1 (part (voice 1 (seq (note c5 :h) (note d5 :h))) (voice 2 #p\"e4:h f\")))") ==
      shown("(part (voice 1 (seq (note d5 :h) (note c5 :h))) (voice 2 #p\"f4:h e\"))"));
  // Quarters in all layers: what is played at a time is played `steps` quarters earlier, in the
  // key and clef it was played in.
  std::mt19937 dice{1802};
  auto one_of = [&](std::initializer_list<const char*> all) {
    return std::string{*(all.begin() + dice() % all.size())};
  };
  for (int i = 0; i < 100; ++i) {
    const auto count = 4 * (1 + dice() % 2);
    const auto layers = 2 + dice() % 2, with_key = dice() % layers;
    const auto staves = dice() % 3 != 0;
    auto text = "(part " + one_of({"", "\"Q\" ", ":piano ", ":viola "}) +
                one_of({"", "(key eb major) "}) + one_of({"", "(tempo :q 90) "});
    for (std::size_t l = 0; l < layers; ++l) {
      text += (staves ? "(staff " : "(voice ") + std::to_string(l + 1) + " ";
      for (std::size_t n = 0; n < count; ++n) {
        if (l == with_key && dice() % 3 == 0)
          text += one_of({"(key c major) ", "(key g major) ", "(key d major) "});
        if (staves && dice() % 4 == 0) text += one_of({"(clef :treble) ", "(clef :alto) "});
        text += "(note " + one_of({"c4", "d4", "e4", "f#4", "g4"}) + " :q) ";
      }
      text += ") ";
    }
    text += ")";
    INFO(text);
    const auto steps = dice() % count;
    auto wanted = read_layers(score_of(text));
    for (auto& x : wanted) {
      const quarters from_start = x.at + quarters{static_cast<int>(4 * x.measure)};
      auto beat = (static_cast<std::size_t>(from_start.value.numerator()) + count - steps) % count;
      x.measure = beat / 4;
      x.at = quarters{static_cast<int>(beat % 4)};
    }
    const auto turned = "(rotate " + std::to_string(steps) + " " + text + ")";
    INFO(shown(turned));
    CHECK(read_layers(score_of(turned)) == in_order(wanted));
  }
}

TEST_CASE("a voice that begins later does so in a part, too") {
  const std::string four = "4/4", treble = "treble";
  auto starts = [](const std::string& text) {
    std::string out;
    for (const auto& x : read_layers(score_of(text)))
      out +=
          x.tone + "@" + to_string((x.at + quarters{static_cast<int>(4 * x.measure)}).value) + " ";
    return out;
  };
  CHECK(starts("(part :violin (voice 1 (note c5 :h) (note d5 :h)) (voice 2 :at 2 (note e4 :h)))") ==
        "c5@0 d5@2 e4@2 ");
  CHECK(starts("(part (voice 1 (note c5 :w) (note d5 :w)) (voice 2 :at 5 (note e4 :q)))") ==
        "c5@0 d5@4 e4@5 ");
  CHECK(starts("(part (note c5 :w) (note d5 :w) (voice 2 :at 7 (note e4 :h)))") ==
        "c5@0 d5@4 e4@7 e4@8 ");
  CHECK(starts("(part (voice 1 :at 0 (note c5 :q)) (seq (voice 2 :at 1 (note d5 :q))))") ==
        "c5@0 d5@1 ");
  auto f = compile_fault_of("(part (voice 2 :at 2 (measure (note e4 :w))))");
  CHECK(f.code == errc::misplaced);
  CHECK(f.message.find(":at") != std::string::npos);
  // Backwards what is silent in front is silent behind, in a part and outside.
  for (const std::string around : {"part", "seq"}) {
    INFO(around);
    auto back = [&](const std::string& voices) {
      return starts("(retrograde (" + around + " " + voices + "))");
    };
    CHECK(back("(voice 1 (note c5 :h) (note d5 :h)) (voice 2 :at 2 (note e4 :h))") ==
          "d5@0 e4@0 c5@2 ");
    CHECK(back("(voice 1 (note c5 :h) (note d5 :q)) (voice 2 (note e4 :h))") == "d5@0 c5@1 e4@1 ");
    CHECK(back("(voice 1 (note c5 :h) (note d5 :q)) (voice 2 :at 1 (note e4 :q))") ==
          "d5@0 c5@1 e4@1 ");
    CHECK(back("(note c5 :h) (note d5 :q) (voice 2 (note e4 :h))") == "d5@0 c5@1 e4@1 ");
    CHECK(back("(note c5 :h) (voice 2 (note e4 :h) (note f4 :q))") == "f4@0 c5@1 e4@1 ");
  }
  CHECK(
      shown(
          "(retrograde (seq (voice 1 (note c5 :h) (note d5 :h)) (voice 2 :at 2 (note e4 :h))))") ==
      "(seq (voice 1 (note d5 :h) (note c5 :h)) (voice 2 (note e4 :h)))");
  CHECK(shown("(retrograde (seq (voice 1 (note c5 :h) (note d5 :q)) (voice 2 (note e4 :h))))") ==
        "(seq (voice 1 (note d5 :q) (note c5 :h)) (voice 2 :at 1 (note e4 :h)))");
}

TEST_CASE("backwards, loose notes beside layers turn with them") {
  auto starts = [](const std::string& text) {
    std::string out;
    for (const auto& x : read_layers(score_of(text)))
      out += x.tone + "@" + to_string(x.at.value) + " ";
    return out;
  };
  // A measure of four quarters: what began at b and lasted n begins at 4 - b - n.
  CHECK(starts("(measure (seq (voice 2 (note c4 :q) (note d4 :q)) (note e5 :q) (note f5 :q)))") ==
        "c4@0 d4@1 e5@2 f5@3 ");
  CHECK(starts("(measure (retrograde (seq (voice 2 (note c4 :q) (note d4 :q)) (note e5 :q) (note "
               "f5 :q))))") == "f5@0 e5@1 d4@2 c4@3 ");
  CHECK(starts("(measure (retrograde (seq (note a4 :q) (voice 2 (note c4 :q) (note d4 :q)) (note "
               "e5 :q) (note f5 :q))))") == "f5@0 e5@1 d4@2 a4@3 c4@3 ");
  // Twice is nothing.
  for (const std::string text :
       {"(seq (voice 2 (note c4 :q) (note d4 :q)) (note e5 :q) (note f5 :q))",
        "(seq (note a4 :q) (voice 2 (note c4 :q) (note d4 :q)) (note e5 :q) (note f5 :q))",
        "(seq (key d major) (voice 1 (note c4 :h)) (voice 2 (note d4 :q) (note a4 :q)) (note e5 "
        ":h))",
        "(seq (voice 2 (note c4 :h)) (note e5 :q) (voice 3 (note g4 :q)) (note f5 :q))"})
    CHECK(starts("(measure (retrograde (retrograde " + text + ")))") ==
          starts("(measure " + text + ")"));
}

TEST_CASE("layers that cannot move on by themselves are not moved by measures nobody wrote") {
  auto metre =
      fault_of("(rotate 1 (part (staff 1 (time 2 4) (note c5 :h) (time 3 4) (note d5 :h.)) "
               "(staff 2 (note c3 :h) (note d3 :h.))))");
  CHECK(metre.code == errc::misplaced);
  CHECK(metre.message.find("time signature") != std::string::npos);
  auto loose = fault_of("(rotate 1 (part (note c5 :h) (note d5 :h) (staff 2 (note c3 :w))))");
  CHECK(loose.code == errc::misplaced);
  CHECK(loose.message.find("in none of its layers") != std::string::npos);
  // Written in measures, these move on.
  CHECK(score_of("(rotate 1 (part (staff 1 (measure (time 2 4) (note c5 :h)) (measure (time 3 4) "
                 "(note d5 :h.))) (staff 2 (measure (note c3 :h)) (measure (note d3 :h.)))))")
            .parts[0]
            ->measures.size() == 2);
}

TEST_CASE(
    "a clef of two voices that are cut at different times cannot stay over the notes of both") {
  // Voice 1 is cut after a half, voice 2 after a quarter.
  auto voices = [](const std::string& first, const std::string& second, const std::string& length) {
    return "(rotate 1 (part (voice 1 (note c5 :h) " + first + "(note d5 :h)) (voice 2 (note c4 " +
           length + ") " + second + "(note e4 :h))))";
  };
  auto clef = fault_of(voices("(clef :bass) ", "(clef :alto) ", ":q"));
  CHECK(clef.code == errc::misplaced);
  CHECK(clef.message.find("clef") != std::string::npos);
  CHECK(fault_of(voices("(key g major) ", "(key d major) ", ":q")).code == errc::misplaced);
  // Cut at one time, or where only one of them changes it, all is well.
  CHECK(shown(voices("(clef :bass) ", "(clef :bass) ", ":h")).find("(voice 2") !=
        std::string::npos);
  CHECK(shown(voices("(clef :bass) ", "", ":q")).find("(voice 2") != std::string::npos);
}

}  // namespace fermata::layers_in_order_test
