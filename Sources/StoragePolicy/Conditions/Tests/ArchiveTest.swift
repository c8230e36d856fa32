internal import AppContainer
internal import Foundation
internal import TextOutput

/// `archive: module-qualified`: the file is a keyed archive, or holds one, with classes of a module that the
/// configuration does not name. `unusual-class`: with classes that are neither Foundation's nor of such a module.
/// `container-address`: with a URL into a container.
struct ArchiveTest: Test {
    static let key = "archive"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case moduleQualified = "module-qualified"
        case unusualClass = "unusual-class"
        case containerAddress = "container-address"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("property", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.size(ArchivesFact.least...UInt64.max) }

    func holds(for subject: inout Subject) -> Bool {
        let archives = subject.facts[ArchivesFact.self]
        guard !archives.isEmpty else { return false }
        if word == .containerAddress {
            let paths = subject.facts[StoredPathsFact.self].filter(\.isArchivedAddress)
            guard let first = paths.first else { return false }
            subject.note("target", first.path.topDirectory.map { "\($0) of the container" } ?? "the container")
            subject.note("key", first.pointer ?? "")
            return true
        }
        let modules = subject.policy.configuration.modules
        let names = archives.flatMap(\.classes).filter { name in
            let module = ClassName.module(of: name)
            if let module, modules.contains(module) || ClassName.systemModules.contains(module) { return false }
            return module != nil || (word == .unusualClass && !ClassName.foundation.contains(name))
        }
        guard !names.isEmpty else { return false }
        let shown = names.prefix(3).map { ByteText.escaped(Array($0.utf8.prefix(80))) }
        subject.note("class", shown.joined(separator: ", ") + (names.count > 3 ? ", …" : ""))
        return true
    }
}

/// What the name of a class in an archive tells.
enum ClassName {
    /// The module of a Swift class, as `Module.Class` or in Swift's mangled form; nil for one of Objective-C.
    static func module(of name: String) -> String? {
        // `_TtC6Module5Class`: kinds of the types from the outside in, then names with their lengths.
        if name.hasPrefix("_Tt") {
            let rest = name.dropFirst(3).drop { $0.isASCII && $0.isUppercase }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let length = Int(digits), (1...255).contains(length) else { return nil }
            return String(rest.dropFirst(digits.count).prefix(length))
        }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        return String(parts[0])
    }

    /// Modules whose names no app can change.
    static let systemModules: Set<String> = [
        "Swift", "Foundation", "CoreFoundation", "UIKit", "SwiftUI", "CoreData", "CoreLocation", "CloudKit", "__C",
    ]

    /// Foundation's classes that decode themselves securely.
    static let foundation: Set<String> = [
        "NSObject", "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSArray", "NSMutableArray",
        "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet",
        "NSMutableOrderedSet", "NSURL", "NSUUID", "NSNull", "NSValue", "NSNumber", "NSDecimalNumber",
        "NSDecimalNumberPlaceholder", "NSAttributedString", "NSMutableAttributedString", "NSIndexPath", "NSIndexSet",
        "NSMutableIndexSet", "NSLocale", "NSTimeZone", "NSCalendar", "NSDateComponents", "NSDateInterval",
        "NSPersonNameComponents", "NSURLComponents", "NSURLQueryItem", "NSError", "NSCharacterSet", "NSMeasurement",
        "NSUnit", "NSDimension",
    ]
}
