#include "io/staff/staff_picture.hpp"
#include "io/text/wrap.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>

// Scores that others wrote, with whatever they hold.

namespace fermata::io::real_scores_test {

namespace {

std::size_t widest_line(std::string_view picture) {
  std::size_t widest = 0;
  while (!picture.empty()) {
    auto end = std::min(picture.find('\n'), picture.size());
    widest = std::max(widest, display_width(picture.substr(0, end)));
    picture.remove_prefix(std::min(end + 1, picture.size()));
  }
  return widest;
}

}  // namespace

TEST_CASE("no part of a real score is drawn wider than the terminal") {
  for (auto& file : musicxml_test::corpus_files()) {
    INFO(file.string());
    auto read = musicxml::read(musicxml_test::bytes_of(file), file.filename().string());
    if (!read) continue;  // one that is broken on purpose
    auto& whole = *read->score;
    for (std::size_t columns : {40, 80, 200}) {
      staff_options o;
      o.columns = columns;
      CHECK(widest_line(staff_picture(whole, o)) <= columns);
      o.unicode = false;
      for (std::size_t part = 0; part < whole.parts.size(); ++part) {
        o.part = part;
        CHECK(widest_line(staff_picture(whole, o)) <= columns);
      }
    }
  }
}

}  // namespace fermata::io::real_scores_test
