"""The totals of all directories of a generated container: sandboxfm and its index, compared with ncdu."""

from __future__ import annotations

from pathlib import Path

from benches.lint import installed, make_tree
from benches.reporting import table
from benches.running import BenchError, Contender, Tools, measure_interleaved


def explore_section(tools: Tools, work: Path, tool: Path, files: int, rounds: int) -> str:
    tree = make_tree(tools, work, files)
    ncdu = installed("ncdu -0 -o /dev/null", ["ncdu"], ["-0", "-o", "/dev/null", str(tree)])
    if ncdu is None:
        raise BenchError("ncdu is not installed")
    contenders = [ncdu, Contender("sandboxfm du", [str(tool), "du", str(tree)], 2)]
    measure_interleaved(tools, contenders, rounds)
    rows = [
        [c.name, f"{c.median:.3f}", f"{c.fastest:.3f} to {c.slowest:.3f}", f"{c.median / ncdu.median:.2f}",
         f"{c.peak_mib:.1f}"]
        for c in contenders
    ]
    head = ["contender", "median s", "spread s", "× ncdu", "peak MiB"]
    return "\n".join([f"### Totals of {files:,} files, warm, {rounds} rounds", "", table(head, rows)])
