"""Linting of a generated container, compared with a bare C walker and with familiar tools."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from benches.reporting import table
from benches.running import Contender, Tools, checked, measure_interleaved, progress

SEED = 1
# Trees of different generator versions are not comparable. Increase this number with each change.
LAYOUT = 1
NOW = "2026-01-01"
GROWTH_FILES = (100_000, 1_000_000)
HALF_FILES = 100_000
# The suffix of the files of the half tree whose content the linter needs.
READ_SUFFIX = ".json"


# Trees


def make_tree(tools: Tools, work: Path, files: int) -> Path:
    """The tree with this number of files. A complete tree of an earlier run is reused."""

    def fill(tree: Path) -> None:
        checked([tools.path("generate-container"), "--files", str(files), "--seed", str(SEED), str(tree)])

    return kept_tree(work / f"container-{files}", {"files": files, "seed": SEED, "layout": LAYOUT}, fill)


def make_half_tree(work: Path, files: int) -> Path:
    """A tree in which the linter must open every second file."""
    return kept_tree(
        work / f"half-{files}", {"files": files, "seed": SEED, "layout": LAYOUT}, lambda tree: fill_half(tree, files)
    )


def fill_half(tree: Path, files: int) -> None:
    source = random.Random(SEED)
    for folder in ["Library/Caches", "Library/Preferences", "tmp"]:
        (tree / folder).mkdir(parents=True)
    for number in range(files):
        folder = tree / f"Library/Application Support/com.example.bench/{number // 500:05}"
        if number % 500 == 0:
            folder.mkdir(parents=True)
        if number % 2 == 0:
            rows = [{"id": source.getrandbits(64), "note": source.randbytes(20).hex()} for _ in range(20)]
            (folder / f"note-{number}{READ_SUFFIX}").write_text(json.dumps(rows))
        else:
            (folder / f"clip-{number}.m4a").write_bytes(source.randbytes(200))


def kept_tree(tree: Path, parameters: dict[str, object], fill: Callable[[Path], None]) -> Path:
    """A tree that is filled once for these parameters. An incomplete tree is removed."""
    record = tree.with_name(tree.name + ".json")
    if tree.is_dir() and recorded(record) == parameters:
        return tree
    progress(f"making {tree.name}")
    record.unlink(missing_ok=True)
    shutil.rmtree(tree, ignore_errors=True)
    tree.parent.mkdir(parents=True, exist_ok=True)
    try:
        fill(tree)
    except BaseException:
        shutil.rmtree(tree, ignore_errors=True)
        raise
    record.write_text(json.dumps(parameters) + "\n")
    return tree


def recorded(record: Path) -> object:
    try:
        return json.loads(record.read_text())
    except (OSError, ValueError):
        return None


# Programs


def walker(tools: Tools, tree: Path, threads: int) -> Contender:
    return Contender(f"C walker, -j {threads}", [tools.path("walker"), "-j", str(threads), str(tree)], threads)


def linter(tools: Tools, tree: Path, threads: int) -> Contender | None:
    if tools.sandboxlint is None:
        return None
    options = ["--format", "json", "-j", str(threads), "--now", NOW, "--fail-on", "never", "--source-root", "none"]
    return Contender(
        f"sandboxlint, -j {threads}", [str(tools.sandboxlint), "lint", str(tree), *options], threads
    )


def installed(name: str, programs: list[str], arguments: list[str], threads: int = 1) -> Contender | None:
    found = next((path for path in map(shutil.which, programs) if path), None)
    return Contender(name, [found, *arguments], threads) if found else None


def bfs(root: str, line: str) -> Contender | None:
    program = shutil.which("bfs")
    # bfs before version 3 has no threads and refuses the option.
    if program and subprocess.run([program, "-j2", "-version"], capture_output=True).returncode == 0:
        return installed("bfs -printf, -j 2", [program], ["-j2", root, "-printf", line], 2)
    return installed("bfs -printf", ["bfs"], [root, "-printf", line])


def all_contenders(tools: Tools, tree: Path) -> tuple[list[Contender], list[str]]:
    """The programs that can be measured here, and the names of the others."""
    root, line = str(tree), "%p %s %T@\\n"
    candidates: dict[str, Contender | None] = {
        "C walker, -j 1": walker(tools, tree, 1),
        "C walker, -j 2": walker(tools, tree, 2),
        "sandboxlint, -j 1": linter(tools, tree, 1),
        "sandboxlint, -j 2": linter(tools, tree, 2),
        "find -printf": installed("find -printf", ["find"], [root, "-printf", line]),
        "getfattr -R": installed("getfattr -R", ["getfattr"], ["-R", "-d", "-m", "-", root]),
        "bfs -printf": bfs(root, line),
        "fd (names only), -j 2": installed(
            "fd (names only), -j 2", ["fd", "fdfind"], ["-H", "-I", "-j", "2", "--color", "never", ".", root], 2
        ),
    }
    present = [contender for contender in candidates.values() if contender is not None]
    return present, [name for name, contender in candidates.items() if contender is None]


# Tables


def timing_row(contender: Contender, yardsticks: dict[int, float]) -> list[str]:
    return [
        contender.name,
        f"{contender.median:.3f}",
        f"{contender.fastest:.3f} to {contender.slowest:.3f}",
        f"{contender.median / yardsticks[contender.threads]:.2f}",
        f"{contender.peak_mib:.1f}",
    ]


def shell_row(contenders: list[Contender], yardstick: float) -> list[list[str]]:
    """The time of two common tools to collect the data of one walk of the linter."""
    pair = [contender for contender in contenders if contender.name in ("find -printf", "getfattr -R")]
    if len(pair) < 2:
        return []
    median = sum(contender.median for contender in pair)
    return [["find -printf, then getfattr -R", f"{median:.3f}", "", f"{median / yardstick:.2f}", ""]]


def lint_section(tools: Tools, work: Path, files: int, rounds: int) -> str:
    contenders, absent = all_contenders(tools, make_tree(tools, work, files))
    measure_interleaved(tools, contenders, rounds)
    yardsticks = {c.threads: c.median for c in contenders if c.name.startswith("C walker")}
    rows = [timing_row(contender, yardsticks) for contender in contenders]
    rows += shell_row(contenders, yardsticks[1])
    head = ["contender", "median s", "spread s", "× C walker", "peak MiB"]
    lines = [f"### {files:,} files, warm, {rounds} rounds", "", table(head, rows)]
    if absent:
        lines += ["", f"Not measured, because missing: {'; '.join(absent)}."]
    return "\n".join(lines)


def half_section(tools: Tools, work: Path, rounds: int) -> str:
    """The limit is a C program that walks the same and reads the start of the same files."""
    tree = make_half_tree(work, HALF_FILES)
    contenders = [half_walker(tools, tree, threads) for threads in (1, 2)]
    contenders += [one for one in (linter(tools, tree, threads) for threads in (1, 2)) if one is not None]
    measure_interleaved(tools, contenders, rounds)
    yardsticks = {c.threads: c.median for c in contenders if c.name.startswith("C walker")}
    head = ["contender", "median s", "spread s", "× C walker", "peak MiB"]
    title = f"### {HALF_FILES:,} files, every second one opened, warm, {rounds} rounds"
    return "\n".join([title, "", table(head, [timing_row(contender, yardsticks) for contender in contenders])])


def half_walker(tools: Tools, tree: Path, threads: int) -> Contender:
    command = [tools.path("walker"), "-j", str(threads), "-r", READ_SUFFIX, str(tree)]
    return Contender(f"C walker that opens, -j {threads}", command, threads)


def start_up_section(tools: Tools, rounds: int) -> str:
    hello = Contender("hello --version", [tools.path("hello"), "--version"])
    if tools.sandboxlint is None:
        return "### Start-up\n\nNot measured, because missing: sandboxlint."
    contenders = [hello, Contender("sandboxlint --version", [str(tools.sandboxlint), "--version"])]
    measure_interleaved(tools, contenders, rounds)
    rows = [
        [c.name, f"{c.median * 1000:.2f}", f"{c.fastest * 1000:.2f} to {c.slowest * 1000:.2f}",
         f"{c.median / hello.median:.2f}", f"{c.peak_mib:.1f}"]
        for c in contenders
    ]
    head = ["contender", "median ms", "spread ms", "× hello", "peak MiB"]
    return "\n".join([f"### Start-up, {rounds} rounds", "", table(head, rows)])


def growth_section(tools: Tools, work: Path, rounds: int) -> str:
    pairs = [growth_pair(tools, work, threads) for threads in (1, 2)]
    contenders = [contender for pair in pairs for runners in pair for contender in runners]
    measure_interleaved(tools, contenders, rounds)
    rows = [
        [small.name, f"{small.median:.3f}", f"{large.median:.3f}", f"{large.median / small.median:.2f}",
         f"{large.peak_mib:.1f}"]
        for pair in pairs for small, large in pair
    ]
    head = ["contender", *(f"{files:,} files, s" for files in GROWTH_FILES), "growth", "peak MiB"]
    lines = [f"### Growth, {rounds} rounds", "", table(head, rows)]
    if tools.sandboxlint is None:
        lines += ["", "Not measured, because missing: sandboxlint."]
    return "\n".join(lines)


def growth_pair(tools: Tools, work: Path, threads: int) -> list[tuple[Contender, Contender]]:
    """The walker and the linter, for the small and the large tree."""
    small, large = (make_tree(tools, work, files) for files in GROWTH_FILES)
    pairs = [(make(tools, small, threads), make(tools, large, threads)) for make in (walker, linter)]
    return [(one, other) for one, other in pairs if one is not None and other is not None]
