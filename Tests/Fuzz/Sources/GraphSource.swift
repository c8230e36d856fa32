internal import PropertyLists

/// A generator that turns bytes into a well-formed archive with objects of any class and any fields.
struct GraphSource {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    private static let classes = [
        "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSNull", "NSArray",
        "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
        "NSOrderedSet", "NSMutableOrderedSet", "NSValue", "NSAttributedString", "NSMutableAttributedString", "NSNumber",
        "Node", "NSError",
    ]
    /// The most likely fields of each class come first.
    private static let fields = [
        "NS.objects", "NS.keys", "next", "$$other", "number", "NS.string", "NS.data", "NS.bytes", "NS.time",
        "NS.relative", "NS.base", "NS.uuidbytes", "NS.special", "NS.rangeval.location", "NS.rangeval.length",
        "NSString", "NSAttributes", "NSAttributeInfo", "NS.count", "NS.count0", "NS.object0", "NS.object.0",
        "NS.object.1", "b", "f", "i", "refuse", "$class",
    ]
    private static let texts = [
        "", "a", "\u{e9}", "e\u{301}", "https://example.com/?q#f", "//[", "\u{0}", "{1, 2}", "%",
    ]

    private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

    /// Returns the archive that the bytes describe, with at most 200 objects.
    mutating func archive() -> PropertyList {
        var objects = [PropertyList.string("$null")]
        objects += Self.classes.map { .dictionary([("$classname", .string($0))]) }
        let first = objects.count
        while !bytes.isEmpty, objects.count < 200 { objects.append(object(first)) }
        return .dictionary([
            ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
            ("$top", .dictionary([("root", .uid(UInt64(first)))])), ("$objects", .array(objects)),
        ])
    }

    private mutating func object(_ first: Int) -> PropertyList {
        let kind = Int(next())
        guard kind < 200 else { return plain(kind, first) }
        var fields: [(key: String, value: PropertyList)] = [("$class", .uid(UInt64(1 + kind % Self.classes.count)))]
        for _ in 0..<(next() % 6) {
            let key = Self.fields[Int(next()) % Self.fields.count]
            fields.append((key, plain(Int(next()), first)))
        }
        return .dictionary(fields)
    }

    private mutating func plain(_ kind: Int, _ first: Int) -> PropertyList {
        switch kind % 10 {
        case 0: .uid(UInt64(next()))
        case 1, 2: .uid(UInt64(first + Int(next())))
        case 3, 4: .array((0..<Int(next() % 12)).map { _ in .uid(UInt64(first) + UInt64(next())) })
        case 5: .string(Self.texts[Int(next()) % Self.texts.count])
        case 6: .data((0..<Int(next() % 20)).map { _ in next() })
        case 7: .integer(Int64(Int8(bitPattern: next())) << Int64(next() % 64))
        case 8: .real(Double(bitPattern: (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(next()) }))
        default: .boolean(next() % 2 == 0)
        }
    }
}
