import Foundation
import TestSupport
import Testing

@Suite("sandboxbackup verify --repair", .timeLimit(.minutes(60))) struct RepairTests {
    /// Changes to a repository, as scripts.
    private static let damages = [
        "for f in objects/*/*; do truncate -s -1 $f; done",
        "rm objects/*/*",
        "printf damaged! | dd of=$(ls objects/*/* | head -1) bs=1 seek=5000 conv=notrunc status=none",
        "sqlite3 catalogue.sqlite 'DELETE FROM frame'",
        "sqlite3 catalogue.sqlite 'UPDATE frame SET bytes = zeroblob(length(bytes))'",
        "sqlite3 catalogue.sqlite 'UPDATE object SET size = size + 1 WHERE form = 0 AND size < 1000000'",
    ]

    @Test("Damaged and missing objects are repaired from a container that still has them", arguments: damages)
    func fromContainer(damage: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            let damaged = try Command("bash", ["-euc", damage], in: URL(fileURLWithPath: store))
            try #require(damaged.code == 0, "\(damaged.errors)")
            let found = try sandboxbackup("verify", "--store", store)
            #expect(found.code == 12)
            let alone = try sandboxbackup("verify", "--repair", "--store", store)
            #expect(alone.code == 12 && alone.text.contains("could not be repaired"), "\(alone.text)")
            let run = try sandboxbackup("verify", "--repair", "--from", container, "--store", store)
            #expect(run.code == 0 && run.text.hasPrefix("repaired object "), "\(run.text)\(run.errors)")
            #expect(run.text.contains(" from Documents/") && run.text.hasSuffix("no damage\n"))
            let left = try names(in: URL(fileURLWithPath: store))
            #expect(!left.contains("staging") && !left.contains("writer"), "\(left)")
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--store", store, "--to", target.path)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Content of changed files is not used, and remaining damage is reported")
    func changed() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--store", store)
            let script =
                "rm objects/*/*; head -c 100000 /dev/urandom > ../container/Documents/photo.bin; rm ../container/Documents/again.bin; mkfifo ../container/Documents/again.bin"
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("verify", "--repair", "--from", container, "--store", store)
            #expect(run.code == 12, "\(run.errors)")
            #expect(run.text.contains("1 object could not be repaired: content not found"), "\(run.text)")
            #expect(run.text.contains("1:Documents/photo.bin") && !run.text.contains("1:Documents/film.bin"))
            let json = try sandboxbackup(
                "verify", "--repair", "--from", container, "--store", store, "--format", "jsonl")
            #expect(
                json.text.contains(#"{"error":{"what":"object "#) && json.text.contains(#""repaired":[]"#),
                "\(json.text)")
        }
    }

    @Test("Content under a wrong name in objects is found")
    func misplaced() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--store", store)
            let script = "mkdir -p objects/zz; for f in objects/??/*; do mv $f objects/zz/${f##*/}.moved; done"
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: store))
            #expect(try sandboxbackup("verify", "--store", store).code == 12)
            let run = try sandboxbackup("verify", "--repair", "--store", store)
            #expect(run.code == 0 && run.text.contains(" from objects/zz/"), "\(run.text)\(run.errors)")
        }
    }

    @Test(
        "An undamaged repository is not changed, and no other writer is admitted",
        .enabled(if: Platform.isLinux, "runs flock"))
    func nothing() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            let objects = URL(fileURLWithPath: store).appending(path: "objects")
            let before = try TreeListing(of: objects)
            let run = try sandboxbackup("verify", "--repair", "--store", store)
            #expect(run.code == 0 && !run.text.contains("repaired"), "\(run.text)")
            #expect(try before.differences(from: TreeListing(of: objects)) == [])
            let locked = try Command(
                "flock", [objects.path, Command.sandboxbackup, "verify", "--repair", "--store", store], in: folder)
            #expect(locked.code == 11, "\(locked.errors)")
            #expect(try sandboxbackup("verify", "--from", container, "--store", store).code == 2)
        }
    }
}
