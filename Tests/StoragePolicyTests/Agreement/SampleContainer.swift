import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport

/// A container on disk for tests that compare the answers of several tools.
struct SampleContainer: Sendable {
    let name: String
    /// Makes the container in an empty directory, and returns its path.
    let make: @Sendable (URL) throws -> URL

    /// The containers of Tests/Corpus and Tests/Judgement.
    static func labelled() throws -> [SampleContainer] {
        let examples =
            try CorpusContainer.all().map { ("corpus/\($0.name)", $0.example) }
            + JudgementContainer.Folder.allCases.flatMap { folder in
                try JudgementContainer.all(in: folder).map { ("judgement/\($0.name)", $0.example) }
            }
        return examples.map { name, example in
            SampleContainer(name: name) { folder in
                let run = ExampleRun(scratch: FilePath(folder.path), catalogue: try .embedded())
                let container = folder.appending(path: "container")
                _ = try run.container(example, at: FilePath(container.path))
                return container
            }
        }
    }

    /// The containers that the apps of Examples leave.
    static let examples = ["Agenda", "Converter", "HackerBooks", "Messages", "Passcode", "Students"].map { app in
        SampleContainer(name: "examples/\(app)") { folder in
            let container = folder.appending(path: "container")
            try Command.setUp(Command.built(app), [container.path])
            return container
        }
    }

    /// Containers with random items of every location, kind and mark.
    static func generated(_ count: Int) -> [SampleContainer] {
        (0..<count).map { number in
            SampleContainer(name: "generated/\(number)") { folder in
                let container = folder.appending(path: "container")
                try GeneratedContainer(seed: UInt64(number)).make(at: container)
                return container
            }
        }
    }

    /// The folder with layouts of real apps, which is beside some checkouts.
    static let shared = CorpusContainer.folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared")

    static var hasShared: Bool { FileManager.default.fileExists(atPath: shared.path) }

