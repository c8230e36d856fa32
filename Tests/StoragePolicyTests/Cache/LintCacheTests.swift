import AppContainer
import FileSystem
import Foundation
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("LintCache") struct LintCacheTests {
    @Test("In every container of the corpus a new and a full cache change no finding")
    func corpus() throws {
        var kept = 0
        for container in try CorpusContainer.all() {
            try withScratch { folder throws in
                let scene = try CacheScene(container, in: folder)
                let expected = try scene.lint()
                for _ in 0..<2 {
                    let (words, problem) = try scene.lintCached()
                    #expect(words == expected, "\(container.name)")
                    #expect(problem == nil)
                }
                let file = try LintCacheFile(reading: scene.cache, build: CacheScene.build)
                kept += file.bytes.count
            }
        }
        // All containers have content that some rule reads.
        #expect(kept > 100_000)
    }

    /// Changes of all files of a container, each of which changes one input of the results.
    private static let changes = [
        "as they were": "pass",
        "content of the same size, with the old modification time": """
        status = os.stat(path)
        text = bytearray(open(path, 'rb').read())
        if text: text[len(text) // 2] ^= 0x55
        open(path, 'r+b').write(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        """,
        "another file of the same size and times, by a rename": """
        status = os.stat(path)
        text = bytearray(open(path, 'rb').read())
        text.reverse()
        open(path + '.new', 'wb').write(text)
        os.utime(path + '.new', ns=(status.st_atime_ns, status.st_mtime_ns))
        os.rename(path + '.new', path)
        """,
        "longer": "open(path, 'ab').write(b'\\n{\"password\": \"Tr0ub4dor&3-horse\"}\\n')",
        "shorter": "os.truncate(path, os.stat(path).st_size // 2)",
        "empty": "os.truncate(path, 0)",
        "excluded from backup": """
        os.setxattr(path, 'user.com.apple.metadata:com_apple_backup_excludeItem', b'com.apple.backupd')
        """,
        "marked for another backup system": "os.setxattr(path, 'user.xdg.robots.backup', b'false')",
        "executable": "os.chmod(path, 0o755)",
        "old": "os.utime(path, (0, 0))",
        "renamed": "os.rename(path, path + '.plist')",
        "removed": "os.remove(path)",
        "with a log beside them": "open(path + '-wal', 'wb').write(b'x' * 5000)",
        "with a journal beside them": "open(path + '-journal', 'wb').write(b'y' * 5000)",
        "with a directory of external data": """
        os.makedirs(os.path.join(top, '.' + name.split('.')[0] + '_SUPPORT', '_EXTERNAL_DATA'), exist_ok=True)
        """,
        "with a database beside them": "open(path + '.sqlite', 'wb').write(b'SQLite format 3\\0' + b'z' * 5000)",
    ]

    private static let names = [
        "archives", "core-data-store", "stored-paths", "url-caches", "wallet-secrets",
    ]

    private func change(_ change: String, in scene: CacheScene) throws {
        let program = """
            import os, sys
            for top, _, names in list(os.walk(sys.argv[1])):
                for name in sorted(names):
                    path = os.path.join(top, name)
                    if os.path.isfile(path) and not os.path.islink(path):
            \(change.split(separator: "\n").map { "            \($0)" }.joined(separator: "\n"))
            """
        try Command.setUp("python3", ["-c", program, scene.path.string])
    }

    @Test("After any change of the files the findings are those of a run without a cache", arguments: names)
    func changed(name: String) throws {
        var results: Set<[String]> = []
        for (title, text) in Self.changes {
            try withScratch { folder throws in
                let scene = try CacheScene(CorpusContainer(named: name), in: folder)
                let before = try scene.lintCached().words
                try change(text, in: scene)
                let expected = try scene.lint()
                #expect((expected == before) || title != "as they were")
                #expect(try scene.lintCached().words == expected, "\(name), \(title)")
                #expect(try scene.lintCached().words == expected, "\(name), \(title), again")
                results.insert(expected)
            }
        }
        #expect(results.count > 5)
    }

    @Test("A change in the write-ahead log of an unchanged database is found")
    func log() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "ledger-databases"), in: folder)
            let program = """
                import os, shutil, sqlite3, sys
                path, values = sys.argv[1], sys.argv[2:]
                copy = path + '.making'
                store = sqlite3.connect(copy)
                store.execute('PRAGMA journal_mode = WAL')
                store.execute('CREATE TABLE t(name TEXT, value TEXT)')
                store.execute('PRAGMA wal_checkpoint(TRUNCATE)')
                for value in values: store.execute('INSERT INTO t VALUES(?, ?)', ('password', value))
                store.commit()
                if not os.path.exists(path): shutil.copy(copy, path)
                if values: shutil.copy(copy + '-wal', path + '-wal')
                store.close()
                os.remove(copy)
                """
            let store = "\(scene.path.string)/Documents/extra.sqlite"
            try Command.setUp("python3", ["-c", program, store])
            let before = try scene.lintCached().words
            #expect(try scene.lint() == before)
            let status = try FileManager.default.attributesOfItem(atPath: store)[.modificationDate] as? Date
            try Command.setUp("python3", ["-c", program, store, "Tr0ub4dor&3-horse"])
            #expect(try FileManager.default.attributesOfItem(atPath: store)[.modificationDate] as? Date == status)
            let expected = try scene.lint()
            #expect(expected != before)
            #expect(try scene.lintCached().words == expected)
            #expect(try scene.lintCached().words == expected)
        }
    }

    @Test("With other rules or another configuration the findings are those of a run without a cache", arguments: names)
    func otherRules(name: String) throws {
        try withScratch { folder throws in
            let container = try CorpusContainer(named: name)
            for _ in 0..<2 {
                for select in [[], ["secret-in-backed-up-file"], ["backup"], ["privacy"], ["loss", "database"]] {
                    for text in [nil, "modules: [Reader, Shop]\n", "ignore: [\"Documents/**\"]\n"] {
                        let scene = try CacheScene(container, in: folder, select: select, configuration: text)
                        let expected = try scene.lint()
                        #expect(try scene.lintCached().words == expected, "\(select) \(text ?? "")")
                    }
                }
            }
        }
    }

    // MARK: - Files that are not used

    @Test("A cache with any changed bit or of any shorter length is ignored with a note, and replaced")
    func damaged() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "wallet-secrets"), in: folder)
            let expected = try scene.lintCached().words
            let whole = try Data(contentsOf: URL(fileURLWithPath: scene.cache))
            var source = SplitMix(state: 1)
            for number in 0..<300 {
                var bytes = whole
                if number % 2 == 0 {
                    bytes[Int(source.next() % UInt64(bytes.count))] ^= 1 << UInt8(source.next() % 8)
                } else {
                    bytes.removeLast(1 + Int(source.next() % UInt64(bytes.count)))
                }
                // In place, so that the permissions remain.
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scene.cache))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: bytes)
                try file.close()
                #expect(try LintCache(path: scene.cache, build: CacheScene.build).problem != nil, "\(number)")
                guard number % 60 == 0, bytes.starts(with: "sandboxlint cache".utf8) else { continue }
                #expect(try scene.lintCached().words == expected)
                let (words, problem) = try scene.lintCached()
                #expect(words == expected && problem == nil)
            }
        }
    }

    @Test("A cache with a correct digest over damaged content gives no crash")
    func forged() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "url-caches"), in: folder)
            _ = try scene.lintCached()
            let file = try LintCacheFile(reading: scene.cache, build: CacheScene.build)
            let key = try #require(file.containers.keys.first)
            let directories = file.directories(of: key).mapValues { Array(file.bytes[$0]) }
            var source = SplitMix(state: 2)
            for _ in 0..<30 {
                let forged = directories.mapValues { bytes in
                    var bytes = bytes
                    guard !bytes.isEmpty else { return bytes }
                    for _ in 0..<3 {
                        bytes[Int(source.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: source.next())
                    }
                    return bytes
                }
                try LintCacheFile.write(
                    LintCacheFile.encoded([key: forged], build: CacheScene.build), to: scene.cache)
                let (words, problem) = try scene.lintCached()
                #expect(!words.isEmpty && problem == nil)
            }
        }
    }

    @Test("A cache of another build or another container changes no finding")
    func others() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "wallet-secrets"), in: folder)
            _ = try scene.lintCached()
            let problem = try LintCache(path: scene.cache, build: "another").problem
            #expect(problem?.hasSuffix("is ignored: another version of sandboxlint wrote it.") == true)
            let other = try CacheScene(CorpusContainer(named: "stored-paths"), in: folder)
            let expected = try other.lint()
            #expect(try other.lintCached().words == expected)
            // The existing container is kept.
            let file = try LintCacheFile(reading: scene.cache, build: CacheScene.build)
            #expect(file.containers.keys.count == 2)
            try FileManager.default.removeItem(atPath: scene.path.string)
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(other.path.string)/Documents/new.json"))
            _ = try other.lintCached()
            #expect(try LintCacheFile(reading: scene.cache, build: CacheScene.build).containers.count == 1)
        }
    }

    @Test("A file that others may modify, or that is no cache, is ignored and not replaced")
    func foreign() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "wallet-secrets"), in: folder)
            let expected = try scene.lintCached().words
            let before = try Data(contentsOf: URL(fileURLWithPath: scene.cache))
            for permissions in ["620", "602"] {
                try Command.setUp("chmod", [permissions, scene.cache])
                let (words, problem) = try scene.lintCached()
                #expect(words == expected)
                #expect(problem?.contains("another user owns it or can modify it") == true)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: scene.cache)) == before)
            try Command.setUp("chmod", ["600", scene.cache])
            try Data("{\"findings\": []}".utf8).write(to: URL(fileURLWithPath: scene.cache))
            let (words, problem) = try scene.lintCached()
            #expect(words == expected && problem?.contains("is not a cache of sandboxlint") == true)
            #expect(try String(contentsOfFile: scene.cache, encoding: .utf8) == "{\"findings\": []}")
        }
    }

    @Test("The cache of another user is ignored and not replaced", .enabled(if: getuid() == 0, "changes the owner"))
    func otherUser() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "wallet-secrets"), in: folder)
            let expected = try scene.lintCached().words
            try Command.setUp("chown", ["65534", scene.cache])
            let (words, problem) = try scene.lintCached()
            #expect(words == expected && problem?.contains("another user owns it") == true)
        }
    }

    @Test("A link, a directory or a pipe is an error", arguments: ["ln -s other cache", "mkdir cache", "mkfifo cache"])
    func special(command: String) throws {
        try withScratch { folder throws in
            try Command.setUp("sh", ["-c", command], in: folder)
            #expect(throws: UnreadableSource.self) {
                try LintCache(path: folder.appending(path: "cache").path, build: CacheScene.build)
            }
        }
    }

    // MARK: - Times

    @Test(
        "A file is trusted if a later change is sure to have a later time",
        arguments: [
            (changed: Timestamp(seconds: 100, nanoseconds: 5), read: Timestamp(seconds: 100, nanoseconds: 5), false),
            (Timestamp(seconds: 100, nanoseconds: 5), Timestamp(seconds: 100, nanoseconds: 9_000_000), false),
            (Timestamp(seconds: 100, nanoseconds: 5), Timestamp(seconds: 100, nanoseconds: 11_000_000), true),
            (Timestamp(seconds: 100, nanoseconds: 999_000_000), Timestamp(seconds: 101, nanoseconds: 1_000_000), false),
            (Timestamp(seconds: 100, nanoseconds: 5), Timestamp(seconds: 99, nanoseconds: 5), false),
            (Timestamp(seconds: 100), Timestamp(seconds: 101, nanoseconds: 900_000_000), false),
            (Timestamp(seconds: 100), Timestamp(seconds: 102, nanoseconds: 1), true),
            (Timestamp(seconds: .min), Timestamp(seconds: .max), false),
            (Timestamp(seconds: 0), Timestamp(seconds: .max), true),
        ])
    func settled(changed: Timestamp, read: Timestamp, isSettled: Bool) {
        let status = FileStatus(
            kind: .file, permissions: 0o600, links: 1, owner: (0, 0), size: 1, identity: (1, 2), modified: changed,
            changed: changed)
        #expect(ContentState(status).isSettled(at: read) == isSettled)
    }

    @Test("Nothing is kept of files that changed in the tick before they were read, or that seem to change later")
    func unsettled() throws {
        try withScratch { folder throws in
            let scene = try CacheScene(CorpusContainer(named: "wallet-secrets"), in: folder)
            for (clock, isKept) in [(Timestamp(seconds: 0), false), (Timestamp(seconds: .max), true)] {
                let cache = try LintCache(path: scene.cache, build: CacheScene.build) { clock }
                _ = try scene.linter.caching(in: cache).lint(.open(scene.path))
                #expect(cache.write() == nil)
                let file = try LintCacheFile(reading: scene.cache, build: CacheScene.build)
                let key = try #require(file.containers.keys.first)
                #expect(file.directories(of: key).contains { !$0.key.starts(with: [0]) } == isKept)
            }
        }
    }
}
