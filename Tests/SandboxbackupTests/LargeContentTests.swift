import Foundation
import TestSupport
import Testing

/// Contents of more than 1 MiB, which are stored in parts.
@Suite("Large contents in a repository", .timeLimit(.minutes(60))) struct LargeContentTests {
    private func shell(_ script: String, in folder: String) throws {
        let run = try Command("bash", ["-c", "set -eu; \(script)"], in: URL(fileURLWithPath: folder))
        try #require(run.code == 0, "\(run.errors)")
    }

    @Test("A large content is never confused with a small file that contains its list of parts")
    func lists() throws {
        try withRepositorySample { folder, container, store throws in
            // A content of zeros has no parts: its list contains only the size.
            try shell(
                """
                cd Documents; truncate -s 16M 2.image 4.image; truncate -s 32M 3.image
                printf '\\0\\0\\0\\0\\1\\0\\0\\0' | tee 1.size > 5.size; printf '\\0\\0\\0\\0\\2\\0\\0\\0' > 6.size
                """, in: container)
            try backed("create", container, "--store", store)
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--store", store, "--to", target.path)
            let differences = try listing(URL(fileURLWithPath: container)).differences(from: listing(target))
            #expect(differences == [], "\(differences)")
        }
    }

    @Test("Each damaged part is reported with all files that use it, and repaired")
    func damagedParts() throws {
        try withRepositorySample { folder, container, store throws in
            try shell(
                "cd Documents; head -c 1M film.bin > beginning; cat film.bin <(seq 100000) > longer.bin", in: container)
            try backed("create", container, "--store", store)
            func name(_ part: Int) throws -> String {
                let sum = try Command(
                    "bash", ["-c", "tail -c +$((\(part) * 1048576 + 1)) Documents/film.bin | head -c 1M | sha256sum"],
                    in: URL(fileURLWithPath: container))
                return String(sum.text.prefix(64))
            }
            let names = [try name(0), try name(3)]
            for name in names { try shell("truncate -s -7 objects/\(name.prefix(2))/\(name)", in: store) }
            let run = try sandboxbackup("verify", "--store", store)
            #expect(run.code == 12 && run.text.contains("2 problems found"), "\(run.text)")
            let parts = run.text.components(separatedBy: "  object ").dropFirst().sorted()
            for (part, name) in zip(parts, names.sorted()) {
                #expect(part.hasPrefix(name), "\(part)")
                #expect(part.contains("1:Documents/film.bin\n") && part.contains("1:Documents/longer.bin\n"), "\(part)")
                #expect(part.contains("1:Documents/beginning\n") == (name == names[0]), "\(part)")
            }
            try shell("rm Documents/film.bin", in: container)
            try backed("verify", "--store", store, "--repair", "--from", container)
        }
    }

    @Test(
        "The next run repairs rows that the catalogue has lost",
        arguments: [
            "DELETE FROM part", "UPDATE object SET size = size + 1 WHERE form = 2", "UPDATE part SET part = 1",
            "UPDATE object SET size = 7 WHERE form = 0",
        ])
    func healed(change: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            try shell("sqlite3 catalogue.sqlite \"\(change)\"", in: store)
            #expect(try sandboxbackup("verify", "--store", store).code == 12)
            // A changed file is read completely.
            try shell("find Documents -type f -exec touch {} +", in: container)
            try backed("create", container, "--store", store)
            try backed("verify", "--store", store)
        }
    }

    @Test("A damaged leftover of an interrupted run is not used as content")
    func damagedLeftover() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            let other = folder.appending(path: "other").path
            try shell("mkdir ../empty ../empty/Documents ../empty/Library ../empty/tmp", in: container)
            try backed("create", folder.appending(path: "empty").path, "--store", other)
            try shell(
                """
                cp -r objects/* \(other)/objects; cd \(other)/objects
                for file in */*; do echo damaged > $file; done
                """, in: store)
            try backed("create", container, "--store", other)
            try backed("verify", "--store", other)
        }
    }

    @Test(
        "Sizes beyond 64 bits end no run, and the repository stays readable",
        .enabled(if: Platform.isLinux, "stores files of 7 EiB in /dev/shm"))
    func sums() throws {
        // If the file system allows files of this size.
        let folder = URL(fileURLWithPath: "/dev/shm").appending(path: "sandboxbackup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try shell(
            "mkdir -p container/{Documents,Library/Preferences,tmp}; truncate -s 7E container/Documents/{a,b,c,d}",
            in: folder.path)
        let (container, store) = (folder.appending(path: "container").path, folder.appending(path: "store").path)
        for _ in 1...2 { try backed("create", container, "--store", store) }
        #expect(try backed("snapshots", "--store", store).split(separator: "\n").count == 2)
        try backed("verify", "--store", store)
        let target = folder.appending(path: "restored").path
        for more in [["--dry-run", "--format", "json"], []] {
            let run = try Command(
                Command.sandboxbackup, ["restore", "latest", "--store", store, "--to", target] + more)
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
