#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fermata::test {

/// A page of docs/ says what the tables in the program say. With FERMATA_WRITE_DOCS set it is
/// written anew first: beside the old one, which it replaces when it is whole.
inline void check_page(const std::string& name, const std::string& made) {
  const auto path = std::filesystem::path{FERMATA_TEST_DATA} / ".." / ".." / "docs" / name;
  if (std::getenv("FERMATA_WRITE_DOCS")) {
    auto beside = path;
    beside += ".new";
    {
      std::ofstream file{beside, std::ios::binary};
      file << made;
      file.close();
      REQUIRE(file.good());
    }
    std::filesystem::rename(beside, path);
  }
  std::ifstream file{path, std::ios::binary};
  const std::string there{std::istreambuf_iterator<char>{file}, {}};
  INFO("docs/" << name
               << " is out of date; run this test with FERMATA_WRITE_DOCS=1 to regenerate it");
  // Not CHECK(there == made): the failure would print both pages.
  const bool current = there == made;
  CHECK(current);
}

}  // namespace fermata::test
