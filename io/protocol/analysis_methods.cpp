// What the theory says about the score: computed, so that nobody has to guess.

#include "core/score/model/measure_names.hpp"
#include "core/score/model/wording.hpp"
#include "core/theory/harmonic_analysis.hpp"
#include "core/theory/key_finding.hpp"
#include "core/theory/score_notes.hpp"
#include "core/theory/voice_leading.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/excerpt.hpp"
#include "io/protocol/method.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view subjects[] = {"key", "chords", "cadences", "voice_leading"};

/// Rows in one result: with the longest chord names well below 20,000 characters.
constexpr std::size_t most_rows = 120;

constexpr field analyze_params[] = {
    session_param,
    {.name = "part",
     .doc = "id, name, instrument or number from 1; default: all",
     .max = 200,
     .plain = true},
    {.name = "from",
     .type = json_type::integer,
     .doc = "position of the first measure, from 1",
     .min = 1,
     .plain = true},
    {.name = "to",
     .type = json_type::integer,
     .doc = "position of the last measure, inclusive",
     .min = 1,
     .plain = true},
    {.name = "what",
     .type = json_type::array,
     .doc = "default: all",
     .choices = subjects,
     .max = 4,
     .items = json_type::string},
};

constexpr field measure_row{
    .name = "measure", .type = json_type::integer, .doc = "its position, from 1", .required = true};
constexpr field number_row{.name = "number", .doc = "its number, as printed", .required = true};
constexpr field quarters_row{
    .name = "quarters", .doc = "offset from the barline, a fraction", .required = true};
constexpr field key_row{.name = "key", .doc = "in force there", .required = true};

constexpr field key_rows[] = {
    {.name = "name", .doc = "most likely key of the whole passage", .required = true},
    {.name = "correlation", .type = json_type::number, .doc = "-1 to 1", .required = true},
    {.name = "next", .doc = "the next most likely", .required = true},
    {.name = "confidence",
     .type = json_type::number,
     .doc = "0: both fit equally; 1: certain",
     .required = true},
};
constexpr field chord_rows[] = {
    measure_row,
    number_row,
    quarters_row,
    {.name = "tones", .doc = "root first", .required = true},
    {.name = "bass", .doc = "lowest tone", .required = true},
    key_row,
    {.name = "numeral", .doc = "its function"},
};
constexpr field cadence_rows[] = {
    measure_row,
    number_row,
    quarters_row,
    {.name = "kind", .doc = "authentic, half, plagal, deceptive or phrygian", .required = true},
    {.name = "perfect",
     .type = json_type::boolean,
     .doc = "both chords in root position",
     .required = true},
    key_row,
};
constexpr field fault_rows[] = {
    measure_row,
    number_row,
    quarters_row,
    {.name = "fault", .doc = "such as parallel fifths", .required = true},
    {.name = "lower",
     .type = json_type::integer,
     .doc = "voice, counted from 1, the lowest",
     .required = true},
    {.name = "upper", .type = json_type::integer, .doc = "the other voice", .required = true},
};

constexpr field analyze_result[] = {
    session_result,
    revision_result,
    {.name = "from",
     .type = json_type::integer,
     .doc = "position of the first measure",
     .required = true},
    {.name = "to",
     .type = json_type::integer,
     .doc = "position of the last measure",
     .required = true},
    {.name = "key", .type = json_type::object, .doc = "of the whole passage", .members = key_rows},
    {.name = "chords", .type = json_type::array, .doc = "harmony", .members = chord_rows},
    {.name = "cadences", .type = json_type::array, .doc = "where it ends", .members = cadence_rows},
    {.name = "voice_leading",
     .type = json_type::array,
     .doc = "faults between voices",
     .members = fault_rows},
    {.name = "next_from",
     .type = json_type::integer,
     .doc = "result was cut: call again with this as `from`"},
};

/// Where times of an excerpt lie in the score `whole`.
class places {
public:
  places(const unfolded_time& time, const score& whole, std::size_t first)
    : time_(time), whole_(whole), first_(first) {}

  json::object row(quarters t) const {
    const auto measure = time_.order[entry(t)].measure + first_;
    return {{"measure", static_cast<std::int64_t>(measure + 1)},
            {"number", printed_number(whole_, measure)},
            {"quarters", to_string(t.value - time_.starts[entry(t)].value)}};
  }

private:
  std::size_t entry(quarters t) const {
    const auto after = std::upper_bound(time_.starts.begin(), time_.starts.end() - 1, t);
    return after == time_.starts.begin()
               ? 0
               : static_cast<std::size_t>(after - time_.starts.begin()) - 1;
  }

  const unfolded_time& time_;
  const score& whole_;
  std::size_t first_;
};

double two_places(double x) { return std::round(x * 100) / 100; }

std::string words(const std::vector<pitch_name>& tones) {
  std::string out;
  for (const auto& t : tones)
    out += (out.empty() ? "" : " ") + to_string(t);
  return out;
}

/// Rows as far as there is room; `next_from` says where they stopped.
class rows_of {
public:
  rows_of(json::object& out, std::size_t& room, std::int64_t first)
    : out_(out), room_(room), first_(first) {}

