#pragma once

#include "core/lang/value/value.hpp"
#include "core/result.hpp"

#include <boost/json/value.hpp>

#include <string_view>

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
///     functions, macros          {"fn": text, "name": "f"}, {"macro": text, "name": "m"}: text
///     that
///                                evaluates to it without help of other definitions
///     errors                     {"error": {"code": ..., "message": ...}}
boost::json::value write_value(const value& v);

/// Reads it again. Errors: what is wrong with the text, or what the evaluation of a text says.
result<value> read_value(const boost::json::value& v);

/// The value of one expression where nothing is defined; nothing is committed.
result<value> value_of_text(std::string_view text);

}  // namespace fermata::io
