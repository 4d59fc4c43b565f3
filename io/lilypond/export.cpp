#include "io/lilypond/export.hpp"

#include "io/lilypond/direction_lines.hpp"
#include "io/lilypond/figures.hpp"
#include "io/lilypond/global_voice.hpp"
#include "io/lilypond/score_plan.hpp"
#include "io/lilypond/syntax.hpp"
#include "io/lilypond/unwritten.hpp"
#include "io/lilypond/voice.hpp"

#include <algorithm>
#include <map>

namespace fermata::io::lilypond {

namespace {

std::string indented(const std::string& text, int depth) {
  std::string pad(static_cast<std::size_t>(depth) * 2, ' '), out;
  for (std::size_t i = 0; i < text.size();) {
    auto end = std::min(text.find('\n', i), text.size());
    if (end > i) out += pad + text.substr(i, end - i) + "\n";
    i = end + 1;
  }
  return out;
}

std::string block(const std::string& head, const std::string& body, int depth) {
  std::string pad(static_cast<std::size_t>(depth) * 2, ' ');
  return pad + head + (head.empty() ? "{\n" : " {\n") + indented(body, depth + 1) + pad + "}\n";
}

class document {
public:
  document(const score& s, const write_options& options, loss_list& losses)
    : score_(s), options_(options), plan_(make_plan(s, losses, options.beams_as_given)) {}

  std::string text() {
    out_ = "\\version \"2.24.0\"\n\n";
    header();
    out_ += "\\score {\n  <<\n";
    part_list();
    out_ += "  >>\n  \\layout {\n";
    if (plan_.polymetric)
      out_ += "    \\context { \\Score \\remove \"Timing_translator\" \\remove "
              "\"Default_bar_line_engraver\" }\n"
              "    \\context { \\Staff \\consists \"Timing_translator\" }\n";
    out_ += "  }\n";
    if (options_.midi)
      out_ += plan_.polymetric ? "  \\midi {\n    \\context { \\Score \\remove "
                                 "\"Timing_translator\" }\n    \\context { \\Staff \\consists "
                                 "\"Timing_translator\" }\n  }\n"
                               : "  \\midi { }\n";
    out_ += "}\n";
    count_unwritten(plan_);
    return out_;
  }

private:
  void header() {
    auto& h = score_.header;
    std::string body;
    auto field = [&](const char* name, const std::string& value) {
      if (!value.empty()) body += std::string{name} + " = " + quoted(value) + "\n";
    };
    auto title = h.work_title.empty() ? h.movement_title : h.work_title;
    field("title", title);
    if (!h.work_title.empty() && h.movement_title != title) field("subtitle", h.movement_title);
    field("opus", h.work_number);
    std::map<std::string, std::string> makers;  // by field
    for (auto& c : h.creators)
      if (auto name = header_maker(c.type)) {
        auto& names = makers[std::string{*name}];
        names += (names.empty() ? "" : ", ") + c.text;
      }
    for (auto& [name, names] : makers)
      field(name.c_str(), names);
    std::string rights;
    for (auto& r : h.rights)
      rights += (rights.empty() ? "" : " ") + r.text;
    field("copyright", rights);
    body += "tagline = ##f\n";
    out_ += block("\\header", body, 0) + "\n";
  }

  // --- parts and groups ---

  struct group_context {
    const char *symbol, *context;
  };

  static std::string context_of(const part_group& g) {
    bool joined = g.barline != "no" && g.barline != "Mensurstrich";
    if (g.symbol == "brace")
      return joined ? "GrandStaff"
                    : "ChoirStaff \\with { systemStartDelimiter = "
                      "#'SystemStartBrace }";
    auto context = std::string{joined ? "StaffGroup" : "ChoirStaff"};
    if (g.symbol == "square" || g.symbol == "line")
      return context + " \\with { systemStartDelimiter = #'SystemStartSquare }";
    if (g.symbol == "none" || g.symbol.empty())
      return context + " \\with { systemStartDelimiter = #'SystemStartBar }";
    return context;
  }

  /// Groups that nest; one that crosses another's end ends there with it.
  void part_list() {
    std::vector<std::string> open;  // numbers
    int depth = 2;
    auto pad = [&] { return std::string(static_cast<std::size_t>(depth) * 2, ' '); };
    auto close = [&] {
      --depth;
      out_ += pad() + ">>\n";
      open.pop_back();
    };
    for (auto& entry : score_.part_list) {
      if (auto* index = std::get_if<std::size_t>(&entry)) {
        if (*index < plan_.parts.size()) write_part(plan_.parts[*index], depth);
        continue;
      }
      auto& g = std::get<part_group>(entry);
      if (g.type == "start") {
        out_ += pad() + "\\new " + context_of(g);
        if (!g.name.empty()) out_ += " \\with { instrumentName = " + quoted(g.name) + " }";
        out_ += " <<\n";
        open.push_back(g.number);
        ++depth;
      } else if (auto at = std::find(open.rbegin(), open.rend(), g.number); at != open.rend()) {
        bool crosses = at != open.rbegin();
        if (crosses) plan_.losses.add("part groups that overlap", 0, 0);
        for (auto n = at - open.rbegin(); n >= 0; --n)
          close();
      }
    }
    while (!open.empty())
      close();
  }

