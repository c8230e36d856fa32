"""Durable saves of 4 KiB, of a batch and of 1 GiB, each compared with programs that do the same work."""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benches import places
from benches.places import Place
from benches.quiet import Quiet
from benches.reporting import table
from benches.running import BenchError, Contender, Tools, checked, measured, progress

SAVES = 500
BATCH_SAVES = 1_000
# Each save starts a process, which takes longer than the save.
DD_SAVES = 25
CONTENT = b"n" * 4096
MODE = 0o640
# The backup exclusion as macOS writes it (a property list with "com.apple.backupd"), and another attribute.
ATTRIBUTES = {
    "user.com.apple.metadata:com_apple_backup_excludeItem": (
        b"bplist00\x5f\x10\x11com.apple.backupd"
        + bytes.fromhex("08" + "00" * 6 + "0101" + "00" * 7 + "01" + "00" * 15 + "1c")
    ),
    "user.com.example.note": b"kept",
}
STREAM_BYTES = 1 << 30
LOG_BYTES = 32 << 20
APPENDS = 500
STREAM_FREE = 4 << 30


@dataclass(frozen=True)
class Conditions:
    """The common part of all sections."""

    tools: Tools
    work: Path
    rounds: int
    quiet: Quiet

    def turns(self) -> Iterator[bool]:
        """The rounds, and whether they count: the first one is a warm-up."""
        progress("warming up")
        yield False
        for number in range(1, self.rounds + 1):
            self.quiet.wait()
            progress(f"round {number} of {self.rounds}")
            yield True


@dataclass
class Saver:
    """One way to save, with the seconds per save of each round."""

    name: str
    level: str
    save: Callable[[Path], float]
    count: int = SAVES
    # Such a way to save must preserve attributes and mode.
    must_carry: bool = False
    carried: bool = True
    rounds: list[float] = field(default_factory=list)

    def times(self, yardstick: Saver) -> float:
        """The median of the ratios of single rounds, in which both programs find the disk in the same state."""
        return statistics.median(mine / its for mine, its in zip(self.rounds, yardstick.rounds, strict=True))

    def columns(self, yardstick: Saver) -> list[str]:
        microseconds = [seconds * 1e6 for seconds in self.rounds]
        return [
            f"{statistics.median(microseconds):.0f}",
            f"{min(microseconds):.0f} to {max(microseconds):.0f}",
            f"{self.times(yardstick):.2f}",
        ]


# Rounds


def prepare(container: Path, old_files: int) -> None:
    """A container with this number of files to replace, flushed to disk before the saves."""
    documents = container / "Documents"
    shutil.rmtree(container, ignore_errors=True)
    documents.mkdir(parents=True)
    for number in range(old_files):
        file = documents / str(number)
        file.write_bytes(b"o" * len(CONTENT))
        for name, value in ATTRIBUTES.items():
            os.setxattr(file, name, value)
        file.chmod(MODE)
    os.sync()


def is_carried(file: Path) -> bool:
    try:
        attributes = {name: os.getxattr(file, name) for name in os.listxattr(file)}
    except OSError:
        return False
    return ATTRIBUTES.items() <= attributes.items() and file.stat().st_mode & 0o7777 == MODE


def examine(saver: Saver, container: Path, replacing: bool) -> None:
    """Checks that each file was saved with its metadata."""
    files = sorted((container / "Documents").iterdir())
    if len(files) != saver.count or any(file.read_bytes() != CONTENT for file in files):
        raise BenchError(f"{saver.name}, {saver.level}: not all that was to be saved is there")
    if replacing:
        saver.carried = all(map(is_carried, files))
        if saver.must_carry and not saver.carried:
            raise BenchError(f"{saver.name}, {saver.level}: attributes or mode were lost")


def take_turns(savers: list[Saver], container: Path, conditions: Conditions, replacing: bool) -> None:
    for counts in conditions.turns():
        for saver in savers:
            prepare(container, saver.count if replacing else 0)
            seconds = saver.save(container)
            examine(saver, container, replacing)
            if counts:
                saver.rounds.append(seconds)
    shutil.rmtree(container)


