import AppContainer
import ContainerLifecycle
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

private let now = Date(timeIntervalSince1970: 1_767_225_600)

extension EventResult {
    /// The paths with an effect.
    fileprivate func paths(_ action: ItemOutcome.Action) -> [String] {
        items.filter { $0.action == action }.map(\.path.string)
    }
}

@Suite("Purge on disk", .timeLimit(.minutes(60))) struct PurgeTests {
    @Test("Without limits everything in Library/Caches and tmp is removed, and nothing else")
    func all() throws {
        try withContainer { container throws in
            for path in [
                "Documents/Caches/a", "Documents/tmp", "Library/Caches/covers/1", "Library/Caches/covers/deep/2",
                "Library/Application Support/com.example.app/tmp/x", "tmp/upload",
            ] { try container.put(path, "12345") }
            try FileManager.default.createSymbolicLink(
                atPath: container.location.string + "/tmp/link", withDestinationPath: "../Documents")
            try FileManager.default.createDirectory(
                atPath: container.location.string + "/Library/Caches/empty", withIntermediateDirectories: false)
            let result = try SimulatedDevice(container).purge()
            #expect(
                try container.paths() == [
                    "Documents", "Documents/Caches", "Documents/Caches/a", "Documents/tmp", "Library",
                    "Library/Application Support", "Library/Application Support/com.example.app",
                    "Library/Application Support/com.example.app/tmp",
                    "Library/Application Support/com.example.app/tmp/x", "Library/Caches", "Library/Preferences",
                    "SystemData", "tmp",
                ])
            #expect(
                result.paths(.removed) == [
                    "Library/Caches/covers", "Library/Caches/covers/1", "Library/Caches/covers/deep",
                    "Library/Caches/covers/deep/2", "Library/Caches/empty", "tmp/link", "tmp/upload",
                ])
            #expect(result.total(.removed).bytes == 15 && result.event == .purge && result.isComplete)
        }
    }

    @Test("Items that are excluded from backup are spared, with the directories that lead to them")
    func spared() throws {
        try withContainer { container throws in
            for path in ["Library/Caches/a/b/kept", "Library/Caches/a/b/gone", "Library/Caches/whole/x/y", "tmp/z"] {
                try container.put(path)
            }
            try container.excludeFromBackup(ContainerPath("Library/Caches/a/b/kept"))
            try container.excludeFromBackup(ContainerPath("Library/Caches/whole"))
            let result = try SimulatedDevice(container).purge()
            #expect(
                try container.paths().filter { $0.hasPrefix("Library/Caches/") || $0.hasPrefix("tmp/") } == [
                    "Library/Caches/a", "Library/Caches/a/b", "Library/Caches/a/b/kept", "Library/Caches/whole",
                    "Library/Caches/whole/x", "Library/Caches/whole/x/y",
                ])
            #expect(result.paths(.removed) == ["Library/Caches/a/b/gone", "tmp/z"])
            let reasons = result.items.filter { $0.action == .kept && $0.path.lastComponent == "kept" }.map(\.reason)
            #expect(reasons == ["excluded from backup"])
        }
    }

    @Test("With limits the oldest items are removed first, until enough bytes are free or the others are too new")
    func limits() throws {
        try withContainer { container throws in
            for (name, age) in [("a", 3), ("b", 9), ("c", 5), ("d", 1)] {
                try container.put("Library/Caches/\(name)/file", "1234567890", age: age)
            }
            let device = try SimulatedDevice(container)
            let first = try device.purge(freeing: 15, now: now)
            #expect(
                first.paths(.removed) == [
                    "Library/Caches/b", "Library/Caches/b/file", "Library/Caches/c",
                    "Library/Caches/c/file",
                ])
            #expect(first.total(.removed).bytes == 20)
            let second = try device.purge(olderThan: .seconds(2 * 86_400), now: now)
            #expect(second.paths(.removed) == ["Library/Caches/a", "Library/Caches/a/file"])
            #expect(try device.purge(freeing: 0, now: now).paths(.removed).isEmpty)
            #expect(try container.paths().contains("Library/Caches/d/file"))
        }
    }

    @Test(
        "A purge of an app that is not terminated is an error and changes nothing",
        arguments: [AppState.inactive, .active, .background, .suspended])
    func running(state: AppState) throws {
        try withContainer { container throws in
            try container.put("Library/Caches/a")
            let device = try SimulatedDevice(container)
            if state == .inactive || state == .active { try device.transition(to: .inactive) }
            if state == .active { try device.transition(to: .active) }
            if state == .background || state == .suspended { try device.transition(to: .background) }
            if state == .suspended { try device.transition(to: .suspended) }
            let before = try container.paths()
            let target = container.location.removingLastComponent().appending("new")
            let attempts: [() throws -> Void] = [
                { try device.purge() }, { try device.update() }, { try device.offload() },
                { try device.restore(to: target) }, { try device.transfer(to: target) },
            ]
            for attempt in attempts {
                let error = #expect(throws: DeviceError.self, performing: attempt)
                #expect(error?.code == .appIsRunning && error?.description.contains("\(state)") == true)
            }
            #expect(try container.paths() == before && device.container.location == container.location)
            #expect(!FileManager.default.fileExists(atPath: target.string))
        }
    }

    @Test("References to purged files are listed with file and key")
    func references() throws {
        try withContainer { container throws in
            try container.put("Library/Caches/cover.png")
            try container.put("Documents/a.txt")
            let own = container.location.string
            try container.put(
                "Library/Preferences/com.example.app.plist",
                list: """
                    <key>cover</key><string>Library/Caches/cover.png</string>
                    <key>text</key><string>Documents/a.txt</string>
                    <key>gone</key><string>Library/Caches/never.png</string>
                    <key>list</key><array><string>file://\(own)/Library/Caches/cover.png</string></array>
                    """)
            try FileManager.default.createSymbolicLink(
                atPath: own + "/Documents/link", withDestinationPath: "../Library/Caches/cover.png")
            let found = try SimulatedDevice(container).purge().danglingReferences
            #expect(
                found.map { "\($0.file) \($0.key ?? "-") \($0.target) \($0.isAbsolute)" } == [
                    "Documents/link - Library/Caches/cover.png false",
                    "Library/Preferences/com.example.app.plist /cover Library/Caches/cover.png false",
                    "Library/Preferences/com.example.app.plist /list/0 Library/Caches/cover.png true",
                ])
        }
    }

    @Test("A directory that was replaced by a link out of the container is not followed")
    func replacedByLink() throws {
        try withContainer { container throws in
            let outside = container.location.removingLastComponent().appending("outside").string
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try Data("x".utf8).write(to: URL(filePath: outside + "/x"))
            let caches = container.location.string + "/Library/Caches"
            try FileManager.default.removeItem(atPath: caches)
            try FileManager.default.createSymbolicLink(atPath: caches, withDestinationPath: outside)
            #expect(try SimulatedDevice(container).purge().items.isEmpty)
            #expect(FileManager.default.fileExists(atPath: outside + "/x"))
        }
    }
}

