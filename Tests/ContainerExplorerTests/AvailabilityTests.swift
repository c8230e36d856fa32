import AppContainer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The availability of content") struct AvailabilityTests {
    private func withContainer(_ body: (_ container: Container, _ folder: URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            try body(try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app"), folder)
        }
    }

    /// Items by path, each with its availability in a container on disk and in an extracted copy.
    private static let expected: [String: (onDisk: Availability, extracted: Availability)] = [
        "Documents/empty": (.present, .present), "Documents/text": (.present, .present),
        "Documents/hole": (.evicted, .sparse), "Documents/small hole": (.sparse, .sparse),
        "Documents/hole with data": (.sparse, .sparse), "Documents/hole with last byte": (.sparse, .sparse),
        "Documents/.report.pages.icloud": (.evicted, .evicted), "Documents/.empty.icloud": (.evicted, .evicted),
        "Documents/.icloud": (.present, .present), "Documents/report.icloud": (.present, .present),
        "Documents/.report.icloud.txt": (.present, .present), "Documents/.folder.icloud": (.present, .present),
        "Documents/.link.icloud": (.present, .present),
        "Library/Mobile Documents/app/small hole": (.evicted, .sparse),
        "Library/Mobile Documents/app/text": (.present, .present),
    ]

    @Test(
        "A file with a size, and without blocks and data, is evicted; in an extracted copy, only a placeholder is",
        .enabled(if: Platform.isLinux, "macOS marks evicted files"), arguments: [true, false])
    func table(isOnDisk: Bool) throws {
        try withContainer { container, folder throws in
            try folder.write(to: "Documents/empty", "Documents/.empty.icloud")
            try folder.write(
                "text", to: "Documents/text", "Documents/.report.pages.icloud", "Documents/.icloud",
                "Documents/report.icloud", "Documents/.report.icloud.txt", "Documents/hole with data",
                "Library/Mobile Documents/app/text")
            try folder.resize("Documents/hole with data", to: 5 << 20)
            try folder.makeHole("Documents/hole", size: 5 << 20)
            try folder.makeHole("Documents/small hole", size: 4_096)
            try folder.makeHole("Library/Mobile Documents/app/small hole", size: 100)
            try folder.makeHole("Documents/hole with last byte", size: 5 << 20)
            let file = try FileHandle(forWritingTo: folder.appending(path: "Documents/hole with last byte"))
            try file.seekToEnd()
            try file.write(contentsOf: Data([1]))
            try file.close()
            try folder.makeDirectories("Documents/.folder.icloud")
            try folder.makeLink("Documents/.link.icloud", to: "hole")
            var container = container
            container.keepsHoles = isOnDisk
            let index = try ContainerIndex(of: DirectoryTree(container))
            for (path, expected) in Self.expected {
                let number = try #require(index.number(at: Array(path.utf8)))
                #expect(index.availability(of: number) == (isOnDisk ? expected.onDisk : expected.extracted), "\(path)")
            }
        }
    }

    @Test("A directory that cannot be listed is unreadable, and the others are not")
    func unreadable() throws {
        try withContainer { container, folder throws in
            let deepest = "Documents/" + Array(repeating: "d", count: Walk.maximumDepth).joined(separator: "/")
            try container.folder.createDirectories(FilePath(deepest))
            let index = try ContainerIndex(of: DirectoryTree(container))
            #expect(index.failures.map(\.reason) == ["too-deep"])
            let unreadable = (0..<index.count).filter { index.availability(of: $0) == .unreadable }
            #expect(unreadable.map { index.path(of: $0) } == index.failures.map(\.path))
        }
    }
}
