import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A class of an app's own, with a field of each kind.
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
        bytes = coder.withDecodedUnsafeBufferPointer(forKey: "bytes") { $0.map { Array($0) } ?? [] }
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

@Suite("A keyed archive") struct ArchiveTests {
    @Test("An app's object comes back with every field")
    func ownClass() throws {
        try withContainer { container throws in
            let place = try ContainerPath.documents("shelf.archive")
            let shelf = Shelf()
            (shelf.title, shelf.count, shelf.small, shelf.large) = ("Añejo", .min, -3, .max)
            (shelf.ratio, shelf.weight, shelf.isOpen, shelf.cover) = (1.5, 0.25, true, Data([0, 255]))
            shelf.address = URL(string: "https://example.com/a?b#c")
            shelf.bytes = [1, 2, 3]
            let shared = Book("shared")
            shelf.books = [shared, Book("other"), shared]
            try container.archive(shelf, to: place)
            let read = try container.unarchive(Shelf.self, from: place)
            #expect(read.title == "Añejo" && read.count == .min && read.small == -3 && read.large == .max)
            #expect(read.ratio == 1.5 && read.weight == 0.25 && read.isOpen && read.cover == Data([0, 255]))
            #expect(read.address == shelf.address && read.bytes == [1, 2, 3])
            #expect(read.books.map(\.title) == ["shared", "other", "shared"])
            #expect(read.books.first === read.books.last && read.books.first !== read.books.dropFirst().first)
        }
    }
}
