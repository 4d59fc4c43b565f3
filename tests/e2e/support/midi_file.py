"""Writes Standard MIDI Files, independently of the program."""

import struct


def variable_length(n):
    out = [n & 0x7F]
    while n := n >> 7:
        out.insert(0, n & 0x7F | 0x80)
    return bytes(out)


def midi_file(*tracks, division=480, form=1):
    data = b"MThd" + struct.pack(">IHHH", 6, form, len(tracks), division)
    for track in tracks:
        body = b"".join(variable_length(delta) + bytes(event) for delta, event in track)
        body += b"\x00\xff\x2f\x00"
        data += b"MTrk" + struct.pack(">I", len(body)) + body
    return data
