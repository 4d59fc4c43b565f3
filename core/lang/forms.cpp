#include "core/lang/forms.hpp"

#include <iterator>

#include "core/lang/row.hpp"

namespace fermata {

std::vector<form_spec> core_forms() {
  std::vector<form_spec> all;
  for (auto family : {special_forms, number_forms, list_forms, function_forms, text_forms, kind_forms, help_forms}) {
    auto rows = family();
    all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  }
  return all;
}

std::vector<form_spec> special_forms() {
  using t = arg_type;
  const std::string core = "core";
  auto name = required("name", t::symbol, "the name to bind");
  auto body = all_further("body", t::any, "expressions; the last one is the value");
  return {
      {"def", {}, core, {name, all_further("values", t::any, "the value; several notes become a seq")},
       "Binds a name to a value; several music values become one seq.", "(do (def tonic c4) tonic)", "the name", nullptr},
      {"defn", {}, core, {name, required("params", t::list, "[x y & more]; a string before it documents"), body},
       "Defines a function.", "(do (defn double [x] (* 2 x)) (double 21))", "the name", nullptr},
      {"defmacro", {}, core, {name, required("params", t::list, "[x y & more]"), body},
       "Defines a macro: it gets its arguments as data and returns the code to run instead.",
       "(do (defmacro twice [x] `(list ,x ,x)) (twice c4))", "the name", nullptr},
      {"fn", {}, core,
       {optional("name", t::symbol, "by which the body may call itself"), required("params", t::list, "[x y & more]"), body},
       "Makes a function that keeps the values of the names around it.", "((fn [x] (* x x)) 7)", "function", nullptr},
      {"let", {}, core, {required("bindings", t::list, "[x 1 y (+ x 1)]; [[a b] pair] takes a list apart"), body},
       "Binds names for the expressions inside, each one seeing those before it. With a name before the bindings it can call itself.",
       "(let [x 2 y (* x x)] (+ x y))", "value of the last expression", nullptr},
      {"if", {}, core,
       {required("test", t::any, "nil and false count as no"), required("then", t::any, "when yes"),
        optional("else", t::any, "when no", "nil")},
       "Chooses between two expressions.", "(if (< 1 2) :yes :no)", "the chosen value", nullptr},
      {"when", {}, core, {required("test", t::any, "nil and false count as no"), body},
       "Evaluates the body when the test holds, else nil.", "(when (> 2 1) :yes)", "value of the last expression", nullptr},
      {"unless", {}, core, {required("test", t::any, "nil and false count as no"), body},
       "Evaluates the body when the test does not hold, else nil.", "(unless (> 1 2) :yes)", "value of the last expression", nullptr},
      {"cond", {}, core, {all_further("clauses", t::any, "test and value in turn, or [test value] each; else at the end")},
       "The value of the first test that holds, else nil.", "(cond (> 1 2) :a (> 2 1) :b else :c)", "the chosen value", nullptr},
      {"and", {}, core, {all_further("expressions", t::any, "evaluated until one is nil or false")},
       "The first value that is nil or false, else the last one.", "(and true 5)", "value", nullptr},
      {"or", {}, core, {all_further("expressions", t::any, "evaluated until one is neither nil nor false")},
       "The first value that is neither nil nor false, else the last one.", "(or nil 5)", "value", nullptr},
      {"do", {}, core, {body}, "Evaluates expressions in turn.", "(do 1 2 3)", "value of the last expression", nullptr},
      {"quote", {}, core, {required("datum", t::any, "anything")}, "The expression itself as data; short: 'x.",
       "(quote (+ 1 2))", "data", nullptr},
      {"quasiquote", {}, core, {required("template", t::any, "data with ,x and ,@xs in it")},
       "Data with holes: ,x is replaced by a value, ,@xs by the items of a list. Names in it are not renamed; gensym makes fresh ones.",
       "(let [n 3] `(transpose ,n motif))", "data", nullptr},
      {"unquote", {}, core, {required("expression", t::any, "evaluated inside a quasiquote")},
       "A hole in a quasiquote; short: ,x.", "`(1 ,(+ 1 1))", "value", nullptr},
      {"unquote-splicing", {}, core, {required("expression", t::any, "a list")},
       "A hole in a quasiquote that takes all items of a list; short: ,@xs.", "`(1 ,@(list 2 3))", "value", nullptr},
      {"try", {}, core,
       {required("expression", t::any, "what may fail"),
        optional("handler", t::any, "a value, or a function of the error", "the error as a value")},
       "The value of an expression; when it fails, what the handler makes of the error.",
       "(try (/ 1 0) (fn [e] (error-code e)))", "value", nullptr},
      {"->", {}, core,
       {required("value", t::any, "what is passed on"), all_further("steps", t::any, "calls, each without that argument")},
       "Passes a value through calls: where _ stands, else last for what works on music and lists, else first.",
       "(-> 5 (- 2) (* 10))", "value of the last step", nullptr},
      {"->>", {}, core,
       {required("value", t::any, "what is passed on"), all_further("steps", t::any, "calls, each without its last argument")},
       "Passes a value through calls as their last argument.", "(->> (range 5) (map inc) (reduce +))",
       "value of the last step", nullptr},
      {"expand", {}, core, {required("expression", t::any, "a macro call, a threading, or music")},
       "What a shorthand stands for, as data: the expansion of a macro, or music in explicit forms.",
       "(expand (-> x (f 1)))", "data", nullptr},
  };
}

} // namespace fermata