# Ways to save


def told(command: list[str]) -> Callable[[Path], float]:
    """Saves with a program that prints the time per save."""
    return lambda container: float(checked([*command, str(container)])) / 1e9


def by_container(tools: Tools, level: str, count: int = SAVES) -> Saver:
    command = [tools.path("save-bench"), "one", level, str(count)]
    return Saver("AppContainer", level, told(command), count, must_carry=True)


def by_c(tools: Tools, level: str) -> Saver:
    return Saver("C", level, told([tools.path("save-c"), level, str(SAVES)]), must_carry=True)


def by_foundation(tools: Tools) -> Saver:
    return Saver("Foundation, .atomic", "file", told([tools.path("save-bench"), "foundation", str(SAVES)]))


def by_atomicwrites(work: Path) -> Saver | None:
    python = work / "python" / "bin" / "python3"
    script = Path(__file__).resolve().parents[1] / "Sources" / "save-python" / "main.py"
    if not python.exists():
        return None
    return Saver("Python, atomicwrites", "full", told([str(python), str(script), str(SAVES)]))


def by_dd(tools: Tools, work: Path) -> Saver:
    source = work / "content"

    def save(container: Path) -> float:
        source.write_bytes(CONTENT)
        options = [f"if={source}", "bs=4k", "conv=fsync", "status=none"]
        runs = [measured(tools, ["dd", *options, f"of={container}/Documents/{n}"]) for n in range(DD_SAVES)]
        return statistics.mean(run.seconds for run in runs)

    return Saver("dd conv=fsync, in place, a process a save", "file", save, DD_SAVES)


# Tables


def one_section(conditions: Conditions, place: Place, replacing: bool) -> str:
    tools, work = conditions.tools, conditions.work
    levels = ["full", "file", "none"] if replacing else ["full"]
    yardsticks = {level: by_c(tools, level) for level in levels}
    savers = [saver for level in levels for saver in (yardsticks[level], by_container(tools, level))]
    others = [by_atomicwrites(work), by_foundation(tools), by_dd(tools, work)]
    savers += [saver for saver in others if saver is not None]
    if "file" not in yardsticks:
        savers.insert(2, yardsticks.setdefault("file", by_c(tools, "file")))
    take_turns(savers, place.folder / "container", conditions, replacing)

    what = "replacing a file" if replacing else "as a new file"
    head = ["contender", "level", "median µs", "spread µs", "× C, same level"]
    rows = [[saver.name, saver.level, *saver.columns(yardsticks[saver.level])] for saver in savers]
    if replacing:
        head.append("attributes and mode")
        for row, saver in zip(rows, savers, strict=True):
            row.append("kept" if saver.carried else "lost")
    title = f"### One save of 4 KiB {what}, {SAVES} a round, {conditions.rounds} rounds; {place.file_system}"
    lines = [title, "", table(head, rows)]
    if others[0] is None:
        lines += ["", "Not measured, because missing: Python's atomicwrites."]
    return "\n".join(lines)


def batch_section(conditions: Conditions, place: Place) -> str:
    tools = conditions.tools
    rows = []
    for replacing in (True, False):
        single = by_container(tools, "full", BATCH_SAVES)
        command = [tools.path("save-bench"), "batch", str(BATCH_SAVES)]
        batch = Saver("AppContainer, batch", "full", told(command), BATCH_SAVES, must_carry=True)
        take_turns([single, batch], place.folder / "container", conditions, replacing)
        what = "replacing files" if replacing else "new files"
        rows += [[f"one by one, {what}", *single.columns(single)], [f"a batch, {what}", *batch.columns(single)]]
    head = ["contender", "median µs a save", "spread µs", "× one by one"]
    title = f"### {BATCH_SAVES:,} saves of 4 KiB at .full, {conditions.rounds} rounds; {place.file_system}"
    return "\n".join([title, "", table(head, rows)])


