import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A repository with a snapshot that is damaged or dated ahead", .timeLimit(.minutes(60)))
struct DamagedSnapshotTests {
    /// Creates three snapshots of an app and applies `change` to the second one.
    private func withSnapshots(
        _ change: String, rehashed: Bool = false, _ body: (URL, _ container: String, _ store: String) throws -> Void
    ) throws {
        try withRepositorySample { folder, container, store throws in
            for number in 1...3 {
                try folder.write("\(number)\n", to: "container/Documents/number")
                try backed("create", container, "--repository", store)
            }
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            if rehashed { try rehash(store) }
            try body(folder, container, store)
        }
    }

    private func numbers(_ store: String) throws -> [String] {
        try sandboxbackup("snapshots", "--repository", store).text.split(separator: "\n").dropFirst().map {
            String($0.drop { $0 == " " }.prefix { $0 != " " })
        }
    }

    private static let changes = [
        "UPDATE snapshot SET taken = -1 WHERE id = 2", "UPDATE snapshot SET taken = 1 << 62 WHERE id = 2",
        "UPDATE snapshot SET taken = 'yesterday' WHERE id = 2", "UPDATE snapshot SET files = -1 WHERE id = 2",
        "INSERT INTO incident VALUES(2, 17, 'vanished')",
    ]

    @Test("Every command skips and reports it, and works with the others", arguments: changes)
    func skipped(change: String) throws {
        try withSnapshots(change) { folder, container, store throws in
            let skipped = "warning: snapshot 2 is damaged and was skipped: "
            let listed = try sandboxbackup("snapshots", "--repository", store)
            #expect(listed.code == 12 && listed.errors.contains(skipped), "\(listed.errors)")
            #expect(try numbers(store) == ["1", "3"])
            let out = folder.appending(path: "out").path
            for arguments in [
                ["restore", "latest", "--to", out], ["restore", "latest", "--to", out, "-n"], ["diff", "1", "latest"],
                ["export", "latest", "--to", folder.appending(path: "backups").path],
            ] {
                let run = try sandboxbackup(arguments + ["--repository", store])
                #expect(run.code == 12 && run.errors.contains(skipped), "\(arguments): \(run.code) \(run.errors)")
            }
            #expect(try String(contentsOfFile: "\(out)/Documents/number", encoding: .utf8) == "3\n")
            #expect(try sandboxbackup("restore", "3", "--to", out, "--repository", store).code == 0)
            let forgotten = try sandboxbackup("forget", "--keep-last", "1", "--repository", store)
            #expect(forgotten.code == 12 && forgotten.errors.contains(skipped), "\(forgotten.errors)")
            #expect(try numbers(store) == ["3"])
            try backed("create", container, "--repository", store)
            #expect(try numbers(store) == ["3", "4"])
        }
    }

    @Test("Content that it may reference is kept until it is forgotten", arguments: changes)
    func pruned(change: String) throws {
        try withSnapshots(change) { folder, container, store throws in
            try backed("forget", "--keep-last", "1", "--repository", store, code: 12)
            let objects = "SELECT count(*) FROM object"
            func count() throws -> Int? {
                Int(try executeSQL(objects, in: "\(store)/catalogue.sqlite").dropLast())
            }
            let before = try #require(try count())
            let run = try sandboxbackup("prune", "--repository", store)
            #expect(run.code == 12 && run.errors.contains("snapshot 2 is damaged: "), "\(run.text)\(run.errors)")
            #expect(run.errors.contains("`sandboxbackup forget --damaged`"))
            // The content of the second snapshot still exists: a unique number.
            let kept = try #require(try count())
            #expect(kept >= before - 1 && kept < before + 1)
            try backed("forget", "--damaged", "--repository", store)
            #expect(try numbers(store) == ["3"])
            try backed("prune", "--repository", store)
            #expect(try #require(try count()) == before - 2)
            try backed("verify", "--repository", store)
            let out = folder.appending(path: "out").path
            try backed("restore", "latest", "--to", out, "--repository", store)
            #expect(try String(contentsOfFile: "\(out)/Documents/number", encoding: .utf8) == "3\n")
        }
    }

