#include "core/lang/reference_prose.hpp"

namespace fermata {

const std::string_view reference_prose = R"(# The Fermata language

This page is generated from the tables that the language itself uses: every form, option and example
here is what the program does. `fermata show TOPIC` prints parts of it, `(doc NAME)` one form.

## Text

| written | read as |
|---|---|
| `(f x y)` | a call of the form, function or macro `f` |
| `(c4 e4 g4)` | a list of pitches: a list that begins with a pitch is no call |
| `[x y]` | a list of the values; parameter lists and bindings are written so |
| `"text"` | a string; escapes `\"` `\\` `\n` `\t` `\r` `\uXXXX` |
| `3` `+2` `-3/2` `0.5` | exact numbers are kept as fractions of 64 bits; a decimal point makes a real number |
| `6/8` `3:2` `3+2` | metres and ratios as they are written; `6/8` counts as 3/4 where a number is wanted |
| `c4` `f#5` `bb3` `C♯4` | a pitch: letter, accidental, octave -1 to 9; it stands for itself and cannot be bound |
| `:q` `:8.` `:staccato` | a keyword; those that name a note value are durations |
| `M3` `-P5` `aug4` `dim5` | an interval, as long as nobody binds the name; `A4` and `d5` are pitches, except where an interval is wanted |
| `true` `false` `nil` | truth, untruth, nothing; only `false` and `nil` count as no |
| `'x` `` `x `` `,x` `,@x` | `(quote x)` `(quasiquote x)` `(unquote x)` `(unquote-splicing x)` |
| `#p"c4:q d"` | `(phrase "c4:q d")` |
| `$In[3]` `$Out[3]` `$Out[-1]` `$Out[4:7]` `$Out[etude:3]` `$Out[etude:-1]` `%` | entries of the history: expression, value, counted back, several, of another session, counted back from its end, the last value |
| `; ...` `#\| ... \|#` `#;x` | comments: to the end of the line, a block (they nest), one expression |

Text is UTF-8; `♯ ♭ ♮ 𝄪 𝄫` may stand for `# b n x bb`. LF, CR LF and CR end a line alike, and in a string
each is a line feed. Lists nest up to 1,000 deep,
typed or made, and so do functions in what they captured.

## Evaluation

Values never change; `def` binds a name, functions keep the values that they see where they are made.
A function may have the name of a form as a parameter, which then means the parameter. At top level
the names of the language cannot be bound. `(def x A B C)` with several pieces of music binds their seq.
Inside a function, `def` and `defn` name values for the rest of the body.

Parameters are `[a b & more]`; `[[a b] c]` takes a list apart. `let` binds one after another, with
`[x 1 y 2]` or `((x 1) (y 2))`; a name before the bindings makes a loop:
`(let loop [i 0] (if (< i 9) (loop (+ i 1)) i))`. Calls in tail position take no space.

Where a form wants a word (a duration, a key, `:slur start`), a name that nobody bound stands for
itself; where it wants a metre or ratio, so does a list that begins with a number, and where it wants
a list, so does a rhythm: `(zip (:q :8) (c4 d4))`.

Options and flags may stand anywhere in a call. `->` puts a value into calls: where `_` stands; else as
last argument of what works on music or lists; else as first. `->>` always puts it last.

Macros get code and return code: `(defmacro twice [x] `(list ,x ,x))`. Names in a macro are not renamed;
`(gensym)` gives a name that nobody else has. A macro is expanded when the code that calls it is
compiled, so functions keep the macro as it was then. `(expand (twice c4))` shows the expansion.

A text of several forms succeeds as a whole or changes nothing. Faults that do not follow from each
other are reported together. An evaluation has a budget of steps, depth, produced items, bytes and time;
over budget is an error like any other, except that `try` does not catch it.
`(try X HANDLER)` gives the handler, a function, the error; without one, the error is the value.
)";

}  // namespace fermata
