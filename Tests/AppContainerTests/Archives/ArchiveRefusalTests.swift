import AppContainer
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

/// An object that encodes itself in an unsupported way.
final class Odd: NSObject, NSSecureCoding {
    enum Way: String, CaseIterable, Sendable {
        case holdsItself, holdsItselfConditionally, notSecure, noKey, structure, chain, error, structValue
        case collectionInSet, collectionAsKey, infinitePoint, runs
    }
    static var supportsSecureCoding: Bool { true }
    let way: Way
    init(_ way: Way) { self.way = way }

    func encode(with coder: NSCoder) {
        switch way {
        case .holdsItself: coder.encode(self, forKey: "me")
        case .holdsItselfConditionally: coder.encodeConditionalObject(self, forKey: "me")
        case .notSecure: coder.encode(NotSecure(), forKey: "other")
        case .noKey: coder.encode(NSString("x"))
        case .structure: withUnsafePointer(to: Int32(1)) { coder.encodeValue(ofObjCType: "i", at: $0) }
        case .chain: coder.encode(Odd(.chain), forKey: "next")
        case .error: coder.encode(NSError(domain: "d", code: 1), forKey: "error")
        case .structValue: coder.encode(NSArray(array: [Way.chain]), forKey: "list")
        case .collectionInSet: coder.encode(NSSet(array: [NSArray(array: [1])]), forKey: "set")
        case .collectionAsKey: coder.encode(NSDictionary(dictionary: [[1]: 1]), forKey: "map")
        case .infinitePoint: coder.encode(NSValue(point: NSPoint(x: Double.infinity, y: 2)), forKey: "point")
        case .runs:
            let text = NSMutableAttributedString(string: "hello")
            text.addAttribute(.init("k"), value: "v", range: NSRange(location: 0, length: 2))
            coder.encode(text, forKey: "text")
        }
    }
    init?(coder: NSCoder) { nil }

    final class NotSecure: NSObject {}
}

/// An object that requests unsupported values.
final class Asker: NSObject, NSSecureCoding {
    enum Question: String, CaseIterable, Sendable {
        case textAsNumber, fractionAsInteger, largeAsInt32, numberAsBool, numberAsObject, textAsURL, textAsData
        case bytes, noKey, structure, version, otherClassInArray, refused

        var code: ArchiveError.Code? {
            switch self {
            case .noKey, .structure, .refused: .damaged
            case .numberAsObject: .badReference
            case .otherClassInArray: .disallowedClass
            case .version: nil
            default: .wrongType
            }
        }
    }
    static var supportsSecureCoding: Bool { true }
    let question: Question
    init(_ question: Question) { self.question = question }

    func encode(with coder: NSCoder) {
        coder.encode(question.rawValue, forKey: "question")
        coder.encode("text", forKey: "text")
        coder.encode(1.5, forKey: "fraction")
        coder.encode(Int64.max, forKey: "large")
        coder.encode(NSArray(array: [NSUUID()]), forKey: "list")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "question"),
            let question = Question(rawValue: String(name))
        else { return nil }
        self.question = question
        switch question {
        case .textAsNumber: _ = coder.decodeInteger(forKey: "text")
        case .fractionAsInteger: _ = coder.decodeInteger(forKey: "fraction")
        case .largeAsInt32: _ = coder.decodeInt32(forKey: "large")
        case .numberAsBool: _ = coder.decodeBool(forKey: "large")
        case .numberAsObject: _ = coder.decodeObject(forKey: "large")
        case .textAsURL: _ = coder.decodeObject(of: NSURL.self, forKey: "text")
        case .textAsData: _ = coder.decodeObject(of: [NSData.self, NSDate.self], forKey: "text")
        case .bytes: _ = coder.decodedBytes(forKey: "text")
        case .noKey: _ = coder.decodeObject()
        case .structure:
            var number: Int32 = 0
            withUnsafeMutableBytes(of: &number) { buffer in
                if let address = buffer.baseAddress { coder.decodeValue(ofObjCType: "i", at: address) }
            }
        case .version: _ = (coder.systemVersion, coder.version(forClassName: "Asker"), coder.allowedClasses)
        case .otherClassInArray: _ = coder.decodeObject(of: [NSArray.self, NSURL.self], forKey: "list")
        case .refused: coder.failWithError(CocoaError(.coderInvalidValue))
        }
        // After an error, all further values are missing and harmless.
        _ = coder.decodeObject(of: NSString.self, forKey: "text")
        guard coder.error != nil || question == .version else { return nil }
    }
}

