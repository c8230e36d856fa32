import AppContainer
import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Damaged key-value stores and recordings") struct KeyValueStoreTests {
    /// Writes files with a program of Python in `Documents/store` of a container, and returns the paths of the files that are
    /// reported as damaged, with the problems.
    private func problems(_ code: String, independent: Bool = false) throws -> [String: String] {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let store = folder.appending(path: "c/Documents/store")
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
            let python = independent ? try Command.python() : "python3"
            try Command.setUp(python, ["-c", Self.helpers + code], in: store)
            try Command.setUp("bash", ["-c", "find . -type f -exec touch -d 2025-12-01T00:00:00 {} +"], in: store)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: ["key-value-store-damaged", "recording-unfinished"], ignore: [])
            let report = try Linter(catalogue: catalogue, now: 1_767_225_600).lint(container)
            #expect(report.isComplete)
            return Dictionary(
                uniqueKeysWithValues: report.findings.map { finding in
                    let problem = finding.evidence.first { $0.kind == "problem" }?.value ?? ""
                    return (String(finding.displayPath.dropFirst("Documents/store/".count)), problem)
                })
        }
    }

    private static let helpers = """
        import os, struct, zlib
        def mmkv(name, pairs, version=4, damage=None, size=None):
            def varint(n):
                out = b""
                while True:
                    out += bytes([n & 127 | (128 if n > 127 else 0)]); n >>= 7
                    if not n: return out
            body = varint(0xfffffff) + b"".join(varint(len(k)) + k + varint(len(v)) + v for k, v in pairs)
            content = struct.pack("<I", len(body)) + body
            content += bytes(-len(content) % 16384)
            crc = zlib.crc32(body)
            if damage is not None: content = content[:damage] + bytes([content[damage] ^ 0x55]) + content[damage + 1:]
            stated = len(body) if size is None else size
            if size is not None: content = struct.pack("<I", size) + content[4:]
            open(name, "wb").write(content)
            meta = struct.pack("<III", crc, version, 1) + bytes(16) + struct.pack("<III", stated, stated, crc)
            open(name + ".crc", "wb").write(meta + bytes(16384 - len(meta)))
        def frame(payload):
            head = struct.pack("<I", len(payload) + 8) + payload
            return head + struct.pack("<I", zlib.crc32(head))
        def change(name, at, value=0x55):
            with open(name, "r+b") as file:
                file.seek(at); byte = file.read(1); file.seek(at); file.write(bytes([byte[0] ^ value]))

        """

    @Test(
        "MMKV: a changed byte and a size beyond the file are damage; unused space and old versions are not",
        .needs(.externalProgram))
    func mmkv() throws {
        let found = try problems(
            """
            pairs = [(b"draft", b"\\x05Hello"), (b"theme", b"\\x04dark")]
            mmkv("sound", pairs)
            mmkv("large", [(b"key%d" % number, bytes(1000)) for number in range(500)])
            mmkv("old", pairs, version=2)
            mmkv("changed", pairs, damage=20)
            mmkv("unused", pairs, damage=2000)
            mmkv("beyond", pairs, size=1 << 20)
            mmkv("orphan", pairs); os.remove("orphan")
            mmkv("empty", []); open("empty", "wb").write(bytes(16384)); open("empty.crc", "wb").write(bytes(16384))
            open("other", "wb").write(bytes(8192)); open("other.crc", "w").write("0a1b2c3d")
            """)
        #expect(Set(found.keys) == ["changed", "beyond", "orphan.crc"])
        #expect(found["changed"]?.contains("checksum") == true && found["beyond"]?.contains("1048576 bytes") == true)
    }

    @Test(
        "Hive: an entry that does not match before others is damage; a cut or zero end and an encrypted box are not",
        .needs(.externalProgram))
    func hive() throws {
        let found = try problems(
            """
            one, two = frame(b"\\x01\\x05title\\x04\\x05Notes"), frame(b"\\x01\\x04text\\x04\\x05Hello")
            bad = two[:8] + b"?" + two[9:]
            for name, content in {
                "sound": one + two, "middle": one + bad + one, "last": one + bad, "cut": one + two[:-3], "zero": one + bytes(4096),
                "encrypted": bad + bad, "hole": one + bytes(64) + two, "none": b"", "text": b"no box",
                "many": one * 50_000, "manybad": one * 50_000 + bad + one,
            }.items(): open(name + ".hive", "wb").write(content)
            """)
        #expect(Set(found.keys) == ["middle.hive", "hole.hive", "manybad.hive"])
        #expect(found["middle.hive"]?.contains("does not match its checksum") == true)
    }

    @Test("LMDB: a page of metadata or a root that is overwritten or cut off is damage", .needs(.externalProgram))
    func lmdb() throws {
        let found = try problems(
            """
            import lmdb, shutil
            environment = lmdb.open("made.mdb", subdir=False, map_size=1 << 24)
            for turn in range(3):
                with environment.begin(write=True) as transaction:
                    for number in range(500): transaction.put(b"note%d-%d" % (turn, number), os.urandom(200))
            environment.close()
            size = os.path.getsize("made.mdb")
            for name in ["first", "second", "short", "root", "user"]: shutil.copy("made.mdb", name + ".mdb")
            change("first.mdb", 17)
            change("second.mdb", 4096 + 17)
            os.truncate("short.mdb", 4096)
            data = open("made.mdb", "rb").read()
            newest = max([0, 4096], key=lambda page: struct.unpack_from("<Q", data, page + 144)[0])
            root = struct.unpack_from("<Q", data, newest + 128)[0]
            change("root.mdb", root * 4096)
            change("user.mdb", root * 4096 + 300)
            open("access.mdb", "wb").write(b"\\0\\1\\0\\0Standard Jet DB" + bytes(8000))
            os.remove("made.mdb-lock")
            """, independent: true)
        #expect(Set(found.keys) == ["first.mdb", "second.mdb", "short.mdb", "root.mdb"])
        #expect(found["root.mdb"]?.contains("root of its newest state") == true)
    }

    @Test(
        "LevelDB: a missing manifest or table and a changed record are damage; a log that is cut off is not",
        .needs(.externalProgram))
    func levelDB() throws {
        let found = try problems(
            """
            import plyvel, shutil, glob
            database = plyvel.DB("made", create_if_missing=True, write_buffer_size=1 << 16)
            for number in range(3000): database.put(b"key%d" % number, os.urandom(100))
            database.close()
            database = plyvel.DB("made")
            for number in range(300): database.put(b"new%d" % number, b"value" * 20)
            database.close()
            names = ["sound", "manifest", "current", "table", "record", "log", "cutlog"]
            for name in names: shutil.copytree("made", name)
            def one(folder, pattern): return sorted(glob.glob(folder + "/" + pattern))[-1]
            os.remove(one("manifest", "MANIFEST-*"))
            open("current/CURRENT", "w").write("MANIFEST-0000")
            for name in glob.glob("table/*.ldb"): os.remove(name)
            change(one("record", "MANIFEST-*"), 10)
            change(one("log", "*.log"), 40)
            os.truncate(one("cutlog", "*.log"), os.path.getsize(one("cutlog", "*.log")) - 7)
            shutil.rmtree("made")
            """, independent: true)
        let damaged = ["manifest", "current", "table", "record", "log"].map { "\($0)/CURRENT" }
        #expect(Set(found.keys) == Set(damaged), "\(found)")
        #expect(found["table/CURRENT"]?.contains("which does not exist") == true)
        #expect(found["log/CURRENT"]?.contains(".log: the record at byte 0") == true)
    }

    @Test(
        "Recordings without an index are unfinished, whatever the length of their samples says",
        .needs(.externalProgram))
    func recordings() throws {
        let found = try problems(
            """
            def box(kind, content=b"", size=None): return struct.pack(">I", 8 + len(content) if size is None else size) + kind + content
            start = box(b"ftyp", b"M4A " + bytes(4) + b"M4A mp42")
            sound = os.urandom(8000)
            long = struct.pack(">I", 1) + b"mdat" + struct.pack(">Q", 16 + len(sound)) + sound
            for name, content in {
                "plain": start + box(b"mdat", sound), "open": start + box(b"mdat", sound, 0), "beyond": start + box(b"mdat", sound, 1 << 30),
                "long": start + long, "space": start + box(b"mdat", sound) + bytes(500),
                "finished": start + box(b"mdat", sound) + box(b"moov", bytes(100)), "front": start + box(b"moov", bytes(100)) + box(b"mdat", sound, 0),
                "parts": start + box(b"moof", bytes(100)) + box(b"mdat", sound), "finishedlong": start + long + box(b"moov", bytes(100)),
                "nothing": start + box(b"free", bytes(5000)), "noise": os.urandom(9000), "loop": start + box(b"mdat", sound[:10]) + box(b"free", b"", 8) * 6000,
            }.items(): open(name + ".m4a", "wb").write(content)
            """)
        #expect(Set(found.keys) == Set(["plain", "open", "beyond", "long", "space"].map { $0 + ".m4a" }), "\(found)")
    }

    @Test("A file of more than 256 MiB is not read to its end, and the run is incomplete", .timeLimit(.minutes(60)))
    func limit() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let documents = folder.appending(path: "c/Documents")
            try documents.makeHole("large", size: 4 << 30)
            try documents.write(Data([0, 0, 0, 0x20, 1]), to: "large", at: 0)
            try documents.makeHole("large.crc", size: 16_384)
            try documents.write(Data([1, 2, 3, 4, 4, 0, 0, 0]), to: "large.crc", at: 0)
            try documents.write(Data([0, 0, 0, 0x20]), to: "large.crc", at: 28)
            let report = try Linter().lint(container)
            #expect(
                report.incidents.contains {
                    $0.displayPath == "Documents/large" && $0.reason == .larger(thanMebibytes: 256)
                })
        }
    }
}
