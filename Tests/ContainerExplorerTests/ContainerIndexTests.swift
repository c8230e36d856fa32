import AppContainer
import ContainerExplorer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The index of a container compared with independent programs.
@Suite("An index of a container", .timeLimit(.minutes(60))) struct ContainerIndexTests {
    /// Creates a container with hard links within and between directories, links, holes, exclusions and odd names.
    private func withRichContainer(_ body: (Container, _ path: String) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            for number in 0..<40 {
                try container.save(
                    Data(count: number * 700), to: .documents / "d\(number % 4)/e\(number % 3)/\(number).bin",
                    options: .init(durability: .none))
            }
            try container.save("x", to: .documents / "excluded/deep/a.txt", options: .init(durability: .none))
            try container.excludeFromBackup(.documents / "excluded")
            try container.save(
                "y", to: .caches / "b.txt", options: .init(durability: .none, provenance: .init(.downloaded)))
            let documents = URL(fileURLWithPath: path + "/Documents")
            for (name, file) in [
                ("d0/e0/again", "d0/e0/0.bin"), ("d1/once", "d1/e2/5.bin"), ("d2/twice", "d1/e2/5.bin"),
                ("../tmp/outside", "d3/e0/39.bin"), ("../Library/Caches/third", "d3/e0/39.bin"),
            ] { try documents.makeName(name, of: file) }
            try documents.makeLink("out", to: "../../etc")
            try createPipe(documents.path + "/pipe")
            try documents.makeHole("d0/hole", size: 1 << 30)
            try documents.write(to: "a\nb", "a%41", "-rf")
            try documents.write(toBytes: [0o351, UInt8(ascii: "t"), 0o351])
            try documents.makeDirectories("empty")
            // Dates before 1901 and after 2446, which a file system in memory keeps.
            for (name, seconds) in [("d1/ancient", -62_135_596_800.0), ("d1/far", 253_402_300_799.5), ("d1/old", -2e9)]
            {
                try documents.write(to: name)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: seconds)],
                    ofItemAtPath: documents.appending(path: name).path)
            }
            try body(container, path)
        }
    }

    @Test(
        "The allocated total of each directory is that of du, and hard links count once", .needs(.process),
        arguments: [1, 8])
    func allocated(threads: Int) throws {
        try withRichContainer { container, path throws in
            let index = try ContainerIndex(of: DirectoryTree(container), threads: threads)
            var compared = 0
            for number in 0..<index.count where index[number].kind == .directory {
                let directory = "\(path)/\(String(decoding: index.path(of: number), as: UTF8.self))"
                let du = try Command("du", ["-s", "-k", directory])
                #expect(
                    UInt64(du.text.split(separator: "\t").first ?? "").map { $0 * 1024 }
                        == index[number].total.allocated,
                    "\(directory)")
                compared += 1
            }
            #expect(compared > 20)
        }
    }

    @Test(
        "Names, kinds, sizes and dates are those of find, in the order of paths", .needs(.process),
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func items() throws {
        try withRichContainer { container, path throws in
            let index = try ContainerIndex(of: DirectoryTree(container))
            let found = try Command(
                "find", [".", "-mindepth", "1", "-printf", #"%P\0%y\0%s\0%b\0%Ts\0%l\0"#],
                in: URL(fileURLWithPath: path))
            let fields = found.output.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
            var rows: [[UInt8]: [String]] = [:]
            for start in stride(from: 0, to: fields.count - 5, by: 6) {
                rows[fields[start]] = fields[(start + 1)..<(start + 6)].map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(rows.count == index.count - 1)
            var previous: [[UInt8]] = []
            for number in 1..<index.count {
                let (path, item) = (index.path(of: number), index[number])
                let row = try #require(rows[path], "\(path)")
                let kind = ["f": FileKind.file, "d": .directory, "l": .symbolicLink, "p": .fifo][row[0]]
                #expect(item.kind == kind)
                #expect(item.own.logical == (item.kind == .file ? UInt64(row[1]) : 0))
                #expect(item.own.allocated == UInt64(row[2]).map { $0 * 512 })
                #expect(item.modified == Int64(row[3]))
                #expect(
                    index.linkTarget(of: number).map { Array($0) }
                        == (item.kind == .symbolicLink ? Array(row[4].utf8) : nil))
                #expect(index.number(at: path) == number)
                let components = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
                #expect(previous.lexicographicallyPrecedes(components) { $0.lexicographicallyPrecedes($1) })
                previous = components
            }
        }
    }

    @Test("Each item's treatment by backups is that of the container, with the item that decided")
    func backups() throws {
        try withRichContainer { container, _ throws in
            let index = try ContainerIndex(of: DirectoryTree(container))
            for number in 0..<index.count {
                let path = ContainerPath(components: FilePath(bytes: index.path(of: number)))
                #expect(try index.decision(for: number) == container.backupDecision(of: path), "\(path)")
            }
            let deep = try #require(index.number(at: Array("Documents/excluded/deep/a.txt".utf8)))
            let carrier = try #require(index.number(at: Array("Documents/excluded".utf8)))
            #expect(index.decision(for: deep).decider.origin == .mark(ExclusionMark.modern.rawValue))
            #expect(index.carrier(of: deep) == carrier)
            let cached = try #require(index.number(at: Array("Library/Caches/com.example.app/b.txt".utf8)))
            #expect(index[cached].maker == .downloaded)
        }
    }

    @Test("The index does not depend on the number of threads, and its children are its subtree")
    func structure() throws {
        try withRichContainer { container, _ throws in
            let (one, many) = (
                try ContainerIndex(of: DirectoryTree(container), threads: 1),
                try ContainerIndex(of: DirectoryTree(container), threads: 8)
            )
            #expect(one.count == many.count)
            for number in 0..<one.count {
                #expect(one.path(of: number) == many.path(of: number))
                #expect(one[number].total == many[number].total && one[number].items == many[number].items)
                #expect(one.previousLink(of: number) == many.previousLink(of: number))
                let children = one.children(of: number)
                #expect(children.allSatisfy { one.parent(of: $0) == number })
                #expect(children.reduce(0) { $0 + one[$1].items + 1 } == one[number].items)
                #expect(one.subtree(of: number).count == one[number].items + 1)
            }
        }
    }

    @Test("A container that vanishes is a failure of the items that were not read, not of the run")
    func vanished() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            try FileManager.default.removeItem(atPath: path)
            let index = try ContainerIndex(of: DirectoryTree(container))
            #expect(index.count == 1)
            #expect(try ContainerIndex(of: DirectoryTree(container)).children(of: ContainerIndex.root).isEmpty)
        }
    }
}
