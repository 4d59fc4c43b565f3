#include "core/lang/value/value.hpp"

#include "core/lang/value/callable.hpp"
#include "core/lang/value/code.hpp"
#include "core/lang/value/music.hpp"
#include "core/memory_meter.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fermata {

namespace {

template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;

}  // namespace

// --- destruction ---------------------------------------------------------------------------------

namespace detail {

namespace {
// A list inside a list would be destroyed by recursion. Instead the outermost destructor empties a
// queue, and the destructors below it only put their items there.
thread_local std::vector<value>* pending = nullptr;

bool holds_values(const value& v) {
  return v.get_if<list_ptr>() != nullptr || v.get_if<callable_ptr>() != nullptr;
}
}  // namespace

void destroy_flat(std::vector<value>&& values) {
  if (std::none_of(values.begin(), values.end(), holds_values)) return;
  memory_meter::unstoppable until_done;  // the queue grows, and a destructor cannot fail
  if (pending != nullptr) {
    std::move(values.begin(), values.end(), std::back_inserter(*pending));
    return;
  }
  auto queue = std::move(values);
  pending = &queue;
  while (!queue.empty()) {
    auto last = std::move(queue.back());
    queue.pop_back();
    last = value{};
  }
  pending = nullptr;
}

}  // namespace detail

list_data::~list_data() { detail::destroy_flat(std::move(items)); }

// --- nesting and size ----------------------------------------------------------------------------

std::uint32_t nesting(const value& v) {
  if (auto list = v.as_list()) return list->depth;
  auto c = v.get_if<callable_ptr>();
  return c != nullptr ? (*c)->depth : 0;
}

std::uint64_t size_of(const value& v) {
  if (auto list = v.as_list()) return list->size;
  if (auto m = v.as_music()) return std::uint64_t{1} + m->weight;
  auto c = v.get_if<callable_ptr>();
  return c != nullptr ? (*c)->size : 1;
}

namespace {

std::uint32_t deepest_of(const std::vector<value>& values) {
  std::uint32_t deepest = 0;
  for (auto& v : values)
    deepest = std::max(deepest, nesting(v));
  return deepest;
}

std::uint64_t sum_of(const std::vector<value>& values) {
  constexpr auto most = std::uint64_t{1} << 62;  // more is not counted
  std::uint64_t sum = 1;
  for (auto& v : values)
    sum = std::min(most, sum + size_of(v));
  return sum;
}

}  // namespace

list_data::list_data(std::vector<value> all, bool square, std::vector<source_span> places,
                     source_span whole)
  : items(std::move(all)),
    spans(std::move(places)),
    span(whole),
    depth(1 + deepest_of(items)),
    size(sum_of(items)),
    bracketed(square) {}

// --- construction and access ---------------------------------------------------------------------

value value::string(std::string s) {
  return storage{std::make_shared<const std::string>(std::move(s))};
}
value value::sym(std::string name) {
  return storage{std::make_shared<const symbol>(symbol{std::move(name)})};
}
value value::kw(std::string name) {
  return storage{std::make_shared<const keyword>(keyword{std::move(name)})};
}
value value::list(std::vector<value> items, bool bracketed, std::vector<source_span> spans,
                  source_span span) {
  return storage{list_ptr{
      std::make_shared<const list_data>(std::move(items), bracketed, std::move(spans), span)}};
}
value value::of(std::shared_ptr<callable> c) {
  // As it is written down: the call `((fn [captured ...] (fn ...)) value ...)`.
  c->depth = c->held.empty() ? 0 : 1 + deepest_of(c->held);
  if (c->code) c->depth = std::max(c->depth, 2 + c->code->depth);
  c->size = sum_of(c->held);
  return storage{callable_ptr{std::move(c)}};
}
value value::of(error e) {
  return storage{std::make_shared<const error_value>(error_value{std::move(e)})};
}

bool value::is_true() const {
  if (auto b = get_if<bool>()) return *b;
  return !is_nil();
}
const std::string* value::as_string() const {
  auto p = get_if<std::shared_ptr<const std::string>>();
  return p != nullptr ? p->get() : nullptr;
}
const std::string* value::as_symbol() const {
  auto p = get_if<std::shared_ptr<const symbol>>();
  return p != nullptr ? &(*p)->name : nullptr;
}
const std::string* value::as_keyword() const {
  auto p = get_if<std::shared_ptr<const keyword>>();
  return p != nullptr ? &(*p)->name : nullptr;
}
const list_data* value::as_list() const {
  auto p = get_if<list_ptr>();
  return p != nullptr ? p->get() : nullptr;
}
const music* value::as_music() const {
  auto p = get_if<music_ptr>();
  return p != nullptr ? p->get() : nullptr;
}

// --- equality ------------------------------------------------------------------------------------

