import AppContainer
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A class of an app with a field of each kind.
final class Shelf: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var title = "", count = 0, small: Int32 = 0, large: Int64 = 0, ratio = 0.0, weight: Float = 0, isOpen = false
    var cover = Data(), address: URL?, books: [Book] = [], bytes: [UInt8] = []

    override init() {}

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(count, forKey: "count")
        coder.encode(small, forKey: "small")
        coder.encode(large, forKey: "large")
        coder.encode(ratio, forKey: "ratio")
        coder.encode(weight, forKey: "weight")
        coder.encode(isOpen, forKey: "isOpen")
        coder.encode(cover, forKey: "cover")
        coder.encode(address, forKey: "address")
        coder.encode(NSArray(array: books), forKey: "books")
        bytes.withUnsafeBufferPointer { coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "bytes") }
        coder.encode("odd", forKey: "$odd")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title"), coder.containsValue(forKey: "$odd"),
            !coder.containsValue(forKey: "$class"), !coder.containsValue(forKey: "absent")
        else { return nil }
        self.title = String(title)
        count = coder.decodeInteger(forKey: "count")
        small = coder.decodeInt32(forKey: "small")
        large = coder.decodeInt64(forKey: "large")
        ratio = coder.decodeDouble(forKey: "ratio")
        weight = coder.decodeFloat(forKey: "weight")
        isOpen = coder.decodeBool(forKey: "isOpen")
        cover = coder.decodeObject(of: NSData.self, forKey: "cover").map { Data(referencing: $0) } ?? Data()
        address = coder.decodeObject(of: NSURL.self, forKey: "address").map { $0 as URL }
        books = coder.decodeObject(of: [NSArray.self, Book.self], forKey: "books") as? [Book] ?? []
        bytes = coder.decodedBytes(forKey: "bytes") ?? []
    }
}

final class Book: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    var next: Book?
    init(_ title: String) { self.title = title }
    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(next, forKey: "next")
    }
    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(forKey: "title") as? String else { return nil }
        self.title = title
        next = coder.decodeObject(of: Book.self, forKey: "next")
    }
}

/// A class that has no name in the system.
enum Outer {
    final class Inner: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        override init() {}
        func encode(with coder: NSCoder) { coder.encode(7, forKey: "seven") }
        init?(coder: NSCoder) { if coder.decodeInteger(forKey: "seven") != 7 { return nil } }
    }
}

/// A value of Foundation, created for each test, because it need not be Sendable.
enum Sample: String, CaseIterable {
    case text, mutableText, empty, number, large, negative, fraction, infinity, truth, data, mutableData, date, url
    case relativeURL, uuid, null, array, mutableArray, dictionary, mutableDictionary, keys, set, mutableSet, countedSet
    case orderedSet, mutableOrderedSet, range, point, size, rect, indexPath, attributed, mutableAttributed, nested

    var object: any NSObject & NSSecureCoding {
        switch self {
        case .text: NSString("Grüße 日本 \u{0}")
        case .mutableText: NSMutableString(string: "m")
        case .empty: NSString("")
        case .number: NSNumber(value: 7)
        case .large: NSNumber(value: UInt64.max)
        case .negative: NSNumber(value: Int64.min)
        case .fraction: NSNumber(value: 0.1)
        case .infinity: NSNumber(value: -Double.infinity)
        case .truth: NSNumber(value: true)
        case .data: NSData(data: Data([0, 255]))
        case .mutableData: NSMutableData(data: Data([0, 255]))
        case .date: NSDate(timeIntervalSinceReferenceDate: 793_974_615.25)
        case .url: NSURL(fileURLWithPath: "/tmp/ü x")
        case .relativeURL:
            // Not bridged from a URL, which has no base on Linux.
            URL(string: "https://example.com/a/").flatMap { NSURL(string: "b?c", relativeTo: $0) }
                ?? NSURL(fileURLWithPath: "/")
        case .uuid: UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF").map { $0 as NSUUID } ?? NSUUID()
        case .null: NSNull()
        case .array: NSArray(array: ["a", 1, NSNull(), Date(timeIntervalSinceReferenceDate: 0)])
        case .mutableArray: NSMutableArray(array: ["a", 1])
        case .dictionary: NSDictionary(dictionary: ["a": 1, "b": [1, 2]])
        case .mutableDictionary: NSMutableDictionary(dictionary: ["a": 1])
        case .keys: NSDictionary(dictionary: [1: "a", Date(timeIntervalSinceReferenceDate: 1): "b", UUID(): "c"])
        case .set: NSSet(array: ["a", 1])
        case .mutableSet: NSMutableSet(array: ["a"])
        case .countedSet: NSCountedSet(array: ["a", "a", "b"])
        case .orderedSet: NSOrderedSet(array: ["b", "a", "c"])
        case .mutableOrderedSet: NSMutableOrderedSet(array: ["b", "a"])
        case .range: NSValue(range: NSRange(location: 3, length: 4))
        case .point: NSValue(point: NSPoint(x: 0.1, y: -2))
        case .size: NSValue(size: NSSize(width: 1e300, height: 0))
        case .rect: NSValue(rect: NSRect(x: 1, y: 2.5, width: 3, height: 4))
        case .indexPath: IndexPath(indexes: [0, 1, 127, 128, 300, Int.max]) as NSIndexPath
        case .attributed: NSAttributedString(string: "hello", attributes: [NSAttributedString.Key("k"): "v"])
        case .mutableAttributed: NSMutableAttributedString(string: "hello")
        case .nested: NSArray(array: [["a": [Set([1])]]])
        }
    }
}

