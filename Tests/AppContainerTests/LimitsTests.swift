import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import TestSupport
import Testing

@Suite("A saved value can be loaded", .needs(.long), .timeLimit(.minutes(60))) struct LimitsTests {
    /// Nested lists with shared strings.
    private indirect enum Tree: Codable, Sendable, Equatable {
        case leaf(String)
        case branch([Tree])

        static func of(depth: Int, width: Int) -> Tree {
            depth == 0 ? .leaf("text") : .branch(Array(repeating: of(depth: depth - 1, width: width), count: width))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .leaf(let text): try container.encode(text)
            case .branch(let members): try container.encode(members)
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .leaf(text)
            } else {
                self = .branch(try container.decode([Tree].self))
            }
        }
    }

    enum Form: CaseIterable { case binary, xml, json }

    private static func coders(_ form: Form) -> (any ValueEncoder, any ValueDecoder) {
        if form == .json { return (JSONEncoder(), JSONDecoder()) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = form == .xml ? .xml : .binary
        return (encoder, PropertyListDecoder())
    }

    @Test(
        "With any limits, a value that is saved can be loaded, and one that is refused leaves the old file",
        arguments: Form.allCases)
    func values(form: Form) throws {
        func check(_ encoder: some ValueEncoder, _ decoder: some ValueDecoder) throws {
            try withContainer { container throws in
                let place = ContainerPath.documents / "a"
                try container.save("old", to: place)
                var (saved, refused) = (0, 0)
                for (depth, width) in [(1, 1), (1, 9), (3, 2), (7, 1), (4, 3)] {
                    let tree = Tree.of(depth: depth, width: width)
                    for bytes in [60, 200, 500, 5_000] {
                        for count in [2, 10, 30, 500] {
                            for levels in [2, 4, 10] {
                                var limits = ValueLimits()
                                (limits.bytes, limits.values, limits.depth) = (bytes, count, levels)
                                let before = try container.load(place)
                                do throws(ContainerError) {
                                    try container.save(
                                        tree, to: place, encoder: encoder, limits: limits,
                                        options: .init(durability: .none))
                                } catch {
                                    #expect(error.code == .tooLarge)
                                    #expect(try container.load(place) == before)
                                    refused += 1
                                    continue
                                }
                                saved += 1
                                let loaded = try container.load(
                                    Tree.self, from: place, decoder: decoder, limits: limits)
                                #expect(loaded == tree)
                            }
                        }
                    }
                }
                #expect(saved > 20 && refused > 20)
            }
        }
        let (encoder, decoder) = Self.coders(form)
        try check(encoder, decoder)
    }

    @Test("A list of more than a million values is refused by default, and saved and loaded with higher limits")
    func many() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            let numbers = [Bool](repeating: true, count: 1_000_000)
            let error = #expect(throws: ContainerError.self) {
                try container.save(numbers, to: place, encoder: encoder)
            }
            #expect(error?.code == .tooLarge)
            #expect(try container.list(.documents).isEmpty)
            var limits = ValueLimits()
            limits.values = 1_000_001
            try container.save(numbers, to: place, encoder: encoder, limits: limits)
            let decoder = PropertyListDecoder()
            let loaded = #expect(throws: ContainerError.self) {
                try container.load([Bool].self, from: place, decoder: decoder)
            }
            #expect(loaded?.code == .tooLarge)
            #expect(
                loaded?.description
                    == "The value of “Documents/a” is too large: more than 1000000 values, counting shared ones "
                    + "for each reference (at byte 0). The file is unchanged. Split it into several files, or raise the limits "
                    + "for saving and loading it.")
            #expect(try container.load([Bool].self, from: place, decoder: decoder, limits: limits) == numbers)
        }
    }

    @Test("An addition beyond the limits is refused, and so is a batch; the old content remains")
    func additions() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            var limits = ValueLimits()
            limits.bytes = 20
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            try container.append(contentsOf: [1, 2], to: place, encoder: encoder, decoder: decoder, limits: limits)
            let more = #expect(throws: ContainerError.self) {
                try container.append(
                    contentsOf: Array(1...10), to: place, encoder: encoder, decoder: decoder, limits: limits)
            }
            let batch = #expect(throws: ContainerError.self) {
                try container.batch { try $0.save(Array(1...10), to: place, encoder: encoder, limits: limits) }
            }
            let stored = #expect(throws: ContainerError.self) {
                try container.store(Array(1...10), named: "b", as: .userDocument, encoder: encoder, limits: limits)
            }
            #expect(more?.code == .tooLarge && batch?.code == .tooLarge && stored?.code == .tooLarge)
            #expect(try container.loadText(place) == "[1,2]")
            #expect(try container.list(.documents) == [place])
        }
    }

    enum Archived: CaseIterable {
        case shared, texts, data, counted, set, dictionary, attributed, collisions

        var object: any NSObject & NSSecureCoding {
            switch self {
            case .shared:
                (0..<4).reduce(NSArray(object: "text")) { inner, _ in NSArray(array: [inner, inner]) }
            case .texts: NSArray(array: (0..<20).map { "text \($0)" })
            case .data: NSArray(array: [NSMutableData(length: 300) ?? NSMutableData(), Data(count: 200)])
            case .counted: NSCountedSet(array: Array(repeating: "x", count: 50))
            case .set: NSSet(array: (0..<30).map { NSNumber(value: $0) })
            case .dictionary:
                NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: (0..<9).map { ("k\($0)", [$0]) }))
            case .attributed: NSAttributedString(string: "text", attributes: [.init("k"): NSArray(array: [1, 2, 3])])
            case .collisions:
                // Strings whose hash depends only on some of their characters.
                NSSet(
                    array: (0..<20).map {
                        String(repeating: "x", count: 200) + "\($0)" + String(repeating: "y", count: 200)
                    })
            }
        }
    }

    private static func read<Object: NSObject & NSSecureCoding>(
        _ container: Container, _ place: ContainerPath, _ limits: ArchiveLimits, as object: Object
    ) throws -> NSObject {
        // The class in the archive; the private classes of a cluster have no name there.
        for type in [NSDictionary.self, NSCountedSet.self, NSSet.self, NSAttributedString.self] as [ArchivableClass]
        where object.isKind(of: type) {
            func read<Root: NSObject & NSSecureCoding>(_ type: Root.Type) throws -> NSObject {
                try container.unarchive(type, from: place, allowing: [NSArray.self], limits: limits)
            }
            return try read(type)
        }
        return try container.unarchive(NSArray.self, from: place, allowing: [NSArray.self], limits: limits)
    }

    @Test("With any limits, an archive that is saved can be read", arguments: Archived.allCases)
    func archives(archived: Archived) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            var (saved, refused) = (0, 0)
            for count in [1, 2, 3, 5, 8, 12, 17, 23, 30, 40, 60, 100, 150, 200, 300, 500, 1_000, 5_000] {
                for bytes in [100, 300, 600, 1_000, 4_000, 20_000] {
                    for depth in [3, 20] {
                        var limits = ArchiveLimits()
                        (limits.objects, limits.bytes, limits.depth) = (count, bytes, depth)
                        do throws(ArchiveError) {
                            try container.archive(
                                archived.object, to: place, limits: limits, options: .init(durability: .none))
                        } catch {
                            #expect(error.code == .tooLarge || error.code == .tooDeep)
                            refused += 1
                            continue
                        }
                        saved += 1
                        let read = try Self.read(container, place, limits, as: archived.object)
                        #expect(read.isEqual(archived.object))
                    }
                }
            }
            #expect(saved > 4 && refused > 10)
        }
    }

    @Test("An archive of more than 64 MiB is refused unless its limits are raised")
    func largeArchive() throws {
        try withContainer { container throws in
            let data = NSArray(array: [Data(count: 64 << 20)])
            let error = #expect(throws: ArchiveError.self) {
                try container.archive(data, to: .documents / "a", options: .init(durability: .none))
            }
            #expect(error?.code == .tooLarge)
            #expect(try container.list(.documents).isEmpty)
        }
    }

    @Test("Preferences that could not be read again are not saved")
    func preferences() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set("old", forKey: "a")
            let many = PreferenceValue.array(Array(repeating: "x", count: 600_000))
            let long = PreferenceValue.array(
                Array(repeating: .string(String(repeating: "x", count: 1 << 20)), count: 70))
            for value in [many, long] {
                let error = #expect(throws: PreferencesError.self) { try preferences.set(value, forKey: "b") }
                #expect(error?.code == .tooLarge)
                #expect(error?.description.contains("Nothing on disk has changed") == true)
                let again = try Container.open(container.location, bundleIdentifier: nil).preferences()
                #expect(try again.string(forKey: "a") == "old")
            }
        }
    }
}
