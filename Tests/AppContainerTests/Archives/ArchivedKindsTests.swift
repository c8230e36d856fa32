import AppContainer
import ContainerArchives
import Foundation
import PropertyLists
import SystemPackage
import TestSupport
import Testing

/// A decimal number, an index set or path, a point, a size, a rectangle or a locale, created for each test.
///
/// They are compared by their texts: on Linux, a comparison of decimal numbers or locales ends the process.
private enum Kind: CaseIterable {
    case price, negative, longest, smallest, largest, zero, notANumber
    case noIndexes, oneRange, ranges, mutableRanges, noPath, shortPath, path, point, size, rect, locale

    var object: any NSObject & NSSecureCoding {
        switch self {
        case .price: NSDecimalNumber(string: "12.34")
        case .negative: NSDecimalNumber(string: "-0.000001")
        case .longest: NSDecimalNumber(string: "-340282366920938463463374607431768211455")
        case .smallest: NSDecimalNumber(decimal: Decimal(sign: .minus, exponent: -128, significand: 1))
        case .largest: NSDecimalNumber(decimal: Decimal(sign: .plus, exponent: 127, significand: 7))
        case .zero: NSDecimalNumber(string: "0")
        case .notANumber: NSDecimalNumber.notANumber
        case .noIndexes: NSIndexSet()
        case .oneRange: NSIndexSet(indexesIn: NSRange(location: 3, length: 4))
        case .ranges, .mutableRanges:
            {
                let set = NSMutableIndexSet(indexesIn: NSRange(location: 0, length: 2))
                set.add(in: NSRange(location: 127, length: 300))
                set.add(Int.max - 1)
                return self == .ranges ? NSIndexSet(indexSet: set as IndexSet) : set
            }()
        case .noPath: NSIndexPath()
        case .shortPath: NSIndexPath(index: 7)
        case .path: IndexPath(indexes: [0, 127, 128, 16_384, Int.max]) as NSIndexPath
        case .point: NSValue(point: NSPoint(x: 0.1, y: -2))
        case .size: NSValue(size: NSSize(width: 1e300, height: Double.leastNonzeroMagnitude))
        case .rect: NSValue(rect: NSRect(x: 1, y: 2.5, width: 3, height: 4))
        case .locale: NSLocale(localeIdentifier: "de_AT@currency=EUR")
        }
    }

    static func text(_ object: NSObject) -> String {
        switch object {
        case let number as NSDecimalNumber: return "\(number.decimalValue)"
        case let set as NSIndexSet:
            var ranges: [String] = []
            set.enumerateRanges { range, _ in ranges.append("\(range.location)+\(range.length)") }
            return "\(set is NSMutableIndexSet) \(ranges)"
        case let path as NSIndexPath: return "\((0..<path.length).map { path.index(atPosition: $0) })"
        case let locale as NSLocale: return (locale as Locale).identifier
        case let value as NSValue:
            switch String(cString: value.objCType) {
            case "{CGPoint=dd}": return "\(value.pointValue)"
            case "{CGSize=dd}": return "\(value.sizeValue)"
            default: return "\(value.rectValue)"
            }
        default: return "\(object)"
        }
    }
}

extension Container {
    fileprivate func unarchiveKind<Object: NSObject & NSSecureCoding>(as object: Object) throws -> NSObject {
        // The class of an NSValue is a private one.
        try unarchive(Object.self, from: .documents / "a", allowing: [NSValue.self])
    }
}

@Suite("Decimal numbers, indexes, geometry and locales in archives") struct ArchivedKindsTests {
    private func python(_ code: String, _ container: Container) throws -> String {
        let run = try Command(
            Command.python(), ["-c", code, try container.path(.documents / "a").string],
            environment: ["PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"])
        try #require(run.code == 0, "\(run.errors)")
        return run.text
    }

