#include "io/mcp/reference.hpp"

#include "io/mcp/prompt_list.hpp"
#include "io/mcp/resource_uri.hpp"
#include "io/mcp/revision.hpp"
#include "io/mcp/stdio_loop.hpp"
#include "io/mcp/tool_list.hpp"
#include "io/protocol/line_decoder.hpp"

#include <fmt/format.h>

namespace fermata::io::mcp {

namespace {

constexpr std::string_view mcp_introduction = R"(# For AI clients (MCP)

`fermata mcp` serves the Model Context Protocol on standard input and output. It is a translator: it
holds no music, finds the running Fermata when a tool is called, and survives its restarts. (Made from
the program's own tables; do not edit. The test `tests_io` says how to renew it.)

```
claude mcp add fermata -- fermata mcp
```

or, where a client wants JSON (an absolute path is safest):

```json
{"mcpServers": {"fermata": {"command": "/usr/local/bin/fermata", "args": ["mcp"]}}}
```

## Protocol

Both generations are spoken on one connection, decided for each message: the stateless revision
{modern}, and the revisions with a handshake {legacy}. Discovery, the handshake and all lists are
answered from constant text, without a running Fermata.

A line from the host has at most {max_line} bytes. A longer one is answered with the error -32600 without
an id and passed over; the next line is read as always. A call whose parameters make a line of more
than {max_call} bytes for the socket is answered with `out_of_range`, and nothing of it is sent.

When the host ends its input, calls under way are still answered, each within five seconds, before the
program ends; a wait for changes is answered at once.

## Which Fermata

- One runs: it is used. None: the result is an error that says how to start one; the next call finds it.
  One that runs and cannot be reached, or has no socket, is named in that error with the reason.
- Several run: the one whose folder is the client's (its working folder or `CLAUDE_PROJECT_DIR`), and
  the result says so; or the one that has the named session open. Otherwise the result is an error with
  the list: name one in `session` as `pid/slug`, or as the pid alone for its active session. Tools that
  are of no one session take the pid alone.
- All are asked at once. One that does not answer within three seconds, because it was stopped, is named
  (`not_answering` in `repl_list_sessions`, else in the `note` or the error) and the others' answers are
  used; until it answers again it is waited for 0.3 seconds only.
- `--socket PATH` or `FERMATA_SOCKET` pins one; `FERMATA_HOME` moves the place where they are found.

## Results

A result holds everything as structured content and the same as text. What belongs to a session
carries `session` and `revision`. Long results come in pages: pass `next_cursor` as `cursor`. An error
is a result with `isError` and the members `error` (a short name), `message`, `hint` (what to do next),
`retryable`, and `data`. What Fermata refuses, also the connection itself (another version, too many
clients), comes in its own words. When Fermata goes away during a call, a query is repeated once; for a write
the error has `outcome: "unknown"`: read before repeating it.

A call that the client cancels (`notifications/cancelled`) is not answered, and ends in Fermata too: what
has not begun is not done, and an evaluation stops without changing anything. What was done by the time
that the cancellation arrives stays done.

What evaluations may do is decided by the user (`docs/ipc.md`, "Order and permission"). Where the
client can put a form before its user (elicitation), a proposal of `repl_eval` or `repl_propose` is put
there too: accept, reject, or later. Declining or closing the form decides nothing, and after 54 seconds
the call is answered anyway; the proposal then waits at the prompt. The user may decide it there
while the form is open: the result says in `outcome` what became of it (`proposed`, `accepted`,
`rejected`) and in `note` why the form did not count. Every answer from then on has the number of the
`proposal`, an error too.

## Changes

Clients with the handshake get `notifications/resources/list_changed` when a Fermata starts or ends and,
once they have read the list of resources, when a session comes or goes; `resources/subscribe` tells when
a score or timeline changed. Stateless clients ask for either with `subscriptions/listen`. Tools and
prompts never change. `repl_wait_for_change` waits inside a call.
)";

}  // namespace

std::string reference_markdown() {
  std::string out{mcp_introduction};
  auto put = [&](std::string_view name, const std::string& text) {
    out.replace(out.find(name), name.size(), text);
  };
  put("{modern}", std::string{modern_version});
  put("{max_line}", std::to_string(max_host_line));
  put("{max_call}", std::to_string(protocol::max_line));
  std::string versions;
  for (auto v : legacy_versions)
    versions += fmt::format("{}{}", versions.empty() ? "" : ", ", v);
  put("{legacy}", versions);
  out += "\n## Tools\n\nParameters and results are those of the methods in `docs/ipc.md`.\n\n"
         "| tool | | |\n|---|---|---|\n";
  for (const auto* row : protocol::methods())
    if (row->offered == protocol::doors::socket_and_mcp)
      out += fmt::format("| `repl_{}` | {} | {} |\n", row->name,
                         row->access_kind == protocol::access::read ? "reads" : "writes", row->doc);
  out += "\n## Resources\n\n| address | type | |\n|---|---|---|\n";
  for (const auto& view : resource_views())
    out += fmt::format("| `{}` | `{}` | {} |\n", uri_template(view), view.mime_type, view.title);
  out += "\n`{session}` is the slug of an open session; with several Fermatas `pid/slug`, "
         "percent-encoded. "
         "Changes are told at most four times a second for each resource.\n"
         "\n## Prompts\n\n| prompt | arguments | |\n|---|---|---|\n";
  for (const auto& p : prompts()) {
    std::string arguments;
    for (const auto& a : p.arguments)
      arguments += fmt::format("{}`{}`{}", arguments.empty() ? "" : ", ", a.name,
                               a.required ? " (required)" : "");
    out += fmt::format("| `{}` | {} | {} |\n", p.name, arguments, p.doc);
  }
  return out;
}

}  // namespace fermata::io::mcp
