"""Running programs, and measuring their time and memory."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


class BenchError(Exception):
    """An error for the user, in one line."""


@dataclass(frozen=True)
class Run:
    seconds: float
    peak_kib: int


@dataclass
class Contender:
    name: str
    command: list[str]
    threads: int = 1
    runs: list[Run] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(run.seconds for run in self.runs)

    @property
    def fastest(self) -> float:
        return min(run.seconds for run in self.runs)

    @property
    def slowest(self) -> float:
        return max(run.seconds for run in self.runs)

    @property
    def peak_mib(self) -> float:
        return max(run.peak_kib for run in self.runs) / 1024


@dataclass(frozen=True)
class Tools:
    """The built programs of this package, and the measured tool."""

    folder: Path
    sandboxlint: Path | None

    def path(self, name: str) -> str:
        return str(self.folder / name)


def checked(command: list[str], name: str | None = None) -> str:
    """The standard output of a command, which must succeed."""
    name = name or Path(command[0]).name
    try:
        # In a separate session, an interrupted run can end the processes of its child and no others.
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", start_new_session=True,
        )
    except OSError as error:
        raise BenchError(f"{name}: {error.strerror}") from error
    with child:
        try:
            output, errors = child.communicate()
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
    if child.returncode != 0:
        said = (errors.strip() or output.strip())[-2000:]
        raise BenchError(f"{name} exited with {child.returncode}: {said}")
    return output


def measured(tools: Tools, command: list[str]) -> Run:
    output = checked([tools.path("measure"), *command], Path(command[0]).name)
    nanoseconds, peak_kib = (int(word) for word in output.split())
    return Run(nanoseconds / 1e9, peak_kib)


def measure_interleaved(tools: Tools, contenders: list[Contender], rounds: int) -> None:
    """Runs the programs in turn, so that a disturbance affects all of them."""
    for contender in contenders:
        progress(f"warming up: {contender.name}")
        measured(tools, contender.command)
    for number in range(1, rounds + 1):
        progress(f"round {number} of {rounds}")
        for contender in contenders:
            contender.runs.append(measured(tools, contender.command))


def progress(message: str) -> None:
    print(f"bench: {message}", file=sys.stderr, flush=True)
