import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup verify --repair", .timeLimit(.minutes(60))) struct RepairTests {
    /// Changes to a repository: to the files of objects, or as SQL to the catalogue.
    private static let damages = [
        "truncate", "remove", "overwrite", "zero frames",
        "UPDATE object SET size = size + 1 WHERE form = 1 AND size < 1000000",
    ]

    private func objects(of store: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store + "/objects").filter { $0.contains("/") }.sorted()
    }

    private func apply(_ damage: String, to store: String) throws {
        let (folder, paths) = (URL(fileURLWithPath: store + "/objects"), try objects(of: store))
        switch damage {
        case "truncate":
            for path in paths { try folder.write(Data(contentsOf: folder.appending(path: path)).dropLast(), to: path) }
        case "remove": for path in paths { try folder.remove(path) }
        case "zero frames": try zeroFrames(of: store)
        case "overwrite": try folder.write(Data("damaged!".utf8), to: paths[0], at: 5000)
        default: try executeSQL(damage, in: store + "/catalogue.sqlite")
        }
    }

    @Test("Damaged and missing objects are repaired from a container that still has them", arguments: damages)
    func fromContainer(damage: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try apply(damage, to: store)
            let found = try sandboxbackup("verify", "--repository", store)
            #expect(found.code == 12)
            let alone = try sandboxbackup("verify", "--repair", "--repository", store)
            #expect(alone.code == 12 && alone.text.contains("could not be repaired"), "\(alone.text)")
            let run = try sandboxbackup("verify", "--repair", "--from", container, "--repository", store)
            #expect(run.code == 0 && run.text.hasPrefix("repaired object "), "\(run.text)\(run.errors)")
            #expect(run.text.contains(" from Documents/") && run.text.hasSuffix("no damage\n"))
            let left = try names(in: URL(fileURLWithPath: store))
            #expect(!left.contains("staging") && !left.contains("writer"), "\(left)")
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Content of changed files is not used, and remaining damage is reported", .needs(.process))
    func changed() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let script =
                "rm objects/*/*; head -c 100000 /dev/urandom > ../container/Documents/photo.bin; rm ../container/Documents/again.bin; mkfifo ../container/Documents/again.bin"
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("verify", "--repair", "--from", container, "--repository", store)
            #expect(run.code == 12, "\(run.errors)")
            #expect(run.text.contains("1 object could not be repaired: content not found"), "\(run.text)")
            #expect(run.text.contains("1:Documents/photo.bin") && !run.text.contains("1:Documents/film.bin"))
            let json = try sandboxbackup(
                "verify", "--repair", "--from", container, "--repository", store, "--format", "jsonl")
            #expect(
                json.text.contains(#"{"error":{"what":"object "#) && json.text.contains(#""repaired":[]"#),
                "\(json.text)")
        }
    }

    @Test("Content under a wrong name in objects is found")
    func misplaced() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let folder = URL(fileURLWithPath: store + "/objects")
            let paths = try objects(of: store)
            try folder.makeDirectories("zz")
            for path in paths { try folder.move(path, to: "zz/\(path.dropFirst(3)).moved") }
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
            let run = try sandboxbackup("verify", "--repair", "--repository", store)
            #expect(run.code == 0 && run.text.contains(" from objects/zz/"), "\(run.text)\(run.errors)")
        }
    }

    @Test(
        "An undamaged repository is not changed, and no other writer is admitted", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs flock"))
    func nothing() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let objects = URL(fileURLWithPath: store).appending(path: "objects")
            let before = try TreeListing(of: objects)
            let run = try sandboxbackup("verify", "--repair", "--repository", store)
            #expect(run.code == 0 && !run.text.contains("repaired"), "\(run.text)")
            #expect(try before.differences(from: TreeListing(of: objects)) == [])
            let locked = try Command(
                "flock",
                [objects.path, Command.sandboxbackup, "verify", "--repair", "--repository", store, "--wait", "0"],
                in: folder)
            #expect(locked.code == 11, "\(locked.errors)")
            #expect(try sandboxbackup("verify", "--from", container, "--repository", store).code == 2)
        }
    }

    @Test(
        "The file of a snapshot whose creation was interrupted is no snapshot of a rebuilt catalogue",
        .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
    func interruptedCreation() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            // Killed when the file of the second snapshot has its temporary name, before its row is committed.
            try folder.write("more", to: "container/Documents/more")
            let kill = ["-f", "-qq", "-o", "/dev/null", "-P", store + "/snapshots", "-e", "inject=fsync:signal=KILL"]
            _ = try Command("strace", kill + [Command.sandboxbackup, "create", container, "--repository", store])
            let files = URL(fileURLWithPath: store + "/snapshots")
            #expect(try names(in: files) == ["1", "2.new"])
            #expect(try sandboxbackup("snapshots", "--repository", store).text.split(separator: "\n").count == 2)
            let copy = folder.appending(path: "copy").path
            try Command.setUp("bash", ["-euc", "cp -a \"$0\" \"$1\"; rm \"$1\"/catalogue.sqlite*", store, copy])
            let rebuilt = try sandboxbackup("repair", "--rebuild", "--repository", copy)
            #expect(rebuilt.code == 0, "\(rebuilt.text)\(rebuilt.errors)")
            #expect(rebuilt.text.contains("snapshot 1: recovered, 52 files\nsnapshots/2.new is not a snapshot"))
            #expect(try sandboxbackup("snapshots", "--repository", copy).text.split(separator: "\n").count == 2)
            // The next snapshot has its number.
            for place in [store, copy] {
                try backed("create", container, "--repository", place)
                #expect(try names(in: URL(fileURLWithPath: place + "/snapshots")) == ["1", "2"])
                try backed("verify", "--repository", place)
            }
        }
    }

    @Test(
        "A snapshot whose tags were being changed stays, before or after the change", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func interruptedChange() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let kill = ["-f", "-qq", "-o", "/dev/null", "-P", store + "/snapshots", "-e", "inject=fsync:signal=KILL"]
            _ = try Command(
                "strace", kill + [Command.sandboxbackup, "tag", "1", "--add", "new", "--repository", store])
            #expect(try names(in: URL(fileURLWithPath: store + "/snapshots")) == ["1", "1.new"])
            try Command.setUp("bash", ["-c", "rm \"$0\"/catalogue.sqlite*", store])
            let rebuilt = try sandboxbackup("repair", "--rebuild", "--repository", store)
            #expect(rebuilt.code == 0 && rebuilt.text.contains("snapshot 1: recovered, 52 files"), "\(rebuilt.text)")
            try backed("verify", "--repository", store)
        }
    }

    /// Changes to the packs and to the files of snapshots, as scripts, or to the locations of small contents, as SQL. The
    /// repository itself has everything for their repair.
    private static let copies = [
        "rm snapshots/1", "printf x | dd of=snapshots/1 bs=1 seek=60 conv=notrunc status=none",
        "mkdir snapshots/1.new; rm snapshots/1",
        "DELETE FROM frame", "UPDATE frame SET position = position + 7",
        "f=$(ls packs/*); printf '\\377' | dd of=$f bs=1 seek=0 conv=notrunc status=none",
        "f=$(ls packs/*); printf '\\377\\0' | dd of=$f bs=1 seek=$(($(stat -c %s $f) - 40)) conv=notrunc status=none",
    ]

    @Test(
        "Damaged packs and files of snapshots are replaced from the catalogue, also for a later rebuild",
        .needs(.externalProgram), arguments: copies)
    func lostCopies(damage: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            if damage.first == "D" || damage.first == "U" {
                try executeSQL(damage, in: store + "/catalogue.sqlite")
            } else {
                try Command.setUp("bash", ["-euc", damage], in: URL(fileURLWithPath: store))
            }
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
            let run = try sandboxbackup("repair", "--repository", store)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(run.text.hasPrefix("repaired "), "\(run.text)")
            try FileManager.default.removeItem(atPath: store + "/catalogue.sqlite")
            let rebuilt = try sandboxbackup("repair", "--rebuild", "--repository", store)
            #expect(rebuilt.text.contains("snapshot 1: recovered, 52 files"), "\(rebuilt.text)\(rebuilt.errors)")
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }
}
