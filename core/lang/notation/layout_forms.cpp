#include "core/lang/names/symbol_names.hpp"
#include "core/lang/names/xml_text.hpp"
#include "core/lang/notation/forms.hpp"

namespace fermata {

namespace {

result<value> break_handler(call& c) {
  print_layout p;
  (c.text("what") == "page" ? p.new_page : p.new_system) = "yes";
  return music_answer(c, measure_content{std::move(p)});
}

result<value> layout_handler(call& c) {
  print_layout p;
  p.new_system = c.text("system").value_or("");
  p.new_page = c.text("page").value_or("");
  if (c.has("xml")) p.extra = preserved_of(c.get("xml"));
  return music_answer(c, measure_content{std::move(p)});
}

result<value> sound_handler(call& c) {
  sound s;
  if (c.has("what")) {
    if (auto fault = fault_of_sound(c.get("what")); !fault.empty())
      return fail(c.wrong(errc::wrong_type, std::move(fault), "what"));
    s.extra = preserved_of(c.get("what"));
  }
  return music_answer(c, measure_content{std::move(s)});
}

result<value> xml_handler(call& c) {
  auto text = c.text("element").value_or("");
  if (auto fault = fault_of_element(text); !fault.empty()) {
    auto e = c.wrong(errc::invalid_xml, std::move(fault), "element");
    e.diagnostics.front().hint = "for elements without a form, write MusicXML, such as (xml "
                                 "\"<bookmark id=\\\"b1\\\"/>\"); for text use (words ...)";
    return fail(std::move(e));
  }
  return music_answer(c, measure_content{fragment{text}});
}

}  // namespace

value layout_form(const print_layout& x) {
  if (x == print_layout{"yes", "", {}}) return form{"break"}.flag("system").done();
  if (x == print_layout{"", "yes", {}}) return form{"break"}.flag("page").done();
  form f{"layout"};
  if (!x.new_system.empty()) f.option("system", named_value(x.new_system, {"yes", "no"}));
  if (!x.new_page.empty()) f.option("page", named_value(x.new_page, {"yes", "no"}));
  return f.xml(x.extra).done();
}

value sound_form(const sound& x) {
  form f{"sound"};
  if (x.extra) f.add(spec_of(x.extra));
  return f.done();
}

void add_layout_forms(form_rows& rows) {
  auto what = required("what", arg_type::word, "system or page");
  what.choices = {"system", "page"};
  rows.push_back({"break",
                  {},
                  "mark",
                  {what},
                  "A system or page break.",
                  "(break :system)",
                  "layout",
                  break_handler});
  rows.push_back({"layout",
                  {},
                  "mark",
                  {named_option("system", "whether a new one starts", {"yes", "no"}),
                   named_option("page", "whether a new one starts", {"yes", "no"}),
                   option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
                  "Page layout, as in the MusicXML <print> element.",
                  "(layout :system yes)",
                  "layout",
                  layout_handler});
  rows.push_back({"sound",
                  {},
                  "mark",
                  {optional_param("what", arg_type::spec, "(:tempo 96 :dynamics 80)")},
                  "An instruction for playback only.",
                  "(sound (:tempo 96))",
                  "sound",
                  sound_handler});
  rows.push_back({"xml",
                  {},
                  "mark",
                  {required("element", arg_type::string, "one MusicXML element")},
                  "A MusicXML element that has no form of its own, kept unchanged.",
                  "(xml \"<listening><assess type=\\\"no\\\"/></listening>\")",
                  "xml",
                  xml_handler});
}

}  // namespace fermata
