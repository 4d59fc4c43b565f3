#include "io/musicxml/import.hpp"

#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/encoding.hpp"
#include "io/musicxml/import_context.hpp"

#include <algorithm>
#include <unordered_map>

namespace fermata::io::musicxml {

namespace detail {

namespace {

/// "score-partwise/part/measure": the elements that were open where the parser stopped. What it had
/// read by then is in the document; the last element of each level was the open one.
std::string open_elements(const pugi::xml_document& doc) {
  std::string path;
  std::size_t depth = 0;
  for (auto n = doc.last_child(); n && n.type() == pugi::node_element && depth < 6;
       n = n.last_child(), ++depth)
    path += (depth > 0 ? "/" : "") + std::string{n.name()};
  return path;
}

/// The music of one measure of a part: where its attributes stand, and where its contents do.
struct measure_source {
  pugi::xml_node attributes_of, content;
};
using part_sources = std::unordered_map<std::string, std::vector<measure_source>>;

/// Music of a part that the list does not know becomes a part without name at its end.
void list_part(import_context& c, pugi::xml_node where, const std::string& id, score& s,
               std::vector<part>& parts) {
  if (std::any_of(parts.begin(), parts.end(), [&](auto& x) { return x.id == id; })) return;
  if (id.empty()) fail_at(c, where, errc::invalid_musicxml, "a part needs an id");
  c.warn(where, "the part list has no part with the id \"" + id + "\"; it is added");
  c.ids.insert(id);
  s.part_list.emplace_back(parts.size());
  parts.emplace_back().id = id;
}

/// A <part> in the music has an id and nothing else.
void tell_part_attributes(import_context& c, pugi::xml_node p) {
  for (auto a : p.attributes()) {
    std::string name = a.name();
    if (name == "id" || name.starts_with("xmlns")) continue;
    c.warn(p, "MusicXML has no " + name + "=\"" + a.value() + "\" here; it is left out");
    c.report.add(fate::dropped, "part/@" + name, p.attribute("id").value(), "");
  }
}

part_sources partwise_sources(import_context& c, pugi::xml_node root, score& s,
                              std::vector<part>& parts, kept_xml& kept) {
  part_sources sources;
  for (auto p : root.children("part")) {
    std::string id = p.attribute("id").value();
    if (sources.contains(id))
      fail_at(c, p, errc::invalid_musicxml, "the part \"" + id + "\" appears twice");
    list_part(c, p, id, s, parts);
    tell_part_attributes(c, p);
    auto& measures = sources[id];
    for (auto [m, e] : elements_in(c, p)) {
      if (e == element::measure)
        measures.push_back({m, m});
      else
        kept.misplaced_in(c, m, "a part may only contain measures", {"part"});
    }
  }
  return sources;
}

/// A part that a measure of a timewise score does not mention is silent there: its measures stay
/// side by side with those of the others.
part_sources timewise_sources(import_context& c, pugi::xml_node root, score& s,
                              std::vector<part>& parts, kept_xml& kept) {
  part_sources sources;
  std::vector<measure_source> silent;  // measures so far, without contents
  auto fill_up = [&](std::vector<measure_source>& measures) {
    auto from = silent.begin() + static_cast<std::ptrdiff_t>(measures.size());
    measures.insert(measures.end(), from, silent.end());
  };
  for (auto m : root.children("measure")) {
    for (auto [p, e] : elements_in(c, m)) {
      if (e != element::part) {
        kept.misplaced_in(c, p, "a measure of a timewise score may only contain parts",
                          {"measure"});
        continue;
      }
      std::string id = p.attribute("id").value();
      list_part(c, p, id, s, parts);
      tell_part_attributes(c, p);
      auto& measures = sources[id];
      if (measures.size() > silent.size())
        fail_at(c, p, errc::invalid_musicxml,
                "the part \"" + id + "\" appears twice in one measure");
      fill_up(measures);
      measures.push_back({m, p});
    }
    silent.push_back({m, {}});
  }
  for (auto& [id, measures] : sources)
    fill_up(measures);
  return sources;
}

void read_music(import_context& c, part& p, const std::vector<measure_source>& sources) {
  c.part = p.id;
  c.instruments = &p.instruments;
  c.divisions = rational{1};
  part_reading reading;
  std::vector<measure> measures;
  measures.reserve(sources.size());
  for (auto source : sources) {
    measures.push_back(
        read_measure(c, reading, source.attributes_of, source.content, measures.size()));
    // The nodes are as large as the music made of them: their memory is for the next measures.
    c.tell_dropped_attributes();
    source.content.parent().remove_child(source.content);
  }
  for (auto& m : measures) {
    // In a part with several staves every note is on one of them, said or not.
    if (reading.several_staves)
      for (auto& item : m.items)
        if (auto* x = std::get_if<chord_rest>(&item.content)) x->staff_given = true;
    p.measures.push_back(std::make_shared<const measure>(std::move(m)));
  }
  c.part.clear();
  c.instruments = nullptr;
}

score_ptr read_score(import_context& c, pugi::xml_node root) {
  auto s = std::make_shared<score>();
  kept_xml kept;
  auto timewise = std::string_view{root.name()} == "score-timewise";
  c.typed(root, element_of(root.name()));
  auto list = root.child("part-list");
  if (!list)
    fail_at(c, root, errc::invalid_musicxml, "there is no <part-list>",
            "a MusicXML score must list its parts before the music");
  for (auto a : root.attributes())
    if (std::string_view name = a.name(); name != "version" && !name.starts_with("xmlns")) {
      c.warn(root, "MusicXML 4.0 has no " + std::string{name} + " here; it is kept");
      kept.add_attribute(std::string{name}, a.value());
    }
  // Ids of parts before the header, which may refer to them.
  auto parts = read_part_list(c, list, *s, kept);
  read_header(c, root, *s, kept);
  auto sources = timewise ? timewise_sources(c, root, *s, parts, kept)
                          : partwise_sources(c, root, *s, parts, kept);
  for (auto& p : parts) {
    if (auto found = sources.find(p.id); found != sources.end())
      read_music(c, p, found->second);
    else
      c.warn(list, "the part \"" + p.id + "\" is listed but has no music");
    p.measures.seal();  // once, instead of at the first edit, and again for each proposal
    s->parts.push_back(std::make_shared<const part>(std::move(p)));
  }
  s->extra = kept.take();
  c.tell_dropped_attributes();
  return s;
}

result<pugi::xml_node> find_root(const pugi::xml_document& doc, const std::string& origin) {
  pugi::xml_node root;
  for (auto n : children_of(doc.root())) {
    if (n.type() == pugi::node_doctype &&
        std::string_view{n.value()}.find("<!ENTITY") != std::string_view::npos)
      return fail(error{errc::invalid_xml, origin + ": entity declarations are not supported",
                        std::nullopt, "write out the text of the entity"});
    if (n.type() == pugi::node_element) {
      if (root)
        return fail(error{errc::invalid_xml,
                          origin + ": a second root element <" + std::string{n.name()} + ">"});
      root = n;
    }
  }
  std::string_view name = root.name();
  if (name == "score-partwise" || name == "score-timewise") return root;
  if (!root) return fail(error{errc::invalid_xml, origin + ": it contains no XML element"});
  return fail(error{errc::invalid_musicxml,
                    origin + ": <" + std::string{name} + "> is not a MusicXML score", std::nullopt,
                    name == "opus" || name == "container"
                        ? "it is a list of files; open one of them"
                        : "MusicXML starts with <score-partwise> or <score-timewise>"});
}

/// Comments, and instructions of other programs: they belong to the file, not to the music, and are
/// counted, not kept.
void tell_left_out(import_context& c, std::size_t comments, std::size_t instructions) {
  if (comments + instructions == 0) return;
  auto counted = [](std::size_t n, const char* what) {
    return n == 0 ? std::string{} : std::to_string(n) + " " + what + (n > 1 ? "s" : "");
  };
  auto text = counted(comments, "comment");
  if (comments > 0 && instructions > 0) text += " and ";
  text += counted(instructions, "processing instruction");
  c.warnings.push_back({errc::left_out, "left out: " + text, std::nullopt, {}});
}

std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t n = 0;
  for (auto p = text.find(what); p != std::string_view::npos; p = text.find(what, p + what.size()))
    ++n;
  return n;
}

/// Whether anything but elements, text and the usual beginning may be in the document.
bool has_special_nodes(std::string_view text) {
  auto from = text.starts_with("<?xml ") ? std::size_t{5} : std::size_t{0};
  // Comments and the document type before the root are harmless. '?' and '!' are rare in a score,
  // so it is quicker to look for them than for '<'.
  auto root = std::min(text.find("<score-"), text.size());
  auto stands_after_tag = [&](char c, std::size_t begin) {
    for (auto p = text.find(c, begin); p != std::string_view::npos; p = text.find(c, p + 1))
      if (p > 0 && text[p - 1] == '<') return true;
    return false;
  };
  return stands_after_tag('?', from + 1) || stands_after_tag('!', root);
}

/// Takes out instructions that are not ours, so that none is mistaken for an element of its name,
/// comments, and the blanks between elements.
void remove_foreign_nodes(import_context& c, pugi::xml_document& doc) {
  struct finder : pugi::xml_tree_walker {
    std::vector<pugi::xml_node> found;
    std::size_t comments = 0, instructions = 0;
    bool for_each(pugi::xml_node& n) override {
      auto comment = n.type() == pugi::node_comment;
      if (comment ||
          (n.type() == pugi::node_pi && !std::string_view{n.name()}.starts_with("fermata-"))) {
        ++(comment ? comments : instructions);
        found.push_back(n);
      }
      if (n.type() == pugi::node_pcdata && has_element(n.parent()) &&
          std::string_view{n.value()}.find_first_not_of(" \t\r\n") == std::string_view::npos)
        found.push_back(n);
      return true;
    }
    // Asked for one child after another, so the last answer is kept.
    bool has_element(pugi::xml_node parent) {
      if (parent == asked) return answer;
      asked = parent;
      answer = false;
      for (auto k : children_of(parent))
        answer = answer || k.type() == pugi::node_element ||
                 (k.type() == pugi::node_pi && std::string_view{k.name()} == "fermata-kept");
      return answer;
    }
    pugi::xml_node asked;
    bool answer = false;
  } walker;
  doc.traverse(walker);
  auto enclosing = [](pugi::xml_node n, std::string_view name) {
    while (n && n.name() != name)
      n = n.parent();
    return n;
  };
  for (auto n : walker.found) {
    if (n.type() != pugi::node_pcdata)
      c.report.add(fate::dropped,
                   n.type() == pugi::node_comment ? "comment" : "processing-instruction",
                   enclosing(n, "part").attribute("id").value(),
                   enclosing(n, "measure").attribute("number").value());
    n.parent().remove_child(n);
  }
  tell_left_out(c, walker.comments, walker.instructions);
}

result<import_result> read_text(std::string_view text, std::string encoding_warning,
                                const std::string& origin, const read_limits& limits) {
  source_lines lines{text};
  if (auto nul = text.find('\0'); nul != std::string_view::npos) {
    auto place = lines.at(nul);
    return fail(error{errc::invalid_xml,
                      origin + ": line " + std::to_string(place.line) + ", column " +
                          std::to_string(place.column) + ": a zero byte, which XML cannot hold",
                      source_span{nul, nul + 1}});
  }
  pugi::xml_document doc;
  auto plain = !has_special_nodes(text);
  // Blanks beside a character data section or an instruction may be text.
  auto flags = plain ? xml_parse_flags()
                     : (xml_parse_flags() & ~pugi::parse_ws_pcdata_single) | pugi::parse_ws_pcdata |
                           pugi::parse_comments;
  auto parsed = doc.load_buffer(text.data(), text.size(), flags, pugi::encoding_utf8);
  if (!parsed) {
    auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    auto place = lines.at(offset);
    auto open = open_elements(doc);
    return fail(error{errc::invalid_xml,
                      origin + ": line " + std::to_string(place.line) + ", column " +
                          std::to_string(place.column) + ": " + parsed.description() +
                          (open.empty() ? "" : " (inside " + open + ")"),
                      source_span{offset, std::min(offset + 1, text.size())},
                      "the file may have been cut off or edited by hand"});
  }
  auto root = find_root(doc, origin);
  if (!root) return fail(std::move(root.error()));
  import_context c{lines, limits};
  c.plain_text = plain;
  if (!c.plain_text) {
    remove_foreign_nodes(c, doc);
  } else if (auto n = count_of(text.substr(0, text.find("<score-")), "<!--"); n > 0) {
    for (std::size_t i = 0; i < n; ++i)
      c.report.add(fate::dropped, "comment", {}, {});
    tell_left_out(c, n, 0);
  }
  if (!encoding_warning.empty())
    c.warnings.push_back(
        {errc::invalid_utf8, encoding_warning, std::nullopt, "save the file as UTF-8"});
  try {
    import_result out;
    out.score = read_score(c, *root);
    if (c.warnings_not_listed > 0)
      c.warnings.push_back({errc::invalid_musicxml,
                            "and " + std::to_string(c.warnings_not_listed) + " more warnings",
                            std::nullopt,
                            {}});
    out.warnings = std::move(c.warnings);
    out.report = std::move(c.report);
    return out;
  } catch (import_failure& f) {
    for (auto& d : f.what.diagnostics)
      d.message = origin + ": " + d.message;
    return fail(std::move(f.what));
  } catch (const rational_overflow&) {
    return fail(error{errc::number_too_large,
                      origin + ": " + (c.part.empty() ? "" : "part " + c.part + ", ") +
                          (c.measure.empty() ? "" : "measure " + c.measure + ": ") +
                          "durations add up to more than a 64-bit fraction can hold",
                      std::nullopt, "check <divisions> and <duration>"});
  }
}

}  // namespace

}  // namespace detail

result<import_result> read_xml(std::string_view bytes, std::string_view name,
                               const read_limits& limits) {
  auto document = as_utf8(bytes);
  if (!document) return fail(with_origin(std::move(document.error()), name));
  // The view must follow the converted text when the result was moved.
  auto text = document->converted.empty() ? document->text : std::string_view{document->converted};
  return detail::read_text(text, std::move(document->warning), origin_of(name), limits);
}

std::string origin_of(std::string_view name) {
  return name.empty() ? "MusicXML" : std::string{name};
}

error with_origin(error e, std::string_view name) {
  for (auto& d : e.diagnostics)
    d.message = origin_of(name) + ": " + d.message;
  return e;
}

}  // namespace fermata::io::musicxml
