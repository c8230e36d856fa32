"""Tables, with a description of the machine, in the file of results."""

from __future__ import annotations

import os
import platform
from datetime import datetime, timezone
from pathlib import Path

from benches.running import BenchError


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine() -> str:
    cores = len(os.sched_getaffinity(0))
    day = datetime.now(timezone.utc).date().isoformat()
    return f"{cores} cores, {cpu_model()}, {platform.system()} {platform.release()}, {day}"


def cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def replace_between_marks(path: Path, name: str, report: str) -> None:
    """Writes the report of a benchmark between its two markers in the file."""
    begin_mark, end_mark = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    old = path.read_text() if path.exists() else "# Results\n"
    if begin_mark not in old:
        old += f"\n{begin_mark}\n{end_mark}\n"
    before, _, rest = old.partition(begin_mark)
    _, end, after = rest.partition(end_mark)
    if not end:
        raise BenchError(f"{path.name} does not hold {begin_mark} and then {end_mark}")
    staged = path.with_name(path.name + ".new")
    try:
        staged.write_text(f"{before}{begin_mark}\n{report}\n{end_mark}{after}")
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)
