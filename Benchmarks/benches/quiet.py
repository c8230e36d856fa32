"""Waiting for an idle machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

# The share of processor time that is idle and does not wait for a disk.
ENOUGH_IDLE = 0.93
SAMPLE_SECONDS = 2


@dataclass
class Quiet:
    """The maximum wait before a round, and the number of rounds that were measured on a busy machine."""

    patience: float
    rounds: int = 0
    busy_rounds: int = 0

    def wait(self) -> None:
        self.rounds += 1
        deadline = time.monotonic() + self.patience
        while self.patience and idle_share() < ENOUGH_IDLE:
            if time.monotonic() > deadline:
                self.busy_rounds += 1
                return

    @property
    def note(self) -> str:
        if not self.patience:
            return "No round waited for the machine to be quiet."
        return f"Each round waited for the machine to be quiet; {self.busy_rounds} of {self.rounds} did so in vain."


def idle_share() -> float:
    before = processor_times()
    time.sleep(SAMPLE_SECONDS)
    after = processor_times()
    idle, all_of_it = (late - early for late, early in zip(after, before, strict=True))
    return idle / all_of_it if all_of_it else 1.0


def processor_times() -> tuple[int, int]:
    """The idle time and the total time of all processors. Source: proc(5), /proc/stat."""
    times = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return times[3], sum(times)