namespace {

/// Equality of two values that are not lists.
bool equal_leaves(const value& a, const value& b) {
  if (a.data().index() != b.data().index()) return false;
  auto same = [&b](const auto& x) { return x == *b.get_if<std::decay_t<decltype(x)>>(); };
  auto same_target = [&b](const auto& x) {
    const auto& y = *b.get_if<std::decay_t<decltype(x)>>();
    return x == y || (x && y && *x == *y);
  };
  return std::visit(overloaded{
                        [](nil_value) { return true; },
                        [&](bool x) { return same(x); },
                        [&](rational x) { return same(x); },
                        [&](double x) { return same(x); },
                        [&](const std::shared_ptr<const std::string>& x) { return same_target(x); },
                        [&](const std::shared_ptr<const symbol>& x) { return same_target(x); },
                        [&](const std::shared_ptr<const keyword>& x) { return same_target(x); },
                        [](const list_ptr&) { return false; },
                        [&](pitch x) { return same(x); },
                        [&](interval x) { return same(x); },
                        [&](note_value x) { return same(x); },
                        [&](const music_ptr& x) { return same_target(x); },
                        [&](const callable_ptr& x) { return same(x); },
                        [&](const std::shared_ptr<const error_value>& x) { return same_target(x); },
                    },
                    a.data());
}

}  // namespace

std::optional<bool> equal_within(const value& a, const value& b, std::size_t steps) {
  std::vector<std::pair<const value*, const value*>> todo{{&a, &b}};
  while (!todo.empty()) {
    if (steps-- == 0) return std::nullopt;
    auto [x, y] = todo.back();
    todo.pop_back();
    auto xs = x->as_list();
    auto ys = y->as_list();
    if (xs == nullptr || ys == nullptr) {
      if (!equal_leaves(*x, *y)) return false;
    } else if (xs != ys) {
      if (xs->items.size() != ys->items.size()) return false;
      for (std::size_t i = xs->items.size(); i-- > 0;)
        todo.emplace_back(&xs->items[i], &ys->items[i]);
    }
  }
  return true;
}

bool operator==(const value& a, const value& b) {
  return *equal_within(a, b, static_cast<std::size_t>(-1));
}

// --- names of kinds ------------------------------------------------------------------------------

namespace {

std::string_view kind_of(const measure_content& content) {
  return std::visit(overloaded{
                        [](const chord_rest& x) -> std::string_view {
                          if (x.grace) return "grace";
                          if (is_rest(x)) return "rest";
                          return x.notes.size() > 1 ? "chord" : "note";
                        },
                        [](const direction&) -> std::string_view { return "mark"; },
                        [](const attributes& x) -> std::string_view {
                          auto n = x.keys.size() + x.times.size() + x.clefs.size();
                          if (n == 1)
                            return !x.keys.empty() ? "key" : !x.times.empty() ? "time" : "clef";
                          return "attributes";
                        },
                        [](const harmony&) -> std::string_view { return "harmony"; },
                        [](const figured_bass&) -> std::string_view { return "figured-bass"; },
                        [](const barline&) -> std::string_view { return "barline"; },
                        [](const sound&) -> std::string_view { return "sound"; },
                        [](const print_layout&) -> std::string_view { return "layout"; },
                        [](const fragment&) -> std::string_view { return "xml"; },
                    },
                    content);
}

std::string_view kind_of(const music& m) {
  return std::visit(overloaded{
                        [](const measure_content& x) { return kind_of(x); },
                        [](const seq_music&) -> std::string_view { return "seq"; },
                        [](const par_music&) -> std::string_view { return "par"; },
                        [](const tuplet_music&) -> std::string_view { return "tuplet"; },
                        [](const grace_music&) -> std::string_view { return "grace"; },
                        [](const voice_music&) -> std::string_view { return "voice"; },
                        [](const staff_music&) -> std::string_view { return "staff"; },
                        [](const skip_music&) -> std::string_view { return "skip"; },
                        [](const bar_check_music&) -> std::string_view { return "bar"; },
                        [](const lyrics_music&) -> std::string_view { return "lyrics"; },
                        [](const measure_music&) -> std::string_view { return "measure"; },
                        [](const repeat_music&) -> std::string_view { return "repeat"; },
                        [](const ending_music&) -> std::string_view { return "ending"; },
                        [](const part_music&) -> std::string_view { return "part"; },
                        [](const part_group_music&) -> std::string_view { return "group"; },
                        [](const score_music&) -> std::string_view { return "score"; },
                    },
                    m.data);
}

}  // namespace