@Suite("Update and offload on disk", .timeLimit(.minutes(60))) struct UpdateTests {
    @Test(
        "An update moves the container to a new UUID with all content, and lists stored absolute paths by file and key")
    func update() throws {
        try withContainer { container throws in
            try container.put("Documents/my letter.txt")
            try container.put("tmp/x")
            let own = container.location.string
            let device = "/var/mobile/Containers/Data/Application"
            try container.put(
                "Library/Preferences/com.example.app.plist",
                list: """
                    <key>last</key><string>\(own)/Documents/my letter.txt</string>
                    <key>url</key><string>file://\(own)/Documents/my%20letter.txt</string>
                    <key>phone</key><string>\(device)/\(oldIdentifier)/Documents/my letter.txt</string>
                    <key>former</key><string>\(device)/AAAAAAAA-1CAE-4B41-9D42-6AA70BBCFAD9/Documents/my letter.txt</string>
                    <key>root</key><string>\(own)</string>
                    <key>other</key><string>\(own)X/Documents/my letter.txt</string>
                    <key>missing</key><string>\(own)/Documents/missing.txt</string>
                    <key>relative</key><string>Documents/my letter.txt</string>
                    """)
            let before = try TreeListing(of: URL(filePath: own))
            let simulated = try SimulatedDevice(container)
            let result = try simulated.update(identifier: newIdentifier)
            #expect(result.container.location.lastComponent?.string == newIdentifier.uuidString)
            #expect(simulated.container.location == result.container.location)
            #expect(!FileManager.default.fileExists(atPath: own))
            #expect(try TreeListing(of: URL(filePath: result.container.location.string)) == before)
            #expect(result.items.allSatisfy { $0.action == .moved })
            #expect(result.items.map(\.path.string).contains("Documents"))
            #expect(
                result.danglingReferences.map { "\($0.file) \($0.key ?? "-") \($0.target)" } == [
                    "Library/Preferences/com.example.app.plist /last Documents/my letter.txt",
                    "Library/Preferences/com.example.app.plist /phone Documents/my letter.txt",
                    "Library/Preferences/com.example.app.plist /root ",
                    "Library/Preferences/com.example.app.plist /url Documents/my letter.txt",
                ])
            #expect(result.danglingReferences.allSatisfy(\.isAbsolute) && result.danglingReferenceCount == 4)
        }
    }

    @Test("A container whose directory is not named by a UUID stays at its path")
    func noIdentifier() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.path).appending("app")
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            try container.put("Documents/a", "x")
            let phone = "/var/mobile/Containers/Data/Application/\(oldIdentifier)/Documents/a"
            try container.put("Documents/b.plist", list: "<key>k</key><string>\(phone)</string>")
            let result = try SimulatedDevice(container).update()
            #expect(result.container.location == path && result.items.allSatisfy { $0.action == .kept })
            #expect(result.danglingReferences.map(\.key) == ["/k"])
        }
    }

    @Test("A container that was moved by another program is an error, and nothing is renamed")
    func moved() throws {
        try withContainer { container throws in
            let device = try SimulatedDevice(container)
            let elsewhere = container.location.removingLastComponent().appending("elsewhere")
            try FileManager.default.moveItem(atPath: container.location.string, toPath: elsewhere.string)
            _ = try Container.create(at: container.location, bundleIdentifier: "com.example.other")
            let error = #expect(throws: DeviceError.self) { try device.update(identifier: newIdentifier) }
            #expect(error?.code == .moved)
            #expect(FileManager.default.fileExists(atPath: elsewhere.string))
            #expect(FileManager.default.fileExists(atPath: container.location.string))
        }
    }

    @Test("An offloaded app cannot be launched or updated, also by the next process, until it is installed again")
    func offload() throws {
        try withContainer { container throws in
            try container.put("Documents/a", "x")
            try container.put(
                "Documents/b.plist", list: "<key>k</key><string>\(container.location)/Documents/a</string>")
            let items = try container.paths()
            let result = try SimulatedDevice(container).offload()
            #expect(result.items.allSatisfy { $0.action == .kept } && result.danglingReferences.isEmpty)
            #expect(try container.paths() == items)
            let device = try SimulatedDevice(container)
            #expect(!device.isInstalled)
            for attempt in [{ try device.launch() }, { _ = try device.update() }, { _ = try device.offload() }] {
                #expect(throws: DeviceError.self, performing: attempt)
            }
            let again = try device.reinstall(identifier: newIdentifier)
            #expect(again.danglingReferences.map(\.key) == ["/k"] && device.isInstalled)
            #expect(again.container.location.lastComponent?.string == newIdentifier.uuidString)
            #expect(throws: DeviceError.self) { try device.reinstall() }
            #expect(try SimulatedDevice(again.container).isInstalled)
            try device.launch()
        }
    }
}

