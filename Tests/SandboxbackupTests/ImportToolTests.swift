import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup import", .timeLimit(.minutes(60))) struct ImportToolTests {
    @Test(
        "A snapshot that is exported, imported and restored equals the original, except for declared losses",
        .needs([.externalProgram, .root]))
    func roundTrip() throws {
        try withRepositorySample { folder, container, store throws in
            let backup = try exported(container, store, to: folder.appending(path: "out"), code: 3)
            let second = folder.appending(path: "second").path
            let text = try backed("import", backup.path, "--repository", second)
            #expect(text.contains("com.example.app") && !text.contains("incomplete"), "\(text)")
            for (name, store) in [("direct", store), ("imported", second)] {
                try backed("restore", "latest", "--repository", store, "--to", folder.appending(path: name).path)
            }
            // The losses in LAYOUT.md.
            let losses = """
                import os, shutil, stat
                times = {}
                for place, folders, files in os.walk(b"direct"):
                    for name in folders + files + [b""]:
                        path = os.path.join(place, name)
                        times[path] = os.lstat(path).st_mtime_ns // 10**9 * 10**9
                for path in list(times):
                    s = os.lstat(path)
                    if b"\\xff" in path:
                        os.remove(path)
                        del times[path]
                    elif stat.S_ISREG(s.st_mode) and s.st_nlink > 1:
                        shutil.copy2(path, b"copy")
                        os.chown(b"copy", s.st_uid, s.st_gid)
                        os.replace(b"copy", path)
                for path, time in times.items(): os.utime(path, ns=(time, time), follow_symlinks=False)
                """
            let direct = folder.appending(path: "direct")
            let before = try TreeListing(of: direct)
            try python(losses, in: folder)
            let expected = try TreeListing(of: direct)
            #expect(expected.differences(from: before).count > 50)
            #expect(try expected.differences(from: TreeListing(of: folder.appending(path: "imported"))) == [])
            #expect(try backed("verify", "--repository", second).contains("no damage"))
            // The contents are the same objects.
            try backed("import", backup.path, "--repository", store)
            #expect(
                try backed("diff", "1", "2", "--repository", store).split(separator: "\n").dropLast().allSatisfy {
                    $0.hasPrefix("m ") || $0.hasSuffix("%FFbytes")
                })
        }
    }

    @Test("Each container becomes a snapshot of its app, or only the named one", .needs(.externalProgram))
    func containers() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let store = folder.appending(path: "store").path
            let backup = try exported(container, store, to: folder)
            let others = """
                import os, sqlite3, hashlib, shutil
                db = sqlite3.connect("Manifest.db")
                for domain in ["AppDomainGroup-group.com.example", "AppDomainPlugin-com.example.app.widget", "HomeDomain"]:
                    for old, path, flags, record in db.execute("SELECT fileID, relativePath, flags, file FROM Files "
                                                               "WHERE domain = 'AppDomain-com.example.app'").fetchall():
                        new = hashlib.sha1((domain + "-" + path).encode()).hexdigest()
                        db.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", [new, domain, path, flags, record])
                        if flags == 1:
                            os.makedirs(new[:2], exist_ok=True)
                            shutil.copy(old[:2] + "/" + old, new[:2] + "/" + new)
                db.commit()
                """
            try python(others, in: backup)
            let second = folder.appending(path: "second").path
            let all = try backed("import", backup.path, "--repository", second, "--format", "json")
            let identifiers = ["com.example.app", "group.com.example", "com.example.app.widget"]
            for (identifier, kind) in zip(identifiers, ["application", "group", "plugin"]) {
                #expect(all.contains(#""bundleID":"\#(identifier)","kind":"\#(kind)""#), "\(all)")
            }
            #expect(all.contains(#""systemDomains":1"#))
            #expect(try backed("snapshots", "--repository", second).split(separator: "\n").count == 4)
            let third = folder.appending(path: "third").path
            let one = try backed("import", backup.path, "--repository", third, "--bundle-id", "group.com.example")
            #expect(one.split(separator: "\n").count == 2 && one.contains("group.com.example"), "\(one)")
            // The snapshot of the group is restored to its original location.
            let target = folder.appending(path: "again").path
            try backed("export", "1", "--to", target, "--udid", "A", "--repository", third)
            let domain = try executeSQL("SELECT DISTINCT domain FROM Files", in: "\(target)/A/Manifest.db")
            #expect(domain == "AppDomainGroup-group.com.example\n")
            let none = try sandboxbackup(
                "import", backup.path, "--repository", "\(second)-none", "--bundle-id", "com.other")
            #expect(none.code == 1 && none.errors.contains("com.other"))
            #expect(!FileManager.default.fileExists(atPath: "\(second)-none"))
        }
    }

    @Test("Invalid rows are refused one by one, and everything else is imported", .needs(.externalProgram))
    func hostile() throws {
        try withRepositorySample { folder, container, store throws in
            let backup = try exported(container, store, to: folder.appending(path: "out"), code: 3)
            let plant = """
                import sqlite3, hashlib, plistlib, os
                from plistlib import UID
                db = sqlite3.connect("Manifest.db")
                domain = "AppDomain-com.example.app"
                good = db.execute("SELECT file FROM Files WHERE relativePath = 'Documents/letter.txt'").fetchone()[0]
                def name(path): return hashlib.sha1((domain + "-" + path).encode()).hexdigest()
                def record(path, edit=None):
                    p = plistlib.loads(good)
                    fields = p["$objects"][1]
                    p["$objects"][fields["RelativePath"].data] = path
                    if edit: edit(fields, p["$objects"])
                    return plistlib.dumps(p, fmt=plistlib.FMT_BINARY)
                def add(path, identifier=None, flags=1, blob=None, payload=b"Dear reader"):
                    identifier = identifier or name(path)
                    db.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", [identifier, domain, path, flags, blob or record(path)])
                    if payload is not None and isinstance(identifier, str) and len(identifier) == 40:
                        os.makedirs(identifier[:2], exist_ok=True)
                        open(identifier[:2] + "/" + identifier, "wb").write(payload)
                add("../../../../escaped")
                add("/etc/escaped")
                add("Documents/../../escaped")
                add("Documents/id", "../../../../escaped")
                add("Documents/wrong", name("Documents/other"))
                add("Documents/bytes", b"1" * 40)
                add("Documents/missing", payload=None)
                add("Documents/short", payload=b"Dear")
                add("Documents/changed", payload=b"dear READER")
                add("Documents/garbage", blob=b"garbage")
                add("Documents/letter.txt/below")
                add("Documents/owner", blob=record("Documents/owner", lambda f, o: f.update(UserID=2**40)))
                add("Documents/nul", blob=record("Documents/nul", lambda f, o: (
                    o.append(plistlib.dumps({"a\\0b": b"1"}, fmt=plistlib.FMT_BINARY)),
                    f.update(ExtendedAttributes=UID(len(o) - 1)))))
                add("Documents/" + "n" * 256)
                add("/".join(["Documents"] + ["d"] * 511))
                add("Documents/lost/parent")
                add("Documents/lost/and/deeper/parent")
                link = name("Documents/linked")
                add("Documents/linked", payload=None)
                os.makedirs(link[:2], exist_ok=True)
                os.symlink("/etc/passwd", link[:2] + "/" + link)
                db.commit()
                """
            try python(plant, in: backup)
            let outside = try TreeListing(of: folder.appending(path: "out"))
            let second = folder.appending(path: "second")
            let text = try backed("import", backup.path, "--repository", second.path, code: 3)
            let named = text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
            #expect(
                Set(named) == [
                    "path-invalid: ../../../../escaped", "path-invalid: /etc/escaped",
                    "path-invalid: Documents/../../escaped", "file-id-malformed: Documents/id",
                    "file-id-wrong: Documents/wrong", "file-id-not-text: Documents/bytes",
                    "payload-missing: Documents/missing", "payload-length: Documents/short",
                    "payload-changed: Documents/changed", "record-damaged: Documents/garbage",
                    "not-in-a-directory: Documents/letter.txt/below", "field-invalid: Documents/owner",
                    "field-invalid: Documents/nul", "impossible-name: Documents/\(String(repeating: "n", count: 256))",
                    "too-deep: \((["Documents"] + Array(repeating: "d", count: 511)).joined(separator: "/"))",
                    "parent-missing: Documents/lost", "payload-not-a-file: Documents/linked",
                ], "\(text)")
            #expect(try TreeListing(of: folder.appending(path: "out")).differences(from: outside) == [])
            let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(there) == ["container", "out", "second", "store"])
            #expect(try backed("verify", "--repository", second.path).contains("no damage"))
            let target = folder.appending(path: "restored")
            try backed("restore", "latest", "--repository", second.path, "--to", target.path, code: 3)
            let letter = target.appending(path: "Documents/letter.txt")
            #expect(try String(contentsOf: letter, encoding: .utf8) == "Dear reader")
            let lost = target.appending(path: "Documents/lost/parent")
            #expect(try String(contentsOf: lost, encoding: .utf8) == "Dear reader")
        }
    }

    @Test(
        "An unreadable backup is refused with a hint, and no repository is created", .needs(.externalProgram),
        arguments: [
            ("p['IsEncrypted'] = True", "Manifest.plist", "another tool has decrypted it"),
            ("os.remove('Manifest.plist'); os.remove('Status.plist')", "Info.plist", "Status.plist is missing"),
            ("p['SnapshotState'] = 'uploading'", "Status.plist", "Let the device finish it"),
            ("os.remove('Manifest.db')", "Status.plist", "with the identifier of the device"),
            ("open('Manifest.db', 'w').write('x')", "Status.plist", "not a SQLite database"),
        ])
    func refused(change: String, list: String, hint: String) throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let backup = try exported(container, folder.appending(path: "store").path, to: folder)
            let code = """
                import os, plistlib
                p = plistlib.load(open("\(list)", "rb"))
                \(change)
                plistlib.dump(p, open("\(list)", "wb"), fmt=plistlib.FMT_BINARY)
                """
            try python(code, in: backup)
            let second = folder.appending(path: "second").path
            let run = try sandboxbackup("import", backup.path, "--repository", second)
            #expect(run.code == 1 && run.errors.contains(hint) && run.output.isEmpty, "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: second))
        }
    }

    @Test("More invalid rows than the memory limit are an error, and no snapshot is made")
    func tooMuch() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let backup = try exported(container, folder.appending(path: "store").path, to: folder)
            // Each row has three problems, each reported with its path.
            let rows = """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO Files SELECT i, 'AppDomain-com.example.app', zeroblob(1000000), 1, NULL FROM n
                """
            try executeSQL(rows, in: backup.path + "/Manifest.db")
            let second = folder.appending(path: "second").path
            let run = try sandboxbackup("import", backup.path, "--repository", second)
            #expect(run.code == 1 && run.errors.contains("exceeds the memory limit"), "\(run.errors)")
            #expect(try backed("snapshots", "--repository", second) == "no snapshots\n")
            #expect(try backed("verify", "--repository", second).contains("no damage"))
        }
    }

    @Test(
        "An index without some rows or a domain hides nothing, and the manifest is reported as damaged",
        arguments: ["relativePath <> 'Documents/letter.txt'", "domain <> 'AppDomain-com.example.app'"])
    func damagedIndex(rows: String) throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let backup = try exported(container, folder.appending(path: "store").path, to: folder)
            func ask(_ sql: String) throws -> String { try executeSQL(sql, in: backup.path + "/Manifest.db") }
            func redefine(_ rows: String) -> String {
                let definition = "CREATE INDEX FilesDomainIdx ON Files(domain)\(rows)".replacing("'", with: "''")
                return "PRAGMA writable_schema = ON; "
                    + "UPDATE sqlite_schema SET sql = '\(definition)' WHERE name = 'FilesDomainIdx'"
            }
            for sql in [redefine(" WHERE \(rows)"), "REINDEX FilesDomainIdx", redefine("")] { _ = try ask(sql) }
            let count = "SELECT count(*) FROM Files"
            #expect(
                try ask("SELECT (\(count) WHERE domain = 'AppDomain-com.example.app') < (\(count) NOT INDEXED)")
                    == "1\n")
            let second = folder.appending(path: "second").path
            #expect(try backed("import", backup.path, "--repository", second, code: 3).contains("  manifest-damaged: "))
            let out = folder.appending(path: "restored")
            try backed("restore", "1", "Documents/letter.txt", "--repository", second, "--to", out.path, code: 3)
        }
    }

    @Test("A large file is exported and imported in pieces, never completely in memory", .needs(.externalProgram))
    func memory() throws {
        try withScratch { folder throws in
            let script = """
                mkdir -p container/Documents
                head -c 60000000 /dev/urandom > container/Documents/film
                dd if=/dev/null of=container/Documents/film bs=1 seek=157286400
                """
            try Command.setUp("bash", ["-c", script], in: folder)
            try backed(
                "create", folder.appending(path: "container").path, "--repository",
                folder.appending(path: "store").path,
                "--bundle-id", "com.example.app")
            let code = """
                import sys, subprocess, resource
                subprocess.run([sys.argv[1], "export", "1", "--to", "out", "--udid", "A",
                                "--repository", "store"], check=True, stdout=subprocess.DEVNULL)
                subprocess.run([sys.argv[1], "import", "out/A", "--repository", "second"], check=True, stdout=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
            let peak = try python(code, Command.sandboxbackup, in: folder)
            #expect(try #require(Int(peak.trimmingCharacters(in: .newlines))) < 64 << 10, "\(peak)")
        }
    }
}
