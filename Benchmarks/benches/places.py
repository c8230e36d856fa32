"""The file systems on which saves are measured."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benches.running import BenchError, checked

IMAGE_BYTES = 2 << 30


@dataclass(frozen=True)
class Place:
    folder: Path
    file_system: str

    @property
    def free(self) -> int:
        return shutil.disk_usage(self.folder).free


@contextmanager
def folder_of(work: Path) -> Iterator[Place]:
    folder = work / "saves"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield Place(folder, file_system_of(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def may_mount() -> bool:
    return os.geteuid() == 0 and shutil.which("mkfs.ext4") is not None


@contextmanager
def mounted_image(work: Path) -> Iterator[Place]:
    """An ext4 with default settings and a journal, in an image file beside the other directory."""
    image, folder = work / "saves.img", work / "saves-mounted"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        image.unlink(missing_ok=True)
        with image.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, IMAGE_BYTES)
        checked(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", str(image)])
        checked(["mount", "-o", "loop", str(image), str(folder)])
        try:
            yield Place(folder, f"{file_system_of(folder)}, in a file that is mounted")
        finally:
            checked(["umount", str(folder)])
    finally:
        image.unlink(missing_ok=True)
        folder.rmdir()


def file_system_of(folder: Path) -> str:
    kind, device = mount_of(folder)
    if kind in ("tmpfs", "ramfs"):
        raise BenchError(f"{folder} lies in memory ({kind}): give --work a folder on a disk")
    if kind == "ext4":
        # Each journal has a directory there: vda-8, loop0-8.
        journals = Path("/proc/fs/jbd2")
        names = os.listdir(journals) if journals.is_dir() else []
        has_one = any(name.startswith(f"{Path(device).name}-") for name in names)
        return f"ext4 with{'' if has_one else 'out'} a journal"
    return kind


def mount_of(folder: Path) -> tuple[str, str]:
    """The kind and the device of the file system of a directory."""
    number = os.stat(folder).st_dev
    wanted = f"{os.major(number)}:{os.minor(number)}"
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if before.split()[2] == wanted:
            kind, device = after.split()[:2]
            return kind, device
    return "unknown", ""