@Suite("Restore and transfer on disk", .timeLimit(.minutes(60))) struct DeviceRestoreTests {
    @Test(
        "A new container has only the items of a backup, with their content, modes, dates and attributes",
        arguments: [LifecycleEvent.restore, .transfer])
    func copy(event: LifecycleEvent) throws {
        try withContainer { container throws in
            for path in [
                "Documents/a.txt", "Documents/tiles/1", "Library/Caches/c", "tmp/t", "SystemData/s",
                "Library/Application Support/com.example.app/data", "Library/SplashBoard/x", "extra/e",
            ] { try container.put(path, "content of \(path)") }
            let own = container.location.string
            try container.excludeFromBackup(.documents / "tiles")
            try setMode("640", of: own + "/Documents/a.txt")
            try setMode("4755", of: own + "/Library/Application Support/com.example.app/data")
            try AttributeTool.set("user.tag", to: "red", of: own + "/Documents/a.txt")
            try FileManager.default.createSymbolicLink(atPath: own + "/Documents/l", withDestinationPath: "a.txt")
            try FileManager.default.linkItem(atPath: own + "/Documents/a.txt", toPath: own + "/Documents/second")
            try createPipe(own + "/Documents/pipe")
            let before = try TreeListing(of: URL(filePath: own))
            let device = try SimulatedDevice(container)
            let target = container.location.removingLastComponent().appending("new")
            let result = try event == .restore ? device.restore(to: target) : device.transfer(to: target)
            #expect(try TreeListing(of: URL(filePath: own)) == before)
            #expect(result.event == event && result.container.location == target)
            #expect(result.container.bundleIdentifier == "com.example.app")
            #expect(
                try result.container.paths() == [
                    "Documents", "Documents/a.txt", "Documents/l", "Documents/second", "Library",
                    "Library/Application Support", "Library/Application Support/com.example.app",
                    "Library/Application Support/com.example.app/data", "Library/Caches", "Library/Preferences",
                    "SystemData", "tmp",
                ])
            for path in ["Documents/a.txt", "Documents/second", "Library/Application Support/com.example.app/data"] {
                let pair = [own, target.string].map { $0 + "/" + path }
                #expect(try Data(contentsOf: URL(filePath: pair[0])) == Data(contentsOf: URL(filePath: pair[1])))
                #expect(try modified(of: pair[0]) == modified(of: pair[1]))
                let owners = try pair.map { try owner(of: $0) }
                #expect(owners[0] == owners[1])
            }
            #expect(try mode(of: target.string + "/Documents/a.txt") == "640")
            #expect(try mode(of: target.string + "/Library/Application Support/com.example.app/data") == "755")
            #expect(try AttributeTool.text("user.tag", of: target.string + "/Documents/a.txt") == "red")
            #expect(try inode(of: target.string + "/Documents/a.txt") != inode(of: target.string + "/Documents/second"))
            #expect(
                result.items.filter { $0.action == .leftOut }.map { "\($0.path): \($0.reason)" }.filter {
                    !$0.hasPrefix(".com.apple")
                } == [
                    "Documents/pipe: not a file, directory or link", "Documents/tiles: excluded from backup",
                    "Library/Caches: caches", "Library/SplashBoard: owned by the system",
                    "SystemData: owned by the system", "extra: outside Documents and Library",
                    "tmp: not needed at the next launch",
                ])
        }
    }

    @Test("Absolute paths, and relative paths to items that were left out, are invalid in the new container")
    func references() throws {
        try withContainer { container throws in
            for path in ["Documents/a.txt", "Documents/tiles/1", "Library/Caches/c"] { try container.put(path) }
            try container.excludeFromBackup(.documents / "tiles")
            try container.put(
                "Documents/b.plist",
                list: """
                    <key>own</key><string>\(container.location)/Documents/a.txt</string>
                    <key>tile</key><string>Documents/tiles/1</string>
                    <key>cache</key><string>Library/Caches/c</string>
                    <key>fine</key><string>Documents/a.txt</string>
                    """)
            let target = container.location.removingLastComponent().appending("new")
            let found = try SimulatedDevice(container).restore(to: target).danglingReferences
            #expect(found.map(\.key) == ["/cache", "/own", "/tile"])
        }
    }

    @Test("A destination with content or in the container is refused, and nothing changes")
    func destinations() throws {
        try withContainer { container throws in
            try container.put("Documents/a.txt")
            let parent = container.location.removingLastComponent()
            try FileManager.default.createDirectory(
                atPath: parent.appending("full/x").string, withIntermediateDirectories: true)
            let before = try TreeListing(of: URL(filePath: parent.string))
            let device = try SimulatedDevice(container)
            for path in [parent.appending("full"), container.location.appending("Documents/new"), container.location] {
                let error = #expect(throws: DeviceError.self) { try device.restore(to: path) }
                #expect(error?.code == .invalidDestination, "\(path) \(error.map { "\($0)" } ?? "")")
            }
            let missing = #expect(throws: DeviceError.self) {
                try device.restore(to: parent.appending("missing/new"))
            }
            #expect(missing?.cause?.code == .notFound)
            // Creating and removing a directory changes the date of its parent.
            let changes = try TreeListing(of: URL(filePath: parent.string)).differences(from: before)
            #expect(changes.allSatisfy { $0.contains("Documents d ") }, "\(changes)")
        }
    }
}
