import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm preview, db query, db export, archive diff, prefs edit and ncdu", .timeLimit(.minutes(60)))
struct ExchangeToolTests {
    private static let database = """
        import sqlite3
        d = sqlite3.connect("c/Documents/l.sqlite")
        d.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title, cover BLOB, price REAL, password TEXT)")
        d.executemany("INSERT INTO book(title, cover, price, password) VALUES (?, ?, ?, ?)", [
            ("a \\"b\\", c", b"\\x00\\xff", 1.5, "hunter2xYz99"), ("", None, None, None), ("two\\nlines \\u00e9", b"", -0.25, ""),
            (None, b"x" * 700000, 1e300, "x"), (" blank ", None, 9007199254740993, None)])
        d.execute("CREATE TABLE empty(x)")
        d.execute("CREATE VIEW titles AS SELECT title FROM book")
        d.execute("CREATE VIRTUAL TABLE words USING fts5(x)")
        d.commit(); d.close()
        """

    @Test("preview prints the titles and lines of several items", .needs(.externalProgram))
    func preview() throws {
        try withContainer { container, folder throws in
            try container.save("{\"token\": \"q8Zr2Lk9Xw4Vb7NmPz6Tc1Hd\"}", to: .documents / "a.json")
            try container.save("hello\n", to: .documents / "b.txt")
            let text = try sandboxfm("preview", "c", "Documents/*", in: folder)
            #expect(
                text.text == """
                    Documents/a.json: JSON, object with 1 key
                      {1 key}
                        token: "<opaque value>"

                    Documents/b.txt: text, ASCII, 1 line
                      hello

                    """, "\(text.errors)")
            let previews = try object("preview", "c", "Documents/b.txt", in: folder)["previews"] as? [NSDictionary]
            #expect(
                previews == [
                    [
                        "path": "Documents/b.txt", "title": "text, ASCII, 1 line",
                        "lines": [["text": "hello", "depth": 0, "style": "plain"]],
                    ]
                ])
            #expect(try sandboxfm("preview", "c", "Documents/none", in: folder).code == 1)
        }
    }

    @Test("A statement that reads is answered within its limits, and no other is run", .needs(.externalProgram))
    func query() throws {
        try withContainer { _, folder throws in
            try Command.setUp("python3", ["-c", Self.database], in: folder)
            let before = try TreeListing(of: folder.appending(path: "c/Documents"))
            func query(_ sql: String, _ more: String...) throws -> Command {
                try sandboxfm(["db", "query", "c", "Documents/l.sqlite", sql] + more, in: folder)
            }
            #expect(
                try query("SELECT count(*) AS n, sum(id) FROM book").text == "n  sum(id)\n5  15\n")
            // The name of the result does not hide the column that a secret comes from.
            for sql in [
                "SELECT password AS p", "SELECT substr(password, 1) AS p", "SELECT p FROM (SELECT password || '' AS p",
            ] {
                let run = try query(sql + (sql.contains("(SELECT") ? " FROM book) LIMIT 1" : " FROM book LIMIT 1"))
                #expect(run.text == "p\n<password>\n", "\(run.text)\(run.errors)")
            }
            #expect(try query("SELECT password FROM book LIMIT 1", "--show-secrets").text.contains("hunter2xYz99"))
            #expect(try query("SELECT id FROM book", "--limit", "2", "--csv").text == "id\r\n1\r\n2\r\n")
            #expect(try query("SELECT id FROM book", "--limit", "2").errors.contains("more rows follow"))
            #expect(try query("SELECT name FROM pragma_table_info('empty'); -- comment").text == "name\nx\n")
            #expect(try query("SELECT value FROM json_each('[7]')").text == "value\n7\n")
            #expect(try query("PRAGMA user_version").text == "user_version\n0\n")
            let blob = try #require(
                try JSONSerialization.jsonObject(with: query("SELECT cover FROM book WHERE id = 1", "--json").output)
                    as? NSDictionary)
            #expect(blob["rows"] as? NSArray == [[["base64": "AP8=", "bytes": 2] as NSDictionary]] as NSArray)
            for sql in [
                "DELETE FROM book", "INSERT INTO book(id) VALUES (9)", "UPDATE book SET title = 1 RETURNING id",
                "DROP TABLE book",
                "ATTACH 'other' AS o", "VACUUM INTO 'other'", "PRAGMA query_only = 0", "PRAGMA writable_schema = 1",
                "PRAGMA journal_mode = DELETE", "CREATE TEMP TABLE t(x)", "SELECT load_extension('x')",
                "SELECT 1; SELECT 2",
                "SELECT 1; DELETE FROM book", "SELECT * FROM words", "BEGIN", "REINDEX", "ANALYZE",
            ] {
                let run = try query(sql)
                #expect(
                    run.code == 1 && run.errors.contains("is refused") && run.output.isEmpty, "\(sql): \(run.errors)")
            }
            for sql in ["SELEC", "", " ; ", "SELECT nothing FROM book", "UPDATE sqlite_master SET sql = 1"] {
                let run = try query(sql)
                #expect(run.code == 1 && run.errors.contains("cannot be run"), "\(sql): \(run.errors)")
            }
            let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
            #expect(try query(endless + "count(*) FROM c", "--timeout", "0.2").errors.contains("--timeout"))
            #expect(try query(endless + "x FROM c", "--limit", "3").text == "x\n1\n2\n3\n")
            #expect(try query("SELECT zeroblob(500000000)").errors.contains("more than 4 MiB"))
            // A long value of a table is cut, and no error.
            let rows = try sandboxfm("db", "rows", "c", "Documents/l.sqlite", "book", in: folder)
            #expect(rows.code == 0 && rows.text.contains("… (700 KB)"), "\(rows.errors)")
            #expect(try query("SELECT cover FROM book WHERE id = 4").text.contains("… (700 KB)"))
            #expect(try query("SELECT 1", "--limit", "0").code == 2)
            #expect(try TreeListing(of: folder.appending(path: "c/Documents")) == before)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "other").path))
        }
    }

    @Test("Exported tables are what Python's csv, json and sqlite3 read", .needs(.externalProgram))
    func export() throws {
        try withContainer { _, folder throws in
            try Command.setUp("python3", ["-c", Self.database], in: folder)
            func export(_ more: String...) throws -> Command {
                try sandboxfm(["db", "export", "c", "Documents/l.sqlite"] + more, in: folder)
            }
            let run = try export("--to", "out", "--show-secrets")
            #expect(run.code == 0 && run.text.contains("created out/book.csv: 5 rows"), "\(run.text)\(run.errors)")
            #expect(try export("book", "titles", "--to", "out", "--format", "json", "--show-secrets").code == 0)
            let check = """
                import base64, csv, json, os, sqlite3, stat
                csv.field_size_limit(1 << 30)
                d = sqlite3.connect("c/Documents/l.sqlite")
                rows = d.execute("SELECT * FROM book").fetchall()
                names = [c[1] for c in d.execute("PRAGMA table_info(book)")]
                def text(v):
                    return "" if v is None else "x'%s'" % v.hex() if isinstance(v, bytes) else v if isinstance(v, str) else repr(v)
                got = list(csv.reader(open("out/book.csv", newline="")))
                assert got[0] == names and got[1:] == [[text(v) for v in row] for row in rows], got[1:3]
                raw = open("out/book.csv", "rb").read()
                assert b'\\r\\n2,"",,,\\r\\n' in raw
                def value(v): return base64.b64decode(v["base64"]) if isinstance(v, dict) else v
                got = [tuple(value(row[n]) for n in names) for row in json.load(open("out/book.json"))]
                assert got == rows, got[0]
                assert [r["title"] for r in json.load(open("out/titles.json"))] == [r[1] for r in rows]
                assert list(csv.reader(open("out/empty.csv"))) == [["x"]]
                for path in os.listdir("out"): assert stat.S_IMODE(os.stat("out/" + path).st_mode) == 0o600, path
                assert stat.S_IMODE(os.stat("out").st_mode) == 0o700
                """
            try Command.setUp("python3", ["-c", check], in: folder)
            // Nothing is replaced without --yes, and secrets are not written without --show-secrets.
            let refused = try export("book", "--to", "out")
            #expect(refused.code == 2 && refused.errors.contains("--yes") && refused.errors.contains("Nothing on disk"))
            #expect(try String(contentsOf: folder.appending(path: "out/book.csv"), encoding: .utf8).contains("hunter2"))
            #expect(try export("book", "--to", "out", "--dry-run").text == "would replace out/book.csv\n")
            #expect(try export("book", "--to", "out", "--yes").code == 0)
            #expect(
                try String(contentsOf: folder.appending(path: "out/book.csv"), encoding: .utf8).contains(
                    "1.5,<password>\r\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "out").path).count == 9)
            let json = try export("empty", "titles", "--to", "-", "--format", "json")
            let object = try JSONSerialization.jsonObject(with: json.output) as? NSDictionary
            #expect(object?["empty"] as? NSArray == [] && (object?["titles"] as? NSArray)?.count == 5)
            #expect(try export("--to", "-").code == 2)
            #expect(try export("nothing", "--to", "-").code == 1)
            #expect(try export("empty", "--to", "-").text == "x\r\n")
        }
    }

    @Test("Archives and property lists are compared by the paths of their values", .needs(.externalProgram))
    func difference() throws {
        try withContainer { _, folder throws in
            let made = """
                import plistlib
                U = plistlib.UID
                def save(name, title, extra, shift):
                    # The numbers of the objects differ.
                    objects = ['$null'] + ['unused'] * shift
                    n = lambda k: U(k + shift)
                    objects += [{'$class': n(3), 'title': n(2), 'list': n(4), 'me': n(1), 'password': n(6)}, title,
                        {'$classname': 'Book', '$classes': ['Book', 'NSObject']}, {'$class': n(5), 'NS.objects': [n(2)] + extra},
                        {'$classname': 'NSArray', '$classes': ['NSArray']}, 'hunter2xYz' + str(shift)]
                    plistlib.dump({'$archiver': 'NSKeyedArchiver', '$version': 100000, '$top': {'root': n(1)}, '$objects': objects},
                                  open('c/Documents/' + name, 'wb'), fmt=plistlib.FMT_BINARY)
                save('a', 'Emma', [], 0); save('b', 'Emma', [], 3); save('d', 'Persuasion', [7], 0)
                plistlib.dump({'x': 1, 'y': [1, 2]}, open('p.plist', 'wb'))
                plistlib.dump({'x': 1.0, 'y': [1]}, open('c/Documents/q.plist', 'wb'), fmt=plistlib.FMT_BINARY)
                """
            try Command.setUp("python3", ["-c", made], in: folder)
            func diff(_ arguments: String...) throws -> Command {
                try sandboxfm(["archive", "diff", "c"] + arguments, in: folder)
            }
            let same = try diff("Documents/a", "Documents/a")
            #expect(same.code == 0 && same.output.isEmpty)
            #expect(
                try diff("Documents/a", "Documents/b").text
                    == "changed /root/password: \"<password>\" -> \"<password>\"\n")
            let run = try diff("Documents/a", "Documents/d")
            #expect(
                run.text == """
                    changed /root/list/0: "Emma" -> "Persuasion"
                    changed /root/title: "Emma" -> "Persuasion"
                    added /root/list/1: 7

                    """ && run.code == 1 && run.errors.isEmpty, "\(run.text)")
            let json = try diff("Documents/q.plist", "--with", "p.plist", "--json")
            let object = try JSONSerialization.jsonObject(with: json.output) as? NSDictionary
            #expect(
                object == [
                    "equal": false,
                    "changes": [
                        ["path": "/x", "change": "changed", "old": 1.0, "new": 1],
                        ["path": "/y/1", "change": "added", "new": 2],
                    ],
                ], "\(json.text)")
            try folder.write("x\n", to: "c/Documents/t")
            let wrong = try diff("Documents/a", "Documents/t")
            #expect(wrong.code == 1 && wrong.errors.contains("is not a property list"))
        }
    }

    @Test(
        "prefs edit saves the changed values of a valid text, and nothing else",
        .needs(.externalProgram))
    func edit() throws {
        try withContainer { _, folder throws in
            let file = folder.appending(path: "c/Library/Preferences/com.example.app.plist")
            let made = """
                import datetime, plistlib, struct
                values = {'size': 12, 'ratio': 1.5, 'list': [1, {'a': b'\\0\\1'}], 'text': '<&>\\r\\n\\t\\x1b', 'big': 2**64 - 1,
                          'when': datetime.datetime(2026, 1, 31, 12), 'old': datetime.datetime(1, 1, 1), 'gone': True, 'neg': -5}
                plistlib.dump(values, open('c/Library/Preferences/com.example.app.plist', 'wb'), fmt=plistlib.FMT_BINARY)
                """
            try Command.setUp("python3", ["-c", made], in: folder)
            func edit(_ script: String, _ more: String...) throws -> Command {
                try folder.write("#!/bin/sh\nset -e\n\(script)\n", to: "editor")
                try setMode("755", of: folder.appending(path: "editor").path)
                return try sandboxfm(
                    ["prefs", "edit", "c"] + more, in: folder,
                    environment: [
                        "VISUAL": "", "EDITOR": folder.appending(path: "editor").path, "TMPDIR": folder.path,
                    ])
            }
            let before = try Data(contentsOf: file)
            let none = try edit(
                "ls -ld $(dirname $1) | cut -c1-10 >\(folder.path)/modes; ls -l $1 | cut -c1-10 >>\(folder.path)/modes")
            #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("no value was changed"))
            #expect(
                try String(contentsOf: folder.appending(path: "modes"), encoding: .utf8) == "drwx------\n-rw-------\n")
            #expect(try Data(contentsOf: file) == before)
            let change = "sed -i.bak -e 's|<integer>12</integer>|<integer>13</integer>|' -e '/<key>gone/{N;d;}' \"$1\""
            #expect(try edit(change, "--dry-run").text == "would delete gone\nwould set size: an integer\n")
            #expect(try Data(contentsOf: file) == before)
            #expect(try edit(change).text == "deleted gone\nset size: an integer\n")
            let check = """
                import datetime, plistlib
                values = plistlib.load(open('c/Library/Preferences/com.example.app.plist', 'rb'))
                assert values == {'size': 13, 'ratio': 1.5, 'list': [1, {'a': b'\\0\\1'}], 'text': '<&>\\r\\n\\t\\x1b', 'big': 2**64 - 1,
                    'when': datetime.datetime(2026, 1, 31, 12), 'old': datetime.datetime(1, 1, 1), 'neg': -5}, values
                """
            try Command.setUp("python3", ["-c", check], in: folder)
            // A text with an error, an editor that fails, and values that change in the meantime.
            let wrong = try edit("sed -i.bak 's|<integer>13</integer>|<intger>13</intger>|' \"$1\"")
            #expect(wrong.code == 1 && wrong.errors.contains("line ") && wrong.errors.contains("Nothing on disk"))
            #expect(try edit("exit 3").errors.contains("exit code 3"))
            let other = "\(Command.sandboxfm) prefs set \(folder.path)/c ratio 2.5 >/dev/null"
            let merged = try edit("\(other); sed -i.bak 's|<integer>13<|<integer>14<|' \"$1\"")
            #expect(merged.text == "set size: an integer\n", "\(merged.errors)")
            #expect(try sandboxfm("prefs", "get", "c", "size", "ratio", in: folder).text == "14\n2.5\n")
            let conflict = try edit(
                "\(Command.sandboxfm) prefs set \(folder.path)/c size 99 >/dev/null; sed -i.bak 's|<integer>14<|<integer>15<|' \"$1\""
            )
            #expect(conflict.code == 1 && conflict.errors.contains("“size” was changed by another process"))
            #expect(try sandboxfm("prefs", "get", "c", "size", in: folder).text == "99\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.hasPrefix("sandboxfm-")
            }
            let kept = try #require(left.first)
            #expect(left.count == 1 && conflict.errors.contains(kept))
            let text = try String(contentsOf: folder.appending(path: kept), encoding: .utf8)
            #expect(text.contains("<integer>15</integer>"))
            // The refused edit left no entry: the last change is that of the other process, and the one before is an edit.
            #expect(try sandboxfm("undo", "c", in: folder).code == 0)
            #expect(try sandboxfm("prefs", "get", "c", "size", "ratio", in: folder).text == "14\n2.5\n")
            #expect(try sandboxfm("undo", "c", in: folder).code == 0)
            #expect(try sandboxfm("prefs", "get", "c", "size", "ratio", in: folder).text == "13\n2.5\n")
        }
    }

    @Test("An error in the edited text is shown on a terminal, with the offer to edit again", .needs(.externalProgram))
    func editAgain() throws {
        try withContainer { _, folder throws in
            #expect(try sandboxfm("prefs", "set", "c", "size", "1", "--type", "integer", in: folder).code == 0)
            // Breaks the text at first, and repairs it the second time.
            try folder.write(
                "#!/bin/sh\nif [ -e again ]; then sed -i.bak 's|<x>1|<integer>2|' \"$1\"; else sed -i.bak 's|<integer>1|<x>1|' \"$1\"; touch again; fi\n",
                to: "editor")
            try setMode("755", of: folder.appending(path: "editor").path)
            let command = "env VISUAL= EDITOR=\(folder.path)/editor \(Command.sandboxfm) prefs edit c"
            try TmuxTerminal.run(command, in: folder) { terminal throws in
                try terminal.wait(for: "Edit it again?")
                #expect(try sandboxfm("prefs", "get", "c", "size", in: folder).text == "1\n")
                try terminal.type("Enter")
                try terminal.wait(for: "set size: an integer")
            }
            #expect(try sandboxfm("prefs", "get", "c", "size", in: folder).text == "2\n")
        }
    }

    @Test(
        "ncdu reads the export, and exports of ncdu are read", .needs(.externalProgram),
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func ncdu() throws {
        try withContainer { container, folder throws in
            try container.save(Data(count: 70_000), to: .documents / "a/big.bin")
            try container.save(Data(count: 10), to: .documents / "q\"u\\o.txt")
            try folder.write(toBytes: Array("c/Documents/".utf8) + [0xe9] + Array("\n\u{202e}x".utf8))
            let documents = folder.appending(path: "c/Documents").path
            try FileManager.default.linkItem(atPath: documents + "/a/big.bin", toPath: documents + "/link.bin")
            try FileManager.default.createSymbolicLink(atPath: documents + "/s", withDestinationPath: "nothing")
            let export = try sandboxfm("du", "c", "--ncdu", in: folder)
            #expect(export.code == 0, "\(export.errors)")
            try export.output.write(to: folder.appending(path: "ours"))
            try Command.setUp("ncdu", ["-0", "-o", "theirs", "c"], in: folder)
            try Command.setUp("ncdu", ["-0", "-f", "ours", "-o", "again"], in: folder)
            // The same items by name, size, links and kind. ncdu counts the size of a directory's own list.
            let check = """
                import json, os
                def read(path):
                    data = json.loads(open(path, 'rb').read().decode('utf-8', 'surrogateescape'))
                    assert data[:2][0] == 1
                    items = {}
                    def walk(item, above):
                        info = item[0] if isinstance(item, list) else item
                        name = above + [info['name']] if above is not None else []
                        items['/'.join(name)] = (None if isinstance(item, list) else info.get('asize', 0), info.get('dsize', 0),
                            info.get('hlnkc'), info.get('ino') if info.get('hlnkc') else None, info.get('notreg'))
                        for child in item[1:] if isinstance(item, list) else []: walk(child, name)
                    walk(data[3], None)
                    return items
                ours, theirs, again = read('ours'), read('theirs'), read('again')
                link = 'Documents/s'
                assert ours.pop(link)[4] and theirs.pop(link)[4] and again.pop(link)[4]
                assert ours == theirs, set(ours.items()) ^ set(theirs.items())
                assert ours == again, set(ours.items()) ^ set(again.items())
                """
            try Command.setUp("python3", ["-c", check], in: folder)
            func groups(_ file: String, _ more: String...) throws -> [NSDictionary] {
                let run = try sandboxfm(["ncdu", file] + more + ["--json"], in: folder)
                return try #require(
                    (try JSONSerialization.jsonObject(with: run.output) as? NSDictionary)?["groups"] as? [NSDictionary],
                    "\(run.errors)")
            }
            let du = try object("du", "c", "Documents", in: folder)
            #expect((du["total"] as? NSDictionary)?["allocatedBytes"] as? Int ?? 0 > 70_000)
            for file in ["ours", "theirs", "again"] {
                let found = try groups(file, "Documents")
                #expect(found.map { $0["name"] as? String ?? "" }.contains("%E9%0A%E2%80%AEx"), "\(found)")
                #expect(
                    found.first { $0["name"] as? String == "a/" }?["allocatedBytes"] as? Int
                        == (du["groups"] as? [NSDictionary])?.first { $0["name"] as? String == "Documents/a/" }?[
                            "allocatedBytes"] as? Int)
            }
            let total = try object("ncdu", "ours", in: folder)["total"] as? NSDictionary
            #expect(
                total?["allocatedBytes"] as? Int
                    == (try object("du", "c", in: folder)["total"] as? NSDictionary)?["allocatedBytes"] as? Int)
        }
    }

    @Test(
        "A file that is no export is refused with its place",
        arguments: [
            ("", "does not begin with a list"), ("{}", "does not begin with a list"),
            ("[2,0,{},[]]", "version is not 1"),
            ("[1,2]", "fewer than four elements"), ("[1,2,{},{\"name\":\"a\"}]", "is not a directory"),
            ("[1,2,{},[{\"asize\":1}]]", "an item has no name"),
            ("[1,2,{},[{\"name\":\"a\"},7]]", "neither an object nor a list"),
            ("[1,2,{},[{\"name\":\"a\"},", "ends before"), ("[1,2,{},[{\"name\":\"a\"} x", "not JSON at byte 22"),
            ("[1,2,{},[[],{\"name\":\"a\"}]]", "a directory has no properties"),
            ("[1,2,{}," + String(repeating: "[{\"name\":\"a\"},", count: 5_000), "nested too deeply"),
        ])
    func wrongExport(content: String, reason: String) throws {
        try withScratch { folder throws in
            try folder.write(content, to: "f")
            let run = try sandboxfm("ncdu", "f", in: folder)
            #expect(run.code == 1 && run.errors.contains(reason) && run.output.isEmpty, "\(run.errors)")
        }
    }

    @Test("Numbers of an export that exceed 64 bits or are negative do no harm")
    func hostileNumbers() throws {
        try withScratch { folder throws in
            try folder.write(
                """
                [1,2,{},[{"name":"/x","dev":99999999999999999999},{"name":"a","asize":9223372036854775807,"dsize":-5},
                {"name":"b","asize":9223372036854775807,"dsize":9223372036854775807},{"name":"c","asize":9223372036854775807,
                "dsize":1e300,"hlnkc":true,"ino":-1},[{"name":"d","read_error":true},{"name":"e","excluded":"pattern"}]]]
                """, to: "f")
            let run = try sandboxfm("ncdu", "f", in: folder)
            #expect(run.code == 3 && run.text.contains("d/  (not read)") && run.errors.contains("“d” was not read"))
            #expect(try sandboxfm("ncdu", "f", "d", in: folder).text.contains("e  (excluded: pattern)"))
            #expect(try sandboxfm("ncdu", "f", "nothing", in: folder).code == 1)
        }
    }
}
