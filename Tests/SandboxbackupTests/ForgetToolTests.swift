import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A snapshot as `forget` prints it.
private struct Decided: Decodable {
    let snapshot: Int
    let decision: String?
    let dryRun: Bool?
    let reasons: [String]?
}

@Suite("sandboxbackup forget removes nothing by mistake", .timeLimit(.minutes(60))) struct ForgetToolTests {
    /// Calls `body` with a repository that has three snapshots of an app, with the tags `release` and `signed`,
    /// `release`, and none, and one of another app.
    private func withSnapshots(_ body: (_ path: String, _ store: String) throws -> Void) throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            try backed("create", path, "--tag", "release", "--tag", "signed", "--repository", store)
            try backed("create", path, "--tag", "release", "--repository", store)
            try backed("create", path, "--repository", store)
            let other = path + "-other"
            try Container.create(at: FilePath(other), bundleIdentifier: "com.example.other")
                .save("x", to: .documents / "a")
            try backed("create", other, "--repository", store)
            try body(path, store)
        }
    }

    private func numbers(_ store: String) throws -> [Int] {
        let text = try backed("snapshots", "--repository", store, "--format", "jsonl")
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Decided.self, from: Data($0.utf8)).snapshot
        }
    }

    @Test(
        "A tag that no snapshot has is an error before anything is removed",
        arguments: [
            (["--keep-tag", "relaese"], "did you mean “release”?"),
            (["--keep-tag", "relaese", "--keep-last", "1"], "did you mean “release”?"),
            (["--keep-tag", "release", "--keep-tag", "nightly"], "`sandboxbackup snapshots` lists the tags"),
            (["--keep-tag", "signed,draft"], "`sandboxbackup snapshots` lists the tags"),
        ])
    func unknownTag(arguments: [String], hint: String) throws {
        try withSnapshots { _, store throws in
            for extra in [[], ["--dry-run"], ["--allow-empty"]] {
                let run = try sandboxbackup(["forget", "--repository", store] + arguments + extra)
                #expect(run.code == 1 && run.text.isEmpty, "\(run.text)")
                #expect(run.errors.contains("nothing was removed") && run.errors.contains(hint), "\(run.errors)")
            }
            #expect(try numbers(store) == [1, 2, 3, 4])
        }
    }

    @Test("Tags joined by a comma must all match, and repeated options are alternatives")
    func tags() throws {
        try withSnapshots { path, store throws in
            try backed("create", path, "--tag", "beta", "--repository", store)
            func kept(_ arguments: String...) throws -> [Int] {
                let text = try sandboxbackup(
                    ["forget", "-n", "--format", "jsonl", "--allow-empty", "--repository", store] + arguments
                ).succeeded().text
                return try text.split(separator: "\n").map {
                    try JSONDecoder().decode(Decided.self, from: Data($0.utf8))
                }.filter { $0.decision == "keep" }.map(\.snapshot)
            }
            #expect(try kept("--keep-tag", "release") == [1, 2])
            #expect(try kept("--keep-tag", "release,signed") == [1])
            #expect(try kept("--keep-tag", "release,signed", "--keep-tag", "beta") == [1, 5])
            for list in ["", ",", "release,"] {
                #expect(try sandboxbackup("forget", "--keep-tag", list, "--repository", store).code == 2, "\(list)")
            }
        }
    }

    @Test("The last snapshot of an app is removed only with --allow-empty")
    func empty() throws {
        try withSnapshots { _, store throws in
            let text = try backed("forget", "--keep-tag", "signed", "--repository", store)
            #expect(text.contains("the last one of its app, without --allow-empty"), "\(text)")
            #expect(try numbers(store) == [1, 4])
            let refused = try sandboxbackup("forget", "4", "--repository", store)
            #expect(refused.code == 1 && refused.text.isEmpty)
            #expect(
                refused.errors.contains("snapshot 4 is all that exists of “com.example.other”; nothing was removed"))
            #expect(refused.errors.contains("--allow-empty"), "\(refused.errors)")
            #expect(try sandboxbackup("forget", "1", "4", "--repository", store).code == 1)
            #expect(try numbers(store) == [1, 4])
            try backed("forget", "4", "--allow-empty", "--repository", store)
            #expect(try numbers(store) == [1])
            try backed("forget", "--keep-tag", "signed", "--allow-empty", "--repository", store)
            #expect(try numbers(store) == [1])
        }
    }

    @Test("Snapshots are removed by number, ID and as the latest")
    func names() throws {
        try withSnapshots { path, store throws in
            let dry = try backed("forget", "2", "--dry-run", "--repository", store)
            #expect(dry.contains("would remove  2  ") && dry.contains("would keep    1  "), "\(dry)")
            #expect(dry.hasSuffix("would remove 1 snapshot and keep 2\n") && dry.contains("  not named\n"), "\(dry)")
            #expect(try numbers(store) == [1, 2, 3, 4])
            let id = try executeSQL(
                "SELECT lower(hex(sha256)) FROM snapshot WHERE id = 2", in: "\(store)/catalogue.sqlite")
            try backed("forget", String(id.prefix(8)), "--repository", store)
            #expect(try numbers(store) == [1, 3, 4])
            try backed("forget", "latest", "--bundle-id", "com.example.app", "--repository", store)
            #expect(try numbers(store) == [1, 4])
            #expect(try sandboxbackup("forget", "9", "--repository", store).code == 1)
            try backed("create", path, "--repository", store)
            // Nothing is removed if one name is wrong.
            #expect(try sandboxbackup("forget", "1", "9", "--repository", store).code == 1)
            #expect(try numbers(store) == [1, 4, 5])
        }
    }

    @Test(
        "Other arguments are refused by name",
        arguments: [
            (["1", "--keep-last", "3"], "not both"), ([], "this would remove all"),
            (["--keep-last", "0"], "remove all"),
            (["--keep-last", "-1"], "--keep-last"), (["--keep-daily", "two"], "two"),
            (["--keep-last", "1", "--keep-weakly", "2"], "--keep-weakly"),
        ])
    func usage(arguments: [String], part: String) throws {
        try withSnapshots { _, store throws in
            let run = try sandboxbackup(["forget", "--repository", store] + arguments)
            #expect(run.code == 2 && run.errors.contains(part), "\(run.errors)")
            #expect(try numbers(store) == [1, 2, 3, 4])
            let unexpected = try sandboxbackup("prune", "1", "--repository", store)
            #expect(unexpected.code == 2 && unexpected.errors.contains("'1'"), "\(unexpected.errors)")
        }
    }

    @Test("json and jsonl list what is removed and what is kept", arguments: [true, false])
    func machine(dryRun: Bool) throws {
        struct Object: Decodable {
            let dryRun: Bool
            let forgotten: [Decided]
            let kept: [Decided]
        }
        try withSnapshots { _, store throws in
            let arguments = ["forget", "--keep-last", "1", "--repository", store] + (dryRun ? ["-n"] : [])
            let copy = store + "-copy"
            try FileManager.default.copyItem(atPath: store, toPath: copy)
            let lines = try sandboxbackup(arguments + ["--format", "jsonl"]).succeeded().text.split(separator: "\n").map
            {
                try JSONDecoder().decode(Decided.self, from: Data($0.utf8))
            }
            let object = try JSONDecoder().decode(
                Object.self,
                from: sandboxbackup(arguments.map { $0 == store ? copy : $0 } + ["--format", "json"]).succeeded().output
            )
            #expect(lines.filter { $0.decision == "remove" }.map(\.snapshot) == [1, 2])
            #expect(lines.filter { $0.decision == "keep" }.map(\.snapshot) == [3, 4])
            #expect(lines.allSatisfy { $0.dryRun == dryRun } && object.dryRun == dryRun)
            #expect(object.forgotten.map(\.snapshot) == [1, 2] && object.kept.map(\.snapshot) == [3, 4])
            #expect(object.kept.map(\.reasons) == lines.filter { $0.decision == "keep" }.map(\.reasons))
            #expect(object.kept.allSatisfy { $0.reasons == ["1 of the last 1"] })
            #expect(try numbers(store) == (dryRun ? [1, 2, 3, 4] : [3, 4]))
        }
    }

    @Test("A damaged snapshot does not count, so that forget --damaged leaves the last intact one")
    func damaged() throws {
        try withSnapshots { _, store throws in
            try executeSQL("UPDATE snapshot SET files = files + 1 WHERE id = 3", in: "\(store)/catalogue.sqlite")
            let run = try sandboxbackup("forget", "--keep-last", "1", "--repository", store)
            #expect(run.code == 12 && run.errors.contains("snapshot 3 is damaged"), "\(run.errors)")
            #expect(try numbers(store) == [2, 3, 4])
            #expect(try sandboxbackup("forget", "3", "--repository", store).code == 12)
            let text = try backed("forget", "--keep-last", "1", "--damaged", "--repository", store)
            #expect(text.contains("removed  3  damaged: "), "\(text)")
            #expect(try numbers(store) == [2, 4])
        }
    }
}
