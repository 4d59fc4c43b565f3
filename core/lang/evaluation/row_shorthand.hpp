#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/names/completion_words.hpp"
#include "core/lang/value/form_spec.hpp"

#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Abbreviations for the parameters of rows of the form table.

inline param required(std::string name, arg_type type, std::string doc) {
  param p;
  p.name = std::move(name);
  p.kind = param_kind::required;
  p.type = type;
  p.doc = std::move(doc);
  return p;
}
inline param optional(std::string name, arg_type type, std::string doc,
                      std::string default_text = {}) {
  auto p = required(std::move(name), type, std::move(doc));
  p.kind = param_kind::optional;
  p.default_text = std::move(default_text);
  return p;
}
inline param all_further(std::string name, arg_type type, std::string doc) {
  auto p = required(std::move(name), type, std::move(doc));
  p.kind = param_kind::rest;
  return p;
}
inline param option(std::string name, arg_type type, std::string doc,
                    std::string default_text = {}) {
  auto p = optional(std::move(name), type, std::move(doc), std::move(default_text));
  p.kind = param_kind::option;
  return p;
}
inline param flag(std::string name, std::string doc) {
  auto p = required(std::move(name), arg_type::boolean, std::move(doc));
  p.kind = param_kind::flag;
  return p;
}

}  // namespace fermata
