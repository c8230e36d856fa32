internal import Foundation
internal import PropertyLists

/// The creation of objects of the app's classes for a reader.
protocol AppObjects {
    /// Returns an object of a class of the app. The type is nil if only the class that requests the object can name it.
    func object(
        _ value: PropertyListValue, named name: String, of type: ArchivableClass?, _ number: UInt64,
        in reader: ArchiveReader
    ) throws(ArchiveFault) -> NSObject

    /// Returns the fields of an object of Foundation.
    func fields(
        _ value: PropertyListValue, named name: String, of kind: FoundationValue, number: UInt64,
        in reader: ArchiveReader
    ) -> ArchiveFields
}

/// A reader that creates the objects of an archive, each once, and only objects of allowed classes.
///
/// Everything else is refused before any class of the app receives it. Each object, field and byte, and each comparison
/// in a set, is charged to a budget.
final class ArchiveReader {
    /// An object and its weight: the number of objects in a traversal. The weight is 1, or for a collection 1 plus the
    /// weights of its members.
    ///
    /// A shared object is created once, but a traversal of its container (which Foundation on Linux performs to return
    /// a single member) visits it for each reference.
    struct Made {
        let object: NSObject
        var weight = 1
    }

    let archive: KeyedArchive
    let limits: ArchiveLimits
    private let appObjects: any AppObjects
    private(set) var classes: ArchiveClasses
    /// The first error in a call from a class of the app, which cannot throw.
    private(set) var failure: ArchiveFault?

    private enum Step {
        case field(String), member(Int)
    }
    /// A step of an object that runs after its `init(coder:)`, with the classes that were allowed there.
    private struct DeferredStep {
        let number: UInt64
        let classes: ArchiveClasses
        let body: () -> Void
    }
    private var keyPath: [Step] = []
    /// The start of the path: the root, or the object whose links are being resolved.
    private var start = "root"
    private var creationSteps: [DeferredStep] = []
    private var linkSteps: [DeferredStep] = []
    private var finished: [UInt64: Made] = [:]
    private var unfinished: Set<UInt64> = []
    private var objectsLeft: Int
    private var bytesLeft: Int

    init(_ archive: KeyedArchive, classes: ArchiveClasses, limits: ArchiveLimits, appObjects: any AppObjects) {
        self.archive = archive
        self.classes = classes
        self.appObjects = appObjects
        self.limits = limits.clamped
        objectsLeft = self.limits.objects
        bytesLeft = limits.bytes
    }

    /// Returns the root object of the archive.
    func root(of type: AnyClass) throws(ArchiveFault) -> NSObject {
        guard let root = try object(archive.root)?.object else { throw fault(.wrongType, text: "it holds nothing") }
        while let step = creationSteps.popLast() { try run(step) }
        for step in linkSteps.reversed() { try run(step) }
        guard CheckedObject.isKind(root, of: type) else { throw unexpected(root, expected: [type]) }
        return root
    }

    /// Reads a field of an object of the app in which any class may be allowed.
    func check(_ fields: ArchiveFields, key: String) throws(ArchiveFault) {
        let outer = classes
        classes = outer.allowingAny
        defer { classes = outer }
        _ = try object(fields, key, of: nil)
    }

    /// Returns the object of a reference, or nil if nil was archived.
    func object(_ reference: PropertyListValue) throws(ArchiveFault) -> Made? {
        guard case .uid(let number) = reference.node else {
            throw fault(.badReference, text: "a value is in the position of a reference")
        }
        return try object(number)
    }

    /// Returns the object of a field, or nil if the field is missing or nil was archived. `allowed` are the classes
    /// that are allowed in the field in addition to plain values. Nil keeps the current classes.
    func object(_ fields: ArchiveFields, _ key: String, of allowed: [AnyClass]?) throws(ArchiveFault) -> Made? {
        guard let reference = fields[key] else { return nil }
        return try within(.field(key)) { () throws(ArchiveFault) in
            guard let allowed else { return try object(reference) }
            let outer = classes
            classes = outer.allowing(allowed)
            defer { classes = outer }
            guard let made = try object(reference) else { return nil }
            guard allowed.contains(where: { CheckedObject.isKind(made.object, of: $0) }) else {
                throw unexpected(made.object, expected: allowed)
            }
            return made
        }
    }

    // MARK: - Links

    /// Runs a step of an object after the objects that are being created. See `ArchiveLinks`.
    func afterCreation(of number: UInt64, _ body: @escaping () -> Void) {
        creationSteps.append(DeferredStep(number: number, classes: classes, body: body))
    }

    /// Runs a step of an object after the links of all objects.
    func afterLinks(of number: UInt64, _ body: @escaping () -> Void) {
        linkSteps.append(DeferredStep(number: number, classes: classes, body: body))
    }

    private func run(_ step: DeferredStep) throws(ArchiveFault) {
        start = step.number == archive.root ? "root" : "$objects[\(step.number)]"
        classes = step.classes
        step.body()
        if let failure { throw failure }
    }

    // MARK: - Classes of the app

