import AppContainer
import ContainerArchives
import Foundation
import PropertyLists
import TestSupport
import Testing

/// The coders of Foundation, which are the standard on Apple's systems, compared with the standard ones of this system.
///
/// Foundation on Linux ends the process for some values and requests, which the tests name.
@Suite("Foundation's coders between the checks of the library", .timeLimit(.minutes(60)))
struct ArchiveCodersTests {
    private static let all: [(String, ArchiveCoders)] = [("standard", .standard), ("foundation", .foundation)]
    private static let allowed: [ArchivableClass] = [
        NSNull.self, NSSet.self, NSURL.self, NSUUID.self, NSValue.self, NSAttributedString.self,
    ]

    private func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, _ bytes: [UInt8], allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits(),
        by coders: ArchiveCoders = .foundation
    ) throws(ArchiveFault) -> Object {
        try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits, by: coders)
    }

    private func write(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass] = [:],
        limits: ArchiveLimits = ArchiveLimits(), by coders: ArchiveCoders = .foundation
    ) throws(ArchiveFault) -> [UInt8] {
        try ArchiveBytes.write(object, named: names, limits: limits, by: coders)
    }

    /// On Linux, Foundation's unarchiver does not read attributed strings, and its archiver stores a mutable string as a
    /// string.
    @Test(
        "Each value that one writes is read by the other",
        arguments: Sample.allCases.filter { ![.attributed, .mutableAttributed].contains($0) })
    func values(sample: Sample) throws {
        func same<Object: NSObject & NSSecureCoding>(_ object: Object) throws {
            for (writer, writing) in Self.all where writer == "standard" || sample != .mutableText {
                let bytes = try write(object, by: writing)
                for (reader, reading) in Self.all {
                    let read = try read(Object.self, bytes, allowing: Self.allowed, by: reading)
                    #expect(read == object && object == read, "\(writer) to \(reader)")
                }
            }
        }
        try same(sample.object)
    }

    @Test("A hostile archive is refused with the same error and position", arguments: ArchiveHostileTests.rows)
    func hostile(row: ArchiveHostileTests.Row) throws {
        let bytes = try row.bytes()
        let errors = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) {
                try read(
                    NSArray.self, bytes, allowing: row.isAboutClasses ? [] : Self.allowed,
                    named: ["Book": Book.self], by: coders.1)
            }
        }
        #expect(errors[1]?.code == row.code, "\(errors[1]?.text ?? "")")
        #expect(errors[1]?.keyPath == errors[0]?.keyPath && errors[1]?.text == errors[0]?.text)
    }

    @Test("An archive that is cut off at any byte is refused with the same error")
    func truncated() throws {
        let bytes = try write(Shelf.sample, by: .standard)
        for length in 0..<bytes.count {
            let errors = Self.all.map { coders in
                #expect(throws: ArchiveFault.self) { try read(Shelf.self, Array(bytes[..<length]), by: coders.1) }
            }
            try #require(errors[0] == errors[1], "\(length)")
        }
    }

    @Test("An app's object is read with all fields, whichever coders wrote it")
    func ownClass() throws {
        for (writer, writing) in Self.all {
            let bytes = try write(Shelf.sample, by: writing)
            for (reader, reading) in Self.all {
                let (read, shelf) = (try read(Shelf.self, bytes, by: reading), Shelf.sample)
                let comment: Comment = "\(writer) to \(reader)"
                #expect(read.title == shelf.title && read.count == .min && read.small == -3, comment)
                #expect(read.large == .max && read.ratio == 1.5 && read.weight == 0.25 && read.isOpen, comment)
                #expect(read.cover == shelf.cover && read.address == shelf.address && read.bytes == [1, 2, 3], comment)
                #expect(read.books.map(\.title) == ["shared", "other", "shared"], comment)
                #expect(read.books.first === read.books.last && read.books.first !== read.books[1], comment)
            }
        }
    }

    @Test("A class with another name in the archive, and a nested one, are identified by the given name")
    func names() throws {
        let bytes = try write(Outer.Inner(), named: ["ABInner": Outer.Inner.self], by: .standard)
        _ = try read(Outer.Inner.self, bytes, named: ["ABInner": Outer.Inner.self])
        let unknown = #expect(throws: ArchiveFault.self) { try read(Outer.Inner.self, bytes) }
        #expect(unknown?.code == .unknownClass && unknown?.keyPath == "root")
        let renamed = try write(Book("x"), named: ["ABBook": Book.self])
        #expect(try read(Book.self, renamed, named: ["ABBook": Book.self], by: .standard).title == "x")
        let nested = #expect(throws: ArchiveFault.self) { try write(Outer.Inner()) }
        #expect(nested?.code == .notEncodable)
    }

    @Test("A class that is not allowed at its position is refused, also where a class of the app requests it")
    func classes() throws {
        let array = try write(NSArray(array: [Book("x")]), by: .standard)
        let unknown = #expect(throws: ArchiveFault.self) { try read(NSArray.self, array) }
        #expect(unknown?.code == .unknownClass && unknown?.keyPath == "root.NS.objects[0]")
        let wrong = #expect(throws: ArchiveFault.self) { try read(NSString.self, array, allowing: [Book.self]) }
        #expect(wrong?.code == .wrongType && wrong?.keyPath == "root")
        #expect(wrong?.text == "NSArray was found instead of NSString")
        let asker = try write(Asker(.otherClassInArray), by: .standard)
        let field = #expect(throws: ArchiveFault.self) { try read(Asker.self, asker, allowing: [NSUUID.self]) }
        #expect(field?.code == .disallowedClass && field?.keyPath == "root.list.NS.objects[0]")
        // A book requests a book as the next one.
        let archive = HandMade(
            HandMade.object(2, ("title", .uid(3)), ("next", .uid(4))), HandMade.type("Book"), .string("x"),
            HandMade.object(5, ("seven", .integer(7))), HandMade.type("Inner"))
        let bytes = try archive.bytes
        for (reader, reading) in Self.all {
            let error = #expect(throws: ArchiveFault.self) {
                try read(Book.self, bytes, named: ["Book": Book.self, "Inner": Outer.Inner.self], by: reading)
            }
            #expect(error?.code == .disallowedClass && error?.keyPath == "root.next", "\(reader)")
            let unknown = #expect(throws: ArchiveFault.self) {
                try read(Book.self, bytes, named: ["Book": Book.self], by: reading)
            }
            #expect(unknown?.code == .unknownClass && unknown?.keyPath == "root.next", "\(reader)")
        }
    }

    @Test("A second value with the same key cannot replace the checked one")
    func equalKeys() throws {
        var object = HandMade.object(2, ("NS.objects", HandMade.references(4)))
        if case .dictionary(let pairs) = object {
            object = .dictionary(pairs + [("$class", .uid(3)), ("NS.objects", HandMade.references(1))])
        }
        let bytes = try HandMade(object, HandMade.type("NSArray"), HandMade.type("NSURL"), .string("x")).bytes
        for (_, reading) in Self.all { #expect(try read(NSArray.self, bytes, by: reading) == ["x"]) }
    }

    /// On Linux, Foundation's archiver ends the process for an attributed string with several attribute runs, and for an
    /// NSError before it asks for a substitute.
    @Test(
        "An object that cannot be archived is refused with the same error",
        arguments: Odd.Way.allCases.filter { ![.runs, .error].contains($0) })
    func refused(way: Odd.Way) throws {
        let errors = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) { try write(NSArray(array: [Odd(way)]), by: coders.1) }
        }
        #expect(errors[1]?.code == errors[0]?.code, "\(errors[1]?.text ?? "")")
        if let place = errors[1]?.keyPath { #expect(place.hasPrefix("root.NS.objects[0]")) }
    }

    @Test("The limits apply to reading and writing", arguments: [\ArchiveLimits.bytes, \.objects, \.depth])
    func limits(limit: any WritableKeyPath<ArchiveLimits, Int> & Sendable) throws {
        let array = NSArray(array: [[["a", "b", "c"]]])
        let bytes = try write(array)
        var limits = ArchiveLimits()
        limits[keyPath: limit] = 2
        let reading = #expect(throws: ArchiveFault.self) { try read(NSArray.self, bytes, limits: limits) }
        let writing = #expect(throws: ArchiveFault.self) { try write(array, limits: limits) }
        let code = limit == \.depth ? ArchiveError.Code.tooDeep : .tooLarge
        #expect(reading?.code == code && writing?.code == code)
    }
}
