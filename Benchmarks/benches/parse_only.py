"""What must be parsed of the tree, by C and for nothing: XML by expat, the stores' texts by SQLite.

Less than a linter does (no value is kept, no binary list or archive is read), so it is a floor and no rival.
"""

from __future__ import annotations

import sqlite3
import sys
import xml.parsers.expat
from pathlib import Path


def parse(tree: Path) -> None:
    for path in tree.rglob("*"):
        if path.suffix == ".plist":
            content = path.read_bytes()
            if content.startswith(b"<?xml"):
                xml.parsers.expat.ParserCreate().Parse(content, True)
        elif path.suffix == ".sqlite":
            store = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
            store.execute("SELECT sum(length(title || body)) FROM note").fetchall()
            store.close()


if __name__ == "__main__":
    parse(Path(sys.argv[1]))
