#pragma once

#include "support.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace musicxml_test {

/// Validates texts with xmllint against the official schema, all in one run. Answers what xmllint
/// complains about; empty when everything is valid.
class schema_check {
public:
  schema_check() {
    folder_ = fs::temp_directory_path() /
              ("fermata-schema-" + std::to_string(getpid()) + "-" + std::to_string(counter()++));
    fs::create_directories(folder_);
  }
  ~schema_check() { fs::remove_all(folder_); }
  schema_check(const schema_check&) = delete;
  schema_check& operator=(const schema_check&) = delete;

  void add(const std::string& name, const std::string& xml) {
    auto file = folder_ / (std::to_string(files_++) + "-" + name + ".xml");
    std::ofstream{file, std::ios::binary} << xml;
  }

  std::string complaints() const {
    if (files_ == 0) return "nothing was checked";
    auto report = folder_ / "report";
    auto schema = fs::path{FERMATA_TEST_DATA} / "xsd" / "musicxml-local.xsd";
    auto command = "find '" + folder_.string() +
                   "' -name '*.xml' -print0 | xargs -0 xmllint --nonet "
                   "--huge --noout --schema '" +
                   schema.string() + "' > '" + report.string() + "' 2>&1";
    auto status = std::system(command.c_str());
    std::ifstream in(report);
    std::string line, found;
    std::size_t valid = 0;
    while (std::getline(in, line)) {
      if (line.ends_with(" validates"))
        ++valid;
      else
        found += line + "\n";
    }
    if (found.empty() && (status != 0 || valid != files_))
      found = "xmllint looked at " + std::to_string(valid) + " of " + std::to_string(files_) +
              " files (is libxml2-utils installed?)";
    return found;
  }

private:
  static int& counter() {
    static int n = 0;
    return n;
  }
  fs::path folder_;
  std::size_t files_ = 0;
};

/// What xmllint says about one text.
inline std::string schema_complaints(const std::string& xml) {
  schema_check check;
  check.add("score", xml);
  return check.complaints();
}

}  // namespace musicxml_test
