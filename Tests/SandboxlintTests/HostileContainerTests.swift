import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Evaluates all rules for a container of files that are designed to break their readers.
@Suite("A hostile container", .needs(.externalProgram)) struct HostileContainerTests {
    /// Creates the files with modules of Python: plistlib, json, sqlite3.
    private static let maker = """
        import os, plistlib, sqlite3, struct, sys
        from plistlib import UID
        os.chdir(sys.argv[1])

        def write(path, content, size=None):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
                if size: file.truncate(size)

        support, preferences = "Library/Application Support/", "Library/Preferences/"
        binary = plistlib.dumps({"a": 1}, fmt=plistlib.FMT_BINARY)
        write(preferences + "large.plist", b'<?xml version="1.0"?><plist version="1.0"><dict><key>a</key><string>', 1 << 30)
        write(preferences + "large-binary.plist", binary, 1 << 30)
        write(preferences + "bomb.plist", b"bplist00" + b"\\xaf\\x13" + struct.pack(">Q", 1 << 60) + binary[-32:])
        nested = b"<array>" * 100_000
        write(preferences + "deep.plist", b'<?xml version="1.0"?><plist version="1.0">' + nested)
        cycle = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": UID(1)}, "$objects": [
            "$null", {"$class": UID(2), "NS.objects": [UID(1)]}, {"$classname": "NSArray", "$classes": ["NSArray"]}]}
        write(support + "cycle.archive", plistlib.dumps(cycle, fmt=plistlib.FMT_BINARY))
        write(support + "noise.sqlite", b"SQLite format 3\\0" + os.urandom(1 << 20))
        write(support + "picture.sqlite", b"\\x89PNG\\r\\n\\x1a\\n" + os.urandom(4096))
        write("Documents/deep.json", b"[" * 10_000 + b"]" * 10_000)
        write("Documents/open.json", b'{"a":' * 1_000_000)
        write("Documents/long.txt", b"eyJ" * 5_000_000)
        for name, mode in ("hot.sqlite", "DELETE"), ("locked.sqlite", "WAL"):
            path = support + name
            store = sqlite3.connect(path, isolation_level=None)
            store.execute("PRAGMA journal_mode=" + mode)
            store.execute("CREATE TABLE t(a)")
            store.execute("PRAGMA cache_size=2")
            store.execute("BEGIN EXCLUSIVE")
            for number in range(2_000): store.execute("INSERT INTO t VALUES(?)", (str(number) * 100,))
            # Not finished: the journal stays hot, the log unfinished, and the locks are held while the linter runs.
            globals()[name] = store
        print("made", flush=True)
        import resource, subprocess
        before = {os.path.join(at, name): os.lstat(os.path.join(at, name)) for at, _, names in os.walk(".") for name in names}
        run = subprocess.run(sys.argv[2:], stdout=open("../report.json", "wb"))
        for path, old in before.items():
            new = os.lstat(path)
            for what in "st_size st_mtime_ns st_ctime_ns st_ino st_mode".split():
                if getattr(new, what) != getattr(old, what): print("changed:", path, what)
        after = {os.path.join(at, name) for at, _, names in os.walk(".") for name in names}
        for path in after ^ set(before): print("came or went:", path)
        print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
        sys.exit(run.returncode)
        """

    @Test("Each file has a finding or is reported as not read; none is changed, and memory use is bounded")
    func all() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "container")
            _ = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            let run = try Command(
                "python3",
                ["-c", Self.maker, path.path, Command.sandboxlint, "lint", path.path, "--format", "json"])
            #expect(run.code == 3, "\(run.errors)")
            let lines = run.text.split(separator: "\n")
            #expect(lines.first == "made" && lines.count == 2, "\(lines)")
            let peak = try #require(lines.last?.split(separator: " ").last.flatMap { Int($0) })
            #expect(peak < 256, "\(peak) MiB")

            let json = try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appending(path: "report.json")))
            let report = try #require(json as? [String: Any])
            func told(_ list: String, _ key: String) throws -> Set<String> {
                let entries = try #require(report[list] as? [[String: Any]])
                return Set(entries.map { "\($0[key] ?? "") \($0["path"] ?? "")" })
            }
            #expect(
                try told("findings", "rule").isSuperset(of: [
                    "preferences-oversize Library/Preferences/large.plist",
                    "preferences-oversize Library/Preferences/large-binary.plist",
                    "preferences-unparsable Library/Preferences/bomb.plist",
                    "sqlite-corrupt Library/Application Support/noise.sqlite",
                    "extension-magic-mismatch Library/Application Support/picture.sqlite",
                ]))
            #expect(
                try told("incidents", "reason").isSuperset(of: [
                    "larger-than-16-mebibytes Library/Preferences/large.plist",
                    "larger-than-16-mebibytes Library/Preferences/large-binary.plist",
                    "property-list-beyond-limits Library/Preferences/deep.plist",
                ]))
        }
    }
}
