// Programs made from the form table, and raw text: an evaluation with a small budget ends, with
// values that print or errors that say something.
#include "core/lang/evaluation/environment_io.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/value/form_spec.hpp"

#include <cstdint>
#include <cstdlib>

using namespace fermata;

namespace {
void must(bool holds) {
  if (!holds) std::abort();
}

/// Writes forms whose heads and options are those of the table, as the bytes choose.
class writer {
public:
  writer(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}

  std::string program() {
    while (data_ < end_ && out_.size() < 2'000) {
      form(0);
      out_ += '\n';
    }
    return std::move(out_);
  }

private:
  std::size_t pick(std::size_t n) { return data_ < end_ ? *data_++ % n : 0; }

  void atom() {
    static constexpr const char* atoms[] = {
        "0",    "1",      "-3",      "2/3",       "6/8",        "0.5",     "9223372036854775807",
        "c4",   "bb3",    "f#5",     ":q",        ":8.",        "\"la\"",  "x",
        "y",    "nil",    "true",    "M3",        "-P5",        "3:2",     "q.",
        "c",    "up",     ":start",  "(4 4)",     "(c4 e4 g4)", "[]",      "[x]",
        "'(a)", "()",     "inc",     "+",         "%",          "$Out[1]", "I",
        "V7",   ":major", "c-major", "(fn [x] x)"};
    out_ += atoms[pick(std::size(atoms))];
  }

  void form(int depth) {
    auto& table = form_table();
    auto choice = (pick(256) << 8 | pick(256)) % table.size();
    auto& row = table[choice];
    out_ += "(" + row.name;
    for (auto& p : row.params) {
      auto skip = pick(4) == 0;
      if (skip || ((p.kind == param_kind::option || p.kind == param_kind::flag) && pick(3) != 0))
        continue;
      out_ += ' ';
      if (p.kind == param_kind::option || p.kind == param_kind::flag) out_ += ":" + p.name + " ";
      if (p.kind == param_kind::flag) continue;
      auto times = p.kind == param_kind::rest ? 1 + pick(3) : 1;
      for (std::size_t i = 0; i < times; ++i) {
        out_ += ' ';
        if (!p.choices.empty() && pick(2) == 0)
          out_ += ":" + p.choices[pick(p.choices.size())];
        else if (depth < 4 && pick(2) == 0)
          form(depth + 1);
        else
          atom();
      }
    }
    out_ += ")";
  }

  const std::uint8_t* data_;
  const std::uint8_t* end_;
  std::string out_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  evaluation_request r;
  r.text = data[0] % 2 == 0 ? writer{data + 1, size - 1}.program()
                            : std::string{reinterpret_cast<const char*>(data + 1), size - 1};
  r.score = std::make_shared<const score>();
  r.budget = {.steps = 20'000, .depth = 100, .elements = 20'000, .bytes = 200'000};
  auto e = evaluate(r);
  if (!e) {
    must(!e.error().diagnostics.empty());
    for (auto& d : e.error().diagnostics)
      must(!d.message.empty() &&
           (!d.span || (d.span->begin <= d.span->end && d.span->end <= r.text.size())));
    (void)render(e.error(), r.text);
    return 0;
  }
  for (auto& v : e->values)
    (void)print_within(v, 1'000'000);
  auto saved = save_bindings(*e->env);
  auto loaded = load_bindings(saved.bindings);
  must(loaded.failed.empty());
  return 0;
}