def append_section(conditions: Conditions, place: Place) -> str:
    tools, container = conditions.tools, place.folder / "container"
    yardstick = Saver("C, write and fdatasync", "file", told([tools.path("save-c"), "append", str(APPENDS)]))
    appender = Saver("AppContainer, Appender", "file", told([tools.path("save-bench"), "append", str(APPENDS)]))
    log = container / "Documents" / "log"
    for counts in conditions.turns():
        for saver in (yardstick, appender):
            prepare(container, 0)
            log.write_bytes((b"o" * 99 + b"\n") * (LOG_BYTES // 100))
            size = log.stat().st_size
            os.sync()
            seconds = saver.save(container)
            if log.stat().st_size != size + 100 * APPENDS:
                raise BenchError(f"{saver.name}: not all lines are in the log")
            if counts:
                saver.rounds.append(seconds)
    shutil.rmtree(container)
    rows = [[saver.name, *saver.columns(yardstick)] for saver in (yardstick, appender)]
    title = (
        f"### A line of 100 bytes at the end of a log of 32 MiB, {APPENDS} a round, {conditions.rounds} rounds; "
        f"{place.file_system}"
    )
    return "\n".join([title, "", table(["contender", "median µs", "spread µs", "× C"], rows)])


def stream_section(conditions: Conditions, place: Place) -> str:
    tools = conditions.tools
    title = f"### One save of 1 GiB at .full, {conditions.rounds} rounds; {place.file_system}"
    if place.free < STREAM_FREE:
        return f"{title}\n\nNot measured: the disk has {place.free / 2**30:.1f} GiB free, and 4 are asked for."
    container = place.folder / "container"
    film = container / "Documents" / "film"
    arguments = ["if=/dev/zero", f"of={film}", "bs=1M", f"count={STREAM_BYTES >> 20}", "conv=fsync", "status=none"]
    dd = Contender("dd conv=fsync bs=1M", ["dd", *arguments])
    writer = Contender("AppContainer, Writer", [tools.path("save-bench"), "stream", str(STREAM_BYTES), str(container)])
    bare = Contender("the same program, opening the container only", [tools.path("save-bench"), "open", str(container)])
    for counts in conditions.turns():
        for contender in (dd, writer, bare):
            # The host of a virtual machine reclaims idle memory, which slows down the first program. Therefore the same
            # amount is written before each of them.
            prepare(container, 0)
            checked(dd.command)
            prepare(container, 0)
            run = measured(tools, contender.command)
            if contender is not bare and (not film.is_file() or film.stat().st_size != STREAM_BYTES):
                raise BenchError(f"{contender.name}: the file is not there, or not whole")
            if counts:
                contender.runs.append(run)
    shutil.rmtree(container)
    rows = [
        [c.name, f"{c.median:.3f}", f"{c.fastest:.3f} to {c.slowest:.3f}", ratio_of_rounds(c, dd), f"{c.peak_mib:.1f}"]
        for c in (dd, writer, bare)
    ]
    return "\n".join([title, "", table(["contender", "median s", "spread s", "× dd", "peak MiB"], rows)])


def ratio_of_rounds(contender: Contender, yardstick: Contender) -> str:
    pairs = zip(contender.runs, yardstick.runs, strict=True)
    return f"{statistics.median(mine.seconds / its.seconds for mine, its in pairs):.2f}"


def save_sections(tools: Tools, work: Path, rounds: int, patience: float) -> list[str]:
    conditions = Conditions(tools, work, rounds, Quiet(patience))
    sections = []
    with ExitStack() as stack:
        here = [stack.enter_context(places.folder_of(work))]
        if places.may_mount():
            here.append(stack.enter_context(places.mounted_image(work)))
        for place in here:
            for replacing in (True, False):
                progress(f"saves of 4 KiB, {place.file_system}")
                sections.append(one_section(conditions, place, replacing))
            progress(f"batches, {place.file_system}")
            sections.append(batch_section(conditions, place))
            progress(f"lines of a log, {place.file_system}")
            sections.append(append_section(conditions, place))
        progress(f"a save of 1 GiB, {here[0].file_system}")
        sections.append(stream_section(conditions, here[0]))
    if not places.may_mount():
        sections.append("Not measured on an ext4 of its own: that takes root and mkfs.ext4.")
    return [conditions.quiet.note, *sections]
