#include "io/protocol/reference.hpp"

#include "io/protocol/entry_fields.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/line_decoder.hpp"
#include "io/protocol/method.hpp"

#include <fmt/format.h>

namespace fermata::io::protocol {

namespace {

constexpr std::string_view introduction = R"(# The socket

Every running Fermata can be asked and told things over a Unix socket, also while the user is
typing: nothing waits for Enter. (Made from the program's own tables; do not edit. The test
`tests_io` says how to renew it.)

```
printf '{"id":1,"method":"get_active_session"}\n' | socat - UNIX:$HOME/.fermata/repl.sock
```

## Where it is

`$FERMATA_HOME/repl.sock`, by default `~/.fermata/repl.sock`. The folder is private (0700), so is the
socket (0600), and only processes of the same user are let in. When several Fermatas run, the first
one owns `repl.sock` and each further one has `run/<pid>.sock`. Each describes itself in
`run/<pid>.json`: `id` (differs between runs), `pid`, `started`, `socket`, `cwd`, `version`,
`protocol_version`, and `prompt` where somebody types. One that could not open its socket has
`no_socket`, which says why, instead of `socket` and `id`. Socket and file go away with the process, and
are recreated if they are removed meanwhile. What a crash left behind says nothing, only an
answer to `system.hello` does; the next start removes it.

### Over TCP

`fermata --tcp PORT` listens at 127.0.0.1 as well (`tcp` in the record of the instance; port 0 takes a
free one). It is off otherwise. Other addresses than the loopback one are refused, because what is sent
is not encrypted; from elsewhere use `ssh -L`. As the kernel does not say who connects there, the first
request has to be `system.hello` with `token`: what `$FERMATA_HOME/tcp.token` holds, a file for this user
alone. Whoever does not say it within ten seconds is disconnected, and so is a browser: on either door a
first line that looks like HTTP ends the connection.

## Lines

- One JSON object per line, UTF-8, ended by LF; CR before it is accepted. At most {max_line} bytes,
  both ways. A longer line is answered with an error, then the connection is closed. Larger results
  come in pages: repeat the request with `cursor` set to the `next_cursor` of the page before. What
  would be longer all the same is answered with `out_of_range`.
- With `"jsonrpc":"2.0"` a message is JSON-RPC 2.0: errors have numbers, messages without `id` are
  notifications and never answered, an array is a batch of at most {max_batch} requests.
  Its replies are one array on one line. A reply that does not fit beside those that were ready before
  it is an error with its `id` (`out_of_range`); the request was carried out all the same: ask for
  less, or in several batches.
- Without it, it is the short form: `{"id":"a","method":"get_score","params":{}}` is answered by
  `{"id":"a","result":{}}` or `{"id":"a","error":{"code":"not_found","message":"..."}}`.
- Both may be mixed. An `id` is repeated as it was: 0, a string, a number in all its digits. It has
  at most 1024 bytes.
- A measure is meant by its place in the score, from 1, where a field is an integer; an upbeat is in
  place 1. `number` beside it is the number that is printed (0 for the upbeat), which is how the
  language and the user's commands call measures.
- What does not say which form it has (no JSON, no object, a line that is too long) is answered like
  the request before it on this connection; in the short form when it is the first, unless
  `"jsonrpc"` can be found in it.
- Beside `id`, `method` and `params` there are `jsonrpc` and `unordered`. Any other member is an error,
  and so is one that stands twice in an object.
- Replies leave in the order of their requests, and each request sees what the writes before it on the
  same connection did: it is begun when they have been answered. So music behind a `session_switch` goes
  where that went, and a `session_save` keeps the evaluations before it. Nor does a query see what the
  writes behind it do.
- A request with `"unordered":true` beside its `id` is answered as soon as it is ready: use it for
  `wait_for_change`, which otherwise holds up the replies after it. It passes everything but a
  `session_create` or `session_switch` before it.
- Parameters go by name; an array gives them by position. `null` means not given. An unknown
  parameter is an error that names the nearest one. The lengths of strings are in bytes of UTF-8, here
  and as `maxLength` in `rpc.discover`.
- Method names are accepted with `repl_` in front, as the tools for MCP clients are called.
- A client may stop sending (half-close) and gets all replies before the connection closes. One that
  hangs up ends the evaluations that it has asked for: nothing of them is kept, and with the same
  `idempotency_key` they can be asked for again over a new connection. `system.cancel` ends one
  request alone, and may be sent as a notification; the request that it names is still answered.
- Each connection has one `eval_preview` or proposal at work at a time. One that takes long begins anew
  with more time, beside the others' first tries: what is quick never waits for somebody's loop.
- With {pending} requests unanswered, or a megabyte that it has not read, a client is not read any further
  until it catches up. One that takes nothing at all for half a minute is disconnected. Events wait
  meanwhile: what happened until the client takes them comes as one event with the kinds of all, or
  as several with up to 50 entries each, and none is left out.
- {clients} clients may be connected at a time, and as many over TCP. A further one gets one line as soon
  as it connects, `{"id":null,"error":{"code":"busy",...}}`, and is closed.

## Order and permission

Words and evaluations from a client never take a number in the timeline by themselves: messages and
proposals wait, and are shown and numbered when the user next presses Enter. What `eval` may do is
the session's policy, which the user sets for all clients or for one by name: `ask` (the default:
it becomes a proposal), `preview`, `allow`, `deny`. Pass the `revision` you saw as `expect_rev`; when
the score has moved on, the answer is `conflict` with the current one. With an `idempotency_key` a
message, an evaluation or an undo may be repeated safely, also over a new connection and after Fermata was
killed: the same key of the same client is answered the same and does nothing more. With another request
(another method, session, text, count or `expect_rev`) it is refused as `invalid_params`. A session keeps
the last 256 keys.

While the user only tries things out (`:scratch on`), what `eval` does at once under `allow` leaves
the score as it is, like all that is typed, and the answer says `scratch`; definitions are kept. Previews
and proposals are of the score all the same: a proposal is made, shown, and taken with `:accept` as ever.

A policy is that of one session. A client may name any session, also one that is not open, and what it
may do there is said there: `:ai off` stops every write to the session in which it is typed, whatever
was said of single clients there, and tells in which other open sessions clients may still do something.

A proposal is decided by the user (`:accept`, `:reject`). Where an MCP client can put a form before
its user, `fermata mcp` asks there too and passes the answer on with `answer_proposal`. That method is
for clients whose `system.hello` names the door `mcp`, and for their own proposals. The door is what a
client says of itself, as its name is: Fermata cannot tell programs of the same user apart, and one
that says `mcp` could answer what it has proposed. What protects the score from programs is the
permission of the socket, the token over TCP, and `:ai off` in each session that they may not touch.

## Versions

`system.hello` names both sides. This is protocol {version}. A client that names another major version
is refused with both versions; minor versions only add.
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
                       : !params && !f.required ? fmt::format("{} (not always there)", f.doc)
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
                     row.offered == doors::socket_and_mcp
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
  out +=
      "## Entries of the timeline\n\n`get_history`, `undo` and events give entries as objects:\n\n"
      "| member | type | |\n|---|---|---|\n";
  list_fields(out, entry_fields(), "", false);
  out += R"(
## Events

After `events.subscribe` these notifications come, in the envelope of the subscribing request.

`events.event`: `subscription`, `number` (1, 2, 3 ... of this stream, without a gap), `session`,
`sequence` (of the session; several events may be told as one), `what` (some of `entries`, `queued`,
`proposal`, `score`, `settings`; or `sessions` alone: some session came or went), `revision`, `total` (length of the timeline), `entries` (new entries,
as in `get_history`). No entry is left out, however slow the reader is. When they do not fit into one
line, they come as several events; an entry that is too long by itself is cut and says so with
`truncated`.

`events.ended`: the session ended. `since` is the last entry that was sent: subscribe again with it.
After a reconnect do the same; `resumed` is false when this instance does not know that entry, or when
more than 1,000 came after it, and then `get_history` has what was missed.
)";
  return out;
}

}  // namespace fermata::io::protocol
