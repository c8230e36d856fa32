import Foundation
import TestSupport
import Testing

@Suite("sandboxlint lint --cache") struct CacheToolTests {
    /// Creates a container with property lists, databases, JSON, keys, and files of equal size.
    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let program = """
                import os, plistlib, sqlite3
                for place in ['Documents', 'Library/Preferences', 'Library/Application Support/a', 'tmp']:
                    os.makedirs('c/' + place)
                    for number in range(4):
                        start = f'c/{place}/{number}'
                        value = {'password': f'Tr0ub4dor&{number}', 'at': '/var/mobile/Containers/Data/Application/x'}
                        open(start + '.plist', 'wb').write(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
                        open(start + '.json', 'w').write('{"etag": "a", "url": "https://example.com/%d.mp3"}' % number)
                        open(start + '.pem', 'w').write('-----BEGIN PRIVATE KEY-----\\nMIIE\\n')
                        open(start + '.mp3', 'wb').write(b'ID3' + bytes(70000))
                        open(start + '.bin', 'wb').write(os.urandom(9000))
                        store = sqlite3.connect(start + '.sqlite')
                        store.execute('CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT, etag TEXT)')
                        store.execute("INSERT INTO note(body) VALUES('a')")
                        store.commit()
                        store.close()
                """
            try Command.setUp("python3", ["-c", program], in: folder)
            // Files that changed in the same tick of the clock are not kept.
            try Command.setUp("sleep", ["0.05"])
            try body(folder)
        }
    }

    private func sandboxlint(_ arguments: [String], in folder: URL) throws -> Command {
        try Command(Command.sandboxlint, arguments, in: folder)
    }

    private let lint = ["lint", "c", "--isolated", "--now", "2026-01-01", "--format", "json"]
    private var cached: [String] { lint + ["--cache", "cache"] }

    @Test("The reports are the same, and the file is readable by its user only")
    func same() throws {
        try withContainer { folder throws in
            let expected = try sandboxlint(lint, in: folder)
            #expect(expected.text.contains("private-key"))
            for _ in 0..<2 {
                let run = try sandboxlint(cached, in: folder)
                #expect(run.text == expected.text && run.errors == expected.errors && run.code == expected.code)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "cache").path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A second run opens no file of an unchanged container", .enabled(if: Platform.isLinux, "runs strace"))
    func unread() throws {
        try withContainer { folder throws in
            func opened() throws -> [String] {
                let trace = ["-f", "-o", "trace", "-e", "trace=openat,openat2", Command.sandboxlint]
                _ = try Command("strace", trace + cached, in: folder)
                let lines = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8).split(
                    separator: "\n")
                return lines.filter { $0.contains(#/[0-3]\.(plist|json|pem|mp3|bin|sqlite)"/#) }.map(String.init)
            }
            #expect(try opened().count > 60)
            let again = try opened()
            #expect(again.isEmpty, "\(again.prefix(5))")
            try Data("{\"a\": 1}".utf8).write(to: folder.appending(path: "c/Documents/1.json"))
            #expect(try opened().allSatisfy { $0.contains("/1.") || $0.contains("\"1.") })
        }
    }

    @Test("An unchanged container leaves the file as it is")
    func unwritten() throws {
        try withContainer { folder throws in
            _ = try sandboxlint(cached, in: folder)
            let path = folder.appending(path: "cache").path
            func inode() throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            }
            let before = try inode()
            _ = try sandboxlint(cached, in: folder)
            #expect(try inode() == before)
        }
    }

    @Test("A baseline can be written with the same cache")
    func baseline() throws {
        try withContainer { folder throws in
            _ = try sandboxlint(cached, in: folder)
            for arguments in [["--cache", "cache"], []] {
                let name = arguments.isEmpty ? "a.txt" : "b.txt"
                let write = ["baseline", "write", "c", "--isolated", "--now", "2026-01-01", "--baseline", name]
                #expect(try sandboxlint(write + arguments, in: folder).code == 0)
            }
            let texts = try ["a.txt", "b.txt"].map {
                try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }
            #expect(texts[0] == texts[1] && texts[0].contains("Documents"))
        }
    }

    @Test("A cache inside the container, a directory and a missing directory are usage errors")
    func unusable() throws {
        try withContainer { folder throws in
            for (path, text) in [
                ("c/tmp/cache", "is inside the container"), ("c", "is inside the container"), (".", "it is not a file"),
                ("missing/cache", "its directory cannot be opened"),
            ] {
                let run = try sandboxlint(lint + ["--cache", path], in: folder)
                #expect(run.code == 2 && run.errors.contains(text), "\(path): \(run.errors)")
            }
            #expect(try names(in: folder.appending(path: "c/tmp")).allSatisfy { $0 != "cache" })
        }
    }

    @Test("A damaged cache is ignored with one note, and replaced")
    func damaged() throws {
        try withContainer { folder throws in
            let expected = try sandboxlint(cached, in: folder)
            let path = folder.appending(path: "cache")
            let file = try FileHandle(forUpdating: path)
            try file.truncate(atOffset: 500)
            try file.close()
            let run = try sandboxlint(cached, in: folder)
            #expect(run.errors == "sandboxlint: the cache “cache” is ignored: it is damaged.\n")
            #expect(run.text == expected.text && run.code == expected.code)
            #expect(try sandboxlint(cached, in: folder).errors.isEmpty)
        }
    }

    @Test("A cache that cannot be written is a note and does not change the exit code")
    func unwritable() throws {
        try withContainer { folder throws in
            let expected = try sandboxlint(lint, in: folder)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "locked"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o555])
            try Command.setUp("chmod", ["-R", "a+rX", "."], in: folder)
            let run = try unprivileged(lint + ["--cache", "locked/cache"], in: folder)
            #expect(run.code == expected.code && run.text == expected.text)
            #expect(run.errors.contains("the cache “locked/cache” was not written: "), "\(run.errors)")
        }
    }
}
