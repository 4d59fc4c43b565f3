#include "io/protocol/reference.hpp"

#include "io/protocol/entry_fields.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/method.hpp"
#include "io/text/line_decoder.hpp"

#include <fmt/format.h>

namespace fermata::io::protocol {

namespace {

constexpr std::string_view introduction = R"(# The socket

Every running Fermata accepts requests over a Unix socket, even while the user is typing; nothing waits
for Enter. (Generated from the program's tables; do not edit. The test `tests_io` says how to
regenerate it.)

```
printf '{"id":1,"method":"get_active_session"}\n' | socat - UNIX:$HOME/.fermata/repl.sock
```

## Location

`$FERMATA_HOME/repl.sock`, by default `~/.fermata/repl.sock`. The folder is private (0700), as is the
socket (0600), and only processes of the same user may connect. One process runs the sessions of a home
and owns `repl.sock`; further windows attach to it (`front_end.attach`) and are invisible to clients. It
describes itself in `run/<pid>.json`: `id` (changes at every start), `pid`, `started`, `socket`, `cwd`,
`version`, `protocol_version`, and `prompt` if it has a prompt. An instance that could not open its socket
has `no_socket`, with the reason, instead of `socket` and `id`. Socket and file are removed when the process
exits, and recreated if they are removed while it runs. A record left behind by a crash does not mean that a
process is running; only an answer to `system.hello` does. The next start removes such files.

### Over TCP

`fermata --tcp PORT` also listens on 127.0.0.1 (`tcp` in the record of the instance; port 0 picks a free
port). It is off by default. Only loopback addresses are accepted, because the connection is not
encrypted; from elsewhere, use `ssh -L`. Since the kernel does not identify the user of a TCP connection,
the first request must be `system.hello` with `token`, the content of `$FERMATA_HOME/tcp.token`, which only
this user can read. A connection that does not authenticate within ten seconds is closed, and so is one
whose first line looks like HTTP, on the socket as well.

## Lines

- One JSON object per line, in UTF-8, ended by LF (a CR before it is accepted). At most {max_line} bytes
  in either direction. A longer line is answered with an error, then the connection is closed. Larger
  results are paged: repeat the request with `cursor` set to the `next_cursor` of the previous page.
  Anything that is still too long is answered with `out_of_range`.
- With `"jsonrpc":"2.0"`, a message is JSON-RPC 2.0: errors have numbers, messages without `id` are
  notifications and are never answered, and an array is a batch of at most {max_batch} requests.
  Its replies form one array on one line. A reply that does not fit on that line is replaced by an error
  with its `id` (`out_of_range`), although the request was carried out: ask for less, or use several
  batches.
- Without it, a message is in the short form: `{"id":"a","method":"get_score","params":{}}` is answered by
  `{"id":"a","result":{}}` or `{"id":"a","error":{"code":"not_found","message":"..."}}`.
- The two forms may be mixed. An `id` is returned unchanged: 0, a string, a number with all its digits. It
  may have at most 1024 bytes.
- Integer fields refer to a measure by its position in the score, from 1; a pickup is at position 1.
  `number` next to it is the printed number (0 for a pickup), which the language and the user's commands
  use.
- Input whose form is unclear (invalid JSON, not an object, a line that is too long) is answered in the
  form of the previous request on the connection. The first request is answered in the short form,
  unless it contains `"jsonrpc"`.
- Besides `id`, `method` and `params`, only `jsonrpc` and `unordered` are allowed. Any other member is an
  error, and so is a member that appears twice in an object.
- Replies are sent in the order of the requests, and each request sees the effect of earlier writes on the
  same connection: it starts when they have been answered. So music sent after a `session_switch` goes
  to the new session, and a `session_save` includes the evaluations before it. A query does not see the
  effect of later writes.
- A request with `"unordered":true` is answered as soon as it is ready. Use it for `wait_for_change`, which
  otherwise delays the replies after it. It overtakes everything except an earlier `session_create` or
  `session_switch`.
- Parameters are passed by name, or by position in an array. `null` means not given. An unknown
  parameter is an error that suggests the nearest name. String lengths are in bytes of UTF-8, here and as
  `maxLength` in `rpc.discover`.
- Method names may be prefixed with `repl_`, as in the names of the MCP tools.
- A client may stop sending (half-close) and still receives all replies before the connection closes. When
  a client disconnects, the evaluations it asked for are stopped and discarded; with the same
  `idempotency_key` it can request them again on a new connection. `system.cancel` cancels a single
  request, and may be sent as a notification; the cancelled request is still answered.
- Each connection runs one `eval_preview` or proposal at a time. One that takes long is restarted with
  more time, alongside the first attempts of others, so quick requests never wait for slow ones.
- A client with {pending} unanswered requests or 16 MiB of them, or with a megabyte of unread replies, is not read from
  until it catches up. One that reads nothing for half a minute is disconnected. Events are held
  meanwhile and then sent as one event with the kinds of all of them, or as several with up to 50
  entries each; none is lost.
- At most {clients} clients may be connected, and as many over TCP. Any further client receives one line
  when it connects, `{"id":null,"error":{"code":"busy",...}}`, and is disconnected.
- Queues of a session are bounded: 16 evaluations per client under `allow`, 64 previews and proposals per
  connection, 256 messages or 4 MiB of them, and 32 MiB of text from all clients. A client may create 32
  sessions at once, then one every five seconds. Beyond these limits the answer is `busy` with
  `data.retry_after_ms`. Lines typed at the prompt are served before queued requests, and clients take turns.

## Order and permission

Messages and evaluations from a client never take an entry number by themselves: messages and proposals
are queued, and shown and numbered when the user next presses Enter. What `eval` may do depends on the
session's policy, which the user sets for all clients or for a named one: `ask` (the default:
it becomes a proposal), `preview`, `allow` or `deny`. Pass the `revision` you saw as `expect_rev`; if the score has
changed since, the answer is `conflict` with the current revision. With an `idempotency_key`, a
message, an evaluation or an undo can be repeated safely, even on a new connection and after Fermata was
killed: the same key from the same client returns the same answer and has no further effect. Using a key for a
different request
(another method, session, text, count or `expect_rev`) is refused as `invalid_params`. A session remembers the last 256 keys, and fewer when their requests and answers have more than 16 MiB together.

An expression changes the score when its outermost form is notation, such as `(note c4 :q)`, when it
edits, such as `(delete 3)`, or with `(add X)`; a name, `$Out[1]` and a call of a function only show
their value. The session's setting `commit` says so too: `notation` (the default), `everything` or
`nothing`; `get_session` has it. `before` and `after` differ in the answer when the score changed, and
`delta` says where.

While `:scratch` is on, an `eval` under `allow` does not change the score, like everything that is typed,
and the answer contains `scratch`; definitions are kept. Previews and proposals still refer to the score,
and proposals can be accepted as usual.

A policy applies to one session. A client may name any session, including one that is not open, and that
session's policy applies: `:ai off` blocks all writes to the session in which it is entered, regardless of
rules for individual clients, and lists other open sessions in which clients may still act.

The user decides on proposals (`:accept`, `:reject`). If an MCP client can show its user a form,
`fermata mcp` asks there too and passes the decision on with `answer_proposal`. That method is only for
clients whose `system.hello` gives `mcp` as `door`, and only for their own proposals. Like its name, the
`door` is the client's own claim: Fermata cannot tell programs of the same user apart, and one that claims
`mcp` could accept its own proposals. The score is protected from programs by the permissions of the
socket, by the token over TCP, and by `:ai off` in each session they must not change.

One evaluation of a client may add at most 16 MiB to a session, and all clients together 256 MiB, of which
64 MiB become available again each hour, because opening the session reads it again. Beyond that the answers are `out_of_range` and `busy`, with
`retry_after_ms`. What the user types is not counted.

## Further windows

A second `fermata` on the same home attaches to the process that runs the sessions, and what is typed
there is entered in the user's name (`front_end.submit`). To attach it sends `key`, the content of
`$FERMATA_HOME/run/attach.key`: a file that only this user can read, and new with each process. The key is
not accepted over TCP. So a client cannot enter lines as the user merely by using that name. A program of
the same user that reads the file can; it could change the session's files as well. Results are sent as
`front_end.event` notifications: `event` is `opened`, `answered`, `refused`, `changed`, `known`,
`lost`, or `ended` when the process that runs the sessions ends in order. `entries` lists entries of
the timeline by number (they are in the journal by then), and other entries as they would be written
there. These lines may be longer than others, in both directions.

## Versions

`system.hello` exchanges versions. This is protocol {version}. A client with a different major version is
refused, and both versions are reported; minor versions only add features.
)";

