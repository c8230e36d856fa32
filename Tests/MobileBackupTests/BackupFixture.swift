import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

/// An entry of a test backup, with its content.
struct Made {
    let entry: BackupEntry
    let content: [UInt8]

    init(
        _ path: String, _ kind: BackupEntry.Kind = .file, _ content: String = "", mode: UInt16 = 0o644,
        in domain: BackupDomain? = nil, modified: Int64 = 1_700_000_000, attributes: [String: [UInt8]] = [:]
    ) throws {
        self.init(
            try BackupEntry(
                domain ?? .reader, path: BackupPath(bytes: Array(path.utf8)), kind: kind,
                facts: .init(
                    permissions: mode, modified: modified, changed: modified + 1, birth: modified - 1, inode: 4711,
                    protectionClass: kind == .file ? 3 : 0),
                attributes: attributes.map { .init(name: $0, value: $1) }), Array(content.utf8))
    }

    init(_ entry: BackupEntry, _ content: [UInt8]) { (self.entry, self.content) = (entry, content) }
}

extension BackupDomain {
    /// The container of an app.
    static var reader: BackupDomain { get throws { try BackupDomain(.app, identifier: "com.acme.reader") } }
}

extension BackedUpDevice {
    static let phone = BackedUpDevice(
        identifier: "00008110-000A1B2C3D4E5F60", name: "Ada’s iPhone", productType: "iPhone14,5",
        productName: "iPhone 13", productVersion: "17.5.1", buildVersion: "21F90", serialNumber: "F2LXXXXXXXXX",
        backupIdentifier: "0F0E0D0C-0B0A-4908-8706-050403020100", date: 1_750_000_000,
        applicationVersions: ["com.acme.reader": "1.2"])
}

/// Returns entries of every kind that the layout stores.
func madeContainer() throws -> [Made] {
    let group = try BackupDomain(.group, identifier: "group.com.acme")
    let plugin = try BackupDomain(.plugin, identifier: "com.acme.reader.widget")
    return [
        // Before its parent directories, which are never added.
        try Made("Library/Application Support/deep/er/note.txt", .file, "a note\n", mode: 0o600),
        try Made("Documents", .directory, mode: 0o700, attributes: ["com.acme.color": [1, 2, 0, 255]]),
        try Made("Documents/empty", .file, mode: 0o400),
        try Made("Documents/empty folder", .directory, mode: 0o755),
        try Made("Documents/Grüße 日本 🎈.txt", .file, "Grüße", modified: 1_234_567_890),
        // One name for a reader, two names for the device.
        try Made("Documents/Gru\u{308}ße 日本 🎈.txt", .file, "Gru\u{308}ße"),
        try Made("Documents/line\nbreak 'and' \"quotes\" %41", .file, "odd"),
        try Made("Documents/old", .file, "before 1970", modified: -86_400),
        try Made("Documents/link", .symbolicLink(target: "../Library/Application Support"), mode: 0o755),
        try Made("Documents/absolute", .symbolicLink(target: "/var/mobile/Containers/old"), mode: 0o755),
        try Made(
            "Documents/flagged", .file, "text", attributes: ["com.apple.metadata:kMDItemWhereFroms": Array("x".utf8)]),
        try Made("Documents/large.bin", .file, String(repeating: "0123456789abcdef", count: 200_000)),
        try Made("settings.plist", .file, "shared", in: group),
        try Made("Library/w", .file, "widget", in: plugin),
    ]
}

/// Writes a backup to a scratch directory and passes its path to `body`.
func withBackup<Result>(
    of entries: [Made], _ body: (_ backup: URL) throws -> Result
) throws -> Result {
    try withScratch { root throws in
        try write(entries, in: root)
        return try body(root.appending(path: BackedUpDevice.phone.identifier))
    }
}

/// Writes a complete backup.
func write(_ entries: [Made], in root: URL, of device: BackedUpDevice = .phone) throws {
    let writer = try MobileBackupWriter(in: Folder(opening: FilePath(root.path)), of: device)
    for made in entries {
        try writer.add(made.entry) { payload throws in
            // In pieces, like a stream.
            for start in stride(from: 0, to: made.content.count, by: 100_000) {
                try payload.write(Array(made.content[start..<min(start + 100_000, made.content.count)]))
            }
        }
    }
    try writer.finish()
}

/// Opens the backup in a directory.
func open(_ backup: URL, allowsPartial: Bool = false, password: String? = nil) throws -> MobileBackup {
    try MobileBackup(in: Folder(opening: FilePath(backup.path)), allowsPartial: allowsPartial) { password }
}

/// Encrypts a written backup as iOS does.
func encrypt(_ backup: URL, password: String, _ options: String...) throws {
    let script = URL(fileURLWithPath: #filePath).appending(path: "../../encrypt-backup").standardized.path
    try Command.setUp(Command.python(), [script, backup.path, password] + options)
}

/// Changes `Manifest.plist` with Python statements over its dictionary `p`.
func changeDeclaration(_ backup: URL, _ change: String) throws {
    let code = """
        import sys, plistlib, struct
        place = sys.argv[1] + "/Manifest.plist"
        p = plistlib.load(open(place, "rb"))
        \(change)
        plistlib.dump(p, open(place, "wb"), fmt=plistlib.FMT_BINARY)
        """
    try Command.setUp("python3", ["-c", code, backup.path])
}

extension PayloadContent {
    /// Returns the whole content, read in pieces of odd sizes.
    func contents() throws -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 300_007, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(bytes.count < 100 ? 7 : buffer.count)])
            let count = try read(into: piece, from: UInt64(bytes.count))
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }
}

extension MobileBackup {
    /// Returns the usable entries by domain, and the problems.
    func all() throws -> (entries: [StoredEntry], problems: [BackupProblem]) {
        var (entries, problems): ([StoredEntry], [BackupProblem]) = ([], [])
        for domain in try domains() {
            try self.entries(of: domain) { result throws in
                switch result {
                case .success(let entry): entries.append(entry)
                case .failure(let problem): problems.append(problem)
                }
            }
        }
        return (entries, problems)
    }

    /// Returns the problems that a verification finds.
    func problems() throws -> [BackupProblem] {
        var problems: [BackupProblem] = []
        let verified = try verify { problems.append($0) }
        #expect(verified.problems == problems.count)
        return problems
    }
}

/// Returns the rows of SQL statements for the manifest of a backup, as `sqlite3` prints them.
@discardableResult
func sqlite(_ backup: URL, _ sql: String) throws -> String {
    try executeSQL(sql, in: backup.path + "/Manifest.db").trimmingCharacters(in: .newlines)
}

/// Returns the SHA-256 of bytes as hexadecimal digits.
func sha256(_ bytes: [UInt8]) throws -> String {
    try withScratch { folder throws in
        let file = folder.appending(path: "content")
        try Data(bytes).write(to: file)
        return String(try Command("shasum", ["-a", "256", file.path]).text.prefix(64))
    }
}
