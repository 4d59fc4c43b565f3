#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/source_lines.hpp"
#include "core/score/merge/diff.hpp"
#include "io/files/files.hpp"
#include "io/formats/formats.hpp"

#include <boost/json.hpp>

#include <cstdio>

namespace fermata::app {

namespace {

namespace json = boost::json;

json::array to_json(const std::vector<text_change>& texts) {
  json::array out;
  for (auto& t : texts)
    out.push_back(json::object{{"what", t.what}, {"before", t.before}, {"after", t.after}});
  return out;
}

json::object to_json(const item_change& x) {
  json::array what;
  for (auto& w : x.what)
    what.push_back(json::string{w});
  return {{"kind", to_string(x.kind)}, {"voice", x.voice},   {"at", to_string(x.at.value)},
          {"beat", to_string(x.beat)}, {"before", x.before}, {"after", x.after},
          {"what", std::move(what)}};
}

json::object to_json(const measure_change& m) {
  json::array items;
  for (auto& x : m.items)
    items.push_back(to_json(x));
  return {{"kind", to_string(m.kind)}, {"number", m.number}, {"items", std::move(items)}};
}

json::object to_json(const score_diff& d) {
  json::array parts;
  for (auto& p : d.parts) {
    json::array measures;
    for (auto& m : p.measures)
      measures.push_back(to_json(m));
    parts.push_back(json::object{{"kind", to_string(p.kind)},
                                 {"id", p.id},
                                 {"name", p.name},
                                 {"texts", to_json(p.texts)},
                                 {"measures", std::move(measures)}});
  }
  return {{"equal", d.empty()},
          {"texts", to_json(d.texts)},
          {"reordered", d.parts_reordered},
          {"parts", std::move(parts)}};
}

/// Reads one side; says why not.
score_ptr loaded(const std::string& path) {
  auto format = io::format_of_path(path);
  if (!format) {
    complain(format.error(), {}, {});
    return nullptr;
  }
  auto bytes = io::read_file(path, (*format)->most_bytes);
  if (!bytes) {
    complain(bytes.error(), {}, {});
    return nullptr;
  }
  if (!(*format)->read) {
    complain({errc::unsupported_format, path + ": this format can only be written"}, {}, {});
    return nullptr;
  }
  auto read = (*format)->read(*bytes, path);
  if (!read) {
    complain(read.error(), source_lines(*bytes, **format), path);
    return nullptr;
  }
  return read->score;
}

}  // namespace

int diff_command(const diff_options& o) {
  auto left = loaded(o.left), right = loaded(o.right);
  if (!left || !right) return exit_usage;  // as diff(1): 2 is trouble, 1 a difference
  auto d = musical_diff(*left, *right);
  auto text = o.json ? json::serialize(to_json(d)) : to_text(d);
  if (text.empty() || text.back() != '\n') text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return exit_usage;  // trouble; `main` says so
  return d.empty() ? exit_ok : exit_failure;
}

}  // namespace fermata::app
