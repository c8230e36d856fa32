import Foundation
import MobileBackup
import TestSupport

/// A container with random names, kinds, contents and attributes, and an item for each kind of damage.
struct RandomContainer {
    private(set) var entries: [Made] = []
    private let file: String
    private let other: String
    private let link: String
    private let folder: String

    init(using random: inout some RandomNumberGenerator) throws {
        // Each name starts with a different number, so that no file is the parent of another one.
        var folders = ["Documents", "Library"]
        for number in 0..<Int.random(in: 0...6, using: &random) {
            let parent = folders.randomElement(using: &random) ?? "Documents"
            folders.append("\(parent)/\(number)\(Self.name(using: &random))")
        }
        func place(_ number: Int, _ random: inout some RandomNumberGenerator) -> String {
            "\(folders.randomElement(using: &random) ?? "Documents")/\(number)\(Self.name(using: &random))"
        }
        (file, other) = (place(100, &random), place(101, &random))
        (link, folder) = (place(102, &random), place(103, &random))
        entries = [
            try Self.file(file, size: 2..., attributes: 1..., using: &random), try Self.file(other, using: &random),
            try Made(link, .symbolicLink(target: "../\(Self.name(using: &random))"), mode: 0o755),
            try Self.file("\(folder)/\(Self.name(using: &random))", using: &random),
        ]
        for number in 200..<(200 + Int.random(in: 0...30, using: &random)) {
            let path = place(number, &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: entries.append(try Made(path, .directory, mode: 0o700))
            case 1: entries.append(try Made(path, .symbolicLink(target: "/var/\(number)"), mode: 0o755))
            default: entries.append(try Self.file(path, using: &random))
            }
        }
        entries.shuffle(using: &random)
    }

    func planting(_ backup: URL) -> Planting {
        Planting(backup: backup, file: file, other: other, link: link, folder: folder)
    }

    private static func file(
        _ path: String, size: PartialRangeFrom<Int> = 0..., attributes: PartialRangeFrom<Int> = 0...,
        using random: inout some RandomNumberGenerator
    ) throws -> Made {
        let entry = try BackupEntry(
            .reader, path: BackupPath(bytes: path.utf8), kind: .file,
            facts: .init(
                permissions: [0o600, 0o644, 0o444, 0o4755].randomElement(using: &random) ?? 0o600,
                modified: .random(in: -1_000_000...4_000_000_000, using: &random),
                changed: .random(in: 0...4_000_000_000, using: &random),
                birth: .random(in: 0...4_000_000_000, using: &random),
                user: [501, -2, 0].randomElement(using: &random) ?? 0,
                inode: .random(in: 0...UInt64(UInt32.max), using: &random),
                protectionClass: .random(in: 0...4, using: &random)),
            attributes: (0..<Int.random(in: attributes.lowerBound...3, using: &random)).map { number in
                .init(name: "com.acme.\(number)", value: bytes(.random(in: 0...300, using: &random), using: &random))
            })
        return Made(entry, bytes(.random(in: size.lowerBound...5000, using: &random), using: &random))
    }

    private static func bytes(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }

    private static func name(using random: inout some RandomNumberGenerator) -> String {
        let pieces = [
            "a", "Z", "7", " ", "'", "\"", "%", "\n", "\u{1b}[31m", "é", "e\u{301}", "日", "🎈", ".", "..", "-", "\\",
            "*", "|",
        ]
        return "x"
            + (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
    }
}