  /// False: no room is left, and the row was not taken.
  bool add(json::array& to, json::object row) {
    if (room_ == 0) {
      const auto at = row.at("measure").get_int64();
      const auto* before = out_.if_contains("next_from");
      // A measure that fills a result alone is not asked for again and again.
      const auto next = std::max(at, first_ + 1);
      if (!before || before->get_int64() > next) out_["next_from"] = next;
      return false;
    }
    --room_;
    to.push_back(std::move(row));
    return true;
  }

private:
  json::object& out_;
  std::size_t& room_;
  std::int64_t first_;
};

/// Why an excerpt cannot be analysed; nothing: it can.
std::optional<fault> refusal_of_analysis(const score& excerpt) {
  const auto found = first_microtone(excerpt);
  if (!found) return std::nullopt;
  return fault{fault_code::failed,
               to_string(found->pitch) + " in " + place_name(excerpt, found->part, found->measure) +
                   " is not one of the twelve pitch classes; analysis works in semitones",
               "choose parts or measures without quarter tones"};
}

void add_key(json::object& out, const std::vector<timed_note>& notes) {
  if (auto found = find_key(notes))
    out["key"] = {{"name", to_string(found->best.key)},
                  {"correlation", two_places(found->best.correlation)},
                  {"next", to_string(found->runner_up.key)},
                  {"confidence", two_places(found->confidence)}};
}

json::array voice_leading_list(const std::vector<timed_voice>& voices, const places& at,
                               rows_of& rows) {
  json::array list;
  const auto moments = voice_moments(voices);
  voice_leading_rules rules;
  rules.ranges = ranges_of(voices);
  for (const auto& f : voice_leading_faults(moments, rules)) {
    auto row = at.row(moments[f.moment].at);
    row["fault"] = to_string(f.kind);
    row["lower"] = f.lower_voice + 1;
    row["upper"] = f.upper_voice + 1;
    if (!rows.add(list, std::move(row))) break;
  }
  return list;
}

json::array cadence_list(const std::vector<analysed_chord>& chords, const places& at,
                         rows_of& rows) {
  json::array list;
  for (const auto& c : cadences_in(chords)) {
    auto row = at.row(chords[c.chord].chord.span.begin);
    row["kind"] = to_string(c.kind);
    row["perfect"] = c.perfect;
    row["key"] = to_string(chords[c.chord].key);
    if (!rows.add(list, std::move(row))) break;
  }
  return list;
}

json::array chord_list(const std::vector<analysed_chord>& chords, const places& at, rows_of& rows) {
  json::array list;
  for (const auto& c : chords) {
    auto row = at.row(c.chord.span.begin);
    row["tones"] = words(c.chord.tones);
    row["bass"] = to_string(c.chord.bass);
    row["key"] = to_string(c.key);
    if (c.numeral) row["numeral"] = to_string(*c.numeral);
    if (!rows.add(list, std::move(row))) break;
  }
  return list;
}

answer<json::object> analyze(const query& q, const arguments& args) {
  const auto& whole = *q.session->score;
  auto range = excerpt_of(whole, args);
  if (!range) return refuse(std::move(range.error()));
  json::object out{{"session", q.session->meta.slug},
                   {"revision", q.session->revision},
                   {"from", range->first + 1},
                   {"to", range->last}};
  if (range->first >= range->last)
    return refuse({fault_code::not_found, "the score has no measures yet",
                   "write some first, or try an expression with eval_preview"});
  const auto excerpt = make_excerpt(whole, *range);
  if (auto refusal = refusal_of_analysis(excerpt)) return refuse(std::move(*refusal));
  const auto time = unfolded(excerpt);
  if (!time)
    return refuse({fault_code::failed, time.error().first().message,
                   "fix the repeats of the score, or ask for fewer measures"});
  const auto notes = timed_notes(excerpt, *time);
  const places at{*time, whole, range->first};
  const auto wanted = args.texts("what");
  auto asked = [&](std::string_view subject) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), subject) != wanted.end();
  };

  if (asked("key")) add_key(out, notes);
  // Chords take what the others leave: they are the many.
  auto room = most_rows;
  rows_of rows{out, room, static_cast<std::int64_t>(range->first) + 1};
  if (asked("voice_leading"))
    out["voice_leading"] = voice_leading_list(timed_voices(excerpt, *time), at, rows);
  if (!asked("chords") && !asked("cadences")) return out;
  const auto chords = roman_numerals(notes);
  if (asked("cadences")) out["cadences"] = cadence_list(chords, at, rows);
  if (asked("chords")) out["chords"] = chord_list(chords, at, rows);
  return out;
}

constexpr method analysis_rows[] = {
    {.name = "analyze",
     .title = "Analyse the score",
     .doc = "Computes key, chords with roman numerals, cadences and voice-leading faults.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session,
     .heavy = true,
     .params = analyze_params,
     .result = analyze_result,
     .handler = query_handler{analyze}},
};

}  // namespace

std::span<const method> analysis_methods() { return analysis_rows; }

}  // namespace fermata::io::protocol
