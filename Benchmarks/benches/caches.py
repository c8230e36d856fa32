"""Reads of a cache, a list with attributes and a sum of sizes, next to the same system calls from C."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from pathlib import Path

from benches.reporting import table
from benches.running import Tools, checked, progress

ENTRIES = 10_000
FILES = 50_000


def du(container: Path) -> float:
    """The nanoseconds per file of `du`."""
    start = time.monotonic_ns()
    subprocess.run(["du", "-s", "--apparent-size", str(container)], check=True, stdout=subprocess.DEVNULL)
    return (time.monotonic_ns() - start) / (ENTRIES + FILES)


def cache_section(tools: Tools, work: Path, rounds: int) -> str:
    swift, c = tools.path("cache-bench"), tools.path("cache-c")
    container = work / "cache-container"
    shutil.rmtree(container, ignore_errors=True)
    documents, folder = container / "Documents", container / "Library" / "Caches" / "com.example.app" / "bench"
    documents.mkdir(parents=True)
    try:
        for number in range(FILES):
            (documents / f"file-{number}").write_bytes(b"")
        checked([swift, "fill", str(ENTRIES), str(container)])
        ways = {
            "a value of the cache": (lambda: checked([swift, "read", str(container)]), "read"),
            "a value in memory": (lambda: checked([swift, "memory", str(container)]), "read"),
            f"an item of `items(in:)`, of {FILES:,}": (lambda: checked([swift, "list", str(container)]), "list"),
            "a file of `usage()`": (lambda: checked([swift, "usage", str(container)]), "du"),
        }
        references = {
            "read": ("open, read, close", lambda: checked([c, "read", str(folder)])),
            "list": ("readdir, fstatat, llistxattr", lambda: checked([c, "list", str(documents)])),
            "du": ("du", lambda: du(container)),
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for number in range(rounds + 1):
            progress(f"reads of a cache, round {number} of {rounds}")
            for name, (measure, reference) in ways.items():
                pair = (float(measure()), float(references[reference][1]()))
                # The first round warms up.
                if number > 0:
                    found[name].append(pair)
    finally:
        shutil.rmtree(container, ignore_errors=True)
    rows = []
    for name, pairs in found.items():
        mine = statistics.median(pair[0] for pair in pairs)
        its = statistics.median(pair[1] for pair in pairs)
        ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
        rows.append([name, f"{mine:.0f}", references[ways[name][1]][0], f"{its:.0f}", f"{ratio:.2f}"])
    title = f"### A cache of {ENTRIES:,} entries of 4 KiB and a directory of {FILES:,} files, {rounds} rounds"
    return "\n".join([title, "", table(["", "median ns", "compared with", "median ns", "×"], rows)])