    /// One of `step` layouts of real apps, in order of their names.
    static func real(each step: Int) throws -> [SampleContainer] {
        let script = #"""
            import json, lzma, os, pathlib, plistlib, sys
            layouts = json.loads(lzma.open(sys.argv[1]).read())
            names = sorted(layouts)
            if len(sys.argv) == 2:
                print("\n".join(names))
                sys.exit()
            root, name = pathlib.Path(sys.argv[2]) / "container", names[int(sys.argv[3])]
            root.mkdir()
            for path, time, size, *more in layouts[name]:
                item = root / path
                (item if path.endswith("/") else item.parent).mkdir(parents=True, exist_ok=True)
                if not path.endswith("/"):
                    with open(item, "wb") as file:
                        # A byte at the end, so that the file has a block.
                        file.seek(max(0, size - 1))
                        file.write(b"\0" * min(size, 1))
                    os.utime(item, (time or 0, time or 0))
                if sys.platform == "linux" and more and more[0].get("excluded") and not more[0].get("inherited"):
                    os.setxattr(item, "user.com.apple.metadata:com_apple_backup_excludeItem", b"1")
            metadata = {"MCMMetadataIdentifier": name.split("/")[-1].removeprefix("AppDomain-")}
            with open(root / ".com.apple.mobile_container_manager.metadata.plist", "wb") as file:
                plistlib.dump(metadata, file)
            """#
        let layouts = shared.path + "/real/layouts.json.xz"
        let names = try Command("python3", ["-c", script, layouts]).text.split(separator: "\n")
        return names.enumerated().filter { $0.offset % step == 0 }.map { number, name in
            SampleContainer(name: "real/\(name)") { folder in
                try Command.setUp("python3", ["-c", script, layouts, folder.path, "\(number)"])
                return folder.appending(path: "container")
            }
        }
    }

    /// The directories that the cases from public reports consist of and that are containers. Cases
    /// that need a Python module that is not installed are left out of the containers and named.
    static func cases(in scratch: URL) throws -> (containers: [SampleContainer], unmade: [String]) {
        let copies = scratch.appending(path: "cases")
        try shared.copyAll("cases", to: copies.path)
        var (containers, unmade): ([SampleContainer], [String]) = ([], [])
        for name in try names(in: copies) {
            let folder = copies.appending(path: name)
            guard FileManager.default.fileExists(atPath: folder.path + "/make.py") else { continue }
            let run = try Command("python3", ["-B", "make.py"], in: folder)
            guard run.code == 0 else {
                unmade.append("\(name): \(run.errors.split(separator: "\n").last ?? "")")
                continue
            }
            let found = try Command(
                "find", ["out", "-type", "d", "(", "-name", "Documents", "-o", "-name", "Library", ")"], in: folder)
            let roots = Set(
                found.text.split(separator: "\n").map { $0.split(separator: "/").dropLast().joined(separator: "/") })
            for path in roots.sorted() where !roots.contains(where: { path.hasPrefix($0 + "/") }) {
                containers.append(SampleContainer(name: "cases/\(name)/\(path)") { _ in folder.appending(path: path) })
            }
        }
        return (containers, unmade)
    }
}

/// A container with random items. The same seed gives the same items.
struct GeneratedContainer {
    let seed: UInt64

    private static let places = [
        "Documents", "Documents/Inbox", "Library", "Library/Application Support",
        "Library/Application Support/com.example.app",
        "Library/Caches", "Library/Caches/com.example.app", "Library/Preferences", "Library/Cookies", "Library/WebKit",
        "Library/SplashBoard", "Library/Saved Application State", "Library/HTTPStorages",
        "Library/Mobile Documents/iCloud~a",
        "Library/com.apple.UserManagedAssets.aB3xK9", "SystemData", "StoreKit", "tmp", "tmp/deep", "other", ".hidden",
    ]
    private static let names = [
        "a", "letter.txt", "photo.jpg", "store.sqlite", "store.sqlite-wal", "film.mp4", "model.mlmodelc", "Caches",
        "tmp", "Library",
        "Documents", "NSIRD_app_aBcDeF", ".com.apple.mobile_container_manager.metadata.plist", "CACHEDIR.TAG",
        "log.txt", "täg",
        "new\nline", ".appcontainer-staging-0123456789abcdef", "data.realm.lock", "book.epub.part",
        ".letter.txt.icloud",
    ]
    private static let marks = [
        "user.com.apple.metadata:com_apple_backup_excludeItem", "user.com.apple.MobileBackup", "user.xdg.robots.backup",
        "user.com.example.mark", "user.com.apple.metadata:com_apple_cloudBackup_excludeItem",
        "user.com.apple.metadata:com_apple_unencryptedBackup_excludeItem#PS",
    ]

    func make(at container: URL) throws {
        var random = SeededNumbers(seed: seed)
        try container.makeDirectories("Documents", "Library", "tmp")
        if Bool.random(using: &random) {
            let identifier = Bool.random(using: &random) ? "com.example.app" : "group.com.example.app"
            try PropertyListSerialization.data(
                fromPropertyList: ["MCMMetadataIdentifier": identifier], format: .binary, options: 0
            ).write(to: container.appending(path: ".com.apple.mobile_container_manager.metadata.plist"))
        }
        var folders = Self.places
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            guard let folder = folders.randomElement(using: &random),
                let name = Self.names.randomElement(using: &random)
            else { continue }
            let path = "\(folder)/\(name)"
            let item = container.appending(path: path)
            var status = stat()
            guard lstat(item.path, &status) != 0 else { continue }
            // A file may have its name, or that of a directory above it.
            guard (try? container.makeDirectories(folder)) != nil else { continue }
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1, 2:
                try container.makeDirectories(path)
                folders.append(path)
            case 3: try container.makeLink(path, to: "../a")
            case 4: try createPipe(item.path)
            case 5: try container.makeHole(path, size: Int64.random(in: 1...100_000, using: &random))
            case 6: try container.write(to: path)
            default: try container.write(Data(count: Int.random(in: 1...9000, using: &random)), to: path)
            }
        }
        for path in try FileManager.default.subpathsOfDirectory(atPath: container.path).sorted()
        where Int.random(in: 0..<8, using: &random) == 0 {
            var status = stat()
            guard let mark = Self.marks.randomElement(using: &random), lstat(container.path + "/" + path, &status) == 0,
                [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
            else { continue }
            try AttributeTool.set(mark, to: Bool.random(using: &random) ? "false" : "1", of: path, in: container)
        }
    }
}
