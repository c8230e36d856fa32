import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("A restore into a package or a simulated device", .timeLimit(.minutes(60))) struct RestoreTargetKindTests {
    private static let identity = ".com.apple.mobile_container_manager.metadata.plist"

    @Test("A new package of Xcode has the container in AppData and the identifier of the app")
    func newPackage() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let package = folder.appending(path: "App.xcappdata")
            let restore = ["restore", "latest", "--repository", store, "--to", package.path]
            #expect(try sandboxbackup(restore + ["-n"]).code == 0)
            #expect(!FileManager.default.fileExists(atPath: package.path))
            let run = try sandboxbackup(restore)
            #expect(run.code == 0, "\(run.errors)")
            let data = package.appending(path: "AppData")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(data)) == [])
            let opened = try Container.open(FilePath(package.path))
            #expect(opened.bundleIdentifier == "com.example.app" && opened.location == FilePath(data.path))
            let app = try sandboxbackup("restore", "latest", "--as-ios", "--repository", store, "--to", package.path)
            #expect(app.code == 2, "\(app.errors)")
            // The tools read it as an input.
            try backed("create", package.path, "--repository", store)
            #expect(try backed("snapshots", "--repository", store).split(separator: "\n").count >= 2)
        }
    }

    @Test("An existing package keeps its information")
    func existingPackage() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try folder.write("information", to: "App.xcappdata/AppDataInfo.plist")
            try folder.write("mine", to: "App.xcappdata/AppData/Documents/letter.txt")
            let package = folder.appending(path: "App.xcappdata")
            let restore = ["restore", "latest", "--repository", store, "--to", package.path]
            let kept = try sandboxbackup(restore)
            #expect(kept.code == 3 && kept.text.contains("already-there: Documents/letter.txt"), "\(kept.text)")
            #expect(try sandboxbackup(restore + ["--overwrite"]).code == 0)
            let data = package.appending(path: "AppData")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(data)) == [])
            let information = package.appending(path: "AppDataInfo.plist")
            #expect(try String(contentsOf: information, encoding: .utf8) == "information")
            #expect(try names(in: package).sorted() == ["AppData", "AppDataInfo.plist"])
        }
    }

    @Test("In a simulated device, the container of the snapshot’s app is restored and keeps its identity")
    func simulator() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let apps = folder.appending(path: "device/data/Containers/Data/Application")
            try folder.makeDirectories("device/data/Containers/Data/Application")
            for (name, identifier) in [("A", "com.example.app"), ("B", "com.example.other")] {
                let uuid = "0000000\(name)-0000-0000-0000-000000000000"
                _ = try Container.create(at: FilePath(apps.path + "/" + uuid), bundleIdentifier: identifier)
                try apps.write("old", to: uuid + "/Documents/letter.txt")
                try apps.write("cached", to: uuid + "/Library/Caches/c")
            }
            let target = apps.appending(path: "0000000A-0000-0000-0000-000000000000")
            let identity = try Data(contentsOf: target.appending(path: Self.identity))
            let run = try sandboxbackup(
                "restore", "latest", "--overwrite", "--delete", "--repository", store, "--to", folder.path + "/device")
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
            #expect(try Data(contentsOf: target.appending(path: Self.identity)) == identity)
            #expect(try String(contentsOf: target.appending(path: "Library/Caches/c"), encoding: .utf8) == "cached")
            let other = apps.appending(path: "0000000B-0000-0000-0000-000000000000/Documents/letter.txt")
            #expect(try String(contentsOf: other, encoding: .utf8) == "old")
            try FileManager.default.removeItem(at: target)
            let none = try sandboxbackup("restore", "latest", "--repository", store, "--to", folder.path + "/device")
            #expect(none.code == 1 && none.errors.contains("com.example.app"), "\(none.code) \(none.errors)")
        }
    }

    @Test(
        "The identity of an existing container stays, also if the snapshot contains another one",
        .needs(.externalProgram))
    func identity() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            // As in the snapshot of an imported backup.
            let change = """
                UPDATE entry SET name = CAST('\(Self.identity)' AS BLOB) WHERE CAST(name AS TEXT) = 'letter.txt'
                """
            try executeSQL(change, in: store + "/catalogue.sqlite")
            try rehash(store)
            let target = folder.appending(path: "target")
            _ = try Container.create(at: FilePath(target.path), bundleIdentifier: "com.example.app")
            let before = try Data(contentsOf: target.appending(path: Self.identity))
            let run = try sandboxbackup(
                "restore", "1:Documents", "--overwrite", "--repository", store, "--to", target.path)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try Data(contentsOf: target.appending(path: Self.identity)) == before)
            let plain = folder.appending(path: "plain")
            #expect(try sandboxbackup("restore", "1:Documents", "--repository", store, "--to", plain.path).code == 0)
            #expect(try String(contentsOf: plain.appending(path: Self.identity), encoding: .utf8) == "Dear reader")
        }
    }
}
