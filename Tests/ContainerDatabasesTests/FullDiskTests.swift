import Foundation
import TestSupport
import Testing

@Suite("Databases on a full disk", .needs([.externalProgram, .root]), .timeLimit(.minutes(60))) struct FullDiskTests {
    private static let canMount =
        Platform.isLinux && (try? Command("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).code) == 0

    /// Runs a script beside a mounted disk of 2 MiB with a container.
    private func run(_ fileSystem: String, _ script: String) throws -> Command {
        try withScratch { folder throws in
            let mount =
                fileSystem == "tmpfs"
                ? "mount -t tmpfs -o size=2m none disk"
                : "truncate -s 4M image; mkfs.ext4 -q image; mount -o loop image disk"
            let script = """
                set -eu
                mkdir disk; \(mount)
                mkdir -p disk/c/Library disk/c/Documents
                printf '%s' '<plist version="1.0"><dict><key>MCMMetadataIdentifier</key><string>com.example.app</string></dict></plist>' \\
                    > disk/c/.com.apple.mobile_container_manager.metadata.plist
                \(script)
                """
            return try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["PROBE": Command.databaseProbe])
        }
    }

    @Test(
        "A full disk rolls the transaction back with a clear error, and writing continues when there is space",
        .enabled(if: canMount, "needs a mount namespace"), arguments: ["tmpfs", "ext4"])
    func full(fileSystem: String) throws {
        let run = try run(
            fileSystem,
            """
            head -c 400000 /dev/zero > disk/c/Documents/space
            directory="disk/c/Library/Application Support/com.example.app/Databases/notes"
            mkdir -p "$directory"
            sqlite3 "$directory/notes.sqlite" "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT)"
            "$PROBE" fill disk/c
            ls disk/c/Documents
            sqlite3 "$directory/notes.sqlite" "PRAGMA integrity_check; SELECT count(*) > 5, min(length(text)) FROM note"
            """)
        let lines = run.text.split(separator: "\n")
        #expect(run.code == 0 && lines.count == 6, "\(run.text)\(run.errors)")
        #expect(lines.first == "noSpace")
        #expect(
            lines.dropFirst().first?.hasSuffix(
                "Nothing of the transaction is in it. Free some space and try again.") == true, "\(run.text)")
        #expect(lines.dropFirst(2) == ["noSpace", "saved after space was freed", "ok", "1|40000"], "\(run.text)")
    }

    @Test(
        "Of a database that cannot be created, nothing remains",
        .enabled(if: canMount, "needs a mount namespace"), arguments: ["tmpfs", "ext4"])
    func create(fileSystem: String) throws {
        let run = try run(
            fileSystem,
            """
            "$PROBE" create disk/c
            find disk/c/Library -name '*new*'
            """)
        #expect(run.code == 0 && run.text == "noSpace\n", "\(run.text)\(run.errors)")
    }
}
