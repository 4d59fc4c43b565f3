#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/lang/theory/families.hpp"
#include "core/theory/neo_riemannian.hpp"
#include "core/theory/twelve_tone_row.hpp"

namespace fermata {

namespace {

result<twelve_tone_row> row_in(call& c, const std::vector<value>& values) {
  auto numbers = class_numbers_in(c, values);
  if (!numbers) return fail(std::move(numbers.error()));
  auto row = twelve_tone_row::make(*numbers);
  if (!row) return fail(wrong_in_theory(c, row.error().first().code, row.error()));
  return row;
}

result<value> row_handler(call& c) {
  auto row = row_in(c, c.rest());
  if (!row) return fail(std::move(row.error()));
  return list_of(row->classes());
}

result<value> row_form_handler(call& c) {
  auto form = parse_row_form(c.text("form").value_or(""));
  if (!form) return fail(wrong_in_theory(c, errc::out_of_range, form.error(), "form"));
  auto row = row_in(c, c.rest());
  if (!row) return fail(std::move(row.error()));
  return list_of(form_of(*row, *form));
}

result<value> matrix_handler(call& c) {
  auto row = row_in(c, c.rest());
  if (!row) return fail(std::move(row.error()));
  std::vector<value> lines;
  for (auto& line : matrix(*row))
    lines.push_back(list_of(line));
  return value::list(std::move(lines));
}

result<consonant_triad> triad_in(call& c, std::string_view name) {
  auto pitches = pitches_of(c, name);
  if (!pitches) return fail(std::move(pitches.error()));
  auto t = triad_of(*pitches);
  if (!t)
    return fail(
        c.wrong(errc::invalid_chord, print(c.get(name)) + " is not a major or minor triad", name));
  return *t;
}

result<value> neo(call& c) {
  auto triad = pitches_of(c, "triad");
  if (!triad) return fail(std::move(triad.error()));
  auto moved = neo_riemannian(c.text("operations").value_or(""), *triad);
  if (!moved) {
    auto& why = moved.error().first();
    auto e = c.wrong(errc::invalid_chord, why.message, triad_of(*triad) ? "operations" : "triad");
    if (!why.hint.empty())
      e.diagnostics.front().hint = why.hint + "\n" + e.diagnostics.front().hint;
    return fail(std::move(e));
  }
  return list_of(*moved);
}

result<value> distance(call& c) {
  auto a = triad_in(c, "a"), b = triad_in(c, "b");
  for (auto* t : {&a, &b})
    if (!*t) return fail(std::move(t->error()));
  if (c.flag("path")) return value::string(tonnetz_path(*a, *b));
  return value::of(std::int64_t{tonnetz_distance(*a, *b)});
}

}  // namespace

std::vector<form_spec> row_and_neo_forms() {
  auto classes =
      all_further("classes", arg_type::any, "twelve numbers or pitches, or lists of them");
  const std::string webern = "11 10 2 3 7 6 8 4 5 0 1 9";  // op. 24
  return {
      {"row",
       {},
       "row",
       {classes},
       "A twelve-tone row; every pitch class must occur exactly once.",
       "(row " + webern + ")",
       "list",
       row_handler},
      {"row-form",
       {},
       "row",
       {offering(required("form", arg_type::text,
                          "P0 to P11, likewise I, R, RI; the number is the first pitch class, for "
                          "R and RI the last"),
                 row_form_words),
        classes},
       "A form of a twelve-tone row.",
       "(row-form :RI11 " + webern + ")",
       "list",
       row_form_handler},
      {"matrix",
       {"row-matrix"},
       "row",
       {classes},
       "The twelve-tone matrix of a row.",
       "(matrix " + webern + ")",
       "list",
       matrix_handler},
      {"neo",
       {},
       "neo",
       {required("operations", arg_type::text, "P L R N S H, applied from left to right"),
        required("triad", arg_type::pitches, "a major or minor triad")},
       "Neo-Riemannian operations on a triad, keeping common tones.",
       "(neo :PL (c4 e4 g4))",
       "list",
       neo},
      {"tonnetz-distance",
       {},
       "neo",
       {required("a", arg_type::pitches, "a triad"), required("b", arg_type::pitches, "a triad"),
        flag("path", "return the operations instead")},
       "The number of P, L and R operations between two triads.",
       "(tonnetz-distance (c4 e4 g4) (ab4 cb5 eb5))",
       "number",
       distance},
  };
}

}  // namespace fermata
