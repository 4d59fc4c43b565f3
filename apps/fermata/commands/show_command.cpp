#include "apps/fermata/commands/commands.hpp"
#include "core/lang/reference/reference.hpp"
#include "core/lang/value/form_spec.hpp"

#include <boost/json.hpp>

#include <cstdio>

namespace fermata::app {

namespace {

namespace json = boost::json;

void print_line(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stdout);
}

json::object to_json(const reference_topic& topic) {
  json::array items;
  for (auto& i : topic.items) {
    json::object item{{"keyword", i.keyword}, {"description", i.description}};
    if (!i.example.empty()) item["example"] = i.example;
    if (!i.result.empty()) item["result"] = i.result;
    items.push_back(std::move(item));
  }
  return {{"name", topic.name}, {"items", std::move(items)}};
}

error no_such_topic(const std::string& wanted, const std::vector<std::string>& names) {
  std::vector<std::string_view> candidates{names.begin(), names.end()};
  auto forms = form_names();
  candidates.insert(candidates.end(), forms.begin(), forms.end());
  std::string all;
  for (auto& n : names)
    all += (all.empty() ? "" : " ") + n;
  auto near = nearest(wanted, candidates);
  return {errc::unknown_name, "unknown topic or form `" + wanted + "`", std::nullopt,
          near ? "did you mean `" + *near + "`? `fermata show` lists the topics"
               : "topics: " + all};
}

}  // namespace

int show_command(const show_options& o) {
  auto names = reference_topic_names();
  std::vector<reference_topic> topics;
  if (o.topic.empty()) {
    if (!o.json) {
      print_line("fermata show TOPIC, one of:");
      for (auto& n : names)
        print_line("  " + n);
      return exit_ok;
    }
    for (auto& n : names)
      topics.push_back(*find_reference_topic(n));
  } else if (auto topic = find_reference_topic(o.topic)) {
    topics.push_back(std::move(*topic));
  } else if (auto form = find_form(o.topic)) {
    // A form by name is what one asks for next; as JSON it is a topic of one item.
    if (!o.json) {
      print_line(form_help(*form));
      return exit_ok;
    }
    topics.push_back({form->name,
                      form->name,
                      {{usage(*form), form->doc, form->example, example_result(form->example)}}});
  } else {
    complain(no_such_topic(o.topic, names), {}, {});
    return exit_usage;
  }
  if (o.json) {
    json::array all;
    for (auto& t : topics)
      all.push_back(to_json(t));
    print_line(json::serialize(all));
  } else {
    for (auto& t : topics)
      print_line(reference_text(t));
  }
  return exit_ok;
}

}  // namespace fermata::app
