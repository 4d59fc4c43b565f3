#include "core/music/instruments.hpp"

#include "core/music/name_match.hpp"

namespace fermata {

const std::vector<instrument_info>& instrument_table() {
  using names = std::vector<std::string_view>;
  static const names treble{"treble"}, bass{"bass"}, alto{"alto"}, grand{"treble", "bass"},
    drums{"percussion"};
  // name, full name, abbreviation, clefs, diatonic, chromatic, octaves, program, percussion, sound,
  // written range, aliases
  static const std::vector<instrument_info> table{
    // woodwind
    {"piccolo", "Piccolo", "Picc.", treble, 0, 0, 1, 73, false, "wind.flutes.flute.piccolo", "d4", "c7", {"piccolo-flute"}},
    {"flute", "Flute", "Fl.", treble, 0, 0, 0, 74, false, "wind.flutes.flute", "c4", "d7", {}},
    {"alto-flute", "Alto Flute", "A. Fl.", treble, -3, -5, 0, 74, false, "wind.flutes.flute.alto", "c4", "c7", {}},
    {"recorder", "Recorder", "Rec.", treble, 0, 0, 1, 75, false, "wind.flutes.recorder.descant", "c4", "d6", {"soprano-recorder", "descant-recorder"}},
    {"alto-recorder", "Alto Recorder", "A. Rec.", treble, 0, 0, 0, 75, false, "wind.flutes.recorder.alto", "f4", "g6", {"treble-recorder"}},
    {"tenor-recorder", "Tenor Recorder", "T. Rec.", treble, 0, 0, 0, 75, false, "wind.flutes.recorder.tenor", "c4", "d6", {}},
    {"pan-flute", "Pan Flute", "Pan Fl.", treble, 0, 0, 0, 76, false, "wind.flutes.panpipes", "g4", "c7", {"panpipes"}},
    {"oboe", "Oboe", "Ob.", treble, 0, 0, 0, 69, false, "wind.reed.oboe", "bb3", "a6", {}},
    {"english-horn", "English Horn", "E. Hn.", treble, -4, -7, 0, 70, false, "wind.reed.english-horn", "b3", "g6", {"cor-anglais"}},
    {"clarinet", "Clarinet in Bb", "Cl.", treble, -1, -2, 0, 72, false, "wind.reed.clarinet.bflat", "e3", "c7", {"bb-clarinet", "clarinet-bb"}},
    {"clarinet-a", "Clarinet in A", "Cl. A", treble, -2, -3, 0, 72, false, "wind.reed.clarinet.a", "e3", "c7", {"a-clarinet"}},
    {"clarinet-eb", "Clarinet in Eb", "Eb Cl.", treble, 2, 3, 0, 72, false, "wind.reed.clarinet.eflat", "e3", "a6", {"eb-clarinet"}},
    {"bass-clarinet", "Bass Clarinet", "B. Cl.", treble, -1, -2, -1, 72, false, "wind.reed.clarinet.bass", "eb3", "g6", {}},
    {"bassoon", "Bassoon", "Bsn.", bass, 0, 0, 0, 71, false, "wind.reed.bassoon", "bb1", "eb5", {"fagott"}},
    {"contrabassoon", "Contrabassoon", "Cbsn.", bass, 0, 0, -1, 71, false, "wind.reed.contrabassoon", "bb1", "bb4", {"double-bassoon"}},
    {"soprano-saxophone", "Soprano Saxophone", "S. Sax.", treble, -1, -2, 0, 65, false, "wind.reed.saxophone.soprano", "bb3", "f#6", {"soprano-sax"}},
    {"saxophone", "Alto Saxophone", "A. Sax.", treble, -5, -9, 0, 66, false, "wind.reed.saxophone.alto", "bb3", "f#6", {"alto-saxophone", "alto-sax", "sax"}},
    {"tenor-saxophone", "Tenor Saxophone", "T. Sax.", treble, -1, -2, -1, 67, false, "wind.reed.saxophone.tenor", "bb3", "f#6", {"tenor-sax"}},
    {"baritone-saxophone", "Baritone Saxophone", "B. Sax.", treble, -5, -9, -1, 68, false, "wind.reed.saxophone.baritone", "bb3", "f#6", {"baritone-sax", "bari-sax"}},
    {"harmonica", "Harmonica", "Harm.", treble, 0, 0, 0, 23, false, "wind.reed.harmonica", "c4", "c7", {}},
    {"accordion", "Accordion", "Acc.", grand, 0, 0, 0, 22, false, "keyboard.accordion", "f2", "a6", {}},
    {"bagpipes", "Bagpipes", "Bag.", treble, 0, 0, 0, 110, false, "wind.pipes.bagpipes", "g4", "a5", {"bagpipe"}},
    // brass
    {"horn", "Horn in F", "Hn.", treble, -4, -7, 0, 61, false, "brass.french-horn", "f#2", "c6", {"french-horn"}},
    {"trumpet", "Trumpet in Bb", "Tpt.", treble, -1, -2, 0, 57, false, "brass.trumpet.bflat", "f#3", "d6", {"bb-trumpet", "trumpet-bb"}},
    {"trumpet-c", "Trumpet in C", "C Tpt.", treble, 0, 0, 0, 57, false, "brass.trumpet.c", "f#3", "d6", {"c-trumpet"}},
    {"cornet", "Cornet in Bb", "Cnt.", treble, -1, -2, 0, 57, false, "brass.cornet", "f#3", "c6", {}},
    {"flugelhorn", "Flugelhorn", "Flug.", treble, -1, -2, 0, 57, false, "brass.flugelhorn", "f#3", "c6", {}},
    {"trombone", "Trombone", "Tbn.", bass, 0, 0, 0, 58, false, "brass.trombone.tenor", "e2", "d5", {"tenor-trombone"}},
    {"bass-trombone", "Bass Trombone", "B. Tbn.", bass, 0, 0, 0, 58, false, "brass.trombone.bass", "bb1", "bb4", {}},
    {"euphonium", "Euphonium", "Euph.", bass, 0, 0, 0, 59, false, "brass.euphonium", "e2", "bb4", {"baritone-horn"}},
    {"tuba", "Tuba", "Tba.", bass, 0, 0, 0, 59, false, "brass.tuba", "d1", "f4", {}},
    // percussion
    {"timpani", "Timpani", "Timp.", bass, 0, 0, 0, 48, false, "drum.timpani", "d2", "c4", {"kettledrums"}},
    {"percussion", "Percussion", "Perc.", drums, 0, 0, 0, 1, true, "drum.group.set", "", "", {"perc"}},
    {"drums", "Drum Set", "Dr.", drums, 0, 0, 0, 1, true, "drum.group.set", "", "", {"drum-set", "drumset", "drum-kit"}},
    {"snare-drum", "Snare Drum", "S. Dr.", drums, 0, 0, 0, 1, true, "drum.snare-drum", "", "", {"snare"}},
    {"bass-drum", "Bass Drum", "B. Dr.", drums, 0, 0, 0, 1, true, "drum.bass-drum", "", "", {}},
    {"cymbals", "Cymbals", "Cym.", drums, 0, 0, 0, 1, true, "metal.cymbal.crash", "", "", {"cymbal"}},
    {"triangle", "Triangle", "Trgl.", drums, 0, 0, 0, 1, true, "metal.triangle", "", "", {}},
    {"tambourine", "Tambourine", "Tamb.", drums, 0, 0, 0, 1, true, "drum.tambourine", "", "", {}},
    {"glockenspiel", "Glockenspiel", "Glock.", treble, 0, 0, 2, 10, false, "pitched-percussion.glockenspiel", "g3", "c6", {}},
    {"xylophone", "Xylophone", "Xyl.", treble, 0, 0, 1, 14, false, "pitched-percussion.xylophone", "f3", "c7", {}},
    {"vibraphone", "Vibraphone", "Vib.", treble, 0, 0, 0, 12, false, "pitched-percussion.vibraphone", "f3", "f6", {"vibes"}},
    {"marimba", "Marimba", "Mar.", grand, 0, 0, 0, 13, false, "pitched-percussion.marimba", "c2", "c7", {}},
    {"tubular-bells", "Tubular Bells", "T.B.", treble, 0, 0, 0, 15, false, "pitched-percussion.tubular-bells", "c4", "f5", {"chimes"}},
    // keyboards and harp
    {"piano", "Piano", "Pno.", grand, 0, 0, 0, 1, false, "keyboard.piano", "a0", "c8", {"pianoforte", "grand-piano"}},
    {"electric-piano", "Electric Piano", "E. Pno.", grand, 0, 0, 0, 5, false, "keyboard.piano.electric", "e1", "e7", {"rhodes"}},
    {"harpsichord", "Harpsichord", "Hpschd.", grand, 0, 0, 0, 7, false, "keyboard.harpsichord", "f1", "f6", {"cembalo"}},
    {"celesta", "Celesta", "Cel.", grand, 0, 0, 1, 9, false, "keyboard.celesta", "c3", "c7", {"celeste"}},
    {"organ", "Organ", "Org.", {"treble", "bass", "bass"}, 0, 0, 0, 20, false, "keyboard.organ.pipe", "c2", "c7", {"pipe-organ", "church-organ"}},
    {"synthesizer", "Synthesizer", "Synth.", grand, 0, 0, 0, 81, false, "synth.group", "a0", "c8", {"synth"}},
    {"harp", "Harp", "Hp.", grand, 0, 0, 0, 47, false, "pluck.harp", "cb1", "g#7", {}},
    // plucked
    {"guitar", "Guitar", "Gtr.", {"treble-8vb"}, 0, 0, 0, 25, false, "pluck.guitar.nylon-string", "e2", "b5", {"classical-guitar", "acoustic-guitar"}},
    {"electric-guitar", "Electric Guitar", "E. Gtr.", {"treble-8vb"}, 0, 0, 0, 28, false, "pluck.guitar.electric", "e2", "d6", {}},
    {"bass-guitar", "Bass Guitar", "B. Gtr.", {"bass-8vb"}, 0, 0, 0, 34, false, "pluck.bass.electric", "e1", "g4", {"electric-bass"}},
    {"mandolin", "Mandolin", "Mdn.", treble, 0, 0, 0, 26, false, "pluck.mandolin", "g3", "a6", {}},
    {"banjo", "Banjo", "Bjo.", {"treble-8vb"}, 0, 0, 0, 106, false, "pluck.banjo", "c3", "g5", {}},
    {"ukulele", "Ukulele", "Uk.", treble, 0, 0, 0, 25, false, "pluck.ukulele", "c4", "a5", {}},
    {"lute", "Lute", "Lt.", {"treble-8vb"}, 0, 0, 0, 25, false, "pluck.lute", "d2", "f5", {}},
    // voices
    {"voice", "Voice", "Vo.", treble, 0, 0, 0, 54, false, "voice.vocals", "c3", "c6", {"vocal", "vocals"}},
    {"soprano", "Soprano", "S.", treble, 0, 0, 0, 53, false, "voice.soprano", "c4", "c6", {"soprano-voice"}},
    {"mezzo-soprano", "Mezzo-soprano", "Mzs.", treble, 0, 0, 0, 53, false, "voice.mezzo-soprano", "a3", "a5", {"mezzo"}},
    {"alto", "Alto", "A.", treble, 0, 0, 0, 53, false, "voice.alto", "f3", "f5", {"alto-voice", "contralto"}},
    {"tenor", "Tenor", "T.", {"treble-8vb"}, 0, 0, 0, 53, false, "voice.tenor", "c3", "c5", {"tenor-voice"}},
    {"baritone", "Baritone", "Bar.", bass, 0, 0, 0, 53, false, "voice.baritone", "g2", "g4", {"baritone-voice"}},
    {"bass-voice", "Bass", "B.", bass, 0, 0, 0, 53, false, "voice.bass", "e2", "e4", {"basso"}},
    {"choir", "Choir", "Ch.", grand, 0, 0, 0, 53, false, "voice.aa", "e2", "c6", {"chorus"}},
    // strings
    {"violin", "Violin", "Vln.", treble, 0, 0, 0, 41, false, "strings.violin", "g3", "a7", {"fiddle"}},
    {"viola", "Viola", "Vla.", alto, 0, 0, 0, 42, false, "strings.viola", "c3", "e6", {}},
    {"cello", "Violoncello", "Vc.", bass, 0, 0, 0, 43, false, "strings.cello", "c2", "c6", {"violoncello"}},
    {"contrabass", "Contrabass", "Cb.", bass, 0, 0, -1, 44, false, "strings.contrabass", "e2", "c5", {"bass", "double-bass", "string-bass"}},
    {"strings", "Strings", "Str.", grand, 0, 0, 0, 49, false, "strings.group", "e2", "a7", {"string-ensemble"}},
  };
  return table;
}

const instrument_info* find_instrument(std::string_view name) {
  for (const auto& row : instrument_table()) {
    if (same_name(row.name, name) || same_name(row.full_name, name))
      return &row;
    for (auto alias : row.aliases)
      if (same_name(alias, name))
        return &row;
  }
  return nullptr;
}

} // namespace fermata
