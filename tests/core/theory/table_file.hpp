#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fermata::test {

/// One line of a tab-separated table, by column name.
using table_row = std::map<std::string, std::string>;

/// All lines of a table with a header line. Throws when it cannot be read, so that a missing file
/// never looks like a passed test.
inline std::vector<table_row> read_table(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');)
      cells.push_back(cell);
    return cells;
  };
  std::string line;
  std::getline(in, line);
  auto header = split(line);
  std::vector<table_row> rows;
  while (std::getline(in, line)) {
    auto cells = split(line);
    cells.resize(header.size());
    table_row row;
    for (std::size_t i = 0; i < header.size(); ++i)
      row[header[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error("empty table " + path);
  return rows;
}

/// A table of tests/data/theory.
inline std::vector<table_row> theory_table(const std::string& name) {
  return read_table(FERMATA_TEST_DATA "/theory/" + name);
}

/// The words of a cell.
inline std::vector<std::string> words_of(const std::string& cell) {
  std::istringstream stream(cell);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

}  // namespace fermata::test
