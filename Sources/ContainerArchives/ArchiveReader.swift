internal import Foundation
internal import PropertyLists

/// Makes the objects of an archive, each once, and none that is not allowed.
///
/// What is refused is refused before any class of the app sees it. Every object, field and byte, and what a set has
/// to compare, is paid from a budget.
final class ArchiveReader {
    /// An object, and how many it stands for when it is walked: one, and for a collection what its members stand for.
    ///
    /// An object that is shared is made once, but walking what holds it (which Foundation on Linux does to give out
    /// a single member) meets it each time.
    struct Made {
        let object: NSObject
        var weight = 1
    }

    let archive: KeyedArchive
    let limits: ArchiveLimits
    private(set) var classes: ArchiveClasses
    /// What went wrong first while a class of the app was being asked, which cannot throw.
    private(set) var failure: ArchiveFault?

    private enum Step {
        case field(String), member(Int)
    }
    private var keyPath: [Step] = []
    private var finished: [UInt64: Made] = [:]
    private var unfinished: Set<UInt64> = []
    private var objectsLeft: Int
    private var bytesLeft: Int

    init(_ archive: KeyedArchive, _ classes: ArchiveClasses, _ limits: ArchiveLimits) {
        self.archive = archive
        self.classes = classes
        self.limits = limits.clamped
        objectsLeft = self.limits.objects
        bytesLeft = limits.bytes
    }

    /// The archive's root.
    func root<Object: NSObject>(as type: Object.Type) throws(ArchiveFault) -> Object {
        guard let root = try object(archive.root)?.object else { throw fault(.wrongType, "it holds nothing") }
        guard let object = root as? Object else { throw unexpected(root, [type]) }
        return object
    }

    /// What a reference refers to; nil where nil was archived.
    func object(_ reference: PropertyListValue) throws(ArchiveFault) -> Made? {
        guard case .uid(let number) = reference.node else {
            throw fault(.badReference, "a value stands where a reference to an object should be")
        }
        return try object(number)
    }

    /// The object of a field; nil where there is no such field, or nil was archived. `allowed` says what it must be,
    /// and may hold beside plain values; nil, that it may be what is allowed around it.
    func object(_ fields: ArchiveFields, _ key: String, of allowed: [AnyClass]?) throws(ArchiveFault) -> Made? {
        guard let reference = fields[key] else { return nil }
        return try within(.field(key)) { () throws(ArchiveFault) in
            guard let allowed else { return try object(reference) }
            let outer = classes
            classes = outer.allowing(allowed)
            defer { classes = outer }
            guard let made = try object(reference) else { return nil }
            guard allowed.contains(where: { made.object.isKind(of: $0) }) else {
                throw unexpected(made.object, allowed)
            }
            return made
        }
    }

    /// Runs a step for a class of the app: nothing is done any more once something has failed.
    func attempt<Result>(_ body: () throws(ArchiveFault) -> Result?) -> Result? {
        guard failure == nil else { return nil }
        do throws(ArchiveFault) { return try body() } catch {
            failure = error
            return nil
        }
    }

    /// Remembers that a class of the app refused what it was given.
    func fail(_ text: String) {
        if failure == nil { failure = fault(.damaged, text) }
    }

    private func object(_ number: UInt64) throws(ArchiveFault) -> Made? {
        if number == 0 { return nil }
        guard let value = archive.object(number) else {
            throw fault(.badReference, "a reference to object \(number), which is not there")
        }
        guard case .dictionary = value.node else {
            if let known = finished[number] { return known }
            let made = Made(object: try plain(value))
            finished[number] = made
            return made
        }
        // The class is judged at each reference: what may come here is not what may come there.
        let found = try allowedClass(of: value)
        if let known = finished[number] { return known }
        guard !unfinished.contains(number) else {
            throw fault(
                .cycle, "an object that holds itself",
                hint: "Let its class encode one direction only, and set the other in init(coder:).")
        }
        guard unfinished.count < limits.depth else {
            throw fault(.tooDeep, "more than \(limits.depth) objects within each other")
        }
        unfinished.insert(number)
        defer { unfinished.remove(number) }
        try pay(objects: 1 + value.count)
        let made = try make(found, ArchiveFields(value))
        finished[number] = made
        return made
    }

