#include "core/lang/evaluation/compiler.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"

namespace fermata::detail {

namespace {

/// `(add 9)` as a degree of a chord symbol. No option of words takes what the form `add` gives.
bool is_added_degree(const value& v) {
  auto list = v.as_list();
  return list != nullptr && list->items.size() > 1 && is_symbol(list->items[0], "add") &&
         list->items[1].as_list() == nullptr;
}

}  // namespace

node_ptr compiler::compile_form_call(const form& f, const form_spec& row) {
  if (auto direct = compile_direct(f, row)) return std::move(*direct);
  auto n = std::make_unique<call_form_node>(f.span, &row);
  bool good = true;
  if (row.name == "preview") {
    // What is previewed is called by the handler, which can then take back what it did.
    auto thunk = compile(as_thunk(f), f.span, false);
    good = thunk != nullptr;
    n->args.push_back({std::move(thunk), argument_form::computed, {}, f.span});
    return good ? node_ptr{std::move(n)} : nullptr;
  }
  n->args.reserve(f.size() - 1);
  for (std::size_t i = 1; i < f.size(); ++i) {
    const auto& v = f[i];
    call_form_node::arg a{nullptr, argument_form::computed, {}, f.at(i)};
    auto name = v.as_symbol();
    if (name != nullptr && (*name)[0] != '$' && *name != "%" && !is_lexical(*name)) {
      a.datum = v;
      a.form = argument_form::word;
      auto known = known_name(*name);
      if (known.special != nullptr) {
        a.form = argument_form::form_word;
        // What the binder refuses still needs a place.
        a.code = std::make_unique<constant_node>(f.at(i), v);
      } else {
        if (known.row != nullptr) a.form = argument_form::form_word;
        a.code = compile_symbol(*name, f.at(i), false);
      }
    } else if (name == nullptr && v.as_list() == nullptr) {
      if (v.as_keyword())
        a.form = argument_form::keyword;
      else if (v.as_pitch())
        a.form = argument_form::pitch;
      a.datum = v;
    } else if (is_literal_list(v) ||
               ((is_word_list(v) || is_added_degree(v)) && follows_spec_option(f, i, row))) {
      a.form = argument_form::literal_list;
      a.datum = v;
      a.code = std::make_unique<constant_node>(f.at(i), v);
    } else {
      a.code = compile(v, f.at(i), false);
      good = good && a.code;
    }
    n->args.push_back(std::move(a));
  }
  return good ? node_ptr{std::move(n)} : nullptr;
}

value compiler::as_thunk(const form& f) {
  std::vector<value> items{value::sym("fn"), value::list({}, true, {}, f.span)};
  std::vector<source_span> spans{f.at(0), f.at(0)};
  for (std::size_t i = 1; i < f.size(); ++i) {
    items.push_back(f[i]);
    spans.push_back(f.at(i));
  }
  return make_list(std::move(items), std::move(spans), f.span);
}

bool compiler::is_word_list(const value& v) {
  auto list = v.as_list();
  auto head = list != nullptr && !list->bracketed && !list->items.empty()
                  ? list->items[0].as_symbol()
                  : nullptr;
  if (head == nullptr || (*head)[0] == '$' || *head == "%" || is_lexical(*head) ||
      is_special_form(*head) || find_form(*head))
    return false;
  return state_.find_cell(*head) == nullptr;
}

bool compiler::follows_spec_option(const form& f, std::size_t i, const form_spec& row) {
  auto k = i > 1 ? f[i - 1].as_keyword() : nullptr;
  return k != nullptr && std::any_of(row.params.begin(), row.params.end(), [&](const param& p) {
           return p.kind == param_kind::option &&
                  (p.type == arg_type::spec || p.type == arg_type::xml) &&
                  (p.name == *k ||
                   std::find(p.aliases.begin(), p.aliases.end(), *k) != p.aliases.end());
         });
}

std::optional<node_ptr> compiler::compile_direct(const form& f, const form_spec& row) {
  using namespace std::string_view_literals;
  static const std::map<std::string_view, std::pair<op, number_op>> numbers{
      {"+"sv, {op::arithmetic, number_op::add}},
      {"-"sv, {op::arithmetic, number_op::subtract}},
      {"*"sv, {op::arithmetic, number_op::multiply}},
      {"<"sv, {op::compare, number_op::less}},
      {"<="sv, {op::compare, number_op::less_equal}},
      {">"sv, {op::compare, number_op::greater}},
      {">="sv, {op::compare, number_op::greater_equal}},
      {"="sv, {op::compare, number_op::equal}},
  };
  static const std::map<std::string_view, access_op> accesses{
      {"head"sv, access_op::head},
      {"tail"sv, access_op::tail},
      {"count"sv, access_op::count},
      {"empty?"sv, access_op::is_empty},
  };
  auto plain = [this](const value& v) {
    auto name = v.as_symbol();
    return !v.as_keyword() && !is_literal_list(v) && (name == nullptr || is_lexical(*name));
  };
  // An operand is compiled once only: with a second try for each level, a fault deep inside would
  // double the work with every level around it.
  if (f.size() == 2 && row.name == "not") {
    auto item = compile(f[1], f.at(1), false);
    return item ? std::make_unique<negate_node>(f.span, std::move(item)) : nullptr;
  }
  if (f.size() == 3 && plain(f[1]) && plain(f[2])) {
    auto found = numbers.find(row.name);
    if (found == numbers.end()) return std::nullopt;
    auto n = std::make_unique<number_node>(found->second.first, f.span, found->second.second, &row);
    n->left = compile(f[1], f.at(1), false);
    n->right = compile(f[2], f.at(2), false);
    return n->left && n->right ? node_ptr{std::move(n)} : nullptr;
  }
  if (f.size() == 2 && plain(f[1])) {
    auto found = accesses.find(row.name);
    if (found == accesses.end()) return std::nullopt;
    auto n = std::make_unique<list_access_node>(f.span, found->second, &row);
    n->list = compile(f[1], f.at(1), false);
    return n->list ? node_ptr{std::move(n)} : nullptr;
  }
  return std::nullopt;
}

node_ptr compiler::compile_macro_call(const form& f, const value& whole, const callable& macro,
                                      bool tail) {
  auto expansion = state_.expand_macro(macro, std::span{f.list.items}.subspan(1), f.span);
  if (!expansion) {
    for (auto& d : expansion.error().diagnostics)
      wrong(d.code, d.message, d.span.value_or(f.span), d.hint);
    return nullptr;
  }
  unit_->expansions[&f.list] = {*whole.get_if<list_ptr>(), *expansion};
  return compile(*expansion, f.span, tail);
}

}  // namespace fermata::detail
