import AppContainer
import ContainerArchives
import Foundation
import PropertyLists
import TestSupport
import Testing

/// A class of an app that inherits its decoding from a class of Foundation.
private final class NamedError: NSError, @unchecked Sendable {}
private final class Names: NSMutableArray {}

/// A class of an app that may contain an error.
final class Attempt: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let error: NSError?
    init?(coder: NSCoder) { error = coder.decodeObject(of: NSError.self, forKey: "error") }
    func encode(with coder: NSCoder) {}
}

@Suite("Foundation's classes in archives") struct ArchiveClassesTests {
    /// Decoding ends the process for each of these on Linux, or is not known to be safe.
    enum Refused: String, CaseIterable {
        case NSError, NSTextCheckingResult, NSDateComponents, NSTimeZone
        case NSCalendar, NSCharacterSet, NSPersonNameComponents, NSRegularExpression

        var type: ArchivableClass {
            switch self {
            case .NSError: Foundation.NSError.self
            case .NSTextCheckingResult: Foundation.NSTextCheckingResult.self
            case .NSDateComponents: Foundation.NSDateComponents.self
            case .NSTimeZone: Foundation.NSTimeZone.self
            case .NSCalendar: Foundation.NSCalendar.self
            case .NSCharacterSet: Foundation.NSCharacterSet.self
            case .NSPersonNameComponents: Foundation.NSPersonNameComponents.self
            case .NSRegularExpression: Foundation.NSRegularExpression.self
            }
        }
    }

    @Test(
        "A class whose decoding may end the process is refused before anything is decoded", arguments: Refused.allCases)
    func refused(name: Refused) throws {
        try withContainer { container throws in
            let archive = HandMade(HandMade.object(2), HandMade.type(name.rawValue))
            try container.save(try archive.bytes, to: .documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "a", allowing: [name.type])
            }
            #expect(error?.code == .disallowedClass)
            #expect(error?.description.contains("\(name.rawValue) is a class of Foundation") == true)
        }
    }

    @Test(
        "A class of an app that inherits its decoding from Foundation is refused, too",
        arguments: [
            NamedError.self as ArchivableClass, Names.self,
        ])
    func inherited(type: ArchivableClass) throws {
        try withContainer { container throws in
            let archive = HandMade(HandMade.object(2), HandMade.type("Inherited"))
            try container.save(try archive.bytes, to: .documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "a", named: ["Inherited": type])
            }
            #expect(error?.code == .disallowedClass)
            #expect(error?.description.contains("inherits from a class of Foundation") == true)
        }
    }

    @Test("A class of an app that may contain such an object is read if it does not")
    func field() throws {
        try withContainer { container throws in
            let without = HandMade(HandMade.object(2), HandMade.type("Attempt"))
            try container.save(try without.bytes, to: .documents / "a")
            let attempt = try container.unarchive(
                Attempt.self, from: .documents / "a", named: ["Attempt": Attempt.self])
            #expect(attempt.error == nil)
            let with = HandMade(
                HandMade.object(2, ("error", .uid(3))), HandMade.type("Attempt"), HandMade.object(4),
                HandMade.type("NSError"))
            try container.save(try with.bytes, to: .documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(Attempt.self, from: .documents / "a", named: ["Attempt": Attempt.self])
            }
            #expect(error?.code == .disallowedClass && error?.keyPath == "root.error")
            #expect(
                error?.description
                    == "“Documents/a” at root.error: NSError is a class of Foundation that is not supported. The file is "
                    + "unchanged. Archive the parts of the object in a class of your own.")
        }
    }
}
