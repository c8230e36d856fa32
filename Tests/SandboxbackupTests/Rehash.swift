import Foundation

/// Updates all hashes of a catalogue according to FORMAT.md, as an attacker could.
func rehash(_ store: String) throws {
    let code = #"""
        import hashlib, sqlite3, sys
        sys.setrecursionlimit(5000)
        db = sqlite3.connect(sys.argv[1] + "/catalogue.sqlite")
        def number(value): return value.to_bytes(8, "big", signed=True)
        def text(value):
            if isinstance(value, str): value = value.encode()
            return number(-1) if value is None else number(len(value)) + value
        def known(table, id):
            return None if id is None else db.execute(f"SELECT sha256 FROM {table} WHERE id = ?", [id]).fetchone()[0]
        def set_hash(table, id, content):
            db.execute(f"UPDATE {table} SET sha256 = ? WHERE id = ?", [hashlib.sha256(content).digest(), id])
        has_labels = db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'label'").fetchone()[0]
        def ids(table): return [id for id, in db.execute(f"SELECT id FROM {table}").fetchall()]
        for id in ids("attributes"):
            rows = db.execute("SELECT name, value FROM attribute WHERE attributes = ? ORDER BY name", [id]).fetchall()
            set_hash("attributes", id, b"".join(text(name) + text(value) for name, value in rows))
        done = set()
        def directory(id):
            if id in done: return
            done.add(id)
            content = b""
            for name, *numbers, object, child, target, attributes in db.execute('''
                SELECT name, kind, mode, user, "group", size, modified, modified_ns, changed, changed_ns, inode, links,
                state, object, child, target, attributes FROM entry WHERE directory = ? ORDER BY name''', [id]).fetchall():
                if child is not None: directory(child)
                content += text(name) + b"".join(map(number, numbers)) + text(known("object", object))
                content += text(known("directory", child)) + text(target) + text(known("attributes", attributes))
            set_hash("directory", id, content)
        for id in ids("directory"): directory(id)
        for id, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions in db.execute(
            "SELECT id, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions FROM snapshot").fetchall():
            fields = [str(taken), str(taken_ns), bundle or "", kind, view, known("directory", tree), str(files), str(bytes)]
            fields.append(known("exclusions", exclusions) or "")
            for incident in db.execute("SELECT path, reason FROM incident WHERE snapshot = ? ORDER BY path", [id]):
                fields += incident
            order = ["host", "source", "tag"]
            labels = db.execute("SELECT name, value FROM label WHERE snapshot = ?", [id]).fetchall() if has_labels else []
            if labels: fields += ["", str(len(labels))]
            for label in sorted(labels, key=lambda label: (order.index(label[0]), label[1].encode())): fields += label
            set_hash("snapshot", id, b"".join(map(text, fields)))
        db.commit()
        """#
    _ = try python(code, store, in: URL(fileURLWithPath: store))
}
