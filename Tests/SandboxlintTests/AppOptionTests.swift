import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint lint --app") struct AppOptionTests {
    private func content(_ number: Int) -> Data { Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* number) }) }

    private func findings(_ run: Command) throws -> [String] {
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let findings = try #require(report["findings"] as? [[String: Any]])
        return findings.filter { $0["rule"] as? String == "likely-regenerable-in-backup" }.compactMap {
            $0["path"] as? String
        }
    }

    @Test("Files that are also in the app bundle are reported; a path that is not a bundle exits with 3 and a reason")
    func app() throws {
        try withScratch { folder throws in
            let app = folder.appending(path: "Reader.app")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            try PropertyListSerialization.data(
                fromPropertyList: ["CFBundleIdentifier": "com.example.app"], format: .xml, options: 0
            ).write(to: app.appending(path: "Info.plist"))
            try content(3).write(to: app.appending(path: "seed.bin"))
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try container.save(content(3), to: .documents / "one/unzipped.bin", options: .init(durability: .none))
            try container.save(content(5), to: .documents / "two/own.bin", options: .init(durability: .none))
            let path = container.location.string
            let run = try sandboxlint(path, "--app", app.path, "--format", "json")
            #expect(run.code == 0 && run.errors.isEmpty)
            #expect(try findings(run) == ["Documents/one/unzipped.bin"])
            #expect(try findings(sandboxlint(path, "--format", "json")).isEmpty)

            let wrong = try sandboxlint("lint", path, "--app", folder.path, "--format", "json")
            #expect(wrong.code == 3 && wrong.errors.contains("is not an app bundle"))
            #expect(try findings(wrong).isEmpty)
            let missing = try sandboxlint("lint", path, "--app", folder.path + "/none.app")
            #expect(missing.code == 3 && missing.errors.contains("none.app"))
        }
    }

    @Test("Containers of two users of one app are compared, and copies of one account are not evidence")
    func users() throws {
        func run(alike: Int, apart: Int, identifiers: [String]) throws -> [String] {
            try withScratch { folder throws in
                var paths: [String] = []
                for (user, identifier) in identifiers.enumerated() {
                    let path = folder.appending(path: "user\(user)").path
                    let container = try Container.create(at: FilePath(path), bundleIdentifier: identifier)
                    for number in 0..<(alike + apart) {
                        try container.save(
                            content(number < alike ? number + 1 : number + 50 + 100 * user),
                            to: .documents / "d\(number)/x.bin", options: .init(durability: .none))
                    }
                    paths.append(path)
                }
                let run = try sandboxlint(
                    ["lint"] + paths + ["--format", "json", "--now", "2027-01-01"])
                return try findings(run)
            }
        }
        let two = ["com.example.app", "com.example.app"]
        let alone = try run(alike: 2, apart: 6, identifiers: ["com.example.app", "com.example.other"])
        let both = try run(alike: 2, apart: 6, identifiers: two)
        #expect(both.count == alone.count + 4)
        #expect(
            try run(alike: 8, apart: 0, identifiers: two).count
                == run(alike: 8, apart: 0, identifiers: [two[0], "a.b"]).count)
    }
}