extension Container {
    /// Returns the content of the archive “Documents/a” with the expected class.
    func unarchiveSame<Object: NSObject & NSSecureCoding>(as object: Object) throws -> NSObject {
        try unarchive(
            Object.self, from: .documents / "a", allowing: [NSNull.self, NSUUID.self, NSSet.self, NSValue.self])
    }
}

@Suite("A keyed archive") struct ArchiveTests {
    @Test("An app's object is read with all fields")
    func ownClass() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "shelf.archive"
            let shelf = Shelf.sample
            try container.archive(shelf, to: place)
            let read = try container.unarchive(Shelf.self, from: place)
            #expect(read.title == "Añejo" && read.count == .min && read.small == -3 && read.large == .max)
            #expect(read.ratio == 1.5 && read.weight == 0.25 && read.isOpen && read.cover == Data([0, 255]))
            #expect(read.address == shelf.address && read.bytes == [1, 2, 3])
            #expect(read.books.map(\.title) == ["shared", "other", "shared"])
            #expect(read.books.first === read.books.last && read.books.first !== read.books.dropFirst().first)
        }
    }

    @Test("Foundation's values are read with equal values and classes", arguments: Sample.allCases)
    func values(sample: Sample) throws {
        try withContainer { container throws in
            let object = sample.object
            try container.archive(object, to: .documents / "a", options: .init(durability: .none))
            let read = try container.unarchiveSame(as: object)
            #expect(read == object && object == read)
            #expect(read.classForKeyedArchiver == object.classForKeyedArchiver)
        }
    }

    @Test("1, true and 1.0 remain distinct", .needs(.externalProgram))
    func equalIsNotSame() throws {
        try withContainer { container throws in
            let list = NSArray(array: [1, true, 1.0, 1])
            try container.archive(list, to: .documents / "a")
            let file = try container.path(.documents / "a").string
            let read = "import plistlib,sys;print(plistlib.load(open(sys.argv[1],'rb'))['$objects'][2:5])"
            let seen = try Command("python3", ["-c", read, file]).text
            #expect(seen == "[1, True, 1.0]\n")
            let back = try container.unarchive(NSArray.self, from: .documents / "a")
            #expect(back.map { "\($0)" } == ["1", "true", "1.0", "1"])
        }
    }

    @Test("A class that only Swift can name, or that has another name in the archive, is identified by the given name")
    func names() throws {
        try withContainer { container throws in
            let error = #expect(throws: ArchiveError.self) {
                try container.archive(Outer.Inner(), to: .documents / "a")
            }
            #expect(error?.code == .notEncodable)
            try container.archive(Outer.Inner(), to: .documents / "a", named: ["ABInner": Outer.Inner.self])
            _ = try container.unarchive(Outer.Inner.self, from: .documents / "a", named: ["ABInner": Outer.Inner.self])
            let unknown = #expect(throws: ArchiveError.self) {
                try container.unarchive(Outer.Inner.self, from: .documents / "a")
            }
            #expect(unknown?.code == .unknownClass && unknown?.keyPath == "root")
        }
    }

    @Test("A conditionally encoded object is nil unless another object refers to it")
    func conditional() throws {
        try withContainer { container throws in
            let (loose, held) = (Link(), Link())
            (loose.weak, held.weak) = (Link(), loose)
            try container.archive(NSArray(array: [held, loose]), to: .documents / "a")
            let read = try container.unarchive(NSArray.self, from: .documents / "a", allowing: [Link.self])
            let links = read.compactMap { $0 as? Link }
            #expect(links.count == 2 && links.first?.weak === links.last && links.last?.weak == nil)
        }
    }

    @Test("Equal values result in equal bytes, and a save replaces the file")
    func deterministic() throws {
        try withContainer { container throws in
            let pairs = (0..<50).map { ("k\($0)", $0) }
            let many = NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: pairs))
            try container.archive(many, to: .documents / "a")
            try container.excludeFromBackup(.documents / "a")
            let first = try container.load(.documents / "a")
            let again = NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: pairs.reversed()))
            try container.archive(again, to: .documents / "a")
            #expect(try container.load(.documents / "a") == first)
            #expect(try container.exclusion(of: .documents / "a").state == .excluded)
            let error = #expect(throws: ArchiveError.self) {
                try container.archive(many, to: .documents / "a", options: .init(overwrite: .never))
            }
            #expect(error?.code == .file && error?.cause?.code == .alreadyExists)
            #expect(error?.description == error?.cause?.description)
        }
    }
}

