#pragma once

#include "core/lang/value/value.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fermata {

/// How an argument is passed.
enum class param_kind : std::uint8_t {
  required,  ///< positional
  optional,  ///< positional, may be omitted
  option,    ///< `:name VALUE`
  flag,      ///< `:name` alone
  rest,      ///< all remaining positional arguments
};

/// The type of an argument. Types marked WORD take a bare symbol literally if it is not bound to a
/// variable, so that `(note c4 q.)`, `(key f# :minor)` and `:slur start` need no quote; LITERAL
/// types take a list that starts with a number unevaluated: `:time (4 4)`.
///
/// Keywords that name an option or flag of the form are always that; any other keyword is a
/// positional argument if the next parameter takes keywords, otherwise an error. An optional
/// parameter of another type than the argument is skipped if a later one takes it, so `(part
/// (measure ...))` has no name. An option of type `word` with a `default_text` may be written
/// without its value: `:arpeggiate` is `:arpeggiate up` if "up" is the default.
enum class arg_type : std::uint8_t {
  any,
  boolean,
  number,
  integer,
  string,
  list,  ///< LITERAL for durations, as `(:q :8)`; a list, or a seq as the list of its items
  function,
  music,
  symbol,  ///< WORD
  keyword,
  word,      ///< WORD: a keyword, symbol or string naming one of `choices`
  named,     ///< WORD: the same, or any text in quotes, for names of other programs
  pitch,     ///< a pitch literal or value
  pitches,   ///< a pitch, a list of pitches, or music that has pitches
  duration,  ///< WORD: :q, q., a duration value
  interval,  ///< WORD: M3, -P5; the symbols A4 and d5 are intervals here
  key,       ///< WORD: c-major, (key c :major)
  ratio,     ///< WORD, LITERAL: 3:2, 3/2, (3 2), 3
  time,      ///< WORD, LITERAL: (4 4), (3+2 8), :common
  selector,
  text,      ///< WORD: string, symbol, keyword or number, taken as text
  contents,  ///< music, a pitch for a quarter note, a list of such, nil for nothing
  spec,  ///< WORD, LITERAL: a word, string or number, or a list of such that stands for itself, as
         ///< `:slur (start 2)`, `:xml (:default-x "83")`; a list is evaluated only if its head
         ///< names a form or a definition
  xml,   ///< as `spec`: attributes and elements of MusicXML, which are checked
};

struct param {
  std::string name;  ///< without colon
  param_kind kind = param_kind::required;
  arg_type type = arg_type::any;
  std::string default_text;  ///< as shown; empty: none
  std::string doc;
  std::vector<std::string> choices;  ///< the only ones for `word`; otherwise those shown in help
  std::vector<std::string> aliases;  ///< further names of an option or flag
  /// Words from a table, for completion (core/lang/names/completion_words.hpp); `typed` is the word
  /// at the cursor. Unlike `choices` they are not listed in help.
  std::vector<std::string> (*offered)(std::string_view typed) = nullptr;
  bool repeats = false;  ///< an option or flag that may be given several times
  /// Alternative parameters for the same thing have the same name here; only one is given. Empty:
  /// none.
  std::string thing{};
};

/// An option or a flag.
inline bool is_named(const param& p) {
  return p.kind == param_kind::option || p.kind == param_kind::flag;
}

class call;  // core/lang/evaluation/call.hpp: bound arguments of one call, and what the handler may
             // ask for

/// Derived properties of a row that every call needs, computed once.
struct call_facts {
  std::vector<std::size_t> positional;  ///< indices of the parameters that are not options or flags
  std::unordered_map<std::string_view, std::size_t> named;  ///< options and flags, aliases too
  bool takes_any_depth = false;  ///< its lists may be nested to any depth
  bool moves_pitches = false;    ///< its result may have pitches that cannot be written
  /// Copies its notes, so that music with shared parts takes all the memory that it appears to:
  /// every note and pitch given counts against the budget before the call.
  bool copies_music = false;
};

/// An argument that users try in a form that does not have it, and the intended alternative.
struct tried_elsewhere {
  std::string written;  ///< as printed: ":forward", "8"
  std::string hint;
};

/// One row of the form table: everything about a form or function. Argument checks, error texts,
/// completion, hints, highlighting, `fermata show`, `(doc x)`, `:help x` and the reference page are
/// derived from it.
struct form_spec {
  std::string name;
  std::vector<std::string> aliases;
  std::string category;  ///< "core" "list" "number" "music" "mark" "structure" "edit" "transform"
                         ///< "theory" "set" "row" "neo"
  std::vector<param> params;
  std::string doc;      ///< one line
  std::string example;  ///< runs in the tests
  std::string returns;  ///< kind of the result
  /// Called with evaluated arguments, checked against `params`. Null for the special forms, which
  /// the evaluator compiles itself.
  result<value> (*handler)(call&) = nullptr;
  /// Of rows in the table; `facts_of` the rest.
  call_facts facts{};
  std::vector<tried_elsewhere> elsewhere{};  ///< searched if an argument fits nothing
};

call_facts facts_of(const form_spec& f);

/// Whether a form is notation, like `note`, `measure` and `key`: as the outermost form of an
/// expression it enters the score. A form that computes music, like `transpose`, only shows it.
bool is_notation(const form_spec& f);

/// All rows: core language, musical forms, transformations, theory. Created on first use.
const std::vector<form_spec>& form_table();
/// By name or alias.
const form_spec* find_form(std::string_view name);

/// Names of all forms, music last: of two equally similar ones the user probably meant that.
std::vector<std::string_view> form_names();
/// Index of the option or flag of that name or alias (without colon).
std::optional<std::size_t> find_option(const form_spec& f, std::string_view name);
/// `(note PITCH [DUR] [:voice N] ... )`
std::string usage(const form_spec& f);

/// Each family of rows is contributed by one function, next to its handlers.
std::vector<form_spec> core_forms();
std::vector<form_spec> music_forms();
std::vector<form_spec> edit_forms();
std::vector<form_spec> transform_forms();
std::vector<form_spec> theory_forms();

}  // namespace fermata
