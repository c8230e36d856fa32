import AppContainer
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A directory with the layouts of simulators, devices and Macs.
struct InputScene {
    let folder: URL

    /// Runs the linter with JSON output.
    func report(_ arguments: String...) throws -> Report {
        try Report(
            try sandboxlint(
                ["lint"] + arguments + ["--now", "2026-01-01", "--format", "json"], in: folder))
    }

    /// Lists the containers: identifier, role, reason and path of each, by app.
    func containers(_ arguments: String...) throws -> [[String]] {
        let run = try sandboxlint(["inputs"] + arguments + ["--format", "json"], in: folder)
        let json = try #require(
            try JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(run.errors)")
        let inputs = try #require(json["inputs"] as? [[String: Any]])
        return try inputs.flatMap { input in
            try #require(input["apps"] as? [[String: Any]]).flatMap { app in
                try #require(app["containers"] as? [[String: Any]]).map { container in
                    [
                        app["bundleID"] as? String ?? "-", container["label"] as? String ?? "-",
                        container["role"] as? String ?? "-", container["belongs"] as? String ?? "-",
                        container["path"] as? String ?? "-",
                    ]
                }
            }
        }
    }

    /// Creates a container at a path in the folder.
    @discardableResult
    func make(_ path: String, _ identifier: String) throws -> Container {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        return try makeContainer(at: url, identifier)
    }

    /// Writes a property list.
    func write(_ list: [String: Any], to path: String) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
    }

    /// Creates the container of a group with a metadata file, and a file of so many bytes.
    func makeGroup(_ path: String, _ identifier: String, bytes: Int = 10) throws {
        try write(
            ["MCMMetadataIdentifier": identifier], to: "\(path)/.com.apple.mobile_container_manager.metadata.plist")
        try Data(count: bytes).write(to: folder.appending(path: "\(path)/data.bin"))
    }
}

/// Runs `body` with an empty scene.
func withInputScene(_ body: (InputScene) throws -> Void) throws {
    try withScratch { folder throws in try body(InputScene(folder: folder)) }
}

