import Foundation
import MobileBackup
import TestSupport
import Testing

@Suite(.needs(.externalProgram), .timeLimit(.minutes(60))) struct IndependentReaderTests {
    private func kindBits(_ kind: BackupEntry.Kind) -> UInt16 {
        switch kind {
        case .file: 0o100000
        case .directory: 0o040000
        case .symbolicLink: 0o120000
        }
    }

    @Test(
        "Third-party readers open a written backup, and read every entry as it was added",
        arguments: IndependentReader.allCases)
    func opens(reader: IndependentReader) throws {
        let made = try madeContainer()
        try withBackup(of: made) { backup throws in
            let rows = try reader.read(backup)
            #expect(rows.count == 22)
            #expect(Set(rows.map(\.name)).count == 22)
            for one in made {
                let name = Array("\(one.entry.domain.name)/\(one.entry.path.text)".utf8)
                let row = try #require(rows.first { $0.name == name }, "\(one.entry.path.text)")
                #expect(row.mode == kindBits(one.entry.kind) | one.entry.facts.permissions)
                #expect(row.size == UInt64(one.content.count))
                #expect(row.modified == one.entry.facts.modified)
                #expect(row.user ?? 501 == 501 && row.group ?? 501 == 501 && row.inode ?? 4711 == 4711)
                if case .symbolicLink(let target) = one.entry.kind, reader == .dissect { #expect(row.target == target) }
                let isGiven = one.content.isEmpty ? reader.givesContent.empty : reader.givesContent.filled
                if one.entry.kind == .file, isGiven {
                    #expect(try row.sha256 == sha256(one.content), "\(one.entry.path.text)")
                } else {
                    #expect(row.sha256 == nil)
                }
            }
            // The readers do not change the backup.
            #expect(try open(backup).problems().isEmpty)
        }
    }

    @Test("Third-party readers miss a changed payload of the same size, verify finds it")
    func changedPayload() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Planting(backup: backup).change { [$0[0] ^ 1] + $0.dropFirst() }
            for reader in IndependentReader.allCases { #expect(try reader.read(backup).count == 22) }
            #expect(try open(backup).problems().map(\.kind) == [.payloadChanged])
        }
    }
}
