#include "midi/transport/channel_state.hpp"

#include "midi/performance/event.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

bool selects_parameter(std::size_t number) {
  return number == controllers::data_entry || number == controllers::data_entry_fine ||
         number == controllers::parameter || number == controllers::parameter_fine;
}

bool selects_bank(std::size_t number) {
  return number == controllers::bank_select || number == controllers::bank_select_fine;
}

}  // namespace

void channel_states::apply(std::uint8_t group, std::span<const std::uint8_t> message) {
  if (message.size() < 2 || message[0] < 0xA0 || message[0] >= 0xF0) return;
  auto data = [&](std::size_t i) { return static_cast<std::int8_t>(message[i] & 0x7F); };
  auto index = static_cast<std::size_t>(group) * channels_of_group + (message[0] & 0x0F);
  if (index >= states_.size()) states_.resize(index + 1);
  auto& s = states_[index];
  s.used = true;
  switch (message[0] & 0xF0) {
    case 0xB0:
      if (message.size() > 2) s.set_controller(message[1], data(2));
      break;
    case 0xC0: s.program = data(1); break;
    case 0xD0: s.pressure = data(1); break;
    case 0xE0:
      if (message.size() > 2) s.bend = static_cast<std::int16_t>(data(1) | data(2) << 7);
      break;
    default: break;  // pressure of a key belongs to its note
  }
}

void channel_states::state::set_controller(std::uint8_t number, std::int8_t value) {
  if (number == midi::controllers::reset_all) return reset_controllers();
  if (number >= this->controllers.size()) return;  // channel modes are not states
  if (number == midi::controllers::parameter) selected_high = value;
  if (number == midi::controllers::parameter_fine) selected_low = value;
  if (number == midi::controllers::data_entry || number == midi::controllers::data_entry_fine) {
    auto fine = number == midi::controllers::data_entry_fine;
    if (selected_high == 0 && selected_low >= 0 && selected_low < restored_parameters)
      parameters[static_cast<std::size_t>(selected_low)][fine ? 1 : 0] = value;
  }
  this->controllers[number] = value;
}

/// As in "Response to Reset All Controllers" (RP-015): volume, pan, bank and program stay.
void channel_states::state::reset_controllers() {
  constexpr std::uint8_t modulation = 1, expression = 11, damper = 64, last_pedal = 67;
  this->controllers[modulation] = unknown;
  this->controllers[expression] = unknown;
  for (std::uint8_t pedal = damper; pedal <= last_pedal; ++pedal)
    this->controllers[pedal] = unknown;
  selected_high = selected_low = unknown;
  bend = unknown;
  pressure = unknown;
}

void channel_states::state::send_parameters(std::uint8_t group, std::uint8_t channel,
                                            message_sink& out, steady_time due) const {
  auto status = static_cast<std::uint8_t>(0xB0 | channel);
  auto set = [&](std::uint8_t number, std::int8_t value) {
    out.send_bytes(group, {status, number, static_cast<std::uint8_t>(value)}, due);
  };
  constexpr std::int8_t null = 127;
  bool any = false;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p][0] == unknown && parameters[p][1] == unknown) continue;
    any = true;
    set(midi::controllers::parameter, 0);
    set(midi::controllers::parameter_fine, static_cast<std::int8_t>(p));
    if (parameters[p][0] != unknown) set(midi::controllers::data_entry, parameters[p][0]);
    if (parameters[p][1] != unknown) set(midi::controllers::data_entry_fine, parameters[p][1]);
  }
  if (!any) return;
  set(midi::controllers::parameter, selected_high == unknown ? null : selected_high);
  set(midi::controllers::parameter_fine, selected_low == unknown ? null : selected_low);
}

void channel_states::state::send(std::uint8_t group, std::uint8_t channel, message_sink& out,
                                 steady_time due) const {
  auto status = static_cast<std::uint8_t>(0xB0 | channel);
  auto set = [&](std::size_t number) {
    auto value = this->controllers[number];
    if (value != unknown)
      out.send_bytes(group,
                     {status, static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(value)},
                     due);
  };
  set(midi::controllers::bank_select);
  set(midi::controllers::bank_select_fine);
  if (program != unknown)
    out.send_bytes(group,
                   {static_cast<std::uint8_t>(0xC0 | channel), static_cast<std::uint8_t>(program)},
                   due);
  send_parameters(group, channel, out, due);
  for (std::size_t number = 0; number < this->controllers.size(); ++number)
    if (!selects_bank(number) && !selects_parameter(number)) set(number);
  if (pressure != unknown)
    out.send_bytes(group,
                   {static_cast<std::uint8_t>(0xD0 | channel), static_cast<std::uint8_t>(pressure)},
                   due);
  if (bend != unknown)
    out.send_bytes(group,
                   {static_cast<std::uint8_t>(0xE0 | channel),
                    static_cast<std::uint8_t>(bend & 0x7F), static_cast<std::uint8_t>(bend >> 7)},
                   due);
}

void channel_states::send(message_sink& out, steady_time due) const {
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i].used)
      states_[i].send(static_cast<std::uint8_t>(i / channels_of_group),
                      static_cast<std::uint8_t>(i % channels_of_group), out, due);
}

}  // namespace fermata::midi