@Suite("sandboxlint inputs", .timeLimit(.minutes(60))) struct DiscoveryTests {
    private static let device = "A1B2C3D4-0000-4000-8000-000000000001"
    private static let applications = "\(device)/data/Containers/Data/Application"

    /// A simulated device with two apps, a group, an extension and an installed app.
    private func makeDevice(_ scene: InputScene, _ device: String = device) throws {
        try scene.write(["UDID": device], to: "\(device)/device.plist")
        try scene.make("\(device)/data/Containers/Data/Application/U1", "com.example.reader")
        try scene.make("\(device)/data/Containers/Data/Application/U2", "org.example.notes")
        try scene.make("\(device)/data/Containers/Data/PluginKitPlugin/U3", "com.example.reader.widget")
        try scene.makeGroup("\(device)/data/Containers/Shared/AppGroup/U4", "group.com.example.reader")
        try scene.makeGroup("\(device)/data/Containers/Shared/AppGroup/U5", "group.net.other")
        try FileManager.default.createDirectory(
            at: scene.folder.appending(path: "\(device)/data/Library"), withIntermediateDirectories: true)
    }

    @Test(
        "A simulated device lists its apps with their groups and extensions, from any directory of the layout",
        arguments: [("", "data/Containers/"), ("/data", "Containers/"), ("/data/Containers", "")])
    func simulator(suffix: String, prefix: String) throws {
        try withInputScene { scene throws in
            try makeDevice(scene)
            let all = try scene.containers(Self.device + suffix)
            #expect(
                all.map { Array($0.prefix(4)) } == [
                    ["com.example.reader", "com.example.reader", "data", "own"],
                    ["com.example.reader", "com.example.reader.widget", "plug-in", "identifier"],
                    ["com.example.reader", "group.com.example.reader", "group", "identifier"],
                    ["group.net.other", "group.net.other", "group", "unknown"],
                    ["org.example.notes", "org.example.notes", "data", "own"],
                ], "\(all)")
            #expect(all[0][4] == "\(prefix)Data/Application/U1", "\(all)")
        }
    }

    @Test("Undo data beside containers is no container, whatever was deleted")
    func undoFolders() throws {
        try withInputScene { scene throws in
            try makeDevice(scene)
            let data = "\(Self.device)/data/Containers"
            let before = try [Self.device, Self.applications, "."].map { try scene.containers($0) }
            for container in ["Data/Application/U1", "Data/PluginKitPlugin/U3", "Shared/AppGroup/U4"] {
                let path = "\(data)/\(container)"
                try scene.folder.makeDirectories(
                    "\(path)/Documents/deleted/Library/Caches", "\(path)/Documents/deleted/Documents")
                let run = try sandboxfm(["rm", path, "Documents/deleted", "--yes"], in: scene.folder)
                #expect(run.code == 0, "\(run.errors)")
                #expect(FileManager.default.fileExists(atPath: scene.folder.path + "/\(path).sandboxlint-undo"))
            }
            #expect(try [Self.device, Self.applications, "."].map { try scene.containers($0) } == before)
        }
    }

    @Test("The directory of containers, and a directory with several devices, are inputs; devices keep their groups")
    func layouts() throws {
        try withInputScene { scene throws in
            try makeDevice(scene)
            #expect(
                try scene.containers(Self.applications).map { $0[1] } == ["com.example.reader", "org.example.notes"])
            let other = "B1B2C3D4-0000-4000-8000-000000000002"
            try makeDevice(scene, other)
            let all = try scene.containers(".")
            #expect(all.count == 10)
            for device in [Self.device, other] {
                let own = all.filter { $0[4].hasPrefix(device) && $0[0] == "com.example.reader" }
                #expect(
                    own.map { $0[1] } == [
                        "\(device)/com.example.reader", "\(device)/com.example.reader.widget",
                        "\(device)/group.com.example.reader",
                    ], "\(all)")
            }
        }
    }

    @Test("An .xcappdata package needs only AppData; its identity is from its metadata or AppDataInfo.plist")
    func package() throws {
        try withInputScene { scene throws in
            let container = try scene.make("a.xcappdata/AppData", "com.example.reader")
            #expect(try scene.containers("a.xcappdata") == [["com.example.reader", "-", "data", "own", ""]])
            let whole = try scene.report("a.xcappdata")
            #expect(try whole.fingerprints == scene.report("a.xcappdata/AppData").fingerprints)
            #expect(!whole.findings.isEmpty && whole.run.code == 1)
            try FileManager.default.removeItem(
                atPath: container.location.string + "/.com.apple.mobile_container_manager.metadata.plist")
            #expect(try scene.containers("a.xcappdata").map { $0[0] } == ["-"])
            try scene.write(
                ["CFBundleIdentifier": "com.example.reader", "Version": 1], to: "a.xcappdata/AppDataInfo.plist")
            let configured = try scene.report("a.xcappdata/AppData", "--set", "bundle-id=com.example.reader")
            #expect(try scene.report("a.xcappdata").fingerprints == configured.fingerprints)
            try scene.write(["CFBundleIdentifier": "../up"], to: "a.xcappdata/AppDataInfo.plist")
            #expect(try scene.containers("a.xcappdata").map { $0[0] } == ["-"])
        }
    }

    @Test("Directories of a Mac: an app's container is named after its directory, a group has its own rules")
    func mac() throws {
        try withInputScene { scene throws in
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "Library/Containers/com.example.reader/Data/Documents"),
                withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "Library/Group Containers/ABCDE12345.com.example.reader/Library"),
                withIntermediateDirectories: true)
            #expect(
                try scene.containers("Library").map { Array($0.prefix(4)) } == [
                    ["com.example.reader", "com.example.reader", "data", "own"],
                    ["com.example.reader", "ABCDE12345.com.example.reader", "group", "identifier"],
                ])
            #expect(try scene.containers("Library/Containers/com.example.reader").map { $0[2] } == ["data"])
        }
    }

    private static let uuid = "0E9C7A52-1111-4222-8333-000000000001"

    @Test(
        "The path of a container shows a group or an extension without metadata, Documents or Library, also as the input",
        arguments: [
            ("Shared/AppGroup/\(uuid)", "group", "-"), ("AppGroup/\(uuid)", "group", "-"),
            ("Data/PluginKitPlugin/\(uuid)", "plug-in", "-"),
            ("AppDomainGroup-group.com.example.reader", "group", "group.com.example.reader"),
            ("AppDomainPlugin-com.example.reader.share", "plug-in", "com.example.reader.share"),
            ("Group Containers/ABCDE12345.com.example.reader", "group", "ABCDE12345.com.example.reader"),
        ])
    func unnamed(path: String, role: String, identifier: String) throws {
        try withInputScene { scene throws in
            let folder = scene.folder.appending(path: "in/\(path)/shared")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: folder.appending(path: "a.bin"))
            for input in ["in", "in/\(path)", "in/\(path)/../\(folder.deletingLastPathComponent().lastPathComponent)"] {
                let found = try scene.containers(input)
                #expect(found.map { $0[2] } == [role], "\(input): \(found)")
                #expect(found.map { $0[0] } == [identifier], "\(input): \(found)")
            }
            // A backup includes the root of a group; commands that change a container open it in the same way.
            let run = try sandboxlint(["explain", "in/\(path)", "shared/a.bin"], in: scene.folder)
            #expect(
                run.code == 0 && run.text.contains("backed up: yes") == (role == "group"), "\(run.text) \(run.errors)")
            #expect(try sandboxlint(["fix", "in/\(path)"], in: scene.folder).code == 0)
            // The metadata is more than the path.
            try scene.write(
                ["MCMMetadataIdentifier": "group.net.other"],
                to: "in/\(path)/.com.apple.mobile_container_manager.metadata.plist")
            #expect(try scene.containers("in/\(path)").map { $0[0] } == ["group.net.other"])
        }
    }

    @Test(
        "A directory that only resembles a container of a group is none",
        arguments: [
            "Shared/AppGroup/\(uuid)/deep", "AppGroup/notes", "AppDomainGroup-", "AppDomainGroup-a b",
            "HomeDomain", "Groups/\(uuid)",
        ])
    func resembling(path: String) throws {
        try withInputScene { scene throws in
            let folder = scene.folder.appending(path: "in/\(path)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try sandboxlint(["inputs", "in/\(path)"], in: scene.folder).code == 3)
            try Data("x".utf8).write(to: folder.appending(path: "a.bin"))
            #expect(try sandboxlint(["inputs", "in/\(path)"], in: scene.folder).code == 3)
        }
    }

    @Test("The domains of a device backup have the role and the identifier of their directories")
    func roles() throws {
        let roles: [BackupDomain.Owner: DeviceLayout.Role] = [.app: .data, .group: .group, .plugin: .plugIn]
        for (owner, role) in roles {
            let layout = DeviceLayout(of: FilePath(try BackupDomain(owner, identifier: "group.com.example.app").name))
            #expect(layout?.role == role && layout?.identifier == "group.com.example.app")
        }
        #expect(try DeviceLayout(of: FilePath(BackupDomain(.system, identifier: "HomeDomain").name)) == nil)
    }

    @Test("An extracted backup has one app with its group and its extension; those of two backups stay apart")
    func domains() throws {
        try withInputScene { scene throws in
            for path in [
                "a/AppDomain-com.example.reader/Documents/a.txt", "a/AppDomainGroup-group.com.example.reader/b.bin",
                "a/AppDomainPlugin-com.example.reader.share/Library/c.plist",
                "b/AppDomainGroup-group.com.example.reader/b.bin",
            ] {
                let url = scene.folder.appending(path: "in/\(path)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("x".utf8).write(to: url)
            }
            #expect(
                try scene.containers("in/a").map { Array($0.prefix(4)) } == [
                    ["com.example.reader", "com.example.reader", "data", "own"],
                    ["com.example.reader", "com.example.reader.share", "plug-in", "identifier"],
                    ["com.example.reader", "group.com.example.reader", "group", "identifier"],
                ])
            let both = try scene.containers("in")
            #expect(both.filter { $0[0] == "com.example.reader" }.allSatisfy { $0[4].hasPrefix("a/") }, "\(both)")
            #expect(both.contains { $0[3] == "unknown" && $0[4].hasPrefix("b/") }, "\(both)")
        }
    }

    @Test("Containers are found four levels below, not five; links, tmp alone and files are no containers")
    func depth() throws {
        try withInputScene { scene throws in
            try scene.make("top/1/2/3/4", "com.example.four")
            try scene.make("top/1/2/3/x/5", "com.example.five")
            try scene.make("elsewhere", "com.example.linked")
            try FileManager.default.createSymbolicLink(
                at: scene.folder.appending(path: "top/link"),
                withDestinationURL: scene.folder.appending(path: "elsewhere"))
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "top/build/tmp"), withIntermediateDirectories: true)
            for folder in ["top", "top/1", "top/1/2", "top/1/2/3"] {
                try Data("x".utf8).write(to: scene.folder.appending(path: "\(folder)/Documents.txt"))
            }
            #expect(try scene.containers("top").map { $0[1] } == ["com.example.four"])
        }
    }

    @Test("A directory that contains only another one is no level")
    func wrappers() throws {
        try withInputScene { scene throws in
            let wrapper = (1...12).map { "top/\($0)" }.joined(separator: "/").replacing("/top", with: "")
            for (path, name) in [("a", "com.example.a"), ("1/2/b", "com.example.b")] {
                try scene.make("\(wrapper)/\(path)", name)
            }
            try Data().write(to: scene.folder.appending(path: "top/.DS_Store"))
            #expect(try scene.containers("top").map { $0[1] } == ["com.example.a", "com.example.b"])
        }
    }

    @Test("The app's bundle states its groups and extensions; without it, the only app of a vendor gets the group")
    func bundle() throws {
        try withInputScene { scene throws in
            try scene.make("all/a", "com.example.reader")
            try scene.makeGroup("all/g", "group.com.example.shelf")
            #expect(
                try scene.containers("all").map { Array($0.prefix(4)) } == [
                    ["com.example.reader", "com.example.reader", "data", "own"],
                    ["com.example.reader", "group.com.example.shelf", "group", "vendor"],
                ])
            try scene.make("all/w", "com.example.shelf-widget")
            try scene.write(["CFBundleIdentifier": "com.example.reader"], to: "Reader.app/Info.plist")
            try scene.write(
                ["CFBundleIdentifier": "com.example.shelf-widget"], to: "Reader.app/PlugIns/W.appex/Info.plist")
            let profile = try PropertyListSerialization.data(
                fromPropertyList: [
                    "Entitlements": ["com.apple.security.application-groups": ["group.com.example.shelf"]]
                ],
                format: .xml, options: 0)
            try (Data([0x30, 0x82, 0xff, 0]) + profile + Data([0, 1, 2])).write(
                to: scene.folder.appending(path: "Reader.app/embedded.mobileprovision"))
            #expect(
                try scene.containers("all", "--app", "Reader.app").map { Array($0.prefix(4)) } == [
                    ["com.example.reader", "com.example.reader", "data", "own"],
                    ["com.example.reader", "com.example.shelf-widget", "data", "bundle"],
                    ["com.example.reader", "group.com.example.shelf", "group", "bundle"],
                ])
            // Two apps of one vendor: the group is of neither.
            try scene.make("all/b", "com.example.writer")
            #expect(try scene.containers("all").contains { $0[0] == "group.com.example.shelf" && $0[3] == "unknown" })
        }
    }

    @Test("--bundle-id selects apps or single containers; an unknown identifier exits with 3 and the known ones")
    func selection() throws {
        try withInputScene { scene throws in
            try makeDevice(scene)
            let reader = try scene.containers(Self.device, "--bundle-id", "com.example.reader")
            #expect(Set(reader.map { $0[0] }) == ["com.example.reader"] && reader.count == 3)
            let group = try scene.containers(Self.device, "--bundle-id", "group.com.example.reader")
            #expect(group.map { $0[1] } == ["group.com.example.reader"])
            let run = try sandboxlint(
                ["lint", Self.device, "--bundle-id", "com.example.none"], in: scene.folder)
            #expect(run.code == 3, "\(run.errors)")
            #expect(
                run.errors.contains("has no container of “com.example.none”. It has containers of com.example.reader,"))
        }
    }

    @Test(
        "A directory without a container exits with 3, what was looked for, and what is there",
        arguments: [
            ([], "is not an app container: it is empty"),
            (["Documents.zip"], "holds the archive “Documents.zip”"),
            (["device.plist", "data/x"], "has no apps with data"),
            (["Info.plist"], "looks like an app bundle: pass it with --app"),
            (["Manifest.db"], "Manifest.db is not a SQLite database"),
            (["src/a.swift", "README.md"], "It holds README.md, src. Use the directory that contains Documents"),
            (["a/b/c"], "no container is up to 4 levels below (3 directories searched)"),
        ])
    func none(files: [String], message: String) throws {
        try withInputScene { scene throws in
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "in"), withIntermediateDirectories: false)
            for file in files {
                let url = scene.folder.appending(path: "in/\(file)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data().write(to: url)
            }
            for command in ["inputs", "lint"] {
                let run = try sandboxlint([command, "in"], in: scene.folder)
                #expect(run.code == 3 && run.errors.contains(message), "\(run.errors)")
            }
        }
    }

    @Test("A directory in a container refers to the container")
    func inside() throws {
        try withInputScene { scene throws in
            try scene.make("c", "com.example.reader")
            let run = try sandboxlint(["lint", "c/Documents/images"], in: scene.folder)
            #expect(
                run.code == 3 && run.errors.contains("is in one. Specify “\(scene.folder.path)/c”."), "\(run.errors)")
        }
    }

    @Test("A search ends at its limits, and that makes the run incomplete")
    func limits() throws {
        try withInputScene { scene throws in
            try scene.make("many/a", "com.example.reader")
            for parent in 1...220 {
                for number in 1...100 { try scene.folder.makeDirectories("many/z/\(parent)/\(number)") }
            }
            let report = try scene.report("many")
            #expect(report.inputs.map { $0["label"] as? String } == ["com.example.reader"])
            #expect(report.run.code == 3 && report.run.errors.contains("more directories than are searched"))
        }
    }
}
