"""Linting of files with content, compared with `cat` of the same bytes."""

from __future__ import annotations

import datetime
import plistlib
import random
import sqlite3
import sys
from pathlib import Path
from plistlib import UID

from benches.lint import kept_tree, linter
from benches.reporting import table
from benches.running import Contender, Tools, measure_interleaved

SEED = 1
# Trees of different versions are not comparable. Increase this number with each change.
LAYOUT = 1
LISTS, STORES, ARCHIVES = 2_000, 500, 500
# The average size of each kind in bytes: 2 GB in total.
LIST, STORE, ARCHIVE = 250_000, 2_000_000, 1_000_000
WORDS = "tide harbour lantern meadow ledger violin copper window thistle orbit saffron pebble".split()
DAY = datetime.datetime(2026, 1, 1)


def words(source: random.Random, count: int) -> str:
    return " ".join(source.choices(WORDS, k=count))


def list_of(source: random.Random, size: int) -> dict[str, object]:
    """Settings and records with approximately the given size."""
    rows = [
        {
            "title": words(source, 6), "note": words(source, 30), "count": source.randrange(1 << 40),
            "rating": source.random(), "done": source.random() < 0.5,
            "changed": DAY - datetime.timedelta(seconds=source.randrange(1 << 25)), "cover": source.randbytes(400),
        }
        for _ in range(max(1, size // 900))
    ]
    return {"version": 3, "rows": rows}


def write_store(path: Path, source: random.Random, size: int) -> None:
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT, image BLOB)")
    rows = ((words(source, 5), words(source, 60), source.randbytes(1_500)) for _ in range(size // 2_100))
    store.executemany("INSERT INTO note(title, body, image) VALUES(?, ?, ?)", rows)
    store.commit()
    store.close()


def archive_of(source: random.Random, size: int) -> dict[str, object]:
    """A keyed archive: an array of dictionaries, in the layout of Foundation."""
    objects: list[object] = ["$null", {}, {"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]}]
    objects.append({"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]})
    keys = [UID(len(objects)), UID(len(objects) + 1)]
    objects += ["title", "image"]
    members = []
    for _ in range(size // 1_700):
        values = [UID(len(objects)), UID(len(objects) + 1)]
        objects += [words(source, 12), source.randbytes(1_500)]
        members.append(UID(len(objects)))
        objects.append({"$class": UID(3), "NS.keys": keys, "NS.objects": values})
    objects[1] = {"$class": UID(2), "NS.objects": members}
    return {"$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": {"root": UID(1)}, "$objects": objects}


def fill(tree: Path) -> None:
    source = random.Random(SEED)
    support = tree / "Library/Application Support/com.example.bench"
    folders = [tree / "Documents", support, tree / "Library/Caches/com.example.bench"]
    for folder in [*folders, tree / "Library/Preferences", tree / "tmp"]:
        folder.mkdir(parents=True, exist_ok=True)

    def size(average: int) -> int:
        return source.randrange(average // 2, average * 3 // 2)

    for number in range(LISTS):
        form = plistlib.FMT_BINARY if number % 2 else plistlib.FMT_XML
        path = folders[number % 3] / f"list-{number}.plist"
        path.write_bytes(plistlib.dumps(list_of(source, size(LIST)), fmt=form))
    for number in range(STORES):
        write_store(folders[number % 3] / f"store-{number}.sqlite", source, size(STORE))
    for number in range(ARCHIVES):
        path = folders[number % 3] / f"graph-{number}.archive"
        path.write_bytes(plistlib.dumps(archive_of(source, size(ARCHIVE)), fmt=plistlib.FMT_BINARY))


def make_content(work: Path) -> Path:
    parameters = {"seed": SEED, "layout": LAYOUT, "lists": LISTS, "stores": STORES, "archives": ARCHIVES}
    return kept_tree(work / "contents", parameters, fill)


def content_section(tools: Tools, work: Path, rounds: int) -> str:
    tree = make_content(work)
    files = sorted(str(path) for path in tree.rglob("*") if path.is_file())
    size = sum(Path(path).stat().st_size for path in files)
    cat = Contender("cat", ["cat", *files])
    parse_only = [sys.executable, str(Path(__file__).with_name("parse_only.py")), str(tree)]
    floor = Contender("expat and SQLite alone", parse_only)
    contenders = [cat, floor, *(found for threads in (1, 2) if (found := linter(tools, tree, threads)))]
    measure_interleaved(tools, contenders, rounds)
    rows = [
        [c.name, f"{c.median:.3f}", f"{c.fastest:.3f} to {c.slowest:.3f}", f"{c.median / cat.median:.2f}",
         f"{c.peak_mib:.1f}"]
        for c in contenders
    ]
    title = (
        f"### {LISTS:,} property lists, {STORES} stores, {ARCHIVES} archives: {size / 1e9:.2f} GB, warm, {rounds} rounds"
    )
    return "\n".join([title, "", table(["contender", "median s", "spread s", "× cat", "peak MiB"], rows)])
