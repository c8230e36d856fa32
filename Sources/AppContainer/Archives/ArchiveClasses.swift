public import Foundation

/// A class whose objects can be archived: an app's own, or one of Foundation's.
public typealias ArchivableClass = any (NSObject & NSSecureCoding).Type

/// The classes that may come out of an archive, and the names an archive knows them by.
struct ArchiveClasses {
    /// Which may come now, with their subclasses.
    private(set) var allowed: [AnyClass]
    private var named: [String: ArchivableClass] = [:]

    /// What the caller names.
    init(_ classes: [ArchivableClass], named names: [String: ArchivableClass]) {
        allowed = classes + names.values.map { $0 }
        named = names
        learn(classes)
    }

    /// Who is meant by a name in an archive.
    enum Found {
        case foundation(FoundationValue), app(ArchivableClass), disallowed, unknown
    }

    /// Looks a name up; nothing that was not named by the app is found.
    func find(_ name: String) -> Found {
        if let type = named[name] { return allows(type) ? .app(type) : .disallowed }
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
        for type in classes where !FoundationValue.isFoundation(type) {
            let name = Self.name(of: type)
            if named[name] == nil { named[name] = type }
        }
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
