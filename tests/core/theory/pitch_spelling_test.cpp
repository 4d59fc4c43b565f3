#include "core/theory/pitch_spelling.hpp"

#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace fermata::pitch_spelling_test {

namespace {

/// A piece with the spelling its composer chose.
struct spelled_piece {
  std::vector<unspelled_note> notes;
  std::vector<pitch> truth;
  std::vector<signature_change> signatures;
};

/// A time of a table; some tables round triplets to decimals.
quarters time_of(const std::string& text) {
  if (text.find('.') == std::string::npos) return quarters{parse_rational(text).value()};
  return quarters{rational{std::lround(std::stod(text) * 960), 960}};
}

spelled_piece piece(const std::string& path) {
  spelled_piece result;
  for (auto& row : test::read_table(path)) {
    // What a tie continues is not spelled again (Meredith's protocol).
    if (row["tie"] == "stop" || row["tie"] == "both" || row["tied"] == "0" || row["tied"] == "-1")
      continue;
    auto onset = time_of(row["onset_q"]);
    result.notes.push_back({onset, time_of(row["dur_q"]), std::stoi(row["midi"])});
    result.truth.push_back(parse_pitch(row["name"]).value());
    if (!row["fifths"].empty()) {
      auto fifths = std::stoi(row["fifths"]);
      if (result.signatures.empty() || result.signatures.back().fifths != fifths)
        result.signatures.push_back({onset, fifths});
    }
  }
  return result;
}

struct tally {
  std::size_t notes = 0, right = 0, right_up_to_shift = 0;
  double strict() const { return 100.0 * static_cast<double>(right) / static_cast<double>(notes); }
  double shifted() const {
    return 100.0 * static_cast<double>(right_up_to_shift) / static_cast<double>(notes);
  }
};

/// Counts right answers, also with the best shift of the whole work by a diminished second.
void count(tally& t, const spelled_piece& p, const std::vector<pitch>& answer) {
  std::size_t best = 0;
  for (int shift : {0, 12, -12}) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < answer.size(); ++i)
      right +=
          *line_of_fifths(answer[i].name()) + shift == *line_of_fifths(p.truth[i].name()) ? 1 : 0;
    if (shift == 0) t.right += right;
    best = std::max(best, right);
  }
  t.notes += answer.size();
  t.right_up_to_shift += best;
}

std::string shown(const std::vector<pitch>& pitches) {
  std::string out;
  for (auto p : pitches)
    out += (out.empty() ? "" : " ") + to_string(p);
  return out;
}

std::vector<unspelled_note> line(std::initializer_list<int> keys) {
  std::vector<unspelled_note> notes;
  for (auto k : keys)
    notes.push_back({quarters{static_cast<std::int64_t>(notes.size())}, quarters{1}, k});
  return notes;
}

}  // namespace

TEST_CASE("two songs are spelled as their composers did") {
  // A floor well above ps13s1, which spells 89 percent of such songs as the composers did.
  for (auto name : {"schubert_rosenband", "chausson_derniere_feuille"}) {
    INFO(name);
    auto p = piece(FERMATA_TEST_DATA "/spelling/" + std::string{name} + ".tsv");
    tally blind, signed_;
    count(blind, p, spelled(p.notes));
    count(signed_, p, spelled(p.notes, p.signatures));
    CHECK(blind.strict() >= 98);
    CHECK(signed_.strict() >= 98.5);
  }
}

TEST_CASE("every answer sounds as the note did, in the order of the notes") {
  auto p = piece(FERMATA_TEST_DATA "/spelling/schubert_rosenband.tsv");
  std::reverse(p.notes.begin(), p.notes.end());
  for (const auto& answer : {spelled(p.notes), ps13s1(p.notes)}) {
    REQUIRE(answer.size() == p.notes.size());
    for (std::size_t i = 0; i < answer.size(); ++i)
      CHECK(midi_key(answer[i]) == p.notes[i].midi_key);
  }
  CHECK(spelled({}).empty());
  CHECK(ps13s1({}).empty());
}

TEST_CASE("a scale is spelled in its key") {
  CHECK(shown(spelled(line({60, 62, 64, 65, 67, 69, 71, 72}))) == "c4 d4 e4 f4 g4 a4 b4 c5");
  CHECK(shown(spelled(line({68, 70, 72, 73, 75, 77, 79, 80}))) == "ab4 bb4 c5 db5 eb5 f5 g5 ab5");
  CHECK(shown(spelled(line({69, 71, 72, 74, 76, 77, 80, 81, 80, 81}))) ==
        "a4 b4 c5 d5 e5 f5 g#5 a5 g#5 a5");
  CHECK(shown(spelled(line({66, 68, 70, 71, 73, 75, 77, 78}), {{quarters{0}, 6}})) ==
        "f#4 g#4 a#4 b4 c#5 d#5 e#5 f#5");
  CHECK(shown(spelled(line({66, 68, 70, 71, 73, 75, 77, 78}), {{quarters{0}, -6}})) ==
        "gb4 ab4 bb4 cb5 db5 eb5 f5 gb5");
}

TEST_CASE("chromatic steps rise in sharps and fall in flats") {
  CHECK(shown(spelled(line({60, 64, 67, 72, 67, 68, 69, 64, 67, 72, 67, 64, 60}))) ==
        "c4 e4 g4 c5 g4 g#4 a4 e4 g4 c5 g4 e4 c4");
  CHECK(shown(spelled(line({60, 64, 67, 72, 69, 68, 67, 64, 67, 72, 67, 64, 60}))) ==
        "c4 e4 g4 c5 a4 ab4 g4 e4 g4 c5 g4 e4 c4");
}

TEST_CASE("a pitch on the line of fifths falls into the octave it sounds in") {
  CHECK(placed_on_line(6, 66) == *parse_pitch("f#4"));
  CHECK(placed_on_line(-7, 71) == *parse_pitch("cb5"));
  CHECK(placed_on_line(12, 60) == *parse_pitch("b#3"));
  for (int place = -15; place < 20; ++place)
    for (int key = 0; key < 128; ++key)
      if ((7 * place - key) % 12 == 0) CHECK(midi_key(placed_on_line(place, key)) == key);
}

// Prints the score over a folder of note tables: FERMATA_SPELLING_TABLES=folder tests_core
// "[measure]".
TEST_CASE("measure the spelling of a folder of note tables", "[.][measure]") {
  auto folder = std::getenv("FERMATA_SPELLING_TABLES");
  REQUIRE(folder != nullptr);
  tally blind, signed_, published;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".tsv") {
      auto p = piece(file.path().string());
      count(blind, p, spelled(p.notes));
      count(signed_, p, spelled(p.notes, p.signatures));
      count(published, p, ps13s1(p.notes));
    }
  WARN("notes " << blind.notes << "\nspelled        strict " << blind.strict() << " shifted "
                << blind.shifted() << "\nwith signature strict " << signed_.strict() << " shifted "
                << signed_.shifted() << "\nps13s1         strict " << published.strict()
                << " shifted " << published.shifted());
}

}  // namespace fermata::pitch_spelling_test
