#include "schema_check.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

// Each folder of tests/data/broken-musicxml is one fault and what is said of it; SOURCES.txt there
// tells how expected.txt is read.

namespace musicxml_test::fault_folders_test {

namespace {

struct fault {
  std::string name, bytes, outcome;
  std::size_t limit = read_limits{}.bytes;
  std::vector<std::string> words;
};

fault load(const fs::path& folder) {
  fault f;
  f.name = folder.filename().string();
  for (auto* file : {"score.musicxml", "score.mxl"})
    if (fs::exists(folder / file)) f.bytes = bytes_of(folder / file);
  std::ifstream expected{folder / "expected.txt"};
  for (std::string line; std::getline(expected, line);)
    if (line.starts_with("limit "))
      f.limit = std::stoul(line.substr(6));
    else if (f.outcome.empty())
      f.outcome = line;
    else
      f.words.push_back(line);
  return f;
}

bool says_all(const std::vector<diagnostic>& diagnostics, const std::vector<std::string>& words) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](auto& d) {
    auto text = d.message + " " + d.hint;
    return std::all_of(words.begin(), words.end(),
                       [&](auto& w) { return text.find(w) != std::string::npos; });
  });
}

}  // namespace

TEST_CASE("every fault of a file is told with its place, its element and the reason") {
  schema_check schema;
  std::size_t faults = 0;
  for (auto& entry : fs::directory_iterator(data_folder() / ".." / "broken-musicxml")) {
    if (!entry.is_directory()) continue;
    auto f = load(entry.path());
    ++faults;
    INFO(f.name);
    REQUIRE(!f.outcome.empty());
    read_limits limits;
    limits.bytes = f.limit;
    auto r = read(f.bytes, "score", limits);
    if (f.outcome.starts_with("refused ")) {
      REQUIRE(!r);
      INFO(r.error().first().message);
      CHECK(std::string{info(r.error().first().code).name} == f.outcome.substr(8));
      CHECK(says_all(r.error().diagnostics, f.words));
      continue;
    }
    REQUIRE(r);
    INFO(messages(r->warnings));
    if (f.outcome == "read nothing")
      CHECK(r->warnings.empty());
    else
      CHECK(says_all(r->warnings, f.words));
    // What was read is written validly, and the same again.
    auto written = write(*r->score, as_given());
    schema.add(f.name, written);
    auto again = read(written, "written");
    REQUIRE(again);
    CHECK(write(*again->score, as_given()) == written);
  }
  CHECK(faults >= 24);
  CHECK(schema.complaints() == "");
}

}  // namespace musicxml_test::fault_folders_test
