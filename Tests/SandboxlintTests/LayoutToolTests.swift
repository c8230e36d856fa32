import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint layout") struct LayoutToolTests {
    private static let secrets = [
        "anna", "mueller", "umbrello", "fotobuch", "hunter2", "geburtstag", "berlin", "4915770001122", "tagebuch",
    ]

    /// A container whose files contain the name of their user in names, content and attributes.
    private func withContainer<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            let path = folder.appending(path: "anna-mueller-container")
            let container = try Container.create(
                at: FilePath(path.path), bundleIdentifier: "com.umbrello.fotobuch")
            let url = try #require(URL(string: "https://anna:hunter2@umbrello.org/mueller.jpg"))
            try container.save(
                "anna mueller", to: .documents / "anna.mueller@umbrello.org/Geburtstag in Berlin.txt",
                options: .init(provenance: .downloaded(from: url)))
            try container.save("hunter2", to: .documents / "AnnaNotes/tagebuch_4915770001122.json")
            for number in 1...3 {
                try container.save(
                    Data(count: 12_345), to: .caches / "StickerPack/anna_\(number).png")
            }
            try FileManager.default.createDirectory(
                at: path.appending(path: "Documents/fotobuch leer"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: path.appending(path: "Documents/berlin").path, withDestinationPath: "/home/anna")
            for (name, time) in [("1", "10:00:07"), ("2", "10:00:41"), ("3", "10:02:00")] {
                let file = "Library/Caches/com.umbrello.fotobuch/StickerPack/anna_\(name).png"
                try path.setTimes("2025-06-01T\(time)Z", of: file)
            }
            return try body(path)
        }
    }

    private func layout(_ run: Command) throws -> (name: String, files: [(path: String, time: Int, size: Int)]) {
        let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: [[Any]]])
        let (name, list) = try #require(object.first)
        #expect(object.count == 1)
        return (
            name,
            try list.map { entry in
                #expect(entry.count == 3)
                return (
                    try #require(entry[0] as? String), try #require(entry[1] as? Int), try #require(entry[2] as? Int)
                )
            }
        )
    }

    @Test("No name, identifier, content or attribute of the user is in any byte of the output")
    func anonymous() throws {
        try withContainer { path throws in
            for arguments in [
                ["layout", path.path, "--anonymize"], ["layout", "--anonymize", path.path, "--seed", "1"],
            ] {
                let run = try sandboxlint(arguments)
                #expect(run.code == 0, "\(run.errors)")
                let written = (run.text + run.errors).lowercased()
                for secret in Self.secrets { #expect(!written.contains(secret), "\(secret): \(written)") }
                #expect(run.errors == "sandboxlint: 1 link or special file left out\n")
            }
        }
    }

    @Test("The format is that of the layouts for fitting the weights: container, paths, times and sizes")
    func form() throws {
        try withContainer { path throws in
            let (name, files) = try layout(sandboxlint("layout", path.path, "--anonymize"))
            #expect(name.hasPrefix("contributed/com."))
            let identifier = name.dropFirst("contributed/".count)
            let paths = files.map(\.path)
            #expect(paths == paths.sorted() && Set(paths).count == paths.count)
            #expect(paths.contains(".com.apple.mobile_container_manager.metadata.plist"))
            #expect(paths.contains { $0.hasPrefix("Documents/") && $0.hasSuffix("/") })
            let stickers = files.filter { $0.path.hasPrefix("Library/Caches/\(identifier)/StickerPack/") }
                .sorted { $0.time < $1.time }
            #expect(stickers.count == 3 && stickers.allSatisfy { $0.path.hasSuffix(".png") && $0.size == 12_000 })
            // Rounded down to ten seconds, shifted by whole days: 10:00:00, 10:00:40 and 10:02:00.
            #expect(stickers.map { $0.time % 86_400 - 36_000 } == [0, 40, 120])
            let days = 1_748_772_000 / 86_400 - (stickers.first?.time ?? 0) / 86_400
            #expect(days >= 365 && days <= 2_922)
        }
    }

    @Test("Two runs have only public names in common; with the same seed they are equal, also in a file")
    func keys() throws {
        try withContainer { path throws in
            let runs = try (0..<2).map { _ in try layout(sandboxlint("layout", path.path, "--anonymize")) }
            #expect(runs[0].name != runs[1].name)
            let (first, second) = (Set(runs[0].files.map(\.path)), Set(runs[1].files.map(\.path)))
            #expect(
                first.intersection(second).allSatisfy {
                    $0.hasPrefix(".com.apple.") || ["SystemData/", "tmp/", "Library/Preferences/"].contains($0)
                })
            let seeded = try sandboxlint("layout", path.path, "--anonymize", "--seed", "x")
            #expect(try seeded.output == sandboxlint("layout", path.path, "--anonymize", "--seed", "x").output)
            #expect(try seeded.output != sandboxlint("layout", path.path, "--anonymize", "--seed", "y").output)
            let file = path.deletingLastPathComponent().appending(path: "layout.json")
            let written = try sandboxlint("layout", path.path, "--anonymize", "--seed", "x", "--output", file.path)
            #expect(written.code == 0 && written.output.isEmpty)
            #expect(try Data(contentsOf: file) == seeded.output)
        }
    }

    @Test("A usage error exits with 2, and nothing of the container is printed or changed")
    func usage() throws {
        try withContainer { path throws in
            let plain = try sandboxlint("layout", path.path)
            #expect(plain.code == 2 && plain.output.isEmpty && plain.errors.contains("Add --anonymize"))
            let inside = try sandboxlint(
                "layout", path.path, "--anonymize", "--output", path.appending(path: "Documents/l.json").path)
            #expect(inside.code == 2 && inside.errors.contains("inside the container"))
            #expect(!FileManager.default.fileExists(atPath: path.appending(path: "Documents/l.json").path))
            let nowhere = try sandboxlint("layout", path.path, "--anonymize", "--output", "/nowhere/l.json")
            #expect(nowhere.code == 2 && nowhere.output.isEmpty)
            #expect(try sandboxlint("layout", path.path + "-none", "--anonymize").code == 3)
        }
    }

    @Test(
        "A directory that cannot be read is reported on standard error, the rest is printed, and the exit code is 3",
        .needs(.externalProgram))
    func unreadable() throws {
        try withContainer { path throws in
            try path.setMode("000", of: "Documents/AnnaNotes")
            let run = try unprivileged(
                ["layout", path.lastPathComponent, "--anonymize"], in: path.deletingLastPathComponent())
            #expect(run.code == 3 && run.errors.contains("cannot read “Documents/AnnaNotes”: permission-denied"))
            #expect(try layout(run).files.count >= 4)
            try path.setMode("755", of: "Documents/AnnaNotes")
        }
    }
}
