import AppContainer
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Archives and other programs") struct ArchiveInteroperabilityTests {
    /// Runs Python with the packages of Tests/requirements.txt, which `make test` installs.
    private func python(_ code: String, _ arguments: String...) throws -> Data {
        let run = try Command(
            Command.python(), ["-c", code] + arguments,
            environment: ["PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "ignore"])
        try #require(run.code == 0, "\(run.errors)")
        return run.output
    }

    private static var values: NSDictionary {
        NSDictionary(dictionary: [
            "text": "Grüße 日本", "number": 7, "negative": -1, "fraction": 1.5, "truth": true, "data": Data([0, 255]),
            "list": ["a", [1, 2], ["k": "v"]], "date": Date(timeIntervalSinceReferenceDate: 60),
        ])
    }
    private static let seen = """
        [('data', b'\\x00\\xff'), ('date', 60.0), ('fraction', 1.5), ('list', ['a', [1, 2], {'k': 'v'}]), \
        ('negative', -1), ('number', 7), ('text', 'Grüße 日本'), ('truth', True)]

        """

    @Test("bpylist2 reads exactly the archived values", .needs(.externalProgram))
    func bpylist2Reads() throws {
        try withContainer { container throws in
            try container.archive(Self.values, to: .documents / "a")
            let read = """
                import sys
                from bpylist2 import archiver
                d = archiver.unarchive_file(sys.argv[1])
                d['date'] = float(d['date']) - 978307200
                print(sorted(d.items()))
                """
            let output = try python(read, try container.path(.documents / "a").string)
            #expect(String(decoding: output, as: UTF8.self) == Self.seen)
        }
    }

    @Test("nska-deserialize reads exactly the archived values", .needs(.externalProgram))
    func nskaReads() throws {
        try withContainer { container throws in
            try container.archive(Self.values, to: .documents / "a")
            let read = """
                import sys, datetime, nska_deserialize
                d = nska_deserialize.deserialize_plist(sys.argv[1], full_recurse_convert_nska=False, format=dict)
                d['date'] = (d['date'] - datetime.datetime(2001, 1, 1)).total_seconds()
                print(sorted(d.items()))
                """
            let output = try python(read, try container.path(.documents / "a").string)
            #expect(String(decoding: output, as: UTF8.self) == Self.seen)
        }
    }

    @Test("bpylist2 reads an app's object by its class and field names", .needs(.externalProgram))
    func bpylist2ReadsOwnClass() throws {
        try withContainer { container throws in
            let book = Book("one")
            book.next = Book("two")
            try container.archive(book, to: .documents / "a")
            let read = """
                import sys
                from bpylist2 import archiver
                class Book:
                    @staticmethod
                    def decode_archive(archive):
                        return (archive.decode('title'), archive.decode('next'))
                archiver.update_class_map({'AppContainerTests.Book': Book})
                print(archiver.unarchive_file(sys.argv[1]))
                """
            let output = try python(read, try container.path(.documents / "a").string)
            #expect(String(decoding: output, as: UTF8.self) == "('one', ('two', None))\n")
        }
    }

    /// On Linux, Foundation's unarchiver does not read attributed strings, not even those of its archiver.
    @Test(
        "Foundation's unarchiver reads archives of this library",
        arguments: Sample.allCases.filter { ![.attributed, .mutableAttributed].contains($0) })
    func foundationReads(sample: Sample) throws {
        try withContainer { container throws in
            let object = sample.object
            try container.archive(object, to: .documents / "a", options: .init(durability: .none))
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: try container.load(.documents / "a"))
            unarchiver.requiresSecureCoding = false
            unarchiver.decodingFailurePolicy = .setErrorAndReturn
            let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as AnyObject as? NSObject
            #expect(read == object, "\(unarchiver.error as Any)")
        }
    }

    /// On Linux, Foundation's archiver does not store that a string is mutable.
    @Test(
        "Archives of Foundation's archiver are read", arguments: Sample.allCases.filter { $0 != .mutableText })
    func readsFoundation(sample: Sample) throws {
        try withContainer { container throws in
            let object = sample.object
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            try container.save(data, to: .documents / "a", options: .init(durability: .none))
            #expect(try container.unarchiveSame(as: object) == object)
        }
    }

    @Test("Archives of bpylist2 are read", .needs(.externalProgram))
    func readsBpylist2() throws {
        try withContainer { container throws in
            let write = """
                import sys
                from bpylist2 import archiver
                from bpylist2.archive_types import timestamp, NSMutableData
                sys.stdout.buffer.write(archiver.archive(
                    {'s': 'ü', 'i': -5, 'f': 1.5, 't': True, 'l': [1, ['x']], 'set': {'m'}, 'b': b'12',
                     'd': timestamp(978307260), 'm': NSMutableData(b'34')}))
                """
            try container.save(try python(write), to: .documents / "a")
            let read = try container.unarchive(NSDictionary.self, from: .documents / "a", allowing: [NSSet.self])
            let expected = NSDictionary(dictionary: [
                "s": "ü", "i": -5, "f": 1.5, "t": true, "l": [1, ["x"]], "set": Set(["m"]), "b": Data("12".utf8),
                "d": Date(timeIntervalSinceReferenceDate: 60), "m": Data("34".utf8),
            ])
            #expect(read == expected)
            #expect(read["m"] is NSMutableData || read["m"] is Data)
        }
    }

    @Test("An app's object that bpylist2 archived under an Objective-C name is read", .needs(.externalProgram))
    func readsBpylist2Class() throws {
        try withContainer { container throws in
            let write = """
                import sys
                from bpylist2 import archiver
                class Book:
                    def __init__(self, title, next): self.title, self.next = title, next
                    @staticmethod
                    def encode_archive(book, archive):
                        archive.encode('title', book.title)
                        archive.encode('next', book.next)
                archiver.update_class_map({'ABBook': Book})
                sys.stdout.buffer.write(archiver.archive(Book('one', Book('two', None))))
                """
            try container.save(try python(write), to: .documents / "a")
            let book = try container.unarchive(Book.self, from: .documents / "a", named: ["ABBook": Book.self])
            #expect(book.title == "one" && book.next?.title == "two" && book.next?.next == nil)
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(Book.self, from: .documents / "a")
            }
            #expect(error?.code == .unknownClass && error?.description.contains("ABBook") == true)
        }
    }

    @Test("An archive in XML is read", .needs(.externalProgram))
    func xml() throws {
        try withContainer { container throws in
            try container.archive(Self.values, to: .documents / "a")
            let convert = """
                import plistlib, sys
                def plain(value):
                    if isinstance(value, plistlib.UID): return {'CF$UID': value.data}
                    if isinstance(value, list): return [plain(member) for member in value]
                    if isinstance(value, dict): return {key: plain(member) for key, member in value.items()}
                    return value
                archive = plain(plistlib.load(open(sys.argv[1], 'rb')))
                sys.stdout.buffer.write(plistlib.dumps(archive, fmt=plistlib.FMT_XML))
                """
            try container.save(try python(convert, try container.path(.documents / "a").string), to: .documents / "a")
            #expect(try container.loadText(.documents / "a").hasPrefix("<?xml"))
            #expect(try container.unarchive(NSDictionary.self, from: .documents / "a") == Self.values)
        }
    }
}
