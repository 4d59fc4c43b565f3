#include "core/session/help_topic.hpp"

#include "core/session/text_match.hpp"

#include <algorithm>

namespace fermata {

const std::vector<help_topic>& help_topics() {
  static const std::vector<help_topic> rows{
      {"start",
       {"begin", "beginning", "intro"},
       "what to type first",
       "What you type is read as an expression, evaluated and answered; the answer keeps its "
       "number.\n"
       "`// words` go to the other side, a line that begins with a colon is a command.\n"
       "`:tutorial` takes you through the first ten minutes, `:examples` shows pieces to try.",
       "(note c4 :q)\n(transpose M3 (note c4 :q))",
       ":tutorial, :examples, notes, history"},
      {"notes",
       {"pitches", "note-names", "music"},
       "how notes, rests and chords are written",
       "A pitch is a letter, an accidental and an octave: c4 is middle C, f#5, bb3. `#` is sharp, "
       "`b`\n"
       "flat, `x` double sharp, `bb` double flat. A note is a pitch and a duration; options say "
       "what\n"
       "hangs on it. `seq` puts music in a row. `phrase` is the short way to write many notes.",
       "(note f#5 :q :staccato)\n(rest :h)\n(chord (c4 e4 g4) :w)\n"
       "(seq (note c4 :q) (note d4 :q) (note e4 :h))\n(phrase \"c4:q d e f\")",
       "rhythm, :doc note, :doc phrase"},
      {"rhythm",
       {"durations", "time", "meter"},
       "durations, dots, ties, tuplets and metres",
       "Durations are :w :h :q :8 :16 and so on, whole to 1024th; a dot makes one and a half: :q. "
       "is a\n"
       "dotted quarter. A tie joins two notes, a tuplet squeezes some into the time of others. A\n"
       "measure holds what its time signature says; more is an error, less is allowed.",
       "(note c4 :q.)\n(seq (note c4 :h :tie start) (note c4 :q :tie stop))\n"
       "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))\n"
       "(measure (time 3 4) (note c4 :h) (note d4 :q))",
       "notes, :doc tuplet, :explain overfull-measure"},
      {"score",
       {"parts", "measures", "staves"},
       "parts, measures, staves, and where music goes",
       "Every session has one score. Music that you evaluate is written at the end of it, "
       "measures\n"
       "behind measures; a `score` replaces it, a `part` is added. `:score` shows it as text,\n"
       "`:score --staff` on staves, `:undo` takes the last change back. While `:scratch on`, "
       "nothing\n"
       "is written.",
       "(part :piano (staff 1 (measure (note c5 :w))) (staff 2 (measure (note c3 :w))))",
       "display, history, :doc part, :doc score"},
      {"definitions",
       {"def", "names", "functions"},
       "names, functions and macros of your own",
       "`def` binds a name, `defn` makes a function. Values never change. `:doc NAME` tells how a "
       "name\n"
       "was defined. The start-up file defines what you always want to have.",
       "(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))\n"
       "(defn third-up [x] (transpose M3 x))\n(third-up motif)",
       "configuration, :doc let, :doc fn"},
      {"transformations",
       {"transform", "transforming"},
       "transpose, invert, reverse, stretch",
       "A transformation takes music and gives music; what it took stays as it was. They can be "
       "nested\n"
       "or put in a chain with `->`.",
       "(def m (phrase \"c4:q e g\"))\n(transpose P5 m)\n(retrograde m)\n(invert c4 m)\n"
       "(-> m (transpose M2) (retrograde))",
       "theory, :doc transpose, :doc invert"},
      {"theory",
       {"analysis", "sets"},
       "scales, chords, sets, rows and analysis",
       "Pitch-class sets, twelve-tone rows, scales, chord names, roman numerals, keys and cadences "
       "are\n"
       "functions like any other. `fermata show theory` in the shell lists them; `:help scales` "
       "and\n"
       "`:help chords` list the names that they take.",
       "(prime-form 0 4 7)\n(interval-vector 0 4 7)",
       ":doc prime-form, transformations"},
      {"history",
       {"timeline", "results", "out", "in"},
       "numbered entries, and how to use them again",
       "Everything that happens gets the next number: expressions, commands, words of both sides. "
       "The\n"
       "number stays for good. $Out[3] is the value of entry 3, $In[3] what was typed, % the last\n"
       "value. `:history` lists, filters and searches; `:undo` and `:redo` walk through the "
       "changes.\n"
       "Nothing is ever erased: taking back is an entry of its own.",
       "(note c4 :q)\n%",
       "sessions, :help :history, :undo, :blame"},
      {"chat",
       {"messages", "words", "assistant"},
       "talking with the other side",
       "`// words` are a message to whoever is connected. What is said to you waits and shows as "
       "a\n"
       "badge in the prompt, [session ✉2]; at your next Enter it is shown in the order in which "
       "it\n"
       "came, before anything else happens. Nothing is ever printed into a line that you type.",
       "",
       "proposals, :ai"},
      {"proposals",
       {"proposal", "ai", "clients"},
       "what an assistant may do to your score",
       "An assistant that is connected can look at everything and speak. What it wants to change "
       "waits\n"
       "as a proposal, [session Δ1] in the prompt. `:proposals` lists them, `:diff 1` shows what "
       "would "
       "change,\n"
       "`:accept 1` takes it, `:accept 1 5-8` only those measures (`6-`, `-4`, a rehearsal mark): "
       "slurs,\n"
       "ties, repeats, key and metre at the edges are mended so that the score stays whole, and it "
       "says\n"
       "how. `:reject 1 too high` declines and tells why. `:ai off` ends it, `:ai allow` needs no "
       "asking;\n"
       "each session has its own rule for clients, also one that is not open. While `:scratch "
       "on`,\n"
       "they can propose all the same.",
       "",
       "chat, :help :ai, :accept"},
      {"sessions",
       {"session"},
       "several pieces, each with a history of its own",
       "A session has a score, definitions, a history and settings; all of it is on the disk when "
       "you\n"
       "see it. `:session new NAME` makes one, `:session switch` changes, `:session list` shows "
       "all.\n"
       "The prompt opens the one you used last, or that of `fermata --session NAME`.",
       "",
       "history, :help session"},
      {"editing",
       {"keys", "keyboard", "completion", "readline"},
       "keys of the prompt",
       "Enter ends an expression when its brackets are closed and otherwise begins a new line; "
       "Alt-Enter\n"
       "always begins one. Up and down move between lines, then through what was typed before; "
       "Ctrl-R\n"
       "searches it. Tab completes; Alt-h shows what the form at the cursor takes. Ctrl-X Ctrl-E "
       "or\n"
       "`:edit` open $EDITOR. Ctrl-K and Ctrl-U cut to the end and the start of the line, Ctrl-Y "
       "puts\n"
       "back. Ctrl-C gives up the line or stops what runs, Ctrl-D leaves. All of Readline's keys "
       "and\n"
       "~/.inputrc work, vi mode too (`set editing-mode vi`, `set show-mode-in-prompt on`).",
       "",
       "configuration, :edit"},
      {"display",
       {"staff", "output", "showing"},
       "how values are shown",
       "`:set display staff` draws music on a staff, `compact` writes it as short as it can be,\n"
       "`summary` says in a few words what it is, `musicxml` shows the file it would be, `silent`\n"
       "shows nothing; `:set display fermata` is how it was. `:score --staff` draws the score "
       "once.\n"
       "What is longer than the screen goes through $PAGER or less.",
       "",
       "score, configuration, :help :score"},
      {"files",
       {"import", "export", "musicxml", "lilypond"},
       "reading and writing files",
       "In the shell: `fermata compile song.ferm -o song.musicxml`, `fermata import "
       "song.musicxml`,\n"
       "`fermata convert A B`, `fermata check`, `fermata fmt`. Scripts come through standard "
       "input.",
       "",
       "`fermata --help`, sessions"},
      {"configuration",
       {"config", "settings", "startup"},
       "settings, start-up file, colours",
       "`:set` lists settings and changes them for this session; `fermata config` in the shell "
       "changes\n"
       "them for all, in config.toml. What is in init.ferm in $FERMATA_HOME is evaluated whenever "
       "a\n"
       "session is opened at a terminal. `fermata doctor` looks for what is wrong with an "
       "installation.\n"
       "For screen readers: `fermata --accessible`, or `fermata config set accessible on`.",
       "",
       "editing, display, :help :set"},
      {"errors",
       {"error", "problems", "trouble"},
       "what to do when something is refused",
       "An error names a code, the place and what to do next. `:explain CODE` tells more of it. A "
       "text\n"
       "of several forms succeeds as a whole or changes nothing. `fermata doctor` looks after "
       "files,\n"
       "socket and terminal.",
       "",
       ":explain, definitions"},
  };
  return rows;
}

const help_topic* find_help_topic(std::string_view name) {
  for (auto& row : help_topics())
    if (row.name == name ||
        std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end())
      return &row;
  return nullptr;
}

std::string to_text(const help_topic& t) {
  auto text = std::string{t.name} + ": " + std::string{t.title} + "\n\n" + joined_lines(t.text);
  if (!t.code.empty()) {
    text += "\n\n  ";
    for (char c : t.code)
      text += c == '\n' ? std::string{"\n  "} : std::string{c};
  }
  if (!t.see.empty()) text += "\n\nsee also: " + std::string{t.see};
  return text;
}

}  // namespace fermata
