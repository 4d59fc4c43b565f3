#pragma once

#include "io/musicxml/export.hpp"
#include "io/musicxml/container/read.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace musicxml_test {

namespace fs = std::filesystem;
using namespace fermata;
using namespace fermata::io::musicxml;

inline fs::path data_folder() { return fs::path{FERMATA_TEST_DATA} / "musicxml"; }

inline std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

/// A one-part score around the contents of one measure.
inline std::string score_around(const std::string& measure_contents,
                                const std::string& score_part = {}) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<score-partwise version=\"4.0\">\n"
         "<part-list><score-part id=\"P1\"><part-name>Piano</part-name>" +
         score_part +
         "</score-part></part-list>\n"
         "<part id=\"P1\"><measure number=\"1\">" +
         measure_contents + "</measure></part></score-partwise>\n";
}

/// Writes what is there and nothing else, as a conversion between files does.
inline write_options as_given() {
  write_options o;
  o.accidentals = o.beams = o.playback = completion::as_given;
  return o;
}

inline measure first_measure(const import_result& r) {
  return *r.score->parts.at(0)->measures.at(0);
}

/// The chords and rests of a measure, in order.
inline std::vector<const chord_rest*> chords_of(const measure& m) {
  std::vector<const chord_rest*> found;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content)) found.push_back(x);
  return found;
}

inline std::string messages(const std::vector<diagnostic>& diagnostics) {
  std::string text;
  for (auto& d : diagnostics)
    text += d.message + "\n";
  return text;
}

/// The files of the corpus: the small one of the repository, and the large one where it is present
/// (FERMATA_CORPUS, or ../shared/data/musicxml beside the checkout).
inline std::vector<fs::path> corpus_files() {
  std::vector<fs::path> roots{data_folder()};
  if (auto* named = std::getenv("FERMATA_CORPUS")) {
    roots.emplace_back(named);
  } else {
    auto beside = data_folder() / "../../../../shared/data/musicxml";
    if (fs::exists(beside)) roots.push_back(beside);
  }
  std::vector<fs::path> files;
  for (auto& root : roots)
    for (auto& entry : fs::recursive_directory_iterator(root)) {
      auto extension = entry.path().extension();
      if (entry.is_regular_file() &&
          (extension == ".xml" || extension == ".musicxml" || extension == ".mxl"))
        files.push_back(entry.path());
    }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace musicxml_test
