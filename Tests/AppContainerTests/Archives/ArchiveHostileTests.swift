import AppContainer
import ContainerArchives
import Foundation
import PropertyLists
import SystemPackage
import TestSupport
import Testing

/// A hand-made archive, object by object.
struct HandMade {
    var archiver = "NSKeyedArchiver"
    var version: Int64 = 100_000
    var top: [(key: String, value: PropertyList)] = [("root", .uid(1))]
    var objects: [PropertyList] = [.string("$null")]

    /// Creates an archive with objects from number 1 on.
    init(_ objects: PropertyList...) { self.objects += objects }

    var bytes: [UInt8] {
        get throws {
            try PropertyList.dictionary([
                ("$archiver", .string(archiver)), ("$version", .integer(version)), ("$top", .dictionary(top)),
                ("$objects", .array(objects)),
            ]).binary()
        }
    }

    static func type(_ name: String) -> PropertyList {
        .dictionary([("$classname", .string(name)), ("$classes", .array([.string(name), .string("NSObject")]))])
    }
    /// Returns an object with the class `type` of the table.
    static func object(_ type: UInt64, _ fields: (key: String, value: PropertyList)...) -> PropertyList {
        .dictionary(fields + [("$class", .uid(type))])
    }
    static func references(_ numbers: UInt64...) -> PropertyList { .array(numbers.map { .uid($0) }) }

    /// Returns `levels` arrays, each with `width` references to the next one. The last one contains `last` or is empty.
    static func nested(levels: UInt64, width: Int, last: UInt64? = nil) -> HandMade {
        var archive = HandMade()
        for level in 1...levels {
            let next = level < levels ? level + 1 : last
            let members = next.map { [PropertyList](repeating: .uid($0), count: width) } ?? []
            archive.objects.append(object(levels + 1, ("NS.objects", .array(members))))
        }
        archive.objects.append(type("NSArray"))
        return archive
    }
}