    private func allowedClass(of value: PropertyListValue) throws(ArchiveFault) -> ArchiveClasses.Found {
        guard case .uid(let number)? = value["$class"]?.node else { throw fault(.damaged, "an object of no class") }
        guard let description = archive.object(number) else {
            throw fault(.badReference, "a reference to class \(number), which is not there")
        }
        guard let name = description["$classname"]?.string else { throw fault(.damaged, "a class of no name") }
        let found = classes.find(name)
        switch found {
        case .foundation, .app: return found
        case .disallowed:
            throw fault(
                .disallowedClass, "an object of class \(ArchiveFault.shown(name)), which is not allowed there",
                hint: "Name the class in allowing:, or where its field is decoded, if it is meant to be there.")
        case .undecodable(let reason):
            throw fault(.disallowedClass, reason, hint: ArchiveClasses.refusalHint)
        case .unknown:
            throw fault(
                .unknownClass, "an object of class \(ArchiveFault.shown(name)), which nobody named",
                hint: "Name the class in allowing:, or in named: if the archive calls it something else.")
        }
    }

    private func make(_ found: ArchiveClasses.Found, _ fields: ArchiveFields) throws(ArchiveFault) -> Made {
        switch found {
        case .foundation(let value): return try make(value, fields)
        case .app(let type):
            let object = type.init(coder: ArchiveCoder(self, fields))
            if let failure { throw failure }
            guard let object else {
                throw fault(.damaged, "\(ArchiveClasses.name(of: type)) could not be made of what is there")
            }
            return Made(object: object)
        case .disallowed, .undecodable, .unknown: throw fault(.unknownClass, "an object of a class that nobody named")
        }
    }

    // MARK: - Budget and place

    /// Takes what something costs from the budget.
    func pay(objects: Int = 0, bytes: Int = 0) throws(ArchiveFault) {
        guard objects <= objectsLeft else { throw fault(.tooLarge, "more than \(limits.objects) objects and fields") }
        guard bytes <= bytesLeft else { throw fault(.tooLarge, "more than \(limits.bytes) bytes of text and data") }
        objectsLeft -= objects
        bytesLeft -= bytes
    }

    /// Runs a step within a field.
    func within<Result>(
        field: String, _ body: () throws(ArchiveFault) -> Result
    ) throws(ArchiveFault) -> Result { try within(.field(field), body) }

    /// Runs a step within a member of an array.
    func within<Result>(
        member: Int, _ body: () throws(ArchiveFault) -> Result
    ) throws(ArchiveFault) -> Result { try within(.member(member), body) }

    private func within<Result>(
        _ step: Step, _ body: () throws(ArchiveFault) -> Result
    ) throws(ArchiveFault) -> Result {
        keyPath.append(step)
        defer { keyPath.removeLast() }
        return try body()
    }

    /// What is wrong, here.
    func fault(_ code: ArchiveError.Code, _ text: String, hint: String? = nil) -> ArchiveFault {
        let place = keyPath.map { step in
            switch step {
            case .field(let name): "." + name
            case .member(let index): "[\(index)]"
            }
        }
        return ArchiveFault(code, at: "root" + place.joined(), text, hint: hint)
    }

    private func unexpected(_ object: NSObject, _ expected: [AnyClass]) -> ArchiveFault {
        let name = FoundationValue(object)?.rawValue ?? ArchiveClasses.name(of: type(of: object))
        let names = expected.map { ArchiveClasses.name(of: $0) }.joined(separator: " or ")
        return fault(.wrongType, "\(name) stands where \(names) was asked for")
    }
}