  void write_part(const part_plan& p, int depth) {
    auto& source = *score_.parts[p.index];
    auto pad = [&](int d) { return std::string(static_cast<std::size_t>(d) * 2, ' '); };
    auto names = " instrumentName = " + quoted(source.name);
    if (!source.abbreviation.empty())
      names += " shortInstrumentName = " + quoted(source.abbreviation);
    if (options_.midi)
      if (auto instrument = midi_name(source); !instrument.empty())
        names += " midiInstrument = " + quoted(instrument);
    if (auto chords = write_chord_names(plan_, p); !chords.empty())
      out_ += block("\\new ChordNames \\chordmode", chords, depth);
    bool several = p.staves > 1;
    if (several) {
      out_ += pad(depth) + "\\new PianoStaff" + with(names) + " <<\n";
      ++depth;
    }
    for (int staff = 1; staff <= p.staves; ++staff) {
      auto kind = p.kind(staff);
      std::string ties = p.ties_between_voices ? " \\consists Tie_engraver" : "";
      out_ += pad(depth) + "\\new " + staff_context(kind) + " = " + quoted(p.staff_id(staff)) +
              with((several ? "" : names) + staff_settings(source, staff, kind) +
                   pedals(p.lines.first_pedal_style(staff)) + ties) +
              " <<\n";
      bool first = !first_staff_written_;
      first_staff_written_ = true;
      out_ += block("", write_global_voice(plan_, p, staff, first), depth + 1);
      if (first) out_ += block("", write_score_marks(plan_), depth + 1);
      for (int line = 1; line <= direction_lines(plan_, p, staff); ++line)
        if (auto text = write_directions(plan_, p, staff, line); !text.empty())
          out_ += block("\\new " + voice_context(kind), text, depth + 1);
      for (auto& v : p.voices)
        if (v.home == staff)
          out_ += block("\\new " + voice_context(kind) + " = " + quoted(v.id) +
                            (ties.empty() ? "" : " \\with { \\remove Tie_engraver }") +
                            (kind == staff_kind::drums ? " \\drummode" : ""),
                        write_voice(plan_, p, v), depth + 1);
      out_ += pad(depth) + ">>\n";
      for (auto& v : p.voices)
        if (v.home == staff)
          for (auto& verse : v.verses)
            out_ += block("\\new Lyrics \\lyricsto " + quoted(v.id),
                          write_verse(plan_, p, v, verse), depth);
    }
    if (several) out_ += pad(--depth) + ">>\n";
    if (auto figures = write_figured_bass(plan_, p); !figures.empty())
      out_ += block("\\new FiguredBass \\figuremode", figures, depth);
  }

  static std::string pedals(const std::string& style) {
    if (style.empty() || style == "text") return "";
    return " pedalSustainStyle = #'" + style + " pedalSostenutoStyle = #'" + style;
  }

  static std::string with(const std::string& settings) {
    return settings.empty() ? "" : " \\with {" + settings + " }";
  }

  /// LilyPond names General MIDI programs in words; only a few are needed to tell parts apart.
  static std::string midi_name(const part& p) {
    struct row {
      int program;
      const char* name;
    };
    static constexpr row rows[] = {
        {1, "acoustic grand"},
        {7, "harpsichord"},
        {20, "church organ"},
        {25, "acoustic guitar (nylon)"},
        {41, "violin"},
        {42, "viola"},
        {43, "cello"},
        {44, "contrabass"},
        {47, "orchestral harp"},
        {53, "choir aahs"},
        {57, "trumpet"},
        {58, "trombone"},
        {59, "tuba"},
        {61, "french horn"},
        {69, "oboe"},
        {71, "bassoon"},
        {72, "clarinet"},
        {74, "flute"},
    };
    if (!p.instruments.empty() && p.instruments.front().midi_program)
      for (auto& r : rows)
        if (r.program == *p.instruments.front().midi_program) return r.name;
    return {};
  }

  const score& score_;
  const write_options& options_;
  score_plan plan_;
  std::string out_;
  bool first_staff_written_ = false;
};

}  // namespace

std::string write(const score& s, const write_options& options, std::vector<diagnostic>* losses) {
  loss_list list{s};
  auto text = document{s, options, list}.text();
  if (losses) *losses = list.take();
  return text;
}

}  // namespace fermata::io::lilypond