    @Test("A snapshot that a wrong clock dated before 1970 causes no further loss", .needs(.externalProgram))
    func wrongClock() throws {
        try withSnapshots("UPDATE snapshot SET taken = -30000000 WHERE id = 2", rehashed: true) { _, _, store throws in
            try backed("forget", "--keep-last", "1", "--repository", store, code: 12)
            let run = try sandboxbackup("prune", "--repository", store)
            #expect(run.code == 12 && run.text.hasPrefix("1 object of "), "\(run.text)\(run.errors)")
        }
    }

    @Test("A tree that a damaged row no longer references is kept")
    func otherTree() throws {
        let change = "UPDATE snapshot SET tree = (SELECT tree FROM snapshot WHERE id = 3) WHERE id = 1"
        try withSnapshots(change) { _, _, store throws in
            let trees = "SELECT count(*) FROM entry WHERE name = x''"
            let run = try sandboxbackup("prune", "--repository", store)
            #expect(run.code == 12 && run.errors.contains("snapshot 1 is damaged: "), "\(run.errors)")
            #expect(try executeSQL(trees, in: "\(store)/catalogue.sqlite") == "3\n")
            let told = try sandboxbackup("forget", "--damaged", "-n", "--repository", store)
            #expect(
                told.code == 0 && told.text.hasPrefix("would remove  1  damaged: "), "\(told.text)\(told.errors)"
            )
            #expect(try numbers(store) == ["1", "2", "3"])
            try backed("forget", "--damaged", "--repository", store)
            #expect(try numbers(store) == ["2", "3"])
            try backed("prune", "--repository", store)
            #expect(try executeSQL(trees, in: "\(store)/catalogue.sqlite") == "2\n")
        }
    }

    @Test("Without a readable snapshot there is no latest one, and the exit code is 12")
    func none() throws {
        try withSnapshots("UPDATE snapshot SET taken = -1") { folder, _, store throws in
            let run = try sandboxbackup("restore", "latest", "--to", "out", "--repository", store, in: folder)
            #expect(run.code == 12 && run.errors.contains("snapshot 1: it is dated before 1970"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out").path))
        }
    }

    /// A day in 2153.
    private static let ahead = "UPDATE snapshot SET taken = 5795600000 WHERE id = "

    @Test("A snapshot dated ahead is not the latest and is not counted by forget", .needs(.externalProgram))
    func ahead() throws {
        try withSnapshots(Self.ahead + "2", rehashed: true) { folder, container, store throws in
            let out = folder.appending(path: "out").path
            let latest = try sandboxbackup("restore", "latest", "--to", out, "--repository", store)
            #expect(latest.code == 0 && latest.errors.contains("dated ahead of the system clock"), "\(latest.errors)")
            #expect(try String(contentsOfFile: "\(out)/Documents/number", encoding: .utf8) == "3\n")
            for _ in 1...2 {
                let run = try sandboxbackup("forget", "--keep-last", "1", "--keep-daily", "1", "--repository", store)
                #expect(
                    run.code == 0 && run.text.contains("dated ahead of the system clock"), "\(run.text)\(run.errors)")
                #expect(try numbers(store) == ["2", "3"])
            }
            try backed("create", container, "--repository", store)
            try backed("forget", "--keep-last", "1", "--repository", store)
            #expect(try numbers(store) == ["2", "4"])
        }
    }

    @Test(
        "The latest snapshot is the one that forget --keep-last 1 keeps, whatever was added last",
        .needs(.externalProgram))
    func agree() throws {
        // As an import of an older backup would add it.
        try withSnapshots("UPDATE snapshot SET taken = 1500000000 WHERE id = 3", rehashed: true) {
            folder, _, store throws in
            let out = folder.appending(path: "out").path
            try backed("restore", "latest", "--to", out, "--repository", store)
            #expect(try String(contentsOfFile: "\(out)/Documents/number", encoding: .utf8) == "2\n")
            try backed("forget", "--keep-last", "1", "--repository", store)
            #expect(try numbers(store) == ["2"])
        }
    }
}
