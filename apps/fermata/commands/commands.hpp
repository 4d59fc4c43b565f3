#pragma once

#include "core/error.hpp"

#include <string>
#include <vector>

namespace fermata::app {

/// Properties of the terminal that all subcommands need.
struct terminal_options {
  bool color = false;  ///< standard error is a terminal and NO_COLOR is not set
  std::string home;    ///< $FERMATA_HOME, or ~/.fermata
};

/// Exit codes: the work was done; it failed; the command line was wrong.
inline constexpr int exit_ok = 0, exit_failure = 1, exit_usage = 2;

/// Prints an error to standard error with source lines and carets.
void complain(const error& e, std::string_view source, std::string_view origin);
/// Prints warnings the same way; they change no exit code.
void warn(const std::vector<diagnostic>& warnings, std::string_view source,
          std::string_view origin);

struct eval_options {
  std::vector<std::string> expressions;
  bool json = false;
};
/// Evaluates expressions one after another in one fresh environment; prints each value.
int eval_command(const eval_options& o);

struct compile_options {
  std::string input = "-", output = "-", target = "musicxml";
};
/// A Fermata program to a score file.
int compile_command(const compile_options& o);

struct check_options {
  std::vector<std::string> files;
  bool json = false;
};
/// Reads and evaluates without writing anything; reports every fault. As JSON: one object a line
/// for each file, on standard output.
int check_command(const check_options& o);

struct convert_options {
  std::string input, output, from, to;
  bool report = false, json = false, compact = false;
  bool exact = false;   ///< MIDI as written
  int midi_format = 1;  ///< 0 or 1
};
/// One score format to another by extension.
int convert_command(const convert_options& o);

struct transcribe_options {
  std::string input, output;
  std::string metre;         ///< "3/4"; empty: recognized
  double tempo = 0;          ///< quarter notes a minute; 0: recognized
  bool exact_tempo = false;  ///< `tempo` is that of a metronome that was played to
  double first_beat = 0;     ///< of the metronome, a downbeat: seconds from the start of the file
  std::string beats;         ///< file with the times of all beats; empty: none
  int grid = 32;             ///< the shortest note value: 8, 16 or 32
  std::vector<int> tuplets{3};  ///< that are recognized: 3 and 5
  std::string swing = "auto";   ///< "on", "off"; "auto": recognized
  int alternatives = 1;
  bool performed = false;  ///< also if the notes lie on the grid of the file
};
/// A performed MIDI file to notation. Further readings go to files numbered beside the output.
int transcribe_command(const transcribe_options& o);

struct format_options {
  std::vector<std::string> files;
  bool check = false;
};
/// Lays out Fermata text; comments stay.
int format_command(const format_options& o);

struct show_options {
  std::string topic;
  std::string format;  ///< "json" is the same as `json`
  bool json = false;
};
/// Tables of the language: forms, durations, clefs, instruments, ...
int show_command(const show_options& o);

struct diff_options {
  std::string left, right;
  bool json = false;
};
/// Musical difference of two score files. Exit 1 when they differ.
int diff_command(const diff_options& o);

struct config_options {
  std::string action = "list";  ///< "list" "get" "set" "path" "edit"
  std::string name, value;
  bool json = false;
};
/// The settings of config.toml. Exit 1 when the file has faults, or a value is refused.
int config_command(const config_options& o);

struct doctor_options {
  bool json = false;
};
/// Checks home, socket, running instances, sessions, terminal and `fermata mcp`. Changes nothing.
/// Exit 1 when something is wrong.
int doctor_command(const doctor_options& o);

}  // namespace fermata::app
