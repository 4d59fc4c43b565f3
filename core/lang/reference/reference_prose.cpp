#include "core/lang/reference/reference_prose.hpp"

namespace fermata {

const std::string_view reference_prose = R"(# The Fermata language

This page is generated from the tables of the language, so forms, options and examples match the
program. `fermata show TOPIC` prints parts of it, `(doc NAME)` describes one form.

## Text

| written | read as |
|---|---|
| `(f x y)` | a call of the form, function or macro `f` |
| `(c4 e4 g4)` | a list of pitches: a list that starts with a pitch is not a call |
| `[x y]` | a list of the values; also used for parameter lists and bindings |
| `"text"` | a string; escapes `\"` `\\` `\n` `\t` `\r` `\uXXXX` |
| `3` `+2` `-3/2` `0.5` | exact numbers are 64-bit fractions; with a decimal point, a number is real |
| `6/8` `3:2` `3+2` | time signatures and ratios, as written; as a number, `6/8` is 3/4 |
| `c4` `f#5` `bb3` `C♯4` | a pitch: letter, accidental, octave -1 to 9; evaluates to itself and cannot be redefined |
| `:q` `:8.` `:staccato` | a keyword; those that name a note value are durations |
| `M3` `-P5` `aug4` `dim5` | an interval, unless the name is defined; `A4` and `d5` are pitches, except where an interval is expected |
| `true` `false` `nil` | true, false and nothing; only `false` and `nil` count as false |
| `'x` `` `x `` `,x` `,@x` | `(quote x)` `(quasiquote x)` `(unquote x)` `(unquote-splicing x)` |
| `#p"c4:q d"` | `(phrase "c4:q d")` |
| `$In[3]` `$Out[3]` `$Out[-1]` `$Out[4:7]` `$Out[etude:3]` `$Out[etude:-1]` `%` | history references: input, value, counting back, a range, from another session, counting back from its end, the last value |
| `; ...` `#\| ... \|#` `#;x` | comments: to the end of the line, a block (nestable), one expression; at the prompt, a `;` with nothing after it at the end of the input hides the value |

Text is UTF-8; `♯ ♭ ♮ 𝄪 𝄫` can be used for `# b n x bb`. LF, CR LF and CR all end a line; inside a string
each is a line feed. Lists can be nested up to 1,000 deep, whether typed or computed, and so can functions
in the values they capture.

## Evaluation

Values never change. `def` binds a name; functions capture the bindings in scope where they are created.
A function parameter may have the name of a form, and then refers to the parameter. At top level, the
names of the language cannot be redefined. `(def x A B C)` with several pieces of music binds x to their
seq. Inside a function, `def` and `defn` bind names for the rest of the body.

Parameters are written `[a b & more]`; `[[a b] c]` destructures a list. `let` binds names one after another,
as `[x 1 y 2]` or `((x 1) (y 2))`; a name before the bindings makes a loop:
`(let loop [i 0] (if (< i 9) (loop (+ i 1)) i))`. Tail calls use no stack.

Where a form expects a word (a duration, a key, `:slur start`), an undefined name stands for itself. Where it
expects a time signature or ratio, so does a list that starts with a number; where it expects a list, so does
a rhythm: `(zip (:q :8) (c4 d4))`.

Options and flags may appear anywhere in a call. `->` passes a value through calls: in place of `_`; otherwise
as the last argument for functions on music or lists, and as the first for all others. `->>` always passes it
last.

Macros receive code and return code: `(defmacro twice [x] `(list ,x ,x))`. Names in a macro are not renamed;
`(gensym)` returns a unique name. A macro is expanded when the calling code is compiled, so functions keep
the definition that was current at that time. `(expand (twice c4))` shows the expansion.

Input of several forms succeeds as a whole or changes nothing. Independent errors are reported together. An
evaluation has a budget of steps, depth, produced items, bytes and time; exceeding it is an error that `try`
cannot catch. `(try X HANDLER)` calls the handler, a function, with the error; without a handler, the error is
the value.

## What enters the score

Music that is typed as notation enters the score: an expression whose outermost form is one of those
under "Notes and music", "Marks" and "Measures, parts, scores" below, including `#p"..."`. Any other
expression only shows its value, even if that is music: a name, `$Out[1]`, `%`, or a call of a function,
a transformation, `do`, `let` or `if`. `(add X)` adds music to the score, even inside other calls.

| typed | what happens |
|---|---|
| `(note c4 :q)`, `(measure motif)`, `(key g :major)` | enters the score |
| `motif`, `$Out[1]`, `(transpose +2 motif)`, `(do (note c4 :q))` | shows the value |
| `(add motif)`, `(add (transpose +2 motif))`, `(do (add motif))` | enters the score |
| `(at ...)`, `(delete ...)`, `(replace ...)`, `(edit ...)` | edit the score, also inside a call |

A macro is shorthand for what it expands to, so a call of a macro that expands to notation enters the
score; a function with the same body shows its value. Several expressions in one line each follow the
rule on their own, and so does what a client evaluates or proposes.

The setting `commit` changes the rule: `notation` is the one above; with `everything` all music enters
the score, including that of each expression inside a top-level `do`; with `nothing` (`:scratch on`) the
score does not change. A file that is compiled, converted or checked is read with `everything`.
)";

}  // namespace fermata
