"""Backups of a container, compared with other backup tools.

The container is that of many small files: 20,000 of JSON by default, eight of 16 MiB that do not compress, and 2,000 of
caches that no backup takes. Each round begins with an empty store.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from pathlib import Path
from statistics import median

from benches.lint import kept_tree
from benches.reporting import table
from benches.running import Run, Tools, checked, measured, progress

SEED = 1
# Trees of different versions are not comparable. Increase this number with each change.
LAYOUT = 1
BUNDLE = "com.example.bench"
WORDS = "tide harbour lantern meadow ledger violin copper window thistle orbit saffron pebble".split()
STEPS = ["first", "no change", "verify", "restore"]


def fill(tree: Path, files: int) -> None:
    source = random.Random(SEED)
    documents, support = tree / "Documents", tree / "Library/Application Support" / BUNDLE
    caches = tree / "Library/Caches"
    for folder in [documents, support, caches, tree / "tmp"]:
        folder.mkdir(parents=True)
    for number in range(files):
        folder = documents / f"{number % max(1, files // 100):05}"
        folder.mkdir(exist_ok=True)
        rows = [
            {"id": source.getrandbits(64), "title": " ".join(source.choices(WORDS, k=6)),
             "note": " ".join(source.choices(WORDS, k=12)), "mark": source.randbytes(60).hex()}
            for _ in range(source.randrange(8, 50))
        ]
        (folder / f"{number}.json").write_text(json.dumps(rows))
    for number in range(8):
        (support / f"{number}.bin").write_bytes(source.randbytes(16 << 20))
    for number in range(2_000):
        (caches / str(number)).write_bytes(source.randbytes(1_000))


def make_backup_tree(work: Path, files: int) -> Path:
    parameters = {"files": files, "seed": SEED, "layout": LAYOUT}
    return kept_tree(work / f"backup-{files}", parameters, lambda tree: fill(tree, files))


def read_all(tree: Path) -> None:
    for path in tree.rglob("*"):
        if path.is_file():
            path.read_bytes()


class Way:
    """A tool: its command for an empty repository, and for each step. A step that it does not support is None."""

    def __init__(
        self, name: str, place: Path, prepare: list[str] | None, commands: list[list[str] | None]
    ) -> None:
        self.name, self.place, self.prepare, self.commands = name, place, prepare, commands
        self.runs: dict[str, list[Run]] = {step: [] for step in STEPS}
        self.kib = 0


def ways(tool: Path, tree: Path, work: Path) -> list[Way]:
    return [way(tool, tree, work / name, name) for name in ["sandboxbackup", "restic", "borg", "rsync", "tar", "engine"]]


def way(tool: Path, tree: Path, place: Path, name: str) -> Way:
    store, out = place / "store", str(place / "out")
    left_out = [f"{tree}/Library/Caches", f"{tree}/tmp"]
    excluded = [word for path in left_out for word in ("--exclude", path)]
    match name:
        case "sandboxbackup":
            create = [str(tool), "create", str(tree), "--bundle-id", BUNDLE, "--repository", str(store)]
            return Way(name, place, None, [
                create, create, [str(tool), "verify", "--repository", str(store)],
                [str(tool), "restore", "latest", "--repository", str(store), "--to", out]])
        case "restic":
            restic = ["env", "RESTIC_PASSWORD=x", f"XDG_CACHE_HOME={place}/cache", "restic", "-q", "-r", str(store)]
            backup = [*restic, "backup", *excluded, str(tree)]
            return Way(name, place, [*restic, "init", "--repository-version", "2"], [
                backup, backup, [*restic, "check", "--read-data"], [*restic, "restore", "latest", "--target", out]])
        case "borg":
            borg = ["env", f"BORG_BASE_DIR={place}/cache", "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes", "borg"]
            create = [*borg, "create", "-C", "zstd", *excluded]
            extract = ["sh", "-c", f'mkdir -p "{out}" && cd "{out}" && exec "$@"', "sh", *borg, "extract"]
            return Way(name, place, [*borg, "init", "-e", "none", str(store)], [
                [*create, f"{store}::first", str(tree)], [*create, f"{store}::second", str(tree)],
                [*borg, "check", "--verify-data", str(store)], [*extract, f"{store}::first"]])
        case "rsync":
            rsync = ["rsync", "-aHAX", "--exclude", "/Library/Caches", "--exclude", "/tmp", f"{tree}/", f"{store}/"]
            return Way(name, place, None, [
                rsync, rsync, [*rsync[:1], "-nc", *rsync[1:]], ["rsync", "-aHAX", f"{store}/", f"{out}/"]])
        case "engine":
            access = ["env", "RESTIC_PASSWORD=x", f"RESTIC_CACHE_DIR={place}/cache"]
            create = [*access, str(tool), "create", str(tree), "--bundle-id", BUNDLE, "--engine", "restic",
                      "--repository", str(store)]
            prepare = [*access, "restic", "-q", "-r", str(store), "init", "--repository-version", "2"]
            return Way("sandboxbackup, by restic", place, prepare, [create, create, None, None])
        case _:
            kept = 'Documents "Library/Application Support"'
            return Way("tar, zstd -3", place, ["mkdir", str(store)], [
                ["sh", "-c", f'tar --xattrs -C "{tree}" -cf - {kept} | zstd -q -3 -o "{store}/a"'], None, None,
                ["sh", "-c", f'mkdir -p "{out}" && zstd -dcq "{store}/a" | tar --xattrs -C "{out}" -xf -']])


def backup_section(tools: Tools, work: Path, tool: Path, files: int, rounds: int) -> str:
    tree = make_backup_tree(work, files)
    place = work / "backup"
    contenders = ways(tool, tree, place)
    try:
        for number in range(rounds + 1):
            progress(f"round {number} of {rounds}" if number else "warming up")
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            # Without a journal, ext4 skips inodes that were freed in the last 60 seconds one by one, or 300 seconds if
            # that is not on disk yet (recently_deleted in ialloc.c): the first tool would pay for the last round.
            subprocess.run(["sync"], check=True)
            time.sleep(65)
            # The first tool would also pay for memory that the host of a virtual machine has reclaimed.
            for way in contenders[number % len(contenders):] + contenders[: number % len(contenders)]:
                way.place.mkdir()
                # The output of one tool must not be flushed during the run of the next, and evicted caches must not be
                # read again during the run of the first.
                subprocess.run(["sync"], check=True)
                read_all(tree)
                if way.prepare:
                    checked(way.prepare)
                for step, command in zip(STEPS, way.commands):
                    if command is None:
                        continue
                    run = measured(tools, command)
                    if number:
                        way.runs[step].append(run)
                    if step == "first":
                        way.kib = int(checked(["du", "-sk", str(way.place / "store")]).split()[0])
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return "\n".join([f"### A container of {files:,} files, {rounds} rounds", "", report(contenders)])


def report(contenders: list[Way]) -> str:
    rows = []
    for way in contenders:
        cells = [way.name]
        for step in STEPS:
            seconds = [run.seconds for run in way.runs[step]]
            cells.append(f"{median(seconds):.2f} ({min(seconds):.2f} to {max(seconds):.2f})" if seconds else "")
        peaks = [run.peak_kib / 1024 for runs in way.runs.values() for run in runs]
        rows.append([*cells, f"{max(peaks):.0f}", f"{way.kib:,}"])
    mine = contenders[0]
    for other in contenders[1:3]:
        cells = [f"sandboxbackup ÷ {other.name}"]
        for step in STEPS:
            cells.append(f"{ratio(mine, other, step):.2f}")
        rows.append([*cells, "", f"{mine.kib / other.kib:.3f}"])
    head = ["tool", *(f"{step}, s" for step in STEPS), "peak MiB", "store KiB"]
    return table(head, rows)


def ratio(mine: Way, other: Way, step: str) -> float:
    return median(run.seconds for run in mine.runs[step]) / median(run.seconds for run in other.runs[step])
