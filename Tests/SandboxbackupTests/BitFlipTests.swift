import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A repository with one flipped bit", .timeLimit(.minutes(60))) struct BitFlipTests {
    /// The number of flipped bits; `scripts/stress bit-flips` sets more.
    private static let flips = ProcessInfo.processInfo.environment["BIT_FLIPS"].flatMap(Int.init) ?? 30

    /// Returns the names of the files whose content has a byte at a position of a file of the repository.
    private func hitNames(at position: Int, in file: String, of store: String) throws -> Set<String> {
        let hash = file.split(separator: "/").last ?? ""
        let objects: String
        if file.hasPrefix("objects/") {
            objects = "SELECT id FROM object WHERE lower(hex(sha256)) = '\(hash)'"
        } else if file.hasPrefix("packs/") {
            objects = """
                SELECT object FROM frame JOIN pack ON pack.id = pack WHERE lower(hex(sha256)) = '\(hash)'
                AND position <= \(position) AND position + frame.size > \(position)
                """
        } else {
            return []
        }
        let query = """
            SELECT DISTINCT hex(name) FROM entry WHERE object IN (\(objects))
            OR object IN (SELECT object FROM part WHERE part IN (\(objects)))
            """
        let names = try executeSQL(query, in: store + "/catalogue.sqlite").split(separator: "\n").map { digits in
            var bytes: [UInt8] = []
            for start in stride(from: 0, to: digits.count, by: 2) {
                bytes.append(UInt8(digits.dropFirst(start).prefix(2), radix: 16) ?? 0)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return Set(names)
    }

    /// Returns what differs between a restored snapshot and its container, except for the files with a damaged content.
    private func losses(
        _ snapshot: Int, of store: String, comparedWith container: TreeListing, but hit: Set<String>, in folder: URL
    ) throws -> [String] {
        let target = folder.appending(path: "restored")
        defer { try? FileManager.default.removeItem(at: target) }
        let run = try sandboxbackup("restore", "\(snapshot)", "--repository", store, "--to", target.path)
        guard FileManager.default.fileExists(atPath: target.appending(path: "Documents").path) else {
            return ["nothing restored: \(run.errors)"]
        }
        return try container.differences(from: listing(target)).filter { line in
            // The size of a directory depends on its files.
            if !hit.isEmpty, line.contains(#/ d [0-7]+ \d+ \d+ \d+ \d+ /#) { return false }
            return !hit.contains { line.contains("/\($0) ") || line.dropFirst(2).hasPrefix("\($0) ") }
        }
    }

    @Test("Every file whose content was not hit is restored, after a rebuild if the catalogue was hit")
    func restored() throws {
        try withRepositorySample { folder, container, store throws in
            var listings: [TreeListing] = []
            for number in 1...2 {
                try URL(fileURLWithPath: container).write("state \(number)", to: "Documents/notes/\(number).txt")
                try backed("create", container, "--repository", store, "--tag", "state-\(number)")
                listings.append(try listing(URL(fileURLWithPath: container)))
            }
            // The log of the catalogue is merged into it.
            try executeSQL("PRAGMA wal_checkpoint(TRUNCATE)", in: store + "/catalogue.sqlite")
            let files = try FileManager.default.subpathsOfDirectory(atPath: store).sorted().filter { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(store)/\(path)")
                return attributes[.type] as? FileAttributeType == .typeRegular
                    && (attributes[.size] as? NSNumber)?.int64Value ?? 0 > 0 && !path.hasSuffix("-shm")
            }
            var generator = SeededNumbers(seed: 8)
            var (rebuilt, hits) = (0, 0)
            for flip in 1...Self.flips {
                let copy = folder.appending(path: "copy")
                try FileManager.default.copyItem(atPath: store, toPath: copy.path)
                // In every third round, a byte of the catalogue that is in use, because most of a page may be empty.
                let isCatalogue = flip % 3 == 0
                let file = isCatalogue ? "catalogue.sqlite" : try #require(files.randomElement(using: &generator))
                var bytes = try Data(contentsOf: copy.appending(path: file))
                let places = isCatalogue ? bytes.indices.filter { bytes[$0] != 0 } : Array(bytes.indices)
                let position = try #require(places.randomElement(using: &generator))
                let bit = Int.random(in: 0..<8, using: &generator)
                bytes[position] ^= 1 << bit
                try copy.write(bytes, to: file)
                let hit = try hitNames(at: position, in: file, of: store)
                let place = "flip \(flip): bit \(bit) of byte \(position) of \(file), hits \(hit)"
                func losses() throws -> [String] {
                    try (1...2).flatMap {
                        try self.losses($0, of: copy.path, comparedWith: listings[$0 - 1], but: hit, in: folder)
                    }
                }
                if try !losses().isEmpty {
                    rebuilt += 1
                    let run = try sandboxbackup("repair", "--rebuild", "--repository", copy.path)
                    let left = try losses()
                    #expect(left == [], "\(place): \(run.text)\(run.errors)")
                }
                if !hit.isEmpty { hits += 1 }
                try FileManager.default.removeItem(at: copy)
            }
            print("\(Self.flips) flipped bits: \(hits) hit a content, \(rebuilt) needed a new catalogue")
            #expect(rebuilt > 0 && hits > 0)
        }
    }

    /// Losses of the catalogue, as scripts in the repository.
    private static let catalogueLosses = [
        "rm catalogue.sqlite*", ": > catalogue.sqlite", "dd if=/dev/null of=catalogue.sqlite bs=1 seek=70000",
        "head -c 200000 /dev/urandom > catalogue.sqlite", "mv catalogue.sqlite-wal x; rm catalogue.sqlite*; rm x",
        "printf '\\0\\0\\0\\2' | dd of=catalogue.sqlite bs=1 seek=60 conv=notrunc",
        "head -c 16000 /dev/zero | dd of=catalogue.sqlite bs=1 seek=180000 conv=notrunc",
    ]

    @Test(
        "A lost catalogue is made anew with the same snapshots, IDs and labels, without forgotten ones",
        .needs(.externalProgram), arguments: catalogueLosses)
    func rebuilt(loss: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store, "--tag", "first", "--host", "here")
            try URL(fileURLWithPath: container).write("new", to: "Documents/letter.txt")
            for _ in 1...3 { try backed("create", container, "--repository", store) }
            try backed("forget", "2", "--repository", store)
            try backed("tag", "3", "--add", "kept", "--repository", store)
            try backed("rewrite", "4", "--exclude", "photo.bin", "--repository", store)
            let before = try backed("snapshots", "--repository", store, "--format", "jsonl")
            let files = try backed("ls", "4", "-l", "--recursive", "--repository", store)
            _ = try Command("bash", ["-c", "touch catalogue.sqlite-wal; \(loss)"], in: URL(fileURLWithPath: store))
            let refused = try sandboxbackup("snapshots", "--repository", store)
            if refused.code != 0 {
                #expect(refused.errors.contains("`sandboxbackup repair --rebuild`"), "\(refused.errors)")
            }
            let run = try sandboxbackup("repair", "--rebuild", "--repository", store)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(run.text.contains("snapshot 4: recovered, 51 files\n"), "\(run.text)")
            #expect(try backed("snapshots", "--repository", store, "--format", "jsonl") == before)
            #expect(try backed("ls", "4", "-l", "--recursive", "--repository", store) == files)
            #expect(try sandboxbackup("verify", "--repository", store).code == 0)
            // The next snapshot reads the removed file alone, and gets the next number.
            let next = try backed("create", container, "--repository", store, "--format", "json")
            #expect(next.contains(#""filesRead":1,"#) && next.contains(#""snapshot":5"#), "\(next)")
            try backed("prune", "--repository", store)
            #expect(try sandboxbackup("verify", "--repository", store).code == 0)
        }
    }

    @Test("A rebuild without a repository, or with an intact one, changes nothing")
    func refused() throws {
        try withRepositorySample { folder, container, store throws in
            let missing = try sandboxbackup("repair", "--rebuild", "--repository", store)
            #expect(missing.code == 10, "\(missing.errors)")
            try folder.makeDirectories("empty")
            let empty = try sandboxbackup("repair", "--rebuild", "--repository", folder.path + "/empty")
            #expect(empty.code == 10, "\(empty.errors)")
            #expect(try names(in: folder.appending(path: "empty")) == [])
            try backed("create", container, "--repository", store)
            let before = try TreeListing(of: URL(fileURLWithPath: store + "/packs"))
            let intact = try backed("repair", "--rebuild", "--repository", store)
            #expect(intact.hasPrefix("the catalogue is intact and was not replaced\n"), "\(intact)")
            #expect(try before.differences(from: TreeListing(of: URL(fileURLWithPath: store + "/packs"))) == [])
        }
    }

    @Test(
        "What only a damaged catalogue has is reported as lost, and everything else is recovered",
        .needs(.externalProgram))
    func both() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try URL(fileURLWithPath: container).write("new", to: "Documents/new.txt")
            try backed("create", container, "--repository", store)
            // The second pack has the changed directories, and no row is left to write them again.
            let script = """
                rm catalogue.sqlite*
                for f in packs/*; do zstd -dc $f | grep -qa new.txt && rm $f; done
                """
            _ = try Command("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("repair", "--rebuild", "--repository", store)
            #expect(
                run.code == 12 && run.text.contains("snapshot 1: recovered, 52 files\n"), "\(run.text)\(run.errors)")
            #expect(
                run.text.contains("snapshot 2: not recovered: ") || run.text.contains("snapshot 2: recovered, without"))
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            #expect(FileManager.default.fileExists(atPath: target.path + "/Documents/letter.txt"))
            // The container still has everything: the next snapshot stores it again.
            try backed("create", container, "--repository", store)
            try backed("restore", "3", "--repository", store, "--to", folder.path + "/third")
            let third = try listing(folder.appending(path: "third"))
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: third) == [])
        }
    }
}
