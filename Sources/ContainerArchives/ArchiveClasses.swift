public import Foundation

/// A class whose objects can be archived: an app's own, or one of Foundation's.
public typealias ArchivableClass = any (NSObject & NSSecureCoding).Type

/// The classes that may come out of an archive, and the names an archive knows them by.
struct ArchiveClasses {
    /// Which may come now, with their subclasses.
    private(set) var allowed: [AnyClass]
    private var named: [String: ArchivableClass] = [:]
    /// Why a class that a field may be of cannot be decoded, by its name.
    private var refused: [String: String] = [:]

    /// What the caller names.
    init(_ classes: [ArchivableClass], named names: [String: ArchivableClass]) {
        allowed = classes + names.values.map { $0 }
        named = names
        learn(classes)
    }

    /// Who is meant by a name in an archive.
    enum Found {
        case foundation(FoundationValue), app(ArchivableClass), disallowed, unknown
        /// A class that is allowed and cannot be decoded, with the reason.
        case undecodable(String)
    }

    /// Looks a name up; nothing that was not named by the app is found.
    func find(_ name: String) -> Found {
        if let type = named[name] { return allows(type) ? .app(type) : .disallowed }
        if let reason = refused[name] { return .undecodable(reason) }
        guard let value = FoundationValue(rawValue: name) else { return .unknown }
        return value.isPlain || allows(value.type) ? .foundation(value) : .disallowed
    }

    /// The same with other classes allowed, as a class of the app says them for one of its fields.
    func allowing(_ classes: [AnyClass]) -> ArchiveClasses {
        var other = self
        other.allowed = classes
        other.learn(classes.compactMap { $0 as? ArchivableClass })
        return other
    }

    private func allows(_ type: ArchivableClass) -> Bool { allowed.contains { type.isSubclass(of: $0) } }

    /// A name given by the caller goes before a class's own.
    private mutating func learn(_ classes: [ArchivableClass]) {
        // Those of Foundation's are read by name, and the hidden ones of a cluster have none in an archive.
        for type in classes where !FoundationValue.isFoundation(type) && !Self.isHidden(type) {
            let name = Self.name(of: type)
            if let reason = Self.refusal(of: type) {
                refused[name] = reason
            } else if named[name] == nil {
                named[name] = type
            }
        }
    }

    /// The hint for a class that is refused.
    static let refusalHint = "Archive what the object is made of, in a class of your own."

    /// Returns why objects of a class are not decoded; nil where they are.
    ///
    /// Of Foundation's classes only those of `FoundationValue` are made, by this reader itself. On Linux the others'
    /// own `init(coder:)` may end the process for a decoder that is not `NSKeyedUnarchiver` or for fields of other
    /// types, and so may that of a class of the app that inherits from one of Foundation's other than `NSObject`.
    /// Measured with Swift 6.3.1.
    static func refusal(of type: AnyClass) -> String? {
        guard type != NSObject.self, !FoundationValue.isFoundation(type), !isHidden(type) else { return nil }
        if isOfFoundation(type) { return "\(name(of: type)) is a class of Foundation that is not read here" }
        var ancestor: AnyClass? = _getSuperclass(type)
        while let current = ancestor, current != NSObject.self {
            if isOfFoundation(current) {
                return
                    "\(name(of: type)) inherits from a class of Foundation, \(name(of: current)), whose decoding may "
                    + "end the process"
            }
            ancestor = _getSuperclass(current)
        }
        return nil
    }

    /// Returns true for a class of Foundation's by which a cluster makes its objects, such as that of truth values.
    private static func isHidden(_ type: AnyClass) -> Bool {
        guard isOfFoundation(type), type != NSDecimalNumber.self, let object = type as? NSObject.Type else {
            return false
        }
        return FoundationValue.allCases.contains { object.isSubclass(of: $0.type) }
    }

    private static let modules: Set<Substring> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML",
    ]

    private static func isOfFoundation(_ type: AnyClass) -> Bool {
        let parts = String(reflecting: type).split(separator: ".", maxSplits: 1)
        // Apple's systems give no module for a class of Objective-C.
        return parts.count == 2 ? modules.contains(parts[0]) : parts.first?.hasPrefix("NS") == true
    }

    /// What an archive calls a class: `Module.Class`, without the module for Foundation's own.
    static func name(of type: AnyClass) -> String {
        isTopLevel(type) ? NSStringFromClass(type) : String(reflecting: type)
    }

    /// Whether a class is neither private nor within another: NSStringFromClass ends the process on Linux for those,
    /// and nobody else's archive knows them by Swift's name.
    static func isTopLevel(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.utf8.count { $0 == UInt8(ascii: ".") } <= 1 && !name.contains(" ")
    }
}
