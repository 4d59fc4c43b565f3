#include "io/protocol/reference.hpp"

#include "io/mcp/reference.hpp"
#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::reference_test {

using fermata::test::check_page;

TEST_CASE("the page about the socket is what the program does", "[docs]") {
  check_page("ipc.md", fermata::io::protocol::reference_markdown());
}

TEST_CASE("the page about MCP is what the program does", "[docs]") {
  check_page("mcp.md", fermata::io::mcp::reference_markdown());
}

}  // namespace fermata::io::reference_test
