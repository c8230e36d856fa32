import AppContainer
import BackupPlan
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite struct PlanTests {
    private static let flag = "com.apple.metadata:com_apple_backup_excludeItem"

    /// Creates items with the names in Apple's documentation of backups, and with similar names in other locations.
    private func makeEverything(in folder: URL) throws {
        try folder.makeDirectories(
            "Documents/Inbox", "Documents/tmp", "Documents/Library/Caches",
            "Library/Application Support/glean_data/tmp", "Library/Caches/a", "Library/Caches/Snapshots",
            "Library/SplashBoard", "Library/Saved Application State", "Library/SyncedPreferences", "Library/Cookies",
            "Library/WebKit", "Library/Own", "Library/com.apple.UserManagedAssets.AbC123", "SystemData", "StoreKit",
            "tmp",
            "Own", ".hidden")
        try folder.write(to: "top", "Documents/a")
        try folder.makeLink("Documents/link", to: "/nowhere")
        try folder.makeLink("outside", to: "nothing")
        try createPipe(folder.path + "/Documents/pipe")
        try createSocket(folder.path + "/Library/socket")
    }

    @Test(
        "The plan of an app includes Documents and Library, except what the system empties or recreates",
        .enabled(if: Platform.isLinux, "creates a socket without a listener"))
    func app() throws {
        try withContainer { container, folder throws in
            try makeEverything(in: folder)
            let metadata = ".com.apple.mobile_container_manager.metadata.plist"
            #expect(
                try Plan(of: container).lines == [
                    " user-data the container's root",
                    "\(metadata) system-state \(metadata)",
                    ".hidden not-a-backed-up-directory the container's root",
                    "Documents user-data Documents",
                    "Documents/Inbox user-data Documents/Inbox",
                    "Documents/Library user-data Documents",
                    "Documents/Library/Caches user-data Documents",
                    "Documents/a user-data Documents",
                    "Documents/link user-data Documents",
                    "Documents/pipe special-node fifo",
                    "Documents/tmp user-data Documents",
                    "Library user-data Library",
                    "Library/Application Support user-data Library/Application Support",
                    "Library/Application Support/glean_data user-data Library/Application Support",
                    "Library/Application Support/glean_data/tmp user-data Library/Application Support",
                    "Library/Caches caches Library/Caches",
                    "Library/Cookies user-data Library/Cookies",
                    "Library/Own user-data Library",
                    "Library/Preferences user-data Library/Preferences",
                    "Library/Saved Application State system-state Library/Saved Application State",
                    "Library/SplashBoard system-state Library/SplashBoard",
                    "Library/SyncedPreferences system-state Library/SyncedPreferences",
                    "Library/WebKit user-data Library/WebKit",
                    "Library/com.apple.UserManagedAssets.AbC123 undocumented Library/com.apple.UserManagedAssets.??????",
                    "Library/socket special-node socket",
                    "Own not-a-backed-up-directory the container's root",
                    "StoreKit system-state StoreKit",
                    "SystemData system-state SystemData",
                    "outside not-a-backed-up-directory the container's root",
                    "tmp tmp tmp",
                    "top not-a-backed-up-directory the container's root",
                ])
        }
    }

    @Test(
        "The plan of a group includes everything except what the system empties or recreates",
        .enabled(if: Platform.isLinux, "creates a socket without a listener"))
    func group() throws {
        try withContainer("group.com.example") { container, folder throws in
            try makeEverything(in: folder)
            let plan = try Plan(of: container)
            let top = plan.filter { !$0.path.contains(UInt8(ascii: "/")) && $0.isStored }
            #expect(
                top.map { ByteText.escaped($0.path) } == [
                    "", ".hidden", "Documents", "Library", "Own", "outside", "top",
                ])
            #expect(plan.sums[.notBackedUpDirectory] == nil)
            #expect(plan.entry(at: Array("Library/Caches".utf8))?.decision.reason == .caches)
        }
    }

    @Test("The plan of a group excludes the system's metadata file and tmp by name, whatever their kind")
    func files() throws {
        try withContainer("group.com.example") { container, folder throws in
            try folder.remove("tmp", "Library/Caches")
            try folder.write(to: "tmp")
            try folder.makeLink("Library/Caches", to: "/elsewhere")
            let plan = try Plan(of: container)
            #expect(plan.entry(at: Array("tmp".utf8))?.decision.reason == .temporary)
            #expect(plan.entry(at: Array("Library/Caches".utf8))?.decision.reason == .caches)
            #expect(
                plan.entry(at: Array(".com.apple.mobile_container_manager.metadata.plist".utf8))?.decision.reason
                    == .systemState
            )
        }
    }

    @Test("Every exclusion attribute of Apple excludes its item, and the content of an excluded directory is counted")
    func marks() throws {
        try withContainer { container, folder throws in
            let own = folder.appending(path: "Documents")
            try own.makeDirectories("flagged/deep/er")
            try own.write("12345", to: "flagged/deep/a")
            try own.write("123", to: "flagged/b")
            try own.write(to: "old", "samba", "robots", "copied", "file")
            for (name, value, path) in [
                (Self.flag, "x", "flagged"), (Self.flag, "x", "flagged/b"), ("com.apple.MobileBackup", "x", "old"),
                ("xdg.robots.backup", "false", "robots"), ("DosStream.\(Self.flag):$DATA", "x", "samba"),
                ("\(Self.flag)#PS", "", "copied"),
            ] { try AttributeTool.set("user.\(name)", to: value, of: path, in: own) }
            let plan = try Plan(of: container)
            let documents = plan.filter { $0.path.starts(with: "Documents/".utf8) }
            #expect(
                documents.map {
                    "\(ByteText.escaped($0.path)) \($0.decision.reason.rawValue) \($0.decision.decider) \($0.bytes)"
                } == [
                    "Documents/copied own-flag \(Self.flag) 0",
                    "Documents/file user-data Documents 0",
                    "Documents/flagged own-flag \(Self.flag) 8",
                    "Documents/old own-flag com.apple.MobileBackup 0",
                    "Documents/robots user-data Documents 0",
                    "Documents/samba own-flag DosStream.\(Self.flag):$DATA 0",
                ])
            #expect(plan.sums[.ownFlag]?.items == 8 && plan.sums[.ownFlag]?.bytes == 8)
        }
    }

    @Test(
        "View-specific attributes count only in their view",
        arguments: zip(BackupView.allCases, [[], ["unencrypted"], ["cloud"]]))
    func views(view: BackupView, leftOut: [String]) throws {
        try withContainer { container, folder throws in
            for (path, kind) in [("cloud", "cloudBackup"), ("unencrypted", "unencryptedBackup"), ("both", "backup")] {
                try folder.write(to: "Documents/\(path)")
                let name = "user.com.apple.metadata:com_apple_\(kind)_excludeItem"
                try AttributeTool.set(name, to: "x", of: "Documents/\(path)", in: folder)
            }
            let plan = try Plan(of: container, rules: BackupRules(view: view))
            let names = plan.filter { $0.decision.reason == .ownFlag }.map {
                String(decoding: $0.path.dropFirst(10), as: UTF8.self)
            }
            #expect(names == ["both"] + leftOut)
        }
    }

    @Test("The content of tagged directories is excluded on request, by the signature of the tag and not by its name")
    func cacheTags() throws {
        try withContainer { container, folder throws in
            let documents = folder.appending(path: "Documents")
            try documents.makeDirectories("piped", "linked")
            try documents.write("12345", to: "tagged/a")
            try documents.write("Signature: 8a477f597d28d172789f06886806bc55\n", to: "tagged/CACHEDIR.TAG")
            try documents.write("x\n", to: "misnamed/CACHEDIR.TAG")
            let tiles = folder.appending(path: "Library/tiles")
            try tiles.write("Signature: 8a477f597d28d172789f06886806bc55", to: "CACHEDIR.TAG", "1")
            try createPipe(documents.path + "/piped/CACHEDIR.TAG")
            try documents.makeLink("linked/CACHEDIR.TAG", to: "../tagged/CACHEDIR.TAG")
            var rules = BackupRules()
            #expect(try Plan(of: container, rules: rules).sums[.tagFile] == nil)
            rules.respectsCacheTags = true
            let plan = try Plan(of: container, rules: rules)
            #expect(
                plan.lines.filter { $0.contains("tag-file") } == [
                    "Documents/tagged/a tag-file CACHEDIR.TAG", "Library/tiles/1 tag-file CACHEDIR.TAG",
                ])
            // A tag among the documents of users may have been left by mistake.
            #expect(plan.warningLines == ["tagged-documents Documents/tagged Documents/tagged/a"])
            #expect(plan.warnings.first?.message.hasPrefix("1 item here, 5 bytes, is excluded because") == true)
            #expect(plan.entry(at: Array("Documents/tagged/CACHEDIR.TAG".utf8))?.isStored == true)
            #expect(plan.entry(at: Array("Documents/tagged".utf8))?.isStored == true)
        }
    }

    @Test(
        "Items with the nodump flag are excluded on request", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs chattr"))
    func noDump() throws {
        try withContainer { container, folder throws in
            try folder.write("12345", to: "Documents/skipped/a")
            try folder.write(to: "Documents/one", "Documents/other")
            // Some file systems do not store the flag.
            guard (try? inContainer(folder, "chattr +d Documents/skipped Documents/one")) != nil else { return }
            var rules = BackupRules()
            #expect(try Plan(of: container, rules: rules).sums[.noDump] == nil)
            rules.respectsNoDump = true
            let plan = try Plan(of: container, rules: rules)
            #expect(
                plan.lines.filter { $0.contains("nodump") } == [
                    "Documents/one nodump nodump", "Documents/skipped nodump nodump",
                ])
        }
    }

    @Test("The plan of an excluded container contains only the container")
    func flaggedRoot() throws {
        try withContainer { container, _ throws in
            try container.save("12345", to: .documents / "a")
            try container.excludeFromBackup(.root, force: true)
            let plan = try Plan(of: container)
            #expect(plan.lines == [" own-flag \(Self.flag)"])
            #expect(plan.first?.bytes == 88 + 5)
            #expect(plan.entry(covering: Array("Documents/a".utf8))?.path == [])
        }
    }

    @Test("The plan contains the status of every item that a backup compares")
    func status() throws {
        try withContainer { container, folder throws in
            let documents = folder.appending(path: "Documents")
            try documents.write("1234567", to: "a")
            try documents.makeName("b", of: "a")
            try documents.makeDirectories("d")
            try documents.makeLink("l", to: "somewhere")
            try AttributeTool.set("user.x", to: "1", of: "a", in: documents)
            try documents.setMode("2640", of: "a")
            try documents.setMode("1755", of: "d")
            try documents.setTimes("1969-12-31T23:59:59.123456789Z", of: "a")
            try documents.setTimes("2040-01-01", of: "l", followingLinks: false)
            let plan = try Plan(of: container)
            for name in ["a", "b", "d", "l"] {
                let entry = try #require(plan.entry(at: Array("Documents/\(name)".utf8)))
                let found = try container.folder.status(FilePath("Documents/\(name)"))
                #expect(entry.kind == found.kind && entry.status.permissions == found.permissions)
                #expect(entry.status.identity == found.identity)
                #expect(entry.status.links == (name == "d" ? 1 : found.links))
                #expect(entry.status.owner == found.owner)
                #expect(entry.status.modified == found.modified && entry.status.changed == found.changed)
                #expect(entry.status.size == (name == "d" ? 0 : found.size))
                #expect(entry.attributes == (name < "c" ? ["x"] : []))
            }
            let seconds = plan.entry(at: Array("Documents/a".utf8))?.status.modified
            #expect(seconds?.seconds == -1 && seconds?.nanoseconds == 123_456_789)
        }
    }
}
