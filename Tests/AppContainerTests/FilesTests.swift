import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Copy, move, remove, list") struct FilesTests {
    @Test("A copied tree has all attributes, modes and times of the original")
    func copyTree() throws {
        try withContainer { container throws in
            try container.save("a", to: .documents / "album/one.txt")
            try container.save("b", to: .documents / "album/deep/two.txt")
            try container.excludeFromBackup(.documents / "album/deep")
            try container.excludeFromBackup(.documents / "album/one.txt")
            let from = try container.path(.documents / "album").string
            try URL(filePath: from).setTimes("2020-02-03T04:05:06.789Z", of: "one.txt", "deep", ".")
            try setMode("640", of: from + "/one.txt")
            try container.copy(.documents / "album", to: .library / "album")
            let to = try container.path(.library / "album").string
            let first = try TreeListing(of: URL(fileURLWithPath: from))
            #expect(first.description.contains("1580702706.789") && first.description.contains("backup_excludeItem"))
            #expect(try mode(of: to + "/one.txt") == "640")
            #expect(try TreeListing(of: URL(fileURLWithPath: to)) == first)
        }
    }

    @Test("A copy to an existing item or into itself is refused")
    func copyRefusals() throws {
        try withContainer { container throws in
            try container.save("a", to: .documents / "a/b.txt")
            try container.save("c", to: .documents / "c.txt")
            #expect(throws: ContainerError.self) {
                try container.copy(.documents / "a/b.txt", to: .documents / "c.txt")
            }
            #expect(throws: ContainerError.self) { try container.copy(.documents / "a", to: .documents / "a/c") }
            #expect(try container.loadText(.documents / "c.txt") == "c")
        }
    }

    @Test("A moved item keeps its exclusion, and replaces nothing")
    func move() throws {
        try withContainer { container throws in
            try container.save("a", to: .documents / "a.txt")
            try container.excludeFromBackup(.documents / "a.txt")
            try container.save("b", to: .documents / "b.txt")
            let error = #expect(throws: ContainerError.self) {
                try container.move(.documents / "a.txt", to: .documents / "b.txt")
            }
            #expect(error?.code == .alreadyExists)
            try container.move(.documents / "a.txt", to: .applicationSupport / "kept/a.txt")
            #expect(try container.loadText(.applicationSupport / "kept/a.txt") == "a")
            #expect(try container.exclusion(of: .applicationSupport / "kept/a.txt").state == .excluded)
            #expect(throws: ContainerError.self) { try container.load(.documents / "a.txt") }
        }
    }

    @Test("Removing a tree removes links in it but not their targets")
    func remove() throws {
        try withContainer { container throws in
            let outside = container.location.removingLastComponent().appending("outside")
            try Data("safe".utf8).write(to: URL(fileURLWithPath: outside.string))
            try container.save("a", to: .documents / "a/b/c.txt")
            let link = try container.path(.documents / "a/link").string
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside.string)
            try container.remove(.documents / "a")
            #expect(try container.list(.documents).isEmpty)
            #expect(FileManager.default.fileExists(atPath: outside.string))
            let error = #expect(throws: ContainerError.self) { try container.remove(.documents / "a") }
            #expect(error?.code == .notFound)
        }
    }
}
