#include "core/session/slug.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata {

// The rules and the first example are those of the original program's plan: lower case, everything
// else to `-`, runs collapsed, ends trimmed.
TEST_CASE("the id of a session is its name as one can type it") {
  CHECK(slug_of("My Session #1") == "my-session-1");
  CHECK(slug_of("Bach chorale") == "bach-chorale");
  CHECK(slug_of("  --Op. 27, No. 2--  ") == "op-27-no-2");
  CHECK(slug_of("Übung") == "bung");
  CHECK(slug_of("!?") == "");
  CHECK(slug_of(std::string(200, 'a')).size() == 64);
  CHECK(slug_of(std::string(63, 'a') + " b").back() == 'a');
}

TEST_CASE("a name that is taken gets a number") {
  std::set<std::string> there{"sketch", "sketch-2", "session-1"};
  auto taken = [&](const std::string& slug) { return there.contains(slug); };
  CHECK(unique_slug("Sketch", taken) == "sketch-3");
  CHECK(unique_slug("new", taken) == "new");
  CHECK(unique_slug("", taken) == "session-2");
}

}  // namespace fermata
