internal import AppContainer
internal import ContainerTree
internal import Foundation
internal import PolicyTexts
internal import PropertyLists
internal import TextOutput

/// `property-list: broken`: the file has the name or the header of a property list, but cannot be parsed.
struct PropertyListPredicate: Predicate {
    static let key = "property-list"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case broken }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("state", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard case .broken(let error) = evaluation.facts[PropertyListFact.self] else { return false }
        switch error.code {
        case .notAPropertyList:
            evaluation.addEvidence("error", value: "it does not begin with the header of a property list")
        case .truncated: evaluation.addEvidence("error", value: "it is truncated")
        case .malformed: evaluation.addEvidence("error", value: "its offsets, sizes or tags are invalid")
        default:
            // More than this reader takes is not broken.
            evaluation.facts.leaveOut(.propertyListBeyondLimits)
            return false
        }
        return true
    }
}

/// `data-value: { at-least: 64KiB, magic: [jpeg, png] }`: a property list contains a data value of that size or of one
/// of these formats.
struct DataValuePredicate: Predicate {
    static let key = "data-value"
    static let cost = Cost.read
    private let least: UInt64
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["at-least", "magic"])
        least = try fields["at-least"]?.size() ?? .max
        formats = try fields["magic"]?.words("format", type: Magic.self) ?? []
        if fields.isEmpty { throw value.error("a data value needs at-least or magic") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let root = evaluation.facts[PropertyListFact.self].root else { return false }
        var largest: (size: Int, pointer: String, what: String)?
        var places: [String] = []
        var walk = PropertyListWalk(in: root.graph)
        walk.start(at: root)
        while let node = walk.next() {
            guard case .data(let data) = node else { continue }
            let format = Magic(Array(data.prefix(64))).flatMap { formats.contains($0) ? $0 : nil }
            guard data.count >= least || format != nil else { continue }
            if places.count < Self.mostPlaces { places.append(walk.pointer(from: .root).text) }
            if data.count > largest?.size ?? -1 {
                largest = (data.count, walk.pointer(from: .root).text, format?.title ?? "data")
            }
        }
        guard let largest else { return false }
        evaluation.addEvidence("value", value: "\(largest.what) of \(Quantity.bytes(UInt64(largest.size)))")
        evaluation.addEvidence("key", value: largest.pointer, in: places)
        return true
    }

    /// The maximum number of values that are counted in one file.
    private static let mostPlaces = 200
}

/// `identity: contradicted`: the bundle identifier in the container's metadata differs from its preferences or from the
/// configured one. Evaluated for the metadata and the preferences files, after the container was read.
struct IdentityPredicate: Predicate {
    static let key = "identity"
    static let cost = Cost.read
    var needs: PredicateNeeds { .container }

    private enum Word: String, CaseIterable { case contradicted }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("identity", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard evaluation.traits.contains(.root) else {
            see(evaluation)
            return false
        }
        guard let identifier = evaluation.facts[PropertyListFact.self].root?["MCMMetadataIdentifier"]?.string else {
            return false
        }
        evaluation.addEvidence("identifier", value: ByteText.escaped(Array(identifier.utf8.prefix(155))))
        if let given = evaluation.run.bundleIdentifier, given != identifier {
            evaluation.addEvidence("other", value: ByteText.escaped(Array(given.utf8.prefix(155))))
            return true
        }
        evaluation.addEvidence("other", value: "the preferences in the container")
        let hasForeign = evaluation.answer(.wasSeen(Self.foreign))
        return evaluation.answer(.isUnreferenced(Self.own)) && hasForeign
    }

    private static let own = "preferences of the container's app"
    private static let foreign = "preferences of another app"

    /// Collects the domain of a preferences file, except domains of SDKs.
    private func see(_ evaluation: Evaluation) {
        guard let identifier = evaluation.run.bundleIdentifier,
            let domain = PreferencesDomain(file: evaluation.name), !evaluation.traits.contains(.registered)
        else { return }
        let notes = evaluation.run.notes
        if domain.isForeign(to: identifier) { notes.see(Self.foreign) } else { notes.refer(to: Self.own) }
    }
}

/// `archive: module-qualified`: the file is or contains a keyed archive with classes of a module that the configuration
/// does not list. `unusual-class`: also with classes outside Foundation. `container-address`: with a URL into a
/// container.
struct ArchivePredicate: Predicate {
    static let key = "archive"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case moduleQualified = "module-qualified"
        case unusualClass = "unusual-class"
        case containerAddress = "container-address"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("property", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(ArchivesFact.least...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let archives = evaluation.facts[ArchivesFact.self]
        guard !archives.isEmpty else { return false }
        if word == .containerAddress {
            let paths = evaluation.facts[StoredPathsFact.self].filter(\.isArchivedAddress)
            guard let first = paths.first else { return false }
            evaluation.addEvidence(
                "target", value: first.path.topDirectory.map { "\($0) of the container" } ?? "the container")
            evaluation.addEvidence("key", value: first.pointer ?? "", in: paths.map { $0.pointer ?? "" })
            return true
        }
        let modules = evaluation.run.configuration.modules
        let names = archives.flatMap(\.classes).filter { name in
            let module = ClassName.module(of: name)
            if let module, modules.contains(module) || ClassName.systemModules.contains(module) { return false }
            return module != nil || (word == .unusualClass && !ClassName.foundation.contains(name))
        }
        guard !names.isEmpty else { return false }
        let shown = names.prefix(3).map { ByteText.escaped(Array($0.utf8.prefix(80))) }
        evaluation.addEvidence(
            "class", value: shown.joined(separator: ", ") + (names.count > 3 ? ", …" : ""), in: names)
        return true
    }
}

/// The properties of class names in archives.
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
