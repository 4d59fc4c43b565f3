#pragma once

#include "core/score/model/cursor.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/score.hpp"
#include "io/json/fields.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <tuple>

// The tables of everything in a score, for the journal. A member that is added to a type of the
// score is added here; a test compares whole scores after writing and reading them.

namespace fermata::io {

// --- values with a spelling of their own ---------------------------------------------------------

#define FERMATA_JSON_CODEC(type)                            \
  template <>                                               \
  struct json_codec<type> {                                 \
    static boost::json::value write(const type& x);         \
    static bool read(const boost::json::value& v, type& x); \
  }
FERMATA_JSON_CODEC(rational);          // 3 or "3/2"
FERMATA_JSON_CODEC(quarters);          // likewise
FERMATA_JSON_CODEC(measure_position);  // likewise
FERMATA_JSON_CODEC(double);            // finite
FERMATA_JSON_CODEC(note_value);        // "q."
FERMATA_JSON_CODEC(pitch);             // "c#4"
FERMATA_JSON_CODEC(step);              // "c"
FERMATA_JSON_CODEC(pitch_name);        // {"letter", "cents"}
FERMATA_JSON_CODEC(mode);              // "major"
FERMATA_JSON_CODEC(key_octave);        // [1, 4] or [1, 4, "yes"]
FERMATA_JSON_CODEC(mark_kind);         // "articulation/staccato"
FERMATA_JSON_CODEC(spanner_kind);      // "slur"
FERMATA_JSON_CODEC(span_end);          // "start"
FERMATA_JSON_CODEC(fragment);          // the XML text
FERMATA_JSON_CODEC(measure_ptr);       // the measure
FERMATA_JSON_CODEC(part_ptr);          // the part
#undef FERMATA_JSON_CODEC

// --- tables --------------------------------------------------------------------------------------

#define FERMATA_F(type, member) \
  json_field { #member, &type::member }

template <>
inline constexpr auto fields_of<preserved_xml> =
    std::tuple{FERMATA_F(preserved_xml, attributes), FERMATA_F(preserved_xml, children)};

template <>
inline constexpr auto fields_of<clef> =
    std::tuple{FERMATA_F(clef, sign), FERMATA_F(clef, line), FERMATA_F(clef, octave_change)};

template <>
inline constexpr auto fields_of<key_alteration> =
    std::tuple{FERMATA_F(key_alteration, name), FERMATA_F(key_alteration, accidental),
               FERMATA_F(key_alteration, octave), FERMATA_F(key_alteration, smufl)};

template <>
inline constexpr auto fields_of<key_signature> =
    std::tuple{FERMATA_F(key_signature, fifths),          FERMATA_F(key_signature, mode),
               FERMATA_F(key_signature, other_mode),      FERMATA_F(key_signature, cancel),
               FERMATA_F(key_signature, cancel_location), FERMATA_F(key_signature, alterations),
               FERMATA_F(key_signature, key_octaves)};

template <>
inline constexpr auto fields_of<time_signature::fraction> = std::tuple{
    FERMATA_F(time_signature::fraction, beats), FERMATA_F(time_signature::fraction, beat_type)};
template <>
inline constexpr auto fields_of<time_signature> =
    std::tuple{FERMATA_F(time_signature, fractions), FERMATA_F(time_signature, symbol),
               FERMATA_F(time_signature, senza_text)};

template <>
inline constexpr auto fields_of<unpitched> =
    std::tuple{FERMATA_F(unpitched, display_step), FERMATA_F(unpitched, display_octave)};
template <>
inline constexpr auto fields_of<rest> = std::tuple{
    FERMATA_F(rest, whole_measure), FERMATA_F(rest, display_step), FERMATA_F(rest, display_octave)};
template <>
inline constexpr auto alternatives_of<tone> =
    std::array<std::string_view, 3>{"pitch", "unpitched", "rest"};

template <>
inline constexpr auto fields_of<displayed_accidental> =
    std::tuple{FERMATA_F(displayed_accidental, value), FERMATA_F(displayed_accidental, extra)};
template <>
inline constexpr auto fields_of<tie_ends> =
    std::tuple{FERMATA_F(tie_ends, start), FERMATA_F(tie_ends, stop)};
template <>
inline constexpr auto fields_of<beam> =
    std::tuple{FERMATA_F(beam, number), FERMATA_F(beam, value), FERMATA_F(beam, extra)};
template <>
inline constexpr auto fields_of<lyric_syllable> =
    std::tuple{FERMATA_F(lyric_syllable, elision), FERMATA_F(lyric_syllable, syllabic),
               FERMATA_F(lyric_syllable, text), FERMATA_F(lyric_syllable, extra)};
template <>
inline constexpr auto fields_of<lyric> =
    std::tuple{FERMATA_F(lyric, number),        FERMATA_F(lyric, syllables),
               FERMATA_F(lyric, extend),        FERMATA_F(lyric, humming),
               FERMATA_F(lyric, laughing),      FERMATA_F(lyric, end_line),
               FERMATA_F(lyric, end_paragraph), FERMATA_F(lyric, extra)};
template <>
inline constexpr auto fields_of<notehead> =
    std::tuple{FERMATA_F(notehead, value), FERMATA_F(notehead, filled),
               FERMATA_F(notehead, parentheses), FERMATA_F(notehead, extra)};
template <>
inline constexpr auto fields_of<mark> =
    std::tuple{FERMATA_F(mark, kind), FERMATA_F(mark, text), FERMATA_F(mark, extra)};
template <>
inline constexpr auto fields_of<spanner> =
    std::tuple{FERMATA_F(spanner, kind), FERMATA_F(spanner, end), FERMATA_F(spanner, number),
               FERMATA_F(spanner, text), FERMATA_F(spanner, extra)};
template <>
inline constexpr auto fields_of<chord_difference> =
    std::tuple{FERMATA_F(chord_difference, length), FERMATA_F(chord_difference, written),
               FERMATA_F(chord_difference, without_written), FERMATA_F(chord_difference, voice),
               FERMATA_F(chord_difference, staff)};
template <>
inline constexpr auto fields_of<note> =
    std::tuple{FERMATA_F(note, tone),       FERMATA_F(note, tie),      FERMATA_F(note, accidental),
               FERMATA_F(note, marks),      FERMATA_F(note, spanners), FERMATA_F(note, lyrics),
               FERMATA_F(note, beams),      FERMATA_F(note, stem),     FERMATA_F(note, notehead),
               FERMATA_F(note, instrument), FERMATA_F(note, differs),  FERMATA_F(note, extra)};
template <>
inline constexpr auto fields_of<time_modification> =
    std::tuple{FERMATA_F(time_modification, actual), FERMATA_F(time_modification, normal),
               FERMATA_F(time_modification, normal_type)};
template <>
inline constexpr auto fields_of<grace_info> =
    std::tuple{FERMATA_F(grace_info, slash), FERMATA_F(grace_info, steal_previous),
               FERMATA_F(grace_info, steal_following), FERMATA_F(grace_info, make_time),
               FERMATA_F(grace_info, slash_text)};
template <>
inline constexpr auto fields_of<chord_rest> =
    std::tuple{FERMATA_F(chord_rest, length), FERMATA_F(chord_rest, written),
               FERMATA_F(chord_rest, tuplet), FERMATA_F(chord_rest, grace),
               FERMATA_F(chord_rest, cue),    FERMATA_F(chord_rest, voice),
               FERMATA_F(chord_rest, staff),  FERMATA_F(chord_rest, staff_given),
               FERMATA_F(chord_rest, notes)};

template <>
inline constexpr auto fields_of<dynamics> =
    std::tuple{FERMATA_F(dynamics, values), FERMATA_F(dynamics, extra)};
template <>
inline constexpr auto fields_of<wedge> =
    std::tuple{FERMATA_F(wedge, type), FERMATA_F(wedge, number), FERMATA_F(wedge, extra)};
template <>
inline constexpr auto fields_of<words> =
    std::tuple{FERMATA_F(words, text), FERMATA_F(words, extra)};
template <>
inline constexpr auto fields_of<rehearsal_mark> =
    std::tuple{FERMATA_F(rehearsal_mark, text), FERMATA_F(rehearsal_mark, extra)};
template <>
inline constexpr auto fields_of<segno_mark> = std::tuple{FERMATA_F(segno_mark, extra)};
template <>
inline constexpr auto fields_of<coda_mark> = std::tuple{FERMATA_F(coda_mark, extra)};
template <>
inline constexpr auto fields_of<metronome> =
    std::tuple{FERMATA_F(metronome, beat), FERMATA_F(metronome, per_minute),
               FERMATA_F(metronome, equals), FERMATA_F(metronome, extra)};
template <>
inline constexpr auto fields_of<pedal> =
    std::tuple{FERMATA_F(pedal, type), FERMATA_F(pedal, extra)};
template <>
inline constexpr auto fields_of<octave_shift> =
    std::tuple{FERMATA_F(octave_shift, type), FERMATA_F(octave_shift, size),
               FERMATA_F(octave_shift, number), FERMATA_F(octave_shift, extra)};
template <>
inline constexpr auto fields_of<line_end> =
    std::tuple{FERMATA_F(line_end, dashes), FERMATA_F(line_end, type), FERMATA_F(line_end, number),
               FERMATA_F(line_end, extra)};
template <>
inline constexpr auto alternatives_of<direction_type> =
    std::array<std::string_view, 11>{"dynamics",     "wedge", "words",     "rehearsal",
                                     "segno",        "coda",  "metronome", "pedal",
                                     "octave-shift", "line",  "xml"};
template <>
inline constexpr auto fields_of<sound> = std::tuple{FERMATA_F(sound, extra)};
template <>
inline constexpr auto fields_of<direction> =
    std::tuple{FERMATA_F(direction, types),  FERMATA_F(direction, placement),
               FERMATA_F(direction, voice),  FERMATA_F(direction, staff),
               FERMATA_F(direction, offset), FERMATA_F(direction, sound),
               FERMATA_F(direction, extra)};
template <>
inline constexpr auto fields_of<harmony::degree> =
    std::tuple{FERMATA_F(harmony::degree, value), FERMATA_F(harmony::degree, cents),
               FERMATA_F(harmony::degree, type), FERMATA_F(harmony::degree, extra)};
template <>
inline constexpr auto fields_of<harmony> = std::tuple{
    FERMATA_F(harmony, root),      FERMATA_F(harmony, function),  FERMATA_F(harmony, numeral),
    FERMATA_F(harmony, kind),      FERMATA_F(harmony, kind_text), FERMATA_F(harmony, bass),
    FERMATA_F(harmony, inversion), FERMATA_F(harmony, degrees),   FERMATA_F(harmony, further),
    FERMATA_F(harmony, offset),    FERMATA_F(harmony, staff),     FERMATA_F(harmony, extra)};
template <>
inline constexpr auto fields_of<figured_bass::figure> =
    std::tuple{FERMATA_F(figured_bass::figure, prefix), FERMATA_F(figured_bass::figure, number),
               FERMATA_F(figured_bass::figure, suffix), FERMATA_F(figured_bass::figure, extra)};
template <>
inline constexpr auto fields_of<figured_bass> =
    std::tuple{FERMATA_F(figured_bass, figures), FERMATA_F(figured_bass, length),
               FERMATA_F(figured_bass, parentheses), FERMATA_F(figured_bass, extra)};

template <>
inline constexpr auto fields_of<transposition> =
    std::tuple{FERMATA_F(transposition, diatonic),  FERMATA_F(transposition, diatonic_given),
               FERMATA_F(transposition, chromatic), FERMATA_F(transposition, octaves),
               FERMATA_F(transposition, doubled),   FERMATA_F(transposition, double_above)};
template <class T>
inline constexpr auto fields_of<for_staff<T>> = std::tuple{
    FERMATA_F(for_staff<T>, staff), FERMATA_F(for_staff<T>, value), FERMATA_F(for_staff<T>, extra)};
template <>
inline constexpr auto fields_of<attributes> =
    std::tuple{FERMATA_F(attributes, keys),           FERMATA_F(attributes, times),
               FERMATA_F(attributes, staves),         FERMATA_F(attributes, clefs),
               FERMATA_F(attributes, transpositions), FERMATA_F(attributes, multiple_rest),
               FERMATA_F(attributes, others),         FERMATA_F(attributes, extra)};
template <>
inline constexpr auto fields_of<barline> =
    std::tuple{FERMATA_F(barline, location),    FERMATA_F(barline, style),
               FERMATA_F(barline, repeat),      FERMATA_F(barline, repeat_times),
               FERMATA_F(barline, after_jump),  FERMATA_F(barline, ending_numbers),
               FERMATA_F(barline, ending_type), FERMATA_F(barline, ending_text),
               FERMATA_F(barline, extra)};
template <>
inline constexpr auto fields_of<print_layout> =
    std::tuple{FERMATA_F(print_layout, new_system), FERMATA_F(print_layout, new_page),
               FERMATA_F(print_layout, extra)};
template <>
inline constexpr auto alternatives_of<measure_content> =
    std::array<std::string_view, 9>{"notes",   "direction", "attributes", "harmony", "figured-bass",
                                    "barline", "sound",     "print",      "xml"};
template <>
inline constexpr auto fields_of<measure_item> =
    std::tuple{FERMATA_F(measure_item, at), FERMATA_F(measure_item, content)};

template <>
inline constexpr auto fields_of<measure> =
    std::tuple{FERMATA_F(measure, number), FERMATA_F(measure, implicit), FERMATA_F(measure, items),
               FERMATA_F(measure, padded_to), FERMATA_F(measure, extra)};

template <>
inline constexpr auto fields_of<part_instrument> =
    std::tuple{FERMATA_F(part_instrument, id),           FERMATA_F(part_instrument, name),
               FERMATA_F(part_instrument, abbreviation), FERMATA_F(part_instrument, sound),
               FERMATA_F(part_instrument, midi_channel), FERMATA_F(part_instrument, midi_program),
               FERMATA_F(part_instrument, midi_bank),    FERMATA_F(part_instrument, midi_unpitched),
               FERMATA_F(part_instrument, volume),       FERMATA_F(part_instrument, pan),
               FERMATA_F(part_instrument, elevation),    FERMATA_F(part_instrument, extra),
               FERMATA_F(part_instrument, midi_extra)};
template <>
inline constexpr auto fields_of<part> =
    std::tuple{FERMATA_F(part, id),           FERMATA_F(part, name),
               FERMATA_F(part, abbreviation), FERMATA_F(part, instruments),
               FERMATA_F(part, measures),     FERMATA_F(part, extra)};
template <>
inline constexpr auto fields_of<part_group> =
    std::tuple{FERMATA_F(part_group, number), FERMATA_F(part_group, type),
               FERMATA_F(part_group, name),   FERMATA_F(part_group, abbreviation),
               FERMATA_F(part_group, symbol), FERMATA_F(part_group, barline),
               FERMATA_F(part_group, extra)};
template <>
inline constexpr auto alternatives_of<part_list_item> =
    std::array<std::string_view, 2>{"part", "group"};
template <>
inline constexpr auto fields_of<typed_text> = std::tuple{
    FERMATA_F(typed_text, type), FERMATA_F(typed_text, text), FERMATA_F(typed_text, extra)};
template <>
inline constexpr auto fields_of<credit> =
    std::tuple{FERMATA_F(credit, page), FERMATA_F(credit, types), FERMATA_F(credit, words),
               FERMATA_F(credit, extra)};
template <>
inline constexpr auto fields_of<score_header> = std::tuple{
    FERMATA_F(score_header, work_number),     FERMATA_F(score_header, work_title),
    FERMATA_F(score_header, movement_number), FERMATA_F(score_header, movement_title),
    FERMATA_F(score_header, creators),        FERMATA_F(score_header, rights),
    FERMATA_F(score_header, source),          FERMATA_F(score_header, encoding),
    FERMATA_F(score_header, work_others),     FERMATA_F(score_header, identification_others),
    FERMATA_F(score_header, defaults),        FERMATA_F(score_header, credits)};
template <>
inline constexpr auto fields_of<score> =
    std::tuple{FERMATA_F(score, header), FERMATA_F(score, part_list), FERMATA_F(score, parts),
               FERMATA_F(score, extra)};

template <>
inline constexpr auto fields_of<measure_replacement> =
    std::tuple{FERMATA_F(measure_replacement, first), FERMATA_F(measure_replacement, before),
               FERMATA_F(measure_replacement, after)};
template <>
inline constexpr auto fields_of<renumbering> = std::tuple{
    FERMATA_F(renumbering, first), FERMATA_F(renumbering, count), FERMATA_F(renumbering, by)};
template <>
inline constexpr auto fields_of<placed_part> =
    std::tuple{FERMATA_F(placed_part, index), FERMATA_F(placed_part, value)};
template <>
inline constexpr auto fields_of<frame_change> =
    std::tuple{FERMATA_F(frame_change, header), FERMATA_F(frame_change, part_list),
               FERMATA_F(frame_change, extra)};
template <>
inline constexpr auto fields_of<part_change::header_change> = std::tuple{
    FERMATA_F(part_change::header_change, before), FERMATA_F(part_change::header_change, after)};
template <>
inline constexpr auto fields_of<part_change> = std::tuple{FERMATA_F(part_change, id),
                                                          FERMATA_F(part_change, index_before),
                                                          FERMATA_F(part_change, index_after),
                                                          FERMATA_F(part_change, name),
                                                          FERMATA_F(part_change, measures_before),
                                                          FERMATA_F(part_change, measures),
                                                          FERMATA_F(part_change, renumbered),
                                                          FERMATA_F(part_change, header)};
template <>
inline constexpr auto fields_of<score_delta> =
    std::tuple{FERMATA_F(score_delta, changed),      FERMATA_F(score_delta, removed),
               FERMATA_F(score_delta, added),        FERMATA_F(score_delta, moved_to),
               FERMATA_F(score_delta, frame_before), FERMATA_F(score_delta, frame_after),
               FERMATA_F(score_delta, ids_before)};

template <>
inline constexpr auto fields_of<score_cursor> =
    std::tuple{FERMATA_F(score_cursor, part), FERMATA_F(score_cursor, staff),
               FERMATA_F(score_cursor, voice), FERMATA_F(score_cursor, measure),
               FERMATA_F(score_cursor, position)};
template <>
inline constexpr auto fields_of<score_defaults> =
    std::tuple{FERMATA_F(score_defaults, key), FERMATA_F(score_defaults, time),
               FERMATA_F(score_defaults, clef), FERMATA_F(score_defaults, instrument),
               FERMATA_F(score_defaults, tempo)};

#undef FERMATA_F

}  // namespace fermata::io
