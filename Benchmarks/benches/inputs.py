"""Inputs that are not directories: the manifest of a device backup, compared with sqlite3, and a zip, compared with bsdtar."""

from __future__ import annotations

import hashlib
import os
import plistlib
import random
import shutil
import sqlite3
import zipfile
from pathlib import Path

from benches.lint import installed
from benches.reporting import table
from benches.running import BenchError, Contender, Tools, measure_interleaved, progress

ROWS = 1_310_000
APPS = 1_000
ZIP_BYTES = 2 << 30
ZIPPED_FILES = 2_000
COLUMNS = "fileID, domain, relativePath, flags, file"


def record(path: str, number: int) -> bytes:
    """The record of a file of `number` bytes, as iOS stores it: a keyed archive."""
    objects: list[object] = [
        "$null",
        {
            "Birth": 1_600_000_000, "GroupID": 501, "InodeNumber": 4711 + number, "LastModified": 1_700_000_000,
            "LastStatusChange": 1_700_000_001, "Mode": 0o100644, "ProtectionClass": 3, "RelativePath": plistlib.UID(2),
            "Size": number, "UserID": 501, "Flags": 0, "$class": plistlib.UID(3),
        },
        path,
        {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]},
    ]
    if number % 16 == 0:
        objects[1]["ExtendedAttributes"] = plistlib.UID(4)
        objects.append(plistlib.dumps({"com.example.note": b"text"}, fmt=plistlib.FMT_BINARY))
    archive = {
        "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": {"root": plistlib.UID(1)}, "$objects": objects,
    }
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)


def make_backup(work: Path, rows: int) -> Path:
    """A backup without payloads."""
    backup = work / f"manifest-{rows}"
    if (backup / "Status.plist").exists():
        return backup
    shutil.rmtree(backup, ignore_errors=True)
    backup.mkdir(parents=True)
    progress(f"making a manifest of {rows:,} rows")
    database = sqlite3.connect(backup / "Manifest.db")
    with database:
        database.execute(
            "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)")
        for number in range(rows):
            domain = f"AppDomain-com.example.app{number % APPS}"
            path = f"Documents/folder {number // APPS}/a document with a name {number}.txt"
            identifier = hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()
            database.execute(
                "INSERT INTO Files VALUES (?, ?, ?, 1, ?)", (identifier, domain, path, record(path, number)))
        database.execute("CREATE INDEX FilesDomainIdx ON Files(domain)")
        database.execute("CREATE INDEX FilesRelativePathIdx ON Files(relativePath)")
        database.execute("CREATE INDEX FilesFlagsIdx ON Files(flags)")
    database.close()
    (backup / "Manifest.plist").write_bytes(plistlib.dumps({"IsEncrypted": False, "Version": "10.0"}))
    (backup / "Status.plist").write_bytes(plistlib.dumps({"SnapshotState": "finished"}))
    return backup


def make_zip(work: Path, size: int) -> Path:
    """A zip of a container, half of it text that compresses well, half of it random bytes."""
    archive = work / f"container-{size}.zip"
    if archive.exists():
        return archive
    progress(f"making a zip of {size:,} bytes")
    source = random.Random(1)
    words = [source.randbytes(6).hex() for _ in range(4096)]
    part = size // ZIPPED_FILES
    staged = archive.with_suffix(".new")
    with zipfile.ZipFile(staged, "w", zipfile.ZIP_DEFLATED) as output:
        for number in range(ZIPPED_FILES):
            if number % 2:
                content = source.randbytes(part)
            else:
                content = " ".join(source.choices(words, k=part // 13 + 1)).encode()[:part]
            output.writestr(f"app/Documents/{number % 40}/{number}.{'dat' if number % 2 else 'txt'}", content)
    staged.replace(archive)
    return archive


def section(title: str, contenders: list[Contender], peer: Contender) -> str:
    rows = [
        [c.name, f"{c.median:.2f}", f"{c.fastest:.2f} to {c.slowest:.2f}", f"{c.median / peer.median:.2f}",
         f"{c.peak_mib:.1f}"]
        for c in contenders
    ]
    return "\n".join([title, "", table(["contender", "median s", "spread s", f"× {peer.name}", "peak MiB"], rows)])


def manifest_section(tools: Tools, work: Path, sandboxbackup: Path, rounds: int) -> str:
    backup = make_backup(work, ROWS)
    query = f"SELECT {COLUMNS} FROM Files"
    sqlite = installed("sqlite3", ["sqlite3"], [str(backup / "Manifest.db"), query])
    if sqlite is None:
        raise BenchError("sqlite3 is not installed")
    ours = Contender("sandboxbackup import --list", [str(sandboxbackup), "import", str(backup), "--list"])
    measure_interleaved(tools, [sqlite, ours], rounds)
    size = os.path.getsize(backup / "Manifest.db")
    return section(f"### A manifest of {ROWS:,} rows, {size:,} bytes, warm, {rounds} rounds", [sqlite, ours], sqlite)


def zip_section(tools: Tools, work: Path, rounds: int) -> str:
    archive, folder = make_zip(work, ZIP_BYTES), work / "unzipped"
    lint = f"{tools.sandboxlint} lint --fail-on never"
    bsdtar = installed(
        "bsdtar -xf, then lint", ["bsdtar"], [])
    if bsdtar is None:
        raise BenchError("bsdtar is not installed")
    bsdtar.command = [
        "sh", "-ec",
        f"rm -rf {folder}; mkdir {folder}; bsdtar -xf {archive} -C {folder}; {lint} {folder}; rm -rf {folder}"]
    ours = Contender("sandboxlint lint ZIP", [str(tools.sandboxlint), "lint", "--fail-on", "never", "--source-root", "none", str(archive)])
    measure_interleaved(tools, [bsdtar, ours], rounds)
    return section(
        f"### A zip of {ZIP_BYTES >> 30} GiB in {ZIPPED_FILES:,} files, {rounds} rounds", [bsdtar, ours], bsdtar)


def input_section(tools: Tools, work: Path, sandboxbackup: Path, rounds: int) -> str:
    return "\n\n".join(
        [manifest_section(tools, work, sandboxbackup, rounds), zip_section(tools, work, rounds)])
