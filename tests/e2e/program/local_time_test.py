"""Times at the terminal are local; in files and in the protocol they are UTC."""

import json
import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal

PLACES = ["America/New_York", "Asia/Kolkata", "UTC"]


def rewrite_times(home, times):
    """Changes the times of entries in session-1 (UTC, by index); lines edited by hand need no checksum."""
    journal = home.session() / "history.jsonl"
    lines = []
    for text in journal.read_text().splitlines():
        line = re.sub(r',"crc":"[0-9a-f]{8}"}$', "}", text)
        entry = json.loads(line)
        old = entry.get("time")
        if old and entry.get("index") in times:
            line = line.replace(old, times[entry["index"]])
        lines.append(line)
    journal.write_text("\n".join(lines) + "\n")
    for left in ("checkpoint.json", "env.json", "history.index", "score.ferm"):
        (home.session() / left).unlink(missing_ok=True)


def local(utc, zone):
    return (datetime.fromisoformat(utc.replace("Z", "+00:00")).astimezone(ZoneInfo(zone))
            .strftime("%Y-%m-%d %H:%M:%S"))


# The night when clocks in New York go back: 01:30 occurs twice.
NIGHT = {1: "2026-11-01T05:30:00.000Z", 2: "2026-11-01T06:30:00.000Z", 3: "2026-11-01T07:00:00.000Z"}
# And when they go forward: there is no 02:30.
SPRING = {1: "2026-03-08T06:59:59.000Z", 2: "2026-03-08T07:00:00.000Z", 3: "2026-03-08T07:30:00.000Z"}


@pytest.mark.parametrize("zone", PLACES)
@pytest.mark.parametrize("times", [NIGHT, SPRING])
def test_blame_shows_the_time_that_the_clock_showed(home, zone, times):
    run_script(home, "(part :violin (measure (note c5 :w)))\n"
                     "(replace (measures 1) (measure (note d5 :w)))\n(def a 1)\n")
    rewrite_times(home, times)
    shown = run_script(home, ":blame 1\n:session info\n", TZ=zone).stdout.decode()
    assert f"In[2]  user (script)  {local(times[2], zone)}\n" in shown
    assert f"{local(times[1], zone)}  user (script)" in shown
    assert not re.search(r"\d\d:\d\d:\d\dZ", shown)


# Calculated by hand from the rules of the zones: EDT is UTC-4, EST UTC-5, India UTC+5:30.
@pytest.mark.parametrize("zone, options, found", [
    ("America/New_York", "--since 2026-11-01T01:29 --until 2026-11-01T01:31", [1]),
    ("America/New_York", "--since 2026-11-01T01:31 --until 2026-11-01T02:00", [2, 3]),
    ("America/New_York", "--since 2026-11-01T06:30Z", [2, 3]),
    ("America/New_York", "--since 2026-11-01T01:30-05:00", [2, 3]),
    ("America/New_York", "--until 2026-10-31", []),
    ("America/New_York", "--until 2026-11-01", [1, 2, 3]),
    ("America/New_York", "--until 2026-11-01T05:30:00Z", [1]),
    ("Asia/Kolkata", "--since 2026-11-01T11:30 --until 2026-11-01T12:15", [2]),
    ("Asia/Kolkata", "--until 2026-11-01T11:00", [1]),
    ("Asia/Kolkata", "--until 2026-11-01T11:00Z", [1, 2, 3]),
    ("UTC", "--since 2026-11-01T06:00 --until 2026-11-01T06:45", [2]),
])
def test_since_and_until_are_read_by_the_same_clock(home, zone, options, found):
    run_script(home, "(def a 1)\n(def b 2)\n(def c 3)\n")
    rewrite_times(home, NIGHT)
    shown = run_script(home, f":history --code {options}\n", TZ=zone).stdout.decode()
    assert [int(n) for n in re.findall(r"^In\[(\d+)\]", shown, re.M)] == found


# Within a second and within a minute.
MOMENTS = {1: "2026-11-01T05:30:00.000Z", 2: "2026-11-01T05:30:05.250Z", 3: "2026-11-01T05:30:59.999Z"}


@pytest.mark.parametrize("until, found", [
    ("2026-11-01", [1, 2, 3]), ("2026-10-31", []),
    ("2026-11-01T05:30", [1, 2, 3]), ("2026-11-01T05:29", []),
    ("2026-11-01T05:30:05", [1, 2]), ("2026-11-01T05:30:04", [1]), ("2026-11-01T05:30:59", [1, 2, 3]),
    ("2026-11-01T05:30:05.2", [1, 2]), ("2026-11-01T05:30:05.24", [1]), ("2026-11-01T05:30:05.249", [1]),
    ("2026-11-01T05:30:05Z", [1, 2]), ("2026-11-01T06:30:05+01:00", [1, 2]),
])
def test_what_ends_with_a_second_a_minute_or_a_day_has_all_of_it(home, until, found):
    run_script(home, "(def a 1)\n(def b 2)\n(def c 3)\n")
    rewrite_times(home, MOMENTS)
    shown = run_script(home, f":history --code --until {until}\n", TZ="UTC").stdout.decode()
    assert [int(n) for n in re.findall(r"^In\[(\d+)\]", shown, re.M)] == found


def test_files_json_and_the_wire_stay_utc(home):
    with Terminal(home, TZ="Asia/Kolkata", columns=120) as t:
        t.enter("(part :violin (measure (note c5 :w)))")
        listed = t.enter(":history --json 1")
        utc = re.search(r'"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z"', listed.replace("\n", "")).group(1) + "Z"
        assert local(utc, "Asia/Kolkata") in t.enter(":blame 1")
        with Client(home) as c:
            entry = c.call("get_history")
            assert utc[:-1] in json.dumps(entry)
        changed = re.search(r"changed (\S+ \S+)", t.enter(":session list")).group(1)
        there = datetime.fromisoformat(changed).replace(tzinfo=ZoneInfo("Asia/Kolkata"))
        written = datetime.fromisoformat(utc[:-1]).replace(tzinfo=timezone.utc)
        assert abs(there - written) < timedelta(minutes=5)
        assert utc[:-1] in (home.session() / "history.jsonl").read_text()
        meta = json.loads((home.session() / "meta.json").read_text())
        created = datetime.fromisoformat(meta["created"].replace("Z", "+00:00"))
        assert abs(created - written) < timedelta(minutes=5)
