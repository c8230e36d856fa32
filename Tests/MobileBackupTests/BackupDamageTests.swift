import Foundation
import MobileBackup
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct BackupDamageTests {
    /// The number of backups per kind of damage; `scripts/stress backup-damage` sets it.
    static let rounds = Int(ProcessInfo.processInfo.environment["BACKUP_DAMAGE"] ?? "") ?? 1

    @Test(
        "Each damage is reported with its location, and nothing else is", .needs(.externalProgram),
        arguments: Damage.all.indices, 0..<rounds)
    func named(index: Int, round: Int) throws {
        let damage = Damage.all[index]
        var random = SeededNumbers(seed: UInt64(round * 1000 + index))
        let container = try RandomContainer(using: &random)
        try withBackup(of: container.entries) { backup throws in
            try damage.plant(container.planting(backup))
            let problems = try open(backup).problems()
            let kinds = problems.map(\.kind.rawValue).sorted()
            #expect(kinds == damage.kinds.map(\.rawValue).sorted(), "\(damage.name)")
            for problem in problems where problem.row > 0 {
                let row = try sqlite(
                    backup, "SELECT hex(domain), hex(relativePath) FROM Files WHERE rowid = \(problem.row)")
                #expect(row == "\(hex(problem.domain))|\(hex(problem.path))", "\(damage.name)")
            }
        }
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }

    @Test("A backup without damage has no problems", arguments: 0..<(10 * rounds))
    func sound(round: Int) throws {
        var random = SeededNumbers(seed: UInt64(1_000_000 + round))
        let container = try RandomContainer(using: &random)
        try withBackup(of: container.entries) { backup throws in
            let read = try open(backup)
            #expect(try read.problems().isEmpty)
            let entries = Set(try read.all().entries.map(\.entry))
            #expect(entries.isSuperset(of: container.entries.map(\.entry)))
        }
    }

    @Test("Every kind of damage is tested", .needs(.externalProgram))
    func allKinds() {
        let planted = Set(Damage.all.flatMap(\.kinds))
        // Root can read every file.
        #expect(
            Set(BackupProblem.Kind.allCases).subtracting(planted).subtracting(ExtractionTests.kinds)
                .subtracting(EncryptedBackupTests.kinds).subtracting(PartialBackupTests.kinds) == [.payloadUnreadable])
    }

    @Test("Other rows are read if one is damaged")
    func rest() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Planting(backup: backup).update("Documents/flagged", "file = x'00'")
            let (entries, problems) = try open(backup).all()
            #expect(problems.map(\.kind) == [.recordDamaged])
            #expect(entries.count == 21)
        }
    }

    @Test("A payload that does not match its record is not opened")
    func payloads() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Planting(backup: backup).change { $0.dropLast(2) }
            let read = try open(backup)
            let entry = try #require(try read.all().entries.first { $0.entry.path.text == "Documents/flagged" })
            let problem = #expect(throws: BackupProblem.self) { try read.content(of: entry) }
            #expect(problem?.kind == .payloadLength)
            #expect(problem?.detail == "2 bytes instead of 4")
        }
    }

    @Test("A row in the write-ahead log is read, and the log is unchanged", .needs(.externalProgram))
    func log() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let script = """
                import sys, sqlite3, os
                db = sqlite3.connect(sys.argv[1])
                db.execute("PRAGMA wal_autocheckpoint = 0")
                db.execute("UPDATE Files SET file = NULL WHERE \(Planting.row("Documents/flagged"))")
                db.commit()
                os._exit(0)
                """
            #expect(try Command("python3", ["-c", script, backup.appending(path: "Manifest.db").path]).code == 0)
            func manifests() throws -> [String: Data] {
                let names = try names(in: backup).filter { $0.hasPrefix("Manifest.db") }
                return try Dictionary(
                    uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: backup.appending(path: $0))) })
            }
            let before = try manifests()
            #expect(before.keys.contains("Manifest.db-wal"))
            #expect(try open(backup).problems().map(\.kind) == [.recordMissing])
            let isUnchanged = try manifests() == before
            #expect(isUnchanged)
        }
    }
}