std::string type_text(const field& f) {
  std::string out{to_string(f.type)};
  if (f.type == json_type::array && f.items != json_type::any)
    out = fmt::format("array of {}", to_string(f.items));
  if (!f.choices.empty()) {
    std::string words;
    for (auto c : f.choices)
      words += fmt::format("{}`{}`", words.empty() ? "" : ", ", c);
    out += ": " + words;
  }
  if (f.type == json_type::string && f.max)
    out += fmt::format(", at most {} bytes", *f.max);
  else if (f.type == json_type::integer || f.type == json_type::number) {
    if (f.min && f.max)
      out += fmt::format(", {} to {}", *f.min, *f.max);
    else if (f.min)
      out += fmt::format(", from {}", *f.min);
  }
  return out;
}

void list_fields(std::string& out, fields rows, std::string_view prefix, bool params) {
  for (const auto& f : rows) {
    out += fmt::format("| `{}{}` | {} | {} |\n", prefix, f.name, type_text(f),
                       params && f.required     ? fmt::format("{} (required)", f.doc)
                       : !params && !f.required ? fmt::format("{} (optional)", f.doc)
                                                : std::string{f.doc});
    const auto inner =
        fmt::format("{}{}{}.", prefix, f.name, f.type == json_type::array ? "[]" : "");
    list_fields(out, f.members, inner, params);
  }
}