std::string_view type_name(const value& v) {
  return std::visit(
      overloaded{
          [](nil_value) -> std::string_view { return "nil"; },
          [](bool) -> std::string_view { return "boolean"; },
          [](rational) -> std::string_view { return "number"; },
          [](double) -> std::string_view { return "real"; },
          [](const std::shared_ptr<const std::string>&) -> std::string_view { return "string"; },
          [](const std::shared_ptr<const symbol>&) -> std::string_view { return "symbol"; },
          [](const std::shared_ptr<const keyword>&) -> std::string_view { return "keyword"; },
          [](const list_ptr&) -> std::string_view { return "list"; },
          [](pitch) -> std::string_view { return "pitch"; },
          [](interval) -> std::string_view { return "interval"; },
          [](note_value) -> std::string_view { return "duration"; },
          [](const music_ptr& m) -> std::string_view { return kind_of(*m); },
          [](const callable_ptr& c) -> std::string_view {
            return c->what == callable::kind::macro ? "macro" : "function";
          },
          [](const std::shared_ptr<const error_value>&) -> std::string_view { return "error"; },
      },
      v.data());
}

// --- printing ------------------------------------------------------------------------------------

namespace {

void print_string(std::string& out, std::string_view s) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < s.size(); ++i)
    switch (char c = s[i]) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        auto u = static_cast<unsigned char>(c);
        auto next =
            i + 1 < s.size() ? static_cast<unsigned char>(s[i + 1]) : static_cast<unsigned char>(0);
        // U+0080 to U+009F are controls too.
        const bool c1 = u == 0xc2 && next >= 0x80 && next < 0xa0;
        if (c1) {
          u = next;
          ++i;
        }
        if (c1 || u < 0x20 || u == 0x7f) {
          out += "\\u00";
          out += hex[u >> 4];
          out += hex[u & 15];
        } else {
          out += c;
        }
    }
  out += '"';
}

std::string print_real(double d) {
  char buffer[32];
  auto end = std::to_chars(std::begin(buffer), std::end(buffer), d).ptr;
  std::string s{std::begin(buffer), end};
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s;
}

std::string print_function(const callable& c) {
  std::string s = c.what == callable::kind::macro ? "<macro" : "<function";
  if (!c.name.empty()) s += " " + c.name;
  return s + ">";
}

/// The reader's abbreviation of `(quote x)` and its kin.
std::string_view abbreviation(const list_data& list) {
  if (list.bracketed || list.items.size() != 2 || list.items.front().as_symbol() == nullptr)
    return {};
  const auto& head = *list.items.front().as_symbol();
  if (head == "quote") return "'";
  if (head == "quasiquote") return "`";
  if (head == "unquote") {
    // `,@x` would read as something else.
    auto name = list.items[1].as_symbol();
    return name != nullptr && name->starts_with('@') ? "" : ",";
  }
  if (head == "unquote-splicing") return ",@";
  return {};
}

void print_leaf(std::string& out, const value& v) {
  std::visit(overloaded{
                 [&](nil_value) { out += "nil"; },
                 [&](bool x) { out += x ? "true" : "false"; },
                 [&](rational x) { out += to_string(x); },
                 [&](double x) { out += print_real(x); },
                 [&](const std::shared_ptr<const std::string>& x) { print_string(out, *x); },
                 [&](const std::shared_ptr<const symbol>& x) { out += x->name; },
                 [&](const std::shared_ptr<const keyword>& x) { out += ":" + x->name; },
                 [](const list_ptr&) {},
                 [&](pitch x) { out += to_string(x); },
                 [&](interval x) { out += to_string(x); },
                 [&](note_value x) { out += ":" + to_string(x); },
                 [&](const music_ptr& x) { out += print(*x); },
                 [&](const callable_ptr& x) { out += print_function(*x); },
                 [&](const std::shared_ptr<const error_value>& x) {
                   const auto& d = x->what.first();
                   out += "<error ";
                   out += info(d.code).name;
                   out += ": " + d.message + ">";
                 },
             },
             v.data());
}

}  // namespace

std::optional<std::string> print_within(const value& v, std::size_t bytes) {
  struct piece {
    const value* what;  // null: only the text
    std::string_view text;
  };
  std::string out;
  std::vector<piece> todo{{&v, {}}};
  while (!todo.empty()) {
    auto [what, text] = todo.back();
    todo.pop_back();
    out += text;
    if (what == nullptr) continue;
    auto list = what->as_list();
    if (list == nullptr) {
      print_leaf(out, *what);
    } else if (auto prefix = abbreviation(*list); !prefix.empty()) {
      out += prefix;
      todo.push_back({&list->items[1], {}});
    } else {
      out += list->bracketed ? '[' : '(';
      todo.push_back({nullptr, list->bracketed ? "]" : ")"});
      for (std::size_t i = list->items.size(); i-- > 0;)
        todo.push_back({&list->items[i], i > 0 ? " " : ""});
    }
    if (out.size() > bytes) return std::nullopt;
  }
  if (out.size() > bytes) return std::nullopt;
  return out;
}

std::string print(const value& v) { return *print_within(v, static_cast<std::size_t>(-1)); }

}  // namespace fermata
