import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

@Suite("Encrypted backups", .needs(.externalProgram), .timeLimit(.minutes(60))) struct EncryptedBackupTests {
    private static let password = "péché 密码"

    /// The kinds of problems that only these tests cause.
    static let kinds: Set<BackupProblem.Kind> = [.keyInvalid, .keyClassUnknown, .keyClassLocked, .payloadNotDecrypted]

    /// Writes a backup, encrypts it, and passes its path to `body`.
    private func withEncryptedBackup<Result>(
        of made: [Made]? = nil, _ options: [String] = [], _ body: (URL) throws -> Result
    ) throws -> Result {
        try withBackup(of: try made ?? madeContainer()) { backup throws in
            let script = URL(fileURLWithPath: #filePath).appending(path: "../../encrypt-backup").standardized.path
            try Command.setUp(Command.python(), [script] + options + [backup.path, Self.password])
            return try body(backup)
        }
    }

    private func refusal(of backup: URL, password: String? = Self.password) -> MobileBackupError? {
        #expect(throws: MobileBackupError.self) { try open(backup, password: password) }
    }

    @Test("With the password, every entry and every content is that of the unencrypted backup")
    func roundTrip() throws {
        let made = try madeContainer()
        try withEncryptedBackup(of: made) { backup throws in
            let before = try TreeListing(of: backup)
            let read = try open(backup, password: Self.password)
            #expect(read.isEncrypted && read.incidents.isEmpty)
            let (entries, problems) = try read.all()
            #expect(problems.isEmpty && entries.count == 22)
            for one in made {
                let entry = try #require(entries.first { $0.entry == one.entry }, "\(one.entry.path.text)")
                guard one.entry.kind == .file else { continue }
                let content = try read.content(of: entry)
                #expect(content.size == UInt64(one.content.count) && content.problem == nil)
                #expect(try content.contents() == one.content)
                #expect(content.isEncrypted)
            }
            // The SHA-1 in the records are those of the encrypted payloads.
            #expect(try read.problems().isEmpty)
            #expect(try TreeListing(of: backup) == before)
        }
    }

    @Test(
        "Contents of every size around the blocks of the cipher are decrypted", arguments: [0...40, 262_130...262_180])
    func sizes(range: ClosedRange<Int>) throws {
        let made = try range.map { try Made("Documents/\($0)", .file, String(repeating: "x", count: $0)) }
        try withEncryptedBackup(of: made) { backup throws in
            let read = try open(backup, password: Self.password)
            #expect(try read.problems().isEmpty)
            for entry in try read.all().entries where entry.entry.kind == .file {
                let count = try #require(Int(entry.entry.path.text.dropFirst(10)))
                #expect(try read.content(of: entry).contents() == Array(repeating: UInt8(ascii: "x"), count: count))
            }
        }
    }

    @Test("Another password, an empty one and none are refused by name")
    func passwords() throws {
        try withEncryptedBackup { backup throws in
            for wrong in ["pêche 密码", "", " "] {
                let error = refusal(of: backup, password: wrong)
                #expect(error?.code == .wrongPassword)
                #expect(error?.description.hasPrefix("The password does not open the backup. Use the one") == true)
            }
            #expect(
                refusal(of: backup, password: nil)?.description
                    == """
                    The backup is encrypted. Provide its password: the one that was set in Finder or iTunes for backups \
                    of the device.
                    """)
        }
    }

    @Test("The password is requested once for an encrypted backup, and never for another one")
    func requests() throws {
        var requests = 0
        func ask(_ backup: URL) throws -> MobileBackup {
            try MobileBackup(in: Folder(opening: FilePath(backup.path))) {
                requests += 1
                return Self.password
            }
        }
        try withBackup(of: madeContainer()) { backup throws in #expect(try !ask(backup).isEncrypted) }
        #expect(requests == 0)
        try withEncryptedBackup { backup throws in #expect(try ask(backup).isEncrypted) }
        #expect(requests == 1)
    }

    /// Changes of `Manifest.plist`, and the resulting errors. `k` is the keybag.
    static let damagedKeys: [(change: String, code: MobileBackupError.Code, says: String)] = [
        (
            "at = k.index(b'DPIC') + 8; k[at:at + 4] = struct.pack('>I', 10**9)", .keybagInvalid,
            "DPIC asks for 1000000000 iterations, and the limit is 20000000"
        ),
        ("at = k.index(b'ITER') + 8; k[at:at + 4] = bytes(4)", .keybagInvalid, "ITER asks for 0 iterations"),
        (
            "at = k.index(b'ITER') + 8; k[at:at + 4] = b'\\xff' * 4", .keybagInvalid,
            "ITER asks for 4294967295 iterations"
        ),
        (
            "at = k.index(b'DPIC'); k[at + 4:at + 12] = struct.pack('>IQ', 8, 1)", .keybagInvalid,
            "the item DPIC of it has 8 bytes instead of 4"
        ),
        ("at = k.index(b'DPSL'); k[at + 4:at + 28] = struct.pack('>I', 0)", .keybagInvalid, "DPSL has 0 bytes"),
        (
            "at = k.index(b'DPIC'); del k[at:at + 12]; at = k.index(b'DPSL'); del k[at:at + 28]", .tooOld,
            "before iOS 10.2"
        ),
        ("at = k.index(b'SALT'); del k[at:at + 28]", .keybagInvalid, "it has no item SALT"),
        ("at = k.index(b'TYPE') + 8; k[at:at + 4] = struct.pack('>I', 3)", .keybagInvalid, "it has type 3"),
        (
            "at = k.index(b'WPKY'); k[at + 4:at + 48] = struct.pack('>I', 39) + bytes(39)", .keybagInvalid,
            "the key of class 11 has 39 bytes instead of 40"
        ),
        ("del k[-1:]", .keybagInvalid, "it is truncated in the item WPKY"),
        ("del k[-45:]", .keybagInvalid, "it is truncated"),
        ("k += b'WPKY' + struct.pack('>I', 2**32 - 1)", .keybagInvalid, "it is truncated in the item WPKY"),
        ("k += b'\\xff\\xff\\xff\\xff' + bytes(4)", .keybagInvalid, "an item has an invalid tag"),
        ("k += k[k.index(b'KTYP', len(k) - 60):]", .keybagInvalid, "a class has two items KTYP"),
        ("at = k.index(b'CLAS'); k[at + 8:at + 12] = struct.pack('>I', 10)", .keybagInvalid, "two keys of class 10"),
        ("at = k.index(b'CLAS'); del k[at:at + 12]", .keybagInvalid, "a class has no number"),
        ("k *= 100", .keybagInvalid, "it has "),
        ("k.clear()", .keybagInvalid, "contains no keybag"),
        ("del p['ManifestKey']", .keybagInvalid, "no valid key of Manifest.db"),
        ("p['ManifestKey'] = p['ManifestKey'][:-1]", .keybagInvalid, "no valid key of Manifest.db"),
        (
            "p['ManifestKey'] = b'\\x2a\\0\\0\\0' + p['ManifestKey'][4:]", .keybagInvalid,
            "class 42, which the keybag does not have"
        ),
        ("p['ManifestKey'] = p['ManifestKey'][:-1] + b'x'", .keybagInvalid, "The key of Manifest.db is damaged"),
        ("for n in range(11): at = k.index(b'WPKY', 200 + n * 110); k[at + 8] ^= 1", .wrongPassword, "does not open"),
        ("p['IsEncrypted'] = False; p['BackupKeyBag'] = k = bytearray()", .encrypted, "declares it unencrypted"),
    ]

    @Test("A damaged or hostile keybag is refused by name before any key is derived", arguments: damagedKeys.indices)
    func keybags(index: Int) throws {
        let (change, code, says) = Self.damagedKeys[index]
        try withEncryptedBackup { backup throws in
            try changeDeclaration(
                backup,
                "k = bytearray(p['BackupKeyBag'])\n\(change)\np['BackupKeyBag'] = bytes(k)")
            let start = ContinuousClock.now
            let error = refusal(of: backup)
            #expect(error?.code == code, "\(change): \(error?.description ?? "")")
            #expect(error?.description.contains(says) == true, "\(change): \(error?.description ?? "")")
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }

    @Test("A keybag truncated anywhere, or with any changed byte, is refused, or the backup is read the same")
    func changedKeybags() throws {
        try withEncryptedBackup { backup throws in
            let list = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: backup.appending(path: "Manifest.plist")), format: nil)
            let bytes = try #require((list as? [String: Any])?["BackupKeyBag"] as? Data)
            let keybag = try Keybag(parsing: Array(bytes))
            #expect(keybag.classes.map(\.number) == Array(1...11).reversed())
            for end in bytes.indices where end > 0 {
                let cut = try? Keybag(parsing: Array(bytes.prefix(end)))
                // A cut between two items leaves a keybag with fewer classes, or a last one without its key.
                #expect(cut.map { $0.classes.count < 11 || $0.classes.last?.wrapped == nil } ?? true)
                for mask in [1, 0x80, 0xff] as [UInt8] {
                    var changed = Array(bytes)
                    changed[end] ^= mask
                    let read = try? Keybag(parsing: changed)
                    #expect(read.map { $0.first.iterations <= 20_000_000 && $0.second.iterations <= 1_000_000 } ?? true)
                }
            }
        }
    }

    @Test("A truncated or damaged manifest is told apart from a wrong password")
    func manifests() throws {
        let changes: [(change: (Data) -> Data, code: MobileBackupError.Code, says: String)] = [
            ({ $0.prefix($0.count - 5) }, .truncated, "which is no multiple of 16"),
            ({ $0.prefix($0.count / 2 / 4096 * 4096) }, .truncated, "bytes. Copy the backup again"),
            ({ $0.prefix(8192) }, .truncated, "it has 8192 of "),
            ({ Data([$0[0] ^ 1]) + $0.dropFirst() }, .damaged, "The decrypted Manifest.db is not a SQLite database"),
        ]
        try withEncryptedBackup { backup throws in
            let place = backup.appending(path: "Manifest.db")
            let bytes = try Data(contentsOf: place)
            for (change, code, says) in changes {
                try change(bytes).write(to: place)
                let error = refusal(of: backup)
                #expect(error?.code == code)
                #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
            }
            try FileManager.default.removeItem(at: backup.appending(path: "Manifest.plist"))
            try bytes.write(to: place)
            let error = #expect(throws: MobileBackupError.self) { try open(backup, allowsPartial: true) }
            #expect(error?.code == .encrypted)
            #expect(error?.description.contains("Manifest.plist, which contains its keys, is missing") == true)
        }
    }

    @Test("A damaged row or payload is a problem by its name, and other contents are decrypted")
    func damage() throws {
        let changes: [(change: String, kind: BackupProblem.Kind)] = [
            ("o[f['EncryptionKey'].data]['NS.data'] = bytes(43)", .keyInvalid),
            ("k = o[f['EncryptionKey'].data]; k['NS.data'] = k['NS.data'][:-1] + b'x'", .keyInvalid),
            ("k = o[f['EncryptionKey'].data]; k['NS.data'] = b'\\x2a\\0\\0\\0' + k['NS.data'][4:]", .keyClassUnknown),
            ("", .payloadMissing), ("", .payloadNotDecrypted), ("", .payloadNotDecrypted), ("", .payloadChanged),
        ]
        for (index, change) in changes.enumerated() {
            try withBackup(of: madeContainer()) { backup throws in
                let planting = Planting(backup: backup)
                let payload = try planting.payload()
                try encrypt(backup, password: Self.password)
                let stored = try Data(contentsOf: payload)
                switch index {
                case 3: try FileManager.default.removeItem(at: payload)
                case 4: try stored.dropLast().write(to: payload)
                case 5: try (stored.dropLast(16) + Data(repeating: 7, count: 16)).write(to: payload)
                case 6: try (Data([stored[0] ^ 1]) + stored.dropFirst()).write(to: payload)
                default: try decryptingManifest(backup) { try planting.edit(planting.file, change.change) }
                }
                let read = try open(backup, password: Self.password)
                let problems = try read.problems().map(\.kind)
                // A changed block damages the padding, too, if it is the last one.
                #expect(problems == [change.kind] || (index == 6 && problems == [.payloadNotDecrypted]), "\(index)")
                let other = try #require(try read.all().entries.first { $0.entry.path.text == planting.other })
                #expect(try read.content(of: other).contents() == Array("before 1970".utf8))
            }
        }
    }

    /// Runs `body` while the manifest is not encrypted.
    private func decryptingManifest(_ backup: URL, _ body: () throws -> Void) throws {
        func crypt(_ how: String) throws {
            let code = """
                import sys, hashlib
                from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
                place = sys.argv[1] + "/Manifest.db"
                cipher = Cipher(algorithms.AES(hashlib.sha256(b"manifest").digest()), modes.CBC(bytes(16))).\(how)()
                content = cipher.update(open(place, "rb").read()) + cipher.finalize()
                open(place, "wb").write(content)
                """
            try Command.setUp(Command.python(), ["-c", code, backup.path])
        }
        try crypt("decryptor")
        try body()
        // SQLite has not changed the padding, which follows the last page.
        try crypt("encryptor")
    }

    @Test("A class that the password does not open is named, and files of other classes are decrypted")
    func lockedClass() throws {
        let made = [
            try Made("Documents/open", .file, "open"),
            Made(
                try BackupEntry(
                    .reader, path: BackupPath(bytes: "Documents/locked".utf8), kind: .file,
                    facts: .init(permissions: 0o644, modified: 1, changed: 1, birth: 1, protectionClass: 1)),
                Array("x".utf8)),
        ]
        try withEncryptedBackup(of: made) { backup throws in
            // As for a key that needs the device.
            try changeDeclaration(
                backup,
                """
                k = bytearray(p["BackupKeyBag"])
                at = k.index(b"CLAS" + struct.pack(">II", 4, 1))
                at = k.index(b"WRAP", at) + 8
                k[at:at + 4] = struct.pack(">I", 1)
                p["BackupKeyBag"] = bytes(k)
                """)
            let problems = try open(backup, password: Self.password).problems()
            #expect(problems.map(\.kind) == [.keyClassLocked] && problems.map(\.detail) == ["class 1"])
        }
    }

    @Test("A payload of another size than recorded, as of a file in use, is read with a note")
    func otherSize() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let planting = Planting(backup: backup)
            try planting.edit(planting.file, #"f["Size"] = 100; del f["Digest"]"#)
            try encrypt(backup, password: Self.password)
            let read = try open(backup, password: Self.password)
            let entry = try #require(try read.all().entries.first { $0.entry.path.text == planting.file })
            let content = try read.content(of: entry)
            #expect(try content.contents() == Array("text".utf8))
            #expect(content.problem?.detail == "4 bytes instead of 100")
            #expect(try read.problems().map(\.kind) == [.payloadLength])
        }
    }

    @Test("A backup whose manifest and payloads another tool has decrypted is read with and without the password")
    func decryptedByAnotherTool() throws {
        try withBackup(of: madeContainer()) { plain throws in
            let root = plain.deletingLastPathComponent()
            let backup = root.appending(path: "encrypted")
            try FileManager.default.copyItem(at: plain, to: backup)
            try encrypt(backup, password: Self.password)
            // Rows with keys, and payloads without encryption.
            try decryptingManifestForGood(backup)
            for name in try names(in: plain) where name.count == 2 {
                try FileManager.default.removeItem(at: backup.appending(path: name))
                try FileManager.default.copyItem(at: plain.appending(path: name), to: backup.appending(path: name))
            }
            for password in [nil, Self.password] {
                let read = try open(backup, allowsPartial: true, password: password)
                #expect(read.incidents.map(\.kind) == (password == nil ? [.manifestDecrypted] : []))
                let entry = try #require(try read.all().entries.first { $0.entry.path.text == "Documents/large.bin" })
                #expect(try read.content(of: entry).contents().count == 3_200_000)
            }
            #expect(refusal(of: backup, password: nil)?.code == .encrypted)
            // A payload that is still encrypted is named as such without the password.
            let payload = try Planting(backup: backup).payload()
            let size = try Data(contentsOf: payload).count
            try Data(repeating: 5, count: size / 16 * 16 + 16).write(to: payload)
            let read = try open(backup, allowsPartial: true)
            #expect(try read.problems().map(\.kind).contains(.encrypted))
        }
    }

    private func decryptingManifestForGood(_ backup: URL) throws {
        let code = """
            import sys, hashlib
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
            place = sys.argv[1] + "/Manifest.db"
            cipher = Cipher(algorithms.AES(hashlib.sha256(b"manifest").digest()), modes.CBC(bytes(16))).decryptor()
            content = cipher.update(open(place, "rb").read()) + cipher.finalize()
            open(place, "wb").write(content[:-16])
            """
        try Command.setUp(Command.python(), ["-c", code, backup.path])
    }

    @Test(
        "Third-party readers of encrypted backups read the same entries and contents",
        arguments: IndependentReader.ofEncrypted)
    func independent(reader: IndependentReader) throws {
        let made = try madeContainer()
        try withEncryptedBackup(of: made) { backup throws in
            let read = try open(backup, password: Self.password)
            let entries = try read.all().entries
            let rows = try reader.read(backup, password: Self.password)
            #expect(
                rows.count == (reader.listsFilesOnly ? entries.filter { $0.entry.kind == .file }.count : entries.count))
            for row in rows {
                let entry = try #require(
                    entries.first { Array("\($0.entry.domain.name)/\($0.entry.path.text)".utf8) == row.name })
                #expect(row.size == entry.size ?? 0 && row.modified == entry.entry.facts.modified)
                guard entry.entry.kind == .file else { continue }
                let content = try read.content(of: entry).contents()
                #expect(try row.sha256 == sha256(content), "\(entry.entry.path.text)")
            }
        }
    }
}