/// An object that refers to another one conditionally.
final class Link: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var weak: Link?
    override init() {}
    func encode(with coder: NSCoder) { coder.encodeConditionalObject(weak, forKey: "weak") }
    init?(coder: NSCoder) { weak = coder.decodeObject(of: Link.self, forKey: "weak") }
}

extension Shelf {
    static var sample: Shelf {
        let shelf = Shelf()
        (shelf.title, shelf.count, shelf.small, shelf.large) = ("Añejo", .min, -3, .max)
        (shelf.ratio, shelf.weight, shelf.isOpen, shelf.cover) = (1.5, 0.25, true, Data([0, 255]))
        shelf.address = URL(string: "https://example.com/a?b#c")
        shelf.bytes = [1, 2, 3]
        let shared = Book("shared")
        shelf.books = [shared, Book("other"), shared]
        return shelf
    }

    @Test("A relative URL keeps its base in any archive, and a number its precision")
    func bases() throws {
        try withContainer { container throws in
            let base = try #require(URL(string: "https://example.com/a/"))
            let url = try #require(NSURL(string: "b?c#d", relativeTo: base))
            let place = ContainerPath.documents / "a"
            for isOurs in [true, false] {
                if isOurs {
                    try container.archive(url, to: place)
                } else {
                    try container.save(
                        try NSKeyedArchiver.archivedData(withRootObject: url, requiringSecureCoding: true), to: place)
                }
                let read = try container.unarchive(NSURL.self, from: place)
                #expect(read.baseURL == base && read.relativeString == "b?c#d")
                #expect(read.absoluteString == "https://example.com/a/b?c#d" && read == url && read.hash == url.hash)
            }
            try container.archive(NSArray(array: [NSNumber(value: 12.34 as Float), NSNumber(value: 12.34)]), to: place)
            let numbers = try container.unarchive(NSArray.self, from: place)
            #expect(numbers.compactMap { ($0 as? NSNumber)?.stringValue } == ["12.34", "12.34"])
        }
    }

    @Test(
        "Equal values are written once, and texts that differ in Unicode composition remain different",
        .enabled(if: Platform.isLinux, "elsewhere NSKeyedArchiver decides it"))
    func equalValues() throws {
        try withContainer { container throws in
            let id = UUID()
            let values: [[AnyObject]] = (0..<100).map { _ in
                [
                    NSDate(timeIntervalSinceReferenceDate: 1.5), NSUUID(uuidString: id.uuidString),
                    NSURL(string: "https://example.com/a"), NSString(string: "text"), NSData(data: Data([1, 2])),
                ].compactMap(\.self)
            }
            let texts = ["\u{e9}", "e\u{301}"].map { NSString(string: $0) }
            let root = NSArray(array: values.flatMap(\.self) + texts)
            try container.archive(root, to: .documents / "a")
            let list = try PropertyListSerialization.propertyList(from: container.load(.documents / "a"), format: nil)
            let objects = try #require((list as? [String: Any])?["$objects"] as? [Any])
            // $null, the array, five values and two texts, the text and the base of the address, and four classes.
            #expect(objects.count <= 16, "\(objects.count)")
            let read = try container.unarchive(
                NSArray.self, from: .documents / "a", allowing: [NSUUID.self, NSURL.self])
            #expect(read.count == 502 && read.isEqual(root))
            let last = read.suffix(2).compactMap { ($0 as? String)?.unicodeScalars.count }
            #expect(last == [1, 2])
        }
    }
}
