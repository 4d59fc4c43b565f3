#include "core/session/commands/help_topic.hpp"

#include "core/session/timeline/text_match.hpp"

#include <algorithm>

namespace fermata {

const std::vector<help_topic>& help_topics() {
  static const std::vector<help_topic> rows{
      {"start",
       {"begin", "beginning", "intro"},
       "first steps",
       "Type an expression to evaluate it; each result is numbered.\n"
       "`// text` sends a message to your assistant, and a line that starts with a colon is a "
       "command.\n"
       "`:tutorial` is a ten-minute introduction, `:examples` lists pieces to try.",
       "(note c4 :q)\n(transpose M3 (note c4 :q))",
       ":tutorial, :examples, notes, history"},
      {"notes",
       {"pitches", "note-names", "music"},
       "writing notes, rests and chords",
       "A pitch is a letter, an accidental and an octave: c4 is middle C, f#5, bb3. `#` is sharp, "
       "`b`\n"
       "flat, `x` double sharp, `bb` double flat. A note is a pitch and a duration; options add\n"
       "articulations, ornaments and so on. `seq` puts music in sequence. `phrase` is a shorthand "
       "for\n"
       "writing many notes.",
       "(note f#5 :q :staccato)\n(rest :h)\n(chord (c4 e4 g4) :w)\n"
       "(seq (note c4 :q) (note d4 :q) (note e4 :h))\n(phrase \"c4:q d e f\")",
       "rhythm, :doc note, :doc phrase"},
      {"rhythm",
       {"durations", "time", "meter"},
       "durations, dots, ties, tuplets and time signatures",
       "Durations are :w :h :q :8 :16 and so on, from whole notes to 1024ths; a dot adds half: :q. "
       "is a\n"
       "dotted quarter. A tie joins two notes; a tuplet fits notes into the time of others. A "
       "measure\n"
       "holds as much as its time signature says; more is an error, less is allowed.",
       "(note c4 :q.)\n(seq (note c4 :h :tie start) (note c4 :q :tie stop))\n"
       "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))\n"
       "(measure (time 3 4) (note c4 :h) (note d4 :q))",
       "notes, :doc tuplet, :explain overfull-measure"},
      {"score",
       {"parts", "measures", "staves"},
       "parts, measures, staves, and where music goes",
       "Every session has one score. Notation that you type, such as a note or a measure, is "
       "added\n"
       "at its end; a `score` form replaces the whole score, a `part` form adds a part. Names,\n"
       "$Out[1] and functions only show their value: `(add X)` enters it. `:score` shows the "
       "score\n"
       "as text, `:score --staff` on staves, and `:undo` undoes the last change. `:set commit`\n"
       "changes what enters the score; with `:scratch on` nothing does.",
       "(part :piano (staff 1 (measure (note c5 :w))) (staff 2 (measure (note c3 :w))))",
       "display, history, :doc part, :doc score"},
      {"definitions",
       {"def", "names", "functions"},
       "your own names, functions and macros",
       "`def` binds a name, `defn` defines a function. Values never change. `:whos` lists\n"
       "your definitions, `?NAME` shows how a name was defined. Put definitions you always want "
       "into\n"
       "the start-up file.",
       "(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))\n"
       "(defn third-up [x] (transpose M3 x))\n(third-up motif)",
       "configuration, :doc let, :doc fn"},
      {"transformations",
       {"transform", "transforming"},
       "transpose, invert, reverse, stretch",
       "Transformations take music and return new music; the original is unchanged. Nest them, or "
       "chain\n"
       "them with `->`.",
       "(def m (phrase \"c4:q e g\"))\n(transpose P5 m)\n(retrograde m)\n(invert c4 m)\n"
       "(-> m (transpose M2) (retrograde))",
       "theory, :doc transpose, :doc invert"},
      {"theory",
       {"analysis", "sets"},
       "scales, chords, sets, rows and analysis",
       "Pitch-class sets, twelve-tone rows, scales, chord names, Roman numerals, keys and cadences "
       "are\n"
       "ordinary functions. In the shell, `fermata show theory` lists them; `:help scales` and\n"
       "`:help chords` list scale and chord names.",
       "(prime-form 0 4 7)\n(interval-vector 0 4 7)",
       ":doc prime-form, transformations"},
      {"history",
       {"timeline", "results", "out", "in"},
       "numbered entries, and how to reuse them",
       "Everything gets a number: expressions, commands and messages. Numbers never change. "
       "$Out[3] is\n"
       "the value of entry 3, $In[3] its input, and % the last value. `:history` lists, filters "
       "and\n"
       "searches entries; `:undo` and `:redo` step through changes. Nothing is ever erased: an "
       "undo is\n"
       "recorded as an entry of its own.",
       "(note c4 :q)\n%",
       "sessions, :help :history, :undo, :blame"},
      {"chat",
       {"messages", "words", "assistant"},
       "talking to your assistant",
       "`// text` sends a message to every connected assistant. Messages to you wait behind a "
       "badge in\n"
       "the prompt, [session ✉2]; your next Enter shows them in order, before anything else "
       "happens.\n"
       "Nothing is ever printed into the line you are typing.",
       "",
       "proposals, :ai"},
      {"proposals",
       {"proposal", "ai", "clients"},
       "what an assistant may do to your score",
       "A connected assistant can read everything and send messages. Changes it suggests wait "
       "as\nproposals, [session Δ1] in the prompt. `:proposals` lists them, `:diff 1` shows the "
       "change,\n`:accept 1` accepts it, and `:accept 1 5-8` accepts only those measures (also "
       "`6-`, `-4` or a\nrehearsal mark); slurs, ties, repeats, key and time at the edges are then "
       "repaired and the\nrepairs listed. `:reject 1 too high` rejects it with a reason. `:ai off` "
       "blocks all changes,\n`:ai allow` lets clients change the score without confirmation. Each "
       "session has its own policy.\nProposals also work while `:scratch on`.",
       "",
       "chat, :help :ai, :accept"},
      {"sessions",
       {"session"},
       "several pieces, each with its own history",
       "A session has a score, definitions, a history and settings, all saved automatically.\n"
       "`:session new NAME` creates one, `:session switch` switches, `:session list` lists them. "
       "The\n"
       "prompt opens the session you used last, or the one given by `fermata --session NAME`.",
       "",
       "history, :help session"},
      {"editing",
       {"keys", "keyboard", "completion", "readline"},
       "keys at the prompt",
       "Enter evaluates when all brackets are closed and otherwise starts a new line; Alt-Enter "
       "always\n"
       "starts one. Up and Down move between lines, then through earlier input; Ctrl-R searches "
       "it. Tab\n"
       "completes; Alt-h shows the arguments of the form at the cursor. Ctrl-X Ctrl-E or `:edit` "
       "opens\n"
       "$EDITOR. Ctrl-K and Ctrl-U delete to the end and the start of the line, Ctrl-Y pastes. "
       "Ctrl-C\n"
       "cancels the line or stops an evaluation, Ctrl-D quits. All Readline keys and ~/.inputrc "
       "work,\n"
       "including vi mode (`set editing-mode vi`, `set show-mode-in-prompt on`).",
       "",
       "configuration, :edit"},
      {"display",
       {"staff", "output", "showing"},
       "how values are displayed",
       "`:set display staff` draws music on a staff, `compact` prints it in the shortest form, "
       "`summary`\n"
       "prints a one-line description, `musicxml` prints MusicXML, and `silent` prints nothing;\n"
       "`:set display fermata` restores the default. `:score --staff` draws the score once. A `;` "
       "at\n"
       "the end of a line hides its value. Output longer than the screen goes through $PAGER or "
       "less.",
       "",
       "score, configuration, :help :score"},
      {"playback",
       {"playing", "midi", "sound"},
       "hearing music, MIDI devices",
       "`:play` plays the score, `:play piano 5-8` a part or some measures, `:play (retrograde "
       "motif)`\n"
       "an expression; --loop, --tempo 80% and --count-in help to practise. Space on an empty "
       "line\n"
       "pauses, Ctrl-C stops. Edits are heard from the next measure on. `:hear 1` compares a "
       "proposal\n"
       "with the score. `:midi devices` lists the playback devices, `:midi connect NAME` chooses "
       "one.",
       "(play (chord (c4 e4 g4) :h))",
       ":help :play, proposals, docs/midi.md"},
      {"recording",
       {"record", "takes", "quantizing"},
       "from a keyboard to notation",
       "`:record`, play, `:stop`: the take is kept as it was played, and its notation is "
       "proposed;\n"
       "`:accept` appends it to the score. `:keep` does the same with what you just played.\n"
       "`:quantize 1 --as 2` or `--meter 6/8` proposes another reading of take 1. `:midi inputs`\n"
       "lists the inputs, `:midi input all` opens them with the prompt, so that `:keep` remembers\n"
       "what came before.",
       "",
       ":help :record, proposals, playback, docs/midi.md"},
      {"files",
       {"import", "export", "musicxml", "lilypond"},
       "reading and writing files",
       "In the shell: `fermata compile song.ferm -o song.musicxml`, `fermata import "
       "song.musicxml`,\n"
       "`fermata convert A B`, `fermata check`, `fermata fmt`. Scripts are read from standard "
       "input.",
       "",
       "`fermata --help`, sessions"},
      {"configuration",
       {"config", "settings", "startup"},
       "settings, start-up file, colours",
       "`:set` lists settings and changes them for this session; `fermata config` in the shell "
       "changes\n"
       "them for all sessions, in config.toml. init.ferm in $FERMATA_HOME is evaluated whenever a\n"
       "session is opened at a terminal. `fermata doctor` checks your installation. For screen "
       "readers:\n"
       "`fermata --accessible`, or `fermata config set accessible on`.",
       "",
       "editing, display, :help :set"},
      {"errors",
       {"error", "problems", "trouble"},
       "what to do about an error",
       "An error has a code, a place and a suggestion. `:explain CODE` explains it. Input of "
       "several\n"
       "forms succeeds as a whole or changes nothing. `fermata doctor` checks files, socket and\n"
       "terminal.",
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
