"""Archives of classes with @AutoArchived, next to those of the same classes with methods by hand."""

from __future__ import annotations

import shutil
import statistics
from pathlib import Path

from benches.reporting import table
from benches.running import Tools, checked, progress

STUDENTS = 10_000
NAMES = {"write": "archive", "read": "unarchive"}


def one_round(tool: str, container: Path) -> dict[str, float]:
    lines = checked([tool, str(STUDENTS), str(container)]).splitlines()
    return {name: float(milliseconds) for name, milliseconds in (line.split() for line in lines)}


def archive_section(tools: Tools, work: Path, rounds: int) -> str:
    tool = tools.path("archive-bench")
    container = work / "archives-container"
    shutil.rmtree(container, ignore_errors=True)
    (container / "Documents").mkdir(parents=True)
    try:
        results = []
        for number in range(rounds + 1):
            progress(f"archives, round {number} of {rounds}")
            results.append(one_round(tool, container))
    finally:
        shutil.rmtree(container, ignore_errors=True)
    # The first round warms up.
    results = results[1:]
    rows = []
    for name, shown in NAMES.items():
        for way, kind in (("hand", "methods by hand"), ("macro", "@AutoArchived")):
            times = [result[f"{way}-{name}"] for result in results]
            ratio = statistics.median(result[f"{way}-{name}"] / result[f"hand-{name}"] for result in results)
            rows.append(
                [f"{shown}, {kind}", f"{statistics.median(times):.0f}", f"{min(times):.0f} to {max(times):.0f}", f"{ratio:.2f}"])
    times = [result["save"] for result in results]
    rows.append(["save of the bytes alone", f"{statistics.median(times):.1f}", f"{min(times):.1f} to {max(times):.1f}", ""])
    title = f"### A group of {STUDENTS:,} students, with equal archives, {rounds} rounds"
    return "\n".join([title, "", table(["call", "median ms", "spread ms", "× by hand"], rows)])