/// Some rows end the process with Foundation on Linux (a class that is not allowed, garbage after bplist00, a reference
/// out of range, a cycle) or return invented values (a field of another type, or a missing one).
@Suite("A hostile archive", .timeLimit(.minutes(60))) struct ArchiveHostileTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: ArchiveError.Code
        let keyPath: String?
        let bytes: @Sendable () throws -> [UInt8]

        init(
            _ name: String, _ code: ArchiveError.Code, at keyPath: String? = nil,
            _ bytes: @escaping @Sendable () throws -> [UInt8]
        ) {
            (testDescription, self.code, self.keyPath, self.bytes) = (name, code, keyPath, bytes)
        }
        init(
            _ name: String, _ code: ArchiveError.Code, at keyPath: String? = "root",
            _ archive: @escaping @Sendable @autoclosure () -> HandMade
        ) { self.init(name, code, at: keyPath) { try archive().bytes } }
    }

    private typealias Hand = HandMade

    static let frames: [Row] = [
        Row("an empty file", .notAnArchive) { [] },
        Row("text", .notAnArchive) { Array("hello, world".utf8) },
        Row("garbage after bplist00", .damaged) { Array("bplist00".utf8) + Array(repeating: 0xa5, count: 100) },
        Row("a property list that is no archive", .notAnArchive) { try PropertyList.string("x").binary() },
        Row("half an archive", .damaged) {
            let bytes = try HandMade.nested(levels: 3, width: 2).bytes
            return Array(bytes[..<(bytes.count / 2)])
        },
        Row("another archiver", .notAnArchive, at: nil, with { $0.archiver = "NSArchiver" }),
        Row("another version", .notAnArchive, at: nil, with { $0.version = 99_999 }),
        Row("no root", .damaged, at: nil, with { $0.top = [("a", .uid(1)), ("b", .uid(1))] }),
        Row("a root that is no reference", .badReference, at: "$top", with { $0.top = [("root", .integer(1))] }),
        Row("a root that is nil", .wrongType, with { $0.top = [("root", .uid(0))] }),
        Row("a root out of range", .badReference, with { $0.top = [("root", .uid(1 << 40))] }),
        Row("a table that is no array", .damaged) {
            try PropertyList.dictionary([
                ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
                ("$top", .dictionary([("root", .uid(1))])), ("$objects", .string("x")),
            ]).binary()
        },
        Row("elements of XML without end", .tooLarge) {
            Array("<plist>".utf8) + Array(String(repeating: "<array>", count: 100_000).utf8)
        },
    ]

    private static func with(_ change: (inout HandMade) -> Void) -> HandMade {
        var archive = HandMade.nested(levels: 1, width: 0)
        change(&archive)
        return archive
    }

    static let graphs: [Row] = [
        Row("an array that holds itself", .cycle, at: "root.NS.objects[0]", Hand.nested(levels: 1, width: 1, last: 1)),
        Row(
            "a cycle of three", .cycle, at: "root.NS.objects[0].NS.objects[0].NS.objects[0]",
            Hand.nested(levels: 3, width: 1, last: 1)),
        Row("a billion laughs", .tooLarge, at: nil, Hand.nested(levels: 40, width: 10)),
        Row("two to the power of sixty", .tooLarge, at: nil, Hand.nested(levels: 60, width: 2)),
        Row("a thousand levels", .tooDeep, at: nil, Hand.nested(levels: 1000, width: 1)),
        Row(
            "an app's object that holds itself", .cycle, at: "root.NS.objects[0].next",
            Hand(
                Hand.object(2, ("NS.objects", Hand.references(3))), Hand.type("NSArray"),
                Hand.object(4, ("title", .uid(5)), ("next", .uid(3))), Hand.type("Book"), .string("x"))),
        Row(
            "a member out of range", .badReference, at: "root.NS.objects[0]", Hand.nested(levels: 1, width: 1, last: 9)),
        Row(
            "a class out of range", .badReference, Hand(Hand.object(9, ("NS.objects", .array([]))))),
        Row("an object of no class", .damaged, Hand(.dictionary([("NS.objects", .array([]))]))),
        Row("a class that is a text", .damaged, Hand(Hand.object(2, ("NS.objects", .array([]))), .string("NSArray"))),
        Row("an array in the table", .damaged, Hand(.array([.integer(1)]))),
        Row("a reference in the table", .damaged, Hand(.uid(1))),
        Row("nil in an array", .damaged, at: "root.NS.objects[0]", Hand.nested(levels: 1, width: 1, last: 0)),
        Row(
            "a value in place of a reference", .badReference, at: "root.NS.objects[0]",
            Hand(Hand.object(2, ("NS.objects", .array([.integer(2)]))), Hand.type("NSArray"))),
    ]

    static let classes: [Row] = [
        Row(
            "a class not allowed", .disallowedClass, Hand(Hand.object(2, ("NS.relative", .uid(0))), Hand.type("NSURL"))),
        Row("a class nobody named", .unknownClass, Hand(Hand.object(2), Hand.type("NSTask"))),
        Row("a mutable class not allowed", .disallowedClass, Hand(Hand.object(2), Hand.type("NSMutableSet"))),
        Row("a name of Swift's runtime", .unknownClass, Hand(Hand.object(2), Hand.type("_TtCs12_SwiftObject"))),
        Row("an object where an array is asked for", .wrongType, Hand(.string("x"))),
        Row(
            "a dictionary where an array is asked for", .wrongType,
            Hand(Hand.object(2, ("NS.keys", .array([])), ("NS.objects", .array([]))), Hand.type("NSDictionary"))),
    ]

    static let fields: [Row] = [
        member("NSArray", "an array without members"),
        member("NSArray", "an array whose members are a text", ("NS.objects", .string("x"))),
        member("NSDate", "a date without time"),
        member("NSDate", "a date whose time is a text", ("NS.time", .string("now"))),
        member("NSDate", "a date that is no number", ("NS.time", .real(.nan))),
        member("NSData", "data that is text", ("NS.data", .string("x"))),
        member("NSMutableString", "a text that is data", ("NS.string", .data([0]))),
        member("NSUUID", "a short UUID", ("NS.uuidbytes", .data([1, 2, 3]))),
        member("NSURL", "a URL without text", ("NS.relative", .uid(0))),
        member("NSURL", "a URL whose text is a number", ("NS.relative", .uid(4))),
        member(
            "NSValue", "a range that ends nowhere", ("NS.special", .integer(4)),
            ("NS.rangeval.location", .integer(.max)), ("NS.rangeval.length", .integer(.max))),
        member("NSValue", "a value that is no range", ("NS.special", .integer(1))),
        member("NSAttributedString", "an attributed text without text"),
        member("NSAttributedString", "an attributed text of runs", ("NSString", .uid(5)), ("NSAttributeInfo", .uid(5))),
        member("NSSet", "a set of sets", ("NS.objects", HandMade.references(6, 7))),
        member(
            "NSDictionary", "a dictionary whose key is an array", ("NS.keys", HandMade.references(6)),
            ("NS.objects", HandMade.references(4))),
        member(
            "NSDictionary", code: .damaged, "a dictionary with a key too many", ("NS.keys", HandMade.references(5)),
            ("NS.objects", .array([]))),
        member(
            "NSDictionary", code: .damaged, "a dictionary with a key twice", ("NS.keys", HandMade.references(5, 5)),
            ("NS.objects", HandMade.references(4, 4))),
        member(
            "NSDictionary", code: .damaged, "keys that differ by how accents are composed",
            ("NS.keys", HandMade.references(8, 9)), ("NS.objects", HandMade.references(4, 4))),
        member(
            "NSSet", code: .damaged, "numbers that are equal only rounded", ("NS.objects", HandMade.references(10, 11))),
        member(
            "NSCountedSet", code: .tooLarge, "a counted set of a billion", ("NS.count", .integer(1)),
            ("NS.object0", .uid(5)), ("NS.count0", .integer(1_000_000_000))),
        member(
            "NSCountedSet", code: .damaged, "a counted set that says more than it has", ("NS.count", .integer(.max)),
            ("NS.object0", .uid(5)), ("NS.count0", .integer(1))),
    ]

    /// A row in which an array contains one object with these fields.
    private static func member(
        _ name: String, code: ArchiveError.Code = .wrongType, _ title: String,
        _ fields: (key: String, value: PropertyList)...
    ) -> Row {
        Row(title, code, at: nil) {
            var archive = HandMade(
                HandMade.object(2, ("NS.objects", HandMade.references(3))), HandMade.type("NSArray"),
                .dictionary(fields + [("$class", .uid(12))]), .integer(7), .string("x"),
                HandMade.object(2, ("NS.objects", .array([]))), HandMade.object(2, ("NS.objects", .array([]))),
                .string("\u{e9}"), .string("e\u{301}"), .integer(9_007_199_254_740_993), .real(9_007_199_254_740_992))
            archive.objects.append(HandMade.type(name))
            return try archive.bytes
        }
    }

    static let rows = frames + graphs + classes + fields

    @Test("It is refused quickly with its specific error", arguments: rows)
    func refused(row: Row) throws {
        try withContainer { container throws in
            try container.save(try row.bytes(), to: .documents / "a", options: .init(durability: .none))
            let start = ContinuousClock.now
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(
                    NSArray.self, from: .documents / "a", allowing: row.isAboutClasses ? [] : Self.allowed,
                    named: ["Book": Book.self])
            }
            #expect(error?.code == row.code, "\(error.map { "\($0)" } ?? "")")
            if let keyPath = row.keyPath { #expect(error?.keyPath == keyPath) }
            #expect(error?.description.hasPrefix("“Documents/a”") == true)
            #expect(error?.description.contains("The file is unchanged.") == true)
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }

    private static let allowed: [ArchivableClass] = [
        NSSet.self, NSURL.self, NSUUID.self, NSValue.self, NSAttributedString.self,
    ]
}

extension ArchiveHostileTests.Row {
    /// True if only an array is allowed.
    var isAboutClasses: Bool { code == .disallowedClass || code == .unknownClass }
}