@Suite("Unsupported objects and requests") struct ArchiveRefusalTests {
    @Test("An unsupported object is an error with its position, and the old file remains", arguments: Odd.Way.allCases)
    func refused(way: Odd.Way) throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a", options: .init(durability: .none))
            let error = #expect(throws: ArchiveError.self) {
                try container.archive(NSArray(array: [Odd(way)]), to: .documents / "a")
            }
            let codes: [Odd.Way: ArchiveError.Code] = [
                .holdsItself: .cycle, .holdsItselfConditionally: .cycle, .chain: .tooDeep,
            ]
            #expect(error?.code == codes[way] ?? .notEncodable)
            #expect(error?.keyPath?.hasPrefix("root.NS.objects[0]") == true)
            #expect(error?.description.contains("Nothing on disk has changed.") == true)
            #expect(try container.loadText(.documents / "a") == "old")
        }
    }

    @Test(
        "A class that requests another type gets nothing, and the archive is an error",
        arguments: Asker.Question.allCases)
    func asked(question: Asker.Question) throws {
        try withContainer { container throws in
            try container.archive(Asker(question), to: .documents / "a", options: .init(durability: .none))
            guard let code = question.code else {
                _ = try container.unarchive(Asker.self, from: .documents / "a", allowing: [NSUUID.self])
                return
            }
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(Asker.self, from: .documents / "a", allowing: [NSUUID.self])
            }
            #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("The description contains the file, the position, the problem, the state on disk and a hint")
    func text() throws {
        try withContainer { container throws in
            try container.archive(NSArray(array: [Book("one")]), to: .documents / "shelf")
            let unknown = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "shelf")
            }
            #expect(
                unknown?.description
                    == "“Documents/shelf” at root.NS.objects[0]: an object has the unknown class "
                    + "AppContainerTests.Book. The file is unchanged. Add the class to allowing:, or to named: if it has "
                    + "another name in the archive.")
            let wrong = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSString.self, from: .documents / "shelf", allowing: [Book.self])
            }
            #expect(
                wrong?.description
                    == "“Documents/shelf” at root: NSArray was found instead of NSString. The file is unchanged.")
            #expect(wrong?.code.description == "wrongType" && wrong?.path == "Documents/shelf")
            let missing = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "none")
            }
            #expect(missing?.code == .file && missing?.cause?.code == .notFound)
        }
    }

    @Test("A name in an archive cannot control a terminal, and is truncated")
    func shownNames() throws {
        try withContainer { container throws in
            let archive = HandMade(
                HandMade.object(2), HandMade.type("\u{1b}[2J" + String(repeating: "x", count: 10_000)))
            try container.save(try archive.bytes, to: .documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "a")
            }
            #expect(error?.description.contains("\u{1b}") == false)
            #expect((error?.description.utf8.count ?? .max) < 400)
        }
    }

    @Test("The caller sets the limits", arguments: [\ArchiveLimits.bytes, \.objects, \.depth])
    func limits(limit: any WritableKeyPath<ArchiveLimits, Int> & Sendable) throws {
        try withContainer { container throws in
            try container.archive(NSArray(array: [[["a", "b", "c"]]]), to: .documents / "a")
            var limits = ArchiveLimits()
            _ = try container.unarchive(NSArray.self, from: .documents / "a", limits: limits)
            limits[keyPath: limit] = 2
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "a", limits: limits)
            }
            #expect(error?.code == (limit == \.depth ? .tooDeep : .tooLarge))
        }
    }
}
