#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"

namespace fermata::io::musicxml::detail {

namespace {

typed_text read_typed_text(import_context& c, pugi::xml_node k, element e) {
  typed_text t;
  kept_xml kept;
  t.type = k.attribute("type").value();
  t.text = c.verbatim(k);
  if (t.type.empty())  // type="" is kept
    kept.attributes(c, k, e);
  else
    kept.attributes(c, k, e, {"type"});
  t.extra = kept.take();
  return t;
}

/// A text element of the header; one that is there but empty is remembered.
void read_text(import_context& c, pugi::xml_node k, std::string& target, kept_xml& kept) {
  target = c.verbatim(k);
  if (target.empty()) kept.add({"<" + std::string{k.name()} + "/>"});
}

void read_work(import_context& c, pugi::xml_node n, score_header& h, kept_xml& of_score) {
  kept_xml others;
  for (auto [k, e] : elements_in(c, n, others)) {
    if (e == element::work_number && h.work_number.empty())
      read_text(c, k, h.work_number, of_score);
    else if (e == element::work_title && h.work_title.empty())
      read_text(c, k, h.work_title, of_score);
    else
      others.child(c, element::work, k);
  }
  h.work_others = others.take_children();
}

void read_identification(import_context& c, pugi::xml_node n, score_header& h, kept_xml& of_score) {
  kept_xml others;
  for (auto [k, e] : elements_in(c, n, others)) {
    switch (e) {
      case element::creator: h.creators.push_back(read_typed_text(c, k, e)); break;
      case element::rights: h.rights.push_back(read_typed_text(c, k, e)); break;
      case element::source:
        if (h.source.empty())
          read_text(c, k, h.source, of_score);
        else
          others.misplaced(c, k, "a second source");
        break;
      case element::encoding: {
        kept_xml encoding;
        for (auto [x, inside] : elements_in(c, k, encoding))
          encoding.child(c, element::encoding, x);
        for (auto& f : encoding.take_children())
          h.encoding.push_back(std::move(f));
        break;
      }
      default: others.child(c, element::identification, k);
    }
  }
  for (auto& f : others.take_children())
    h.identification_others.push_back(std::move(f));
}

void read_credit(import_context& c, pugi::xml_node n, score_header& h) {
  credit x;
  kept_xml kept;
  auto page = n.attribute("page");
  if (page && is_valid_attribute("credit", "page", page.value())) x.page = page.value();
  kept.attributes(c, n, element::credit, {"page"});
  // Words alone are typed; where symbols, images or links stand among them all keep their order.
  auto only_words = true;
  for (auto [k, e] : uncounted_elements_in(c, n)) {
    auto stands_among_words = e == element::credit_symbol || e == element::credit_image ||
                              e == element::link || e == element::bookmark;
    only_words = only_words && !(stands_among_words && fits(c, k));
  }
  for (auto [k, e] : elements_in(c, n, kept)) {
    if (e == element::credit_type)
      x.types.push_back(c.verbatim(k));
    else if (e == element::credit_words && only_words)
      x.words.push_back(read_typed_text(c, k, e));
    else
      kept.child(c, element::credit, k);
  }
  x.extra = kept.take();
  h.credits.push_back(std::move(x));
}

}  // namespace

void read_header(import_context& c, pugi::xml_node root, score& s, kept_xml& kept) {
  auto& h = s.header;
  auto read_once = [&](pugi::xml_node k, std::string& target) {
    if (target.empty())
      read_text(c, k, target, kept);
    else
      kept.misplaced(c, k, "this element appears twice");
  };
  for (auto [k, e] : elements_in(c, root, kept)) {
    switch (e) {
      case element::work: read_work(c, k, h, kept); break;
      case element::movement_number: read_once(k, h.movement_number); break;
      case element::movement_title: read_once(k, h.movement_title); break;
      case element::identification: read_identification(c, k, h, kept); break;
      case element::defaults:
        c.report.not_typed(e);
        if (auto f = kept_fragment(c, k); is_wrapped(f))
          kept.add(std::move(f));
        else
          h.defaults.push_back(std::move(f));
        break;
      case element::credit: read_credit(c, k, h); break;
      case element::part_list:
      case element::part:
      case element::measure: break;  // read elsewhere
      default: kept.child(c, element::score_partwise, k);
    }
  }
}

}  // namespace fermata::io::musicxml::detail