    /// Runs a step for a class of the app. Does nothing after a failure.
    func attempt<Result>(_ body: () throws(ArchiveFault) -> Result?) -> Result? {
        guard failure == nil else { return nil }
        do throws(ArchiveFault) { return try body() } catch {
            failure = error
            return nil
        }
    }

    /// Records an error of a class of the app.
    func fail(_ text: String) {
        if failure == nil { failure = fault(.damaged, text: text) }
    }

    // Nested objects are read recursively. A debug build has a frame for each of these functions, of the size of all of
    // its variables, and a thread may have 512 KiB of stack: whatever is not recursive is in functions of its own.
    private func object(_ number: UInt64) throws(ArchiveFault) -> Made? {
        if number == 0 { return nil }
        guard let value = archive.object(number) else {
            throw fault(.badReference, text: "a reference to object \(number), which is missing")
        }
        guard case .dictionary = value.node else { return try plainObject(value, number: number) }
        // The class is checked for each reference, because different classes are allowed in different positions.
        let (name, found) = try allowedClass(of: value)
        if let known = finished[number] { return known }
        try begin(number, value: value)
        defer { unfinished.remove(number) }
        let made = try make(name, found: found, value: value, number: number)
        finished[number] = made
        return made
    }

    private func plainObject(_ value: PropertyListValue, number: UInt64) throws(ArchiveFault) -> Made {
        if let known = finished[number] { return known }
        let made = Made(object: try plain(value))
        finished[number] = made
        return made
    }

    /// Starts an object, which must not contain itself.
    private func begin(_ number: UInt64, value: PropertyListValue) throws(ArchiveFault) {
        guard !unfinished.contains(number) else {
            throw fault(.cycle, text: "an object contains itself", hint: ArchiveLinks.cycleHint)
        }
        guard unfinished.count < limits.depth else {
            throw fault(.tooDeep, text: "more than \(limits.depth) levels of nested objects")
        }
        try pay(objects: 1 + value.count)
        unfinished.insert(number)
    }

    private func allowedClass(of value: PropertyListValue) throws(ArchiveFault) -> (String, ArchiveClasses.Found) {
        guard case .uid(let number)? = value["$class"]?.node else {
            throw fault(.damaged, text: "an object has no class")
        }
        guard let description = archive.object(number) else {
            throw fault(.badReference, text: "a reference to class \(number), which is missing")
        }
        guard let name = description["$classname"]?.string else { throw fault(.damaged, text: "a class has no name") }
        let found = classes.find(name)
        if let fault = classes.refusal(of: found, name: name, at: place) { throw fault }
        return (name, found)
    }

    private func make(
        _ name: String, found: ArchiveClasses.Found, value: PropertyListValue, number: UInt64
    ) throws(ArchiveFault) -> Made {
        switch found {
        case .foundation(let kind):
            return try make(kind, fields: appObjects.fields(value, named: name, of: kind, number: number, in: self))
        case .app(let type):
            return Made(object: try appObjects.object(value, named: name, of: type, number, in: self))
        default: return Made(object: try appObjects.object(value, named: name, of: nil, number, in: self))
        }
    }

    // MARK: - Budget and place

    /// Charges costs to the budget.
    func pay(objects: Int = 0, bytes: Int = 0) throws(ArchiveFault) {
        guard objects <= objectsLeft else {
            throw fault(.tooLarge, text: "more than \(limits.objects) objects and fields")
        }
        guard bytes <= bytesLeft else {
            throw fault(.tooLarge, text: "more than \(limits.bytes) bytes of text and data")
        }
        objectsLeft -= objects
        bytesLeft -= bytes
    }

    /// Runs a step within a field.
    func within<Result>(
        field: String, _ body: () throws(ArchiveFault) -> Result
    ) throws(ArchiveFault) -> Result { try within(.field(field), body) }

    /// Returns the object of a reference in an array.
    func member(_ reference: PropertyListValue, at index: Int) throws(ArchiveFault) -> Made {
        keyPath.append(.member(index))
        defer { keyPath.removeLast() }
        return try present(try object(reference))
    }

    private func within<Result>(
        _ step: Step, _ body: () throws(ArchiveFault) -> Result
    ) throws(ArchiveFault) -> Result {
        keyPath.append(step)
        defer { keyPath.removeLast() }
        return try body()
    }

    /// Creates an error at the current position.
    func fault(_ code: ArchiveError.Code, text: String, hint: String? = nil) -> ArchiveFault {
        ArchiveFault(code, at: place, text, hint: hint)
    }

    /// The current position, such as `root.children`.
    var place: String {
        let item = keyPath.map { step in
            switch step {
            case .field(let name): "." + name
            case .member(let index): "[\(index)]"
            }
        }
        return start + item.joined()
    }

    private func unexpected(_ object: NSObject, expected: [AnyClass]) -> ArchiveFault {
        let name =
            (object as? CheckedObject)?.name
            ?? ArchiveClasses.name(of: FoundationValue(object)?.type ?? type(of: object))
        let names = expected.map { ArchiveClasses.name(of: $0) }.joined(separator: " or ")
        return fault(.wrongType, text: "\(name) was found instead of \(names)")
    }
}
