#include "io/protocol/reference.hpp"

#include "io/mcp/reference.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

/// `FERMATA_WRITE_DOCS=1 tests_io "[docs]"` writes the pages anew.
void check_page(const std::string& name, const std::string& made) {
  const auto path = std::string{FERMATA_TEST_DATA} + "/../../docs/" + name;
  if (std::getenv("FERMATA_WRITE_DOCS")) std::ofstream{path, std::ios::binary} << made;
  std::ifstream file{path, std::ios::binary};
  const std::string there{std::istreambuf_iterator<char>{file}, {}};
  INFO("docs/" << name << " is out of date: FERMATA_WRITE_DOCS=1 tests_io [docs] renews it");
  // Not CHECK(there == made): the failure would print both pages.
  const bool current = there == made;
  CHECK(current);
}

}  // namespace

TEST_CASE("the page about the socket is what the program does", "[docs]") {
  check_page("ipc.md", fermata::io::protocol::reference_markdown());
}

TEST_CASE("the page about MCP is what the program does", "[docs]") {
  check_page("mcp.md", fermata::io::mcp::reference_markdown());
}