    @Test("Each is read as it was archived")
    func roundTrip() throws {
        try withContainer { container throws in
            for kind in Kind.allCases {
                let object = kind.object
                try container.archive(object, to: .documents / "a", options: .init(durability: .none))
                #expect(Kind.text(try container.unarchiveKind(as: object)) == Kind.text(object), "\(kind)")
            }
        }
    }

    @Test("They are read as Swift values, also within collections and in fields of an app's class")
    func swiftValues() throws {
        try withContainer { container throws in
            let list = NSArray(array: [
                NSDecimalNumber(string: "1.25"), NSIndexSet(index: 3), NSLocale(localeIdentifier: "fr"),
            ])
            try container.archive(list, to: .documents / "a")
            let read = try container.unarchive(
                NSArray.self, from: .documents / "a", allowing: [NSDecimalNumber.self, NSIndexSet.self, NSLocale.self])
            #expect((read[0] as? NSDecimalNumber)?.decimalValue == Decimal(string: "1.25"))
            #expect((read[1] as? NSIndexSet).map { $0 as IndexSet } == IndexSet(integer: 3))
            #expect((read[2] as? NSLocale).map { ($0 as Locale).identifier } == "fr")
        }
    }

    @Test("plistlib finds the fields of Apple's archiver, with exactly its bytes", .needs(.externalProgram))
    func fields() throws {
        let expected: [(Kind, String)] = [
            (
                .price,
                "[('NS.compact', True), ('NS.exponent', -2), ('NS.length', 1), ('NS.mantissa', "
                    + "b'\\xd2\\x04\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'), "
                    + "('NS.mantissa.bo', 1), ('NS.negative', False)] ['NSDecimalNumberPlaceholder', "
                    + "'NSDecimalNumber', 'NSNumber', 'NSValue', 'NSObject']\n"
            ),
            (.oneRange, "[('NSLength', 4), ('NSLocation', 3), ('NSRangeCount', 1)] ['NSIndexSet', 'NSObject']\n"),
            (
                .mutableRanges,
                "[('NSRangeCount', 3), ('NSRangeData', b'\\x00\\x02\\x7f\\xac\\x02\\xfe\\xff\\xff\\xff\\xff\\xff\\xff"
                    + "\\xff\\x7f\\x01')] ['NSMutableIndexSet', 'NSIndexSet', 'NSObject']\n"
            ),
            (.shortPath, "[('NSIndexPathLength', 1), ('NSIndexPathValue', 7)] ['NSIndexPath', 'NSObject']\n"),
            (
                .path,
                "[('NSIndexPathData', b'\\x00\\x7f\\x80\\x01\\x80\\x80\\x01\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
                    + "\\x7f'), ('NSIndexPathLength', 5)] ['NSIndexPath', 'NSObject']\n"
            ),
            (.point, "[('NS.pointval', '{0.1, -2}'), ('NS.special', 1)] ['NSValue', 'NSObject']\n"),
            (.size, "[('NS.sizeval', '{1e+300, 5e-324}'), ('NS.special', 2)] ['NSValue', 'NSObject']\n"),
            (.rect, "[('NS.rectval', '{{1, 2.5}, {3, 4}}'), ('NS.special', 3)] ['NSValue', 'NSObject']\n"),
            (.locale, "[('NS.identifier', 'de_AT@currency=EUR')] ['NSLocale', 'NSObject']\n"),
        ]
        let read = """
            import plistlib, sys
            archive = plistlib.load(open(sys.argv[1], 'rb'))
            objects = archive['$objects']
            root = objects[archive['$top']['root'].data]
            def field(value):
                if isinstance(value, plistlib.UID): value = objects[value.data]
                return value['NS.data'] if isinstance(value, dict) else value
            print(sorted((k, field(v)) for k, v in root.items() if k != '$class'),
                  objects[root['$class'].data]['$classes'])
            """
        try withContainer { container throws in
            for (kind, text) in expected {
                try container.archive(kind.object, to: .documents / "a", options: .init(durability: .none))
                #expect(try python(read, container) == text, "\(kind)")
            }
        }
    }

