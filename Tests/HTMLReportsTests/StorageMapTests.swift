import AppContainer
import ContainerTree
import Testing

@Suite("A map of sizes", .timeLimit(.minutes(60))) struct StorageMapTests {
    /// A directory of a made-up container, with its files.
    private struct Made {
        let path: String
        var files: [(name: String, storage: StorageClass, bytes: UInt64)] = []
        var subdirectories = 0
    }

    /// Directories to a depth of four, with sizes that differ by five orders of magnitude.
    private static func container(directories: Int, files: Int, seed: UInt64) -> [Made] {
        var random = Numbers(seed)
        var all = [Made(path: "")]
        for number in 1..<max(1, directories) {
            var parent = Int(random.next() % UInt64(all.count))
            while all[parent].path.split(separator: "/").count > 3 { parent = Int(random.next() % UInt64(all.count)) }
            all[parent].subdirectories += 1
            all.append(Made(path: all[parent].path.isEmpty ? "d\(number)" : all[parent].path + "/d\(number)"))
        }
        for number in 0..<files {
            let directory = Int(random.next() % UInt64(all.count))
            let storage = StorageClass.allCases[Int(random.next() % UInt64(StorageClass.allCases.count))]
            let bytes = (random.next() % 10) * [1, 10, 1_000, 100_000][Int(random.next() % 4)]
            all[directory].files.append(("f\(number)", storage, bytes))
        }
        return all
    }

    private static func map(_ directories: [Made], limit: Int) -> StorageMap {
        let builder = StorageMapBuilder(limit: limit)
        for directory in directories {
            var contents = builder.contents()
            for file in directory.files { contents.add(file.name.utf8, storage: file.storage, bytes: file.bytes) }
            for _ in 0..<directory.subdirectories { contents.addSubdirectory() }
            builder.add(contents, at: Array(directory.path.utf8), storage: .backedUp)
        }
        return builder.map()
    }

    /// All listed items with their paths, and the unlisted ones of each directory.
    private static func lines(_ node: StorageMap.Node, at path: String = "") -> [String] {
        let sums = StorageClass.allCases.map { "\(node.sums[$0].items):\(node.sums[$0].bytes)" }
        let rest = StorageClass.allCases.map { "\(node.rest[$0].items):\(node.rest[$0].bytes)" }
        return ["\(path) \(sums) \(rest)"]
            + node.children.flatMap { lines($0, at: "\(path)/\(String(decoding: $0.name, as: UTF8.self))") }
    }

    @Test(
        "The largest items are listed, whatever the order in which directories end", arguments: [1, 7, 40, 300, 5_000])
    func order(limit: Int) {
        let directories = Self.container(directories: 400, files: 3_000, seed: 1)
        let expected = Self.lines(Self.map(directories, limit: 100_000).limited(to: limit).root)
        #expect(expected.count <= limit + 1)
        var random = Numbers(2)
        for _ in 0..<4 {
            let map = Self.map(directories.shuffled(using: &random), limit: limit)
            #expect(Self.lines(map.limited(to: limit).root) == expected)
        }
    }

    @Test("No item and no byte is lost, at any limit", arguments: [0, 1, 50, 1_000, 10_000])
    func sums(limit: Int) {
        let directories = Self.container(directories: 300, files: 2_000, seed: 3)
        let map = Self.map(directories, limit: 10_000).limited(to: limit)
        #expect(map.root.sums.total.items == 2_000 + 299)
        for storage in StorageClass.allCases {
            let bytes = directories.flatMap(\.files).filter { $0.storage == storage }.reduce(0) { $0 + $1.bytes }
            #expect(map.root.sums[storage].bytes == bytes)
        }
        #expect(map.root.listed <= limit)
        #expect(map.root.listed + map.root.omitted == map.root.sums.total.items)
        func check(_ node: StorageMap.Node) {
            let parts = node.children.reduce(node.rest.total.bytes) { $0 + $1.bytes }
            #expect(node.kind != .directory || parts == node.bytes)
            #expect(node.children.map(\.bytes) == node.children.map(\.bytes).sorted(by: >))
            node.children.forEach(check)
        }
        check(map.root)
    }

    @Test("Memory is limited: one directory or many, nested or not, never keep many more items than the limit")
    func memory() {
        let flat = StorageMapBuilder(limit: 10)
        var contents = flat.contents()
        for number in 0..<100_000 { contents.add("f\(number)".utf8, storage: .caches, bytes: UInt64(number)) }
        flat.add(contents, at: [], storage: .backedUp)
        #expect(flat.map().root.children.count <= 20)
        #expect(flat.map().limited(to: 10).root.children.map(\.bytes) == (99_990..<100_000).reversed().map(UInt64.init))

        let wide = Self.map(Self.container(directories: 20_000, files: 20_000, seed: 4), limit: 10)
        #expect(wide.root.listed <= 60, "\(wide.root.listed)")

        let deep = StorageMapBuilder(limit: 10)
        var path = ""
        for level in 0..<5_000 {
            var contents = deep.contents()
            contents.add("f".utf8, storage: .temporary, bytes: 10)
            if level < 4_999 { contents.addSubdirectory() }
            deep.add(contents, at: Array(path.utf8), storage: .temporary)
            path += path.isEmpty ? "d" : "/d"
        }
        #expect(deep.map().root.sums[.temporary].bytes == 50_000)
        #expect(deep.map().root.sums.total.items == 5_000 + 4_999)
        #expect(deep.map().root.listed <= 210)
    }

    @Test("Sizes beyond 64 bits are limited, and items without content are counted")
    func extremes() {
        let builder = StorageMapBuilder(limit: 10)
        var contents = builder.contents()
        for name in ["a", "b", "c"] { contents.add(name.utf8, storage: .backedUp, bytes: .max) }
        contents.add("empty".utf8, storage: .backedUp, bytes: 0)
        builder.add(contents, at: [], storage: .backedUp)
        let root = builder.map().limited(to: 10).root
        #expect(root.bytes == .max && root.children.count == 3 && root.rest[.backedUp].items == 1)
        #expect(StorageMapBuilder(limit: 1).map().limited(to: 1).root.children.isEmpty)
    }

    @Test("Marked items become re-downloadable: listed, not listed, and the largest of a directory")
    func marks() {
        func made() -> StorageMap {
            let files: [(String, StorageClass, UInt64)] = [
                ("a", .backedUp, 1_000), ("b", .backedUp, 500), ("c", .unknown, 400), ("d", .caches, 300),
                ("e", .backedUp, 2),
            ]
            let root = Made(path: "", subdirectories: 1)
            return Self.map([root, Made(path: "D", files: files)], limit: 100).limited(to: 5)
        }
        func marked(_ path: String, items: Int = 1, bytes: UInt64) -> [UInt64] {
            var map = made()
            map.apply([.init(.redownloadable, at: Array(path.utf8), items: items, bytes: bytes)])
            #expect(map.root.sums.total == made().root.sums.total)
            return [StorageClass.redownloadable, .backedUp, .unknown, .caches].map { map.root.sums[$0].bytes }
        }
        #expect(made().root.children.first?.rest[.backedUp].bytes == 2)
        #expect(marked("D/a", bytes: 1_000) == [1_000, 502, 400, 300])
        #expect(marked("D/c", bytes: 400) == [400, 1_502, 0, 300])
        #expect(marked("D/d", bytes: 300) == [0, 1_502, 400, 300])
        #expect(marked("D/e", bytes: 2) == [2, 1_500, 400, 300])
        #expect(marked("D", items: 2, bytes: 1_400) == [1_400, 502, 0, 300])
        #expect(marked("D", items: 9, bytes: .max) == [1_902, 0, 0, 300])
        #expect(marked("gone/x", bytes: 5) == [0, 1_502, 400, 300])
    }

    @Test("Undecided items become user data, and then no class but re-downloadable")
    func userData() {
        let builder = StorageMapBuilder(limit: 10)
        var contents = builder.contents()
        contents.add("film".utf8, storage: .undecided, bytes: 50)
        contents.add("album".utf8, storage: .undecided, bytes: 30)
        contents.add("cache".utf8, storage: .caches, bytes: 7)
        builder.add(contents, at: [], storage: .backedUp)
        builder.add(.init(.backedUp, at: Array("film".utf8), items: 1, bytes: 50))
        builder.add(.init(.backedUp, at: Array("cache".utf8), items: 1, bytes: 7))
        var map = builder.map()
        func bytes(_ storage: StorageClass) -> UInt64 { map.root.sums[storage].bytes }
        #expect([bytes(.backedUp), bytes(.undecided), bytes(.caches)] == [50, 30, 7])
        map.apply([
            .init(.redownloadable, at: Array("film".utf8), items: 1, bytes: 50),
            .init(.backedUp, at: Array("film".utf8), items: 1, bytes: 50),
        ])
        #expect([bytes(.redownloadable), bytes(.backedUp), bytes(.undecided)] == [50, 0, 30])
    }

    @Test(
        "An included item has the class of its recorded origin",
        arguments: [
            (.user, .backedUp), (.imported, .backedUp), (.app, .backedUp), (.downloaded, .redownloadable),
            (.derived, .redownloadable),
        ] as [(Provenance.Maker, StorageClass)])
    func origin(maker: Provenance.Maker, storage: StorageClass) {
        #expect(
            StorageClass(BackupDecision(.userData, by: .location(.documents)), availability: .present, maker: maker)
                == storage)
        #expect(
            StorageClass(BackupDecision(.caches, by: .location(.caches)), availability: .present, maker: maker)
                == .caches)
    }

    @Test("Several containers become directories with their names")
    func several() {
        let map = Self.map(Self.container(directories: 3, files: 20, seed: 5), limit: 100)
        let both = StorageMap([(Array("one".utf8), map), (Array("two".utf8), map)])
        #expect(Set(both.root.children.map(\.name)) == [Array("one".utf8), Array("two".utf8)])
        #expect(both.root.bytes == 2 * map.root.bytes)
        #expect(both.root.sums.total.items == 2 * map.root.sums.total.items + 2)
    }

    @Test(
        "The class of an item follows from the decision of a backup",
        arguments: [
            (.userData, .documents, .undecided), (.ownFlag, .documents, .excluded),
            (.noAttributes, .documents, .unknown),
            (.caches, .caches, .caches), (.temporary, .temporary, .temporary), (.systemState, .splashBoard, .excluded),
            (.undocumented, .managedAssets, .unknown), (.notBackedUpDirectory, .root, .excluded),
        ] as [(BackupReason, Location, StorageClass)])
    func classes(reason: BackupReason, location: Location, storage: StorageClass) {
        let decision = BackupDecision(reason, by: .location(location))
        #expect(StorageClass(decision, availability: .present, maker: nil) == storage)
        // An item that a backup would store has no content here; one that it omits is omitted for the same reason as ever.
        #expect(StorageClass(decision, availability: .evicted, maker: nil) == (decision.isStored ? .evicted : storage))
    }
}

/// A generator of the same numbers for the same seed. Source: Steele et al., “Fast splittable pseudorandom number
/// generators”, 2014.
struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}
