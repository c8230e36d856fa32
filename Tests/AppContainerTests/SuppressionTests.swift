import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Suppressions on items") struct SuppressionTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try container.save("x", to: .documents / "a.txt")
            try body(container)
        }
    }

    @Test("Suppressions are stored on the item, one per rule, and read as they were; a save keeps them")
    func kept() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.txt"
            let end = Date(timeIntervalSince1970: 1_782_777_600)
            try container.suppress("stale-tmp", reason: "old", at: place)
            try container.suppress("backup", reason: "a team: says\nso", until: end, at: place)
            try container.suppress("stale-tmp", reason: "new", at: place)
            try container.save("y", to: place)
            let kept = try container.suppressions(of: place)
            #expect(kept.map(\.rule) == ["backup", "stale-tmp"])
            #expect(kept.map(\.reason) == ["a team: says so", "new"] && kept.map(\.until) == [end, nil])
            let shown = try AttributeTool.text("user.appcontainer.suppress", of: container.path(place).string)
            #expect(shown == "backup until 2026-06-30T00:00:00Z: a team: says so\nstale-tmp: new\n")
        }
    }

    @Test("Removing the last one removes the attribute; other suppressions and invalid lines remain")
    func removed() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.txt"
            let path = try container.path(place).string
            try AttributeTool.set("user.appcontainer.suppress", to: "nonsense\nx: y\n", of: path)
            try container.unsuppress("x", at: place)
            #expect(try AttributeTool.text("user.appcontainer.suppress", of: path) == "nonsense\n")
            #expect(try container.suppressions(of: place).isEmpty)
            try container.suppress("x", reason: "r", at: .documents)
            #expect(try container.suppressions(of: .documents).count == 1)
            try container.unsuppress("x", at: .documents)
            try container.unsuppress("x", at: .documents)
            #expect(try AttributeTool.attributes(of: container.path(.documents).string).isEmpty)
        }
    }

    @Test(
        "Without a reason or a rule, or beyond the size limit, nothing changes",
        arguments: [
            ("stale-tmp", " \n"), ("", "r"), ("stale tmp", "r"), ("a:b", "r"), ("Stale", "r"),
            ("stale-tmp", String(repeating: "x", count: 3_072)),
        ])
    func refused(rule: String, reason: String) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.txt"
            let error = #expect(throws: ContainerError.self) {
                try container.suppress(rule, reason: reason, at: place)
            }
            #expect(error?.code == .notEncodable)
            #expect(error?.description.contains("Nothing on disk has changed.") == true)
            #expect(try container.suppressions(of: place).isEmpty)
        }
    }
}