void describe(std::string& out, const method& row) {
  out += fmt::format("### {}\n\n{}\n\n", row.name, row.doc);
  out += fmt::format("{}{}{}.\n\n", row.access_kind == access::read ? "Reads" : "Writes",
                     row.idempotent ? "; the same call again changes nothing more" : "",
                     row.offered == audience::socket_and_mcp
                         ? fmt::format("; MCP tool `repl_{}`", row.name)
                         : std::string{});
  if (row.params.empty()) {
    out += "No parameters.\n\n";
  } else {
    out += "| parameter | type | |\n|---|---|---|\n";
    list_fields(out, row.params, "", true);
    out += '\n';
  }
  out += "| result | type | |\n|---|---|---|\n";
  list_fields(out, row.result, "", false);
  out += '\n';
}

}  // namespace

std::string reference_markdown() {
  std::string out{introduction};
  auto put = [&](std::string_view name, const std::string& text) {
    for (auto at = out.find(name); at != std::string::npos; at = out.find(name))
      out.replace(at, name.size(), text);
  };
  put("{max_line}", std::to_string(max_line));
  put("{max_batch}", std::to_string(max_batch));
  put("{pending}", "256");
  put("{clients}", "256");
  put("{version}", std::string{protocol_version});
  out +=
      "\n## Errors\n\nEvery error has a `message` in words and a `data.hint` that says what to do "
      "next.\n\n| short form | JSON-RPC | when |\n|---|---|---|\n";
  for (const auto& row : fault_table())
    out += fmt::format("| `{}` | {} | {} |\n", row.name, row.number, row.when);
  out += "\n## Methods\n\n";
  for (const auto* row : methods())
    describe(out, *row);
  out += "## Entries of the timeline\n\n`get_history`, `undo` and events return entries as "
         "objects:\n\n"
         "| member | type | |\n|---|---|---|\n";
  list_fields(out, entry_fields(), "", false);
  out += R"(
## Events

After `events.subscribe`, these notifications are sent in the form of the subscribing request.

`events.event`: `subscription`, `number` (1, 2, 3 ... within this stream, without gaps), `session`,
`sequence` (of the session; several events may be combined), `what` (some of `entries`, `queued`,
`proposal`, `score`, `settings`; or `sessions` alone, when a session was added or removed), `revision`,
`total` (length of the timeline), `entries` (new entries, as in `get_history`). No entry is omitted, however
slow the reader is. Entries that do not fit on one line are sent as several events; a single entry that is
too long is truncated and marked with `truncated`.

With the kind `transport`, an event at each beat and at each change says where playback is: `what` is `transport` alone, and
the member `transport` is as in the result of `midi_devices`. A reader that is too slow gets the newest one only.

With the kind `recording`, an event at each note tells of the take that is being recorded: `what` is `recording` alone, and the
member `recording` has `session`, `take` (number), `notes` (recorded so far) and `keys` (MIDI key numbers that are down); it is
empty when the recording has ended. A reader that is too slow gets the newest one only.

`events.ended`: the session ended. `since` is the last entry that was sent: subscribe again with it.
Do the same after reconnecting; `resumed` is false if this instance does not know that entry, or if more
than 1,000 entries came after it; then use `get_history` to get what was missed.
)";
  return out;
}

}  // namespace fermata::io::protocol
