#pragma once

#include <string_view>

#include "core/lang/environment.hpp"
#include "core/lang/value.hpp"
#include "core/result.hpp"

#include <boost/json/value.hpp>

namespace fermata::io {

/// Values of the language, written so that they are the same values again when they are read.
///
///     nil, booleans, strings     null, true, "text"
///     exact numbers              {"number": "3/2"}          inexact ones    {"real": 0.5}
///     symbols, keywords          {"symbol": "x"}, {"keyword": "q"}
///     lists                      {"list": [...]}, {"vector": [...]} when written with [ ]
///     pitches, intervals         {"pitch": "c#4"}, {"interval": "P5"}
///     durations                  {"duration": "q."}
///     music                      {"music": "(note c4 :q)"}: its printed form, evaluated again
///     functions of the language  {"form": "map"}
///     functions, macros          {"fn": "(fn [x] ...)", "captured": [["y", value], ...]}, {"macro": ...}
///     others                     {"partial": [...]}, {"composed": [...]}
///     errors                     {"error": {"code": ..., "message": ...}}
boost::json::value write_value(const value& v);

/// Reads it again. `env` gives the names that functions refer to. Errors: what is wrong with the text,
/// or what the evaluation of a printed form says.
result<value> read_value(const boost::json::value& v, const environment& env);

/// The value of one expression in an environment; nothing is committed.
result<value> value_of_text(std::string_view text, const environment& env);

/// Whether a value, however deep, holds a function or macro, so that reading it depends on names.
bool holds_function(const value& v);

} // namespace fermata::io
