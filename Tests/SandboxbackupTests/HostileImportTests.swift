import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Imports of hostile backups", .needs(.externalProgram), .timeLimit(.minutes(60))) struct HostileImportTests {
    /// Calls `body` with a backup to which Python adds entries.
    private func planting(_ code: String, _ body: (URL, _ backup: URL) throws -> Void) throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let backup = try exported(container, folder.appending(path: "store").path, to: folder)
            let start = #"""
                import sqlite3, hashlib, plistlib, os
                from plistlib import UID
                db = sqlite3.connect("Manifest.db")
                domain = "AppDomain-com.example.app"
                good = db.execute("SELECT file FROM Files WHERE relativePath = 'Documents/letter.txt'").fetchone()[0]
                def add(path, flags, mode, target=None, **fields):
                    p = plistlib.loads(good)
                    file = p["$objects"][1]
                    p["$objects"][file["RelativePath"].data] = path
                    file.update(Mode=mode, **fields)
                    if flags != 1: file.pop("Digest", None)
                    if target is not None:
                        p["$objects"].append(target)
                        file["Target"] = UID(len(p["$objects"]) - 1)
                    name = hashlib.sha1((domain + "-" + path).encode()).hexdigest()
                    record = plistlib.dumps(p, fmt=plistlib.FMT_BINARY)
                    db.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", [name, domain, path, flags, record])
                    if flags == 1:
                        os.makedirs(name[:2], exist_ok=True)
                        open(name[:2] + "/" + name, "wb").write(b"Dear reader")
                """#
            try python("\(start)\n\(code)\ndb.commit()", in: backup)
            try body(folder, backup)
        }
    }

    @Test("Set-ID bits are dropped and reported, and owners are kept only on request")
    func specialModes() throws {
        let code = """
            add("Documents/tool", 1, 0o106755, UserID=0, GroupID=0)
            add("Documents/shared", 2, 0o042770, UserID=4711, GroupID=4712)
            add("Documents/sticky", 2, 0o041777, UserID=4711, GroupID=4712)
            """
        try planting(code) { folder, backup throws in
            func restored(_ options: String...) throws -> (text: String, tree: String) {
                for name in ["second", "out"] { try? folder.remove(name) }
                let command = ["import", backup.path, "--repository", "second"] + options
                let run = try sandboxbackup(command, in: folder)
                #expect(run.code == 3, "\(run.errors)")
                let restore = ["restore", "1", "--preserve-special-modes", "--repository", "second", "--to", "out"]
                let back = try sandboxbackup(restore, in: folder)
                // The snapshot lacks the bits.
                #expect(back.code == 3, "\(back.text)\(back.errors)")
                let tree = try ["tool", "shared", "sticky"].map { name in
                    let path = folder.path + "/out/Documents/\(name)"
                    let (user, group) = try owner(of: path)
                    return try "\(mode(of: path)) \(user) \(group)\n"
                }
                return (run.text, tree.joined())
            }
            let named = "  set-id-bits-dropped: Documents/shared\n  set-id-bits-dropped: Documents/tool\n"
            let (user, group) = (getuid(), getgid())
            let plain = try restored()
            #expect(plain.text.contains(named), "\(plain.text)")
            #expect(plain.text.contains("stored with your user and group instead of the backup's"), "\(plain.text)")
            #expect(plain.tree == ["755", "770", "1777"].map { "\($0) \(user) \(group)\n" }.joined())
            guard user == 0 else { return }
            let asked = try restored("--preserve-owners")
            #expect(asked.text.contains(named) && !asked.text.contains("instead of the backup's"), "\(asked.text)")
            #expect(asked.tree == "755 0 0\n770 4711 4712\n1777 4711 4712\n")
        }
    }

    @Test("A link with an empty target or a NUL is refused and reported")
    func targets() throws {
        let code = #"""
            add("Documents/empty", 4, 0o120755, "")
            add("Documents/nul", 4, 0o120755, "a\0b")
            add("Documents/none", 4, 0o120755)
            add("Documents/good", 4, 0o120755, "letter.txt")
            """#
        try planting(code) { folder, backup throws in
            let second = folder.appending(path: "second").path
            let text = try backed("import", backup.path, "--repository", second, code: 3)
            let named = ["empty", "none", "nul"].map { "  field-invalid: Documents/\($0)\n" }.joined()
            #expect(text.contains(named), "\(text)")
            let out = folder.appending(path: "out")
            try backed("restore", "1", "--repository", second, "--to", out.path, code: 3)
            let links = try FileManager.default.subpathsOfDirectory(atPath: out.path).compactMap { path in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(out.path)/\(path)")).map {
                    "\(path) \($0)"
                }
            }
            #expect(links == ["Documents/good letter.txt"])
        }
    }
}
