"""MusicXML in and out: a real string quartet once, ten and a hundred times over, beside the XML parser
alone and an importer from npm.

Every figure is the best of five processes that do the work once, as `fermata import` does: with
memory that has to be asked for. Time is that of the processor. In a loop that keeps its memory both sides are faster, the parser more
so."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM_IMPORTER = "musicxml-io@0.9.6"
COPIES = (1, 10, 100)


def quartet():
    path = next((ROOT / "tests/data/musicxml/openscore").glob("*Quartet*.mxl"))
    with zipfile.ZipFile(path) as archive:
        container = archive.read("META-INF/container.xml").decode()
        return archive.read(re.search('full-path="([^"]+)"', container)[1]).decode()


def concatenated(text, copies):
    """The measures of every part again and again."""
    return re.sub(r"(<part id=[^>]*>)(.*?)(</part>)",
                  lambda m: m[1] + m[2] * copies + m[3], text, flags=re.S)


def once(name, path):
    """(milliseconds, record) of a benchmark in a process of its own."""
    binary = os.environ.get("FERMATA_BENCH_BIN", "build/release/bin/fermata_bench")
    done = subprocess.run(
        [binary, f"--benchmark_filter=^{name}/", "--benchmark_format=json"],
        env={**os.environ, "FERMATA_BENCH_SCORE": str(path)}, capture_output=True, check=True)
    record = json.loads(done.stdout)["benchmarks"][0]
    if record.get("error_occurred"):
        raise SystemExit(f"bench: {name}: {record.get('error_message', 'failed')}")
    scale = {"ns": 1e-6, "us": 1e-3, "ms": 1.0}[record["time_unit"]]
    return record["cpu_time"] * scale, record


def best(name, path):
    return min((once(name, path) for _ in range(5)), key=lambda r: r[0])


def npm_milliseconds(path):
    """Of the npm importer, or nothing where node or the network is missing."""
    folder = ROOT / "build/bench-node"
    if not (folder / "node_modules/musicxml-io").is_dir():
        if not shutil.which("npm"):
            return None
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder,
                        NPM_IMPORTER], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    script = pathlib.Path(__file__).with_name("musicxml_io.mjs")
    times = []
    for _ in range(3):
        done = subprocess.run(["node", script, path, folder], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        times.append(float(done.stdout))
    return min(times)


def rows(_binary, home):
    text = quartet()
    first = {}
    for copies in COPIES:
        path = pathlib.Path(home) / f"quartet-{copies}.musicxml"
        path.write_text(concatenated(text, copies), encoding="utf-8")
        notes = text.count("<note") * copies
        size = path.stat().st_size / 1e6
        per = f"{copies}x, {notes:,} notes"
        _, loaded = best("file_load", path)
        parse, parsed = best("file_parse", path)
        read, imported = best("file_import", path)
        write, record = best("file_export", path)
        yield f"import, {per}", size / read * 1e3, "MB/s", "pugixml alone", size / parse * 1e3
        yield f"import, {per}", notes / read / 1e3, "Mnotes/s", "", None
        if copies <= 10 and (npm := npm_milliseconds(path)):
            yield f"import, {per}", size / read * 1e3, "MB/s", f"npm {NPM_IMPORTER}", size / npm * 1e3
        yield f"export, {per}", record["bytes"] / write / 1e3, "MB/s", "pugixml parsing", \
            size / parse * 1e3
        yield f"export, {per}", notes / write / 1e3, "Mnotes/s", "goal", 1.0
        yield f"import, peak memory, {per}", (imported["peak"] - loaded["peak"]) / notes, "B/note", \
            "pugixml alone", (parsed["peak"] - loaded["peak"]) / notes
        first.setdefault("read", read / notes)
        first.setdefault("write", write / notes)
        if copies > 1:
            yield f"import, time per note, {copies}x", read / notes * 1e6, "ns", "1x", \
                first["read"] * 1e6
            yield f"export, time per note, {copies}x", write / notes * 1e6, "ns", "1x", \
                first["write"] * 1e6