    @Test("bpylist2, with the formulas of Apple's formats, computes the archived values", .needs(.externalProgram))
    func independentReader() throws {
        let read = """
            import sys, decimal
            from bpylist2 import archiver
            from bpylist2.archive_types import NSMutableData
            decimal.getcontext().prec = 60
            def numbers(data):
                data, found, number, shift = bytes(data.NSdata), [], 0, 0
                for byte in data:
                    number, shift = number | (byte & 127) << shift, shift + 7
                    if byte < 128: found, number, shift = found + [number], 0, 0
                return found
            class Number:
                def decode_archive(a):
                    words = int.from_bytes(a.decode('NS.mantissa'), 'little')
                    return (-1 if a.decode('NS.negative') else 1) * decimal.Decimal(words).scaleb(a.decode('NS.exponent'))
            class Set:
                def decode_archive(a):
                    if a.decode('NSRangeCount') == 1: return [a.decode('NSLocation'), a.decode('NSLength')]
                    return numbers(a.decode('NSRangeData'))
            class Path:
                def decode_archive(a): return numbers(a.decode('NSIndexPathData'))
            class Value:
                def decode_archive(a): return a.decode('NS.pointval')
            class Locale:
                def decode_archive(a): return a.decode('NS.identifier')
            archiver.update_class_map({'NSDecimalNumberPlaceholder': Number, 'NSIndexSet': Set, 'NSIndexPath': Path,
                'NSMutableIndexSet': Set, 'NSValue': Value, 'NSLocale': Locale, 'NSMutableData': NSMutableData})
            print(archiver.unarchive_file(sys.argv[1]))
            """
        try withContainer { container throws in
            let list = NSArray(
                array: [Kind.price, .longest, .oneRange, .ranges, .path, .point, .locale].map { $0.object })
            try container.archive(list, to: .documents / "a")
            #expect(
                try python(read, container) == """
                    [Decimal('12.34'), Decimal('-340282366920938463463374607431768211455'), [3, 4], \
                    [0, 2, 127, 300, 9223372036854775806, 1], [0, 127, 128, 16384, 9223372036854775807], '{0.1, -2}', \
                    'de_AT@currency=EUR']

                    """)
        }
    }

    @Test(
        "Archives of a Python program in Apple's form are read, also big-endian and with the other class name",
        .needs(.externalProgram))
    func writtenByOthers() throws {
        let write = """
            import plistlib, sys
            U = plistlib.UID
            def dec(name, **f):
                return [dict({'$class': U(2), **{'NS.' + k.replace('_', '.'): v for k, v in f.items()}}),
                        {'$classname': name, '$classes': [name]}]
            forms = {
              'big': dec('NSDecimalNumberPlaceholder', exponent=-2, length=1, negative=True, compact=True, mantissa_bo=2,
                         mantissa=bytes([4, 210]) + bytes(14)),
              'gnu': dec('NSDecimalNumber', exponent=3, length=2, negative=False, compact=False, mantissa_bo=1,
                         mantissa=bytes([0, 0, 1, 0]) + bytes(12)),
              'set': [{'$class': U(2), 'NSRangeCount': 2, 'NSRangeData': U(3)},
                      {'$classname': 'NSIndexSet', '$classes': ['NSIndexSet']}, b'\\x01\\x02\\x90\\x03\\x01'],
              'rect': [{'$class': U(2), 'NS.special': 3, 'NS.rectval': U(3)},
                       {'$classname': 'NSValue', '$classes': ['NSValue']}, '{{0.10000000000000001, -1}, {3, 4e2}}'],
            }
            plistlib.dump({'$version': 100000, '$archiver': 'NSKeyedArchiver', '$top': {'root': U(1)},
                           '$objects': ['$null'] + forms[sys.argv[2]]}, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
            """
        try withContainer { container throws in
            try container.save("", to: .documents / "a")
            let file = try container.path(.documents / "a").string
            func read<Object: NSObject & NSSecureCoding>(_ form: String, _ type: Object.Type) throws -> String {
                #expect(try Command("python3", ["-c", write, file, form]).code == 0)
                return Kind.text(try container.unarchive(type, from: .documents / "a"))
            }
            #expect(try read("big", NSDecimalNumber.self) == "-12.34")
            #expect(try read("gnu", NSDecimalNumber.self) == "65536000")
            #expect(try read("set", NSIndexSet.self) == #"false ["1+2", "400+1"]"#)
            #expect(try read("rect", NSValue.self) == "\(NSRect(x: 0.1, y: -1, width: 3, height: 400))")
        }
    }

    @Test("A class that is not allowed is refused, and a class of numbers allows decimal numbers")
    func allowList() throws {
        try withContainer { container throws in
            for kind in Kind.allCases {
                try container.archive(
                    NSArray(array: [kind.object]), to: .documents / "a", options: .init(durability: .none))
                let error = #expect(throws: ArchiveError.self) {
                    try container.unarchive(NSArray.self, from: .documents / "a")
                }
                #expect(error?.code == .disallowedClass && error?.keyPath == "root.NS.objects[0]", "\(kind)")
            }
            try container.archive(NSArray(array: [Kind.price.object]), to: .documents / "a")
            let list = try container.unarchive(NSArray.self, from: .documents / "a", allowing: [NSNumber.self])
            #expect((list[0] as? NSDecimalNumber)?.decimalValue == Decimal(string: "12.34"))
        }
    }

    @Test("An index set of 100,000 ranges is read, and limits apply to its ranges")
    func many() throws {
        try withContainer { container throws in
            let set = NSMutableIndexSet()
            for index in 0..<100_000 { set.add(index * 1_000) }
            try container.archive(set, to: .documents / "a", options: .init(durability: .none))
            #expect(try container.unarchive(NSIndexSet.self, from: .documents / "a").count == 100_000)
            var limits = ArchiveLimits()
            limits.objects = 100_000
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSIndexSet.self, from: .documents / "a", limits: limits)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    private static func value(_ type: String, _ fields: (key: String, value: PropertyList)...) -> HandMade {
        var archive = HandMade(.dictionary(fields + [("$class", .uid(2))]), HandMade.type(type))
        archive.objects += [
            .data([0x80]), .data([5, 1, 3, 1]), .string("{1, inf}"), .string("{{1, 2}, {3}}"), .string("{1 2}"),
        ]
        return archive
    }

    private static let hostile: [(String, HandMade)] = [
        ("no fields", value("NSDecimalNumberPlaceholder")),
        (
            "nine words",
            value(
                "NSDecimalNumber", ("NS.exponent", .integer(0)), ("NS.length", .integer(9)),
                ("NS.negative", .boolean(false)), ("NS.mantissa", .data(Array(repeating: 255, count: 18))))
        ),
        (
            "too few bytes",
            value(
                "NSDecimalNumber", ("NS.exponent", .integer(0)), ("NS.length", .integer(8)),
                ("NS.negative", .boolean(false)), ("NS.mantissa", .data([1])))
        ),
        (
            "a large exponent",
            value(
                "NSDecimalNumber", ("NS.exponent", .integer(.max)), ("NS.length", .integer(1)),
                ("NS.negative", .boolean(false)), ("NS.mantissa", .data([1, 0])))
        ),
        (
            "an exponent that is large with the zeros",
            value(
                "NSDecimalNumber", ("NS.exponent", .integer(127)), ("NS.length", .integer(1)),
                ("NS.negative", .boolean(false)), ("NS.mantissa", .data([10, 0])))
        ),
        ("a negative count", value("NSIndexSet", ("NSRangeCount", .integer(-1)), ("NSRangeData", .uid(4)))),
        ("a large count", value("NSIndexSet", ("NSRangeCount", .integer(.max)), ("NSRangeData", .uid(4)))),
        ("an incomplete index", value("NSIndexSet", ("NSRangeCount", .integer(2)), ("NSRangeData", .uid(3)))),
        ("unordered ranges", value("NSIndexSet", ("NSRangeCount", .integer(2)), ("NSRangeData", .uid(4)))),
        (
            "a range beyond the last index",
            value(
                "NSIndexSet", ("NSRangeCount", .integer(1)), ("NSLocation", .integer(.max)), ("NSLength", .integer(1)))
        ),
        (
            "a negative location",
            value("NSIndexSet", ("NSRangeCount", .integer(1)), ("NSLocation", .integer(-1)), ("NSLength", .integer(1)))
        ),
        (
            "a negative index",
            value("NSIndexPath", ("NSIndexPathLength", .integer(1)), ("NSIndexPathValue", .integer(-1)))
        ),
        ("a long path", value("NSIndexPath", ("NSIndexPathLength", .integer(.max)), ("NSIndexPathData", .uid(4)))),
        ("a path without data", value("NSIndexPath", ("NSIndexPathLength", .integer(2)))),
        ("an unknown structure", value("NSValue", ("NS.special", .integer(5)))),
        ("an infinite point", value("NSValue", ("NS.special", .integer(1)), ("NS.pointval", .uid(5)))),
        ("a rectangle of three numbers", value("NSValue", ("NS.special", .integer(3)), ("NS.rectval", .uid(6)))),
        ("a size without a comma", value("NSValue", ("NS.special", .integer(2)), ("NS.sizeval", .uid(7)))),
        ("a locale without identifier", value("NSLocale")),
        ("a locale that is data", value("NSLocale", ("NS.identifier", .uid(3)))),
    ]

    @Test("Fields that are not valid are an error")
    func notValid() throws {
        let classes: [ArchivableClass] = [
            NSDecimalNumber.self, NSIndexSet.self, NSIndexPath.self, NSValue.self, NSLocale.self,
        ]
        try withContainer { container throws in
            for (name, archive) in Self.hostile {
                try container.save(try archive.bytes, to: .documents / "a", options: .init(durability: .none))
                let error = #expect(throws: ArchiveError.self, "\(name)") {
                    try container.unarchive(NSArray.self, from: .documents / "a", allowing: classes)
                }
                #expect([.damaged, .wrongType].contains(error?.code), "\(name)")
                #expect(error?.description.contains("was found instead of") == false, "\(name)")
            }
        }
    }

    @Test("A set with a decimal number, and a dictionary with a locale as key, are errors and do not end the process")
    func members() throws {
        try withContainer { container throws in
            let set = HandMade(
                HandMade.object(2, ("NS.objects", .array([.uid(3), .uid(3)]))), HandMade.type("NSSet"),
                HandMade.object(
                    4, ("NS.exponent", .integer(0)), ("NS.length", .integer(1)), ("NS.negative", .boolean(false)),
                    ("NS.mantissa", .data([1, 0]))), HandMade.type("NSDecimalNumber"))
            let dictionary = HandMade(
                HandMade.object(2, ("NS.keys", .array([.uid(3)])), ("NS.objects", .array([.uid(3)]))),
                HandMade.type("NSDictionary"), HandMade.object(4, ("NS.identifier", .string("de"))),
                HandMade.type("NSLocale"))
            for archive in [set, dictionary] {
                try container.save(try archive.bytes, to: .documents / "a")
                let error = #expect(throws: ArchiveError.self) {
                    try container.unarchive(
                        NSSet.self, from: .documents / "a",
                        allowing: [NSDecimalNumber.self, NSLocale.self, NSDictionary.self])
                }
                #expect(error?.code == .wrongType && error?.description.contains("a decimal number") == true)
            }
        }
    }
}
