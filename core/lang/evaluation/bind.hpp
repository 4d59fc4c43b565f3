#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/value/code.hpp"

#include <span>
#include <string>
#include <vector>

namespace fermata {

/// An argument of a call before it is bound to a parameter.
struct argument {
  value v;
  source_span span;
  argument_form form = argument_form::computed;
  value datum;        ///< words and literal lists as written
  bool bound = true;  ///< for a word: false if it is undefined
};

/// A word without a value.
inline bool is_unknown(const argument& a) { return !a.bound && a.v.is_nil(); }

/// Binds arguments to the parameters of a form as described in form_spec.hpp and checks their
/// types. All errors of one call are reported together, each with the position of the argument and
/// the usage line.
result<void> bind_arguments(call& c, std::span<argument> args);

/// Improves the errors of a rejected call: an undefined word stands for itself where the form takes
/// words, and so is reported as a wrong interval, instrument or numeral. If it is similar to a
/// defined name, or a keyword to an option of the form, that is reported instead.
void name_misspelt(const call& c, std::span<const argument> args, error& refusal);

/// Whether a bare word, or a list that starts with a number, stands for itself (form_spec.hpp).
bool takes_word(arg_type t);
bool takes_literal_list(arg_type t);
/// A keyword, symbol or string as a word; null for anything else.
const std::string* word_of(const value& v);

/// The value in the parameter's representation if it has the type, otherwise empty.
std::optional<value> converted(const argument& a, const param& p);

/// The name of a type in messages: "a pitch", "a list".
std::string describe(const param& p);
/// Whether an unknown name was meant as an interval: `P3`, `m5`.
bool looks_like_interval(std::string_view name);
constexpr std::string_view which_intervals =
    "P1 P4 P5 P8 are perfect; seconds, thirds, sixths and sevenths are m or M; aug4, dim5";
/// A hint for Roman numerals where music is expected.
constexpr std::string_view numerals_as_chords =
    "to turn numerals into chords, use (rn \"I V I\") or (progression c-major I V I)";

/// A value in messages: "the string \"x\"", "the number 3", "a note".
std::string describe(const value& v);
/// Its kind in messages: "a note", "an error", "nil".
std::string describe_kind(const value& v);

}  // namespace fermata
