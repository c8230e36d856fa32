"""save-python COUNT CONTAINER: saves 4 KiB as Documents/0, Documents/1, … by atomicwrites, each once, and prints
nanoseconds a save."""

import os
import sys
import time

from atomicwrites import atomic_write


def main() -> None:
    count, container = int(sys.argv[1]), sys.argv[2]
    content = b"n" * 4096
    began = time.monotonic_ns()
    for number in range(count):
        with atomic_write(os.path.join(container, "Documents", str(number)), mode="wb", overwrite=True) as file:
            file.write(content)
    print((time.monotonic_ns() - began) // count)


main()
