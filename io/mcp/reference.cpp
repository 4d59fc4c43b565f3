#include "io/mcp/reference.hpp"

#include "io/mcp/prompt_list.hpp"
#include "io/mcp/resource_uri.hpp"
#include "io/mcp/revision.hpp"
#include "io/mcp/stdio_loop.hpp"
#include "io/mcp/tool_list.hpp"
#include "io/text/line_decoder.hpp"

#include <fmt/format.h>

namespace fermata::io::mcp {

namespace {

constexpr std::string_view mcp_introduction = R"(# For AI clients (MCP)

`fermata mcp` serves the Model Context Protocol on standard input and output. It only translates: it
holds no music, finds the running Fermata when a tool is called, and survives its restarts. (Generated
from the program's tables; do not edit. The test `tests_io` says how to regenerate it.)

```
claude mcp add fermata -- fermata mcp
```

or, for clients configured with JSON (an absolute path is safest):

```json
{"mcpServers": {"fermata": {"command": "/usr/local/bin/fermata", "args": ["mcp"]}}}
```

## Protocol

Both protocol generations are supported on one connection, chosen for each message: the stateless revision
{modern}, and the revisions with a handshake {legacy}. Discovery, the handshake and all lists are
constant and need no running Fermata.

A line from the host may have at most {max_line} bytes. A longer one is answered with error -32600 without
an id and ignored; the next line is read normally. A call whose parameters take more than {max_call} bytes
on the socket is answered with `out_of_range`, and nothing is sent.

When the host closes its input, pending calls are still answered, each within five seconds, before the
program exits; a wait for changes is answered at once.

## Choosing an instance

- If one Fermata is running, it is used. If none is, the error says how to start one; the next call finds
  it. An instance that cannot be reached or has no socket is named in the error, with the reason.
- If several are running, the one in the client's folder (its working directory or `CLAUDE_PROJECT_DIR`) is
  used, and the result says so; otherwise the one that has the named session open. Failing that, the
  error lists the instances: name one in `session` as `pid/slug`, or give only the pid for its active
  session. Tools that do not apply to a session take the pid alone.
- All instances are asked at once. One that does not respond within three seconds, because it is stopped,
  is named (`not_answering` in `repl_list_sessions`, otherwise in the `note` or the error) and the answers
  of the others are used; until it responds again, it is given only 0.3 seconds.
- `--socket PATH` or `FERMATA_SOCKET` selects one instance; `FERMATA_HOME` changes where they are looked up.

## Results

Results are given both as structured content and as text. Results about a session include `session` and
`revision`. Long results are paged: pass `next_cursor` as `cursor`. An error is a result with `isError`
and the members `error` (a short name), `message`, `hint` (what to do next), `retryable`, and `data`.
Refusals by Fermata, including of the connection itself (wrong version, too many clients), are passed on
in its own words. If Fermata exits during a call, a query is retried once; for a write, the error has
`outcome: "unknown"`: read before repeating it.

A call that the client cancels (`notifications/cancelled`) is not answered, and is cancelled in Fermata too:
if it has not started, it is dropped, and an evaluation stops without changing anything. Anything done
before the cancellation arrived stays done.

The user decides what evaluations may do (`docs/ipc.md`, "Order and permission"). If the client can show its
user a form (elicitation), a proposal by `repl_eval` or `repl_propose` is shown there too: accept, reject, or
later. Declining or closing the form decides nothing, and after 54 seconds the call is answered anyway; the
proposal then stays open at the prompt. The user may also decide at the prompt while the form is shown: the
result gives the state of the proposal in `outcome` (`proposed`, `accepted`, `rejected`) and explains in
`note` why the form did not count. From then on every answer, including errors, has the number of the
`proposal`.

## Changes

Clients with a handshake receive `notifications/resources/list_changed` when an instance starts or exits
and, once they have read the list of resources, when a session is added or removed; `resources/subscribe`
reports changes of a score or timeline. Stateless clients use `subscriptions/listen` for both. Tools and
prompts never change. `repl_wait_for_change` waits within a call.
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
    if (row->offered == protocol::audience::socket_and_mcp)
      out += fmt::format("| `repl_{}` | {} | {} |\n", row->name,
                         row->access_kind == protocol::access::read ? "reads" : "writes", row->doc);
  out += "\n## Resources\n\n| address | type | |\n|---|---|---|\n";
  for (const auto& view : resource_views())
    out += fmt::format("| `{}` | `{}` | {} |\n", uri_template(view), view.mime_type, view.title);
  out += "\n`{session}` is the slug of an open session; with several instances `pid/slug`, "
         "percent-encoded. Changes are reported at most four times a second per resource.\n\n## "
         "Prompts\n\n| prompt | arguments | |\n|---|---|---|\n";
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
