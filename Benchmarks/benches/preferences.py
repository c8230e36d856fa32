"""Typed reads of preferences while another process writes them, next to a look-up in a locked dictionary."""

from __future__ import annotations

import shutil
import statistics
import subprocess
from pathlib import Path

from benches.reporting import table
from benches.running import BenchError, Tools, checked, progress

READS = 10_000
NAMES = {
    "dictionary": "a locked dictionary",
    "value": "try preferences.value(for: .volume)",
    "subscript": "preferences[.volume]",
    "name": 'try preferences.integer(forKey: "volume")',
}


def one_round(tool: str, container: Path) -> dict[str, float]:
    lines = checked([tool, "read", str(READS), str(container)]).splitlines()
    return {name: float(nanoseconds) for name, nanoseconds in (line.split() for line in lines)}


def preference_section(tools: Tools, work: Path, rounds: int) -> str:
    tool = tools.path("preference-bench")
    container = work / "preferences-container"
    shutil.rmtree(container, ignore_errors=True)
    (container / "Library" / "Preferences").mkdir(parents=True)
    writer = subprocess.Popen([tool, "write", str(container)], stdout=subprocess.PIPE, text=True)
    try:
        if writer.stdout is None or writer.stdout.readline() != "ready\n":
            raise BenchError("preference-bench write: has not begun to write")
        results = []
        for number in range(rounds + 1):
            progress(f"reads of preferences, round {number} of {rounds}")
            results.append(one_round(tool, container))
        if writer.poll() is not None:
            raise BenchError("preference-bench write: has ended")
    finally:
        writer.terminate()
        writer.wait()
        shutil.rmtree(container, ignore_errors=True)
    # The first round warms up.
    results = results[1:]
    rows = []
    for name, shown in NAMES.items():
        times = [result[name] for result in results]
        ratio = statistics.median(result[name] / result["dictionary"] for result in results)
        rows.append([shown, f"{statistics.median(times):.0f}", f"{min(times):.0f} to {max(times):.0f}", f"{ratio:.2f}"])
    title = f"### {READS:,} reads while another process writes the file, {rounds} rounds"
    head = ["read", "median ns", "spread ns", "× dictionary"]
    return "\n".join([title, "", table(head, rows)])
