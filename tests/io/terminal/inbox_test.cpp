#include "io/terminal/inbox.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace fermata::io::inbox_test {

TEST_CASE("of what is repeated while nobody looks the latest is there, in its place") {
  inbox<std::string> box;
  auto is_news = [](const std::string& x) { return x.starts_with("news"); };
  box.put_instead_of("news 1", is_news);
  box.put_instead_of("news 2", is_news);
  box.put("answer");
  for (int i = 3; i < 100'000; ++i)
    box.put_instead_of("news " + std::to_string(i), is_news);
  auto all = box.take();
  REQUIRE(all.size() == 3);
  CHECK((all[0] == "news 2" && all[1] == "answer" && all[2] == "news 99999"));
  CHECK(box.take().empty());
}

}  // namespace fermata::io::inbox_test
